"""Answering a question: from the search to the context."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from app.documents.config import Config
from app.documents.context import AbstainReason, Context, OnUnavailable, RetrieveQuery
from app.documents.decision import Answer, Question
from app.documents.document import Document
from app.documents.profile import Profile
from app.errors import DecisionModelUnavailable, InvalidRequest
from app.operations.retrieve import Retrieve
from app.retrieval.questions import Answers, AnswerScope, BestPassage, IsComplete
from tests.builders import a_document, a_unit
from tests.fakes.scripted_model import ScriptedModel, chosen, unavailable, yes
from tests.unit.operations.nearby import ImpatientClock, Nearby
from tests.unit.operations.shelf import Shelf

pytestmark = pytest.mark.anyio

TERMS = a_document(
    "Fees are due at once.",
    "The late fee is 2 %.",
    "For example a fee of 100 grows to 102.",
    "Our shop opens at nine.",
    id="terms",
    needs=[("p3", "p2")],
)
FAQ = a_document("Is there a fee for returns? No.", "Where are you? Here.", id="faq", title="FAQ")


def judge(scores: Mapping[str, float], *, scope: str = "one passage", complete: float = 1.0) -> ScriptedModel:
    """A model that gives a passage the score of the first key it contains, else 0.1."""

    def script(question: Question) -> Answer | None:
        match question:
            case Answers(_, passage):
                return yes(next((score for part, score in scores.items() if part in passage), 0.1))
            case AnswerScope():
                return chosen(scope)
            case IsComplete():
                return yes(complete)
            case _:
                return None

    return ScriptedModel(script)


def a_retrieve(
    model: ScriptedModel | None,
    documents: Sequence[Document] = (TERMS, FAQ),
    *,
    nearby: Nearby | None = None,
    clock: ImpatientClock | None = None,
    max_questions: int = 200,
) -> tuple[Retrieve, Shelf]:
    shelf = Shelf(documents)
    retrieve = Retrieve(
        term_index=shelf,
        vector_search=nearby,
        documents=shelf,
        decisions=model,
        cache=None,
        clock=clock or ImpatientClock(stopped=True),
        max_questions=max_questions,
    )
    return retrieve, shelf


async def ask(retrieve: Retrieve, query: str = "What is the fee?", **fields: Any) -> Context:  # noqa: ANN401 - fields of the query
    return await retrieve.run(RetrieveQuery(query=query, **fields))


def units(context: Context) -> list[str]:
    return [f"{source.document}/{source.unit}" for source in context.sources]


def outcomes(context: Context) -> dict[str, str]:
    candidates: Any = context.trace["candidates"]
    return {f"{one['document']}/{one['unit']}": one["outcome"] for one in candidates}


async def test_what_states_the_answer_comes_back_in_document_order() -> None:
    model = judge({"late fee": 0.9, "due at once": 0.5, "returns": 0.95})
    retrieve, shelf = a_retrieve(model)
    context = await ask(retrieve)
    assert context.text == "Is there a fee for returns? No.\n\nFees are due at once.\n\nThe late fee is 2 %."
    assert units(context) == ["faq/p1", "terms/p1", "terms/p2"]
    assert (context.abstained, context.reason, context.degraded) == (False, None, False)
    assert context.tokens == 19  # 76 characters at 4 a token
    assert context.sources[0].title == "FAQ"
    assert context.decisions.model == "scripted-1"
    assert context.decisions.requests == 1
    # Common words are not searched for; one trip before judging, one after it.
    assert shelf.queries == ["fee?"]
    assert shelf.calls == ["search", "linked"]
    assert outcomes(context) == {
        "terms/p1": "chosen",
        "terms/p2": "chosen",
        "terms/p3": "below_threshold",
        "faq/p1": "chosen",
    }
    # The whole question is judged, in one request for all passages, the pick and the scope.
    assert len(model.asked_of(Answers)) == 4
    assert len(model.asked_of(BestPassage)) == len(model.asked_of(AnswerScope)) == 1
    assert all(question.question == "What is the fee?" for question in model.asked if isinstance(question, Answers))


async def test_one_passage_takes_three_of_what_was_kept() -> None:
    retrieve, _ = a_retrieve(judge({"fee": 0.9, "Fees": 0.8}))
    context = await ask(retrieve)
    assert units(context) == ["faq/p1", "terms/p2", "terms/p3"]
    assert outcomes(context)["terms/p1"] == "kept"
    assert context.trace["scope"] == "one passage"


async def test_the_passage_that_a_kept_one_needs_comes_too() -> None:
    retrieve, shelf = a_retrieve(judge({"For example": 0.9}))
    context = await ask(retrieve)
    assert units(context) == ["terms/p2", "terms/p3"]
    assert context.trace["links"] == [{"type": "needs", "document": "terms", "from": "p3", "to": "p2"}]
    assert outcomes(context)["terms/p2"] == "chosen"
    assert shelf.calls == ["search", "linked"]


async def test_nothing_states_the_answer() -> None:
    retrieve, shelf = a_retrieve(judge({}))
    context = await ask(retrieve)
    assert (context.text, context.tokens, context.sources) == ("", 0, ())
    assert (context.abstained, context.reason) == (True, AbstainReason.NOT_ANSWERED)
    assert set(outcomes(context).values()) == {"below_threshold"}
    assert shelf.calls == ["search"]


async def test_no_unit_shares_a_term() -> None:
    model = judge({})
    retrieve, _ = a_retrieve(model)
    context = await ask(retrieve, "Xylophones?")
    assert (context.abstained, context.reason) == (True, AbstainReason.NO_CANDIDATES)
    assert model.asked == []


async def test_an_unknown_collection_is_empty() -> None:
    retrieve, _ = a_retrieve(judge({"fee": 0.9}))
    assert (await ask(retrieve, collection="elsewhere")).reason is AbstainReason.NO_CANDIDATES


async def test_no_documents_allow_nothing() -> None:
    retrieve, shelf = a_retrieve(judge({"fee": 0.9}))
    context = await ask(retrieve, documents=())
    assert (context.abstained, context.reason) == (True, AbstainReason.OUT_OF_SCOPE)
    assert shelf.calls == []


async def test_only_unknown_documents_are_out_of_scope() -> None:
    retrieve, _ = a_retrieve(judge({"fee": 0.9}))
    context = await ask(retrieve, documents=("nowhere", "nowhere"))
    assert (context.abstained, context.reason) == (True, AbstainReason.OUT_OF_SCOPE)
    assert context.warnings == ("Document 'nowhere' is not in the collection.",)


async def test_unknown_documents_beside_known_ones_are_a_warning() -> None:
    retrieve, _ = a_retrieve(judge({"fee": 0.9}))
    context = await ask(retrieve, documents=("faq", "nowhere"))
    assert units(context) == ["faq/p1"]
    assert context.warnings == ("Document 'nowhere' is not in the collection.",)


async def test_a_blank_query_is_refused() -> None:
    retrieve, _ = a_retrieve(judge({}))
    with pytest.raises(InvalidRequest) as caught:
        await ask(retrieve, " \n")
    assert [error.pointer for error in caught.value.errors] == ["/query"]


async def test_a_question_of_common_words_is_searched_as_it_is() -> None:
    retrieve, shelf = a_retrieve(judge({"Where": 0.9}))
    assert units(await ask(retrieve, "Where are you?")) == ["faq/p2"]
    assert shelf.queries == ["Where are you?"]


class TestVectorSearch:
    async def test_what_only_it_finds_is_looked_up_and_judged(self) -> None:
        nearby = Nearby([("terms", "p4"), ("gone", "p9"), ("terms", "p4")])
        retrieve, shelf = a_retrieve(judge({"opens at nine": 0.9}), nearby=nearby)
        context = await ask(retrieve)
        assert units(context) == ["terms/p4"]
        assert shelf.calls == ["search", "units_by_id", "linked"]
        assert nearby.asked == [("What is the fee?", 20, None)]
        assert context.trace["nearest"] == "used"

    async def test_hits_outside_the_documents_are_dropped(self) -> None:
        retrieve, _ = a_retrieve(judge({"opens at nine": 0.9}), nearby=Nearby([("terms", "p4"), ("faq", "p2")]))
        context = await ask(retrieve, documents=("faq",))
        assert set(outcomes(context)) == {"faq/p1", "faq/p2"}

    @pytest.mark.parametrize(
        ("nearby", "clock"),
        [
            (Nearby(failing=True), ImpatientClock(stopped=True)),
            (Nearby(hanging=True), ImpatientClock(stopped=False)),
        ],
    )
    async def test_terms_answer_when_it_fails_or_is_slow(self, nearby: Nearby, clock: ImpatientClock) -> None:
        retrieve, _ = a_retrieve(judge({"late fee": 0.9}), nearby=nearby, clock=clock)
        context = await ask(retrieve)
        assert units(context) == ["terms/p2"]
        assert context.trace["nearest"] == "unavailable"


class TestSeveralPlaces:
    MANY = a_document(*(f"Fee number {number} is {number} %." for number in range(1, 13)), id="many")

    async def test_six_are_taken(self) -> None:
        retrieve, _ = a_retrieve(judge({"Fee": 0.9}, scope="several places"), [self.MANY])
        context = await ask(retrieve)
        assert len(context.sources) == 6
        assert context.trace["complete"] == 1.0

    async def test_when_incomplete_the_next_pool_is_judged_and_what_it_keeps_added(self) -> None:
        model = judge({"Fee": 0.9}, scope="several places", complete=0.2)
        retrieve, _ = a_retrieve(model, [self.MANY])
        context = await ask(retrieve)
        # Six of the first nine, and all three of the next pool.
        assert len(context.sources) == 9
        assert len(model.asked_of(Answers)) == 12
        assert len(model.asked_of(AnswerScope)) == 1
        pool: Any = context.trace["pool"]
        assert (pool["judged"], pool["rounds"]) == (12, 2)

    async def test_whether_it_is_complete_stays_unanswered(self) -> None:
        def script(question: Question) -> Answer | None:
            if isinstance(question, IsComplete):
                return unavailable(question)
            return yes(0.9) if isinstance(question, Answers) else chosen("several places")

        retrieve, _ = a_retrieve(ScriptedModel(script), [self.MANY])
        context = await ask(retrieve)
        assert len(context.sources) == 6
        assert context.trace["degraded"] == ["complete"]

    async def test_narrative_takes_eight_and_asks_no_more(self) -> None:
        told = a_document(
            id="story",
            units=[a_unit(f"Fee {n}.", id=f"p{n}", profile=Profile.NARRATIVE) for n in range(1, 13)],
        )
        model = judge({"Fee": 0.9}, scope="several places", complete=0.0)
        retrieve, _ = a_retrieve(model, [told])
        assert len((await ask(retrieve)).sources) == 8
        assert not model.asked_of(IsComplete)


class TestNobodyAnswers:
    MODELS = (None, ScriptedModel(unavailable), ScriptedModel(lambda _question: None))

    @pytest.mark.parametrize("model", MODELS)
    async def test_is_an_error(self, model: ScriptedModel | None) -> None:
        retrieve, _ = a_retrieve(model)
        with pytest.raises(DecisionModelUnavailable):
            await ask(retrieve)

    @pytest.mark.parametrize("model", MODELS)
    async def test_or_the_first_three_of_the_search(self, model: ScriptedModel | None) -> None:
        retrieve, _ = a_retrieve(model)
        context = await ask(retrieve, on_unavailable=OnUnavailable.SEARCH_ONLY)
        assert (context.degraded, context.abstained) == (True, False)
        assert len(context.sources) == 3
        assert context.trace["degraded"] == ["judge"]
        assert sorted(outcomes(context).values()).count("chosen") == 3

    async def test_or_what_fills_the_budget(self) -> None:
        retrieve, _ = a_retrieve(None)
        context = await ask(retrieve, on_unavailable=OnUnavailable.SEARCH_ONLY, max_tokens=100)
        assert len(context.sources) == 4

    async def test_the_question_limit_is_named(self) -> None:
        retrieve, _ = a_retrieve(judge({"fee": 0.9}), max_questions=3)
        with pytest.raises(DecisionModelUnavailable, match="limit of 3"):
            await ask(retrieve)

    async def test_an_abstention_without_candidates_needs_nobody(self) -> None:
        retrieve, _ = a_retrieve(None)
        assert (await ask(retrieve, "Xylophones?")).reason is AbstainReason.NO_CANDIDATES


async def test_a_passage_that_stayed_unanswered_is_not_kept() -> None:
    model = ScriptedModel(
        lambda question: yes(0.9) if question == Answers("What is the fee?", "The late fee is 2 %.") else None
    )
    retrieve, _ = a_retrieve(model)
    context = await ask(retrieve)
    assert units(context) == ["terms/p2"]
    assert outcomes(context)["terms/p1"] == "unanswered"
    # Four passages, the pick and the scope were asked; one was answered.
    assert context.decisions.unanswered == 5
    assert context.trace["scope"] is None


async def test_kept_passages_beyond_the_scope_fill_the_budget() -> None:
    retrieve, _ = a_retrieve(judge({"fee": 0.9, "Fees": 0.8}))
    assert len((await ask(retrieve)).sources) == 3
    context = await ask(retrieve, max_tokens=60)
    assert len(context.sources) == 4
    assert context.tokens <= 60
    short = await ask(retrieve, max_tokens=20)
    assert short.tokens <= 20
    assert short.trace["dropped"]


async def test_a_budget_below_every_sentence_abstains_and_says_why() -> None:
    retrieve, _ = a_retrieve(judge({"fee": 0.9}))
    context = await ask(retrieve, max_tokens=2)
    assert (context.abstained, context.reason, context.text) == (True, AbstainReason.OVER_BUDGET, "")
    assert context.trace["dropped"]


async def test_explain_tells_every_question_with_its_answer() -> None:
    retrieve, _ = a_retrieve(judge({"late fee": 0.9}))
    assert "questions" not in (await ask(retrieve)).trace
    told: Any = (await ask(retrieve, explain=True)).trace["questions"]
    assert [one["question"] for one in told] == ["Answers"] * 4 + ["BestPassage", "AnswerScope"]
    about_late = next(one for one in told if one["answer"] == 0.9)
    assert about_late["units"] == [{"document": "terms", "unit": "p2"}]
    assert len(told[4]["units"]) == 4
    assert told[4]["answer"] is None
    assert (told[5]["answer"], told[5]["confidence"]) == ("one passage", 0.9)


async def test_the_threshold_is_the_callers() -> None:
    retrieve, _ = a_retrieve(judge({"late fee": 0.3}))
    assert (await ask(retrieve)).abstained
    assert units(await ask(retrieve, config=Config(rank_threshold=0.3))) == ["terms/p2"]


async def test_the_same_question_gives_the_same_answer() -> None:
    retrieve, _ = a_retrieve(judge({"fee": 0.9, "Fees": 0.8}))
    assert await ask(retrieve) == await ask(retrieve)
