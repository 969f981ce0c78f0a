"""Quality of contexts, over HTTP: `python -m benchmarks.retrieval_quality PATH`.

PATH holds question sets, one folder each with `documents/` and `questions.jsonl` (a question, the documents it is
asked of or null, and the character ranges that answer it). The documents go into a fresh service as they are, one
collection a set, and every question is asked with room for 400 and for 1,000 tokens; the service's own default engine
judges. Per set, and as a mean of the sets, it prints, at both sizes:

- recall: share of the answers' characters that the context holds, a refused question counting as nothing found;
- precision: share of the context's characters that are the answer's;
- for unanswerable questions how many were refused, and how many answerable ones were;
- decision questions and milliseconds per question.

Beside it stand plain BM25 over the service's own units (`/v1/search` by exact terms) and over chunks of 800
characters, whose best are taken until the same size is full.
"""

import argparse
import json
import math
import re
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import httpx

from benchmarks.server import running_service

SETS = ("chroma-chunking", "cuad", "qmsum", "claude-docs", "squad2")
BUDGETS = (400, 1_000)
CHARS_PER_TOKEN = 4
CHUNK_CHARS = 800
#: Questions asked at a time, and documents handed in.
AT_ONCE = 2
_WORD = re.compile(r"[^\W_]+")
_FORMATS = {".md": "markdown", ".txt": "text"}

#: A character range of a document.
Range: TypeAlias = tuple[str, int, int]
Question: TypeAlias = dict[str, Any]


@dataclass
class Measured:
    """What one way gave at one size, a figure per question."""

    recall: list[float] = field(default_factory=list)
    precision: list[float] = field(default_factory=list)

    def add(self, evidence: Sequence[dict[str, Any]], ranges: Iterable[Range]) -> None:
        """Hold what was shown against what answers."""
        gold = {(one["document"], place) for one in evidence for place in range(one["start"], one["end"])}
        shown = {(document, place) for document, start, end in ranges for place in range(start, end)}
        self.recall.append(len(gold & shown) / len(gold))
        self.precision.append(len(gold & shown) / len(shown) if shown else 0.0)


@dataclass
class Result:
    """One set."""

    ways: dict[str, list[Measured]]
    refused: list[bool] = field(default_factory=list)
    refused_answerable: list[bool] = field(default_factory=list)
    questions: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


class Chunks:
    """Plain BM25 over chunks of whole words."""

    def __init__(self, documents: dict[str, str]) -> None:
        self._chunks = [
            (name, start, end) for name, text in documents.items() for start, end in chunk_spans(text, CHUNK_CHARS)
        ]
        counts = [Counter(_words(documents[name][start:end])) for name, start, end in self._chunks]
        self._lengths = [sum(count.values()) for count in counts]
        self._average = statistics.fmean(self._lengths)
        self._postings: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, count in enumerate(counts):
            for term, times in count.items():
                self._postings[term].append((number, times))

    def best(self, question: str, documents: list[str] | None) -> Iterator[Range]:
        """The chunks that share a term with the question, best first."""
        scores: defaultdict[int, float] = defaultdict(float)
        for term in dict.fromkeys(_words(question)):
            postings = self._postings.get(term, ())
            idf = math.log(1 + (len(self._chunks) - len(postings) + 0.5) / (len(postings) + 0.5))
            for number, times in postings:
                norm = 1.2 * (0.25 + 0.75 * self._lengths[number] / self._average)
                scores[number] += idf * times * 2.2 / (times + norm)
        for number in sorted(scores, key=lambda each: (-scores[each], each)):
            if documents is None or self._chunks[number][0] in documents:
                yield self._chunks[number]


def chunk_spans(text: str, size: int) -> Iterator[tuple[int, int]]:
    """Spans of at most `size` characters that end behind a word."""
    start = 0
    while start < len(text):
        end = min(start + size, len(text))
        space = max(text.rfind(" ", start, end), text.rfind("\n", start, end))
        if end < len(text) and space > start:
            end = space + 1
        yield start, end
        start = end


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def cut(ranges: Iterable[Range], characters: int) -> Iterator[Range]:
    """The first `characters` of ranges."""
    for document, start, end in ranges:
        if characters <= 0:
            return
        yield document, start, min(end, start + characters)
        characters -= end - start


def ingest(client: httpx.Client, collection: str, folder: Path) -> dict[str, str]:
    """Hand in the documents of a set; return their texts by id."""
    documents = {path.name: path.read_bytes().decode() for path in sorted(folder.iterdir())}

    def put(name: str) -> None:
        body = {
            "id": name,
            "collection": collection,
            "text": documents[name],
            "format": _FORMATS[Path(name).suffix],
        }
        job = client.post("/v1/ingest", json=body, headers={"Prefer": "wait=60"}).raise_for_status().json()
        while job["status"] in ("queued", "running"):
            time.sleep(0.5)
            job = client.get(f"/v1/jobs/{job['id']}").raise_for_status().json()
        if job["status"] != "succeeded":
            raise RuntimeError(f"{name} was not ingested: {job}")

    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(put, documents))
    return documents


def spans_of_units(client: httpx.Client, collection: str, documents: Iterable[str]) -> dict[tuple[str, str], Range]:
    """Where every unit stands, by document and unit id."""
    spans: dict[tuple[str, str], Range] = {}
    for name in documents:
        query: dict[str, Any] = {"document": name, "collection": collection, "limit": 200}
        while True:
            page = client.get("/v1/units", params=query).raise_for_status().json()
            for unit in page["units"]:
                spans[name, unit["id"]] = (name, unit["start"] or 0, unit["end"] or 0)
            if page["next_cursor"] is None:
                break
            query["cursor"] = page["next_cursor"]
    return spans


def measure(client: httpx.Client, name: str, folder: Path) -> Result:
    """Ingest a set, ask its questions, and hold the answers against its labels."""
    documents = ingest(client, name, folder / "documents")
    spans = spans_of_units(client, name, documents)
    chunks = Chunks(documents)
    result = Result({way: [Measured() for _ in BUDGETS] for way in ("service", "units", "chunks")})

    def ask(question: Question) -> tuple[Question, list[dict[str, Any]], list[Range]]:
        asked = {"query": question["question"], "collection": name, "documents": question["documents"]}
        contexts = []
        for tokens in BUDGETS:
            started = time.perf_counter()
            answer = client.post("/v1/retrieve", json={**asked, "max_tokens": tokens}).raise_for_status().json()
            contexts.append({**answer, "seconds": time.perf_counter() - started})
        found = client.post("/v1/search", json={**asked, "limit": 100, "terms": "exact"}).raise_for_status().json()
        return question, contexts, [spans[hit["document"], hit["unit"]] for hit in found["hits"]]

    lines = (folder / "questions.jsonl").read_text("utf-8").splitlines()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for question, contexts, units in pool.map(ask, map(json.loads, lines)):
            result.questions += [context["decisions"]["questions"] for context in contexts]
            result.seconds += [context["seconds"] for context in contexts]
            if not question["evidence"]:
                result.refused.append(contexts[0]["abstained"])
                continue
            result.refused_answerable.append(contexts[0]["abstained"])
            best = list(chunks.best(question["question"], question["documents"]))
            for place, tokens in enumerate(BUDGETS):
                characters = tokens * CHARS_PER_TOKEN
                result.ways["service"][place].add(question["evidence"], shown(contexts[place]))
                result.ways["units"][place].add(question["evidence"], cut(units, characters))
                result.ways["chunks"][place].add(question["evidence"], cut(best, characters))
    return result


def shown(context: dict[str, Any]) -> list[Range]:
    """The source ranges that a context shows."""
    return [
        (source["document"], start, end)
        for source in context["sources"]
        for start, end in source["spans"] or ((source["start"] or 0, source["end"] or 0),)
    ]


def _percent(figures: Iterable[Sequence[float]]) -> str:
    return " / ".join(f"{100 * statistics.fmean(each):.0f}" if each else "-" for each in figures)


def main() -> None:
    """Measure the sets under a path and print one table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("path", type=Path, help="folder of question sets")
    parser.add_argument("--sets", nargs="+", default=SETS)
    options = parser.parse_args()
    print("Recall and precision in percent at 400 / 1,000 tokens of context.")
    head = ("set", "service", "BM25 units", "BM25 chunks", "precision", "units'", "chunks'")
    print(" | ".join((*head, "refused unanswerable", "refused answerable", "decisions", "ms p50")))
    recalls: list[list[float]] = []
    with running_service() as client:
        for name in options.sets:
            if not (options.path / name / "questions.jsonl").exists():
                print(f"{name} | not under {options.path}: skipped")
                continue
            result = measure(client, name, options.path / name)
            recall = {way: [each.recall for each in sizes] for way, sizes in result.ways.items()}
            recalls.append([statistics.fmean(each) for sizes in recall.values() for each in sizes])
            columns = [name, *(_percent(sizes) for sizes in recall.values())]
            columns += [_percent([each.precision for each in sizes]) for sizes in result.ways.values()]
            columns += [f"{sum(result.refused)} of {len(result.refused)}"]
            columns += [f"{sum(result.refused_answerable)} of {len(result.refused_answerable)}"]
            columns += [f"{statistics.fmean(result.questions):.0f}", f"{1000 * statistics.median(result.seconds):.0f}"]
            print(" | ".join(columns), flush=True)
    if recalls:
        means = [100 * statistics.fmean(each) for each in zip(*recalls, strict=True)]
        pairs = [f"{means[place]:.1f} / {means[place + 1]:.1f}" for place in range(0, len(means), len(BUDGETS))]
        print(" | ".join(("mean", *pairs)))


if __name__ == "__main__":
    main()
