"""The parts that a block may be cut into: sentences, list items, lines (chunking design, "How chunks are cut").

Every cut is lossless: the parts of a block joined give its text back, white space at the cuts and what a table's or
code block's later parts repeat aside.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from app.chunking import cutting
from app.chunking.measure import Measure, longest_prefix
from app.chunking.sections import BodyBlock
from app.documents.block import Block, BlockType


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


def whole(body: BodyBlock, measure: Measure) -> Piece:
    """Return a block as one piece."""
    block = body.block
    return Piece(block=body.index, text=block.text, tokens=measure.size(block.text), start=block.start, end=block.end)


def sentences(body: BodyBlock, measure: Measure, source: str | None) -> list[Piece]:
    """Cut a paragraph or quote between its sentences, and a list between its lines."""
    text = body.block.text
    cut = cutting.lines if body.block.type is BlockType.LIST else cutting.sentences
    # Once for the block: it compares all of its text.
    exact = source is not None and _reads_alike(source, body.block)
    spans = [(start, start + len(text[start:end].rstrip())) for start, end in cut(text, 0, len(text))]
    return [_part(body, start, end, measure, exact=exact) for start, end in spans if start < end]


def merged(pieces: list[Piece], body: BodyBlock, measure: Measure) -> Piece:
    """Join neighbouring parts of one block to one piece."""
    if len(pieces) == 1:
        return pieces[0]
    glue = "\n" if body.block.type is BlockType.LIST else " "
    text = glue.join(piece.text for piece in pieces)
    return replace(pieces[0], text=text, tokens=measure.size(text), end=pieces[-1].end)


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
    piece = whole(body, measure)
    if piece.tokens <= limit:
        return [piece]
    text = body.block.text
    found = cutting.frame(body.block, text, 0, len(text), literal=False)
    opening = shortened(found.opening, measure, limit // 2)
    room = max(1, limit - measure.size(f"{opening}\n{found.closing}" if found.closing else opening))
    rows = (text[start:end] for start, end in cutting.lines(text, found.start, found.end))
    framed = [
        "\n".join(part for part in (opening, "\n".join(pack), found.closing) if part)
        for pack in _packed_lines(rows, measure, room)
    ]
    return [
        replace(piece, text=text, tokens=measure.size(text), continues_block=number > 0)
        for number, text in enumerate(framed)
    ]


def shortened(opening: str, measure: Measure, limit: int) -> str:
    """Return what parts repeat, cut to `limit`: half the room at most, else nothing of a block would fit (ruling 7)."""
    if not opening or measure.size(opening) <= limit:
        return opening
    return opening[: longest_prefix(opening, 0, len(opening), limit, measure)].rstrip()


def _packed_lines(rows: Iterable[str], measure: Measure, limit: int) -> Iterator[list[str]]:
    pack: list[str] = []
    size = 0
    for row in (part for line in rows for part in _bounded_line(line, measure, limit)):
        # A line end is a character too.
        tokens = measure.size(row + "\n")
        if pack and size + tokens > limit:
            yield pack
            pack, size = [], 0
        pack.append(row)
        size += tokens
    if pack:
        yield pack


def _bounded_line(line: str, measure: Measure, limit: int) -> list[str]:
    return [line[start:end] for start, end in cutting.words(line, 0, len(line), limit, measure)] or [line]


def _cut_at_spaces(piece: Piece, measure: Measure, limit: int) -> Iterator[Piece]:
    sliceable = piece.start is not None and piece.end is not None and piece.end - piece.start == len(piece.text)
    for start, end in cutting.words(piece.text, 0, len(piece.text), limit, measure):
        text = piece.text[start:end]
        place = (piece.start + start, piece.start + end) if sliceable and piece.start is not None else None
        yield replace(
            piece,
            text=text,
            tokens=measure.size(text),
            start=place[0] if place else piece.start,
            end=place[1] if place else piece.end,
        )


def _part(body: BodyBlock, start: int, end: int, measure: Measure, *, exact: bool) -> Piece:
    block = body.block
    text = block.text[start:end]
    return Piece(
        block=body.index,
        text=text,
        tokens=measure.size(text),
        start=block.start + start if exact and block.start is not None else block.start,
        end=block.start + end if exact and block.start is not None else block.end,
    )


def _reads_alike(source: str, block: Block) -> bool:
    """True when offsets into the block's text are offsets into its source too: no marks, one space per line end."""
    if block.start is None or block.end is None or block.end - block.start != len(block.text):
        return False
    return source[block.start : block.end].replace("\n", " ") == block.text.replace("\n", " ")
