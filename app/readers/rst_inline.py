"""Inline nodes to text (readers design, section 12)."""

from docutils import nodes

from app.readers.rst_nodes import Refused
from app.readers.rst_references import NoteLabels, Substitutions, Targets

_ABSOLUTE = ("http://", "https://", "mailto:")


class InlineReader:
    """Reads inline nodes of a document in reading order."""

    def __init__(self, document: nodes.document) -> None:
        self._targets = Targets(document)
        self._substitutions = Substitutions(document)
        self._labels = NoteLabels(document)
        #: Notes by label, in the order of the source.
        self.notes = self._labels.notes
        #: Labels of notes, in the order of their first marks.
        self.marks: dict[str, None] = {}
        #: What was left as it is, for people.
        self.warnings: dict[str, None] = {}

    def text(self, node: nodes.Node) -> str:
        """Return the text of inline nodes, unsquashed."""
        if isinstance(node, nodes.Text):
            return node.astext()
        if isinstance(node, nodes.substitution_reference):
            return self._substituted(node)
        if isinstance(node, nodes.image):
            return alternative(node)
        if isinstance(node, Refused):
            return nodes.unescape(node["text"])
        if isinstance(node, nodes.footnote_reference | nodes.citation_reference):
            label = self._labels.label(node)
            self.marks.setdefault(label)
            return f"[{label}]"
        text = "".join(self.text(child) for child in node.children)
        return self._reference(node, text) if isinstance(node, nodes.reference) else text

    def _reference(self, node: nodes.Element, text: str) -> str:
        address = self._targets.address(node)
        if not address and not self._targets.knows(node) and not node.rawsource.startswith("`"):
            return node.rawsource or text  # a word that ends in an underscore
        if not address.startswith(_ABSOLUTE) or " ".join(text.split()) in {address, address.removeprefix("mailto:")}:
            return text
        return f"{text} ({address})" if text.strip() else address

    def _substituted(self, node: nodes.Element) -> str:
        found = self._substitutions.definition(node)
        name = f"|{node.astext()}|"
        if found is None:
            return name
        key, definition = found
        text = self._substitutions.known(key)
        if text is None:
            if not self._substitutions.may_open(key):
                return name
            self._substitutions.open.append(key)
            text = "".join(self.text(child) for child in definition.children)
            self._substitutions.open.pop()
            self._substitutions.keep(key, text)
        if not self._substitutions.afford(text):
            self.warnings["Substitutions that would have made the document too long were left as they are."] = None
            return name
        return text


def alternative(image: nodes.Element) -> str:
    """Return what an image reads as."""
    alt = " ".join(image.get("alt", "").split())
    return f"[image: {alt}]" if alt else ""
