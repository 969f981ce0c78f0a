"""A pass over the lines of AsciiDoc before Pandoc reads them (readers design, section 14).

Pandoc stops at includes, shows comments and conditionals, loses rows of tables and does not see several marks; this
pass puts each into a form that it reads right. Verbatim blocks stay as they are.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from app.readers.asciidoc_attributes import Attributes, is_entry
from app.readers.asciidoc_delimiters import Role, is_edge, roles_of
from app.readers.asciidoc_tables import AsciidocTable, read_table, without_tables
from app.readers.pandoc_marks import Literals, level_mark

_HEADING = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*)")
_INCLUDE = re.compile(r"include::([^\[\]]*)\[[^\]]*\][ \t]*\Z")
_CONDITION = re.compile(r"(?:ifdef|ifndef|ifeval|endif)::[^\[\]]*\[(.*)\][ \t]*\Z")
_MACRO = re.compile(r"[a-z][\w-]*::[^\s\[]*\[.*\][ \t]*\Z")
_BLOCK_ATTRIBUTES = re.compile(r"\[(?:\[[^\[\]]*\]|[^\[\]\s][^\n]*|)\][ \t]*\Z")
_TITLE = re.compile(r"\.([^\s.].*)")
_IMAGE_TITLE = re.compile(r"\btitle=\"([^\"]{1,500})\"[^\]]{0,500}\][ \t]*\Z")
_ADMONITION = re.compile(r"\[(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\b[^\]]*\]")
_VERSE = re.compile(r"\[verse(?:[,\]]|\Z)")
_ITEM = re.compile(r"[ \t]*(\*{1,5}|-|\.{1,5}|\d{1,9}\.|[A-Za-z]\.|[ivxIVX]{1,8}\)|<(?:\d+|\.)>)[ \t]+\S")
_TERM = re.compile(r"[ \t]*\S.*?(:{2,4})(?:[ \t]+(\S.*))?\Z")
_SEMICOLONS = re.compile(r"\A([ \t]*\S.*?);;(?=[ \t]|\Z)")
#: Lines under the title.
_AUTHOR = re.compile(r"[^:=\[\]|]+(?:<[^<>\s]+>)?(?:;.*)?\Z")
_REVISION = re.compile(r"(?:v?\d[\w.]*\s*,?.*|[^\s:].*\d{4}.*)\Z")
#: An attribute's value goes on over no more lines than this.
_MOST_LINES = 100
#: The edges of the groups that this pass makes: nobody types so long ones.
_EDGE = "=" * 120


@dataclass(slots=True)
class Prepared:
    """The lines for Pandoc, and what it must not see."""

    #: With the index of the line of the source that each stands for.
    lines: list[tuple[int, str]] = field(default_factory=list)
    #: Where headings stand among the lines.
    headings: list[int] = field(default_factory=list)
    tables: list[AsciidocTable] = field(default_factory=list)
    attributes: Attributes = field(default_factory=Attributes)


def prepare(text: str, literals: Literals) -> Prepared:
    """Read all lines of a source."""
    return _Lines(text.split("\n"), literals).read()


class _Lines:
    def __init__(self, lines: Sequence[str], literals: Literals) -> None:
        self._lines = lines
        self._literals = literals
        self._roles = roles_of(lines)
        self._prepared = Prepared()
        self._out = self._prepared.lines
        self._attributes = self._prepared.attributes
        self._at = 0
        #: Attribute lines and titles that wait for their block.
        self._pending: list[str] = []
        self._in_list = False
        #: Markers of the open list and of those in it.
        self._markers: set[str] = set()
        #: What `;;` means in the open list.
        self._semicolons = ""
        #: True after a `+`: the next block belongs to the item.
        self._attached = False
        #: Open structural blocks: what closes each, and the markers of the list whose item it belongs to.
        self._open: list[tuple[str, set[str]]] = []

    def read(self) -> Prepared:
        """Read from the header to the end."""
        self._header()
        while self._at < len(self._lines):
            role = self._roles.get(self._at)
            if role is None:
                self._line(self._lines[self._at])
            else:
                self._delimited(role)
        self._flush()
        while self._open:
            self._close()
        return self._prepared

    # The header

    def _header(self) -> None:
        """Read the title, and drop the author and the revision under it."""
        at = 0
        while at < len(self._lines) and (not self._lines[at].strip() or self._lines[at].startswith(("//", ":"))):
            if self._lines[at].startswith("////"):
                return
            at += 1
        role = self._roles.get(at + 1)
        is_title = at < len(self._lines) and re.match(r"[=#][ \t]+\S", self._lines[at])
        if not is_title and not (role and role.kind == "underline" and role.level == 1):
            return
        for index in range(self._at, at):
            self._attributes.take(self._lines[index])
        self._at = at
        self._heading(1, self._lines[at].lstrip("=#").strip() if is_title else self._lines[at].strip())
        self._at = at + (1 if is_title else 2)
        for pattern in (_AUTHOR, _REVISION):
            line = self._lines[self._at].strip() if self._at < len(self._lines) else ""
            if not line or self._at in self._roles or line.startswith((":", "//")) or not pattern.match(line):
                break
            self._at += 1

    # Lines outside verbatim blocks

    def _line(self, line: str) -> None:  # noqa: C901, PLR0911, PLR0912 - a flat dispatch over what a line may be
        at, stripped = self._at, line.strip()
        self._at += 1
        if not stripped:
            self._put("", at)
            return
        if line.startswith("//") and not line.startswith("///"):
            self._in_list = self._in_list and not self._is_blank()
            return
        if _INCLUDE.match(line):
            self._paragraph_apart(self._without_include(self._attributes.substituted(line)))
            return
        if condition := _CONDITION.match(line):
            if condition[1] and line.startswith(("ifdef", "ifndef")):
                self._put(self._attributes.substituted(condition[1]))
            return
        if self._is_blank() or at == 0 or is_entry(self._lines[at - 1]):
            following = self._lines[self._at : self._at + _MOST_LINES]
            if (count := self._attributes.take(line, following)) > 0:
                self._at = at + count
                return
        after_blank = self._is_blank()
        heading = _HEADING.match(line)
        if heading and after_blank and not self._open:
            self._heading(len(heading[1]), heading[2].strip())
            return
        underline = self._roles.get(self._at)
        if underline and underline.kind == "underline":
            self._heading(underline.level, stripped)
            self._at += 1
            return
        if line.startswith("image::") and (caption := _IMAGE_TITLE.search(line)):
            self._pending.append(f".{caption[1]}")
        if _BLOCK_ATTRIBUTES.match(line) and (after_blank or self._pending or self._attached):
            self._pending.append(line.rstrip())
            return
        if (title := _TITLE.match(line)) and (after_blank or self._pending or self._attached) and not _ITEM.match(line):
            self._pending.append(f".{self._attributes.substituted(title[1])}")
            return
        if _MACRO.match(line) and not line.startswith("image::") and (after_blank or self._pending):
            self._pending.clear()
            return
        if stripped == "+":
            self._put("+", at)
            self._attached = self._in_list
            return
        self._text(line, after_blank=after_blank)

    def _text(self, line: str, *, after_blank: bool) -> None:
        at = self._at - 1
        style = next((text for text in self._pending if _ADMONITION.match(text) or _VERSE.match(text)), None)
        if style and (after_blank or self._pending):
            self._paragraph_block(style)
            return
        if semicolons := _SEMICOLONS.match(line):
            line = f"{semicolons[1]}{self._for_semicolons()}{line[semicolons.end() :]}"
        line = self._attributes.substituted(line)
        item = _ITEM.match(line) or _TERM.match(line)
        if item and (after_blank or self._in_list):
            self._item(re.sub(r"\d+|[A-Za-z]+", "1", item[1]), after_blank=after_blank)
        elif after_blank and not self._attached and not line.startswith((" ", "\t")):
            if self._is_open_term():
                self._drop_blanks()
            else:
                self._in_list = False
        self._attached = False
        self._flush()
        # A bracket that nobody closes would hide what follows it from Pandoc.
        self._put(f"{{empty}}{line.rstrip()}" if line.startswith("[") else line.rstrip(), at)

    def _for_semicolons(self) -> str:
        """Return the mark that stands for `;;`, which Pandoc does not know: one level down inside a list of terms."""
        if not self._in_list:
            self._semicolons = "::"
        elif not self._semicolons:
            self._semicolons = ":::"
        return self._semicolons

    def _item(self, marker: str, *, after_blank: bool) -> None:
        """Open an item; blank lines do not part it from a list that has its kind of marker."""
        goes_on = self._in_list and (marker in self._markers or (len(marker) > 1 and marker[0] in self._markers))
        if not goes_on and after_blank:
            self._markers.clear()
        elif goes_on and after_blank and not self._pending:
            self._drop_blanks()
        self._markers.add(marker)
        self._in_list = True

    def _paragraph_block(self, style: str) -> None:
        """Write a styled paragraph as a block with edges, so that Pandoc sees its style."""
        self._at -= 1
        start = self._at
        while self._at < len(self._lines) and self._lines[self._at].strip() and self._at not in self._roles:
            self._at += 1
        body = [self._attributes.substituted(line) for line in self._lines[start : self._at]]
        if _VERSE.match(style):
            self._verse(style, body, start)
            return
        self._flush()
        for line in ("======", *body, "======", ""):
            self._put(line, start)
        self._attached = False

    def _verse(self, style: str, body: Sequence[str], at: int) -> None:
        self._pending = [line for line in self._pending if line is not style]
        self._flush()
        names = [part.strip(" \"'") for part in style.strip("[] \t").split(",")[1:]]
        self._put("[.verse]", at)
        self._put(_EDGE, at)
        for line, following in zip(body, [*body[1:], ""], strict=True):
            self._put(f"{{empty}}{line.strip()}{' +' if following.strip() else ''}" if line.strip() else "", at)
        if name := ", ".join(filter(None, names)):
            self._put("", at)
            self._put(f"\u2014 {name}", at)
        self._put(_EDGE, at)
        self._put("", at)

    def _heading(self, level: int, text: str) -> None:
        self._in_list = self._attached = False
        if (shorter := text.rstrip("=")) != text and shorter.endswith((" ", "\t")):
            text = shorter.rstrip()
        text = self._attributes.substituted(text)
        if self._out and not self._is_blank():
            self._put("")
        self._prepared.headings.append(len(self._out))
        if level == 1:
            # Pandoc allows one title, and that at the top.
            self._pending.clear()
            for line in ("[.level-1]", _EDGE, f"{{empty}}{text}", _EDGE, ""):
                self._put(line)
        else:
            self._pending = [line for line in self._pending if line.startswith("[[") or "#" in line]
            self._flush()
            self._put(f"{'=' * level} {level_mark(level)}{text}")
            self._put("")

    # Blocks with edges

    def _delimited(self, role: Role) -> None:
        at = self._at
        self._at += 1
        line = self._lines[at].rstrip()
        match role.kind:
            case "comment":
                self._at = role.end + 1
                self._pending.clear()
            case "verbatim" | "pass":
                self._verbatim(role, at, line)
            case "table":
                self._table(role, at)
            case "open":
                self._structure(role, at, line)
            case "close":
                self._close()
            case _:
                # An edge without its other half is no text.
                pass

    def _verbatim(self, role: Role, at: int, line: str) -> None:
        self._at = role.end + 1
        if role.kind == "pass" and not any("stem" in text or "math" in text for text in self._pending):
            self._pending.clear()
            return
        self._apart()
        self._flush()
        self._put(line, at)
        for index in range(at + 1, min(role.end, len(self._lines))):
            include = _INCLUDE.match(self._lines[index])
            self._put(f"[include: {include[1].strip()}]" if include else self._lines[index], index)
        self._put(line if not line.startswith("```") else "```", role.end)

    def _structure(self, role: Role, at: int, line: str) -> None:
        style = next((text for text in self._pending if _ADMONITION.match(text) or _VERSE.match(text)), None)
        outer = set(self._markers) if self._attached else set()
        self._apart()
        if style and _VERSE.match(style) and line.startswith("_"):
            body = [self._attributes.substituted(text) for text in self._lines[self._at : role.end]]
            self._at = role.end + 1
            self._verse(style, body, at)
            return
        edge = "=" * (7 + len(self._open)) if style and not line.startswith("====") else line
        self._flush()
        self._open.append((edge, outer))
        self._in_list = False
        self._put(edge, at)

    def _close(self) -> None:
        """End the innermost block; when it belongs to an item, the item's list goes on."""
        edge, self._markers = self._open.pop()
        self._in_list = bool(self._markers)
        self._flush()
        self._drop_blanks()
        self._put(edge)
        self._put("")

    def _table(self, role: Role, at: int) -> None:
        self._at = role.end + 1
        rows = [self._attributes.substituted(text) for text in self._lines[at + 1 : role.end]]
        rows = [row for row in rows if not (row.startswith("//") or _CONDITION.match(row))]
        title = next((text[1:] for text in reversed(self._pending) if text.startswith(".")), "")
        table = read_table(rows, " ".join(text for text in self._pending if text.startswith("[")), self._lines[at])
        self._pending.clear()
        self._apart()
        self._put(f"[.tbl-{len(self._prepared.tables)}]", at)
        self._put(_EDGE, at)
        for cell in [title, *table.cells]:
            self._cell(cell, at)
        self._drop_blanks()
        self._put(_EDGE, at)
        self._put("", at)
        self._prepared.tables.append(table)

    def _cell(self, cell: str, at: int) -> None:
        """Write a cell as a paragraph, or as a group where it holds blocks."""
        lines = without_tables(cell.split("\n"))
        while lines and not lines[-1]:
            lines.pop()
        if len(lines) <= 1 or any(is_edge(line) for line in lines):
            self._put(f"{{empty}}{' '.join(' '.join(lines).split())}", at)
        else:
            for line in (f"{_EDGE}=", *map(self._without_include, lines), f"{_EDGE}="):
                self._put(line, at)
        self._put("", at)

    def _without_include(self, line: str) -> str:
        """Return what an include leaves; other lines stay."""
        include = _INCLUDE.match(line)
        return self._literals.add(f"[include: {include[1].strip()}]") if include else line

    # Output

    def _put(self, line: str, at: int | None = None) -> None:
        self._out.append((self._at - 1 if at is None else at, line))

    def _flush(self) -> None:
        for line in self._pending:
            self._put(line)
        self._pending.clear()

    def _is_blank(self) -> bool:
        return not self._out or not self._out[-1][1]

    def _apart(self) -> None:
        """Begin a block: a paragraph before it ends, and so does a list that it does not belong to."""
        if not self._attached and not self._is_blank():
            self._put("")
        if not self._attached:
            self._in_list = False
        self._attached = False

    def _paragraph_apart(self, text: str) -> None:
        self._apart()
        self._flush()
        self._put(text)
        self._put("")

    def _drop_blanks(self) -> None:
        while self._out and not self._out[-1][1]:
            self._out.pop()

    def _is_open_term(self) -> bool:
        """True when the last line is a term that waits for its definition."""
        line = next((text for _, text in reversed(self._out[-3:]) if text), "")
        match = _TERM.match(line)
        return self._in_list and match is not None and not match[2]
