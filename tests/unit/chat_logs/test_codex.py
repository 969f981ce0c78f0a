"""Rollouts of the Codex CLI (conversations design, a.13)."""

import json
from typing import Any

from app.chat_logs import codex, json_lines
from app.chat_logs.assembling import blocks
from app.chat_logs.json_lines import Notes
from tests.unit.chat_logs.logs import line


def _read(*items: dict[str, Any], notes: Notes | None = None, include_branches: bool = False) -> list[str]:
    data = "\n".join(map(json.dumps, items)).encode()

    def again() -> Any:  # noqa: ANN401 - objects of a log
        return json_lines.lines(data, Notes())

    assert codex.recognises([item for _, item in again()])
    return [line(block) for block in blocks(codex.messages(again, notes or Notes(), include_branches=include_branches))]


def _item(**payload: Any) -> dict[str, Any]:  # noqa: ANN401 - members of an item
    return {"type": "response_item", "payload": payload}


def _event(**payload: Any) -> dict[str, Any]:  # noqa: ANN401 - members of an event
    return {"type": "event_msg", "payload": payload}


def _user(*texts: str) -> dict[str, Any]:
    return _item(type="message", role="user", content=[{"type": "input_text", "text": text} for text in texts])


def _assistant(text: str) -> dict[str, Any]:
    return _item(type="message", role="assistant", content=[{"type": "output_text", "text": text}])


def test_the_example() -> None:
    log = [
        {"type": "session_meta", "payload": {"id": "T", "cwd": "/srv"}},
        _user("<environment_context>x</environment_context>"),
        _user("Run the tests"),
        _event(type="user_message", message="Run the tests"),
        _item(type="function_call", name="exec_command", arguments='{"cmd":"make test"}', call_id="k1"),
        _item(type="function_call_output", call_id="k1", output="1 failing"),
    ]
    timed = [{"timestamp": f"2026-10-02T09:00:0{second}Z", **item} for second, item in enumerate(log)]
    call = "time=2026-10-02T09:00:04Z call=k1 tool=exec_command"
    assert _read(*timed) == [
        'P system 1 att time=2026-10-02T09:00:01Z kind=context "<environment_context>x</environment_context>"',
        'P user 2 time=2026-10-02T09:00:02Z "Run the tests"',
        f'C assistant 4#k1 {call} "exec_command({{\\"cmd\\":\\"make test\\"}})"',
        'C tool 5#k1 →4#k1 att time=2026-10-02T09:00:05Z tool=exec_command "1 failing"',
    ]


def test_events_speak_only_where_no_message_does() -> None:
    events = [_event(type="user_message", message="Hi"), _event(type="agent_message", message="Hello")]
    assert _read(*events) == ['P user 0 "Hi"', 'P assistant 1 "Hello"']
    assert _read(*events, _user("Hi")) == ['P user 2 "Hi"']


def test_rolled_back_turns_are_withdrawn() -> None:
    log = [
        *(_user("One"), _assistant("A"), _user("Two"), _assistant("B"), _user("Three")),
        *(_event(type="thread_rolled_back", num_turns=2), _user("Four")),
    ]
    notes = Notes()
    assert _read(*log, notes=notes) == ['P user 0 "One"', 'P assistant 1 "A"', 'P user 6 "Four"']
    assert notes.withdrawn_branches == 1
    assert _read(*log, include_branches=True)[3:] == [
        'H2 "Other branch 1"',
        'P user 2 "Two"',
        'P assistant 3 "B"',
        'P user 4 "Three"',
    ]


def test_context_does_not_count_as_a_turn() -> None:
    aborted = _user("<turn_aborted>x</turn_aborted>")
    back = _event(type="thread_rolled_back", num_turns=1)
    assert _read(_user("One"), _user("Two"), aborted, back) == ['P user 0 "One"']


def test_kinds_tell_context_from_the_person() -> None:
    mixed = _user("Injected", "<skill>said</skill>")
    mixed["payload"]["internal_chat_message_metadata_passthrough"] = {"content_item_kinds": ["skill", "user.text"]}
    assert _read(mixed) == ['P system 0/context att kind=context "Injected"', 'P user 0 "<skill>said</skill>"']


def test_summary_model_and_agents() -> None:
    told = {"id": "x", "author": "scout", "recipient": "root", "content": "Found it"}
    assert _read(
        _assistant("A"),
        {"type": "turn_context", "payload": {"model": "gpt-x"}},
        _assistant("B"),
        {"type": "compacted", "payload": {"message": "So far", "replacement_history": [{"role": "user"}]}},
        _item(type="agent_message", **told),
        {"type": "inter_agent_communication", "payload": told},
        {"type": "realtime_item", "payload": {"type": "transcript_segment", "role": "user", "text": "Spoken"}},
    ) == [
        'P assistant 0 "A"',
        'P assistant(gpt-x) 2 "B"',
        'P system 3 att kind=summary "So far"',
        'P scout x "Found it"',
        'P user 6 "Spoken"',
    ]


def test_older_outputs_and_completed_commands_tell_failures() -> None:
    output = json.dumps({"output": "boom", "metadata": {"exit_code": 1}})
    done = {"type": "CommandExecution", "id": "k2", "command": "ls", "aggregated_output": "no", "exit_code": 2}
    assert _read(
        _item(type="function_call", name="shell", arguments="", call_id="k1"),
        _item(type="function_call_output", call_id="k1", output=output),
        _item(type="function_call", name="shell", arguments="", call_id="k2"),
        _item(type="function_call_output", call_id="k2", output="no"),
        _event(type="item_completed", item=done),
        _event(type="item_completed", item={**done, "id": "k3"}),
    ) == [
        'C assistant 0#k1 call=k1 tool=shell "shell()"',
        'C tool 1#k1 →0#k1 att err tool=shell "boom"',
        'C assistant 2#k2 call=k2 tool=shell "shell()"',
        'C tool 3#k2 →2#k2 att err tool=shell "no"',
        'C assistant 5#k3 call=k3 tool=CommandExecution "CommandExecution(ls)"',
        'C tool 5#k3/result →5#k3 att err tool=CommandExecution "no"',
    ]


def test_files_of_2025() -> None:
    assert _read(
        {"id": "s", "timestamp": "2025-05-01T00:00:00Z", "instructions": None},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hi"}]},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hello"}]},
    ) == ['P user 2 "Hi"', 'P assistant 3 "Hello"']


def test_other_logs_are_not_recognised() -> None:
    assert not codex.recognises([{"role": "user", "content": "Hi"}, {"type": "message", "role": "user"}])


def test_a_type_that_is_no_text_does_no_harm() -> None:
    odd = {"type": ["user"], "message": {"type": {}, "content": 1}, "payload": {"type": []}}
    assert not codex.recognises([odd])
    first = _user("Hi")
    assert _read(first, odd) == ['P user 0 "Hi"']
