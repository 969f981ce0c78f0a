"""Counts how common words are in general: writes the data file behind the offline engine's rarity weights (ruling 9).

    python benchmarks/background.py --data DIR

DIR holds the development sets. Each set speaks of its own subject all the time, so that a plain count would take
"agreement" or "remote" for common English. A word's rate here is the geometric mean of its rates in the sets: only what
is common everywhere is common.
"""

import argparse
import json
import math
from collections import Counter
from pathlib import Path

from app.adapters.decisions.offline.words import fold_case, words

SETS = {
    "chroma-chunking": "MIT",
    "claude-docs": "MIT",
    "cuad": "CC BY 4.0",
    "qmsum": "MIT",
    "squad2": "CC BY-SA 4.0",
}
KEEP = 20_000
#: Rates are written per so many words.
PER = 10_000_000
TARGET = Path(__file__).parent.parent / "app/adapters/decisions/offline/background.json"


def main() -> None:
    """Count and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the development sets")
    data: Path = parser.parse_args().data
    counts = {name: count(data / name / "documents") for name in SETS}
    # A long number is rare wherever it stands, and needs no line of its own.
    known = {word for word in set[str]().union(*counts.values()) if len(word) <= 2 or not word[0].isdigit()}
    rates = {word: rate(word, counts) for word in known}
    kept = sorted(rates.items(), key=lambda item: (-item[1], item[0]))[:KEEP]
    target = {
        "about": "Occurrences of words per ten million, the geometric mean over five public sets of documents. "
        "Written by benchmarks/background.py.",
        "sources": {name: {"licence": licence, "words": counts[name].total()} for name, licence in SETS.items()},
        "per": PER,
        "counts": {word: max(1, round(value)) for word, value in kept},
    }
    TARGET.write_text(json.dumps(target, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
    print(f"{len(kept)} words, {TARGET.stat().st_size:,} bytes")


def count(folder: Path) -> Counter[str]:
    """Count the words of all documents in a folder."""
    found: Counter[str] = Counter()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            found.update(words(fold_case(path.read_text(encoding="utf-8"))))
    return found


def rate(word: str, counts: dict[str, Counter[str]]) -> float:
    """Return the geometric mean of a word's rates, each with half an occurrence added."""
    logs = [math.log((counter[word] + 0.5) / (counter.total() + 1.0)) for counter in counts.values()]
    return PER * math.exp(math.fsum(logs) / len(logs))


if __name__ == "__main__":
    main()
