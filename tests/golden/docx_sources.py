"""Writes the golden DOCX files: `python -m tests.golden.docx_sources`.

A DOCX file can't be read line by line in a review, so this is what its expected blocks are read against.
"""

import re
import struct
import zipfile
import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import docx
from docx.document import Document
from docx.oxml import parse_xml
from docx.shared import Inches

from tests.unit.readers.docx_files import abstract, item, level, num, p, r, tbl, tc, tr
from tests.unit.readers.docx_files import docx as written

HERE = Path(__file__).parent / "sources" / "docx"
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
STYLES = "".join(
    f'<w:style w:type="paragraph" w:styleId="{identifier}"><w:name w:val="{name}"/>{more}</w:style>'
    for identifier, name, more in (
        ("Rubrik", "Title", ""),
        (
            "Rubrik1",
            "heading 1",
            '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr><w:outlineLvl w:val="0"/></w:pPr>',
        ),
        (
            "Rubrik2",
            "heading 2",
            '<w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr><w:outlineLvl w:val="1"/></w:pPr>',
        ),
        ("Bilaga", "Annex", '<w:basedOn w:val="Rubrik1"/><w:pPr><w:numPr><w:numId w:val="9"/></w:numPr></w:pPr>'),
        ("Kod", "HTML Preformatted", ""),
        ("Beskrivning", "caption", ""),
    )
)
NUMBERING = (
    abstract(0, level(0, "decimal", "%1"), level(1, "decimal", "%1.%2"))
    + abstract(1, level(0, "lowerLetter", "%1)"), level(1, "lowerRoman", "(%2)"))
    + abstract(2, level(0, "bullet", "\uf0b7"))
    + abstract(3, level(0, "upperLetter", "Annex %1:"))
    + num(1, 0)
    + num(2, 1)
    + num(3, 1, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>')
    + num(4, 2)
    + num(9, 3)
)


def manual() -> bytes:
    """A manual as Word users write it with the built-in styles; no Title, so the core title stands in front."""
    document: Document = docx.Document()
    properties = document.core_properties
    properties.title, properties.language = "Kiln manual", "en-GB"
    document.add_heading("Safety", 2)
    document.add_paragraph("The walls stay hot for six\thours.\nNever open the lid.")
    document.add_heading("Loading", 2)
    document.add_paragraph("unpack the shelves", style="List Bullet")
    document.add_paragraph("", style="List Bullet")
    document.add_paragraph("check the cones", style="List Bullet")
    document.add_paragraph("cone 6", style="List Bullet 2")
    document.add_paragraph("First from below.", style="List Number")
    document.add_paragraph("Then the middle.", style="List Number")
    document.add_paragraph("")
    document.add_paragraph("Last the top.", style="List Number")
    document.add_paragraph("Programs", style="Caption")
    table = document.add_table(rows=4, cols=3, style="Table Grid")
    for row, cells in enumerate(
        (("Program", "Ramp", ""), ("", "slow", "fast"), ("6", "2 h", "1 h"), ("10", "3 h", ""))
    ):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text
    table.cell(0, 0).merge(table.cell(1, 0))
    table.cell(0, 1).merge(table.cell(0, 2))
    table.cell(3, 1).merge(table.cell(3, 2))
    for row in (0, 1):
        table.rows[row]._tr.get_or_add_trPr().append(parse_xml(f"<w:tblHeader {W}/>"))
    picture = document.add_paragraph()
    picture.add_run().add_picture(BytesIO(_pixel()), width=Inches(1))
    picture._p.xpath(".//wp:docPr")[0].set("descr", "The kiln with its lid open")
    document.add_paragraph("Figure 1: The kiln", style="Caption")
    frame = document.add_table(rows=1, cols=1)
    frame.cell(0, 0).text = "Ask before you open it."
    document.add_paragraph("A kiln does not forgive.", style="Intense Quote")
    return _saved(document)


def contract() -> bytes:
    """A contract with tracked changes, numbered clauses, notes, fields and hidden text."""

    def note(kind: str, identifier: int) -> str:
        return f'<w:r><w:{kind}Reference w:id="{identifier}"/></w:r>'

    def field(instruction: str, result: str) -> str:
        return (
            '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
            f'<w:r><w:instrText xml:space="preserve"> {instruction} </w:instrText></w:r>'
            '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
            f'{r(result)}<w:r><w:fldChar w:fldCharType="end"/></w:r>'
        )

    contents = (
        '<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr>'
        f"<w:sdtContent>{p('Contents')}{p(field('TOC', '1 Scope 2'))}</w:sdtContent></w:sdt>"
    )
    body = (
        p("Lease of a kiln", style="Rubrik")
        + contents
        + p("Scope", style="Rubrik1")
        + p("The lessor lends the ", "<w:del><w:r><w:delText>old </w:delText></w:r></w:del>").replace(
            "<w:p>", "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>"
        )
        + p(
            f"<w:ins>{r('small ')}</w:ins>",
            "kiln",
            note("footnote", 2),
            " (see section ",
            field("REF _R1", "2.1"),
            ").",
        )
        + p("Duties", style="Rubrik1")
        + p("Of the lessee", style="Rubrik2")
        + item("pay on time", 2)
        + item("in cash", 2, 1)
        + item("by transfer", 2, 1)
        + item("keep it dry", 2)
        + p("Between the two lists.")
        + item("goes on counting", 2)
        + item("starts again", 3)
        + p("Of the lessor", style="Rubrik2")
        + p("Mend it", note("endnote", 1), ".", r(" Not at night.", "<w:vanish/>"))
        + p("", style="Rubrik1")
        + p("Law", style="Rubrik1")
        + p("Swedish law", "<w:r><w:noBreakHyphen/></w:r>", "where it applies", note("footnote", 3), ".")
        + p("Prices", style="Bilaga")
        + tbl(
            tr("Month", "Price"),
            tr("May", "10 €"),
            tr("June", "11 €", props="<w:del/>"),
            tr("July", tc(item("12 €", 4) + item("13 € at night", 4))),
            props='<w:tblLook w:firstRow="1"/>',
        )
        + p()
        + p("Prices by month", style="Beskrivning")
        + p("Forms", style="Bilaga")
    )
    footnotes = (
        f'<w:footnote w:type="separator" w:id="0">{p("<w:r><w:separator/></w:r>")}</w:footnote>'
        f'<w:footnote w:id="2">{p("<w:r><w:footnoteRef/></w:r>", " Serial number 7.")}</w:footnote>'
        f'<w:footnote w:id="3">{p(" Most of it.")}{p("Not the sea.")}</w:footnote>'
    )
    endnotes = f'<w:endnote w:id="1">{p(" Within a week.")}</w:endnote>'
    return written(body, styles=STYLES, numbering=NUMBERING, footnotes=footnotes, endnotes=endnotes)


def leaflet() -> bytes:
    """A leaflet with text boxes, code, ruby, equations, a layout table and nested tables."""
    box = (
        '<w:r><mc:AlternateContent><mc:Choice><w:drawing><wp:anchor><wp:docPr id="3" name="Box"/><wps:txbx>'
        f"<w:txbxContent>{p('Did you know?')}{p('Clay remembers.')}</w:txbxContent></wps:txbx></wp:anchor></w:drawing>"
        f"</mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox><w:txbxContent>{p('Did you know?')}</w:txbxContent>"
        "</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )
    ruby = (
        "<w:r><w:ruby><w:rt><w:r><w:t>かま</w:t></w:r></w:rt>"
        "<w:rubyBase><w:r><w:t>窯</w:t></w:r></w:rubyBase></w:ruby></w:r>"
    )
    equation = "<m:oMath><m:r><m:t>E=mc</m:t></m:r></m:oMath>"
    inner = tbl(tr("cone 6", "1,220 °C"), tr("cone 10", "1,290 °C"))
    body = (
        p("Clay and fire", props='<w:outlineLvl w:val="0"/>')
        + p("A ", ruby, " is a kiln.", box, " It bakes clay: ", equation, ".")
        + p("kiln --program 6", style="Kod")
        + p()
        + p("<w:r><w:tab/></w:r>", "--ramp 100  # slow", style="Kod")
        + tbl(
            tr(tc(p("Left column", props='<w:outlineLvl w:val="1"/>') + p("Dry the pots."))),
            tr(tc(tbl(tr("Day", "Task"), tr("1", "dry"), props='<w:tblLook w:val="04A0"/>') + p())),
        )
        + p("Heats", style="Beskrivning")
        + tbl(
            tr(tc(inner + p()), tc(p("see") + p("below"))),
            tr("x", tc(p('<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>'))),
            props='<w:tblLook w:firstRow="0"/>',
        )
        + p(
            "See ",
            f"<w:hyperlink>{r('our page')}</w:hyperlink>",
            " \u00ad",
            '<w:r><w:drawing><wp:inline><wp:docPr id="1" descr="A glazed bowl"/></wp:inline></w:drawing></w:r>',
        )
        + '<w:altChunk xmlns:x="x" x:id="rId9"/>'
    )
    return written(body, styles=STYLES)


def _pixel() -> bytes:
    """Return a PNG image of one grey pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0\x80")) + chunk(b"IEND", b"")
    )


def _saved(document: Document) -> bytes:
    buffer = BytesIO()
    document.save(buffer)
    return _undated(buffer.getvalue())


def _undated(data: bytes) -> bytes:
    """Write the archive anew without times, so that it is the same every time."""
    buffer = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as source, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            inside = source.read(name)
            if name == "docProps/core.xml":
                inside = re.sub(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", b"2026-01-01T00:00:00Z", inside)
            target.writestr(zipfile.ZipInfo(name), inside, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


SOURCES: dict[str, Callable[[], bytes]] = {
    "kiln-manual.docx": manual,
    "lease-contract.docx": contract,
    "clay-leaflet.docx": leaflet,
}


if __name__ == "__main__":
    for name, write in SOURCES.items():
        HERE.mkdir(parents=True, exist_ok=True)
        (HERE / name).write_bytes(write())
