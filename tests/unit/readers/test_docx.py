from pathlib import Path

import docx as python_docx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.documents.block import Block, BlockType, ParsedDocument
from app.readers.docx_numbering import formatted
from tests.unit.readers.docx_files import (
    STYLES,
    abstract,
    docx,
    item,
    level,
    members_of,
    num,
    p,
    part,
    r,
    relationships,
    tbl,
    tc,
    tr,
    zipped,
)
from tests.unit.readers.reading import line, parsed

NUMBERING = "".join(
    (
        abstract(0, level(0, "decimal", "%1."), level(1, "lowerLetter", "%1.%2)"), level(2, "lowerRoman", "(%3)")),
        abstract(1, level(0, "bullet", "\uf0b7"), level(1, "bullet", "o")),
        abstract(2, level(0, "decimal", "%1"), level(1, "decimal", "%1.%2"), level(2, "upperLetter", "Annex %3:")),
        num(1, 0),
        num(2, 1),
        num(3, 2),
        num(4, 0),
        num(5, 0, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'),
        num(6, 99),
    )
)


def read(
    body: str,
    *,
    styles: str = STYLES,
    numbering: str = NUMBERING,
    footnotes: str = "",
    endnotes: str = "",
    core: str = "",
) -> ParsedDocument:
    return parsed(
        docx(body, styles=styles, numbering=numbering, footnotes=footnotes, endnotes=endnotes, core=core), "docx"
    )


def lines(
    body: str, *, styles: str = STYLES, numbering: str = NUMBERING, footnotes: str = "", endnotes: str = ""
) -> list[str]:
    document = read(body, styles=styles, numbering=numbering, footnotes=footnotes, endnotes=endnotes)
    return [line(block) for block in document.blocks]


def table(body: str) -> Block:
    [block] = read(body).blocks
    assert block.type is BlockType.TABLE
    return block


# Paragraphs


def test_a_title_is_heading_1_and_moves_the_others_down() -> None:
    body = p("Kiln", style="Titel") + p("Firing", style="Rubrik1") + p("Cones", style="Rubrik2") + p("Text.")

    assert lines(body) == ["h1 | Kiln", "h2 | Firing", "h3 | Cones", "p | Text."]


def test_an_empty_title_moves_nothing() -> None:
    assert lines(p(" ", style="Titel") + p("Firing", style="Rubrik1")) == ["h1 | Firing"]


def test_styles_are_known_by_name_whatever_their_identifier() -> None:
    assert lines(p("A", style="Rubrik2") + p("B", style="Rubrik8") + p("C", style="Heading1")) == [
        "h2 | A",
        "h6 | B",
        "h1 | C",  # not defined: the identifier is all there is
    ]


def test_an_outline_level_makes_a_heading_and_9_makes_none() -> None:
    styles = STYLES + (
        '<w:style w:type="paragraph" w:styleId="a"><w:name w:val="Chapter"/><w:basedOn w:val="Rubrik2"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="b"><w:name w:val="Body"/><w:basedOn w:val="a"/>'
        '<w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>'
    )
    body = (
        p("own", props='<w:outlineLvl w:val="3"/>')
        + p("inherited", style="a")
        + p("switched off", style="b")
        + p("own off", style="a", props='<w:outlineLvl w:val="9"/>')
        + p("deep", props='<w:outlineLvl w:val="8"/>')
    )

    assert lines(body, styles=styles) == [
        "h4 | own",
        "h2 | inherited",
        "p | switched off",
        "p | own off",
        "h6 | deep",
    ]


@pytest.mark.parametrize(("steps", "kind"), [(20, "h1"), (21, "p")])
def test_styles_are_followed_over_20_steps(steps: int, kind: str) -> None:
    chain = "".join(
        f'<w:style w:type="paragraph" w:styleId="s{number}"><w:basedOn w:val="s{number + 1}"/></w:style>'
        for number in range(steps)
    )
    last = f'<w:style w:type="paragraph" w:styleId="s{steps}"><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>'

    assert lines(p("x", style="s0"), styles=chain + last) == [f"{kind} | x"]


def test_styles_in_a_circle_end() -> None:
    styles = (
        '<w:style w:type="paragraph" w:styleId="a"><w:basedOn w:val="b"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="b"><w:basedOn w:val="a"/></w:style>'
    )

    assert lines(p("x", style="a"), styles=styles) == ["p | x"]


def test_the_default_style_holds_where_none_is_named() -> None:
    styles = (
        '<w:style w:type="paragraph" w:default="1" w:styleId="n"><w:name w:val="Normal"/>'
        "<w:rPr><w:vanish/></w:rPr></w:style>"
    )

    assert lines(p("hidden", r("shown", '<w:vanish w:val="0"/>')), styles=styles) == ["p | shown"]


def test_code_joins_its_neighbours_over_empty_paragraphs() -> None:
    tab, break_ = "<w:r><w:tab/></w:r>", "<w:r><w:br/></w:r>"
    body = p("def a():", style="Kod") + p() + p(tab, "return  1", break_, "# end", style="Kod") + p("Text.")

    assert lines(body) == ["code | def a():\n\n\treturn  1\n# end", "p | Text."]


def test_empty_paragraphs_at_the_end_of_code_go() -> None:
    body = p(style="Kod") + p("a", style="Kod") + p() + p() + p("Text.") + p("b", style="Kod")

    assert lines(body) == ["code | a", "p | Text.", "code | b"]


def test_tabs_and_breaks_are_spaces_in_prose() -> None:
    assert lines(p("one", "<w:r><w:tab/></w:r>", "two", "<w:r><w:br/></w:r>", "three  four\u00a0five")) == [
        "p | one two three four five"
    ]


# Lists


def test_markers_come_from_the_templates_and_nesting_from_the_level() -> None:
    body = item("red", 1) + item("dark", 1, 1) + item("very", 1, 2) + item("light", 1, 1) + item("blue", 1)

    assert lines(body) == ["list | 1. red\n  1.a) dark\n    (i) very\n  1.b) light\n2. blue"]


def test_bullets_of_any_font_are_hyphens() -> None:
    assert lines(item("red", 2) + item("dark", 2, 1)) == ["list | - red\n  - dark"]


def test_a_bullet_in_a_template_is_a_hyphen_too() -> None:
    numbering = abstract(0, level(0, "none", "•")) + num(1, 0)

    assert lines(item("red", 1), numbering=numbering) == ["list | - red"]


def test_lists_of_one_abstract_numbering_go_on_counting_unless_restarted() -> None:
    body = item("a", 1) + p("Between.") + item("b", 4) + p("Between.") + item("c", 5) + item("d", 5)

    assert lines(body) == ["list | 1. a", "p | Between.", "list | 2. b", "p | Between.", "list | 1. c\n2. d"]


def test_a_restart_begins_a_list() -> None:
    assert lines(item("a", 1) + item("b", 1) + item("c", 5)) == ["list | 1. a\n2. b", "list | 1. c"]


def test_another_numbering_is_another_list_and_empty_paragraphs_part_none() -> None:
    assert lines(item("a", 2) + p() + item("b", 2) + item("c", 1)) == ["list | - a\n- b", "list | 1. c"]


def test_word_s_own_list_styles_say_how_deep_they_are_set() -> None:
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="{number}"><w:name w:val="List Bullet{name}"/>'
        f'<w:pPr><w:numPr><w:numId w:val="{number}"/></w:numPr></w:pPr></w:style>'
        for number, name in ((1, ""), (2, " 2"))
    )
    numbering = abstract(0, level(0, "bullet", "•")) + abstract(1, level(0, "bullet", "•")) + num(1, 0) + num(2, 1)
    body = p("a", style="1") + p("b", style="2") + p("c", style="1")

    assert lines(body, styles=styles, numbering=numbering) == ["list | - a\n  - b\n- c"]


def test_an_empty_item_counts_but_has_no_line() -> None:
    assert lines(item("a", 1) + item("", 1) + item("c", 1)) == ["list | 1. a\n3. c"]


def test_numbering_that_is_off_or_undefined_makes_no_list() -> None:
    assert lines(item("off", 0) + item("unknown", 77) + item("of nothing", 6)) == [
        "p | off",
        "p | unknown",
        "p | of nothing",
    ]


def test_numbering_is_inherited_and_levels_are_linked_to_styles() -> None:
    styles = STYLES + (
        '<w:style w:type="paragraph" w:styleId="l"><w:name w:val="List Number 2"/>'
        '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="m"><w:name w:val="Mine"/><w:basedOn w:val="l"/></w:style>'
    )
    numbering = abstract(0, level(0, "decimal", "%1."), level(1, "decimal", "%2)", '<w:pStyle w:val="l"/>')) + num(1, 0)
    body = p("linked", style="l") + p("inherited", style="m") + item("off", 0, style="l")

    assert lines(body, styles=styles, numbering=numbering) == ["list | 1) linked\n2) inherited", "p | off"]


def test_a_numbering_may_be_kept_in_a_style() -> None:
    styles = (
        '<w:style w:type="numbering" w:styleId="legal"><w:name w:val="Legal"/>'
        '<w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr></w:style>'
    )
    numbering = (
        '<w:abstractNum w:abstractNumId="0"><w:numStyleLink w:val="legal"/></w:abstractNum>'
        + abstract(1, level(0, "upperRoman", "%1."))
        + num(1, 0)
        + num(2, 1)
    )

    assert lines(item("a", 1) + item("b", 1), styles=styles, numbering=numbering) == ["list | I. a\nII. b"]


def test_overrides_of_a_level_and_its_start_are_respected() -> None:
    override = (
        '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/>' + level(0, "decimalZero", "§ %1") + "</w:lvlOverride>"
    )
    numbering = abstract(0, level(0, "decimal", "%1.")) + num(1, 0, override)

    assert lines(item("a", 1) + item("b", 1), numbering=numbering) == ["list | § 05 a\n§ 06 b"]


@pytest.mark.parametrize(
    ("count", "kind", "shown"),
    [
        (7, "decimal", "7"),
        (7, "decimalZero", "07"),
        (12, "decimalZero", "12"),
        (1, "lowerLetter", "a"),
        (28, "upperLetter", "BB"),
        (781, "lowerLetter", "781"),
        (4, "lowerRoman", "iv"),
        (1999, "upperRoman", "MCMXCIX"),
        (4000, "upperRoman", "4000"),
        (0, "lowerRoman", "0"),
        (3, "chicago", "3"),
        (3, "none", ""),
    ],
)
def test_counts_are_shown_as_their_kind_says(count: int, kind: str, shown: str) -> None:
    assert formatted(count, kind) == shown


# Headings with numbers


def test_the_number_of_a_heading_is_part_of_it() -> None:
    body = (
        item("Introduction", 3, style="Rubrik1")
        + item("Methods", 3, style="Rubrik1")
        + item("Scope", 3, 1, style="Rubrik2")
        + item("", 3, 1, style="Rubrik2")
        + item("Limits", 3, 1, style="Rubrik2")
        + item("Tables", 3, 2, style="Rubrik2")
        + item("Results", 3, style="Rubrik1")
        + item("Yield", 3, 1, style="Rubrik2")
    )
    document = read(body)

    assert [line(block) for block in document.blocks] == [
        "h1 | 1 Introduction",
        "h1 | 2 Methods",
        "h2 | 2.1 Scope",
        "h2 | 2.3 Limits",
        "h2 | Annex A: Tables",
        "h1 | 3 Results",
        "h2 | 3.1 Yield",
    ]
    assert [block.meta.get("number") for block in document.blocks] == ["1", "2", "2.1", "2.3", "Annex A", "3", "3.1"]


def test_a_heading_shows_no_bullet() -> None:
    document = read(item("Introduction", 2, style="Rubrik1"))

    assert document.blocks == (Block(type=BlockType.HEADING, text="Introduction", level=1),)


# What stands in a paragraph


def test_fields_show_their_result_and_not_their_instruction() -> None:
    field = (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> REF a </w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
        + r("section 3")
        + '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )
    silent = (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> XE "kiln" </w:instrText></w:r>'
        + r("kiln")
        + '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )
    simple = '<w:fldSimple w:instr=" DATE ">' + r("1 May") + "</w:fldSimple>"

    assert lines(p("See ", field, silent, ", ", simple, ".")) == ["p | See section 3, 1 May."]


def test_a_field_that_never_ends_hides_nothing() -> None:
    begin = '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>TOC</w:instrText></w:r>'

    assert lines(p(begin, "one") + p("two")) == ["p | one", "p | two"]


def test_tables_of_contents_are_dropped_as_fields_and_as_content_controls() -> None:
    nested = (
        '<w:r><w:fldChar w:fldCharType="begin"/><w:instrText>PAGEREF x</w:instrText>'
        '<w:fldChar w:fldCharType="separate"/><w:t>4</w:t><w:fldChar w:fldCharType="end"/></w:r>'
    )
    field = (
        p(
            '<w:r><w:fldChar w:fldCharType="begin"/><w:instrText> TOC \\o "1-3" </w:instrText>'
            '<w:fldChar w:fldCharType="separate"/></w:r>',
            "Scope ",
            nested,
        )
        + p("Limits ", nested)
        + p('<w:r><w:fldChar w:fldCharType="end"/></w:r>', "After.")
    )
    control = (
        '<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr>'
        f"<w:sdtContent>{p('Contents', style='Rubrik1')}{p('Scope 4')}</w:sdtContent></w:sdt>"
    )
    simple = p('<w:fldSimple w:instr="TOC">' + r("Scope 4") + "</w:fldSimple>")

    assert lines(control + field + simple + p("End.")) == ["p | After.", "p | End."]


def test_other_content_controls_are_opened() -> None:
    inline = f"<w:sdt><w:sdtPr/><w:sdtContent>{r('Ada')}</w:sdtContent></w:sdt>"

    assert lines(f"<w:sdt><w:sdtContent>{p('By ', inline, '.')}</w:sdtContent></w:sdt>") == ["p | By Ada."]


def test_revisions_read_as_accepted() -> None:
    body = p(
        "The ",
        f"<w:ins>{r('new ')}</w:ins>",
        "<w:del><w:r><w:delText>old </w:delText></w:r></w:del>",
        f"<w:moveFrom>{r('gone ')}</w:moveFrom>",
        f"<w:moveTo>{r('moved ')}</w:moveTo>",
        "kiln.",
    )

    assert lines(body) == ["p | The new moved kiln."]


def test_a_paragraph_whose_end_was_deleted_goes_on_in_the_next() -> None:
    deleted = "<w:rPr><w:del/></w:rPr>"
    body = (
        p("One ", props=deleted)
        + p("sentence.")
        + item("<w:del><w:r><w:delText>x</w:delText></w:r></w:del>", 1, 0).replace("</w:pPr>", f"{deleted}</w:pPr>")
        + item("first", 1)
        + p("last", props=deleted)
    )

    assert lines(body) == ["p | One sentence.", "list | 1. first", "p | last"]


def test_hidden_text_is_dropped_by_its_run_its_style_and_its_paragraph() -> None:
    styles = STYLES + (
        '<w:style w:type="character" w:styleId="h"><w:name w:val="Secret"/><w:rPr><w:vanish/></w:rPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="ph"><w:name w:val="Gone"/><w:rPr><w:vanish/></w:rPr></w:style>'
    )
    body = p(
        "a",
        r("b", "<w:vanish/>"),
        r("c", '<w:vanish w:val="false"/>'),
        r("d", '<w:rStyle w:val="h"/>'),
        r("e", '<w:rStyle w:val="h"/><w:vanish w:val="0"/>'),
        r("f", "<w:webHidden/>"),
    ) + p("g", r("h", '<w:vanish w:val="0"/>'), style="ph")

    assert lines(body, styles=styles) == ["p | acef", "p | h"]


def test_text_boxes_follow_their_paragraph_and_of_alternatives_the_first_is_read() -> None:
    box = f"<wps:txbx><w:txbxContent>{p('In the box.')}{item('a', 2)}</w:txbxContent></wps:txbx>"
    shape = (
        f"<w:r><mc:AlternateContent><mc:Choice><w:drawing>{box}</w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape>"
        f"<v:textbox><w:txbxContent>{p('Again.')}</w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback>"
        "</mc:AlternateContent></w:r>"
    )

    assert lines(p("Before ", shape, "and after.") + p("Next.")) == [
        "p | Before and after.",
        "p | In the box.",
        "list | - a",
        "p | Next.",
    ]


def test_old_text_boxes_are_read_too() -> None:
    box = f"<v:textbox><w:txbxContent>{p('Box.')}</w:txbxContent></v:textbox>"

    assert lines(p(f"<w:r><w:pict><v:shape>{box}</v:shape></w:pict></w:r>")) == ["p | Box."]


def test_pictures_read_as_their_description() -> None:
    drawing = '<w:r><w:drawing><wp:inline><wp:docPr id="1" name="Picture 1" descr="{}"/></wp:inline></w:drawing></w:r>'
    old = '<w:r><w:pict><v:shape alt="A valve"/></w:pict></w:r>'

    assert lines(p("See", drawing.format("A kiln,\n open"), "here.") + p(drawing.format("")) + p(old)) == [
        "p | See [image: A kiln, open] here.",
        "p | [image: A valve]",
    ]


def test_symbols_ruby_equations_and_hyphens() -> None:
    body = p(
        '<w:r><w:sym w:font="Arial" w:char="03A9"/></w:r>',
        '<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>',
        "<w:r><w:ruby><w:rt><w:r><w:t>かん</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢</w:t></w:r></w:rubyBase></w:ruby></w:r>",
        " ",
        "<m:oMath><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath>",
        " ",
        "<w:r><w:t>co</w:t><w:noBreakHyphen/><w:t>op er</w:t><w:softHyphen/><w:t>ate</w:t></w:r>",
    )

    assert lines(body) == ["p | Ω漢 x^2 co-op erate"]


@pytest.mark.parametrize("char", ["", "zz", "0", "D800", "110000", "F" * 5000])
def test_a_symbol_without_a_character_is_nothing(char: str) -> None:
    assert lines(p("a", f'<w:r><w:sym w:char="{char}"/></w:r>', "b")) == ["p | ab"]


def test_links_keep_their_text_and_lose_their_address() -> None:
    link = f'<w:hyperlink xmlns:x="r" x:id="rId1">{r("the manual")}</w:hyperlink>'

    assert lines(p("See ", link, ".")) == ["p | See the manual."]


def mark(kind: str, identifier: int, more: str = "") -> str:
    return f'<w:r><w:{kind}Reference w:id="{identifier}"{more}/></w:r>'


def note(kind: str, identifier: int, text: str, more: str = "") -> str:
    return f'<w:{kind} w:id="{identifier}"{more}>{p(f"<w:r><w:{kind}Ref/></w:r>", text)}</w:{kind}>'


def test_notes_share_one_count_in_reading_order_and_end_the_document() -> None:
    body = p("One", mark("endnote", 7), " two", mark("footnote", 3), ".") + p("Three", mark("footnote", 2), ".")
    footnotes = (
        note("footnote", 0, "", ' w:type="separator"')
        + note("footnote", 2, "third")
        + f'<w:footnote w:id="3">{p("second")}{p("goes on")}</w:footnote>'
        + note("footnote", 4, "never marked")
    )

    assert lines(body, footnotes=footnotes, endnotes=note("endnote", 7, "first")) == [
        "p | One[1] two[2].",
        "p | Three[3].",
        "p | [1] first",
        "p | [2] second goes on",
        "p | [3] third",
    ]


def test_a_mark_of_its_own_is_the_label_and_a_missing_note_has_no_mark() -> None:
    own = '<w:r><w:footnoteReference w:customMarkFollows="1" w:id="2"/><w:t>*</w:t></w:r>'
    body = p("One", own, " two", mark("footnote", 9), " three", mark("footnote", 3))

    assert lines(body, footnotes=note("footnote", 2, "starred") + note("footnote", 3, "counted")) == [
        "p | One[*] two three[1]",
        "p | [*] starred",
        "p | [1] counted",
    ]


def test_a_note_may_mark_another() -> None:
    footnotes = f'<w:footnote w:id="1">{p("see", mark("endnote", 1))}</w:footnote>'

    assert lines(p("a", mark("footnote", 1)), footnotes=footnotes, endnotes=note("endnote", 1, "there")) == [
        "p | a[1]",
        "p | [1] see[2]",
        "p | [2] there",
    ]


# Tables


def test_a_table_with_merged_cells_and_a_marked_header() -> None:
    merged = '<w:vMerge w:val="restart"/>'
    body = p("Shop", style="Text") + tbl(
        tr(tc("Year", merged), tc("Sales", '<w:gridSpan w:val="2"/>'), props="<w:tblHeader/>"),
        tr(tc("", "<w:vMerge/>"), "web", "store", props="<w:tblHeader/>"),
        tr("2024", "11", "7"),
        tr("", " ", ""),
    )
    block = table(body)

    assert block.text == "Table: Shop\nYear | Sales web | Sales store\n2024 | 11 | 7"
    assert block.meta == {
        "caption": "Shop",
        "header": ["Year", "Sales web", "Sales store"],
        "rows": [["2024", "11", "7"]],
    }


def test_without_a_marked_header_the_first_row_is_one_unless_the_look_says_no() -> None:
    rows = tr("a", "b") + tr("1", "2")

    assert table(tbl(rows)).meta["header"] == ["a", "b"]
    assert table(tbl(rows, props='<w:tblLook w:val="04A0"/>')).meta["header"] == ["a", "b"]
    for look in ('w:firstRow="0"', 'w:val="0480"'):
        block = table(tbl(rows, props=f"<w:tblLook {look}/>"))
        assert block.meta == {"caption": "", "header": [], "rows": [["a", "b"], ["1", "2"]]}


def test_a_marked_header_holds_whatever_the_look_says() -> None:
    body = tbl(tr("a", "b", props="<w:tblHeader/>"), tr("1", "2"), props='<w:tblLook w:firstRow="0"/>')

    assert table(body).meta["header"] == ["a", "b"]


def test_cells_span_rows_and_columns_and_rows_may_start_late() -> None:
    body = tbl(
        tr("a", "b", "c", props="<w:tblHeader/>"),
        tr(tc("x", '<w:vMerge w:val="restart"/>'), "1", "2"),
        tr(tc("ignored", "<w:vMerge/>"), tc("3", '<w:gridSpan w:val="2"/>')),
        tr("4", props='<w:gridBefore w:val="2"/>'),
    )

    assert table(body).meta["rows"] == [["x", "1", "2"], ["x", "3", "3"], ["", "", "4"]]


def test_spans_are_cut_at_100() -> None:
    wide = table(tbl(tr(tc("a", '<w:gridSpan w:val="4000000"/>'), "b")))
    assert wide.meta["header"] == ["a"] * 100 + ["b"]

    tall = table(
        tbl(
            tr("h", "i"), *(tr(tc("a", "<w:vMerge/>" if n else '<w:vMerge w:val="restart"/>'), "b") for n in range(120))
        )
    )
    assert [row[0] for row in tall.meta["rows"]] == ["a"] * 100 + [""] * 20  # type: ignore[index, union-attr]  # rows of strings


def test_deleted_and_hidden_rows_are_dropped() -> None:
    body = tbl(tr("a", "b"), tr("1", "2", props="<w:del/>"), tr("3", "4", props="<w:hidden/>"), tr("5", "6"))

    assert table(body).meta["rows"] == [["5", "6"]]


def test_lists_paragraphs_and_tables_in_a_cell_read_on_one_line() -> None:
    inner = tbl(tr("a", "b"), tr("c", "d"))
    cell = tc(p("Use", style="Rubrik1") + p("  two\u00a0 parts ") + item("one", 1) + item("two", 1) + p("end"))

    assert table(tbl(tr("h", "i"), f"<w:tr>{cell}{tc(inner + p())}</w:tr>")).meta["rows"] == [
        ["Use two parts one; two end", "a, b; c, d"]
    ]


def test_one_column_tables_are_unwrapped() -> None:
    inner = tbl(tr("a", "b"), tr("1", "2"))
    body = tbl(
        tr(tc(p("Scope", style="Rubrik1") + p("Text."))), tr(tc(inner + p())), tr(tc("last", '<w:gridSpan w:val="2"/>'))
    )

    assert lines(body) == ["h1 | Scope", "p | Text.", "table | a | b\n1 | 2", "p | last"]


def test_a_table_without_text_is_dropped() -> None:
    assert lines(tbl(tr("", ""), tr(" ", ""))) == []


def test_a_text_box_in_a_cell_is_read_there() -> None:
    box = f"<w:r><w:drawing><wps:txbx><w:txbxContent>{p('boxed')}</w:txbxContent></wps:txbx></w:drawing></w:r>"

    assert table(tbl(tr("a", "b"), tr(tc(p("1", box)), "2"))).meta["rows"] == [["1 boxed", "2"]]


def test_a_caption_belongs_to_the_table_below_or_else_above() -> None:
    one, two = tbl(tr("a", "b")), tbl(tr("c", "d"))
    caption = p("Cap", style="Text")

    assert lines(caption + p() + one) == ["table | Table: Cap\na | b"]
    assert lines(one + p() + caption) == ["table | Table: Cap\na | b"]
    assert lines(one + caption + two) == ["table | a | b", "table | Table: Cap\nc | d"]
    assert lines(one + p("x") + caption) == ["table | a | b", "p | x", "p | Cap"]


def test_where_captions_stand_below_they_all_do() -> None:
    one, two = tbl(tr("a", "b")), tbl(tr("c", "d"))

    assert lines(one + p("First", style="Text") + two + p("Second", style="Text")) == [
        "table | Table: First\na | b",
        "table | Table: Second\nc | d",
    ]


def test_the_caption_of_a_picture_is_no_table_s() -> None:
    picture = p('<w:r><w:drawing><wp:inline><wp:docPr id="1" name="Picture 1"/></wp:inline></w:drawing></w:r>')

    assert lines(picture + p("Figure 1", style="Text") + tbl(tr("a", "b"))) == ["p | Figure 1", "table | a | b"]


# The document


def test_the_core_title_stands_in_for_a_missing_heading_1() -> None:
    core = "<dc:title> Kiln  manual </dc:title><dc:language>sv-SE</dc:language>"
    document = read(p("Firing", style="Rubrik2"), core=core)

    assert [line(block) for block in document.blocks] == ["h1 | Kiln manual", "h2 | Firing"]
    assert (document.title, document.language) == ("Kiln manual", "sv-SE")
    assert [line(block) for block in read(p("Firing", style="Rubrik1"), core=core).blocks] == ["h1 | Firing"]
    assert read(p("Shown", style="Titel")).title == "Shown"


def test_strict_namespaces_are_read_alike() -> None:
    body = p("Kiln", style="Titel") + tbl(tr(tc("a", '<w:gridSpan w:val="2"/>'), "b"))
    strict = {
        name: str(data)
        .replace(
            "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
            "http://purl.oclc.org/ooxml/wordprocessingml/main",
        )
        .replace("http://schemas.openxmlformats.org/officeDocument/2006/", "http://purl.oclc.org/ooxml/officeDocument/")
        for name, data in members_of(body).items()
    }

    assert parsed(zipped(strict), "docx") == read(body)


def test_parts_are_found_by_relationship() -> None:
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    data = zipped(
        {
            "_rels/.rels": relationships((f"{office}/officeDocument", "/Content/Main.xml")),
            "content\\main.xml": part("w:document", f"<w:body>{p('A', style='x')}</w:body>"),
            "content/_rels/main.xml.rels": relationships((f"{office}/styles", "../looks.xml")),
            "looks.xml": part("w:styles", '<w:style w:styleId="x"><w:name w:val="heading 3"/></w:style>'),
        }
    )

    assert [line(block) for block in parsed(data, "docx").blocks] == ["h3 | A"]


def test_relationships_that_lead_nowhere_or_outside_do_no_harm() -> None:
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    members = members_of(p("x"))
    members["word/_rels/document.xml.rels"] = relationships(
        (f"{office}/styles", "http://198.51.100.1/styles.xml"),
        (f"{office}/image", "NULL"),
        mode=' TargetMode="External"',
    )

    assert [line(block) for block in parsed(zipped(members), "docx").blocks] == ["p | x"]


def test_a_bare_document_part_is_enough() -> None:
    data = zipped({"word/document.xml": part("w:document", f"<w:body>{p('x')}</w:body>")})

    assert [line(block) for block in parsed(data, "docx").blocks] == ["p | x"]


def test_embedded_documents_are_named_and_not_read() -> None:
    document = read('<w:altChunk xmlns:x="r" x:id="rId7"/>' + p("x"))

    assert document.warnings == ("A part that is kept in another format inside the document was not read.",)


def test_an_empty_document_has_no_blocks() -> None:
    assert read("").blocks == ()
    assert read(p() + p(" \u200b")).blocks == ()


def test_python_docx_reads_the_same_words_of_a_document_that_word_would_write() -> None:
    path = Path(__file__).parents[2] / "golden" / "sources" / "docx" / "kiln-manual.docx"
    body = [paragraph.text for paragraph in python_docx.Document(str(path)).paragraphs if paragraph.text.strip()]
    read_text = " ".join(block.text for block in parsed(path.read_bytes(), "docx").blocks)

    assert len(body) > 10
    assert [text for text in body if " ".join(text.split()) not in read_text] == []


_WORDS = st.text("abcdefgh ", min_size=1, max_size=12)
_PARAGRAPHS = st.builds(lambda words, style: p(words, style=style), _WORDS, st.sampled_from(["", "Rubrik1", "Kod"]))
_ITEMS = st.builds(item, _WORDS, st.sampled_from([1, 2]), st.integers(0, 2))
_TABLES = st.lists(st.tuples(_WORDS, _WORDS), min_size=1, max_size=3).map(lambda rows: tbl(*(tr(*row) for row in rows)))


@given(st.lists(st.one_of(_PARAGRAPHS, _ITEMS, _TABLES), max_size=8))
def test_every_word_comes_out_once_and_in_order(parts: list[str]) -> None:
    body = "".join(parts)
    document = read(body, numbering="")  # without markers
    texts = "".join(
        f" {text} "
        for text in body.replace("</w:t>", '<w:t xml:space="preserve">').split('<w:t xml:space="preserve">')[1::2]
    )

    assert " ".join(block.text for block in document.blocks).replace("|", " ").split() == texts.split()
    assert read(body, numbering="") == document
