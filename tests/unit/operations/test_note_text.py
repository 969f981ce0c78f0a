import pytest

from app.documents.contextualizing import MAX_NOTE_CHARS
from app.operations.note_text import cut, refused, tidied
from tests.fakes.chat_model import said

NOTE = "The pump is bolted down. It starts cold.\nP-100, pump, bolt"


@pytest.mark.parametrize(
    ("answer", "note"),
    [
        (NOTE, NOTE),
        ("  The  pump\u00a0is bolted down.\n\n It starts cold.\n\n\tP-100,  pump, bolt \n", NOTE),
        ("```text\n" + NOTE + "\n```", NOTE),
        ("<think>What is a pump?\nI'm sorry, hm.</think>\n" + NOTE, NOTE),
        ("One line.", "One line."),
        ("A\x00 pump\x1b \ud800on.", "A pump on."),
        ("", ""),
        (" \n```\n```\n", ""),
        ("<think>It never ends", ""),
    ],
)
def test_an_answer_becomes_two_lines_at_most(answer: str, note: str) -> None:
    assert tidied(answer) == note


def test_a_note_is_bounded_and_ends_at_a_sentence_or_term() -> None:
    note = tidied("It pumps. " * 50 + "\n" + "term, " * 1000)
    assert MAX_NOTE_CHARS - 10 < len(note) <= MAX_NOTE_CHARS
    assert note.endswith(", term")


def test_a_word_without_end_is_no_note() -> None:
    assert tidied("x" * 100_000) == ""


@pytest.mark.parametrize(
    ("room", "left"),
    [
        # The sentences have 24 and 15 characters and a space between; a line break and terms of 5, 6 and 6 follow.
        (58, NOTE),
        (57, "The pump is bolted down. It starts cold.\nP-100, pump"),
        (51, "The pump is bolted down. It starts cold.\nP-100"),
        (45, "The pump is bolted down. It starts cold."),
        (39, "The pump is bolted down."),
        (23, "The pump is bolted"),
        (3, "The"),
        (2, ""),
    ],
)
def test_terms_go_first_then_sentences_then_words(room: int, left: str) -> None:
    assert len(NOTE) == 58
    assert cut(NOTE, lambda part: len(part) <= room) == left


@pytest.mark.parametrize(
    ("text", "finish_reason", "refusal", "word"),
    [
        ("", "stop", "", "empty"),
        ("```\n```", "stop", "", "empty"),
        ("<think>Hm.", "stop", "", "empty"),
        ("The pump is", "length", "", "cut off"),
        ("The pump.", "content_filter", "", "declined"),
        ("", "stop", "I won't.", "declined"),
        ("The pump.", "tool_calls", "", "unexpected"),
        ("I'm sorry, but I can't help with that.", "stop", "", "declined"),
        ("I\u2019m sorry, no.", "stop", "", "declined"),
        ("I cannot assist with this request.", "stop", "", "declined"),
        ("As an AI language model, I do not.", "stop", "", "declined"),
        ("Sorry, I can not do that.", "stop", "", "declined"),
    ],
)
def test_what_is_no_note(text: str, finish_reason: str, refusal: str, word: str) -> None:
    reason = refused(said(text, finish_reason=finish_reason, refusal=refusal))
    assert reason is not None
    assert word in reason


@pytest.mark.parametrize(
    "text", [NOTE, "Sorry is a card game for four.", "Iceland's policy.", "I can be the variable I."]
)
@pytest.mark.parametrize("finish_reason", ["stop", ""])
def test_what_may_be_a_note(text: str, finish_reason: str) -> None:
    assert refused(said(text, finish_reason=finish_reason)) is None
