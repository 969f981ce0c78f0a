import pytest

from app.documents.block import Block
from app.errors import UnknownFormat
from app.ports.reader_runner import Source
from app.readers.pdf_text import read_pdf_text
from app.readers.registry import read


def blocks(text: str) -> list[Block]:
    return list(read_pdf_text(Source(data=text.encode(), format="pdf")).blocks)


def texts(text: str) -> list[str]:
    return [block.text for block in blocks(text)]


def test_hyphenated_words_are_joined_and_compounds_kept() -> None:
    text = "The pump is a well-known exam-\nple of a well-\nknown machine made by Kiel-\nWerft and main-\ntained there."

    assert texts(text) == [
        "The pump is a well-known example of a well-known machine made by Kiel-Werft and maintained there."
    ]


def test_lines_of_one_paragraph_are_joined() -> None:
    assert texts("Open the lid\nand wait.\n\nThen close\nit.") == ["Open the lid and wait.", "Then close it."]


def test_headers_footers_and_page_numbers_go_and_blocks_know_their_page() -> None:
    pages = [
        f"Pump manual\n\n{word} is the {word.lower()} step and it takes a while.\n\nTidewell GmbH\n{number}"
        for number, word in enumerate(["First", "Second", "Third"], start=1)
    ]

    found = blocks("\f".join(pages))

    assert [(block.text, block.meta["page"]) for block in found] == [
        ("First is the first step and it takes a while.", 1),
        ("Second is the second step and it takes a while.", 2),
        ("Third is the third step and it takes a while.", 3),
    ]


def test_a_paragraph_over_a_page_break_is_one_and_stands_on_its_first_page() -> None:
    found = blocks("The lid is\n- 1 -\f- 2 -\nclosed by hand.")

    assert [(block.text, block.meta["page"]) for block in found] == [("The lid is closed by hand.", 1)]


def test_page_marks_number_the_pages() -> None:
    found = blocks("--- page 7 ---\nOpen it.\n--- Page 8 ---\nClose it.\n")

    assert [(block.text, block.meta["page"]) for block in found] == [("Open it.", 7), ("Close it.", 8)]


def test_a_number_in_running_text_stays() -> None:
    assert texts("There were\n42\npumps.") == ["There were 42 pumps."]


def test_text_without_pages_has_none() -> None:
    assert [dict(block.meta) for block in blocks("One line.")] == [{}]


def test_the_bytes_of_a_pdf_are_refused_with_advice() -> None:
    with pytest.raises(UnknownFormat, match="PDF"):
        read(Source(data=b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj", format="pdf"))


def test_offsets_slice_the_cleaned_text() -> None:
    parsed = read_pdf_text(Source(data=b"An exam-\nple here.\n\nAnother one.", format="pdf"))

    assert parsed.source is not None
    assert [parsed.source[block.start : block.end] for block in parsed.blocks] == ["An example here.", "Another one."]
