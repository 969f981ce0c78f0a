from app.documents.chunk import Chunk
from app.documents.decision import YesNo
from app.documents.profile import Profile
from app.linking.needs import batches, needed, pairs
from app.linking.questions import NeedsPrevious


def chunk(index: int, content: str) -> Chunk:
    return Chunk(
        index=index,
        text=f"[Guide]\n\n{content}",
        content=content,
        blocks=(index,),
        path=("Guide",),
        heading_level=1,
        section=1,
        tokens=10,
    )


def chunks(count: int) -> list[Chunk]:
    return [chunk(index, f"Passage {index}.") for index in range(count)]


def test_consecutive_passages_are_asked_about_by_their_bodies() -> None:
    asked = pairs([chunk(0, "a" * 10 + "b" * 300), chunk(1, "c" * 300 + "d" * 10)], [Profile.GUIDANCE] * 2)

    assert [(pair.later, pair.question) for pair in asked] == [
        (1, NeedsPrevious(previous="b" * 300, passage="c" * 300))
    ]


def test_a_single_passage_and_none_have_no_pairs() -> None:
    assert pairs(chunks(1), [Profile.GUIDANCE]) == []
    assert pairs([], []) == []


def test_a_passage_of_a_reference_section_is_not_asked_about() -> None:
    asked = pairs(chunks(3), [Profile.GUIDANCE, Profile.REFERENCE, Profile.NORMATIVE])

    assert [pair.later for pair in asked] == [2]


def test_pairs_travel_thirty_to_a_batch() -> None:
    asked = pairs(chunks(62), [Profile.GUIDANCE] * 62)

    assert [len(batch) for batch in batches(asked)] == [30, 30, 1]
    assert batches(asked)[2] == [NeedsPrevious(previous="Passage 60.", passage="Passage 61.")]


def test_a_yes_from_one_half_on_links_the_later_passage_to_the_earlier() -> None:
    asked = pairs(chunks(4), [Profile.GUIDANCE] * 4)

    assert list(needed(asked, [(YesNo(0.5), YesNo(0.49), YesNo(1.0))])) == [(1, 0), (3, 2)]


def test_an_unanswered_batch_leaves_out_only_its_own_links() -> None:
    asked = pairs(chunks(33), [Profile.GUIDANCE] * 33)

    unanswered = [None] * 30
    answered = [YesNo(0.9), YesNo(0.9)]

    assert list(needed(asked, [unanswered, answered])) == [(31, 30), (32, 31)]
