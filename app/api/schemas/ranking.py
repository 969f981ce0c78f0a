"""Ranking passages of the caller's own (chunking design, "Rank")."""

from typing import Annotated

from pydantic import ConfigDict, Field

from app.api.schemas.common import Answer, Decisions, Integer, QueryText, Request
from app.api.schemas.config import ConfigKeys
from app.documents.context import Passage, RankedPassage, Ranking
from app.operations.rank import MAX_PASSAGES


class PassageInput(Request):
    """A text to be ranked."""

    id: Annotated[str | None, Field(max_length=512, description="Unset: its position in the request.")] = None
    text: str
    heading_path: Annotated[list[str], Field(default_factory=list)]


class RankRequest(Request):
    """A question, and the passages that may state its answer."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "query": "How long does a refund take?",
                    "passages": [
                        {"id": "a", "text": "A refund is paid within 14 days.", "heading_path": ["Returns", "Refunds"]},
                        {"id": "b", "text": "Parcels are collected on weekdays."},
                    ],
                }
            ]
        }
    )

    query: QueryText
    passages: Annotated[list[PassageInput], Field(min_length=1, max_length=MAX_PASSAGES)]
    limit: Annotated[Integer | None, Field(ge=1, le=MAX_PASSAGES, description="Results to return at most.")] = None
    config: ConfigKeys = ConfigKeys()

    def to_passages(self) -> list[Passage]:
        """Return the passages."""
        return [
            Passage(
                id=str(index) if passage.id is None else passage.id,
                text=passage.text,
                heading_path=tuple(passage.heading_path),
            )
            for index, passage in enumerate(self.passages)
        ]


class RankEntry(Answer):
    """A passage that states the answer."""

    id: str
    score: Annotated[float, Field(description="Probability that it states the answer, 0 to 1.")]
    index: Annotated[int, Field(description="Its position in the request.")]

    @classmethod
    def from_domain(cls, passage: RankedPassage) -> "RankEntry":
        """Show a ranked passage."""
        return cls(id=passage.id, score=passage.score, index=passage.index)


class RankAnswer(Answer):
    """The passages that state the answer, best first."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "results": [{"id": "a", "score": 0.93, "index": 0}],
                    "decisions": {
                        "model": "offline-1",
                        "requests": 1,
                        "questions": 3,
                        "cached": 0,
                        "unanswered": 0,
                        "input_tokens": 0,
                        "cost_usd": 0.0,
                    },
                }
            ]
        }
    )

    results: list[RankEntry]
    decisions: Decisions

    @classmethod
    def from_domain(cls, ranking: Ranking) -> "RankAnswer":
        """Show a ranking."""
        return cls(
            results=[RankEntry.from_domain(passage) for passage in ranking.results],
            decisions=Decisions.from_domain(ranking.decisions),
        )
