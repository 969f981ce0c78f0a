"""Ranking the caller's own hits by whether they state the answer (chunking design, "Rank")."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.documents.config import Config
from app.documents.context import Passage, RankedPassage, Ranking
from app.documents.job import DecisionUse
from app.errors import DecisionModelUnavailable, FieldError, InvalidRequest
from app.operations.decision_session import DecisionSession
from app.operations.two_legs import refuse_blank
from app.ports.decision_model import DecisionCache, DecisionModel
from app.retrieval.judging import Judgement, kept_positions, questions_on_passages, read_judgement
from app.retrieval.own_text import headed

#: Passages that one request may rank.
MAX_PASSAGES = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredPassage:
    """A passage with its score, good or bad."""

    #: Position in the request.
    index: int
    #: Probability that the passage states the answer, 0 to 1.
    score: float
    #: True when the passage is longer than what was judged of it.
    truncated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Reranking:
    """Passages in their new order."""

    results: tuple[ScoredPassage, ...]
    decisions: DecisionUse


@dataclass(frozen=True, slots=True, kw_only=True)
class Rank:
    """Orders passages by the probability that they state the answer, in one request where they fit one."""

    decisions: DecisionModel | None
    cache: DecisionCache | None

    async def run(self, query: str, passages: Sequence[Passage], *, limit: int | None, config: Config) -> Ranking:
        """Return the passages that score at least `rank_threshold`, best first, at most `limit`.

        A passage whose question stayed unanswered is not among them.

        Raises:
            InvalidRequest: the query is blank, or there are no passages or too many.
            DecisionModelUnavailable: nobody answered; the caller keeps its own order.
        """
        refuse_blank(query)
        _check_number(len(passages), "passages")
        shown = [text[: config.passage_chars] for text in _texts(passages)]
        session, judgement = await self._judge(query, shown, ask_best=config.cross_check)
        if not judgement.answered:
            raise DecisionModelUnavailable(f"No passage was judged: {session.failure or 'no answer came'}.")
        results = tuple(
            RankedPassage(id=passages[position].id, index=position, score=judgement.scores[position] or 0.0)
            for position in kept_positions(judgement, config)
        )
        return Ranking(results=results[:limit], decisions=session.use)

    async def rerank(
        self, query: str, documents: Sequence[Passage], *, top_n: int | None, passage_chars: int
    ) -> Reranking:
        """Return every document with its score, best first, equal scores in the order given; at most `top_n`.

        Raises:
            InvalidRequest: the query is blank, or there are no documents or too many.
            DecisionModelUnavailable: a document was not judged; an order that guesses its place would mislead.
        """
        refuse_blank(query)
        _check_number(len(documents), "documents")
        texts = _texts(documents)
        session, judgement = await self._judge(query, [text[:passage_chars] for text in texts], ask_best=False)
        scores = [score for score in judgement.scores if score is not None]
        if len(scores) < len(documents):
            missing = f"{len(documents) - len(scores)} of {len(documents)} documents were not judged"
            raise DecisionModelUnavailable(f"{missing}: {session.failure or 'no answer came'}.")
        order = sorted(range(len(scores)), key=lambda position: -scores[position])
        return Reranking(
            results=tuple(
                ScoredPassage(index=position, score=scores[position], truncated=len(texts[position]) > passage_chars)
                for position in order[:top_n]
            ),
            decisions=session.use,
        )

    async def _judge(self, query: str, shown: Sequence[str], *, ask_best: bool) -> tuple[DecisionSession, Judgement]:
        asked = questions_on_passages(query, shown, ask_best=ask_best, ask_scope=False)
        # The caller chose the number of questions with the number of passages.
        session = DecisionSession(self.decisions, self.cache, max_questions=len(asked))
        [answers] = await session.ask("rank", [asked])
        return session, read_judgement(asked, answers)


def _texts(passages: Sequence[Passage]) -> list[str]:
    return [headed(passage.heading_path, passage.text) for passage in passages]


def _check_number(number: int, field: str) -> None:
    if 0 < number <= MAX_PASSAGES:
        return
    detail = f"Send between 1 and {MAX_PASSAGES} {field}; these are {number}."
    raise InvalidRequest(detail, errors=(FieldError(f"/{field}", detail),))
