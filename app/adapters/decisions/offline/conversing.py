"""Whether a message answers a question or adds to its answer, and whose words are asked for."""

from collections.abc import Iterable, Sequence

import numpy as np

from app.adapters.decisions.offline.answering import FEATURES, passage_features
from app.adapters.decisions.offline.evaluator import choice, yes_no
from app.adapters.decisions.offline.texts import Vocabulary
from app.adapters.decisions.offline.weights import linear, logistic, number, softmax
from app.documents.decision import Answer
from app.retrieval.conversation_questions import AddsToAnswer, MessageAnswers, WhoseWords
from app.retrieval.conversation_speakers import named_speakers


class MessageAnswersEvaluator:
    """Does this message state the answer? As a passage does; being short, it holds less of what is asked."""

    def texts(self, question: MessageAnswers) -> Iterable[str]:
        """See `Evaluator.texts`."""
        return (question.question, question.passage)

    def answer(self, vocabulary: Vocabulary, questions: Sequence[MessageAnswers]) -> Sequence[Answer]:
        """See `Evaluator.answer`."""
        rows = [passage_features(vocabulary, each.question, each.passage) for each in questions]
        return _as_passages(rows, number("message_answers", "bias"))


class WhoseWordsEvaluator:
    """Whose words? Those of the one speaker that the question names; of several, of none more than of the others."""

    def texts(self, question: WhoseWords) -> Iterable[str]:
        """See `Evaluator.texts`. Names are looked for in the question as it is written."""
        del question
        return ()

    def answer(self, vocabulary: Vocabulary, questions: Sequence[WhoseWords]) -> Sequence[Answer | None]:
        """See `Evaluator.answer`."""
        del vocabulary
        return [_choose(question) for question in questions]


class AddsToAnswerEvaluator:
    """Does a message add a point? As far as it speaks of what is asked; it need not answer alone."""

    def texts(self, question: AddsToAnswer) -> Iterable[str]:
        """See `Evaluator.texts`."""
        return (question.question, question.message)

    def answer(self, vocabulary: Vocabulary, questions: Sequence[AddsToAnswer]) -> Sequence[Answer]:
        """See `Evaluator.answer`."""
        rows = [passage_features(vocabulary, each.question, each.message) for each in questions]
        return _as_passages(rows, number("adds_to_answer", "bias"))


def _as_passages(rows: Sequence[list[float]], bias: float) -> list[Answer]:
    """What the evidence says of passages, with a bias beside theirs."""
    scores = linear("answers", FEATURES).score(np.array(rows, dtype=np.float32)) + np.float32(bias)
    return [yes_no(share) for share in logistic(scores)]


def _choose(question: WhoseWords) -> Answer | None:
    named = set(named_speakers(question.question, question.speakers))
    says = number("whose_words", "named")
    scores = [says if name in named else 0.0 for name in question.speakers]
    return choice(dict(zip(question.labels(), softmax([*scores, number("whose_words", "nobody")]), strict=True)))
