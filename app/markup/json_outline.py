"""JSON values to outlines, in the printed layout (markup design, sections 3 and 9)."""

import re
from json.encoder import encode_basestring

from app.markup.json_values import Value, parse_leniently, scalar_text
from app.markup.links import keyed_references, may_refer
from app.markup.outline import DEEPEST, Escapes, Node, Outline, too_deep
from app.markup.printed import Printer

#: Escapes of characters that the database can't hold.
_UNSTORABLE_ESCAPE = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def json_outline(text: str) -> Outline:
    """Read a JSON document. Comments and trailing commas are overlooked: the outline is then `lenient`.

    Raises:
        BadSyntax: it is not JSON.
        TooDeep: it is nested too deeply.
    """
    value, lenient = parse_leniently(text)
    outline = outline_of(value, text)
    outline.lenient = lenient
    return outline


def outline_of(value: Value, text: str) -> Outline:
    """Return the outline of a parsed text. The value is used up.

    Raises:
        TooDeep: it is nested too deeply.
    """
    tree = Tree(text)
    root = Node("", None, None)
    tree.add(root, value, 0, "", "")
    outline = Outline(
        lines=tree.printer.lines,
        bare=tree.printer.bare,
        root=root,
        printed=True,
        records=isinstance(value, list),
        escapes=Escapes.EVERYWHERE,
        warnings=tree.warnings,
    )
    if may_refer(text):
        outline.references = list(keyed_references(outline))
    return outline


class Tree:
    """Prints the values of a text and makes their nodes."""

    def __init__(self, text: str) -> None:
        self.printer = Printer()
        self._checked = bool(_UNSTORABLE_ESCAPE.search(text))
        self._replaced = 0

    def add(self, node: Node, value: Value, depth: int, head: str, tail: str) -> None:
        """Print a value behind `head`, and give its node value, children and span."""
        if isinstance(value, tuple | list):
            self._collection(node, value, depth, head, tail)
        elif type(value) is str:
            node.value = self._storable(value)
            self.printer.leaf(node, f"{head}{encode_basestring(node.value)}{tail}")
        else:
            node.value = scalar_text(value)
            self.printer.leaf(node, f"{head}{node.value}{tail}")

    def _collection(
        self, node: Node, value: tuple[tuple[str, Value], ...] | list[Value], depth: int, head: str, tail: str
    ) -> None:
        if depth >= DEEPEST:
            raise too_deep()
        left, right = "{}" if isinstance(value, tuple) else "[]"
        if not value:
            self.printer.leaf(node, f"{head}{left}{right}{tail}")
            self.printer.bare[-1] = node.parent is None
            return
        self.printer.open(node, f"{head}{left}")
        indent = "  " * (depth + 1)
        last = len(value) - 1
        children: list[Node] = []
        node.children = children
        if isinstance(value, tuple):
            for position, (key, member) in enumerate(value):
                name = self._storable(key)
                child = Node(name, None, node)
                children.append(child)
                self.add(
                    child, member, depth + 1, f"{indent}{encode_basestring(name)}: ", "," if position < last else ""
                )
        else:
            for position, element in enumerate(value):
                # Let go of what is printed: together with its nodes a large array would take twice the memory.
                value[position] = None
                child = Node("", position, node)
                children.append(child)
                self.add(child, element, depth + 1, indent, "," if position < last else "")
        self.printer.close(node, f"{'  ' * depth}{right}{tail}")

    def _storable(self, text: str) -> str:
        if not self._checked:
            return text
        text, count = _UNSTORABLE.subn("\ufffd", text)
        self._replaced += count
        return text

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was replaced so far."""
        return (f"Characters that can't be stored were replaced: {self._replaced}.",) if self._replaced else ()
