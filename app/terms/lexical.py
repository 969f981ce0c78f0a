"""The `lexical` object of a stored document (documents design, format 2). It is computed, not stored."""

from collections import Counter
from collections.abc import Iterable

from app.documents.document import Unit
from app.documents.values import JsonObject
from app.terms.exact import exact_terms
from app.terms.unit_terms import searched_text


def lexical(units: Iterable[Unit]) -> JsonObject:
    """Return `length` (exact terms of each unit) and `terms` (count of each term in each unit), terms in byte order."""
    lengths: dict[str, int] = {}
    counts: dict[str, dict[str, int]] = {}
    for unit in units:
        terms = Counter(exact_terms(searched_text(unit)))
        lengths[unit.id] = terms.total()
        for term, count in terms.items():
            counts.setdefault(term, {})[unit.id] = count
    # Code points sort as their UTF-8 bytes do.
    return {"length": lengths, "terms": {term: counts[term] for term in sorted(counts)}}
