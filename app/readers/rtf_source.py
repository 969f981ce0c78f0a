r"""A pass over RTF before Pandoc reads it (readers design, section 13).

Pandoc 3.9 drops letters behind a `\u` with its stand-in, knows one code page, reads deletions that were tracked as
text, leaves the cells empty that another one reaches into, and puts a table's rows into the next note. Each is put
into a form that it reads right; of a note only its text is left, between marks.
"""

import codecs
import re
from dataclasses import dataclass, field, replace

from app.readers.pandoc_marks import NOTE_CLOSES, NOTE_OPENS, Literals

_TOKEN = re.compile(
    r"\\u(?P<code>-?\d{1,6}) ?|\\'(?P<byte>[0-9a-fA-F]{2})|\\(?P<word>[a-zA-Z]+)(?P<number>-?\d{1,10})? ?"
    r"|(?P<symbol>\\.)|(?P<open>\{)|(?P<close>\})|(?P<text>[^\\{}]+)",
    re.DOTALL,
)
_CODE_PAGE = re.compile(r"\\ansicpg(\d{1,5})\b")
_PANDOCS_CODE_PAGE = "cp1252"
#: What stands in a cell's definition when another one reaches into it: from the left, from above.
_REACHED = {"clmrg": "left", "clvmrg": "above"}
#: What ends a paragraph, a cell or a row. A note is one line of the text that it stands in.
_ENDS = frozenset({"par", "sect", "page", "column", "cell", "nestcell", "row", "nestrow"})
_CELL_STARTS = frozenset({"trowd", "cellx", "cell", "row", "pard"})
#: Would end the paragraph that a note stands in.
_STARTS = frozenset({"pard", "trowd", "intbl", "itap"})
_HIGH, _LOW, _BEHIND = 0xD800, 0xDC00, 0xE000
_ALL = 0x10000


@dataclass(slots=True)
class _Group:
    """What holds inside a group of braces."""

    #: How many characters stand in for one that is given by its number.
    stand_ins: int = 1
    is_deleted: bool = False
    is_in_note: bool = False
    #: True where the source says that a paragraph belongs to a table.
    is_in_table: bool = False
    #: What is to be written where the group ends.
    end: str = ""


@dataclass(slots=True)
class _Row:
    """A row of a table: what reaches into each of its cells, and their texts."""

    reached: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    coming: str = ""
    #: Where its cells start that do not say that they belong to a table.
    loose: list[int] = field(default_factory=list)


def prepared_rtf(text: str, _literals: Literals) -> str:
    """Return a source as Pandoc is to read it."""
    return _Source(text).read()


def repaired_rtf(text: str) -> str | None:
    """Return a source that was cut off with its groups closed; None where that is not what is wrong with it."""
    depth = 0
    for match in _TOKEN.finditer(text):
        depth += bool(match["open"]) - bool(match["close"])
        if depth < 0:
            return None
    return f"{text.rstrip(chr(92))}{'}' * depth}" if depth else None


class _Source:
    def __init__(self, text: str) -> None:
        self._text = text
        self._out = [""]
        #: Where in it the text of the cell begins that is open, if one is.
        self._cell_start = 0
        self._groups = [_Group()]
        #: How many stand-ins are still to come.
        self._skips = 0
        #: The first half of a character that is given by two numbers.
        self._half = 0
        self._bytes = bytearray()
        self._cell: list[str] = []
        self._row = _Row()
        self._above: list[str] = []
        match = _CODE_PAGE.search(text, 0, 500)
        self._codec = _codec(match[1]) if match else _PANDOCS_CODE_PAGE

    def read(self) -> str:
        for match in _TOKEN.finditer(self._text):
            self._take(match)
        self._flush()
        return "".join(self._out)

    def _take(self, match: re.Match[str]) -> None:
        group = self._groups[-1]
        if match["byte"]:
            if self._skips:
                self._skips -= 1
            else:
                self._bytes += bytes.fromhex(match["byte"])
            return
        self._flush()
        if match["code"]:
            self._skips = group.stand_ins
            self._character(int(match["code"]) % _ALL)
        elif match["text"]:
            self._letters(match["text"])
        elif match["open"] or match["close"]:
            self._edge(match[0])
        elif match["word"]:
            self._skips = 0
            # Pandoc takes any sign behind a control word for the space that ends it.
            self._word(match["word"], match["number"], f"{match[0].rstrip(' ')} ")
        elif self._skips:
            self._skips -= 1
        else:
            self._put(match[0])

    def _letters(self, text: str) -> None:
        if self._skips:
            seen = text.lstrip("\r\n")
            skipped, self._skips = seen[: self._skips], max(0, self._skips - len(seen))
            text = seen[len(skipped) :]
        self._say(text)

    def _edge(self, brace: str) -> None:
        self._skips = 0
        if brace == "{":
            last = self._groups[-1]
            self._groups.append(replace(last, end=""))
        elif len(self._groups) > 1:
            self._put(self._groups.pop().end)
        self._put(brace)

    def _word(self, word: str, number: str | None, written: str) -> None:
        group = self._groups[-1]
        if word == "uc":
            group.stand_ins = max(0, int(number or 1))
            return
        if word == "deleted":
            group.is_deleted = number != "0"
            return
        if word == "plain":
            group.is_deleted = False
        if word == "footnote" and len(self._groups) > 1:
            self._put(NOTE_OPENS)
            group.is_in_note, group.end = True, NOTE_CLOSES
        elif not group.is_in_note:
            self._row_word(word)
            self._put(written)
            self._place(word)
        elif word in _ENDS:
            self._say(" ")
        elif word not in _STARTS:
            self._put(written)

    def _row_word(self, word: str) -> None:
        """Follow a table; at the end of a cell that another one reaches into, say what that one says."""
        row = self._row
        if word == "trowd":
            row.reached, row.coming = [], ""
            self._forget()
        elif word in _REACHED:
            row.coming = _REACHED[word]
        elif word == "cellx":
            row.reached.append(row.coming)
            row.coming = ""
        elif word == "cell":
            column = len(row.texts)
            reached = row.reached[column] if column < len(row.reached) else ""
            text = "".join(self._cell).strip()
            if reached and not text:
                text = self._reaching(reached, column)
                self._put(f" {text}")
            row.texts.append(text)
            self._cell.clear()
        elif word == "row":
            self._above, row.texts = row.texts, []
            self._cell.clear()
        elif word == "pard":
            self._forget()

    def _place(self, word: str) -> None:
        """Have the cells of a row that ends belong to a table: Pandoc knows those only whose paragraphs say so."""
        group = self._groups[-1]
        if word == "intbl":
            group.is_in_table = True
        elif word == "pard":
            group.is_in_table = False
        elif word == "trowd":
            self._row.loose.clear()
        elif word == "cell" and not group.is_in_table:
            self._row.loose.append(self._cell_start)
        elif word == "row" and self._row.loose:
            for start in self._row.loose:
                self._out[start] += "\\intbl "
            self._row.loose.clear()
            self._put("\\pard ")
        if word in _CELL_STARTS:
            self._cell_start = len(self._out) - 1

    def _forget(self) -> None:
        """What was said so far stood before the table."""
        if not self._row.texts:
            self._cell.clear()

    def _reaching(self, reached: str, column: int) -> str:
        if reached == "left":
            return self._row.texts[-1] if self._row.texts else ""
        return self._above[column] if column < len(self._above) else ""

    def _character(self, code: int) -> None:
        if _HIGH <= code < _LOW:
            self._half = code
            return
        if _LOW <= code < _BEHIND:
            code = _ALL + ((self._half - _HIGH) << 10) + (code - _LOW) if self._half else 0
        self._half = 0
        if code:
            self._say(_escaped(chr(code)))

    def _flush(self) -> None:
        """Write bytes of the code page that followed each other: a character may need two."""
        if not self._bytes:
            return
        data = bytes(self._bytes)
        self._bytes.clear()
        if self._codec == _PANDOCS_CODE_PAGE:
            self._say("".join(f"\\'{byte:02x}" for byte in data))
        else:
            self._say(_escaped(data.decode(self._codec, "replace")))

    def _say(self, text: str) -> None:
        """Write text, escapes and all, unless it was deleted."""
        if self._groups[-1].is_deleted:
            return
        self._put(text)
        self._cell.append(text)

    def _put(self, written: str) -> None:
        self._out.append(written)


def _escaped(text: str) -> str:
    """Return text that no control word before it runs into."""
    return "".join(sign if not sign.isascii() else f"\\'{ord(sign):02x}" for sign in text)


def _codec(number: str) -> str:
    """Return the codec of a code page; Pandoc's own where there is none."""
    name = f"cp{int(number)}"
    try:
        codecs.lookup(name)
    except LookupError:
        return _PANDOCS_CODE_PAGE
    return name
