"""Unit ids that stay while their text stays (ruling 15)."""

import re
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from app.documents.document import Document, Unit

_NUMBERED = re.compile(r"([a-z]+)([0-9]+)")
#: Outputs are numbered by the counter of messages (conversations design, c.1).
_COUNTERS = {"a": "m"}


@dataclass(frozen=True, slots=True)
class Numbered:
    """A document with its final unit ids, and the highest number ever used per counter.

    A counter has the name of its ids' prefix.
    """

    document: Document
    highest: Mapping[str, int]


def with_stable_ids(document: Document, previous: Sequence[Unit], highest: Mapping[str, int]) -> Numbered:
    """Give units the ids that they keep, and with them links and the names of turns.

    A unit whose kind and text equal one of the previous version takes over its id, in document order where several are
    equal; every other gets the number after the highest ever used in the document, so that no id is used again for
    another text. An id that is not letters and a number stays as it is.

    Args:
        document: as ingestion numbered it.
        previous: the units of the version before.
        highest: the highest number ever used in this document, per counter.
    """
    kept: defaultdict[tuple[str, str], deque[str]] = defaultdict(deque)
    for unit in previous:
        if _NUMBERED.fullmatch(unit.id):
            kept[unit.kind, unit.text].append(unit.id)
    used = dict(highest)
    ids: dict[str, str] = {}
    for unit in document.units:
        numbered = _NUMBERED.fullmatch(unit.id)
        if not numbered:
            ids[unit.id] = unit.id
        elif same := kept[unit.kind, unit.text]:
            ids[unit.id] = same.popleft()
        else:
            counter = _COUNTERS.get(numbered[1], numbered[1])
            used[counter] = used.get(counter, 0) + 1
            ids[unit.id] = f"{numbered[1]}{used[counter]}"
    renamed = replace(
        document,
        units=tuple(_renamed(unit, ids) for unit in document.units),
        links=tuple(replace(link, source=ids[link.source], target=ids[link.target]) for link in document.links),
    )
    return Numbered(renamed, used)


def highest_used(units: Iterable[Unit], before: Mapping[str, int]) -> dict[str, int]:
    """Return the highest number ever used per counter, once these units are there too."""
    used = dict(before)
    for unit in units:
        if numbered := _NUMBERED.fullmatch(unit.id):
            counter = _COUNTERS.get(numbered[1], numbered[1])
            used[counter] = max(used.get(counter, 0), int(numbered[2]))
    return used


def _renamed(unit: Unit, ids: Mapping[str, str]) -> Unit:
    """Return a unit under its new id; a part of a turn names the first one by its new id too."""
    turn = unit.meta.get("turn")
    if isinstance(turn, str) and turn in ids:
        return replace(unit, id=ids[unit.id], meta={**unit.meta, "turn": ids[turn]})
    return replace(unit, id=ids[unit.id])
