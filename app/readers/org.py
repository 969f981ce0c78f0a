"""Org to blocks (readers design, section 15), by Pandoc's tree."""

import re
from collections.abc import Iterator, Mapping, Sequence

from app.documents.block import Block, ParsedDocument
from app.ports.reader_runner import Source
from app.readers import cleaning
from app.readers.decoding import decode
from app.readers.list_tree import BULLET
from app.readers.org_tables import table_rows
from app.readers.pandoc import Refused, run_pandoc
from app.readers.pandoc_dialect import Dialect, DisplayMath, Node, Part, joined_lists
from app.readers.pandoc_document import Front, front_of, with_front
from app.readers.pandoc_marks import Literals, note_label, without_marks
from app.readers.pandoc_sections import Piece, cut, lines_of, read_pieces, whole_allowance
from app.readers.pandoc_tree import TreeReader
from app.readers.reader import Reader

#: Made-up identifiers take quadratic time when many headings are alike.
_FORMAT = "org-auto_identifiers"
_HEADING = re.compile(r"\*+[ \t]+\S")
_BLOCK = re.compile(r"[ \t]*#\+(begin|end)_(\S+)", re.IGNORECASE)
_KEYWORD = re.compile(r"[ \t]*#\+([\w-]+):[ \t]*(.*)", re.IGNORECASE)
#: Verbatim blocks: what looks like a line of ours in there is text.
_VERBATIM = frozenset({"src", "example", "export", "comment"})
_CLOCK = re.compile(r"[ \t]*CLOCK:")
_RESULTS = re.compile(r"[ \t]*#\+RESULTS(?:\[[^\]]*\])?:", re.IGNORECASE)
_NOTE = re.compile(r"\[fn:([\w-]+)\][ \t]*")
#: A section that holds nothing but notes is no section.
_NOTES_HEADING = re.compile(r"\*+[ \t]+Footnotes[ \t]*(?:\n|\Z)")
_NOTE_MARK = re.compile(r"\[fn:([\w-]+)\]")
_FILE_NAME = re.compile(r"\"([^\"]*)\"|(\S+)")
_PRIORITY = re.compile(r"\[#[A-Za-z0-9]\][ \t]*")
_COOKIE = re.compile(r"[ \t]*\[(?:\d*%|\d*/\d*)\]")
_STATES = ("TODO", "DONE")
_STATE_KEYWORDS = frozenset({"todo", "seq_todo", "typ_todo"})
#: Keywords that hold for the whole file, wherever it is cut.
_SHARED = frozenset({"macro", "link"}) | _STATE_KEYWORDS
#: All headings are headings, however deep. Of a file's own options one tells how to read it, the rest how to print it.
_OPTIONS = "#+OPTIONS: H:999"
_OWN_OPTION = re.compile(r"(?:\A|(?<=\s))\^:\S+")
#: A target that shows; Pandoc loses its words.
_RADIO_TARGET = re.compile(r"<<<([^<>\n]+)>>>")
_IMAGE = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|tiff?|bmp|pdf|eps)\Z", re.IGNORECASE)
_ENVIRONMENT = re.compile(r"\\begin\{")
#: Blank lines that end a footnote.
_NOTE_ENDS_AT = 2


def read_org(source: Source) -> ParsedDocument:
    """Read Org into blocks. Every text is accepted: a section that Pandoc refuses is read as plain text."""
    decoded = decode(source.data, source.charset)
    prepared = _Prepared(without_marks(decoded.text))
    reader = TreeReader(_OrgDialect(prepared.states), prepared.literals)
    allowance = whole_allowance(prepared.pieces)
    front = Front()

    masked: list[str] = []

    def read_text(text: str) -> list[Block]:
        nonlocal front
        tree = run_pandoc(_FORMAT, text.encode(), allowance)
        blocks = reader.read(tree)
        front = front or front_of(tree, reader)
        return blocks

    def read(pieces: Sequence[Piece]) -> list[Block]:
        text = prepared.text_of(pieces)
        try:
            return read_text(text)
        except Refused as refused:
            if len(pieces) > 1 or refused.at_limit or "\\" not in text:
                raise
        # Most often a backslash is what Pandoc stumbles over: it takes what follows for TeX.
        blocks = read_text(text.replace("\\", prepared.literals.add("\\")))
        masked.append(f"{lines_of(pieces[0])} could not be read as Org with TeX in it; the TeX stays as it is written.")
        return blocks

    blocks, warnings = read_pieces(prepared.pieces, read, "Org")
    if unused := [label for label in prepared.note_labels if not reader.has_note(label)]:
        # A note that nothing refers to is text all the same.
        marks = " ".join(f"[fn:{label}]" for label in unused)
        warnings += read_pieces([Piece(1, marks, prepared.plain_notes(unused), 1, has_heading=False)], read, "Org")[1]
    return ParsedDocument(
        blocks=tuple(with_front(front, reader.finish(blocks), reader)),
        title=front.title or None,
        language=prepared.language,
        encoding=decoded.encoding,
        warnings=(*decoded.warnings, *masked, *warnings),
    )


class _OrgDialect(Dialect):
    without_term = BULLET

    def __init__(self, states: Sequence[str]) -> None:
        words = "|".join(re.escape(state) for state in sorted(states, key=len, reverse=True))
        self._state = re.compile(rf"(?:{words})(?:[ \t]+|\Z)")

    def heading(self, text: str, level: int) -> tuple[str, int]:
        """Drop the state, the priority and the counts of what is done."""
        text = self._state.sub("", text, count=1) if self._state.match(text) else text
        return cleaning.prose(_COOKIE.sub("", _PRIORITY.sub("", text, count=1))), level

    def siblings(self, nodes: Sequence[Node]) -> Sequence[Node]:
        """Put items without a term into the list of definitions that they stand in."""
        return joined_lists(nodes, {"DefinitionList": "BulletList"})

    def skips(self, classes: Sequence[str], pairs: Mapping[str, str]) -> bool:
        """Drop tags, the states that Pandoc knows, and images that stand without a description."""
        if "spurious-link" in classes:
            return _IMAGE.search(pairs.get("target", "")) is not None
        return not {"tag", "todo", "done"}.isdisjoint(classes)

    def raw(self, format_name: str, text: str) -> Sequence[Part]:
        """Take an environment of LaTeX for mathematics."""
        return (DisplayMath(text),) if format_name == "latex" and _ENVIRONMENT.match(text) else ()


class _Prepared:
    """The source as Pandoc gets it: cut at its headings, footnotes and file-wide keywords apart, includes masked."""

    def __init__(self, text: str) -> None:
        self.literals = Literals()
        self.language: str | None = None
        self.states: list[str] = list(_STATES)
        self._shared: list[str] = [_OPTIONS]
        self._notes: dict[str, list[str]] = {}
        self.pieces = list(self._read(text))

    @property
    def note_labels(self) -> Sequence[str]:
        """Labels of the footnotes, in the order of their bodies."""
        return list(self._notes)

    def plain_notes(self, labels: Sequence[str]) -> str:
        """Return footnotes as they were written."""
        return "\n\n".join(
            "\n".join([f"[{label}] {self._notes[label][0]}", *self._notes[label][1:]]) for label in labels
        )

    def text_of(self, pieces: Sequence[Piece]) -> str:
        """Return what Pandoc gets for some pieces: with the footnotes that they refer to, and what holds everywhere."""
        body = "".join(piece.text for piece in pieces)
        notes: dict[str, str] = {}
        waiting = [match[1] for match in _NOTE_MARK.finditer(body)]
        while waiting:
            label = waiting.pop()
            if label in self._notes and label not in notes:
                notes[label] = "\n".join(self._notes[label])
                waiting += [match[1] for match in _NOTE_MARK.finditer(notes[label])]
        tail = [f"[fn:{label}] {note_label(label)}{note}\n\n\n" for label, note in notes.items()]
        return "\n".join([*self._shared, "", body, "\n", *tail])

    def _read(self, text: str) -> Iterator[Piece]:
        lines = text.split("\n")
        ends = _verbatim_ends(lines)
        rows = table_rows(lines, _are_text(lines, ends))
        starts: list[int] = []
        kept: list[tuple[int, str]] = []
        at, verbatim_to, note, blanks = 0, -1, "", 0
        for number, line in enumerate(lines):
            start, at = at, at + len(line) + 1
            if number <= verbatim_to:
                self._keep(note, number, line, kept)
                continue
            if number in ends:
                verbatim_to = ends[number]
            heading = _HEADING.match(line)
            if heading:
                starts.append(start)
            blanks = 0 if line.strip() else blanks + 1
            opening = _NOTE.match(line)
            if heading or blanks >= _NOTE_ENDS_AT:
                note = ""
            if opening and opening[1] in self._notes:
                line = f"{self.literals.add(f'[{opening[1]}]')} {line[opening.end() :]}"  # noqa: PLW2901
            elif opening:
                note, line = opening[1], line[opening.end() :]  # noqa: PLW2901 - what is left of it
            row = rows.get(number, line)
            for written in self._lines(row) if row is not None else ():
                self._keep(note, number, written, kept)
        yield from _as_pieces(text, starts, kept)

    def _keep(self, note: str, number: int, line: str, kept: list[tuple[int, str]]) -> None:
        if note:
            self._notes.setdefault(note, []).append(line)
        else:
            kept.append((number, line))

    def _lines(self, line: str) -> Iterator[str]:
        """Yield what stands for a line outside verbatim blocks."""
        if _CLOCK.match(line) or _RESULTS.match(line):
            return
        line = _RADIO_TARGET.sub(r"\1", line)
        keyword = _KEYWORD.match(line)
        name, value = (keyword[1].lower(), keyword[2].strip()) if keyword else ("", "")
        if name == "include":
            file_name = _FILE_NAME.match(value)
            yield from ("", self.literals.add(f"[include: {file_name[1] or file_name[2] if file_name else ''}]"), "")
        elif name in _SHARED:
            self._shared.append(line.strip())
            if name in _STATE_KEYWORDS:
                self.states += [word.partition("(")[0] for word in value.split() if word != "|"]
        elif name == "options":
            own = _OWN_OPTION.search(value)
            self._shared += [f"#+OPTIONS: {own[0]}"] if own else []
        elif name == "language":
            self.language = value or None
        else:
            yield line


def _verbatim_ends(lines: Sequence[str]) -> dict[int, int]:
    """Return where verbatim blocks open, with the line that closes each; those that never close are text."""
    closing: dict[str, list[int]] = {}
    found = [
        (number, match[1].lower(), match[2].lower())
        for number, line in enumerate(lines)
        if (match := _BLOCK.match(line))
    ]
    for number, side, kind in reversed(found):
        if side == "end":
            closing.setdefault(kind, []).append(number)
    ends: dict[int, int] = {}
    last = -1
    for number, side, kind in found:
        if side == "begin" and kind in _VERBATIM and number > last:
            behind = closing.get(kind, [])
            while behind and behind[-1] < number:
                behind.pop()
            if behind:
                last = ends[number] = behind[-1]
    return ends


def _are_text(lines: Sequence[str], ends: Mapping[int, int]) -> list[bool]:
    found = [True] * len(lines)
    for start, end in ends.items():
        found[start : end + 1] = [False] * (end + 1 - start)
    return found


def _as_pieces(text: str, starts: Sequence[int], kept: Sequence[tuple[int, str]]) -> Iterator[Piece]:
    """Yield the parts of a source with those of its lines that are kept."""
    at = 0
    for line, last, plain in cut(text, starts):
        mine: list[str] = []
        behind = line - 1 + plain.count("\n") + (not plain.endswith("\n"))
        while at < len(kept) and kept[at][0] < behind:
            mine.append(kept[at][1])
            at += 1
        body = "".join(f"{written}\n" for written in mine)
        if _NOTES_HEADING.match(plain) and not body.partition("\n")[2].strip():
            continue
        yield Piece(line, body, body, last, _HEADING.match(plain) is not None)


def looks_like_org(_head: bytes, text: str) -> bool:
    """True when a text opens as only Org does."""
    return re.match(r"\s*(?:#[ \t][^\n]*\n\s*)*#\+title:", text, re.IGNORECASE) is not None


READER = Reader(
    format="org",
    extensions=("org",),
    media_types=("text/org", "text/x-org"),
    read=read_org,
    looks_like=looks_like_org,
)
