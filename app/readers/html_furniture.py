"""What of a page is no reading matter: furniture and hidden elements (readers design, section 10).

Both are told by markup alone. No style sheet is looked at: text that only CSS hides is read.
"""

import re
from collections import Counter
from collections.abc import Iterable
from itertools import chain

from app.readers.html_tree import Element, Holds

_DROPPED_TAGS = frozenset(
    """
    aside audio button canvas head iframe map nav noscript object script select style svg template textarea title video
    datalist noembed noframes rp rt rtc
    """.split()  # noqa: SIM905 - a list of quoted words reads worse
)
#: Dropped on a page, read in a fragment of HTML, which is somebody's text and has no furniture.
_PAGE_ONLY_TAGS = frozenset({"aside", "nav"})
_DROPPED_ROLES = frozenset({"complementary", "navigation", "search", "tooltip"})
_DIALOG_ROLES = frozenset({"dialog", "alertdialog"})
_BANNERS = frozenset({"header", "footer"})
_BANNER_ROLES = frozenset({"banner", "contentinfo"})
_DROPPED_CLASSES = frozenset(
    """
    catlinks mw-editsection mw-jump-link navbox noprint printfooter
    print-only printonly show-for-print visible-print visible-print-block visible-print-inline
    """.split()  # noqa: SIM905 - see above
)
_HIDING_CLASSES = frozenset("d-none hidden hide invisible is-hidden js-hidden u-hidden".split())  # noqa: SIM905 - see above
_SHOWN_AGAIN = ("d-sm-", "d-md-", "d-lg-", "d-xl-", "d-xxl-")
_HIDING_STYLE = re.compile(r"(?:^|;)(?:display:none|visibility:hidden)(?:!important)?(?:;|$)")
_WHITE = re.compile(r"\s+")
_PERMALINK_TEXTS = frozenset("#§¶")
_PERMALINK_CLASSES = frozenset({"headerlink", "hash-link", "heading-anchor", "anchor-link"})


class Furniture:
    """Tells what is dropped with all its content.

    Args:
        page: True for a whole page, false for a fragment of HTML.
    """

    def __init__(self, *, page: bool) -> None:
        self._page = page
        self._by_class: dict[str, bool] = {}
        self._by_style: dict[str, bool] = {}

    def drops(
        self, element: Element, *, in_article: bool, heading: Element | None = None, in_quote: bool = False
    ) -> bool:
        """True when an element is no reading matter.

        Args:
            element: Which.
            in_article: True inside an article zone, where headers and footers are the article's own.
            heading: The heading that the element stands in, or None.
            in_quote: True inside a block quote, whose footer names its source.
        """
        tag, attributes = element.tag, element.attributes
        if tag in _DROPPED_TAGS and self._dropped_tag(element, heading):
            return True
        if not in_article and self._page and not in_quote and tag in _BANNERS:
            return True
        if tag == "form" and self._page and not element.holds & (Holds.SECTION | Holds.HEADING):
            return True
        if tag == "dialog" and "open" not in attributes:
            return True
        return bool(attributes) and self._dropped_by_attributes(element, in_article=in_article, heading=heading)

    def _dropped_tag(self, element: Element, heading: Element | None) -> bool:
        tag = element.tag
        if tag in _PAGE_ONLY_TAGS and not self._page:
            return False
        if tag == "aside":
            return not (element.role == "note" or any("footnote" in token for token in element.classes))
        if tag == "button":
            return heading is None and not _is_only_content(element)
        return True

    def _dropped_by_attributes(self, element: Element, *, in_article: bool, heading: Element | None) -> bool:
        attributes = element.attributes
        if "role" in attributes:
            role = element.role
            if role in _DROPPED_ROLES or (role in _DIALOG_ROLES and element.tag != "dialog"):
                return True
            if role in _BANNER_ROLES and not in_article and self._page:
                return True
        if element.tag == "a" and self._is_permalink(element, heading):
            return True
        if "class" in attributes and self._furniture_class(attributes["class"]):
            return True
        return self._is_hidden(element) and element.role != "tabpanel"

    def _is_hidden(self, element: Element) -> bool:
        attributes = element.attributes
        if "popover" in attributes or attributes.get("aria-hidden", "").strip().lower() == "true":
            return True
        if "hidden" in attributes and attributes["hidden"].strip().lower() != "until-found":
            return True
        if "class" in attributes and self._hiding_class(attributes["class"]):
            return True
        return "style" in attributes and self._hiding_style(attributes["style"]) and not element.holds & Holds.MATH

    def _furniture_class(self, written: str) -> bool:
        return not _DROPPED_CLASSES.isdisjoint(written.split())

    def _hiding_class(self, written: str) -> bool:
        found = self._by_class.get(written)
        if found is None:
            tokens = written.split()
            found = not _HIDING_CLASSES.isdisjoint(tokens) and not any(
                ":" in token or token.startswith(_SHOWN_AGAIN) for token in tokens
            )
            self._by_class[written] = found
        return found

    def _hiding_style(self, written: str) -> bool:
        found = self._by_style.get(written)
        if found is None:
            found = _HIDING_STYLE.search(_WHITE.sub("", written.lower())) is not None
            self._by_style[written] = found
        return found

    def _is_permalink(self, element: Element, heading: Element | None) -> bool:
        if element.attributes.get("href", "").startswith("#") and _short_text(element) in _PERMALINK_TEXTS:
            return True
        if _PERMALINK_CLASSES.isdisjoint(element.classes):
            return False
        # Some sites put the heading's words into the link.
        return heading is None or not _is_whole_text(element, heading)


def _is_only_content(element: Element) -> bool:
    parent = element.parent
    if parent is None or parent.tag not in {"summary", "dt"}:
        return False
    return all(child is element or (isinstance(child, str) and not child.strip()) for child in parent.children)


def _short_text(element: Element) -> str:
    """Return an element's only text if it is one character, else ""."""
    found = ""
    for holder in chain((element,), element.descendants()):
        for child in holder.children:
            if isinstance(child, str) and child.strip():
                if found or len(child.strip()) > 1:
                    return ""
                found = child.strip()
    return found


def _is_whole_text(element: Element, heading: Element) -> bool:
    """True when a heading has no text beside an element's."""
    return not any(text.strip() for text in heading.texts(skipped=frozenset({element})))


def rows_of_links(texts: Iterable[tuple[str, int]]) -> set[str]:
    """Return which texts of paragraphs and lists are rows of links that the page repeats.

    Args:
        texts: Each with the number of words in its longest link, 0 without a link.

    Returns:
        Their keys, as `row_key` makes them.
    """
    counts = Counter(row_key(text) for text, longest in texts if _looks_like_row(text, longest))
    return {
        key for key, count in counts.items() if count >= _REPEATED and any(character.isalpha() for character in key)
    }


_REPEATED = 3
_MOST_LINK_WORDS = 4
_MOST_LINE_WORDS = 8
_DIGITS = re.compile(r"\d+")


def row_key(text: str) -> str:
    """Return a row of links without its digits, as rows are compared."""
    return _DIGITS.sub("", text)


def _looks_like_row(text: str, longest: int) -> bool:
    if not 0 < longest <= _MOST_LINK_WORDS:
        return False
    lines = [line.strip().removeprefix("- ") for line in text.split("\n")]
    return all(len(line.split()) <= _MOST_LINE_WORDS and not line.endswith((".", "!", "?")) for line in lines)
