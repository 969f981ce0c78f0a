import pytest

from app.chunking.questions import ContinuesSubject, DependsOn
from app.documents.block import Block, BlockType, ParsedDocument
from app.documents.config import Config
from app.documents.decision import Answer, Question
from app.errors import JobCancelled
from app.operations.chunk import ByTopic, ChunkDocument
from app.operations.decision_session import DecisionSession
from app.operations.topic_chunks import chunk_by_topic
from app.ports.reader_runner import Source
from tests.fakes.readers import StaticReader
from tests.fakes.scripted_model import ScriptedModel, unavailable, yes

pytestmark = pytest.mark.anyio


def paragraph(word: str, count: int = 120) -> Block:
    """`count` words of four letters: 1.25 tokens each with their space."""
    return Block(type=BlockType.PARAGRAPH, text=" ".join([word] * count))


#: Three paragraphs of 150 tokens; the section is longer than the minimum, so both seams are asked about.
DOCUMENT = ParsedDocument(blocks=(paragraph("alfa"), paragraph("beta"), paragraph("gama")), warnings=("Read so.",))


def turns_to_gama(question: Question) -> Answer | None:
    """The third paragraph is about something else; nothing depends on what stands before it."""
    match question:
        case ContinuesSubject(second=second):
            return yes(0.0 if "gama" in second else 1.0)
        case _:
            return yes(0.0)


def session(model: ScriptedModel | None, max_questions: int = 100) -> DecisionSession:
    return DecisionSession(model, None, max_questions=max_questions)


async def test_the_model_chooses_the_topic_cuts() -> None:
    model = ScriptedModel(turns_to_gama)

    chunking = await chunk_by_topic(DOCUMENT, Config(), session(model))

    assert [chunk.blocks for chunk in chunking.chunks] == [(0, 1), (2,)]
    assert [chunk.topic_start for chunk in chunking.chunks] == [False, True]
    assert chunking.used_jev
    assert len(model.asked_of(ContinuesSubject)) == len(model.asked_of(DependsOn)) == 2


async def test_what_is_asked_is_the_end_of_one_side_and_the_start_of_the_next() -> None:
    model = ScriptedModel(turns_to_gama)

    await chunk_by_topic(DOCUMENT, Config(snippet_chars=9), session(model))

    assert model.asked == [
        ContinuesSubject("alfa alfa", "beta beta"),
        DependsOn("alfa alfa", "beta beta"),
        ContinuesSubject("beta beta", "gama gama"),
        DependsOn("beta beta", "gama gama"),
    ]


async def test_a_single_missing_answer_leaves_the_whole_document_to_its_structure() -> None:
    def one_missing(question: Question) -> Answer | None:
        return None if question == DependsOn("alfa", "beta") else turns_to_gama(question)

    asking = session(ScriptedModel(one_missing))
    chunking = await chunk_by_topic(DOCUMENT, Config(snippet_chars=4), asking)

    assert [chunk.blocks for chunk in chunking.chunks] == [(0, 1, 2)]
    assert not chunking.used_jev


@pytest.mark.parametrize(
    ("model", "max_questions"),
    [(ScriptedModel(unavailable), 100), (ScriptedModel(turns_to_gama), 3), (None, 100)],
    ids=["away", "over the limit", "none"],
)
async def test_without_answers_structure_decides_and_the_stage_is_named(
    model: ScriptedModel | None, max_questions: int
) -> None:
    asking = session(model, max_questions)

    chunking = await chunk_by_topic(DOCUMENT, Config(), asking)

    assert [chunk.blocks for chunk in chunking.chunks] == [(0, 1, 2)]
    assert not chunking.used_jev
    assert asking.degraded == ("seams",)


async def test_a_short_document_is_never_asked_about() -> None:
    model = ScriptedModel(unavailable)
    asking = session(model)

    chunking = await chunk_by_topic(
        ParsedDocument(blocks=(paragraph("alfa", 20), paragraph("beta", 20))), Config(), asking
    )

    assert len(chunking.chunks) == 1
    assert not chunking.used_jev
    assert model.asked == []
    assert asking.degraded == ()


async def test_progress_is_told_and_may_stop_the_work() -> None:
    told: list[tuple[int, int]] = []

    async def note(done: int, total: int) -> None:
        told.append((done, total))

    async def cancel(_done: int, _total: int) -> None:
        raise JobCancelled("stop")

    await chunk_by_topic(DOCUMENT, Config(batch_size=1), session(ScriptedModel(turns_to_gama)), note)

    assert sorted(told) == [(2, 4), (4, 4)]
    with pytest.raises(JobCancelled):
        await chunk_by_topic(DOCUMENT, Config(), session(ScriptedModel(turns_to_gama)), cancel)


#: Of no meaning to a reader that always says the same.
SOURCE = Source(data=b"", format="text")


async def test_chunking_a_document_reports_what_asking_took() -> None:
    chunk = ChunkDocument(
        reader=StaticReader(DOCUMENT), decisions=ScriptedModel(turns_to_gama), cache=None, max_questions=100
    )

    answer = await chunk.run(SOURCE, ByTopic(config=Config()))

    assert answer.chunking.used_jev
    assert (answer.decisions.requests, answer.decisions.questions, answer.decisions.unanswered) == (1, 4, 0)
    assert answer.decisions.model == "scripted-1"
    assert (answer.degraded, answer.warnings) == ((), ("Read so.",))


async def test_chunking_without_the_model_asks_nothing_and_is_not_degraded() -> None:
    model = ScriptedModel(turns_to_gama)

    chunk = ChunkDocument(reader=StaticReader(DOCUMENT), decisions=model, cache=None, max_questions=100)

    answer = await chunk.run(SOURCE, ByTopic(config=Config(), use_jev=False))

    assert not answer.chunking.used_jev
    assert model.asked == []
    assert answer.degraded == ()
