"""How a document is cut by strategy `budget` (chunking design, "Strategy budget"; seed 004)."""

from dataclasses import dataclass
from enum import StrEnum

#: Sizes that a chunk may be asked to have; others are clamped.
LEAST_SIZE = 32
MOST_SIZE = 200_000


#: Stands where an encoding is named: tokens are approximated, which needs no vocabulary and is quicker.
APPROXIMATE = "approximate"


class Unit(StrEnum):
    """What sizes are counted in."""

    CHARS = "chars"
    TOKENS = "tokens"


class Embed(StrEnum):
    """What a chunk's `text` holds."""

    FULL = "full"
    CONTEXT = "context"
    CONTENT = "content"


class HeaderStyle(StrEnum):
    """Which headings stand in front of a chunk."""

    TREE = "tree"
    NEAREST = "nearest"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetOptions:
    """Options that agree with each other, none left open: sizes lie within their bounds."""

    unit: Unit = Unit.CHARS
    chunk_size: int = 1024
    overlap: int = 128
    min_chunk_size: int = 256
    #: Name of the encoding that tokens are counted in.
    encoding: str = "cl100k_base"
    embed: Embed = Embed.FULL
    header: HeaderStyle = HeaderStyle.TREE
    split_on_headings: bool = True
    strip_data_uri: bool = True
    strip_html_comments: bool = True
    #: Room kept in every chunk for a note that is written later, in the unit (ruling 6).
    reserved: int = 0
