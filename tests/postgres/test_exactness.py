"""The index equals a look at every unit, to the last bit, whatever was put, replaced and removed before."""

import itertools
from dataclasses import dataclass, replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.ext.asyncio import AsyncEngine

from app.documents.document import Document
from app.errors import DocumentNotFound
from app.ports.term_index import TermSpace
from app.terms.languages import folding_language
from app.terms.postings import unpack
from app.terms.stored import stored_exact, stored_folded
from app.terms.unit_terms import count_terms
from tests.builders import a_document, a_unit
from tests.contract.conftest import Stores
from tests.fakes.document_store import MemoryDocumentStore
from tests.fakes.job_store import MemoryJobStore
from tests.fakes.memory import Memory
from tests.fakes.note_store import MemoryNoteStore
from tests.fakes.term_index import MemoryTermIndex
from tests.postgres.conftest import rows

pytestmark = pytest.mark.anyio

WORDS = (
    *("pump", "pumps", "valve", "Valves", "the", "of", "running", "run", "ERR-4042", "err", "getUserName", "name"),
    *("café", "cafe\u0301", "Häuser", "Haus", "水泵", "第一条水泵", "v1.4.2", "4", "x", "İstanbul", "a_b", "ß"),
)
NAMES = ("a", "b", "c", "d")
_collections = itertools.count()

texts = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
queries = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)


@dataclass(frozen=True)
class Put:
    name: str
    language: str | None
    texts: tuple[str, ...]
    path: tuple[str, ...]

    def document(self) -> Document:
        units = [a_unit(text, id=f"p{number}", path=self.path) for number, text in enumerate(self.texts, start=1)]
        return a_document(id=self.name, units=units, language=self.language)


puts = st.builds(
    Put,
    name=st.sampled_from(NAMES),
    language=st.sampled_from([None, "en", "de-DE", "tr", "zh"]),
    texts=st.lists(texts, max_size=4).map(tuple),
    path=st.sampled_from([(), ("Pumps", "Valves")]),
)
steps = st.lists(st.one_of(puts, puts, st.sampled_from(NAMES)), min_size=1, max_size=7)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=steps,
    questions=st.lists(queries, min_size=1, max_size=3),
    scope=st.none() | st.lists(st.sampled_from((*NAMES, "nowhere")), max_size=3),
    limit=st.integers(1, 6),
)
async def test_search_equals_a_look_at_every_unit(
    stores: Stores,
    engine: AsyncEngine,
    steps: list[Put | str],
    questions: list[str],
    scope: list[str] | None,
    limit: int,
) -> None:
    collection = f"c{next(_collections)}"
    memory = Memory()
    expected = Stores(
        MemoryDocumentStore(memory), MemoryJobStore(memory), MemoryTermIndex(memory), MemoryNoteStore(memory)
    )
    for step in steps:
        for each in (stores, expected):
            await take(each, collection, step)
    for question, space in itertools.product(questions, TermSpace):
        found = await stores.index.search(collection, question, space=space, limit=limit, documents=scope)
        right = await expected.index.search(collection, question, space=space, limit=limit, documents=scope)
        assert [described(hit) for hit in found.hits] == [described(hit) for hit in right.hits]
        assert found.unknown_documents == tuple(dict.fromkeys(right.unknown_documents))
    assert await indexed(engine, collection) == rebuilt(memory, collection)


async def take(stores: Stores, collection: str, step: Put | str) -> None:
    """Put a document, or remove the one named."""
    if isinstance(step, Put):
        await stores.put(step.document(), collection=collection)
        return
    try:
        await stores.documents.remove(collection, step)
    except DocumentNotFound:
        return


def described(hit: object) -> object:
    # Keys and times differ between the stores; the order of keys does not.
    return replace(hit, document_key=0, updated_at=None)  # type: ignore[type-var]  # a hit, without what differs


async def indexed(engine: AsyncEngine, collection: str) -> dict[tuple[str, str, int], tuple[int, int]]:
    """Every posting of a collection: (document, term, ordinal) to (count, length)."""
    postings = await rows(
        engine,
        """
        SELECT p.term, p.code, p.df, p.data FROM postings p JOIN collections c ON c.id = p.collection_id
        WHERE c.name = :collection
        """,
        collection=collection,
    )
    names = dict(
        await rows(
            engine,
            """
            SELECT d.key, d.id FROM documents d JOIN collections c ON c.id = d.collection_id
            WHERE c.name = :collection
            """,
            collection=collection,
        )
    )
    found = {}
    for term, code, df, data in postings:
        records = unpack(code, data)
        assert len(records) == df
        for document, ordinal, count, length in records.tolist():
            found[names[document], term, ordinal] = (count, length)
    return found


def rebuilt(memory: Memory, collection: str) -> dict[tuple[str, str, int], tuple[int, int]]:
    """The same, from the documents."""
    found = {}
    for row in memory.live(collection):
        assert row.document is not None
        folding = folding_language(row.document.language)
        for ordinal, terms in enumerate(count_terms(row.document.units, row.document.language)):
            for term, count in terms.exact.items():
                found[row.id, stored_exact(term), ordinal] = (count, terms.exact_length)
            for term, count in terms.folded.items():
                found[row.id, stored_folded(term, folding), ordinal] = (count, terms.folded_length)
    return found
