"""Places of the formats that programs save: see `places`."""

import json
from collections.abc import Sequence

from tests.unit.readers.places import Grammar, joined

# Pages

HTML_TOP = (
    "<h1>%w <b>%w</b></h1>",
    "<h2>%w <a href='#%x'>¶</a></h2>",
    "<div role=heading>%w</div>",
    "<p>%w<sup><a href='#n%i'>1</a></sup> %w%|<ol><li id='n%i'>%n <a href='#%x'>↩</a></li></ol>",
    "<div><p><b class=speaker>%m:</b> %w</p></div>",
    "<div>%w<p>%w</p>%w</div>",
    "<fieldset><legend>%w</legend>%w</fieldset>",
)
HTML_INNER = (
    "<p>%w <b>%w</b> <i>%w</i> <code>%w</code> <q>%w</q><br>%w</p>",
    "<ul><li>%w<ol><li>%w</li><li>%w</li></ol>%w</li><li>%w</li></ul>",
    "<dl><dt>%w</dt><dd>%w</dd><dt>%w</dt><dt>%w</dt><dd>%w</dd></dl>",
    "<pre><code class='language-py'>%w\n  %w</code></pre>",
    "<table><caption>%w</caption><tr><th>%w</th><th>%w</th></tr><tr><td>%w</td><td>%w</td></tr></table>",
    (
        "<table><thead><tr><th>%w</th><th>%w</th></tr></thead><tbody><tr><td rowspan=2>%s</td><td>%w</td></tr>"
        "<tr><td>%w</td></tr><tr><td colspan=2>%s</td></tr></tbody></table>"
    ),
    "<table role=presentation><tr><td>%w</td><td><p>%w</p></td></tr></table>",
    "<blockquote><p>%w</p><footer>%w</footer></blockquote>",
    "<figure><img src='%x.png' alt='%w'><figcaption>%w</figcaption></figure>",
    "<p>%w <a href='https://e.org/%x' title='%x'>%w</a></p>",
    "<p>%w<!-- %x --><script>%x</script><style>%x</style></p>",
    "<p hidden>%x</p><p aria-hidden=true>%x</p><p style='display:none'>%x</p><p class=d-none>%x</p>",
    "<details><summary>%w</summary><p>%w</p></details>",
    "<p>%w <math alttext='%w'><mi>%x</mi></math></p>",
    "<div class='admonition note'><p class=admonition-title>%w</p><p>%w</p></div>",
    "<p><ruby>%w<rt>%x</rt></ruby> <abbr title='%x'>%w</abbr> <kbd>%w</kbd></p>",
    "<p>%w<select><option>%x</option></select><textarea>%x</textarea><input value=%x><button>%x</button></p>",
    "<p>%w</p><svg><text>%x</text></svg><iframe>%x</iframe><object>%x</object><audio>%x</audio>",
    "<noscript>%x</noscript><template>%x</template><video>%x</video><canvas>%x</canvas>",
    "<p>x<sup>2</sup> %w &amp; %w</p>",
)
HTML_FURNITURE = (
    "<nav>%x</nav>",
    "<aside>%x</aside>",
    "<form>%x</form>",
    "<dialog>%x</dialog>",
    "<header>%x</header>",
    "<footer>%x</footer>",
    "<div role=search>%x</div>",
)

HTML = Grammar(
    "html",
    top=(*HTML_TOP, *HTML_FURNITURE),
    inner=HTML_INNER,
    wrappers=(
        lambda text: f"<div>{text}</div>",
        lambda text: f"<section>{text}</section>",
        lambda text: f"<blockquote>{text}</blockquote>",
        lambda text: f"<ul><li>%w{text}</li></ul>",
        lambda text: f"<dl><dt>%w</dt><dd>{text}</dd></dl>",
        lambda text: f"<table role=presentation><tr><td>{text}</td><td>%w</td></tr></table>",
    ),
    join=joined,
)


def rich_text(pieces: Sequence[str], ends: Sequence[str]) -> str:
    body = "\\pard\n".join([*pieces, *ends]).replace("ü", "\\u252 ?")
    return "{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}{\\info{\\author nobody}}\n" + body + "}"


RTF = Grammar(
    "rtf",
    inner=(
        "%w {\\b %w} {\\i %w}\\line %w\\par ",
        "%w{\\footnote %w} %w\\par ",
        "{\\*\\generator %x}{\\*\\bkmkstart %x}%w\\par ",
        "%w\\tab %w \\par ",
        "\\trowd\\cellx1000\\cellx2000 %w\\cell %w\\cell\\row \\pard %w\\par ",
        '{\\field{\\*\\fldinst{HYPERLINK "https://e.org/%x"}}{\\fldrslt %w}} %w\\par ',
        "{\\pict\\pngblip 0A0B} %w\\par ",
    ),
    join=rich_text,
    examples=10,
)


def article(pieces: Sequence[str], ends: Sequence[str]) -> str:
    return f"<article>{''.join([*pieces, *ends])}</article>"


DOCBOOK = Grammar(
    "docbook",
    top=("<section><title>%w <emphasis>%w</emphasis></title><para>%w</para></section>",),
    inner=(
        "<para>%w <emphasis>%w</emphasis> <literal>%w</literal> <filename>%w</filename></para>",
        (
            "<itemizedlist><listitem><para>%w</para><orderedlist><listitem><para>%w</para></listitem></orderedlist>"
            "</listitem><listitem><para>%w</para></listitem></itemizedlist>"
        ),
        "<variablelist><varlistentry><term>%w</term><listitem><para>%w</para></listitem></varlistentry></variablelist>",
        "<programlisting language='c'>%w\n  %w</programlisting>",
        "<screen>%w</screen>",
        (
            "<table><title>%w</title><tgroup cols='2'><thead><row><entry>%w</entry><entry>%w</entry></row></thead>"
            "<tbody><row><entry>%w</entry><entry>%w</entry></row></tbody></tgroup></table>"
        ),
        "<note><title>%w</title><para>%w</para></note>",
        "<warning><para>%w</para></warning>",
        "<blockquote><attribution>%n</attribution><para>%w</para></blockquote>",
        (
            "<figure><title>%n</title><mediaobject><imageobject><imagedata fileref='%x.png'/></imageobject><textobject>"
            "<phrase>%n</phrase></textobject></mediaobject></figure>"
        ),
        "<para>%w<footnote><para>%w</para></footnote> %w</para>",
        "<para>%w <ulink url='https://e.org/%n'>%w</ulink></para>",
        "<para>%w<!-- %x --></para>",
        "<para id='%x'>%w<indexterm><primary>%x</primary></indexterm></para>",
        "<simpara>%w</simpara>",
        "<procedure><step><para>%w</para></step><step><para>%w</para></step></procedure>",
        "<example><title>%w</title><para>%w</para></example>",
        "<sidebar><title>%w</title><para>%w</para></sidebar>",
        "<formalpara><title>%w</title><para>%w</para></formalpara>",
        (
            "<qandaset><qandaentry><question><para>%w</para></question><answer><para>%w</para></answer></qandaentry>"
            "</qandaset>"
        ),
    ),
    join=article,
    wrappers=(
        lambda text: f"<note>{text}</note>",
        lambda text: f"<blockquote>{text}</blockquote>",
        lambda text: f"<itemizedlist><listitem>{text}</listitem></itemizedlist>",
        lambda text: (
            f"<variablelist><varlistentry><term>%w</term><listitem>{text}</listitem></varlistentry></variablelist>"
        ),
    ),
    examples=10,
)

# Notebooks


def cell(kind: str, source: str, *outputs: object, **metadata: object) -> str:
    more = {"outputs": list(outputs), "execution_count": 1} if kind == "code" else {}
    return json.dumps({"cell_type": kind, "metadata": metadata, "source": source, **more})


def shown(**data: str) -> dict[str, object]:
    bundle = {kind.replace("_", "/", 1): text for kind, text in data.items()}
    return {"output_type": "display_data", "metadata": {}, "data": bundle}


def notebook(pieces: Sequence[str], ends: Sequence[str]) -> str:
    cells = ",".join([*pieces, *ends])
    return f'{{"nbformat": 4, "nbformat_minor": 5, "metadata": {{"kernelspec": {{}}}}, "cells": [{cells}]}}'


IPYNB = Grammar(
    "ipynb",
    top=(
        cell("markdown", "# %w\n\n%w *%w*\n\n- %w\n  - %w\n"),
        cell("markdown", "| %w | %w |\n|---|---|\n| %w | %w |\n\n![%w](attachment:%x.png)", **{"%x": "%x"}),
        cell("markdown", "%w<!-- %x -->\n\n> %w"),
        cell("raw", "%w\n\n%w"),
        cell("code", "%w\n\n%w", {"output_type": "stream", "name": "stdout", "text": ["%w\n", "%w\n"]}),
        cell("code", "%w", {"output_type": "error", "ename": "%w", "evalue": "%w", "traceback": ["%x"]}),
        cell("code", "", shown(text_plain="%w")),
        cell("code", "", shown(text_plain="%x", text_html="<table><tr><th>%w<th>%w<tr><td>%w<td>%w</table>")),
        cell("code", "", shown(text_plain="%x", text_markdown="**%w** %w")),
        cell("code", "", shown(image_png="%x")),
        cell("code", "%x", tags=["remove-cell"]),
        cell("code", "%x", shown(text_plain="%w"), tags=["remove-input"]),
        cell("code", "%w", shown(text_plain="%x"), tags=["remove-output"]),
        cell("widget", "%x"),
    ),
    join=notebook,
)

# Captions


def cues(header: str) -> Grammar:
    """The places that both formats of captions have."""
    mark = "." if header else ","
    timing = f"%t{mark}000 --> %t{mark}900"
    return Grammar(
        "vtt" if header else "srt",
        top=(
            f"1\n{timing}\n%w %w\n%w.",
            f"{timing}\n<i>%w</i> <c.loud>%w</c> &amp; %w.",
            f"{timing}\n- %w.\n- %w.",
            f"{timing}\n<v %m>%w.</v>",
            f"{timing}\n>> %w. >> %w.",
            f"{timing}\nAda: %w.\nBob: %w.",
            f"{timing}\n[%x]",
            f"{timing}\n♪ %x ♪",
            *(
                (
                    f"%x\n{timing} align:start\n%w.",
                    "NOTE %x\n%x",
                    "NOTE\n%x",
                    "STYLE\n::cue(%x) {{ color: red }}",
                    "REGION\nid:%x",
                    f"{timing}\n<%t.100>%w<%t.200> %w <lang en>%w</lang> <ruby>%w<rt>%x</rt></ruby>.",
                )
                if header
                else (
                    f"{timing}\n{{\\an8}}%w <font color=red>%w</font>.",
                    f"{timing}\nNOTE %w.",
                    f"{timing}\n%w\n\n%w.",
                )
            ),
        ),
        join=lambda pieces, ends: "\n\n".join([*([header] if header else []), *pieces, *ends]) + "\n",
    )


# A caller's blocks


def block(kind: str, text: str, **more: object) -> str:
    return json.dumps({"type": kind, "text": text, **more})


BLOCKS = Grammar(
    "blocks",
    top=(
        block("heading", "%w %w", level=2),
        block("paragraph", "%w\n%w", meta={"entry": "%m", "signature": "%m"}),
        block("list", "- %w\n  - %w"),
        block("quote", "%w"),
        block("code", "%w\n  %w", meta={"language": "%m"}),
        block("table", "%w | %w\n%w | %w"),
        block("paragraph", "%w", comment="%x", meta={"any": ["%m", {"deep": "%m"}]}),
        block("paragraph", " "),
    ),
    join=lambda pieces, ends: f"[{','.join([*pieces, *ends])}]",
)

GRAMMARS = (HTML, RTF, DOCBOOK, IPYNB, cues("WEBVTT"), cues(""), BLOCKS)
