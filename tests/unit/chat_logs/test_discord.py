"""Channels exported from Discord (conversations design, a.19)."""

import json
from typing import Any

import pytest

from app.chat_logs import discord, json_lines
from app.chat_logs.assembling import blocks
from app.chat_logs.json_lines import Notes
from tests.unit.chat_logs.logs import line


def _read(*items: dict[str, Any], notes: Notes | None = None) -> list[str]:
    parsed = json_lines.parse(json.dumps(items))
    assert discord.recognises(parsed)
    told = discord.messages(lambda: enumerate(parsed), notes or Notes(), include_branches=False)
    return [line(block) for block in blocks(told)]


def _said(name: str, content: str, kind: str = "Default", **members: Any) -> dict[str, Any]:  # noqa: ANN401 - members
    author = {"id": "9", "name": "mira"}
    return {"id": name, "type": kind, "author": author, "content": content, **members}


def test_people_times_and_replies() -> None:
    first = _said(
        "1", "Tea?", author={"id": "7", "name": "dana7", "nickname": "Dana"}, timestamp="2026-02-01T10:00:00+01:00"
    )
    second = _said("2", "Yes", "Reply", reference={"messageId": "1"})
    assert _read(first, second) == [
        'P Dana(dana7) 1 time=2026-02-01T10:00:00+01:00 "Tea?"',
        'P mira 2 →1 "Yes"',
    ]


def test_only_a_reply_answers_what_it_refers_to() -> None:
    assert _read(_said("1", "a"), _said("2", "b", reference={"messageId": "1"})) == ['P mira 1 "a"', 'P mira 2 "b"']


def test_embeds_forwarded_words_files_and_stickers() -> None:
    told = _read(
        _said(
            "1",
            "Look",
            embeds=[{"title": "Fjords", "description": "Deep."}, {"title": "", "description": ""}],
            attachments=[{"fileName": "p.png", "url": "x"}],
            stickers=[{"name": "Wave"}],
            reactions=[{"emoji": {"name": "x"}, "count": 1}],
        ),
        _said("2", "", forwardedMessage={"content": "From afar", "attachments": [{"fileName": "f.txt"}]}),
    )
    assert told == [
        'P mira 1 "Look\\n\\nFjords\\nDeep."',
        'P mira 1 att "[file: p.png]"',
        'P mira 1 att "[file: Wave]"',
        'P mira 2 "From afar"',
        'P mira 2 att "[file: f.txt]"',
    ]


@pytest.mark.parametrize("kind", ["Default", "Reply", "ThreadStarterMessage", "ChatInputCommand", "20"])
def test_what_people_say_is_kept(kind: str) -> None:
    assert _read(_said("1", "Hi", kind)) == ['P mira 1 "Hi"']


@pytest.mark.parametrize("kind", ["GuildMemberJoin", "ChannelPinnedMessage", "Call", "RecipientAdd"])
def test_what_nobody_said_is_dropped_and_counted(kind: str) -> None:
    notes = Notes()
    assert _read(_said("1", "joined", kind), _said("2", "Hi"), notes=notes) == ['P mira 2 "Hi"']
    assert (notes.items, notes.skipped) == (2, {kind: 1})


def test_messages_of_models_are_not_recognised() -> None:
    assert not discord.recognises(
        [{"role": "user", "content": "Hi"}, {"id": "1", "author": {"role": "user"}, "content": "Hi"}]
    )
