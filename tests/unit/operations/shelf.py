"""A collection of documents in memory that notes how often it is asked."""

from collections.abc import Sequence

from app.documents.document import Document, LinkType, UnitHit
from app.ports.term_index import TermSearch, TermSpace
from tests.builders import A_MOMENT
from tests.fakes.document_store import MemoryDocumentStore
from tests.fakes.memory import Memory, MemoryDocument
from tests.fakes.term_index import MemoryTermIndex


class Shelf(MemoryDocumentStore):
    """Documents of the collection `default`, and their term index."""

    def __init__(self, documents: Sequence[Document]) -> None:
        memory = Memory()
        for key, document in enumerate(documents, start=1):
            memory.documents["default", document.id] = MemoryDocument(
                collection="default",
                key=key,
                id=document.id,
                accepted_version=1,
                live_version=1,
                document=document,
                created_at=A_MOMENT,
                updated_at=A_MOMENT,
            )
        super().__init__(memory)
        self.index = MemoryTermIndex(memory)
        #: Names of the calls, in order: one each is one trip to a database.
        self.calls: list[str] = []
        self.queries: list[str] = []

    async def search(
        self, collection: str, query: str, *, space: TermSpace, limit: int, documents: Sequence[str] | None
    ) -> TermSearch:
        self.calls.append("search")
        self.queries.append(query)
        return await self.index.search(collection, query, space=space, limit=limit, documents=documents)

    async def units_by_id(self, collection: str, ids: Sequence[tuple[str, str]]) -> Sequence[UnitHit]:
        self.calls.append("units_by_id")
        return await super().units_by_id(collection, ids)

    async def linked(self, units: Sequence[UnitHit], types: Sequence[LinkType]) -> Sequence[tuple[UnitHit, UnitHit]]:
        self.calls.append("linked")
        return await super().linked(units, types)
