"""Links from a passage to what it refers to by number or heading: parsed, never asked (retrieval design)."""

from collections.abc import Sequence

from app.documents.chunk import Chunk
from app.documents.profile import Profile
from app.linking.heading_references import Headings
from app.linking.numbered_parts import NumberedParts
from app.linking.references import Reference, references

#: Profiles whose passages refer to numbered parts (retrieval design, "Profiles").
REFERRING = frozenset({Profile.NORMATIVE, Profile.PROCEDURAL})
#: Links that leave one passage; a table of contents is no reason to read everything.
MAX_LINKS = 50


def referred(chunks: Sequence[Chunk], profiles: Sequence[Profile]) -> list[tuple[int, int]]:
    """Return (from, to) chunk positions in order, none twice and none to itself."""
    if REFERRING.isdisjoint(profiles):
        return []
    parts, headings = NumberedParts(chunks), Headings(chunks)
    found: list[tuple[int, int]] = []
    for position, (chunk, profile) in enumerate(zip(chunks, profiles, strict=True)):
        if profile in REFERRING:
            targets = [target for target in _targets(chunk, parts, headings) if target != position]
            found += [(position, target) for target in sorted(targets[:MAX_LINKS])]
    return found


def _targets(chunk: Chunk, parts: NumberedParts, headings: Headings) -> dict[int, None]:
    """Return the positions that a passage refers to, in the order in which it does."""
    found: dict[int, None] = {}
    seen: set[Reference] = set()
    for reference in references(chunk.content):
        if reference not in seen:
            seen.add(reference)
            found |= dict.fromkeys(parts.of(reference, chunk.path))
    for positions in headings.referred_to(chunk.content):
        found |= dict.fromkeys(positions)
    return found
