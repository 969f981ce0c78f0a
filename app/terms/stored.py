"""How terms are written in the index: both spaces share one column.

An exact term stands as it is. A folded one is marked with the language it was folded by, so that `~en:pump` and
`~de:pump` are counted apart. A term too long for an index entry is stood for by its hash. Neither `~` nor `#` occurs
in a term.
"""

import hashlib
from collections.abc import Iterable

from app.terms.exact import exact_terms
from app.terms.folded import folded_terms

#: Bytes that a stored term may have; PostgreSQL's index entries hold 2,704.
_LONGEST = 200


def stored_exact(term: str) -> str:
    """Return an exact term as the index holds it."""
    return _bounded("", term)


def stored_folded(term: str, folding: str) -> str:
    """Return a folded term as the index holds it, for the language that folded it."""
    return _bounded(f"~{folding}:", term)


def exact_query(query: str) -> list[str]:
    """Return the distinct terms of a question in the exact space, in byte order."""
    return sorted({stored_exact(term) for term in exact_terms(query)})


def folded_query(query: str, foldings: Iterable[str]) -> list[str]:
    """Return the distinct terms of a question in the folded space, folded once per language, in byte order."""
    return sorted({stored_folded(term, folding) for folding in foldings for term in folded_terms(query, folding)})


def _bounded(prefix: str, term: str) -> str:
    if len(term) * 4 <= _LONGEST or len(term.encode()) <= _LONGEST:
        return prefix + term
    return f"{prefix}#{hashlib.sha256(term.encode()).hexdigest()}"
