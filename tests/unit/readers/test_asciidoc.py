import pytest

from app.readers.registry import resolve_format
from tests.unit.readers.reading import line, lines, parsed

CASES = {
    "the example of the design": (
        "= Kiln\n:t: 1200\n\nFire to *{t}*.\n\n.Stock\n|===\n|Clay |kg\n\n2+|none\n|===",
        ["h1 | Kiln", "p | Fire to 1200.", "table | Table: Stock\nClay | kg\nnone | none"],
    ),
    "P04: a note, a listing, an include": (
        "[NOTE]\nMind the step\n\n----\n== not heading\n----\n\ninclude::/etc/hosts[]\n",
        ["p | Note: Mind the step", "code | == not heading", "p | [include: /etc/hosts]"],
    ),
    "headings, author and revision": (
        (
            "= Kiln manual\nAda Lund <ada@e.org>\nv1.2, 2026-03-01\n:toc:\n\nIntro.\n\n== Two\n\n"
            "=== Three ===\n\n====== Six\n\n= Part\n"
        ),
        ["h1 | Kiln manual", "p | Intro.", "h2 | Two", "h3 | Three", "h6 | Six", "h1 | Part"],
    ),
    "sections are 2 without a title": ("== Two\n\ntext\n", ["h2 | Two", "p | text"]),
    "underlined titles": (
        "Kiln\n====\n\nFirst\n-----\n\nSecond\n~~~~~~\n\nThird\n^^^^^\n\nFourth\n++++++\n\nnot a title\n===\n",
        ["h1 | Kiln", "h2 | First", "h3 | Second", "h4 | Third", "h5 | Fourth", "p | not a title ==="],
    ),
    "comments and conditionals": (
        "// gone\n////\ngone too\n////\none\n// gone\ntwo\n\nifdef::x[]\nkept\nendif::[]\n\nifdef::y[in a line]\n",
        ["p | one two", "p | kept", "p | in a line"],
    ),
    "attributes": (
        (
            ":who: Ada\n:both: {who} and Bo\n\n{both}, {who}, {nobody}, \\{who}.\n\n:who: Cy\n\n"
            "{who}\n\n:!who:\n\n{who} `{both}`\n"
        ),
        ["p | Ada and Bo, Ada, {nobody}, {who}.", "p | Cy", "p | {who} Ada and Bo"],
    ),
    "an attribute over two lines": (":long: one \\\n two\n\n{long}\n", ["p | one two"]),
    "inline marks": (
        (
            '*b* _i_ `c` #m# H~2~O x^2^ [.big]#s# **u**n __i__t "`q`" it\'s '
            "kbd:[F1] ((term)) (((a,b)))and pass:[<u>x</u>] stem:[x^2] footnote:[why *so*] end"
        ),
        ["p | b i c m H2O x2 s un it “q” it’s F1 term and x $x^2$ (why so) end"],
    ),
    "links and references": (
        (
            "[[one]]\n== Section one\n\n"
            "<<one>> <<one,that>> xref:one[T] xref:x.adoc[U] link:f.pdf[F] "
            "https://u.org[site] https://v.org mailto:a@b.org[Mail]\n\n== Section two\n\n"
            "<<_section_two>> <<nowhere>>\n"
        ),
        [
            "h2 | Section one",
            "p | Section one that T U F site (https://u.org) https://v.org Mail (mailto:a@b.org)",
            "h2 | Section two",
            "p | Section two nowhere",
        ],
    ),
    "nested lists": (
        "* a\n** b\n*** c\n* d\n\n* e\n+\nmore\n\n. one\n.. sub\n\n. two\n",
        ["list | - a\n  - b\n    - c\n- d\n- e more", "list | 1. one\n  1. sub\n2. two"],
    ),
    "numbers and letters": (
        "[start=4]\n. four\n. five\n\npara\n\n[loweralpha]\n. a\n. b\n",
        ["list | 4. four\n5. five", "p | para", "list | a. a\nb. b"],
    ),
    "attached blocks": (
        "* a\n+\n[source,ruby]\n----\nputs 1\n----\n* b\n+\n|===\n|1 |2\n|===\n* c\n",
        ["list | - a", "code | puts 1", "list | - b", "table | 1 | 2", "list | - c"],
    ),
    "definitions": (
        "a::\nb:: both\n\nterm::\n\nmeaning\n\n[horizontal]\nCPU:: the brain\n\nempty::\n",
        ["list | - a, b: both\n- term: meaning", "list | - CPU: the brain\n- empty:"],
    ),
    "task boxes and callouts": (
        "* [x] done\n* [ ] open\n\n[source,sh]\n----\nvolt # <1>\n----\n<1> starts it\n",
        ["list | - [x] done\n- [ ] open", "code | volt # ①", "list | 1. starts it"],
    ),
    "admonitions": (
        (
            "TIP: Try.\n\n[WARNING]\n.Hot surface\n====\nCareful.\n\n* wait\n====\n\n[CAUTION]\n"
            "--\nSlow.\n--\n\n[IMPORTANT]\n.Read\nThis one.\n"
        ),
        [
            "p | Tip: Try.",
            "p | Warning: Hot surface",
            "p | Careful.",
            "list | - wait",
            "p | Caution: Slow.",
            "p | Important: Read",
            "p | This one.",
        ],
    ),
    "blocks with edges": (
        "====\nexample\n====\n\n****\nsidebar\n****\n\n--\nopen\n--\n\n++++\n<b>raw</b>\n++++\n\n'''\n\ntoc::[]\n\nvideo::x.mp4[]\n\nend\n",
        ["p | example", "p | sidebar", "p | open", "p | end"],
    ),
    "code": (
        (
            "[source,ruby]\n.run.rb\n----\n== x\nputs 1\n----\n\n....\nliteral\n....\n\n indented\n"
            "\n```js\nx\n```\n\nText under it.\n----\nglued\n----\nafter\n"
        ),
        [
            "p | run.rb",
            "code | == x\nputs 1",
            "code | literal",
            "code | indented",
            "code | x",
            "p | Text under it.",
            "code | glued",
            "p | after",
        ],
    ),
    "an include in a listing is not followed": (
        "----\ninclude::/etc/passwd[]\n----\n",
        ["code | [include: /etc/passwd]"],
    ),
    "mathematics": ("[stem]\n++++\nx^2\n++++\n", ["code | x^2"]),
    "quotes and verse": (
        (
            "[quote, Bo Ek, The book]\n____\nSaid.\n\n* a\n____\n\n[verse, Carl]\n____\none\n"
            "  two\n\nthree\n____\n\n[verse]\na\nb\n"
        ),
        [
            "quote | Said.",
            "list | - a",
            "quote | — Bo Ek, The book",
            "quote | one\ntwo",
            "quote | three",
            "quote | — Carl",
            "quote | a\nb",
        ],
    ),
    "images": (
        (
            ".The kiln\nimage::kiln.png[A kiln]\n\nimage::x.png[]\n\nSee image:lid.png[the lid].\n\n"
            'image::y.png[Alt, 300, title="Its title"]\n'
        ),
        [
            *("p | [image: A kiln]", "p | Figure: The kiln", "p | See [image: the lid]."),
            *("p | [image: Alt]", "p | Figure: Its title"),
        ],
    ),
    "a block's title": (
        ".What to do\nWait.\n\n.Steps\n. one\n",
        ["p | What to do", "p | Wait.", "p | Steps", "list | 1. one"],
    ),
    "a table by cells on lines of their own, with spans and copies": (
        '[%header,cols="1,2"]\n|===\n|a\n|b\n\n|c\n|d\\|e\n.2+|f\n|g\n|h\n2*|*i*\n|\n|===\n',
        ["table | a | b\nc | d|e\nf | g\nf | h\ni | i"],
    ),
    "a table's first line makes no header without a blank line, or with noheader": (
        "|===\n|a |b\n|c |d\n|===\n\n[%noheader]\n|===\n|a |b\n\n|c |d\n|===\n",
        ["table | a | b\nc | d", "table | a | b\nc | d"],
    ),
    "csv, dsv and tsv": (
        (
            ',===\nx,"y, z"\n1,"two\nlines"\n,===\n\n[format=dsv]\n|===\np:q\\:r\n|===\n\n'
            "[%header,format=tsv]\n|===\na\tb\nc\td\n|===\n"
        ),
        ["table | x | y, z\n1 | two lines", "table | p | q:r", "table | a | b\nc | d"],
    ),
    "cells that hold blocks": (
        (
            "[cols=2*]\n|===\na|* x\n** y\n* z |plain\n\na|before\n\n!===\n!a !b\n!c !d\n!===\n\n"
            "a|include::/etc/hosts[]\nafter\na|\n----\nopen\n|end\n|===\n"
        ),
        ["table | x y; z | plain\nbefore a, b; c, d | [include: /etc/hosts] after\n---- open | end"],
    ),
    "cells that look like markup of blocks": (
        "|===\n|- x |* y |NOTE: z |== n\n|===\n",
        ["table | - x | * y | NOTE: z | == n"],
    ),
    "an open block that never closes": (
        "====\nexample\n\n== Two\n\ntext\n\n----\ncode\n\n== no heading\n",
        ["p | example", "h2 | Two", "p | text", "code | code\n\n== no heading"],
    ),
    "an open table runs to the end": ("|===\n|a |b\n\n|c |d\n", ["table | a | b\nc | d"]),
    "page breaks and blocks with anchors": ("[#one]\npara\n\n<<<\n\n[[two]]\nmore\n", ["p | para", "p | more"]),
}


@pytest.mark.parametrize("name", CASES)
def test_constructs(name: str) -> None:
    source, expected = CASES[name]

    assert lines(source, "asciidoc") == expected


#: The list "Do better than" of the readers design, section 14, line by line.
BETTER = {
    "inline signs and references are read": (
        "== Fire\n\nKeep *it* _slow_, `volt` says: <<_fire>>.\n",
        ["h2 | Fire", "p | Keep it slow, volt says: Fire."],
    ),
    "the kind of an admonition is kept": (
        "[CAUTION]\n====\nHot.\n====\n\nTIP: Wait.\n",
        ["p | Caution: Hot.", "p | Tip: Wait."],
    ),
    "lists keep their levels": ("* a\n** b\n*** c\n** d\n* e\n", ["list | - a\n  - b\n    - c\n  - d\n- e"]),
    "spanned cells are filled, so that rows do not shift": (
        "|===\n.2+|cup |dry |1\n|fired |2\n2+|sum |3\n|===\n",
        ["table | cup | dry | 1\ncup | fired | 2\nsum | sum | 3"],
    ),
    "texts of images are kept": (
        "image::a.png[A kiln]\n\nSee image:b.png[the lid].\n",
        ["p | [image: A kiln]", "p | See [image: the lid]."],
    ),
    "a section inside a listing is no heading": (
        "----\n== no\n----\n\n....\n= no\n....\n\n  == no\n",
        ["code | == no", "code | = no", "code | == no"],
    ),
    "an open block that never closes runs to the end": (
        "before\n\n--\none\n\n* two\n\nthree\n",
        ["p | before", "p | one", "list | - two", "p | three"],
    ),
    "a listing that never closes runs to the end": (
        "one\n\n----\ntwo\n\n== three\n",
        ["p | one", "code | two\n\n== three"],
    ),
    "a comment or a passthrough that never closes hides nothing": (
        "////\none\n\n== Two\n\n++++\nthree\n",
        ["p | one", "h2 | Two", "p | three"],
    ),
}


@pytest.mark.parametrize("name", BETTER)
def test_better_than_reading_line_by_line(name: str) -> None:
    source, expected = BETTER[name]

    assert lines(source, "asciidoc") == expected


def test_what_blocks_know() -> None:
    document = parsed(
        (
            "= Kiln\n:lang: de\n\n[TIP]\nTry.\n\n[source,Ruby]\n----\nx\n----\n\n.Stock\n|===\n"
            "|Clay |kg\n\n|raku |4\n|===\n"
        ),
        "asciidoc",
    )

    assert (document.title, document.language) == ("Kiln", "de")
    assert [dict(block.meta) for block in document.blocks] == [
        {},
        {"admonition": "tip"},
        {"language": "ruby"},
        {"caption": "Stock", "header": ["Clay", "kg"], "rows": [["raku", "4"]]},
    ]


def test_a_flood_of_signs_is_plain_text_with_a_warning() -> None:
    flood = "`" * 3000

    document = parsed(f"== A\n\nfine\n\n== B\n\n{flood}\n\n== C\n\n*fine*\n", "asciidoc")

    assert [line(block)[:8] for block in document.blocks] == [
        "h2 | A",
        "p | fine",
        "h2 | B",
        f"p | {flood[:4]}",
        "h2 | C",
        "p | fine",
    ]
    [warning] = document.warnings
    assert warning.startswith("Lines 6 to 7 could not be read as AsciiDoc and became plain text, because it takes too")


def test_attributes_that_multiply_stop_somewhere() -> None:
    bomb = ":a: 0123456789\n" + "".join(
        f":{name}: {{{last}}}" + f"{{{last}}}" * 9 + "\n" for last, name in zip("abcdefgh", "bcdefghi", strict=True)
    )

    document = parsed(f"{bomb}\n{'{i} ' * 500}\n", "asciidoc")

    assert sum(len(block.text) for block in document.blocks) < 600_000
    assert document.warnings == ("Attributes add too much text; from some place on they stay as written.",)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("= Kiln\n:toc: left\n\ntext", "asciidoc"),
        ("// c\n= Kiln\nAda <a@b.c>\n:x:\n", "asciidoc"),
        ("= Kiln\n\ntext", "text"),
    ],
)
def test_a_title_with_attributes_tells_asciidoc(text: str, name: str) -> None:
    assert resolve_format(declared=None, filename=None, media_type=None, head=text.encode()) == name
