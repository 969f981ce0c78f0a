"""Notes whose bodies the source keeps apart (readers design, section 5, "Notes")."""

from collections.abc import Iterator, Sequence

from app.readers.list_tree import ItemContent
from app.readers.pandoc_marks import NOTE_LABEL


class Notes:
    """Bodies of notes, by label, in the order of their first marks."""

    def __init__(self) -> None:
        self._bodies: dict[str, list[ItemContent]] = {}

    def __contains__(self, label: str) -> bool:
        return label in self._bodies

    def take(self, body: Sequence[ItemContent]) -> str | None:
        """Keep a note's body for the end and return its mark; None for a note written in place."""
        label = NOTE_LABEL.match(body[0]) if body and isinstance(body[0], str) else None
        if label is None:
            return None
        if label[1] not in self._bodies:
            rest = label.string[label.end() :]
            self._bodies[label[1]] = [*([rest] if rest else []), *body[1:]]
        return f"[{label[1]}]"

    def contents(self) -> Iterator[ItemContent]:
        """Yield the notes: a paragraph each, and behind it what is none."""
        for label, body in self._bodies.items():
            texts = [part for part in body if isinstance(part, str)]
            yield " ".join([f"[{label}]", *texts])
            yield from (part for part in body if not isinstance(part, str))
