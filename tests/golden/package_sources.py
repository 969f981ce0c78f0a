"""Writes golden ODT, EPUB and PPTX files: `python -m tests.golden.package_sources`.

A package can't be read line by line in a review, so this is what its expected blocks are read against. (The other
packages in the same folders were written by Pandoc from a few lines of Markdown.)
"""

from pathlib import Path

from tests.unit.readers.package_files import pack

HERE = Path(__file__).parent / "sources"

# ODT, as LibreOffice saves it: changes tracked, styles made from styles, captions with counters

OFFICE = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in (
        ("office", "office"),
        ("style", "style"),
        ("text", "text"),
        ("table", "table"),
        ("draw", "drawing"),
        ("fo", "xsl-fo-compatible"),
        ("svg", "svg-compatible"),
    )
)
OFFICE += ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/" office:version="1.3"'
ODT_STYLES = f"""<office:document-styles {OFFICE}><office:font-face-decls/><office:styles>
<style:style style:name="Standard" style:family="paragraph"/>
<style:style style:name="Title" style:family="paragraph" style:parent-style-name="Standard"/>
<style:style style:name="Caption" style:family="paragraph" style:parent-style-name="Standard"/>
<style:style style:name="Table" style:family="paragraph" style:parent-style-name="Caption"/>
<style:style style:name="Preformatted_20_Text" style:family="paragraph" style:parent-style-name="Standard"/>
<style:style style:name="Quotations" style:family="paragraph" style:parent-style-name="Standard">
<style:paragraph-properties fo:margin-left="1cm" fo:margin-right="1cm"/></style:style>
</office:styles><office:automatic-styles/></office:document-styles>"""
ODT_CONTENT = f"""<office:document-content {OFFICE}><office:automatic-styles>
<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Preformatted_20_Text"/>
<style:style style:name="P2" style:family="paragraph" style:parent-style-name="Title"/>
<style:style style:name="T1" style:family="text"><style:text-properties text:display="none"/></style:style>
<style:style style:name="T2" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>
<text:list-style style:name="L1">
<text:list-level-style-bullet text:level="1" text:bullet-char="•"/>
<text:list-level-style-number text:level="2" style:num-format="a" text:start-value="3"/></text:list-style>
<text:list-style style:name="L2">
<text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/></text:list-style>
</office:automatic-styles><office:body><office:text>
<text:tracked-changes><text:changed-region text:id="c1"><text:deletion><office:change-info>
<dc:creator>Bo</dc:creator></office:change-info><text:p>deleted words</text:p></text:deletion></text:changed-region>
<text:changed-region text:id="c2"><text:insertion><office:change-info><dc:creator>Bo</dc:creator></office:change-info>
</text:insertion></text:changed-region></text:tracked-changes>
<text:p text:style-name="P2">Rules of the <text:span text:style-name="T2">workshop</text:span></text:p>
<text:table-of-content><text:index-body><text:p>Fire ..... 1</text:p></text:index-body></text:table-of-content>
<text:h text:style-name="Heading_20_1" text:outline-level="1">Fire</text:h>
<text:p>Keep <text:change text:change-id="c1"/>it <text:change-start text:change-id="c2"/>very
<text:change-end text:change-id="c2"/>slow<text:note text:note-class="footnote">
<text:note-citation>1</text:note-citation><text:note-body><text:p>Sixty degrees an hour.</text:p></text:note-body>
</text:note>,<text:s text:c="2"/>says
<text:a xlink:href="https://volt.example.org">Ott</text:a><office:annotation><dc:creator>Bo</dc:creator>
<text:p>Who is Ott?</text:p></office:annotation>.<text:span text:style-name="T1"> Not for print.</text:span></text:p>
<text:list text:style-name="L1">
<text:list-item><text:p>load</text:p><text:list>
<text:list-item><text:p>heavy below</text:p></text:list-item>
<text:list-item><text:p>light above</text:p></text:list-item>
</text:list></text:list-item>
<text:list-item><text:p>close</text:p><text:p>and check</text:p></text:list-item></text:list>
<text:list text:style-name="L2"><text:list-item><text:p>light it</text:p></text:list-item></text:list>
<text:p>Between the steps.</text:p>
<text:list text:style-name="L2" text:continue-numbering="true">
<text:list-item><text:p>wait</text:p></text:list-item></text:list>
<text:h text:style-name="Heading_20_2" text:outline-level="2">Programs</text:h>
<text:p text:style-name="Table">Table <text:sequence text:name="Table">1</text:sequence>: Ramps</text:p>
<table:table table:name="T1"><table:table-column table:number-columns-repeated="3"/><table:table-header-rows>
<table:table-row><table:table-cell table:number-rows-spanned="2"><text:p>Program</text:p></table:table-cell>
<table:table-cell table:number-columns-spanned="2"><text:p>Ramp</text:p></table:table-cell>
<table:covered-table-cell/></table:table-row>
<table:table-row><table:covered-table-cell/><table:table-cell><text:p>slow</text:p></table:table-cell>
<table:table-cell><text:p>fast</text:p></table:table-cell></table:table-row></table:table-header-rows>
<table:table-row><table:table-cell><text:p>6</text:p></table:table-cell>
<table:table-cell><text:p>2 h</text:p></table:table-cell>
<table:table-cell table:number-rows-spanned="2"><text:p>1 h</text:p></table:table-cell></table:table-row>
<table:table-row><table:table-cell><text:p>10</text:p></table:table-cell><table:table-cell>
<text:list><text:list-item><text:p>3 h</text:p></text:list-item>
<text:list-item><text:p>4 h</text:p></text:list-item></text:list>
</table:table-cell><table:covered-table-cell/></table:table-row></table:table>
<text:p text:style-name="P1">for cone in cones:</text:p>
<text:p text:style-name="P1"><text:s text:c="4"/>fire(cone)<text:tab/># schön</text:p>
<text:p text:style-name="Preformatted_20_Text"/>
<text:p text:style-name="Preformatted_20_Text">stop()</text:p>
<text:p text:style-name="Quotations">Clay remembers.</text:p>
<text:p>See <draw:frame text:anchor-type="as-char"><draw:image xlink:href="Pictures/1.png"/>
<svg:desc>the kiln with its lid open</svg:desc></draw:frame>.</text:p>
<text:p><draw:frame><draw:text-box><text:p text:style-name="Illustration"><draw:frame>
<draw:image xlink:href="Pictures/2.png"/><svg:title>A rising line</svg:title></draw:frame>Figure <text:sequence
text:name="Illustration">1</text:sequence>: The curve</text:p></draw:text-box></draw:frame></text:p>
<text:section text:name="S1"><text:p>Ende – schöne Öfen.</text:p></text:section>
</office:text></office:body></office:document-content>"""


def rules() -> bytes:
    """A text with a title of its own, which counts more than that in its properties."""
    properties = (
        f"<office:document-meta {OFFICE}><office:meta><dc:title>Untitled 1</dc:title>"
        "<dc:language>de-AT</dc:language></office:meta></office:document-meta>"
    )
    return pack(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": ODT_CONTENT,
            "styles.xml": ODT_STYLES,
            "meta.xml": properties,
        }
    )


# EPUB: two chapters of a book that was printed too

XHTML = '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">'
CHAPTERS = (
    """<section epub:type="chapter"><span epub:type="pagebreak" role="doc-pagebreak" id="p7" aria-label="7"></span>
<h1>1. Fire</h1>
<p>Ada&#160;said: <em>wait</em>.<a epub:type="noteref" href="#n1">1</a> She <span epub:type="pagebreak" id="p8"
title="8">8</span>waited.</p>
<p>See <a href="https://volt.example.org">the site</a> and <a href="b.xhtml">chapter 2</a>.</p>
<blockquote><p>Clay remembers.</p><p>It forgives nothing.</p></blockquote>
<ul><li>load<ol><li>heavy below</li><li>light above</li></ol></li><li>fire</li></ul>
<aside epub:type="footnote" id="n1"><p>And she meant it.</p></aside>
<script>gone()</script></section>""",
    """<section epub:type="chapter"><div epub:type="pagebreak" title="Page 12."></div>
<h1>2. Tables</h1><h2>Ramps</h2>
<table><caption>Programs</caption><thead><tr><th rowspan="2">Program</th><th colspan="2">Ramp</th></tr>
<tr><th>slow</th><th>fast</th></tr></thead><tbody><tr><td rowspan="2">6</td><td>2 h</td><td>1 h</td></tr>
<tr><td colspan="2">not for <b>glaze</b></td></tr></tbody></table>
<pre><code>fire(6)
  # 炉</code></pre>
<figure><img src="kiln.png" alt="The kiln with its lid open"/><figcaption>The kiln</figcaption></figure>
<p><img src="rule.png" alt=""/></p>
<dl><dt>Cone</dt><dd>a heat mark</dd><dt>Soak</dt><dt>Hold</dt><dd>time at the top</dd></dl>
<p>H<sub>2</sub>O at <span style="font-variant:small-caps">Gmunden</span>.<br/>Then <del>old</del> <ins>new</ins>.</p>
<hr/><p>The end.</p></section>""",
)


def book() -> bytes:
    """A book whose page breaks say where the printed pages begin."""
    names = [f"{letter}.xhtml" for letter in "ab"]
    items = "".join(
        f'<item id="{name[0]}" href="{name}" media-type="application/xhtml+xml"/>' for name in [*names, "nav.xhtml"]
    )
    contents = '<nav epub:type="toc"><h1>Contents</h1><ol><li><a href="a.xhtml">1. Fire</a></li></ol></nav>'
    return pack(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
            '<rootfiles><rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/>'
            "</rootfiles></container>",
            "OPS/book.opf": '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata '
            'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Fire and clay</dc:title>'
            f"<dc:creator>Ada Lund</dc:creator><dc:language>en-GB</dc:language></metadata><manifest>{items}</manifest>"
            '<spine><itemref idref="a"/><itemref idref="b"/></spine></package>',
            "OPS/nav.xhtml": f"{XHTML}<head><title>Contents</title></head><body>{contents}</body></html>",
            **{
                f"OPS/{name}": f"{XHTML}<head><title>{name}</title></head><body>{chapter}</body></html>"
                for name, chapter in zip(names, CHAPTERS, strict=True)
            },
        }
    )


# PPTX, as PowerPoint saves it: bullets come from the master, and a layout may take them away

RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
SPACES = (
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    f'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="{RELATIONS}"'
)
FOOTER = (
    '<p:sp><p:nvSpPr><p:cNvPr id="90" name="Footer"/><p:cNvSpPr/><p:nvPr><p:ph type="ftr" idx="11"/></p:nvPr>'
    "</p:nvSpPr><p:txBody><a:bodyPr/><a:p><a:r><a:t>Volt, internal</a:t></a:r></a:p></p:txBody></p:sp>"
    '<p:sp><p:nvSpPr><p:cNvPr id="91" name="Number"/><p:cNvSpPr/><p:nvPr><p:ph type="sldNum" idx="12"/></p:nvPr>'
    '</p:nvSpPr><p:txBody><a:bodyPr/><a:p><a:fld type="slidenum"><a:t>3</a:t></a:fld></a:p></p:txBody></p:sp>'
)


def para(text: str, properties: str = "") -> str:
    runs = "".join(f"<a:r><a:t>{part}</a:t></a:r>" for part in text.split("|"))
    return f"<a:p>{properties}{runs}</a:p>"


def level(number: int, bullet: str = "") -> str:
    return f'<a:pPr lvl="{number}">{bullet}</a:pPr>'


def holder(kind: str, *paragraphs: str, styles: str = "<a:lstStyle/>", more: str = "") -> str:
    """A shape: one that fills a place of the layout, unless its kind is ""."""
    place = f"<p:ph {kind}/>" if kind else ""
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="2" name="Shape 2" {more}/><p:cNvSpPr/><p:nvPr>{place}</p:nvPr></p:nvSpPr>'
        f"<p:spPr/><p:txBody><a:bodyPr/>{styles}{''.join(paragraphs)}</p:txBody></p:sp>"
    )


def picture(words: str) -> str:
    return (
        f'<p:pic><p:nvPicPr><p:cNvPr id="5" name="Picture 4" descr="{words}"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr>'
        '<p:blipFill><a:blip r:embed="r9"/></p:blipFill><p:spPr/></p:pic>'
    )


def frame(inside: str) -> str:
    return (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="6" name="Content 5"/><p:cNvGraphicFramePr/><p:nvPr/>'
        f"</p:nvGraphicFramePr><a:graphic><a:graphicData>{inside}</a:graphicData></a:graphic></p:graphicFrame>"
    )


def cell(text: str, attributes: str = "") -> str:
    return f"<a:tc {attributes}><a:txBody><a:bodyPr/><a:lstStyle/>{para(text)}</a:txBody><a:tcPr/></a:tc>"


def table(*rows: str) -> str:
    return frame(f'<a:tbl><a:tblPr firstRow="1"/>{"".join(f"<a:tr>{row}</a:tr>" for row in rows)}</a:tbl>')


SLIDES = (
    holder('type="ctrTitle"', para("Firing |slowly"))
    + holder('type="subTitle" idx="1"', para("A talk for beginners"), para("Gmunden, März 2026"))
    + FOOTER,
    # The body stands before the title in the tree, as it does when someone has sent the title to the front.
    holder(
        'idx="1"',
        para("steam needs time"),
        para("six hours", level(1)),
        para("not less", level(2)),
        para("so do you", level(1)),
        "<a:p/>",
        para("No bullet here", level(0, "<a:buNone/>")),
        para("load", level(0, '<a:buAutoNum type="alphaLcParenR"/>')),
        para("heavy below", level(1, '<a:buAutoNum type="arabicPeriod" startAt="3"/>')),
        para("light above", level(1, '<a:buAutoNum type="arabicPeriod" startAt="3"/>')),
        para("fire", level(0, '<a:buAutoNum type="alphaLcParenR"/>')),
    )
    + holder('type="title"', para("Why slow?"))
    + FOOTER,
    holder('type="title"', para("Programs"))
    + table(
        cell("Program", 'rowSpan="1"') + cell("Ramp", 'gridSpan="2"') + cell("", 'hMerge="1"'),
        cell("6", 'rowSpan="2"') + cell("2 h") + cell("1 h"),
        cell("", 'vMerge="1"') + cell("3 h") + cell("2 h"),
    )
    + "<p:grpSp><p:nvGrpSpPr><p:cNvPr id='7' name='Group'/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>"
    + holder("", para("In a group"))
    + picture("The kiln with its lid open")
    + picture("C:\\shots\\curve.png")
    + "</p:grpSp>"
    + holder("", para("Nobody sees this"), more='hidden="1"'),
    holder("", para("A slide without a title"), para("with a dash", level(0, '<a:buChar char="–"/>')))
    + frame('<dgm:relIds xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" r:dm="r7" r:lo="r8"/>'),
)
NOTES = {2: (para("Ask who fired before."), para("Wait for answers.")), 4: (para("Skip if late."),)}
DIAGRAM = """<dgm:dataModel xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"
xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><dgm:ptLst><dgm:pt modelId="0" type="doc"/>
<dgm:pt modelId="2"><dgm:t><a:p><a:r><a:t>Cool</a:t></a:r></a:p></dgm:t></dgm:pt>
<dgm:pt modelId="1"><dgm:t><a:p><a:r><a:t>Heat</a:t></a:r></a:p></dgm:t></dgm:pt>
<dgm:pt modelId="3"><dgm:t><a:p><a:r><a:t>with the vent open</a:t></a:r></a:p></dgm:t></dgm:pt>
<dgm:pt modelId="4" type="parTrans"><dgm:t><a:p/></dgm:t></dgm:pt></dgm:ptLst><dgm:cxnLst>
<dgm:cxn modelId="5" srcId="0" destId="1" srcOrd="0"/><dgm:cxn modelId="6" srcId="0" destId="2" srcOrd="1"/>
<dgm:cxn modelId="7" srcId="1" destId="3" srcOrd="0"/><dgm:cxn modelId="8" type="presOf" srcId="1" destId="9"/>
</dgm:cxnLst></dgm:dataModel>"""


def relationships(*targets: tuple[str, str, str]) -> str:
    found = "".join(
        f'<Relationship Id="{name}" Type="{RELATIONS}/{kind}" Target="{target}"/>' for name, kind, target in targets
    )
    return f'<Relationships xmlns="{PACKAGE}/relationships">{found}</Relationships>'


def part(kind: str, shapes: str, more: str = "") -> str:
    return f"<p:{kind} {SPACES}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld>{more}</p:{kind}>"


def slides() -> bytes:
    """A talk with bullets from its master, a layout without them, speaker notes, a diagram, parts out of order."""
    bullets = "".join(f'<a:lvl{number}pPr><a:buChar char="•"/></a:lvl{number}pPr>' for number in range(1, 6))
    styles = f"<p:txStyles><p:titleStyle/><p:bodyStyle>{bullets}</p:bodyStyle><p:otherStyle/></p:txStyles>"
    none = "<a:lstStyle><a:lvl1pPr><a:buNone/></a:lvl1pPr></a:lstStyle>"
    masters = holder('type="title"') + holder('type="body" idx="1"')
    title_layout = holder('type="ctrTitle"') + holder('type="subTitle" idx="1"', styles=none)
    members: dict[str, str | bytes] = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"/>',
        "_rels/.rels": relationships(("r1", "officeDocument", "ppt/presentation.xml")),
        "docProps/core.xml": '<cp:coreProperties xmlns:cp="x" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        "<dc:title>PowerPoint Presentation</dc:title><dc:language>en-US</dc:language></cp:coreProperties>",
        # The parts are numbered in the order in which they were made, not in which they are shown.
        "ppt/presentation.xml": f"<p:presentation {SPACES}><p:sldIdLst>"
        + "".join(f'<p:sldId id="{250 + number}" r:id="s{number}"/>' for number in (1, 2, 3, 4))
        + "</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": relationships(
            *((f"s{number}", "slide", f"slides/slide{5 - number}.xml") for number in (1, 2, 3, 4))
        ),
        "ppt/slideMasters/slideMaster1.xml": part("sldMaster", masters, styles),
        "ppt/slideLayouts/slideLayout1.xml": part("sldLayout", title_layout),
        "ppt/slideLayouts/slideLayout2.xml": part("sldLayout", holder('type="title"') + holder('idx="1"')),
        "ppt/diagrams/data1.xml": DIAGRAM,
    }
    for number in (1, 2):
        members[f"ppt/slideLayouts/_rels/slideLayout{number}.xml.rels"] = relationships(
            ("r1", "slideMaster", "../slideMasters/slideMaster1.xml")
        )
    for number, shapes in enumerate(SLIDES, 1):
        name = f"slide{5 - number}.xml"
        members[f"ppt/slides/{name}"] = part("sld", shapes)
        targets = [
            ("r1", "slideLayout", f"../slideLayouts/slideLayout{1 if number == 1 else 2}.xml"),
            ("r7", "diagramData", "../diagrams/data1.xml"),
        ]
        if number in NOTES:
            targets.append(("r2", "notesSlide", f"../notesSlides/notesSlide{number}.xml"))
            notes = holder('type="sldImg"') + holder('type="body" idx="1"', *NOTES[number])
            members[f"ppt/notesSlides/notesSlide{number}.xml"] = part("notes", notes + FOOTER)
        members[f"ppt/slides/_rels/{name}.rels"] = relationships(*targets)
    return pack(members)


if __name__ == "__main__":
    (HERE / "odt" / "rules.odt").write_bytes(rules())
    (HERE / "epub" / "printed-book.epub").write_bytes(book())
    (HERE / "pptx" / "talk.pptx").write_bytes(slides())
