"""Session logs of Claude Code (conversations design, a.12)."""

import json
from typing import Any

import pytest

from app.chat_logs import claude_code, json_lines
from app.chat_logs.assembling import blocks
from app.chat_logs.json_lines import Notes
from tests.unit.chat_logs.logs import line


def _items(*items: dict[str, Any]) -> json_lines.Items:
    data = "\n".join(map(json.dumps, items)).encode()
    return lambda: json_lines.lines(data, Notes())


def _read(*items: dict[str, Any], notes: Notes | None = None, include_branches: bool = False) -> list[str]:
    again = _items(*items)
    assert claude_code.recognises([item for _, item in again()])
    told = claude_code.messages(again, notes or Notes(), include_branches=include_branches)
    return [line(block) for block in blocks(told)]


def _user(name: str, parent: str | None, content: Any, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    message = {"role": "user", "content": content}
    return {"type": "user", "uuid": name, "parentUuid": parent, "isSidechain": False, "message": message, **more}


def _reply(name: str, parent: str | None, turn: str, *content: dict[str, Any], **more: Any) -> dict[str, Any]:  # noqa: ANN401
    message = {"id": turn, "role": "assistant", "content": list(content)}
    return {"type": "assistant", "uuid": name, "parentUuid": parent, "isSidechain": False, "message": message, **more}


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _call(name: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": name, "name": "Bash", "input": {}}


def _result(name: str, parent: str, call: str) -> dict[str, Any]:
    return _user(name, parent, [{"type": "tool_result", "tool_use_id": call, "content": f"done {call}"}])


def test_the_example() -> None:
    call = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "make test"}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "1 failing"}
    log = [
        {"type": "mode", "mode": "normal", "sessionId": "s"},
        _user("u1", None, "Why does it fail?", timestamp="2026-10-01T10:00:00.000Z"),
        _reply("a1", "u1", "m1", _text("Running tests."), timestamp="2026-10-01T10:00:02.000Z"),
        _reply("a2", "a1", "m1", call, timestamp="2026-10-01T10:00:03.000Z"),
        _user("r1", "a2", [result], timestamp="2026-10-01T10:00:05.000Z"),
    ]
    for reply in log[2:4]:
        reply["message"]["model"] = "claude-x"
    at = "time=2026-10-01T10:00:0"
    assert _read(*log) == [
        f'P user u1 {at}0.000Z "Why does it fail?"',
        f'P assistant(claude-x) m1 →u1 {at}2.000Z "Running tests."',
        f'C assistant(claude-x) m1#t1 →m1 {at}2.000Z call=t1 tool=Bash "Bash({{\\"command\\":\\"make test\\"}})"',
        f'C tool r1#t1 →m1#t1 att {at}5.000Z tool=Bash "1 failing"',
    ]


def test_parallel_calls_keep_both_results() -> None:
    log = [
        _user("u1", None, "Go"),
        *(_reply("a1", "u1", "m1", _call("t1")), _reply("a2", "a1", "m1", _call("t2"))),
        *(_result("r1", "a1", "t1"), _result("r2", "a2", "t2")),
        _reply("a3", "r2", "m2", _text("Done")),
        _user("u2", "a3", "Thanks"),
    ]
    notes = Notes()
    assert [one.partition(" att")[0] for one in _read(*log, notes=notes)[3:5]] == [
        "C tool r1#t1 →m1#t1",
        "C tool r2#t2 →m1#t2",
    ]
    assert notes.withdrawn_branches == 0


def test_a_rewind_withdraws_the_older_branch() -> None:
    log = [
        *(_user("u1", None, "One"), _reply("a1", "u1", "m1", _text("A"))),
        *(_user("u2", "a1", "Two"), _reply("a2", "u2", "m2", _text("B")), _user("u3", "a2", "Three")),
        _user("u4", "a1", "Four"),
    ]
    kept = ['P user u1 "One"', 'P assistant m1 →u1 "A"', 'P user u4 →m1 "Four"']
    notes = Notes()
    assert _read(*log, notes=notes) == kept
    assert notes.withdrawn_branches == 1
    other = ['H2 "Other branch 1"', 'P user u2 "Two"', 'P assistant m2 →u2 "B"', 'P user u3 →m2 "Three"']
    assert _read(*log, include_branches=True) == kept + other


def test_without_a_common_ancestor_nothing_is_withdrawn() -> None:
    assert _read(_user("u1", None, "One"), _user("u2", "gone", "Two")) == ['P user u1 "One"', 'P user u2 "Two"']


def test_lines_in_the_chain_that_say_nothing_are_followed() -> None:
    boundary = {"type": "system", "subtype": "compact_boundary", "uuid": "b", "parentUuid": None, "content": "x"}
    log = [
        _user("u1", None, "One"),
        {**boundary, "logicalParentUuid": "u1"},
        _user("u2", "b", "Summed up", isCompactSummary=True),
        _user("m", "u2", "hidden", isMeta=True),
        _reply("a1", "m", "m1", _text("A")),
    ]
    assert _read(*log) == [
        'P user u1 "One"',
        'P system u2 →u1 att kind=summary "Summed up"',
        'P assistant m1 →u2 "A"',
    ]


@pytest.mark.parametrize(
    ("content", "more", "block"),
    [
        ("<command-name>/x</command-name><command-args>y</command-args>", {}, ['P user n "/x y"']),
        ("<local-command-stdout>out</local-command-stdout>", {}, ['P user n att "out"']),
        ("<local-command-caveat>c</local-command-caveat>", {}, []),
        ([_text("<system-reminder>r</system-reminder>"), _text("Said")], {}, ['P user n "Said"']),
        (
            "<task-notification>t</task-notification>",
            {},
            ['P system(task-notification) n att kind=notice "<task-notification>t</task-notification>"'],
        ),
        ("p", {"origin": {"kind": "peer"}}, ['P system(peer) n att kind=notice "p"']),
        ("p", {"isMeta": True, "origin": {"kind": "channel"}}, ['P user(channel) n "p"']),
    ],
)
def test_what_the_program_puts_into_the_users_mouth(content: object, more: dict[str, Any], block: list[str]) -> None:
    assert _read(_user("n", None, content, **more)) == block


def test_queued_prompts() -> None:
    held = {"type": "queued_command", "prompt": "Also this"}
    queued = {"type": "attachment", "uuid": "q", "parentUuid": "u1", "isSidechain": False, "attachment": held}
    noticed = {**queued, "uuid": "q2", "attachment": {**held, "origin": {"kind": "peer"}}}
    enqueue = {"type": "queue-operation", "operation": "enqueue", "sessionId": "s"}
    log = [_user("u1", None, "Go"), {**enqueue, "content": "Also this"}, {**enqueue, "content": "Lost"}]
    assert _read(*log, queued, noticed) == [
        'P user u1 "Go"',
        'P user 2 "Lost"',
        'P user(queued) q →u1 "Also this"',
        'P system(peer) q2 →u1 att kind=notice "Also this"',
    ]


def test_errors_repeats_side_chains_and_summaries() -> None:
    log = [
        {"type": "summary", "summary": "Other session", "leafUuid": "gone"},
        {"type": "summary", "summary": "This session", "leafUuid": "u1"},
        *(_user("u1", None, "Go"), _user("u1", None, "Go again")),
        _user("s1", None, "Task", isSidechain=True),
        _reply("a1", "u1", "m1", _text("API Error"), isApiErrorMessage=True),
    ]
    assert _read(*log) == [
        'P system 1 att kind=summary "This session"',
        'P user u1 "Go"',
        'P system m1 →u1 att err "API Error"',
    ]
    assert _read(log[4]) == ['P user s1 "Task"']


def test_titles() -> None:
    made = [{"type": "ai-title", "aiTitle": title, "sessionId": "s"} for title in ("First", "Second")]
    given = {"type": "custom-title", "customTitle": "Mine", "sessionId": "s"}
    assert claude_code.title(_items(*made)) == "Second"
    assert claude_code.title(_items(given, *made)) == "Mine"
    assert _read(*made, given) == []


def test_lines_of_unknown_types_are_kept() -> None:
    assert _read(_user("u1", None, "Go"), {"type": "novelty", "content": "New"})[1:] == [
        'P system 1 att kind=unknown:novelty "New"'
    ]


def test_a_type_that_is_no_text_does_no_harm() -> None:
    odd = {"type": ["user"], "message": {"type": {}, "content": 1}, "payload": {"type": []}}
    assert not claude_code.recognises([odd])
    first = _user("u1", None, "Hi")
    assert _read(first, odd) == ['P user u1 "Hi"']
