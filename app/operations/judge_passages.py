"""Judging candidates of one question, a pool at a time (retrieval design, "Retrieval", step 3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from app.documents.config import Config
from app.documents.decision import Answer, Question
from app.documents.document import UnitHit
from app.operations.decision_session import DecisionSession
from app.retrieval.candidates import Candidate
from app.retrieval.conversation_questions import MessageAnswers
from app.retrieval.conversation_units import is_spoken
from app.retrieval.gathering import Kept
from app.retrieval.judging import Judgement, kept_positions, questions_on_passages, read_judgement
from app.retrieval.own_text import whole_text
from app.retrieval.questions import Answers, BestPassage, NamedStep
from app.retrieval.trace import Trace

#: Characters of a message that the decision model is shown (conversations design, e).
MESSAGE_CHARS = 1_600

#: A question with the units that it is about.
AboutUnits: TypeAlias = tuple[Question, Sequence[UnitHit]]


@dataclass(frozen=True, slots=True)
class Judged:
    """A pool with what was said about it, and what of it states the answer, best first."""

    pool: Sequence[Candidate]
    judgement: Judgement
    kept: tuple[Kept, ...]
    #: What was answered to the questions that were asked beside, in their order.
    beside: tuple[Answer | None, ...] = ()


@dataclass(frozen=True, slots=True)
class PassageJudge:
    """Asks one session about one question, and notes in `trace` what came of it."""

    question: str
    config: Config
    session: DecisionSession
    trace: Trace

    async def judge(self, pool: Sequence[Candidate], beside: Sequence[AboutUnits] = ()) -> Judged:
        """Ask which candidates state the answer; of the first pool also which does best, and the scopes.

        Questions `beside` go into the same request.
        """
        trace, first = self.trace, not self.trace.rounds
        gatherers = tuple(dict.fromkeys(one.gathered_by for one in pool))
        asked = questions_on_passages(
            self.question,
            [self.shown(one.hit) for one in pool],
            ask_best=first and self.config.cross_check,
            ask_scope=first,
            gatherers=gatherers,
            asking=[MessageAnswers if is_spoken(one.hit) else Answers for one in pool],
        )
        [all_answers] = await self.session.ask("judge", [[*asked, *(question for question, _ in beside)]])
        answers, of_beside = all_answers[: len(asked)], all_answers[len(asked) :]
        self._note(pool, asked, answers)
        for (question, about), answer in zip(beside, of_beside, strict=True):
            trace.asked(question, answer, about)
        judgement = read_judgement(asked, answers)
        if first:
            trace.scopes = {profile: judgement.scope(profile) for profile in gatherers}
        trace.rounds += 1
        trace.scores |= {one.key: score for one, score in zip(pool, judgement.scores, strict=True)}
        kept = tuple(
            Kept(pool[position], judgement.scores[position] or 0.0)
            for position in kept_positions(judgement, self.config)
        )
        trace.kept.update(one.candidate.key for one in kept)
        return Judged(pool, judgement, kept, tuple(of_beside))

    def shown(self, hit: UnitHit) -> str:
        """A unit as it is shown to the decision model; a message is never longer than `MESSAGE_CHARS`."""
        shown = whole_text(hit.unit)[: self.config.passage_chars]
        return shown[:MESSAGE_CHARS] if is_spoken(hit) else shown

    def _note(self, pool: Sequence[Candidate], asked: Sequence[Question], answers: Sequence[Answer | None]) -> None:
        hits = [one.hit for one in pool]
        each = iter(hits)
        for question, answer in zip(asked, answers, strict=True):
            match question:
                case Answers():
                    self.trace.asked(question, answer, [next(each)])
                case BestPassage() | NamedStep():
                    self.trace.asked(question, answer, hits)
                case _:
                    self.trace.asked(question, answer)
