"""What each scope of a conversation gathers, with a model that answers as scripted."""

from collections.abc import Mapping
from typing import Any

import pytest

from app.documents.context import AbstainReason, OnUnavailable
from app.documents.decision import Answer, Question
from app.documents.document import UnitKind
from app.operations.judge_passages import MESSAGE_CHARS
from app.retrieval.conversation_questions import AddsToAnswer, MessageAnswers, WhoseWords
from app.retrieval.corrections import CORRECTED
from app.retrieval.questions import Answers, AnswerScope, BestPassage, Scope
from tests.builders import a_document
from tests.fakes.scripted_model import ScriptedModel, chosen, yes
from tests.talk import a_talk, said
from tests.unit.operations.test_retrieve import a_retrieve, ask, outcomes, units

pytestmark = pytest.mark.anyio

#: 60 tokens and more, without a word of the questions here.
LONG = " Let me tell you at length what came to pass on that day, as far as memory serves." * 4


def scripted(
    scores: Mapping[str, float],
    scope: str = Scope.ONE_MESSAGE,
    *,
    speaker: str = "nobody",
    adds: Mapping[str, float] | None = None,
) -> ScriptedModel:
    """A model that scores messages by the first key they contain, else 0.1."""

    def script(question: Question) -> Answer | None:
        match question:
            case Answers(_, passage):
                return yes(next((score for part, score in scores.items() if part in passage), 0.1))
            case AnswerScope():
                return chosen(scope)
            case WhoseWords():
                return chosen(speaker)
            case AddsToAnswer(_, message) if adds is not None:
                return yes(next((score for part, score in adds.items() if part in message), 0.1))
            case _:
                return None

    return ScriptedModel(script)


BUDGET = a_talk(
    said("m1", "ana", f"We propose a budget of 40k.{LONG}"),
    said("m2", "ben", "Too low, the budget should be 45k."),
    said("m3", "cy", "The budget bores me."),
    said("m4", "ana", "Agreed: 45k.", outcome=True),
    said("m5", "ben", "Lunch?"),
    links="m2 reply_to m1, m3 reply_to m1, m4 reply_to m2, m4 decides m1, m4 corrects m1",
)


class TestPool:
    async def test_two_outcomes_that_the_search_missed_are_judged_with_the_pool(self) -> None:
        talk = a_talk(
            said("m1", "ana", "The budget is on the table."),
            said("m2", "ana", "So it is settled.", outcome=True),
            said("m3", "ben", "Forty it is.", outcome=True),
            said("m4", "ben", "It is a no to the party.", outcome=True),
        )
        model = scripted({"Forty": 0.9})
        retrieve, shelf = a_retrieve(model, [talk])
        context = await ask(retrieve, "What is it about the budget?")
        judged = [each.passage for each in model.asked_of(Answers) if isinstance(each, Answers)]
        # What stands around a message that was found is a candidate too.
        assert sorted(judged) == sorted(unit.text for unit in talk.units)
        assert units(context) == ["chat/m3"]
        assert shelf.calls == ["search", "around", "outcome_parts", "speakers", "turns", "linked", "corrections"]

    async def test_outcomes_far_from_what_was_found_join_by_their_words(self) -> None:
        between = [said(f"m{number}", "ana", f"Hm {number}.") for number in range(2, 30)]
        talk = a_talk(
            said("m1", "ana", "The budget?"),
            *between,
            said("m30", "ben", "So be it.", outcome=True),
            said("m31", "ben", "What is agreed is in the minutes.", outcome=True),
            said("m32", "ben", "Closed.", outcome=True),
        )
        model = scripted({"agreed": 0.9})
        retrieve, _ = a_retrieve(model, [talk])
        context = await ask(retrieve, "What is the budget?", limit=9)
        judged = [each.passage.split("\n")[1] for each in model.asked_of(Answers) if isinstance(each, Answers)]
        # Of the three, the one that shares most words, and of those that share none the first.
        assert judged[-2:] == ["What is agreed is in the minutes.", "So be it."]
        assert len(judged) == 9 + 2
        assert units(context) == ["chat/m31"]

    async def test_one_request_asks_for_answers_best_scope_and_whose_words(self) -> None:
        model = scripted({"45k": 0.9})
        retrieve, _ = a_retrieve(model, [BUDGET])
        context = await ask(retrieve, "What about the budget?", explain=True)
        told: Any = context.trace["questions"]
        assert [one["question"] for one in told] == ["MessageAnswers"] * 5 + [
            "BestPassage",
            "AnswerScope",
            "WhoseWords",
        ]
        assert sorted(told[-1]["labels"]) == ["ana", "ben", "cy", "nobody"]
        assert context.decisions.requests == 1
        assert context.trace["scopes"] == {"conversational": "one message"}

    async def test_messages_are_shown_by_their_first_1600_characters(self) -> None:
        model = scripted({"budget": 0.9})
        retrieve, _ = a_retrieve(model, [a_talk(said("m1", "ana", "The budget. " * 200))])
        await ask(retrieve, "budget?")
        [shown] = [each.passage for each in model.asked_of(MessageAnswers) if isinstance(each, MessageAnswers)]
        assert len(shown) == MESSAGE_CHARS == 1_600
        assert shown.startswith("[ana]\nThe budget.")

    async def test_nothing_kept_abstains_and_looks_no_further(self) -> None:
        retrieve, shelf = a_retrieve(scripted({}), [BUDGET])
        assert (await ask(retrieve, "budget?")).reason is AbstainReason.NOT_ANSWERED
        assert shelf.calls == ["search", "around", "outcome_parts", "speakers"]

    async def test_the_message_picked_as_best_is_among_the_three(self) -> None:
        talk = a_talk(*(said(f"m{n}", "ana", f"Fee {n}.{LONG}") for n in range(1, 6)))
        scores = scripted({f"Fee {n}.": 0.9 - n / 100 for n in range(1, 6)})

        def script(question: Question) -> Answer | None:
            if isinstance(question, BestPassage):
                return chosen(next(str(at) for at, passage in enumerate(question.passages) if "Fee 5." in passage))
            return scores.script(question)

        retrieve, _ = a_retrieve(ScriptedModel(script), [talk])
        assert units(await ask(retrieve, "fee?")) == ["chat/m1", "chat/m2", "chat/m5"]


class TestScopes:
    async def test_one_message_takes_the_best_three(self) -> None:
        talk = a_talk(*(said(f"m{n}", "ana", f"Fee {n}.{LONG}") for n in range(1, 6)))
        model = scripted({f"Fee {n}.": 0.9 - n / 100 for n in range(1, 6)})
        retrieve, _ = a_retrieve(model, [talk])
        assert units(await ask(retrieve, "fee?")) == ["chat/m1", "chat/m2", "chat/m3"]

    async def test_an_exchange_takes_what_was_replied_to_and_the_two_closest_replies(self) -> None:
        talk = a_talk(
            said("m1", "ana", f"Shall we sell the boat?{LONG}"),
            said("m2", "ben", f"A boat is dear to me, said the sailor.{LONG}"),
            said("m3", "cy", "Hm."),
            said("m4", "dan", "How did the sailor react?"),
            said("m5", "eve", "The sailor did laugh."),
            links="m2 reply_to m1, m3 reply_to m2, m4 reply_to m2, m5 reply_to m2",
        )
        model = scripted({"dear to me": 0.9}, Scope.EXCHANGE)
        retrieve, _ = a_retrieve(model, [talk])
        context = await ask(retrieve, "How did the sailor react?")
        assert units(context) == ["chat/m1", "chat/m2", "chat/m4", "chat/m5"]
        assert context.trace["added"] == [
            {"document": "chat", "unit": "m1", "because": "replied to"},
            {"document": "chat", "unit": "m4", "because": "reply"},
            {"document": "chat", "unit": "m5", "because": "reply"},
        ]

    async def test_a_correction_takes_what_corrects_any_part_of_the_turn_both_ways(self) -> None:
        talk = a_talk(
            said("m1", "ana", "It was 30."),
            said("m2", "ben", f"The rent is 40.{LONG}"),
            said("m3", "ben", "The deposit is two.", turn="m2"),
            said("m4", "cy", "Not two, three."),
            said("m5", "cy", "Unrelated."),
            links="m2 corrects m1, m4 corrects m3",
        )
        retrieve, _ = a_retrieve(scripted({"rent": 0.9}, Scope.CORRECTION), [talk])
        context = await ask(retrieve, "What is the rent?")
        # The turn's other part is corrected, and not shown.
        assert units(context) == ["chat/m1", "chat/m2", "chat/m4"]
        assert CORRECTED in context.text.split("\n\n")[0]

    async def test_an_outcome_takes_what_decides_and_the_outcome_closest_to_the_question(self) -> None:
        talk = a_talk(
            said("m1", "ana", f"Shall the fence be red?{LONG}"),
            said("m2", "ben", "Red it is.", outcome=True),
            said("m3", "ana", f"And the gate?{LONG}"),
            said("m4", "ben", "The gate and the fence: settled as green.", outcome=True),
            said("m5", "ben", "Lunch is settled.", outcome=True),
            links="m2 decides m1, m4 decides m3",
        )
        retrieve, _ = a_retrieve(scripted({"fence be red": 0.9}, Scope.OUTCOME), [talk])
        context = await ask(retrieve, "What was settled for the fence and the gate?")
        assert units(context) == ["chat/m1", "chat/m2", "chat/m3", "chat/m4"]

    async def test_one_person_takes_more_of_that_speaker_that_adds_to_the_answer(self) -> None:
        talk = a_talk(
            said("m1", "ana", f"I want a garden.{LONG}", speaker_full="Ana (CFO)"),
            *(said(f"m{n}", "ana", f"Garden number {n}.", speaker_full="Ana (CFO)") for n in range(2, 17)),
            said("m17", "ben", "Garden number 3."),
        )
        model = scripted({"want": 0.9}, Scope.ONE_PERSON, speaker="ana-cfo", adds={"number 3.": 0.5, "number 4.": 0.49})
        retrieve, shelf = a_retrieve(model, [talk])
        context = await ask(retrieve, "What does Ana want?")
        assert units(context) == ["chat/m1", "chat/m3"]
        assert context.trace["speaker"] == "Ana (CFO)"
        assert len(model.asked_of(AddsToAnswer)) == 12
        assert context.decisions.requests == 2
        assert shelf.calls.count("said_by") == 1

    async def test_without_a_speaker_one_person_takes_no_more(self) -> None:
        model = scripted({"40k": 0.9}, Scope.ONE_PERSON, adds={"": 1.0})
        retrieve, shelf = a_retrieve(model, [BUDGET])
        context = await ask(retrieve, "What budget?")
        assert "said_by" not in shelf.calls
        assert not model.asked_of(AddsToAnswer)
        assert context.trace["speaker"] is None

    async def test_a_model_that_is_silent_on_the_second_request_takes_nothing_from_the_first(self) -> None:
        model = scripted({"40k": 0.9}, Scope.OVERVIEW)
        retrieve, _ = a_retrieve(model, [BUDGET])
        context = await ask(retrieve, "What budget?")
        assert units(context) == ["chat/m1", "chat/m4"]  # m4 corrects m1
        assert model.asked_of(AddsToAnswer)

    async def test_an_overview_takes_six_and_what_adds_of_the_18_next(self) -> None:
        talk = a_talk(*(said(f"m{n}", "ana", f"Point {n}: the fence.{LONG}") for n in range(1, 41)))
        model = scripted({"fence": 0.9}, Scope.OVERVIEW, adds={"Point 2": 0.6, "fence": 0.4})
        retrieve, _ = a_retrieve(model, [talk])
        context = await ask(retrieve, "What points about the fence?", limit=40)
        asked = [each.message for each in model.asked_of(AddsToAnswer) if isinstance(each, AddsToAnswer)]
        assert len(asked) == 18
        assert all(len(message) <= 1_200 for message in asked)
        assert len(units(context)) == 6 + sum("Point 2" in message for message in asked)
        judged = {each.passage for each in model.asked_of(Answers) if isinstance(each, Answers)}
        assert len(judged) == 9
        assert judged.isdisjoint(message for message in asked)

    async def test_an_unknown_scope_is_one_message(self) -> None:
        model = scripted({"budget": 0.9}, "no such scope", adds={"": 1.0})
        retrieve, _ = a_retrieve(model, [BUDGET])
        context = await ask(retrieve, "What budget?")
        assert context.trace["scope"] is None
        assert "chat/m2" in units(context)


class TestWhatComesAlong:
    async def test_an_output_comes_with_the_closest_part_of_its_call(self) -> None:
        talk = a_talk(
            said("m1", "user", "Why does it fail?"),
            said("m2", "assistant", 'Bash({"command":"make"})', tool="Bash"),
            said("m3", "assistant", "more of make and of the test", turn="m2"),
            said("a4", "tool", "1 failing test"),
            links="a4 output_of m2, m2 reply_to m1",
        )
        retrieve, _ = a_retrieve(scripted({"1 failing": 0.9}), [talk])
        context = await ask(retrieve, "Which test is failing?")
        assert units(context) == ["chat/m3", "chat/a4"]

    async def test_short_messages_come_with_what_they_reply_to_up_to_three(self) -> None:
        talk = a_talk(
            *(said(f"m{n}", "ana", f"Say {n}.") for n in range(1, 6)),
            said("m6", "ben", "Forty."),
            links=", ".join(f"m{n} reply_to m{n - 1}" for n in range(2, 7)),
        )
        retrieve, _ = a_retrieve(scripted({"Forty": 0.9}), [talk])
        assert units(await ask(retrieve, "forty?")) == ["chat/m3", "chat/m4", "chat/m5", "chat/m6"]

    async def test_a_chain_ends_at_a_message_that_is_long(self) -> None:
        talk = a_talk(
            said("m1", "ana", "One."),
            said("m2", "ana", f"Two.{LONG}"),
            said("m3", "ben", "Forty."),
            links="m2 reply_to m1, m3 reply_to m2",
        )
        retrieve, _ = a_retrieve(scripted({"Forty": 0.9}), [talk])
        assert units(await ask(retrieve, "forty?")) == ["chat/m2", "chat/m3"]

    async def test_a_turn_is_as_long_as_all_its_parts(self) -> None:
        talk = a_talk(
            said("m1", "ana", "One."),
            said("m2", "ben", "Forty."),
            said("m3", "ben", LONG, turn="m2"),
            links="m2 reply_to m1",
        )
        retrieve, _ = a_retrieve(scripted({"Forty": 0.9}), [talk])
        assert units(await ask(retrieve, "forty?")) == ["chat/m2"]

    async def test_messages_that_reply_to_each_other_come_once(self) -> None:
        talk = a_talk(said("m1", "ana", "One."), said("m2", "ben", "Forty."), links="m1 reply_to m2, m2 reply_to m1")
        retrieve, _ = a_retrieve(scripted({"Forty": 0.9}), [talk])
        assert units(await ask(retrieve, "forty?")) == ["chat/m1", "chat/m2"]

    async def test_what_tries_to_instruct_an_ai_does_not_come_along(self) -> None:
        talk = a_talk(said("m1", "ana", "One.", suspect=True), said("m2", "ben", "Forty."), links="m2 reply_to m1")
        retrieve, _ = a_retrieve(scripted({"Forty": 0.9}), [talk])
        assert units(await ask(retrieve, "forty?")) == ["chat/m2"]
        assert units(await ask(retrieve, "forty?", include_suspect=True)) == ["chat/m1", "chat/m2"]


class TestSuperseded:
    async def test_a_corrected_message_is_marked_and_comes_with_its_latest_correction(self) -> None:
        talk = a_talk(
            said("m1", "ana", f"The rent is 40.{LONG}"),
            said("m2", "ben", "Now 41."),
            said("m3", "cy", "Now 42."),
            said("m4", "cy", "Now 43."),
            links="m2 corrects m1, m3 corrects m1, m4 corrects m3",
        )
        retrieve, _ = a_retrieve(scripted({"rent": 0.9}), [talk])
        context = await ask(retrieve, "What is the rent?")
        assert units(context) == ["chat/m1", "chat/m4"]
        old, latest = context.text.split("\n\n")
        assert old == f"[ana]\nThe rent is 40.{LONG}\n(A later message corrects this one.)"
        assert latest == "[cy]\nNow 43."
        assert [source.superseded_by for source in context.sources] == ["m4", None]

    async def test_a_correction_of_a_part_marks_that_part_only(self) -> None:
        talk = a_talk(
            said("m1", "ana", f"The rent is 40.{LONG}"),
            said("m2", "ana", f"The deposit for the rent is 2.{LONG}", turn="m1"),
            said("m3", "ben", "The deposit is 3."),
            links="m3 corrects m2",
        )
        retrieve, _ = a_retrieve(scripted({"rent": 0.9}), [talk])
        context = await ask(retrieve, "What is the rent?")
        assert [(source.unit, source.superseded_by) for source in context.sources] == [
            ("m1", None),
            ("m2", "m3"),
            ("m3", None),
        ]

    async def test_in_search_order_too_the_correction_comes_along(self) -> None:
        talk = a_talk(
            said("m1", "ana", f"The rent is 40.{LONG}"),
            *(said(f"m{n}", "ana", f"Blah.{LONG}") for n in range(2, 20)),
            said("m20", "ben", "No: 41."),
            links="m20 corrects m1",
        )
        retrieve, _ = a_retrieve(None, [talk])
        context = await ask(retrieve, "rent?", on_unavailable=OnUnavailable.SEARCH_ONLY, max_tokens=150)
        assert context.degraded
        assert {"chat/m1", "chat/m20"} <= set(units(context))


class TestBudget:
    async def test_the_room_that_is_left_goes_to_what_was_said_around(self) -> None:
        talk = a_talk(
            said("m1", "ana", "Where shall we go?"),
            said("m2", "ben", "To the lake."),
            said("m3", "ana", "Fine."),
            *(said(f"m{n}", "ana", f"Something else.{LONG}") for n in range(4, 40)),
        )
        retrieve, _ = a_retrieve(scripted({"lake": 0.9}), [talk])
        assert units(await ask(retrieve, "lake?")) == ["chat/m2"]
        context = await ask(retrieve, "lake?", max_tokens=30, explain=True)
        assert units(context) == ["chat/m1", "chat/m2", "chat/m3"]
        assert context.tokens <= 30
        assert outcomes(context) | {"chat/m2": "chosen"} == outcomes(context)
        assert outcomes(context)["chat/m1"] == "around"

    async def test_a_head_says_no_more_than_the_one_before_it_did_not(self) -> None:
        path = ("Trip",)
        talk = a_talk(
            said("m1", "ana", "To the lake?", time="10:02", path=path),
            said("m2", "ben", "To the lake.", time="10:02", path=path),
            said("m3", "cy", "The lake!", time="10:03", path=path),
        )
        retrieve, _ = a_retrieve(scripted({"lake": 0.9}), [talk])
        whole = await ask(retrieve, "lake?")
        assert whole.text.count("[Trip | ") == 3
        context = await ask(retrieve, "lake?", max_tokens=60)
        assert context.text == "[Trip | ana, 10:02]\nTo the lake?\n\n[ben]\nTo the lake.\n\n[cy, 10:03]\nThe lake!"

    async def test_what_a_linked_scope_takes_comes_before_what_resembles_the_question(self) -> None:
        talk = a_talk(
            said("m1", "ana", f"Shall the fence be red?{LONG}"),
            said("m2", "ben", "So be it.", outcome=True),
            *(said(f"m{n}", "cy", f"A fence is a fence, red or not red.{LONG}") for n in range(3, 9)),
            links="m2 decides m1",
        )
        model = scripted({"Shall": 0.9, "A fence": 0.2}, Scope.OUTCOME)
        retrieve, _ = a_retrieve(model, [talk])
        context = await ask(retrieve, "Was the fence to be red?", max_tokens=130)
        assert {"chat/m1", "chat/m2"} <= set(units(context))


class TestBesideProse:
    async def test_each_profile_gathers_from_its_own(self) -> None:
        notes = a_document("The budget is explained here.", id="notes")
        model = scripted({"explained": 0.9, "Too low": 0.8, "propose": 0.7})
        retrieve, _ = a_retrieve(model, [notes, BUDGET])
        context = await ask(retrieve, "What about the budget?")
        assert {"notes/p1", "chat/m1", "chat/m2", "chat/m4"} == set(units(context))
        assert [type(each) for each in model.asked if isinstance(each, Answers)].count(Answers) == 1

    async def test_kinds_that_are_not_asked_for_do_not_come_along(self) -> None:
        model = scripted({"Too low": 0.9})
        retrieve, _ = a_retrieve(model, [BUDGET])
        context = await ask(retrieve, "What budget?", kinds=frozenset({UnitKind.MESSAGE}))
        assert "chat/m1" in units(context)
        assert (await ask(retrieve, "What budget?", kinds=frozenset({UnitKind.OUTPUT}))).abstained
