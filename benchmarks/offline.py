"""Measures the offline engine on one core: a judging pool, the seams of a long document, memory.

python -m benchmarks.offline
"""

import itertools
import json
import random
import resource
import statistics
import time
from importlib import resources

from app.adapters.decisions.offline.engine import evaluate
from app.chunking.questions import ContinuesSubject, DependsOn
from app.documents.decision import Question
from app.retrieval.questions import Answers, AnswerScope, BestPassage, Scope
from app.text import word_vectors

PASSAGES, PASSAGE_CHARS = 20, 1200
SEAMS, SEAMS_A_BATCH, WINDOW_CHARS = 2000, 40, 240
ROUNDS = 40


def main() -> None:
    """Measure and print."""
    before = _megabytes()
    start = time.perf_counter()
    word_vectors.load()
    evaluate([Answers("warm", "up")])
    print(f"load: {time.perf_counter() - start:.2f} s")
    print(f"{PASSAGES} passages of {PASSAGE_CHARS} characters, best and scope: {_pool() * 1000:.1f} ms of one core")
    print(f"{SEAMS} seams, two questions each: {_seams():.2f} s of one core")
    print(f"memory: {_megabytes() - before:.0f} MB above a bare process with numpy")


def _pool() -> float:
    dice = random.Random(1)
    times = []
    for _ in range(ROUNDS):
        passages = tuple(_text(dice, PASSAGE_CHARS) for _ in range(PASSAGES))
        question = _text(dice, 60)
        batch: list[Question] = [Answers(question, passage) for passage in passages]
        batch += [BestPassage(question, passages), AnswerScope(question, tuple(Scope))]
        start = time.process_time()
        evaluate(batch)
        times.append(time.process_time() - start)
    return statistics.median(times)


def _seams() -> float:
    dice = random.Random(2)
    windows = [_text(dice, WINDOW_CHARS) for _ in range(SEAMS + 1)]
    pairs = list(itertools.pairwise(windows))
    start = time.process_time()
    for at in range(0, SEAMS, SEAMS_A_BATCH):
        batch = pairs[at : at + SEAMS_A_BATCH]
        evaluate([question for pair in batch for question in (ContinuesSubject(*pair), DependsOn(*pair))])
    return time.process_time() - start


def _text(dice: random.Random, chars: int) -> str:
    """Draw words, common ones far more often than rare ones, in sentences."""
    words: list[str] = []
    length = 0
    while length < chars:
        rank = min(int(dice.paretovariate(0.7)), len(_WORDS)) - 1
        words.append(_WORDS[rank] + ("." if dice.random() < 0.06 else ""))
        length += len(words[-1]) + 1
    return " ".join(words)


def _vocabulary() -> list[str]:
    """Return the words that the engine knows the frequency of, the commonest first."""
    file = resources.files("app.adapters.decisions.offline").joinpath("background.json")
    return list(json.loads(file.read_text(encoding="utf-8"))["counts"])


_WORDS = _vocabulary()


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
