"""Lines of the readers design's lists "Do better than" that the tests of the formats don't show."""

import pytest

from tests.unit.readers.reading import lines, parsed

LINES = {
    "a table with role=none is layout": ("html", "<table role=none><tr><td>a<td>b</table>", ["p | a", "p | b"]),
    "permalinks by their other classes": (
        "html",
        "<h2>A<a class=hash-link href='#a'>x</a></h2><h3>B <a class='heading-anchor' href='#b'>link</a></h3>",
        ["h2 | A", "h3 | B"],
    ),
    "MathJax keeps the source of a formula": (
        "html",
        (
            "<p>so <mjx-container><mjx-math aria-hidden=true>x</mjx-math><mjx-assistive-mml><math><semantics><mi>x</mi>"
            "<annotation encoding='application/x-tex'>x^2</annotation></semantics></math></mjx-assistive-mml>"
            "</mjx-container> is"
        ),
        ["p | so x^2 is"],
    ),
    "code with a title has its language too": ("markdown", '```py title="run.py"\nx\n```', ["p | run.py", "code | x"]),
    "a fence in a list item holds a heading": (
        "markdown",
        "1. a\n\n   ~~~~\n   # x\n   ```\n   ~~~~\n2. b",
        ["list | 1. a", "code | # x\n```", "list | 2. b"],
    ),
    "references with names only": (
        "markdown",
        "see [Spec][] and [spec]\n\n[SPEC]: https://e.org/s",
        ["p | see Spec (https://e.org/s) and spec (https://e.org/s)"],
    ),
    "a row over all columns in a grid of reStructuredText": (
        "rst",
        "+---+---+\n| a | b |\n+---+---+\n| c     |\n+---+---+\n",
        ["table | a | b\nc | c"],
    ),
    "lettered and bulleted lines that are indented": (
        "text",
        "Needs at the left edge of it all:\n\n    a) one\n    b) two\n\n    * three",
        ["p | Needs at the left edge of it all:", "list | a. one\nb. two", "list | - three"],
    ),
    "SRT with references, without an index, in no order": (
        "srt",
        "00:00:09,000 --> 00:00:08,000\nR&amp;D &eacute;\n\n00:01,000 --> 00:02,000\nb.",
        ["p | R&D é", "p | b."],
    ),
}


@pytest.mark.parametrize("name", LINES)
def test_a_line_of_the_design(name: str) -> None:
    format_name, source, expected = LINES[name]

    assert lines(source, format_name) == expected


def test_the_language_of_code_with_a_title() -> None:
    document = parsed('```Py title="run.py" {1}\nx\n```', "markdown")

    assert [dict(block.meta) for block in document.blocks] == [{}, {"language": "py"}]
