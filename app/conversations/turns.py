"""Blocks of conversations to turns, and long turns to parts (conversations design, c.1)."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.conversations.cutting import CutRun, fits, output_spans, said_spans, weight
from app.conversations.parts import TurnPart
from app.documents.block import Block, BlockType
from app.documents.chunk import breadcrumb

UNATTRIBUTED = "unattributed"
CONTINUED = " (continued)"
#: An utterance that captions tear apart is put together again up to so many characters (readers design, 6.2).
CONTINUES_CHARS = 1000

#: What can't stand in a header's names: its end, and line breaks.
_ENDS_HEADER = re.compile("[\\]\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
#: Blocks that agree in these are one turn when they stand together. A turn's name alone would do for the logs we know;
#: the rest makes sure that nobody gets another one's words.
_OF_A_TURN = ("turn", "speaker", "call", "tool", "kind")
_GOES_WITH_LAST = frozenset({BlockType.LIST, BlockType.QUOTE, BlockType.CODE})

_Turn = Sequence[tuple[int, Block]]


@dataclass(frozen=True, slots=True)
class Stretch:
    """What stands between two headings of a conversation."""

    path: tuple[str, ...]
    #: With their indexes in the document, in order.
    blocks: _Turn


def turn_parts(stretches: Iterable[Stretch], cut_run: CutRun) -> tuple[TurnPart, ...]:
    """Return the parts of all turns, in the order of the document.

    Args:
        stretches: The conversations of a document.
        cut_run: Cuts what has no sentences and no lines.
    """
    found: list[TurnPart] = []
    for stretch in stretches:
        for turn in _turns(stretch.blocks):
            found += _parts(turn, stretch.path, len(found), cut_run)
    return tuple(found)


def is_output(block: Block) -> bool:
    """Whether a block is a tool's result, reasoning, media or system text."""
    return block.meta.get("attachment") is True


def is_call(block: Block) -> bool:
    """Whether a block is a tool call: only calls and their results name a tool, and results are attachments."""
    names_tool = named(block.meta, "tool") is not None or named(block.meta, "call") is not None
    return block.type is BlockType.CODE and names_tool and not is_output(block)


def named(meta: Mapping[str, object], key: str) -> str | None:
    """Return a name in a block's meta. Callers may number turns; what is blank, or anything else, names nothing."""
    value = meta.get(key)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) and value.strip() else None


def _turns(blocks: _Turn) -> Iterator[_Turn]:
    turn: list[tuple[int, Block]] = []
    for index, block in blocks:
        if turn and not _goes_on(turn[0][1], block):
            yield turn
            turn = []
        turn.append((index, block))
    if turn:
        yield turn


def _goes_on(opening: Block, block: Block) -> bool:
    """Whether a block belongs to the turn that another one opened, which stands right before it.

    Readers name the speakers of paragraphs only: a list or some code right behind one is of who spoke last.
    """
    if is_output(opening) or is_output(block):
        return False
    if block.type in _GOES_WITH_LAST and all(named(block.meta, key) is None for key in _OF_A_TURN):
        return True
    return all(named(opening.meta, key) == named(block.meta, key) for key in _OF_A_TURN)


def _parts(turn: _Turn, path: tuple[str, ...], position: int, cut_run: CutRun) -> Iterator[TurnPart]:
    """Yield the parts of a turn, of which the first has this position."""
    opening = turn[0][1]
    meta, output = opening.meta, is_output(opening)
    speaker, times, names = named(meta, "speaker"), _latest(turn, "time"), _latest(turn, "speaker_full")
    for number, part in enumerate(_packed(_pieces(turn, cut_run, output=output))):
        first = part[0].index
        body = part[0].text + "".join(piece.glue + piece.text for piece in part[1:])
        header = _header(path, names[first] or speaker, times[first], continued=number > 0)
        yield TurnPart(
            output=output,
            body=body,
            text=f"{header}\n{body}",
            path=path,
            speaker=speaker,
            speaker_full=names[first],
            time=times[first],
            turn=position,
            source_turn=named(meta, "turn"),
            reply_to=named(meta, "reply_to"),
            call=named(meta, "call"),
            tool=named(meta, "tool"),
            kind=named(meta, "kind"),
            error=meta.get("error") is True,
            blocks=tuple(dict.fromkeys(piece.index for piece in part)),
            is_call=is_call(opening),
        )


def _latest(turn: _Turn, key: str) -> dict[int, str | None]:
    """Return a meta value by block, where a block without one has that of the block before."""
    found: dict[int, str | None] = {}
    value = None
    for index, block in turn:
        value = named(block.meta, key) or value
        found[index] = value
    return found


def _header(path: tuple[str, ...], name: str | None, time: str | None, *, continued: bool) -> str:
    """Return the line that says where, who and when (f.24)."""
    who = _ENDS_HEADER.sub(" ", name or "").strip() or UNATTRIBUTED
    when = f", {_one_line(time)}" if time else ""
    where = f"{_one_line(breadcrumb(path))} | " if path else ""
    return f"[{where}{who}{when}]{CONTINUED if continued else ''}"


def _one_line(text: str) -> str:
    return " ".join(text.splitlines())


# Parts


@dataclass(frozen=True, slots=True)
class _Piece:
    """A block, or a piece of a long one."""

    index: int
    text: str
    #: What stands between it and the piece before it, when they are of one part.
    glue: str


def _pieces(turn: _Turn, cut_run: CutRun, *, output: bool) -> Iterator[_Piece]:
    spans_of = output_spans if output else said_spans
    utterance = 0
    for index, block in turn:
        text = block.text.lstrip("\n").rstrip()
        joined = utterance + 1 + len(text)
        torn = block.meta.get("continues") is True and joined <= CONTINUES_CHARS
        utterance = joined if torn else len(text)
        glue, cut_at = " " if torn else "\n\n", 0
        for start, end in spans_of(text, cut_run):
            yield _Piece(index, text[start:end], text[cut_at:start] if cut_at else glue)
            cut_at = end


def _packed(pieces: Iterable[_Piece]) -> Iterator[list[_Piece]]:
    """Group pieces into parts, as many to a part as fit."""
    part: list[_Piece] = []
    size = 0
    for piece in pieces:
        own = weight(piece.text)
        if part and not fits(size + weight(piece.glue) + own):
            yield part
            part, size = [], 0
        size += own + (weight(piece.glue) if part else 0)
        part.append(piece)
    if part:
        yield part
