import json

import pytest

from app.documents.block import Block, BlockType
from app.errors import MalformedDocument, TooDeep
from tests.unit.readers.reading import lines, parsed


def test_the_example_of_the_design() -> None:
    source = """[{"type": "heading", "text": "Tap.open(turns)", "level": 2},
     {"type": "paragraph", "text": "Opens the tap.",
      "meta": {"entry": "Tap.open", "signature": "Tap.open(turns)", "page": 3}}]"""

    assert parsed(source, "blocks").blocks == (
        Block(type=BlockType.HEADING, text="Tap.open(turns)", level=2),
        Block(
            type=BlockType.PARAGRAPH,
            text="Opens the tap.",
            meta={"entry": "Tap.open", "signature": "Tap.open(turns)", "page": 3},
        ),
    )


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("", "Not JSON"),
        ("{", "line 1, column 2"),
        ('{"type": "paragraph"}', "JSON list"),
        ('"text"', "JSON list"),
        ('[{"type": "paragraph", "text": "a"}, "b"]', "Item 1 is not an object"),
        ('[{"type": "section", "text": "a"}]', "Item 0 has no valid type"),
        ('[{"type": [], "text": "a"}]', "Item 0 has no valid type"),
        ('[{"type": "paragraph", "text": 1}]', "Item 0 has no text"),
        ('[{"type": "paragraph"}]', "Item 0 has no text"),
        ('[{"type": "heading", "text": "a"}]', "heading at item 0"),
        ('[{"type": "heading", "text": "a", "level": true}]', "heading at item 0"),
        ('[{"type": "heading", "text": "a", "level": 0}]', "between 1 and 9"),
        ('[{"type": "heading", "text": "a", "level": 10}]', "between 1 and 9"),
        ('[{"type": "heading", "text": "a", "level": 1.0}]', "between 1 and 9"),
        ('[{"type": "paragraph", "text": "a", "meta": []}]', "meta of item 0"),
        ('[{"type": "paragraph", "text": "a", "meta": {"n": NaN}}]', "NaN"),
        ('[{"type": "paragraph", "text": "a", "text": "b"}]', "'text' stands twice"),
        ('[{"type": "paragraph", "text": "a", "meta": {"n": ' + "9" * 5000 + "}}]", "Not JSON that can be read"),
    ],
)
def test_a_malformed_list_is_refused_with_its_place(source: str, why: str) -> None:
    with pytest.raises(MalformedDocument, match=why.replace("(", r"\(")):
        parsed(source, "blocks")


@pytest.mark.parametrize("depth", [300, 100_000])
def test_a_list_nested_too_deeply_is_refused(depth: int) -> None:
    meta = '{"a": ' * depth + "1" + "}" * depth
    with pytest.raises(TooDeep):
        parsed(f'[{{"type": "paragraph", "text": "a", "meta": {meta}}}]', "blocks")


def test_the_level_of_other_types_is_ignored_and_null_meta_is_none() -> None:
    source = '[{"type": "paragraph", "text": "a", "level": "x", "meta": null}]'

    assert parsed(source, "blocks").blocks == (Block(type=BlockType.PARAGRAPH, text="a"),)


def test_blank_items_keep_their_place_and_a_list_of_nothing_else_is_empty() -> None:
    blank = '{"type": "paragraph", "text": " "}'

    document = parsed(f'[{blank}, {{"type": "paragraph", "text": "a"}}]', "blocks")

    assert [block.text for block in document.blocks] == ["", "a"]
    assert parsed(f"[{blank}, {blank}]", "blocks").blocks == ()
    assert parsed("[]", "blocks").blocks == ()


def test_texts_are_cleaned_by_their_kind() -> None:
    items = [
        {"type": "paragraph", "text": " two\n lines\u00ad "},
        {"type": "list", "text": "- a\n  - b\n"},
        {"type": "code", "text": "\n\n  x = 1\n\n  y\t\n"},
    ]

    assert lines(json.dumps(items), "blocks") == ["p | two lines", "list | - a\n  - b", "code |   x = 1\n\n  y"]


def test_a_table_without_rows_gets_them_from_its_lines() -> None:
    items = [
        {"type": "table", "text": "Table: Parts\nPart | Qty\nSeal | 2", "meta": {"page": 4}},
        {"type": "table", "text": "kept", "meta": {"rows": [["x"]]}},
    ]

    first, second = parsed(json.dumps(items), "blocks").blocks

    assert first.meta == {"page": 4, "caption": "Parts", "header": ["Part", "Qty"], "rows": [["Seal", "2"]]}
    assert second.meta == {"rows": [["x"]]}


def test_characters_that_cannot_be_stored_are_replaced_everywhere() -> None:
    source = '[{"type": "paragraph", "text": "a\\ud800b", "meta": {"k\\u0000": ["\\udc00", "\\\\u0000"]}}]'

    document = parsed(source, "blocks")

    assert document.blocks[0].text == "a\ufffdb"
    assert document.blocks[0].meta == {"k\ufffd": ["\ufffd", "\\u0000"]}
    assert document.warnings == ("Characters that can't be stored were replaced: 3.",)
