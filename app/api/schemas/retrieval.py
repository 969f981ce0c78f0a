"""Questions to stored documents, and what they get back (service design, "Shapes"; rulings 16, 17, 27, 28)."""

from datetime import datetime
from typing import Annotated

from pydantic import ConfigDict, Field

from app.api.schemas.common import (
    Answer,
    AnyJson,
    CollectionName,
    Decisions,
    DocumentIds,
    Flag,
    Integer,
    QueryText,
    Request,
)
from app.api.schemas.config import ConfigKeys
from app.documents.context import (
    AbstainReason,
    Context,
    ContextSource,
    OnUnavailable,
    RetrieveQuery,
    SearchHit,
    SearchHits,
)
from app.documents.document import UnitKind
from app.ports.term_index import TermSpace

#: Hits that one search may ask for, and candidates of one question.
MAX_HITS = 200
#: Collections that one question may search.
MAX_COLLECTIONS = 20


class RetrieveRequest(Request):
    """A question to stored documents."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "query": "How long does a refund take?",
                    "collection": "default",
                    "documents": ["returns-policy"],
                    "max_tokens": 400,
                }
            ]
        }
    )

    query: QueryText
    collection: CollectionName = "default"
    collections: Annotated[
        list[CollectionName] | None,
        Field(
            min_length=1,
            max_length=MAX_COLLECTIONS,
            description="Collections to search together, instead of `collection`; their hits are fused by rank.",
        ),
    ] = None
    documents: DocumentIds | None = None
    kinds: Annotated[
        list[UnitKind] | None, Field(min_length=1, description="Kinds of unit that the context may hold; null is all.")
    ] = None
    limit: Annotated[
        Integer | None,
        Field(
            ge=1,
            le=MAX_HITS,
            description="Candidates that are looked at, at most; null is 20, or 200 when `documents` is given.",
        ),
    ] = None
    max_tokens: Annotated[
        Integer | None, Field(ge=1, le=1_000_000, description="Approximate tokens that the context may have.")
    ] = None
    on_unavailable: Annotated[
        OnUnavailable, Field(description="When no decision model answers: a 503, or what the search alone found.")
    ] = OnUnavailable.ERROR
    explain: Annotated[
        Flag, Field(description="Put every question with its answer, and what became of each candidate, in the trace.")
    ] = False
    include_suspect: Annotated[Flag, Field(description="Let units into the context that try to instruct an AI.")] = (
        False
    )
    config: ConfigKeys = ConfigKeys()

    def to_domain(self) -> RetrieveQuery:
        """Return the question."""
        return RetrieveQuery(
            query=self.query,
            collection=self.collection,
            collections=tuple(self.collections or ()),
            documents=None if self.documents is None else tuple(self.documents),
            kinds=None if self.kinds is None else frozenset(self.kinds),
            limit=self.limit,
            include_suspect=self.include_suspect,
            max_tokens=self.max_tokens,
            on_unavailable=self.on_unavailable,
            explain=self.explain,
            config=self.config.to_domain(),
        )


class SourceEntry(Answer):
    """Where one part of a context comes from."""

    collection: str
    document: str
    version: int
    unit: str
    title: str
    path: list[str]
    start: Annotated[int | None, Field(description="Code point of the normalized source where the unit's text starts.")]
    end: int | None
    spans: Annotated[list[tuple[int, int]] | None, Field(description="What of a trimmed part is shown.")]
    page: int | None
    rows: Annotated[None, Field(description="Rows of a table; not in use yet.")]
    updated_at: datetime
    superseded_by: Annotated[
        str | None, Field(description="The unit, also in the context, that corrects this one last.")
    ]

    @classmethod
    def from_domain(cls, source: ContextSource) -> "SourceEntry":
        """Show a source."""
        return cls(
            collection=source.collection,
            document=source.document,
            version=source.version,
            unit=source.unit,
            title=source.title,
            path=list(source.path),
            start=source.start,
            end=source.end,
            spans=None if source.spans is None else list(source.spans),
            page=source.page,
            rows=None,
            updated_at=source.updated_at,
            superseded_by=source.superseded_by,
        )


class ContextAnswer(Answer):
    """The context that answers a question, or why there is none."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "text": "[Returns > Refunds]\n\nA refund is paid within 14 days of the return.",
                    "abstained": False,
                    "reason": None,
                    "tokens": 17,
                    "degraded": False,
                    "sources": [
                        {
                            "collection": "default",
                            "document": "returns-policy",
                            "version": 1,
                            "unit": "p1",
                            "title": "Returns policy",
                            "path": ["Returns", "Refunds"],
                            "start": 23,
                            "end": 70,
                            "spans": None,
                            "page": None,
                            "rows": None,
                            "updated_at": "2026-11-30T09:00:01Z",
                            "superseded_by": None,
                        }
                    ],
                    "computed": None,
                    "trace": {"scope": "one passage"},
                    "decisions": {
                        "model": "offline-1",
                        "requests": 1,
                        "questions": 11,
                        "cached": 0,
                        "unanswered": 0,
                        "input_tokens": 0,
                        "cost_usd": 0.0,
                    },
                    "warnings": [],
                }
            ]
        },
    )

    text: str
    abstained: bool
    reason: Annotated[AbstainReason | None, Field(description="Why there is no context, when abstained.")]
    tokens: Annotated[int, Field(description="Approximate tokens of text.")]
    degraded: Annotated[bool, Field(description="No decision model judged the passages.")]
    sources: list[SourceEntry]
    computed: Annotated[None, Field(description="Result computed from tables; not in use yet.")]
    trace: dict[str, AnyJson]
    decisions: Decisions
    warnings: list[str]

    @classmethod
    def from_domain(cls, context: Context) -> "ContextAnswer":
        """Show a context."""
        return cls(
            text=context.text,
            abstained=context.abstained,
            reason=context.reason,
            tokens=context.tokens,
            degraded=context.degraded,
            sources=[SourceEntry.from_domain(source) for source in context.sources],
            computed=None,
            trace=dict(context.trace),
            decisions=Decisions.from_domain(context.decisions),
            warnings=list(context.warnings),
        )


class SearchRequest(Request):
    """Words to look for in stored documents."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"query": "refund days", "collection": "default", "limit": 5}]}
    )

    query: QueryText
    collection: CollectionName = "default"
    documents: DocumentIds | None = None
    limit: Annotated[Integer, Field(ge=1, le=MAX_HITS, description="Hits to return at most.")] = 20
    terms: Annotated[
        TermSpace, Field(description="Compare terms as written, or folded by language, accents and compounds.")
    ] = TermSpace.FOLDED


class HitEntry(Answer):
    """A unit that a search found."""

    document: str
    unit: str
    score: float
    text: str
    path: list[str]

    @classmethod
    def from_domain(cls, hit: SearchHit) -> "HitEntry":
        """Show a hit."""
        return cls(document=hit.document, unit=hit.unit, score=hit.score, text=hit.text, path=list(hit.path))


class SearchAnswer(Answer):
    """Hits, best first; nobody judged them."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "hits": [
                        {
                            "document": "returns-policy",
                            "unit": "p1",
                            "score": 4.2,
                            "text": "[Returns > Refunds]\n\nA refund is paid within 14 days of the return.",
                            "path": ["Returns", "Refunds"],
                        }
                    ],
                    "warnings": [],
                }
            ]
        }
    )

    hits: list[HitEntry]
    warnings: list[str]

    @classmethod
    def from_domain(cls, found: SearchHits) -> "SearchAnswer":
        """Show what a search found."""
        return cls(hits=[HitEntry.from_domain(hit) for hit in found.hits], warnings=list(found.warnings))
