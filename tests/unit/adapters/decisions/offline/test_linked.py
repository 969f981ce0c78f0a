"""What a passage refers to, weighed by the offline engine."""

from app.adapters.decisions.offline.engine import evaluate
from app.documents.decision import Choice, YesNo
from app.retrieval.questions import DecidingDefinition, NeedsLinked, TurnsOnDefinition

DELAY = "[Terms > 5]\n\nWho pays late owes interest at the rate of Section 7 from the first business day."
RATE = "[Terms > 7]\n\nThe interest rate for a late payment is 8 % a year."
LAW = "[Terms > 9]\n\nThese terms are governed by the law of Malta."
BUSINESS_DAY = "[Terms > 1]\n\n\u201cBusiness day\u201d means any day on which banks in Valletta are open."
PARCEL = "[Terms > 2]\n\n\u201cParcel\u201d means goods that are wrapped."


def test_what_holds_the_rest_of_the_question_is_needed() -> None:
    question = "What is the interest rate when I pay late?"
    answers = evaluate([NeedsLinked(question, DELAY, linked) for linked in (RATE, LAW)])
    rate, law = [answer.probability for answer in answers if isinstance(answer, YesNo)]
    assert rate >= 0.5
    assert law < 0.4


def test_an_answer_turns_on_the_definition_of_a_term_that_is_asked_about() -> None:
    question = "Is Saturday a business day for interest?"
    answers = evaluate([TurnsOnDefinition(question, DELAY, each) for each in (BUSINESS_DAY, PARCEL)])
    day, parcel = [answer.probability for answer in answers if isinstance(answer, YesNo)]
    assert day >= 0.5 > parcel


def test_the_deciding_definition_is_that_term_or_none() -> None:
    def picked(question: str, *definitions: str) -> str:
        (answer,) = evaluate([DecidingDefinition(question, definitions)])
        assert isinstance(answer, Choice)
        return answer.label

    assert picked("Is Saturday a business day?", PARCEL, BUSINESS_DAY) == "1"
    assert picked("Who wrote the opera Tosca?", PARCEL, BUSINESS_DAY) == "none"
    assert picked("Who wrote the opera Tosca?") == "none"
