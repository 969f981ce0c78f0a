"""Questions to conversations over HTTP on a real database, with the offline engine."""

import pytest

from app.retrieval.corrections import CORRECTED
from tests.api.test_on_postgres import Stack, stack

pytestmark = pytest.mark.anyio

__all__ = ["stack"]

FILLER = "It rained on the way to the office, and the train was late once more. "


def said(turn: str, speaker: str, text: str, **meta: str) -> dict[str, object]:
    return {"type": "paragraph", "text": text, "meta": {"speaker": speaker, "turn": turn, **meta}}


TALK = [
    said("1", "Ana", f"The budget of the summer party is 4000 euros. {FILLER * 4}"),
    said("2", "Ben", f"Who will cook? {FILLER * 4}", reply_to="1"),
    said("3", "Cy", "Thirty people.", reply_to="2"),
    said(
        "4", "Ben", f"Correction: the budget of the summer party is not 4000 but 4500 euros. {FILLER * 4}", reply_to="1"
    ),
    *(said(f"9{number}", "Dan", f"On other matters, number {number}. {FILLER * 4}") for number in range(6)),
]


async def ask(stack: Stack, query: str, **fields: object) -> dict[str, object]:
    answer = await stack.client.post("/v1/retrieve", json={"query": query, "explain": True, **fields})
    answer.raise_for_status()
    found: dict[str, object] = answer.json()
    return found


def units(answer: dict[str, object]) -> list[str]:
    sources = answer["sources"]
    assert isinstance(sources, list)
    return [source["unit"] for source in sources]


async def ingest(stack: Stack) -> set[tuple[str, str, str]]:
    """Ingest the talk; return its links as (later unit, type, earlier unit)."""
    job = await stack.ingest(id="party", blocks=TALK)
    assert (job["status"], job["error"]) == ("succeeded", None)
    document = (await stack.client.get("/v1/documents/party")).json()
    return {(link["from"], link["type"], link["to"]) for link in document["links"]}


async def test_a_short_message_comes_with_what_it_replies_to(stack: Stack) -> None:
    links = await ingest(stack)
    assert ("m3", "reply_to", "m2") in links
    answer = await ask(stack, "Are there thirty people?")
    assert {"m2", "m3"} <= set(units(answer))
    assert answer["decisions"]["requests"] <= 2  # type: ignore[index]


async def test_a_corrected_message_is_marked_and_comes_with_its_correction(stack: Stack) -> None:
    links = await ingest(stack)
    assert ("m4", "corrects", "m1") in links
    answer = await ask(stack, "What is the budget of the summer party?")
    assert {"m1", "m4"} <= set(units(answer))
    superseded = {source["unit"]: source["superseded_by"] for source in answer["sources"]}  # type: ignore[attr-defined]
    assert (superseded["m1"], superseded["m4"]) == ("m4", None)
    assert str(answer["text"]).count(CORRECTED) == 1


async def test_in_any_budget_the_correction_is_there(stack: Stack) -> None:
    await ingest(stack)
    for max_tokens in (20, 60, 100, 140, 200, 400):
        answer = await ask(stack, "What is the budget of the summer party?", max_tokens=max_tokens)
        shown = set(units(answer))
        assert "m1" not in shown or "m4" in shown
        assert answer["tokens"] <= max_tokens  # type: ignore[operator]


async def test_whose_words_are_asked_for_is_told(stack: Stack) -> None:
    await ingest(stack)
    answer = await ask(stack, "What did Ana say about the budget?")
    assert answer["trace"]["speaker"] == "Ana"  # type: ignore[index]
    assert "m1" in units(answer)
