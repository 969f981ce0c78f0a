import pytest

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
    "items numbered in another way": (
        (
            "\\begin{enumerate}[label=(\\alph*), leftmargin=*]\\item a\\begin{enumerate}[label=\\Roman*.]\\item b"
            "\\end{enumerate}\\item c\\end{enumerate}"
        ),
        ["list | a. a\n  I. b\nb. c"],
    ),
    "an image with words of its own": (
        "See \\includegraphics[alt={A kiln}]{x} and \\includegraphics{y} here.\n",
        ["p | See [image: A kiln] and here."],
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


#: The list "Do better than" of the readers design, section 16, line by line.
BETTER = {
    "the author's macros are expanded": (
        "\\newcommand{\\prod}[1]{Rocket #1}\n\\prod{2} flies.\n",
        ["p | Rocket 2 flies."],
    ),
    "a definition is no text": ("\\def\\x{1}Value \\x.\n", ["p | Value 1."]),
    "what a condition hides is no text": ("Kept. \\iffalse Gone. \\fi Kept too.\n", ["p | Kept. Kept too."]),
    "display mathematics is no prose": ("So $$a = b$$ holds.\n", ["p | So", "code | a = b", "p | holds."]),
    "theorems keep their names": (
        "\\newtheorem{thm}{Satz}\n\\begin{thm}[Ott]All clay shrinks.\\end{thm}\n",
        ["p | Satz 1 (Ott). All clay shrinks."],
    ),
    "bibliographies keep their keys": (
        "\\begin{thebibliography}{9}\\bibitem{ott} Ott, Clay.\\end{thebibliography}",
        ["list | - [ott] Ott, Clay."],
    ),
    "rows below a cell of several rows do not shift": (
        "\\begin{tabular}{lll} h & i & j \\\\ \\multirow{2}{*}{m} & 1 & 2 \\\\ & 3 & 4 \\\\ \\end{tabular}",
        ["table | h | i | j\nm | 1 | 2\nm | 3 | 4"],
    ),
    "a fragment without a document": ("\\section{A}\nfine \\emph{so}\n", ["h1 | A", "p | fine so"]),
    "an unclosed brace costs its own section only": (
        "\\section{A}\nfine\n\\section{B}\n{open\n\\section{C}\n\\emph{fine}\n",
        ["h1 | A", "p | fine", "h1 | B", "p | {open", "h1 | C", "p | fine"],
    ),
}


@pytest.mark.parametrize("name", BETTER)
def test_better_than_reading_line_by_line(name: str) -> None:
    source, expected = BETTER[name]

    assert lines(source, "latex") == expected


@pytest.mark.parametrize(
    ("written", "language"),
    [
        ("\\begin{lstlisting}[language=Python]\nx\n\\end{lstlisting}", "python"),
        ("\\begin{lstlisting}[language={[ISO]C++}]\nx\n\\end{lstlisting}", "c++"),
        ("\\begin{lstlisting}[language={[Sharp]C}]\nx\n\\end{lstlisting}", "csharp"),
        ("\\lstset{tabsize=2, language=Perl}\n\\begin{lstlisting}[label=x]\nx\n\\end{lstlisting}", "perl"),
        ("\\begin{minted}[linenos]{Ruby}\nx\n\\end{minted}", "ruby"),
    ],
)
def test_listings_keep_their_languages(written: str, language: str) -> None:
    [block] = parsed(written, "latex").blocks

    assert (line(block), dict(block.meta)) == ("code | x", {"language": language})


THEOREMS = {
    "one count for the whole document": (
        "\\newtheorem{thm}{Theorem}\n\\section{A}\\begin{thm}a\\end{thm}\\section{B}\\begin{thm}b\\end{thm}",
        ["h1 | A", "p | Theorem 1. a", "h1 | B", "p | Theorem 2. b"],
    ),
    "those that share a count": (
        "\\newtheorem{thm}{Theorem}\\newtheorem{lem}[thm]{Lemma}\n\\begin{thm}a\\end{thm}\\begin{lem}b\\end{lem}",
        ["p | Theorem 1. a", "p | Lemma 2. b"],
    ),
    "a count in each numbered section": (
        (
            "\\newtheorem{thm}{Theorem}[section]\n\\section{A}\\begin{thm}a\\end{thm}\\section*{B}\\begin{thm}b\\end{thm}"
            "\\section{C}\\begin{thm}c\\end{thm}"
        ),
        ["h1 | A", "p | Theorem 1.1. a", "h1 | B", "p | Theorem 1.2. b", "h1 | C", "p | Theorem 2.1. c"],
    ),
    "chapters count too": (
        "\\newtheorem{thm}{Theorem}[section]\n\\chapter{A}\\section{B}\\begin{thm}a\\end{thm}",
        ["h1 | A", "h2 | B", "p | Theorem 1.1.1. a"],
    ),
    "without a number": (
        "\\newtheorem*{obs}{Observation}\n\\begin{obs}[Ek]a\\end{obs}\\begin{obs}b\\end{obs}",
        ["p | Observation (Ek). a", "p | Observation. b"],
    ),
    "by keys": (
        "\\declaretheorem[name=Satz,numberwithin=section]{satz}\n\\section{A}\\begin{satz}[name=Gau\\ss]a\\end{satz}",
        ["h1 | A", "p | Satz 1.1 (Gauß). a"],
    ),
    "those that a class knows": (
        "\\begin{lemma}a\n\n\\begin{itemize}\\item b\\end{itemize}\\end{lemma}\\begin{remark}c\\end{remark}",
        ["p | Lemma 1. a", "list | - b", "p | Remark 1. c"],
    ),
    "a count goes on behind a section that is refused": (
        "\\section{A}\\begin{lemma}a\\end{lemma}\n\\section{B}\n{open\n\\section{C}\\begin{lemma}b\\end{lemma}\n",
        ["h1 | A", "p | Lemma 1. a", "h1 | B", "p | {open", "h1 | C", "p | Lemma 2. b"],
    ),
}


@pytest.mark.parametrize("name", THEOREMS)
def test_theorems_count_as_they_do_in_print(name: str) -> None:
    source, expected = THEOREMS[name]

    assert lines(source, "latex") == expected


UNITS = {
    "\\SI{5}{\\metre\\per\\second}": "5 m/s",
    "\\SI{0.9}{\\kilo\\joule\\per\\kilogram\\per\\kelvin}": "0.9 kJ/(kg K)",
    "\\qty{9.81}{\\metre\\per\\second\\squared}": "9.81 m/s²",
    "\\unit{\\kilogram\\per\\cubic\\metre}": "kg/m³",
    "\\si{\\per\\second}": "1/s",
    "\\qty{3}{\\per\\second}": "3/s",
    "\\SI{9}{\\newton\\per\\raiseto{2}\\metre}": "9 N/m²",
    "\\SI{2}{\\joule\\per\\mole\\kelvin}": "2 J K/mol",
    "\\SIrange{1}{2}{\\metre\\per\\second}": "1–2 m/s",
    "\\SI{9.81}{m/s^2}": "9.81 m/s²",
    "\\SI{10}{\\percent}": "10 %",
    "\\si{\\metre\\per\\second} [sic]": "m/s [sic]",
}


@pytest.mark.parametrize("written", UNITS)
def test_units(written: str) -> None:
    assert lines(f"At {written} now.\n", "latex") == [f"p | At {UNITS[written]} now."]


@pytest.mark.parametrize("written", ["$\\SI{1}{\\metre\\per\\second}$", "\\(v = \\si{\\metre\\per\\second}\\)"])
def test_units_in_mathematics_stay_as_they_are_written(written: str) -> None:
    tex = written.strip("$").removeprefix("\\(").removesuffix("\\)")

    assert lines(f"It costs \\$5: {written} now.\n", "latex") == [f"p | It costs $5: ${tex}$ now."]


def test_verse_keeps_its_lines_and_stanzas() -> None:
    source = (
        "\\begin{verse}[4cm]\nSlow \\emph{is} \\\\\n  the heat\\\\*[2pt]\nand slow\nthe cooling\n\n"
        "that\\\\keeps\n\\end{verse}"
    )

    assert lines(source, "latex") == ["quote | Slow is\nthe heat\nand slow the cooling", "quote | that\nkeeps"]
    assert lines(f"\\begin{{itemize}}\\item {source}\\end{{itemize}}", "latex") == [
        "list | - Slow is the heat and slow the cooling that keeps"
    ]


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
