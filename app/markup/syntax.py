"""What a parser refuses, and where."""

from dataclasses import dataclass


@dataclass(slots=True)
class BadSyntax(Exception):
    """A text is not of its format. Positions count from 1, in the normalized text."""

    what: str
    line: int | None = None
    column: int | None = None
