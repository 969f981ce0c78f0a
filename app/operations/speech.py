"""The conversations in a document: which sections they are, and their turns (conversations design, b and c.1)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from app.chunking.cutting import words
from app.chunking.measure import ApproximateTokens
from app.chunking.sections import split_sections
from app.conversations.appending import Lead
from app.conversations.cutting import CHARS_PER_TOKEN, PART_TOKENS
from app.conversations.parts import TurnPart
from app.conversations.turns import Stretch, turn_parts
from app.documents.block import Block
from app.documents.profile import Profile
from app.profiling.sections import Division, divide
from app.profiling.speech import spoken_titles
from app.text.tokens import approximate_tokens

_MEASURE = ApproximateTokens(CHARS_PER_TOKEN)


@dataclass(frozen=True, slots=True)
class Speech:
    """What of a document is conversation, and how the whole divides into sections."""

    division: Division
    parts: tuple[TurnPart, ...]
    #: Tokens of the sections that are conversations, by title.
    tokens: Mapping[str, int]

    @property
    def is_all(self) -> bool:
        """True when every section is a conversation."""
        return bool(self.tokens) and len(self.tokens) == len(self.division.titles)


def find_speech(blocks: Sequence[Block], title: str, named: Profile | None) -> Speech:
    """Return a document's conversations.

    Args:
        blocks: All of the document.
        title: The document's.
        named: The profile that the caller named for the whole of it, or None when its speakers tell.
    """
    found, _ = split_sections(blocks)
    stretches = [
        # Names are for chunks put in front of what is said; here the words are wanted as they are.
        Stretch(section.path, tuple((body.index, blocks[body.index]) for body in section.body))
        for section in found
    ]
    division = divide([stretch.path for stretch in stretches], title)
    titles = _spoken(stretches, division, named)
    parts = turn_parts((each for each in stretches if division.title_of(each.path) in titles), _cut_run)
    tokens = dict.fromkeys((each for each in division.titles if each in titles), 0)
    for part in parts:
        tokens[division.title_of(part.path)] += approximate_tokens(part.text, CHARS_PER_TOKEN)
    return Speech(division, parts, tokens)


def speech_behind(blocks: Sequence[Block], title: str, lead: Lead) -> Speech:
    """Return the conversations of blocks whose first ones go on with a stored conversation (section d).

    The division is that of the rest.
    """
    said = [(index, blocks[index]) for index in range(lead.start, lead.end) if blocks[index].text.strip()]
    parts = turn_parts((Stretch(lead.path, said),), _cut_run)
    emptied = [replace(block, text="") for block in blocks[lead.start : lead.end]]
    rest = find_speech((*blocks[: lead.start], *emptied, *blocks[lead.end :]), title, None)
    moved = (replace(part, turn=part.turn + len(parts)) for part in rest.parts)
    return replace(rest, parts=(*parts, *moved))


def without_speech(blocks: Sequence[Block], speech: Speech) -> tuple[Block, ...]:
    """Return the blocks with those of conversations emptied, so that the others keep their indexes."""
    spoken = {index for part in speech.parts for index in part.blocks}
    return tuple(replace(block, text="") if index in spoken else block for index, block in enumerate(blocks))


def _spoken(stretches: Iterable[Stretch], division: Division, named: Profile | None) -> Collection[str]:
    if named is not None:
        return division.titles if named is Profile.CONVERSATIONAL else ()
    return spoken_titles(((each.path, [block for _, block in each.blocks]) for each in stretches), division)


def _cut_run(text: str, start: int, end: int) -> Iterable[tuple[int, int]]:
    return words(text, start, end, PART_TOKENS, _MEASURE)
