"""Places of the formats that people type: see `places`."""

from collections.abc import Sequence

from tests.unit.readers.places import Grammar, indented


def quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


MARKDOWN = Grammar(
    "markdown",
    top=(
        "# %w *%w*",
        "%w\n%w\n===",
        "## %w {#%x}",
        "%w\n---",
        "### [%w](#%x) ###",
        ":::tip %w\n%w\n\n- %w\n:::",
        ":::note[%w]\n%w\n:::",
        "%s\n: %w\n: %w",
        "%w[^%i] %w%|[^%i]: %n *%n*",
        "%w [%w][r%i] %w%|[r%i]: https://e.org/%n",
        "[Only-%i]: https://e.org/%x",
        "<table><tr><th>%w<th>%w<tr><td>%w<td>\n\n*%w*\n\n</td></tr></table>",
    ),
    inner=(
        "%w %w\n%w",
        "*%w* **%w** ~~%w~~ `%w` ***%w***",
        "- %w\n  1. %w\n     - %w\n  2. %w\n- [x] %w\n- [ ] %w",
        "7. %w\n\n   %w\n\n8. %w",
        "- %w\n\n  ```\n  %w\n  ```\n\n- %w",
        "```py\n%w\n\n# %w\n```",
        "~~~~\n%w\n```\n%w\n~~~~",
        '```sh title="%w"\n%w\n```',
        "| %w | %w |\n|---|:-:|\n| %w `%w` | **%w** |\n| %w | |",
        "%w | %w\n---|---\n%w | %w",
        "![%w](%x.png) %w",
        "[%w](%x.md) <https://e.org/%w> [%w](mailto:%w@e.org) https://e.org/%w",
        "[![%w](%x.svg)](#%x) %w",
        "%w <kbd>%w</kbd><br>%w <!-- %x --> %w",
        "<div class=%x>%w <b>%w</b></div>",
        "<details><summary>%w</summary>\n\n%w\n\n</details>",
        "<p hidden>%x</p>\n<script>%x</script>\n<style>%x</style>",
        "<!-- %x\n\n%x -->",
        '<img src="%x.png" alt="%w">',
        "<ul><li>%w<li>%w</ul>",
        "%w ^[%w *%w*] %w",
        "$$\n%w\n$$",
        "%w $%w_{%w}$ %w",
        "%w\\\n%w  \n%w",
        "> [!WARNING]\n> %w\n>\n> %w",
        "> %w\n>\n> > %w\n>\n> - %w",
        "***",
        "\\*%w\\* &copy; %w &amp; %w",
    ),
    wrappers=(quoted, indented("- ", "  "), indented("1. ", "   ")),
)


def ruled(pieces: Sequence[str], ends: Sequence[str]) -> str:
    """Put a line between pieces: a component between two lists would belong to either."""
    return "\n\n***\n\n".join([*pieces, *ends]) + "\n"


MDX = Grammar(
    "mdx",
    top=(
        "import %x from './%x'",
        "export const %x = '%x'",
        "export function %x() {\n  return <b>%x</b>\n\n}",
        "## %w {#%x}",
        "# %w",
        "{/* %x\n\n%x */}",
        "<!-- %x -->",
        '<TabItem label="%w" value="%x">\n\n%w\n\n</TabItem>',
        '<Card title="%w" icon="%x" href="/%x" />',
        '<A on={%x => %x} t="%x > %x">\n%w\n</A>',
        "<Faq\n  question='%w'\n  summary={\"%w\"}\n/>",
        ":::tip %w\n%w\n:::",
        ":::warning[%w]\n%w\n:::",
        "```js\nimport %w from '{%w}'\n<%w>\n```",
        "````mdx-code-block\n<B>\n\n%w\n\n</B>\n````",
        "%w[^%i]%|[^%i]: %n",
    ),
    inner=(
        "%w *%w* {'%w'} {%x} {\"%w\"} {`%w`}",
        "<Note>%w **%w**</Note>",
        "- %w\n  - %w\n- %w",
        "| %w | %w |\n|---|---|\n| {'%w'} | <b>%w</b> |",
        '<img alt="%w" src="%x" />',
        "`{%w}` %w",
        "![%w](%x.png) [%w](%x)",
        "%w<br/>%w <sub>%w</sub>",
    ),
    wrappers=(quoted, indented("- ", "  ")),
    join=ruled,
)

TEXT = Grammar(
    "text",
    top=(
        "%W %w\n%=%=",
        "%W\n%-",
        "1.2.3. %W %w",
        "Appendix B. %W",
        "%w %w\n%w\n%w.",
        "   %w %w\n   %w",
        "- %w\n  %w\n  - %w\n* %w",
        "1. %w\n2. %w",
        "a) %w\nb) %w",
        "        %w\n          %w",
        "| %w | %w | %w |\n|---|---|---|\n| %w | %w | %w |",
        "%w\t%w\t%w\n%w\t%w\t%w",
        "Ada: %w\nBob Lee: %w",
        "%W %w said that %w and %w.\f%w again.",
        "<%w> *%w* [%w](%w) & {%w}",
    ),
)

PDF = Grammar(
    "pdf",
    top=(
        "%w %w\n%w.",
        "%w %h %w.",
        "%w\n%h.\n\n%w.",
        "2.1. %W",
        "- %w\n- %w",
        "%w.\n\n7\n\f%w.",
        "%w\f%w",
        "%w\n--- page 3 ---\n%w",
    ),
)


def rst_paragraphs(pieces: Sequence[str], ends: Sequence[str]) -> str:
    """Put an empty comment between pieces, so that neighbouring lists and quotes stay apart."""
    return "\n\n..\n\n".join([*pieces, *ends]) + "\n"


RST = Grammar(
    "rst",
    top=(
        "%w\n%=",
        "%w\n%-",
        "%w [#n%i]_ %w%|.. [#n%i] %n *%n*",
        "%w [C%i]_ %w%|.. [C%i] %n",
        "%w |s%i| %w%|.. |s%i| replace:: %n",
        "%w `%w <https://e.org/%w>`_ named%i_ %w%|.. _named%i: https://e.org/%n",
        ".. _%x:",
        ".. _t%i: https://e.org/%x",
        ".. py:function:: %w(%w, *%w)\n   :module: %x\n\n   %w",
        ".. class:: %W\n\n   %w\n\n   .. method:: %w(%w)\n\n      %w",
        ".. option:: --%w <%w>\n\n   %w",
    ),
    inner=(
        "%w *%w* **%w** ``%w``\n%w",
        ":ref:`%w <%x>` :kbd:`%w` :class:`~%x.%w` :math:`%w` :%x:`%w`",
        "- %w\n\n  1. %w\n  2. %w\n\n- %w",
        "%w\n  %w\n\n  - %w",
        "%w : %w\n  %w",
        ":%w: %w\n:param %w: %w",
        "-f, --file=F  %w\n--%w        %w",
        "| %w\n| %w\n|   %w",
        "%w::\n\n  %w\n\n    %w",
        "::\n\n  %w",
        ">>> %w\n%w",
        ".. code-block:: py\n   :caption: %w\n   :name: %x\n\n   %w\n     %w",
        ".. parsed-literal::\n\n   %w *%w*",
        ".. note:: %w\n\n   %w\n\n   - %w",
        ".. admonition:: %w\n   :class: %x\n\n   %w",
        ".. topic:: %w\n\n   %w",
        ".. sidebar:: %w\n   :subtitle: %w\n\n   %w",
        ".. rubric:: %w",
        ".. versionadded:: 3.2\n   %w",
        ".. versionchanged:: 4 %w\n\n   %w",
        ".. deprecated:: 4 %w",
        ".. seealso:: %w",
        ".. tab:: %w\n\n   %w",
        ".. only:: html\n\n   %w",
        ".. unknown:: %x\n   :option: %x\n\n   %w",
        ".. container:: %x\n\n   %w",
        ".. epigraph::\n\n   %w\n\n   -- %w",
        ".. math::\n   :label: %x\n\n   %w",
        ".. figure:: %x.png\n   :alt: %w\n   :width: 5\n\n   %w\n\n   %w",
        ".. image:: %x.png\n   :alt: %w\n   :target: %x",
        ".. list-table:: %w\n   :header-rows: 1\n\n   * - %w\n     - %w\n   * - %w\n     - - %w\n       - %w",
        '.. csv-table:: %w\n   :header: %w, "%w, %w"\n\n   %w, "%w\n   %w"',
        (
            "+---------+---------+\n| %w | %w |\n+=========+=========+\n| %s | %w |\n|         +---------+\n"
            "|         | %w |\n+---------+---------+"
        ),
        "=======  =======\n%w  %w\n=======  =======\n%w  %w\n         %w\n=======  =======",
        ".. raw:: html\n\n   %x",
        ".. %x\n   %x",
        ".. index:: %x\n   single: %x",
        ".. toctree::\n   :caption: %x\n\n   %x\n   %x",
        ".. contents:: %x",
        ".. meta::\n   :description: %x",
        "----",
    ),
    wrappers=(
        indented("- ", "  "),
        indented("  ", "  "),
        indented(".. note::\n\n   ", "   "),
        indented(".. container:: %x\n\n   ", "   "),
        indented("%w\n  ", "  "),
    ),
    join=rst_paragraphs,
)

GRAMMARS = (MARKDOWN, MDX, TEXT, PDF, RST)
