"""Which candidates are judged, and in what order."""

from collections.abc import Sequence

from app.documents.profile import Profile
from app.retrieval.candidates import Candidate, pools, profile_of, spread_over_documents
from tests.builders import a_hit, a_unit


def a_candidate(
    name: str, profile: Profile | None = Profile.GUIDANCE, *, document: str = "d", nearest: int | None = None
) -> Candidate:
    hit = a_hit(a_unit(id=name, profile=profile), document=document)
    return Candidate(hit=hit, score=0.0, lexical_rank=None, nearest_rank=nearest)


def names(candidates: Sequence[Candidate]) -> list[str]:
    return [candidate.hit.unit.id for candidate in candidates]


def test_each_documents_first_three_come_first() -> None:
    found = [a_candidate(f"a{n}", document="a") for n in range(1, 6)]
    found += [a_candidate("b1", document="b"), a_candidate("b2", document="b")]
    assert names(spread_over_documents(found)) == ["a1", "a2", "a3", "b1", "b2", "a4", "a5"]


def test_a_pool_of_guidance_holds_nine() -> None:
    found = [a_candidate(str(n)) for n in range(20)]
    assert [len(pool) for pool in pools(found, nearest_reserved=0)] == [9, 9, 2]


def test_narrative_judges_eighteen_at_a_time() -> None:
    found = [a_candidate(str(n), Profile.NARRATIVE) for n in range(20)]
    assert [len(pool) for pool in pools(found, nearest_reserved=0)] == [18, 2]


def test_every_profile_of_the_first_five_gathers_its_own() -> None:
    guidance = [a_candidate(f"g{n}") for n in range(12)]
    normative = [a_candidate(f"n{n}", Profile.NORMATIVE) for n in range(2)]
    found = [*guidance[:4], normative[0], *guidance[4:], normative[1]]
    first, second = pools(found, nearest_reserved=0)
    assert names(first) == ["g0", "g1", "g2", "g3", "n0", "g4", "g5", "g6", "g7", "g8", "n1"]
    assert {one.hit.unit.id: one.gathered_by for one in first}["n1"] is Profile.NORMATIVE
    assert names(second) == ["g9", "g10", "g11"]


def test_a_profile_outside_the_first_five_goes_to_the_leading_one() -> None:
    found = [a_candidate(str(n)) for n in range(5)] + [a_candidate("late", Profile.NARRATIVE)]
    [pool] = pools(found, nearest_reserved=0)
    assert names(pool)[-1] == "late"
    assert pool[-1].gathered_by is Profile.GUIDANCE


def test_reserved_places_go_to_the_nearest() -> None:
    found = [a_candidate(str(n)) for n in range(10)]
    found += [a_candidate("far", nearest=7), a_candidate("near", nearest=1), a_candidate("nearer", nearest=2)]
    first, second = pools(found, nearest_reserved=2)
    assert names(first) == ["0", "1", "2", "3", "4", "5", "6", "near", "nearer"]
    assert names(second) == ["7", "8", "9", "far"]


def test_a_reserved_place_already_taken_moves_nobody() -> None:
    found = [a_candidate("near", nearest=1), *(a_candidate(str(n)) for n in range(10))]
    first, _ = pools(found, nearest_reserved=1)
    assert names(first) == ["near", "0", "1", "2", "3", "4", "5", "6", "7"]


def test_a_unit_without_a_known_profile_is_guidance() -> None:
    assert profile_of(a_hit(a_unit(profile=None))) is Profile.GUIDANCE
    assert profile_of(a_hit(a_unit(profile=Profile.REFERENCE))) is Profile.REFERENCE


def test_no_candidates_make_no_pools() -> None:
    assert pools([], nearest_reserved=3) == []
