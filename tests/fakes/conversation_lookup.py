"""What a store in memory tells of conversations; held to the same suite as the real store."""

from collections import Counter
from collections.abc import Iterator, Sequence

from app.documents.document import LinkType, UnitHit, UnitKind
from app.ports.document_store import MOST_PARTS, MOST_SPEAKERS, MOST_SPOKEN, Speaker
from tests.fakes.memory import Memory, MemoryDocument


class MemoryConversations:
    """See the port `DocumentStore`."""

    _memory: Memory

    async def outcome_parts(self, documents: Sequence[UnitHit]) -> Sequence[UnitHit]:
        return [hit for hit in self._messages(documents) if hit.unit.meta.get("outcome") is True][-MOST_SPOKEN:]

    async def speakers(self, documents: Sequence[UnitHit]) -> Sequence[Speaker]:
        said = [hit.unit.meta for hit in self._messages(documents) if hit.unit.meta.get("speaker")]
        counts = Counter(str(meta["speaker"]) for meta in said)
        full: dict[str, list[str]] = {}
        for meta in said:
            if meta.get("speaker_full"):
                full.setdefault(str(meta["speaker"]), []).append(str(meta["speaker_full"]))
        names = sorted(counts, key=lambda name: (-counts[name], name))[:MOST_SPEAKERS]
        return [Speaker(name, max(full.get(name, [name]))) for name in names]

    async def said_by(self, documents: Sequence[UnitHit], speaker: str) -> Sequence[UnitHit]:
        return [hit for hit in self._messages(documents) if hit.unit.meta.get("speaker") == speaker][:MOST_SPOKEN]

    async def turns(self, units: Sequence[UnitHit], steps: int) -> Sequence[UnitHit]:
        reached: dict[tuple[str, int, int], UnitHit] = {}
        level = list(units)
        for _ in range(steps + 1):
            parts = [part for unit in level for row in self._rows([unit]) for part in _turn(row, unit.ordinal)]
            level = [row.hit(at) for part in parts for row in self._rows([part]) for at in _answered(row, part)]
            for part in parts:
                reached[part.collection, part.document_key, part.ordinal] = part
        return [reached[place] for place in sorted(reached)]

    async def corrections(self, units: Sequence[UnitHit]) -> Sequence[tuple[UnitHit, UnitHit]]:
        pairs: dict[tuple[str, int, int], tuple[UnitHit, UnitHit]] = {}
        level = list(units)
        while level:
            found = [
                (row.hit(unit.ordinal), row.hit(max(later)))
                for unit in level
                for row in self._rows([unit])
                if (later := _correcting(row, unit.ordinal))
            ]
            level = []
            for corrected, by in found:
                place = (corrected.collection, corrected.document_key, corrected.ordinal)
                if place not in pairs:
                    pairs[place] = corrected, by
                    level.append(by)
        return [pairs[place] for place in sorted(pairs)]

    def _rows(self, units: Sequence[UnitHit]) -> Iterator[MemoryDocument]:
        """The documents of units, each once, as long as they are the same version."""
        for collection, document, version in dict.fromkeys(
            (hit.collection, hit.document, hit.version) for hit in units
        ):
            row = self._memory.documents.get((collection, document))
            if row is not None and row.document is not None and row.live_version == version:
                yield row

    def _messages(self, documents: Sequence[UnitHit]) -> list[UnitHit]:
        rows = sorted(self._rows(documents), key=lambda row: (row.collection, row.key))
        hits = [row.hit(ordinal) for row in rows if row.document for ordinal in range(len(row.document.units))]
        return [hit for hit in hits if hit.unit.kind is UnitKind.MESSAGE]


def _turn(row: MemoryDocument, ordinal: int) -> list[UnitHit]:
    assert row.document is not None
    name = row.document.units[ordinal].meta.get("turn")
    if name is None:
        return [row.hit(ordinal)]
    same = [at for at, unit in enumerate(row.document.units) if unit.meta.get("turn") == name]
    return [row.hit(at) for at in same[:MOST_PARTS]]


def _answered(row: MemoryDocument, part: UnitHit) -> list[int]:
    """Places of what a first part answers or belongs to."""
    assert row.document is not None
    ordinals = {unit.id: at for at, unit in enumerate(row.document.units)}
    up = (LinkType.REPLY_TO, LinkType.OUTPUT_OF)
    return [ordinals[link.target] for link in row.document.links if link.source == part.unit.id and link.type in up]


def _correcting(row: MemoryDocument, ordinal: int) -> list[int]:
    assert row.document is not None
    ordinals = {unit.id: at for at, unit in enumerate(row.document.units)}
    corrected = row.document.units[ordinal].id
    by = [
        ordinals[link.source]
        for link in row.document.links
        if link.target == corrected and link.type is LinkType.CORRECTS
    ]
    return [at for at in by if at > ordinal]
