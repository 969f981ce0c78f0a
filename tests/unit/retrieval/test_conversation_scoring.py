"""Scoring messages by themselves and by what was said around them."""

from collections.abc import Sequence

from app.documents.document import Unit, UnitHit
from app.retrieval.conversation_scoring import WINDOW_MESSAGES, in_their_places, score_messages
from tests.builders import a_hit
from tests.talk import said


def talk(*units: Unit, document: str = "chat", first: int = 0) -> list[UnitHit]:
    return [a_hit(unit, document=document, ordinal=ordinal) for ordinal, unit in enumerate(units, start=first)]


def ids(hits: Sequence[UnitHit]) -> list[str]:
    return [hit.unit.id for hit in hits]


def filler(*numbers: int) -> list[Unit]:
    return [
        said(f"m{n}", "cy", f"Weather {n} again, and rain on the roof all day long.{' Drip.' * 30}") for n in numbers
    ]


def test_the_best_scores_one_and_the_worst_not_below_zero() -> None:
    scored = score_messages("garden fence", talk(*filler(1, 2, 3), said("m4", "ana", "The garden fence is red.")))
    assert scored[0].unit.id == "m4"
    assert scored[0].score == 1.0
    assert all(0.0 <= hit.score <= 1.0 for hit in scored)
    assert score_messages("garden", []) == []


def test_an_answer_that_names_nothing_is_found_beside_its_question() -> None:
    units = [
        *filler(1, 2, 3, 4),
        said("m5", "ana", "What colour is the fence?"),
        said("m6", "ben", "Red."),
        *filler(7, 8),
    ]
    assert set(ids(score_messages("colour fence", talk(*units)))[:2]) == {"m5", "m6"}


def test_a_window_does_not_reach_into_another_document_or_over_a_gap() -> None:
    answer, other = said("m1", "ana", "Red."), said("m9", "ana", "Red.")
    near = talk(said("m0", "ben", "What colour is the fence?"), answer)
    apart = talk(other, document="other", first=1)
    behind_a_gap = talk(said("m5", "ana", "Red."), first=9)
    scores = {hit.unit.id: hit.score for hit in score_messages("colour fence", [*near, *behind_a_gap, *apart])}
    assert scores["m1"] > scores["m9"] == scores["m5"]


def test_long_outputs_are_no_steps_and_no_part_of_a_window() -> None:
    log = said("a2", "tool", "The fence log. " + "fence line of the log " * 60)
    caption = said("a3", "ana", "[image: a red fence]")
    units = [said("m1", "ana", "Look at that."), log, caption, said("m4", "ben", "Nice."), *filler(5, 6, 7)]
    scored = {hit.unit.id: hit.score for hit in score_messages("fence", talk(*units))}
    assert scored["m1"] > scored["m5"]
    without = [each for each in units if each is not log]
    again = {hit.unit.id: hit.score for hit in score_messages("fence", talk(*without))}
    order = sorted(again, key=lambda unit: -again[unit])
    assert [unit for unit in sorted(scored, key=lambda unit: -scored[unit]) if unit != "a2"] == order


def test_a_window_counts_messages_but_goes_on_over_short_ones() -> None:
    hums = [said(f"m{n}", "ben", "Mm-hmm.") for n in range(2, 2 + 3 * WINDOW_MESSAGES)]
    units = [said("m1", "ana", "What colour is the fence?"), *hums, said("m90", "cy", "Red."), *filler(91, 92, 93)]
    scored = {hit.unit.id: hit.score for hit in score_messages("colour fence", talk(*units))}
    assert scored["m90"] > max(scored["m92"], scored["m93"])


def test_a_named_speaker_is_raised_and_the_name_is_no_word_of_the_question() -> None:
    units = [
        said("m1", "Ben", "Ana, Ana, Ana, did you hear?"),
        *filler(2, 3, 4, 5, 6, 7),
        said("m8", "Ben", "I will paint my fence."),
        *filler(9, 10, 11, 12, 13),
        said("m14", "Ana", "I will paint my fence."),
        *filler(15, 16),
    ]
    order = ids(score_messages("Ana paint fence", talk(*units)))
    assert order.index("m14") < order.index("m8") < order.index("m1")


def test_words_are_folded_in_each_units_language() -> None:
    german = a_hit(said("m1", "ana", "Die Zäune sind rot."), document="de", language="de")
    english = a_hit(said("m1", "ana", "Nothing of the kind."), document="en", language="en")
    assert score_messages("Zaun rot", [german, english])[0].document == "de"


def test_messages_take_the_places_of_messages() -> None:
    passage = a_hit("A passage.", document="notes")
    one, two, three = talk(*(said(f"m{n}", "ana", "Hi.") for n in (1, 2, 3)))
    assert in_their_places([one, passage, two], [three, one]) == [three, passage, one, two]
    assert in_their_places([passage], []) == [passage]
