import asyncio
import json
import random
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from app.adapters.decisions.offline import weights
from app.adapters.decisions.offline.engine import OfflineDecisionModel, evaluate
from app.chunking.questions import ContinuesSubject, DependsOn
from app.documents.decision import Choice, Question, SharedState, WireQuestion, YesNo, YesNoQuestion
from app.documents.profile import Profile
from app.linking.questions import NeedsPrevious
from app.profiling.questions import SectionProfile
from app.retrieval.candidates import RULES
from app.retrieval.questions import Answers, AnswerScope, BestPassage, IsComplete, Scope

REFUNDS = (
    "[Returns > Refunds]\n\nA refund is paid to the original card within ten business days after we get the parcel."
)
SHIPPING = "[Shipping]\n\nOrders over 50 euros are shipped free of charge. Parcels are handed to the carrier at noon."
SMELTING = "[Alloys]\n\nBrass is smelted from copper and zinc. It resists corrosion better than plain steel."
PASSAGES = (SHIPPING, REFUNDS, SMELTING)


def probabilities(questions: Sequence[Question]) -> list[float]:
    answers = evaluate(questions)
    return [answer.probability for answer in answers if isinstance(answer, YesNo)]


def chosen(question: Question) -> Choice:
    (answer,) = evaluate([question])
    assert isinstance(answer, Choice)
    return answer


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("How long does a refund take?", REFUNDS),
        ("When will I be refunded?", REFUNDS),
        ("Which card are refunds paid to?", REFUNDS),
        ("Is shipping free of charge?", SHIPPING),
        ("What is brass made from?", SMELTING),
    ],
)
def test_the_passage_that_answers_is_kept_and_best(question: str, right: str) -> None:
    scores = dict(zip(PASSAGES, probabilities([Answers(question, passage) for passage in PASSAGES]), strict=True))
    assert scores[right] >= 0.4
    assert max(scores, key=lambda passage: scores[passage]) == right
    best = chosen(BestPassage(question, PASSAGES))
    assert PASSAGES[int(best.label)] == right
    assert best.confidence == best.probabilities[best.label]


@pytest.mark.parametrize(
    "question",
    [
        "Who wrote the opera Tosca?",
        "What is the capital of Mongolia?",
        "How many moons does Jupiter have?",
        "Can I bring my dog into the cinema?",
        "",
        "?!",
        "日本の首都はどこですか",
    ],
)
def test_a_question_about_something_else_finds_nothing(question: str) -> None:
    assert max(probabilities([Answers(question, passage) for passage in PASSAGES])) < 0.4


def test_other_scripts_are_read() -> None:
    passages = ["返金は十営業日以内に行われます。", "送料は無料です。"]
    first, second = probabilities([Answers("返金は何日かかりますか", passage) for passage in passages])
    assert first > second


def test_accents_and_inflections_make_no_difference() -> None:
    plain, inflected = probabilities(
        [
            Answers("Does the cafe refund vouchers?", "The cafe refunds a voucher."),
            Answers("Does the café refund vouchers?", "The CAFÉ refunds a voucher."),
        ]
    )
    assert plain == pytest.approx(inflected, abs=0.02)


@pytest.mark.parametrize("passage", ["", " \n\n ", "...", "\x00", "a" * 5000, "\ud800", "🎉🎉"])
def test_a_passage_without_evidence_is_not_kept(passage: str) -> None:
    assert max(probabilities([Answers("How long does a refund take?", passage)])) < 0.4


def test_a_seam_inside_a_subject_holds_better_than_one_between_two() -> None:
    first = "The pump is switched on when the water in the tank rises above the upper float switch."
    goes_on = "When the water falls below the lower float switch, the pump is switched off again."
    turns = "Invoices are sent by mail on the first day of every month and are due within two weeks."
    same, other = probabilities([ContinuesSubject(first, goes_on), ContinuesSubject(first, turns)])
    assert same > 0.5
    assert same > other + 0.15


@pytest.mark.parametrize("kind", [DependsOn, NeedsPrevious])
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Goods can be returned within 30 days.", "This does not apply to opened software."),
        ("Fees are due monthly.", "However, they are waived for schools."),
        ("To reset the device, do as follows:", "Hold both keys until the display goes dark."),
        ("The reader is fed from", "the same supply as the lock."),
    ],
)
def test_what_leans_on_the_text_before_needs_it(
    kind: type[DependsOn] | type[NeedsPrevious], first: str, second: str
) -> None:
    by_itself = kind("Fees are due monthly.", "Berlin has three airports and a zoo.")
    leaning, alone = probabilities([kind(first, second), by_itself])
    assert leaning > alone
    assert alone < 0.3


def test_one_strong_cue_is_a_dependence() -> None:
    (depends,) = probabilities(
        [DependsOn("Goods can be returned in 30 days.", "This excludes goods that were opened.")]
    )
    assert depends >= 0.5


@pytest.mark.parametrize(
    ("question", "scope"),
    [
        ("How long does a refund take?", Scope.ONE_PASSAGE),
        ("Who pays for shipping?", Scope.ONE_PASSAGE),
        ("How do I reset the controller?", Scope.ONE_PASSAGE),
        ("Compare the basic and the premium plan.", Scope.SEVERAL_PLACES),
        ("List all reasons for which a return can be refused.", Scope.SEVERAL_PLACES),
    ],
)
def test_the_scope_is_told_from_the_question(question: str, scope: Scope) -> None:
    assert chosen(AnswerScope(question, RULES[Profile.GUIDANCE].scopes)).label == scope


def test_a_scope_that_is_not_offered_is_not_chosen() -> None:
    assert chosen(AnswerScope("List all fees.", (Scope.ONE_PASSAGE,))).label == Scope.ONE_PASSAGE


def test_passages_are_complete_as_far_as_they_hold_what_is_asked() -> None:
    question = "How long do refunds take and is shipping free?"
    both, one, none = probabilities(
        [
            IsComplete(question, (REFUNDS, SHIPPING)),
            IsComplete(question, (SHIPPING,)),
            IsComplete(question, ()),
        ]
    )
    assert both > 0.5
    assert both > one > none


@pytest.mark.parametrize(
    ("section", "profile"),
    [
        (
            SectionProfile(
                "7 Liability",
                'The Supplier shall not be liable for indirect damages. "Damages" means any loss under clause 4. '
                "Neither party shall assign this agreement; the parties must give notice pursuant to Section 9.",
            ),
            "normative",
        ),
        (
            SectionProfile(
                "Installing the pump",
                "1. Switch off the mains.\n2. Remove the cover.\n3. Connect the wires and tighten the screws.\n"
                "4. Then run the test.",
                ("Before you start", "Steps"),
            ),
            "procedural",
        ),
        (
            SectionProfile(
                "Early life",
                "She was born in 1867 in Warsaw, where her father taught physics. In 1891 she moved to Paris and began "
                "her studies; two years later she took her degree. She had little money and lived in a garret.",
            ),
            "narrative",
        ),
        (
            SectionProfile(
                "Parameters",
                "`limit` (integer, optional): how many to return. Default 20.\n`cursor` (string, optional): where to "
                "go on.\n`open(path, mode)` -> File\n| name | type |\n| size | integer |\n| kind | string |",
                ("API reference",),
            ),
            "reference",
        ),
        (
            SectionProfile(
                "Frequently asked questions",
                "Can I return a gift? Yes, you can return it like any other order. What do you need for it? Your order "
                "number helps us find it.",
            ),
            "guidance",
        ),
        (SectionProfile("", ""), "guidance"),
    ],
)
def test_a_section_is_known_by_its_genre(section: SectionProfile, profile: str) -> None:
    assert chosen(section).label == profile


# --- the engine -----------------------------------------------------------------------------------------------------


def mixed() -> list[Question]:
    questions: list[Question] = [Answers("How long does a refund take?", passage) for passage in PASSAGES]
    questions += [ContinuesSubject(SHIPPING, REFUNDS), DependsOn(SHIPPING, REFUNDS), NeedsPrevious(REFUNDS, SMELTING)]
    questions += [BestPassage("Is shipping free?", PASSAGES), SectionProfile("Shipping", SHIPPING)]
    questions += [AnswerScope("Is shipping free?", tuple(Scope)), IsComplete("Is shipping free?", PASSAGES)]
    return questions


@pytest.mark.anyio
async def test_a_batch_is_answered_in_order_and_labelled() -> None:
    model = OfflineDecisionModel()
    assert (model.cacheable, model.offline) == (False, True)
    assert model.name == f"offline-{weights.version()}"
    batch = await model.answer(mixed())
    assert (batch.model, batch.offline, batch.input_tokens) == (model.name, True, 0)
    assert batch.answers == evaluate(mixed())
    assert [type(answer) for answer in batch.answers] == [YesNo] * 6 + [Choice] * 3 + [YesNo]


def test_an_answer_depends_on_nothing_but_its_question() -> None:
    questions = mixed()
    together = evaluate(questions)
    assert [evaluate([question])[0] for question in questions] == list(together)
    order = list(range(len(questions)))
    random.Random(7).shuffle(order)  # noqa: S311 - any order will do
    shuffled = evaluate([questions[place] for place in order])
    assert shuffled == tuple(together[place] for place in order)


def test_threads_may_share_it() -> None:
    alone = evaluate(mixed())
    with ThreadPoolExecutor(8) as threads:
        assert all(answers == alone for answers in threads.map(lambda _: evaluate(mixed()), range(24)))


PROGRAM = """
import json
from app.adapters.decisions.offline.engine import evaluate
from tests.unit.adapters.decisions.offline.test_engine import mixed
print(json.dumps([repr(answer) for answer in evaluate(mixed())]))
"""


def test_every_process_gives_the_same_answers() -> None:
    # Hash seeds differ between processes: nothing may depend on the order of a set.
    processes = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM], capture_output=True, check=True, text=True, env={"PYTHONHASHSEED": seed}
        )
        for seed in ("1", "2")
    ]
    here = [repr(answer) for answer in evaluate(mixed())]
    assert [json.loads(process.stdout) for process in processes] == [here, here]
    assert [process.stderr for process in processes] == ["", ""]


def test_an_unknown_question_stays_unanswered() -> None:
    class Unheard(YesNoQuestion):
        def render(self, state: SharedState) -> WireQuestion:
            raise NotImplementedError

    question = Answers("How long does a refund take?", REFUNDS)
    assert evaluate([Unheard(), question]) == (None, *evaluate([question]))


def test_no_questions() -> None:
    assert evaluate([]) == ()


def test_loading_leaves_the_logs_alone() -> None:
    program = (
        "import logging; from app.text import word_vectors; word_vectors.load(); "
        "print(logging.getLogger().handlers, logging.getLogger().level)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)
    assert (done.stdout, done.stderr) == ("[] 30\n", "")


def test_who_asks_a_hosted_model_loads_no_vectors() -> None:
    program = (
        "import sys; import app.adapters.decisions.offline.engine as engine; engine.OfflineDecisionModel(); "
        "print('wordllama' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)
    assert done.stdout == "False\n"


def test_the_event_loop_is_free_meanwhile() -> None:
    async def turns_while_answering() -> int:
        turns = 0
        answering = asyncio.create_task(OfflineDecisionModel().answer(mixed() * 50))
        while not answering.done():
            await asyncio.sleep(0)
            turns += 1
        return turns

    assert asyncio.run(turns_while_answering()) > 2
