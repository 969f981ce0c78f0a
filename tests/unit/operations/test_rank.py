"""Ranking the caller's own hits."""

import pytest

from app.documents.config import Config
from app.documents.context import Passage, Ranking
from app.documents.decision import Answer, Question
from app.errors import DecisionModelUnavailable, InvalidRequest
from app.operations.rank import MAX_PASSAGES, Rank, Reranking
from app.retrieval.questions import Answers, AnswerScope, BestPassage
from tests.fakes.scripted_model import ScriptedModel, chosen, unavailable, yes

pytestmark = pytest.mark.anyio

PASSAGES = [
    Passage(id="fees", text="A late fee is 2 %.", heading_path=("Terms", "Fees")),
    Passage(id="hours", text="Open at nine."),
    Passage(id="terms", text="Late payers are charged."),
]
SCORES = {"[Terms > Fees]\n\nA late fee is 2 %.": 0.6, "Open at nine.": 0.1, "Late payers are charged.": 0.9}


def script(question: Question) -> Answer | None:
    return yes(SCORES[question.passage]) if isinstance(question, Answers) else chosen("0")


def a_rank(model: ScriptedModel | None) -> Rank:
    return Rank(decisions=model, cache=None)


def told(ranking: Ranking) -> list[tuple[str, int, float]]:
    return [(one.id, one.index, one.score) for one in ranking.results]


async def test_the_pick_first_then_by_score_without_what_is_below_the_threshold() -> None:
    model = ScriptedModel(script)
    ranking = await a_rank(model).run("late fee?", PASSAGES, limit=None, config=Config())
    assert told(ranking) == [("fees", 0, 0.6), ("terms", 2, 0.9)]
    assert ranking.decisions.requests == 1
    assert ranking.decisions.questions == 4
    assert ranking.decisions.model == "scripted-1"
    assert [type(question) for question in model.asked] == [Answers, Answers, Answers, BestPassage]


async def test_without_cross_check_by_score_alone() -> None:
    model = ScriptedModel(script)
    ranking = await a_rank(model).run("late fee?", PASSAGES, limit=1, config=Config(cross_check=False))
    assert told(ranking) == [("terms", 2, 0.9)]
    assert not model.asked_of(BestPassage)
    assert not model.asked_of(AnswerScope)


async def test_ties_keep_the_callers_order() -> None:
    model = ScriptedModel(lambda question: yes(0.5) if isinstance(question, Answers) else None)
    ranking = await a_rank(model).run("late fee?", PASSAGES, limit=None, config=Config())
    assert [one.id for one in ranking.results] == ["fees", "hours", "terms"]


async def test_nothing_reached_the_threshold() -> None:
    config = Config(rank_threshold=0.95)
    assert told(await a_rank(ScriptedModel(script)).run("late fee?", PASSAGES, limit=None, config=config)) == []
    rescue = Config(rank_threshold=0.95, cross_check_rescue=True)
    ranking = await a_rank(ScriptedModel(script)).run("late fee?", PASSAGES, limit=None, config=rescue)
    assert told(ranking) == [("fees", 0, 0.6)]


async def test_an_unanswered_passage_is_not_kept() -> None:
    model = ScriptedModel(lambda question: None if question == Answers("q", "Open at nine.") else yes(0.8))
    ranking = await a_rank(model).run("q", PASSAGES, limit=None, config=Config())
    assert [one.id for one in ranking.results] == ["fees", "terms"]
    assert ranking.decisions.unanswered == 1


async def test_equal_passages_both_rank() -> None:
    model = ScriptedModel(lambda question: yes(0.8) if isinstance(question, Answers) else chosen("1"))
    twice = [Passage(id="a", text="Same."), Passage(id="b", text="Same.")]
    ranking = await a_rank(model).run("q", twice, limit=None, config=Config())
    assert [one.id for one in ranking.results] == ["b", "a"]


async def test_passages_are_cut_to_what_is_shown() -> None:
    model = ScriptedModel(lambda _question: yes(0.8))
    await a_rank(model).run("q", [Passage(id="a", text="x" * 500)], limit=None, config=Config(passage_chars=300))
    assert model.asked == [Answers("q", "x" * 300)]


@pytest.mark.parametrize("model", [None, ScriptedModel(unavailable), ScriptedModel(lambda _question: None)])
async def test_nobody_answered(model: ScriptedModel | None) -> None:
    with pytest.raises(DecisionModelUnavailable):
        await a_rank(model).run("late fee?", PASSAGES, limit=None, config=Config())


async def test_only_the_pick_answered_is_no_ranking() -> None:
    model = ScriptedModel(lambda question: None if isinstance(question, Answers) else chosen("0"))
    with pytest.raises(DecisionModelUnavailable):
        await a_rank(model).run("late fee?", PASSAGES, limit=None, config=Config())


@pytest.mark.parametrize(
    ("query", "number", "pointer"),
    [(" \n", 1, "/query"), ("q", 0, "/passages"), ("q", MAX_PASSAGES + 1, "/passages")],
)
async def test_bad_requests_name_the_field(query: str, number: int, pointer: str) -> None:
    passages = [Passage(id=str(place), text="Pay.") for place in range(number)]
    with pytest.raises(InvalidRequest) as caught:
        await a_rank(ScriptedModel(script)).run(query, passages, limit=None, config=Config())
    assert [error.pointer for error in caught.value.errors] == [pointer]


async def test_as_many_passages_as_allowed_rank() -> None:
    model = ScriptedModel(lambda _question: yes(0.8))
    passages = [Passage(id=str(place), text=f"Pay {place}.") for place in range(MAX_PASSAGES)]
    ranking = await a_rank(model).run("q", passages, limit=None, config=Config())
    assert len(ranking.results) == MAX_PASSAGES


def scored(reranking: Reranking) -> list[tuple[int, float, bool]]:
    return [(one.index, one.score, one.truncated) for one in reranking.results]


async def test_rerank_scores_all_and_asks_nothing_else() -> None:
    model = ScriptedModel(script)
    reranking = await a_rank(model).rerank("late fee?", PASSAGES, top_n=None, passage_chars=2400)
    assert scored(reranking) == [(2, 0.9, False), (0, 0.6, False), (1, 0.1, False)]
    assert [type(question) for question in model.asked] == [Answers, Answers, Answers]


async def test_reranking_keeps_equals_in_order_and_cuts_to_top_n() -> None:
    model = ScriptedModel(lambda _question: yes(0.0))
    reranking = await a_rank(model).rerank("q", PASSAGES, top_n=2, passage_chars=2400)
    assert scored(reranking) == [(0, 0.0, False), (1, 0.0, False)]


async def test_reranking_says_what_was_truncated() -> None:
    model = ScriptedModel(lambda _question: yes(0.5))
    # "[Terms > Fees]" and a blank line are 16 characters, its text 18 and the others 13 and 24.
    reranking = await a_rank(model).rerank("q", PASSAGES, top_n=None, passage_chars=24)
    assert [one.truncated for one in reranking.results] == [True, False, False]
    assert model.asked[0] == Answers("q", "[Terms > Fees]\n\nA late f")


async def test_as_many_long_documents_as_allowed_are_reranked_in_several_requests() -> None:
    model = ScriptedModel(lambda question: yes(len(question.passage) / 3000) if isinstance(question, Answers) else None)
    passages = [Passage(id=str(place), text=f"{place:03} " + "x" * (2000 - place)) for place in range(MAX_PASSAGES)]
    reranking = await a_rank(model).rerank("q", passages, top_n=None, passage_chars=2400)
    assert [one.index for one in reranking.results] == list(range(MAX_PASSAGES))
    # 500 passages of 1,500 to 2,000 characters are some 880,000, at 60,000 a request.
    assert 15 <= reranking.decisions.requests <= 30


@pytest.mark.parametrize(
    "model",
    [
        None,
        ScriptedModel(unavailable),
        ScriptedModel(lambda question: None if question == Answers("q", "Open at nine.") else yes(0.8)),
    ],
)
async def test_no_order_unless_every_document_was_judged(model: ScriptedModel | None) -> None:
    with pytest.raises(DecisionModelUnavailable):
        await a_rank(model).rerank("q", PASSAGES, top_n=1, passage_chars=2400)


@pytest.mark.parametrize(
    ("query", "number", "pointer"),
    [(" \n", 1, "/query"), ("q", 0, "/documents"), ("q", MAX_PASSAGES + 1, "/documents")],
)
async def test_bad_rerank_requests_name_the_field(query: str, number: int, pointer: str) -> None:
    passages = [Passage(id=str(place), text="Pay.") for place in range(number)]
    with pytest.raises(InvalidRequest) as caught:
        await a_rank(ScriptedModel(script)).rerank(query, passages, top_n=None, passage_chars=2400)
    assert [error.pointer for error in caught.value.errors] == [pointer]
