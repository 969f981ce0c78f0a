"""What stands around a passage: its section, and the steps before and after it (retrieval design, "Retrieval", step 4).

All of it is told from units of the passage's document that stand near it, in document order, the passage among them.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence

import regex

from app.documents.document import UnitHit
from app.retrieval.own_text import heading_end
from app.retrieval.questions import Direction, Scope
from app.text.tokens import approximate_tokens

#: Units that a whole section, or all the steps, may take: those nearest to the best one.
SECTION_UNITS = 30
#: How far from the best ones a step may be that is asked about.
STEP_REACH = 2
#: A passage of fewer tokens is no step: a heading's only line, or a word on its own.
SHORTEST_STEP_TOKENS = 25
#: How far is looked for a neighbour that is long enough.
NEIGHBOUR_REACH = 6

_STEP_HEADING = regex.compile(r"(?i)^\W*(?:step|schritt|étape|etape|paso|passo|stap)\s*\d")


def section(best: UnitHit, nearby: Sequence[UnitHit], scope: Scope) -> list[UnitHit]:
    """The units around `best` under its headings, at most `SECTION_UNITS`, itself among them.

    For all the steps a last heading such as `Step 3` doesn't count: it is the procedure's heading that holds them.
    """
    headings = best.unit.path
    if scope is Scope.ALL_STEPS and headings and _STEP_HEADING.match(headings[-1]):
        headings = headings[:-1]
    before = [hit for hit in _of_document(best, nearby) if hit.ordinal < best.ordinal]
    after = [hit for hit in _of_document(best, nearby) if hit.ordinal > best.ordinal]
    found = [best, *_run(reversed(before), headings), *_run(iter(after), headings)]
    nearest = sorted(found, key=lambda hit: (abs(hit.ordinal - best.ordinal), hit.ordinal))[:SECTION_UNITS]
    return sorted(nearest, key=lambda hit: hit.ordinal)


def neighbour(
    step: UnitHit, direction: Direction, nearby: Sequence[UnitHit], *, chars_per_token: float
) -> UnitHit | None:
    """The nearest passage after, or before, a step that is long enough to be one; None when there is none."""
    own = _of_document(step, nearby)
    if direction is Direction.NEXT:
        in_order = [hit for hit in own if hit.ordinal > step.ordinal]
    else:
        in_order = [hit for hit in reversed(own) if hit.ordinal < step.ordinal]
    return next((hit for hit in in_order if _is_long_enough(hit, chars_per_token)), None)


def steps_beside(known: UnitHit, nearby: Sequence[UnitHit]) -> list[UnitHit]:
    """The passages that stand at most `STEP_REACH` places from a known one, without it."""
    return [hit for hit in _of_document(known, nearby) if 0 < abs(hit.ordinal - known.ordinal) <= STEP_REACH]


def _of_document(hit: UnitHit, nearby: Sequence[UnitHit]) -> list[UnitHit]:
    return [one for one in nearby if (one.collection, one.document) == (hit.collection, hit.document)]


def _run(hits: Iterable[UnitHit], headings: tuple[str, ...]) -> Iterator[UnitHit]:
    return itertools.takewhile(lambda hit: hit.unit.path[: len(headings)] == headings, hits)


def _is_long_enough(hit: UnitHit, chars_per_token: float) -> bool:
    own = hit.unit.text[heading_end(hit.unit) :]
    return approximate_tokens(own, chars_per_token) >= SHORTEST_STEP_TOKENS
