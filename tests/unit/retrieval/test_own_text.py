"""Where a unit's own text stands."""

from dataclasses import replace

from app.retrieval.own_text import headed, own_start, source_spans
from tests.builders import a_hit, a_unit
from tests.talk import said

TAIL = "Returns are free within the EU."


def test_a_text_is_headed_once() -> None:
    assert headed(("Guide", "Fees"), "Pay.") == "[Guide > Fees]\n\nPay."
    assert headed(("Guide", "Fees"), "[Guide > Fees]\n\nPay.") == "[Guide > Fees]\n\nPay."
    assert headed((), "Pay.") == "Pay."


def test_own_text_starts_behind_the_heading_path() -> None:
    hit = a_hit(a_unit("Pay.", path=("Fees",)))
    assert hit.unit.text[own_start(hit, None) :] == "Pay."


def test_overlap_is_told_by_the_unit_before() -> None:
    before = a_hit(a_unit(f"Send it back. {TAIL}", path=("Fees",)))
    hit = a_hit(a_unit(f"{TAIL}\n\nRefunds take a week.", path=("Fees",)), ordinal=1)
    assert hit.unit.text[own_start(hit, before) :] == "Refunds take a week."
    assert hit.unit.text[own_start(hit, None) :] == f"{TAIL}\n\nRefunds take a week."


def test_a_short_likeness_is_chance() -> None:
    before, hit = a_hit("We pay. Free."), a_hit("Free. Always.", ordinal=1)
    assert own_start(hit, before) == 0


def test_a_unit_that_only_repeats_keeps_its_text() -> None:
    before, hit = a_hit(f"Send it back. {TAIL}"), a_hit(TAIL, ordinal=1)
    assert own_start(hit, before) == 0


def test_overlap_is_told_by_the_length_of_the_source_span() -> None:
    body = "Refunds take a week."
    hit = a_hit(a_unit(f"{TAIL}\n\n{body}", path=("Fees",), start=100, end=100 + len(body)))
    start = own_start(hit, None)
    assert hit.unit.text[start:] == body
    assert source_spans(hit.unit, [(start + 8, start + 12)]) == ((108, 112),)


def test_spans_count_from_the_source_where_the_text_equals_it() -> None:
    source = "# Fees\n\n🙂 Pay in time. Late fees are 2 %."
    body = source[8:]
    unit = a_unit(body, path=("Fees",), start=8, end=len(source))
    run = (unit.text.index("Late"), len(unit.text))
    assert source_spans(unit, [run]) == ((source.index("Late"), len(source)),)


def test_a_source_with_marks_gives_the_span_of_the_whole_unit() -> None:
    unit = a_unit("Pay in time.", start=8, end=8 + len("**Pay** in time."))
    assert source_spans(unit, [(0, 3)]) == ((8, 24),)


def test_an_overlap_behind_which_the_lengths_do_not_fit_gives_the_span_of_the_whole_unit() -> None:
    # Eight characters of marks: by length alone the own text would begin inside the overlap.
    body = "Refunds take a week."
    unit = a_unit(f"{TAIL}\n\n{body}", start=100, end=100 + len(body) + 8)
    assert source_spans(unit, [(len(TAIL) + 2, len(TAIL) + 9)]) == ((100, 128),)


def test_without_offsets_there_are_no_spans() -> None:
    assert source_spans(a_unit("Pay in time."), [(0, 3)]) is None


def test_a_blank_line_in_a_message_is_no_overlap() -> None:
    # The source has eleven characters for the two blocks, as many as the second one has: which they are isn't known.
    unit = replace(said("m1", "Ana", "It is so.\n\nHear, hear."), start=0, end=11)
    second = unit.text.index("Hear")
    assert source_spans(unit, [(second, second + len("Hear,"))]) == ((0, 11),)
