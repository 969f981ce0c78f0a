"""Manual pages in detail; the elements stand among the formats and the golden files."""

import time

import pytest

from tests.unit.readers.reading import line, lines, parsed

PAGE = ".TH KILN 1\n.SH A\n{}\n.PP\nnext \\fBbold\\fP \\*(lqq\\*(rq\n.SH B\nmore\n"
NEXT = ["p | next bold \u201cq\u201d", "h2 | B", "p | more"]


@pytest.mark.parametrize("source", [".TH KILN 1\nText only here.", ".TH KILN 1\nText only here.\n"])
def test_a_page_without_sections(source: str) -> None:
    assert lines(source, "man") == ["h1 | KILN", "p | Text only here."]


#: What is no escape, and what it reads as.
UNENDED = {
    "foo \\*[q bar": "foo \\*[q bar",
    "foo \\[q bar": "foo \\[q bar",
    "foo \\f[q \\fBbar\\fP": "foo \\f[q bar",
    "foo \\h'q bar": "foo \\h'q bar",
    "foo \\s[q \\(em bar": "foo \\s[q \u2014 bar",
    "foo \\n[q bar \\*[r": "foo \\n[q bar \\*[r",
    "foo \\f bar": "foo \\f bar",
    "foo \\{ bar": "foo \\{ bar",
    ".B foo \\*[q bar": "foo \\*[q bar",
    "foo \\\\ \\e \\*[q \\-\\-bar\\&": "foo \\ \\ \\*[q --bar",
}


@pytest.mark.parametrize("written", UNENDED)
def test_an_escape_that_does_not_end_is_text_and_the_rest_is_read(written: str) -> None:
    document = parsed(PAGE.format(written), "man")

    blocks = [line(block) for block in document.blocks]
    assert blocks == ["h1 | KILN", "h2 | A", f"p | {UNENDED[written]}", *NEXT]
    assert document.warnings == ("Lines 2 to 5 could not be read as man before it was mended.",)


def test_a_brace_that_closes_nothing_is_text() -> None:
    assert lines(PAGE.format("foo \\} bar"), "man") == ["h1 | KILN", "h2 | A", "p | foo \\} bar", *NEXT]


def test_conditions_keep_their_braces_when_a_page_is_mended() -> None:
    source = PAGE.format("foo \\*[q\n.if n \\{\\\n.B yes\n.\\}")

    assert lines(source, "man") == ["h1 | KILN", "h2 | A", "p | foo \\*[q yes", *NEXT]


def test_what_cannot_be_mended_is_plain_text_without_requests() -> None:
    source = '.\\" kept by hand\n.TH KILN 1\nfoo \\fBbar\\fP \\-x\n.TS\nopen\n.B bold\n.SH B\nfine\n'

    document = parsed(source, "man")

    assert [line(block) for block in document.blocks] == ["p | foo bar -x", "p | open bold", "h1 | B", "p | fine"]
    [warning] = document.warnings
    assert warning.startswith("Lines 1 to 6 could not be read as man and became plain text")


@pytest.mark.parametrize("flood", ["\\[", "\\h'", "\\f", "\\s[", "\\{", "\\", ".B \\*["])
def test_floods_of_open_escapes_are_mended_in_linear_time(flood: str) -> None:
    started = time.process_time()

    parsed(f".TH X 1\n.SH A\n{flood * 20_000}\n", "man")

    assert time.process_time() - started < 3
