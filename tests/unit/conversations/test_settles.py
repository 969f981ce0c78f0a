"""What an outcome may settle (conversations design, c.2)."""

from collections.abc import Sequence

from app.conversations.parts import TurnPart
from app.conversations.questions import NONE, Said, SettlesWhat
from app.conversations.settles import MOST_PATHS, asked_settles, settled
from app.conversations.similar import Similar
from tests.fakes.scripted_model import chosen
from tests.unit.conversations.turns import message, output, talk


def earlier(turns: Sequence[TurnPart], outcome: int) -> tuple[int, ...]:
    (asked,) = asked_settles(turns, [outcome], Similar(turns))
    return asked.earlier


def test_what_opens_each_heading_path_comes_before_what_is_similar() -> None:
    turns = [
        message(0, "Rooms.", path=("Rooms",)),
        message(1, "Paint the door.", path=("Rooms",)),
        message(2, "Money.", path=("Budget",)),
        message(3, "Paint costs little.", path=("Budget",)),
        message(4, "So we paint the door.", path=("Budget",)),
        message(5, "Paint.", path=("Later",)),
    ]

    # The outcome shares `paint the door` with 1, and `paint` with 3; its own path comes first.
    assert earlier(turns, 4) == (2, 0, 1, 3)


def test_the_five_most_similar_are_on_offer() -> None:
    turns = talk(("Ana", "Opening."), *[("Ben", "lamp " * count + "oak") for count in range(1, 8)], ("Cy", "The lamp."))

    # The more lamps beside one oak, the nearer.
    assert earlier(turns, 8) == (0, 7, 6, 5, 4, 3)


def test_outputs_open_no_path() -> None:
    assert earlier([output(0, "Be brief."), message(1, "Paint it."), message(2, "Agreed.")], 2) == (1,)


def test_an_outcome_without_earlier_parts_is_not_asked_about() -> None:
    turns = talk(("Ana", "Agreed."), ("Ben", "Good."))

    assert asked_settles(turns, [0], Similar(turns)) == []


def test_the_latest_paths_are_on_offer_when_there_are_many_and_always_its_own() -> None:
    turns = [message(at, f"Opening {at:03}.", path=(f"Item {at}",)) for at in range(200)]
    turns.append(message(200, "Carried!", path=("Item 3",)))

    assert earlier(turns, 200) == (3, *range(200 - MOST_PATHS, 200))


def test_the_outcome_shows_400_characters_of_both_ends_and_the_others_their_first_400() -> None:
    turns = talk(("Ana", "p" * 401), ("Ben", "b" * 400 + "x" + "c" * 400))
    (asked,) = asked_settles(turns, [1], Similar(turns))

    assert asked.question == SettlesWhat(Said("Ben", "b" * 400 + " … " + "c" * 400), (Said("Ana", "p" * 400),))


def test_none_and_no_answer_settle_nothing() -> None:
    turns = talk(("Ana", "Lamps or oak?"), ("Ben", "Lamps."), ("Cy", "Lamps it is."), ("Dee", "Carried."))
    asked = asked_settles(turns, [1, 2, 3], Similar(turns))

    assert [each.earlier for each in asked] == [(0,), (0, 1), (0,)]
    assert settled(asked, [chosen(NONE), chosen("1"), None]) == {2: 1}
