import pytest

from app.readers.registry import resolve_format
from tests.unit.readers.reading import line, lines, parsed

CASES = {
    "the example of the design": (
        "#+TITLE: Kiln\n* TODO [#B] Fire it [1/2] :hot:\n- cone :: heat /mark/\n",
        ["h1 | Kiln", "h2 | Fire it", "list | - cone: heat mark"],
    ),
    "headings without a title keep their stars": (
        "* One\n** Two\n**** Four\n",
        ["h1 | One", "h2 | Two", "h4 | Four"],
    ),
    "states of the file's own": (
        (
            "#+TODO: WAIT(w) | NIXED\n#+SEQ_TODO: ASK | SAID\n* WAIT One\n* NIXED Two\n"
            "* DONE Three [50%]\n* SAID [#A] Four\n* TODOS Five\n"
        ),
        ["h1 | One", "h1 | Two", "h1 | Three", "h1 | Four", "h1 | TODOS Five"],
    ),
    "a COMMENT heading goes with its subtree": (
        "* A\nkept\n* COMMENT B\ngone\n** C\ngone\n* D\n",
        ["h1 | A", "p | kept", "h1 | D"],
    ),
    "code": (
        (
            "#+begin_src sh\n,* no heading\necho\n#+end_src\n\n#+begin_example\nplain\n"
            "#+end_example\n\n: fixed\n:   width\n"
        ),
        ["code | * no heading\necho", "code | plain", "code | fixed\n  width"],
    ),
    "what is no text": (
        (
            "* A\nSCHEDULED: <2026-01-02 Fri>\n:PROPERTIES:\n:ID: x\n:END:\n"
            "CLOCK: [2026-01-01 Thu 10:00]\nkept\n# a comment\n#+begin_comment\ngone\n"
            "#+end_comment\n#+begin_export html\n<b>\n#+end_export\n#+OPTIONS: toc:nil\n"
            "#+RESULTS:\n: 4\n"
        ),
        ["h1 | A", "p | kept", "code | 4"],
    ),
    "lists": (
        "- [X] done\n- [ ] open\n  + inner\n    1. one\n    2. two\n- para\n\n  more\n\n1. [@5] five\n",
        ["list | - [x] done\n- [ ] open\n  - inner\n    1. one\n    2. two\n- para more", "list | 5. five"],
    ),
    "code in an item": (
        "- a\n  #+begin_src sh\n  x\n  #+end_src\n- b\n",
        ["list | - a", "code | x", "list | - b"],
    ),
    "a table with a caption": (
        "#+CAPTION: Stock\n| Clay | kg |\n|------+----|\n| <l>  | <r> |\n| raku | 4 |\n|------+----|\n| buff | 9 |\n",
        ["table | Table: Stock\nClay | kg\nraku | 4\nbuff | 9"],
    ),
    "several rows above the first rule are one header": (
        (
            "| Year | Sales |       |\n|      | web   | store |\n| /    | <     | >     |\n|------+-------+-------|\n"
            "| 2024 | 11    | 7     |\n"
        ),
        ["table | Year | Sales web | store\n2024 | 11 | 7"],
    ),
    "what looks like a table in a listing is none": (
        "#+begin_src x\n| a |\n| b |\n|---|\n| 1 |\n#+end_src\n",
        ["code | | a |\n| b |\n|---|\n| 1 |"],
    ),
    "items without a term stay in their list": (
        "- Washer :: size 12\n- [X] Tape\n- plain\n",
        ["list | - Washer: size 12\n- [x] Tape\n- plain"],
    ),
    "a target that shows": ("a <<<radio>>> and <<hidden>> b", ["p | a radio and b"]),
    "an image with words of its own": (
        "#+attr_html: :alt The kiln\n#+caption: Its lid\n[[file:kiln.png]]\n\n#+attr_html: :alt Alone\n[[./x.png]]\n",
        ["p | [image: The kiln]", "p | Figure: Its lid", "p | [image: Alone]"],
    ),
    "a table without a rule has no header": ("| a | b |\n| c | d |\n", ["table | a | b\nc | d"]),
    "marks lose their signs": (
        "/i/ *b* =v= ~c~ _u_ +s+ [[https://u.org][t]] [[file:x.org][f]] [[https://bare.org]] \\alpha H_2O",
        ["p | i b v c u s t (https://u.org) f https://bare.org α H2O"],
    ),
    "links inside, and an image": (
        (
            "* A\n:PROPERTIES:\n:CUSTOM_ID: a\n:END:\n"
            "see [[#a][that]], [[*A][it]] and [[kiln.png]] here\n\n#+CAPTION: The kiln\n"
            "[[./kiln.png]]\n"
        ),
        ["h1 | A", "p | see that, it and here", "p | Figure: The kiln"],
    ),
    "mathematics": (
        "\\begin{equation}\na^2\n\\end{equation}\n\nWe have $x$ and \\[ y \\] too.\n",
        [
            "code | \\begin{equation}\na^2\n\\end{equation}",
            "p | We have $x$ and",
            "code | y",
            "p | too.",
        ],
    ),
    "footnotes over several lines, in place and at the end": (
        (
            "One[fn:why] two[fn:: an aside] again[fn:why] three[fn:2].\n\n[fn:why] Because\n"
            "of /that/.\n\n[fn:2] Two.\n\n\nLast.\n"
        ),
        [
            "p | One[why] two (an aside) again[why] three[2].",
            "p | Last.",
            "p | [why] Because of that.",
            "p | [2] Two.",
        ],
    ),
    "a note that nothing refers to stays": ("text\n\n[fn:1] alone\n", ["p | text", "p | [1] alone"]),
    "a second note with the same label stays": (
        "a[fn:1]\n\n[fn:1] one\n\n\n[fn:1] other\n",
        ["p | a[1]", "p | [1] other", "p | [1] one"],
    ),
    "macros and an include": (
        '#+MACRO: hot Heat to $1 degrees\n#+INCLUDE: "/etc/passwd" src\n\nNow {{{hot(1200)}}}.\n',
        ["p | [include: /etc/passwd]", "p | Now Heat to 1200 degrees."],
    ),
    "quotes, verse, an admonition": (
        "#+begin_quote\nSaid.\n#+end_quote\n\n#+begin_verse\none\ntwo\n#+end_verse\n\n#+begin_note\nMind.\n#+end_note\n",
        ["quote | Said.", "p | one\ntwo", "p | Note: Mind."],
    ),
    "drawers and blocks without an end are text": (
        "* A\n:NOTES:\nnever ended\n\n#+begin_src py\nx = 1\n\n* B\ntext\n",
        ["h1 | A", "p | :NOTES: never ended", "p | x = 1", "h1 | B", "p | text"],
    ),
    "citations": ("As [cite:@ott;@lund] say.", ["p | As [ott, lund] say."]),
    "subtitle and front words": (
        "#+TITLE: Kiln\n#+SUBTITLE: A manual\nIntro\n",
        ["h1 | Kiln", "p | A manual", "p | Intro"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_constructs(name: str) -> None:
    source, expected = CASES[name]

    assert lines(source, "org") == expected


#: The list "Do better than" of the readers design, section 15, line by line.
BETTER = {
    "signs and links are read": (
        "/i/ *b* =v= [[https://u.org][t]]",
        ["p | i b v t (https://u.org)"],
    ),
    "lists keep their levels": ("- a\n  - b\n    1. c\n- d\n", ["list | - a\n  - b\n    1. c\n- d"]),
    "lists of terms": ("- a b :: c\n- d ::\n", ["list | - a b: c\n- d:"]),
    "a footnote goes on over lines and blocks": (
        "x[fn:1]\n\n[fn:1] one\ntwo\n\n- three\n",
        ["p | x[1]", "p | [1] one two", "list | - three"],
    ),
    "a drawer without an end is text": (
        "* A\n:LOG:\nkept\n* B\nfine\n",
        ["h1 | A", "p | :LOG: kept", "h1 | B", "p | fine"],
    ),
    "a block without an end is text": (
        "* A\n#+begin_example\nkept\n* B\n#+begin_quote\nfine\n* C\n/so/\n",
        ["h1 | A", "p | kept", "h1 | B", "p | fine", "h1 | C", "p | so"],
    ),
}


@pytest.mark.parametrize("name", BETTER)
def test_better_than_reading_line_by_line(name: str) -> None:
    source, expected = BETTER[name]

    assert lines(source, "org") == expected


def test_what_blocks_know() -> None:
    document = parsed(
        "#+TITLE: Kiln\n#+LANGUAGE: de\n#+begin_src sh\nx\n#+end_src\n#+begin_tip\nTry.\n#+end_tip\n", "org"
    )

    assert (document.title, document.language, document.encoding) == ("Kiln", "de", "utf-8")
    assert [dict(block.meta) for block in document.blocks] == [{}, {"language": "sh"}, {"admonition": "tip"}]


@pytest.mark.parametrize("broken", ["\\begin{x}\nopen", "\\a{ open"])
def test_tex_that_is_refused_stays_as_it_is_written_and_all_else_is_intact(broken: str) -> None:
    document = parsed(f"* A\nfine /it/[fn:1]\n* B\n{broken}\n/so/\n* C\nfine *too*\n\n[fn:1] note\n", "org")

    assert [line(block) for block in document.blocks] == [
        "h1 | A",
        "p | fine it[1]",
        "h1 | B",
        f"p | {' '.join(broken.split())} so",
        "h1 | C",
        "p | fine too",
        "p | [1] note",
    ]
    [warning] = document.warnings
    last = 6 if "\n" in broken else 5
    assert warning == f"Lines 3 to {last} could not be read as Org with TeX in it; the TeX stays as it is written."


def test_deep_lists_end_in_text() -> None:
    source = "\n".join("  " * depth + f"- x{depth}" for depth in range(150))

    words = " ".join(line(block) for block in parsed(source, "org").blocks).split()

    assert [word for word in words if word.startswith("x")] == [f"x{depth}" for depth in range(150)]


@pytest.mark.parametrize("text", ["#+TITLE: Kiln\ntext", "# -*- mode: org -*-\n\n#+title: x\n"])
def test_a_title_keyword_tells_org(text: str) -> None:
    assert resolve_format(declared=None, filename=None, media_type=None, head=text.encode()) == "org"
