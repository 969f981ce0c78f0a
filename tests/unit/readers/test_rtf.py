"""RTF in detail; letters stand among the golden files."""

import pytest

from tests.unit.readers.reading import line, lines, parsed


def rtf(body: str, code_page: int = 1252) -> str:
    return f"{{\\rtf1\\ansi\\ansicpg{code_page}{{\\fonttbl{{\\f0 Arial;}}}}{body}}}"


TEXTS = {
    "a character by its number, and its stand-in": (
        rtf("caf\\u233?bcd 900 \\u8364? \\emdash  so"),
        "cafébcd 900 € — so",
    ),
    "a stand-in that is a byte": (rtf("900\\u8364\\'80 now"), "900€ now"),
    "no stand-in": (rtf("{\\uc0 900\\u8364 now}, 1\\u8364?"), "900€now, 1€"),
    "two stand-ins": (rtf("\\uc2 a\\u233\\'c3\\'a9b"), "aéb"),
    "a number below zero": (rtf("a\\u-4064?b\\u-257?c"), "a\uf020b\ufeffc".replace("\ufeff", "")),
    "two numbers for one character": (rtf("so\\u-10179?\\u-8693?good"), "so\U0001f60bgood"),
    "half a character": (rtf("a\\u-10179?b"), "ab"),
    "a letter by its number behind a control word": (rtf("x {\\b\\u65?\\u66?}"), "x AB"),
    "another code page": (rtf("V\\'fdpal \\'9e", 1250), "Výpal ž"),
    "characters of two bytes": (rtf("\\'93\\'fa\\'96\\'7b", 932), "日本"),
    "a code page that nobody knows": (rtf("caf\\'e9", 99999), "café"),
    "a deletion that was tracked": (rtf("kept{\\deleted\\revauth1  gone\\'e9\\u233?}{\\deleted0  too}"), "kept too"),
    "a sign right behind a control word": (rtf("x {\\b\\u8364?} y"), "x € y"),
    "a note": (rtf("c{\\super\\chftn{\\footnote\\pard\\plain\\chftn  d\\par\\pard e\\par}}, f"), "c (d e), f"),
    "a note that ends with a control word": (rtf("c{\\b\\footnote \\u8364?\\par}. f"), "c (€). f"),
    "a note that says nothing": (rtf("c{\\footnote\\chftn} e"), "c e"),
    "a note in a note": (rtf("c{\\footnote x{\\footnote y} z} e"), "c (x (y) z) e"),
    "a table in a note": (rtf("x{\\footnote\\trowd\\cellx1\\pard\\intbl a\\cell\\row\\pard d} e"), "x (a d) e"),
    "escaped signs": (rtf("\\{a\\} \\\\ b"), "{a} \\ b"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_texts(name: str) -> None:
    source, expected = TEXTS[name]

    assert lines(source, "rtf") == [f"p | {expected}"]


def test_merged_cells_are_repeated() -> None:
    source = rtf(
        "\\pard before\\par"
        "\\trowd\\clvmgf\\cellx1\\clmgf\\cellx2\\clmrg\\cellx3\\pard\\intbl a\\cell{\\b b\\'e9}\\cell\\cell\\row"
        "\\trowd\\clvmrg\\cellx1\\cellx2\\cellx3\\pard\\intbl\\cell c\\cell d\\cell\\row"
        "\\trowd\\cellx1\\cellx2\\cellx3\\pard\\intbl e\\cell\\cell f\\cell\\row\\pard after\\par"
    )

    assert lines(source, "rtf") == ["p | before", "table | a | bé | bé\na | c | d\ne |  | f", "p | after"]


NOTES_AND_TABLES = {
    "a note in the paragraph behind a table": (
        "{\\rtf1\\trowd\\cellx1000\\cellx2000 a\\cell b\\cell\\row \\pard c{\\footnote d} e\\par}",
        ["table | a | b", "p | c (d) e"],
    ),
    "behind an empty paragraph": (
        (
            "{\\rtf1\\trowd\\cellx1\\cellx2\\pard\\intbl a\\cell b\\cell\\row\\pard\\par"
            "\\pard c{\\footnote\\pard d\\par} e\\par}"
        ),
        ["table | a | b", "p | c (d) e"],
    ),
    "in a cell of the second row": (
        (
            "{\\rtf1\\trowd\\cellx1\\cellx2\\pard\\intbl a\\cell b\\cell\\row"
            "\\trowd\\cellx1\\cellx2\\pard\\intbl c\\cell d{\\footnote\\pard e\\par}\\cell\\row\\pard f\\par}"
        ),
        ["table | a | b\nc | d (e)", "p | f"],
    ),
    "cells whose paragraphs do not say that they are in a table": (
        (
            "{\\rtf1 a\\par\\trowd\\cellx1\\cellx2 b\\par c\\cell{\\b d}\\cell\\row"
            "\\trowd\\cellx1\\cellx2 e\\cell f\\cell\\row g\\par}"
        ),
        ["p | a", "table | b c | d\ne | f", "p | g"],
    ),
    "a row that never comes": ("{\\rtf1 a\\par\\trowd\\cellx1 b\\par c\\par}", ["p | a", "p | b", "p | c"]),
    "a cell without a row": ("\\cell a", ["p | a"]),
}


@pytest.mark.parametrize("name", NOTES_AND_TABLES)
def test_notes_and_tables(name: str) -> None:
    source, expected = NOTES_AND_TABLES[name]

    assert lines(source, "rtf") == expected


def test_a_list_goes_on_behind_a_list_inside_it() -> None:
    source = rtf(
        "{\\*\\listtable{\\list{\\listlevel\\levelnfc23}{\\listlevel\\levelnfc0\\levelstartat1}\\listid1}}"
        "{\\*\\listoverridetable{\\listoverride\\listid1\\ls1}}"
        "\\pard\\ls1\\ilvl0 one\\par\\pard\\ls1\\ilvl1 two\\par\\pard\\ls1\\ilvl0 three\\par\\pard end\\par"
    )

    assert lines(source, "rtf") == ["list | - one\n  1. two\n- three", "p | end"]


def test_a_picture_has_no_words() -> None:
    assert lines(rtf("\\pard a {\\pict\\pngblip 89504e47} b\\par"), "rtf") == ["p | a b"]


def test_a_letter_that_was_cut_off_is_mended() -> None:
    document = parsed("{\\rtf1\\ansi{\\info{\\title Kiln}}\\pard caf\\u233?s {\\b open\\par\\pard \\{last\\}", "rtf")

    assert [line(block) for block in document.blocks] == ["h1 | Kiln", "p | cafés open", "p | {last}"]
    assert document.warnings == ("Line 1 could not be read as RTF before it was mended.",)


def test_what_cannot_be_mended_is_plain_text() -> None:
    document = parsed("{\\rtf1 caf\\u233?s \\{so\\}{\\footnote d}\\par 5\\'b0 \\'zz}", "rtf")

    assert [line(block) for block in document.blocks] == ["p | cafés {so} (d)", "p | 5° zz"]
    [warning] = document.warnings
    assert warning.startswith("Line 1 could not be read as RTF and became plain text")
