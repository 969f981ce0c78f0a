"""What a reader is: the names it answers to, and the function that reads."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from app.documents.markup import Parsed
from app.ports.reader_runner import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """A format with its names and the function that turns its bytes into blocks, or into subtrees.

    The function raises `BadInput`'s subclasses and nothing else on purpose.
    """

    format: str
    #: Without the first dot, lower case: `md`, `jsonl.gz`.
    extensions: tuple[str, ...] = ()
    media_types: tuple[str, ...] = ()
    read: Callable[[Source], Parsed]
    #: True for data files: they become subtrees, and can't be had as blocks.
    data: bool = False
    #: Tells from the first bytes, and the same as text, that a document nobody named is of this format.
    looks_like: Callable[[bytes, str], bool] | None = None
    #: True when documents of this format are bytes that are no text; such a reader gets text never, bytes of any kind.
    binary: bool = False
    #: True when documents of a text format may come gzipped; such a reader unpacks them.
    gzipped: bool = False
    #: True when the format says who speaks, so that names in front of paragraphs are left alone.
    knows_speakers: bool = False
    #: What a document of this format may hold at most, beside the limits of time, memory and upload; published.
    limits: Mapping[str, int] = field(default_factory=dict)
