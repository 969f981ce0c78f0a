"""Long invented session logs of Claude Code, true to its format and to the proportions of real ones.

A project is worked on: figures are decided, some of them are put right later, and what was settled can be asked for.
In 31,116 lines of real logs there are some 500 prompts, 900 texts, 5,513 calls and 5,512 results (conversations
design, f.1); all other lines are bookkeeping.
"""

import base64
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

#: Of each round: one prompt, its calls with as many results, and the lines that say nothing.
_CALLS, _BOOKKEEPING = 11, 36
_LINES_OF_ROUND = 1 + 2 + 2 * _CALLS + _BOOKKEEPING
#: Every so many rounds is taken back; its figure is put right; its first call has a long output.
_REWOUND, _CORRECTED, _LONG = 17, 5, 60
_LONG_OUTPUT = 2_000_000
_SESSION = "7d1f0c52-0000-4000-8000-000000000001"
_PARTS = ("berth planner", "ticket printer", "tide importer", "crew rota", "cargo scale", "fog alarm", "quay display")
_SETTINGS = ("retry limit", "cache minutes", "queue length", "page size", "worker count", "timeout seconds")


@dataclass(frozen=True, slots=True)
class Fact:
    """A figure of the project as it stands at the end."""

    question: str
    value: int
    #: What was said before it was put right.
    superseded: int | None


@dataclass(slots=True)
class SessionLog:
    """A log and what a reader has to find in it."""

    data: bytes = b""
    lines: int = 0
    prompts: int = 0
    texts: int = 0
    calls: int = 0
    results: int = 0
    #: Prompts that were taken back.
    rewinds: int = 0
    #: Lines that are no JSON, the cut last one among them.
    bad_lines: int = 0
    first_bad_line: int = 0
    facts: list[Fact] = field(default_factory=list)


def session(lines: int, seed: int = 1) -> SessionLog:
    """Return a log of at least so many lines, and fewer than a round more; the same seed gives the same log."""
    return _Writer(random.Random(seed)).write(lines)  # noqa: S311 - invented text


class _Writer:
    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._written: list[str] = []
        self._log = SessionLog()
        self._last: str | None = None
        self._number = 0
        self._time = datetime(2026, 10, 1, 8, tzinfo=UTC)

    def write(self, lines: int) -> SessionLog:
        log = self._log
        rounds = 0
        is_half = False
        while len(self._written) < lines - 1:
            rounds += 1
            self._round(rounds)
            if not is_half and 2 * len(self._written) >= lines:
                is_half = True
                # Resuming a session writes its last lines again.
                self._written += self._written[-100:]
                self._break()
        self._written.append(json.dumps(self._line("user", {"role": "user", "content": "And now"}))[:-20])
        log.bad_lines += 1
        log.lines = len(self._written)
        log.data = "\n".join(self._written).encode()
        return log

    def _round(self, number: int) -> None:
        """One prompt and what was done about it; a round that is taken back counts for nothing but itself."""
        before, is_rewound = self._last, number % _REWOUND == 0
        asked = f"the {_SETTINGS[number % len(_SETTINGS)]} of the {self._chance.choice(_PARTS)} in release {number}"
        value = self._chance.randrange(2, 900)
        corrected = value + 1 if number % _CORRECTED == 0 else None
        self._linked("user", {"role": "user", "content": f"What should {asked} be? Look at the code first."})
        reply = self._identity()
        self._said(reply, f"I read the settings before I decide on {asked}.")
        for place in range(0, _CALLS - 1, 2):
            self._calls(reply if place == 0 else self._identity(), 2, is_long=number % _LONG == 1 and place == 0)
        self._calls(self._identity(), 1, is_long=False)
        settled = f"We decided: {asked} is {value}."
        if corrected is not None:
            settled += f" Correction: the measurement was off by one, {asked} has to be {corrected}."
        self._said(self._identity(), settled)
        for _ in range(_BOOKKEEPING):
            self._nothing()
        log = self._log
        if is_rewound:
            log.rewinds += 1
            self._last = before
            return
        log.prompts += 1
        log.texts += 2
        log.calls += _CALLS
        log.results += _CALLS
        final = value if corrected is None else corrected
        log.facts.append(Fact(f"What is {asked}?", final, None if corrected is None else value))

    def _said(self, reply: str, text: str) -> None:
        self._assistant(reply, {"type": "text", "text": text})

    def _calls(self, reply: str, many: int, *, is_long: bool) -> None:
        """Calls made at once: each follows the one before, and each result its own call."""
        calls: list[tuple[str, str]] = []
        for _ in range(many):
            name = f"toolu_{self._identity()}"
            command = {"command": f"grep -n {self._chance.choice(_SETTINGS).split()[0]} src/{self._number % 90}.py"}
            calls.append(
                (name, self._assistant(reply, {"type": "tool_use", "id": name, "name": "Bash", "input": command}))
            )
        for place, (name, line) in enumerate(calls):
            self._last = line
            content = self._output(is_long=is_long and place == 0)
            block = {"type": "tool_result", "tool_use_id": name, "content": content}
            self._linked("user", {"role": "user", "content": [block]}, toolUseResult={"stdout": "repeated"})

    def _output(self, *, is_long: bool) -> str | list[dict[str, Any]]:
        if is_long:
            return "src/quay.py: unused import\n" * (_LONG_OUTPUT // 27)
        if self._chance.random() < 0.01:
            data = base64.b64encode(self._chance.randbytes(9_000)).decode()
            return [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}]
        return "".join(f"src/{self._chance.randrange(90)}.py:{line}: limit = {line}\n" for line in range(1, 25))

    def _nothing(self) -> None:
        """A line without anything to read."""
        kind = self._chance.choice(("thinking", "mode", "last-prompt", "progress", "system", "file-history-snapshot"))
        if kind == "thinking":
            signature = base64.b64encode(self._chance.randbytes(300)).decode()
            self._assistant(self._identity(), {"type": "thinking", "thinking": "", "signature": signature})
        elif kind == "system":
            self._add({**self._line(kind), "subtype": "turn_duration", "durationMs": 900})
        else:
            self._add({"type": kind, "sessionId": _SESSION})

    def _break(self) -> None:
        """Damage a line, as a full disk does."""
        self._written.append('{"type":"user","uuid":"lost","parentUuid":null,"message":{"role":"us')
        self._log.bad_lines += 1
        self._log.first_bad_line = len(self._written)

    def _assistant(self, reply: str, block: dict[str, Any]) -> str:
        return self._linked("assistant", {"id": reply, "role": "assistant", "model": "claude-x", "content": [block]})

    def _linked(self, kind: str, message: dict[str, Any], **more: Any) -> str:  # noqa: ANN401 - members of the line
        line = self._line(kind, message) | more
        self._last = line["uuid"]
        self._add(line)
        return self._last

    def _line(self, kind: str, message: dict[str, Any] | None = None) -> dict[str, Any]:
        self._time += timedelta(seconds=self._chance.randrange(1, 9))
        return {
            "type": kind,
            "uuid": self._identity(),
            "parentUuid": self._last,
            "isSidechain": False,
            "timestamp": self._time.isoformat().replace("+00:00", ".000Z"),
            "sessionId": _SESSION,
            "cwd": "/srv/ferry",
            "version": "2.1.289",
            **({"message": message} if message is not None else {}),
        }

    def _identity(self) -> str:
        self._number += 1
        return f"00000000-0000-4000-8000-{self._number:012}"

    def _add(self, line: dict[str, Any]) -> None:
        self._written.append(json.dumps(line, separators=(",", ":")))


def sizes() -> Iterator[int]:
    """Lines of a short, a usual and a long log."""
    yield from (3_600, 7_250, 14_500)
