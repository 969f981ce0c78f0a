"""Every `curl` example of README.md is sent to a running service, and its answer compared with the one printed there.

In a printed answer `"…"` stands for any value, a string that ends in `…` for any string that begins so, and a key `"…"`
for further keys. Everything else must be equal.
"""

import json
import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "README.md").read_text("utf-8")
PAIR = re.compile(r"```sh\n(curl .*?)\n```\n+```json\n(.*?)\n```", re.DOTALL)


@dataclass(frozen=True)
class Example:
    command: str
    answer: Any


def examples() -> list[Example]:
    return [Example(command, json.loads(answer)) for command, answer in PAIR.findall(README)]


def send(client: httpx.Client, command: str) -> httpx.Response:
    """Send what a `curl` command line would send; understands the few flags that README uses."""
    words = iter(shlex.split(command.replace("\\\n", " "))[1:])
    request: dict[str, Any] = {"method": None, "url": None, "headers": {}, "data": {}, "files": {}}
    for word in words:
        if word in {"-s", "-i"}:
            continue
        if word == "-X":
            request["method"] = next(words)
        elif word == "-H":
            name, _, value = next(words).partition(":")
            request["headers"][name] = value.strip()
        elif word == "--json":
            request["json"] = json.loads(next(words))
        elif word == "-F":
            name, _, value = next(words).partition("=")
            if value.startswith("@"):
                path = ROOT / value[1:]
                request["files"][name] = (path.name, path.read_bytes())
            else:
                request["data"][name] = value
        else:
            request["url"] = re.sub(r"^(http://)?localhost:8000", "", word)
    posts = "json" in request or request["files"]
    request["method"] = request["method"] or ("POST" if posts else "GET")
    return client.request(**request)


def differences(expected: object, actual: object, place: str = "$") -> list[str]:
    """Name every place where `actual` is not what README prints."""
    if expected == "…":
        return []
    if isinstance(expected, str) and expected.endswith("…") and isinstance(actual, str):
        return [] if actual.startswith(expected[:-1]) else [f"{place}: {actual!r} does not begin with {expected!r}"]
    if isinstance(expected, dict) and isinstance(actual, dict):
        open_ended = "…" in expected
        wanted = {key for key in expected if key != "…"}
        missing = [f"{place}.{key}: missing" for key in sorted(wanted - actual.keys())]
        surplus = [] if open_ended else [f"{place}.{key}: not in README" for key in sorted(actual.keys() - wanted)]
        nested = [
            found
            for key in sorted(wanted & actual.keys())
            for found in differences(expected[key], actual[key], f"{place}.{key}")
        ]
        return missing + surplus + nested
    if isinstance(expected, list) and isinstance(actual, list):
        open_ended = bool(expected) and expected[-1] == "…"
        wanted_items = expected[:-1] if open_ended else expected
        if len(actual) < len(wanted_items) or (not open_ended and len(actual) != len(wanted_items)):
            return [f"{place}: {len(actual)} items, README prints {len(wanted_items)}"]
        return [
            found
            for index, item in enumerate(wanted_items)
            for found in differences(item, actual[index], f"{place}[{index}]")
        ]
    return [] if expected == actual else [f"{place}: {actual!r}, README prints {expected!r}"]


@pytest.mark.slow
def test_every_example_of_the_readme_gives_the_answer_printed_there(service: httpx.Client) -> None:
    found = examples()
    assert len(found) >= 10
    wrong = []
    for example in found:
        answer = send(service, example.command)
        content = answer.json() if answer.content else None
        wrong += [f"{example.command}\n  {difference}" for difference in differences(example.answer, content)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("expected", "actual", "count"),
    [
        ({"a": "…"}, {"a": [1]}, 0),
        ({"a": 1, "…": "…"}, {"a": 1, "b": 2}, 0),
        ({"a": 1}, {"a": 1, "b": 2}, 1),
        ([1, "…"], [1, 2, 3], 0),
        ([1, 2], [1], 1),
        ("Returns…", "Returns are free", 0),
        ("Returns…", "Refunds", 1),
    ],
)
def test_differences_finds_what_differs_and_nothing_else(expected: object, actual: object, count: int) -> None:
    assert len(differences(expected, actual)) == count
