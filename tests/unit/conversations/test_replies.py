"""Which message a message may answer (conversations design, c.2, replies 4)."""

from app.conversations.questions import NONE, ReplyTo, Said
from app.conversations.replies import asked_replies, replied
from app.documents.decision import SharedState
from tests.fakes.scripted_model import chosen
from tests.unit.conversations.turns import message, output, talk, tool_call


def test_a_message_may_answer_the_six_before_it_the_nearest_first() -> None:
    asked = asked_replies(talk(*[("Ana" if at % 2 else "Ben", f"Words {at}.") for at in range(9)]))

    assert [(each.turn, each.earlier) for each in asked] == [
        (1, (0,)),
        (2, (1, 0)),
        (3, (2, 1, 0)),
        (4, (3, 2, 1, 0)),
        (5, (4, 3, 2, 1, 0)),
        (6, (5, 4, 3, 2, 1, 0)),
        (7, (6, 5, 4, 3, 2, 1)),
        (8, (7, 6, 5, 4, 3, 2)),
    ]
    assert asked[1].question == ReplyTo(Said("Ben", "Words 2."), (Said("Ana", "Words 1."), Said("Ben", "Words 0.")))


def test_messages_are_shown_by_their_first_400_characters() -> None:
    (asked,) = asked_replies(talk(("Ana", "a" * 401), ("Ben", "b" * 401)))

    assert asked.question == ReplyTo(Said("Ben", "b" * 400), (Said("Ana", "a" * 400),))


def test_only_messages_of_somebody_that_name_no_other_are_asked_about() -> None:
    turns = [
        message(0, "a", name="x"),
        message(1, "names one", "Ben", reply_to="x"),
        message(2, "names a lost one", "Ben", reply_to="gone"),
        message(3, "nobody's", None),
        message(4, "asked", "Cy"),
        message(5, "its second part", "Cy", turn=4),
    ]

    assert [(each.turn, each.earlier) for each in asked_replies(turns)] == [(4, (3, 2, 1, 0))]


def test_calls_and_outputs_are_neither_asked_about_nor_on_offer() -> None:
    turns = [message(0, "a"), tool_call(1, "1#k"), output(2), message(3, "b", "Ben")]

    assert [(each.turn, each.earlier) for each in asked_replies(turns)] == [(3, (0,))]


def test_stored_messages_are_on_offer_and_not_asked_about() -> None:
    turns = [message(0, "a", stored=True), message(1, "b", "Ben", stored=True), message(2, "c", "Cy")]

    assert [(each.turn, each.earlier) for each in asked_replies(turns)] == [(2, (1, 0))]


def test_logs_of_one_person_with_models_are_not_asked_about() -> None:
    assert asked_replies(talk(("user", "Hi."), ("assistant", "Hello."), ("user", "Go on."))) == []


def test_none_and_no_answer_link_nothing() -> None:
    asked = asked_replies(talk(("Ana", "a"), ("Ben", "b"), ("Cy", "c"), ("Dee", "d")))

    assert replied(asked, [chosen(NONE), None, chosen("2")]) == {3: 0}


def test_equal_messages_share_the_label_of_the_nearest() -> None:
    question = ReplyTo(Said("Ana", "Why?"), (Said("Ben", "No."), Said("Cy", "No."), Said("Ben", "No.")))
    wire = question.render(SharedState())

    assert list(wire.labels.values()) == ["0", "1", NONE]
