"""Inline Markdown to the text of one block (readers design, sections 5 and 7)."""

import re
from dataclasses import dataclass, field

from app.readers.cleaning import prose
from app.readers.html_text import inline_text
from app.readers.markdown_masks import COLON
from app.text.whitespace import squash

#: Addresses that are worth keeping beside a link's text.
_ABSOLUTE = ("http://", "https://", "mailto:")
_BRACKET = re.compile(r"[\[\]]")


@dataclass(slots=True)
class Inline:
    """Collects the text of the block that is being read. `parts` may be appended to directly.

    Args:
        colons: True when colons may be masked.
    """

    colons: bool
    parts: list[str] = field(default_factory=list)
    #: Open links and images: where their text starts in `parts`, and the address (None for an image).
    _links: list[tuple[int, str | None]] = field(default_factory=list)
    #: Open `^[`: where they stand in `parts`, and the brackets open inside.
    open_asides: list[list[int]] = field(default_factory=list)

    def take(self) -> str:
        """Return the text collected so far on one line, and start anew."""
        text = self.raw()
        if text.isascii() and text.isprintable():
            # Nothing to clean, and no white space but spaces.
            text = text.strip()
            return squash(text) if "  " in text else text
        return prose(text)

    def raw(self) -> str:
        """Return the text collected so far as it is, and start anew."""
        parts = self.parts
        if self.open_asides:
            for index, _ in self.open_asides:
                parts[index] = "^["
            self.open_asides.clear()
        text = "".join(parts)
        parts.clear()
        if self._links:
            self._links.clear()
        return text.replace(COLON, ":") if self.colons else text

    def open_link(self, address: str | None) -> None:
        """Start a link, or with None an image."""
        self._links.append((len(self.parts), address))

    def close_link(self) -> None:
        """End the innermost link or image: an address follows its text, an image reads as its alternative text."""
        if not self._links:
            return
        start, address = self._links.pop()
        text = squash("".join(self.parts[start:]))
        if address is None:
            self.parts[start:] = [f"[image: {text}]"] if text else []
        elif address.startswith(_ABSOLUTE) and text not in {address, address.removeprefix("mailto:")}:
            self.parts.append(f" ({address})" if text else address)

    def html(self, tag: str) -> None:
        """Add what an inline tag reads as."""
        self.parts.append(inline_text(tag))

    def text_with_asides(self, text: str) -> None:
        """Add text in which `^[note]` reads ` (note)`; with markup inside, a note ends in a later text."""
        parts, asides = self.parts, self.open_asides
        at = 0
        for match in _BRACKET.finditer(text):
            index = match.start()
            if match[0] == "[":
                if index > at and text[index - 1] == "^":
                    parts += (text[at : index - 1], " (")
                    asides.append([len(parts) - 1, 0])
                    at = index + 1
                elif asides:
                    asides[-1][1] += 1
            elif asides and asides[-1][1]:
                asides[-1][1] -= 1
            elif asides:
                parts += (text[at:index], ")")
                asides.pop()
                at = index + 1
        parts.append(text[at:])
