"""A log ingested whole, and the same log cut between two turns and appended (conversations design, acceptance checks).

Real logs, the real reader.
"""

import json
from collections.abc import Sequence

import pytest

from app.documents.document import Document
from app.documents.values import JsonObject, JsonValue
from tests.fakes.readers import InProcessReader
from tests.unit.operations.growing import Shelf, succeeded, told

pytestmark = pytest.mark.anyio


def line(kind: str, uuid: str, parent: str | None, second: int, **message: JsonValue) -> JsonObject:
    """A line of a Claude Code session."""
    return {
        "type": kind,
        "uuid": uuid,
        "parentUuid": parent,
        "isSidechain": False,
        "timestamp": f"2026-10-01T10:00:{second:02}.000Z",
        "message": {"role": kind, **message},
    }


def said(text: str) -> Sequence[JsonObject]:
    return [{"type": "text", "text": text}]


#: Turns are named by their places.
COMPLETIONS: Sequence[JsonObject] = (
    {"role": "user", "content": "Weather in Oslo?"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "get_weather", "arguments": '{"city": "Oslo"}'}}
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "4 C"},
    {"role": "assistant", "content": "Four degrees."},
    {"role": "user", "content": "And Rome?"},
    {"role": "assistant", "content": "Twenty."},
)
#: Turns have ids, and lines name the one before.
SESSION: Sequence[JsonObject] = (
    line("user", "u1", None, 0, content="Why does it fail?"),
    line("assistant", "a1", "u1", 2, id="m1", model="claude-x", content=said("Running tests.")),
    line(
        "assistant",
        "a2",
        "a1",
        3,
        id="m1",
        model="claude-x",
        content=[{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "make test"}}],
    ),
    line("user", "r1", "a2", 5, content=[{"type": "tool_result", "tool_use_id": "t1", "content": "1 failing"}]),
    line("assistant", "a3", "r1", 6, id="m2", model="claude-x", content=said("One test fails.")),
    line("user", "u2", "a3", 20, content="Fix it"),
    line("assistant", "a4", "u2", 22, id="m3", model="claude-x", content=said("Done.")),
)
LOGS = {"completions": COMPLETIONS, "session": SESSION}
CUTS = [(name, cut) for name, log in LOGS.items() for cut in range(1, len(log))]


def data(lines: Sequence[JsonObject]) -> bytes:
    return "".join(json.dumps(each) + "\n" for each in lines).encode()


async def whole(log: Sequence[JsonObject]) -> Document:
    shelf = Shelf(reader=InProcessReader())
    succeeded(await shelf.ingest(None, data(log), format="chat"))
    return await shelf.document()


def same(grown: Document, expected: Document) -> None:
    assert grown.units == expected.units
    assert told(grown) == told(expected)
    assert grown.data == expected.data


#: The second and third line of the session are one turn. And the fifth, which follows a tool's result, names the line
#: of that as its parent, which only the lines before tell: its reply is found by rule.
NOT_BETWEEN = [("session", 2), ("session", 4)]


@pytest.mark.parametrize(("name", "cut"), [each for each in CUTS if each not in NOT_BETWEEN])
async def test_new_lines_appended_give_what_the_whole_log_gives(name: str, cut: int) -> None:
    log = LOGS[name]
    shelf = Shelf(reader=InProcessReader())
    succeeded(await shelf.ingest(None, data(log[:cut]), format="chat"))

    succeeded(await shelf.append(None, data(log[cut:]), format="chat"))

    same(await shelf.document(), await whole(log))


@pytest.mark.parametrize("way", ["append", "ingest"])
@pytest.mark.parametrize(("name", "cut"), CUTS)
async def test_a_longer_copy_gives_what_the_whole_log_gives(name: str, cut: int, way: str) -> None:
    log = LOGS[name]
    shelf = Shelf(reader=InProcessReader())
    succeeded(await shelf.ingest(None, data(log[:cut]), format="chat"))
    # The next line was being written.
    succeeded(await shelf.append(None, data(log[:cut]) + data(log[cut:])[:20], format="chat"))

    add = shelf.append if way == "append" else shelf.ingest
    succeeded(await add(None, data(log), format="chat"))

    same(await shelf.document(), await whole(log))
    assert (await shelf.growing()).stored.version == 3


async def test_every_line_on_its_own_gives_what_the_whole_log_gives() -> None:
    shelf = Shelf(reader=InProcessReader())
    succeeded(await shelf.ingest(None, data(COMPLETIONS[:1]), format="chat"))
    for each in COMPLETIONS[1:]:
        succeeded(await shelf.append(None, data([each]), format="jsonl", declared=False))
    same(await shelf.document(), await whole(COMPLETIONS))
