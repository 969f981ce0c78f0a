"""For generated trees: nothing is lost or said twice, and every unit fits (markup design, section 10, check 2)."""

import contextlib
import json
from collections.abc import Iterator
from typing import TypeAlias, cast

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from app.documents.markup import ParsedMarkup
from app.errors import BadInput
from app.markup.syntax import BadSyntax
from app.text.tokens import approximate_tokens
from tests.unit.markup.cutting import cut

Tree: TypeAlias = "int | str | list[Tree] | dict[str, Tree]"
#: Sizes at which small trees are cut in every way.
SIZES = ((8, 2), (20, 5), (60, 20), (450, 90))


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """A collection whose scalars are words that occur nowhere else."""
    count = 0

    def word() -> str:
        nonlocal count
        count += 1
        return f"w{count}w" + "x" * draw(st.integers(0, 12)) + ("水" if draw(st.booleans()) else "")

    def text() -> str:
        return " ".join(word() for _ in range(draw(st.sampled_from([1, 1, 1, 2, 30]))))

    def collection(depth: int) -> Tree:
        size = draw(st.integers(0 if depth else 1, 5))
        members = [collection(depth + 1) if depth < 4 and draw(st.integers(0, 2)) == 0 else text() for _ in range(size)]
        if draw(st.booleans()):
            return members
        return {
            f"{draw(st.sampled_from(['name', 'id', 'k', 'Größe', '']))}{number}": one
            for number, one in enumerate(members)
        }

    return collection(0)


def words_of(tree: Tree) -> Iterator[str]:
    if isinstance(tree, str):
        yield from tree.split()
    elif isinstance(tree, dict):
        for member in tree.values():
            yield from words_of(member)
    elif isinstance(tree, list):
        for member in tree:
            yield from words_of(member)


def as_xml(tree: Tree, tag: str = "r") -> str:
    if isinstance(tree, dict):
        inside = "".join(as_xml(member, f"k{number}") for number, member in enumerate(tree.values()))
    elif isinstance(tree, list):
        inside = "".join(as_xml(member, "item") for member in tree)
    else:
        inside = str(tree)
    return f"<{tag}>{inside}</{tag}>"


def as_toml(tree: Tree) -> str:
    return f"[t]\ntree = {_toml(tree)}\n\n[u.v]\n"


def _toml(tree: Tree) -> str:
    if isinstance(tree, dict):
        return "{ " + ", ".join(f'"{key}" = {_toml(member)}' for key, member in tree.items()) + " }"
    if isinstance(tree, list):
        return "[\n  " + ",\n  ".join(_toml(member) for member in tree) + "\n]"
    return json.dumps(tree, ensure_ascii=False)


WRITTEN = {
    "json": lambda tree: json.dumps(tree, ensure_ascii=False),
    "jsonl": lambda tree: "\n".join([json.dumps(tree, ensure_ascii=False)] * 1),
    "yaml": lambda tree: yaml.safe_dump(tree, allow_unicode=True, sort_keys=False, width=60),
    "yaml flow": lambda tree: "top: " + json.dumps(tree, ensure_ascii=False),
    "xml": as_xml,
    "toml": as_toml,
}


def check(parsed: ParsedMarkup, words: list[str], most: int) -> None:
    found = "\n".join(one.text for one in parsed.subtrees)
    # A word may be cut where it is longer than a part: then its pieces are in neighbouring parts.
    whole = found if most >= 20 else found.replace("\n", "")
    for word in words:
        assert whole.count(word.rstrip("x水")) >= 1
    if most >= 60:
        held = found.replace('"', " ").replace(",", " ").replace("<", " ").replace(">", " ").replace("'", " ").split()
        assert sorted(one for one in held if one.startswith("w")) == sorted(words)
    for one in parsed.subtrees:
        assert approximate_tokens(one.text) <= most
        first, after = cast("list[int]", one.meta["lines"])
        assert 0 <= first < after
        assert len(one.text.split("\n")) <= after - first
    assert all(0 <= end < len(parsed.subtrees) for link in parsed.links for end in link)


@pytest.mark.parametrize("name", WRITTEN)
@settings(max_examples=60, deadline=None)
@given(tree=trees(), sizes=st.sampled_from(SIZES))
def test_every_scalar_is_in_one_unit_and_every_unit_fits(name: str, tree: Tree, sizes: tuple[int, int]) -> None:
    text = WRITTEN[name](tree)
    parsed = cut(text, name.split(maxsplit=1)[0], *sizes)

    check(parsed, list(words_of(tree)), sizes[0])
    assert cut(text, name.split(maxsplit=1)[0], *sizes) == parsed


@settings(max_examples=60, deadline=None)
@given(tree=trees(), sizes=st.sampled_from(SIZES))
def test_layout_makes_no_difference(tree: Tree, sizes: tuple[int, int]) -> None:
    units = [
        [(one.label, one.text) for one in cut(json.dumps(tree, indent=indent), "json", *sizes).subtrees]
        for indent in (None, 1, 7)
    ]
    assert units[0] == units[1] == units[2]


FLOODS = [
    ("json", "["),
    ("json", '{"a":'),
    ("json", '"'),
    ("json", '"\\'),
    ("json", "/*"),
    ("json", "//"),
    ("json", "[1,"),
    ("json", "NaN "),
    ("jsonl", "[\n"),
    ("jsonl", "1\n"),
    ("jsonl", "{}\n"),
    ("yaml", "["),
    ("yaml", "{a: "),
    ("yaml", "- "),
    ("yaml", "? "),
    ("yaml", "{{"),
    ("yaml", "{{ x }}\n\t"),
    ("yaml", "&a "),
    ("yaml", "*a\n"),
    ("yaml", "#\n"),
    ("yaml", "---\n"),
    ("yaml", "a: [\n"),
    ("yaml", "-\n"),
    ("yaml", "- {}\n"),
    ("xml", "<a>"),
    ("xml", "<"),
    ("xml", "&"),
    ("xml", "<!--"),
    ("xml", "<![CDATA["),
    ("xml", "<a b='c'"),
    ("xml", "<!DOCTYPE "),
    ("toml", "["),
    ("toml", "a."),
    ("toml", "a=["),
    ("toml", "'''"),
    ("toml", '"'),
    ("toml", "[a]\n"),
    ("toml", "[[a]]\n"),
    ("toml", "[[a.b]]\n[[a]]\n"),
    ("toml", "\\"),
]


@pytest.mark.timeout(60)
@pytest.mark.parametrize(("name", "piece"), FLOODS)
def test_a_flood_ends_in_a_result_or_a_named_error(name: str, piece: str) -> None:
    """Quadratic time would take minutes."""
    with contextlib.suppress(BadInput, BadSyntax):
        cut(piece * (200_000 // len(piece)), name)


@pytest.mark.parametrize("name", ["json", "jsonl", "yaml", "xml", "toml"])
@settings(max_examples=150, deadline=None)
@given(text=st.text(alphabet="ab:-[]{}<>/\"'#&*=.,!|? \n\\$ref0é水\ue000\u2028", max_size=60))
def test_any_text_ends_in_a_result_or_a_named_error(name: str, text: str) -> None:
    try:
        parsed = cut(text, name, 8, 2)
    except (BadInput, BadSyntax):
        return
    assert all(one.text and approximate_tokens(one.text) <= 8 for one in parsed.subtrees)
