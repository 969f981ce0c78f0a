import json

import pytest

from app.documents.markup import SubtreeSizes
from app.errors import TooDeep
from app.markup.json_outline import json_outline
from app.markup.json_values import begins_json
from app.markup.subtrees import subtrees
from app.markup.syntax import BadSyntax
from tests.unit.markup.cutting import cut, labels, linked, outlined, texts, values


def refused(text: str, name: str = "json") -> tuple[str, int | None, int | None]:
    with pytest.raises(BadSyntax) as caught:
        cut(text, name)
    return caught.value.what, caught.value.line, caught.value.column


def test_numbers_stay_as_they_are_written_and_strings_are_decoded() -> None:
    text = (
        '{"a": 1.10, "b": 1e400, "c": -0, "d": "caf\\u00e9 \\"x\\" \\/", "e": [true, false, null], "f": '
        + "9" * 5_000
        + "}"
    )
    assert cut(text, "json").data == {"format": "json", "layout": "printed"}
    assert texts(cut(text, "json", most=5_000))[0].startswith(
        '{\n  "a": 1.10,\n  "b": 1e400,\n  "c": -0,\n  "d": "café \\"x\\" /",\n  "e": [\n    true,\n'
        "    false,\n    null\n  ],\n"
    )
    assert values(outlined(text, "json")) == {
        "a": "1.10",
        "b": "1e400",
        "c": "-0",
        "d": 'café "x" /',
        "e>[0]": "true",
        "e>[1]": "false",
        "e>[2]": "null",
        "f": "9" * 5_000,
    }


def test_a_scalar_at_the_root_is_a_unit() -> None:
    assert texts(cut('"hello"', "json")) == ['"hello"']
    assert labels(cut("5", "json")) == ["(top level)"]


def test_keys_given_twice_are_both_cut_and_references_go_to_the_last() -> None:
    text = (
        '{"a": {"x": "first one of the two"}, "a": {"x": "second one of the two"}, '
        '"use": {"$ref": "#/a", "y": "words"}}'
    )
    parsed = cut(text, "json", small=5)

    assert labels(parsed) == ["a", "a", "use"]
    assert parsed.links == ((2, 1),)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"a": NaN}', ("NaN is no JSON value", 1, 7)),
        ('{"NaN": "NaN",\n "b": [-Infinity]}', ("-Infinity is no JSON value", 2, 8)),
        ('{"a": 1}\n x', ("Extra data", 2, 2)),
        ("", ("Expecting value", 1, 1)),
        ('{"a": 1,\n "b" 2}', ("Expecting ':' delimiter", 2, 6)),
        ('{"a": "x\ny"}', ("Invalid control character at", 1, 9)),
        ("{'a': 1}", ("Expecting property name enclosed in double quotes", 1, 2)),
        ("// only a comment", ("Expecting value", 1, 18)),
        ("{} /* open", ("", None, None)),
    ],
)
def test_what_is_outside_the_grammar_is_refused_with_its_place(text: str, place: tuple[str, int, int]) -> None:
    if place[0]:
        assert refused(text) == place
    else:
        # A comment that never ends is blanked to the end, and what stands before it is JSON.
        assert cut(text, "json").data["lenient"] is True


def test_a_line_that_is_not_json_is_named() -> None:
    assert refused('{"a": 1}\n\n{"b": ', "jsonl") == ("Expecting value", 3, 7)
    assert refused('{"a": 1}\n{"b": NaN}', "jsonl") == ("NaN is no JSON value", 2, 7)
    assert refused("1 // no comments here", "jsonl")[1:] == (1, 3)


def test_comments_and_trailing_commas_are_overlooked_and_said_so() -> None:
    text = '// head\n{"a": [1, 2,], /* in\nbetween */ "b": "// not /* a comment,]", // end\n}\n'
    parsed = cut(text, "json")

    assert texts(parsed) == ['{\n  "a": [\n    1,\n    2\n  ],\n  "b": "// not /* a comment,]"\n}']
    assert parsed.data["lenient"] is True
    assert refused('{"a": 1,, }')[1:] == (1, 11)


def test_records_are_counted_without_blank_lines() -> None:
    parsed = cut('\n{"text": "a first record of some length"}\n  \n\n{"text": "a second record"}\n', "jsonl", small=5)

    assert [one.meta["path"] for one in parsed.subtrees] == [["[0]"], ["[1]"]]
    assert [one.meta["lines"] for one in parsed.subtrees] == [[0, 3], [3, 6]]


def test_references_stay_inside_a_record() -> None:
    record = '{"defs": {"x": "words enough to be alone"}, "use": {"$ref": "#/defs", "y": "words enough to be alone"}}'
    parsed = cut(f"{record}\n{record}\n", "jsonl", most=20, small=5)

    assert labels(parsed) == ["[0] > defs", "[0] > use", "[1] > defs", "[1] > use"]
    assert parsed.links == ((1, 0), (3, 2))


@pytest.mark.parametrize(
    ("pointer", "target"),
    [
        ("#/steps/1", "steps > [name=two]"),
        ("#/paths/~1users~1%7Bid%7D", "paths > /users/{id}"),
        ("#/a~1b~0c", "a/b~c"),
        ("#/steps", "steps > [name=one]"),
        ("#Anchor", "paths > /users/{id}"),
        ("#", "steps > [name=one]"),
        ("#/nowhere", None),
        ("#nobody", None),
    ],
)
def test_pointers_and_anchors(pointer: str, target: str | None) -> None:
    long = "words enough to stand alone here"
    document = {
        "steps": [{"name": "one", "text": long}, {"name": "two", "text": long}],
        "paths": {"/users/{id}": {"$anchor": "Anchor", "text": long}},
        "a/b~c": {"text": long},
        "use": {"$ref": pointer, "text": long},
    }
    found = linked(cut(json.dumps(document), "json", most=24, small=8))

    assert found == ([] if target is None else [("use", target)])


def test_names_of_a_discriminator_lead_to_schemas() -> None:
    long = "words enough to stand alone here"
    document = {
        "components": {"schemas": {"Cat": {"text": long}, "my.Dog": {"text": long}}},
        "pet": {
            "discriminator": {
                "propertyName": "kind",
                "mapping": {"c": "Cat", "d": "#/components/schemas/my.Dog", "e": "eel.json", "n": "Nobody"},
            }
        },
    }
    parsed = cut(json.dumps(document), "json", most=60, small=8)

    assert linked(parsed) == [("pet", "components")]
    assert parsed.data["external"] == ["eel.json"]


def test_other_files_are_listed_as_written_and_make_no_link() -> None:
    document = {
        "a": {"$ref": "./common.yaml#/Pet", "text": "words enough to stand alone"},
        "b": {"x": {"$ref": "https://example.org/s"}, "y": {"$ref": "./common.yaml#/Pet"}},
        "c": {"$ref": 5},
    }
    parsed = cut(json.dumps(document), "json", small=8)

    assert [one.meta.get("external") for one in parsed.subtrees] == [
        None,
        ["./common.yaml#/Pet"],
        ["https://example.org/s", "./common.yaml#/Pet"],
    ]
    assert parsed.data["external"] == ["./common.yaml#/Pet", "https://example.org/s"]
    assert parsed.links == ()


def test_what_the_database_cannot_hold_is_replaced_with_a_warning() -> None:
    parsed = cut('{"a\\u0000": "x\\ud800y \\ud83d\\ude00 \\\\u0000"}', "json")

    assert texts(parsed) == ['{\n  "a\ufffd": "x\ufffdy 😀 \\\\u0000"\n}']
    assert parsed.warnings == ("Characters that can't be stored were replaced: 2.",)


def test_two_hundred_levels_are_read_and_one_more_is_too_deep() -> None:
    assert len(cut("[" * 200 + "]" * 200, "json").subtrees) == 1
    assert len(cut('{"a":' * 200 + "1" + "}" * 200, "jsonl").subtrees) == 1
    for text in ("[" * 201 + "]" * 201, '{"a":' * 201 + "1" + "}" * 201):
        with pytest.raises(TooDeep, match="200 levels"):
            outlined(text, "json")


@pytest.mark.parametrize(
    ("text", "whole", "expected"),
    [
        ('{"a": 1}', True, True),
        (" [1]\n", True, True),
        ("[link](x)", True, False),
        ("[link](x) and more text after it", False, False),
        ('{"a": [1, 2', True, False),
        ('{"a": [1, 2', False, True),
        ('{"a": "unfinished text', False, True),
        ('{"a": tru', False, True),
        ("5", True, False),
        ("[" * 100_000, False, False),
    ],
)
def test_what_begins_like_json(text: str, whole: bool, expected: bool) -> None:
    assert begins_json(text, whole=whole) is expected


@pytest.mark.parametrize("sizes", [(450, 90), (40, 10), (12, 12)])
def test_records_are_cut_alike_whether_by_themselves_or_all_at_once(sizes: tuple[int, int]) -> None:
    records = [
        *({"kind": "a", "hostName": f"h{number % 4}", "text": "word " * (number * 7 % 30)} for number in range(20)),
        *({"a": number // 2, "b": "x", "c": number == 3, "d": None} for number in range(12)),
        *([], {}, 5, "text", ["a", "b"], {"name": "n"}, {"deep": {"er": ["word " * 30, {"id": 1, "x": "word " * 40}]}}),
    ]
    text = json.dumps(records)
    whole = subtrees(json_outline(text), "json", SubtreeSizes(most=sizes[0], small=sizes[1]))

    assert cut(text, "json", *sizes) == whole
