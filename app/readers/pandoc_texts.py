"""Reads the text formats that Pandoc knows beyond the minimum, section by section (readers design, section 13)."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.documents.block import Block, ParsedDocument
from app.ports.reader_runner import Source
from app.readers.decoding import decode
from app.readers.pandoc import Refused, run_pandoc
from app.readers.pandoc_dialect import Dialect
from app.readers.pandoc_document import Front, front_of, with_front
from app.readers.pandoc_marks import Literals, without_marks
from app.readers.pandoc_sections import Piece, cut, lines_of, read_pieces, whole_allowance
from app.readers.pandoc_tree import TreeReader
from app.readers.text import read_text


class Made(Dialect):
    """What a program saves: link addresses are as good as invisible."""

    keeps_addresses = False


@dataclass(frozen=True, slots=True)
class PandocText:
    """A text format, by what it has of its own."""

    format: str
    name: str
    dialect: type[Dialect] = Dialect
    #: What a heading opens a line with; a format without cannot be cut.
    heading: re.Pattern[str] | None = None
    #: Puts a piece of the source into a form that Pandoc reads right.
    prepare: Callable[[str, Literals], str] = lambda text, _: text
    #: Finds what holds in every piece.
    shared: Callable[[str], str] = lambda _: ""
    #: Makes plain text of what Pandoc refuses.
    plain: Callable[[str], str] = lambda text: text
    #: Mends what Pandoc refuses, so that it need not become plain text; None where that can't be done.
    repair: Callable[[str], str | None] = lambda _: None
    charset: Callable[[bytes], str | None] = lambda _: None
    #: Finds the language that the source says it is in, where Pandoc does not.
    language: Callable[[str], str | None] = lambda _: None
    #: Without any of these a text only has the name of one in this format, as `server.log.1` has.
    marks: re.Pattern[str] | None = None

    def read(self, source: Source) -> ParsedDocument:
        """Read a text into blocks: what Pandoc refuses of it is read as plain text."""
        decoded = decode(source.data, source.charset or self.charset(source.data))
        text = without_marks(decoded.text)
        if self.marks is not None and not self.marks.search(text):
            return read_text(source)
        literals = Literals()
        reader = TreeReader(self.dialect(), literals)
        shared = self.shared(text)
        pieces = [
            Piece(line, self.prepare(part, literals), self.plain(part), last, self._opens_with_heading(part))
            for line, last, part in cut(text, self._headings(text))
        ]
        allowance = whole_allowance(pieces)
        front = Front()
        mended: list[str] = []

        def read(some: Sequence[Piece]) -> list[Block]:
            nonlocal front
            before = "" if some[0].line == 1 else shared
            data = (before + "".join(piece.text for piece in some)).encode()
            try:
                tree = run_pandoc(self.format, data, allowance)
            except Refused as refused:
                repaired = None if len(some) > 1 or refused.at_limit else self.repair(some[0].text)
                if repaired is None:
                    raise
                tree = run_pandoc(self.format, repaired.encode(), allowance)
                mended.append(f"{lines_of(some[0])} could not be read as {self.name} before it was mended.")
            found = reader.read(tree)
            front = front or front_of(tree, reader)
            return found

        blocks, warnings = read_pieces(pieces, read, self.name)
        return ParsedDocument(
            blocks=tuple(with_front(front, reader.finish(blocks), reader)),
            title=front.title or None,
            language=front.language or self.language(text),
            encoding=decoded.encoding,
            warnings=(*decoded.warnings, *mended, *warnings),
        )

    def _headings(self, text: str) -> list[int]:
        return [match.start() for match in self.heading.finditer(text)] if self.heading else []

    def _opens_with_heading(self, part: str) -> bool:
        return self.heading is not None and self.heading.match(part) is not None
