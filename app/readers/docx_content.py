"""What an element of a DOCX document shows: wrappers opened, deletions left out (readers design, section 11)."""

from collections.abc import Iterable, Iterator

from app.readers.docx_package import Element, W
from app.readers.docx_styles import value

_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
#: An element that holds the same thing in several ways.
ALTERNATIVES = f"{_MC}AlternateContent"
_CHOICE = f"{_MC}Choice"
_FALLBACK = f"{_MC}Fallback"
_RUBY = f"{W}ruby"
_RUBY_BASE = f"{W}rubyBase"
_SDT = f"{W}sdt"
_SDT_CONTENT = f"{W}sdtContent"
#: What stands around content without meaning anything to a reader.
_WRAPPERS = frozenset(
    f"{W}{name}" for name in ("hyperlink", "smartTag", "customXml", "ins", "moveTo", "dir", "bdo", "rubyBase")
)
#: All that is looked through.
_OPENED = _WRAPPERS | {_SDT, _SDT_CONTENT, _RUBY, ALTERNATIVES}


def content(parent: Element) -> Iterator[Element]:
    """Yield an element's children in reading order, through what only wraps them.

    Deletions are left out, content controls opened (tables of contents dropped), and of alternatives the first taken.
    """
    stack: list[Iterator[Element]] = [iter(parent)]
    while stack:
        for element in stack[-1]:
            if element.tag in _OPENED:
                stack.append(iter(_inside(element)))
                break
            yield element
        else:
            stack.pop()


def _inside(element: Element) -> Iterable[Element]:
    """Return what a wrapper holds."""
    tag = element.tag
    if tag == _SDT:
        return () if _is_contents(element) else element.iterchildren(_SDT_CONTENT)
    if tag == _RUBY:
        return element.iterchildren(_RUBY_BASE)
    return chosen(element) if tag == ALTERNATIVES else element


def chosen(alternatives: Element) -> Iterable[Element]:
    """Return what the first of several alternatives holds."""
    choice = alternatives.find(_CHOICE)
    choice = alternatives.find(_FALLBACK) if choice is None else choice
    return () if choice is None else choice


def _is_contents(control: Element) -> bool:
    gallery = control.find(f"{W}sdtPr/{W}docPartObj/{W}docPartGallery")
    return (value(gallery) or "").lower() == "table of contents"
