"""Long sessions of Claude Code: what there is to judge, and what has to be gone (f.1, f.5, f.10, f.14, f.15)."""

import re

import pytest

from app.documents.block import BlockType, ParsedDocument
from tests.session_logs import SessionLog, session
from tests.unit.chat_logs.logs import parsed

_LINES = 4_000


@pytest.fixture(scope="module")
def log() -> SessionLog:
    return session(_LINES)


@pytest.fixture(scope="module")
def document(log: SessionLog) -> ParsedDocument:
    return parsed(log.data)


def test_a_log_is_the_same_for_the_same_seed(log: SessionLog) -> None:
    assert session(_LINES).data == log.data
    assert session(_LINES, seed=2).data != log.data


def test_only_prompts_and_texts_are_there_to_be_judged(log: SessionLog, document: ParsedDocument) -> None:
    said = [one for one in document.blocks if one.type is BlockType.PARAGRAPH and "attachment" not in one.meta]
    by_speaker = [sum(one.meta["speaker"] == name for one in said) for name in ("user", "assistant")]
    assert by_speaker == [log.prompts, log.texts]
    assert len(said) == log.prompts + log.texts
    # The proportion of real logs: 1,400 texts and prompts in 31,116 lines.
    assert 0.03 < len(said) / log.lines < 0.06


def test_every_call_of_several_at_once_has_its_result(log: SessionLog, document: ParsedDocument) -> None:
    code = [one for one in document.blocks if one.type is BlockType.CODE]
    calls = {str(one.meta["turn"]) for one in code if one.meta["speaker"] == "assistant"}
    answered = [str(one.meta["reply_to"]) for one in code if one.meta["speaker"] == "tool"]
    assert len(calls) == log.calls
    assert sorted(answered) == sorted(calls)
    assert len(answered) == log.results


def test_broken_lines_and_withdrawn_rounds_are_counted(log: SessionLog, document: ParsedDocument) -> None:
    told = document.data["conversation"]
    assert isinstance(told, dict)
    assert told["bad_lines"] == {"count": log.bad_lines, "first": log.first_bad_line}
    assert told["withdrawn_branches"] == log.rewinds > 0
    kept = parsed(log.data, include_branches=True)
    headings = [one.text for one in kept.blocks if one.type is BlockType.HEADING]
    assert headings == [f"Other branch {number}" for number in range(1, log.rewinds + 1)]


def test_no_bytes_and_no_signatures_become_text(document: ParsedDocument) -> None:
    assert any(one.text == "[image]" for one in document.blocks)
    assert not any(re.search(r"[A-Za-z0-9+/]{200}", one.text) for one in document.blocks)


def test_the_last_word_on_each_figure_is_there(log: SessionLog, document: ParsedDocument) -> None:
    texts = [one.text for one in document.blocks if one.meta.get("speaker") == "assistant"]
    for fact in log.facts:
        asked = fact.question.removeprefix("What is ").removesuffix("?")
        verb = "is" if fact.superseded is None else "has to be"
        assert any(f"{asked} {verb} {fact.value}." in text for text in texts)
