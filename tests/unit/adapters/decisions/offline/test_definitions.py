import pytest

from app.adapters.decisions.offline.engine import evaluate
from app.documents.decision import Question, YesNo
from app.linking.questions import DefinesTerms, UsesDefinedTerm


def says_yes(question: Question) -> bool:
    (answer,) = evaluate([question])
    assert isinstance(answer, YesNo)
    return answer.probability >= 0.5


@pytest.mark.parametrize(
    ("passage", "yes"),
    [
        ('[Terms > 4 General]\n\n"Fee" means the price of a service.', True),
        ("Gebühr bedeutet den Preis.", True),
        ("[Terms > 1 Definitions]\n\nWords have the meanings below.", True),
        ("[Terms > Interpretation]\n\nWords in the singular include the plural.", True),
        ("[Terms > 4 General]\n\nThe Fee is due in March.", False),
        ("The definitions are in clause 1.\n\nThe Fee is due in March.", False),
        ("[Terms > 1 Definitions]", False),
        ("", False),
    ],
)
def test_a_passage_defines_terms_when_it_or_its_heading_says_so(passage: str, *, yes: bool) -> None:
    assert says_yes(DefinesTerms(passage)) is yes


@pytest.mark.parametrize(
    ("passage", "definition", "yes"),
    [
        ("The Late Fee is due.", '"Late Fee" means two percent.', True),
        ("All Late Fees are due.", '"Late Fee" means two percent.', True),
        ("(Late Fee)", '"Fee" means the price. "Late Fee" means two percent.', True),
        ("The Retainer is due.", "Fee: the price.\nRetainer: the yearly amount.", True),
        ("A late fee is due.", '"Late Fee" means two percent.', False),
        ("A Late Feeling.", '"Late Fee" means two percent.', False),
        ("Two percent are due.", '"Late Fee" means two percent.', False),
        ("The Fee is due.", "The Fee is paid in March.", False),
        ("", '"Fee" means the price.', False),
        ("The Fee is due.", "", False),
    ],
)
def test_a_passage_uses_a_term_that_it_holds_as_defined(passage: str, definition: str, *, yes: bool) -> None:
    assert says_yes(UsesDefinedTerm(passage=passage, definition=definition)) is yes
