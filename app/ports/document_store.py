"""The port to stored documents and their units."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from app.documents.document import Document, DocumentSummary, LinkType, Page, StoredDocument, UnitHit
from app.documents.entry_property import Property
from app.documents.job import Claim, Job, JobResult

#: A schema may be referred to by thousands of units: so many links of a type leave a unit, or arrive, for `linked`.
MOST_LINKED = 50
#: Entries or properties that a text may match, for `entries_named` and `properties_held`.
MOST_MATCHES = 60


@dataclass(frozen=True, slots=True)
class Linked:
    """A unit at the other end of a link from or to a unit that was asked about."""

    type: LinkType
    #: The unit that was asked about.
    unit: UnitHit
    other: UnitHit
    #: Whether the link leads from the other one to the unit that was asked about.
    arrives: bool = False


class DocumentStore(Protocol):
    """Keeps documents with their units, links and postings. `put` replaces, and readers never see half of it."""

    async def replace(self, claim: Claim, document: Document, result: JobResult) -> Job:
        """Make `document` the live version and finish the job, in one transaction; return the finished job.

        Units whose text equals a unit of the version before keep that unit's id (ruling 15). A claim whose version has
        been overtaken by a later committed one, or whose document was deleted after it was accepted, changes nothing:
        the job ends succeeded with `superseded`, or cancelled.

        Raises:
            LeaseLost: another worker has taken the job over.
            JobCancelled: the job was asked to stop before the commit.
        """
        ...

    async def document(self, collection: str, document: str) -> StoredDocument:
        """Return the live version of a document.

        Raises:
            DocumentNotFound: the collection holds no such document.
        """
        ...

    async def documents(self, collection: str, page: Page) -> tuple[Sequence[DocumentSummary], str | None]:
        """Return a page of live documents ordered by id, and the next cursor or None. An unknown collection is empty.

        Raises:
            InvalidRequest: the cursor is not one that this method returned.
        """
        ...

    async def remove(self, collection: str, document: str, *, if_version: int | None = None) -> None:
        """Remove a document at once; jobs accepted for it earlier end cancelled.

        Raises:
            DocumentNotFound: there is no such document, nor a job that would make it.
            PreconditionFailed: the live version is not `if_version`.
        """
        ...

    async def units(self, collection: str, document: str, page: Page) -> tuple[Sequence[UnitHit], str | None]:
        """Return a page of a document's units in document order, and the next cursor or None.

        Raises:
            DocumentNotFound: the collection holds no such document.
            InvalidRequest: the cursor is not one that this method returned, or the document changed since.
        """
        ...

    async def units_by_id(self, collection: str, ids: Sequence[tuple[str, str]]) -> Sequence[UnitHit]:
        """Return the live units named by (document id, unit id), in the order asked; unknown ones are left out."""
        ...

    async def linked(
        self, units: Sequence[UnitHit], types: Sequence[LinkType], *, arriving: Sequence[LinkType] = ()
    ) -> Sequence[Linked]:
        """Return every link of `types` that leaves one of `units`, and of `arriving` that ends at one, in one query.

        They come in the order of `units`; those of one unit that leave it before those that arrive, by type and
        position of the other end, `MOST_LINKED` of a type and direction at most. Links of a document that has another
        version by now are left out.
        """
        ...

    async def entries_named(self, documents: Sequence[UnitHit], text: str) -> Sequence[UnitHit]:
        """Return entries of the documents of `documents` whose own names stand in `text`, in one query.

        A name without its owner's is looked for, in any case and anywhere in the text; the longest names come first,
        `MOST_MATCHES` of them. Entries of a document that has another version by now are left out, here and below.
        """
        ...

    async def properties_held(self, documents: Sequence[UnitHit], text: str) -> Sequence[Property]:
        """Return the field values of these documents' entries that stand in `text`, with how many entries have each.

        A version is looked for by its number. The longest come first, `MOST_MATCHES` of them, in one query.
        """
        ...

    async def entries_with(self, documents: Sequence[UnitHit], wanted: Property, limit: int) -> Sequence[UnitHit]:
        """Return these documents' entries that have a value in a field, in document order, in one query."""
        ...

    async def around(self, units: Sequence[UnitHit], reach: int) -> Sequence[UnitHit]:
        """Return the units at most `reach` places from one of `units` in its document, these among them, in one query.

        Each comes once, in document order. Units of a document that has another version by now are left out.
        """
        ...
