"""How well chunks can be found, beside other chunkers: `python -m benchmarks.chunk_quality PATH`.

PATH holds question sets as `benchmarks.recall` takes them; every question of a set is asked of all its documents. Every
chunker gets the same embeddings, the mean of the static vectors that ship with the product. Per question the chunks
nearest by cosine are taken, best first, until 1,600 characters of their content are full; the last one is cut there,
so that all answer with equally much. Content is what a chunk shows of its document: of ours without heading path and
overlap, which are embedded only; of a peer everything, as it doesn't tell what it repeats.

Recall is the share of the answers' characters that are shown, precision the share of shown characters that are
answers, IoU the shared characters over those of both, each averaged over the questions. What is shown twice counts
twice in the denominators, as in the published scores of `chroma-chunking`. ± is a standard error.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from app.adapters.decisions.offline.engine import OfflineDecisionModel
from app.documents.budget import Embed
from app.text import word_vectors
from app.text.word_vectors import Matrix
from benchmarks.own_chunks import by_budget, by_topic, topic_config
from benchmarks.peers import Cut, Cutter, Peer, chonkie, installed, langchain, semantic
from benchmarks.recall import Evidence, Question, Range, cut

BUDGET = 1_600
#: In Markdown: the first has hardly a heading, the last many and deep ones.
SETS = ("chroma-chunking", "squad2", "claude-docs")
PEERS = (
    partial(langchain, 800, 400),
    partial(langchain, 800),
    partial(langchain, 400),
    partial(semantic, "Markdown", 800),
    partial(semantic, "Text", 800),
    partial(semantic, "Markdown", 400),
    partial(semantic, "Text", 400),
    partial(chonkie, 800),
    partial(chonkie, 400),
)
MEASURES = ("recall", "precision", "IoU")


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Documents by name, and the questions that they answer."""

    documents: dict[str, str]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """What one chunker reached."""

    name: str
    chunks: int
    mean_length: float
    #: A row per question, a column per measure; between 0 and 1.
    scores: npt.NDArray[np.float64]

    @property
    def means(self) -> list[float]:
        """Mean of each measure in percent."""
        return [float(mean) for mean in 100 * self.scores.mean(axis=0)]

    def __str__(self) -> str:
        """One line of the table."""
        recall, precision, iou = self.means
        error = standard_error(self.scores[:, 0])
        figures = (
            f"{recall:5.1f} ±{error:3.1f} | {precision:9.1f} | {iou:5.1f} | {self.chunks:6} | {self.mean_length:6.0f}"
        )
        return f"{self.name:38} | {figures}"


def load(folder: Path) -> QuestionSet:
    """Read a question set; questions without an answer in the documents are left out."""
    documents = {path.name: path.read_bytes().decode() for path in sorted((folder / "documents").iterdir())}
    lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    questions: list[Question] = [json.loads(line) for line in lines]
    return QuestionSet(documents, tuple(question for question in questions if question["evidence"]))


def embedded(texts: Sequence[str]) -> Matrix:
    """Return a vector of length 1 per text: the direction of the mean of its tokens' vectors."""
    model = word_vectors.load()
    table = model.table.astype(np.float32)
    read = model.tokenizer.encode_batch(list(texts), add_special_tokens=False)
    # A text without tokens stands for the unknown one.
    vectors: Matrix = np.stack([table[encoding.ids or [0]].mean(axis=0) for encoding in read])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


def measured(name: str, cutter: Cutter, questions: QuestionSet, vectors: Matrix) -> Result:
    """Ask all questions of the chunks that one chunker makes."""
    chunks = [(document, made) for document, text in questions.documents.items() for made in cutter(text)]
    nearness = vectors @ embedded([made.text for _, made in chunks]).T
    scores = [
        score(question["evidence"], cut(_ranges(chunks, near), BUDGET))
        for question, near in zip(questions.questions, nearness, strict=True)
    ]
    lengths = [made.end - made.start for _, made in chunks]
    return Result(name, len(chunks), float(np.mean(lengths)), np.array(scores))


def _ranges(chunks: Sequence[tuple[str, Cut]], near: Matrix) -> Iterator[Range]:
    for place in np.argsort(-near, kind="stable"):
        document, made = chunks[place]
        yield document, made.start, made.end


def score(evidence: Sequence[Evidence], ranges: Sequence[Range]) -> tuple[float, float, float]:
    """Return recall, precision and IoU of the characters in `ranges`."""
    gold = {(one["document"], place) for one in evidence for place in range(one["start"], one["end"])}
    shown = {(document, place) for document, start, end in ranges for place in range(start, end)}
    length = sum(end - start for _, start, end in ranges)
    shared = len(gold & shown)
    return shared / len(gold), shared / length, shared / (len(gold) + length - shared)


def standard_error(values: npt.NDArray[np.float64]) -> float:
    """Return the standard error of a mean in percentage points."""
    return float(100 * values.std(ddof=1) / np.sqrt(len(values)))


def own_chunkers() -> Iterator[tuple[str, Cutter]]:
    """Yield our settings by name."""
    for size, overlap in ((1024, 128), (1024, 0), (800, 400), (800, 0), (600, 200), (400, 0), (400, 50), (200, 0)):
        yield f"budget {size}/{overlap}", by_budget(size, overlap)
    for size, overlap in ((800, 0), (400, 50)):
        yield f"budget {size}/{overlap} as text", by_budget(size, overlap, document_format="text")
        yield f"budget {size}/{overlap} without headings", by_budget(size, overlap, embed=Embed.CONTENT)
    model = OfflineDecisionModel()
    default = topic_config(800, overlap=80)
    small = topic_config(200, min_tokens=30, paragraph=30)
    for name, config in (("800 (default)", default), ("200 by sentences", small)):
        yield f"topic {name}", by_topic(config, None)
        yield f"topic {name} offline engine", by_topic(config, model)


def compare(own: Sequence[Result], peers: Sequence[Result]) -> None:
    """Say how the best of ours by recall stands to each peer, and where it is not better."""
    best = max(own, key=lambda result: result.means[0])
    print(f"\nThe best of ours by recall is {best.name}. Beside it, question by question (in points):")
    for peer in sorted(peers, key=lambda result: -result.means[0]):
        apart = best.scores - peer.scores
        shares = " | ".join(
            f"{name} {100 * apart[:, column].mean():+5.1f} ±{standard_error(apart[:, column]):3.1f}"
            for column, name in enumerate(MEASURES)
        )
        worse = [name for column, name in enumerate(MEASURES) if apart[:, column].mean() <= 0]
        print(f"{peer.name:38} | {shares}" + (f" | not better in {', '.join(worse)}" if worse else ""))


def run(questions: QuestionSet, peers: Sequence[Peer]) -> None:
    """Measure every chunker on one set and print its table."""
    vectors = embedded([question["question"] for question in questions.questions])
    print(f"{len(questions.questions)} questions, {len(questions.documents)} documents, {BUDGET} characters each")
    print(f"{'chunker, size/overlap':38} | recall      | precision | IoU   | chunks | length")
    results: dict[bool, list[Result]] = {True: [], False: []}
    named = [(False, peer.name, peer.cut) for peer in peers] + [(True, *own) for own in own_chunkers()]
    for ours, name, cutter in named:
        results[ours].append(measured(name, cutter, questions, vectors))
        print(results[ours][-1], flush=True)
    compare(results[True], results[False])


def main() -> None:
    """Measure the sets under a path."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("path", type=Path, help="folder of question sets")
    parser.add_argument("--sets", nargs="+", default=SETS)
    options = parser.parse_args()
    peers = installed(PEERS)
    for name in options.sets:
        print(f"\n== {name}")
        if (options.path / name / "questions.jsonl").exists():
            run(load(options.path / name), peers)
        else:
            print(f"not under {options.path}: skipped")


if __name__ == "__main__":
    main()
