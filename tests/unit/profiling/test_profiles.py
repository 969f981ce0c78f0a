import pytest

from app.documents.decision import Choice
from app.documents.profile import Detected, DetectedBy, Profile
from app.profiling.profiles import from_answers, named_by_caller
from app.profiling.sections import Section


def section(title: str, *chunks: int, tokens: int, spoken: bool = False) -> Section:
    return Section(title=title, chunks=chunks, tokens=tokens, opening="", headings=(), spoken=spoken)


def choice(profile: Profile, confidence: float) -> Choice:
    return Choice(label=profile.value, confidence=confidence, probabilities={profile.value: confidence})


THREE = (section("Terms", 0, 3, tokens=100), section("Setup", 1, tokens=70), section("FAQ", 2, tokens=40))


def test_the_document_is_what_most_of_its_tokens_are() -> None:
    found = from_answers(
        THREE,
        [choice(Profile.NORMATIVE, 0.9), choice(Profile.GUIDANCE, 0.6), choice(Profile.GUIDANCE, 0.8)],
        by=DetectedBy.JEV,
    )

    assert found.document is Profile.GUIDANCE  # 70 + 40 tokens against 100
    assert found.detected == Detected(Profile.GUIDANCE, 0.8, DetectedBy.JEV)


def test_every_passage_has_its_sections_profile() -> None:
    found = from_answers(
        THREE,
        [choice(Profile.NORMATIVE, 0.9), choice(Profile.PROCEDURAL, 0.6), choice(Profile.GUIDANCE, 0.8)],
        by=DetectedBy.OFFLINE,
    )

    assert found.chunks == (Profile.NORMATIVE, Profile.PROCEDURAL, Profile.GUIDANCE, Profile.NORMATIVE)
    assert found.sections == {
        "Terms": Profile.NORMATIVE,
        "Setup": Profile.PROCEDURAL,
        "FAQ": Profile.GUIDANCE,
    }
    assert found.detected.by is DetectedBy.OFFLINE


def test_an_unanswered_section_counts_as_guidance() -> None:
    found = from_answers(THREE, [choice(Profile.NORMATIVE, 0.9), None, None], by=DetectedBy.JEV)

    assert found.chunks == (Profile.NORMATIVE, Profile.GUIDANCE, Profile.GUIDANCE, Profile.NORMATIVE)
    assert found.detected == Detected(Profile.GUIDANCE, None, DetectedBy.DEFAULT)


@pytest.mark.parametrize("sections", [THREE, ()])
def test_with_no_answer_at_all_the_document_is_guidance_by_default(sections: tuple[Section, ...]) -> None:
    found = from_answers(sections, [None] * len(sections), by=DetectedBy.JEV)

    assert found.detected == Detected(Profile.GUIDANCE, None, DetectedBy.DEFAULT)
    assert set(found.chunks) <= {Profile.GUIDANCE}


def test_between_equal_profiles_the_one_that_comes_first_wins() -> None:
    two = (section("Story", 0, tokens=50), section("Terms", 1, tokens=50))

    found = from_answers(two, [choice(Profile.NARRATIVE, 0.5), choice(Profile.NORMATIVE, 0.9)], by=DetectedBy.JEV)

    assert found.document is Profile.NARRATIVE


def test_the_callers_profile_holds_for_everything() -> None:
    found = named_by_caller(Profile.PROCEDURAL, THREE)

    assert found.detected == Detected(Profile.PROCEDURAL, None, DetectedBy.CALLER)
    assert set(found.chunks) == {Profile.PROCEDURAL}
    assert set(found.sections.values()) == {Profile.PROCEDURAL}


def test_a_conversation_is_one_without_an_answer() -> None:
    """Conversations design, b: `detected` is by `speakers`, without a score."""
    talk = section("Talk", tokens=101, spoken=True)

    found = from_answers((section("Terms", 0, tokens=100), talk), [choice(Profile.NORMATIVE, 0.9)], by=DetectedBy.JEV)

    assert found.sections == {"Terms": Profile.NORMATIVE, "Talk": Profile.CONVERSATIONAL}
    assert found.chunks == (Profile.NORMATIVE,)
    assert found.detected == Detected(Profile.CONVERSATIONAL, None, DetectedBy.SPEAKERS)


def test_a_document_with_a_shorter_conversation_is_what_the_rest_is() -> None:
    talk = section("Talk", tokens=99, spoken=True)

    found = from_answers((talk, section("Terms", 0, tokens=100)), [choice(Profile.NORMATIVE, 0.9)], by=DetectedBy.JEV)

    assert found.detected == Detected(Profile.NORMATIVE, 0.9, DetectedBy.JEV)
    assert list(found.sections) == ["Talk", "Terms"]


def test_a_document_that_is_conversation_throughout_needs_no_answers() -> None:
    found = from_answers((section("Talk", tokens=10, spoken=True),), (), by=DetectedBy.DEFAULT)

    assert found.detected == Detected(Profile.CONVERSATIONAL, None, DetectedBy.SPEAKERS)
    assert found.chunks == ()
