"""Earlier answers of decision models in PostgreSQL (decisions design)."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from app.adapters.postgres.engine import transaction
from app.documents.decision import Answer, Choice, Score, YesNo
from app.documents.values import JsonObject

_GET = text("""
    SELECT key, answer FROM decision_cache
    WHERE key = ANY(:keys) AND created_at > now() - make_interval(days => :days)
""")
_PUT = text("""
    INSERT INTO decision_cache (key, answer)
    SELECT key, CAST(answer AS json) FROM unnest(CAST(:keys AS bytea[]), CAST(:answers AS text[])) AS new (key, answer)
    ORDER BY key
    ON CONFLICT (key) DO UPDATE SET answer = excluded.answer, created_at = excluded.created_at
""")
_PRUNE = text("""
    DELETE FROM decision_cache
    WHERE created_at < now() - make_interval(days => :days)
        OR key IN (SELECT key FROM decision_cache ORDER BY created_at DESC OFFSET :entries)
""")
#: The cache may outgrow its bound by one part in so many before it is cut back.
_SLACK = 100


class PostgresDecisionCache:
    """Remembers answers. See the port `DecisionCache`.

    Args:
        engine: the pool.
        max_entries: answers to keep; the oldest go first.
        max_age_days: how long an answer is good for.
    """

    def __init__(self, engine: AsyncEngine, max_entries: int, max_age_days: int) -> None:
        self._engine = engine
        self._max_entries = max_entries
        self._max_age_days = max_age_days
        self._put_since_pruning = 0

    async def get(self, keys: Sequence[str]) -> Mapping[str, Answer]:
        """Return the known answers among `keys`."""
        if not keys:
            return {}
        names = {_hashed(key): key for key in keys}
        async with transaction(self._engine) as connection:
            rows = await connection.execute(_GET, {"keys": list(names), "days": self._max_age_days})
            return {names[bytes(row.key)]: _from_json(row.answer) for row in rows}

    async def put(self, answers: Mapping[str, Answer]) -> None:
        """Remember answers; equal keys are overwritten."""
        if not answers:
            return
        # Everybody writes in key order, so that two who write the same keys don't wait for each other in a circle.
        hashed = sorted((_hashed(key), json.dumps(_to_json(answer))) for key, answer in answers.items())
        async with transaction(self._engine) as connection:
            await connection.execute(
                _PUT, {"keys": [key for key, _ in hashed], "answers": [answer for _, answer in hashed]}
            )
        self._put_since_pruning += len(hashed)
        if self._put_since_pruning > self._max_entries // _SLACK:
            self._put_since_pruning = 0
            await self._prune()

    async def _prune(self) -> None:
        async with transaction(self._engine) as connection:
            await connection.execute(_PRUNE, {"days": self._max_age_days, "entries": self._max_entries})


def _hashed(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()


def _to_json(answer: Answer) -> JsonObject:
    match answer:
        case YesNo(probability):
            return {"yes": probability}
        case Choice(label, confidence, probabilities):
            return {"label": label, "confidence": confidence, "probabilities": dict(probabilities)}
        case Score(level, confidence, levels):
            return {"level": level, "confidence": confidence, "levels": [[key, value] for key, value in levels.items()]}


def _from_json(value: Mapping[str, Any]) -> Answer:
    if "yes" in value:
        return YesNo(value["yes"])
    if "label" in value:
        return Choice(value["label"], value["confidence"], value["probabilities"])
    return Score(value["level"], value["confidence"], dict(value["levels"]))
