"""What every `DocumentStore` tells of conversations."""

from collections.abc import Sequence

import pytest

from app.documents.document import Document, UnitHit
from app.ports.document_store import Speaker
from tests.builders import a_document
from tests.contract.conftest import Stores
from tests.talk import a_talk, said

pytestmark = pytest.mark.anyio

BUDGET = a_talk(
    said("m1", "ana", "We propose 40k.", speaker_full="Ana (CFO)"),
    said("m2", "ben", "Too low, 45k."),
    said("m3", "ana", "Then 45k it is.", speaker_full="Ana (CFO)", outcome=True),
    said("a4", "ana", "[image]", outcome=True),
    said("m5", "ana", "Next item.", outcome=False),
)
#: m2 and m3 are one turn; a5 belongs to m4, and m4 answers that turn, which answers m1.
THREAD = a_talk(
    said("m1", "ana", "First."),
    said("m2", "ben", "Long."),
    said("m3", "ben", "More of it.", turn="m2"),
    said("m4", "cy", "Short."),
    said("a5", "tool", "1 failing"),
    links="m2 reply_to m1, m4 reply_to m2, a5 output_of m4",
)


async def hits(stores: Stores, document: Document, *units: str) -> Sequence[UnitHit]:
    return await stores.documents.units_by_id("default", [(document.id, unit) for unit in units])


def ids(found: Sequence[UnitHit]) -> list[str]:
    return [hit.unit.id for hit in found]


async def test_outcomes_are_messages_that_say_so_in_document_order(stores: Stores) -> None:
    await stores.put(BUDGET)
    await stores.put(a_talk(said("m1", "eve", "Agreed.", outcome=True), id="other"))
    asked = await hits(stores, BUDGET, "m5", "m1")

    assert ids(await stores.documents.outcome_parts(asked)) == ["m3"]
    assert await stores.documents.outcome_parts([]) == []
    await stores.put(a_talk(*BUDGET.units[:2], id=BUDGET.id))
    assert await stores.documents.outcome_parts(asked) == []


async def test_speakers_are_those_of_messages_who_say_most_first(stores: Stores) -> None:
    await stores.put(BUDGET)
    asked = await hits(stores, BUDGET, "m1", "m2")
    assert await stores.documents.speakers(asked) == [Speaker("ana", "Ana (CFO)"), Speaker("ben", "ben")]
    assert await stores.documents.speakers([]) == []


async def test_what_one_speaker_said_is_told_by_the_short_name(stores: Stores) -> None:
    await stores.put(BUDGET)
    asked = await hits(stores, BUDGET, "m1")
    assert ids(await stores.documents.said_by(asked, "ana")) == ["m1", "m3", "m5"]
    assert await stores.documents.said_by(asked, "Ana (CFO)") == []


async def test_turns_come_with_all_their_parts_and_what_they_answer(stores: Stores) -> None:
    await stores.put(THREAD)

    async def turns(unit: str, steps: int) -> list[str]:
        return ids(await stores.documents.turns(await hits(stores, THREAD, unit), steps))

    assert await turns("m3", 0) == ["m2", "m3"]
    assert await turns("m3", 1) == ["m1", "m2", "m3"]
    assert await turns("a5", 1) == ["m4", "a5"]
    assert await turns("a5", 2) == ["m2", "m3", "m4", "a5"]
    assert await turns("a5", 9) == ["m1", "m2", "m3", "m4", "a5"]
    assert await stores.documents.turns([], 3) == []


async def test_turns_that_answer_each_other_end(stores: Stores) -> None:
    circle = a_talk(said("m1", "ana", "A."), said("m2", "ben", "B."), links="m1 reply_to m2, m2 reply_to m1")
    await stores.put(circle)
    assert ids(await stores.documents.turns(await hits(stores, circle, "m1"), 50)) == ["m1", "m2"]


async def test_a_unit_that_names_no_turn_is_one_of_its_own(stores: Stores) -> None:
    notes = a_document("Pay in time.", "Or later.")
    await stores.put(notes)
    assert ids(await stores.documents.turns(await hits(stores, notes, "p2"), 1)) == ["p2"]


async def test_corrections_lead_on_by_the_latest_at_each_step(stores: Stores) -> None:
    talk = a_talk(
        *(said(f"m{n}", "ana", f"It is {n}.") for n in range(1, 7)),
        links="m2 corrects m1, m3 corrects m1, m5 corrects m3, m4 corrects m3, m2 corrects m6, m1 corrects m1",
    )
    await stores.put(talk)
    pairs = await stores.documents.corrections(await hits(stores, talk, "m1", "m3", "m6", "m2"))
    assert [(old.unit.id, new.unit.id) for old, new in pairs] == [("m1", "m3"), ("m3", "m5")]
    assert await stores.documents.corrections([]) == []
    await stores.put(talk)
    assert await stores.documents.corrections([old for old, _ in pairs]) == []
