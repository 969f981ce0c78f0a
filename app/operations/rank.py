"""Ranking the caller's own hits by whether they state the answer."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.documents.config import Config
from app.documents.context import Passage, RankedPassage, Ranking
from app.errors import DecisionModelUnavailable, FieldError, InvalidRequest
from app.operations.decision_session import DecisionSession
from app.operations.two_legs import refuse_blank
from app.ports.decision_model import DecisionCache, DecisionModel
from app.retrieval.judging import kept_positions, questions_on_passages, read_judgement
from app.retrieval.own_text import headed

#: Passages that one request may rank.
MAX_PASSAGES = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Rank:
    """Orders passages by the probability that they state the answer, in one request to the decision model."""

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
        _check_number(len(passages))
        shown = [headed(passage.heading_path, passage.text)[: config.passage_chars] for passage in passages]
        asked = questions_on_passages(query, shown, ask_best=config.cross_check, ask_scope=False)
        # The caller chose the number of questions with the number of passages.
        session = DecisionSession(self.decisions, self.cache, max_questions=len(asked))
        [answers] = await session.ask("rank", [asked])
        judgement = read_judgement(asked, answers)
        if not judgement.answered:
            raise DecisionModelUnavailable(f"No passage was judged: {session.failure or 'no answer came'}.")
        results = tuple(
            RankedPassage(id=passages[position].id, index=position, score=judgement.scores[position] or 0.0)
            for position in kept_positions(judgement, config)
        )
        return Ranking(results=results[:limit], decisions=session.use)


def _check_number(passages: int) -> None:
    if 0 < passages <= MAX_PASSAGES:
        return
    detail = f"Send between 1 and {MAX_PASSAGES} passages; these are {passages}."
    raise InvalidRequest(detail, errors=(FieldError("/passages", detail),))
