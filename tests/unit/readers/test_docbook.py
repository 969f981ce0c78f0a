"""DocBook in detail; manuals stand among the golden files."""

import pytest

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
