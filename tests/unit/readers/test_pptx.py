"""Slides in detail; a talk as PowerPoint saves it stands among the golden files."""

import pytest

from app.errors import MalformedDocument, TooDeep
from tests.unit.readers.package_files import pack, pptx, shape
from tests.unit.readers.reading import line, lines, parsed

A = "http://schemas.openxmlformats.org/drawingml/2006/main"
MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"


def body(*paragraphs: str, styles: str = "") -> str:
    return (
        '<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr>'
        f"<p:txBody><a:bodyPr/><a:lstStyle>{styles}</a:lstStyle>{''.join(paragraphs)}</p:txBody></p:sp>"
    )


def item(text: str, level: int = 0, bullet: str = '<a:buChar char="•"/>') -> str:
    return f'<a:p><a:pPr lvl="{level}">{bullet}</a:pPr><a:r><a:t>{text}</a:t></a:r></a:p>'


def numbered(text: str, level: int = 0, kind: str = "arabicPeriod", start: int = 1) -> str:
    return item(text, level, f'<a:buAutoNum type="{kind}" startAt="{start}"/>')


def frame(inside: str) -> str:
    return (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="3" name="x" descr="A chart of it"/></p:nvGraphicFramePr>'
        f"<a:graphic><a:graphicData>{inside}</a:graphicData></a:graphic></p:graphicFrame>"
    )


def cell(text: str, attributes: str = "") -> str:
    return f"<a:tc {attributes}><a:txBody><a:bodyPr/><a:p><a:r><a:t>{text}</a:t></a:r></a:p></a:txBody></a:tc>"


def table(*rows: str) -> str:
    return frame(f'<a:tbl xmlns:a="{A}"><a:tblPr/>{"".join(f"<a:tr>{row}</a:tr>" for row in rows)}</a:tbl>')


def alternatives(first: str, fallback: str) -> str:
    return (
        f'<mc:AlternateContent xmlns:mc="{MC}"><mc:Choice Requires="v">{first}</mc:Choice>'
        f"<mc:Fallback>{fallback}</mc:Fallback></mc:AlternateContent>"
    )


SHAPES = {
    "bullets at their levels": (
        body(item("a"), item("b", 1), item("c", 2), item("d", 1), item("e")),
        ["list | - a\n  - b\n    - c\n  - d\n- e"],
    ),
    "a level that is skipped": (body(item("a"), item("b", 3), item("c")), ["list | - a\n  - b\n- c"]),
    "a first item that is not at the top": (body(item("a", 1), item("b")), ["list | - a\n- b"]),
    "empty paragraphs do not split a list": (body(item("a"), "<a:p/>", item(" "), item("b")), ["list | - a\n- b"]),
    "numbers": (
        body(numbered("a"), numbered("b", 1, "romanUcPeriod"), numbered("c", 1, "romanUcPeriod"), numbered("d")),
        ["list | 1. a\n  I. b\n  II. c\n2. d"],
    ),
    "numbers that start elsewhere, and anew": (
        body(numbered("a", start=5), numbered("b", start=5), item("c"), numbered("d", 0, "alphaLcParenR")),
        ["list | 5. a\n6. b\n- c\na. d"],
    ),
    "the bullets of the shape's own style": (
        body(
            "<a:p><a:r><a:t>a</a:t></a:r></a:p>",
            item("b", 0, "<a:buNone/>"),
            styles='<a:lvl1pPr><a:buChar char="–"/></a:lvl1pPr>',
        ),
        ["list | - a", "p | b"],
    ),
    "runs, breaks and fields": (
        body(
            "<a:p><a:r><a:t>Fire </a:t></a:r><a:r><a:t>slo</a:t></a:r><a:r><a:t>wly</a:t></a:r>"
            "<a:br/><a:fld><a:t>7</a:t></a:fld></a:p>"
        ),
        ["p | Fire slowly 7"],
    ),
    "a table": (
        table(
            cell("a", 'rowSpan="2"') + cell("b", 'gridSpan="2"') + cell("", 'hMerge="1"'),
            cell("", 'vMerge="1"') + cell("c") + cell("d"),
        ),
        ["table | a | b | b\na | c | d"],
    ),
    "a chart by its words": (frame("<x/>"), ["p | [image: A chart of it]"]),
    "of alternatives the first that is a shape": (alternatives(shape("new"), shape("old")), ["p | new"]),
    "of alternatives the last when no other is known": (alternatives("<x/>", shape("old")), ["p | old"]),
    "a title in front of what stands before it": (shape("text") + shape("Fire", "title"), ["h2 | Fire", "p | text"]),
    "what a layout repeats": (
        shape("today", "dt") + shape("firm", "ftr") + shape("7", "sldNum") + shape("x"),
        ["p | x"],
    ),
    "numbers that are none": (
        body(item("a", 0, '<a:buAutoNum startAt="many"/>'))
        + body('<a:p><a:pPr lvl="deep"/><a:r><a:t>b</a:t></a:r></a:p>'),
        ["list | 1. a", "p | b"],
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name: str) -> None:
    slide, expected = SHAPES[name]

    assert lines(pptx(slide), "pptx") == expected


def test_every_block_knows_its_slide_and_no_title_is_made_up() -> None:
    document = parsed(pptx(shape("Fire", "title") + body(item("a")), body(item("b")) + table(cell("a"))), "pptx")

    assert [(line(block), block.meta["slide"]) for block in document.blocks] == [
        ("h2 | Fire", 1),
        ("list | - a", 1),
        ("list | - b", 2),
        ("table | a", 2),
    ]


def test_the_first_slide_of_a_title_layout_gives_the_title() -> None:
    document = parsed(pptx(shape("Fire", "ctrTitle"), shape("Other", "ctrTitle")), "pptx")

    assert document.title == "Fire"
    assert [line(block) for block in document.blocks] == ["h1 | Fire", "h2 | Other"]


def test_a_package_without_a_presentation_is_refused() -> None:
    with pytest.raises(MalformedDocument, match="no presentation in it"):
        parsed(pack({"[Content_Types].xml": "<Types/>"}), "pptx")


@pytest.mark.parametrize(
    ("slide", "error"),
    [
        ("<broken", MalformedDocument),
        ("<a:p>" * 300 + "</a:p>" * 300, TooDeep),
    ],
)
def test_a_slide_that_cannot_be_read_is_named(slide: str, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"ppt/slides/slide1\.xml is"):
        parsed(pptx(slide), "pptx")


def test_a_declaration_of_entities_is_refused() -> None:
    bomb = '<!DOCTYPE p [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><p>&b;</p>'

    with pytest.raises(MalformedDocument, match="DOCTYPE"):
        parsed(pptx("x", more={"ppt/presentation.xml": bomb}), "pptx")


def test_a_diagram_that_runs_in_a_circle_ends() -> None:
    dgm = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
    point = '<dgm:pt modelId="{0}"><dgm:t><a:p><a:r><a:t>{1}</a:t></a:r></a:p></dgm:t></dgm:pt>'
    data = (
        f'<dgm:dataModel xmlns:dgm="{dgm}" xmlns:a="{A}"><dgm:pt modelId="0" type="doc"/>{point.format(1, "heat")}'
        f'{point.format(2, "cool")}<dgm:cxn srcId="0" destId="1"/><dgm:cxn srcId="1" destId="2"/>'
        '<dgm:cxn srcId="2" destId="1"/><dgm:cxn srcId="2" destId="0"/></dgm:dataModel>'
    )
    rels = "http://schemas.openxmlformats.org/package/2006/relationships"
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/diagramData"
    slide = frame(f'<dgm:relIds xmlns:dgm="{dgm}" r:dm="d"/>')

    package = pptx(
        slide,
        more={
            "ppt/diagrams/data1.xml": data,
            "ppt/slides/_rels/slide1.xml.rels": f'<Relationships xmlns="{rels}">'
            f'<Relationship Id="d" Type="{kind}" Target="../diagrams/data1.xml"/></Relationships>',
        },
    )

    assert lines(package, "pptx") == ["list | - heat\n  - cool"]
