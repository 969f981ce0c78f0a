"""Properties of reference entries (retrieval design, "Reference sections become entries")."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Property:
    """A value that entries have in one of their fields, with how many have it."""

    field: str
    value: str
    entries: int
