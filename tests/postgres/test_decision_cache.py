import asyncio

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from app.adapters.postgres.decision_cache import PostgresDecisionCache
from app.documents.decision import Answer, Choice, Score, YesNo
from tests.postgres.conftest import count, rows

pytestmark = pytest.mark.anyio


@pytest.fixture
def cache(engine: AsyncEngine) -> PostgresDecisionCache:
    return PostgresDecisionCache(engine, max_entries=1000, max_age_days=90)


async def test_answers_of_every_kind_come_back(cache: PostgresDecisionCache) -> None:
    answers: dict[str, Answer] = {
        "yes": YesNo(0.1),
        "whole": YesNo(1),
        "choice": Choice("b", 0.7, {"a": 0.3, "b": 0.7}),
        "score": Score(2, 0.9, {1: 0.1, 2: 0.9}),
    }
    await cache.put(answers)
    assert await cache.get(["yes", "choice", "score", "whole", "unknown"]) == answers


async def test_asking_for_nothing_is_fine(cache: PostgresDecisionCache) -> None:
    await cache.put({})
    assert await cache.get([]) == {}


async def test_a_newer_answer_takes_the_place_of_an_older_one(cache: PostgresDecisionCache) -> None:
    await cache.put({"q": YesNo(0.1)})
    await cache.put({"q": YesNo(0.9)})
    assert await cache.get(["q"]) == {"q": YesNo(0.9)}


async def test_an_old_answer_is_none(cache: PostgresDecisionCache, engine: AsyncEngine) -> None:
    await cache.put({"q": YesNo(0.1), "r": YesNo(0.2)})
    await rows(
        engine,
        "UPDATE decision_cache SET created_at = now() - interval '91 days' WHERE key = sha256('q') RETURNING 1",
    )
    assert await cache.get(["q", "r"]) == {"r": YesNo(0.2)}


async def test_the_oldest_answers_go_first(engine: AsyncEngine) -> None:
    cache = PostgresDecisionCache(engine, max_entries=3, max_age_days=90)
    for number in range(6):
        await cache.put({f"q{number}": YesNo(0.5)})
    assert await count(engine, "decision_cache") == 3
    assert set(await cache.get([f"q{number}" for number in range(6)])) == {"q3", "q4", "q5"}


async def test_many_write_the_same_answers_at_once(cache: PostgresDecisionCache) -> None:
    answers = {f"q{number}": YesNo(0.5) for number in range(50)}
    backwards = dict(reversed(answers.items()))
    await asyncio.gather(*(cache.put(each) for each in [answers, backwards] * 5))
    assert await cache.get(list(answers)) == answers
