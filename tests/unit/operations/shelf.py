"""A collection of documents in memory that notes how often it is asked."""

from collections.abc import Sequence

from app.documents.document import Document, LinkType, UnitHit
from app.documents.entry_property import Property
from app.ports.document_store import Linked, Speaker
from app.ports.term_index import TermSearch, TermSpace
from tests.builders import A_MOMENT
from tests.fakes.document_store import MemoryDocumentStore
from tests.fakes.memory import Memory, MemoryDocument
from tests.fakes.term_index import MemoryTermIndex


class Shelf(MemoryDocumentStore):
    """Documents, at first of the collection `default`, and their term index."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self.memory = Memory()
        super().__init__(self.memory)
        self.index = MemoryTermIndex(self.memory)
        for document in documents:
            self.add(document)
        #: Names of the calls, in order: one each is one trip to a database.
        self.calls: list[str] = []
        self.queries: list[str] = []

    def add(self, document: Document, *, collection: str = "default") -> None:
        self.memory.documents[collection, document.id] = MemoryDocument(
            collection=collection,
            key=len(self.memory.documents) + 1,
            id=document.id,
            accepted_version=1,
            live_version=1,
            document=document,
            created_at=A_MOMENT,
            updated_at=A_MOMENT,
        )

    async def search(
        self, collection: str, query: str, *, space: TermSpace, limit: int, documents: Sequence[str] | None
    ) -> TermSearch:
        self.calls.append("search")
        self.queries.append(query)
        return await self.index.search(collection, query, space=space, limit=limit, documents=documents)

    async def units_by_id(self, collection: str, ids: Sequence[tuple[str, str]]) -> Sequence[UnitHit]:
        self.calls.append("units_by_id")
        return await super().units_by_id(collection, ids)

    async def linked(
        self, units: Sequence[UnitHit], types: Sequence[LinkType], *, arriving: Sequence[LinkType] = ()
    ) -> Sequence[Linked]:
        self.calls.append("linked")
        return await super().linked(units, types, arriving=arriving)

    async def entries_named(self, documents: Sequence[UnitHit], text: str) -> Sequence[UnitHit]:
        self.calls.append("entries_named")
        return await super().entries_named(documents, text)

    async def properties_held(self, documents: Sequence[UnitHit], text: str) -> Sequence[Property]:
        self.calls.append("properties_held")
        return await super().properties_held(documents, text)

    async def entries_with(self, documents: Sequence[UnitHit], wanted: Property, limit: int) -> Sequence[UnitHit]:
        self.calls.append("entries_with")
        return await super().entries_with(documents, wanted, limit)

    async def outcome_parts(self, documents: Sequence[UnitHit]) -> Sequence[UnitHit]:
        self.calls.append("outcome_parts")
        return await super().outcome_parts(documents)

    async def speakers(self, documents: Sequence[UnitHit]) -> Sequence[Speaker]:
        self.calls.append("speakers")
        return await super().speakers(documents)

    async def said_by(self, documents: Sequence[UnitHit], speaker: str) -> Sequence[UnitHit]:
        self.calls.append("said_by")
        return await super().said_by(documents, speaker)

    async def turns(self, units: Sequence[UnitHit], steps: int) -> Sequence[UnitHit]:
        self.calls.append("turns")
        return await super().turns(units, steps)

    async def corrections(self, units: Sequence[UnitHit]) -> Sequence[tuple[UnitHit, UnitHit]]:
        self.calls.append("corrections")
        return await super().corrections(units)

    async def around(self, units: Sequence[UnitHit], reach: int) -> Sequence[UnitHit]:
        self.calls.append("around")
        return await super().around(units, reach)
