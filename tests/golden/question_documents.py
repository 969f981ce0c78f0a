"""The documents that golden questions are asked of, see `questions/README.md`."""

from pathlib import Path
from typing import Any, TypeAlias

import yaml

JsonDict: TypeAlias = dict[str, Any]

HERE = Path(__file__).parent / "questions"
#: Where each document stands, and its format; the questions to it stand beside it.
DOCUMENTS = {
    "guidance": ("guidance.md", "markdown"),
    "normative": ("normative.md", "markdown"),
    "narrative": ("narrative.html", "html"),
    "procedural": ("procedural.md", "markdown"),
    "reference": ("reference.md", "markdown"),
    "mixed": ("mixed.md", "markdown"),
    "markup": ("markup.openapi.yaml", "yaml"),
}


def text_of(name: str) -> str:
    """The text of a document."""
    return (HERE / DOCUMENTS[name][0]).read_text("utf-8")


def truth_about(name: str) -> JsonDict:
    """What is true of a document, with the questions to it."""
    document: JsonDict = yaml.safe_load((HERE / f"{name}.yaml").read_text("utf-8"))
    return document


def units_with(units: list[JsonDict], quotes: list[str]) -> list[str]:
    """Ids of the units that hold one of the quotations, in document order.

    Raises ValueError for a quotation that no unit, or more than one, holds.
    """
    held = {quote: [unit["id"] for unit in units if quote in squashed(unit["text"])] for quote in quotes}
    if wrong := {quote: ids for quote, ids in held.items() if len(ids) != 1}:
        raise ValueError(f"Quotations that are not in exactly one unit: {wrong}")
    wanted = {unit for ids in held.values() for unit in ids}
    return [unit["id"] for unit in units if unit["id"] in wanted]


def squashed(text: str) -> str:
    """A text in one line, for looking for quotations."""
    return " ".join(text.split())
