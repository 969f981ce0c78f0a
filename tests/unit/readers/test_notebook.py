import json
from collections.abc import Callable, Sequence

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.documents.block import Block, BlockType
from app.documents.values import JsonObject, JsonValue
from app.errors import MalformedDocument, TooDeep
from app.readers.registry import resolve_format
from tests.unit.readers.reading import line, lines, parsed


def code(source: JsonValue, *outputs: JsonObject, tags: Sequence[str] = ()) -> JsonObject:
    return {"cell_type": "code", "source": source, "outputs": list(outputs), "metadata": {"tags": list(tags)}}


def prose(source: JsonValue, kind: str = "markdown") -> JsonObject:
    return {"cell_type": kind, "source": source, "metadata": {}}


def notebook(*cells: JsonValue, **metadata: JsonValue) -> str:
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": list(cells)})


def stream(text: JsonValue, name: str = "stdout") -> JsonObject:
    return {"output_type": "stream", "name": name, "text": text}


def shown(kind: str = "display_data", **data: JsonValue) -> JsonObject:
    return {"output_type": kind, "data": {name.replace("_", "/", 1): value for name, value in data.items()}}


def outputs(*found: JsonObject) -> list[str]:
    return lines(notebook(code("", *found)), "ipynb")


def test_a_notebook() -> None:
    source = notebook(
        prose("## Heat\n\nSlowly:"),
        code(
            ["import kiln\n", "\n", "kiln.run()  \n"],
            stream(["cone 5\n", "done\n"]),
            shown("execute_result", text_plain="42"),
        ),
        prose("one\ntwo\n\n \nthree", "raw"),
        prose("dropped", "widget"),
        title="Kiln log",
        language_info={"name": "Python"},
    )

    document = parsed(source, "ipynb")

    assert (document.title, document.source, document.encoding, document.warnings) == ("Kiln log", None, "utf-8", ())
    assert document.blocks == (
        Block(type=BlockType.HEADING, text="Kiln log", level=1),
        Block(type=BlockType.HEADING, text="Heat", level=2),
        Block(type=BlockType.PARAGRAPH, text="Slowly:"),
        Block(type=BlockType.CODE, text="import kiln\n\nkiln.run()", meta={"language": "python"}),
        Block(type=BlockType.CODE, text="Output:\ncone 5\ndone"),
        Block(type=BlockType.CODE, text="Output:\n42"),
        Block(type=BlockType.PARAGRAPH, text="one two"),
        Block(type=BlockType.PARAGRAPH, text="three"),
    )


def test_a_heading_of_level_1_is_the_title() -> None:
    assert lines(notebook(prose("# Kiln"), title="Log"), "ipynb") == ["h1 | Kiln"]


TABLE = (
    "<div><style>x{}</style><table><thead><tr><th></th><th>kg</th></tr></thead>"
    "<tbody><tr><th>clay</th><td>7</td></tr></table></div>"
)
OUTPUTS: dict[str, tuple[list[JsonObject], list[str]]] = {
    "colours and cursor movements go, trailing space too": (
        [stream("\x1b[1;31mred\x1b[0m  \n\x1b]0;title\x07plain\x1b[2K \n\n")],
        ["code | Output:\nred\nplain"],
    ),
    "a line written anew shows its last state": (
        [stream("10%\r 50%\r100%\ndone\r\nmore\r")],
        ["code | Output:\n100%\ndone\nmore"],
    ),
    "a stream printed in pieces is one": (
        [stream("a\n"), stream("b\n"), stream("c\n", "stderr"), stream("d\n")],
        ["code | Output:\na\nb", "code | Output:\nc", "code | Output:\nd"],
    ),
    "an error keeps its name and message": (
        [{"output_type": "error", "ename": "KeyError", "evalue": "\x1b[1m'lid'\x1b[0m", "traceback": ["Traceback"]}],
        ["code | KeyError: 'lid'"],
    ),
    "an error without a message": (
        [{"output_type": "error", "ename": "KeyboardInterrupt"}],
        ["code | KeyboardInterrupt"],
    ),
    "a table instead of its print": (
        [shown(text_plain="      kg\nclay   7", text_html=[TABLE, "<p>1 rows × 1 columns</p>"])],
        ["table |  | kg\nclay | 7", "p | 1 rows × 1 columns"],
    ),
    "a print instead of other HTML": (
        [shown(text_plain="Kiln(5)", text_html="<b>Kiln</b>")],
        ["code | Output:\nKiln(5)"],
    ),
    "HTML where the print says nothing": (
        [shown(text_plain="<IPython.core.display.HTML object>", text_html="<p>Hot <b>lid</b></p>")],
        ["p | Hot lid"],
    ),
    "Markdown": (
        [shown(text_plain="<IPython.core.display.Markdown object>", text_markdown="### Now\n\n- **a**")],
        ["h3 | Now", "list | - a"],
    ),
    "a formula": ([shown(text_latex="$\\displaystyle x^2$")], ["code | \\displaystyle x^2"]),
    "prints that only name a class": (
        [
            shown(text_plain="<Figure size 640x480 with 1 Axes>", image_png="AAAA"),
            shown(
                "execute_result",
                text_plain="[<matplotlib.lines.Line2D at 0x7f3c>,\n <matplotlib.lines.Line2D at 0x7f3d>]",
            ),
            shown("execute_result", text_plain="<kiln.Log object at 0xABC>"),
            stream("<kiln.Log object at 0xABC>\n"),
            shown("execute_result", text_plain="Log at 0xABC"),
        ],
        ["code | Output:\nLog at 0xABC"],
    ),
    "images and widgets": (
        [
            shown(image_png="AAAA"),
            {
                "output_type": "display_data",
                "data": {
                    "application/vnd.jupyter.widget-view+json": {"model_id": "x"},
                    "text/plain": "IntSlider(value=0)",
                },
            },
        ],
        [],
    ),
    "outputs that are none": ([{"output_type": "comm"}, {}, stream(None), stream([1, "x"])], ["code | Output:\nx"]),
}


@pytest.mark.parametrize("name", OUTPUTS)
def test_outputs(name: str) -> None:
    found, expected = OUTPUTS[name]

    assert outputs(*found) == expected


def test_a_long_output_keeps_its_ends() -> None:
    long = "\n".join(f"{number} {'x' * 200}" for number in range(1000))

    document = parsed(notebook(prose("a"), code("", stream(long))), "ipynb")

    shown_lines = document.blocks[1].text.split("\n")
    assert shown_lines[0] == "Output:"
    assert [text.split(" ")[0] for text in shown_lines[1:51]] == [str(number) for number in range(50)]
    assert shown_lines[51] == "[... 900 lines]"
    assert [text.split(" ")[0] for text in shown_lines[52:]] == [str(number) for number in range(950, 1000)]
    assert document.warnings == ("Long outputs were shortened: 1, the first in cell 2.",)


@pytest.mark.parametrize("long", ["\n".join("x" * 190 for _ in range(101)), "\n".join("x" * 1000 for _ in range(100))])
def test_outputs_that_are_not_long_or_of_few_lines_are_kept(long: str) -> None:
    assert outputs(stream(long)) == [f"code | Output:\n{long}"]


def test_tags_drop_cells_inputs_and_outputs() -> None:
    source = notebook(
        code("a", stream("1"), tags=["remove-cell"]),
        code("b", stream("2"), tags=["hide-cell"]),
        code("c", stream("3"), tags=["other", "remove-input"]),
        code("d", stream("4"), tags=["remove_output"]),
        {"cell_type": "markdown", "source": "e", "metadata": {"tags": ["remove-cell"]}},
    )

    assert lines(source, "ipynb") == ["code | Output:\n3", "code | d"]


def test_definitions_of_one_cell_serve_the_others() -> None:
    source = notebook(
        prose("See [the spec][S] and [Own] and [no]."),
        prose("```\n[no]: https://e.org/no\n```\n\n[own]: https://e.org/other"),
        prose("[s]: https://e.org/s 'title'\n\n[own]: https://e.org/third"),
        prose("[own]: https://e.org/mine\n\nAnd [own]."),
    )

    assert lines(source, "ipynb") == [
        "p | See the spec (https://e.org/s) and Own (https://e.org/other) and [no].",
        "code | [no]: https://e.org/no",
        "p | And own (https://e.org/mine).",
    ]


@pytest.mark.parametrize("kind", ["raw", "markdown"])
def test_the_first_cell_may_be_front_matter(kind: str) -> None:
    document = parsed(notebook(prose("---\ntitle: Kiln\nlang: de\n---\nHi.", kind), prose("---\na: b\n---")), "ipynb")

    assert (document.title, document.language) == ("Kiln", "de")
    assert [line(block) for block in document.blocks] == ["h1 | Kiln", "p | Hi.", "h2 | a: b"]


def test_version_3() -> None:
    source = {
        "nbformat": 3,
        "metadata": {"name": "x"},
        "worksheets": [
            {
                "cells": [
                    {"cell_type": "heading", "level": 2, "source": ["Heat *it*"]},
                    {
                        "cell_type": "code",
                        "language": "Python",
                        "input": ["1 + 1"],
                        "outputs": [
                            {"output_type": "stream", "stream": "stdout", "text": ["hi"]},
                            {"output_type": "pyout", "text": ["2"], "png": "AAAA"},
                            {"output_type": "display_data", "html": [TABLE], "text": "x"},
                            {"output_type": "pyerr", "ename": "E", "evalue": "m", "traceback": ["t"]},
                        ],
                    },
                ]
            },
            {"cells": [{"cell_type": "markdown", "source": "end"}]},
        ],
    }

    document = parsed(json.dumps(source), "ipynb")

    assert [line(block) for block in document.blocks] == [
        "h2 | Heat it",
        "code | 1 + 1",
        "code | Output:\nhi",
        "code | Output:\n2",
        "table |  | kg\nclay | 7",
        "code | E: m",
        "p | end",
    ]
    assert document.blocks[1].meta == {"language": "python"}


def test_the_language_may_stand_with_the_kernel_or_nowhere() -> None:
    assert parsed(notebook(code("1"), kernelspec={"language": "R"}), "ipynb").blocks[0].meta == {"language": "r"}
    assert parsed(notebook(code("1"), language_info=[]), "ipynb").blocks[0].meta == {}


@pytest.mark.parametrize(
    "source",
    [
        *("", " ", "\ufeff", "x", "[]", "1", "{}", '{"cells": {}}', '{"cells": NaN}', '{"cells": [], "a": Infinity}'),
        *('{"worksheets": []}', '{"worksheets": [{}]}', '{"cells": [', '{"cells": []}}'),
        f'{{"cells": [], "a": {"9" * 5000}}}',
    ],
)
def test_what_is_no_notebook_is_refused(source: str) -> None:
    with pytest.raises(MalformedDocument):
        parsed(source, "ipynb")


@pytest.mark.parametrize("depth", [201, 1000, 100_000])
def test_deep_nesting_is_refused(depth: int) -> None:
    with pytest.raises(TooDeep):
        parsed(f'{{"cells": {"[" * depth}{"]" * depth}}}', "ipynb")


def test_nesting_up_to_the_limit_is_read() -> None:
    assert parsed(f'{{"cells": [], "metadata": {"[" * 199}{"]" * 199}}}', "ipynb").blocks == ()


def test_html_that_is_nested_too_deeply_falls_back_to_the_print() -> None:
    document = parsed(notebook(code("", shown(text_plain="7", text_html="<table><div>" * 30_000))), "ipynb")

    assert [line(block) for block in document.blocks] == ["code | Output:\n7"]
    assert document.warnings == ("HTML outputs that are nested too deeply were left out: 1, the first in cell 1.",)


def test_what_cannot_be_stored_is_replaced() -> None:
    document = parsed('{"cells": [{"cell_type": "raw", "source": "a\\ud800b\\u0000c"}]}', "ipynb")

    assert [block.text for block in document.blocks] == ["a\ufffdb\ufffdc"]
    assert document.warnings == ("Characters that can't be stored were replaced by U+FFFD: 2.",)


@pytest.mark.parametrize(
    "cell", [None, 1, [], {}, {"cell_type": 1}, {"cell_type": "code"}, {"cell_type": "code", "source": {}}]
)
def test_cells_with_missing_parts_leave_nothing(cell: JsonValue) -> None:
    assert lines(notebook(cell, prose("a")), "ipynb") == ["p | a"]


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (notebook(prose("a")), "ipynb"),
        (notebook(prose("a"))[:75], "ipynb"),
        ('\n{"worksheets": [{"cells": [{"cell_type": "code"', "ipynb"),
        ('{"cells": []}', "ipynb"),
        ('{"cells": {"nbformat": 4}}', "json"),
    ],
)
def test_a_look_at_the_first_bytes(head: str, name: str) -> None:
    assert resolve_format(declared=None, filename=None, media_type=None, head=head.encode()) == name


def test_what_another_library_writes_is_read() -> None:
    written = nbformat.v4.new_notebook(  # type: ignore[no-untyped-call]  # the package is not annotated
        cells=[
            nbformat.v4.new_markdown_cell("# A"),  # type: ignore[no-untyped-call]
            nbformat.v4.new_code_cell("1", outputs=[nbformat.v4.new_output("stream", text="one")]),  # type: ignore[no-untyped-call]
            nbformat.v4.new_raw_cell("b"),  # type: ignore[no-untyped-call]
        ]
    )

    assert lines(nbformat.writes(written), "ipynb") == ["h1 | A", "code | 1", "code | Output:\none", "p | b"]  # type: ignore[no-untyped-call]


WORDS = st.lists(st.sampled_from(["alpha", "beta", "ünï", "水泵", "x1"]), min_size=1, max_size=6).map(" ".join)


@given(st.lists(st.tuples(st.sampled_from(["markdown", "raw", "code", "stream", "result"]), WORDS), max_size=8))
def test_every_word_comes_out_once_and_in_order(parts: list[tuple[str, str]]) -> None:
    made: dict[str, Callable[[str], JsonObject]] = {
        "code": code,
        "stream": lambda text: code("", stream(text)),
        "result": lambda text: code("", shown("execute_result", text_plain=text)),
    }
    source = notebook(*(made[kind](text) if kind in made else prose(text, kind) for kind, text in parts))

    document = parsed(source, "ipynb")

    assert document == parsed(source, "ipynb")
    found = " ".join(block.text for block in document.blocks).replace("Output:", "").split()
    assert found == " ".join(text for _, text in parts).split()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "cells",
                    "cell_type",
                    "source",
                    "outputs",
                    "output_type",
                    "text",
                    "data",
                    "text/html",
                    "text/plain",
                    "metadata",
                ]
            ),
            inner | st.sampled_from(["code", "markdown", "stream", "display_data", "<table><td>x", "heading", "error"]),
        )
    ),
    max_leaves=25,
)


@given(JSON)
def test_any_json_is_read_or_refused(value: JsonValue) -> None:
    try:
        document = parsed(json.dumps({"cells": [value], "metadata": value}), "ipynb")
    except (MalformedDocument, TooDeep):
        return
    assert all(block.text.strip() for block in document.blocks)
