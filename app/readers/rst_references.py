"""What references and substitutions lead to (readers design, section 12)."""

from itertools import count

from docutils import nodes

#: Names that lead to names, and substitutions in substitutions, are followed so far.
_MOST_STEPS = 20
#: Characters that all substitutions of a document may add up to, and one may have.
_MOST_SUBSTITUTED = 1_000_000
_LONGEST_SUBSTITUTION = 10_000
#: Marks of footnotes that ask for a symbol; then each twice, and so on.
_SYMBOLS = "*\u2020\u2021\u00a7\u00b6#\u2660\u2665\u2666\u2663"


class Targets:
    """The names of a document, and where they lead."""

    def __init__(self, document: nodes.document) -> None:
        self._addresses: dict[str, str] = {}
        self._aliases: dict[str, str] = {}
        self._names: set[str] = set()
        self._anonymous: list[str] = []
        for node in document.findall(nodes.Element):
            names: list[str] = [*node.get("names", ()), *node.get("dupnames", ())]
            self._names.update(names)
            if isinstance(node, nodes.target):
                address = node.get("refuri", "")
                if node.get("anonymous"):
                    self._anonymous.append(address or node.get("refname", ""))
                for name in names:
                    if address:
                        self._addresses.setdefault(name, address)
                    elif "refname" in node:
                        self._aliases.setdefault(name, node["refname"])
        self._next_anonymous = 0

    def address(self, reference: nodes.Element) -> str:
        """Return the address of a reference, or "" for one inside the document."""
        if reference.get("anonymous"):
            self._next_anonymous += 1
            found = self._anonymous[self._next_anonymous - 1 : self._next_anonymous]
            return self._follow(found[0]) if found else ""
        return str(reference.get("refuri") or self._follow(reference.get("refname", "")))

    def knows(self, reference: nodes.Element) -> bool:
        """True when a reference leads somewhere."""
        return bool("refname" not in reference or reference["refname"] in self._names)

    def _follow(self, name: str) -> str:
        for _ in range(_MOST_STEPS):
            if name in self._addresses:
                return self._addresses[name]
            if name not in self._aliases:
                break
            name = self._aliases[name]
        return name if "://" in name or name.startswith("mailto:") else ""


class Substitutions:
    """The substitutions of a document: each is worked out once, and what they add is bounded."""

    def __init__(self, document: nodes.document) -> None:
        self._definitions = document.substitution_defs
        self._names = document.substitution_names
        self._texts: dict[str, str] = {}
        self._left = _MOST_SUBSTITUTED
        #: What is being worked out: a substitution in itself stays a name.
        self.open: list[str] = []

    def definition(self, reference: nodes.Element) -> tuple[str, nodes.Element] | None:
        """Return the name and the definition that a reference means, or None."""
        name = reference["refname"]
        key = name if name in self._definitions else self._names.get(name.lower())
        return None if key is None else (key, self._definitions[key])

    def known(self, key: str) -> str | None:
        """Return the text of a substitution that was worked out before."""
        return self._texts.get(key)

    def may_open(self, key: str) -> bool:
        """True when a substitution can be worked out now."""
        return key not in self.open and len(self.open) < _MOST_STEPS

    def keep(self, key: str, text: str) -> None:
        """Remember the text of a substitution."""
        self._texts[key] = text

    def afford(self, text: str) -> bool:
        """True when a substitution's text may stand in the document once more."""
        self._left -= len(text)
        return self._left >= 0 and len(text) <= _LONGEST_SUBSTITUTION


class NoteLabels:
    """The labels of footnotes and citations, the automatic ones too."""

    def __init__(self, document: nodes.document) -> None:
        notes: list[nodes.Element] = [*document.findall(nodes.footnote), *document.findall(nodes.citation)]
        used = {_own_label(note) for note in notes if "auto" not in note}
        numbers = (number for number in map(str, count(1)) if number not in used)
        symbols = (symbol * times for times in count(1) for symbol in _SYMBOLS)
        named: dict[str, str] = {}
        unnamed: dict[object, list[str]] = {1: [], "*": []}
        #: By label, in the order of the source.
        self.notes: dict[str, nodes.Element] = {}
        for note in notes:
            kind = note.get("auto")
            label = _own_label(note) if kind is None else next(symbols) if kind == "*" else next(numbers)
            self.notes.setdefault(label, note)
            names: list[str] = [*note.get("names", ()), *note.get("dupnames", ())]
            if kind is not None and not names:
                unnamed[kind].append(label)
            for name in names:
                named.setdefault(name, label)
        waiting = {kind: iter(labels) for kind, labels in unnamed.items()}
        self._labels: dict[nodes.Element, str] = {}
        for mark in document.findall(nodes.footnote_reference):
            if "auto" in mark:
                found = named.get(mark["refname"]) if "refname" in mark else next(waiting[mark["auto"]], None)
                self._labels[mark] = found or mark.rawsource.strip("[]_")

    def label(self, mark: nodes.Element) -> str:
        """Return the label of a mark."""
        return self._labels.get(mark) or mark.astext()


def _own_label(note: nodes.Element) -> str:
    return next((child.astext() for child in note.children if isinstance(child, nodes.label)), "")
