"""What a scope takes of what was kept."""

from app.documents.profile import Profile
from app.retrieval.candidates import Candidate
from app.retrieval.gathering import Kept, gather, wants_completeness, with_links
from app.retrieval.questions import Scope
from tests.builders import a_hit


def kept(*scores: float, profile: Profile = Profile.GUIDANCE, first: int = 0) -> list[Kept]:
    return [
        Kept(
            Candidate(hit=a_hit(ordinal=ordinal), score=0.0, lexical_rank=1, nearest_rank=None, gathered_by=profile),
            score,
        )
        for ordinal, score in enumerate(scores, start=first)
    ]


def ids(of: tuple[Kept, ...]) -> list[str]:
    return [one.candidate.hit.unit.id for one in of]


def test_one_passage_takes_three() -> None:
    gathered = gather(kept(0.9, 0.8, 0.7, 0.6), Scope.ONE_PASSAGE)
    assert ids(gathered.chosen) == ["p1", "p2", "p3"]
    assert ids(gathered.others) == ["p4"]


def test_an_unknown_scope_is_one_passage() -> None:
    assert ids(gather(kept(0.9, 0.8, 0.7, 0.6), None).chosen) == ["p1", "p2", "p3"]


def test_several_places_take_six() -> None:
    gathered = gather(kept(*[0.9] * 8), Scope.SEVERAL_PLACES)
    assert len(gathered.chosen) == 6
    assert ids(gathered.others) == ["p7", "p8"]


def test_narrative_takes_up_to_eight_sure_ones() -> None:
    sure = gather(kept(*[0.9] * 9, 0.4, profile=Profile.NARRATIVE), Scope.SEVERAL_PLACES)
    assert len(sure.chosen) == 8
    some = gather(kept(0.9, 0.5, 0.49, 0.45, profile=Profile.NARRATIVE), Scope.SEVERAL_PLACES)
    assert ids(some.chosen) == ["p1", "p2"]
    none = gather(kept(0.49, 0.48, 0.47, 0.46, profile=Profile.NARRATIVE), Scope.SEVERAL_PLACES)
    assert ids(none.chosen) == ["p1", "p2", "p3"]


def test_every_profile_takes_its_own_share_and_the_order_stays() -> None:
    mixed = sorted(
        kept(0.9, 0.7, 0.5, 0.45) + kept(0.8, 0.6, profile=Profile.NORMATIVE, first=4), key=lambda one: -one.score
    )
    assert ids(gather(mixed, Scope.ONE_PASSAGE).chosen) == ["p1", "p5", "p2", "p6", "p3"]


def test_completeness_is_asked_of_several_places_in_guidance_and_normative() -> None:
    guidance = gather(kept(0.9), Scope.SEVERAL_PLACES)
    assert wants_completeness(guidance, Scope.SEVERAL_PLACES)
    assert not wants_completeness(guidance, Scope.ONE_PASSAGE)
    narrative = gather(kept(0.9, profile=Profile.NARRATIVE), Scope.SEVERAL_PLACES)
    assert not wants_completeness(narrative, Scope.SEVERAL_PLACES)
    assert not wants_completeness(gather([], Scope.SEVERAL_PLACES), Scope.SEVERAL_PLACES)


def test_linked_units_come_after_the_chosen_once_each() -> None:
    first, second = kept(0.8, 0.6)
    target = a_hit(ordinal=7)
    links = [
        (second.candidate.hit, target),
        (first.candidate.hit, target),
        (second.candidate.hit, first.candidate.hit),
    ]
    parts = with_links([first, second], links)
    # Worth half of the better unit that needs it.
    assert [(part.hit.unit.id, part.worth) for part in parts] == [("p1", 0.8), ("p2", 0.6), ("p8", 0.4)]
