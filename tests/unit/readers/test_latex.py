import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.readers.registry import resolve_format
from tests.unit.readers.reading import line, lines, parsed

CASES = {
    "the example of the design": (
        (
            "\\title{Kiln}\\begin{document}\\maketitle\\section{Fire}Heat to "
            "\\SI{1200}{\\degreeCelsius}\\footnote{cone 5}~\\cite{ott}.\\[ q = m c "
            "\\]\\end{document}"
        ),
        ["h1 | Kiln", "h2 | Fire", "p | Heat to 1200 °C (cone 5) [ott].", "code | q = m c"],
    ),
    "the highest rank is level 1": (
        "\\subsection*{A}\n\\subsubsection{B}\n\\subsection{C}\n",
        ["h1 | A", "h2 | B", "h1 | C"],
    ),
    "all ranks below a title": (
        (
            "\\documentclass{book}\n\\title{T}\n\\begin{document}\n\\maketitle\n\\part{P}\n"
            "\\chapter{C}\n\\section{S}\ntext\n\\paragraph{Q} more\n\\end{document}\n"
        ),
        ["h1 | T", "h2 | P", "h3 | C", "h4 | S", "p | text", "h7 | Q", "p | more"],
    ),
    "a title that nobody prints is none when there are sections": (
        "\\title{T}\\begin{document}\\section{A}x\\end{document}",
        ["h1 | A", "p | x"],
    ),
    "a title that nobody prints is one without sections": (
        "\\title{T}\\begin{document}x\\end{document}",
        ["h1 | T", "p | x"],
    ),
    "an abstract": (
        "\\title{T}\\begin{document}\\maketitle\\begin{abstract}Short.\n\nVery.\\end{abstract}\\section{A}x\\end{document}",
        ["h1 | T", "p | Short.", "p | Very.", "h2 | A", "p | x"],
    ),
    "macros": (
        "\\newcommand{\\prod}[1]{Rocket #1}\\def\\x{1}\\renewcommand{\\y}[2][d]{#1-#2}\\prod{2}, \\x, \\y{q}.\n",
        ["p | Rocket 2, 1, d-q."],
    ),
    "lists": (
        (
            "\\begin{itemize}\\item a\\item[--] b\\begin{enumerate}\\item one\\item "
            "two\\end{enumerate}\\end{itemize}\n\n"
            "\\begin{description}\\item[Cone] heat mark\\item[Kiln] oven\\end{description}"
        ),
        ["list | - a\n– b\n  1. one\n  2. two", "list | - Cone: heat mark\n- Kiln: oven"],
    ),
    "a bibliography": (
        (
            "\\begin{thebibliography}{9}\n\\bibitem{ott_2} Ott, \\emph{Clay}.\n"
            "\\bibitem[Lund]{lund} Lund.\n\\end{thebibliography}"
        ),
        ["list | - [ott_2] Ott, Clay.\n- [lund] Lund."],
    ),
    "verbatim kinds": (
        (
            "\\begin{verbatim}\n\\section{no}\n\\end{verbatim}\n"
            "\\begin{lstlisting}[language=Python,caption={A \\emph{cap}}]\nx = 1\n"
            "\\end{lstlisting}\n\\begin{listing}[h]\n\\begin{minted}{c}\nint x;\n\\end{minted}\n"
            "\\caption{Min}\n\\end{listing}\n\\begin{algorithm}\n\\caption{Algo}\n"
            "\\begin{algorithmic}[1]\n\\STATE $x$\n\\end{algorithmic}\n\\end{algorithm}\n"
        ),
        [
            "code | \\section{no}",
            "p | A cap",
            "code | x = 1",
            "p | Min",
            "code | int x;",
            "p | Algo",
            "code | \\STATE $x$",
        ],
    ),
    "display mathematics": (
        "So $$a^2$$ and \\begin{align}\\label{e} b&=c\\end{align} then \\begin{equation*}d\\end{equation*}.\n",
        [
            "p | So",
            "code | a^2",
            "p | and",
            "code | \\begin{align}\nb&=c\n\\end{align}",
            "p | then",
            "code | \\begin{equation*}\nd\n\\end{equation*}",
        ],
    ),
    "tables": (
        (
            "\\begin{table}\\caption{Stock}\\begin{tabular}{l|c}\\hline Clay & kg \\\\ "
            "\\hline a & 1\\\\ \\multicolumn{2}{c}{both}\\\\\\cline{1-2} "
            "\\multirow{2}{*}{m} & 2 \\\\ & 3\\\\\\end{tabular}\\end{table}\n\n"
            "\\begin{tabular}{ll} a & b \\\\ c & d \\\\ \\end{tabular}\n"
        ),
        ["table | Table: Stock\nClay | kg\na | 1\nboth | both\nm | 2\nm | 3", "table | a | b\nc | d"],
    ),
    "a long table's heads and feet are read once": (
        (
            "\\begin{longtable}{ll}\n"
            "\\caption{Long}\\\\ \\hline h1 & h2 \\\\ \\endfirsthead h1 & h2 (cont.) \\\\ "
            "\\endhead more & below \\\\ \\endfoot the & end \\\\ \\endlastfoot a & b \\\\ "
            "c & d \\\\ \\end{longtable}\n"
        ),
        ["table | Table: Long\nh1 | h2\na | b\nc | d"],
    ),
    "captions": (
        (
            "\\begin{figure*}\\includegraphics[width=3cm]{x}\\caption{A kiln}\\end{figure*}\n\n"
            "\\captionof{table}{Elsewhere}\n\n\\begin{center}\\caption{Alone}\\end{center}\n\n"
            "\\begin{wrapfigure}{r}{3cm}\\includegraphics{y}\\caption{Side}\\end{wrapfigure}\n"
        ),
        ["p | Figure: A kiln", "p | Elsewhere", "p | Alone", "p | Figure: Side"],
    ),
    "citations and references": (
        (
            "\\section{Fire}\\label{sec:fire}\n"
            "See \\ref{sec:fire}, \\autoref{eq:q}, \\cref{sec:fire,b}; "
            "\\citep[p.~3]{a,b}, \\textcite{c}.\n"
        ),
        ["h1 | Fire", "p | See Fire, eq:q, Fire, b; [a, b], [c]."],
    ),
    "links and notes": (
        "\\href{https://u.org}{site} \\url{https://v.org} word\\footnote{why \\emph{so}}.\n",
        ["p | site (https://u.org) https://v.org word (why so)."],
    ),
    "accents, quotes, dashes, units": (
        (
            "na\\\"{\\i}ve ``quo'' --- \\ldots \\% \\SI{9.81}{m/s^2} "
            "\\SI{9.81}{\\metre\\per\\second\\squared} 1\\textsuperscript{st} "
            "x\\textsuperscript{2}\n"
        ),
        ["p | naïve “quo” — …% 9.81 m/s² 9.81 m/s² 1st x²"],
    ),
    "theorems": (
        (
            "\\newtheorem{thm}{Theorem}\n\\begin{thm}[Ott]All clay shrinks.\\end{thm}\n"
            "\\begin{lemma}So it does.\\end{lemma}\n"
        ),
        ["p | Theorem 1 (Ott). All clay shrinks.", "p | Lemma 1. So it does."],
    ),
    "fractions": ("\\frac{1}{2} and \\nicefrac{3}{4}\n", ["p | 1/2 and 3/4"]),
    "includes": (
        "\\input{ch_2} \\include{../../etc/passwd}\n\n\\input chapter3\n",
        ["p | [include: ch_2]", "p | [include: ../../etc/passwd]", "p | [include: chapter3]"],
    ),
    "what is no text": (
        (
            "one\n\\begin{comment}\ngone\n\\end{comment}\n"
            "\\begin{tikzpicture}\\node{gone};\\end{tikzpicture}\n\\iffalse gone \\fi % gone\n"
            "\\vspace{1cm}\\label{x}\\centering two\n\n\\tableofcontents\n"
        ),
        ["p | one two"],
    ),
    "commands that nobody knows": (
        "\\foo[o]{some \\emph{text}}{12pt} and \\quux{3cm}\\baz{key:1} end.\n\n\\note{A paragraph}\n",
        ["p | some text 12pt and end.", "p | A paragraph"],
    ),
    "environments that nobody knows": (
        "\\begin{multicols}{2}one\n\n\\begin{tcolorbox}[title=Hot lid]two\\end{tcolorbox}\\end{multicols}\n",
        ["p | one", "p | Hot lid", "p | two"],
    ),
    "slides": (
        (
            "\\documentclass{beamer}\\begin{document}\\section{S}\\begin{frame"
            "}{One}\\begin{itemize}\\item "
            "a\\end{itemize}\\end{frame}\\begin{frame}\\frametitle{Two}b\\end{frame}\\end{document}"
        ),
        ["h1 | S", "h2 | One", "list | - a", "h2 | Two", "p | b"],
    ),
    "quotes": ("\\begin{quote}Said.\\end{quote}", ["quote | Said."]),
    "escaped signs are no comments, lines with % are": ("50\\% off % gone\n\\\\% gone\nnext\n", ["p | 50% off next"]),
}


@pytest.mark.parametrize("name", CASES)
def test_constructs(name: str) -> None:
    source, expected = CASES[name]

    assert lines(source, "latex") == expected


def test_what_blocks_know() -> None:
    document = parsed(
        (
            "\\usepackage[ngerman]{babel}\\title{Kiln \\emph{book}}\\begin{document}x\n"
            "\\begin{lstlisting}[language=Python]\nx\n\\end{lstlisting}\n$$y$$\n\\end{document}"
        ),
        "latex",
    )

    assert document.title == "Kiln book"
    assert [dict(block.meta) for block in document.blocks] == [{}, {}, {"language": "python"}, {"language": "latex"}]


BROKEN = [
    ("\\section{A}\nfine\n\\section{B}\ntext {unclosed\n\\section{C}\n\\emph{fine}\n", 4),
    (
        (
            "\\newcommand{\\x}{X}\n\\section{A}\nfine\n\\section{B}\n\\begin{itemize}\\item open\n"
            "\\section{C}\n\\emph{fine}\n"
        ),
        5,
    ),
    (
        (
            "\\documentclass{book}\n\\begin{document}\n\\section{A}\nfine\n\\section{B}\n"
            "\\begin{verbatim}\nopen\n\\section{C}\n\\emph{fine}\n\\end{document}\n"
        ),
        6,
    ),
]


@pytest.mark.parametrize(("source", "number"), BROKEN)
def test_a_section_that_is_refused_is_plain_text_and_the_others_are_intact(source: str, number: int) -> None:
    document = parsed(source, "latex")

    found = [line(block) for block in document.blocks]
    assert found[:3] == ["h1 | A", "p | fine", "h1 | B"]
    assert "open" in found[3] or "unclosed" in found[3]
    assert found[-2:] == ["h1 | C", "p | fine"]
    [warning] = document.warnings
    assert f" {number} " in warning


def test_ranks_stay_those_of_the_document_when_it_is_read_in_parts() -> None:
    source = (
        "\\newcommand{\\x}{X}\n\\chapter{A}\n\\section{B}\n\\x\n\\section{C}\n{open\n"
        "\\section{D}\n\\x\n\\chapter{E}\n\\x\n"
    )

    assert lines(source, "latex") == [
        "h1 | A",
        "h2 | B",
        "p | X",
        "h2 | C",
        "p | {open",
        "h2 | D",
        "p | X",
        "h1 | E",
        "p | X",
    ]


def test_an_endless_macro_costs_its_section_only() -> None:
    document = parsed("\\section{One}\n\\newcommand{\\a}{\\a x}\n\\a text\n\\section{Two}\nfine\n", "latex")

    assert [line(block) for block in document.blocks][-2:] == ["h1 | Two", "p | fine"]
    assert len(document.warnings) == 1


def test_a_preamble_that_is_refused_costs_no_section() -> None:
    source = (
        "\\documentclass{x}\n\\newcommand{\\a}{open\n\\begin{document}\n\\section{A}\n\\emph{fine}\n\\end{document}\n"
    )

    assert lines(source, "latex") == ["h1 | A", "p | fine"]


@pytest.mark.parametrize(
    "text", ["\\documentclass[a4]{article}\n", "% c\n\n\\begin{document}\nx", "  \\documentclass{x}"]
)
def test_a_document_class_tells_latex(text: str) -> None:
    assert resolve_format(declared=None, filename=None, media_type=None, head=text.encode()) == "latex"


WORDS = st.text(st.sampled_from("abdeé水"), min_size=2, max_size=6)
SENTENCE = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A LaTeX document and its words in order."""
    parts: list[str] = []
    words: list[str] = []
    for _ in range(draw(st.integers(1, 6))):
        one, two = draw(SENTENCE), draw(SENTENCE)
        shapes = [
            f"\\section{{{one}}}\n{two}",
            f"\\begin{{itemize}}\\item {one}\\item {two}\\end{{itemize}}",
            f"\\emph{{{one}}} \\textbf{{{two}}}",
            f"\\begin{{tabular}}{{ll}} {one} & {two} \\\\ \\end{{tabular}}",
            f"\\begin{{verbatim}}\n{one}\n{two}\n\\end{{verbatim}}",
            f"\\begin{{quote}}{one}\n\n{two}\\end{{quote}}",
            f"\\unknown{{{one}}} {two}",
        ]
        parts.append(draw(st.sampled_from(shapes)))
        words += f"{one} {two}".split()
    return "\n\n".join(parts), words


@given(documents())
@settings(max_examples=25, deadline=None)
def test_every_word_comes_out_once_and_in_order(document: tuple[str, list[str]]) -> None:
    source, words = document

    found = " ".join(block.text for block in parsed(source, "latex").blocks)

    assert [word for word in found.split() if word not in {"-", "|"}] == words


SIGNS = [
    *"\\{}[]$&%#_^~ \n",
    "a",
    "é",
    "\n\\section{x}\n",
    "\\begin{a}",
    "\\end{a}",
    "\\begin{verbatim}",
    "\\item",
    "\\caption{",
    "\\ref{x}",
]


@given(st.lists(st.sampled_from(SIGNS)))
@settings(max_examples=25, deadline=None)
def test_every_input_is_read_alike_twice(parts: list[str]) -> None:
    source = "".join(parts)

    document = parsed(source, "latex")

    assert document == parsed(source, "latex")
    assert all(block.text.strip() for block in document.blocks)
