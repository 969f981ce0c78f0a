"""What holds in AsciiDoc, Org and LaTeX alike: each says the same things in its own signs."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.readers.reading import line, lines, parsed


@dataclass(frozen=True)
class Notation:
    """How a format writes things; texts hold no signs of any format."""

    heading: Callable[[str], str]
    #: Level of such a heading where the document has no title.
    level: int
    emphasis: Callable[[str, str], str]
    bullets: Callable[[str, str], str]
    nested: Callable[[str, str], str]
    definition: Callable[[str, str], str]
    listing: Callable[[str, str], str]
    quote: Callable[[str, str], str]
    table: Callable[[str, str], str]
    note: Callable[[str, str], str]
    link: Callable[[str, str], str]
    include: Callable[[str], str]
    comment: Callable[[str], str]
    #: Where a macro, an attribute or a command is made and used once.
    macro: Callable[[str], str]
    #: What nobody closes, and Pandoc stumbles over or would run on with.
    unclosed: str
    #: What keeps Pandoc busy for longer than it may.
    flood: str
    #: Signs for documents that mean nothing.
    signs: tuple[str, ...]


NOTATIONS = {
    "asciidoc": Notation(
        heading=lambda text: f"== {text}",
        level=2,
        emphasis=lambda one, two: f"_{one}_ *{two}*",
        bullets=lambda one, two: f"* {one}\n* {two}",
        nested=lambda one, two: f"* {one}\n** {two}",
        definition=lambda one, two: f"{one}:: {two}",
        listing=lambda one, two: f"[source,Ruby]\n----\n{one}\n{two}\n----",
        quote=lambda one, two: f"____\n{one}\n\n{two}\n____",
        table=lambda one, two: f"|===\n|{one} |{two}\n|===",
        note=lambda one, two: f"{one}footnote:[{two}]",
        link=lambda address, text: f"{address}[{text}]",
        include=lambda name: f"include::{name}[]",
        comment=lambda text: f"// {text}",
        macro=lambda text: f":our-own: {text}\n\n{{our-own}}",
        unclosed="====\nopen",
        flood="[" * 3000,
        signs=(
            *"*-+:|[]=_#<>{}.'\\ \n",
            *("\n== ", "\n----\n", "\n====\n", "\n|===\n", "\n////\n", "\n++++\n", "::", "[NOTE]\n", "include::x[]"),
        ),
    ),
    "org": Notation(
        heading=lambda text: f"* {text}",
        level=1,
        emphasis=lambda one, two: f"/{one}/ *{two}*",
        bullets=lambda one, two: f"- {one}\n- {two}",
        nested=lambda one, two: f"- {one}\n  - {two}",
        definition=lambda one, two: f"- {one} :: {two}",
        listing=lambda one, two: f"#+begin_src Ruby\n{one}\n{two}\n#+end_src",
        quote=lambda one, two: f"#+begin_quote\n{one}\n\n{two}\n#+end_quote",
        table=lambda one, two: f"| {one} | {two} |",
        note=lambda one, two: f"{one}[fn:: {two}]",
        link=lambda address, text: f"[[{address}][{text}]]",
        include=lambda name: f'#+INCLUDE: "{name}"',
        comment=lambda text: f"# {text}",
        macro=lambda text: f"#+MACRO: own {text}\n\n{{{{{{own}}}}}}",
        unclosed="#+begin_src\nopen",
        flood="*a " * 10_000,
        signs=(*"*-+:|[]=~/_#<>{}$\\ \n", "\n* ", "[fn:1]", "#+begin_src\n", "#+end_src\n", "::", "\n|-", "\\begin{x}"),
    ),
    "latex": Notation(
        heading=lambda text: f"\\section{{{text}}}",
        level=1,
        emphasis=lambda one, two: f"\\emph{{{one}}} \\textbf{{{two}}}",
        bullets=lambda one, two: f"\\begin{{itemize}}\\item {one}\\item {two}\\end{{itemize}}",
        nested=lambda one, two: (
            f"\\begin{{itemize}}\\item {one}\\begin{{itemize}}\\item {two}\\end{{itemize}}\\end{{itemize}}"
        ),
        definition=lambda one, two: f"\\begin{{description}}\\item[{one}] {two}\\end{{description}}",
        listing=lambda one, two: f"\\begin{{lstlisting}}[language=Ruby]\n{one}\n{two}\n\\end{{lstlisting}}",
        quote=lambda one, two: f"\\begin{{quote}}{one}\n\n{two}\\end{{quote}}",
        table=lambda one, two: f"\\begin{{tabular}}{{ll}} {one} & {two} \\\\ \\end{{tabular}}",
        note=lambda one, two: f"{one}\\footnote{{{two}}}",
        link=lambda address, text: f"\\href{{{address}}}{{{text}}}",
        include=lambda name: f"\\input{{{name}}}",
        comment=lambda text: f"% {text}",
        macro=lambda text: f"\\newcommand{{\\own}}{{{text}}}\n\n\\own",
        unclosed="{open",
        flood="\\newcommand{\\again}{\\again x}\\again",
        signs=(
            *"\\{}[]$&%#_^~ \n",
            *("\n\\section{x}\n", "\\begin{a}", "\\end{a}", "\\begin{verbatim}", "\\begin{verse}", "\\end{verse}"),
            *("\\begin{lemma}", "\\SI{1}{\\per\\metre}", "\\item", "\\caption{", "\\ref{x}"),
        ),
    ),
}
each_format = pytest.mark.parametrize("name", NOTATIONS)


@each_format
def test_the_same_thing_reads_the_same(name: str) -> None:
    write = NOTATIONS[name]
    source = "\n\n".join(
        (
            write.heading("Fire"),
            write.emphasis("slowly", "now"),
            write.bullets("load", "close"),
            "between",
            write.nested("load", "tiles"),
            "between",
            write.definition("Cone", "heat mark"),
            write.listing("one", "  two"),
            write.quote("said", "again"),
            write.table("clay", "kg"),
            f"Heat {write.note('it', 'a while')} and {write.link('https://e.org', 'see')}.",
            write.link("mailto:a@e.org", "Ada"),
            write.comment("nobody reads this"),
            write.include("../../etc/passwd"),
            write.macro("made here"),
        )
    )

    assert lines(source, name) == [
        f"h{write.level} | Fire",
        "p | slowly now",
        "list | - load\n- close",
        "p | between",
        "list | - load\n  - tiles",
        "p | between",
        "list | - Cone: heat mark",
        "code | one\n  two",
        "quote | said",
        "quote | again",
        "table | clay | kg",
        "p | Heat it (a while) and see (https://e.org).",
        "p | Ada (mailto:a@e.org)",
        "p | [include: ../../etc/passwd]",
        "p | made here",
    ]


@each_format
def test_a_listing_knows_its_language_in_lower_case(name: str) -> None:
    [block] = parsed(NOTATIONS[name].listing("x", "y"), name).blocks

    assert dict(block.meta) == {"language": "ruby"}


@each_format
def test_what_looks_like_a_heading_in_a_listing_is_none(name: str) -> None:
    write = NOTATIONS[name]

    # A comma keeps a star from opening a heading inside a block of Org.
    first = f",{write.heading('no')}" if name == "org" else write.heading("no")

    assert lines(write.listing(first, "x"), name) == [f"code | {write.heading('no')}\nx"]


@each_format
def test_what_nobody_closes_costs_no_word_and_no_other_section(name: str) -> None:
    write = NOTATIONS[name]
    source = "\n\n".join(
        (
            write.heading("A"),
            write.emphasis("fine", "first"),
            write.heading("B"),
            write.unclosed,
            write.heading("C"),
            write.emphasis("fine", "last"),
        )
    )

    found = lines(source, name)

    assert found[:3] == [f"h{write.level} | A", "p | fine first", f"h{write.level} | B"]
    assert found[-2:] == [f"h{write.level} | C", "p | fine last"]
    assert "open" in found[3]


@each_format
def test_a_flood_becomes_plain_text_with_a_warning_and_costs_no_other_section(name: str) -> None:
    write = NOTATIONS[name]
    source = f"{write.heading('A')}\n\nfine\n\n{write.heading('B')}\n\n{write.flood}\n\n{write.heading('C')}\n\nfine\n"

    document = parsed(source, name)

    assert [line(block)[:6] for block in document.blocks if block.level is not None or block.text == "fine"] == [
        f"h{write.level} | A",
        "p | fi",
        f"h{write.level} | B",
        f"h{write.level} | C",
        "p | fi",
    ]
    [warning] = document.warnings
    assert warning.startswith("Lines 6 to 7 could not be read as ")
    assert " and became plain text, because " in warning


@each_format
def test_characters_of_our_marks_are_replaced(name: str) -> None:
    marks = "\ufdd00\ufdd1 \ufdd20\ufdd3 \ufddf \ufde2"

    assert lines(f"a {marks} b", name) == ["p | a \ufffd0\ufffd \ufffd0\ufffd \ufffd \ufffd b"]


@each_format
def test_invisible_characters_go_and_accents_are_composed(name: str) -> None:
    assert lines("so\xadft e\u0301\u200b", name) == ["p | soft é"]


WORDS = st.text(st.sampled_from("abdeé水"), min_size=2, max_size=6)
SENTENCE = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)


@st.composite
def documents(draw: st.DrawFn, write: Notation) -> tuple[str, list[str]]:
    """A document and its words in order."""
    parts: list[str] = []
    words: list[str] = []
    shapes: list[Callable[[str, str], str]] = [
        lambda one, two: f"{write.heading(one)}\n\n{two}",
        *(write.emphasis, write.bullets, write.nested, write.listing, write.quote, write.table),
    ]
    for shape in draw(st.lists(st.sampled_from(shapes), min_size=1, max_size=6)):
        one, two = draw(SENTENCE), draw(SENTENCE)
        parts.append(shape(one, two))
        words += f"{one} {two}".split()
    return "\n\n".join(parts), words


@each_format
@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_every_word_comes_out_once_and_in_order(name: str, data: st.DataObject) -> None:
    source, words = data.draw(documents(NOTATIONS[name]))

    found = " ".join(block.text for block in parsed(source, name).blocks)

    assert [word for word in found.split() if word not in {"-", "|"}] == words


@each_format
@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_every_input_is_read_alike_twice(name: str, data: st.DataObject) -> None:
    signs = [*NOTATIONS[name].signs, "a", "é", "\n\n"]
    source = "".join(data.draw(st.lists(st.sampled_from(signs))))

    document = parsed(source, name)

    assert document == parsed(source, name)
    assert all(block.text.strip() for block in document.blocks)
