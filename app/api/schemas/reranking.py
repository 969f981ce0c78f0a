"""Reranking in the shape that rerank clients speak (service design, "Rerank"; ruling 5)."""

from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError

from app.api.schemas.common import Answer, AnyJson, Decisions, Flag, Integer, QueryText, Request
from app.api.schemas.config import ConfigKeys
from app.documents.context import Passage
from app.operations.rank import MAX_PASSAGES, Reranking, ScoredPassage

#: A field that clients of other services send and that has no meaning here.
Ignored = Annotated[AnyJson, Field(description="Accepted, and changes nothing.")]


class RerankDocument(Request):
    """A text to be ranked: a string, or an object."""

    id: Annotated[str | None, Field(max_length=512, description="Returned with its result.")] = None
    text: str
    heading_path: Annotated[list[str], Field(default_factory=list)]

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, value: Any) -> Any:  # noqa: ANN401 - whatever the caller sent
        if isinstance(value, str):
            return {"text": value}
        if not isinstance(value, dict | cls):
            raise PydanticCustomError("document", "Must be a string, or an object with a text.")
        return value

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Declare both forms as one schema."""
        fields = handler.resolve_ref_schema(handler(core_schema))
        shape = {key: fields.pop(key) for key in ("type", "properties", "required", "additionalProperties")}
        return {**fields, "anyOf": [{"type": "string"}, shape]}

    def to_passage(self, index: int) -> Passage:
        """Return the document at this position of the request."""
        return Passage(
            id=str(index) if self.id is None else self.id, text=self.text, heading_path=tuple(self.heading_path)
        )


class RerankRequest(Request):
    """A question, and documents to be put in order by how well they state its answer."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "query": "How long does a refund take?",
                    "documents": [
                        "Parcels are collected on weekdays.",
                        {"id": "a", "text": "A refund is paid within 14 days.", "heading_path": ["Returns"]},
                    ],
                    "top_n": 1,
                    "return_documents": True,
                }
            ]
        }
    )

    query: QueryText
    documents: Annotated[list[RerankDocument], Field(min_length=1, max_length=MAX_PASSAGES)]
    top_n: Annotated[Integer | None, Field(ge=1, description="Results to return at most. Unset: all.")] = None
    top_k: Annotated[Integer | None, Field(ge=1, description="Another name for top_n.")] = None
    return_documents: Annotated[Flag | None, Field(description="Repeat each document in its result.")] = None
    rank_fields: Annotated[
        list[Literal["text"]] | None, Field(description="Fields of the documents to rank by; there is only text.")
    ] = None
    model: Ignored = None
    max_tokens_per_doc: Ignored = None
    max_chunks_per_doc: Ignored = None
    truncation: Ignored = None
    priority: Ignored = None
    config: Annotated[
        ConfigKeys, Field(description="Of these keys passage_chars counts here: what is judged of a document.")
    ] = ConfigKeys()

    @model_validator(mode="after")
    def _one_limit(self) -> Self:
        if self.top_n is not None and self.top_k is not None and self.top_n != self.top_k:
            raise PydanticCustomError(
                "top_n", "top_n and top_k are one thing and have two values.", {"fields": ["top_n", "top_k"]}
            )
        return self

    @property
    def limit(self) -> int | None:
        """How many results are wanted, by either name."""
        return self.top_n if self.top_n is not None else self.top_k

    def to_passages(self) -> list[Passage]:
        """Return the documents."""
        return [document.to_passage(index) for index, document in enumerate(self.documents)]


class RerankedDocument(Answer):
    """A document as it was sent."""

    id: str | None = None
    text: str
    heading_path: list[str] | None = None


class RerankEntry(Answer):
    """A document with its score."""

    index: Annotated[int, Field(description="Its position in the request.")]
    id: Annotated[str | None, Field(description="Its id; absent if it was sent without.")] = None
    relevance_score: Annotated[float, Field(description="Probability that it states the answer, 0 to 1.")]
    truncated: Annotated[bool, Field(description="Only its beginning, passage_chars long, was judged.")]
    document: Annotated[RerankedDocument | None, Field(description="Absent unless return_documents.")] = None

    @classmethod
    def from_domain(cls, passage: ScoredPassage, document: RerankDocument, *, repeat: bool) -> "RerankEntry":
        """Show a scored document, and with `repeat` the document itself."""
        sent = RerankedDocument(id=document.id, text=document.text, heading_path=document.heading_path or None)
        return cls(
            index=passage.index,
            id=document.id,
            relevance_score=passage.score,
            truncated=passage.truncated,
            document=sent if repeat else None,
        )


class RerankApiVersion(Answer):
    """Version of this interface."""

    version: str = "1"


class RerankMeta(Answer):
    """What Cohere's clients read besides the results."""

    api_version: RerankApiVersion = RerankApiVersion()


class RerankUsage(Answer):
    """What Jina's clients read besides the results."""

    total_tokens: Annotated[int, Field(description="Tokens that the decision model read.")]
    prompt_tokens: int


class RerankAnswer(Answer):
    """Documents in their new order, best first; equal scores stay in the order given."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": "3f1c4a7e9b2d4c0f8a6e5d7c9b1a2f30",
                    "model": "offline-1",
                    "results": [
                        {
                            "index": 1,
                            "id": "a",
                            "relevance_score": 0.93,
                            "truncated": False,
                            "document": {
                                "id": "a",
                                "text": "A refund is paid within 14 days.",
                                "heading_path": ["Returns"],
                            },
                        }
                    ],
                    "meta": {"api_version": {"version": "1"}},
                    "usage": {"total_tokens": 0, "prompt_tokens": 0},
                    "decisions": {
                        "model": "offline-1",
                        "requests": 1,
                        "questions": 2,
                        "cached": 0,
                        "unanswered": 0,
                        "input_tokens": 0,
                        "cost_usd": 0.0,
                    },
                }
            ]
        }
    )

    id: Annotated[str, Field(description="Names this answer; no two have the same.")]
    model: Annotated[str | None, Field(description="Which decision model answered.")]
    results: list[RerankEntry]
    meta: RerankMeta = RerankMeta()
    usage: RerankUsage
    decisions: Decisions

    @classmethod
    def from_domain(cls, answer_id: str, reranking: Reranking, wanted: RerankRequest) -> "RerankAnswer":
        """Show an order of the documents of a request."""
        use = reranking.decisions
        return cls(
            id=answer_id,
            model=use.model,
            results=[
                RerankEntry.from_domain(one, wanted.documents[one.index], repeat=bool(wanted.return_documents))
                for one in reranking.results
            ],
            usage=RerankUsage(total_tokens=use.input_tokens, prompt_tokens=use.input_tokens),
            decisions=Decisions.from_domain(use),
        )
