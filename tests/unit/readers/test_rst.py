from collections.abc import Callable
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.documents.block import Block, BlockType
from app.readers.rst_entries import entry_name
from app.readers.rst_roles import role_text
from tests.unit.readers.reading import line, parsed


def blocks(text: str) -> list[Block]:
    return list(parsed(dedent(text), "rst").blocks)


def lines(text: str) -> list[str]:
    return [line(block) for block in blocks(text)]


def test_the_example_of_the_design() -> None:
    assert lines("Kiln\n====\n\nCone\n  heat mark\n\nRun::\n\n  volt --go\n") == [
        "h1 | Kiln",
        "list | - Cone: heat mark",
        "p | Run:",
        "code | volt --go",
    ]


# Sections


def test_levels_are_the_order_of_adornment_styles_and_an_overline_is_its_own() -> None:
    text = """
    ====
    Book
    ====

    Part
    ====

    Chapter
    -------

    Next part
    =========

    Other Book
    ==========
    """
    assert lines(text) == ["h1 | Book", "h2 | Part", "h3 | Chapter", "h2 | Next part", "h2 | Other Book"]


def test_a_jump_is_kept() -> None:
    text = "A\n=\n\nB\n-\n\nC\n~\n\nD\n=\n\nE\n~\n\nF\n-\n"

    assert lines(text) == ["h1 | A", "h2 | B", "h3 | C", "h1 | D", "h3 | E", "h2 | F"]


def test_titles_have_no_marks_and_in_a_quote_or_item_they_are_text() -> None:
    assert lines("The *red* ``kiln``\n==================\n") == ["h1 | The red kiln"]
    assert lines("A\n=\n\n  Quoted\n  ------\n\n- Item\n  ----\n") == ["h1 | A", "quote | Quoted", "list | - Item"]


def test_a_title_in_a_directive_is_a_heading() -> None:
    assert lines("A\n=\n\n.. only:: html\n\n   B\n   -\n\n   text\n") == ["h1 | A", "h2 | B", "p | text"]


def test_titles_are_titles_whatever_the_length_of_the_document() -> None:
    text = "".join(f"Title {number}\n{'=-'[number % 2] * 10}\n\ntext\n\n" for number in range(600))

    assert lines(text) == [
        written for number in range(600) for written in (f"h{number % 2 + 1} | Title {number}", "p | text")
    ]


# Inline markup


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("*em* **strong** ``lit *x*``", "em strong lit *x*"),
        ("see `text <https://e.org>`_.", "see text (https://e.org)."),
        ("`text <https://e.org>`__ and `other <page.html>`_", "text (https://e.org) and other"),
        ("`write <mailto:a@e.org>`_ https://bare.org a@e.org", "write (mailto:a@e.org) https://bare.org a@e.org"),
        ("`<https://e.org>`_", "https://e.org"),
        (":ref:`x <y>` :class:`~a.B` :func:`open` :meth:`!c.d`", "x B open c.d"),
        (":py:class:`~a.b.C` `C`:py:obj: :doc:`/guide/start`", "C C /guide/start"),
        (":math:`a^2` :kbd:`Ctrl` :file:`/usr/{name}/~x` :pep:`8`", "$a^2$ Ctrl /usr/name/~x PEP 8"),
        (":custom:`as it is` `default`", "as it is default"),
        (":code:`a\\b` ``a\\b`` a\\*b", "a\\b a\\b a*b"),
        (r"re\ ``mark``\ s", "remarks"),
        ("_`target` here", "target here"),
        ("unended *emphasis and ``literal", "unended *emphasis and ``literal"),
        ("self.name_ and snake_case_name", "self.name_ and snake_case_name"),
        ("x |unknown| y", "x |unknown| y"),
        ("soft\u00adhyphen e\u0301", "softhyphen é"),
    ],
)
def test_inline_marks_leave_their_text(written: str, read: str) -> None:
    assert lines(f"{written}\n") == [f"p | {read}"]


def test_named_and_anonymous_references_find_their_addresses() -> None:
    text = """
    Python_, `the manual`_, alias_, `first`__, `second`__ and Scope_.

    Scope
    -----

    .. _Python: https://python.org
    .. _the manual: https://e.org/a
       b
    .. _alias: Python_
    __ https://one.org
    .. __: https://two.org
    """
    assert lines(text) == [
        (
            "p | Python (https://python.org), the manual (https://e.org/ab), alias (https://python.org), "
            "first (https://one.org), second (https://two.org) and Scope."
        ),
        "h1 | Scope",
    ]


def test_substitutions_are_put_in() -> None:
    text = """
    Version |ver| of |Name|, |copy| |logo| |when|.

    .. |ver| replace:: 2.1 *final*
    .. |name| replace:: `Kiln <https://kiln.org>`_ |ver|
    .. |copy| unicode:: 0xA9 U+2014 .. a comment
    .. |logo| image:: logo.png
       :alt: The logo
    .. |when| date::
    """
    assert lines(text) == ["p | Version 2.1 final of Kiln (https://kiln.org) 2.1 final, ©— [image: The logo] ."]


def test_substitutions_in_a_circle_stay_names() -> None:
    assert lines("|a|\n\n.. |a| replace:: x |b|\n.. |b| replace:: y |a|\n") == ["p | x y |a|"]


def test_roles_made_of_raw_are_dropped() -> None:
    text = ".. role:: html(raw)\n   :format: html\n\n.. role:: py(code)\n\na :html:`<b>` :py:`x` :raw:`y`\n"

    assert lines(text) == ["p | a x"]


# Lists


def test_bullet_and_enumerated_lists() -> None:
    text = """
    - unpack
    - connect

      more text

      3. red
      #. black

      after

      ::

        volt --check

    - close

    (a) alpha
    (b) beta

    i. roman
    ii. numbers
    """
    assert lines(text) == [
        "list | - unpack\n- connect more text\n  3. red\n  4. black\n  after",
        "code | volt --check",
        "list | - close",
        "list | a. alpha\nb. beta",
        "list | i. roman\nii. numbers",
    ]


def test_definition_option_and_field_lists() -> None:
    text = """
    Cone : noun : heat
      A *mark*.

      Another paragraph.

    Kiln
      - small
      - large

    Empty
      ..

    -f, --file=F  the file
    /V            version

    :Date: today
    :Empty:
    :param x: the turns
    """
    assert lines(text) == [
        "list | - Cone (noun) (heat): A mark. Another paragraph.\n- Kiln:\n  - small\n  - large\n- Empty:",
        "list | - -f, --file=F: the file\n- /V: version",
        "list | - Date: today\n- Empty:\n- param x: the turns",
    ]


def test_fields_about_the_file_are_no_text() -> None:
    assert lines(":orphan:\n:tocdepth: 2\n\ntext\n") == ["p | text"]
    assert lines(":Author: Ada\n:orphan:\n\ntext\n") == ["list | - Author: Ada", "p | text"]


def test_a_definition_may_begin_with_code() -> None:
    text = "Check\n  ::\n\n    volt\n\n  After.\n"

    assert lines(text) == ["list | - Check:", "code | volt", "list |   After."]


# Other bodies


def test_a_line_block_keeps_its_breaks_and_a_quote_behind_it_is_its_own() -> None:
    assert lines("| one *a*\n| two\n    goes on\n|\n|   three\n\n  quoted\n") == [
        "p | one a\ntwo goes on\nthree",
        "quote | quoted",
    ]


def test_quotes_keep_what_they_hold_and_end_with_their_attribution() -> None:
    text = """
    text

      one

      - item

      two

      -- Ada *Lund*,
         Kiln

      three

      --- Bo
    """
    assert lines(text) == [
        "p | text",
        "quote | one",
        "list | - item",
        "quote | two — Ada Lund, Kiln",
        "quote | three — Bo",
    ]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Run::\n\n    a\n\n      b\n\nend", ["p | Run:", "code | a\n\n  b", "p | end"]),
        ("Run: ::\n\n  a\n", ["p | Run:", "code | a"]),
        ("::\n\n  a\n", ["code | a"]),
        ("::\n\n> a\n> b\n\nend", ["code | > a\n> b", "p | end"]),
        ("::\n\n\ta\n\t\tb\tc\n", ["code | a\n\tb\tc"]),
        (">>> 1 + 1\n2\n\nend", ["code | >>> 1 + 1\n2", "p | end"]),
        (".. code-block::\n\n   a\n\n     b\n", ["code | a\n\n  b"]),
        (".. code::\n   :number-lines:\n\n   a\n", ["code | a"]),
        (".. code-block::\n   a = 1\n", ["code | a = 1"]),
        (".. parsed-literal::\n\n   a  *b*\n     |c|\n\n.. |c| replace:: d\n", ["code | a  b\n  d"]),
        (".. testcode::\n\n   a\n\n.. testoutput::\n   :hide:\n\n   b\n", ["code | a", "code | b"]),
        (".. doctest::\n\n   >>> a\n", ["code | >>> a"]),
        (".. code-block:: python\n\n.. code::\n", []),
    ],
)
def test_literal_blocks_are_code(text: str, read: list[str]) -> None:
    assert lines(text) == read


def test_code_has_its_language_and_its_caption_in_front() -> None:
    text = ".. code-block:: Python\n   :caption: How *to*\n   :emphasize-lines: 1\n\n   a\n   \tb\n\n.. math:: x^2\n"

    assert blocks(text) == [
        Block(type=BlockType.PARAGRAPH, text="How to"),
        Block(type=BlockType.CODE, text="a\n\tb", meta={"language": "python"}),
        Block(type=BlockType.CODE, text="x^2", meta={"language": "latex"}),
    ]


@pytest.mark.parametrize(
    "kind", ["attention", "caution", "danger", "error", "hint", "important", "note", "tip", "warning"]
)
def test_admonitions_say_their_kind_first(kind: str) -> None:
    meta = {"admonition": kind}

    assert blocks(f".. {kind}:: Mind the\n   step.\n\n   - one\n") == [
        Block(type=BlockType.PARAGRAPH, text=f"{kind.capitalize()}: Mind the step.", meta=meta),
        Block(type=BlockType.LIST, text="- one", meta=meta),
    ]


def test_admonitions_with_options_and_without_a_paragraph() -> None:
    assert lines(".. seealso::\n   :class: x\n\n   the manual\n") == ["p | See also: the manual"]
    assert lines(".. note::\n\n   :field: x\n") == ["p | Note:", "list | - field: x"]
    assert lines(".. NOTE:: x\n") == ["p | Note: x"]


@pytest.mark.parametrize("name", ["admonition", "topic", "sidebar", "rubric", "tab", "group-tab", "tab-item"])
def test_titles_of_directives_are_paragraphs(name: str) -> None:
    assert lines(f".. {name}:: The *title*\n   :class: x\n\n   content\n") == ["p | The title", "p | content"]


def test_a_sidebar_may_have_a_subtitle() -> None:
    text = ".. sidebar:: The title\n   :subtitle: and *more*\n\n   content\n"

    assert lines(text) == ["p | The title", "p | and more", "p | content"]


def test_tabs_are_read_in_order() -> None:
    text = ".. tabs::\n\n   .. tab:: Linux\n\n      apt\n\n   .. code-tab:: sh Shell\n\n      x\n"

    assert lines(text) == ["p | Linux", "p | apt", "p | Shell", "code | x"]


# Tables

GRID = """
    .. table:: Shop

       +------+-------------+
       | Year | Sales       |
       |      +-----+-------+
       |      | web | store |
       +======+=====+=======+
       | 2024 | 11  | - 7   |
       |      |     | - 8   |
       +------+-----+-------+
       | 2025 | all of it   |
       +------+-------------+
    """


def test_grid_tables_spread_their_cells() -> None:
    [block] = blocks(GRID)

    assert block.text == "Table: Shop\nYear | Sales web | Sales store\n2024 | 11 | 7; 8\n2025 | all of it | all of it"
    assert block.meta == {
        "caption": "Shop",
        "header": ["Year", "Sales web", "Sales store"],
        "rows": [["2024", "11", "7; 8"], ["2025", "all of it", "all of it"]],
    }


def test_simple_tables() -> None:
    text = "=====  =====\na      *b*\n=====  =====\n1      two\n       lines\n\n3      4 | 5\n=====  =====\n"

    assert lines(text) == ["table | a | b\n1 | two lines\n3 | 4 | 5"]
    assert blocks("==  ==\n1   2\n3   4\n==  ==\n")[0].meta == {
        "caption": "",
        "header": [],
        "rows": [["1", "2"], ["3", "4"]],
    }


def test_tables_of_comma_separated_values() -> None:
    text = """
    .. csv-table:: Turns
       :header: "Kind, all", Turns
       :widths: auto
       :unknown: yes

       "red, dark", "over
       two lines"
       *blue*, "a ""b"" c"
       short
    """
    assert lines(text) == [
        'table | Table: Turns\nKind, all | Turns\nred, dark | over two lines\nblue | a "b" c\nshort |'
    ]


def test_csv_with_its_own_signs_and_header_rows() -> None:
    text = ".. csv-table::\n   :delim: ;\n   :quote: '\n   :header-rows: 1\n\n   a;'b;c'\n   1;2\n"

    assert blocks(text)[0].meta == {"caption": "", "header": ["a", "b;c"], "rows": [["1", "2"]]}


@pytest.mark.parametrize("option", ["delim: too long", "quote: ab", "escape: xx"])
def test_csv_that_cannot_be_read_is_left_as_it_is(option: str) -> None:
    assert lines(f".. csv-table::\n   :{option}:\n\n   a,b\n".replace(":\n\n", "\n\n")) == ["code | a,b"]
    assert lines('.. csv-table::\n\n   "a,b\n') == ['code | "a,b']
    assert lines('.. csv-table:: Cap\n   :header: x, y\n\n   "a,b\n') == ["p | Cap", 'code | x, y\n"a,b']


def test_tables_of_lists_with_rows_of_any_length() -> None:
    text = """
    .. list-table:: Cap
       :header-rows: 1
       :widths: 10 20

       * - a
         - b
       * - 1

           more
         - - x
           - y
       * - short
    """
    assert lines(text) == ["table | Table: Cap\na | b\n1 more | x; y\nshort |"]


def test_a_table_directive_without_a_table_and_a_list_table_without_a_list() -> None:
    assert lines(".. table:: Cap\n\n   text\n") == ["p | Cap", "p | text"]
    assert lines(".. list-table:: Cap\n\n   text\n") == ["p | Cap", "p | text"]


# Sphinx


def test_versions() -> None:
    text = """
    .. versionadded:: 3.2
    .. versionchanged:: 3.3
       The *turns* count.

       More.
    .. deprecated:: 4.0 Use it.
    """
    assert lines(text) == [
        "p | Added in version 3.2",
        "p | Changed in version 3.3: The turns count.",
        "p | More.",
        "p | Deprecated since version 4.0: Use it.",
    ]


def test_signatures_are_entries_under_their_class() -> None:
    text = """
    .. py:class:: Tap(size, *args)
       :module: plumbing

       A tap.

       .. py:method:: open(turns) -> None
          :async:

          Opens it.

       .. attribute:: size
          :type: int

       It drips.

    .. function:: mend(tap, **how)
                  mend(tap, /)

       Mends it.

    .. option:: -f <file>, --file <file>
    """
    found = [(line(block), block.meta) for block in blocks(text)]

    assert found == [
        ("p | Tap(size, *args)", {"entry": "Tap", "signature": "Tap(size, *args)"}),
        ("p | A tap.", {}),
        ("p | open(turns) -> None", {"entry": "Tap.open", "signature": "Tap.open(turns) -> None"}),
        ("p | Opens it.", {}),
        ("p | size", {"entry": "Tap.size", "signature": "Tap.size"}),
        ("p | It drips.", {"entry": "Tap"}),
        ("p | mend(tap, **how)", {"entry": "mend", "signature": "mend(tap, **how)"}),
        ("p | mend(tap, /)", {"entry": "mend", "signature": "mend(tap, /)"}),
        ("p | Mends it.", {}),
        ("p | -f <file>, --file <file>", {"entry": "-f", "signature": "-f <file>, --file <file>"}),
    ]


def test_the_signature_of_the_design() -> None:
    assert blocks(".. py:method:: Tap.open(turns)\n") == [
        Block(
            type=BlockType.PARAGRAPH,
            text="Tap.open(turns)",
            meta={"entry": "Tap.open", "signature": "Tap.open(turns)"},
        )
    ]


@pytest.mark.parametrize(
    ("signature", "kind", "domain", "name"),
    [
        ("async Tap.open(turns) -> None", "method", "py", "Tap.open"),
        ("class Tap", "class", "", "Tap"),
        ("size: int = 3", "attribute", "py", "size"),
        ("@cached(size)", "decorator", "", "cached"),
        ("int tap_open(struct tap *t)", "function", "c", "tap_open"),
        ("char *name", "member", "c", "name"),
        ("std::string Tap::open() const", "function", "cpp", "Tap::open"),
        ("-m <module>", "option", "", "-m"),
        ("--file=F", "option", "", "--file"),
        ("html_theme", "confval", "", "html_theme"),
        ("GET /taps", "object", "", "GET /taps"),
        ("(", "function", "c", ""),
    ],
)
def test_names_of_what_is_described(signature: str, kind: str, domain: str, name: str) -> None:
    assert entry_name(signature, kind, domain) == name


@pytest.mark.parametrize(
    ("argument", "read"),
    [
        ("wide", []),
        ("wide tall", []),
        ("Tap", ["p | Tap"]),
        ("tap(x)", ["p | tap(x)"]),
        ("a.tap", ["p | a.tap"]),
    ],
)
def test_class_is_a_style_or_a_signature(argument: str, read: list[str]) -> None:
    assert lines(f".. class:: {argument}\n\ntext\n") == [*read, "p | text"]


# Other directives


def test_figures_and_images() -> None:
    text = """
    .. figure:: kiln.png
       :alt: A kiln
       :width: 50%

       The *kiln*.

       Its legend.

    .. image:: x.png
    .. image:: y.png
       :alt: A valve
    """
    assert lines(text) == ["p | [image: A kiln]", "p | Figure: The kiln.", "p | Its legend.", "p | [image: A valve]"]


@pytest.mark.parametrize(
    "directive",
    [
        "toctree::\n   :maxdepth: 2\n\n   a\n   b",
        "index:: single: kiln",
        "raw:: html\n\n   <b>x</b>",
        "contents:: Contents\n   :local:",
        "highlight:: python",
        "sectnum::",
        "header:: x",
        "footer:: x",
        "meta::\n   :description: x",
        "title:: x",
        "default-role:: math",
        "role:: x",
        "target-notes::",
        "module:: x",
        "py:currentmodule:: x",
        "testsetup::\n\n   x",
        "testcleanup::\n\n   x",
        "date::",
        "_target:",
        "_target: https://e.org",
        "a comment\n   over two lines",
        "",
        "|x| replace:: y",
        "replace:: y",
        "unicode:: 0x41",
    ],
)
def test_what_is_no_text(directive: str) -> None:
    assert lines(f"a\n\n.. {directive}\n\nb\n") == ["p | a", "p | b"]


@pytest.mark.parametrize(
    ("directive", "read"),
    [
        ("frob:: arg\n   :opt: x\n\n   content", ["p | content"]),
        ("frob::\n\n   content", ["p | content"]),
        ("frob::\n   content", ["p | content"]),
        ("only:: html and not x\n\n   content", ["p | content"]),
        ("my:frob-it:: arg", []),
        ("include:: /etc/passwd", ["p | [include: /etc/passwd]"]),
        ("literalinclude:: x.py\n   :language: python", ["p | [include: x.py]"]),
        ("csv-table:: Cap\n   :file: /etc/passwd", ["p | [include: /etc/passwd]"]),
        ("csv-table::\n   :url: http://198.51.100.1/x", ["p | [include: http://198.51.100.1/x]"]),
        ("epigraph::\n\n   quoted\n\n   -- Ada", ["quote | quoted — Ada"]),
        ("todo:: mend it", ["p | mend it"]),
        ("container:: a\n\n   content", ["p | content"]),
    ],
)
def test_unknown_and_including_directives(directive: str, read: list[str]) -> None:
    assert lines(f".. {directive}\n") == read


# Notes


def test_notes_end_the_document_in_the_order_of_their_marks() -> None:
    text = """
    One [#b]_ two [7]_ three [#]_ four [CIT]_ five [#b]_.

    .. [7] seven
    .. [#] auto
    .. [#b] labelled

       - in a list
    .. [CIT] cited [8]_
    .. [8] nested
    .. [9] never marked

    Last.
    """
    assert lines(text) == [
        "p | One [2] two [7] three [1] four [CIT] five [2].",
        "p | Last.",
        "p | [2] labelled in a list",
        "p | [7] seven",
        "p | [1] auto",
        "p | [CIT] cited [8]",
        "p | [8] nested",
        "p | [9] never marked",
    ]


def test_marks_of_automatic_notes() -> None:
    text = """
    a [*]_ b [*]_ c [#]_ d [#]_ e [#gone]_ f [2]_ g [#]_

    .. [*] star
    .. [*] dagger
    .. [#] auto
    .. [2] two
    .. [#] auto again
    """
    assert lines(text) == [
        "p | a [*] b [†] c [1] d [3] e [#gone] f [2] g [#]",
        "p | [*] star",
        "p | [†] dagger",
        "p | [1] auto",
        "p | [3] auto again",
        "p | [2] two",
    ]


# What can't be read


def test_a_table_without_an_end_takes_nothing_with_it() -> None:
    assert lines("===  ===\na    b\n\nA\n-\n\ntext\n") == ["p | === === a b", "h1 | A", "p | text"]


def test_a_malformed_table_is_read_as_plain_text_with_a_warning() -> None:
    document = parsed("before\n\n+---+---+\n| a | bc|d\n+---+---+\n\nafter\n", "rst")

    assert [line(block) for block in document.blocks] == [
        "p | before",
        "p | +---+---+ | a | bc|d +---+---+",
        "p | after",
    ]
    assert document.warnings == ("The markup at line 4 could not be read; that part was read as plain text.",)


def test_the_encoding_is_reported_and_characters_replaced() -> None:
    document = parsed("caf\u00e9 \0".encode("cp1252"), "rst")

    assert document.encoding == "windows-1252"
    assert [block.text for block in document.blocks] == ["café \ufffd"]
    assert len(document.warnings) == 2


@pytest.mark.parametrize("text", ["", " \n\t\n", "\ufeff", "x", "*", "`", "..", "::", "=", "====", "\u2028", "|", "_"])
def test_short_texts(text: str) -> None:
    assert len(parsed(text, "rst").blocks) <= 1


def test_role_text_of_odd_targets() -> None:
    assert role_text("ref", "<only>") == "<only>"
    assert role_text("ref", "a \x00<b>") == "a <b>"
    assert role_text("class", "~") == "~"
    assert role_text("class", "~a.") == "a."


_WORDS = st.text("abcdefgh ", min_size=1, max_size=20).filter(str.strip)
_MAKERS: list[Callable[[str], str]] = [
    lambda words: words.strip(),
    lambda words: f"{words.strip()}\n{'=' * 30}",
    lambda words: f"- {words.strip()}\n- x",
    lambda words: f"term\n  {words.strip()}",
    lambda words: f"  {words.strip()}",
    lambda words: f"::\n\n  {words.strip()}",
    lambda words: f".. note:: {words.strip()}",
    lambda words: f".. frob::\n\n   {words.strip()}",
    lambda words: f"| {words.strip()}",
    lambda words: f"**{words.strip()}**",
]


@given(st.lists(st.tuples(_WORDS, st.sampled_from(_MAKERS)), max_size=8))
def test_every_word_comes_out_once_and_in_order(parts: list[tuple[str, Callable[[str], str]]]) -> None:
    text = "\n\n..\n\n".join(make(words) for words, make in parts) + "\n"
    document = parsed(text, "rst")
    read = [word for block in document.blocks for word in block.text.split()]

    written = [word for words, _ in parts for word in words.split()]
    added = {"-", "x", "term:", "Note:"}
    assert [word for word in read if word not in added] == written
    assert parsed(text, "rst") == document
