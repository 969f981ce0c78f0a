"""Asking about passages and reading the answers."""

import pytest

from app.documents.config import Config
from app.documents.decision import Answer, Choice, YesNo
from app.documents.profile import Profile
from app.retrieval.judging import Judgement, kept_positions, questions_on_passages, read_judgement
from app.retrieval.questions import Answers, AnswerScope, BestPassage, Direction, NamedStep, Scope, StepDirection

TWO = (Scope.ONE_PASSAGE, Scope.SEVERAL_PLACES)


def choice(label: str) -> Choice:
    return Choice(label=label, confidence=0.9, probabilities={label: 0.9})


def test_one_request_asks_each_passage_the_best_and_the_scope() -> None:
    assert questions_on_passages("q", ["a", "b"], ask_best=True, ask_scope=True) == (
        Answers("q", "a"),
        Answers("q", "b"),
        BestPassage("q", ("a", "b")),
        AnswerScope("q", (Scope.ONE_PASSAGE, Scope.SEVERAL_PLACES)),
    )


def test_best_is_not_asked_of_one_passage_nor_of_more_text_than_one_question_carries() -> None:
    assert questions_on_passages("q", ["a"], ask_best=True, ask_scope=False) == (Answers("q", "a"),)
    long = ["a" * 30_000, "b" * 30_001]
    assert all(isinstance(one, Answers) for one in questions_on_passages("q", long, ask_best=True, ask_scope=False))


def test_answers_are_read_by_position() -> None:
    asked = questions_on_passages("q", ["a", "b", "c"], ask_best=True, ask_scope=True)
    answers = [YesNo(0.2), None, YesNo(0.9), choice("2"), choice("several places")]
    assert read_judgement(asked, answers) == Judgement((0.2, None, 0.9), 2, {TWO: Scope.SEVERAL_PLACES})


def test_answers_of_the_wrong_kind_count_as_none() -> None:
    asked = questions_on_passages("q", ["a", "b"], ask_best=True, ask_scope=True)
    answers: list[Answer | None] = [choice("0"), YesNo(0.5), choice("7"), choice("a chapter")]
    judgement = read_judgement(asked, answers)
    assert judgement == Judgement((None, 0.5), None, {})
    assert judgement.answered


@pytest.mark.parametrize(
    ("profile", "scopes"),
    [
        (Profile.GUIDANCE, ["one passage", "several places"]),
        (Profile.NARRATIVE, ["one passage", "several places"]),
        (Profile.NORMATIVE, ["one passage", "a whole section", "several places"]),
        (Profile.PROCEDURAL, ["one passage", "all the steps", "the next or previous step", "several places"]),
    ],
)
def test_a_profile_offers_its_own_scopes(profile: Profile, scopes: list[str]) -> None:
    asked = questions_on_passages("q", ["a"], ask_best=True, ask_scope=True, gatherers=[profile])
    [scope] = [one for one in asked if isinstance(one, AnswerScope)]
    assert scope.labels() == scopes


def test_several_profiles_with_the_same_scopes_ask_once_and_data_never() -> None:
    gatherers = [Profile.GUIDANCE, Profile.MARKUP, Profile.NARRATIVE, Profile.NORMATIVE]
    asked = questions_on_passages("q", ["a"], ask_best=True, ask_scope=True, gatherers=gatherers)
    scopes = [one.scopes for one in asked if isinstance(one, AnswerScope)]
    assert scopes == [TWO, (Scope.ONE_PASSAGE, Scope.WHOLE_SECTION, Scope.SEVERAL_PLACES)]
    answers: list[Answer | None] = [YesNo(0.9), choice("several places"), choice("a whole section")]
    judgement = read_judgement(asked, answers)
    assert [judgement.scope(profile) for profile in gatherers] == [
        *(Scope.SEVERAL_PLACES, None, Scope.SEVERAL_PLACES, Scope.WHOLE_SECTION)
    ]


def test_procedures_are_also_asked_for_the_named_step_and_the_direction() -> None:
    asked = questions_on_passages("q", ["a", "b"], ask_best=False, ask_scope=True, gatherers=[Profile.PROCEDURAL])
    assert asked[-2:] == (NamedStep("q", ("a", "b")), StepDirection("q"))
    scope = choice("the next or previous step")
    judgement = read_judgement(asked, [YesNo(0.1), YesNo(0.2), scope, choice("1"), choice("previous")])
    assert (judgement.named_step, judgement.direction) == (1, Direction.PREVIOUS)
    assert judgement.scope(Profile.PROCEDURAL) is Scope.NEXT_OR_PREVIOUS_STEP
    none = read_judgement(asked, [None, None, scope, choice("none"), choice("sideways")])
    assert (none.named_step, none.direction) == (None, None)
    long = questions_on_passages("q", ["a" * 60_001], ask_best=False, ask_scope=True, gatherers=[Profile.PROCEDURAL])
    assert not any(isinstance(one, NamedStep) for one in long)


def test_nothing_answered() -> None:
    assert not Judgement((None, None), best=1).answered


def test_kept_are_scores_from_the_threshold_best_first_and_ties_in_order() -> None:
    assert kept_positions(Judgement((0.4, 0.39, 0.9, 0.4, None)), Config()) == [2, 0, 3]


def test_the_pick_goes_first_when_kept() -> None:
    assert kept_positions(Judgement((0.9, 0.5, 0.1), best=1), Config()) == [1, 0]
    assert kept_positions(Judgement((0.9, 0.5, 0.1), best=2), Config()) == [0, 1]
    assert kept_positions(Judgement((0.9, 0.5), best=1), Config(cross_check=False)) == [0, 1]


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        (Config(), []),
        (Config(cross_check_rescue=True), [1]),
        (Config(cross_check_rescue=True, cross_check=False), []),
    ],
)
def test_the_pick_is_rescued_only_on_request(config: Config, expected: list[int]) -> None:
    assert kept_positions(Judgement((0.3, 0.2), best=1), config) == expected


def test_an_unanswered_pick_is_not_rescued() -> None:
    assert kept_positions(Judgement((0.3, None), best=1), Config(cross_check_rescue=True)) == []
