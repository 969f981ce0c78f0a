"""Links and outcomes of whole conversations, with scripted answers (conversations design, c.2, d and f)."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.adapters.decisions.offline.engine import OfflineDecisionModel
from app.conversations.parts import TurnPart
from app.conversations.questions import NONE, Corrects, RecordsOutcome, ReplyTo, SettlesWhat
from app.documents.config import Config
from app.documents.decision import Answer, Choice, DecisionBatch, Question, YesNo
from app.documents.document import LinkType
from app.errors import DecisionModelUnavailable
from app.operations.decision_session import DecisionSession
from app.operations.link_conversation import ConversationLinks, link_conversation
from app.ports.decision_model import DecisionModel
from tests.fakes.scripted_model import Script, ScriptedModel, chosen, unavailable, yes
from tests.unit.conversations.turns import message, output, talk, tool_call

pytestmark = pytest.mark.anyio

REPLY_TO, OUTPUT_OF, DECIDES, CORRECTS = (
    LinkType.REPLY_TO,
    LinkType.OUTPUT_OF,
    LinkType.DECIDES,
    LinkType.CORRECTS,
)
BUDGET = [
    message(0, "We propose 40k.", path=("Budget",)),
    message(1, "Too low, 45k.", "Ben", path=("Budget",)),
    message(2, "Agreed: 45k.", path=("Budget",)),
]


def budget_script(question: Question) -> Answer | None:
    match question:
        case ReplyTo():
            return chosen("0")
        case RecordsOutcome(message=said):
            return yes(0.9 if said.words.startswith("Agreed") else 0.2)
        case SettlesWhat(earlier=earlier):
            return chosen(str([said.words for said in earlier].index("We propose 40k.")))
        case Corrects(later=later, earlier=earlier):
            return yes(0.8 if (later.words[:6], earlier.words[:2]) == ("Agreed", "We") else 0.1)
    return None


class CountingModel(ScriptedModel):
    """Counts requests, and the questions of each."""

    def __init__(self, script: Script) -> None:
        super().__init__(script)
        self.sizes: list[int] = []

    async def answer(self, questions: Sequence[Question]) -> DecisionBatch:
        self.sizes.append(len(questions))
        return await super().answer(questions)


async def link(
    parts: Sequence[TurnPart],
    model: DecisionModel | None,
    *,
    config: Config | None = None,
    max_questions: int = 20_000,
) -> tuple[ConversationLinks, tuple[str, ...]]:
    """Return what was found, and which stages are degraded."""
    session = DecisionSession(model, None, max_questions=max_questions)

    async def ignore(_done: int, _of: int) -> None:
        pass

    found = await link_conversation(parts, session, ignore, config=config or Config())
    return found, session.degraded


async def test_the_designs_example_has_its_links() -> None:
    model = ScriptedModel(budget_script)

    found, degraded = await link(BUDGET, model)

    assert found == ConversationLinks(
        links=((REPLY_TO, 1, 0), (REPLY_TO, 2, 1), (DECIDES, 2, 0), (CORRECTS, 2, 0)),
        outcomes=frozenset({2}),
        unasked={},
    )
    assert degraded == ()
    kinds = [type(question) for question in model.asked]
    assert kinds == [ReplyTo] * 2 + [RecordsOutcome] * 3 + [SettlesWhat] + [Corrects] * 3


async def test_the_offline_engine_finds_the_links_of_the_example() -> None:
    found, degraded = await link(BUDGET, OfflineDecisionModel())

    assert {(REPLY_TO, 1, 0), (REPLY_TO, 2, 1), (CORRECTS, 1, 0)} <= set(found.links)
    assert found.outcomes == {2}
    assert degraded == ()


@pytest.mark.parametrize("model", [None, ScriptedModel(unavailable)])
async def test_source_and_rule_links_need_no_answers(model: DecisionModel | None) -> None:
    turns = [
        message(0, "Find it.", "user", name="1"),
        message(1, "Looking.", "assistant", name="2", reply_to="1"),
        tool_call(2, "2#k", id_="k", reply_to="2"),
        output(3, name="3#k", reply_to="2#k", call="k"),
        message(4, "Thanks.", "user", name="4"),
    ]

    found, degraded = await link(turns, model)

    assert found.links == ((REPLY_TO, 1, 0), (REPLY_TO, 2, 1), (REPLY_TO, 4, 2), (OUTPUT_OF, 3, 2))
    # Three parts may record an outcome. What the user thanks for is a call, and no two share a word: no pair.
    assert found.unasked == {"outcomes": 3}
    assert degraded == ("outcomes",)


async def test_a_session_is_asked_nothing_about_replies_calls_and_outputs() -> None:
    model = ScriptedModel(lambda question: yes(0.0))
    turns = [
        message(0, "Find the lamp.", "user"),
        tool_call(1, "1#k"),
        output(2, "the lamp", reply_to="1#k"),
        output(3, "The lamp!", kind="reasoning"),
        message(4, "Found the lamp.", "assistant"),
    ]

    await link(turns, model)

    assert [type(question) for question in model.asked] == [RecordsOutcome, RecordsOutcome, Corrects]


@pytest.mark.parametrize(
    ("config", "kinds"),
    [
        (Config(conversation_replies=False), {RecordsOutcome, SettlesWhat, Corrects}),
        (Config(conversation_outcomes=False), {ReplyTo, Corrects}),
        (Config(conversation_corrections=False), {ReplyTo, RecordsOutcome, SettlesWhat}),
        (
            Config(conversation_replies=False, conversation_outcomes=False, conversation_corrections=False),
            set[type[Question]](),
        ),
    ],
)
async def test_each_switch_leaves_out_its_questions(config: Config, kinds: set[type[Question]]) -> None:
    model = ScriptedModel(budget_script)

    found, degraded = await link(BUDGET, model, config=config)

    assert {type(question) for question in model.asked} == kinds
    assert found.unasked == {}
    assert degraded == ()


# Requests


def long_talk(count: int) -> list[TurnPart]:
    """Messages of two people who never share a word."""
    return talk(*[("Ana" if at % 2 else "Ben", f"Words{at}.") for at in range(count)])


def long_script(question: Question) -> Answer | None:
    match question:
        case ReplyTo():
            return chosen("0")
        case RecordsOutcome(message=said):
            return yes(1.0 if said.words in {"Words20.", "Words21."} else 0.0)
        case SettlesWhat():
            return chosen("0")
        case Corrects():
            return yes(0.0)
    return None


async def test_requests_have_their_sizes() -> None:
    model = CountingModel(long_script)

    await link(long_talk(41), model)

    # 40 replies; 41 outcomes; two of them settle something; 40 pairs of a reply, and two of what is settled.
    assert model.sizes == [6, 6, 6, 6, 6, 6, 4, 20, 20, 1, 1, 1, 15, 15, 12]


@pytest.mark.parametrize(
    ("budget", "sizes", "unasked"),
    [
        (15, [6, 6, 6, 6, 6, 6, 4, 20, 20, 1, 1, 1, 15, 15, 12], {}),
        (14, [6, 6, 6, 6, 6, 6, 4, 20, 20, 1, 1, 1, 15, 15], {"corrections": 12}),
        # At most three similar pairs for each part: 0 + 1 + 2 + 38 times 3.
        (12, [6, 6, 6, 6, 6, 6, 4, 20, 20, 1, 1, 1], {"corrections": 117}),
        (11, [6, 6, 6, 6, 6, 6, 4, 20, 20, 1, 1], {"settles": 1, "corrections": 117}),
        (8, [6, 6, 6, 6, 6, 6, 4, 20], {"outcomes": 21, "corrections": 117}),
        (6, [6, 6, 6, 6, 6, 6], {"replies": 4, "outcomes": 41, "corrections": 117}),
        (0, [], {"replies": 40, "outcomes": 41, "corrections": 117}),
    ],
)
async def test_what_the_budget_leaves_out_is_counted(budget: int, sizes: list[int], unasked: dict[str, int]) -> None:
    model = CountingModel(long_script)

    found, degraded = await link(long_talk(41), model, config=Config(conversation_max_requests=budget))

    assert sorted(model.sizes) == sorted(sizes)
    assert found.unasked == unasked
    assert degraded == ()


async def test_the_most_similar_pairs_are_asked_about_when_requests_are_few() -> None:
    lamps = talk(*[("Ana" if at % 2 else "Ben", f"lamp oak{at}") for at in range(10)], ("Cy", "lamp"))
    model = ScriptedModel(lambda question: yes(0.0))
    config = Config(conversation_replies=False, conversation_outcomes=False, conversation_max_requests=1)

    found, _ = await link(lamps, model, config=config)

    # 1 + 2 + 7 times 3 pairs of cosine 1/2, and 3 of a larger one, which come last.
    assert len(model.asked) == 15
    assert [question.later.words for question in model.asked if isinstance(question, Corrects)][-3:] == ["lamp"] * 3
    assert found.unasked == {"corrections": 12}


@pytest.mark.parametrize(
    ("fails", "stage"),
    [(ReplyTo, "replies"), (RecordsOutcome, "outcomes"), (SettlesWhat, "settles"), (Corrects, "corrections")],
)
async def test_a_stage_without_answers_leaves_out_its_own_links_and_is_named(fails: type[Question], stage: str) -> None:
    def script(question: Question) -> Answer | None:
        if isinstance(question, fails):
            raise DecisionModelUnavailable("Away.")
        return budget_script(question)

    found, degraded = await link(BUDGET, ScriptedModel(script))

    left = {
        "replies": {DECIDES, CORRECTS},
        "outcomes": {REPLY_TO},
        "settles": {REPLY_TO},
        "corrections": {REPLY_TO, DECIDES},
    }
    assert {type_ for type_, _, _ in found.links} == left[stage]
    assert degraded == (stage,)
    assert stage in found.unasked


async def test_one_unanswered_request_leaves_out_only_its_own_links() -> None:
    def script(question: Question) -> Answer | None:
        if isinstance(question, ReplyTo) and question.message.words == "Words1.":
            raise DecisionModelUnavailable("Away.")
        return long_script(question)

    found, degraded = await link(long_talk(14), ScriptedModel(script))

    # The first request asks about the messages 1 to 6.
    assert [link for link in found.links if link[0] is REPLY_TO] == [(REPLY_TO, at, at - 1) for at in range(7, 14)]
    assert found.unasked == {"replies": 6}
    assert degraded == ("replies",)


async def test_a_stage_beyond_the_limit_of_questions_is_left_out_whole() -> None:
    # Two replies, then three outcomes; two pairs would still have their place.
    found, degraded = await link(BUDGET, ScriptedModel(budget_script), max_questions=4)

    assert found.links == ((REPLY_TO, 1, 0), (REPLY_TO, 2, 1))
    assert found.unasked == {"outcomes": 3}
    assert degraded == ("outcomes",)


def long_session() -> list[TurnPart]:
    """900 texts of an assistant, 500 prompts, and 2,750 calls with their results, of some thousand words."""
    rng = random.Random(3)  # noqa: S311 - no secret
    kinds = ["assistant"] * 900 + ["user"] * 500 + ["call"] * 2750
    rng.shuffle(kinds)
    turns: list[TurnPart] = []
    for kind in kinds:
        at = len(turns)
        if kind == "call":
            turns += [tool_call(at, f"{at}#k", id_=f"k{at}"), output(at + 1, reply_to=f"{at}#k")]
        else:
            turns.append(message(at, " ".join(f"w{int(5000 ** rng.random())}" for _ in range(60)), kind))
    return turns


@pytest.mark.parametrize("outcomes", [0.0, 0.1, 1.0])
async def test_a_session_log_of_14500_lines_takes_less_than_300_requests(outcomes: float) -> None:
    rng = random.Random(4)  # noqa: S311 - no secret

    def script(question: Question) -> Answer | None:
        if isinstance(question, RecordsOutcome):
            return yes(float(rng.random() < outcomes))
        return chosen(NONE) if isinstance(question, SettlesWhat) else yes(0.0)

    model = CountingModel(script)
    found, degraded = await link(long_session(), model)

    assert len(model.sizes) < 300
    assert model.asked_of(ReplyTo) == []
    assert len(model.asked_of(RecordsOutcome)) == 1400
    assert found.unasked.keys() <= {"settles", "corrections"}
    assert degraded == ()


async def test_a_larger_budget_of_the_callers_lets_a_session_take_more() -> None:
    model = CountingModel(lambda question: yes(0.0))

    found, _ = await link(long_session(), model, config=Config(conversation_max_requests=600))

    assert len(model.sizes) > 300
    assert found.unasked == {}


# Appending


async def test_d_only_new_turns_are_asked_about() -> None:
    turns = [
        message(0, "We propose 40k.", name="1", stored=True),
        message(1, "Too low, 45k.", "Ben", reply_to="1", stored=True),
        message(2, "Agreed: 45k."),
    ]
    model = ScriptedModel(budget_script)

    found, _ = await link(turns, model)

    assert [type(question) for question in model.asked] == [ReplyTo, RecordsOutcome, SettlesWhat, Corrects, Corrects]
    assert found.links == ((REPLY_TO, 2, 1), (DECIDES, 2, 0), (CORRECTS, 2, 0))
    assert found.outcomes == {2}


# Properties

TURNS = st.lists(
    st.tuples(
        st.sampled_from(["text", "text", "text", "call", "output", "same turn"]),
        st.sampled_from(["Ana", "Ben", "user", "assistant", None]),
        st.sampled_from(["lamp oak", "lamp", "45k oak", "elm", ""]),
        st.sampled_from([(), ("One",), ("Two",)]),
        st.sampled_from([None, "1", "2", "3#k"]),
        st.sampled_from([None, None, "1", "2", "3#k", "gone"]),
        st.booleans(),
    ),
    max_size=25,
)


def made(drawn: Sequence[tuple[str, str | None, str, tuple[str, ...], str | None, str | None, bool]]) -> list[TurnPart]:
    turns: list[TurnPart] = []
    for at, (kind, speaker, body, path, name, reply_to, stored) in enumerate(drawn):
        old = stored and all(turn.stored for turn in turns)
        if kind == "output":
            turns.append(output(at, body, path=path, name=name, reply_to=reply_to, call=name))
        elif kind == "call":
            turns.append(tool_call(at, name or "9#k", reply_to=reply_to, stored=old))
        elif kind == "same turn" and turns and turns[-1].judged:
            last = turns[-1]
            turns.append(message(at, body, last.speaker, turn=last.turn, path=last.path, stored=last.stored))
        else:
            turns.append(message(at, body, speaker, path=path, name=name, reply_to=reply_to, stored=old))
    return turns


@given(TURNS, st.integers(0, 2**32))
async def test_links_go_from_new_parts_to_earlier_ones(
    drawn: Sequence[tuple[str, str | None, str, tuple[str, ...], str | None, str | None, bool]], seed: int
) -> None:
    rng = random.Random(seed)  # noqa: S311 - no secret

    def script(question: Question) -> Answer | None:
        if rng.random() < 0.1:
            return None
        if isinstance(question, ReplyTo | SettlesWhat):
            return Choice(rng.choice(list(question.labels())), 1.0, {})
        return YesNo(rng.random())

    turns = made(drawn)
    found, _ = await link(turns, ScriptedModel(script))

    # Later to earlier also means that following corrections never comes back.
    for type_, source, target in found.links:
        assert target < source
        assert not turns[source].stored
        if type_ is OUTPUT_OF:
            assert turns[source].output
        if type_ is CORRECTS:
            assert turns[source].judged
            assert turns[target].judged
        if type_ in {REPLY_TO, OUTPUT_OF}:
            assert turns[source].turn == source
            assert turns[target].turn == target
        if type_ is DECIDES:
            assert source in found.outcomes
    assert len(set(found.links)) == len(found.links)
    assert all(turns[position].judged and not turns[position].stored for position in found.outcomes)
