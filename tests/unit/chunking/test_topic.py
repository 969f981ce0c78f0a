from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.chunking import topic
from app.chunking.cuts import SeamScore
from app.chunking.questions import ContinuesSubject, DependsOn
from app.documents.block import Block, BlockType
from app.documents.chunk import Chunking, Heading
from app.documents.config import Config

SAME = SeamScore(continues=1.0, refers_back=0.0)
SHIFT = SeamScore(continues=0.0, refers_back=0.0)
DEPENDS = SeamScore(continues=0.0, refers_back=0.9)


def heading(text: str, level: int) -> Block:
    return Block(type=BlockType.HEADING, text=text, level=level)


def paragraph(text: str) -> Block:
    return Block(type=BlockType.PARAGRAPH, text=text)


def words(count: int, word: str = "word") -> str:
    """A paragraph of `count` five-character steps: a word of four letters and a space, 1.25 tokens each."""
    return " ".join([word] * count)


def chunked(blocks: list[Block], scores: list[SeamScore] | None = None, **keys: object) -> Chunking:
    config = Config(**keys)  # type: ignore[arg-type]  # test arguments
    return topic.chunks(topic.plan(blocks, None, config), scores)


def test_a_heading_starts_a_chunk_and_heads_it() -> None:
    result = chunked([paragraph("Before."), heading("Guide", 1), heading("Fees", 2), paragraph("Late fee: 5 euros.")])

    assert [chunk.text for chunk in result.chunks] == ["Before.", "[Guide > Fees]\n\nLate fee: 5 euros."]
    assert result.chunks[1].path == ("Guide", "Fees")
    assert result.chunks[1].heading_level == 2
    assert result.chunks[1].content == "Late fee: 5 euros."
    assert result.chunks[1].blocks == (3,)
    assert result.outline == (Heading(block=1, title="Guide", level=1), Heading(block=2, title="Fees", level=2))


def test_heading_paths_are_keyed_by_level() -> None:
    titles = [heading("A", 1), heading("B", 3), heading("C", 2), heading("D", 1)]
    blocks = [titles[0], titles[1], paragraph("b"), titles[2], paragraph("c"), titles[3], paragraph("d")]

    assert [chunk.path for chunk in chunked(blocks).chunks] == [("A", "B"), ("A", "C"), ("D",)]


def test_blank_blocks_are_left_out_but_keep_their_index() -> None:
    assert [chunk.blocks for chunk in chunked([paragraph(" "), paragraph("text")]).chunks] == [(1,)]


def test_a_speaker_is_named_where_he_begins_to_speak() -> None:
    said = [("Ann", "Is it shut?"), ("Ann", "Tell me."), ("Bo", "It is."), ("Ann", "Good.")]
    blocks = [Block(type=BlockType.PARAGRAPH, text=text, meta={"speaker": name}) for name, text in said]

    (chunk,) = chunked(blocks).chunks

    assert chunk.content == "Ann: Is it shut?\n\nTell me.\n\nBo: It is.\n\nAnn: Good."


def test_only_sections_longer_than_the_minimum_are_asked_about() -> None:
    short = topic.plan([heading("A", 1), paragraph(words(40)), paragraph(words(40))], None, Config())
    long = topic.plan([heading("A", 1), paragraph(words(120)), paragraph(words(120))], None, Config())

    assert short.questions() == []
    assert long.questions() == [
        [
            ContinuesSubject(words(120)[-240:], words(120)[:240]),
            DependsOn(words(120)[-240:], words(120)[:240]),
        ]
    ]


def test_seams_are_asked_about_in_batches_up_to_the_limit() -> None:
    blocks = [paragraph(words(30, f"wd{number:02}")) for number in range(12)]
    plan = topic.plan(blocks, None, Config(batch_size=4, max_pairs=10))

    assert [len(batch) for batch in plan.questions()] == [8, 8, 4]


def test_a_topic_shift_closes_a_chunk_and_the_next_repeats_nothing() -> None:
    result = chunked([paragraph(words(120, "alfa")), paragraph(words(120, "beta"))], [SHIFT])

    assert [chunk.content[:4] for chunk in result.chunks] == ["alfa", "beta"]
    assert result.chunks[1].topic_start
    assert result.chunks[1].overlap == 0
    assert result.used_jev


@pytest.mark.parametrize("score", [SAME, DEPENDS])
def test_what_goes_on_or_depends_on_the_first_side_stays_with_it(score: SeamScore) -> None:
    assert len(chunked([paragraph(words(120)), paragraph(words(120))], [score]).chunks) == 1


def test_seams_past_the_limit_are_never_topic_cuts() -> None:
    blocks = [paragraph(words(120, "alfa")), paragraph(words(120, "beta")), paragraph(words(120, "gama"))]

    result = chunked(blocks, [SHIFT], max_pairs=1)

    assert [chunk.blocks for chunk in result.chunks] == [(0,), (1, 2)]


def test_a_block_that_would_pass_the_maximum_closes_the_chunk() -> None:
    # 150 tokens each: the third would make 450 of 400, and the open chunk holds the minimum.
    blocks = [paragraph(words(120, name)) for name in ("alfa", "beta", "gama")]

    result = chunked(blocks, max_tokens=400)

    assert [chunk.blocks for chunk in result.chunks] == [(0, 1), (2,)]
    assert result.chunks[1].overlap_text == words(64, "beta")
    # 64 words of five characters, the last without its space, are 319: 80 tokens, the unit that overlap_tokens asks in.
    assert result.chunks[1].overlap == 80
    assert not result.used_jev


def test_a_chunk_under_the_minimum_may_run_over_once() -> None:
    # 50 tokens are open, 390 come: together 440 of 400, but 50 are too few to stand alone.
    blocks = [paragraph(words(40, "alfa")), paragraph(words(312, "beta")), paragraph(words(40, "gama"))]

    assert [chunk.blocks for chunk in chunked(blocks, max_tokens=400).chunks] == [(0, 1), (2,)]


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    sentence = f"Here {words(38)} ends."
    text = " ".join([sentence] * 24)

    result = chunked([paragraph(text)], max_tokens=800)

    assert len(result.chunks) == 2
    assert all(chunk.content.endswith("ends.") for chunk in result.chunks)
    assert " ".join(chunk.content for chunk in result.chunks) == text
    assert all(chunk.blocks == (0,) for chunk in result.chunks)


def test_a_long_paragraph_is_cut_where_its_sentences_change_topic() -> None:
    first, second = f"Here {words(38, 'alfa')} ends.", f"Here {words(38, 'beta')} ends."
    text = " ".join([first] * 12 + [second] * 12)
    scores = [SAME] * 11 + [SHIFT] + [SAME] * 11

    result = chunked([paragraph(text)], scores)

    assert [chunk.content for chunk in result.chunks] == [" ".join([first] * 12), " ".join([second] * 12)]
    assert result.chunks[1].topic_start


def test_paragraphs_are_cut_in_proportion_to_a_small_maximum_unless_the_caller_says_otherwise() -> None:
    # 20 sentences of about 25 tokens each; chunks hold at most 100 and repeat at most 80.
    text = " ".join([f"Here {words(18)} ends."] * 20)

    small = chunked([paragraph(text)], max_tokens=100)
    whole = chunked([paragraph(text)], max_tokens=100, split_long_paragraph_at=900)

    assert all(chunk.tokens <= 100 + 80 for chunk in small.chunks)
    assert len(small.chunks) > 3
    assert len(whole.chunks) == 1


def test_a_long_table_repeats_its_caption_and_header() -> None:
    rows = [f"{number:03} | {'x' * 40}" for number in range(60)]
    text = "\n".join(["Table: Parts", "id | note", *rows])
    table = Block(
        type=BlockType.TABLE,
        text=text,
        meta={"caption": "Parts", "header": ["id", "note"], "rows": [row.split(" | ") for row in rows]},
    )

    result = chunked([table], max_tokens=300)

    assert len(result.chunks) > 1
    assert all(chunk.content.startswith("Table: Parts\nid | note\n") for chunk in result.chunks)
    assert all(chunk.tokens <= 300 for chunk in result.chunks)
    assert [row for chunk in result.chunks for row in chunk.content.split("\n")[2:]] == rows
    assert all(chunk.overlap == 0 for chunk in result.chunks)


def test_a_fence_in_a_code_block_is_reopened_and_closed() -> None:
    lines = [f"print({number:04})" for number in range(200)]
    code = Block(type=BlockType.CODE, text="\n".join(["```python", *lines, "```"]))

    result = chunked([code], max_tokens=100)

    assert len(result.chunks) > 1
    assert all(chunk.content.startswith("```python\n") and chunk.content.endswith("\n```") for chunk in result.chunks)
    assert [line for chunk in result.chunks for line in chunk.content.split("\n")[1:-1]] == lines


def test_a_line_over_the_maximum_is_cut_at_a_space_in_its_second_half() -> None:
    code = Block(type=BlockType.CODE, text=f"{'a' * 300} {'b' * 300}")

    result = chunked([code], max_tokens=100)

    assert [chunk.content for chunk in result.chunks] == ["a" * 300, "b" * 300]


def test_offsets_of_a_cut_paragraph_slice_its_source() -> None:
    sentence = f"Here {words(38)} ends."
    text = " ".join([sentence] * 30)
    source = f"# T\n\n{text}\n"
    block = Block(type=BlockType.PARAGRAPH, text=text, start=5, end=5 + len(text))

    result = topic.chunks(topic.plan([block], source, Config()), None)

    assert len(result.chunks) > 1
    assert all(source[chunk.start : chunk.end] == chunk.content for chunk in result.chunks)


TEXTS = st.text(st.sampled_from("abc. ,\né。水🙂"), max_size=400)
BLOCKS = st.lists(
    st.one_of(
        st.builds(heading, TEXTS, st.integers(1, 6)),
        st.builds(lambda kind, text: Block(type=kind, text=text), st.sampled_from(list(BlockType)[1:]), TEXTS),
    ),
    max_size=12,
)


@given(BLOCKS, st.integers(4, 60), st.integers(0, 20), st.data())
def test_no_text_is_lost_and_order_is_kept(
    blocks: list[Block], maximum: int, overlap: int, data: st.DataObject
) -> None:
    config = Config(max_tokens=maximum, overlap_tokens=overlap, split_long_paragraph_at=maximum, topic_min_tokens=5)
    plan = topic.plan(blocks, None, config)
    seams = sum(len(batch) for batch in plan.questions()) // 2
    score = st.builds(SeamScore, st.floats(0, 1), st.floats(0, 1))
    scores = data.draw(st.none() | st.lists(score, min_size=seams, max_size=seams))

    result = topic.chunks(plan, scores)

    body = [block.text for block in blocks if block.type is not BlockType.HEADING]
    assert "".join("".join(chunk.content.split()) for chunk in result.chunks) == "".join("".join(body).split())
    assert [chunk.index for chunk in result.chunks] == list(range(len(result.chunks)))
    assert result == topic.chunks(plan, scores)
    places = [block for chunk in result.chunks for block in chunk.blocks]
    assert places == sorted(places)


@given(TEXTS, st.integers(1, 30))
def test_the_overlap_is_the_tail_of_the_chunk_before_and_no_longer_than_asked(text: str, limit: int) -> None:
    blocks = [paragraph(f"{text} {words(200)}. {text}"), paragraph(words(200))]

    result = chunked(blocks, max_tokens=300, overlap_tokens=limit)

    for before, after in pairwise(result.chunks):
        assert before.content.rstrip().endswith(after.overlap_text)
        assert len(after.overlap_text) <= limit * 4
