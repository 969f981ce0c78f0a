"""What a subtree of a data file is found by: what its text says, however it is written."""

import pytest

from app.documents.document import Unit, UnitKind
from app.documents.markup import ParsedMarkup, SubtreeSizes
from app.markup.outline import Escapes
from app.ports.reader_runner import Source
from app.readers.registry import read
from app.terms.exact import exact_terms
from app.terms.unit_terms import count_terms, searched_text
from app.terms.written import EVERYWHERE, IN_QUOTES, as_said


def units(source: str, format_name: str, sizes: SubtreeSizes | None = None) -> list[Unit]:
    """The units that a data file is cut into, as ingestion makes them."""
    parsed = read(Source(data=source.encode(), format=format_name, subtrees=sizes or SubtreeSizes()))
    assert isinstance(parsed, ParsedMarkup)
    return [
        Unit(
            id=f"s{number}",
            kind=UnitKind.SUBTREE,
            text=f"C:\\tools: {subtree.label}\n{subtree.text}",
            path=subtree.path,
            meta=subtree.meta,
        )
        for number, subtree in enumerate(parsed.subtrees, start=1)
    ]


#: Source, what its one unit shows, and the terms behind those of the title (`C:\tools`) and of the label `(top level)`.
SAID = {
    "JSON": (
        "json",
        r'{"log": "open\nclose\tthe \"lid\" caf\u00e9 \ud83d\ude00 a\/b C:\\new\\table \u0001x1"}',
        '  "log": "open\\nclose\\tthe \\"lid\\" café 😀 a/b C:\\\\new\\\\table \\u0001x1"',
        ["log", "open", "close", "the", "lid", "café", "new", "table", "x1"],
    ),
    "JSON Lines": ("jsonl", '{"a": "one\\ntwo"}\n', '  "a": "one\\ntwo"', ["one", "two"]),
    "YAML": (
        "yaml",
        'log: "open\\nclose \\u00e9t\\xe9 \\U0001F600"\npath: C:\\new\nsame: \'C:\\table "\\node"\'\n',
        'log: "open\\nclose \\u00e9t\\xe9 \\U0001F600"',
        ["log", "open", "close", "été", "path", "new", "same", "table", "node"],
    ),
    "TOML": (
        "toml",
        'log = "open\\nclose \\u00e9t\\u00e9"\npath = \'C:\\new\'\nlong = """\none\\ntwo \\\n  three"""\n',
        'log = "open\\nclose \\u00e9t\\u00e9"',
        ["log", "open", "close", "été", "path", "new", "long", "one", "two", "three"],
    ),
    "XML": ("xml", '<a b="C:\\new"><c>C:\\table\\x41</c></a>', '<a b="C:\\new">', ["new", "table", "x41"]),
}


@pytest.mark.parametrize("name", SAID)
def test_terms_are_those_of_what_a_file_says_and_its_text_stays_as_it_is_written(name: str) -> None:
    format_name, source, shown, terms = SAID[name]

    [unit] = units(source, format_name)

    assert shown in unit.text.split("\n")
    assert set(exact_terms(searched_text(unit))) - {"top", "level"} == {"tools", *terms}
    [counted] = count_terms([unit], None)
    assert set(counted.exact) >= set(terms)
    assert "nclose" not in counted.folded


def test_a_part_of_a_long_string_is_read_as_its_file_is_written() -> None:
    found = units('{"text": "' + "one\\ntwo three " * 100 + '"}', "json", SubtreeSizes(most=50, small=20))

    assert len(found) > 2
    assert {term for unit in found for term in exact_terms(searched_text(unit))} >= {"one", "two", "three"}
    assert not any("ntwo" in exact_terms(searched_text(unit)) for unit in found)


def test_a_passage_has_no_escapes() -> None:
    passage = Unit(id="p1", kind=UnitKind.PASSAGE, text='in "C:\\new"\nand "C:\\table"', meta={"escapes": EVERYWHERE})

    assert exact_terms(searched_text(passage)) == ["in", "new", "and", "table"]


#: As written, and as said in quotes only.
QUOTED = {
    'a: "x\\"y\\nz" b\\nc': 'a: "x"y z" b\\nc',
    "it's \"a\\nb\" and it's": "it's \"a b\" and it's",
    "'don''t \"a\\nb\"'": "'don''t \"a\\nb\"'",
    'a 5" pipe C:\\new': 'a 5" pipe C:\\new',
    '"goes on\\nhere\nC:\\new': '"goes on here\nC:\\new',
    '"\\ud83d" "\\q\\\\n"': '"\ufffd" "q\\n"',
    '"\\U00110000 \\x4"': '"U00110000 x4"',
}


@pytest.mark.parametrize("written", QUOTED)
def test_escapes_in_quotes(written: str) -> None:
    assert as_said(written, IN_QUOTES) == QUOTED[written]


def test_both_sides_call_the_ways_of_writing_alike() -> None:
    assert {escapes.value for escapes in Escapes} == {EVERYWHERE, IN_QUOTES}
