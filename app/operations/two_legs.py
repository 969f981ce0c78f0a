"""Asking the term index and the caller's vector search at once (retrieval design, "Retrieval", step 1)."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.documents.document import UnitHit
from app.errors import FieldError, InvalidRequest, Unavailable
from app.ports.clock import Clock
from app.ports.document_store import DocumentStore
from app.ports.term_index import TermIndex, TermSpace
from app.ports.vector_search import VectorSearch
from app.retrieval.candidates import key_of
from app.retrieval.fusion import UnitKey

#: Seconds that a question waits for the vector search, however patient the adapter is.
NEAREST_SECONDS = 5.0


class Nearest(StrEnum):
    """What became of the vector search."""

    #: None is configured.
    OFF = "off"
    USED = "used"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True, slots=True)
class Legs:
    """What both searches found, best first."""

    lexical: tuple[UnitHit, ...]
    nearest: tuple[UnitKey, ...]
    state: Nearest
    #: Document ids in the question that the collection doesn't hold.
    unknown_documents: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One search: whose documents, for what, how many hits of each leg."""

    collection: str
    query: str
    #: The query as the vector search gets it; the term index may do without common words.
    query_in_full: str
    space: TermSpace
    limit: int
    nearest_limit: int
    documents: tuple[str, ...] | None


async def ask_both(asked: Asked, term_index: TermIndex, vector_search: VectorSearch | None, clock: Clock) -> Legs:
    """Ask both searches at once. The vector search can fail or be slow without failing the question."""
    documents = distinct(asked.documents)
    found, (nearest, state) = await asyncio.gather(
        term_index.search(asked.collection, asked.query, space=asked.space, limit=asked.limit, documents=documents),
        _neighbours(asked, documents, vector_search, clock),
    )
    return Legs(found.hits, nearest, state, found.unknown_documents)


async def hits_by_key(
    legs: Legs, keys: Sequence[UnitKey], collection: str, store: DocumentStore
) -> dict[UnitKey, UnitHit]:
    """Look up the units of a collection: in what the term index returned, and the rest of them in one query."""
    hits = {key_of(hit): hit for hit in legs.lexical}
    missing = [(document, unit) for _, document, unit in (key for key in keys if key not in hits)]
    if missing:
        hits |= {key_of(hit): hit for hit in await store.units_by_id(collection, missing)}
    return hits


def unknown_document_warnings(unknown: Sequence[str]) -> tuple[str, ...]:
    """One sentence per document id that no collection of the question holds (ruling 17)."""
    return tuple(f"Document {name!r} is not in the collection." for name in unknown)


def distinct(documents: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """Document ids without repeats, in order."""
    return None if documents is None else tuple(dict.fromkeys(documents))


def refuse_blank(query: str) -> None:
    """Check that there is a query.

    Raises:
        InvalidRequest: it is empty or nothing but white space.
    """
    if not query.strip():
        detail = "The query is blank: say what to look for."
        raise InvalidRequest(detail, errors=(FieldError("/query", detail),))


async def _neighbours(
    asked: Asked, documents: tuple[str, ...] | None, vector_search: VectorSearch | None, clock: Clock
) -> tuple[tuple[UnitKey, ...], Nearest]:
    if vector_search is None:
        return (), Nearest.OFF
    search = asyncio.ensure_future(
        vector_search.neighbours(asked.collection, asked.query_in_full, limit=asked.nearest_limit, documents=documents)
    )
    patience = asyncio.ensure_future(clock.sleep(NEAREST_SECONDS))
    try:
        await asyncio.wait({search, patience}, return_when=asyncio.FIRST_COMPLETED)
        if not search.done():
            return (), Nearest.UNAVAILABLE
        found = search.result()
    except Unavailable:
        return (), Nearest.UNAVAILABLE
    finally:
        search.cancel()
        patience.cancel()
        await asyncio.gather(search, patience, return_exceptions=True)
    allowed = None if documents is None else set(documents)
    keys = [(asked.collection, str(document), str(unit)) for document, unit in found]
    return tuple(key for key in keys if allowed is None or key[1] in allowed)[: asked.nearest_limit], Nearest.USED
