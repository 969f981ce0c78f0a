"""What a scope takes of what was kept."""

from app.documents.profile import Profile
from app.retrieval.candidates import Candidate
from app.retrieval.gathering import Kept, Part, Scopes, gather, wants_completeness, with_added
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


def everywhere(scope: Scope | None) -> Scopes:
    """Every profile was told the same."""
    return dict.fromkeys(Profile, scope)


def ids(of: tuple[Kept, ...]) -> list[str]:
    return [one.candidate.hit.unit.id for one in of]


def test_one_passage_takes_three() -> None:
    gathered = gather(kept(0.9, 0.8, 0.7, 0.6), everywhere(Scope.ONE_PASSAGE))
    assert ids(gathered.chosen) == ["p1", "p2", "p3"]
    assert ids(gathered.others) == ["p4"]


def test_an_unknown_scope_is_one_passage() -> None:
    assert ids(gather(kept(0.9, 0.8, 0.7, 0.6), everywhere(None)).chosen) == ["p1", "p2", "p3"]


def test_several_places_take_six() -> None:
    gathered = gather(kept(*[0.9] * 8), everywhere(Scope.SEVERAL_PLACES))
    assert len(gathered.chosen) == 6
    assert ids(gathered.others) == ["p7", "p8"]


def test_narrative_takes_up_to_eight_sure_ones() -> None:
    sure = gather(kept(*[0.9] * 9, 0.4, profile=Profile.NARRATIVE), everywhere(Scope.SEVERAL_PLACES))
    assert len(sure.chosen) == 8
    some = gather(kept(0.9, 0.5, 0.49, 0.45, profile=Profile.NARRATIVE), everywhere(Scope.SEVERAL_PLACES))
    assert ids(some.chosen) == ["p1", "p2"]
    none = gather(kept(0.49, 0.48, 0.47, 0.46, profile=Profile.NARRATIVE), everywhere(Scope.SEVERAL_PLACES))
    assert ids(none.chosen) == ["p1", "p2", "p3"]


def test_every_profile_takes_its_own_share_and_the_order_stays() -> None:
    mixed = sorted(
        kept(0.9, 0.7, 0.5, 0.45) + kept(0.8, 0.6, profile=Profile.NORMATIVE, first=4), key=lambda one: -one.score
    )
    assert ids(gather(mixed, everywhere(Scope.ONE_PASSAGE)).chosen) == ["p1", "p5", "p2", "p6", "p3"]
    own = gather(mixed, {Profile.GUIDANCE: Scope.SEVERAL_PLACES, Profile.NORMATIVE: Scope.WHOLE_SECTION})
    assert ids(own.chosen) == ["p1", "p5", "p2", "p3", "p4"]
    assert ids(own.others) == ["p6"]


def test_of_a_section_and_of_all_steps_it_is_the_best_and_of_a_neighbour_two() -> None:
    for scope, taken in [(Scope.WHOLE_SECTION, 1), (Scope.ALL_STEPS, 1), (Scope.NEXT_OR_PREVIOUS_STEP, 2)]:
        gathered = gather(kept(0.9, 0.8, 0.7), everywhere(scope))
        assert (len(gathered.chosen), len(gathered.others)) == (taken, 3 - taken)


def test_completeness_is_asked_of_several_places_in_guidance_and_normative() -> None:
    guidance = gather(kept(0.9), everywhere(Scope.SEVERAL_PLACES))
    assert wants_completeness(guidance, everywhere(Scope.SEVERAL_PLACES))
    assert not wants_completeness(guidance, everywhere(Scope.ONE_PASSAGE))
    narrative = gather(kept(0.9, profile=Profile.NARRATIVE), everywhere(Scope.SEVERAL_PLACES))
    assert not wants_completeness(narrative, everywhere(Scope.SEVERAL_PLACES))
    assert not wants_completeness(gather([], everywhere(Scope.SEVERAL_PLACES)), everywhere(Scope.SEVERAL_PLACES))


def test_what_is_added_comes_once_at_its_highest_worth() -> None:
    one, two, three = (a_hit(ordinal=ordinal) for ordinal in range(3))
    parts = with_added([Part(one, 0.5)], [Part(two, 0.2), Part(one, 0.9), Part(three, 0.3), Part(two, 0.4)])
    assert parts == [Part(one, 0.5), Part(two, 0.4), Part(three, 0.3)]
