from dataclasses import replace

from app.documents.document import Unit, UnitKind
from app.documents.unit_ids import with_stable_ids
from tests.builders import a_document, a_unit


def ids(*texts: str, previous: dict[str, str], highest: int) -> list[str]:
    before = [a_unit(text, id=name) for name, text in previous.items()]
    numbered = with_stable_ids(a_document(*texts), before, {"p": highest} if highest else {})
    return [unit.id for unit in numbered.document.units]


def test_a_first_version_is_numbered_from_one() -> None:
    numbered = with_stable_ids(a_document("One.", "Two."), [], {})
    assert [unit.id for unit in numbered.document.units] == ["p1", "p2"]
    assert numbered.highest == {"p": 2}


def test_equal_text_keeps_its_id_wherever_it_moved() -> None:
    assert ids("Two.", "New.", "One.", previous={"p1": "One.", "p2": "Two."}, highest=2) == ["p2", "p3", "p1"]


def test_equal_texts_keep_their_ids_in_order() -> None:
    assert ids("Same.", "Same.", "Same.", previous={"p1": "Same.", "p4": "Same."}, highest=4) == ["p1", "p4", "p5"]


def test_numbers_of_dropped_units_are_not_used_again() -> None:
    assert ids("New.", previous={"p1": "One."}, highest=7) == ["p8"]


def test_links_follow_the_ids() -> None:
    document = a_document("Two.", "One.", needs=[("p2", "p1")])
    renamed = with_stable_ids(document, [a_unit("One.", id="p1"), a_unit("Two.", id="p2")], {"p": 2}).document
    assert [(link.source, link.target) for link in renamed.links] == [("p1", "p2")]


def test_an_id_that_is_no_number_stays() -> None:
    units = [a_unit("One.", id="intro"), a_unit("Two.", id="p1")]
    before = [replace(units[1], id="intro")]
    numbered = with_stable_ids(a_document(units=units), before, {"p": 1})
    assert [unit.id for unit in numbered.document.units] == ["intro", "p2"]


def turn(name: str, text: str, opening: str | None = None) -> Unit:
    """A unit of a conversation, whose turn opens with another one or with itself."""
    kind = UnitKind.OUTPUT if name.startswith("a") else UnitKind.MESSAGE
    return Unit(id=name, kind=kind, text=text, meta={"turn": opening or name})


def test_messages_and_outputs_share_a_counter() -> None:
    """Conversations design, c.1: `m1, a2, m3`."""
    units = [turn("m1", "Read."), turn("a2", "[image]"), turn("m3", "Done.")]
    numbered = with_stable_ids(a_document(units=units), [], {})

    assert [unit.id for unit in numbered.document.units] == ["m1", "a2", "m3"]
    assert numbered.highest == {"m": 3}


def test_a_changed_conversation_keeps_the_ids_of_equal_turns() -> None:
    before = [turn("m1", "Read."), turn("a2", "[image]"), turn("m3", "Done.")]
    now = [turn("m1", "Hello."), turn("m2", "Read."), turn("a3", "[audio]"), turn("m4", "Done.")]
    numbered = with_stable_ids(a_document(units=now), before, {"m": 3})

    assert [unit.id for unit in numbered.document.units] == ["m4", "m1", "a5", "m3"]
    assert numbered.highest == {"m": 5}


def test_parts_name_their_turn_by_its_new_id() -> None:
    before = [turn("m1", "Long."), turn("m2", "Rest.", "m1")]
    now = [turn("m1", "Hello."), turn("m2", "Long."), turn("m3", "Rest.", "m2"), turn("m4", "End.", "m2")]
    units = with_stable_ids(a_document(units=now), before, {"m": 2}).document.units

    assert [(unit.id, unit.meta["turn"]) for unit in units] == [
        ("m3", "m3"),
        ("m1", "m1"),
        ("m2", "m1"),
        ("m4", "m1"),
    ]
