"""Wiki-style references to headings: `#Late fees` (retrieval design, "Links of prose")."""

import re
from collections.abc import Iterator, Sequence

from app.documents.chunk import Chunk

#: Passages under a heading that a reference leads to.
MAX_TARGETS = 2
#: Words of a heading that are compared.
_MOST_WORDS = 20
#: A reference goes no further than this.
_REACH = 300

#: `[[Page#Heading]]` leads to another page, `&#39;` and `/#top` nowhere, `# Title` is a heading.
_HASH = re.compile(r"(?<![\w&/#])#(?=\w)")
_WORD = re.compile(r"[^\W_]+")
_NUMBERING = re.compile(r"[\d.()]+\s+")


class Headings:
    """The headings of one document by their words."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._positions: dict[tuple[str, ...], list[int]] = {}
        self._words: dict[str, list[tuple[str, ...]]] = {}
        for position, chunk in enumerate(chunks):
            for title in chunk.path:
                for words in self._words_of(title):
                    positions = self._positions.setdefault(words, [])
                    if len(positions) < MAX_TARGETS and position not in positions:
                        positions.append(position)

    def referred_to(self, text: str) -> Iterator[Sequence[int]]:
        """Yield, for every reference in a text, the first passages under the longest heading that it starts with."""
        for match in _HASH.finditer(text):
            line = text[match.end() : match.end() + _REACH].partition("\n")[0]
            words = _split(line)
            for length in range(len(words), 0, -1):
                if positions := self._positions.get(words[:length]):
                    yield positions
                    break

    def _words_of(self, title: str) -> list[tuple[str, ...]]:
        """Return a heading's words, with and without the number that opens it; none without a letter."""
        if title not in self._words:
            forms = dict.fromkeys((_split(title), _split(_NUMBERING.sub("", title, count=1))))
            self._words[title] = [words for words in forms if any(not word.isdigit() for word in words)]
        return self._words[title]


def _split(text: str) -> tuple[str, ...]:
    words: list[str] = []
    for match in _WORD.finditer(text.casefold()):
        words.append(match[0])
        if len(words) == _MOST_WORDS:
            break
    return tuple(words)
