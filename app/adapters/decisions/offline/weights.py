"""The numbers of the evaluators, read from `weights.json`; `benchmarks/fit.py` writes those that are fitted."""

import functools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

import numpy as np

from app.adapters.decisions.offline.texts import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Linear:
    """A weight per feature and a bias: the log-odds of yes, or how much speaks for a label."""

    weights: Floats
    bias: float

    def score(self, features: Floats) -> Floats:
        """Return one score per row of features."""
        scores: Floats = features @ self.weights + np.float32(self.bias)
        return scores


@functools.cache
def _file() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(
        resources.files(__package__).joinpath("weights.json").read_text(encoding="utf-8")
    )
    return content


def version() -> int:
    """Return the version of evaluators and weights, which changes with any of them."""
    return int(_file()["version"])


def number(group: str, name: str) -> float:
    """Return a number of an evaluator's group."""
    return float(_file()[group][name])


@functools.cache
def linear(group: str, names: tuple[str, ...], label: str | None = None) -> Linear:
    """Return the weights of an evaluator, in the order of `names`; of one of its labels if it is a choice.

    Raises:
        ValueError: the file names other features than the code.
    """
    entry = _file()[group] if label is None else _file()[group]["labels"][label]
    weights: dict[str, float] = entry["features"]
    unknown = weights.keys() - set(names)
    if unknown or (label is None and len(weights) != len(names)):
        raise ValueError(f"weights.json and the evaluator of {group} name different features")
    return Linear(np.array([weights.get(name, 0.0) for name in names], dtype=np.float32), float(entry["bias"]))


def logistic(scores: Floats) -> Floats:
    """Return probabilities for log-odds."""
    return np.divide(1.0, 1.0 + np.exp(-np.clip(scores, -30.0, 30.0)), dtype=np.float32)


def softmax(scores: Sequence[float] | Floats) -> Floats:
    """Return shares that sum to 1."""
    values = np.asarray(scores, dtype=np.float64)
    powers = np.exp(values - values.max())
    shares: Floats = (powers / powers.sum()).astype(np.float32)
    return shares
