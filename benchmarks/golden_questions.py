"""How far the offline engine gets with the golden questions, over HTTP.

    python -m benchmarks.golden_questions [--named-profiles]

Ingests the golden documents of `tests/golden/questions`, each into a collection of its own of a fresh service, and asks
the questions that stand beside them. Prints per question how many of the wanted units its context holds and how many
others, beside the scope that was wanted and the one that was found; then the same per document, with the profiles that
were found right, and how many questions without an answer were refused. The tests ask the same of a model that knows
the answers; this shows what the engine makes of it. With `--named-profiles` ingestion is told each document's profile,
so that what is left is due to judging and gathering alone; a document of several profiles is left as it is.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

import httpx

from benchmarks.server import running_service
from tests.golden.question_documents import DOCUMENTS, JsonDict, text_of, truth_about, units_with

#: Width of a question in the table.
SHOWN = 78
#: Columns of the summary, and their widths.
COLUMNS = {"profiles": 10, "units found": 13, "extra": 7, "whole": 8, "exact": 8, "scope": 8, "refused": 9}
_DEFAULT_PROFILE = "markup"


@dataclass(frozen=True)
class Asked:
    """One question with what came of it."""

    question: str
    wanted_scope: str | None
    #: By gathering profile.
    scopes: Sequence[str]
    wanted: frozenset[str]
    found: frozenset[str]

    @property
    def held(self) -> int:
        """Wanted units in the context."""
        return len(self.wanted & self.found)

    @property
    def extra(self) -> int:
        """Units in the context that are not wanted."""
        return len(self.found - self.wanted)

    @property
    def scope_is_right(self) -> bool:
        """Whether a profile that gathered took the wanted scope; nothing was wanted of a question without one."""
        return self.wanted_scope is None or self.wanted_scope in self.scopes


@dataclass(frozen=True)
class Measured:
    """One document with what came of its questions."""

    name: str
    #: Units whose profile was found right, and all.
    profiled: int
    units: int
    asked: Sequence[Asked]

    @property
    def answerable(self) -> list[Asked]:
        """The questions that have an answer."""
        return [one for one in self.asked if one.wanted]

    @property
    def unanswerable(self) -> list[Asked]:
        """Those that have none."""
        return [one for one in self.asked if not one.wanted]


def ingest(client: httpx.Client, name: str, profile: str | None) -> JsonDict:
    """Ingest a document and return it as the service holds it."""
    body = {"id": name, "collection": name, "text": text_of(name), "format": DOCUMENTS[name][1]}
    if profile is not None:
        body["profile"] = profile
    job = client.post("/v1/ingest", json=body, headers={"Prefer": "wait=60"}).raise_for_status().json()
    if job["status"] != "succeeded":
        raise RuntimeError(f"{name} was not ingested: {job}")
    document: JsonDict = client.get(f"/v1/documents/{name}", params={"collection": name}).raise_for_status().json()
    return document


def measure(client: httpx.Client, name: str, *, named_profiles: bool) -> Measured:
    """Ingest a document and ask its questions."""
    truth = truth_about(name)
    sections = truth.get("sections", _DEFAULT_PROFILE)
    told = sections if named_profiles and "sections" in truth and isinstance(sections, str) else None
    document = ingest(client, name, told)
    profiled = sum(unit["meta"]["profile"] == _profile_of(unit, sections) for unit in document["units"])
    asked = [ask(client, name, question, document["units"]) for question in truth["questions"]]
    return Measured(name, profiled, len(document["units"]), asked)


def _profile_of(unit: JsonDict, sections: str | dict[str, str]) -> str:
    if isinstance(sections, str):
        return sections
    return next(profile for title, profile in sections.items() if title in unit["path"])


def ask(client: httpx.Client, name: str, question: JsonDict, units: list[JsonDict]) -> Asked:
    """Ask one question."""
    body = {"query": question["ask"], "collection": name}
    context = client.post("/v1/retrieve", json=body).raise_for_status().json()
    return Asked(
        question=question["ask"],
        wanted_scope=question.get("scope") if question["holds"] else None,
        scopes=[scope for scope in context["trace"].get("scopes", {}).values() if scope is not None],
        wanted=frozenset(units_with(units, question["holds"])),
        found=frozenset(source["unit"] for source in context["sources"]),
    )


def report(measured: Measured) -> None:
    """Print a table of one document's questions."""
    print(f"\n{measured.name}: {measured.profiled} of {measured.units} units have the right profile")
    print(f"  {'question':<{SHOWN}}  found  extra  scope")
    for one in measured.asked:
        shown = one.question if len(one.question) <= SHOWN else one.question[: SHOWN - 1] + "…"
        found = f"{one.held}/{len(one.wanted)}" if one.wanted else "refused" if not one.found else "not ref."
        scope = "" if one.wanted_scope is None else one.wanted_scope
        if not one.scope_is_right:
            scope += f", found {' and '.join(dict.fromkeys(one.scopes)) or 'none'}"
        print(f"  {shown:<{SHOWN}}  {found:<7}{one.extra:>4}  {scope}")


def summarize(every: Sequence[Measured]) -> None:
    """Print one line per document, and one for all."""
    print(f"\n{'document':<12}" + "".join(f"{title:>{width}}" for title, width in COLUMNS.items()))
    for measured in every:
        _line(measured.name, [measured])
    _line("all", every)
    print(
        "whole: every wanted unit is there; exact: and no other; scope: the right one was taken; refused: of the "
        "questions without an answer."
    )


def _line(label: str, every: Sequence[Measured]) -> None:
    asked = [one for measured in every for one in measured.answerable]
    unanswerable = [one for measured in every for one in measured.unanswerable]
    scoped = [one for one in asked if one.wanted_scope is not None]
    figures = (
        _share(sum(each.profiled for each in every), sum(each.units for each in every)),
        _share(sum(one.held for one in asked), sum(len(one.wanted) for one in asked)),
        str(sum(one.extra for one in asked)),
        _share(sum(one.held == len(one.wanted) for one in asked), len(asked)),
        _share(sum(one.wanted == one.found for one in asked), len(asked)),
        _share(sum(one.scope_is_right for one in scoped), len(scoped)),
        _share(sum(not one.found for one in unanswerable), len(unanswerable)),
    )
    print(f"{label:<12}" + "".join(f"{text:>{width}}" for text, width in zip(figures, COLUMNS.values(), strict=True)))


def _share(part: int, whole: int) -> str:
    return f"{part}/{whole}"


def main() -> None:
    """Measure every document and print the tables."""
    parser = argparse.ArgumentParser(description="How far the offline engine gets with the golden questions.")
    parser.add_argument("--named-profiles", action="store_true", help="tell ingestion what each document is")
    options = parser.parse_args()
    with running_service() as client:
        every = [measure(client, name, named_profiles=options.named_profiles) for name in DOCUMENTS]
    for measured in every:
        report(measured)
    summarize(every)


if __name__ == "__main__":
    main()
