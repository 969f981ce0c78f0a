"""Constructs without an end: they take nothing with them, or what their format's own rules say.

Endless components of MDX are in `test_mdx`, drawers and blocks of Org in `test_org`, sections of LaTeX in
`test_latex`, tables of reStructuredText in `test_rst`, fences of Markdown (case P01) in `test_markdown`.
"""

import re

import pytest

from app.errors import MalformedDocument
from app.ports.reader_runner import Source
from app.readers.registry import read, read_blocks

#: What stands around a construct where blank lines alone don't do.
AROUND = {
    "html": ("<p>before</p>", "<p>after</p>"),
    "rtf": ("{\\rtf1\\ansi before\\par ", "\\par after\\par}"),
    "docbook": ("<article><para>before</para>", "<para>after</para></article>"),
    "man": (".TH X 1\n.SH NAME\nbefore\n.PP\n", "\n.PP\nafter\n"),
    "vtt": ("WEBVTT\n\n00:01.000 --> 00:02.000\nbefore\n\n", "\n\n00:05.000 --> 00:06.000\nafter\n"),
    "srt": ("1\n00:00:01,000 --> 00:00:02,000\nbefore\n\n", "\n\n3\n00:00:05,000 --> 00:00:06,000\nafter\n"),
}
#: By format: what opens and never ends; its own words are `inside`.
OPEN = {
    "markdown": (
        *("~~~\ninside", "```` py\ninside", "> inside", "$$\ninside", ":::note\ninside", "<details>\n\ninside"),
        *("| inside | x\n|--|--\n| x", "**inside", "`inside", "[inside](x", "![inside](", "^[inside", "- [ inside"),
        *("<table><tr><td>inside", "<b>inside", "<pre>inside", "[^1]: inside", "&inside", "*inside **x*"),
    ),
    "mdx": ("~~~\ninside", "<A>\ninside", "<>inside", ":::tip\ninside", "`inside", "import {x", "**inside"),
    "html": (
        *("<table><tr><td>inside ", "<pre>inside ", "<ul><li>inside ", "<dl><dt>inside ", "<blockquote>inside "),
        *("<details><summary>inside ", "<b><i>inside ", "<noscript>", "&#", "&inside", "<sup>inside "),
    ),
    "rst": (
        *("::\n\n  inside", "*inside", "``inside", "`inside <", "|inside", "[inside", ".. note::\n\n   inside"),
        *(
            "+---+---+\n| inside | x",
            "=== ===\ninside x",
            ".. code-block:: py\n\n   inside",
            "inside::",
            "x\n\n  inside",
        ),
        *('.. csv-table:: inside\n\n   "x', ".. list-table:: inside\n\n   * - x", "inside\n====", "====\ninside"),
    ),
    "text": ("x:\n\n    inside", "| inside | x\n|---", "inside\n===", "- inside", '"inside', "(inside", "\finside"),
    "pdf": ("inside-", "--- page 2\ninside", "inside\f", "(inside"),
    "asciidoc": (
        *("----\ninside", "|===\n|inside", "____\ninside", "====\ninside", "****\ninside", "....\ninside"),
        *(
            "--\ninside",
            "```\ninside",
            "*inside",
            "`inside",
            "+inside",
            "link:x[inside",
            "footnote:[inside",
            "<<inside",
        ),
        *("{inside", "ifdef::x[]\ninside", "pass:[inside", "(((inside", "stem:[inside", "* x\n+\n----\ninside"),
        ',===\nx,"inside',
    ),
    "org": (
        *("#+begin_src\ninside", "#+begin_quote\ninside", "#+begin_verse\ninside", ":LOGBOOK:\ninside", "*inside"),
        *("[[x][inside", "[fn:: inside", "\\begin{equation}\ninside", "$inside", "{{{inside", "src_sh{inside"),
        *("\\q{inside", "[cite:@inside", "#+begin_comment\ninside", "#+begin_export html\ninside"),
    ),
    "latex": (
        *("\\begin{verbatim}\ninside", "\\begin{itemize}\n\\item inside", "{\\bf inside", "\\textbf{inside", "$inside"),
        *("\\[inside", "\\begin{equation}inside", "\\begin{tabular}{l}inside", "\\footnote{inside", "\\begin{x}inside"),
        *("\\section{inside", "\\begin{lstlisting}\ninside", "\\begin{document}inside", "\\href{inside"),
    ),
    "mediawiki": (
        *("{| \n| inside", "[[inside", "'''inside", "<nowiki>inside", "<ref>inside", "{{inside", "<blockquote>inside"),
        *("<syntaxhighlight lang=c>\ninside", "== inside", "<table><tr><td>inside", "<math>inside"),
    ),
    "typst": (
        *("```\ninside", "$inside", "*inside", "#quote[inside", "#table(inside", "#let x = [inside", "[inside"),
        *('#link("inside', "#figure(inside", "#if x { inside"),
    ),
    "man": (
        ".EX\ninside",
        ".nf\ninside",
        ".TS\ninside",
        ".RS\ninside",
        ".TP\ninside",
        "\\fBinside",
        ".if x \\{\ninside",
    ),
    "docbook": ("<para>inside", "<para><emphasis>inside", "<programlisting>inside"),
    "rtf": ("{\\b inside", "{\\footnote inside", "\\trowd inside\\cell", "\\'", "\\u"),
    "vtt": (
        *("00:03.000 --> 00:04.000\n<i>inside", "00:03.000 --> 00:04.000\ninside <", "00:03.000 --> "),
        *("NOTE x", "STYLE\nx", "00:03.000 --> 00:04.000", "00:03.000 --> 00:04.000\n<ruby>x<rt>inside"),
    ),
    "srt": (
        *("2\n00:00:03,000 --> 00:00:04,000\n<i>inside", "2\n00:00:03,000 --> 00:00:04,000\n{\\an8 inside"),
        *("2\n00:00:03,000 -->", "2"),
    ),
}
#: By format: what, by the format's own rules, runs to the end and is no text.
TO_THE_END = {
    "markdown": ("<!-- x", "<script>x", "<style>\nx", "<?x"),
    "html": ("<!-- x", "<script>x", "<style>x", "<textarea>x", "<iframe>x", "<a href='x"),
    "typst": ("/* x",),
}


def counted(name: str, construct: str, *, with_end: bool = True) -> dict[str, int]:
    """How often each word is read."""
    before, after = AROUND.get(name, ("before\n\n", "\n\nafter\n"))
    source = f"{before}{construct}{after if with_end else ''}"
    text = "\n".join(block.text for block in read_blocks(Source(data=source.encode(), format=name)).blocks)
    return {word: len(re.findall(word, text)) for word in ("before", "inside", "after")}


@pytest.mark.parametrize("name", OPEN)
def test_what_never_ends_takes_nothing_with_it(name: str) -> None:
    found = {
        (construct, end): counted(name, construct, with_end=end) for construct in OPEN[name] for end in (True, False)
    }
    dropped = ("#+begin_comment", "#+begin_export")

    assert {key: count for key, count in found.items() if count["before"] != 1 or count["after"] != key[1]} == {}
    said = {key: count for key, count in found.items() if "inside" in key[0] and not key[0].startswith(dropped)}
    assert {key: count for key, count in said.items() if count["inside"] != 1} == {}


@pytest.mark.parametrize("name", TO_THE_END)
def test_what_runs_to_the_end_leaves_what_stands_before(name: str) -> None:
    for construct in TO_THE_END[name]:
        assert counted(name, construct) == {"before": 1, "inside": 0, "after": 0}


CUT_OFF = {
    "json": (b'{"a": [1, 2', b'{"a": "x', b'{"a"', b"[1,"),
    "jsonl": (b'{"a": 1}\n{"b": ', b'{"a": 1}\n"x'),
    "xml": (
        b"<a><b>x</b>",
        b"<a b='x",
        b"<a><!-- x",
        b"<a><![CDATA[x",
        b"<a>&x",
        b"<!DOCTYPE a [",
        b"<?xml version='1.0'",
    ),
    "toml": (b"a = [1, 2", b'a = "x', b"a = '''x", b"[a", b"a = {b = 1"),
    "yaml": (b"a: [1, 2", b'a: "x', b"a: {b: 1", b"a: 'x", b"? [a"),
    "ipynb": (b'{"cells": [{"cell_type": "markdown", "source": "x"', b'{"cells": ['),
    "blocks": (b'[{"type": "paragraph", "text": "x"}', b"["),
}


@pytest.mark.parametrize("name", CUT_OFF)
def test_data_that_is_cut_off_is_refused_with_its_place(name: str) -> None:
    for data in CUT_OFF[name]:
        with pytest.raises(MalformedDocument, match=r"line \d+"):
            read(Source(data=data, format=name))
