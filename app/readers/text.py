"""Plain text to blocks (readers design, section 9)."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from textwrap import dedent

from app.documents.block import Block, BlockType, ParsedDocument
from app.documents.values import JsonObject
from app.ports.reader_runner import Source
from app.readers import cleaning
from app.readers.decoding import decode
from app.readers.reader import Reader
from app.readers.speaker_names import parts_at_names, prefix_of, stamp_length
from app.readers.text_lists import follows, last_marker, list_text, marker_of, split_at_list
from app.readers.text_passages import TITLE_CHARS, Passage, passages, text_of

_NUMBERED_TITLE_CHARS = 79
_NUMBERED = re.compile(
    r"(\d{1,3}(?:\.\d{1,3})*)\.?[ \t]+(?=\S)|(?:Appendix|Annex)[ \t]+([A-Z](?:\.\d{1,3})*)[.:]?[ \t]+(?=\S)"
)
_UNDERLINE = re.compile(r"(=|-)\1{2,}\Z")
_RULE_ROW = re.compile(r"[-+:|= \t]+\Z")
_NO_TITLE_ENDS_IN = tuple(".,;:")
#: Deeper than the body's indent by so much is code.
_CODE_INDENT = 2
#: Lines with a name in front that make a dialogue.
_LEAST_SPOKEN = 4
#: Cells that a line has at least when it is a table's row.
_LEAST_SEPARATORS = 2


def read_text(source: Source) -> ParsedDocument:
    """Read plain text into blocks. Every text is accepted."""
    decoded = decode(source.data, source.charset)
    return ParsedDocument(
        blocks=tuple(text_blocks(decoded.text)),
        source=decoded.text,
        encoding=decoded.encoding,
        warnings=decoded.warnings,
    )


def text_blocks(text: str) -> list[Block]:
    """Return the blocks of a decoded text, with offsets into it."""
    return _TextBlocks(passages(text)).read()


class _TextBlocks:
    """Reads passages in order; what a passage is depends on its neighbours and on the body's indent."""

    def __init__(self, found: Sequence[Passage]) -> None:
        self._body_indent = _body_indent(found)
        self._passages = [part for passage in found for part in _split(passage)]
        #: In a dialogue, a short line with a name in front is an answer, not a title.
        spoken = (prefix_of(line.text) for passage in self._passages for line in passage)
        self._is_dialogue = sum(prefix is not None for prefix in spoken) >= _LEAST_SPOKEN
        #: Underlines in the order of their first use, which is their level.
        self._underlines: dict[str, int] = {}

    def read(self) -> list[Block]:
        """Return the blocks."""
        blocks: list[Block] = []
        at = 0
        while at < len(self._passages):
            count = self._list_length(at)
            if count:
                lines = [line for passage in self._passages[at : at + count] for line in passage]
                blocks += _blocks(BlockType.LIST, cleaning.prose_characters(list_text(lines)), lines)
            else:
                blocks += self._read_passage(at)
            at += count or 1
        return blocks

    def _list_length(self, at: int) -> int:
        """Return how many passages from `at` on make one list; 0 when there is none."""
        passage = self._passages[at]
        marker = marker_of(passage[0].text)
        if marker is None or _is_underlined(passage):
            return 0
        count = 1
        while at + count < len(self._passages):
            last, following = last_marker(self._passages[at + count - 1]), self._passages[at + count]
            opening = marker_of(following[0].text)
            if (
                last is None
                or opening is None
                or not follows(last, opening)
                or following[0].indent > passage[0].indent + 1
            ):
                break
            count += 1
        return 0 if count == 1 and _numbered_level(passage) else count

    def _read_passage(self, at: int) -> Iterator[Block]:
        passage = self._passages[at]
        text = cleaning.prose(text_of(passage))
        if stamp_length(passage[0].text):
            yield from _blocks(BlockType.PARAGRAPH, text, passage)
        elif _is_underlined(passage):
            level = self._underlines.setdefault(passage[1].text[0], len(self._underlines) + 1)
            yield from _blocks(BlockType.HEADING, cleaning.prose(passage[0].text), passage, level=level)
        elif grid := _grid(passage):
            yield from _table(grid, passage)
        elif all(line.indent >= self._body_indent + _CODE_INDENT for line in passage):
            yield from _blocks(BlockType.CODE, cleaning.code(_dedented(passage)), passage, whole_lines=True)
        elif level := self._heading_level(at, text):
            yield from _blocks(BlockType.HEADING, text, passage, level=level)
        else:
            for part in _split_at_names(passage):
                yield from _blocks(BlockType.PARAGRAPH, cleaning.prose(text_of(part)), part)

    def _heading_level(self, at: int, text: str) -> int:
        """Return the level when a passage of one line is a title, else 0."""
        passage = self._passages[at]
        if level := _numbered_level(passage):
            return level
        if len(passage) > 1 or len(text) > TITLE_CHARS or text.endswith(_NO_TITLE_ENDS_IN):
            return 0
        if self._is_dialogue and prefix_of(passage[0].text):
            return 0
        if text.isupper() and sum(character.isalpha() for character in text) > 1:
            return 1
        after = self._passages[at + 1] if at + 1 < len(self._passages) else ()
        stands_out = passage[0].indent <= self._body_indent and text[:1].isupper()
        return 1 if stands_out and sum(len(line.text) + 1 for line in after) > 2 * len(text) + 1 else 0


def _body_indent(found: Sequence[Passage]) -> int:
    """Return the indent of first lines that holds most text, the smallest on a tie."""
    held: Counter[int] = Counter()
    for passage in found:
        held[passage[0].indent] += sum(len(line.text) for line in passage)
    return min(held, key=lambda indent: (-held[indent], indent), default=0)


def _split(passage: Passage) -> Iterator[Passage]:
    """Part what stands together without a blank line: messages, a title and its text, a text and its list."""
    stamps = [index for index, line in enumerate(passage) if stamp_length(line.text)]
    if not stamps:
        for part in _split_title(passage):
            yield from split_at_list(part)
    else:
        for start, end in pairwise(sorted({0, *stamps, len(passage)})):
            yield passage[start:end]


def _split_title(passage: Passage) -> Iterator[Passage]:
    """Part an underlined title from the text right under it."""
    if _is_underlined(passage[:2]) and len(passage) > 2:  # noqa: PLR2004 - a title and its line
        yield passage[:2]
        yield passage[2:]
    else:
        yield passage


def _is_underlined(passage: Passage) -> bool:
    if len(passage) != 2:  # noqa: PLR2004 - a title and its line
        return False
    title, line = passage
    return _UNDERLINE.match(line.text) is not None and _RULE_ROW.match(title.text) is None


def _numbered_level(passage: Passage) -> int:
    """Return the level of a numbered title such as `3.1 Install`, else 0."""
    text = passage[0].text
    match = _NUMBERED.match(text)
    if match is None or len(passage) > 1 or text.endswith(_NO_TITLE_ENDS_IN):
        return 0
    title = text[match.end() :]
    if not title[0].isupper() or len(title) > _NUMBERED_TITLE_CHARS:
        return 0
    return (match[1] or match[2]).count(".") + 1


def _grid(passage: Passage) -> list[list[str]]:
    """Return the cells of a passage whose lines all have two or more bars or tabs, else nothing."""
    for separator in ("|", "\t"):
        if len(passage) > 1 and all(line.text.count(separator) >= _LEAST_SEPARATORS for line in passage):
            rows = [line.text for line in passage if not _RULE_ROW.match(line.text)]
            return [[cleaning.prose(cell) for cell in row.strip("|").split(separator)] for row in rows]
    return []


def _table(grid: list[list[str]], passage: Passage) -> Iterator[Block]:
    rows = [row for row in grid if any(row)]
    if rows:
        text = "\n".join(" | ".join(row).rstrip() for row in rows)
        yield from _blocks(BlockType.TABLE, text, passage, meta={"caption": "", "header": rows[0], "rows": rows[1:]})


def _dedented(passage: Passage) -> str:
    return dedent("\n".join(line.raw.expandtabs() if line.raw[0] == "\t" else line.raw for line in passage))


def _split_at_names(passage: Passage) -> Iterator[Passage]:
    """Cut a passage at lines that open with a speaker's name, when two or more do."""
    for start, end in parts_at_names([line.text for line in passage]) or [(0, len(passage))]:
        yield passage[start:end]


def _blocks(
    kind: BlockType,
    text: str,
    lines: Passage,
    *,
    level: int | None = None,
    meta: JsonObject | None = None,
    whole_lines: bool = False,
) -> Iterator[Block]:
    """Yield the block that lines make, unless cleaning left nothing of its text."""
    if text:
        start = lines[0].margin if whole_lines else lines[0].start
        yield Block(type=kind, text=text, level=level, meta=meta or {}, start=start, end=lines[-1].end)


READER = Reader(
    format="text",
    extensions=("txt", "text", "log"),
    media_types=("text/plain",),
    read=read_text,
)
