from app.documents.chunk import Chunk, Chunking, Heading
from app.profiling.sections import Section, divide, sections, split_depth


def chunk(index: int, *path: str, content: str = "Text.", tokens: int = 10) -> Chunk:
    return Chunk(
        index=index,
        text=content,
        content=content,
        blocks=(index,),
        path=path,
        heading_level=len(path) or None,
        section=0,
        tokens=tokens,
    )


def chunking(*chunks: Chunk, outline: tuple[Heading, ...] = ()) -> Chunking:
    return Chunking(chunks=chunks, outline=outline, used_jev=False)


def parted(document: Chunking, title: str) -> tuple[Section, ...]:
    """The sections of a document that is no conversation."""
    return sections(document, divide([part.path for part in document.chunks], title), {})


def outline(*entries: tuple[int, str]) -> tuple[Heading, ...]:
    return tuple(Heading(block=block, title=title, level=level) for block, (level, title) in enumerate(entries))


def test_a_document_divides_at_the_first_depth_with_two_headings() -> None:
    assert split_depth([("Guide",), ("Guide", "Install"), ("Guide", "Use", "Daily")]) == 1
    assert split_depth([("Install",), ("Use",)]) == 0


def test_a_document_whose_headings_never_differ_divides_at_depth_0() -> None:
    assert split_depth([]) == 0
    assert split_depth([(), ()]) == 0
    assert split_depth([("Guide", "Install"), ("Guide", "Install")]) == 0


def test_a_passage_before_the_first_heading_is_no_heading_of_its_own() -> None:
    assert split_depth([(), ("Guide",)]) == 0
    assert split_depth([(), ("Guide", "Install"), ("Guide", "Use")]) == 1


def test_passages_under_one_heading_are_one_section_wherever_they_stand() -> None:
    found = parted(
        chunking(
            chunk(0, "Guide", tokens=5),
            chunk(1, "Guide", "Install", tokens=20),
            chunk(2, "Guide", "Use", "Daily", tokens=30),
            chunk(3, "Guide", "Install", "Windows", tokens=40),
        ),
        "Pump manual",
    )

    assert [(section.title, section.chunks, section.tokens) for section in found] == [
        ("Guide", (0,), 5),
        ("Install", (1, 3), 60),
        ("Use", (2,), 30),
    ]


def test_a_passage_before_the_first_heading_counts_under_the_documents_title() -> None:
    found = parted(chunking(chunk(0), chunk(1, "Install"), chunk(2, "Use")), "Pump manual")

    assert [section.title for section in found] == ["Pump manual", "Install", "Use"]


def test_a_document_without_headings_is_one_section_and_an_empty_one_has_none() -> None:
    assert [section.chunks for section in parted(chunking(chunk(0), chunk(1)), "notes.txt")] == [(0, 1)]
    assert parted(chunking(), "empty") == ()


def test_a_section_is_shown_by_its_first_600_characters_across_its_passages() -> None:
    (section,) = parted(chunking(chunk(0, content="a" * 400), chunk(1, content="b" * 400), chunk(2)), "Notes")

    assert section.opening == "a" * 400 + "\n\n" + "b" * 198


def test_a_section_is_shown_by_up_to_20_deeper_headings_of_its_own() -> None:
    deeper = [(3, f"Step {number}") for number in range(1, 26)]
    found = parted(
        chunking(
            chunk(0, "Guide", "Install"),
            chunk(1, "Guide", "Use"),
            outline=outline((1, "Guide"), (2, "Install"), *deeper, (2, "Use"), (3, "Daily"), (4, "At night")),
        ),
        "Pump manual",
    )

    assert found[0].headings == tuple(f"Step {number}" for number in range(1, 21))
    assert found[1].headings == ("Daily", "At night")


def test_the_question_carries_what_the_section_is_shown_by() -> None:
    (section,) = parted(
        chunking(chunk(0, "Use", content="Press start."), outline=outline((1, "Use"), (2, "Daily"))), "Pump"
    )

    question = section.question()

    assert (question.title, question.opening, question.headings) == ("Use", "Press start.", ("Daily",))


def test_a_conversation_is_a_section_in_its_place_with_the_tokens_of_its_turns() -> None:
    """Retrieval design, "Sections": the passages are those of the other sections, the depth is that of all."""
    passages = chunking(chunk(0, "Guide", "Install", tokens=5), chunk(1, "Guide", "Use", tokens=7))
    division = divide([("Guide", "Install"), ("Guide", "Talk", "Monday"), ("Guide", "Use")], "Pump manual")

    found = sections(passages, division, {"Talk": 90})

    assert [(section.title, section.chunks, section.tokens, section.spoken) for section in found] == [
        ("Install", (0,), 5, False),
        ("Talk", (), 90, True),
        ("Use", (1,), 7, False),
    ]


def test_the_depth_at_which_a_document_divides_is_that_of_all_its_text() -> None:
    division = divide([("Guide", "Talk"), ("Guide", "Use")], "Pump manual")

    assert [division.title_of(path) for path in [(), ("Guide",), ("Guide", "Use", "Daily")]] == [
        "Pump manual",
        "Guide",
        "Use",
    ]
    assert division.titles == ("Talk", "Use")
