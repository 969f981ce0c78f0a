"""Whether a passage defines terms, and whether another uses one of them: told by how both are written."""

from collections.abc import Iterable, Sequence

import regex

from app.adapters.decisions.offline.evaluator import yes_no
from app.adapters.decisions.offline.texts import Vocabulary
from app.adapters.decisions.offline.weights import number
from app.documents.decision import Answer
from app.linking.defined_terms import defined_terms, entry_terms, is_heading_of_definitions
from app.linking.questions import DefinesTerms, UsesDefinedTerm

#: What a term may end in where it is used: `Fees` is the defined `Fee`.
_ENDINGS = "(?:s|es|en|n)?"


class DefinesTermsEvaluator:
    """Does this passage define terms? It does when it says what one means, or stands under such a heading."""

    def texts(self, question: DefinesTerms) -> Iterable[str]:
        """See `Evaluator.texts`. Definitions are looked for in the passage as it is written."""
        del question
        return ()

    def answer(self, vocabulary: Vocabulary, questions: Sequence[DefinesTerms]) -> Sequence[Answer]:
        """See `Evaluator.answer`."""
        del vocabulary
        return [yes_no(number("defines_terms", _definition(question.passage))) for question in questions]


class UsesDefinedTermEvaluator:
    """Does this passage use a term that the other defines? It does when it holds that term as it is defined."""

    def texts(self, question: UsesDefinedTerm) -> Iterable[str]:
        """See `Evaluator.texts`. Terms are looked for in the passage as it is written."""
        del question
        return ()

    def answer(self, vocabulary: Vocabulary, questions: Sequence[UsesDefinedTerm]) -> Sequence[Answer]:
        """See `Evaluator.answer`."""
        del vocabulary
        return [yes_no(number("uses_defined_term", _use(question))) for question in questions]


def _definition(passage: str) -> str:
    heading, blank, body = passage.partition("\n\n")
    if not blank or not heading.startswith("["):
        heading, body = "", passage
    if defined_terms(body):
        return "stated"
    return "headed" if is_heading_of_definitions(heading) else "neither"


def _use(question: UsesDefinedTerm) -> str:
    terms = defined_terms(question.definition) or entry_terms(question.definition)
    if not terms:
        return "absent"
    used = regex.compile(rf"\b(?:{'|'.join(map(regex.escape, terms))}){_ENDINGS}\b")
    return "written" if used.search(question.passage) else "absent"
