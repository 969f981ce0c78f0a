"""Places of the formats that are packages: see `places`."""

from collections.abc import Sequence

from tests.unit.readers.docx_files import abstract, docx, item, level, num, p, r, tbl, tc, tr
from tests.unit.readers.package_files import epub, odt, pptx
from tests.unit.readers.places import Grammar

NUMBERING = abstract(0, level(0, "bullet", "•"), level(1, "decimal", "%2.")) + num(1, 0)


def word_document(pieces: Sequence[str], ends: Sequence[str]) -> bytes:
    footnotes = "".join(ends)
    return docx("".join(pieces), numbering=NUMBERING, footnotes=footnotes)


def field(instruction: str, result: str) -> str:
    parts = (
        '<w:fldChar w:fldCharType="begin"/>',
        f"<w:instrText>{instruction}</w:instrText>",
        '<w:fldChar w:fldCharType="separate"/>',
        f"<w:t>{result}</w:t>",
        '<w:fldChar w:fldCharType="end"/>',
    )
    return "".join(f"<w:r>{part}</w:r>" for part in parts)


DOCX = Grammar(
    "docx",
    top=(
        p("%w ", r("%w", "<w:b/>"), style="Rubrik1"),
        p("%w", style="Rubrik2"),
        p("%w", style="Titel"),
        p("%w", '<w:r><w:footnoteReference w:id="%i"/></w:r>', " %w")
        + "%|"
        + f'<w:footnote w:id="%i">{p("%n")}{p("%n")}</w:footnote>',
        p("%w", style="Text") + tbl(tr("%w", "%w"), tr("%w", "%w")),
        p(
            '<w:r><w:fldChar w:fldCharType="begin"/><w:instrText>TOC \\o</w:instrText>'
            '<w:fldChar w:fldCharType="separate"/><w:t>%x</w:t><w:fldChar w:fldCharType="end"/></w:r>'
        ),
    ),
    inner=(
        p("%w ", r("%w", "<w:i/>"), "<w:r><w:tab/></w:r>", "%w", "<w:r><w:br/></w:r>", "%w"),
        item("%w", 1) + item("%w", 1, 1) + item("%w", 1),
        p("%w", style="Kod") + p(style="Kod") + p("%w", style="Kod"),
        tbl(
            tr("%w", "%w"),
            tr(tc("%s", '<w:vMerge w:val="restart"/>'), "%w"),
            tr(tc("", "<w:vMerge/>"), "%w"),
            tr(tc("%s", '<w:gridSpan w:val="2"/>')),
        ),
        tbl(tr(tc(item("%w", 1) + item("%w", 1)), tc(tbl(tr("%w", "%w"), tr("%w", "%w"))))),
        tbl(tr("%w"), tr(tc(p("%w") + tbl(tr("%w", "%w"))))),
        p(
            "%w ",
            '<w:hyperlink w:anchor="%x"><w:r><w:t>%w</w:t></w:r></w:hyperlink>',
        ),
        p(
            "%w ",
            field("HYPERLINK %x", "%w"),
            " ",
            '<w:fldSimple w:instr="REF %x"><w:r><w:t>%w</w:t></w:r></w:fldSimple>',
        ),
        p(
            "%w ",
            "<w:ins>" + r("%w") + "</w:ins>",
            "<w:del><w:r><w:delText>%x</w:delText></w:r></w:del>",
            "<w:moveFrom>" + r("%x") + "</w:moveFrom>",
            "<w:moveTo>" + r(" %w") + "</w:moveTo>",
        ),
        p("%w ", r("%x", "<w:vanish/>"), "%w"),
        p("%w", '<w:r><w:drawing><wp:inline><wp:docPr name="%x" descr="%w"/></wp:inline></w:drawing></w:r>', "%w"),
        p(
            "%w",
            "<w:r><w:drawing><wps:txbx><w:txbxContent>" + p("%w") + "</w:txbxContent></wps:txbx></w:drawing></w:r>",
        ),
        p(
            "<w:r><mc:AlternateContent><mc:Choice><w:t>%w</w:t></mc:Choice><mc:Fallback><w:t>%x</w:t></mc:Fallback>"
            "</mc:AlternateContent></w:r>",
            " %w",
        ),
        "<w:sdt><w:sdtPr><w:alias w:val='%x'/></w:sdtPr><w:sdtContent>" + p("%w") + "</w:sdtContent></w:sdt>",
        p(
            "%w ",
            "<w:r><w:ruby><w:rt><w:r><w:t>%x</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>%w</w:t></w:r></w:rubyBase>"
            "</w:ruby></w:r>",
            " %w",
        ),
        p(
            "%w ",
            "<m:oMath><m:f><m:num><m:r><m:t>%w</m:t></m:r></m:num><m:den><m:r><m:t>%w</m:t></m:r></m:den></m:f>"
            "</m:oMath>",
            " %w",
        ),
        p("%w ", "<w:commentRangeStart w:id='1'/>", "%w", "<w:bookmarkStart w:name='%x'/>"),
    ),
    wrappers=(
        lambda text: f"<w:sdt><w:sdtContent>{text}</w:sdtContent></w:sdt>",
        lambda text: tbl(tr(tc(text + p("%w")))),
        lambda text: f"<w:ins>{text}</w:ins>",
    ),
    join=word_document,
)


def text_document(pieces: Sequence[str], ends: Sequence[str]) -> bytes:
    return odt("".join([*pieces, *ends]))


ODT = Grammar(
    "odt",
    top=('<text:h text:outline-level="1">%w %w</text:h>', '<text:h text:outline-level="2">%w</text:h>'),
    inner=(
        "<text:p>%w <text:span>%w</text:span><text:line-break/>%w<text:tab/>%w</text:p>",
        (
            "<text:list><text:list-item><text:p>%w</text:p><text:list><text:list-item><text:p>%w</text:p></text:list-item>"
            "</text:list></text:list-item><text:list-item><text:p>%w</text:p></text:list-item></text:list>"
        ),
        (
            "<table:table><table:table-row><table:table-cell><text:p>%w</text:p></table:table-cell><table:table-cell>"
            "<text:p>%w</text:p></table:table-cell></table:table-row></table:table>"
        ),
        (
            '<text:p>%w<text:note text:note-class="footnote"><text:note-citation>%x</text:note-citation>'
            "<text:note-body><text:p>%w</text:p></text:note-body></text:note> %w</text:p>"
        ),
        '<text:p>%w <text:a xlink:href="https://e.org/%x">%w</text:a></text:p>',
    ),
    join=text_document,
    wrappers=(lambda text: f"<text:section>{text}</text:section>",),
    examples=10,
)


def book(pieces: Sequence[str], ends: Sequence[str]) -> bytes:
    return epub("".join([*pieces, *ends]))


EPUB = Grammar(
    "epub",
    top=("<h1>%w</h1>", "<h2>%w <em>%w</em></h2>"),
    inner=(
        "<p>%w <b>%w</b> <i>%w</i><br/>%w</p>",
        "<ul><li>%w<ol><li>%w</li></ol></li><li>%w</li></ul>",
        "<dl><dt>%w</dt><dd>%w</dd></dl>",
        "<pre>%w\n%w</pre>",
        "<table><tr><th>%w</th><th>%w</th></tr><tr><td>%w</td><td>%w</td></tr></table>",
        "<blockquote><p>%w</p></blockquote>",
        "<p><img src='%x.png' alt='%w'/> %w</p>",
        "<p>%w <a href='https://e.org/%x'>%w</a></p>",
        "<p>%w<!-- %x --></p><script>%x</script><style>%x</style>",
    ),
    join=book,
    wrappers=(
        lambda text: f"<div>{text}</div>",
        lambda text: f"<blockquote>{text}</blockquote>",
        lambda text: f"<ul><li><p>%w</p>{text}</li></ul>",
        lambda text: f"<dl><dt>%w</dt><dd>{text}</dd></dl>",
    ),
    examples=10,
)


def slide(kind: str, *texts: str) -> str:
    holder = f'<p:nvPr><p:ph type="{kind}"/></p:nvPr>' if kind else "<p:nvPr/>"
    paragraphs = "".join(f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>" for text in texts)
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="2" name="%x"/><p:cNvSpPr/>{holder}</p:nvSpPr>'
        f"<p:txBody>{paragraphs}</p:txBody></p:sp>"
    )


def slides(pieces: Sequence[str], ends: Sequence[str]) -> bytes:
    return pptx(*pieces, *ends)


PPTX = Grammar(
    "pptx",
    top=(
        slide("title", "%w %w") + slide("", "%w", "%w"),
        slide("title", "%w") + slide("body", "%w") + slide("", "%w"),
        slide("", "%w"),
        slide("title", "%w")
        + "<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id='3' name='%x'/></p:nvGraphicFramePr><a:graphic>"
        "<a:graphicData uri='http://schemas.openxmlformats.org/drawingml/2006/table'><a:tbl><a:tblGrid><a:gridCol/><a:gridCol/>"
        "</a:tblGrid><a:tr><a:tc><a:txBody><a:p><a:r><a:t>%w</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p>"
        "<a:r><a:t>%w</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>",
    ),
    join=slides,
    examples=10,
)

GRAMMARS = (DOCX, ODT, EPUB, PPTX)
