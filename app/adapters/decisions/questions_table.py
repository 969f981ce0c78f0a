"""The table of typed questions, `spec/questions.md`, written from their classes.

python -m app.adapters.decisions.questions_table           writes it
python -m app.adapters.decisions.questions_table --check   exits 1 when it is not what the code says
"""

import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import app
from app.documents.decision import ChoiceQuestion, Question, YesNoQuestion

#: Modules that hold what a feature asks.
_ASKS = re.compile(r"[._]questions\Z")

TARGET = Path(__file__).parents[3] / "spec" / "questions.md"

_HEAD = """# Questions to the decision model

Written from the code by `python -m app.adapters.decisions.questions_table`. A `noul` is answered by a probability of
yes, a `choice` by one of its labels with a probability for each. The version changes with the wording, so that cached
answers to an older wording are not used.

| question | kind | version | asks | asked by |
|---|---|---|---|---|
"""


def question_classes() -> Iterator[type[Question]]:
    """Yield every question class of the modules `app.*.questions` and `app.*.*_questions`, by module and name."""
    packages = [module.name for module in pkgutil.iter_modules(app.__path__, "app.") if module.ispkg]
    for package in sorted(packages):
        folders = importlib.import_module(package).__path__
        names = [module.name for module in pkgutil.iter_modules(folders, f"{package}.")]
        for name in sorted(name for name in names if _ASKS.search(name)):
            module = importlib.import_module(name)
            for _, member in inspect.getmembers(module, inspect.isclass):
                if issubclass(member, Question) and member.__module__ == module.__name__:
                    yield member


def table() -> str:
    """Return the file's content."""
    return _HEAD + "".join(_row(question) for question in question_classes())


def _row(question: type[Question]) -> str:
    feature = question.__module__.split(".")[1]
    return f"| `{question.__name__}` | {_kind(question)} | {question.version} | {question.asks} | {feature} |\n"


def _kind(question: type[Question]) -> str:
    if issubclass(question, YesNoQuestion):
        return "noul"
    if issubclass(question, ChoiceQuestion):
        return "choice"
    raise TypeError(f"{question.__name__} is of no known kind")


def main() -> int:
    """Write the table, or compare it; return the exit status."""
    if "--check" not in sys.argv[1:]:
        TARGET.write_text(table(), encoding="utf-8")
        return 0
    if TARGET.is_file() and TARGET.read_text(encoding="utf-8") == table():
        return 0
    sys.stderr.write("spec/questions.md is not up to date: run python -m app.adapters.decisions.questions_table\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
