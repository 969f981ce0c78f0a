"""How much of the answers in chats and meetings a context holds: `python -m benchmarks.conversations PATH`.

PATH holds the question sets `locomo` and `qmsum`, a folder each with `documents/` and `questions.jsonl`. Their
documents are ingested by a fresh service with the offline engine: chats as blocks with speaker, time and turn,
meetings as the text that they are, whose speakers are found in it. Every question is asked over HTTP of its own
document, at 400 and at 1,000 tokens of context.

Per set and kind of question it prints the share of what answers that the context holds, in percent: of locomo the
turns that were named, of qmsum the characters of the turns. Beside it, plain BM25 over whole turns, best first, until
the same budget is full, speakers' names and times not counted.
"""

import argparse
import json
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import httpx

from app.retrieval.corrections import CORRECTED
from app.retrieval.own_text import BLANK_LINE
from app.retrieval.packing import GAP
from app.terms.bm25 import K1, B, idf
from app.terms.folded import folded_terms
from benchmarks.server import running_service

BUDGETS = (400, 1_000)
CHARS_PER_TOKEN = 4
WAIT_SECONDS = 600

Json: TypeAlias = dict[str, Any]
#: What of a document answers, or is shown: ids of turns, or places of characters.
Places: TypeAlias = frozenset[Any]


@dataclass(frozen=True)
class Turn:
    """What somebody said, and the places that it takes."""

    text: str
    places: Places


@dataclass(frozen=True)
class Set:
    """One question set."""

    name: str
    documents: Mapping[str, bytes]
    questions: Sequence[Json]
    #: The body that ingests a document.
    body: Callable[[str, bytes], Json]
    turns: Callable[[bytes], list[Turn]]
    gold: Callable[[Json], Places]
    #: The places that an answer shows, given the document and its units.
    shown: Callable[[Json, str, Mapping[str, Json]], Places]


@dataclass
class Measured:
    """Sums over the questions of one kind."""

    questions: int = 0
    abstained: int = 0
    held: list[float] = field(default_factory=lambda: [0.0] * len(BUDGETS))
    plain: list[float] = field(default_factory=lambda: [0.0] * len(BUDGETS))

    def add(self, other: "Measured") -> None:
        """Count another kind's questions here as well."""
        self.questions += other.questions
        self.abstained += other.abstained
        for place in range(len(BUDGETS)):
            self.held[place] += other.held[place]
            self.plain[place] += other.plain[place]

    def row(self, *names: str) -> str:
        """A line of the table."""
        columns = [" / ".join(f"{100 * each / self.questions:.1f}" for each in of) for of in (self.plain, self.held)]
        return " | ".join([*names, str(self.questions), *columns, str(self.abstained)])


def chats(folder: Path) -> Set:
    """Read `locomo`: one turn a line."""
    return Set(
        name="locomo",
        documents=_documents(folder),
        questions=_questions(folder),
        body=lambda name, data: {"id": name, "format": "blocks", "blocks": list(_blocks(data))},
        turns=lambda data: [
            Turn(f"{one['text']} {one.get('image', '')}", frozenset({one["id"]})) for one in _lines(data)
        ],
        gold=lambda question: frozenset(each["turn"] for each in question["evidence"]),
        shown=lambda answer, _, units: frozenset(
            units[source["unit"]]["meta"].get("source_turn")
            for source in answer["sources"]
            if units[source["unit"]]["kind"] == "message"
        ),
    )


def meetings(folder: Path) -> Set:
    """Read `qmsum`: one turn a line, `Speaker: words`."""
    return Set(
        name="qmsum",
        documents=_documents(folder),
        questions=_questions(folder),
        body=lambda name, data: {"id": name, "format": "text", "text": data.decode()},
        turns=lambda data: list(_line_turns(data.decode())),
        gold=lambda question: frozenset(
            place for each in question["evidence"] for place in range(each["start"], each["end"])
        ),
        shown=_characters_shown,
    )


def _characters_shown(answer: Json, document: str, _: Mapping[str, Json]) -> Places:
    """Find what the context says in the document: each part from where its source begins.

    The source of a part of a long message is the whole message, so that its span says too much.
    """
    parts = answer["text"].split(BLANK_LINE) if answer["sources"] else []
    shown: set[int] = set()
    for part, source in zip(parts, answer["sources"], strict=True):
        place = source["start"]
        for piece in part.partition("\n")[2].removesuffix(f"\n{CORRECTED}").split(GAP):
            # A reader joins lines.
            words = re.compile(r"\s+".join(re.escape(word) for word in piece.split()))
            found = words.search(document, place, source["end"])
            if found is None:
                raise RuntimeError(f"not in {source['document']}: {piece!r}")
            place = found.end()
            shown |= set(range(*found.span()))
    return frozenset(shown)


def _documents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((folder / "documents").iterdir())}


def _questions(folder: Path) -> list[Json]:
    questions = [json.loads(line) for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
    return [question for question in questions if question["answerable"]]


def _lines(data: bytes) -> list[Json]:
    return [json.loads(line) for line in data.splitlines() if line.strip()]


def _blocks(data: bytes) -> Iterator[Json]:
    for turn in _lines(data):
        meta = {"speaker": turn["speaker"], "turn": turn["id"], "time": turn["time"]}
        yield {"type": "paragraph", "text": turn["text"], "meta": meta}
        if turn.get("image"):
            yield {"type": "paragraph", "text": f"[image: {turn['image']}]", "meta": {**meta, "attachment": True}}


def _line_turns(text: str) -> Iterator[Turn]:
    place = 0
    for line in text.splitlines(keepends=True):
        yield Turn(line, frozenset(range(place, place + len(line))))
        place += len(line)


def by_bm25(turns: Sequence[Turn], question: str) -> list[Turn]:
    """Order turns by plain BM25 of their folded terms."""
    counts = [Counter(folded_terms(turn.text, None)) for turn in turns]
    average = sum(count.total() for count in counts) / max(len(counts), 1)
    frequency = Counter(term for count in counts for term in count)
    scores = [0.0] * len(turns)
    for term in dict.fromkeys(folded_terms(question, None)):
        for place, count in enumerate(counts):
            if count[term]:
                norm = K1 * (1 - B + B * count.total() / average)
                scores[place] += idf(len(turns), frequency[term]) * count[term] * (K1 + 1) / (count[term] + norm)
    return [turns[place] for place in sorted(range(len(turns)), key=lambda place: -scores[place])]


def whole_turns(turns: Sequence[Turn], tokens: int) -> Places:
    """The places of the first turns that a budget holds."""
    held: set[Any] = set()
    characters = tokens * CHARS_PER_TOKEN
    for turn in turns:
        characters -= len(turn.text)
        if characters < 0:
            break
        held |= turn.places
    return frozenset(held)


def ingest(client: httpx.Client, of: Set) -> None:
    """Ingest a set's documents, and wait until they are searchable."""
    jobs = [
        client.post("/v1/ingest", json=of.body(name, data)).raise_for_status().json()["id"]
        for name, data in of.documents.items()
    ]
    for job in jobs:
        deadline = time.monotonic() + WAIT_SECONDS
        while (found := client.get(f"/v1/jobs/{job}").raise_for_status().json())["status"] in ("queued", "running"):
            if time.monotonic() > deadline:
                raise RuntimeError(f"{job} takes longer than {WAIT_SECONDS} s")
            time.sleep(1)
        if found["status"] != "succeeded":
            raise RuntimeError(f"not ingested: {found}")


def units_of(client: httpx.Client, document: str) -> dict[str, Json]:
    """All units of a document by id."""
    units: dict[str, Json] = {}
    cursor: str | None = None
    while True:
        page = {"document": document, "limit": "100", **({"cursor": cursor} if cursor else {})}
        found = client.get("/v1/units", params=page).raise_for_status().json()
        units |= {unit["id"]: unit for unit in found["units"]}
        cursor = found["next_cursor"]
        if cursor is None:
            return units


def measure(client: httpx.Client, of: Set) -> dict[str, Measured]:
    """Ask every question at each budget."""
    measured: defaultdict[str, Measured] = defaultdict(Measured)
    units = {name: units_of(client, name) for name in of.documents}
    turns = {name: of.turns(data) for name, data in of.documents.items()}
    for question in of.questions:
        [document] = question["documents"]
        kind = measured[question.get("kind", "all")]
        kind.questions += 1
        gold = of.gold(question)
        ordered = by_bm25(turns[document], question["question"])
        for place, tokens in enumerate(BUDGETS):
            body = {"query": question["question"], "documents": [document], "max_tokens": tokens}
            answer = client.post("/v1/retrieve", json=body).raise_for_status().json()
            kind.abstained += answer["abstained"] and place == 0
            kind.held[place] += len(gold & of.shown(answer, of.documents[document].decode(), units[document])) / len(
                gold
            )
            kind.plain[place] += len(gold & whole_turns(ordered, tokens)) / len(gold)
    return dict(measured)


SETS = {"locomo": chats, "qmsum": meetings}


def main() -> None:
    """Measure and print one table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("path", type=Path, help="folder of question sets")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    options = parser.parse_args()
    print("set | kind | questions | plain BM25 | service | abstained", flush=True)
    for name in options.sets:
        of = SETS[name](options.path / name)
        with running_service() as client:
            started = time.perf_counter()
            ingest(client, of)
            print(
                f"{of.name}: {len(of.documents)} documents ingested in {time.perf_counter() - started:.0f} s",
                flush=True,
            )
            kinds = measure(client, of)
        every = Measured()
        for kind, own in sorted(kinds.items()):
            every.add(own)
            if len(kinds) > 1:
                print(own.row(of.name, kind), flush=True)
        print(every.row(of.name, "all"), flush=True)


if __name__ == "__main__":
    main()
