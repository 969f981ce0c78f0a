import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.documents.block import Block, BlockType
from app.readers import mdx_masks
from tests.unit.readers.reading import line, lines, parsed, slices


def test_the_example_of_the_design() -> None:
    source = '<TabItem label="Linux">\n\nRun `volt`.\n\n</TabItem>\n:::tip Hot lid\nWait.\n:::'

    document = parsed(source, "mdx")

    tip = {"admonition": "tip"}
    assert document.blocks == (
        Block(type=BlockType.PARAGRAPH, text="Linux", start=16, end=21),
        Block(type=BlockType.PARAGRAPH, text="Run volt.", start=25, end=36),
        Block(type=BlockType.PARAGRAPH, text="Tip: Hot lid", meta=tip, start=49, end=63),
        Block(type=BlockType.PARAGRAPH, text="Wait.", meta=tip, start=64, end=69),
    )
    assert slices(document) == ["Linux", "Run `volt`.", ":::tip Hot lid", "Wait."]


CASES = {
    "imports": (
        "import A from './a'\nimport {\n  B,\n  C,\n} from \"b\";\nimport * as D from 'd'\nimport 'e.css'\n\nText.",
        ["p | Text."],
    ),
    "text right under an import": ("import A from 'a'\nText.", ["p | Text."]),
    "exports": (
        "export const meta = {\n  a: `x ${y} }`,\n\n  b: 1\n}\nexport const n =\n  5\nexport default A\n\nText.",
        ["p | Text."],
    ),
    "an exported function with blank lines and odd strings": (
        (
            "export default function Layout({children}) {\n  // } it's\n  const a = \"}\" + '{' // {\n\n  /* } */\n"
            "  return <div>{children} Don't</div>\n}\n\nText."
        ),
        ["p | Text."],
    ),
    "an exported element without brackets": ("export const A = () => <b>\n  no\n</b>\n\nText.", ["p | Text."]),
    "words that are no statements": (
        "import duties rose.\n\nexport prices fell.\n\n  import A from 'a'",
        ["p | import duties rose.", "p | export prices fell.", "p | import A from 'a'"],
    ),
    "an export that never closes ends at the next blank line": (
        "export const a = {\n  b: 1,\n\n# Next\n\nText.",
        ["h1 | Next", "p | Text."],
    ),
    "comments": ("a {/* no\n\n# no */} b\n\n<!-- no\n\nno -->\n\nc", ["p | a b", "p | c"]),
    "comments that never close end at the next blank line": ("{/* no\nno\n\na\n\n<!-- no\n\nb", ["p | a", "p | b"]),
    "components": (
        "<Tabs>\n# One\n</Tabs>\n\n<A.B x={1}/>\n\n<>\n- two\n</>\n\n<my-part>\nthree\n</my-part>",
        ["h1 | One", "list | - two", "p | three"],
    ),
    "a tag ends at its real end": (
        "<A on={x => y} t=\"a > b\" u='{' {...rest}>\none\n</A>\n\n<B\n  f={() => {\n\n    return `}`\n  }}\n/>\n\ntwo",
        ["p | one", "p | two"],
    ),
    "a component on a line of text": (
        "<Note>text *b*</Note>\n\n- <Note>item</Note>\n\n> <Note>_said_</Note>\n\n# <Icon/> Title",
        ["p | text b", "list | - item", "quote | said", "h1 | Title"],
    ),
    "lowercase tags": (
        '<div class="x">\n\nH<sub>2</sub>O<br/>un<b>der</b>\n\n</div>\n<td>a</td><td>b</td>',
        ["p | H2O under", "p | a b"],
    ),
    "styles and scripts": ("<style>{`\n\n.a { color: red }\n`}</style>\n\na <script>no</script> b", ["p | a b"]),
    "attributes that are shown": (
        (
            '<TabItem label="Linux">\n\n</TabItem>\n\n<Card title="Install" summary={"Soon"} href="x" />\n\n'
            '<Faq\n  question=\'Why?\'\n/>\n\nA <Badge label="new"/> lid.\n\n<Card title={t} label=""/>'
        ),
        ["p | Linux", "p | Install", "p | Soon", "p | Why?", "p | A new lid."],
    ),
    "a component between two items closes the list": (
        '- a\n\n<Card title="b" />\n\n- c\n  1. d\n\n<Card title="e">\n\n- f\n\n</Card>',
        ["list | - a", "p | b", "list | - c\n  1. d", "p | e", "list | - f"],
    ),
    "components between items, and in them, of a list that is indented itself": (
        (
            '<Tabs>\n  <Tab title="a">\n    - b\n\n      <Card title="c" />\n    - d\n\n    <Card title="e" />\n\n'
            '    - f\n  </Tab>\n  <Tab title="g">\n    - h\n  </Tab>\n</Tabs>'
        ),
        ["p | a", "list | - b c\n- d", "p | e", "list | - f", "p | g", "list | - h"],
    ),
    "a component between terms": (
        'a\n: b\n\n<Card title="c" />\n\nd\n: e\n',
        ["list | - a: b", "p | c", "list | - d: e"],
    ),
    "a component that is indented belongs to its item": (
        (
            '- a\n\n  <Card title="b">\n  c\n  </Card>\n\n  d\n- e\n  - f\n\n  <Card title="g" />\n- h\n\n'
            '  ```\n  i\n  ```\n\n  <Card title="j" />\n\n  k\n\nl'
        ),
        ["list | - a b c d\n- e\n  - f\n  g\n- h", "code | i", "list |   j k", "p | l"],
    ),
    "images": (
        '<img alt="Plan" src={x} />\n\nSee <Image src="a" alt="it" />. <img src="b"/>',
        ["p | [image: Plan]", "p | See [image: it]."],
    ),
    "expressions": (
        "a {'one'} {\"two\"} {`three`} {`no ${x}`} {no} {a.map(b => <li key={b}>\"{b}\"</li>)} z{' '}y",
        ["p | a one two three z y"],
    ),
    "an expression that never closes ends at the next blank line": ("a {no\nno\n\n# B", ["p | a", "h1 | B"]),
    "a tag that never closes ends at the next blank line": ("<Tabs no='\nno\n\n# B", ["h1 | B"]),
    "signs that are no tags": (
        "1 < 2, a <b and c; <https://e.org> <me@e.org> \\<T> \\{x\\}",
        ["p | 1 < 2, a <b and c; https://e.org me@e.org <T> {x}"],
    ),
    "code spans and fences are left alone": (
        (
            "`<A>{b}` ``{` `` ` {no} `\n\n```js\nimport a from 'b'\n{c} <D>\n```\n\n"
            "- ~~~~\n  {e}\n  ~~~\n  ~~~~\n\n> ```\n> {f}\n{no}g"
        ),
        [
            "p | <A>{b} {` {no}",
            "code | import a from 'b'\n{c} <D>",
            "code | {e}\n~~~",
            "code | {f}",
            "p | g",
        ],
    ),
    "an open fence runs to the end": ("a\n\n```\n{b}\n\n<C>", ["p | a", "code | {b}\n\n<C>"]),
    "mdx-code-block is unwrapped": (
        "````mdx-code-block\nimport A from 'a'\n\n<A title=\"T\">\n\n```js\n{x}\n```\n\n</A>\n````\n\nb",
        ["p | T", "code | {x}", "p | b"],
    ),
    "anchors": ("## Set up {#setup}\n\n## More {/* #more */}", ["h2 | Set up", "h2 | More"]),
    "admonitions": (
        ':::tip[Hot lid]\nWait.\n:::\n\n:::warning\n\n<Card title="Stop"/>\n\nNow.\n\n:::',
        ["p | Tip: Hot lid", "p | Wait.", "p | Warning: Stop", "p | Now."],
    ),
    "no code by indentation": (
        (
            "<Tabs>\n    <Tab>\n        ## One\n\n        - a\n          - b\n\n"
            "        ```js\n        f(\n          {x})\n        ```\n    </Tab>\n</Tabs>\n\n\ttab"
        ),
        ["h2 | One", "list | - a\n  - b", "code | f(\n  {x})", "p | tab"],
    ),
    "front matter": ("---\ntitle: Kiln\n---\n\n{x}\n\nHot.", ["h1 | Kiln", "p | Hot."]),
    "mathematics": (
        "$\\frac{a}{b}$ for {x} costs $5 or $6.\n\n$$\nx_{1}\n$$",
        ["p | $\\frac{a}{b}$ for costs $5 or $6.", "code | x_{1}"],
    ),
    "tables": ("| a | b |\n|---|---|\n| <b>1</b> | {'2'} |", ["table | a | b\n1 | 2"]),
}


@pytest.mark.parametrize("name", CASES)
def test_mdx(name: str) -> None:
    source, expected = CASES[name]

    assert lines(source, "mdx") == expected


@pytest.mark.parametrize("name", CASES)
def test_masks_keep_offsets(name: str) -> None:
    source = f"水泵 é\n\n{CASES[name][0]}\n\nÜ {{x}} **end** ü\n"
    document = parsed(source, "mdx")

    shown = slices(document)
    assert shown[0] == "水泵 é"
    unclosed = name == "an open fence runs to the end"
    assert unclosed or shown[-1] == "Ü {x} **end** ü"
    assert unclosed or document.blocks[-1].text == "Ü end ü"


def test_code_in_components_keeps_its_offsets() -> None:
    source = "<Tab>\n    <A>\n    ```js\n    é {x}\n      y\n    ```\n    </A>\n    text\n</Tab>\n"

    document = parsed(source, "mdx")

    assert [line(block) for block in document.blocks] == ["code | é {x}\n  y", "p | text"]
    assert slices(document) == ["```js\n    é {x}\n      y\n    ```", "text"]


def test_markdown_knows_admonitions_and_no_more() -> None:
    assert lines(":::tip Hot\nWait.\n:::\n\n{x}", "markdown") == ["p | Tip: Hot", "p | Wait.", "p | {x}"]


@pytest.mark.parametrize("data", ["", " \n\t\n", "\ufeff", "{x}", "<A/>", "{", "<A", "export const a = ("])
def test_nothing_to_read_makes_no_blocks(data: str) -> None:
    assert parsed(data, "mdx").blocks == ()


def test_control_characters_of_the_source_go() -> None:
    words = "words enough to tell that this is text"

    assert lines(f"a\x02b\x0bc <b>d</b> {words}", "mdx") == [f"p | abc d {words}"]


PARTS = st.lists(
    st.sampled_from(
        [
            *(
                "word ",
                "é ",
                "\n",
                "\n\n",
                "# ",
                "- ",
                "> ",
                "    ",
                "`",
                "```",
                "{x}",
                "{'y'}",
                "{",
                "}",
                "<A>",
                "</A>",
            ),
            *('<A title="t">', "<b>", "</b>", "<", ">", "import a from 'a'\n", "export const a = {", "<!--", "-->"),
            *("$", "\\", "'", '"', ":::tip T\n", ":::\n", "```mdx-code-block\n", "/*", "*/", "<img alt='i'/>"),
        ]
    ),
    max_size=14,
)


@given(PARTS)
def test_any_text_is_read_alike_twice_and_offsets_grow(parts: list[str]) -> None:
    source = "".join(parts)

    document = parsed(source, "mdx")

    assert document == parsed(source, "mdx")
    assert all(block.text.strip() for block in document.blocks)
    places = [
        (block.start, block.end) for block in document.blocks if block.start is not None and block.end is not None
    ]
    assert all(0 <= start < end <= len(source) and source[start:end].strip() for start, end in places)


WORDS = st.lists(st.sampled_from(["alpha", "beta", "ünï", "水泵"]), min_size=1, max_size=4).map(" ".join)
WRAPPED = [
    *(
        "{0}",
        "<Note>{0}</Note>",
        "<Tab>\n\n{0}\n\n</Tab>",
        "<Tab>\n    {0}\n</Tab>",
        "- {0}",
        "> {0}",
        "# {0}",
        "```\n{0}\n```",
    ),
    *(
        '<Card title="{0}" />',
        '  <Card title="{0}" />',
        "{{'{0}'}}",
        "no{{x}} {0}",
        "{{/* gone */}}\n\n{0}",
        "a <b>{0}</b>",
        ":::tip\n{0}\n:::",
    ),
]


@given(st.lists(st.tuples(st.sampled_from(WRAPPED), WORDS), max_size=8))
def test_every_word_comes_out_once_and_in_order(parts: list[tuple[str, str]]) -> None:
    source = "\n\n".join(wrapped.format(words) for wrapped, words in parts)

    document = parsed(source, "mdx")

    marks = {"-", "Tip:", "a", "no"}
    found = " ".join(block.text for block in document.blocks).split()
    assert [word for word in found if word not in marks] == " ".join(words for _, words in parts).split()
    places = [block.start or 0 for block in document.blocks]
    assert places == sorted(places)


@given(st.lists(st.tuples(st.sampled_from(WRAPPED), WORDS), max_size=8))
def test_edits_made_in_runs_come_to_the_same(parts: list[tuple[str, str]]) -> None:
    source = "\n\n".join(wrapped.format(words) for wrapped, words in parts)
    whole = parsed(source, "mdx")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mdx_masks, "_RUN", 1)
        assert parsed(source, "mdx") == whole
