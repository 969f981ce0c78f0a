"""Reads a long or a partly refused source section by section (readers design, section 13).

Pandoc refuses a whole file for one open brace, and some floods of signs keep it busy for minutes. So a source comes cut
at its headings; what is refused together is tried apart, and a section that is refused alone is read as plain text.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from app.documents.block import Block, BlockType
from app.ports.reader_runner import Source
from app.readers.pandoc import Allowance, Refused
from app.readers.text import read_text

#: Characters of source that Pandoc gets at once, at most, unless a single section holds more: it needs some 400 times
#: as much memory.
_MOST_AT_ONCE = 250_000
#: What is refused together is tried in so many parts.
_PARTS = 8


@dataclass(frozen=True, slots=True)
class Piece:
    """A heading with what follows it up to the next heading; the first piece may have none."""

    #: Number of its first line in the source, from 1.
    line: int
    #: What Pandoc gets to read: one line of heading, then the rest.
    text: str
    #: The same lines as they were written, for when Pandoc refuses them.
    plain: str
    #: Number of its last line.
    last: int
    has_heading: bool = True


#: Reads pieces that follow each other; raises `Refused`.
ReadPieces = Callable[[Sequence[Piece]], list[Block]]


def read_pieces(pieces: Sequence[Piece], read: ReadPieces, name: str) -> tuple[list[Block], list[str]]:
    """Read a cut source.

    Args:
        pieces: All of it, in order.
        read: Reads some of them.
        name: The format as messages call it.

    Returns:
        The blocks, and a warning for each run of lines that was read as plain text.
    """
    blocks: list[Block] = []
    warnings: list[str] = []
    waiting = list(reversed(_groups(pieces)))
    while waiting:
        group = waiting.pop()
        try:
            blocks += read(group)
        except Refused as refused:
            if len(group) > 1:
                waiting += reversed(_parts(group))
            else:
                found, warning = _read_refused(group[0], read, refused, name)
                blocks += found
                warnings.append(warning)
    return blocks, warnings


def lines_of(piece: Piece) -> str:
    """Name a piece's lines, as a sentence begins."""
    return f"Lines {piece.line} to {piece.last}" if piece.last > piece.line else f"Line {piece.line}"


def whole_allowance(pieces: Sequence[Piece]) -> Allowance:
    """Return what reading all the pieces may take."""
    return Allowance.of(sum(len(piece.plain) for piece in pieces))


def _groups(pieces: Sequence[Piece]) -> list[list[Piece]]:
    groups: list[list[Piece]] = []
    size = 0
    for piece in pieces:
        size += len(piece.text)
        if size > _MOST_AT_ONCE or not groups:
            groups.append([])
            size = len(piece.text)
        groups[-1].append(piece)
    return groups


def _parts(group: list[Piece]) -> list[list[Piece]]:
    size = -(-len(group) // _PARTS)
    return [group[start : start + size] for start in range(0, len(group), size)]


def _read_refused(piece: Piece, read: ReadPieces, refused: Refused, name: str) -> tuple[list[Block], str]:
    """Read a piece that Pandoc refuses alone: its heading as a heading if that is not the trouble, the rest as text."""
    blocks: list[Block] = []
    line, plain, last = piece.line, piece.plain, piece.last
    first, _, rest = piece.plain.partition("\n")
    if piece.has_heading:
        try:
            blocks = read([replace(piece, text=piece.text.partition("\n")[0] + "\n", plain=first)])
            line, plain = line + 1, rest
        except Refused:
            blocks = []
    blocks += _as_plain_text(plain)
    lines = lines_of(replace(piece, line=line, last=last))
    return blocks, f"{lines} could not be read as {name} and became plain text, because {refused}."


def _as_plain_text(plain: str) -> Iterator[Block]:
    """Yield the blocks of plain text; what looks like a title there would upset the outline around it."""
    for block in read_text(Source(data=plain.encode(), format="text")).blocks:
        kind = BlockType.PARAGRAPH if block.type is BlockType.HEADING else block.type
        yield Block(type=kind, text=block.text, meta=block.meta)


def cut(text: str, starts: Sequence[int]) -> Iterator[tuple[int, int, str]]:
    """Cut a source where its headings start; yield the numbers of each part's first and last line, and the part."""
    line = 1
    edges = [0, *(start for start in starts if start > 0), len(text)]
    for index, start in enumerate(edges[:-1]):
        part = text[start : edges[index + 1]]
        if part:
            yield line, line + part.rstrip("\n").count("\n"), part
        line += part.count("\n")
