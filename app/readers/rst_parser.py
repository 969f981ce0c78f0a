"""docutils' parser, as this service runs it (readers design, section 12).

Its state classes are extended, none of its globals is touched: directives are looked up in this package's own table,
roles become text at once, section titles stand beside their content, and addresses in running text stay text. What
would take the parser's time with the square of its length is read as plain text.
"""

# ruff: noqa: ANN401 - what docutils hands from method to method has no types that could be named

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any

from docutils import frontend, nodes, utils
from docutils.parsers.rst import Parser, states
from docutils.statemachine import StringList, string2lines

from app.readers.rst_lines import Lines
from app.readers.rst_nodes import Heading, Refused
from app.readers.rst_roles import role_text

_SETTINGS = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "report_level": 5,
    "halt_level": 5,
    "warning_stream": "",
    "syntax_highlight": "none",
    "line_length_limit": 1 << 62,
    "pep_references": None,
    "rfc_references": None,
    "smart_quotes": False,
    "doctitle_xform": False,
    "docinfo_xform": False,
    "sectsubtitle_xform": False,
    "_disable_config": True,
}
#: The parser copies what is left of a text at each mark: more characters copied than this and the text is refused.
_MOST_COPIED = 200_000_000
_WITHOUT_END = "start-string without end-string"
_MARKS = re.compile(r"[*`|_]+")
#: Where a name may start, the parser looks for its end; in a word this long that is what it would do all the time.
_LONG_WORD = re.compile(r"[\w.+:-]{400}")
#: A role for text in another format than this; it may be used before it is defined.
_RAW_ROLE = re.compile(r"^[ \t]*\.\.[ ]+role::[ ]+([^\s()]+)\([ ]*raw[ ]*\)", re.MULTILINE)
_DEFAULTS = frontend.get_default_settings(Parser)
vars(_DEFAULTS).update(_SETTINGS)
_DIRECTIVE = re.compile(rf"\.\.[ ]+({states.Inliner.simplename})[ ]?::(?:[ ]+|$)")

Run = Callable[["Directive"], list[nodes.Node]]


class Directive:
    """A directive where it was found: its name, its lines, and the means to parse what it holds."""

    def __init__(self, state: "_Mixin", name: str, first: str, lines: StringList, offset: int, line: int) -> None:
        #: Lower case, with its domain.
        self.name = name
        #: What stands behind the two colons.
        self.first = first
        self.lines = lines
        self.line = line
        self._state = state
        self._offset = offset

    def parse(self, start: int, lines: StringList | None = None) -> list[nodes.Node]:
        """Parse the directive's lines from one on, or others in their place."""
        holder = nodes.container()
        holder.document = self._state.document
        lines = self.lines[start:] if lines is None else lines
        self._state.nested_parse(lines, self._offset + start, holder)
        return list(holder.children)

    def quotes(self, start: int) -> list[nodes.Node]:
        """Parse the directive's lines from one on as block quotes, attributions and all."""
        return self._state.block_quote(self.lines[start:], self._offset + start)

    def inline(self, text: str) -> list[nodes.Node]:
        """Parse text as inline markup."""
        return list(self._state.inline_text(text, self.line)[0])

    def source_line(self, at: int) -> int | None:
        """Return the number of one of the directive's lines in the source, from 1; None behind the last."""
        return int(self.lines.offset(at)) + 1 if at < len(self.lines) else None

    @property
    def in_substitution(self) -> bool:
        """True in the definition of a substitution."""
        return isinstance(self._state, states.SubstitutionDef)


class _Inliner(states.Inliner):
    """Parses inline markup in linear time."""

    def __init__(self, run: Run, dropped_roles: frozenset[str]) -> None:
        super().__init__()
        self.run_directive = run
        self._dropped_roles = dropped_roles
        self.idle_machines: list[Any] = []
        #: In the order in which they came up.
        self.title_styles: list[Any] = []
        self._ended: set[Any] = set()

    def parse(
        self, text: str, lineno: int, memo: Any, parent: Any
    ) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Parse a text, or leave it as it is where parsing would take too long."""
        marks = len(_MARKS.findall(text))
        if marks * len(text) > _MOST_COPIED or _LONG_WORD.search(text):
            refused = Refused()
            refused["line"], refused["text"] = lineno, text
            return [refused], []
        self._ended = set()
        return super().parse(text, lineno, memo, parent)[0], []

    def inline_obj(
        self,
        match: re.Match[str],
        lineno: int,
        end_pattern: re.Pattern[str],
        nodeclass: Any,
        restore_backslashes: bool = False,
    ) -> Any:
        """Look for the end of a mark, unless it is known that there is none in the rest of the text."""
        if end_pattern in self._ended:
            return self._unended(match, "start")
        found = super().inline_obj(match, lineno, end_pattern, nodeclass, restore_backslashes)
        self._note_end(match, "start", end_pattern, found[3])
        return found

    def interpreted_or_phrase_ref(self, match: re.Match[str], lineno: int) -> Any:
        """Like `inline_obj`, for text in single backquotes."""
        pattern = self.patterns.interpreted_or_phrase_ref
        if pattern in self._ended:
            return self._unended(match, "backquote")[:4]
        found = super().interpreted_or_phrase_ref(match, lineno)
        self._note_end(match, "backquote", pattern, found[3])
        return found

    def _note_end(self, match: re.Match[str], group: str, pattern: re.Pattern[str], messages: Sequence[Any]) -> None:
        """Remember that nothing ends a mark, unless its end stands right behind its start, which is no markup."""
        if messages and _WITHOUT_END in messages[0].astext() and not pattern.match(match.string[match.end(group) :]):
            self._ended.add(pattern)

    dispatch: Any = {  # noqa: RUF012 - as the original has it
        **states.Inliner.dispatch,
        "`": interpreted_or_phrase_ref,
    }

    def interpreted(self, rawsource: str, text: str, role: str, _lineno: int) -> tuple[list[nodes.Node], list[Any]]:
        """Return interpreted text as what it reads as."""
        role = (role or "").lower()
        shown = "" if role in self._dropped_roles else role_text(role, text)
        return [nodes.inline(rawsource, "", nodes.Text(shown.replace("\\", "\x00\\")))], []

    def implicit_inline(self, text: str, _lineno: int) -> list[nodes.Text]:
        """Return text as it is: an address in it needs no mark."""
        return [nodes.Text(text)] if text else []

    def problematic(self, text: str, _rawsource: str, _message: Any) -> Any:
        """Return what was not markup after all as text."""
        return nodes.Text(text)

    @staticmethod
    def _unended(match: re.Match[str], group: str) -> Any:
        string, start, end = match.string, match.start(group), match.end(group)
        return string[:start], [nodes.Text(string[start:end])], string[end:], [], ""


# The parser builds its expressions from what the class itself holds, not from what it inherits.
for _name, _expression in vars(states.Inliner).items():
    if isinstance(_expression, str) and not _name.startswith("__"):
        setattr(_Inliner, _name, _expression)


if TYPE_CHECKING:
    # Mixed into all states; what it shares with this one is used where this one is mixed in.
    _Base = states.Body
else:
    _Base = states.RSTState


class _Machine(states.NestedStateMachine):
    """A nested parser that knows section titles everywhere; where they are no headings they are paragraphs."""

    def run(  # type: ignore[override]  # the original overrides as freely
        self, input_lines: Any, input_offset: int, memo: Any, node: Any, match_titles: bool = True
    ) -> Any:
        """Parse lines into a node; what is said about titles is not heard."""
        del match_titles
        lines = input_lines if isinstance(input_lines, Lines) else Lines(input_lines)
        return super().run(lines, input_offset, memo, node, match_titles=True)


class _Mixin(_Base):
    """What all states of the parser do otherwise."""

    inliner: _Inliner
    state_machine: Any

    nested_sm = _Machine

    def __init__(self, state_machine: Any, debug: bool = False) -> None:
        super().__init__(state_machine, debug)
        self.nested_sm_kwargs = {"state_classes": _STATES, "initial_state": "Body"}

    @property
    def nested_sm_cache(self) -> list[Any]:  # type: ignore[override]  # the original's holds on to documents
        """Idle nested parsers of this document."""
        return self.inliner.idle_machines

    def nested_list_parse(  # type: ignore[override]  # nobody asks for other machines
        self,
        block: Any,
        input_offset: int,
        node: nodes.Element,
        initial_state: str,
        blank_finish: Any,
        blank_finish_state: str | None = None,
        extra_settings: Mapping[str, Any] | None = None,
        **_: Any,
    ) -> tuple[int, Any]:
        """Read a list like the original, which makes a parser for each list; making one takes longer than reading."""
        idle = self.inliner.idle_machines
        machine = idle.pop() if idle else self.nested_sm(**self.nested_sm_kwargs)
        machine.parent_state_machine = self.state_machine
        machine.initial_state = initial_state
        last: Any = machine.states[blank_finish_state or initial_state]
        last.blank_finish = blank_finish
        for name, setting in (extra_settings or {}).items():
            setattr(machine.states[initial_state], name, setting)
        machine.run(block, input_offset, memo=self.memo, node=node)
        machine.initial_state = "Body"
        idle.append(machine)
        return machine.abs_line_offset(), last.blank_finish

    def section(self, title: str, _source: str, style: Any, lineno: int, _messages: Any) -> None:
        """Put a title where it stands; its level is the order in which its style came up."""
        text, _ = self.inline_text(title, lineno)
        if not isinstance(self.parent, nodes.document | nodes.container):
            self.parent += nodes.paragraph(title, "", *text)
            return
        styles = self.inliner.title_styles
        if style not in styles:
            styles.append(style)
        heading = Heading(title, "", *text)
        heading["level"] = styles.index(style) + 1
        heading["names"] = [nodes.fully_normalize_name(heading.astext())]
        self.parent.append(heading)

    def explicit_construct(self, match: re.Match[str]) -> Any:
        """Read explicit markup; directives are ours."""
        found = _DIRECTIVE.match(match.string)
        return self.directive(found) if found else super().explicit_construct(match)  # type: ignore[no-untyped-call]  # the stubs leave it out

    def directive(self, match: re.Match[str], **_presets: str) -> tuple[list[nodes.Node], bool]:
        """Read a directive."""
        line = self.state_machine.abs_line_number()
        lines, _, offset, blank_finish = self.state_machine.get_first_known_indented(match.end(), strip_top=0)
        first = lines[0].strip() if lines else ""
        if lines and not first:
            lines.trim_start()
            offset += 1
        while lines and not lines[-1].strip():
            lines.trim_end()
        return self.inliner.run_directive(Directive(self, match[1].lower(), first, lines, offset, line)), blank_finish

    def block_quote(self, indented: StringList, line_offset: int) -> list[nodes.Node]:
        """Read quotes: an attribution ends one. Each is cut out once, where the original copies all that follows."""
        found: list[nodes.Node] = []
        start = 0
        for attribution, end in (*self._attributions(indented), (len(indented), len(indented))):
            while start < attribution and not indented[start]:
                start += 1
            if start == attribution:
                continue
            quote = nodes.block_quote()
            self.nested_parse(indented[start:attribution], line_offset + start, quote)
            if end > attribution:
                text = " ".join(line.strip() for line in indented[attribution:end])
                text = text[self.attribution_pattern.match(text).end() :]
                quote += nodes.attribution(text, "", *self.inline_text(text, line_offset + attribution)[0])
            found.append(quote)
            start = end
        return found

    def _attributions(self, indented: StringList) -> Iterator[tuple[int, int]]:
        """Yield where attributions start and end: the first line behind a blank one, with a dash, behind a quote."""
        seen, at = False, 0
        while at < len(indented):
            if seen and not indented[at - 1] and self.attribution_pattern.match(indented[at]):
                end, _ = self.check_attribution(indented, at)  # type: ignore[no-untyped-call]  # same
                if end:
                    yield at, end
                    seen, at = False, end
                    continue
            seen = seen or bool(indented[at])
            at += 1

    def isolate_simple_table(self) -> Any:
        """Cut out a simple table. Where no border follows, its paragraph is refused, not all the rest."""
        lines, start = self.state_machine.input_lines, self.state_machine.line_offset
        if any(self.simple_table_border_pat.match(lines[at]) for at in range(start + 1, len(lines))):
            return super().isolate_simple_table()  # type: ignore[no-untyped-call]  # the stubs leave it out
        end = next((at for at in range(start + 1, len(lines)) if not lines[at]), len(lines))
        self.state_machine.next_line(end - start - 1)
        return [], self.malformed_table(lines[start:end]), True

    def disallowed_inside_substitution_definitions(self, _node: nodes.Node) -> bool:
        """Allow links and notes in substitutions: they are only read here."""
        return False


_STATES = tuple(type(state.__name__, (_Mixin, state), {}) for state in states.state_classes)


def parse(text: str, run: Run) -> nodes.document:
    """Parse a document; `run` returns what a directive stands for."""
    document = utils.new_document("document", copy(_DEFAULTS))
    inliner = _Inliner(run, frozenset({"raw", *(name.lower() for name in _RAW_ROLE.findall(text))}))
    lines = Lines(StringList(string2lines(text, tab_width=8, convert_whitespace=True), source="document"))
    machine = states.RSTStateMachine(state_classes=_STATES, initial_state="Body")
    machine.run(lines, document, inliner=inliner)
    return document
