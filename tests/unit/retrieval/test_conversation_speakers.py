"""Speakers that a question names, and their labels."""

import pytest

from app.retrieval.conversation_questions import SLUG_CHARS, WhoseWords, slugs
from app.retrieval.conversation_speakers import named_speakers


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What did Ana say?", "Ana"),
        ("What is Ana's plan?", "Ana"),
        ("what does ana want", "Ana"),
        ("Why did Industrial Design agree?", "Industrial Designer"),
        ("What did Lynne Neagle ask?", "Lynne Neagle AM"),
        ("Did Will agree?", "Will"),
        ("山田さん 山田", "山田"),
    ],
)
def test_a_name_is_found(question: str, name: str) -> None:
    assert named_speakers(question, [name, "Zoe"]) == [name]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What was said?", "Ana"),
        ("What will happen?", "Will"),
        ("Who is the designer?", "Industrial Designer"),
        ("?", "!"),
    ],
)
def test_a_name_is_not_found(question: str, name: str) -> None:
    assert named_speakers(question, [name]) == []


def test_slugs_are_short_and_all_different() -> None:
    names = ["Ana (CFO)", "ana cfo", "Nobody", "Dr. " + "x" * 60, "Dr. " + "x" * 61, "…"]
    made = slugs(names, taken="nobody")
    assert made[:3] == ["ana-cfo", "ana-cfo-2", "nobody-2"]
    assert made[-1] == "speaker"
    assert len(set(made)) == len(names)
    assert all(len(slug) <= SLUG_CHARS for slug in made)


def test_labels_lead_back_to_speakers() -> None:
    question = WhoseWords("Who?", ("Ana", "Ben"))
    assert list(question.labels()) == ["ana", "ben", "nobody"]
    assert [question.speaker(label) for label in question.labels()] == [0, 1, None]
