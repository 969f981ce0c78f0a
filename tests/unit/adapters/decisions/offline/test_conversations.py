"""How messages hang together, told by the offline engine from their wording."""

import time

import pytest

from app.adapters.decisions.offline.engine import OfflineDecisionModel, evaluate
from app.conversations.parts import TurnPart
from app.conversations.questions import NONE, Corrects, RecordsOutcome, ReplyTo, Said, SettlesWhat
from app.documents.config import Config
from app.documents.decision import Choice, Question, YesNo
from app.operations.decision_session import DecisionSession
from app.operations.link_conversation import link_conversation


def probability(question: Question) -> float:
    (answer,) = evaluate([question])
    assert isinstance(answer, YesNo)
    return answer.probability


def label(question: Question) -> str:
    (answer,) = evaluate([question])
    assert isinstance(answer, Choice)
    return answer.label


@pytest.mark.parametrize(
    "words",
    [
        "Agreed: 45k.",
        "The motion was carried by seven votes to two.",
        "Okay, so we'll go with the yellow casing and the rubber buttons.",
        "Decision: keep Postgres, drop the cache.",
        "Your request has been rejected because the receipts were missing.",
        "We talked for an hour. In the end the board decided not to renew the contract.",
        "Der Antrag wurde abgelehnt.",
        "Nous avons décidé de reporter la réunion.",
        "Se acuerda aprobar el presupuesto de 2024.",
    ],
)
def test_a_record_of_what_was_settled_is_an_outcome(words: str) -> None:
    assert probability(RecordsOutcome(Said("Ana", words))) >= 0.5


@pytest.mark.parametrize(
    "words",
    [
        "We propose 40k.",
        "I think we should go with the yellow casing.",
        "What did we decide last week?",
        "We haven't decided on the venue yet.",
        "If the amendment is accepted we will need new forms.",
        "I agree with Ben on the budget.",
        "My sister got accepted to college!",
        "The minister will keep working on it.",
        "Ich schlage vor, den Antrag anzunehmen.",
        "Je pense que la proposition est bonne.",
        "¿Aprobamos el presupuesto?",
        "Mm-hmm.",
    ],
)
def test_proposals_questions_and_opinions_are_no_outcomes(words: str) -> None:
    assert probability(RecordsOutcome(Said("Ana", words))) < 0.5


@pytest.mark.parametrize(
    ("later", "earlier"),
    [
        ("Too low, 45k.", "We propose 40k."),
        ("Agreed: 45k.", "We propose 40k."),
        ("Correction: the meeting is at 4 pm, not 3 pm.", "The meeting is at 3 pm in room B."),
        ("Actually the deadline was moved to Friday.", "The deadline is Wednesday for all teams."),
        ("We no longer support Python 3.8.", "The library supports Python 3.8 and later."),
        ("That's not right, the bug is in the parser.", "The bug is in the lexer."),
        ("It turns out the outage was caused by DNS, not the database.", "The outage was caused by the database."),
        ("Das stimmt nicht, es waren 30 Leute.", "Es waren 20 Leute da."),
        ("En fait, la réunion est à 16 h, pas à 15 h.", "La réunion est à 15 h."),
        ("Ya no vivo en Madrid.", "Vivo en Madrid desde 2010."),
        ("Correction: the page size in release 3 is 410.", "We decided: the page size in release 3 is 505."),
        ("Correction: it is room 14 that gets the new door.", "Room 12 gets the new door."),
    ],
)
def test_what_takes_back_or_renews_a_statement_about_the_same_corrects_it(later: str, earlier: str) -> None:
    assert probability(Corrects(Said("Ana", later), Said("Ben", earlier))) >= 0.5


@pytest.mark.parametrize(
    ("later", "earlier"),
    [
        ("Great, see you at 3 pm in room B.", "The meeting is at 3 pm in room B."),
        ("When is the deadline?", "The deadline is Wednesday for all teams."),
        ("Yes, the bug is in the lexer, line 40.", "The bug is in the lexer."),
        ("Revenue also grew 4% in Asia.", "Revenue grew 9% last quarter."),
        ("Actually I love pumpkins.", "The meeting is at 3 pm in room B."),
        ("If the deadline was moved to Friday, I could come.", "The deadline is Wednesday for all teams."),
        ("We changed the logo to a fox.", "What did you do about the coffee machine?"),
        ("Mm-hmm. Yeah, that should be fine.", "Mm-hmm."),
        ("We decided: the page size in release 3 is 505.", "What should the page size in release 3 be? Look first."),
        ("We decided: the page size in release 3 is 505.", "I read the settings before I decide on the page size."),
        ("We decided: the page size in release 3 is 505.", "We decided: the page size in release 2 is 410."),
        ("Correction: the page size in release 3 is 410.", "What should the page size in release 3 be? Look first."),
        ("Agreed: room 12 gets the new door.", "Room 14 gets the new door."),
    ],
)
def test_what_agrees_adds_asks_or_is_about_something_else_corrects_nothing(later: str, earlier: str) -> None:
    assert probability(Corrects(Said("Ana", later), Said("Ben", earlier))) < 0.5


@pytest.mark.parametrize(
    ("message", "earlier", "answered"),
    [
        # The one right before, of another speaker.
        (("Ana", "Agreed: 45k."), [("Ben", "Too low, 45k."), ("Ana", "We propose 40k.")], "0"),
        (("Gus", "No, Friday."), [("Eve", "Is it on Thursday?"), ("Fay", "I like parties.")], "0"),
        # Whose speaker it names.
        (
            ("Fay", "I disagree, Dee, glass breaks too easily."),
            [("Gus", "What about lunch?"), ("Dee", "The door should be of glass.")],
            "1",
        ),
        # What shares its subject.
        (
            ("Dee", "About the roof repair: Miller's quote was 12,000."),
            [
                ("Eve", "I can bring cake."),
                ("Fay", "Great, cake!"),
                ("Gus", "How much was the quote for the roof repair?"),
            ],
            "2",
        ),
        # What it quotes.
        (
            ("Fay", "> the old boiler leaks again\nI called the plumber."),
            [("Gus", "Lunch is ready."), ("Eve", "Guys, the old boiler leaks again.")],
            "1",
        ),
        # A new point.
        (
            ("Ana", "Next item: the summer party. Who books the band?"),
            [("Ben", "Fine by me."), ("Ana", "So we keep the old logo.")],
            NONE,
        ),
        (("Ana", "By the way, the printer is broken."), [("Ben", "The vote is on Monday.")], NONE),
    ],
)
def test_what_a_message_answers(message: tuple[str, str], earlier: list[tuple[str, str]], answered: str) -> None:
    assert label(ReplyTo(Said(*message), tuple(Said(*each) for each in earlier))) == answered


def test_names_of_roles_address_nobody() -> None:
    earlier = (Said("Gus", "The menu opens slowly."), Said("User Interface", "Blue buttons."))
    question = ReplyTo(Said("Ana", "The user waits for the menu."), earlier)

    assert label(question) == "0"


@pytest.mark.parametrize(
    ("outcome", "settled"),
    [
        ("Agreed: the door will be painted red.", "1"),
        ("The motion on the summer party was carried.", "2"),
        ("Sold.", NONE),
    ],
)
def test_an_outcome_settles_the_proposal_that_it_speaks_of(outcome: str, settled: str) -> None:
    earlier = (
        Said("Ana", "Good to see you all."),
        Said("Ben", "I propose to paint the door red."),
        Said("Cy", "Shall we have a summer party?"),
    )

    assert label(SettlesWhat(Said("Ana", outcome), earlier)) == settled


@pytest.mark.slow
@pytest.mark.anyio
async def test_two_thousand_messages_take_seconds() -> None:
    said = [
        "I went to the market and bought two pumpkins for the soup, they were cheap.",
        "How much was the quote for the roof repair, and who asked Miller?",
        "Actually the deadline was moved to Friday, so we have two more days for the report.",
        "Yes, the bug is in the lexer; I will write a test for line 40 tomorrow morning.",
    ]
    turns = [
        TurnPart(
            output=False,
            body=f"{said[at % 4]} {said[at % 3]} Number {at}.",
            text="",
            path=(),
            speaker=["Ana", "Ben", "Cy"][at % 3],
            turn=at,
            blocks=(at,),
        )
        for at in range(2000)
    ]

    async def ignore(_done: int, _of: int) -> None:
        pass

    session = DecisionSession(OfflineDecisionModel(), None, max_questions=100_000)
    started = time.process_time()
    found = await link_conversation(turns, session, ignore, config=Config(conversation_max_requests=10_000))

    assert found.unasked == {}
    assert time.process_time() - started < 20
