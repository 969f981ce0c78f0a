"""The golden questions, with a decision model that answers some of what it is asked wrongly or not at all.

Whatever it says, or doesn't, the context holds what the design falls back to, and never more than a scope allows.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from tests.api.conftest import problem
from tests.api.test_on_postgres import Stack
from tests.golden.question_documents import JsonDict, truth_about, units_with
from tests.golden.question_stack import asked_stack, found, ingest, retrieve
from tests.golden.truth import Asked, Telling, Truth

pytestmark = pytest.mark.anyio

#: A label that was never on offer, and an answer of another kind of question.
UNHEARD_OF = {"type": "choice", "choice": "all of it", "confidence": 0.9, "probabilities": {"all of it": 0.9}}
OF_ANOTHER_KIND = {"type": "noul", "noul": 0.9}
NO_PROBABILITY = {"type": "noul", "noul": 7}


@dataclass
class Service:
    """One document in a service whose decision model departs from the truth."""

    stack: Stack
    truth: Truth
    document: JsonDict

    def tell(self, **instead: Telling) -> None:
        """Depart from the truth in another way. Answers that were sound are remembered."""
        self.truth.instead = _by_kind(instead)

    async def ask(self, question: str, **options: object) -> JsonDict:
        """Ask one of the golden questions."""
        assert question in [one["ask"] for one in self.truth.document["questions"]]
        self.truth.asked.clear()
        return await retrieve(self.stack, self.document["id"], question, **options)

    def units_with(self, *quotes: str) -> list[str]:
        return units_with(self.document["units"], list(quotes))


@asynccontextmanager
async def service_of(database_url: str, redis_url: str, name: str, **instead: Telling) -> AsyncIterator[Service]:
    truth = Truth(truth_about(name), _by_kind(instead))
    async with asked_stack(database_url, redis_url, truth) as stack:
        yield Service(stack, truth, await ingest(stack, name))


def _by_kind(instead: Mapping[str, Telling]) -> Mapping[str, Telling]:
    return {kind.replace("_", " "): told for kind, told in instead.items()}


# Scopes


async def test_without_a_sound_scope_the_three_best_are_taken(database_url: str, redis_url: str) -> None:
    async with service_of(database_url, redis_url, "guidance") as service:
        best = service.units_with(
            "A member pays £9 a month", "you then pay £50 towards a new one", "Firms buy time in blocks of 50 hours"
        )
        for told in (None, UNHEARD_OF, OF_ANOTHER_KIND):
            service.tell(scope=told)
            context = await service.ask("What do I pay, for a ride and beyond it?")

            assert found(context) == best, told
            assert "complete" not in service.truth.asked


@pytest.mark.parametrize(
    ("name", "question", "quotes"),
    [
        ("normative", "How may schools keep sets of tools for a term?", ["A school may keep sets of tools"]),
        ("procedural", "How do I pair the room sensors from beginning to end?", ["Hold the ring for five seconds"]),
        ("procedural", "What do I do right after I have connected the wires?", ["Put live into L"]),
        ("reference", "Which members raise TideTimeoutError?", ["Return the station with a code such as"]),
        ("reference", "What is the difference between ebb and flood?", []),
    ],
)
async def test_without_a_scope_no_surroundings_and_no_further_entries_come_along(
    database_url: str, redis_url: str, name: str, question: str, quotes: list[str]
) -> None:
    async with service_of(database_url, redis_url, name, scope=None) as service:
        assert found(await service.ask(question)) == service.units_with(*quotes)


# Passages


@pytest.mark.parametrize(
    ("name", "question", "most"),
    [
        ("guidance", "What do I do if a dock is full when I return a bike?", 3),
        ("guidance", "What do I pay, for a ride or beyond it?", 6),
        ("narrative", "What part did Hester Renn play in the story of the ferry and the bridge?", 8),
        ("reference", "What does slack water mean?", 3),
    ],
)
async def test_a_scope_takes_no_more_when_everything_is_said_to_answer(
    database_url: str, redis_url: str, name: str, question: str, most: int
) -> None:
    async with service_of(database_url, redis_url, name, answers=0.9) as service:
        context = await service.ask(question)

        assert len([one for one in context["trace"]["candidates"] if one["score"] == 0.9]) > most
        taken = set(found(context)) - {link["to"] for link in context["trace"]["links"]}
        assert len(taken) == most


async def test_what_is_said_to_be_best_is_not_taken_when_nothing_answers(database_url: str, redis_url: str) -> None:
    async with service_of(database_url, redis_url, "guidance", answers=0.05) as service:
        context = await service.ask("What do I do if a dock is full when I return a bike?")

    assert (found(context), context["reason"], context["degraded"]) == ([], "not_answered", False)


async def test_one_passage_without_an_answer_is_left_out_and_the_others_stand(
    database_url: str, redis_url: str
) -> None:
    def all_but_damage(asked: Asked) -> float | None:
        return None if "up to £120, if our mechanics find" in asked.texts["passages"][0] else asked.states()

    async with service_of(database_url, redis_url, "guidance", answers=all_but_damage) as service:
        context = await service.ask("What can I be charged for when a bike is damaged, stolen or lost?")

        assert found(context) == service.units_with("you pay its full value")
        assert context["decisions"]["unanswered"] == 1


async def test_when_no_passage_was_judged_there_is_no_context_unless_search_order_will_do(
    database_url: str, redis_url: str
) -> None:
    async with service_of(database_url, redis_url, "guidance") as service:
        question = "What do I do if a dock is full when I return a bike?"
        for told in (None, NO_PROBABILITY, UNHEARD_OF):
            service.tell(answers=told)
            body = {"query": question, "collection": "guidance"}
            problem(await service.stack.client.post("/v1/retrieve", json=body), 503, "decision-model-unavailable")
            context = await service.ask(question, on_unavailable="search_only")

            assert context["degraded"] is True, told
            first = [one["unit"] for one in context["trace"]["candidates"]][:3]
            assert set(found(context)) == set(first), told


async def test_nothing_more_is_looked_for_when_nobody_says_that_something_is_missing(
    database_url: str, redis_url: str
) -> None:
    async with service_of(database_url, redis_url, "guidance", complete=None) as service:
        context = await service.ask("What do I pay, for a ride and beyond it?")

        assert "complete" in service.truth.asked
        assert found(context) == service.units_with(
            "A member pays £9 a month",
            "you then pay £50 towards a new one",
            "Firms buy time in blocks of 50 hours",
            "the desk lends seats for £2 a day",
            "fetched at once, for £15",
        )


# Steps


@pytest.mark.parametrize("kind", ["direction", "named_step"])
async def test_without_a_named_step_and_a_direction_only_confirmed_neighbours_are_taken(
    database_url: str, redis_url: str, kind: str
) -> None:
    async with service_of(database_url, redis_url, "procedural") as service:
        for told in (None, UNHEARD_OF, *(["none"] if kind == "named_step" else [])):
            service.tell(**{kind: told})
            unconfirmed = await service.ask("What do I do right after I have connected the wires?")
            confirmed = await service.ask(
                "The plate hangs level and hand tight. Which step lets me click the controller on?"
            )

            assert found(unconfirmed) == service.units_with("Put live into L"), told
            assert found(confirmed) == service.units_with("Hold the plate level", "Now slide the battery"), told


async def test_when_all_neighbours_are_confirmed_they_are_those_two_places_around(
    database_url: str, redis_url: str
) -> None:
    async with service_of(database_url, redis_url, "procedural", named_step="none", beside=0.9) as service:
        context = await service.ask("What do I do right after I have connected the wires?")

        assert found(context) == service.units_with(
            "The controller hangs on a base plate",
            "Hold the plate level",
            "Put live into L",
            "Now slide the battery into the back",
            "Take off tag and clip",
        )


# Links

NO_LINKS: dict[str, Telling] = {"linked": None, "definition": None, "deciding": None}


async def test_links_without_an_answer_are_not_followed(database_url: str, redis_url: str) -> None:
    async with service_of(database_url, redis_url, "normative", **NO_LINKS) as service:
        for question, quote in (
            ("Do I owe anything when a drill's chuck is worn after careful use?", "7.2 For Fair Wear nothing is owed"),
            ("Which charges go on while a member is suspended?", "8.3 A member who is suspended"),
        ):
            context = await service.ask(question)

            assert found(context) == service.units_with(quote)
            assert context["trace"]["degraded"] == ["links"]


async def test_references_of_data_without_an_answer_are_not_followed(database_url: str, redis_url: str) -> None:
    async with service_of(database_url, redis_url, "markup", **NO_LINKS) as service:
        context = await service.ask("How long is a booking held when a lorry comes late?")

        assert found(context) == service.units_with("A booking is held for twenty minutes")


async def test_references_that_are_all_needed_lead_one_step_from_the_answer(database_url: str, redis_url: str) -> None:
    """Section 8 refers to 5, 6 and 7; that these refer to Schedule B is followed no further."""
    async with service_of(database_url, redis_url, "normative", linked=0.9, definition=0.9) as service:
        context = await service.ask("For which breaches of the duties of care can the staff suspend a member?")

        assert found(context) == service.units_with(
            "5.2 A Tool that comes back late costs £2",
            "6.2 A Borrower may not lend a Tool on",
            "7.1 The Borrower reports damage or loss",
            "8.1 The staff may suspend a member",
        )


async def test_references_of_data_that_are_all_needed_lead_two_steps_from_the_answer(
    database_url: str, redis_url: str
) -> None:
    """The yard's answer is made of schemas; whatever names those, or is named by them, is two steps away."""
    async with service_of(database_url, redis_url, "markup", linked=0.9) as service:
        context = await service.ask("How old can the list of places in the yard be?")

        assert found(context) == service.units_with(
            "Depots are listed by name",
            "A booking is held for twenty minutes",
            "Gives the booking as it stands",
            "The list is at most thirty seconds old",
            "Adds hours to a stay that has begun",
            "The key is missing, has been withdrawn",
            "Three letters that no other depot has",
            "What a depot charges",
        )


async def test_passages_that_all_need_the_one_before_bring_one_each(database_url: str, redis_url: str) -> None:
    async with service_of(database_url, redis_url, "guidance", needs=0.9) as service:
        context = await service.ask("How long may I keep my statement after an accident before I must send it?")

        assert found(context) == service.units_with("Push the front wheel into the dock", "We ask for a statement")


async def test_the_definition_that_was_picked_is_taken_although_none_is_said_to_matter(
    database_url: str, redis_url: str
) -> None:
    def wear(asked: Asked) -> str:
        return asked.passage_with(['"Fair Wear" means'], "none")

    async with service_of(database_url, redis_url, "normative", definition=0.1, deciding=wear) as service:
        context = await service.ask(
            "Do forty spare chisels that a school keeps count when two are missing at the end of term?"
        )

        assert found(context) == service.units_with(
            '"Fair Wear" means the wear', "Up to two hand tools of a Crate Set may be missing"
        )


# Entries


async def test_without_a_property_the_entries_that_answer_are_taken(database_url: str, redis_url: str) -> None:
    async with service_of(database_url, redis_url, "reference") as service:
        for told in (None, UNHEARD_OF, "none"):
            service.tell(property=told)
            context = await service.ask("Which members raise TideTimeoutError?")

            assert found(context) == service.units_with("Return the station with a code such as"), told


async def test_a_property_is_no_answer_when_no_entry_answers(database_url: str, redis_url: str) -> None:
    async with service_of(database_url, redis_url, "reference", answers=0.05) as service:
        context = await service.ask("Which members raise TideTimeoutError?")

        assert (found(context), context["reason"]) == ([], "not_answered")


async def test_entries_that_are_named_and_not_confirmed_are_left_out(database_url: str, redis_url: str) -> None:
    async with service_of(database_url, redis_url, "reference") as service:
        for told in (None, 0.1):
            service.tell(named_entry=told)
            context = await service.ask("How is a surge reckoned from wind and pressure?")

            assert found(context) == service.units_with("Estimate how much air pressure"), told


# Ingestion


@pytest.mark.parametrize("told", [None, UNHEARD_OF], ids=["no answer", "unheard of"])
async def test_sections_without_a_profile_are_guidance(
    database_url: str, redis_url: str, told: JsonDict | None
) -> None:
    async with service_of(database_url, redis_url, "normative", profile=told) as service:
        document = service.document
        context = await service.ask("How long may a hand saw be kept before it must be returned or renewed?")

        assert (document["profile"], document["detected"]) == (
            "guidance",
            {"profile": "guidance", "score": None, "by": "default"},
        )
        assert {unit["meta"]["profile"] for unit in document["units"]} == {"guidance"}
        assert {link["type"] for link in document["links"]} <= {"needs"}
        assert document["job"]["degraded"] == ["profiles"]
        assert found(context) == service.units_with("4.1 The Loan Period is seven days")


async def test_reference_that_is_taken_for_rules_is_passages_and_still_answers(
    database_url: str, redis_url: str
) -> None:
    async with service_of(database_url, redis_url, "reference", profile="normative") as service:
        context = await service.ask("What does slack water mean?")

        assert {unit["kind"] for unit in service.document["units"]} == {"passage"}
        assert found(context) == service.units_with("the short time around the turn of the tide")


async def test_links_that_nobody_answered_are_left_out_and_the_job_says_so(database_url: str, redis_url: str) -> None:
    async with service_of(database_url, redis_url, "normative", needs=None, defines=None) as service:
        assert {link["type"] for link in service.document["links"]} == {"refers_to"}
        assert service.document["job"]["degraded"] == ["needs", "defined_by"]
