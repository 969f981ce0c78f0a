from collections.abc import Sequence

import pytest

from app.adapters.decisions.offline.engine import OfflineDecisionModel
from app.documents.chunk import Chunk
from app.documents.decision import Answer, Question
from app.documents.document import LinkType
from app.documents.profile import Profile
from app.errors import DecisionModelUnavailable
from app.linking.questions import DefinesTerms, NeedsPrevious, UsesDefinedTerm
from app.operations.decision_session import DecisionSession
from app.operations.link_passages import PassageLink, link_passages
from app.ports.decision_model import DecisionModel
from tests.fakes.scripted_model import ScriptedModel, unavailable, yes
from tests.unit.linking.chunks import passage

pytestmark = pytest.mark.anyio

CONTRACT = [
    passage('"Retainer" means the yearly amount.', "1 Definitions"),
    passage("The Retainer is paid in March.", "2 Payment"),
    passage("Section 2 does not apply to schools.", "3 Schools"),
]


def contract_script(question: Question) -> Answer | None:
    match question:
        case NeedsPrevious(passage=text):
            return yes(0.8 if text.startswith("Section 2") else 0.2)
        case DefinesTerms(passage=text):
            return yes(0.9 if "means" in text else 0.1)
        case UsesDefinedTerm():
            return yes(0.5)
    return None


async def link(
    chunks: Sequence[Chunk],
    model: DecisionModel | None,
    *,
    profile: Profile = Profile.NORMATIVE,
    max_questions: int = 1000,
) -> tuple[list[PassageLink], tuple[str, ...]]:
    """Return the links, and which stages are degraded."""
    session = DecisionSession(model, None, max_questions=max_questions)

    async def ignore(_done: int, _of: int) -> None:
        pass

    links = await link_passages(chunks, [profile] * len(chunks), session, ignore, max_questions=max_questions)
    return links, session.degraded


NEEDS = PassageLink(LinkType.NEEDS, 2, 1)
REFERS_TO = PassageLink(LinkType.REFERS_TO, 2, 1)
DEFINED_BY = PassageLink(LinkType.DEFINED_BY, 1, 0)


async def test_a_contract_has_links_of_every_type() -> None:
    model = ScriptedModel(contract_script)

    assert await link(CONTRACT, model) == ([NEEDS, REFERS_TO, DEFINED_BY], ())
    assert [type(question) for question in model.asked] == [NeedsPrevious] * 2 + [DefinesTerms] * 3 + [UsesDefinedTerm]


@pytest.mark.parametrize(
    ("profile", "types"),
    [
        (Profile.GUIDANCE, [LinkType.NEEDS]),
        (Profile.NARRATIVE, [LinkType.NEEDS]),
        (Profile.PROCEDURAL, [LinkType.NEEDS, LinkType.REFERS_TO]),
        (Profile.NORMATIVE, [LinkType.NEEDS, LinkType.REFERS_TO, LinkType.DEFINED_BY]),
        (Profile.REFERENCE, []),
    ],
)
async def test_each_profile_has_its_own_links(profile: Profile, types: list[LinkType]) -> None:
    links, degraded = await link(CONTRACT, ScriptedModel(contract_script), profile=profile)

    assert [each.type for each in links] == types
    assert degraded == ()


@pytest.mark.parametrize("model", [None, ScriptedModel(unavailable)])
async def test_what_is_parsed_needs_no_answers(model: DecisionModel | None) -> None:
    assert await link(CONTRACT, model) == ([REFERS_TO], ("needs", "defined_by"))


async def test_a_document_that_defines_nothing_is_not_asked_about_pairs() -> None:
    def defines_nothing(question: Question) -> Answer | None:
        return yes(0.4) if isinstance(question, DefinesTerms) else contract_script(question)

    model = ScriptedModel(defines_nothing)

    assert await link(CONTRACT, model) == ([NEEDS, REFERS_TO], ())
    assert model.asked_of(UsesDefinedTerm) == []


@pytest.mark.parametrize(
    ("max_questions", "links", "degraded"),
    [
        # Two pairs of neighbours, three passages that may define, one pair.
        (6, [NEEDS, REFERS_TO, DEFINED_BY], ()),
        (5, [NEEDS, REFERS_TO], ("defined_by",)),
        (4, [NEEDS, REFERS_TO], ("defined_by",)),
        (1, [REFERS_TO], ("needs", "defined_by")),
    ],
)
async def test_a_stage_that_would_pass_the_limit_is_left_out_whole_and_named(
    max_questions: int, links: list[PassageLink], degraded: tuple[str, ...]
) -> None:
    model = ScriptedModel(contract_script)

    assert await link(CONTRACT, model, max_questions=max_questions) == (links, degraded)
    assert len(model.asked) <= max_questions


async def test_pairs_beyond_the_limit_are_not_prepared_and_none_is_asked() -> None:
    # Of 100 passages every one defines; each group of ten shares a term: 900 pairs.
    chunks = [passage(f"Group{number // 10} means {number}.") for number in range(100)]
    model = ScriptedModel(contract_script)

    links, degraded = await link(chunks, model, max_questions=300)

    assert [each.type for each in links if each.type is LinkType.DEFINED_BY] == []
    assert degraded == ("defined_by",)
    assert model.asked_of(UsesDefinedTerm) == []


def terms(count: int) -> list[Chunk]:
    """Return definitions of so many terms, and then a passage that uses each."""
    numbers = range(count)
    return [passage(f"Term{n} means {n}.") for n in numbers] + [passage(f"Pay Term{n}.") for n in numbers]


@pytest.mark.parametrize(
    ("fails", "linked"),
    [
        (None, range(31)),
        # 30 passages are in the first request for definitions, 25 in the first one for pairs.
        (DefinesTerms("Term0 means 0."), range(30, 31)),
        (UsesDefinedTerm("Pay Term0.", "Term0 means 0."), range(25, 31)),
        (UsesDefinedTerm("Pay Term30.", "Term30 means 30."), range(25)),
    ],
)
async def test_an_unanswered_request_leaves_out_only_its_own_links(fails: Question | None, linked: range) -> None:
    def script(question: Question) -> Answer | None:
        if question == fails:
            raise DecisionModelUnavailable("Away.")
        return contract_script(question)

    links, degraded = await link(terms(31), ScriptedModel(script))

    assert [each for each in links if each.type is LinkType.DEFINED_BY] == [
        PassageLink(LinkType.DEFINED_BY, 31 + number, number) for number in linked
    ]
    assert degraded == (() if fails is None else ("defined_by",))


async def test_the_offline_engine_links_a_contract() -> None:
    contract = [
        passage('In these terms "Late Fee" means two percent of the sum due.', "Terms", "1 Definitions"),
        passage("Sums are due in March. A Late Fee is charged from April.", "Terms", "2 Payment"),
        passage("Pumps are delivered to the door. Nobody is charged a late fee for them.", "Terms", "3 Delivery"),
        passage("Clause 2 does not apply to schools.", "Terms", "4 Schools"),
        *[passage(f"Rooms with {number} windows may be let.", "Terms", f"{number} Rooms") for number in range(5, 18)],
    ]

    links, degraded = await link(contract, OfflineDecisionModel())

    # 17 passages: a term of three of them is distinctive.
    assert [each for each in links if each.type is not LinkType.NEEDS] == [
        PassageLink(LinkType.REFERS_TO, 3, 1),
        PassageLink(LinkType.DEFINED_BY, 1, 0),
    ]
    assert degraded == ()
