"""Strategy `budget`: sizes that hold, text that is neither lost nor doubled, frames, overlap, headers."""

import re
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.chunking.budget import chunk_by_budget
from app.chunking.measure import ApproximateTokens, Characters, Measure, RealTokens
from app.documents.block import ParsedDocument
from app.documents.budget import BudgetOptions, Embed, HeaderStyle
from app.documents.chunk import Chunk
from app.ports.reader_runner import Source
from app.readers.registry import read_blocks
from app.text.encodings import encoding

CHARACTERS = Characters()


def tokens() -> Measure:
    return RealTokens(encoding("cl100k_base").count)


def read(text: str, document_format: str = "markdown") -> ParsedDocument:
    return read_blocks(Source(data=text.encode(), format=document_format))


def chunked(
    text: str, *, document_format: str = "markdown", measure: Measure = CHARACTERS, **options: object
) -> tuple[Chunk, ...]:
    size = int(str(options.get("chunk_size", 1024)))
    chosen = {"overlap": 0, "min_chunk_size": size // 4, **options}
    parsed = read(text, document_format)
    made = chunk_by_budget(parsed, document_format, BudgetOptions(**chosen), measure, measure)  # type: ignore[arg-type]
    return made.chunks


WORDS = st.sampled_from(
    [
        "pump",
        "valve",
        "e.g.",
        "3.14",
        "第一条水泵",
        "مضخة",
        "🙂",
        "👩‍👩‍👧",
        "é́",
        "x" * 40,
        "**bold**",
        "ok.",
        "No!",
        "ปั๊มน้ำ",
    ]
)
SENTENCES = st.lists(WORDS, min_size=1, max_size=12).map(" ".join)
PARAGRAPHS = st.lists(SENTENCES, min_size=1, max_size=4).map(". ".join)
HEADINGS = st.tuples(st.integers(1, 4), SENTENCES).map(lambda pair: f"{'#' * pair[0]} {pair[1]}")
LISTS = st.lists(st.tuples(st.integers(0, 2), SENTENCES), min_size=1, max_size=6).map(
    lambda items: "\n".join(f"{'  ' * depth}- {text}" for depth, text in items)
)
TABLES = st.lists(st.tuples(SENTENCES, SENTENCES), min_size=1, max_size=8).map(
    lambda rows: "| a | b |\n|---|---|\n" + "\n".join(f"| {first} | {second} |" for first, second in rows)
)
CODE = st.lists(SENTENCES, min_size=1, max_size=8).map(lambda lines: "```sh\n" + "\n".join(lines) + "\n```")
QUOTES = PARAGRAPHS.map(lambda text: "> " + text.replace(". ", ".\n> "))
OTHERS = st.sampled_from(["---", "<div>\n\ninner\n\n</div>", "[ref]: http://e.org", "note[^1]\n\n[^1]: A *note*."])
DOCUMENTS = st.lists(st.one_of(PARAGRAPHS, HEADINGS, LISTS, TABLES, CODE, QUOTES, OTHERS), min_size=1, max_size=12).map(
    "\n\n".join
)
SECTIONS = st.lists(st.one_of(PARAGRAPHS, TABLES, CODE, LISTS), min_size=1, max_size=6).map("\n\n".join)
SIZES = st.integers(32, 400)
MEASURES: dict[str, Callable[[], Measure]] = {
    "chars": lambda: CHARACTERS,
    "tokens": tokens,
    "approximate": lambda: ApproximateTokens(4.0),
}


@pytest.mark.parametrize("name", MEASURES)
@given(text=DOCUMENTS, size=SIZES, overlap=st.integers(0, 60), style=st.sampled_from(HeaderStyle))
@settings(deadline=None, max_examples=60)
def test_no_chunk_is_over_its_size_and_no_text_is_lost_or_doubled(
    name: str, text: str, size: int, overlap: int, style: HeaderStyle
) -> None:
    measure = MEASURES[name]()
    parsed = read(text)
    chunks = chunked(text, measure=measure, chunk_size=size, overlap=min(overlap, size // 2), header=style)
    assert [chunk.index for chunk in chunks] == list(range(len(chunks)))
    assert all(measure.size(chunk.text) <= size for chunk in chunks)
    # Spans rise, never overlap, and leave out nothing but white space and marks of quotes.
    assert parsed.source is not None
    at = 0
    for chunk in chunks:
        assert chunk.start is not None
        assert chunk.end is not None
        assert chunk.start >= at
        assert not parsed.source[at : chunk.start].strip(" \t\n>")
        at = chunk.end
    # A document without a block, such as a lone rule, has no chunks.
    assert not parsed.source[at:].strip(" \t\n>") or not parsed.blocks
    assert sorted({index for chunk in chunks for index in chunk.blocks}) == list(range(len(parsed.blocks)))


@given(text=DOCUMENTS, size=SIZES)
@settings(deadline=None, max_examples=60)
def test_offsets_slice_the_source_exactly_unless_the_chunk_says_it_is_synthetic(text: str, size: int) -> None:
    for chunk in chunked(text, chunk_size=size, overlap=20 if size > 40 else 0):
        if not chunk.synthetic:
            assert text[chunk.start : chunk.end] == chunk.content


@given(text=DOCUMENTS, size=SIZES)
@settings(deadline=None, max_examples=30)
def test_the_same_input_gives_the_same_chunks(text: str, size: int) -> None:
    assert chunked(text, chunk_size=size) == chunked(text, chunk_size=size)


@given(before=SECTIONS, changed=SECTIONS, rest=SECTIONS)
@settings(deadline=None, max_examples=40)
def test_a_chunk_keeps_its_hash_when_other_sections_change(before: str, changed: str, rest: str) -> None:
    """With no joining of small sections, what stands under a heading is cut by itself."""
    tail = f"\n\n# Own\n\n{rest}"
    first, second = (
        [chunk.hash for chunk in chunked(f"# A\n\n{text}{tail}", chunk_size=200, min_chunk_size=0)]
        for text in (before, changed)
    )
    own = [chunk.hash for chunk in chunked(tail.strip(), chunk_size=200, min_chunk_size=0)]
    assert first[-len(own) :] == second[-len(own) :] == own


def test_a_long_table_repeats_its_header_in_every_chunk() -> None:
    """Case P06."""
    rows = [f"| {number} | note number {number} on the pump |" for number in range(90)]
    text = "\n".join(["| id | note |", "|---|---|", *rows])
    measure = tokens()
    chunks = chunked(text, measure=measure, chunk_size=300, overlap=40)
    assert len(chunks) > 1
    assert all(chunk.text.startswith("| id | note |\n|---|---|\n") for chunk in chunks)
    assert all(measure.size(chunk.text) <= 300 for chunk in chunks)
    kept = [row for chunk in chunks for row in chunk.content.split("\n")[2:]]
    assert kept == rows


def test_a_long_text_without_spaces_is_cut_at_its_full_stops() -> None:
    """Case P12."""
    sentence = "第一条水泵必须每日检查。"
    measure = tokens()
    chunks = chunked(sentence * 400, document_format="text", measure=measure, chunk_size=300, overlap=40)
    assert all(measure.size(chunk.text) <= 300 for chunk in chunks)
    assert all(chunk.content.endswith("。") and not len(chunk.content) % len(sentence) for chunk in chunks)
    assert "".join(chunk.content for chunk in chunks) == sentence * 400
    assert all(chunk.overlap_text.startswith("第一条") and chunk.overlap <= 40 for chunk in chunks[1:])


def test_offsets_count_code_points() -> None:
    """Case P15."""
    text = "🙂 ok. ok. ok. ok. " * 6
    chunks = chunked(text.strip(), document_format="text", chunk_size=32)
    starts = [chunk.start or 0 for chunk in chunks]
    assert len(chunks) > 2
    assert starts == sorted(set(starts))
    assert all(text[chunk.start : chunk.end] == chunk.content for chunk in chunks)


def test_a_fence_is_reopened_and_closed_in_every_part() -> None:
    lines = [f"run --step {number} --verbose" for number in range(12)]
    text = "~~~~sh title\n" + "\n".join(lines) + "\n~~~~"
    chunks = chunked(text, chunk_size=120)
    assert len(chunks) > 2
    for chunk in chunks:
        assert chunk.content.startswith("~~~~sh title\n")
        assert chunk.content.endswith("\n~~~~")
        assert chunk.synthetic
    kept = [line for chunk in chunks for line in chunk.content.split("\n")[1:-1]]
    assert kept == lines


def test_a_fence_that_never_closes_is_closed_in_its_parts() -> None:
    """Case P01: the open fence runs to the end; no line of it is a heading."""
    text = "# Pump\n\n   ~~~~\n# prime first\n" + "\n".join(f"# step {number:03}" for number in range(20))
    chunks = chunked(text, chunk_size=100)
    assert {chunk.path for chunk in chunks} == {("Pump",)}
    assert all(chunk.content.count("~~~~") == 2 for chunk in chunks)


def test_a_list_is_cut_between_items_and_nested_ones_stay_with_theirs() -> None:
    text = "\n".join(f"- step {number}: open it\n  - detail {number}" for number in range(8))
    chunks = chunked(text, chunk_size=90)
    assert len(chunks) > 2
    for chunk in chunks:
        assert re.fullmatch(r"(- step \d: open it\n  - detail \d\n?)+", chunk.content)


def test_a_list_item_over_the_size_is_cut_between_the_items_in_it() -> None:
    text = "- all steps:\n" + "\n".join(f"  - step {number} is to open the lid" for number in range(6))
    chunks = chunked(text, chunk_size=80)
    assert len(chunks) > 2
    assert "\n".join(chunk.content for chunk in chunks) == text


def test_a_heading_stays_with_what_it_heads() -> None:
    text = "# A\n\n" + "One two three. " * 5 + "\n\n## B\n\n" + "Four five six. " * 5
    first, second = chunked(text, chunk_size=120, min_chunk_size=0)
    assert first.content.startswith("# A")
    assert second.content.startswith("## B\n\nFour")
    assert (second.path, second.heading_level, second.header) == (("A", "B"), 2, "[A > B]")


def test_small_sections_join_and_all_their_paths_are_told() -> None:
    [chunk] = chunked("# A\n\nOne.\n\n## B\n\nTwo.\n\n## C\n\nThree.", chunk_size=200)
    assert chunk.sections == ("A", "A > B", "A > C")
    assert chunk.path == ("A",)
    assert chunk.block_types == ("heading", "paragraph")


def test_a_path_too_long_for_the_budget_is_shortened() -> None:
    title = "very " * 400 + "long title"
    measure = tokens()
    chunks = chunked(f"# {title}\n\nBody text.", measure=measure, chunk_size=64)
    assert all(measure.size(chunk.text) <= 64 for chunk in chunks)
    assert all(chunk.path_truncated for chunk in chunks)
    assert chunks[-1].content.endswith("Body text.")
    assert chunks[-1].header.startswith("[very very")
    assert "".join(chunk.content.replace(" ", "") for chunk in chunks).replace("\n", "") == (
        f"#{title}Bodytext.".replace(" ", "")
    )


def test_of_a_long_tree_the_outermost_headings_go_first() -> None:
    text = "# " + "a" * 30 + "\n\n## " + "b" * 30 + "\n\n### Windows\n\nBody."
    chunks = chunked(text, chunk_size=100)
    assert (chunks[-1].path, chunks[-1].header) == (("…", "Windows"), "[… > Windows]")
    assert chunks[-1].path_truncated


def test_the_header_can_be_the_nearest_heading_or_none() -> None:
    text = "# A\n\n## B\n\nText."
    [nearest] = chunked(text, header=HeaderStyle.NEAREST)
    [none] = chunked(text, header=HeaderStyle.NONE)
    assert (nearest.header, nearest.path) == ("[B]", ("A", "B"))
    assert (none.header, none.text) == ("", none.content)


def test_a_word_over_the_size_is_cut_between_grapheme_clusters() -> None:
    family = "👩‍👩‍👧‍👦"
    chunks = chunked(family * 40, document_format="text", chunk_size=32)
    assert all(len(chunk.text) <= 32 for chunk in chunks)
    assert all(chunk.content == family * (len(chunk.content) // len(family)) for chunk in chunks)
    assert "".join(chunk.content for chunk in chunks) == family * 40


def test_comments_go_but_not_those_in_code() -> None:
    text = "A <!-- one --> b `<!-- two -->` c.\n\n<!-- three -->\n\n```\n<!-- four -->\n```"
    [chunk] = chunked(text)
    assert chunk.content == "A  b `<!-- two -->` c.\n\n\n\n```\n<!-- four -->\n```"
    assert chunk.synthetic
    assert (chunk.start, chunk.end) == (0, len(text))
    [kept] = chunked(text, strip_html_comments=False)
    assert kept.content == text


def test_of_an_embedded_image_its_type_stays() -> None:
    payload = "A" * 5000
    text = f"Before.\n\n![a pump](data:image/png;base64,{payload})\n\nAfter."
    [chunk] = chunked(text, chunk_size=200)
    assert chunk.content == "Before.\n\n![a pump](image/png)\n\nAfter."
    assert (chunk.synthetic, chunk.start, chunk.end) == (True, 0, len(text))


def test_what_follows_a_removal_slices_the_source_exactly() -> None:
    text = "One. <!-- x -->\n\n" + "Two three four. " * 6
    *_, last = chunked(text.strip(), chunk_size=60)
    assert text[last.start : last.end] == last.content


def test_a_title_from_front_matter_heads_the_text() -> None:
    text = "---\ntitle: Kiln\n---\n\nFire slowly."
    [chunk] = chunked(text)
    assert (chunk.path, chunk.content, chunk.blocks) == (("Kiln",), "Fire slowly.", (0, 1))


def test_pages_of_extracted_text_are_told() -> None:
    text = "First page says this much.\n\fSecond page goes on here.\n\fThird page ends it."
    chunks = chunked(text, document_format="pdf", chunk_size=32)
    assert [chunk.pages for chunk in chunks] == [(1,), (2,), (3,)]


def test_formats_without_a_source_text_are_cut_by_their_blocks() -> None:
    text = "<h1>Kiln</h1><p>Fire slowly.</p><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>"
    [chunk] = chunked(text, document_format="html")
    assert chunk.content == "Kiln\n\nFire slowly.\n\na | b\n1 | 2"
    assert (chunk.start, chunk.end, chunk.path) == (None, None, ("Kiln",))


@pytest.mark.parametrize(
    ("embed", "text"),
    [(Embed.FULL, "[A]\n\n# A\n\nText."), (Embed.CONTEXT, "[A]\n\n# A\n\nText."), (Embed.CONTENT, "# A\n\nText.")],
)
def test_what_is_embedded_can_be_chosen(embed: Embed, text: str) -> None:
    [chunk] = chunked("# A\n\nText.", embed=embed)
    assert (chunk.text, chunk.content, chunk.header) == (text, "# A\n\nText.", "[A]")


def test_overlap_begins_at_a_sentence_and_never_crosses_a_heading() -> None:
    text = "# A\n\n" + " ".join(f"Sentence number {number} is here." for number in range(12)) + "\n\n# B\n\nOther."
    chunks = chunked(text, chunk_size=150, overlap=60, min_chunk_size=0)
    inside = [chunk for chunk in chunks[1:] if chunk.path == ("A",)]
    assert inside
    assert all(re.fullmatch(r"(Sentence number \d+ is here\. ?)+", chunk.overlap_text) for chunk in inside)
    assert chunks[-1].overlap_text == ""


@pytest.mark.parametrize(
    "text",
    [
        "x" * 200_000,
        "水" * 50_000,
        "ปั๊มน้ำ" * 10_000,
        "مضخة" * 20_000,
        "👍🏽" * 10_000,
        "\u0301" * 5_000,
        "data:" * 20_000,
    ],
    ids=["latin", "han", "thai", "arabic", "emoji", "marks", "colons"],
)
def test_text_without_spaces_is_cut_to_size_and_kept_whole(text: str) -> None:
    measure = tokens()
    chunks = chunked(text, document_format="text", measure=measure, chunk_size=100, overlap=20)
    assert all(measure.size(chunk.text) <= 100 for chunk in chunks)
    assert "".join(chunk.content for chunk in chunks) == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize(
    "text", ["a line of text\n" * 40_000, "a line of text\n" * 40_000 + "\n", "a line of text\n\n" * 20_000]
)
def test_texts_of_very_many_lines_are_cut(text: str) -> None:
    """Case P16; its times are a matter of the benchmark."""
    chunks = chunked(text, document_format="text", chunk_size=1000, overlap=100)
    assert all(len(chunk.text) <= 1000 for chunk in chunks)
    assert "".join("".join(chunk.content.split()) for chunk in chunks) == "".join(text.split())
