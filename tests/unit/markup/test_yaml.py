import pytest

from app.errors import TooDeep
from app.markup.syntax import BadSyntax
from app.markup.yaml_look import looks_like_yaml
from app.markup.yaml_templates import without_marks
from tests.unit.markup.cutting import cut, labels, linked, outlined, texts, values


def test_flow_collections_have_nodes_values_and_links() -> None:
    text = (
        "b: &b\n  text: words enough to stand alone\nf: {$ref: '#/x', a: [1, *b],\n"
        "  c: words enough to stand alone}\nx: 1\n"
    )
    parsed = cut(text, "yaml", small=6)

    assert values(outlined(text, "yaml")) == {
        "b>text": "words enough to stand alone",
        "f>$ref": "#/x",
        "f>a>[0]": "1",
        "f>c": "words enough to stand alone",
        "x": "1",
    }
    assert linked(parsed) == [("f", "(top level)"), ("f", "b")]
    assert parsed.data["layout"] == "source"


def test_a_flow_collection_too_long_for_its_line_is_printed() -> None:
    text = f"a: 1\nf: &x {{list: [1, 'it''s'], 'k k': {{deep: {'word ' * 20}}}, e: [], p: [q: r]}} # end\nz: *x\n"
    parsed = cut(text, "yaml", most=40, small=10)

    assert labels(parsed) == ["(top level)", "f", "f > k k"]
    assert parsed.subtrees[0].text == "a: 1\nz: *x"
    assert parsed.subtrees[1].text == (
        "f: &x {\n  list: [\n    1,\n    'it''s'\n  ],\n  e: [],\n  p: [\n    {\n      q: r\n    }\n  ]\n} # end"
    )
    assert parsed.subtrees[2].text == f"'k k': {{\n  deep: {'word ' * 19}word\n}},"
    assert [one.meta["lines"] for one in parsed.subtrees] == [[0, 17], [1, 16], [6, 9]]
    assert linked(parsed) == [("(top level)", "f")]
    assert parsed.data["layout"] == "printed"


def test_a_whole_file_in_one_flow_is_printed_like_json() -> None:
    text = '{"a": {"b": [1, 2.50]}, "c": "x\\u00e9", "d": {}, "e": null}'
    assert texts(cut(text, "yaml"))[0].replace("\\u00e9", "é") == texts(cut(text, "json"))[0]
    assert cut(text, "yaml").data["layout"] == "printed"
    assert labels(cut('[{"n": 1}, {"n": 2}]', "yaml")) == ["(top level) ([n=1] … [n=2])"]
    # The parser knows no escaped surrogates; JSON does.
    assert texts(cut('{"a": "\\ud83d\\ude00"}', "yaml")) == ['{\n  "a": "😀"\n}']


def test_block_scalars_have_values_and_no_keys() -> None:
    text = "a: |\n  # no comment\n  key: v\n\nb: >-\n  one\n  two\n\n  # three\nc: |+\n  keep\n\n\n# of d\nd: 1\n"
    assert values(outlined(text, "yaml")) == {
        "a": "# no comment\nkey: v\n",
        "b": "one two\n# three",
        "c": "keep\n\n\n",
        "d": "1",
    }
    assert texts(cut(text, "yaml", small=2)) == [
        "a: |\n  # no comment\n  key: v",
        "b: >-\n  one\n  two\n\n  # three",
        "c: |+\n  keep",
        "# of d\nd: 1",
    ]


def test_scalars_over_several_lines_are_one() -> None:
    text = 'a: "one\n  line: x\n  # no"\nb: plain\n  goes on\n  - here\nc: 1\n'
    assert values(outlined(text, "yaml")) == {"a": "one line: x # no", "b": "plain goes on - here", "c": "1"}


def test_scalars_are_decoded_and_nothing_is_guessed() -> None:
    text = (
        "a: \"caf\\u00e9\"\nb: 'it''s'\nc: !!str 5\n? [a, b]\n: d\n? |\n  block\n: e\n200: f\n1.10: g\n"
        "on: h\nnull: i\n~: j\nk: 12:30\nl: yes\n"
        "m: !!python/object/apply:os.system [echo]\n"
    )
    assert values(outlined(text, "yaml")) == {
        "a": "café",
        "b": "it's",
        "c": "5",
        "[a, b]": "d",
        "block\n": "e",
        "200": "f",
        "1.10": "g",
        "on": "h",
        "null": "i",
        "~": "j",
        "k": "12:30",
        "l": "yes",
        "m>[0]": "echo",
    }


def test_streams_are_records_with_anchors_of_their_own() -> None:
    text = (
        "# head\nkind: A\nx: &x {text: words enough to stand alone}\ny: *x\n"
        "---\nkind: B\ny: *x\nx: &x {text: words enough to stand alone}\nz: *x\n...\n---\n---\n"
    )
    parsed = cut(text, "yaml", most=15, small=8)

    assert parsed.data["documents"] == 2
    assert labels(parsed) == ["[kind=A]", "[kind=A] > x", "[kind=B]", "[kind=B] > x"]
    assert [one.meta["document"] for one in parsed.subtrees] == [0, 0, 1, 1]
    assert [one.meta["path"] for one in parsed.subtrees] == [["[0]"], ["[0]", "x"], ["[1]"], ["[1]", "x"]]
    assert parsed.links == ((0, 1), (2, 3))


def test_a_mark_at_the_top_makes_no_stream() -> None:
    parsed = cut("%YAML 1.1\n---\na: 1\n", "yaml")

    assert labels(parsed) == ["(top level)"]
    assert "documents" not in parsed.data


def test_keys_given_twice_are_both_kept() -> None:
    text = (
        "a: {x: words enough to stand alone}\na: {x: other words to stand alone}\nr: {$ref: '#/a', x: words enough}\n"
    )
    parsed = cut(text, "yaml", small=5)

    assert labels(parsed) == ["a", "a", "r"]
    assert parsed.links == ((2, 1),)


def test_an_alias_means_the_last_anchor_before_it() -> None:
    text = (
        "one: &a\n  x: words enough to stand alone\nfirst: [*a, words enough to stand]\n"
        "two: &a\n  x: words enough to stand alone\nsecond: [*a, *b, words enough to stand]\n"
        "three: &b words enough to stand alone\n"
    )
    assert linked(cut(text, "yaml", small=6)) == [("first", "one"), ("second", "two")]


def test_merged_mappings_are_linked() -> None:
    text = (
        "a: &a\n  x: words enough to stand alone\nb: &b\n  y: words enough to stand alone\n"
        "c:\n  <<: [*a, *b]\n  z: words enough to stand alone\nd:\n  <<: *a\n  z: words enough to stand alone\n"
    )
    assert linked(cut(text, "yaml", small=6)) == [("c", "a"), ("c", "b"), ("d", "a")]


def test_a_reference_to_a_bare_key_leads_to_the_first_unit_below() -> None:
    text = (
        "a:\n  b:\n    c: {x: words enough to stand alone}\n    d: {x: words enough to stand alone}\n"
        "r: {$ref: '#/a', x: words enough}\n"
    )
    assert linked(cut(text, "yaml", most=12, small=6)) == [("r", "a > b > c")]


def test_comments_directly_above_belong_below_and_others_to_the_parent() -> None:
    text = (
        "top: 1\n# of a\n# more\na:\n  # of x\n  x: words enough to stand alone\n  # after x\n\n"
        "# apart\n\nb:\n  x: words enough to stand alone # end\n"
    )
    parsed = cut(text, "yaml", small=6)

    assert texts(parsed) == [
        "top: 1\n  # after x\n\n# apart",
        "# of a\n# more\na:\n  # of x\n  x: words enough to stand alone",
        "b:\n  x: words enough to stand alone # end",
    ]


def test_items_whose_content_starts_below_their_dash() -> None:
    text = (
        "l:\n  # of the item\n  -\n\n    # of name\n    name: one\n    x: words enough to stand alone\n"
        "  -\n  - - nested\n    - x\nm:\n- a\n- b\n"
    )
    outline = outlined(text, "yaml")
    items, others = outline.root.children

    assert [(item.start, item.opening, item.end) for item in items.children] == [(1, 2, 7), (7, 7, 8), (8, 8, 10)]
    assert [(item.start, item.end) for item in others.children] == [(11, 12), (12, 13)]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a: b: c", ("mapping values are not allowed in this context", 1, 5)),
        ("a:\n\t- x", ("found character that cannot start any token while scanning for the next token", 2, 1)),
        ("a: [1,\n2", ("did not find expected ',' or ']' while parsing a flow sequence", 3, 1)),
        ("- a\nb: c", ("did not find expected '-' indicator while parsing a block collection", 2, 1)),
        ("é: é\nb: \x02", ("control characters are not allowed", 2, 4)),
        ("a: {{ x\nb: {{ y }} {", ("", 0, 0)),
    ],
)
def test_what_the_parser_refuses_is_refused_with_its_place(text: str, place: tuple[str, int, int]) -> None:
    with pytest.raises(BadSyntax) as caught:
        outlined(text, "yaml")
    if place[0]:
        assert (caught.value.what, caught.value.line, caught.value.column) == place


def test_template_marks_are_read_over_and_texts_are_the_originals() -> None:
    text = (
        "metadata:\n  name: {{ .Release.Name }}-web\n{{- if .x }}\n  {{ .key }}: 'a {{ b }}'\n{{- end }}\n"
        '{% for x in y %}\nitems: {{ toYaml . | nindent 4 }}{# note #}\n{% endfor %}\nplain: caf\u00e9 "x"\n'
    )
    parsed = cut(text, "yaml")

    assert texts(parsed) == [text.rstrip()]
    assert values(outlined(text, "yaml")) == {
        "metadata>name": "{{ .Release.Name }}-web",
        "metadata>{{ .key }}": "a {{ b }}",
        "items": "{{ toYaml . | nindent 4 }}{# note #}",
        "plain": 'café "x"',
    }


def test_marks_are_masked_in_place() -> None:
    assert without_marks("a: {{ b }}c\n  {{- if }} {% x %}\nno {{ end") == "a: xxxxxxxc\n  #xxxxxxxx xxxxxxx\nno {{ end"
    assert without_marks("k: {{ a\n  b }}\n") == "k: xxxx\n#xxxxx\n"


def test_other_line_ends_and_a_missing_last_one_shift_nothing() -> None:
    text = "a: x\x85y\u2028z\nb: words enough to stand alone"
    parsed = cut(text, "yaml", small=6)

    assert texts(parsed) == ["a: x\x85y\u2028z", "b: words enough to stand alone"]


def test_a_file_of_comments_is_kept() -> None:
    assert texts(cut("# one\n\n# two\n", "yaml")) == ["# one\n\n# two"]


def test_escaped_nul_is_replaced_with_a_warning() -> None:
    parsed = cut('a: "x\\0y"\n"k\\x00": 1\n', "yaml")

    assert values(outlined('a: "x\\0y"\n', "yaml")) == {"a": "x\ufffdy"}
    assert parsed.warnings == ("2 NUL characters were replaced by U+FFFD.",)


def test_an_alias_bomb_stays_as_small_as_it_is() -> None:
    text = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 60))
    assert len(cut(text, "yaml").subtrees) < 10


def test_an_alias_inside_its_own_anchor_is_no_loop() -> None:
    assert len(cut("a: &a [*a, {<<: *a}]\n", "yaml").subtrees) == 1


def test_two_hundred_levels_are_read_and_one_more_is_too_deep() -> None:
    def nested(levels: int) -> str:
        return "".join(f"{' ' * level}a:\n" for level in range(levels)) + " " * levels + "b"

    assert len(cut(nested(200), "yaml").subtrees) == 1
    for text in (nested(201), "[" * 201 + "]" * 201, "- " * 201 + "a", "? " * 250 + "a"):
        with pytest.raises(TooDeep, match="200 levels"):
            outlined(text, "yaml")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\nb: 2\nc: 3\n", True),
        ("# head\nname: x\non:\n  push: y\n  pull: z\n", True),
        ("- name: a\n  b: c\n- name: d\n", True),
        ("a: 1\nb: 2\n", False),
        ("---\ntitle: x\nauthor: y\ndate: z\n---\n# Heading\n\nSome text.\n", False),
        ("Ann: hello\nBob: hi\nAnn: how are you\n", False),
        ("a: 1\nb: 2\nc: d: e\n", False),
        ("Note: this\n\nis prose, and more: prose\nto: come\n", False),
    ],
)
def test_what_looks_like_yaml(text: str, expected: bool) -> None:
    assert looks_like_yaml(text) is expected


def test_an_empty_value_behind_the_last_line_is_told_of_as_bad_syntax() -> None:
    with pytest.raises(BadSyntax, match="flow"):
        cut("a: {{ .x }}\nb: {{ .y | default 2 }", "yaml")
