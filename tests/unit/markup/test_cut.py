import json

import pytest

from app.errors import TooLarge
from app.markup import cut as cutting
from app.markup.cut import pieces_of
from app.text.tokens import approximate_tokens
from tests.unit.markup.cutting import cut, labels, linked, texts

TICKETS = """\
# Ticket API, staff edition
openapi: 3.1.0
paths:
  /tickets:
    # staff only
    post:
      summary: Open a ticket for a customer who wrote by letter.
      requestBody: {$ref: '#/components/schemas/Ticket'}
      responses:
        201: {description: stored}
    get:
      summary: List the open tickets of one branch, oldest first.
      parameters:
        - name: branch
          in: query
      responses:
        200: {description: a page of tickets}
components:
  schemas:
    Ticket:
      type: object
      properties:
        subject: {type: string, maxLength: 120}
"""


def test_the_example_of_the_design() -> None:
    parsed = cut(TICKETS, "yaml", most=60, small=20)

    assert [(one.path, one.meta["lines"]) for one in parsed.subtrees] == [
        ((), [0, 2]),
        (("paths", "/tickets", "post"), [4, 10]),
        (("paths", "/tickets", "get"), [10, 17]),
        (("components",), [17, 23]),
    ]
    assert labels(parsed) == ["(top level)", "paths > /tickets > post", "paths > /tickets > get", "components"]
    assert parsed.subtrees[0].text == "# Ticket API, staff edition\nopenapi: 3.1.0"
    assert parsed.subtrees[1].text == (
        "# staff only\n"
        "post:\n"
        "  summary: Open a ticket for a customer who wrote by letter.\n"
        "  requestBody: {$ref: '#/components/schemas/Ticket'}\n"
        "  responses:\n"
        "    201: {description: stored}"
    )
    assert parsed.links == ((1, 3),)
    assert parsed.data == {"format": "yaml", "layout": "source"}


def test_the_examples_of_printed_layouts() -> None:
    assert texts(cut('{"crate":{"id":7,"tags":[]}}', "json")) == [
        '{\n  "crate": {\n    "id": 7,\n    "tags": []\n  }\n}'
    ]
    store = '<store><shelf id="s1"><name>top &amp; dry</name><slot ref="s2"/></shelf></store>'
    assert texts(cut(store, "xml")) == [
        '<store>\n  <shelf id="s1">\n    <name>top & dry</name>\n    <slot ref="s2"/>\n  </shelf>\n</store>'
    ]


def test_a_small_document_is_one_unit_of_its_top_level() -> None:
    parsed = cut("a: 1\nb:\n  c: 2\n", "yaml")

    assert labels(parsed) == ["(top level)"]
    assert parsed.subtrees[0].meta == {"path": [], "lines": [0, 3]}


def test_a_subtree_up_to_the_most_is_whole_and_one_over_it_is_cut() -> None:
    # "x: " and 29 letters are 32 characters, 8 tokens; with "k:", the break and the indent that makes 37, 10 tokens.
    text = "first: 1\nk:\n  x: " + "a" * 29 + "\n"

    assert labels(cut(text, "yaml", most=10, small=2)) == ["(top level)", "k"]
    assert labels(cut(text, "yaml", most=9, small=2)) == ["(top level)", "k > x"]


def test_a_child_up_to_small_stays_with_its_parent() -> None:
    # "b: ddd" and its break are 6 characters by themselves: 2 tokens.
    assert labels(cut("a: 1\nb: ddd\n", "yaml", small=2)) == ["(top level)"]
    assert labels(cut("a: 1\nb: dddddd\n", "yaml", small=2)) == ["(top level)", "b"]


def test_sizes_are_measured_without_the_common_indent_and_wide_characters_count_whole() -> None:
    # Eight characters each; the wide ones are eight tokens.
    assert labels(cut("a: 1\nb: " + "ん" * 8 + "\n", "yaml", small=8)) == ["(top level)", "b"]
    deep = "a: 1\nz:\n" + "".join(f"{'  ' * n}k{n}:\n" for n in range(1, 10)) + " " * 20 + "v: 1\n"
    # k9 and its child: "k9:", a break, "  v: 1".
    assert labels(cut(deep, "yaml", most=3, small=2)) == [
        "(top level)",
        " > ".join(["z", *(f"k{n}" for n in range(1, 10))]),
    ]


def test_own_lines_over_the_most_become_packs_named_by_their_children() -> None:
    members = {name: {"kind": name[0] * 12} for name in ("build", "burst", "cache", "cascade")}
    parsed = cut(json.dumps({"pool": members, "a": 1}), "json", most=25, small=20)

    # `"pool": {` has 9 characters, a member 42 (`  "build": {`, `    "kind": "bbbbbbbbbbbb"`, `  },`): with the six
    # breaks between their lines the first two make 99, 25 tokens.
    assert labels(parsed) == ["(top level)", "pool (build … burst)", "pool (cache … cascade)"]
    assert parsed.subtrees[1].path == ("pool (build … burst)",)
    assert parsed.subtrees[1].meta["path"] == ["pool"]
    assert parsed.subtrees[1].text.startswith('"pool": {\n  "build": {')
    assert labels(cut(json.dumps({"pool": members}), "json", most=14, small=12))[0] == "pool (build)"


def test_a_header_unit_holds_what_its_large_children_leave() -> None:
    text = "top: 1\nlarge:\n  text: some words that make it large enough\nbelow: 2\n"
    parsed = cut(text, "yaml", most=60, small=6)

    assert texts(parsed) == ["top: 1\nbelow: 2", "large:\n  text: some words that make it large enough"]
    assert [one.meta["lines"] for one in parsed.subtrees] == [[0, 4], [1, 3]]


def test_a_long_scalar_is_cut_at_spaces_into_numbered_parts() -> None:
    parsed = cut(json.dumps({"note": "word " * 100}), "json", most=50, small=10)

    assert labels(parsed) == [f"note (part {number} of 3)" for number in (1, 2, 3)]
    assert [one.meta["part"] for one in parsed.subtrees] == [[1, 3], [2, 3], [3, 3]]
    assert {tuple(one.meta["lines"]) for one in parsed.subtrees} == {(1, 2)}  # type: ignore[arg-type]  # two numbers
    assert " ".join(texts(parsed)).split() == ['"note":', '"word', *["word"] * 99, '"']
    assert all(approximate_tokens(text) <= 50 for text in texts(parsed))


def test_a_block_scalar_is_cut_at_line_ends() -> None:
    text = "note: |\n" + "".join(f"  line {number:03} of the note\n" for number in range(30))
    parsed = cut(text, "yaml", most=60, small=10)

    assert labels(parsed)[0] == f"note (part 1 of {len(parsed.subtrees)})"
    assert "\n".join(texts(parsed)).replace("  line", "line").split("\n")[1:] == [
        f"line {number:03} of the note" for number in range(30)
    ]


def test_words_longer_than_a_part_are_cut() -> None:
    assert pieces_of("a" * 10 + " bb", 1) == ["aaaa", "aaaa", "aa", "bb"]
    assert pieces_of("水" * 5, 2) == ["水水", "水水", "水"]
    assert pieces_of("aa水b", 1) == ["aa", "水", "b"]
    assert pieces_of("  a  b  ", 1) == ["a", "b"]


def test_records_are_packed_and_large_ones_stand_alone() -> None:
    records = [{"n": number} for number in range(1, 10)]
    # Three lines each, `{`, `  "n": 1`, `}`: 10 characters and two breaks. Six with five breaks between make 77, and
    # the nine of the array with their eight commas 124.
    parsed = cut(json.dumps(records), "json", most=40, small=10)
    assert labels(parsed) == ["(top level) ([n=1] … [n=9])"]
    assert parsed.subtrees[0].path == ()

    parsed = cut(json.dumps([*records[:2], {"n": 3, "text": "long enough to stand alone"}, records[3]]), "json", 40, 10)
    assert labels(parsed) == ["(top level) ([n=1] … [n=2])", "[n=3]", "[n=4]"]
    assert parsed.subtrees[2].path == ("[n=4]",)
    assert parsed.subtrees[2].meta["path"] == ["[3]"]

    lines = "\n".join(json.dumps(record) for record in records)
    assert labels(cut(lines, "jsonl", most=40, small=10)) == ["(top level) ([n=1] … [n=9])"]
    assert labels(cut(lines, "jsonl", most=20, small=10)) == [
        "(top level) ([n=1] … [n=6])",
        "(top level) ([n=7] … [n=9])",
    ]


def test_a_record_over_the_most_is_cut_like_any_node() -> None:
    record = {"id": 7, "body": "many words " * 10, "tail": "x"}
    assert labels(cut(json.dumps(record), "jsonl", most=35, small=10)) == ["[id=7]", "[id=7] > body"]


@pytest.mark.parametrize(("text", "name"), [("", "yaml"), ("\n\n", "yaml"), ("---\n", "yaml"), ("", "toml")])
def test_an_empty_file_has_no_units(text: str, name: str) -> None:
    assert cut(text, name).subtrees == ()


@pytest.mark.parametrize(("text", "name"), [("\n", "jsonl"), ("{}", "json"), ("[]", "json"), ("{}", "yaml")])
def test_brackets_alone_are_no_content(text: str, name: str) -> None:
    assert cut(text, name).subtrees == ()


def test_empty_collections_inside_are_content() -> None:
    assert texts(cut('{"a": {"b": []}}', "json")) == ['{\n  "a": {\n    "b": []\n  }\n}']


def test_header_units_of_brackets_and_bare_keys_alone_are_left_out() -> None:
    assert labels(cut(json.dumps({"list": [{"x": "a" * 60}, {"x": "b" * 60}]}), "json", most=30, small=10)) == [
        f"list > [x={'a' * 60}]",
        f"list > [x={'b' * 60}]",
    ]
    assert labels(cut(f"<r><s>{'a ' * 30}</s><s>{'b ' * 30}</s></r>", "xml", most=30, small=10)) == [
        "r > s[0]",
        "r > s[1]",
    ]
    # Attributes of an opening tag are content.
    assert labels(cut(f'<r a="1"><s>{"a " * 30}</s></r>', "xml", most=20, small=10)) == ["r", "r > s"]


def test_what_stands_above_one_large_mapping_is_kept() -> None:
    parsed = cut("# licence\n\nversion: 3\nservices:\n  web: " + "words " * 20, "yaml", most=40, small=10)

    assert texts(parsed)[0] == "# licence\n\nversion: 3"
    assert labels(parsed) == ["(top level)", "services"]


def test_a_chain_of_nested_arrays_is_one_unit() -> None:
    assert len(cut("[" * 190 + "1" + "]" * 190, "json").subtrees) == 1


def test_what_lies_below_a_child_on_its_parents_line_can_be_cut() -> None:
    tasks = "".join(f"    - name: task {number}\n      run: {'word ' * 12}\n" for number in (1, 2, 3))
    parsed = cut(f"- block:\n{tasks}", "yaml", most=40, small=15)

    assert labels(parsed) == [f"[0] > block > [name=task {number}]" for number in (1, 2, 3)]


def test_children_that_share_a_line_are_never_cut_apart() -> None:
    parsed = cut(f"- name: {'a' * 60}\n  run: {'b' * 60}\n", "yaml", most=25, small=10)

    assert texts(parsed) == [f"- name: {'a' * 60}", f"run: {'b' * 60}"]
    assert labels(parsed) == [f"[name={'a' * 60}]", f"[name={'a' * 60}] > run"]


def test_toml_tables_elsewhere_are_cut_by_who_holds_their_lines_and_named_by_their_path() -> None:
    text = (
        "[package]\n"
        'name = "pump"\n'
        f'description = "{"words " * 10}"\n'
        "[other]\n"
        f'text = "{"words " * 12}"\n'
        "[package.small]\n"
        "x = 1\n"
        "# the docs\n"
        "[package.metadata]\n"
        f'docs = "{"words " * 12}"\n'
        "[last]\n"
        f'text = "{"words " * 12}"\n'
    )
    parsed = cut(text, "toml", most=40, small=10)

    # Detached ones come last; a small one stays in the lines around it.
    assert labels(parsed) == ["(top level)", "package", "other", "last", "package > metadata"]
    assert parsed.subtrees[0].text == "[package.small]\nx = 1"
    assert parsed.subtrees[4].text.startswith("# the docs\n[package.metadata]\n")
    assert parsed.subtrees[4].meta["path"] == ["package", "metadata"]


def test_a_minified_and_a_printed_file_make_equal_units() -> None:
    data = {"a": [{"id": number, "text": "some words " * number} for number in range(12)], "b": {"c": [1, 2.50, None]}}
    assert texts(cut(json.dumps(data), "json", 60, 20)) == texts(cut(json.dumps(data, indent=4), "json", 60, 20))
    minified = "<r><a i='1'><b>x y</b><c/></a><a i='2'><b>z</b></a></r>"
    pretty = "<r>\n\t<a  i='1'>\n<b>x\n y</b>\n <c></c></a>\n\n<a i='2'><b> z </b></a>\n</r>\n"
    assert texts(cut(minified, "xml", 10, 2)) == texts(cut(pretty, "xml", 10, 2))


def test_more_units_than_a_document_may_have_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cutting.MOST_UNITS == 50_000
    monkeypatch.setattr(cutting, "MOST_UNITS", 3)
    records = [{"text": "enough words to be large by itself"}] * 4

    assert len(cut(json.dumps(records[:3]), "json", small=5).subtrees) == 3
    with pytest.raises(TooLarge, match="more than 3 units"):
        cut(json.dumps(records), "json", small=5)


def test_paths_that_blow_up_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.markup.subtrees.MOST_PATH_CHARACTERS", 1_000)
    with pytest.raises(TooLarge, match="paths"):
        cut(json.dumps({"k" * 400: {"a": "word " * 20, "b": "word " * 20, "c": "word " * 20}}), "json", 30, 5)


def test_links_go_from_unit_to_unit_once_and_never_to_themselves() -> None:
    text = (
        "use:\n"
        "  one: {$ref: '#/defs/big'}\n"
        "  two: {$ref: '#/defs/big'}\n"
        "  self: {$ref: '#/use/one'}\n"
        "  text: some more words here\n"
        "defs:\n"
        "  big:\n"
        "    text: words enough to stand by themselves\n"
    )
    assert linked(cut(text, "yaml", most=60, small=10)) == [("use", "defs")]
