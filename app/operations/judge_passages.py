"""Judging the candidates of one question, pool by pool (retrieval design, "Retrieval", steps 3 and 4)."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.documents.config import Config
from app.operations.decision_session import DecisionSession
from app.retrieval.candidates import Candidate
from app.retrieval.gathering import Gathered, Kept, gather, wants_completeness
from app.retrieval.judging import YES, kept_positions, probability, questions_on_passages, read_judgement
from app.retrieval.own_text import headed
from app.retrieval.questions import IsComplete
from app.retrieval.trace import Trace


@dataclass(frozen=True, slots=True)
class PassageJudge:
    """Asks one session about one question, and notes in `trace` what came of it."""

    question: str
    config: Config
    session: DecisionSession
    trace: Trace

    async def gather(self, pools: Sequence[Sequence[Candidate]]) -> Gathered | None:
        """Judge the first pool and gather by scope; the second too when what was gathered is incomplete.

        None when nobody judged a single passage of the first pool.
        """
        kept = await self._judge(pools[0])
        if all(score is None for score in self.trace.scores.values()):
            return None
        gathered = gather(kept, self.trace.scope)
        if len(pools) > 1 and wants_completeness(gathered, self.trace.scope) and not await self._complete(gathered):
            more = await self._judge(pools[1])
            gathered = Gathered((*gathered.chosen, *more), gathered.others)
        self.trace.chosen.update(one.candidate.key for one in gathered.chosen)
        return gathered

    async def _judge(self, pool: Sequence[Candidate]) -> list[Kept]:
        trace, first = self.trace, not self.trace.rounds
        asked = questions_on_passages(
            self.question,
            [self._shown(one) for one in pool],
            ask_best=first and self.config.cross_check,
            ask_scope=first,
        )
        [answers] = await self.session.ask("judge", [asked])
        judgement = read_judgement(asked, answers)
        trace.rounds += 1
        trace.asked(pool, asked, answers)
        trace.scope = judgement.scope if first else trace.scope
        trace.scores |= {one.key: score for one, score in zip(pool, judgement.scores, strict=True)}
        kept = [
            Kept(pool[position], judgement.scores[position] or 0.0)
            for position in kept_positions(judgement, self.config)
        ]
        trace.kept.update(one.candidate.key for one in kept)
        return kept

    async def _complete(self, gathered: Gathered) -> bool:
        """Ask whether what was gathered is the whole answer; without an answer nothing more is looked for."""
        chosen = [one.candidate for one in gathered.chosen]
        asked = (IsComplete(self.question, tuple(self._shown(one) for one in chosen)),)
        [answers] = await self.session.ask("complete", [asked])
        self.trace.asked(chosen, asked, answers)
        self.trace.complete = probability(answers[0])
        return self.trace.complete is None or self.trace.complete >= YES

    def _shown(self, candidate: Candidate) -> str:
        unit = candidate.hit.unit
        return headed(unit.path, unit.text)[: self.config.passage_chars]
