from collections.abc import Iterator
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.documents.block import Block, BlockType
from app.readers import markdown_events
from app.readers.code_points import CodePoints
from app.readers.markdown_builder import Builder
from app.readers.markdown_masks import PARSER
from tests.unit.readers.reading import line, lines, parsed, slices


def test_the_example_of_the_design() -> None:
    source = (
        "---\ntitle: Pump\n---\nSee **the** [manual][m].\n\n[m]: https://e.org/m\n\nPart | Qty\n-----|----\nSeal | 2\n"
    )

    document = parsed(source, "markdown")

    assert document.title == "Pump"
    assert document.blocks == (
        Block(type=BlockType.HEADING, text="Pump", level=1),
        Block(type=BlockType.PARAGRAPH, text="See the manual (https://e.org/m).", start=20, end=44),
        Block(
            type=BlockType.TABLE,
            text="Part | Qty\nSeal | 2",
            meta={"caption": "", "header": ["Part", "Qty"], "rows": [["Seal", "2"]]},
            start=68,
            end=98,
        ),
    )


CASES = {
    "ATX and setext headings": (
        "# One #\n\nTwo\nlines\n=====\n\nThree\n---\n\n###### Six",
        ["h1 | One", "h1 | Two lines", "h2 | Three", "h6 | Six"],
    ),
    "an empty heading is dropped, an anchor is no text": ("# \n\n## Fees {#fees .wide}", ["h2 | Fees"]),
    "braces that are no anchor stay": (
        "## GET /users/{id}\n\n## `x {#id}`",
        ["h2 | GET /users/{id}", "h2 | x {#id}"],
    ),
    "P01: fences": (
        "# Pump\n\n~~~~sh\n# prime first\n```\n# still code\n~~~~~\n\n## Valve\nClose it.",
        ["h1 | Pump", "code | # prime first\n```\n# still code", "h2 | Valve", "p | Close it."],
    ),
    "P01: an open fence runs to the end": (
        "text\n\n   ```\n   open\n# not a heading\n",
        ["p | text", "code | open\n# not a heading"],
    ),
    "an empty fence is dropped": ("```\n\n```\n\ntext", ["p | text"]),
    "indented code": ("text\n\n    a\n      b\n\n    c\n", ["p | text", "code | a\n  b\n\nc"]),
    "lists": (
        "- unpack\n- connect\n  1. red lead\n  2. black lead\n\n  ~~~\n  volt --check\n  ~~~\n- close the lid\n",
        ["list | - unpack\n- connect\n  1. red lead\n  2. black lead", "code | volt --check", "list | - close the lid"],
    ),
    "loose lists stay one": ("- a\n\n- b\n\n\n- c\n", ["list | - a\n- b\n- c"]),
    "further text of an item": (
        "3. a\n\n   more\n   - b\n\n   after\n4. c\n",
        ["list | 3. a more\n  - b\n  after\n4. c"],
    ),
    "a table in an item": (
        "* a\n\n  x | y\n  --|--\n  1 | 2\n\n  tail\n* b\n",
        ["list | - a", "table | x | y\n1 | 2", "list |   tail\n- b"],
    ),
    "task lists": ("- [x] done\n- [ ] open\n", ["list | - [x] done\n- [ ] open"]),
    "an item that starts with a list": ("- - a\n  - b\n", ["list |   - a\n  - b"]),
    "definition lists": (
        "Term\n: meaning\n: other\n\nA\nB\n: both\n",
        ["list | - Term: meaning\n- Term: other\n- A, B: both"],
    ),
    "colons that define nothing": ("Hi\n:smile: all\n", ["p | Hi :smile: all"]),
    "quotes": (
        "> # Title\n> text\n>\n> - item\n\nafter",
        ["quote | Title", "quote | text", "list | - item", "p | after"],
    ),
    "footnotes": (
        "x[^b] y[^a]\n\n[^a]: why\n\n    more\n\n[^b]: because\n\nend",
        ["p | x[b] y[a]", "p | end", "p | [b] because", "p | [a] why more"],
    ),
    "notes in place": ("text ^[an *aside* [x]] and ^[open `^[a]`", ["p | text (an aside [x]) and ^[open ^[a]"]),
    "links": (
        (
            "[a](https://e.org) [b](rel.md) [https://e.org](https://e.org) <me@e.org> [me](mailto:me@e.org) [c][d]\n"
            "[e]\n\n[e]: http://e.org/e"
        ),
        [
            "p | a (https://e.org) b https://e.org me@e.org me (mailto:me@e.org) [c][d] e (http://e.org/e)",
        ],
    ),
    "images": (
        "![plan *b*](data:image/png;base64,AAAA) ![](x.png) [![ci](b.svg)](https://ci.e.org)",
        ["p | [image: plan b] [image: ci] (https://ci.e.org)"],
    ),
    "character references and escapes": ("&copy; \\*no\\* **bold** <https://e.org>", ["p | © *no* bold https://e.org"]),
    "inline HTML": (
        'Press <kbd>Q</kbd><br>or <!-- no --><img alt="the key" src=x>',
        ["p | Press Q or [image: the key]"],
    ),
    "HTML blocks": (
        (
            "<!-- no -->\n<h2 align=center>Pump &amp; Co</h2>\n<p title='a>b'>One <b>two</b></p>\n\n"
            "<details><summary>Why?</summary>\n\nBecause.\n\n</details>\n\n<script>\nno\n</script>"
        ),
        ["h2 | Pump & Co", "p | One two", "p | Why?", "p | Because."],
    ),
    "lists and tables in HTML": (
        "<ul><li>one<li>two<ol><li>x</ol></ul>\n\n<table><tr><th>a<th>b<tr><td>1<td>2</table>\n\n<pre>\n a\n</pre>",
        ["list | - one\n- two\n  1. x", "table | a | b\n1 | 2", "code |  a"],
    ),
    "a table in HTML with Markdown in its cells": (
        (
            "a\n\n<table>\n<tr><th>Part<th>Use\n<tr><td>Seal\n<td>\n\n- to **stop** [x]\n  1. it\n- too\n\n"
            "</td></tr>\n</table>\n\n"
            "[x]: https://e.org"
        ),
        ["p | a", "table | Part | Use\nSeal | to stop x (https://e.org); it; too"],
    ),
    "a list in HTML with Markdown in its items": (
        "<ul>\n\n<li>one</li>\n\n<li>\n\ntwo *&* < more\n\n```py\na < b\n```\n\n</li>\n</ul>\n\nb",
        ["list | - one\n- two & < more", "code | a < b", "p | b"],
    ),
    "a quote in HTML around Markdown": (
        "<blockquote>\n\nHi **x**\n\n## T\n\na | b\n--|--\n1 | 2\n\n</blockquote>",
        ["quote | Hi x", "quote | T", "table | a | b\n1 | 2"],
    ),
    "a table in HTML that never closes takes nothing in": (
        "<table>\n<tr><td>never\n\nclosed\n\n# H\n",
        ["p | never", "p | closed", "h1 | H"],
    ),
    "what HTML hides; what is furniture on a page only": (
        "<p hidden>x</p>\n\n<aside>a</aside>\n\n<nav>b</nav>\n\n<form>c</form>\n\n<div><svg><text>x</text></svg></div>",
        ["p | a", "p | b", "p | c"],
    ),
    "HTML in quotes and items": (
        "> <h2>q</h2>\n\n- <b>x</b>\n\n  <table><tr><td>a<td>b</table>\n- c",
        ["quote | q", "list | - x", "table | a | b", "list | - c"],
    ),
    "HTML nested without end": ("<div>\n" * 20_001 + "<h2>a</h2>\nb", ["h2 | a", "p | b"]),
    "mathematics": (
        "$$\na^2\n$$\n\n$a_i$ and $b_i$ cost $5 to $6",
        ["code | a^2", "p | $a_i$ and $b_i$ cost $5 to $6"],
    ),
    "marks without text": ("a\n\n---\n\n***\n\n[x]: https://e.org\n", ["p | a"]),
    "line breaks are spaces": ("a\nb  \nc\\\nd", ["p | a b c d"]),
    "wiki links": ("See [[Page#Heading]].", ["p | See [[Page#Heading]]."]),
    "a table's cells": (
        "| a | b |\n|---|:-:|\n| `x` \\| y | **z** |\n|  |  |\n| 1 |\n",
        ["table | a | b\nx | y | z\n1 |"],
    ),
    "a code title": ('```py title="run.py"\nx = 1\n```', ["p | run.py", "code | x = 1"]),
    "characters without width go": ("so\u00adft wo\u200brd\ufeff e\u0301", ["p | soft word é"]),
}


@pytest.mark.parametrize("name", CASES)
def test_constructs(name: str) -> None:
    source, expected = CASES[name]

    assert lines(source, "markdown") == expected


@pytest.mark.parametrize(
    ("source", "title", "language", "text"),
    [
        ("\ufeff---  \ntitle: 'It''s'\nlang: en-GB\n...\ntext", "It's", "en-GB", ["h1 | It's", "p | text"]),
        ('---\ntitle: "A \\"b\\" c" # x\n---\n# Own\n', 'A "b" c', None, ["h1 | Own"]),
        ("---\ntitle: >-\n  two\n  lines\nx: 1\n---\n\ntext", "two lines", None, ["h1 | two lines", "p | text"]),
        ('+++\ntitle = "Toml"\nlang = "de"\n+++\ntext', "Toml", "de", ["h1 | Toml", "p | text"]),
        ("---\nname: x\n---\n## Two", None, None, ["h2 | Two"]),
    ],
)
def test_front_matter(source: str, title: str | None, language: str | None, text: list[str]) -> None:
    document = parsed(source, "markdown")

    assert (document.title, document.language) == (title, language)
    assert [line(block) for block in document.blocks] == text


@pytest.mark.parametrize(
    "source",
    ["---\n\ntitle: x\n\n---\n", "---\nplain words\n\n---\n", "---\ntitle: never closed\n\ntext", "+++\nx\n+++\n"],
)
def test_a_thematic_break_is_no_front_matter(source: str) -> None:
    words = " ".join(line(block).partition(" | ")[2] for block in parsed(source, "markdown").blocks).split()

    assert words == [word for word in source.split() if word.strip("-")]


def test_front_matter_moves_no_offset() -> None:
    document = parsed("---\ntitle: größer\n---\n# Größe\n\nmehr", "markdown")

    assert slices(document) == ["# Größe", "mehr"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "> [!WARNING]\n> Hot.\n>\n> Wait.\n>\n> - a\n\nafter",
            [
                ("p | Warning: Hot.", "warning"),
                ("p | Wait.", "warning"),
                ("list | - a", "warning"),
                ("p | after", None),
            ],
        ),
        (
            ":::tip[Do **this**]\n\nNow.\n\n- a\n:::\nafter",
            [("p | Tip: Do this", "tip"), ("p | Now.", "tip"), ("list | - a", "tip"), ("p | after", None)],
        ),
        (":::note\nMind it.\n:::\n", [("p | Note: Mind it.", "note")]),
        ("::: {.danger}\n::::info\nDeep.\n::::\nOut.\n:::\n", [("p | Info: Deep.", "info"), ("p | Out.", "danger")]),
        ("::: details More\ntext\n:::", [("p | More", None), ("p | text", None)]),
        ("```\n:::note\n```\n\n    :::note\n", [("code | :::note", None), ("code | :::note", None)]),
        ("- a\n\n  > [!NOTE]\n  > b\n", [("list | - a Note: b", None)]),
    ],
)
def test_admonitions(source: str, expected: list[tuple[str, str | None]]) -> None:
    found = [(line(block), block.meta.get("admonition")) for block in parsed(source, "markdown").blocks]

    assert found == expected


@pytest.mark.parametrize(
    ("info", "language"),
    [
        ("py", "py"),
        ("Python  x", "python"),
        ("js{1,3}", "js"),
        ("rust,ignore", "rust"),
        ("{.c++ .lines}", "c++"),
        ("c#", "c#"),
        ("", None),
    ],
)
def test_the_language_of_code(info: str, language: str | None) -> None:
    assert parsed(f"```{info}\nx\n```", "markdown").blocks[0].meta.get("language") == language


def test_display_mathematics_is_code_in_latex() -> None:
    assert parsed("$$ a^2 $$", "markdown").blocks[0].meta == {"language": "latex"}


def test_blocks_are_sliced_as_written_with_their_marks() -> None:
    source = (
        "# Ü *x*\n\n> quo\n> te\n\n  - a\n  - b\n\n```py\nx\n```\n\n    code\n\n"
        "a | b\n--|--\né | 水\n\n[^1]: n\n\nlast[^1]\n\n"
    )

    assert slices(parsed(source, "markdown")) == [
        "# Ü *x*",
        "> quo\n> te",
        "  - a\n  - b",
        "```py\nx\n```",
        "    code",
        "a | b\n--|--\né | 水",
        "last[^1]",
        "n",
    ]


WORDS = st.text(st.sampled_from("abé水"), min_size=1, max_size=6)
SENTENCE = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A Markdown document and its words in order."""
    parts: list[str] = []
    words: list[str] = []
    for _ in range(draw(st.integers(0, 8))):
        texts = draw(st.lists(SENTENCE, min_size=2, max_size=3))
        parts.append(
            draw(
                st.sampled_from(
                    [
                        "# " + " ".join(texts),
                        "\n".join(texts),
                        "\n".join(f"- {text}" for text in texts),
                        "\n".join(f"{'  ' * depth}- {text}" for depth, text in enumerate(texts)),
                        "\n".join(f"> {text}" for text in texts),
                        "~~~\n" + "\n".join(texts) + "\n~~~",
                        "<div>" + "<br>".join(texts) + "</div>",
                        "**" + "** *".join(texts[:2]) + "*",
                        "[" + "](x) [".join(texts) + "](x)",
                        f"- {texts[0]}\n\n  ~~~\n  {texts[1]}\n  ~~~\n",
                    ]
                )
            )
        )
        used = texts[:2] if parts[-1].startswith("**") or "  ~~~" in parts[-1] else texts
        words += " ".join(used).split()
    return "\n\n".join(parts), words


@given(documents())
def test_every_word_comes_out_once_and_in_order(document: tuple[str, list[str]]) -> None:
    source, words = document

    blocks = parsed(source, "markdown").blocks

    found = " ".join(block.text for block in blocks).replace("- ", " ").split()
    assert found == words


@given(
    st.lists(
        st.sampled_from(
            [*"#>-*_`[]()!<>|:$^~\\&;. \t\n", "a", "é", "1.", "    ", "\n\n", "```", ":::note", "[^1]", "---"]
        )
    )
)
def test_offsets_grow_and_every_input_is_read_alike_twice(parts: list[str]) -> None:
    source = "".join(parts)

    document = parsed(source, "markdown")

    assert document == parsed(source, "markdown")
    assert all(block.text.strip() for block in document.blocks)
    normal = document.source or ""
    places = [
        (block.start, block.end)
        for block in document.blocks
        if block.start is not None and block.end is not None and not block.text.startswith("[1]")
    ]
    assert places == sorted(places)
    assert all(0 <= start < end <= len(normal) and normal[start:end].strip() for start, end in places)


def test_the_place_of_an_html_block_is_found_once_however_many_paragraphs_it_holds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trimmed: list[tuple[int, int]] = []
    trim = Builder._trim

    def count(builder: Builder, start: int, end: int) -> tuple[int, int]:
        trimmed.append((start, end))
        return trim(builder, start, end)

    monkeypatch.setattr(Builder, "_trim", count)

    assert len(lines("<p>a</p>" * 200, "markdown")) == 200
    assert len(trimmed) == 1


def test_text_behind_code_in_an_item_has_its_own_place() -> None:
    source = "- a\n  ```\n  x\n  ```\n  text *é*\n  ```\n  y\n  ```\n  more\n- b\n"

    assert slices(parsed(source, "markdown")) == [
        "- a",
        "  ```\n  x\n  ```",
        "  text *é*",
        "  ```\n  y\n  ```",
        "  more\n- b",
    ]


def test_offsets_hold_behind_a_container_with_other_letters_in_its_title() -> None:
    assert slices(parsed(":::note Grüße\nÜber\n:::\n\nend", "markdown")) == [":::note Grüße", "Über", "end"]


BLOCKS = st.sampled_from(
    [
        *("# A\n\n", "Ann: é\nBob: x\n\n", "text\n", "- a\n\n  b\n\n", "1. a\n", "> q\n\n> r\n\n", "A\n===\n\n", "\n"),
        *("```\na\n\nb\n", "~~~\n\n", "    code\n\n", "<table><tr><td>a\n\n", "</table>\n\n", "<!-- a\n\n", "-->\n\n"),
        *("a | b\n--|--\n1 | 2\n\n", "[a] [^1]\n\n", "[a]: /u\n\n", "[^1]: note\n\n", ":::note\n\n", ":::\n\n"),
        *("Term\n: def\n\n", "$$\n\nx$$\n\n"),
    ]
)


def test_a_document_is_not_cut_in_front_of_a_term() -> None:
    source = "Intro\n\nTerm\n: def\n\nOther\n\n: def\n\nend\n"
    expected = ["p | Intro", "list | - Term: def\n- Other: def", "p | end"]

    for size in range(1, len(source)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(markdown_events, "_PIECE", size)
            assert lines(source, "markdown") == expected


@given(st.lists(BLOCKS, max_size=12).map("".join), st.integers(1, 60))
def test_a_document_read_in_pieces_reads_the_same(source: str, size: int) -> None:
    whole = parsed(source, "markdown")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(markdown_events, "_PIECE", size)
        assert parsed(source, "markdown") == whole


def test_a_large_document_is_parsed_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    class Counting:
        seen: ClassVar[list[str]] = []

        def events_with_range(self, text: str, *, merge_text: bool) -> Iterator[tuple[Any, Any]]:
            self.seen.append(text)
            return PARSER.events_with_range(text, merge_text=merge_text)

    monkeypatch.setattr(markdown_events, "_PIECE", 10)
    monkeypatch.setattr(markdown_events, "PARSER", Counting())
    text = "one é\n\n" * 4

    found = [span["start"] for _, span in markdown_events.events(text, text.encode())]

    # Three events for each paragraph, of 6 bytes and two line breaks; they count in the whole document.
    assert found == [at for start in (0, 8, 16, 24) for at in (start,) * 3]
    # Never more than two paragraphs at a time: the one that is cut off and a look at the next.
    assert max(map(len, Counting.seen)) <= 2 * len("one é\n\n")


@given(st.text(st.sampled_from("a\u00e9\u65e5\U0001f600"), max_size=40), st.data())
def test_code_points_are_counted_in_any_order(text: str, data: st.DataObject) -> None:
    places = [len(text[:at].encode()) for at in range(len(text) + 1)]
    points = CodePoints(text.encode(), base=5)

    for _ in range(8):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, len(text)))
        assert points.span(places[start], places[end]) == (start + 5, end + 5)
