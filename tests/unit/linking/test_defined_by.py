import time

from app.documents.decision import YesNo
from app.documents.profile import Profile
from app.linking.defined_by import (
    Candidate,
    candidate_batches,
    candidates,
    defined,
    defining,
    pair_batches,
    pairs,
)
from app.linking.questions import DefinesTerms, UsesDefinedTerm
from tests.unit.linking.chunks import passage

MEANS = '"Retainer" means the yearly amount.'
PAID = "The Retainer is paid in March."
OTHER = "Nobody may sell it."


def normative(count: int) -> list[Profile]:
    return [Profile.NORMATIVE] * count


def test_normative_passages_are_shown_with_their_headings_up_to_500_characters() -> None:
    chunks = [passage("a" * 600, "Terms"), passage("Story.", "Past"), passage(MEANS)]

    asked = candidates(chunks, [Profile.NORMATIVE, Profile.NARRATIVE, Profile.NORMATIVE])

    assert asked == [
        Candidate(0, DefinesTerms("[Terms]\n\n" + "a" * 491)),
        Candidate(2, DefinesTerms(MEANS)),
    ]


def test_nobody_is_asked_when_nothing_can_be_linked() -> None:
    assert candidates([passage(MEANS)], normative(1)) == []
    assert candidates([passage(MEANS), passage(PAID)], [Profile.NORMATIVE, Profile.GUIDANCE]) == []
    assert candidates([], []) == []


def test_a_yes_from_one_half_on_defines_and_no_answer_does_not() -> None:
    asked = candidates([passage(f"Passage {number}.") for number in range(32)], normative(32))
    first = [YesNo(0.5), YesNo(0.49), None, *[YesNo(0.0)] * 27]

    assert [len(batch) for batch in candidate_batches(asked)] == [30, 2]
    assert defining(asked, [first, [None, YesNo(1.0)]]) == [0, 31]


def test_passages_that_share_a_distinctive_term_with_a_definition_are_asked_about() -> None:
    chunks = [passage(PAID), passage(MEANS), passage(OTHER), passage("No Retainers, no pay.")]

    asked = pairs(chunks, normative(4), [1], limit=100)

    # `Retainers` is another term: nothing is stemmed. `yearly` and `amount` stand nowhere else.
    assert [(pair.use, pair.definition) for pair in asked] == [(0, 1)]
    assert asked[0].question == UsesDefinedTerm(passage=PAID, definition=MEANS)


def test_a_term_of_three_characters_and_one_of_many_passages_are_not_distinctive() -> None:
    short = [passage('"Fee" means all.'), passage("The Fee falls.")]
    # Of eleven passages a fifth are two; three hold the term.
    often = [passage(MEANS), passage(PAID), passage(PAID + " Yes."), *[passage(OTHER)] * 8]
    # Of fifteen a fifth are three.
    rarer = [*often, *[passage(OTHER)] * 4]

    assert pairs(short, normative(2), [0], limit=100) == []
    assert pairs(often, normative(11), [0], limit=100) == []
    assert [pair.use for pair in pairs(rarer, normative(15), [0], limit=100)] == [1, 2]


def test_only_normative_passages_use_what_is_defined() -> None:
    profiles = [Profile.NORMATIVE, Profile.NARRATIVE]

    assert pairs([passage(MEANS), passage(PAID)], profiles, [0], limit=100) == []


def test_long_passages_are_shown_where_the_term_that_is_defined_stands() -> None:
    filler = "It is so. " * 100
    # They share `yearly` too, which comes first in the definition and is not what it defines.
    definition = passage(f"It is yearly. {filler}{MEANS}{filler}")
    use = passage(f"It is yearly. {filler}{PAID}{filler}")

    (pair,) = pairs([definition, use], normative(2), [0], limit=100)

    assert PAID in pair.question.passage
    assert MEANS in pair.question.definition
    assert (len(pair.question.passage), len(pair.question.definition)) == (500, 700)


def test_a_word_inside_another_is_not_where_the_term_stands() -> None:
    use = passage("Retainerless. " + "It is so. " * 100 + PAID)

    (pair,) = pairs([passage(MEANS), use], normative(2), [0], limit=100)

    assert pair.question.passage.endswith(PAID)


def test_pairs_travel_twenty_five_to_a_batch_and_answers_make_links_in_order() -> None:
    chunks = [*[passage(f"The Retainer of {number} is paid.") for number in range(1, 27)], passage(MEANS)]
    asked = pairs([*chunks, *[passage(OTHER)] * 110], normative(137), [26], limit=100)

    assert [len(batch) for batch in pair_batches(asked)] == [25, 1]
    assert defined(asked, [[None] * 25, [YesNo(0.5)]]) == [(25, 26)]
    assert defined(asked, [[YesNo(0.5), YesNo(0.49), *[None] * 23], [YesNo(1.0)]]) == [(0, 26), (25, 26)]


def test_two_definitions_may_use_each_other() -> None:
    chunks = [
        passage('"Retainer" means what a Subscriber pays.'),
        passage('"Subscriber" means a reader.'),
        passage(PAID),
    ]

    asked = pairs(chunks, normative(3), [0, 1], limit=100)

    assert [(pair.use, pair.definition) for pair in asked] == [(1, 0), (2, 0), (0, 1)]


def test_pairs_end_soon_after_the_limit() -> None:
    # Each of the 100 passages shares a term of its own with each other one in its block of ten.
    chunks = [passage(f"shared{number // 10} own{number}") for number in range(100)]
    definitions = list(range(100))

    asked = pairs(chunks, normative(100), definitions, limit=50)

    # Nine a definition: more than 50 with the sixth.
    assert len(asked) == 54
    assert len(pairs(chunks, normative(100), definitions, limit=10_000)) == 900


def test_time_grows_with_the_passages_when_every_one_defines_and_shares() -> None:
    def seconds(count: int) -> float:
        words = " ".join(f"word{number}" for number in range(100))
        # A fifth of the passages share a hundred words.
        chunks = [passage(words if number % 5 == 0 else f"own{number}") for number in range(count)]
        started = time.process_time()
        pairs(chunks, normative(count), list(range(count)), limit=2_000)
        return time.process_time() - started

    small = min(seconds(500) for _ in range(3))

    assert min(seconds(4_000) for _ in range(2)) < 8 * small * 2.5
