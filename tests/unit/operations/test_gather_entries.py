"""Entries that a question names, or asks for by a property."""

from collections.abc import Mapping

import pytest

from app.documents.context import AbstainReason
from app.documents.decision import Answer, Question
from app.documents.profile import Profile
from app.retrieval.questions import Answers, AnswerScope, Scope
from app.retrieval.reference_questions import IsEntryAskedFor, PropertyAskedFor
from tests.builders import a_document, an_entry
from tests.fakes.scripted_model import ScriptedModel, chosen, yes
from tests.unit.operations.test_retrieve import a_retrieve, ask, units

pytestmark = pytest.mark.anyio

PATHS = a_document(
    id="paths",
    profile=Profile.REFERENCE,
    units=[
        an_entry("Path.walk", "Walks a tree.", id="e1", parameters=["top_down", "follow_symlinks"]),
        an_entry("Path.rglob", "Finds files by a pattern.", id="e2", parameters=["pattern", "follow_symlinks"]),
        an_entry("Path.exists", "Whether it is there.", id="e3", parameters=["follow_symlinks"]),
        an_entry("Path.touch", "Makes a file.", id="e4", parameters=["mode"], exceptions=["FileExistsError"]),
        an_entry("Path.open", "Opens a file.", id="e5", parameters=["mode"]),
    ],
)


def scripted(
    scores: Mapping[str, float],
    scope: str,
    *,
    meant: Mapping[str, float] | None = None,
    wanted: str | None = None,
) -> ScriptedModel:
    """A model that scores passages by what they hold, takes named entries as `meant`, and picks `wanted`."""

    def script(question: Question) -> Answer | None:
        match question:
            case Answers(_, passage):
                return yes(next((score for part, score in scores.items() if part in passage), 0.1))
            case AnswerScope():
                return chosen(scope)
            case IsEntryAskedFor(_, name):
                return yes((meant or {}).get(name, 0.1))
            case PropertyAskedFor(_, properties):
                places = [str(place) for place, one in enumerate(properties) if one.value == wanted]
                return chosen(places[0] if places else "none")
            case _:
                return None

    return ScriptedModel(script)


def names_asked_about(model: ScriptedModel) -> list[str]:
    return [each.name for each in model.asked_of(IsEntryAskedFor) if isinstance(each, IsEntryAskedFor)]


async def test_named_entries_are_those_confirmed_and_the_first_three_kept() -> None:
    model = scripted(
        {"Walks": 0.9, "Whether": 0.8, "Makes": 0.7, "Opens": 0.6},
        Scope.NAMED_ENTRIES,
        meant={"Path.walk": 0.9, "Path.rglob": 0.5, "Path.open": 0.49},
    )
    retrieve, shelf = a_retrieve(model, [PATHS])
    context = await ask(retrieve, "Do Path.walk and rglob() follow links when I Path.open a tree or a file?")
    assert units(context) == ["paths/e1", "paths/e2", "paths/e3", "paths/e4"]
    assert names_asked_about(model) == ["Path.rglob", "Path.walk", "Path.open"]
    assert shelf.calls == ["search", "entries_named", "properties_held", "linked"]


async def test_a_named_entry_that_the_search_missed_is_judged_with_the_pool() -> None:
    # One letter is no term of the index.
    sizes = a_document(
        id="sizes",
        profile=Profile.REFERENCE,
        units=[
            an_entry("Sheet", "A sheet is larger than a leaf.", id="e1"),
            an_entry("C#", "A note, and a format.", id="e2"),
        ],
    )
    model = scripted({"note": 0.9, "larger": 0.2}, Scope.NAMED_ENTRIES, meant={"C#": 0.9})
    retrieve, _ = a_retrieve(model, [sizes])
    context = await ask(retrieve, "Is a sheet larger in C#?")
    assert units(context) == ["sizes/e2"]
    assert context.trace["added"] == [{"document": "sizes", "unit": "e2", "because": "named entries"}]


async def test_all_entries_with_a_property_are_what_has_it_and_nothing_else_that_was_kept() -> None:
    model = scripted({"Walks": 0.9, "Opens": 0.8}, Scope.ENTRIES_WITH_PROPERTY, wanted="follow_symlinks")
    retrieve, shelf = a_retrieve(model, [PATHS])
    context = await ask(retrieve, "Which members that walk, or open a file, take follow_symlinks?")
    assert units(context) == ["paths/e1", "paths/e2", "paths/e3"]
    [asked] = model.asked_of(PropertyAskedFor)
    assert isinstance(asked, PropertyAskedFor)
    assert [(one.field, one.value, one.entries) for one in asked.properties] == [("parameters", "follow_symlinks", 3)]
    assert shelf.calls == ["search", "entries_named", "properties_held", "entries_with", "linked"]


async def test_with_no_property_picked_the_first_three_kept_stay() -> None:
    model = scripted({"file": 0.9, "Walks": 0.8, "Whether": 0.7}, Scope.ENTRIES_WITH_PROPERTY)
    retrieve, shelf = a_retrieve(model, [PATHS])
    context = await ask(retrieve, "Which members work on a file by a mode, or walk?")
    assert units(context) == ["paths/e2", "paths/e4", "paths/e5"]
    assert "entries_with" not in shelf.calls


async def test_one_entry_takes_the_first_three_kept() -> None:
    model = scripted({"file": 0.9, "Walks": 0.8}, Scope.ONE_ENTRY, meant={"Path.walk": 1.0})
    retrieve, _ = a_retrieve(model, [PATHS])
    assert units(await ask(retrieve, "What does Path.walk do with a file?")) == ["paths/e2", "paths/e4", "paths/e5"]


async def test_nothing_kept_abstains_whatever_has_the_property() -> None:
    model = scripted({}, Scope.ENTRIES_WITH_PROPERTY, wanted="follow_symlinks")
    retrieve, _ = a_retrieve(model, [PATHS])
    assert (await ask(retrieve, "Who paints follow_symlinks on files?")).reason is AbstainReason.NOT_ANSWERED


async def test_at_most_thirty_entries_have_a_property() -> None:
    many = a_document(
        id="colours",
        profile=Profile.REFERENCE,
        units=[an_entry(f"Colour {n}", "Made of lead.", id=f"e{n}", Made="of lead") for n in range(1, 41)],
    )
    retrieve, _ = a_retrieve(scripted({"lead": 0.9}, Scope.ENTRIES_WITH_PROPERTY, wanted="of lead"), [many])
    assert units(await ask(retrieve, "Which colours are made of lead?")) == [f"colours/e{n}" for n in range(1, 31)]


async def test_other_profiles_are_not_looked_up() -> None:
    retrieve, shelf = a_retrieve(scripted({"fee": 0.9}, Scope.ONE_PASSAGE))
    await ask(retrieve)
    assert "entries_named" not in shelf.calls


def scope_questions(model: ScriptedModel) -> list[AnswerScope]:
    return [question for question in model.asked_of(AnswerScope) if isinstance(question, AnswerScope)]


async def test_reference_offers_its_own_scopes() -> None:
    model = scripted({"Walks": 0.9}, Scope.ONE_ENTRY)
    retrieve, _ = a_retrieve(model, [PATHS])
    await ask(retrieve, "What does Path.walk do?")
    [asked] = scope_questions(model)
    assert asked.scopes == (Scope.ONE_ENTRY, Scope.NAMED_ENTRIES, Scope.ENTRIES_WITH_PROPERTY)
