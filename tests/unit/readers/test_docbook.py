"""DocBook in detail; manuals stand among the golden files."""

import re
import time

import pytest

from app.readers.docbook_mending import mended_docbook
from tests.unit.readers.reading import line, lines, parsed

CASES = {
    "a table's foot stands behind its body": (
        (
            "<table><title>T</title><tgroup cols='2'><thead><row><entry>a</entry><entry>b</entry></row></thead>"
            "<tfoot><row><entry>sum</entry><entry>3</entry></row></tfoot>"
            "<tbody><row><entry>c</entry><entry>3</entry></row></tbody></tgroup></table>"
        ),
        ["table | Table: T\na | b\nc | 3\nsum | 3"],
    ),
    "titles of lists": (
        (
            "<procedure><title>How <emphasis>to</emphasis></title><step><para>a</para></step></procedure>"
            "<itemizedlist mark='x'><title>What</title><listitem><para>b</para></listitem></itemizedlist>"
        ),
        ["p | How to", "list | 1. a", "p | What", "list | - b"],
    ),
    "simple lists": (
        "<simplelist><member>a <emphasis>b</emphasis></member><member>c</member></simplelist>",
        ["list | - a b\n- c"],
    ),
    "terms of one definition": (
        (
            "<variablelist><varlistentry><term>a</term> <term id='x'>b</term>"
            "<listitem><para>c</para></listitem></varlistentry></variablelist>"
        ),
        ["list | - a, b: c"],
    ),
    "entities that hold characters": ("<para>&firm; &ndash; &#233;</para>", ["p | A & B – é"]),
}


@pytest.mark.parametrize("name", CASES)
def test_constructs(name: str) -> None:
    body, expected = CASES[name]

    source = f"<!DOCTYPE article [<!ENTITY firm 'A &amp; B'>]><article>{body}</article>"
    assert lines(source, "docbook") == expected


@pytest.mark.parametrize("attribute", ["lang", "xml:lang"])
def test_the_root_says_the_language(attribute: str) -> None:
    source = f'<?xml version="1.0"?><book {attribute}="fr-CA" id="x"><title>T</title></book>'

    assert parsed(source, "docbook").language == "fr-CA"


def test_a_source_that_was_cut_off_is_mended() -> None:
    source = (
        "<?xml version='1.0' encoding='utf-8'?><article><title>Öfen</title><section><title>Fire</title><para>Heat <emph"
    )

    document = parsed(source, "docbook")

    assert [line(block) for block in document.blocks] == ["h1 | Öfen", "h2 | Fire", "p | Heat"]
    assert document.warnings == ("Line 1 could not be read as DocBook before it was mended.",)


MENDED = {
    "text in a table": (
        "<article><para>before</para><table>inside<para>after</para></article>",
        ["p | before", "p | inside", "p | after"],
    ),
    "CDATA that does not end": (
        "<article><para>before</para><table><![CDATA[inside",
        ["p | before", "p | inside"],
    ),
    "code in CDATA that does not end": ("<article><screen><![CDATA[a <b> & c", ["code | a <b> & c"]),
    "single signs": ("<article><para>a < b & c > d &nope; &#233;<foo", ["p | a < b & c > d &nope; \u00e9"]),
    "a comment that does not end": ("<article><para>a</para><!-- b", ["p | a", "p | <!-- b"]),
    "a comment and an instruction": ("<article><!-- no --><?no ?><para>a", ["p | a"]),
    "a quotation mark that does not end": ('<article><para id=">a</para><para>b</para>', ["p | a", "p | b"]),
    "an attribute without marks": ("<article><para id=x>a</para>", ["p | a"]),
    "what follows the root": ("<article><para>a</article>b<para>c</para>", ["p | a", "p | b", "p | c"]),
    "no root": ("a <para>b", ["p | a", "p | b"]),
    "a table for a root": ("<table>a", ["p | a"]),
    "a title that does not end": (
        "<article><title>A<para>b</para><section><title>C<table><title>D</title></table><para>e</para></section></article>",
        ["h1 | A", "p | b", "h2 | C", "p | D", "p | e"],
    ),
    "the title of a section that never opened": (
        "<article><title>A</title><para>b</para><title>C</title><para>d</para></section></article>",
        ["h1 | A", "p | b", "p | C", "p | d"],
    ),
    "a paragraph that does not end": (
        "<article><para>a <emphasis>b<para>c</para><section><title>D</title></section></article>",
        ["p | a b", "p | c", "h1 | D"],
    ),
    "strays of a table, in a namespace": (
        (
            '<article xmlns="http://docbook.org/ns/docbook"><table>a<row><para>b</para></row><tgroup><tbody><row>'
            "<entry>c</entry>d</row>e</tbody></tgroup></table>f"
        ),
        ["table | c", "p | a", "p | b", "p | d", "p | e", "p | f"],
    ),
    "strays of lists": (
        (
            "<article><itemizedlist>a<listitem><para>b</para></listitem></itemizedlist><variablelist><varlistentry>"
            "<term>c</term>d<listitem><para>e</para></listitem><para>f</para></varlistentry></variablelist>"
        ),
        ["list | - b", "p | a", "list | - c: e", "p | d", "p | f"],
    ),
    "an end tag of nothing, and tags that cross": (
        "<article></para><para>a <emphasis>b</para> c</emphasis></article>",
        ["p | a b", "p | c"],
    ),
}


@pytest.mark.parametrize("name", MENDED)
def test_no_word_is_lost_where_a_source_is_mended(name: str) -> None:
    source, expected = MENDED[name]

    document = parsed(source, "docbook")

    assert [line(block) for block in document.blocks] == expected
    assert document.warnings == ("Line 1 could not be read as DocBook before it was mended.",)


WHOLE = (
    "<article><title>alpha</title><para>bravo <emphasis>charlie</emphasis><footnote><para>delta</para></footnote>"
    "</para><table><title>echo</title><tgroup><thead><row><entry>foxtrot</entry><entry>golf</entry></row></thead>"
    "<tbody><row><entry>hotel</entry><entry><para>india</para></entry></row></tbody></tgroup></table>"
    "<variablelist><varlistentry><term>juliet</term><listitem><para>kilo</para></listitem></varlistentry></variablelist>"
    "<itemizedlist><listitem><para>lima</para></listitem><listitem><para>mike</para></listitem></itemizedlist>"
    "<section><title>november</title><programlisting>oscar</programlisting><note><para>papa</para></note>"
    "<figure><title>quebec</title><mediaobject><textobject><phrase>romeo</phrase></textobject></mediaobject></figure>"
    "</section><para>sierra</para></article>"
)
TAGS = [match.span() for match in re.finditer(r"<[^<>]*>", WHOLE)]


@pytest.mark.parametrize("at", [end for _, end in TAGS])
def test_whatever_is_cut_off_what_stands_before_is_read(at: int) -> None:
    written = WHOLE[:at]

    read = " ".join(block.text for block in parsed(written, "docbook").blocks)

    assert set(re.findall(r"\w+", re.sub(r"<[^<>]*>", " ", written))) <= set(re.findall(r"\w+", read))


@pytest.mark.parametrize("tag", TAGS)
def test_whichever_tag_is_missing_all_words_are_read(tag: tuple[int, int]) -> None:
    written = f"{WHOLE[: tag[0]]} {WHOLE[tag[1] :]}"

    read = " ".join(block.text for block in parsed(written, "docbook").blocks)

    assert set(re.findall(r"\w+", re.sub(r"<[^<>]*>", " ", written))) <= set(re.findall(r"\w+", read))


@pytest.mark.parametrize(
    "flood",
    ["<", "<!--", "<![CDATA[", "<a ", '<a b="', "<a>", "</a>", "<para>", "<?", "&", "<a><b></a>", "<table>x", "<row>a"],
)
def test_floods_are_mended_in_linear_time(flood: str) -> None:
    started = time.process_time()

    mended_docbook(f"<article>{flood * 50_000}")

    assert time.process_time() - started < 3


def test_many_titles_of_a_table_are_mended_in_linear_time() -> None:
    source = f"<article><table>{'<title>a</title>' * 20_000}<row>{'<entry></entry>' * 20_000}"
    started = time.process_time()

    mended = mended_docbook(source)

    assert time.process_time() - started < 3
    assert mended is not None
    assert mended.count("<para>a</para>") == 20_000


def test_a_namespace_that_nothing_can_be_made_in_is_no_failure() -> None:
    mended = mended_docbook('<article xmlns="http://http://docbook.org/ns/docbook"><row>stray <entry>a</entry></row>')
    assert mended is not None
    assert "<para>stray </para>" in mended


def test_titles_become_paragraphs_whatever_the_namespace_is_called() -> None:
    mended = mended_docbook('<table xmlns="}title/x"><title>One</title><title>Two</title>')
    assert mended is not None
    assert re.findall(r"<para[^>]*>(\w+)</para>", mended) == ["One", "Two"]
