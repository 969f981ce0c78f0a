import json

import pytest

from app.markup.labels import Labels
from tests.unit.markup.cutting import cut, labels, outlined


def names(text: str, name: str = "json") -> list[str]:
    """Labels of the items of the one collection that holds items."""
    outline = outlined(text, name)
    found = Labels(outline)
    node = outline.root
    while node.children and node.children[0].index is None:
        node = node.children[-1]
    return [found.label(child) for child in node.children if child.index is not None]


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([{"id": "k2", "name": "Install tools"}], ["[name=Install tools]"]),
        ([{"title": "T", "id": "k2"}], ["[id=k2]"]),
        ([{"key": "K", "title": "T"}], ["[title=T]"]),
        ([{"name": "", "key": "K"}], ["[key=K]"]),
        ([{"name": ["x"], "id": 5}], ["[id=5]"]),
        # By the end of the key, in any case: the first whose value no sibling has, else the first.
        ([{"kindKey": "x", "hostName": "a"}, {"kindKey": "x", "hostName": "b"}], ["[hostName=a]", "[hostName=b]"]),
        ([{"kindKey": "x", "hostName": "a"}, {"kindKey": "x", "hostName": "a"}], ["[kindKey=x]", "[kindKey=x]"]),
        # Any child with a value of one line, chosen the same way.
        ([{"a": 1, "b": 2}, {"a": 1, "b": 3}], ["[b=2]", "[b=3]"]),
        ([{"a": 1}, {"a": 1}], ["[a=1]", "[a=1]"]),
        ([{"a": "two\nlines"}, {"b": {}}, [], 7, "text", ["x"]], ["[0]", "[1]", "[2]", "[3]", "[4]", "[5]"]),
    ],
)
def test_items_go_by_a_name_of_their_own(items: list[object], expected: list[str]) -> None:
    assert names(json.dumps({"steps": items})) == expected


def test_elements_go_by_attributes_before_children() -> None:
    shelves = '<r><s id="s1"><name>n</name></s><s id="s2" name="N"/><s><title>T</title></s><s/><s userId="u"/></r>'
    assert names(shelves, "xml") == ["s[name=n]", "s[name=N]", "s[title=T]", "s[3]", "s[userId=u]"]
    assert names('<r><s id="s1"/><s id="s2"/></r>', "xml") == ["s[id=s1]", "s[id=s2]"]


def test_children_that_are_items_never_name() -> None:
    assert names("<r><s><t>a</t><t>b</t></s><s><t>c</t><t>d</t></s></r>", "xml") == ["s[0]", "s[1]"]


def test_long_names_are_cut_and_names_of_several_lines_are_none() -> None:
    sixty, long = "n" * 60, "n" * 5_000
    assert names(json.dumps([{"name": sixty}, {"name": long}])) == [f"[name={sixty}]", f"[name={'n' * 40}…]"]
    assert names(json.dumps([{"name": "a\nb", "id": 1}, {"name": "  a \t b "}])) == ["[id=1]", "[name=a b]"]


def test_keys_are_cut_in_labels_and_whole_in_the_raw_path() -> None:
    parsed = cut(json.dumps({"k" * 100: {"a": "word " * 40}}), "json", small=5)

    assert labels(parsed) == [f"{'k' * 40}…"]
    assert parsed.subtrees[0].meta["path"] == ["k" * 100]


def test_strange_keys_are_segments_like_any_other() -> None:
    text = json.dumps({"[0]": {"x": "w " * 50}, "": {"x": "w " * 50}, "a\tb\x01": {"x": "w " * 50}, "l": [1]})
    parsed = cut(text, "json", small=5)

    assert [one.meta["path"] for one in parsed.subtrees] == [[], ["[0]"], [""], ["a\tb\x01"]]
    assert labels(parsed) == ["(top level)", "[0]", '""', "a b"]


def test_documents_of_a_stream_go_by_kind_and_name() -> None:
    text = (
        "kind: Deployment\nmetadata:\n  name: web\n---\nkind: List\nid: x\n---\nkind: Pod\nmetadata: {labels: {a: b}}\n"
    )
    assert labels(cut(text, "yaml", small=1)) == ["[Deployment/web]", "[id=x]", "[kind=Pod]"]


def test_items_take_their_name_through_merged_mappings() -> None:
    text = "base: &b {name: pump, port: 1}\nitems:\n  - <<: *b\n    size: 5\n  - <<: *b\n    name: own\n"
    assert names(text, "yaml") == ["[name=pump]", "[name=own]"]
