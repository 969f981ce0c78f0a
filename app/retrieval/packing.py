"""Putting what was gathered into one text of a given size (retrieval design, "Two grains", "Packing"; ruling 2)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from app.documents.context import ContextSource
from app.documents.document import UnitHit
from app.documents.values import JsonObject
from app.retrieval.candidates import key_of
from app.retrieval.conversation_heads import head_after
from app.retrieval.corrections import CORRECTED, Corrections
from app.retrieval.fusion import UnitKey
from app.retrieval.gathering import Part, Parts
from app.retrieval.own_text import BLANK_LINE, head, own_start, source_spans, whole_text
from app.retrieval.pieces import PIECE_CHARS
from app.retrieval.two_grains import PIECE_WEIGHT, TwoGrains

#: What stands for text that is left out of a unit.
GAP = " … "
#: What stands behind a unit that a later one corrects.
_MARK = f"\n{CORRECTED}"
#: No message is looked for that takes less: its head alone takes five or more.
_LEAST_TOKENS = 8
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
    grains: TwoGrains
    corrections: Corrections
    shown: dict[UnitKey, _Shown] = field(default_factory=dict)

    def add_whole(self, hit: UnitHit) -> bool:
        """Show a unit whole if it fits, and the latest correction of it does."""
        tokens = self.measure(self._marked(hit, whole_text(hit.unit)))
        if not self._correct(hit) or not self._take(tokens + self._between()):
            return False
        self.shown[key_of(hit)] = _Shown(hit)
        return True

    def add_piece(self, hit: UnitHit, own: int, start: int, end: int) -> None:
        """Show a piece of a unit if it fits, with the unit's heading path when it is the first of the unit."""
        if not self._correct(hit):
            return
        shown = self.shown.get(key_of(hit))
        pieces = shown.pieces if shown is not None else None
        in_front = self.measure(GAP) if pieces else self.measure(self._marked(hit, head(hit.unit))) + self._between()
        if not self._take(in_front + self.measure(hit.unit.text[start:end])):
            return
        if pieces is None:
            pieces = []
            self.shown[key_of(hit)] = _Shown(hit, own, pieces)
        pieces.append((start, end))

    def _correct(self, hit: UnitHit) -> bool:
        """Show the latest correction of a unit, for which room comes first: without it the unit isn't shown."""
        latest = self.corrections.get(key_of(hit))
        if latest is None or key_of(latest) in self.shown:
            return True
        if not self.add_whole(latest):
            _add_pieces(self, [Part(latest, 1.0)], self.grains)
        return key_of(latest) in self.shown

    def _marked(self, hit: UnitHit, text: str) -> str:
        return text + _MARK if key_of(hit) in self.corrections else text

    def _between(self) -> int:
        return self.measure(BLANK_LINE) if self.shown else 0

    def _take(self, tokens: int) -> bool:
        if tokens > self.left:
            return False
        self.left -= tokens
        return True


def pack_whole(hits: Sequence[UnitHit], corrections: Corrections | None = None) -> Packed:
    """Join whole units in document order, with the latest correction of each that was corrected."""
    return _assembled(_with_corrections(hits, corrections or {}), (), corrections or {})


def pack_within(
    parts: Parts,
    grains: TwoGrains,
    *,
    max_tokens: int,
    measure: Measure,
    corrections: Corrections | None = None,
    told: Sequence[Part] | None = None,
) -> Packed:
    """Fill a budget with the chosen units, whole if all of them fit, else by their best pieces; then with the others.

    The others come best first, each whole if it fits, else by its best pieces; then those near the threshold likewise,
    and what was said around messages. Nothing is cut inside a sentence; when not even one sentence with its heading
    path fits of the chosen and the others, the text is empty. A corrected unit is shown only with its latest
    correction, which comes before it when room is short.

    `told` are the parts that `dropped` tells of where they don't fit, if not the chosen and the others.
    """
    chosen, others = parts.chosen, parts.others
    room = _Room(measure, max_tokens, grains, corrections or {})
    whole = _with_corrections([part.hit for part in chosen], room.corrections)
    room.left = max_tokens - measure(_assembled(whole, (), room.corrections).text)
    if room.left >= 0:
        room.shown = {key_of(one.hit): one for one in whole}
    else:
        room.left = max_tokens
        _add_pieces(room, chosen, grains)
    _fill(room, others, grains)
    told = [*chosen, *others] if told is None else told
    if not room.shown:
        _add_sentences(room, told, grains)
    if room.shown:
        _fill(room, parts.near, grains)
        _fill_around(room, parts.around, max_tokens)
    return _assembled(list(room.shown.values()), _dropped(told, room.shown), room.corrections, in_little_room=True)


def _fill(room: _Room, parts: Sequence[Part], grains: TwoGrains) -> None:
    for part in parts:
        if key_of(part.hit) not in room.shown and not room.add_whole(part.hit):
            _add_pieces(room, [part], grains)


def _fill_around(room: _Room, parts: Sequence[Part], max_tokens: int) -> None:
    """Add messages, best first, until there is no room for another one.

    Where they stand one behind the other their heads are shorter than was counted: what that leaves is filled too.
    """
    shown = 0
    while shown < len(room.shown) and parts:
        shown = len(room.shown)
        room.left = max_tokens - room.measure(_text_of(room))
        for part in parts:
            if room.left < _LEAST_TOKENS:
                break
            if key_of(part.hit) in room.shown or room.add_whole(part.hit):
                continue
            if len(part.hit.unit.text) > PIECE_CHARS:
                _add_pieces(room, [part], room.grains)


def _text_of(room: _Room) -> str:
    return _assembled(list(room.shown.values()), (), room.corrections, in_little_room=True).text


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


def _with_corrections(hits: Sequence[UnitHit], corrections: Corrections) -> list[_Shown]:
    """Units to be shown whole, and the latest correction of each that was corrected."""
    latest = [corrections[key_of(hit)] for hit in hits if key_of(hit) in corrections]
    return [_Shown(hit) for hit in {key_of(hit): hit for hit in (*hits, *latest)}.values()]


def _assembled(
    shown: Sequence[_Shown],
    dropped: tuple[JsonObject, ...],
    corrections: Corrections,
    *,
    in_little_room: bool = False,
) -> Packed:
    # Code points sort as their UTF-8 bytes do.
    in_order = sorted(shown, key=lambda one: (one.hit.document, one.hit.collection, one.hit.ordinal))
    texts = []
    for number, one in enumerate(in_order):
        before = in_order[number - 1] if number else None
        line = head_after(one.hit, before.hit if before is not None and in_little_room else None)
        texts.append(_text(one, before, line) + (_MARK if key_of(one.hit) in corrections else ""))
    return Packed(BLANK_LINE.join(texts), tuple(_source(one, corrections) for one in in_order), dropped)


def _text(one: _Shown, before: _Shown | None, line: str) -> str:
    unit = one.hit.unit
    if one.pieces is not None:
        return line + GAP.join(unit.text[start:end] for start, end in one.runs())
    if before is None or before.pieces is not None or not _follows(one.hit, before.hit):
        return line + whole_text(unit).removeprefix(head(unit))
    # The unit before is shown whole: what this one repeats of it is left out.
    return line + unit.text[own_start(one.hit, before.hit) :]


def _follows(hit: UnitHit, before: UnitHit) -> bool:
    return _place(hit) == _place(before, further=1)


def _place(hit: UnitHit, *, further: int = 0) -> tuple[str, str, int]:
    return hit.collection, hit.document, hit.ordinal + further


def _source(one: _Shown, corrections: Corrections) -> ContextSource:
    hit, unit = one.hit, one.hit.unit
    latest = corrections.get(key_of(hit))
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
        superseded_by=None if latest is None else latest.unit.id,
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
