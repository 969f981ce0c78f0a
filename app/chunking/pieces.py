"""The parts that a block may be cut into: sentences, list items, lines (chunking design, "How chunks are cut").

Every cut is lossless: the parts of a block joined give its text back, white space at the cuts and what a table's or
code block's later parts repeat aside.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from app.chunking.sections import BodyBlock
from app.documents.block import Block, BlockType
from app.text.sentences import sentence_spans
from app.text.tokens import approximate_tokens

#: What a part repeats of its block (caption, header row, fence) takes at most this share of the limit (ruling 7).
_REPEATED_SHARE = 0.5
_FENCES = ("```", "~~~")


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A whole block, or a part of one, as a chunk's body holds it."""

    block: int
    text: str
    tokens: int
    start: int | None
    end: int | None
    #: True when it goes on with a table or code block, whose head it repeats.
    continues_block: bool = False


@dataclass(frozen=True, slots=True)
class Measure:
    """Counts text in approximate tokens."""

    chars_per_token: float

    def tokens(self, text: str) -> int:
        """Return the size of `text`."""
        return approximate_tokens(text, self.chars_per_token)

    def prefix(self, text: str, start: int, limit: int) -> int:
        """Return the end of the longest stretch of `text` from `start` that takes at most `limit` tokens.

        At least one character is taken, however small the limit.
        """
        low = start + 1
        high = min(len(text), start + max(1, int(limit * self.chars_per_token)))
        while low < high:
            middle = (low + high + 1) // 2
            if self.tokens(text[start:middle]) <= limit:
                low = middle
            else:
                high = middle - 1
        return low


def whole(body: BodyBlock, measure: Measure) -> Piece:
    """Return a block as one piece."""
    block = body.block
    return Piece(block=body.index, text=block.text, tokens=measure.tokens(block.text), start=block.start, end=block.end)


def sentences(body: BodyBlock, measure: Measure, source: str | None) -> list[Piece]:
    """Cut a paragraph or quote between its sentences, and a list between its lines."""
    text = body.block.text
    spans = _line_spans(text) if body.block.type is BlockType.LIST else sentence_spans(text)
    trimmed = [_trim(text, start, end) for start, end in spans]
    # Once for the block: it compares all of its text.
    exact = source is not None and _reads_alike(source, body.block)
    return [_part(body, start, end, measure, exact=exact) for start, end in trimmed if start < end]


def merged(pieces: list[Piece], body: BodyBlock, measure: Measure) -> Piece:
    """Join neighbouring parts of one block to one piece."""
    if len(pieces) == 1:
        return pieces[0]
    glue = "\n" if body.block.type is BlockType.LIST else " "
    text = glue.join(piece.text for piece in pieces)
    return replace(pieces[0], text=text, tokens=measure.tokens(text), end=pieces[-1].end)


def bounded(pieces: Iterable[Piece], body: BodyBlock, measure: Measure, limit: int) -> Iterator[Piece]:
    """Join neighbouring parts of one block while they fit `limit`, and cut a part that doesn't at spaces."""
    pending: list[Piece] = []
    size = 0
    for piece in pieces:
        if pending and size + piece.tokens > limit:
            yield merged(pending, body, measure)
            pending, size = [], 0
        if piece.tokens > limit:
            yield from _cut_at_spaces(piece, measure, limit)
            continue
        pending.append(piece)
        size += piece.tokens
    if pending:
        yield merged(pending, body, measure)


def lines(body: BodyBlock, measure: Measure, limit: int) -> list[Piece]:
    """Cut a table or code block over `limit` between lines; later parts repeat its caption, header row or fence."""
    block = body.block
    piece = whole(body, measure)
    if piece.tokens <= limit:
        return [piece]
    opening, rows, closing = _framed(block)
    opening = _shortened(opening, measure, int(limit * _REPEATED_SHARE))
    room = max(1, limit - measure.tokens(f"{opening}\n{closing}" if closing else opening))
    packs = _packed_lines(rows, measure, room)
    framed = ["\n".join(part for part in (opening, "\n".join(pack), closing) if part) for pack in packs]
    return [
        replace(piece, text=text, tokens=measure.tokens(text), continues_block=number > 0)
        for number, text in enumerate(framed)
    ]


def _framed(block: Block) -> tuple[str, list[str], str]:
    """Split a block into what every part repeats in front, the lines to share out, and what every part repeats last."""
    rows = block.text.split("\n")
    if block.type is BlockType.CODE and rows[0].lstrip().startswith(_FENCES):
        fence = rows[0].lstrip()[:3]
        closed = len(rows) > 1 and rows[-1].strip().startswith(fence)
        return rows[0], rows[1 : -1 if closed else None], rows[-1] if closed else fence
    if block.type is BlockType.TABLE:
        head = bool(block.meta.get("caption")) + bool(block.meta.get("header"))
        return "\n".join(rows[:head]), rows[head:], ""
    return "", rows, ""


def _shortened(opening: str, measure: Measure, limit: int) -> str:
    if not opening or measure.tokens(opening) <= limit:
        return opening
    return opening[: measure.prefix(opening, 0, limit)].rstrip()


def _packed_lines(rows: Iterable[str], measure: Measure, limit: int) -> Iterator[list[str]]:
    pack: list[str] = []
    size = 0
    for row in (part for line in rows for part in _bounded_line(line, measure, limit)):
        # A line end is a character too.
        tokens = measure.tokens(row + "\n")
        if pack and size + tokens > limit:
            yield pack
            pack, size = [], 0
        pack.append(row)
        size += tokens
    if pack:
        yield pack


def _bounded_line(line: str, measure: Measure, limit: int) -> list[str]:
    return [line[start:end] for start, end in _space_cuts(line, measure, limit)] or [line]


def _cut_at_spaces(piece: Piece, measure: Measure, limit: int) -> Iterator[Piece]:
    sliceable = piece.start is not None and piece.end is not None and piece.end - piece.start == len(piece.text)
    for start, end in _space_cuts(piece.text, measure, limit):
        text = piece.text[start:end]
        place = (piece.start + start, piece.start + end) if sliceable and piece.start is not None else None
        yield replace(
            piece,
            text=text,
            tokens=measure.tokens(text),
            start=place[0] if place else piece.start,
            end=place[1] if place else piece.end,
        )


def _space_cuts(text: str, measure: Measure, limit: int) -> list[tuple[int, int]]:
    """Cut a long run of text at the last space in the second half of each stretch, else where the stretch ends."""
    spans = []
    start = 0
    while start < len(text):
        end = measure.prefix(text, start, limit)
        if end < len(text):
            space = text.rfind(" ", start + (end - start) // 2, end + 1)
            end = space if space > start else end
        first, last = _trim(text, start, end)
        if first < last:
            spans.append((first, last))
        # The space at a cut goes; a line's own indentation stays.
        start = end + 1 if text[end : end + 1] == " " else end
    return spans


def _part(body: BodyBlock, start: int, end: int, measure: Measure, *, exact: bool) -> Piece:
    block = body.block
    text = block.text[start:end]
    return Piece(
        block=body.index,
        text=text,
        tokens=measure.tokens(text),
        start=block.start + start if exact and block.start is not None else block.start,
        end=block.start + end if exact and block.start is not None else block.end,
    )


def _reads_alike(source: str, block: Block) -> bool:
    """True when offsets into the block's text are offsets into its source too: no marks, one space per line end."""
    if block.start is None or block.end is None or block.end - block.start != len(block.text):
        return False
    return source[block.start : block.end].replace("\n", " ") == block.text.replace("\n", " ")


def _line_spans(text: str) -> list[tuple[int, int]]:
    spans = []
    start = 0
    for line in text.split("\n"):
        spans.append((start, start + len(line)))
        start += len(line) + 1
    return spans


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out white space at the end; a list line keeps the indentation in front."""
    return start, start + len(text[start:end].rstrip())
