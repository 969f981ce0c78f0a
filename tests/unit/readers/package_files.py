"""ODT, EPUB and PPTX files for tests, as small as they can be."""

import io
import zipfile
from collections.abc import Mapping

CONTENT = (
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" '
    'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" '
    'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0">'
    "<office:body><office:text>{}</office:text></office:body></office:document-content>"
)
STYLES = (
    '<office:document-styles xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0">'
    "<office:font-face-decls/><office:styles/><office:automatic-styles/></office:document-styles>"
)
META = (
    '<office:document-meta xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/"><office:meta><dc:title>Kiln &amp; co</dc:title>'
    "<dc:language>de-AT</dc:language></office:meta></office:document-meta>"
)


def pack(members: Mapping[str, str | bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A package with these members; the same ones give the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as package:
        for name, content in members.items():
            package.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_STORED if name == "mimetype" else compression)
    return buffer.getvalue()


def odt(body: str, **more: str | bytes) -> bytes:
    return pack(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": CONTENT.format(body),
            "meta.xml": META,
            "styles.xml": STYLES,
            **more,
        }
    )


def epub(chapter: str) -> bytes:
    return pack(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
            '<rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
            "book.opf": '<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
            "<dc:title>Kiln</dc:title><dc:language>en</dc:language></metadata><manifest>"
            '<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>'
            '<spine><itemref idref="a"/></spine></package>',
            "a.xhtml": f'<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>a</title></head><body>{chapter}</body></html>',
        }
    )


def pptx(*slides: str, more: Mapping[str, str] | None = None) -> bytes:
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    names = [f"slides/slide{number}.xml" for number in range(1, len(slides) + 1)]
    spaces = (
        'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
        f'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="{relation}"'
    )
    return pack(
        {
            "[Content_Types].xml": f'<Types xmlns="{package}/content-types"/>',
            "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
            f'Type="{relation}/officeDocument" Target="ppt/presentation.xml"/></Relationships>',
            "ppt/presentation.xml": f"<p:presentation {spaces}><p:sldIdLst>"
            + "".join(f'<p:sldId id="{255 + number}" r:id="s{number}"/>' for number in range(1, len(names) + 1))
            + '</p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/></p:presentation>',
            "ppt/_rels/presentation.xml.rels": f'<Relationships xmlns="{package}/relationships">'
            + "".join(
                f'<Relationship Id="s{number}" Type="{relation}/slide" Target="{name}"/>'
                for number, name in enumerate(names, 1)
            )
            + "</Relationships>",
            **{
                f"ppt/{name}": f"<p:sld {spaces}><p:cSld><p:spTree>{slide}</p:spTree></p:cSld></p:sld>"
                for name, slide in zip(names, slides, strict=True)
            },
            **(more or {}),
        }
    )


def shape(text: str, kind: str = "") -> str:
    holder = f'<p:nvPr><p:ph type="{kind}"/></p:nvPr>' if kind else "<p:nvPr/>"
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:cNvSpPr/>{holder}</p:nvSpPr>'
        f"<p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"
    )
