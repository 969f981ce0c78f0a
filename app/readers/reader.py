"""What a reader is: the names it answers to, and the function that reads."""

from collections.abc import Callable
from dataclasses import dataclass

from app.documents.block import ParsedDocument
from app.ports.reader_runner import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """A format with its names and the function that turns its bytes into blocks.

    The function raises `BadInput`'s subclasses and nothing else on purpose.
    """

    format: str
    #: Without the dot, lower case.
    extensions: tuple[str, ...] = ()
    media_types: tuple[str, ...] = ()
    read: Callable[[Source], ParsedDocument]
