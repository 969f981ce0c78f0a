"""Fits the offline engine's weights on the development questions and says how good they are.

    python -m benchmarks.fit --data DIR [--write]

Logistic regression with L2, cross-validated by document: every figure is of documents that the weights had not seen.
With `--write` the weights of all documents go into `weights.json`, with the figures beside them. Never give it test
questions.
"""

import argparse
import hashlib
import itertools
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from app.adapters.decisions.offline import answering, seams
from app.adapters.decisions.offline.texts import Vocabulary
from benchmarks.dev_questions import SETS, Pool, pools

Array: TypeAlias = npt.NDArray[np.float64]

WEIGHTS = Path(__file__).parent.parent / "app/adapters/decisions/offline/weights.json"
FOLDS = 5
L2 = 3.0
#: How much a passage that search found but that is no gold counts beside one of a foreign set. Some of them do answer.
OTHER_WEIGHT = 0.3
#: Share of seams where the subject changes, and so what the probabilities are calibrated to.
CHANGES = 0.2
#: `rank_threshold`: what scores less is not kept.
THRESHOLD = 0.4
#: Answerable questions that the bias lets the threshold refuse: a refusal costs their whole answer.
REFUSED = 0.05
WINDOW = 240


@dataclass(frozen=True)
class Example:
    """Rows of features that belong together, such as the passages of one question."""

    group: str
    features: Array
    labels: Array
    weights: Array


def main() -> None:
    """Fit, print, and write if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the development sets")
    parser.add_argument("--write", action="store_true", help="replace the fitted numbers in weights.json")
    arguments = parser.parse_args()
    fitted = fit_answers(list(pools(arguments.data))) | fit_seams(list(seam_examples(arguments.data)))
    if arguments.write:
        content: dict[str, Any] = json.loads(WEIGHTS.read_text(encoding="utf-8"))
        WEIGHTS.write_text(json.dumps(content | fitted, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        print(f"wrote {WEIGHTS.name}; raise its version")


# --- passages -------------------------------------------------------------------------------------------------------


def fit_answers(asked: Sequence[Pool]) -> dict[str, Any]:
    """Fit whether a passage answers, and how sharply the best one stands out."""
    examples = [_answer_example(pool) for pool in asked]
    trained = [example for pool, example in zip(asked, examples, strict=True) if pool.foreign or pool.answerable]
    scores = cross_validated(trained, examples)
    best = np.array([score.max(initial=-30.0) for score in scores])
    kinds = {
        "answerable": np.array([pool.answerable for pool in asked]),
        "foreign": np.array([pool.foreign for pool in asked]),
        "unanswerable": np.array([not pool.answerable and not pool.foreign for pool in asked]),
    }
    cut = float(np.quantile(best[kinds["answerable"]], REFUSED))
    shift = float(np.log(THRESHOLD / (1 - THRESHOLD))) - cut
    print("passages")
    _print_by_set(asked, scores, best, cut)
    figures = {
        "auroc_foreign": auroc(best[kinds["answerable"]], best[kinds["foreign"]]),
        "auroc_unanswerable": auroc(best[kinds["answerable"]], best[kinds["unanswerable"]]),
        "foreign_caught": share(best[kinds["foreign"]] < cut),
        "answerable_refused": share(best[kinds["answerable"]] < cut),
        "unanswerable_caught": share(best[kinds["unanswerable"]] < cut),
        "calibration_error": calibration_error(trained, scores_of(trained, examples, scores)),
        "calibration_error_after_shift": calibration_error(
            trained, [score + shift for score in scores_of(trained, examples, scores)]
        ),
    }
    figures = {name: round(value, 3) for name, value in figures.items()}
    print(json.dumps(figures, indent=2))
    weights = logistic_regression(trained)
    sharpness = _sharpness(
        [pool for pool in asked if any(pool.gold)],
        [score for pool, score in zip(asked, scores, strict=True) if any(pool.gold)],
    )
    return {
        "answers": {
            "fitted": f"benchmarks/fit.py on {len(asked)} pools of {', '.join(SETS)}, by document, {FOLDS} folds. "
            f"The bias is {shift:.2f} above the calibrated one, so that {REFUSED:.0%} of answerable questions find no "
            f"passage at {THRESHOLD}.",
            "figures": figures,
            "features": named(answering.FEATURES, weights[:-1]),
            "bias": round(float(weights[-1]) + shift, 3),
        },
        "best_passage": {
            "fitted": "The power of the same scores under which the gold passages of a pool are likeliest.",
            "sharpness": sharpness,
        },
    }


def _answer_example(pool: Pool) -> Example:
    vocabulary = Vocabulary([pool.question, *pool.passages])
    rows = [answering.passage_features(vocabulary, pool.question, passage) for passage in pool.passages]
    gold = np.array(pool.gold, dtype=np.float64)
    return Example(
        group=pool.group,
        features=np.array(rows, dtype=np.float64).reshape(len(rows), len(answering.FEATURES)),
        labels=gold,
        weights=np.where(gold > 0, 1.0, 1.0 if pool.foreign else OTHER_WEIGHT),
    )


def _print_by_set(asked: Sequence[Pool], scores: Sequence[Array], best: Array, cut: float) -> None:
    print(f"  {'set':<16} first  (search)  in 3  (search)  AUROC foreign  caught  refused")
    for name in SETS:
        own = [at for at, pool in enumerate(asked) if pool.set == name and pool.answerable]
        foreign = [at for at, pool in enumerate(asked) if pool.set == name and pool.foreign]
        held = [at for at in own if any(asked[at].gold)]
        order = {at: np.argsort(-scores[at], kind="stable") for at in held}
        print(
            f"  {name:<16} {share([asked[at].gold[order[at][0]] for at in held]):.3f}"
            f"  ({share([asked[at].gold[0] for at in held]):.3f})"
            f"   {share([any(asked[at].gold[place] for place in order[at][:3]) for at in held]):.3f}"
            f"  ({share([any(asked[at].gold[:3]) for at in held]):.3f})"
            f"   {auroc(best[own], best[foreign]):.3f}"
            f"          {share(best[foreign] < cut):.3f}   {share(best[own] < cut):.3f}"
        )


def _sharpness(asked: Sequence[Pool], scores: Sequence[Array]) -> float:
    def likelihood(power: float) -> float:
        total = 0.0
        for pool, score in zip(asked, scores, strict=True):
            shares = np.exp(power * (score - score.max()))
            total += float(np.log(shares[np.array(pool.gold)].sum() / shares.sum()))
        return total

    return max((step / 20 for step in range(4, 41)), key=likelihood)


# --- seams ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Seam:
    """The two sides of a place where a subject goes on or changes."""

    source: str
    group: str
    first: str
    second: str
    same: bool


def fit_seams(examples: Sequence[Seam]) -> dict[str, Any]:
    """Fit whether two neighbours are about the same subject."""
    vocabulary = Vocabulary(text for seam in examples for text in (seam.first, seam.second))
    features = seams.pair_features(vocabulary, [(seam.first, seam.second) for seam in examples]).astype(np.float64)
    counts = examples_by_source(examples)
    rows = [
        Example(
            group=seam.group,
            features=features[number : number + 1],
            labels=np.array([float(seam.same)]),
            weights=np.array([_seam_weight(seam, counts)]),
        )
        for number, seam in enumerate(examples)
    ]
    scores = cross_validated(rows, rows)
    flat = np.concatenate(scores)
    print("seams")
    for source in sorted({seam.source for seam in examples}):
        own = np.array([seam.source == source for seam in examples])
        same = np.array([seam.same for seam in examples])
        print(f"  {source:<16} {own.sum()} seams, AUROC {auroc(flat[own & same], flat[own & ~same]):.3f}")
    error = round(calibration_error(rows, scores), 3)
    print(f"  calibration error {error}")
    weights = logistic_regression(rows)
    return {
        "continues_subject": {
            "fitted": f"benchmarks/fit.py on {len(examples)} seams of claude-docs, the encyclopedia articles of "
            f"chroma-chunking and squad2, by document, {FOLDS} folds, calibrated to {CHANGES:.0%} changes.",
            "figures": {"calibration_error": error},
            "features": named(seams.FEATURES, weights[:-1]),
            "bias": round(float(weights[-1]), 3),
        }
    }


def examples_by_source(examples: Sequence[Seam]) -> dict[tuple[str, bool], int]:
    """Count the seams of each source and label."""
    counts: dict[tuple[str, bool], int] = {}
    for seam in examples:
        counts[seam.source, seam.same] = counts.get((seam.source, seam.same), 0) + 1
    return counts


def _seam_weight(seam: Seam, counts: dict[tuple[str, bool], int]) -> float:
    """Every source counts the same, and changes in it make up `CHANGES`."""
    return 500.0 * (1 - CHANGES if seam.same else CHANGES) / counts[seam.source, seam.same]


def seam_examples(data: Path) -> Iterator[Seam]:
    """Yield seams with labels: neighbours inside a section or paragraph, and ends and starts of different ones.

    Both sides of a change come from one document, so that the wider theme stays. The topic cuts of `qmsum` are left
    out: at 240 characters on each side, turns across a cut can't be told from others (AUROC 0.46).
    """
    for path in sorted((data / "claude-docs" / "documents").rglob("*.md")):
        sections = re.split(r"(?m)^#{1,6} .*$", path.read_text(encoding="utf-8"))
        yield from _section_seams("claude-docs", path.name, [_prose(section) for section in sections])
    articles = (data / "chroma-chunking" / "documents" / "wikitexts.md").read_text(encoding="utf-8")
    for number, article in enumerate(re.split(r"(?m)^ = [^=].* = $", articles)):
        sections = re.split(r"(?m)^ (?:= )+.*$", article)
        yield from _section_seams("encyclopedia", str(number), [_prose(section) for section in sections])
    for path in sorted((data / "squad2" / "documents").rglob("*.md")):
        paragraphs = _prose(path.read_text(encoding="utf-8"))
        yield from _section_seams("squad2", path.name, [_halves(paragraph) for paragraph in paragraphs])


def _prose(section: str) -> list[str]:
    """Return the paragraphs of a section that are prose: five words or more, nearly all letters."""
    lines = [line.strip() for line in section.split("\n")]
    return [line for line in lines if len(line.split()) >= 5 and len(re.findall(r"[\w\s,.]", line)) > 0.9 * len(line)]


def _halves(paragraph: str) -> list[str]:
    """Cut a paragraph at the sentence nearest to its middle, which both sides are then about."""
    cuts = [match.end() for match in re.finditer(r"[.?!]\s", paragraph)]
    if len(paragraph) < 2 * WINDOW or not cuts:
        return [paragraph]
    cut = min(cuts, key=lambda each: abs(each - len(paragraph) // 2))
    return [paragraph[:cut].strip(), paragraph[cut:].strip()]


def _section_seams(source: str, name: str, sections: Sequence[list[str]]) -> Iterator[Seam]:
    group = f"{source}/{name}"
    filled = [section for section in sections if section]
    for section in filled:
        for first, second in itertools.pairwise(section):
            yield Seam(source, group, first[-WINDOW:], second[:WINDOW], same=True)
    for first_section, second_section in zip(filled, filled[2:], strict=False):
        yield Seam(source, group, first_section[-1][-WINDOW:], second_section[0][:WINDOW], same=False)


# --- statistics -----------------------------------------------------------------------------------------------------


def logistic_regression(examples: Sequence[Example]) -> Array:
    """Return the weights and, last, the bias that fit the examples best, by Newton's method."""
    features = np.concatenate([example.features for example in examples])
    labels = np.concatenate([example.labels for example in examples])
    weights = np.concatenate([example.weights for example in examples])
    columns = np.c_[features, np.ones(len(features))]
    penalty = np.diag([L2] * features.shape[1] + [1e-6])
    found = np.zeros(columns.shape[1])
    for _ in range(50):
        likely = 1 / (1 + np.exp(-columns @ found))
        gradient = columns.T @ (weights * (likely - labels)) + penalty @ found
        curvature = (columns * (weights * likely * (1 - likely))[:, None]).T @ columns + penalty
        step = np.linalg.solve(curvature, gradient)
        found -= step
        if np.abs(step).max() < 1e-8:
            break
    return found


def cross_validated(trained: Sequence[Example], scored: Sequence[Example]) -> list[Array]:
    """Return the log-odds of `scored`, each by weights that saw no example of its group."""
    weights = [logistic_regression([each for each in trained if fold(each.group) != number]) for number in range(FOLDS)]
    return [each.features @ weights[fold(each.group)][:-1] + weights[fold(each.group)][-1] for each in scored]


def fold(group: str) -> int:
    """Return the fold that a group is tested in."""
    return hashlib.sha256(group.encode()).digest()[0] % FOLDS


def scores_of(wanted: Sequence[Example], examples: Sequence[Example], scores: Sequence[Array]) -> list[Array]:
    """Pick the scores of some of the examples."""
    places = {id(example): place for place, example in enumerate(examples)}
    return [scores[places[id(example)]] for example in wanted]


def auroc(yes: Array, no: Array) -> float:
    """Return how likely a yes scores above a no; ties count half."""
    if not len(yes) or not len(no):
        return float("nan")
    ordered = np.sort(no)
    below = np.searchsorted(ordered, yes, side="left") + np.searchsorted(ordered, yes, side="right")
    return float(below.mean() / 2 / len(no))


def calibration_error(examples: Sequence[Example], scores: Sequence[Array]) -> float:
    """Return the expected calibration error over ten bins of probability, with the examples' weights."""
    labels = np.concatenate([example.labels for example in examples])
    weights = np.concatenate([example.weights for example in examples])
    likely = 1 / (1 + np.exp(-np.concatenate(list(scores))))
    bins = np.minimum((likely * 10).astype(int), 9)
    gaps = [abs(float(np.sum(weights[bins == each] * (likely - labels)[bins == each]))) for each in range(10)]
    return sum(gaps) / float(weights.sum())


def share(flags: Sequence[bool] | npt.NDArray[np.bool_]) -> float:
    """Return the share of true ones."""
    return float(np.mean(flags)) if len(flags) else float("nan")


def named(names: Sequence[str], values: Array) -> dict[str, float]:
    """Name the weights."""
    return {name: round(float(value), 3) for name, value in zip(names, values, strict=True)}


if __name__ == "__main__":
    main()
