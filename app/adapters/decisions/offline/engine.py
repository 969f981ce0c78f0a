"""The decision model that ships with the product: answers from lexical and vector evidence, without key or network."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from app.adapters.decisions.offline import weights
from app.adapters.decisions.offline.answering import AnswersEvaluator, BestPassageEvaluator, IsCompleteEvaluator
from app.adapters.decisions.offline.conversations import (
    CorrectsEvaluator,
    RecordsOutcomeEvaluator,
    ReplyToEvaluator,
    SettlesWhatEvaluator,
)
from app.adapters.decisions.offline.conversing import (
    AddsToAnswerEvaluator,
    MessageAnswersEvaluator,
    WhoseWordsEvaluator,
)
from app.adapters.decisions.offline.definitions import DefinesTermsEvaluator, UsesDefinedTermEvaluator
from app.adapters.decisions.offline.entries import IsEntryAskedForEvaluator, PropertyAskedForEvaluator
from app.adapters.decisions.offline.evaluator import Evaluator
from app.adapters.decisions.offline.linked import (
    DecidingDefinitionEvaluator,
    NeedsLinkedEvaluator,
    TurnsOnDefinitionEvaluator,
)
from app.adapters.decisions.offline.scopes import AnswerScopeEvaluator
from app.adapters.decisions.offline.seams import ContinuesSubjectEvaluator, DependsOnEvaluator, NeedsPreviousEvaluator
from app.adapters.decisions.offline.sections import SectionProfileEvaluator
from app.adapters.decisions.offline.steps import (
    IsStepAskedForEvaluator,
    NamedStepEvaluator,
    StepDirectionEvaluator,
)
from app.adapters.decisions.offline.texts import Vocabulary
from app.chunking.questions import ContinuesSubject, DependsOn
from app.conversations.questions import Corrects, RecordsOutcome, ReplyTo, SettlesWhat
from app.documents.decision import Answer, DecisionBatch, Question
from app.linking.questions import DefinesTerms, NeedsPrevious, UsesDefinedTerm
from app.profiling.questions import SectionProfile
from app.retrieval.conversation_questions import AddsToAnswer, MessageAnswers, WhoseWords
from app.retrieval.questions import (
    Answers,
    AnswerScope,
    BestPassage,
    DecidingDefinition,
    IsComplete,
    IsStepAskedFor,
    NamedStep,
    NeedsLinked,
    StepDirection,
    TurnsOnDefinition,
)
from app.retrieval.reference_questions import IsEntryAskedFor, PropertyAskedFor
from app.text import word_vectors

#: Who answers which question; a test holds it against all question classes.
EVALUATORS: Mapping[type[Question], Evaluator[Any]] = {
    AddsToAnswer: AddsToAnswerEvaluator(),
    Answers: AnswersEvaluator(),
    AnswerScope: AnswerScopeEvaluator(),
    BestPassage: BestPassageEvaluator(),
    ContinuesSubject: ContinuesSubjectEvaluator(),
    Corrects: CorrectsEvaluator(),
    DecidingDefinition: DecidingDefinitionEvaluator(),
    DefinesTerms: DefinesTermsEvaluator(),
    DependsOn: DependsOnEvaluator(),
    IsComplete: IsCompleteEvaluator(),
    IsEntryAskedFor: IsEntryAskedForEvaluator(),
    IsStepAskedFor: IsStepAskedForEvaluator(),
    MessageAnswers: MessageAnswersEvaluator(),
    NamedStep: NamedStepEvaluator(),
    NeedsLinked: NeedsLinkedEvaluator(),
    NeedsPrevious: NeedsPreviousEvaluator(),
    PropertyAskedFor: PropertyAskedForEvaluator(),
    RecordsOutcome: RecordsOutcomeEvaluator(),
    ReplyTo: ReplyToEvaluator(),
    SectionProfile: SectionProfileEvaluator(),
    SettlesWhat: SettlesWhatEvaluator(),
    StepDirection: StepDirectionEvaluator(),
    TurnsOnDefinition: TurnsOnDefinitionEvaluator(),
    UsesDefinedTerm: UsesDefinedTermEvaluator(),
    WhoseWords: WhoseWordsEvaluator(),
}


class OfflineDecisionModel:
    """Answers in a thread of its own, the same for the same questions in every process."""

    #: Answering is cheaper than looking an answer up.
    cacheable = False
    offline = True

    def __init__(self) -> None:
        self.name = f"offline-{weights.version()}"

    async def load(self) -> None:
        """Read the model's data now, so that the first question need not wait for it."""
        await asyncio.to_thread(word_vectors.load)

    async def answer(self, questions: Sequence[Question]) -> DecisionBatch:
        """See `DecisionModel.answer`. A question without an evaluator stays unanswered."""
        answers = await asyncio.to_thread(evaluate, tuple(questions))
        return DecisionBatch(answers=answers, model=self.name, offline=True)


def evaluate(questions: Sequence[Question]) -> tuple[Answer | None, ...]:
    """Answer questions in order; texts that several of them share are read once."""
    places: dict[type[Question], list[int]] = {}
    for place, question in enumerate(questions):
        if type(question) in EVALUATORS:
            places.setdefault(type(question), []).append(place)
    vocabulary = Vocabulary(
        text for kind, own in places.items() for place in own for text in EVALUATORS[kind].texts(questions[place])
    )
    answers: list[Answer | None] = [None] * len(questions)
    for kind, own in places.items():
        for place, answer in zip(own, EVALUATORS[kind].answer(vocabulary, [questions[at] for at in own]), strict=True):
            answers[place] = answer
    return tuple(answers)
