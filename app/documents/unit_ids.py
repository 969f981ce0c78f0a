"""Unit ids that stay while their text stays (ruling 15)."""

import re
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from app.documents.document import Document, Unit

_NUMBERED = re.compile(r"([a-z]+)([0-9]+)")


@dataclass(frozen=True, slots=True)
class Numbered:
    """A document with its final unit ids, and the highest number ever used per id prefix."""

    document: Document
    highest: Mapping[str, int]


def with_stable_ids(document: Document, previous: Sequence[Unit], highest: Mapping[str, int]) -> Numbered:
    """Give units the ids that they keep, and links with them.

    A unit whose kind and text equal one of the previous version takes over its id, in document order where several are
    equal; every other gets the number after the highest ever used in the document, so that no id is used again for
    another text. An id that is not letters and a number stays as it is.

    Args:
        document: as ingestion numbered it.
        previous: the units of the version before.
        highest: the highest number ever used in this document, per id prefix.
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
            prefix = numbered[1]
            used[prefix] = used.get(prefix, 0) + 1
            ids[unit.id] = f"{prefix}{used[prefix]}"
    renamed = replace(
        document,
        units=tuple(replace(unit, id=ids[unit.id]) for unit in document.units),
        links=tuple(replace(link, source=ids[link.source], target=ids[link.target]) for link in document.links),
    )
    return Numbered(renamed, used)
