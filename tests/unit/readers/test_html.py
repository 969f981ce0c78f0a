import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.documents.block import Block, BlockType
from app.errors import TooDeep, UnknownFormat
from app.ports.reader_runner import Source
from app.readers.html import fragment_blocks, looks_like_html
from app.readers.registry import read_blocks, resolve_format
from tests.unit.readers.reading import line, lines, parsed


def test_the_example_of_the_design() -> None:
    source = """
        <body><nav>Home</nav><main><h1>Kiln <a href="#k">¶</a></h1>
        <p>Fire to 1.2 × 10<sup>3</sup> °C.</p><dl><dt>Cone</dt><dd>heat mark</dd></dl>
        <table><tr><th colspan=2>Stock</th></tr><tr><th>Clay</th><th>kg</th></tr><tr><td>Red</td><td>4</td></tr></table>
        </main></body>"""

    assert parsed(source, "html").blocks == (
        Block(type=BlockType.HEADING, text="Kiln", level=1),
        Block(type=BlockType.PARAGRAPH, text="Fire to 1.2 × 10^3 °C."),
        Block(type=BlockType.LIST, text="- Cone: heat mark"),
        Block(
            type=BlockType.TABLE,
            text="Table: Stock\nClay | kg\nRed | 4",
            meta={"caption": "Stock", "header": ["Clay", "kg"], "rows": [["Red", "4"]]},
        ),
    )


def test_line_breaks_part_a_paragraph_whose_lines_open_with_names() -> None:
    source = "<p>Minutes<br>Ann: The <b>lid</b><br>is hot.<br/>Bob: I know.</p><p>Ann: Then wait.<br>Bob: Yes.</p>"

    blocks = parsed(source, "html").blocks

    assert [(block.text, block.meta.get("speaker")) for block in blocks] == [
        ("Minutes", None),
        ("The lid is hot.", "Ann"),
        ("I know.", "Bob"),
        ("Then wait.", "Ann"),
        ("Yes.", "Bob"),
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("<p>Ann: hi<br>all", ["p | Ann: hi all"], id="one name may be a label"),
        pytest.param("<p>Note: hi<br>Tip: ho", ["p | Note: hi Tip: ho"], id="labels"),
        pytest.param("<h1>Ann: hi<br>Bob: ho</h1>", ["h1 | Ann: hi Bob: ho"], id="a heading"),
        pytest.param("<blockquote>Ann: hi<br>Bob: ho", ["quote | Ann: hi Bob: ho"], id="a quote"),
        pytest.param("<ul><li>Ann: hi<br>Bob: ho</ul>", ["list | - Ann: hi Bob: ho"], id="an item"),
        pytest.param(
            "<div><b class=speaker>Eve</b> Ann: hi<br>Bob: ho</div>", ["p | Ann: hi Bob: ho"], id="a named speaker"
        ),
    ],
)
def test_line_breaks_part_no_other_text_at_names(source: str, expected: list[str]) -> None:
    assert lines(source, "html") == expected


#: What is read without a tree, and what makes it need one.
PIECES = (
    *(
        "<p>",
        "</p>",
        "<div align=center>",
        "</div>",
        "<b>",
        "</b>",
        '<a href="x.html">',
        '<a href="#x">',
        "</a>",
        "<br>",
    ),
    *("<h1>", "</h1>", "<h2 align=left>", "</h2>", "<summary>", "</summary>", '<img src=a alt="A b">', "<hr>"),
    *("<img alt=q>", "<!-- c -->", "a", " ", "&amp;", "& ", "&copy;", "<", "e\u0301", "Ann: x", "Bob: y", "</br>"),
    *(
        "<td>",
        "<p hidden>",
        "<sub>",
        "</center>",
        "<details open>",
        "</details>",
        "\u200b",
        "#",
        "<nobr>",
        "<p",
        "<b/>",
    ),
)


@given(st.lists(st.sampled_from(PIECES), max_size=10).map("".join))
def test_a_short_fragment_reads_the_same_without_a_tree(source: str) -> None:
    """Behind enough white space a fragment is long, and gets a tree."""
    assert fragment_blocks(source) == fragment_blocks(source + " " * 2_000)


FURNITURE = {
    "by tag": (
        (
            "<head><style>s</style></head><p>a<aside>x</aside><audio>x</audio><button>x</button><canvas>x</canvas>"
            "<iframe>x</iframe><map>x</map><nav>x</nav><object>x</object><script>x</script><select><option>x</select>"
            "<svg><title>x</title><text>x</text></svg><template>x</template><textarea>x</textarea><video>x</video>"
            "<datalist><option>x</datalist><noembed><p>x</noembed><noframes><p>x</noframes>"
        ),
        ["p | a"],
    ),
    "noscript, but not the word in a script": (
        "<noscript><p>no</p></noscript><script>'<noscript>'</script><p>yes<noscript>no</noscript> more",
        ["p | yes more"],
    ),
    "a noscript without its end takes nothing with it": ("<p>a<noscript>b<p>c", ["p | ab", "p | c"]),
    "asides that are notes": (
        "<aside>x</aside><aside class='my-footnotes'>a</aside><aside role=' Note '>b</aside>",
        ["p | a", "p | b"],
    ),
    "buttons that are titles": (
        (
            "<h2><button>Ask</button></h2><details><summary> <button>Q</button> </summary>A</details>"
            "<dl><dt><button>T</button><dd>d</dl><summary>S <button>x</button></summary>"
        ),
        ["h2 | Ask", "p | Q", "p | A", "list | - T: d", "p | S"],
    ),
    "forms, unless they hold reading matter": (
        "<form>x</form><form>a<h2>b</h2></form><form><article>c</article></form>",
        ["p | a", "h2 | b", "p | c"],
    ),
    "hidden by attribute": (
        "<p hidden>x<p popover=auto>x<p aria-hidden=' TRUE '>x<p aria-hidden=false>a",
        ["p | a"],
    ),
    "hidden, and read all the same": (
        "<div role=tabpanel hidden>tab</div><p hidden=until-found>found</p><details><summary>S</summary>D</details>",
        ["p | tab", "p | found", "p | S", "p | D"],
    ),
    "by role": (
        (
            "<p role=complementary>x<p role=' Navigation'>x<p role=search>x<p role=tooltip>x<p role=dialog>x"
            "<p role=alertdialog>x<p role=note>a"
        ),
        ["p | a"],
    ),
    "dialogs": ("<dialog>x</dialog><dialog open>a</dialog>", ["p | a"]),
    "banners outside an article": (
        (
            "<header>x</header><p role=banner>x<p role=contentinfo>x"
            "<article><header>a</header>b<footer>c</footer></article>"
            "<footer>x</footer>"
        ),
        ["p | a", "p | b", "p | c"],
    ),
    "furniture by class": (
        "".join(f"<p class='{name}'>x" for name in ("catlinks", "mw-editsection y", "navbox", "print-only", "noprint"))
        + "<p class=NAVBOX>a<p class=navbox-like>b",
        ["p | a", "p | b"],
    ),
    "hidden by class": (
        (
            "<p class='d-none'>x<p class='hide'>x<p class='u-hidden b'>x<p class='hidden md:block'>a"
            "<p class='d-none d-lg-flex'>b<p class=Hidden>c"
        ),
        ["p | a", "p | b", "p | c"],
    ),
    "hidden by style": (
        (
            "<p style='color:red; DISPLAY : none!important'>x<p style='visibility: hidden'>x<p style='display:no'>a"
            "<p style='display:none'><math alttext='b'></math>"
        ),
        ["p | a", "p | b"],
    ),
    "permalinks": (
        (
            "<h2>A <a href='#a'> # </a></h2><h2>B<a href='#b'>§</a></h2>"
            "<h2>C<a class='headerlink' href='#c'>link</a></h2>"
            "<h2><a class='anchor-link' href='#d'>D</a></h2><p>see <a href='#e'>#e</a> <a href='/f#'>#</a>"
        ),
        ["h2 | A", "h2 | B", "h2 | C", "h2 | D", "p | see #e #"],
    ),
    "rows of links": (
        (
            "<p><a href=a>Home</a> | <a href=b>Page 1</a><p>a<p><a href=a>Home</a> | <a href=b>Page 2</a><p>b"
            "<p><a href=a>Home</a> | <a href=b>Page 3</a>"
        ),
        ["p | a", "p | b"],
    ),
    "lists that are rows of links": (
        "<ul><li><a href=a>Up</a><li><a href=b>Next</a></ul>" * 3 + "<p>a",
        ["p | a"],
    ),
    "rows that are none: seldom, long, sentences, without letters": (
        "<p><a href=a>Twice</a>" * 2
        + "<p><a href=a>a link of five words</a>" * 3
        + "<p><a href=a>Stop.</a>" * 3
        + "<p><a href=a>1</a> <a href=b>2</a>" * 3,
        ["p | Twice"] * 2 + ["p | a link of five words"] * 3 + ["p | Stop."] * 3 + ["p | 1 2"] * 3,
    ),
}

START = {
    "the first main": ("<p>x<main><p>a</main><main>x</main>", ["p | a"]),
    "role=main": ("<p>x<div role='Main'><header>a</header>b</div>", ["p | a", "p | b"]),
    "main is empty": ("<main> <nav>x</nav></main><p>a", ["p | a"]),
    "main is hidden": ("<main hidden>x</main><p>a", ["p | a"]),
    "main stands in what is dropped": ("<div hidden><main>x</main></div><p>a", ["p | a"]),
    "headings anywhere in it": (
        "<main><div><article><h2>a</h2><section><h3>b</h3></section></article></div></main>",
        ["h2 | a", "h3 | b"],
    ),
}

BLOCKS = {
    "headings": (
        (
            "<h1>a</h1><h6>b</h6><h3> </h3><p role=heading aria-level=4>c</p><div role=heading>d</div>"
            "<div role=heading aria-level=9>e</div>"
        ),
        ["h1 | a", "h6 | b", "h4 | c", "h2 | d", "h2 | e"],
    ),
    "block edges end paragraphs, loose text is one": (
        "a<div>b<section>c</section>d<hr>e</div>f<center>g</center><fieldset><legend>h</legend>i</fieldset>",
        [f"p | {letter}" for letter in "abcdefghi"],
    ),
    "inline elements leave their text": (
        "<p>a<b>b</b> <i>c</i><span>d</span><a href=x>e</a><code>f</code><q>g</q><del>h</del><x-y>i</x-y>",
        ["p | ab cdefghi"],
    ),
    "line breaks": ("<p>a<br>b<br> <br>c<h2>d<br><br>e</h2>", ["p | a b", "p | c", "h2 | d e"]),
    "references": (
        "&hearts; &CounterClockwiseContourIntegral; &copy 2020 &#x201c;q&#148; &nosuch; a&nbsp;b",
        ["p | ♥ ∳ © 2020 “q” &nosuch; a b"],
    ),
    "misnested and unclosed tags": ("<p>a<b>b<i>c</b>d</i>e<p>f<div>g", ["p | abcde", "p | f", "p | g"]),
    "comments, instructions, characters without width": ("a<!-- x --><?x?>b<wbr>c&shy;d", ["p | abcd"]),
    "ruby": ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>字", ["p | 漢字"]),
    "images": (
        "<p>see <img alt=' the  plan ' src='data:image/png;base64,AAAA'> <img src=x> <img alt=''>",
        ["p | see [image: the plan]"],
    ),
    "figures": (
        (
            "<figure><img alt=plan><figcaption>The <b>plan</b></figcaption></figure>"
            "<figure><pre>x = 1</pre><figcaption>run.py</figcaption></figure>"
            "<figure><blockquote>q</blockquote><figcaption>Bo</figcaption></figure>"
        ),
        ["p | [image: plan]", "p | Figure: The plan", "p | run.py", "code | x = 1", "quote | q", "quote | — Bo"],
    ),
    "quotes": (
        "<blockquote><h2>a</h2><p>b<ul><li>c</ul><pre>d</pre><footer>— Bo</footer></blockquote>",
        ["quote | a", "quote | b", "list | - c", "code | d", "quote | — Bo"],
    ),
    "raised and lowered signs": (
        "<p>10<sup>23</sup> H<sub>2</sub>O x<sup>n</sup> s<sup>−1</sup> Ca<sup>2+</sup> 1<sup>st</sup> a <sup>2</sup>",
        ["p | 10^23 H_2O x^n s^−1 Ca^2+ 1st a 2"],
    ),
    "mathematics": (
        (
            r"<math alttext='{\displaystyle x^{2}}'><mi>x</mi></math> <math><semantics><mi>E</mi>"
            r"<annotation encoding='application/x-tex'>E=mc^2</annotation></semantics></math> "
            r"<math><mi>a</mi><mo>+</mo><annotation encoding=x>no</annotation></math>"
        ),
        ["p | x^{2} E=mc^2 a+"],
    ),
    "KaTeX": (
        (
            "<span class=katex><span class=katex-mathml><math><semantics><mrow><mi>E</mi></mrow>"
            "<annotation encoding='application/x-tex'>E=mc^2</annotation></semantics></math></span>"
            "<span class=katex-html aria-hidden=true><span>E</span></span></span>"
        ),
        ["p | E=mc^2"],
    ),
    "a hidden tree of mathematics beside its picture": (
        "<span style='display: none'><math alttext='{\\displaystyle a}'></math></span><img aria-hidden=true alt=a>",
        ["p | a"],
    ),
}

CODE = {
    "as written": ("<pre>\n\n  a\n\tb  \n\n</pre>", ["code |   a\n\tb"]),
    "line breaks, blocks as lines": ("<pre>a<br>b<div>c</div><div>d</div></pre>", ["code | a\nb\nc\nd"]),
    "without what is dropped": ("<pre><button>Copy</button>a<span aria-hidden=true>1</span></pre>", ["code | a"]),
    "without the numbers of a highlighter": (
        (
            "<table><tr><td class=linenos><pre>1\n2</pre></td><td class=code><pre>a\n b</pre></td></tr></table>"
            "<pre><span class=lineno>1</span>x\n<span class=lineno>2</span>y</pre>"
            "<pre><table><tr><td>1</td><td>p</td></tr><tr><td>2</td><td>q</td></tr></table></pre>"
        ),
        ["code | a\n b", "code | x\ny", "code | p\nq"],
    ),
    "a row per line": (
        "<table><tr><th colspan=2>run.py</th></tr><tr><td>1<td><pre>a</pre><tr><td>2<td><pre>b</pre></table>",
        ["p | run.py", "code | a\nb"],
    ),
}

LISTS = {
    "the example of section 5": (
        "<ul><li>unpack<li>connect<ol><li>red lead<li>black lead</ol><pre>volt --check</pre><li>close the lid</ul>",
        [
            "list | - unpack\n- connect\n  1. red lead\n  2. black lead",
            "code | volt --check",
            "list | - close the lid",
        ],
    ),
    "items of several paragraphs, text after a nested list": (
        "<ul><li><p>a<p>b<ul><li>c</ul>d<li><h2>e</h2></ul>",
        ["list | - a b\n  - c\n  d\n- e"],
    ),
    "numbers": (
        (
            "<ol start=3><li>a<li>b</ol><ol type=a><li>a<li value=7>b<li>c</ol><ol reversed><li>a<li>b</ol>"
            "<ol type=I start=4><li>a</ol><ol start=-1 reversed><li>a<li>b</ol><ol type=A start=27><li>a</ol>"
        ),
        [
            "list | 3. a\n4. b",
            "list | a. a\ng. b\nh. c",
            "list | 2. a\n1. b",
            "list | IV. a",
            "list | -1. a\n-2. b",
            "list | AA. a",
        ],
    ),
    "loose text and lists in a list": (
        "<ul>a<li>b<ul><li>c</ul></li><ul><li>d</ul></ul>",
        ["list | - a\n- b\n  - c\n  - d"],
    ),
    "items without a list": ("<li>a<li>b<p>c", ["list | - a\n- b c"]),
    "boxes": (
        (
            "<ul><li><input type=checkbox checked> a<li><label><input type=checkbox> b</label>"
            "<li>c <input type=checkbox></ul>"
        ),
        ["list | - [x] a\n- [ ] b\n- c"],
    ),
    "definitions": (
        "<dl><dt>A<dt>B:<dd>both<dd>again<div><dt>C<dd>c<ul><li>d</ul></div><dt>E</dl>",
        ["list | - A, B: both\n- A, B: again\n- C: c\n  - d\n- E:"],
    ),
    "points of a statute": (
        "<dl><dt>(a)<dd>one<dt>ii.<dd>two<dt>•<dd>three</dl><dl>x<dt>(a)<dd>one</dl>",
        ["list | (a) one\nii. two\n• three", "list | - x\n- (a): one"],
    ),
}

TABLES = {
    "the example of section 5": (
        (
            "<table><caption>Shop</caption><thead><tr><th rowspan=2>Year<th colspan=2>Sales<tr><th>web<th>store</thead>"
            "<tr><td>2024<td>11<td>7</table>"
        ),
        ["table | Table: Shop\nYear | Sales web | Sales store\n2024 | 11 | 7"],
    ),
    "leading rows of th are the header": (
        "<table><tr><th>a<th>b<tr><th>c<th>d<tr><th>e<td>f<tr><th>g<th>h</table>",
        ["table | a c | b d\ne | f\ng | h"],
    ),
    "a wide first cell is the caption": (
        (
            "<table><tr><td colspan=2>T<tr><th>a<th>b<tr><td>1<td>2</table>"
            "<table><tr><td colspan=2>T<tr><td>a<td>b<td>c</table>"
        ),
        ["table | Table: T\na | b\n1 | 2", "table | T | T |\na | b | c"],
    ),
    "spans": (
        "<table><tr><th>a<th>b<tr><td rowspan=0>x<td>1<tr><td>2<tbody><tr><td colspan=3 rowspan=x>y</table>",
        ["table | a | b |\nx | 1 |\nx | 2 |\ny | y | y"],
    ),
    "the foot comes last, empty rows go": (
        "<table><tfoot><tr><td>sum<td>3</tfoot><tbody><tr><td>a<td>3<tr><td> <td></table>",
        ["table | a | 3\nsum | 3"],
    ),
    "loose text stands before": ("<table><tr><td>a<td>b</tr>loose</table>", ["p | loose", "table | a | b"]),
    "what cells hold is one line": (
        (
            "<table><tr><th>a<th>b<tr><td><p>x<p>y<br>z<td><ul><li>a<li>b<ol><li>c</ol></ul><tr><td>p|q"
            "<td><table><tr><td>a<td>b<tr><td>c<td>d</table><tr><td><h2>h</h2><td><pre>m\n n</pre></table>"
        ),
        ["table | a | b\nx y z | a; b; c\np|q | a, b; c, d\nh | m n"],
    ),
    "layout by role, by one cell per row, by what it holds": (
        (
            "<table role=presentation><tr><td>a<td>b</table><table><tr><td>c<tr><td>d</table>"
            "<table><tr><td><h2>e</h2>f<td>g</table>"
            "<table><tr><td>h<td><table><tr><td>i<td>j</table></table>"
        ),
        ["p | a", "p | b", "p | c", "p | d", "h2 | e", "p | f", "p | g", "p | h", "table | i | j"],
    ),
    "hidden rows and cells are no part": (
        "<table><tr><th>a<th>b<th hidden>x<tr hidden><td>x<tr><td>1<td>2<td class=d-none>x</table>",
        ["table | a | b\n1 | 2"],
    ),
}

NOTES = {
    "marks and bodies": (
        (
            "<p>a<sup><a href='#f1'>1</a></sup> b<sup id=r2><a href='p.html#f2'>[2]</a></sup></p>"
            "<ol><li id=f2>Second <a href='#r2'>back</a><pre>code</pre><li id=f1><p>First <a href='#x'>↩</a></ol><p>end"
        ),
        ["p | a[1] b[2]", "p | end", "p | [1] First", "p | [2] Second", "code | code"],
    ),
    "a link around the sup; its own label is not said twice": (
        "<p>a<a href='#f' id=r><sup>1</sup></a><aside class=footnote id=f><p>1. <a href='#r'>^</a> why</aside>",
        ["p | a[1]", "p | [1] why"],
    ),
    "an anchor inside the note": (
        "<p>a<a href='#n1' name=r1><sup>[1]</sup></a><div id=x><p><a href='#r1' name=n1>[1]</a> why</div>",
        ["p | a[1]", "p | [1] why"],
    ),
    "several marks in one sup": (
        "<p>a<sup><a href='#f'>1</a>, <a href='#g'>2</a></sup>",
        ["p | a[1][2]"],
    ),
    "a body no mark leads to stays": ("<ol><li id=f>a</ol>", ["list | 1. a"]),
    "items that stay keep their numbers": (
        "<p>a<sup><a href='#f'>1</a></sup><ol><li id=f>b<li>c</ol>",
        ["p | a[1]", "list | 2. c", "p | [1] b"],
    ),
    "a section is no note": (
        "<p>a<sup><a href='#s'>1</a></sup><div id=s><h2>b</h2>c</div>",
        ["p | a[1]", "h2 | b", "p | c"],
    ),
}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param(*case, id=name)
        for cases in (FURNITURE, START, BLOCKS, CODE, LISTS, TABLES, NOTES)
        for name, case in cases.items()
    ],
)
def test_constructs(source: str, expected: list[str]) -> None:
    assert lines(source, "html") == expected


@pytest.mark.parametrize(
    ("source", "language"),
    [
        ("<pre><code class='hljs language-RS'>x</code></pre>", "rs"),
        ("<pre class='lang-c++'>x</pre>", "c++"),
        ("<div class='highlight highlight-source-shell'><pre>x</pre></div>", "shell"),
        ("<div class='highlight-python notranslate'><div class=highlight><pre>x</pre></div></div>", "python"),
        ("<pre><code data-lang=go>x</code></pre>", "go"),
        ("<pre class='language-none'>x</pre>", None),
        ("<pre>x</pre>", None),
    ],
)
def test_the_language_of_code(source: str, language: str | None) -> None:
    assert parsed(source, "html").blocks[0].meta.get("language") == language


def test_an_entry_of_a_reference_has_its_name_and_signature() -> None:
    source = (
        "<dl class='py method'><dt class='sig sig-object' id='m.f'><span>m.</span><span>f</span>(<em>x</em>)"
        "<a href='_modules/m'><span class='viewcode-link'>[source]</span></a><a class=headerlink href='#m.f'>¶</a></dt>"
        "<dd><p>Does it.</p><dl><dt class=sig id='m.f.g'>g()</dt><dd>Inner.</dd></dl></dd></dl>"
    )

    assert [(line(block), dict(block.meta)) for block in parsed(source, "html").blocks] == [
        ("p | m.f(x)", {"entry": "m.f", "signature": "m.f(x)"}),
        ("p | Does it.", {}),
        ("p | g()", {"entry": "m.f.g", "signature": "g()"}),
        ("p | Inner.", {}),
    ]


def test_admonitions() -> None:
    source = (
        "<div class='admonition note'><p class='admonition-title'>Note</p><p>Mind it.<ul><li>a</ul></div>"
        "<div class='markdown-alert markdown-alert-warning'><p class=markdown-alert-title>Hot lid</p><p>Wait.</div><p>b"
    )

    assert [(line(block), block.meta.get("admonition")) for block in parsed(source, "html").blocks] == [
        ("p | Note: Mind it.", "note"),
        ("list | - a", "note"),
        ("p | Warning: Hot lid", "warning"),
        ("p | Wait.", "warning"),
        ("p | b", None),
    ]


SPEECHES: dict[str, tuple[str, list[tuple[str, dict[str, str]]]]] = {
    "the example of the design": (
        "<div><p><b class='redner'>Frau Ott:</b> Wir beginnen.</p><p>Punkt eins.</p></div><p>Pause.</p>",
        [
            ("p | Wir beginnen.", {"speaker": "Frau Ott"}),
            ("p | Punkt eins.", {"speaker": "Frau Ott"}),
            ("p | Pause.", {}),
        ],
    ),
    "short and full name, up to the next speaker": (
        (
            "<div><p><b class='Turn_SPEAKER-Name'><i class='first-name'>Ada</i> Lund (chair)</b> — Hi.<p>So."
            "<p><span class=orador>Bo.</span>Yes.</div>"
        ),
        [
            ("p | Hi.", {"speaker": "Ada", "speaker_full": "Ada Lund (chair)"}),
            ("p | So.", {"speaker": "Ada", "speaker_full": "Ada Lund (chair)"}),
            ("p | Yes.", {"speaker": "Bo"}),
        ],
    ),
    "a name in the middle of a paragraph reaches to its end": (
        "<div><p>Then <b class=speaker>Ann:</b> no.<p>End.</div>",
        [("p | Then", {}), ("p | no.", {"speaker": "Ann"}), ("p | End.", {})],
    ),
    "an empty name is ignored": ("<p><b class=speaker> </b>Hi.", [("p | Hi.", {})]),
    "a time inside or beside": (
        (
            "<div><b class=speaker>Ann <time>10:01</time></b> a</div>"
            "<div><b class=speaker>Bo</b> (<time>10:02</time>) b</div>"
            "<div><time>10:03</time> <b class=speaker>Cy</b> c</div>"
        ),
        [
            ("p | a", {"speaker": "Ann", "time": "10:01"}),
            ("p | () b", {"speaker": "Bo", "time": "10:02"}),
            ("p | c", {"speaker": "Cy", "time": "10:03"}),
        ],
    ),
    "one author is a byline": ("<p>By <b itemprop=author>Ann</b><p>a", [("p | By Ann", {}), ("p | a", {})]),
    "two authors are speakers": (
        "<div><p><b itemprop='author x'>Ann</b>: a</div><div><p><b itemprop=author>Bo</b>: b</div>",
        [("p | a", {"speaker": "Ann"}), ("p | b", {"speaker": "Bo"})],
    ),
    "a block that holds only the name, a heading for one": (
        "<section><div><h3><span class=speaker>Ann</span></h3></div><p>a<p>b</section>",
        [("p | a", {"speaker": "Ann"}), ("p | b", {"speaker": "Ann"})],
    ),
    "speeches in lists": (
        (
            "<ul><li><b class=speaker>Ann:</b> a<li><b class=speaker>Bo:</b> b</ul>"
            "<dl><dt class=speaker>Cy<dd>c<dt class=speaker>Di<dd>d</dl>"
        ),
        [
            ("p | a", {"speaker": "Ann"}),
            ("p | b", {"speaker": "Bo"}),
            ("p | c", {"speaker": "Cy"}),
            ("p | d", {"speaker": "Di"}),
        ],
    ),
    "a name that nobody speaks after stays text": (
        "<div>How to fire <b class=speaker>Ann Lee</b></div><p>a",
        [("p | How to fire", {}), ("p | Ann Lee", {}), ("p | a", {})],
    ),
    "a name in a data table stays text": (
        "<table><tr><th>Talk<th>By<tr><td>Clay<td class=speaker>Ann</table>",
        [
            (
                "table | Talk | By\nClay | Ann",
                {"caption": "", "header": ["Talk", "By"], "rows": [["Clay", "Ann"]]},  # type: ignore[dict-item]  # a table's
            )
        ],
    ),
}


@pytest.mark.parametrize("name", SPEECHES)
def test_speakers(name: str) -> None:
    source, expected = SPEECHES[name]

    assert [(line(block), dict(block.meta)) for block in parsed(source, "html").blocks] == expected


@pytest.mark.parametrize(
    ("source", "title", "language", "expected"),
    [
        ("<html lang=' en-GB '><title> A &amp;\n B</title><p>a", "A & B", "en-GB", ["h1 | A & B", "p | a"]),
        ("<title>A</title><h1>Own</h1>", "A", None, ["h1 | Own"]),
        ("<title>A</title><h2>Two</h2>", "A", None, ["h1 | A", "h2 | Two"]),
        ("<svg><title>no</title></svg><p>a", None, None, ["p | a"]),
        ("<title>A</title>", "A", None, ["h1 | A"]),
    ],
)
def test_title_and_language(source: str, title: str | None, language: str | None, expected: list[str]) -> None:
    document = parsed(source, "html")

    assert (document.title, document.language) == (title, language)
    assert [line(block) for block in document.blocks] == expected


XHTML = '<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="de"><body>{}</body></html>'


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<div class='hidden'/><p>a&nbsp;&hearts;&lt;<script/></p>", ["p | a ♥<"]),
        ("<table><tr><td>a</td><td>b</td></tr></table><pre>\n x</pre>", ["table | a | b", "code |  x"]),
        # Not well formed: as HTML, where the `div` takes in what follows.
        ("<div class='hidden'/><p>a<p>b", []),
        ("<p>&nosuch;</p>", ["p | &nosuch;"]),
        ("<div>" * 300 + "a" + "</div>" * 300, ["p | a"]),
    ],
)
def test_xhtml_is_read_as_xml_and_else_as_html(body: str, expected: list[str]) -> None:
    assert lines(XHTML.format(body), "html") == expected


def test_xhtml_is_told_by_its_extension_too() -> None:
    page = "<html><body><div hidden=''/><p>a</p></body></html>"

    def read_as(filename: str) -> list[str]:
        source = Source(data=page.encode(), format="html", filename=filename)
        return [line(block) for block in read_blocks(source).blocks]

    assert read_as("page.XHTML") == ["p | a"]
    assert read_as("page.html") == []
    assert parsed(XHTML.format("a"), "html").language == "de"


@pytest.mark.parametrize(
    ("data", "charset", "encoding", "text"),
    [
        ("<meta charset=latin1><p>café “q”".encode("cp1252"), None, "windows-1252", "café “q”"),
        ("<meta charset=koi8-r><p>ток".encode("koi8-r"), None, "koi8-r", "ток"),
        (
            "<META http-equiv=Content-Type content='text/html; charset=windows-1251'><p>ток".encode("cp1251"),
            None,
            "windows-1251",
            "ток",
        ),
        ("<?xml version='1.0' encoding='iso-8859-2'?><html><p>žluť".encode("iso8859-2"), None, "iso8859-2", "žluť"),
        ("<meta charset=koi8-r><p>é".encode(), None, "utf-8", "é"),
        ("<meta charset=koi8-r><p>é".encode("cp1252"), "latin1", "windows-1252", "é"),
        (b"<!-- <meta charset=koi8-r> --><p>\xe9", None, "windows-1252", "é"),
        (b"<meta charset=utf-16><p>a", None, "utf-8", "a"),
        (b"<meta charset=nosuch><p>\xe9", None, "windows-1252", "é"),
        (codecs.BOM_UTF8 + b"<meta charset=koi8-r><p>\xc3\xa9", None, "utf-8", "é"),
        ("<p>é".encode("utf-16"), None, "utf-16-le", "é"),
        (b" " * 1024 + b"<meta charset=koi8-r><p>\xe9", None, "windows-1252", "é"),
    ],
)
def test_the_declared_encoding(data: bytes, charset: str | None, encoding: str, text: str) -> None:
    document = parsed(data, "html", charset)

    assert document.encoding == encoding
    assert [line(block) for block in document.blocks] == [f"p | {text}"]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("<!DOCTYPE html><p>a", "html"),
        ("\n<!-- x --> <HTML lang=en>", "html"),
        ("<?xml version='1.0'?>\n<!DOCTYPE html PUBLIC 'x'><html>", "html"),
        ("a <html> b", "text"),
        ("# htm\n<html>", "markdown"),
    ],
)
def test_a_page_is_known_by_its_opening(head: str, expected: str) -> None:
    assert resolve_format(declared=None, filename=None, media_type=None, head=head.encode()) == expected


@pytest.mark.parametrize("media_type", ["text/html; charset=utf-8", "application/xhtml+xml"])
def test_media_types(media_type: str) -> None:
    assert resolve_format(declared=None, filename=None, media_type=media_type, head=b"x") == "html"


def test_a_custom_element_is_no_html() -> None:
    assert not looks_like_html(b"", "<html-ish>")


def test_a_fragment_has_no_furniture() -> None:
    source = "<header>a</header><nav>b</nav><aside>c</aside><form>d</form><footer>e</footer><p hidden>x"

    assert [line(block) for block in fragment_blocks(source)] == ["p | a", "p | b", "p | c", "p | d", "p | e"]


@pytest.mark.parametrize("source", ["", "x", "<table><tr><td>1<td>2</table>", "</p></div>", "<li>a"])
def test_a_fragment_may_hold_anything(source: str) -> None:
    assert all(block.text.strip() for block in fragment_blocks(source))


# Bad input


@pytest.mark.parametrize("data", [b"", b" \n", codecs.BOM_UTF8, b"<html></html>", b"<", b"<!--", b"<script>", b"<!"])
def test_nothing_to_read(data: bytes) -> None:
    expected = ["p | <"] if data == b"<" else []

    assert lines(data, "html") == expected


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n....", bytes(range(256))])
def test_binary_is_refused(data: bytes) -> None:
    with pytest.raises(UnknownFormat):
        parsed(data, "html")


@pytest.mark.parametrize(
    "source", ["<div>" * 200_000, "<div>" * 30_000 + "</div>" * 30_000, "<b>" * 20_001, "<ul><li>" * 20_001]
)
def test_elements_nested_without_end_are_refused(source: str) -> None:
    with pytest.raises(TooDeep, match="20,000"):
        parsed(source, "html")


@pytest.mark.parametrize("tag", ["p", "li", "dt", "dd", "td", "tr", "option", "br", "img", "col"])
def test_elements_that_need_no_end_tag_are_not_counted(tag: str) -> None:
    assert parsed(f"<{tag}>" * 20_001 + "<p>a", "html").blocks[-1].text.endswith("a")


def test_elements_of_a_drawing_close_themselves() -> None:
    assert lines("<svg>" + "<path/>" * 20_001 + "</svg><p>a", "html") == ["p | a"]


def test_elements_in_comments_and_scripts_are_not_counted() -> None:
    flood = "<div>" * 20_001

    assert lines(f"<!-- {flood} --><script>{flood}</script><textarea>{flood}</textarea><p>a", "html") == ["p | a"]


def test_deep_elements_lose_their_edges_but_not_their_words() -> None:
    document = parsed("<div>a " * 5_000 + "<h2>b</h2>" + "</div>" * 5_000 + "c", "html")

    words = " ".join(block.text for block in document.blocks).split()
    assert words == ["a"] * 5_000 + ["b", "c"]
    assert [block.type for block in document.blocks[-2:]] == [BlockType.HEADING, BlockType.PARAGRAPH]
    assert document.warnings == ("3000 elements nested deeper than 2,000 were read as if they stood one above.",)


def test_attributes_without_end_are_cut_with_a_warning() -> None:
    attributes = " ".join(f"a{number}='>'" for number in range(20_000))

    document = parsed(f"<p {attributes}>a</p>", "html")

    assert [line(block) for block in document.blocks] == ["p | a"]
    assert document.warnings == ("1 tags lost their attributes beyond the first 500.",)


def test_spans_that_would_make_a_table_huge_are_ignored_with_a_warning() -> None:
    cell = f"<td colspan=100 rowspan=100>{'word ' * 1_000}</td><td>x</td>"

    document = parsed("<table>" + f"<tr>{cell}</tr>" * 10 + "</table>", "html")

    assert len(document.blocks[0].text) < 100_000
    assert len(document.warnings) == 1


@pytest.mark.parametrize(
    "unit",
    [
        *("[", "*a ", '"', "<", "|", "&", "&amp", "<a ", '<a b="', "<a b='\"", "<!--", "<!", "</", "<p>", "<br>", "\n"),
        *("<b><i></b></i>", "<script>", "<noscript>", "<li>x", "<dt>x", "<tr><td>x", "<table>x", "</p>", "&#0;"),
        *("<sup><a href=#n>1</a></sup>", "<i class=speaker>A</i> x ", "<h2>x</h2>", "<p hidden>x", "x<br><br>"),
    ],
)
def test_floods_are_read(unit: str) -> None:
    parsed(unit * (100_000 // len(unit)), "html")


@pytest.mark.parametrize(
    "source",
    [
        "<iframe src='file:///etc/passwd'></iframe><img src='http://10.0.0.1/x.png'><p>a",
        "<object data='file:///etc/passwd'></object><link rel=stylesheet href='http://10.0.0.1/'><p>a",
        "<!DOCTYPE html [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><p>a",
        '<?xml version="1.0"?><!DOCTYPE html SYSTEM "file:///etc/passwd"><html><body><p>a</p></body></html>',
    ],
)
def test_nothing_outside_the_page_is_read(source: str) -> None:
    assert lines(source, "html") == ["p | a"]


def test_entities_of_a_document_are_not_expanded() -> None:
    bomb = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 9))
    source = f'<?xml version="1.0"?><!DOCTYPE html [<!ENTITY e0 "x">{bomb}]><html><body><p>&e8;</p></body></html>'

    assert lines(source, "html") == ["p | &e8;"]


# Properties

WORDS = st.text(st.sampled_from("abé水"), min_size=1, max_size=6)
SENTENCE = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)
WRAPPERS = st.sampled_from(
    [
        *(
            "<p>{}</p>",
            "<div>{}</div>",
            "<section><p>{}</p></section>",
            "<ul><li>{}</li></ul>",
            "<blockquote>{}</blockquote>",
        ),
        *("<pre>{}</pre>", "<table><tr><td>{}</td><td>x</td></tr></table>", "<details><summary>{}</summary></details>"),
        *("<b>{}</b><br><br>", "<article><header>{}</header></article>", "<dl><dt>t<dd>{}</dl>", "{}<hr>"),
    ]
)


@given(st.lists(st.tuples(WRAPPERS, SENTENCE), max_size=8))
def test_every_word_comes_out_once_and_in_order(parts: list[tuple[str, str]]) -> None:
    source = "\n".join(wrapper.format(sentence) for wrapper, sentence in parts)
    words = " ".join(sentence for _, sentence in parts).split()

    texts = " ".join(block.text for block in parsed(source, "html").blocks)

    assert [word for word in texts.split() if word not in {"-", "|", "t:", "x"}] == words


@given(
    st.lists(
        st.sampled_from(
            [
                *"<>/='\"&;#! \n",
                *("a", "é", "1", "<p>", "</p>", "<div>", "</div>", "<ul>", "<li>", "</ul>", "<table>", "<tr>", "<td>"),
                *(
                    "<th colspan=3>",
                    "</table>",
                    "<dl>",
                    "<dt>",
                    "<dd>",
                    "<blockquote>",
                    "<h2>",
                    "</h2>",
                    "<pre>",
                    "</pre>",
                ),
                *(
                    "<sup>",
                    "</sup>",
                    "<a href='#n'>",
                    "</a>",
                    "<p id=n>",
                    "<b class=speaker>",
                    "</b>",
                    "<time>",
                    "<main>",
                ),
                *("<figure>", "<figcaption>", "<math>", "<svg>", "<select>", "<template>", "<noscript>", "<!--", "-->"),
                *("<caption>", "<br>", "<form>", "<div class='admonition note'>", "<script>", "<b>", "<i>", "<title>"),
            ]
        ),
        max_size=40,
    )
)
def test_every_input_is_read_alike_twice(parts: list[str]) -> None:
    source = "".join(parts)

    document = parsed(source, "html")

    assert document == parsed(source, "html")
    assert all(block.text.strip() for block in document.blocks)
    assert all(block.text.strip() for block in fragment_blocks(source))
