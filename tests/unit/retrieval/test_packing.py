"""Putting units into one text of a given size."""

from collections.abc import Sequence
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from app.documents.document import UnitHit
from app.retrieval.gathering import Part, Parts
from app.retrieval.packing import Packed, pack_whole, pack_within
from app.retrieval.two_grains import TwoGrains
from app.text.tokens import approximate_tokens
from tests.builders import A_MOMENT, a_hit, a_unit

FILLER = "The shop opens at nine and closes at six on every day of the week but one. "
REFUND = "A refund takes five days. "


def packed(
    chosen: Sequence[UnitHit],
    others: Sequence[UnitHit] = (),
    near: Sequence[UnitHit] = (),
    *,
    tokens: int,
    question: str = "refund",
) -> Packed:
    hits = [*chosen, *others, *near]
    worth = {id(hit): 0.9 - 0.1 * place for place, hit in enumerate(hits)}
    parts = Parts(*([Part(hit, worth[id(hit)]) for hit in hits] for hits in (chosen, others, near)))
    return pack_within(
        parts,
        TwoGrains(question, hits),
        max_tokens=tokens,
        measure=approximate_tokens,
    )


def units(of: Packed) -> list[tuple[str, str]]:
    return [(source.document, source.unit) for source in of.sources]


def test_units_stand_in_document_order_with_blank_lines_between() -> None:
    hits = [
        a_hit(a_unit("Third.", id="p2", path=("B",)), document="é", ordinal=1),
        a_hit(a_unit("Second.", id="p1", path=("B",)), document="é", ordinal=0),
        a_hit("First.", document="z", ordinal=9),
    ]
    context = pack_whole(hits)
    # Ids are ordered by their bytes: z before é.
    assert context.text == "First.\n\n[B]\n\nSecond.\n\n[B]\n\nThird."
    assert units(context) == [("z", "p10"), ("é", "p1"), ("é", "p2")]


def test_a_source_says_where_its_part_comes_from() -> None:
    unit = a_unit("Pay in time.", id="p4", path=("Terms", "Fees"), page=3, start=10, end=22)
    [source] = pack_whole([a_hit(unit, document="terms-2026", title="Terms")]).sources
    assert (source.document, source.version, source.unit, source.title) == ("terms-2026", 1, "p4", "Terms")
    assert (source.path, source.page, source.start, source.end) == (("Terms", "Fees"), 3, 10, 22)
    assert source.spans is None
    assert source.updated_at == A_MOMENT


def test_an_overlap_is_shown_once() -> None:
    tail = "Returns are free within the EU."
    before = a_hit(a_unit(f"Send it back. {tail}", path=("Fees",)))
    after = a_hit(a_unit(f"{tail}\n\nRefunds take a week.", path=("Fees",), id="p2"), ordinal=1)
    far = a_hit(after.unit, ordinal=2)
    assert pack_whole([before, after]).text.count(tail) == 1
    assert pack_whole([before, far]).text.count(tail) == 2
    assert pack_whole([after]).text == after.unit.text


def test_what_fits_stays_whole() -> None:
    hit = a_hit(FILLER * 3)
    context = packed([hit], tokens=1000)
    assert context.text == hit.unit.text
    assert context.sources[0].spans is None
    assert context.dropped == ()


def test_kept_passages_beyond_the_scope_fill_the_rest_best_first() -> None:
    # 25 characters cost 7 tokens, 74 cost 19 and the blank line 1: 47 of 50.
    chosen = [a_hit(REFUND.strip(), document="a")]
    others = [a_hit(FILLER.strip(), document=name) for name in "bcd"]
    context = packed(chosen, others, tokens=50)
    assert units(context) == [("a", "p1"), ("b", "p1"), ("c", "p1")]
    assert context.dropped == ({"document": "d", "unit": "p1", "dropped": "all"},)


def test_a_unit_over_the_budget_is_trimmed_to_its_best_sentences_in_their_order() -> None:
    text = (FILLER * 4 + REFUND + FILLER * 8 + "No refund for gift cards. " + FILLER * 4).strip()
    unit = a_unit(text, path=("Refunds",), start=50, end=50 + len(text))
    context = packed([a_hit(unit)], tokens=170)
    head, _, body = context.text.partition("\n\n")
    assert head == "[Refunds]"
    first, second = body.split(" … ")
    assert REFUND.strip() in first
    assert "No refund for gift cards." in second
    assert text.index(first) < text.index(second)
    [source] = context.sources
    assert source.spans is not None
    assert [text[start - 50 : end - 50] for start, end in source.spans] == [first, second]
    assert (source.start, source.end) == (50, 50 + len(text))
    assert context.dropped == ({"document": "terms", "unit": "p1", "dropped": "part"},)


def test_neighbouring_pieces_are_joined_without_a_gap() -> None:
    text = (FILLER * 12).strip()
    context = packed([a_hit(text)], tokens=160, question="shop")
    assert " … " not in context.text
    assert text.startswith(context.text)


def test_what_is_near_the_threshold_comes_last_and_never_alone() -> None:
    first, kept, near = (a_hit(f"Text {number} of a refund.", document=number) for number in "abc")
    assert units(packed([first], [kept], [near], tokens=20)) == [("a", "p1"), ("b", "p1"), ("c", "p1")]
    assert units(packed([first], [kept], [near], tokens=14)) == [("a", "p1"), ("b", "p1")]
    long = a_hit("A refund " + "of money " * 20, document="a")
    assert units(packed([long], [], [near], tokens=10)) == []


def test_in_little_room_the_unit_that_answers_best_keeps_its_place() -> None:
    # The second unit repeats the question's word; the first answers it, says the judge, by a hair.
    answer = a_hit(a_unit("Money is back within five days, as a refund. " + FILLER * 4, id="p1"), document="a")
    rival = a_hit(a_unit("Refund, refund, refund: a refund is a refund. " + FILLER * 4, id="p2"), document="b")
    parts = [Part(answer, 0.97), Part(rival, 0.96)]

    context = pack_within(Parts(parts), TwoGrains("refund", [rival, answer]), max_tokens=80, measure=approximate_tokens)

    assert units(context) == [("a", "p1")]


def test_a_budget_below_a_piece_takes_single_sentences() -> None:
    hit = a_hit(FILLER * 3 + REFUND + FILLER * 3)
    # 26 characters with the space behind them.
    assert packed([hit], tokens=7).text == REFUND.strip()
    assert packed([hit], tokens=6).text == ""


def test_a_short_sentence_that_says_nothing_is_no_substitute() -> None:
    assert packed([a_hit("Is there a refund for gift cards? No.")], tokens=2).text == ""
    # Where no sentence says anything, as with what only a vector search found, it is not held against any.
    assert packed([a_hit("Is there money back for vouchers? No.")], tokens=2).text == "No."


def test_a_budget_below_a_sentence_shows_nothing_and_says_so() -> None:
    context = packed([a_hit(FILLER)], tokens=3)
    assert context.text == ""
    assert context.sources == ()
    assert context.dropped == ({"document": "terms", "unit": "p1", "dropped": "all"},)


sentences = st.sampled_from([FILLER, REFUND, "水泵必须每日检查。", "Why?\n\n", "ok. ", "🙂 fine. ", "x" * 400 + ". "])
texts = st.lists(sentences, min_size=1, max_size=12).map("".join)
paths = st.sampled_from([(), ("Fees",), ("Guide", "A rather long heading about fees and refunds")])


@st.composite
def hit_lists(draw: st.DrawFn) -> list[UnitHit]:
    places = draw(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 4)), unique=True, min_size=1, max_size=6))
    hits = []
    for document, ordinal in places:
        text, path, start = draw(texts), draw(paths), draw(st.integers(0, 50))
        unit = a_unit(text, id=f"p{ordinal + 1}", path=path, start=start, end=start + len(text))
        hits.append(a_hit(unit, document=document, ordinal=ordinal))
    return hits


@given(hit_lists(), st.integers(1, 6), st.integers(1, 400))
def test_any_budget_is_kept_and_what_is_shown_is_the_documents_own(
    hits: list[UnitHit], split: int, tokens: int
) -> None:
    context = packed(hits[:split], hits[split:], tokens=tokens)
    assert approximate_tokens(context.text) <= tokens
    places = [(source.document, int(source.unit[1:])) for source in context.sources]
    assert places == sorted(set(places))
    by_key = {(hit.document, hit.unit.id): hit for hit in hits}
    for source in context.sources:
        unit = by_key[source.document, source.unit].unit
        if source.spans is None:
            continue
        own = unit.text[-((unit.end or 0) - (unit.start or 0)) :]
        shown = [own[start - (unit.start or 0) : end - (unit.start or 0)] for start, end in source.spans]
        assert all(a[1] <= b[0] for a, b in pairwise(source.spans))
        assert " … ".join(shown) in context.text
    assert {(entry["document"], entry["unit"]) for entry in context.dropped if entry["dropped"] == "all"} == set(
        by_key
    ) - {(source.document, source.unit) for source in context.sources}
