"""Find what links the turns of a conversation: told by the source, by rule, or asked (conversations design, c.2)."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from app.conversations import corrections, outcomes, replies, settles
from app.conversations.parts import TurnPart
from app.conversations.similar import Similar
from app.conversations.sources import is_session, told_links
from app.documents.config import Config
from app.documents.decision import Answer, Question
from app.documents.document import LinkType
from app.operations.decision_session import DecisionSession, Progress

#: Requests that a log of one person with models takes when the budget is the default one, however many of its messages
#: are found to be outcomes (f.1: under 300), and the share of a larger budget, in tenths.
SESSION_REQUESTS = 299
_SESSION_TENTHS = 7

#: Type of a link, and the positions of its parts: the later one points at the earlier.
TurnLink: TypeAlias = tuple[LinkType, int, int]


@dataclass(frozen=True, slots=True)
class ConversationLinks:
    """What was found out about the turns of a conversation, as far as they were not stored before."""

    links: tuple[TurnLink, ...]
    #: Positions of the parts that record an outcome.
    outcomes: frozenset[int]
    #: Questions without an answer by stage, be it for want of requests or because nobody answered; stages that have
    #: none are not named.
    unasked: Mapping[str, int]


async def link_conversation(
    parts: Sequence[TurnPart], session: DecisionSession, on_progress: Progress, *, config: Config
) -> ConversationLinks:
    """Return the links of a conversation, type by type, and its outcomes.

    Replies, outcomes, what they settle, and corrections are stages of their own, in this order: each takes what the
    earlier ones left of the requests, and an answer that is missing leaves out its own links only.

    Args:
        parts: All turns in the order of the document. Stored ones are pointed at; they are asked nothing.
        session: Who is asked.
        on_progress: Told how far each stage is.
        config: Which stages there are, and how many requests they may take.
    """
    stages = _Stages(session, on_progress, _request_limit(parts, config))
    told = await asyncio.to_thread(told_links, parts)
    similar = await asyncio.to_thread(Similar, parts)
    answered = dict(told.replies)
    if config.conversation_replies:
        answered |= await _replies(parts, stages)
    found: list[int] = []
    settled: dict[int, int] = {}
    if config.conversation_outcomes:
        found = await _outcomes(parts, stages)
        settled = await _settled(parts, found, similar, stages)
    corrected: list[corrections.Pair] = []
    if config.conversation_corrections:
        corrected = await _corrected(parts, answered, settled, similar, stages)
    return ConversationLinks(
        links=(
            *_links(LinkType.REPLY_TO, answered),
            *_links(LinkType.OUTPUT_OF, told.outputs),
            *_links(LinkType.DECIDES, settled),
            *((LinkType.CORRECTS, pair.later, pair.earlier) for pair in corrected),
        ),
        outcomes=frozenset(found),
        unasked=stages.unasked,
    )


@dataclass(slots=True)
class _Stages:
    """Asks one stage after another, and keeps count of the requests."""

    session: DecisionSession
    on_progress: Progress
    requests_left: int
    unasked: dict[str, int] = field(default_factory=dict)

    async def ask(self, stage: str, questions: Sequence[Question], size: int) -> list[Answer | None]:
        """Answer questions, so many to a request, as far as requests are left; None stands for no answer."""
        starts = range(0, len(questions), size)[: self.requests_left]
        batches = [questions[start : start + size] for start in starts]
        self.requests_left -= len(batches)
        answered = await self.session.ask(stage, batches, self.on_progress) if batches else []
        answers = [answer for batch in answered for answer in batch]
        answers += [None] * (len(questions) - len(answers))
        self.leave_out(stage, answers.count(None))
        return answers

    def leave_out(self, stage: str, count: int) -> None:
        """Remember that so many questions of a stage have no answer."""
        if count:
            self.unasked[stage] = self.unasked.get(stage, 0) + count


def _request_limit(parts: Sequence[TurnPart], config: Config) -> int:
    budget = config.conversation_max_requests
    if not is_session(parts):
        return budget
    return min(budget, max(SESSION_REQUESTS, budget * _SESSION_TENTHS // 10))


async def _replies(parts: Sequence[TurnPart], stages: _Stages) -> dict[int, int]:
    asked = await asyncio.to_thread(replies.asked_replies, parts)
    return replies.replied(asked, await stages.ask("replies", [each.question for each in asked], replies.IN_A_REQUEST))


async def _outcomes(parts: Sequence[TurnPart], stages: _Stages) -> list[int]:
    asked = await asyncio.to_thread(outcomes.asked_outcomes, parts)
    return outcomes.recorded(
        asked, await stages.ask("outcomes", [each.question for each in asked], outcomes.IN_A_REQUEST)
    )


async def _settled(
    parts: Sequence[TurnPart], found: Sequence[int], similar: Similar, stages: _Stages
) -> dict[int, int]:
    asked = await asyncio.to_thread(settles.asked_settles, parts, found, similar)
    return settles.settled(asked, await stages.ask("settles", [each.question for each in asked], settles.IN_A_REQUEST))


async def _corrected(
    parts: Sequence[TurnPart],
    answered: Mapping[int, int],
    settled: Mapping[int, int],
    similar: Similar,
    stages: _Stages,
) -> list[corrections.Pair]:
    if not stages.requests_left:
        # Comparing all parts grows with the square of their number: not for a mere count.
        stages.leave_out("corrections", corrections.pairs_at_most(parts))
        return []
    found = await asyncio.to_thread(corrections.pairs, parts, answered, settled, similar)
    most = stages.requests_left * corrections.IN_A_REQUEST
    asked = await asyncio.to_thread(corrections.most_similar, found, similar, most)
    stages.leave_out("corrections", len(found) - len(asked))
    answers = await stages.ask("corrections", corrections.questions(parts, asked), corrections.IN_A_REQUEST)
    return corrections.corrected(asked, answers)


def _links(type_: LinkType, found: Mapping[int, int]) -> list[TurnLink]:
    return [(type_, source, target) for source, target in sorted(found.items())]
