"""What a question gets back: context with its sources, or the reason why there is none (service design, "Shapes")."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from app.documents.config import Config
from app.documents.document import UnitKind
from app.documents.job import DecisionUse
from app.documents.values import JsonValue


class OnUnavailable(StrEnum):
    """What to do when no decision model answers."""

    ERROR = "error"
    SEARCH_ONLY = "search_only"


class AbstainReason(StrEnum):
    """Why a question gets no context."""

    #: No unit shares a term with the question.
    NO_CANDIDATES = "no_candidates"
    #: Candidates were judged and none states the answer.
    NOT_ANSWERED = "not_answered"
    #: The question is limited to documents that allow nothing.
    OUT_OF_SCOPE = "out_of_scope"
    #: The documents hold the answer, but not one sentence of it fits `max_tokens`.
    OVER_BUDGET = "over_budget"


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrieveQuery:
    """A question to stored documents."""

    query: str
    collection: str = "default"
    #: Collections to search instead, all at once; their hits are fused by rank (ruling 27).
    collections: tuple[str, ...] = ()
    #: Document ids that the answer may come from; None is all of them, empty is none.
    documents: tuple[str, ...] | None = None
    #: Kinds of unit that the context may hold; None is all of them.
    kinds: frozenset[UnitKind] | None = None
    #: Candidates that are looked at; None is 20, or 200 within `documents`.
    limit: int | None = None
    #: Let units into the context that try to instruct an AI.
    include_suspect: bool = False
    #: Size that the context may have, in approximate tokens; None leaves units whole and the scope's count in force.
    max_tokens: int | None = None
    on_unavailable: OnUnavailable = OnUnavailable.ERROR
    explain: bool = False
    config: Config = field(default_factory=Config)

    @property
    def searched(self) -> tuple[str, ...]:
        """The collections to search, each once."""
        return tuple(dict.fromkeys(self.collections)) or (self.collection,)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextSource:
    """Where one part of a context comes from."""

    collection: str
    document: str
    version: int
    unit: str
    title: str
    path: tuple[str, ...]
    #: Code-point span of the unit's own text in the normalized source, where known.
    start: int | None
    end: int | None
    #: When the part was trimmed: the spans that are shown.
    spans: tuple[tuple[int, int], ...] | None
    page: int | None
    updated_at: datetime
    #: The unit that corrects this one last, when a later message does.
    superseded_by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The answer to a question: passages in document order, or an abstention with its reason."""

    text: str
    abstained: bool
    reason: AbstainReason | None
    #: Approximate tokens of `text`.
    tokens: int
    #: True when no decision model judged the passages.
    degraded: bool
    sources: tuple[ContextSource, ...]
    #: What happened on the way: candidates, scores, scope, what was followed and dropped.
    trace: Mapping[str, JsonValue]
    decisions: DecisionUse
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A text to be ranked, from the caller's own search."""

    id: str
    text: str
    heading_path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedPassage:
    """A passage that states the answer."""

    id: str
    #: Position in the request.
    index: int
    #: Probability that the passage states the answer, 0 to 1.
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Passages that state the answer, best first."""

    results: tuple[RankedPassage, ...]
    decisions: DecisionUse


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """A unit that a search found, without judging."""

    document: str
    unit: str
    score: float
    text: str
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHits:
    """Fused hits, best first."""

    hits: tuple[SearchHit, ...]
    warnings: tuple[str, ...] = ()
