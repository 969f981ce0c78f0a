"""Places of the formats that people type and Pandoc reads: see `places`."""

from collections.abc import Sequence

from tests.unit.readers.places import Grammar, indented

ASCIIDOC = Grammar(
    "asciidoc",
    top=(
        "== %w *%w*",
        "=== %w ===",
        "[[%x]]\n== %w",
        "//// \n%x\n\n%x\n////",
        "[NOTE]\n====\n%w\n\n* %w\n====",
        ".%w\n[WARNING]\n====\n%w\n====",
        ".%w\n|===\n|%w |%w\n\n|%w |%w `%w`\n|===",
        '[cols="1,2",options="header"]\n|===\n|%w\n|%w\n\n2+|%s\n.2+|%s\n|%w\n|%w\n|===',
        ',===\n%w,"%w, %w"\n,===',
        "[quote, %n, %n]\n____\n%w\n____",
        "____\n%w\n____",
        "[verse, %n]\n____\n%w\n  %w\n____",
        ".%w\n[source,ruby]\n----\n%w\n== %w\n----",
        "....\n%w\n....",
        "====\n%w\n====",
        "****\n%w\n****",
        "++++\n<b>%x</b>\n++++",
        "image::%x.png[%w]",
        ".%w\nimage::%x.png[]",
        "video::%x.mp4[]",
        "[stem]\n++++\n%w\n++++",
    ),
    inner=(
        "%w *%w* _%w_ `%w` #%w#\n%w +\n%w",
        "* %w\n** %w\n* %w\n\n// -",
        ". %w\n.. %w\n. %w\n\n// -",
        "* [x] %w\n* [ ] %w\n\n// -",
        "* %w\n+\n----\n%w\n----\n* %w\n\n// -",
        "%w:: %w\n%w::\n  %w\n\n// -",
        "// %x\n%w",
        "NOTE: %w",
        "https://e.org/%n[%w] link:%x.html[%w] xref:%x[%w] mailto:%n@e.org[%w] %w",
        "%w footnote:[%w] kbd:[%w] ((%w)) (((%x))) image:%x.png[%w]",
        "stem:[%w] %w pass:[<u>%w</u>]",
        " %w\n %w",
    ),
    wrappers=(
        lambda text: f"====\n{text}\n====",
        lambda text: f"--\n{text}\n--",
        lambda text: f"[NOTE]\n=====\n{text}\n=====",
        lambda text: f"* %w\n+\n--\n{text}\n--\n\n// -",
    ),
    examples=10,
)

ORG = Grammar(
    "org",
    top=(
        "* TODO [#B] %w /%w/ [1/2] :%x:",
        "** %w\nSCHEDULED: <2026-01-02 Fri>\n:PROPERTIES:\n:ID: %x\n:END:\n%w",
        "* COMMENT %x\n%x\n\n* %w",
        "#+begin_comment\n%x\n#+end_comment",
        "#+begin_export html\n%x\n#+end_export",
        "# %x",
        "#+OPTIONS: %x",
        "%w[fn:%i] %w%|[fn:%i] %n\n/%n/",
    ),
    inner=(
        "%w *%w* /%w/ =%w= ~%w~ +%w+ _%w_\n%w",
        "- %w\n  + %w\n    1. %w\n- [X] %w\n- [ ] %w",
        "1. %w\n2. %w",
        "- %w :: %w\n- %w :: %w",
        "#+begin_src sh\n%w\n,* %w\n#+end_src",
        "#+begin_example\n%w\n#+end_example",
        ": %w\n:   %w",
        "#+CAPTION: %w\n| %w | %w |\n|----+----|\n| %w | %w |",
        "| %w | %w |\n| %w | %w |",
        "#+begin_quote\n%w\n\n- %w\n#+end_quote",
        "#+begin_verse\n%w\n%w\n#+end_verse",
        "#+begin_note\n%w\n#+end_note",
        "[[https://e.org/%n][%w]] [[file:%x.org][%w]] %w[fn:: %w] https://e.org/%w",
        "#+CAPTION: %w\n[[./%x.png]]",
        "\\begin{equation}\n%w\n\\end{equation}",
        "%w $%w$ \\(%w\\)",
    ),
    wrappers=(
        lambda text: f"#+begin_quote\n{text}\n#+end_quote",
        lambda text: f"#+begin_note\n{text}\n#+end_note",
        indented("- ", "  "),
    ),
    examples=10,
)

LATEX = Grammar(
    "latex",
    top=(
        "\\section{%w \\emph{%w}}\\label{%x}",
        "\\subsection*{%w}",
        "\\paragraph{%w} %w",
        "\\section[%x]{%w}",
        "\\begin{comment}\n%x\n\\end{comment}",
        "\\iffalse %x \\fi",
        "\\begin{tikzpicture}\\node{%x};\\end{tikzpicture}",
        "\\vspace{1cm}\\label{%x}\\bibliographystyle{%x}",
        "\\newcommand{\\unused}[1]{%x #1}",
    ),
    inner=(
        "%w \\textbf{%w} \\emph{%w} \\texttt{%w} \\underline{%w} %% %x\n%w",
        "\\begin{itemize}\n\\item %w\n\\item[%w] %w\n\\begin{enumerate}\n\\item %w\n\\end{enumerate}\n\\end{itemize}",
        "\\begin{description}\n\\item[%w] %w\n\\item[%w] %w\n\\end{description}",
        "\\begin{verbatim}\n%w\n\\section{%w}\n\\end{verbatim}",
        "\\begin{lstlisting}[language=Python,caption={%w}]\n%w\n\\end{lstlisting}",
        "\\begin{quote}\n%w\n\\end{quote}",
        (
            "\\begin{table}\n\\caption{%w}\n\\begin{tabular}{l|c}\n%w & %w \\\\ \\hline\n%w & %w \\\\\n"
            "\\multicolumn{2}{c}{%s} \\\\\n\\multirow{2}{*}{%s} & %w \\\\ & %w \\\\\n\\end{tabular}\n\\end{table}"
        ),
        "\\begin{figure}\n\\includegraphics[width=3cm]{%x}\n\\caption{%w}\n\\end{figure}",
        "%w\\footnote{%w \\emph{%w}} %w",
        "\\href{https://e.org/%n}{%w} \\url{https://e.org/%w}",
        "\\[ %w \\]",
        "\\begin{equation}\\label{%x}\n%w\n\\end{equation}",
        "%w $%w$ \\(%w\\)",
        "\\begin{theorem}[%w]\n%w\n\\end{theorem}",
        "\\foo[%x]{%w} %w",
        "\\begin{tcolorbox}[title=%w]\n%w\n\\end{tcolorbox}",
        "\\begin{multicols}{2}\n%w\n\n%w\n\\end{multicols}",
        "\\begin{center}\n%w\n\\end{center}",
        "\\mbox{%w} \\textcolor{red}{%w} {\\large %w}",
        "\\begin{thebibliography}{9}\n\\bibitem{key} %w\n\\end{thebibliography}",
    ),
    wrappers=(
        lambda text: f"\\begin{{center}}\n{text}\n\\end{{center}}",
        lambda text: f"\\begin{{multicols}}{{2}}\n{text}\n\\end{{multicols}}",
    ),
    examples=10,
)

MEDIAWIKI = Grammar(
    "mediawiki",
    top=(
        "== %w ''%w'' ==",
        "=== %w ===",
        "[[Category:%x]]",
        "{{Infobox|%x=%x}}",
        "<!-- %x\n%x -->",
    ),
    inner=(
        "%w '''%w''' ''%w'' <code>%w</code> <u>%w</u>",
        "* %w\n** %w\n* %w",
        "# %w\n## %w\n# %w",
        "; %w : %w\n; %w : %w",
        "{|\n|+ %w\n! %w !! %w\n|-\n| %w || %w\n|-\n| rowspan=2 | %s || %w\n|-\n| %w\n|}",
        '<syntaxhighlight lang="python">\n%w\n</syntaxhighlight>',
        "<pre>%w</pre>",
        " %w\n %w",
        "<blockquote>%w</blockquote>",
        "[[%x|%w]] [[%W]] %w",
        "[https://e.org/%n %w] %w",
        "%w<ref>%w</ref> %w",
        "[[File:%x.png|thumb|%w]]",
        "<math>%w</math> %w",
        ": %w\n:: %w",
    ),
    examples=10,
)

TYPST = Grammar(
    "typst",
    top=(
        "= %w _%w_ <%x>",
        "== %w",
        "#let unused = [%x]",
        '#set text(lang: "%x")',
        "/* %x\n%x */",
    ),
    inner=(
        "%w *%w* _%w_ `%w` // %x\n%w",
        "- %w\n  - %w\n- %w",
        "+ %w\n+ %w",
        "/ %w: %w",
        "#figure(table(columns: 2, table.header[%w][%w], [%w], [%w]), caption: [%n])",
        "#table(columns: 2, [%w], [%w])",
        "```c\n%w\n```",
        "#quote(block: true)[%w]",
        '#link("https://e.org/%n")[%w] %w',
        "%w#footnote[%w] %w",
        "%w $x$ %w",
        "#strong[%w] #emph[%w] #box[%w]",
    ),
    wrappers=(
        lambda text: f"#block[\n{text}\n]",
        lambda text: f"#quote(block: true)[\n{text}\n]",
        indented("- ", "  "),
    ),
    examples=10,
)


def manual_page(pieces: Sequence[str], ends: Sequence[str]) -> str:
    return ".TH KILN 1\n.SH NAME\n" + "\n.PP\n".join([*pieces, *ends]) + "\n"


MAN = Grammar(
    "man",
    top=(".SH %w", ".SS %w\n%w", '.\\" %x'),
    inner=(
        '%w \\fB%w\\fR \\fI%w\\fR\n.B %w\n.I %w\n%w \\" %x',
        ".TP\n\\fB\\-\\-%w\\fR\n%w",
        ".IP \\(bu 2\n%w\n.IP \\(bu 2\n%w",
        ".EX\n%w\n.EE",
        ".nf\n%w\n.fi",
        ".TS\nl l.\n%w\t%w\n%w\t%w\n.TE",
        ".BR %w (1)",
        ".RS\n%w\n.RE",
        ".UR https://e.org/u\n%w\n.UE %w",
    ),
    join=manual_page,
    wrappers=(
        lambda text: f".RS\n{text}\n.RE",
        lambda text: f".TP\n%w\n{text}",
    ),
    examples=10,
)

GRAMMARS = (ASCIIDOC, ORG, LATEX, MEDIAWIKI, TYPST, MAN)
