"""Directives of docutils and Sphinx: what each stands for (readers design, section 12)."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from docutils import nodes
from docutils.statemachine import StringList

from app.readers.rst_nodes import Admonition, Change, Described
from app.readers.rst_parser import Directive
from app.readers.rst_tables import csv_table, list_table, titled_table

_OPTION = re.compile(r":(?![: ])([^:\\]|\\.)*(?<! ):(?: +|$)")
_ADMONITIONS = frozenset("attention caution danger error hint important note tip warning seealso".split())  # noqa: SIM905 - a list of quoted words reads worse
#: What has a title of its own.
_TITLED = frozenset(
    """
    admonition topic sidebar rubric centered tab group-tab tab-item dropdown details collapse card grid-item-card
    """.split()  # noqa: SIM905 - a list of quoted words reads worse
)
_CODE = frozenset(
    """
    code code-block sourcecode math doctest testcode testoutput code-tab prompt productionlist graphviz digraph graph
    mermaid uml ipython
    """.split()  # noqa: SIM905 - a list of quoted words reads worse
)
#: Code whose argument names its language.
_WITH_LANGUAGE = frozenset({"code", "code-block", "sourcecode", "code-tab", "prompt"})
_DESCRIBED = frozenset(
    """
    function class method staticmethod classmethod attribute property data exception decorator decoratormethod describe
    object envvar option confval member var type struct union enum enumerator macro concept alias
    """.split()  # noqa: SIM905 - a list of quoted words reads worse
)
_CHANGES = {
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version",
    "versionremoved": "Removed in version",
}
_DROPPED = frozenset(
    """
    toctree index raw contents highlight sectnum section-numbering header footer meta title default-role target-notes
    module currentmodule testsetup testcleanup date sectionauthor codeauthor moduleauthor tabularcolumns
    role replace unicode
    """.split()  # noqa: SIM905 - a list of quoted words reads worse
)
_INCLUDED = frozenset({"include", "literalinclude"})
_QUOTES = frozenset({"epigraph", "highlights", "pull-quote"})
#: Their argument is the start of their content.
_CONTENT = frozenset({"todo", "compound", *_ADMONITIONS, *_QUOTES})
_DOMAINLESS_CLASS = re.compile(r"[(.]|\A[^\W\d_a-z]")
_CODE_POINT = re.compile(r"(?:0x|x|\\x|U\+|u|\\u)([0-9a-fA-F]{1,8})\Z|&#x([0-9a-fA-F]{1,8});\Z")
_HIGHEST_CHARACTER = 0x10FFFF
_SURROGATES = range(0xD800, 0xE000)


@dataclass(frozen=True, slots=True)
class Parts:
    """A directive's lines taken apart."""

    #: The argument's lines.
    argument: Sequence[str]
    options: Mapping[str, str]
    #: Where the content starts.
    content: int

    @property
    def title(self) -> str:
        """The argument as one line."""
        return " ".join(line.strip() for line in self.argument).strip()


def run_directive(directive: Directive) -> list[nodes.Node]:
    """Return what a directive stands for; one that is unknown stands for its content."""
    name = directive.name.rpartition(":")[2]
    if directive.in_substitution:
        return _substitution(directive, name)
    if name in _DROPPED:
        return []
    for names, run in _TABLE:
        if name in names:
            return run(directive, name)
    return _parsed(directive, _parts(directive))


def _substitution(directive: Directive, name: str) -> list[nodes.Node]:
    """Return what stands for the name of a substitution; only inline nodes may."""
    parts = _parts(directive)
    if name == "replace":
        return directive.inline(" ".join(" ".join(directive.lines).split()))
    if name == "unicode":
        codes = " ".join(directive.lines).partition(".. ")[0].split()
        return [nodes.inline("", "", nodes.Text("".join(map(_character, codes)).replace("\\", "\x00\\")))]
    if name == "image":
        return [nodes.image(alt=parts.options.get("alt", ""))]
    return [nodes.inline()]


def _character(code: str) -> str:
    """Return a character by its number, or text that is none as it is."""
    match = _CODE_POINT.match(code)
    number = int(match[1] or match[2], 16) if match else int(code) if code.isdecimal() and len(code) < 8 else -1  # noqa: PLR2004 - longer is no code point
    return chr(number) if 0 < number <= _HIGHEST_CHARACTER and number not in _SURROGATES else code


def _parts(directive: Directive, *, argument: bool = True) -> Parts:
    """Take a directive's lines apart: an argument, options up to the first blank line, content."""
    lines = list(directive.lines)
    blank = next((at for at, line in enumerate(lines) if not line.strip()), len(lines))
    first = next((at for at in range(blank) if _OPTION.match(lines[at])), blank)
    has_argument = argument and bool(directive.first)
    if not has_argument and first:
        # Content on the directive's own line, or right below it.
        return Parts((), {}, 0)
    return Parts(lines[:first] if has_argument else (), _options(lines[first:blank]), blank)


def _options(lines: Sequence[str]) -> dict[str, str]:
    options: dict[str, list[str]] = {}
    name = ""
    for line in lines:
        match = _OPTION.match(line)
        if match:
            name = match[0].strip()[1:-1].lower()
            options[name] = [line[match.end() :]]
        else:
            options[name].append(line)
    return {name: "\n".join(line.strip() for line in value).strip() for name, value in options.items()}


def _parsed(directive: Directive, parts: Parts) -> list[nodes.Node]:
    return directive.parse(parts.content)


def _content(directive: Directive, name: str) -> list[nodes.Node]:
    parts = _parts(directive, argument=False)
    if name in _QUOTES:
        return directive.quotes(parts.content)
    content = _parsed(directive, parts)
    return [Admonition("", *content, kind=name)] if name in _ADMONITIONS else content


def _titled(directive: Directive, _name: str) -> list[nodes.Node]:
    parts = _parts(directive)
    titles = (directive.inline(title) for title in (parts.title, parts.options.get("subtitle", "")))
    return [*(nodes.paragraph("", "", *title) for title in titles if title), *_parsed(directive, parts)]


def _code(directive: Directive, name: str) -> list[nodes.Node]:
    parts = _parts(directive, argument=name in _WITH_LANGUAGE or bool(directive.first and name == "math"))
    before: list[nodes.Node] = []
    language, lines = "", list(directive.lines[parts.content :])
    if name == "math":
        language, lines = "latex", [*parts.argument, *([""] if parts.argument and lines else []), *lines]
    elif parts.argument:
        language, _, title = parts.argument[0].partition(" ")
        lines = [*parts.argument[1:], *lines]
        if name == "code-tab" and title:
            before = [nodes.paragraph("", "", *directive.inline(title))]
    caption = directive.inline(parts.options.get("caption", ""))
    if caption:
        before = [nodes.paragraph("", "", *caption)]
    text = "\n".join(lines)
    code = nodes.literal_block(text, text, language=language.lower())
    code.line = directive.source_line(parts.content) if len(lines) == len(directive.lines) - parts.content else None
    return [*before, code] if text.strip() else before


def _parsed_literal(directive: Directive, _name: str) -> list[nodes.Node]:
    parts = _parts(directive, argument=False)
    text = "\n".join(directive.lines[parts.content :])
    return [nodes.literal_block(text, "", *directive.inline(text), language="")]


def _figure(directive: Directive, _name: str) -> list[nodes.Node]:
    parts = _parts(directive)
    content = _parsed(directive, parts)
    image = [nodes.image(alt=parts.options.get("alt", ""))]
    if content and isinstance(content[0], nodes.paragraph):
        content[0].insert(0, nodes.Text("Figure: "))
    return [*image, *content]


def _image(directive: Directive, _name: str) -> list[nodes.Node]:
    return [nodes.image(alt=_parts(directive).options.get("alt", ""))]


def _include(directive: Directive, _name: str) -> list[nodes.Node]:
    return [_included(_parts(directive).title)]


def _included(name: str) -> nodes.Node:
    return nodes.paragraph("", "", nodes.Text(f"[include: {name}]"))


def _described(directive: Directive, name: str) -> list[nodes.Node]:
    domain = directive.name.rpartition(":")[0]
    parts = _parts(directive)
    content = _parsed(directive, parts)
    if name == "class" and not domain and not _DOMAINLESS_CLASS.search(parts.title):
        return content
    signatures = _signatures(parts.argument)
    return [Described("", *content, kind=name, domain=domain, signatures=signatures)] if signatures else content


def _signatures(lines: Sequence[str]) -> list[str]:
    """Return signatures, one per line unless a line ends in a backslash; escapes are undone."""
    text = "\n".join(lines).replace("\\\n", " ")
    return [found for line in text.split("\n") if (found := re.sub(r"\\(.)", r"\1", " ".join(line.split())))]


def _change(directive: Directive, name: str) -> list[nodes.Node]:
    parts = _parts(directive)
    version, _, explanation = parts.title.partition(" ")
    label = f"{_CHANGES[name]} {version}".strip()
    content = _parsed(directive, parts)
    if explanation:
        content.insert(0, nodes.paragraph("", "", *directive.inline(explanation)))
    return [Change("", *content, label=label)]


def _table_of(directive: Directive, name: str) -> list[nodes.Node]:
    parts = _parts(directive)
    title = directive.inline(parts.title)
    for source in ("file", "url"):
        if name == "csv-table" and source in parts.options:
            return [_included(parts.options[source])]
    if name == "csv-table":
        lines = [str(line) for line in directive.lines[parts.content :]]
        return csv_table(title, lines, parts.options, lambda text: directive.parse(0, _lines(text)))
    content = _parsed(directive, parts)
    return titled_table(title, content) if name == "table" else list_table(title, content, parts.options)


def _lines(text: str) -> StringList:
    return StringList(text.split("\n"), source="table")


_TABLE: tuple[tuple[frozenset[str], Callable[[Directive, str], list[nodes.Node]]], ...] = (
    (_CODE, _code),
    (_CONTENT, _content),
    (_DESCRIBED, _described),
    (frozenset(_CHANGES), _change),
    (_TITLED, _titled),
    (frozenset({"table", "list-table", "csv-table"}), _table_of),
    (frozenset({"parsed-literal"}), _parsed_literal),
    (frozenset({"figure"}), _figure),
    (frozenset({"image"}), _image),
    (_INCLUDED, _include),
)
