"""ODT to blocks, by Pandoc's tree (readers design, section 13)."""

from collections.abc import Sequence

from app.readers.odt_source import CONTENT, prepared_odt
from app.readers.pandoc_archives import PandocPackage
from app.readers.pandoc_dialect import Node
from app.readers.pandoc_marks import CAPTION, CODE
from app.readers.pandoc_packages import LIMITS
from app.readers.pandoc_texts import Made
from app.readers.reader import Reader

_PARAGRAPHS = frozenset({"Para", "Plain"})


class _OdtDialect(Made):
    def siblings(self, nodes: Sequence[Node]) -> Sequence[Node]:
        """Give tables the captions that stand beside them."""
        found: list[Node] = []
        caption: list[Node] = []
        for node in [*nodes, {"t": "Null"}]:
            marked = _without_mark(node["c"], CAPTION) if node["t"] in _PARAGRAPHS else None
            if caption and marked is None:
                found.append(_captioned(node, caption) if node["t"] == "Table" else {"t": "Para", "c": caption})
                caption = []
                if found[-1]["t"] == "Table":
                    continue
            if marked is None:
                found.append(node)
            elif found and found[-1]["t"] == "Table" and not _has_caption(found[-1]):
                found[-1] = _captioned(found[-1], marked)
            else:
                caption = marked
        return found

    def code_lines(self, inlines: Sequence[Node]) -> str | None:
        """Return the code of a paragraph that is known to be some."""
        marked = _without_mark(inlines, CODE)
        return "".join(node["c"] for node in marked if node["t"] == "Str") if marked is not None else None


def _without_mark(inlines: Sequence[Node], mark: str) -> list[Node] | None:
    first = inlines[0] if inlines else {"t": ""}
    if first["t"] != "Str" or not first["c"].startswith(mark):
        return None
    return [{"t": "Str", "c": first["c"].removeprefix(mark)}, *inlines[1:]]


def _has_caption(table: Node) -> bool:
    return bool(table["c"][1][1])


def _captioned(table: Node, caption: Sequence[Node]) -> Node:
    attributes, (short, _), *rest = table["c"]
    return {"t": "Table", "c": [attributes, [short, [{"t": "Plain", "c": caption}]], *rest]}


_ODT = PandocPackage("odt", "ODT", "meta.xml", CONTENT, _OdtDialect, prepared_odt)

READER = Reader(
    format="odt",
    extensions=("odt", "ott"),
    media_types=("application/vnd.oasis.opendocument.text",),
    read=_ODT.read,
    looks_like=lambda head, _: b"mimetypeapplication/vnd.oasis.opendocument.text" in head[:200],
    binary=True,
    limits=LIMITS,
)
