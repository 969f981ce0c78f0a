"""How much of the answers a context of a given size holds: `python -m benchmarks.recall PATH`.

PATH holds question sets, one folder each with `documents/` and `questions.jsonl` (a question, the documents it is
asked of or null, and the character ranges that answer it). Documents are cut into units of 1,200 characters and
answered in memory, without a database. Per set it prints the recall of the answers' characters at 400 and 1,000
tokens of context:

- units: whole units by BM25, as the index orders them;
- two grains: pieces by their unit's score and their own (retrieval design, "Two grains");
- search only: `Retrieve` without a decision model;
- judged: `Retrieve` with the offline engine, and how often it abstains from what can be answered and what can't.
"""

import argparse
import asyncio
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from app.adapters.decisions.offline.engine import OfflineDecisionModel
from app.adapters.system_clock import SystemClock
from app.documents.context import Context, OnUnavailable, RetrieveQuery
from app.documents.document import Unit
from app.operations.find_candidates import RESCORED
from app.operations.retrieve import Retrieve
from app.ports.decision_model import DecisionModel
from app.ports.term_index import TermSpace
from app.retrieval.common_words import without_common_words
from app.retrieval.two_grains import PIECE_WEIGHT, TwoGrains
from app.text.sentences import sentence_spans
from benchmarks.counted_index import CountedIndex
from tests.builders import a_hit, a_unit
from tests.fakes.document_store import MemoryDocumentStore
from tests.fakes.memory import Memory

SETS = ("chroma-chunking", "cuad", "qmsum", "claude-docs", "squad2")
UNIT_CHARS = 1_200
BUDGETS = (400, 1_000)
CHARS_PER_TOKEN = 4

#: A character range of a document.
Range = tuple[str, int, int]


class Evidence(TypedDict):
    """Where an answer stands."""

    document: str
    start: int
    end: int


class Question(TypedDict):
    """What is used of a line of `questions.jsonl`."""

    question: str
    documents: list[str] | None
    evidence: list[Evidence]


@dataclass
class Measured:
    """Sums over the questions of one set."""

    recall: list[float]
    answerable: int = 0
    abstained: int = 0
    unanswerable: int = 0
    refused: int = 0

    def __str__(self) -> str:
        """Recall at each budget, in percent."""
        return " / ".join(f"{100 * recall / max(self.answerable, 1):.0f}" for recall in self.recall)


def units_of(text: str) -> list[Unit]:
    """Cut a text into units of whole sentences, at most `UNIT_CHARS` where a sentence isn't longer."""
    groups: list[tuple[int, int]] = []
    for start, end in _sentences(text):
        if groups and end - groups[-1][0] <= UNIT_CHARS:
            groups[-1] = (groups[-1][0], end)
        else:
            groups.append((start, end))
    return [
        a_unit(text[start:end], id=f"p{number}", start=start, end=end)
        for number, (start, end) in enumerate(groups, start=1)
    ]


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    place = 0
    for line in text.splitlines(keepends=True):
        yield from ((place + start, place + end) for start, end in sentence_spans(line))
        place += len(line)


def load(folder: Path) -> tuple[CountedIndex, list[Question]]:
    """Read one question set."""
    hits = [
        a_hit(unit, document=path.name, ordinal=ordinal)
        for path in sorted((folder / "documents").iterdir())
        for ordinal, unit in enumerate(units_of(path.read_bytes().decode()))
    ]
    lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return CountedIndex(hits), [json.loads(line) for line in lines]


def recall(evidence: Sequence[Evidence], ranges: Sequence[Range]) -> float:
    """Share of the evidence's characters that `ranges` hold."""
    gold = {(one["document"], place) for one in evidence for place in range(one["start"], one["end"])}
    shown = {(document, place) for document, start, end in ranges for place in range(start, end)}
    return len(gold & shown) / len(gold)


def cut(ranges: Iterator[Range], characters: int) -> list[Range]:
    """The first `characters` of ranges."""
    kept: list[Range] = []
    for document, start, end in ranges:
        if characters <= 0:
            break
        kept.append((document, start, min(end, start + characters)))
        characters -= end - start
    return kept


async def by_units(index: CountedIndex, question: Question) -> list[Range]:
    """Whole units, best first."""
    found = await index.search(
        "default", question["question"], space=TermSpace.FOLDED, limit=RESCORED, documents=question["documents"]
    )
    return [(hit.document, hit.unit.start or 0, hit.unit.end or 0) for hit in found.hits]


async def by_pieces(index: CountedIndex, question: Question) -> list[Range]:
    """Pieces at two grains, best first."""
    query = without_common_words(question["question"])
    found = await index.search(
        "default", query, space=TermSpace.FOLDED, limit=RESCORED, documents=question["documents"]
    )
    grains = TwoGrains(query, found.hits)
    most = max((hit.score for hit in found.hits), default=1.0)
    scored = [
        (hit.score / most + PIECE_WEIGHT * piece.score, hit, piece)
        for hit in found.hits
        for piece in grains.pieces(hit, 0)
    ]
    scored.sort(key=lambda one: -one[0])
    return [
        (hit.document, (hit.unit.start or 0) + piece.start, (hit.unit.start or 0) + piece.end)
        for _, hit, piece in scored
    ]


async def retrieved(index: CountedIndex, question: Question, model: DecisionModel | None, tokens: int) -> Context:
    """What `Retrieve` answers."""
    retrieve = Retrieve(
        term_index=index,
        vector_search=None,
        documents=MemoryDocumentStore(Memory()),
        decisions=model,
        cache=None,
        clock=SystemClock(),
        max_questions=200,
    )
    documents = question["documents"]
    return await retrieve.run(
        RetrieveQuery(
            query=question["question"],
            documents=None if documents is None else tuple(documents),
            max_tokens=tokens,
            on_unavailable=OnUnavailable.SEARCH_ONLY,
        )
    )


def shown(context: Context) -> list[Range]:
    """The source ranges that a context shows."""
    return [
        (source.document, start, end)
        for source in context.sources
        for start, end in source.spans or ((source.start or 0, source.end or 0),)
    ]


async def measure(index: CountedIndex, questions: Sequence[Question], model: DecisionModel) -> dict[str, Measured]:
    """Every way over one set."""
    ways = {name: Measured([0.0] * len(BUDGETS)) for name in ("units", "two grains", "search only", "judged")}
    for question in questions:
        evidence = question["evidence"]
        judged = [await retrieved(index, question, model, tokens) for tokens in BUDGETS]
        ways["judged"].answerable += bool(evidence)
        ways["judged"].abstained += bool(evidence) and judged[0].abstained
        ways["judged"].unanswerable += not evidence
        ways["judged"].refused += not evidence and judged[0].abstained
        if not evidence:
            continue
        units, pieces = await by_units(index, question), await by_pieces(index, question)
        for place, tokens in enumerate(BUDGETS):
            characters = tokens * CHARS_PER_TOKEN
            ways["units"].recall[place] += recall(evidence, cut(iter(units), characters))
            ways["two grains"].recall[place] += recall(evidence, cut(iter(pieces), characters))
            search_only = await retrieved(index, question, None, tokens)
            ways["search only"].recall[place] += recall(evidence, shown(search_only))
            ways["judged"].recall[place] += recall(evidence, shown(judged[place]))
    for way in ways.values():
        way.answerable = ways["judged"].answerable
    return ways


async def main() -> None:
    """Measure the sets under a path and print one table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("path", type=Path, help="folder of question sets")
    parser.add_argument("--sets", nargs="+", default=SETS)
    options = parser.parse_args()
    model = OfflineDecisionModel()
    print("set | units | two grains | search only | judged | abstained: answerable | abstained: unanswerable")
    for name in options.sets:
        if not (options.path / name / "questions.jsonl").exists():
            print(f"{name} | not under {options.path}: skipped")
            continue
        index, questions = await asyncio.to_thread(load, options.path / name)
        ways = await measure(index, questions, model)
        judged = ways["judged"]
        columns = [str(way) for way in ways.values()]
        columns += [f"{judged.abstained} of {judged.answerable}", f"{judged.refused} of {judged.unanswerable}"]
        print(" | ".join((name, *columns)), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
