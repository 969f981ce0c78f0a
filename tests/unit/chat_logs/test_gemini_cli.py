"""Sessions of the Gemini CLI (conversations design, a.14)."""

import json
from typing import Any

from app.chat_logs import gemini_cli, json_lines
from app.chat_logs.assembling import blocks
from app.chat_logs.json_lines import Notes
from tests.unit.chat_logs.logs import line

_HEAD = {"sessionId": "s", "projectHash": "h", "startTime": "2026-10-01T09:00:00Z", "kind": "main"}


def _read(*items: dict[str, Any], notes: Notes | None = None, include_branches: bool = False) -> list[str]:
    data = "\n".join(map(json.dumps, (_HEAD, *items))).encode()

    def again() -> Any:  # noqa: ANN401 - objects of a log
        return json_lines.lines(data, Notes())

    told = gemini_cli.messages(again, notes or Notes(), include_branches=include_branches)
    return [line(block) for block in blocks(told)]


def _user(name: str, *texts: str) -> dict[str, Any]:
    return {"id": name, "type": "user", "content": [{"text": text} for text in texts]}


def _answer(name: str, text: str, *calls: dict[str, Any]) -> dict[str, Any]:
    return {"id": name, "type": "gemini", "content": text, **({"toolCalls": list(calls)} if calls else {})}


def _call(name: str, output: str | None = None) -> dict[str, Any]:
    result = [{"functionResponse": {"id": name, "name": "ls", "response": {"output": output}}}]
    return {"id": name, "name": "ls", "args": {}, **({} if output is None else {"result": result})}


def test_the_example() -> None:
    result = [{"functionResponse": {"id": "k", "name": "ls", "response": {"output": "a.ts"}}}]
    call = {"id": "k", "name": "ls", "args": {"p": "src"}, "status": "success", "result": result}
    listing = {"timestamp": "2026-10-01T09:00:07Z", "model": "gemini-x", **_answer("2", "Listing.")}
    told = _read(
        {"timestamp": "2026-10-01T09:00:05Z", **_user("1", "List src")}, listing, {**listing, "toolCalls": [call]}
    )
    at = "time=2026-10-01T09:00:07Z"
    assert told == [
        'P user 1 time=2026-10-01T09:00:05Z "List src"',
        f'P assistant(gemini-x) 2 {at} "Listing."',
        f'C assistant(gemini-x) 2#k →2 {at} call=k tool=ls "ls({{\\"p\\":\\"src\\"}})"',
        f'C tool 2#k/result →2#k att {at} tool=ls "a.ts"',
    ]


def test_sessions_are_recognised() -> None:
    assert gemini_cli.recognises([_HEAD])
    assert gemini_cli.recognises([_user("1", "Hi"), _answer("2", "Hello")])
    assert gemini_cli.recognises([{"$rewindTo": "1"}])
    assert gemini_cli.recognises([{"sessionId": "s", "messageId": "0", "type": "user", "message": "Hi"}])
    assert not gemini_cli.recognises([{"role": "user", "content": "Hi"}, {"type": "user", "content": "Hi"}])


def test_the_last_version_stands_at_the_place_of_the_first() -> None:
    assert _read(_user("1", "Hi"), _user("2", "Bye"), _user("1", "Hello")) == ['P user 1 "Hello"', 'P user 2 "Bye"']


def test_a_rewind_takes_a_message_and_all_after_it_away() -> None:
    notes = Notes()
    log = (_user("1", "a"), _user("2", "b"), _user("3", "c"), {"$rewindTo": "2"}, _user("4", "d"))
    assert _read(*log, notes=notes) == ['P user 1 "a"', 'P user 4 "d"']
    assert notes.withdrawn_branches == 1
    assert _read(*log, include_branches=True)[2:] == ['H2 "Other branch 1"', 'P user 2 "b"', 'P user 3 "c"']


def test_a_rewind_to_an_unknown_message_takes_everything_away() -> None:
    assert _read(_user("1", "a"), {"$rewindTo": "x"}, _user("2", "b")) == ['P user 2 "b"']


def test_set_replaces_all_messages_or_none() -> None:
    log = (_user("1", "a"), _user("2", "b"))
    assert _read(*log, {"$set": {"messages": [_user("3", "c"), _user("1", "d")]}}) == ['P user 3 "c"', 'P user 1 "d"']
    assert _read(*log, {"$set": {"summary": "s"}}) == ['P user 1 "a"', 'P user 2 "b"']


def test_a_patch_edits_one_message() -> None:
    log = (_user("1", "a"), _answer("2", "b", _call("x"), _call("y"), _call("z")))
    patch = {"id": "2", "content": "B", "updates": [_call("y", "done")], "removeIds": ["x"], "orderIds": ["z", "y"]}
    assert _read(*log, {"$patch": patch}, {"$patch": {"id": "gone", "content": "?"}}) == [
        'P user 1 "a"',
        'P assistant 2 "B"',
        'C assistant 2#z →2 call=z tool=ls "ls({})"',
        'C assistant 2#y →2 call=y tool=ls "ls({})"',
        'C tool 2#y/result →2#y att tool=ls "done"',
    ]


def test_notices_are_nothing_and_errors_stand_beside() -> None:
    told = [{"id": kind, "type": kind, "content": f"{kind}!"} for kind in ("info", "warning", "error")]
    notes = Notes()
    assert _read(*told, notes=notes) == ['P system error att err "error!"']
    assert notes.skipped == {"info": 1, "none": 1, "warning": 1}


def test_context_is_told_apart_from_what_a_person_says() -> None:
    context = "<session_context>Today</session_context>"
    assert _read(_user("1", context), _user("2", "<hook_context>x</hook_context>", "Hi")) == [
        f'P system 1 att kind=context "{context}"',
        'P system 2/context att kind=context "<hook_context>x</hook_context>"',
        'P user 2 "Hi"',
    ]


def test_a_repeated_result_is_told_once() -> None:
    answer = _answer("1", "Listing.", _call("k", "a.ts"))
    again = {"functionResponse": {"id": "k", "name": "ls", "response": {"output": "a.ts"}}}
    new = {"functionResponse": {"id": "n", "name": "ls", "response": {"output": "b.ts"}}}
    told = _read(answer, {"id": "2", "type": "user", "content": [again, new]})
    assert [text for text in told if text.startswith("C tool")] == [
        'C tool 1#k/result →1#k att tool=ls "a.ts"',
        'C tool 2#n att tool=ls "b.ts"',
    ]


def test_a_history_of_prompts_is_told_by_the_user() -> None:
    assert _read({"sessionId": "s", "messageId": 0, "type": "user", "message": "Hi"}) == ['P user 1 "Hi"']
