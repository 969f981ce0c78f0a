"""Links from a passage to the one that defines a term it uses (retrieval design, "Links of prose").

Two rounds: which passages define terms; then, only of passages that share a distinctive term with one of those, whether
they use what it defines. Pairs are found through the terms, never by comparing all passages with each other.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.documents.chunk import Chunk
from app.documents.decision import Answer
from app.documents.profile import Profile
from app.linking.asking import answered_yes, in_batches
from app.linking.defined_terms import defined_terms
from app.linking.questions import DefinesTerms, UsesDefinedTerm
from app.terms.exact import exact_terms

#: Profiles whose passages define terms and use them (retrieval design, "Profiles").
DEFINING = frozenset({Profile.NORMATIVE})
ASKED_CHARS = 500
USE_CHARS = 500
DEFINITION_CHARS = 700
CANDIDATES_IN_A_BATCH = 30
PAIRS_IN_A_BATCH = 25
#: A distinctive term has so many characters, and occurs in so many passages or this share of them.
TERM_CHARS = 4
FEW_PASSAGES = 2
FEW_SHARE = 5


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage that may define terms, by its position."""

    position: int
    question: DefinesTerms


@dataclass(frozen=True, slots=True)
class Pair:
    """A passage that may use what another one defines, by their positions."""

    use: int
    definition: int
    question: UsesDefinedTerm


def candidates(chunks: Sequence[Chunk], profiles: Sequence[Profile]) -> list[Candidate]:
    """Return the passages to ask about in the first round; none when there are no two that could be linked."""
    found = [
        Candidate(position, DefinesTerms(f"{chunk.header}\n\n{chunk.content}".lstrip()[:ASKED_CHARS]))
        for position, (chunk, profile) in enumerate(zip(chunks, profiles, strict=True))
        if profile in DEFINING
    ]
    return found if len(found) > 1 else []


def candidate_batches(asked: Sequence[Candidate]) -> list[Sequence[DefinesTerms]]:
    """Return the first round's questions in batches."""
    return in_batches([candidate.question for candidate in asked], CANDIDATES_IN_A_BATCH)


def defining(asked: Sequence[Candidate], answers: Sequence[Sequence[Answer | None]]) -> list[int]:
    """Return the positions of the passages that define terms; one without an answer defines none."""
    return [candidate.position for candidate, yes in zip(asked, answered_yes(answers), strict=True) if yes]


def pairs(
    chunks: Sequence[Chunk], profiles: Sequence[Profile], definitions: Sequence[int], *, limit: int
) -> list[Pair]:
    """Return the pairs to ask about in the second round, definition by definition.

    Args:
        chunks: The document's passages.
        profiles: Their profiles.
        definitions: Positions of the passages that define terms.
        limit: Questions that may be asked. Once there are more pairs the rest is left out, as none will be asked; only
            a text that repeats itself has fewer questions than pairs, and then those found are asked.
    """
    terms = [_terms(chunk) for chunk in chunks]
    users = _users(terms, profiles, definitions)
    found: list[Pair] = []
    for definition in definitions:
        if len(found) > limit:
            break
        found += [
            Pair(use, definition, _question(chunks[use].content, chunks[definition].content, term))
            for use, term in _sharing(chunks[definition], terms[definition], users).items()
            if use != definition
        ]
    return found


def pair_batches(asked: Sequence[Pair]) -> list[Sequence[UsesDefinedTerm]]:
    """Return the second round's questions in batches."""
    return in_batches([pair.question for pair in asked], PAIRS_IN_A_BATCH)


def defined(asked: Sequence[Pair], answers: Sequence[Sequence[Answer | None]]) -> list[tuple[int, int]]:
    """Return (use, definition) positions for every yes in order; an unanswered pair has no link."""
    return sorted((pair.use, pair.definition) for pair, yes in zip(asked, answered_yes(answers), strict=True) if yes)


def _terms(chunk: Chunk) -> dict[str, None]:
    """Return a passage's terms that are long enough, each once, in order."""
    return dict.fromkeys(term for term in exact_terms(chunk.content) if len(term) >= TERM_CHARS)


def _users(
    terms: Sequence[Iterable[str]], profiles: Sequence[Profile], definitions: Iterable[int]
) -> dict[str, list[int]]:
    """Return the passages that hold each distinctive term of the definitions."""
    counts = Counter(term for passage in terms for term in passage)
    most = max(FEW_PASSAGES, len(terms) // FEW_SHARE)
    users: dict[str, list[int]] = {
        term: [] for position in definitions for term in terms[position] if counts[term] <= most
    }
    for position, profile in enumerate(profiles):
        if profile in DEFINING:
            for term in terms[position]:
                if term in users:
                    users[term].append(position)
    return users


def _sharing(definition: Chunk, terms: Iterable[str], users: dict[str, list[int]]) -> dict[int, str]:
    """Return the passages that share a distinctive term with a definition, and the term by which to ask.

    That is one of those it seems to define, else the rarest.
    """
    shared = [term for term in terms if term in users]
    likely = {word for term in defined_terms(definition.content) for word in exact_terms(term)}
    shared.sort(key=lambda term: (term not in likely, len(users[term])))
    found: dict[int, str] = {}
    for term in shared:
        for position in users[term]:
            found.setdefault(position, term)
    return dict(sorted(found.items()))


def _question(use: str, definition: str, term: str) -> UsesDefinedTerm:
    return UsesDefinedTerm(
        passage=_around(use, term, USE_CHARS), definition=_around(definition, term, DEFINITION_CHARS)
    )


def _around(text: str, term: str, chars: int) -> str:
    """Return so many characters of a text: its start, or a later stretch when the term first stands beyond it."""
    if len(text) <= chars:
        return text
    found = re.search(rf"(?<![^\W_]){term}(?![^\W_])", text.lower())
    if found is None or found.end() <= chars:
        return text[:chars]
    start = min(found.start() - chars // 4, len(text) - chars)
    return text[start : start + chars]
