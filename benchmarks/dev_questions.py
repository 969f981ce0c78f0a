"""Questions of the development sets as the offline engine meets them: with the passages that a search brings."""

import hashlib
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.retrieval.common_words import without_common_words
from app.terms.folded import folded_terms

#: Their licences allow it; `locomo` is for evaluation only and has no place here.
SETS = ("chroma-chunking", "claude-docs", "cuad", "qmsum", "squad2")
UNIT_CHARS = (1200, 2400)
SHOWN_CHARS = 2400
POOL = 18
#: A passage states (a part of) the answer when it holds so much of a gold excerpt.
GOLD_SHARE, GOLD_CHARS = 0.5, 80


@dataclass(frozen=True)
class Pool:
    """A question with the passages that search found for it, best first."""

    set: str
    #: Everything about one document is left out together in cross-validation.
    group: str
    question: str
    #: Asked of documents that know nothing about it.
    foreign: bool
    answerable: bool
    passages: tuple[str, ...]
    gold: tuple[bool, ...]


@dataclass(frozen=True)
class Unit:
    """A stretch of a document, as ingestion would make it."""

    document: str
    start: int
    end: int
    shown: str


class Searched:
    """The documents of one set with plain BM25 over folded terms."""

    def __init__(self, folder: Path, unit_chars: int) -> None:
        self.units: list[Unit] = []
        for path in sorted((folder / "documents").rglob("*")):
            if path.is_file():
                name = str(path.relative_to(folder / "documents"))
                self.units.extend(_units(name, path.read_text(encoding="utf-8"), unit_chars))
        self.documents = sorted({unit.document for unit in self.units})
        counts = [Counter(folded_terms(unit.shown, None)) for unit in self.units]
        self._lengths = [count.total() for count in counts]
        self._average = sum(self._lengths) / len(self._lengths)
        self._postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, count in enumerate(counts):
            for term, occurrences in count.items():
                self._postings[term].append((number, occurrences))

    def best(self, question: str, documents: Sequence[str] | None) -> list[Unit]:
        """Return the best `POOL` units, of some documents only if named."""
        scores: dict[int, float] = defaultdict(float)
        for term in dict.fromkeys(folded_terms(without_common_words(question), None)):
            postings = self._postings.get(term, [])
            idf = math.log(1 + (len(self.units) - len(postings) + 0.5) / (len(postings) + 0.5))
            for number, occurrences in postings:
                if documents is None or self.units[number].document in documents:
                    norm = 1.2 * (0.25 + 0.75 * self._lengths[number] / self._average)
                    scores[number] += idf * occurrences * 2.2 / (occurrences + norm)
        return [self.units[number] for number in sorted(scores, key=lambda each: (-scores[each], each))[:POOL]]


def pools(data: Path) -> Iterator[Pool]:
    """Yield every question with its own pool and with two pools of foreign sets, at each unit size."""
    for unit_chars in UNIT_CHARS:
        searched = {name: Searched(data / name, unit_chars) for name in SETS}
        for name in SETS:
            for line in (data / name / "questions.jsonl").read_text(encoding="utf-8").splitlines():
                question = json.loads(line)
                yield _own(name, question, searched[name])
                yield from _foreign(name, question, searched)


def _own(name: str, question: dict[str, Any], searched: Searched) -> Pool:
    found = searched.best(question["question"], question["documents"])
    return Pool(
        set=name,
        group=_group(name, question),
        question=question["question"],
        foreign=False,
        answerable=question["answerable"],
        passages=tuple(unit.shown[:SHOWN_CHARS] for unit in found),
        gold=tuple(any(_states(unit, excerpt) for excerpt in question["evidence"]) for unit in found),
    )


def _foreign(name: str, question: dict[str, Any], searched: dict[str, Searched]) -> Iterator[Pool]:
    """One pool of a whole foreign set and one of a single foreign document, chosen by the question's id."""
    dice = int.from_bytes(hashlib.sha256(question["id"].encode()).digest()[:8], "big")
    others = [other for other in SETS if other != name]
    for turn in range(2):
        other = searched[others[(dice + turn) % len(others)]]
        documents = [other.documents[dice % len(other.documents)]] if turn else None
        found = other.best(question["question"], documents)
        if found:
            yield Pool(
                set=name,
                group=_group(name, question),
                question=question["question"],
                foreign=True,
                answerable=False,
                passages=tuple(unit.shown[:SHOWN_CHARS] for unit in found),
                gold=(False,) * len(found),
            )


def _group(name: str, question: dict[str, Any]) -> str:
    if "passage" in question:
        return f"{name}/{question['passage']['document']}"
    documents = question["documents"] or [excerpt["document"] for excerpt in question["evidence"]]
    return f"{name}/{documents[0]}"


def _states(unit: Unit, excerpt: dict[str, Any]) -> bool:
    shared = min(unit.end, excerpt["end"]) - max(unit.start, excerpt["start"])
    wanted = min(GOLD_SHARE * (excerpt["end"] - excerpt["start"]), GOLD_CHARS)
    return bool(unit.document == excerpt["document"] and shared > 0 and shared >= wanted)


def _units(document: str, text: str, unit_chars: int) -> Iterator[Unit]:
    """Pack paragraphs into units under their headings; a long paragraph is cut behind a sentence."""
    path: list[tuple[int, str]] = []
    spans: list[tuple[int, int]] = []
    for start, end in _paragraphs(text, unit_chars):
        heading = re.match(r"(#{1,6}) (.*)", text[start:end])
        full = bool(spans) and end - spans[0][0] > unit_chars
        if spans and (heading or full):
            yield _unit(document, text, path, spans)
            spans = []
        if heading:
            path = [entry for entry in path if entry[0] < len(heading[1])] + [(len(heading[1]), heading[2])]
            start += heading.end()  # noqa: PLW2901 - the heading is not part of the unit
        if text[start:end].strip():
            spans.append((start, end))
    if spans:
        yield _unit(document, text, path, spans)


def _unit(document: str, text: str, path: list[tuple[int, str]], spans: list[tuple[int, int]]) -> Unit:
    start, end = spans[0][0], spans[-1][1]
    heading = f"[{' > '.join(title for _, title in path)}]\n\n" if path else ""
    return Unit(document=document, start=start, end=end, shown=heading + text[start:end])


def _paragraphs(text: str, unit_chars: int) -> Iterator[tuple[int, int]]:
    for match in re.finditer(r"\S(?:.*?)(?=\n\s*\n|\Z)", text, re.DOTALL):
        start, end = match.span()
        while end - start > unit_chars:
            cut = max(text.rfind(". ", start, start + unit_chars), text.rfind("\n", start, start + unit_chars))
            cut = cut + 1 if cut > start + unit_chars // 3 else start + unit_chars
            yield start, cut
            start = cut
        yield start, end
