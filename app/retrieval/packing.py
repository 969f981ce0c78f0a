"""Putting what was gathered into one text of a given size (retrieval design, "Two grains", "Packing"; ruling 2)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from app.documents.context import ContextSource
from app.documents.document import UnitHit
from app.documents.values import JsonObject
from app.retrieval.candidates import key_of
from app.retrieval.fusion import UnitKey
from app.retrieval.gathering import Part
from app.retrieval.own_text import BLANK_LINE, headed, heading_line, own_start, source_spans
from app.retrieval.pieces import PIECE_CHARS
from app.retrieval.two_grains import PIECE_WEIGHT, TwoGrains

#: What stands for text that is left out of a unit.
GAP = " … "
#: Size of piece that cuts a text at every sentence.
_ONE_SENTENCE = 1

#: Size of a text in tokens. Never more for two texts joined than for both apart.
Measure: TypeAlias = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Packed:
    """A context's text with where its parts come from and what didn't fit."""

    text: str
    sources: tuple[ContextSource, ...]
    dropped: tuple[JsonObject, ...] = ()


@dataclass(slots=True)
class _Shown:
    """A unit in the context: whole, or the pieces of it that are shown."""

    hit: UnitHit
    #: Offset of its own text, and the pieces that are shown; None shows the unit whole.
    start: int = 0
    pieces: list[tuple[int, int]] | None = None

    @property
    def trimmed(self) -> bool:
        """True when some of the unit's own text is not shown."""
        text = self.hit.unit.text
        return self.pieces is not None and self.runs() != [_stripped(text, self.start, len(text))]

    def runs(self) -> list[tuple[int, int]]:
        """The pieces in their own order, neighbours joined, without white space at the ends."""
        joined: list[tuple[int, int]] = []
        for start, end in sorted(self.pieces or []):
            if joined and joined[-1][1] == start:
                joined[-1] = (joined[-1][0], end)
            else:
                joined.append((start, end))
        return [_stripped(self.hit.unit.text, start, end) for start, end in joined]


@dataclass(slots=True)
class _Room:
    """What is left of the budget, and what has been put into it."""

    measure: Measure
    left: int
    shown: dict[UnitKey, _Shown] = field(default_factory=dict)

    def add_whole(self, hit: UnitHit) -> bool:
        """Show a unit whole if it fits."""
        if not self._take(self.measure(headed(hit.unit.path, hit.unit.text)) + self._between()):
            return False
        self.shown[key_of(hit)] = _Shown(hit)
        return True

    def add_piece(self, hit: UnitHit, own: int, start: int, end: int) -> None:
        """Show a piece of a unit if it fits, with the unit's heading path when it is the first of the unit."""
        shown = self.shown.get(key_of(hit))
        pieces = shown.pieces if shown is not None else None
        in_front = self.measure(GAP) if pieces else self.measure(heading_line(hit.unit.path)) + self._between()
        if not self._take(in_front + self.measure(hit.unit.text[start:end])):
            return
        if pieces is None:
            pieces = []
            self.shown[key_of(hit)] = _Shown(hit, own, pieces)
        pieces.append((start, end))

    def _between(self) -> int:
        return self.measure(BLANK_LINE) if self.shown else 0

    def _take(self, tokens: int) -> bool:
        if tokens > self.left:
            return False
        self.left -= tokens
        return True


def pack_whole(hits: Sequence[UnitHit]) -> Packed:
    """Join whole units in document order."""
    return _assembled([_Shown(hit) for hit in hits], ())


def pack_within(
    chosen: Sequence[Part], others: Sequence[Part], grains: TwoGrains, *, max_tokens: int, measure: Measure
) -> Packed:
    """Fill a budget with the chosen units, whole if all of them fit, else by their best pieces; then with the others.

    The others come best first, each whole if it fits, else by its best pieces. Nothing is cut inside a sentence; when
    not even one sentence with its heading path fits, the text is empty.
    """
    whole = measure(pack_whole([part.hit for part in chosen]).text)
    room = _Room(measure, max_tokens)
    if whole <= max_tokens:
        room.left = max_tokens - whole
        room.shown = {key_of(part.hit): _Shown(part.hit) for part in chosen}
    else:
        _add_pieces(room, chosen, grains)
    for part in others:
        if not room.add_whole(part.hit):
            _add_pieces(room, [part], grains)
    if not room.shown:
        _add_sentences(room, [*chosen, *others], grains)
    return _assembled(list(room.shown.values()), _dropped([*chosen, *others], room.shown))


def _add_pieces(room: _Room, parts: Sequence[Part], grains: TwoGrains) -> None:
    """Add pieces of `parts` while they fit, best first.

    The best piece of the first part comes before all others: in little room, the unit that answers best must not lose
    its place to one whose words merely resemble the question more.
    """
    ranked = _ranked(parts, grains, PIECE_CHARS)
    leading = next((one for one in ranked if one.hit is parts[0].hit), None)
    for one in sorted(ranked, key=lambda one: one is not leading):
        room.add_piece(one.hit, one.own, one.start, one.end)


def _add_sentences(room: _Room, parts: Sequence[Part], grains: TwoGrains) -> None:
    """Add sentences of `parts` while they fit, best first; a short one that says nothing (`No.`) only misleads."""
    ranked = _ranked(parts, grains, _ONE_SENTENCE)
    some_say = any(one.says for one in ranked)
    for one in ranked:
        if one.says or not some_say:
            room.add_piece(one.hit, one.own, one.start, one.end)


@dataclass(frozen=True, slots=True)
class _Ranked:
    """A piece of a unit with what it is worth: what the unit is, and half of what the piece says."""

    hit: UnitHit
    own: int
    start: int
    end: int
    worth: float
    #: Whether it holds a term of the question.
    says: bool


def _ranked(parts: Sequence[Part], grains: TwoGrains, size: int) -> list[_Ranked]:
    before = {_place(part.hit, further=1): part.hit for part in parts}
    owns = [own_start(part.hit, before.get(_place(part.hit))) for part in parts]
    ranked = [
        _Ranked(part.hit, own, piece.start, piece.end, part.worth + PIECE_WEIGHT * piece.score, piece.score > 0)
        for part, own in zip(parts, owns, strict=True)
        for piece in grains.pieces(part.hit, own, size=size)
    ]
    return sorted(ranked, key=lambda one: -one.worth)


def _assembled(shown: Sequence[_Shown], dropped: tuple[JsonObject, ...]) -> Packed:
    # Code points sort as their UTF-8 bytes do.
    in_order = sorted(shown, key=lambda one: (one.hit.document, one.hit.collection, one.hit.ordinal))
    texts = []
    for number, one in enumerate(in_order):
        before = in_order[number - 1] if number else None
        texts.append(_text(one, before))
    return Packed(BLANK_LINE.join(texts), tuple(_source(one) for one in in_order), dropped)


def _text(one: _Shown, before: _Shown | None) -> str:
    unit = one.hit.unit
    if one.pieces is not None:
        return heading_line(unit.path) + GAP.join(unit.text[start:end] for start, end in one.runs())
    if before is None or before.pieces is not None or not _follows(one.hit, before.hit):
        return headed(unit.path, unit.text)
    # The unit before is shown whole: what this one repeats of it is left out.
    return heading_line(unit.path) + unit.text[own_start(one.hit, before.hit) :]


def _follows(hit: UnitHit, before: UnitHit) -> bool:
    return _place(hit) == _place(before, further=1)


def _place(hit: UnitHit, *, further: int = 0) -> tuple[str, str, int]:
    return hit.collection, hit.document, hit.ordinal + further


def _source(one: _Shown) -> ContextSource:
    hit, unit = one.hit, one.hit.unit
    page = unit.meta.get("page")
    return ContextSource(
        collection=hit.collection,
        document=hit.document,
        version=hit.version,
        unit=unit.id,
        title=hit.title,
        path=unit.path,
        start=unit.start,
        end=unit.end,
        spans=source_spans(unit, one.runs()) if one.trimmed else None,
        page=page if isinstance(page, int) else None,
        updated_at=hit.updated_at,
    )


def _dropped(parts: Sequence[Part], shown: dict[UnitKey, _Shown]) -> tuple[JsonObject, ...]:
    """Name the units that the budget left out or trimmed."""
    dropped: list[JsonObject] = []
    for part in parts:
        one = shown.get(key_of(part.hit))
        named = {"document": part.hit.document, "unit": part.hit.unit.id}
        if one is None:
            dropped.append({**named, "dropped": "all"})
        elif one.trimmed:
            dropped.append({**named, "dropped": "part"})
    return tuple(dropped)


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())
