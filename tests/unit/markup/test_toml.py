import pytest

from app.errors import TooDeep
from app.markup.outline import Node
from app.markup.syntax import BadSyntax
from tests.unit.markup.cutting import cut, labels, linked, outlined, texts, values


def spans(text: str) -> dict[str, tuple[int, int]]:
    """The lines of every node that has some, by its path."""
    found = {}
    stack: list[tuple[Node, tuple[str, ...]]] = [(outlined(text, "toml").root, ())]
    while stack:
        node, path = stack.pop()
        if node.end > node.start:
            found[">".join(path)] = (node.start, node.end)
        stack += [(child, (*path, child.segment)) for child in reversed(node.children)]
    return found


def test_keys_dotted_and_quoted() -> None:
    text = 'a.b = 1\n"q.k".\'l l\' = "x"\n[t . "u v"]\nk = 2\n"caf\\u00e9" = 3\n[t."u v".w]\n1.2 = 4\n'
    assert values(outlined(text, "toml")) == {
        "a>b": "1",
        "q.k>l l": "x",
        "t>u v>k": "2",
        "t>u v>café": "3",
        "t>u v>w>1>2": "4",
    }
    # A header alone makes no node for its prefixes, nor does a dotted key.
    assert spans(text) == {
        "": (0, 7),
        "a>b": (0, 1),
        "q.k>l l": (1, 2),
        "t>u v": (2, 7),
        "t>u v>k": (3, 4),
        "t>u v>café": (4, 5),
        "t>u v>w": (5, 7),
        "t>u v>w>1>2": (6, 7),
    }


def test_values_are_decoded_strings_or_literals_as_written() -> None:
    text = (
        'a = "x\\ty"\nb = \'c:\\d\'\nc = """\none \\\n   two "" \\"""" \nd = \'\'\'\n[no]\n# no\n'
        "'''\ne = 1_000 # end\n"
        "f = 0x1F\ng = 1979-05-27 07:32:00.5\nh = 1979-05-27T07:32:00Z\ni = +inf\nj = true\nk = 6.02e23\n"
    )
    assert values(outlined(text, "toml")) == {
        "a": "x\ty",
        "b": "c:\\d",
        "c": 'one two "" "',
        "d": "[no]\n# no\n",
        "e": "1_000",
        "f": "0x1F",
        "g": "1979-05-27 07:32:00.5",
        "h": "1979-05-27T07:32:00Z",
        "i": "+inf",
        "j": "true",
        "k": "6.02e23",
    }


def test_inline_tables_and_arrays_have_nodes() -> None:
    text = (
        "a = { b.c = 1, \"d\" = [1, 'x, ]', { e = [] }] }\nl = [\n  # first\n  1, # one\n  [\n    2,\n"
        "  ],\n  '''\n]\n''',\n]\n"
    )
    assert values(outlined(text, "toml")) == {
        "a>b>c": "1",
        "a>d>[0]": "1",
        "a>d>[1]": "x, ]",
        "l>[0]": "1",
        "l>[1]>[0]": "2",
        "l>[2]": "]\n",
    }
    assert spans(text)["l>[0]"] == (2, 4)
    assert spans(text)["l>[1]"] == (4, 7)
    assert spans(text)["l>[2]"] == (7, 10)


def test_arrays_of_tables_and_what_goes_below_them() -> None:
    text = (
        '[[pkg]]\nname = "a"\n[pkg.deps]\nx = 1\n[[pkg.bin]]\np = 1\n[[pkg.bin]]\np = 2\n\n'
        '# of b\n[[pkg]]\nname = "b"\n[pkg.deps.y]\nz = 1\n# tail\n'
    )
    assert spans(text) == {
        "": (0, 15),
        "pkg": (0, 14),
        "pkg>[0]": (0, 8),
        "pkg>[0]>name": (1, 2),
        "pkg>[0]>deps": (2, 4),
        "pkg>[0]>deps>x": (3, 4),
        "pkg>[0]>bin": (4, 8),
        "pkg>[0]>bin>[0]": (4, 6),
        "pkg>[0]>bin>[0]>p": (5, 6),
        "pkg>[0]>bin>[1]": (6, 8),
        "pkg>[0]>bin>[1]>p": (7, 8),
        "pkg>[1]": (9, 14),
        "pkg>[1]>name": (11, 12),
        "pkg>[1]>deps>y": (12, 14),
        "pkg>[1]>deps>y>z": (13, 14),
    }


def test_items_are_packed_under_their_array() -> None:
    text = "".join(f'[[pkg]]\nname = "p{number}"\nversion = "1.{number}"\n\n' for number in range(8))
    # An item is 38 characters and two breaks are among them: 10 tokens. Four with three blank lines make 41.
    assert labels(cut(text, "toml", most=45, small=12)) == [
        "pkg ([name=p0] … [name=p3])",
        "pkg ([name=p4] … [name=p7])",
    ]


def test_headers_that_say_only_their_name_are_no_content() -> None:
    text = f'[a]\nx = "{"words " * 12}"\n[b] # about b\ny = "{"words " * 12}"\n[c]\n'
    assert texts(cut(text, "toml", most=20, small=10)) == [
        "[c]",
        f'x = "{"words " * 12}"',
        "[b] # about b",
        f'y = "{"words " * 12}"',
    ]


def test_comments_go_with_what_they_stand_above() -> None:
    text = f'# top\n\n# of a\n[a]\n# of x\nx = "{"words " * 12}"\n# after\n\n[b]\nz = "{"words " * 12}"\n'
    assert texts(cut(text, "toml", small=10)) == [
        "# top\n\n# after",
        f'# of a\n[a]\n# of x\nx = "{"words " * 12}"',
        f'[b]\nz = "{"words " * 12}"',
    ]


def test_references() -> None:
    long = "words enough to stand alone"
    text = (
        f'[defs.x]\nt = "{long}"\n[use]\n"$ref" = "#/defs/x"\nt = "{long}"\n[more]\n"$ref" = "#/defs"\nu = "{long}"\n'
    )
    assert linked(cut(text, "toml", small=8)) == [("use", "defs > x"), ("more", "defs > x")]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a = 1\na = 2\n", (2, 6)),
        ("[a]\nb = 1\n[a]\n", (3, 3)),
        ("a = \n", (1, 5)),
        ("a = 1\nb = [1", (2, 7)),
        ("a = 1 b = 2\n", (1, 7)),
        ("a = " + "9" * 5_000, None),
    ],
)
def test_what_the_parser_refuses_is_refused_with_its_place(text: str, place: tuple[int, int] | None) -> None:
    with pytest.raises(BadSyntax) as caught:
        outlined(text, "toml")
    assert place is None or (caught.value.line, caught.value.column) == place


def test_nesting_has_its_limit() -> None:
    assert len(cut("a = " + "[" * 199 + "]" * 199, "toml").subtrees) == 1
    for text in (
        "a = " + "[" * 201 + "]" * 201,
        "a = " + "[" * 100_000,
        ".".join("a" * 201) + " = 1",
        "[" + ".".join("a" * 100_000) + "]",
        "a = " + "{b = " * 100_000,
    ):
        with pytest.raises(TooDeep, match="200 levels"):
            outlined(text, "toml")
    assert len(cut(f'a = "{"x." * 300}"', "toml").subtrees) == 1
