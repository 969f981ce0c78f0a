import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from app.documents.decision import Answer, Choice, DecisionBatch, Question, YesNo
from app.documents.job import DecisionUse
from app.errors import DecisionModelUnavailable, JobCancelled
from app.operations.decision_batches import MAX_BATCH_CHARS, prepare
from app.operations.decision_session import GIVE_UP_AFTER, DecisionSession, Progress
from app.ports.decision_model import DecisionCache, DecisionModel
from app.retrieval.questions import Answers, BestPassage


class ScriptedModel:
    """Says yes as surely as the passage says, such as `0.7`; unanswered for anything else; down for `down`."""

    def __init__(self, name: str = "scripted-1", *, cacheable: bool = True, offline: bool = False) -> None:
        self.name = name
        self.cacheable = cacheable
        self.offline = offline
        self.asked: list[list[Question]] = []

    async def answer(self, questions: Sequence[Question]) -> DecisionBatch:
        self.asked.append(list(questions))
        await asyncio.sleep(0)
        if any(isinstance(question, Answers) and question.passage == "down" for question in questions):
            raise DecisionModelUnavailable("the server is down")
        return DecisionBatch(
            answers=tuple(map(self._answer, questions)), model=self.name, input_tokens=100, offline=self.offline
        )

    @staticmethod
    def _answer(question: Question) -> Answer | None:
        if isinstance(question, Answers) and question.passage[:1].isdigit():
            return YesNo(float(question.passage.split()[0]))
        if isinstance(question, BestPassage):
            return Choice(label="0", confidence=1.0, probabilities={"0": 1.0})
        return None


class MemoryCache:
    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}

    async def get(self, keys: Sequence[str]) -> Mapping[str, Answer]:
        return {key: self.answers[key] for key in keys if key in self.answers}

    async def put(self, answers: Mapping[str, Answer]) -> None:
        self.answers.update(answers)


def about(*passages: str) -> list[Question]:
    return [Answers("q", passage) for passage in passages]


def session(
    model: DecisionModel | None, cache: DecisionCache | None = None, *, max_questions: int = 100
) -> DecisionSession:
    return DecisionSession(model, cache, max_questions=max_questions)


def ask(
    asking: DecisionSession,
    *batches: Sequence[Question],
    stage: str = "judge",
    on_progress: Progress | None = None,
) -> list[tuple[Answer | None, ...]]:
    return asyncio.run(asking.ask(stage, batches, on_progress))


def test_answers_come_back_in_the_order_of_the_questions() -> None:
    model = ScriptedModel()
    asking = session(model)
    assert ask(asking, about("0.1", "0.2"), about("0.3")) == [(YesNo(0.1), YesNo(0.2)), (YesNo(0.3),)]
    assert [len(request) for request in model.asked] == [2, 1]
    use = asking.use
    assert replace(use, cost_usd=0.0) == DecisionUse(model="scripted-1", requests=2, questions=3, input_tokens=200)
    # 200 tokens at 0.042 USD per million.
    assert use.cost_usd == pytest.approx(0.000_008_4)
    assert asking.degraded == ()
    assert asking.failure is None


def test_nothing_to_ask() -> None:
    model = ScriptedModel()
    asking = session(model)
    assert ask(asking) == []
    assert ask(asking, [], []) == [(), ()]
    assert model.asked == []
    assert asking.degraded == ()


def test_equal_questions_are_asked_once() -> None:
    model = ScriptedModel()
    asking = session(model)
    assert ask(asking, about("0.1", "0.2", "0.1"), about("0.2", "0.3"), about("0.1")) == [
        (YesNo(0.1), YesNo(0.2), YesNo(0.1)),
        (YesNo(0.2), YesNo(0.3)),
        (YesNo(0.1),),
    ]
    assert [len(request) for request in model.asked] == [2, 1]
    assert asking.use.questions == 3


def test_a_known_answer_is_not_asked_for_again() -> None:
    cache = MemoryCache()
    ask(session(ScriptedModel(), cache), about("0.1", "0.2", "none"))
    assert len(cache.answers) == 2

    again = ScriptedModel()
    asking = session(again, cache)
    assert ask(asking, about("0.2", "0.4", "0.1")) == [(YesNo(0.2), YesNo(0.4), YesNo(0.1))]
    assert again.asked == [about("0.4")]
    assert (asking.use.cached, asking.use.questions) == (2, 1)


def test_a_cache_alone_can_answer_and_says_whose_answers_they_are() -> None:
    cache = MemoryCache()
    ask(session(ScriptedModel(), cache), about("0.1"))
    asking = session(ScriptedModel(), cache)
    ask(asking, about("0.1"))
    assert asking.use == DecisionUse(model="scripted-1", cached=1)


@pytest.mark.parametrize("other", [ScriptedModel("scripted-2"), ScriptedModel(cacheable=False)])
def test_answers_of_another_model_or_of_an_uncached_one_are_not_used(other: ScriptedModel) -> None:
    cache = MemoryCache()
    ask(session(ScriptedModel(), cache), about("0.1"))
    asking = session(other, cache)
    ask(asking, about("0.1"))
    assert asking.use.cached == 0
    assert len(other.asked) == 1


def test_what_a_fallback_answers_is_labelled_and_not_kept_under_the_first_models_name() -> None:
    class Fallback(ScriptedModel):
        async def answer(self, questions: Sequence[Question]) -> DecisionBatch:
            batch = await super().answer(questions)
            if len(self.asked) == 1:
                return batch
            return DecisionBatch(answers=batch.answers, model="offline-1", offline=True)

    cache = MemoryCache()
    asking = session(Fallback("jev"), cache)
    ask(asking, about("0.1"))
    assert not asking.offline
    ask(asking, about("0.2"))
    assert len(cache.answers) == 1
    assert asking.offline
    assert asking.model_name == "jev + offline-1"


def test_the_offline_engine_says_so_before_and_after() -> None:
    asking = session(ScriptedModel("offline-1", offline=True, cacheable=False))
    assert asking.offline
    ask(asking, about("0.1"))
    assert asking.offline
    assert asking.model_name == "offline-1"


def test_the_key_is_of_model_class_version_and_what_is_asked() -> None:
    def key(model: str, question: Question) -> str | None:
        return prepare(model, [[question]]).keys[0][0]

    base = key("m", Answers("q", "p"))
    assert base == key("m", Answers("q", "p"))
    assert base is not None
    assert len(base) == 64

    class Reworded(Answers):
        version = 2

    Reworded.__name__ = "Answers"
    others = {
        key("n", Answers("q", "p")),
        key("m", Answers("q", "p2")),
        key("m", Answers("q2", "p")),
        key("m", Reworded("q", "p")),
        key("m", BestPassage("q", ("p",))),
    }
    assert len(others) == 5
    assert base not in others


def test_a_large_batch_is_cut_by_characters() -> None:
    model = ScriptedModel()
    # Four passages of 0.4 of the bound each: two fit a request, with room for instructions.
    passages = [f"0.{number} ".ljust(int(MAX_BATCH_CHARS * 0.4), "x") for number in (1, 2, 3, 4)]
    assert ask(session(model), about(*passages)) == [(YesNo(0.1), YesNo(0.2), YesNo(0.3), YesNo(0.4))]
    assert [len(request) for request in model.asked] == [2, 2]


def test_text_that_questions_share_counts_once() -> None:
    model = ScriptedModel()
    passages = [f"0.{number} ".ljust(int(MAX_BATCH_CHARS * 0.3), "x") for number in (1, 2, 3)]
    ask(session(model), [*about(*passages), BestPassage("q", tuple(passages))])
    assert [len(request) for request in model.asked] == [4]


def test_a_question_over_the_bound_goes_alone() -> None:
    model = ScriptedModel()
    ask(session(model), about("0.1", "0.2 ".ljust(2 * MAX_BATCH_CHARS, "x"), "0.3"))
    assert [len(request) for request in model.asked] == [1, 1, 1]


def test_a_choice_without_labels_is_not_sent() -> None:
    model = ScriptedModel()
    asking = session(model)
    assert ask(asking, [BestPassage("q", ()), *about("0.1")]) == [(None, YesNo(0.1))]
    assert model.asked == [about("0.1")]
    assert (asking.use.questions, asking.use.unanswered) == (1, 1)
    assert asking.degraded == ()


def test_a_question_left_out_of_an_answer_is_unanswered_but_the_stage_is_not_degraded() -> None:
    asking = session(ScriptedModel())
    assert ask(asking, about("0.1", "none")) == [(YesNo(0.1), None)]
    assert asking.use.unanswered == 1
    assert asking.degraded == ()


def test_a_request_that_nobody_answers_leaves_the_others() -> None:
    asking = session(ScriptedModel())
    assert ask(asking, about("0.1"), about("down", "0.5"), about("0.2"), stage="needs") == [
        (YesNo(0.1),),
        (None, None),
        (YesNo(0.2),),
    ]
    assert asking.degraded == ("needs",)
    assert asking.failure == "the server is down"
    assert (asking.use.requests, asking.use.questions, asking.use.unanswered) == (3, 4, 2)


def test_a_request_with_no_usable_answer_counts_as_unanswered() -> None:
    asking = session(ScriptedModel())
    assert ask(asking, about("none"), stage="seams") == [(None,)]
    assert asking.degraded == ("seams",)
    assert asking.failure == "scripted-1 gave no usable answer"


def test_without_a_model_nothing_is_answered() -> None:
    asking = session(None, MemoryCache())
    assert ask(asking, about("0.1"), stage="seams") == [(None,)]
    assert ask(asking, about("0.1"), stage="needs") == [(None,)]
    assert asking.model_name is None
    assert not asking.offline
    assert asking.degraded == ("seams", "needs")
    assert asking.use == DecisionUse(unanswered=2)


def test_a_stage_that_would_pass_the_limit_is_skipped_whole() -> None:
    model = ScriptedModel()
    asking = session(model, max_questions=5)
    assert ask(asking, about("0.1", "0.2", "0.1"), stage="seams") == [(YesNo(0.1), YesNo(0.2), YesNo(0.1))]
    assert ask(asking, about("0.1", "0.2"), about("0.3", "0.4"), stage="profiles") == [(None, None), (None, None)]
    assert ask(asking, about("0.3", "0.4", "0.5"), stage="needs") == [(YesNo(0.3), YesNo(0.4), YesNo(0.5))]
    assert asking.degraded == ("profiles",)
    assert asking.failure == "the stage takes 4 decision questions and 3 are left of the limit of 5"
    assert (asking.use.questions, asking.use.unanswered) == (5, 4)


def test_the_limit_does_not_depend_on_what_is_cached() -> None:
    cache = MemoryCache()
    ask(session(ScriptedModel(), cache), about("0.1", "0.2"))
    asking = session(ScriptedModel(), cache, max_questions=2)
    assert ask(asking, about("0.1", "0.2", "0.3")) == [(None, None, None)]


def test_progress_is_reported_one_call_at_a_time() -> None:
    cache = MemoryCache()
    ask(session(ScriptedModel(), cache), about("0.1"))
    reports: list[tuple[int, int]] = []
    inside = 0

    async def note(done: int, total: int) -> None:
        nonlocal inside
        inside += 1
        assert inside == 1
        await asyncio.sleep(0.001)
        reports.append((done, total))
        inside -= 1

    ask(session(ScriptedModel(), cache), about("0.1", "0.2"), about("0.3", "0.4"), about("0.5"), on_progress=note)
    assert reports[0] == (1, 5)
    assert reports[-1] == (5, 5)
    assert [done for done, _ in reports] == sorted(done for done, _ in reports)
    assert len(reports) == 4


def test_what_progress_raises_stops_the_stage() -> None:
    class Slow(ScriptedModel):
        finished = 0

        async def answer(self, questions: Sequence[Question]) -> DecisionBatch:
            if questions != about("0.1"):
                await asyncio.sleep(30)
            batch = await super().answer(questions)
            self.finished += 1
            return batch

    async def cancel(done: int, total: int) -> None:
        raise JobCancelled(f"{done} of {total}")

    async def run() -> tuple[int, int]:
        model = Slow()
        with pytest.raises(JobCancelled, match="1 of 3"):
            await session(model).ask("seams", [about("0.1"), about("0.2"), about("0.3")], cancel)
        return model.finished, len(asyncio.all_tasks())

    assert asyncio.run(run()) == (1, 1)


def test_a_dead_server_is_given_up_on() -> None:
    class Dead(ScriptedModel):
        waiting = 0

        async def answer(self, questions: Sequence[Question]) -> DecisionBatch:
            self.waiting += 1
            await asyncio.sleep(0 if self.waiting <= GIVE_UP_AFTER else 30)
            raise DecisionModelUnavailable("the server is down")

    asking = session(Dead())
    batches = [about(f"0.{number}") for number in range(1, 10)]
    assert ask(asking, *batches, stage="seams") == [(None,)] * 9
    assert asking.degraded == ("seams",)
    assert asking.use.requests == GIVE_UP_AFTER
    assert asking.use.unanswered == 9


def test_a_mistake_in_a_model_is_not_hidden() -> None:
    class Broken(ScriptedModel):
        async def answer(self, questions: Sequence[Question]) -> DecisionBatch:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        ask(session(Broken()), about("0.1"), about("0.2"))
