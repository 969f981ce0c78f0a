"""From an outline to the subtrees of a document: cut, named and linked (markup design, section 1)."""

from app.documents.markup import ParsedMarkup, Subtree, SubtreeSizes
from app.documents.values import JsonValue
from app.errors import TooLarge
from app.markup.cut import Piece, check_units, cut
from app.markup.labels import TOP, Labels
from app.markup.links import link
from app.markup.measure import Measure
from app.markup.outline import Node, Outline

#: Characters that the paths of all units may take together: a limit on what few deep keys can blow up to.
MOST_PATH_CHARACTERS = 50_000_000


def subtrees(outline: Outline, format_name: str, sizes: SubtreeSizes) -> ParsedMarkup:
    """Cut an outline and link its pieces.

    Raises:
        TooLarge: it makes too many units, or their paths are too long.
    """
    collection = Collection(sizes)
    collection.add(outline)
    return collection.parsed(
        format_name,
        printed=outline.printed,
        documents=outline.documents,
        lenient=outline.lenient,
        warnings=outline.warnings,
    )


class Collection:
    """Collects the subtrees of one document, from one outline or from several that follow each other."""

    def __init__(self, sizes: SubtreeSizes) -> None:
        self._sizes = sizes
        self._found: list[Subtree] = []
        self._links: list[tuple[int, int]] = []
        self._external: dict[str, None] = {}
        self._characters = 0

    def add(self, outline: Outline, first_line: int = 0) -> None:
        """Cut an outline whose first line is that of the document, and link its pieces.

        Raises:
            TooLarge: the document makes too many units by now, or their paths are too long.
        """
        measure, labels = Measure(outline), Labels(outline)
        pieces = cut(outline, measure, labels, self._sizes)
        check_units(len(self._found) + len(pieces))
        links = link(outline, pieces)
        before = len(self._found)
        self._links += [(source + before, target + before) for source, target in links.pairs]
        for number, piece in enumerate(pieces):
            external = links.external.get(number, [])
            self._external.update(dict.fromkeys(external))
            text = piece.text if piece.text is not None else measure.dedented(outline.lines, piece.ranges)
            self._found.append(self._subtree(piece, outline, labels, text, first_line, external))

    def parsed(
        self,
        format_name: str,
        *,
        printed: bool,
        documents: int | None = None,
        lenient: bool = False,
        warnings: tuple[str, ...] = (),
    ) -> ParsedMarkup:
        """Return what was collected, with what is to be said about the whole."""
        data: dict[str, JsonValue] = {"format": format_name, "layout": "printed" if printed else "source"}
        if documents is not None:
            data["documents"] = documents
        if self._external:
            data["external"] = list(self._external)
        if lenient:
            data["lenient"] = True
        return ParsedMarkup(subtrees=tuple(self._found), links=tuple(self._links), data=data, warnings=warnings)

    def _subtree(
        self, piece: Piece, outline: Outline, labels: Labels, text: str, first_line: int, external: list[str]
    ) -> Subtree:
        path, raw = labels.path(piece.node), labels.raw(piece.node)
        if path and piece.suffix:
            path = (*path[:-1], f"{path[-1]} {piece.suffix}")
        label = " > ".join(path) or (f"{TOP} {piece.suffix}" if piece.suffix else TOP)
        self._characters += 2 * len(label) + sum(map(len, raw))
        if self._characters > MOST_PATH_CHARACTERS:
            raise TooLarge(f"The paths of the document's units take more than {MOST_PATH_CHARACTERS:,} characters.")
        meta: dict[str, JsonValue] = {
            "path": list(raw),
            "lines": [piece.ranges[0][0] + first_line, piece.ranges[-1][1] + first_line],
        }
        if piece.part is not None:
            meta["part"] = list(piece.part)
        document = _document(piece.node, outline)
        if document is not None:
            meta["document"] = document
        if external:
            meta["external"] = external
        if outline.escapes and "\\" in text:
            meta["escapes"] = outline.escapes.value
        return Subtree(label=label, path=path, text=text, meta=meta)


def _document(node: Node, outline: Outline) -> int | None:
    """Return which document of a stream a node is in; packs of several are in none."""
    if outline.documents is None:
        return None
    while node.parent is not None and node.parent is not outline.root:
        node = node.parent
    return node.index
