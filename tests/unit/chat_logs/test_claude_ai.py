"""Conversations of Claude.ai's export (conversations design, a.17)."""

import json
from typing import Any

from app.chat_logs import claude_ai, json_lines
from app.chat_logs.assembling import blocks
from app.chat_logs.json_lines import Notes
from tests.unit.chat_logs.logs import line

_ROOT = "00000000-0000-4000-8000-000000000000"
_FILLER = "This block is not supported on your current device yet."


def _read(value: dict[str, Any], notes: Notes | None = None, *, include_branches: bool = False) -> list[str]:
    parsed = json_lines.parse(json.dumps(value))
    assert claude_ai.is_conversation(parsed)
    told = claude_ai.messages(parsed, notes or Notes(), include_branches=include_branches)
    return [line(block) for block in blocks(told)]


def _said(name: str, sender: str, text: str, parent: str | None = None) -> dict[str, Any]:
    content = [{"type": "text", "text": text}]
    item = {"uuid": name, "sender": sender, "text": text, "content": content, "attachments": [], "files": []}
    return item if parent is None else {**item, "parent_message_uuid": parent}


def test_the_example() -> None:
    first = {
        **_said("a", "human", "see file", _ROOT),
        "created_at": "2026-01-01T00:00:01Z",
        "attachments": [{"file_name": "n.txt", "extracted_content": "BODY"}],
    }
    second = {**_said("b", "assistant", "Done", "a"), "text": "", "created_at": "2026-01-01T00:00:02Z"}
    assert _read({"uuid": "c1", "name": "Fix", "summary": "A fix", "chat_messages": [first, second]}) == [
        'P user a time=2026-01-01T00:00:01Z "see file"',
        'P user a att time=2026-01-01T00:00:01Z "[file: n.txt]\\nBODY"',
        'P assistant b →a time=2026-01-01T00:00:02Z "Done"',
    ]


def test_the_text_counts_only_without_content() -> None:
    repeated = {**_said("a", "human", "Hi"), "text": "Hi and more"}
    older = {**_said("b", "assistant", f"Old\n```\n{_FILLER}\n```\nanswer {_FILLER}"), "content": []}
    assert _read({"chat_messages": [repeated, older]}) == ['P user a "Hi"', 'P assistant b "Old\\n\\nanswer"']


def test_nothing_but_filler_is_nothing() -> None:
    assert _read({"chat_messages": [_said("a", "human", "Hi"), _said("b", "assistant", _FILLER)]}) == ['P user a "Hi"']


def test_calls_results_and_thinking() -> None:
    content = [
        {"type": "thinking", "thinking": "Search."},
        {"type": "text", "text": "Looking."},
        {"type": "tool_use", "id": "t", "name": "find", "input": {"q": "x"}},
        {
            "type": "tool_result",
            "tool_use_id": "t",
            "name": "find",
            "content": [{"type": "text", "text": "none"}],
            "is_error": True,
        },
    ]
    message = {**_said("b", "assistant", ""), "content": content, "files": [{"file_name": "p.png"}]}
    assert _read({"chat_messages": [message]}) == [
        'P assistant b att kind=reasoning "Search."',
        'P assistant b "Looking."',
        'C assistant b#t →b call=t tool=find "find({\\"q\\":\\"x\\"})"',
        'C tool b#t/result →b#t att err tool=find "none"',
        'P assistant b att "[file: p.png]"',
    ]


_BRANCHED = [
    _said("a", "human", "Hi", _ROOT),
    _said("b", "assistant", "Hello", "a"),
    _said("c", "assistant", "Good day", "a"),
    _said("d", "human", "Bye", "b"),
]


def test_the_path_to_the_current_leaf_is_kept() -> None:
    notes = Notes()
    told = _read({"chat_messages": _BRANCHED, "current_leaf_message_uuid": "c"}, notes)
    assert told == ['P user a "Hi"', 'P assistant c →a "Good day"']
    assert notes.withdrawn_branches == 1


def test_without_a_leaf_the_path_to_the_last_message_is_kept() -> None:
    expected = ['P user a "Hi"', 'P assistant b →a "Hello"', 'P user d →b "Bye"']
    assert _read({"chat_messages": _BRANCHED}) == expected
    assert _read({"chat_messages": _BRANCHED}, include_branches=True) == [
        *expected,
        'H2 "Other branch 1"',
        'P assistant c "Good day"',
    ]


def test_a_first_message_that_was_edited_is_withdrawn() -> None:
    items = [_said("a", "human", "Hi", _ROOT), _said("b", "human", "Hello", _ROOT)]
    assert _read({"chat_messages": items}) == ['P user b "Hello"']


def test_messages_without_parents_or_of_missing_ones_stay() -> None:
    items = [_said("a", "human", "Hi"), _said("b", "assistant", "Hello", "gone"), _said("c", "human", "Bye", "a")]
    assert _read({"chat_messages": items}) == ['P user a "Hi"', 'P assistant b "Hello"', 'P user c →a "Bye"']
