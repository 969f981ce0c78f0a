"""Days of a channel from Slack (conversations design, a.19)."""

import json
from typing import Any

import pytest

from app.chat_logs import json_lines, slack
from app.chat_logs.assembling import blocks
from app.chat_logs.json_lines import Notes
from tests.unit.chat_logs.logs import line

_AT = "1772232000.000100"
_TIME = "time=2026-02-27T22:40:00Z"


def _read(*items: dict[str, Any], notes: Notes | None = None) -> list[str]:
    parsed = json_lines.parse(json.dumps(items))
    assert slack.recognises(parsed)
    told = slack.messages(lambda: enumerate(parsed), notes or Notes(), include_branches=False)
    return [line(block) for block in blocks(told)]


def _said(text: str, user: str = "U1", ts: str = _AT, **members: Any) -> dict[str, Any]:  # noqa: ANN401 - members
    return {"type": "message", "user": user, "text": text, "ts": ts, **members}


def test_the_example() -> None:
    first = _said("Heating off at 11?", user_profile={"display_name": "mira"})
    second = _said("Fine", "U2", "1772232060.000100", user_profile={"display_name": "dana"}, thread_ts=_AT)
    assert _read(first, second) == [
        f'P mira {_AT} {_TIME} "Heating off at 11?"',
        f'P dana 1772232060.000100 →{_AT} time=2026-02-27T22:41:00Z "Fine"',
    ]


def test_only_items_of_a_channel_are_recognised() -> None:
    assert slack.recognises([{"type": "message", "bot_id": "B1", "ts": _AT}])
    assert not slack.recognises([{"type": "message", "role": "user", "content": "Hi"}, {"ts": _AT, "user": "U1"}])


def test_speakers_have_a_name_where_the_file_tells_one() -> None:
    told = _read(
        _said("a", "U1", user_profile={"display_name": "", "real_name": "Mira Lund"}),
        _said("b", "U1", "1772232001.0"),
        _said("c", "U9", "1772232002.0"),
        {
            "type": "message",
            "subtype": "bot_message",
            "bot_id": "B1",
            "username": "deploy",
            "text": "d",
            "ts": "1772232003.0",
        },
    )
    assert [one.split(" 17")[0] for one in told] == ["P Mira Lund", "P Mira Lund", "P U9", "P deploy"]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("<@U2> and <@U3>", "@dana and @U3"),
        ("in <#C1|plans>, <#C2>", "in #plans, #C2"),
        ("<https://e.org|the page> <https://e.org/x>", "the page (https://e.org) https://e.org/x"),
        ("<!here> <!subteam^S1|@team>", "@here @team"),
        ("a &lt;b&gt; &amp;amp; c", "a <b> &amp; c"),
    ],
)
def test_marks_are_written_out(written: str, shown: str) -> None:
    other = _said("x", "U2", "1772232001.0", user_profile={"display_name": "dana"})
    assert _read(_said(written), other)[0] == f'P U1 {_AT} {_TIME} "{shown}"'


def test_blocks_are_read_where_the_text_is_empty() -> None:
    first = [{"type": "text", "text": "Ask "}, {"type": "user", "user_id": "U2"}]
    second = [{"type": "link", "url": "https://e.org", "text": "there"}]
    sections = [{"type": "rich_text_section", "elements": elements} for elements in (first, second)]
    rich = [{"type": "rich_text", "elements": sections}]
    assert _read(_said("", blocks=rich)) == [f'P U1 {_AT} {_TIME} "Ask @U2\\nthere (https://e.org)"']
    assert _read(_said("Hi", blocks=rich)) == [f'P U1 {_AT} {_TIME} "Hi"']


def test_files_stand_beside() -> None:
    told = _read(_said("See", files=[{"name": "plan.pdf"}, {"mode": "tombstone"}], reactions=[{"name": "tada"}]))
    assert told == [f'P U1 {_AT} {_TIME} "See"', f'P U1 {_AT} att {_TIME} "[file: plan.pdf]"']


@pytest.mark.parametrize(
    "subtype", ["channel_join", "channel_leave", "channel_topic", "channel_purpose", "group_name", "tombstone"]
)
def test_what_nobody_said_is_dropped_and_counted(subtype: str) -> None:
    notes = Notes()
    assert _read(_said("x", subtype=subtype), _said("Hi"), notes=notes) == [f'P U1 {_AT} {_TIME} "Hi"']
    assert (notes.items, notes.skipped) == (2, {subtype: 1})


def test_messages_are_told_by_their_times() -> None:
    told = _read(_said("late", ts="1772232000.000200"), _said("early"), _said("first", ts="999999999.5"))
    assert [one.rpartition(" ")[2] for one in told] == ['"first"', '"early"', '"late"']


def test_the_first_message_of_a_thread_answers_nothing() -> None:
    assert _read(_said("Hi", thread_ts=_AT)) == [f'P U1 {_AT} {_TIME} "Hi"']
