"""Who speaks, by HTML markup (readers design, section 6.1)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from app.documents.values import JsonObject, JsonValue
from app.readers.cleaning import prose
from app.readers.html_tree import Element, Holds

_TOKEN = re.compile(
    r"(?:^|[-_])(?:speakers?|orateur|oratore|orador|redner|sprecher|発言者)(?:[-_](?:name|nom|nome|nombre))?\Z",
    re.IGNORECASE,
)
#: Elements that hold speeches, whatever their class says.
_NEVER = frozenset("html body main article section ul ol menu dl table thead tbody tfoot tr form blockquote".split())  # noqa: SIM905 - as above
#: In characters of its text. What is longer is a speech, or a page about a speaker.
_LONGEST_NAME = 200
#: In nodes and characters of source.
_LARGEST_NAME = 600
_SEPARATORS = re.compile(r"[\s\-\u2013\u2014:.,;]+\Z")
#: What may stand between a name and its time.
_BETWEEN = re.compile(r"[\s\-\u2013\u2014:.,;()\[\]|·•]*\Z")
_LEADING_SEPARATORS = re.compile(r"[\s\-\u2013\u2014:.,;]+")
#: An only `author` of a page is its byline.
_FEWEST_AUTHORS = 2
_TIME = frozenset({"time"})


@dataclass(frozen=True, slots=True, eq=False)
class Speaker:
    """Someone who speaks from an element on: names and time as the page has them."""

    element: Element
    name: str
    full: str
    time: str

    @property
    def meta(self) -> JsonObject:
        """What a paragraph of theirs carries."""
        meta: dict[str, JsonValue] = {"speaker": self.name}
        if self.full != self.name:
            meta["speaker_full"] = self.full
        if self.time:
            meta["time"] = self.time
        return meta


@dataclass(frozen=True, slots=True)
class Speakers:
    """The speaker elements of a page, and the `time` elements beside them, which are no text either."""

    by_element: dict[Element, Speaker]
    times: frozenset[Element]


def find_speakers(elements: Sequence[Element]) -> Speakers:
    """Find who is named as a speaker; ancestors are told that they hold one.

    Args:
        elements: Of the whole page, in document order.
    """
    authors = sum("author" in element.attributes.get("itemprop", "").split() for element in elements)
    by_class: dict[str, bool] = {}
    by_element: dict[Element, Speaker] = {}
    times: set[Element] = set()
    places = _Places()
    for element in elements:
        if not _is_marked(element, by_class, counts_authors=authors >= _FEWEST_AUTHORS):
            continue
        beside = places.time_beside(element)
        speaker = _speaker(element, beside)
        if speaker is not None:
            by_element[element] = speaker
            times |= {beside} if beside is not None else set()
            _tell_ancestors(element)
    return Speakers(by_element, frozenset(times))


def without_separators(text: str) -> str:
    """Return what is said, without the signs that part it from the name before it."""
    return _LEADING_SEPARATORS.sub("", text, count=1) if _LEADING_SEPARATORS.match(text) else text


def _is_marked(element: Element, by_class: dict[str, bool], *, counts_authors: bool) -> bool:
    attributes = element.attributes
    if element.tag in _NEVER:
        return False
    if counts_authors and "itemprop" in attributes and "author" in attributes["itemprop"].split():
        return True
    written = attributes.get("class")
    if not written:
        return False
    if written not in by_class:
        by_class[written] = any(_TOKEN.search(token) for token in written.split())
    return by_class[written]


def _speaker(element: Element, beside: Element | None) -> Speaker | None:
    if not element.is_small(_LARGEST_NAME):
        return None
    full = _SEPARATORS.sub("", prose(element.text(_TIME)))
    if not full or len(full) > _LONGEST_NAME:
        return None
    short = next((inner for inner in element.descendants() if _is_name(inner)), None)
    name = _SEPARATORS.sub("", prose(short.text(_TIME))) if short is not None else ""
    time = beside or next((inner for inner in element.descendants() if inner.tag == "time"), None)
    return Speaker(element, name or full, full, prose(time.text()) if time is not None else "")


def _is_name(element: Element) -> bool:
    return any("name" in token for token in element.attributes.get("class", "").lower().split())


class _Places:
    """Looks beside elements; where children stand among their siblings is found out once for each parent."""

    def __init__(self) -> None:
        self._places: dict[Element, dict[Element, int]] = {}

    def time_beside(self, element: Element) -> Element | None:
        """Return the `time` element right after or right before another one."""
        parent = element.parent
        if parent is None:
            return None
        if parent not in self._places:
            children = enumerate(parent.children)
            self._places[parent] = {child: at for at, child in children if isinstance(child, Element)}
        siblings, at = parent.children, self._places[parent][element]
        for step in (1, -1):
            near = at + step
            if 0 <= near < len(siblings) and isinstance(text := siblings[near], str) and _BETWEEN.match(text):
                near += step
            if 0 <= near < len(siblings) and isinstance(found := siblings[near], Element) and found.tag == "time":
                return found
        return None


def _tell_ancestors(element: Element) -> None:
    above = element.parent
    while above is not None and not above.holds & Holds.SPEAKER:
        above.holds |= Holds.SPEAKER
        above = above.parent
