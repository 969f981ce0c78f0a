"""DOCX files for tests, out of the XML that matters."""

import zipfile
from collections.abc import Mapping
from io import BytesIO

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_CORE = "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties"
_NAMESPACES = " ".join(
    f'xmlns:{prefix}="{address}"'
    for prefix, address in {
        "w": WORD,
        "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
        "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
        "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
        "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
        "v": "urn:schemas-microsoft-com:vml",
        "dc": "http://purl.org/dc/elements/1.1/",
        "cp": "http://schemas.openxmlformats.org/package/2006/metadata/core-properties",
    }.items()
)
#: Style identifiers as a localised Word writes them, so that nothing may rest on them, and their names.
STYLES = "".join(
    f'<w:style w:type="paragraph" w:styleId="{identifier}"><w:name w:val="{name}"/>{more}</w:style>'
    for identifier, name, more in (
        ("Titel", "Title", ""),
        ("Rubrik1", "heading 1", '<w:pPr><w:outlineLvl w:val="0"/></w:pPr>'),
        ("Rubrik2", "heading 2", '<w:pPr><w:outlineLvl w:val="1"/></w:pPr>'),
        ("Rubrik8", "Heading 8", ""),
        ("Kod", "Source Code", ""),
        ("Text", "Caption", ""),
    )
)


def part(root: str, inside: str) -> str:
    """An XML part with all namespaces declared."""
    return f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?><{root} {_NAMESPACES}>{inside}</{root}>'


def p(*runs: str, style: str = "", props: str = "") -> str:
    """A paragraph of runs; what opens with `<` is XML as it is."""
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    properties = f"<w:pPr>{named}{props}</w:pPr>" if named or props else ""
    return f"<w:p>{properties}{''.join(run if run.startswith('<') else r(run) for run in runs)}</w:p>"


def r(text: str, props: str = "") -> str:
    """A run of text."""
    properties = f"<w:rPr>{props}</w:rPr>" if props else ""
    return f'<w:r>{properties}<w:t xml:space="preserve">{text}</w:t></w:r>'


def item(text: str, numbering: int | str, level: int = 0, *, style: str = "") -> str:
    """A numbered paragraph."""
    return p(text, style=style, props=f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{numbering}"/></w:numPr>')


def tc(inside: str, props: str = "") -> str:
    """A cell; plain text becomes a paragraph."""
    return f"<w:tc><w:tcPr>{props}</w:tcPr>{inside if inside.startswith('<') else p(inside)}</w:tc>"


def tr(*cells: str, props: str = "") -> str:
    """A row of cells; what opens with `<w:tc>` is XML as it is."""
    return f"<w:tr><w:trPr>{props}</w:trPr>{''.join(c if c.startswith('<w:tc>') else tc(c) for c in cells)}</w:tr>"


def tbl(*rows: str, props: str = "") -> str:
    """A table of rows."""
    return f"<w:tbl><w:tblPr>{props}</w:tblPr>{''.join(rows)}</w:tbl>"


def level(number: int, kind: str, template: str, more: str = "") -> str:
    """A level of an abstract numbering."""
    return (
        f'<w:lvl w:ilvl="{number}"><w:start w:val="1"/><w:numFmt w:val="{kind}"/>'
        f'<w:lvlText w:val="{template}"/>{more}</w:lvl>'
    )


def abstract(number: int, *levels: str) -> str:
    """An abstract numbering."""
    return f'<w:abstractNum w:abstractNumId="{number}">{"".join(levels)}</w:abstractNum>'


def num(number: int, of: int, more: str = "") -> str:
    """A numbering."""
    return f'<w:num w:numId="{number}"><w:abstractNumId w:val="{of}"/>{more}</w:num>'


def zipped(members: Mapping[str, str | bytes]) -> bytes:
    """A ZIP archive, always the same for the same members."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def members_of(  # one argument for each part
    body: str,
    *,
    styles: str = STYLES,
    numbering: str = "",
    footnotes: str = "",
    endnotes: str = "",
    core: str = "",
) -> dict[str, str | bytes]:
    """The members of a DOCX file."""
    document = "word/document.xml"
    members: dict[str, str | bytes] = {document: part("w:document", f"<w:body>{body}<w:sectPr/></w:body>")}
    for name, inside in (
        ("styles", styles),
        ("numbering", numbering),
        ("footnotes", footnotes),
        ("endnotes", endnotes),
    ):
        if inside:
            members[f"word/{name}.xml"] = part(f"w:{name}", inside)
    members["word/_rels/document.xml.rels"] = relationships(
        *((f"{_OFFICE}/{name}", f"{name}.xml") for name in ("styles", "numbering", "footnotes", "endnotes"))
    )
    members["_rels/.rels"] = relationships((f"{_OFFICE}/officeDocument", document), (_CORE, "docProps/core.xml"))
    if core:
        members["docProps/core.xml"] = part("cp:coreProperties", core)
    return members


def relationships(*targets: tuple[str, str], mode: str = "") -> str:
    """A relationships part."""
    inside = "".join(
        f'<Relationship Id="rId{number}" Type="{kind}" Target="{target}"{mode}/>'
        for number, (kind, target) in enumerate(targets)
    )
    return f'<Relationships xmlns="{_RELATIONSHIPS}">{inside}</Relationships>'


def docx(  # one argument for each part
    body: str,
    *,
    styles: str = STYLES,
    numbering: str = "",
    footnotes: str = "",
    endnotes: str = "",
    core: str = "",
) -> bytes:
    """A DOCX file."""
    return zipped(
        members_of(body, styles=styles, numbering=numbering, footnotes=footnotes, endnotes=endnotes, core=core)
    )
