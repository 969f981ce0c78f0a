"""The port to stored documents and their units."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from app.documents.document import Document, DocumentSummary, LinkType, Page, StoredDocument, UnitHit
from app.documents.entry_property import Property
from app.documents.growth import Addition, ExportPart, Growing, KeptPart
from app.documents.job import Claim, Job, JobResult

#: A schema may be referred to by thousands of units: so many links of a type leave a unit, or arrive, for `linked`.
MOST_LINKED = 50
#: Entries or properties that a text may match, for `entries_named` and `properties_held`.
MOST_MATCHES = 60
#: Units that a speaker's messages or outcomes may be, for `said_by` and `outcome_parts`.
MOST_SPOKEN = 1_000
#: Speakers that a question is asked about (conversations design, e).
MOST_SPEAKERS = 60
#: Parts of one turn, for `turns`.
MOST_PARTS = 64


@dataclass(frozen=True, slots=True)
class Linked:
    """A unit at the other end of a link from or to a unit that was asked about."""

    type: LinkType
    #: The unit that was asked about.
    unit: UnitHit
    other: UnitHit
    #: Whether the link leads from the other one to the unit that was asked about.
    arrives: bool = False


@dataclass(frozen=True, slots=True)
class Speaker:
    """Somebody who speaks in a conversation."""

    #: What tells speakers apart.
    name: str
    #: As shown to people.
    full_name: str


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

    async def growing(self, collection: str, document: str) -> Growing:
        """Return the live version of a document with what adding to it needs, all of it as of one moment.

        Raises:
            DocumentNotFound: the collection holds no such document.
        """
        ...

    async def append(self, claim: Claim, addition: Addition, result: JobResult) -> Job | None:
        """Add to the live version and finish the job, in one transaction; return the finished job.

        None when the addition was made for a version that is live no more: nothing is changed, the job goes on. A claim
        that was overtaken, or whose document was deleted, ends as `replace` says.

        Raises:
            LeaseLost: another worker has taken the job over.
            JobCancelled: the job was asked to stop before the commit.
        """
        ...

    async def keep_part(self, claim: Claim, document: str, fingerprint: bytes) -> KeptPart | None:
        """Return the part of the claim's export that is live and was made of the same, or None.

        It counts as one of this version of the export from now on.
        """
        ...

    async def put_part(self, claim: Claim, part: ExportPart) -> None:
        """Make one conversation of the claim's export a live document, in a transaction of its own.

        It is removed with the export's own document. A conversation that a later accepted export of the same id has
        already made is left as it is.

        Raises:
            LeaseLost: another worker has taken the job over.
            JobCancelled: the job was asked to stop, or the export was removed.
        """
        ...

    async def finish_export(self, claim: Claim, units: int, result: JobResult) -> Job:
        """Finish the job of an export whose parts are all stored; return it.

        What was live under the export's own id before, as one document, is live no more. Raises as `replace`.
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
        """Remove a document at once, and the parts of an export; jobs accepted for it earlier end cancelled.

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

    async def outcome_parts(self, documents: Sequence[UnitHit]) -> Sequence[UnitHit]:
        """Return what records an outcome in the documents of `documents`, in document order, in one query.

        The last `MOST_SPOKEN` of them; those of a document that has another version by now are left out, here and
        below.
        """
        ...

    async def speakers(self, documents: Sequence[UnitHit]) -> Sequence[Speaker]:
        """Return who speaks in these documents, `MOST_SPEAKERS` at most, by how much they say, in one query."""
        ...

    async def said_by(self, documents: Sequence[UnitHit], speaker: str) -> Sequence[UnitHit]:
        """Return a speaker's messages in these documents, `MOST_SPOKEN` at most, in document order, in one query."""
        ...

    async def turns(self, units: Sequence[UnitHit], steps: int) -> Sequence[UnitHit]:
        """Return all parts of the turns of `units`, and of those that these answer or belong to, in one query.

        So many steps up: of each turn, those that its parts' links `reply_to` and `output_of` lead to. Each unit comes
        once, in document order, `MOST_PARTS` of a turn at most.
        """
        ...

    async def corrections(self, units: Sequence[UnitHit]) -> Sequence[tuple[UnitHit, UnitHit]]:
        """Return pairs of a unit and the latest one that corrects it, for `units` and on from there, in one query.

        Only a unit that stands behind another corrects it, so that every chain ends.
        """
        ...

    async def around(self, units: Sequence[UnitHit], reach: int) -> Sequence[UnitHit]:
        """Return the units at most `reach` places from one of `units` in its document, these among them, in one query.

        Each comes once, in document order. Units of a document that has another version by now are left out.
        """
        ...
