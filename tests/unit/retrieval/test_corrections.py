"""Parts that later ones correct: chains, and how they are shown in a budget."""

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from app.documents.document import UnitHit
from app.retrieval.candidates import key_of
from app.retrieval.corrections import CORRECTED, latest_corrections
from app.retrieval.gathering import Part, Parts
from app.retrieval.packing import pack_whole, pack_within
from app.retrieval.two_grains import TwoGrains
from app.text.tokens import approximate_tokens
from tests.builders import a_hit
from tests.talk import said

#: Messages of different lengths, so that some fit where others don't.
MESSAGES = [
    a_hit(said(f"m{n + 1}", "ana", f"The rent is {n}. " + "It was so then. " * (n % 4)), document="chat", ordinal=n)
    for n in range(8)
]

pairs = st.lists(st.tuples(st.sampled_from(MESSAGES), st.sampled_from(MESSAGES)), max_size=24)


def latest(found: Mapping[tuple[str, ...], UnitHit]) -> dict[str, str]:
    return {key[-1]: hit.unit.id for key, hit in found.items()}


def test_a_chain_leads_by_the_latest_at_each_step_to_the_last() -> None:
    m = MESSAGES
    # m1 is corrected by m2 and m4, of which m4 is later and corrected by m5: never by way of m2 to m8.
    found = latest_corrections([(m[0], m[1]), (m[0], m[3]), (m[1], m[7]), (m[3], m[4])])
    assert latest(found) == {"m1": "m5", "m2": "m8", "m4": "m5"}


def test_what_stands_before_a_unit_does_not_correct_it() -> None:
    m = MESSAGES
    assert latest(latest_corrections([(m[0], m[1]), (m[1], m[0]), (m[2], m[2])])) == {"m1": "m2"}


def test_a_chain_leads_past_what_may_not_be_shown() -> None:
    m = MESSAGES
    chain = [(m[0], m[1]), (m[1], m[2]), (m[3], m[4])]
    assert latest(latest_corrections(chain, lambda hit: hit is not m[1])) == {"m1": "m3", "m2": "m3", "m4": "m5"}


def test_a_correction_that_may_not_be_shown_marks_nothing() -> None:
    assert latest_corrections([(MESSAGES[0], MESSAGES[1])], lambda hit: hit is not MESSAGES[1]) == {}


@given(pairs)
def test_every_chain_ends_at_a_unit_that_nothing_corrects(links: list[tuple[UnitHit, UnitHit]]) -> None:
    found = latest_corrections(links)
    corrected = {key_of(old) for old, new in links if new.ordinal > old.ordinal}
    assert found.keys() == corrected
    assert all(key_of(last) not in corrected for last in found.values())
    # Followed naively, one step after the other.
    for key, last in found.items():
        step = next(hit for hit in MESSAGES if key_of(hit) == key)
        while later := [new for old, new in links if old is step and new.ordinal > step.ordinal]:
            step = max(later, key=lambda hit: hit.ordinal)
        assert last == step


@given(
    links=pairs,
    chosen=st.lists(st.sampled_from(MESSAGES), unique_by=key_of, min_size=1),
    around=st.lists(st.sampled_from(MESSAGES), unique_by=key_of),
    tokens=st.integers(1, 200),
)
def test_in_any_budget_a_corrected_part_comes_with_its_latest_correction(
    links: list[tuple[UnitHit, UnitHit]], chosen: list[UnitHit], around: list[UnitHit], tokens: int
) -> None:
    corrections = latest_corrections(links)
    parts = Parts([Part(hit, 0.9) for hit in chosen], (), (), [Part(hit, 0.1) for hit in around])

    packed = pack_within(
        parts.without({key_of(hit) for hit in chosen}),
        TwoGrains("rent", MESSAGES),
        max_tokens=tokens,
        measure=approximate_tokens,
        corrections=corrections,
    )

    assert approximate_tokens(packed.text) <= tokens
    shown = {source.unit for source in packed.sources}
    for source in packed.sources:
        last = corrections.get((source.collection, source.document, source.unit))
        assert source.superseded_by == (None if last is None else last.unit.id)
        assert last is None or last.unit.id in shown
    assert packed.text.count(CORRECTED) == sum(source.superseded_by is not None for source in packed.sources)


@given(links=pairs, chosen=st.lists(st.sampled_from(MESSAGES), unique_by=key_of, min_size=1))
def test_without_a_budget_too(links: list[tuple[UnitHit, UnitHit]], chosen: list[UnitHit]) -> None:
    corrections = latest_corrections(links)
    packed = pack_whole(chosen, corrections)
    wanted = {key_of(hit) for hit in chosen} | {
        key_of(corrections[key_of(hit)]) for hit in chosen if key_of(hit) in corrections
    }
    assert {(source.collection, source.document, source.unit) for source in packed.sources} == wanted


def test_where_only_one_fits_it_is_the_correction() -> None:
    old = a_hit(said("m1", "ana", "The rent is forty."), document="chat")
    new = a_hit(said("m2", "ben", "The rent is fifty."), document="chat", ordinal=1)
    # 24 characters, 6 tokens; the old one with its mark and the blank line takes 17 more.
    measured = {
        tokens: pack_within(
            Parts([Part(old, 0.9)]),
            TwoGrains("rent", [old, new]),
            max_tokens=tokens,
            measure=approximate_tokens,
            corrections=latest_corrections([(old, new)]),
        ).text
        for tokens in (6, 30)
    }
    assert measured[6] == "[ben]\nThe rent is fifty."
    assert measured[30] == f"[ana]\nThe rent is forty.\n{CORRECTED}\n\n[ben]\nThe rent is fifty."
