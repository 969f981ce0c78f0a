import struct
import zipfile

import pytest

from app.errors import BadInput, MalformedDocument, NeedsBytes, TooLarge, UnknownFormat
from app.readers.registry import resolve_format
from tests.unit.readers.docx_files import docx, p
from tests.unit.readers.package_files import CONTENT, epub, odt, pack, pptx, shape
from tests.unit.readers.reading import line, lines, parsed

TEXTS = {
    "MediaWiki": (
        "mediawiki",
        (
            "== Fire ==\n"
            "'''Heat''' it<ref>cone 5</ref>, see [[Kiln|the kiln]] and "
            "[https://u.org site].<br>Slowly.\n\n# one\n# two\n#* deep\n\n; Cone : heat mark\n\n"
            "{|\n|+ Stock\n! Clay !! kg\n|-\n| rowspan=2 | raku || 4\n|-\n| 5\n|}\n"
            '<syntaxhighlight lang="python">\nx = 1\n</syntaxhighlight>\n{{Infobox|a=b}}\n'
            "<!-- gone -->\n=== Cool ===\nTakes {{convert|6|hours}}.\n"
        ),
        [
            "h2 | Fire",
            "p | Heat it (cone 5), see the kiln and site (https://u.org). Slowly.",
            "list | 1. one\n2. two\n  - deep",
            "list | - Cone: heat mark",
            "table | Table: Stock\nClay | kg\nraku | 4\nraku | 5",
            "code | x = 1",
            "h3 | Cool",
            "p | Takes 6 hours.",
        ],
    ),
    "DocBook": (
        "docbook",
        (
            "<?xml version='1.0'?><!DOCTYPE article [<!ENTITY who "
            "'Ada'>]><article><info><title>Kiln</title></info><section><ti"
            "tle>Fire</title><para>&who; "
            "says&mdash;<emphasis>wait</emphasis><footnote><para>why</para"
            "></footnote>.</para><warning><title>Hot</title><para>Lid.</pa"
            "ra></warning><note><para>Mind.</para></note><programlisting "
            "language='C'>int "
            "x;</programlisting><blockquote><attribution>Bo</attribution><"
            "para>Said.</para></blockquote><figure><title>The "
            "kiln</title><mediaobject><imageobject><imagedata "
            "fileref='file:///etc/passwd'/></imageobject><textobject><phra"
            "se>open</phrase></textobject></mediaobject></figure></section></article>"
        ),
        [
            "h1 | Kiln",
            "h2 | Fire",
            "p | Ada says—wait (why).",
            "p | Warning: Hot",
            "p | Lid.",
            "p | Note: Mind.",
            "code | int x;",
            "quote | Said.",
            "quote | — Bo",
            "p | [image: open]",
            "p | Figure: The kiln",
        ],
    ),
    "Typst": (
        "typst",
        (
            '#import "@preview/x:1.0": y\n#let cone = [cone *5*]\n= Fire\n'
            'Heat to #cone, $q$.#footnote[why] // gone\n#include "/etc/passwd"\n+ one\n+ two\n\n'
            "/ Cone: heat mark\n\n"
            "#figure(table(columns: 2, table.header[Clay][kg], [raku], [4]), caption: [Stock])\n\n"
            '```c\nint x;\n```\n\n== Cool\n#link("https://u.org")[site] #cone\n'
        ),
        [
            "h1 | Fire",
            "p | Heat to cone 5, $q$. (why)",
            "p | [include: /etc/passwd]",
            "list | 1. one\n2. two",
            "list | - Cone: heat mark",
            "table | Table: Stock\nClay | kg\nraku | 4",
            "code | int x;",
            "h2 | Cool",
            "p | site (https://u.org) cone 5",
        ],
    ),
    "man": (
        "man",
        (
            '.TH KILN 1 "2026"\n.SH NAME\nkiln \\- fire a load\n.SH OPTIONS\n.TP\n'
            "\\fB\\-\\-ramp\\fR \\fIN\\fR\nDegrees an hour.\n.so /etc/passwd\n.SS Files\n.EX\n"
            "/etc/kiln\n.EE\n.IP \\(bu 2\none\n"
        ),
        [
            "h1 | KILN",
            "h2 | NAME",
            "p | kiln - fire a load",
            "h2 | OPTIONS",
            "list | - --ramp N: Degrees an hour.",
            "p | [include: /etc/passwd]",
            "h3 | Files",
            "code | /etc/kiln",
            "list | - one",
        ],
    ),
    "a log that is called like a manual page": (
        "man",
        ".hidden file\n\n'quoted' line\n",
        ["p | .hidden file", "p | 'quoted' line"],
    ),
    "RTF": (
        "rtf",
        (
            "{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Arial;}}\\pard\\b Heat\\b0  caf\\'e9 "
            "\\u8364?{\\*\\bkmkstart x}\\par\n\\pard more{\\footnote why}.\\par}"
        ),
        ["p | Heat café €", "p | more (why)."],
    ),
    "RTF cut off": (
        "rtf",
        "{\\rtf1\\ansi\\pard Heat caf\\'e9 {\\b open\\par\nlast",
        ["p | Heat café open", "p | last"],
    ),
}


@pytest.mark.parametrize("name", TEXTS)
def test_texts(name: str) -> None:
    format_name, source, expected = TEXTS[name]

    assert lines(source, format_name) == expected


SECTIONS = {
    "mediawiki": "== A ==\n''fine''\n== B ==\n{| \n| open\n== C ==\n''fine''\n",
    "typst": "#let f(x) = [#x]\n= A\n_fine_\n= B\n#nobody[open]\n= C\n#f[_fine_]\n",
    "man": ".TH X 1\n.SH A\n\\fIfine\\fR\n.SH B\n.TS\nopen\n.SH C\n\\fIfine\\fR\n",
}


@pytest.mark.parametrize("name", SECTIONS)
def test_what_stands_beside_a_refused_section_is_intact(name: str) -> None:
    blocks = [line(block) for block in parsed(SECTIONS[name], name).blocks]

    assert [text for text in blocks if text.startswith("h")][-3:] in (
        ["h1 | A", "h1 | B", "h1 | C"],
        ["h2 | A", "h2 | B", "h2 | C"],
    )
    assert blocks[-1] == "p | fine"
    assert any("open" in text for text in blocks)


@pytest.mark.parametrize("source", ["#let f(n) = f(n)\n#f(1)", "#while true {}"])
def test_a_program_that_never_ends_is_plain_text(source: str) -> None:
    document = parsed(f"= A\nfine\n= B\n{source}\n= C\n_fine_\n", "typst")

    assert [line(block) for block in document.blocks][-2:] == ["h1 | C", "p | fine"]
    [warning] = document.warnings
    assert "it takes too" in warning


@pytest.mark.parametrize(
    "entity",
    [
        "<!ENTITY x SYSTEM 'file:///etc/passwd'>",
        '<!ENTITY % x "y"><!ENTITY x "&lol;">',
        '<!ENTITY x "<para>&x;</para>">',
    ],
)
def test_entities_that_lead_elsewhere_stay_as_they_are_written(entity: str) -> None:
    source = f"<!DOCTYPE article [{entity}]><article><para>a &x; b</para></article>"

    assert lines(source, "docbook") == ["p | a &x; b"]


def test_an_include_of_docbook_is_not_followed() -> None:
    source = (
        '<article xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="/etc/passwd"/><para>a</para></article>'
    )

    assert lines(source, "docbook") == ["p | [include: /etc/passwd]", "p | a"]


def test_broken_docbook_is_plain_text() -> None:
    document = parsed("<article><para>first</para>\n\n<para>open", "docbook")

    assert [line(block) for block in document.blocks] == ["p | first", "p | open"]
    assert len(document.warnings) == 1


def test_docbook_says_its_encoding() -> None:
    source = "<?xml version='1.0' encoding='ISO-8859-2'?><article><para>žluť</para></article>".encode("iso8859-2")

    document = parsed(source, "docbook")

    assert [block.text for block in document.blocks] == ["žluť"]
    assert document.encoding == "iso8859-2"


@pytest.mark.parametrize("name", ["mediawiki", "typst"])
def test_what_is_wrong_is_said_without_lines_that_are_not_the_sources(name: str) -> None:
    source = {"mediawiki": "== A ==\n{|\nopen\n", "typst": "= A\n#nobody[open]\n"}[name]

    [warning] = parsed(source, name).warnings

    assert warning.startswith("Line")
    assert "(line" not in warning


def test_typst_refers_to_a_section_by_its_title_whichever_part_it_stands_in() -> None:
    source = (
        '#set text(lang: "de")\n= One <one>\nSee @two, @one, @three and @nowhere.\n= Broken\n#nobody[x]\n'
        "= Two <two>\n- a\n= Three <three>\nSee @one.\n"
    )

    document = parsed(source, "typst")

    assert document.language == "de"
    assert [line(block) for block in document.blocks][1::5] == ["p | See Two, One, Three and [nowhere].", "h1 | Three"]
    assert line(document.blocks[-1]) == "p | See One."


# Packages

ODT_STYLES = (
    '<style:style style:name="Top" style:parent-style-name="Title"/>'
    '<style:style style:name="Code" style:parent-style-name="Preformatted_20_Text"/>'
    '<style:style style:name="Gone"><style:text-properties text:display="none"/></style:style>'
)
CELL = (
    "<table:table><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row>"
    "</table:table>"
)


def test_odt() -> None:
    body = (
        '<text:h text:outline-level="2">Fire</text:h><text:p>Heat<text:note text:note-class="footnote"><text:note-body>'
        '<text:p>why</text:p></text:note-body></text:note>, see <text:a xlink:href="https://u.org">site</text:a>.</text:p>'
        "<table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b"
        "</text:p></table:table-cell></table:table-row></table:table>"
    )

    document = parsed(odt(body), "odt")

    assert (document.title, document.language) == ("Kiln & co", "de-AT")
    assert [line(block) for block in document.blocks] == [
        "h1 | Kiln & co",
        "h2 | Fire",
        "p | Heat (why), see site.",
        "table | a | b",
    ]


def test_odt_by_what_its_styles_and_frames_say() -> None:
    automatic = f"<office:automatic-styles>{ODT_STYLES}</office:automatic-styles><office:body>"
    styles = CONTENT.replace("<office:body>", automatic)
    body = (
        '<text:p text:style-name="Top">The <text:span>title</text:span></text:p>'
        '<text:h text:outline-level="1">Fire</text:h>'
        '<text:p>See<text:span text:style-name="Gone"> not</text:span> '
        "<draw:frame><draw:image/><svg:title>the lid</svg:title></draw:frame>!</text:p>"
        '<text:p text:style-name="Code">if x:</text:p>'
        '<text:p text:style-name="Code"><text:s text:c="2"/>y<text:line-break/>z</text:p>'
        f'<text:p>a</text:p><text:p text:style-name="Table">First</text:p>{CELL}'
        f'<text:p>b</text:p>{CELL}<text:p text:style-name="Table">Second</text:p>'
        '<text:p text:style-name="Table">Loose</text:p>'
    )

    document = parsed(odt(body, **{"content.xml": styles.format(body)}), "odt")

    assert document.title == "The title"
    assert [line(block) for block in document.blocks] == [
        "h1 | The title",
        "h2 | Fire",
        "p | See [image: the lid]!",
        "code | if x:\n  y\nz",
        "p | a",
        "table | Table: First\nx",
        "p | b",
        "table | Table: Second\nx",
        "p | Loose",
    ]


def test_pages_of_an_epub() -> None:
    chapter = (
        '<p>a</p><div epub:type="pagebreak" title="7"/><p>b <span role="doc-pagebreak" aria-label="Page 8."/>c</p>'
        '<table><tr><td>d</td></tr></table><p><span epub:type="pagebreak">9</span>e</p>'
        '<span epub:type="pagebreak" title="iv"/>'
        "<ul><li>f</li></ul>"
    )

    document = parsed(epub(chapter), "epub")

    assert [(line(block), block.meta.get("page")) for block in document.blocks] == [
        ("h1 | Kiln", None),
        ("p | a", None),
        ("p | b c", 7),
        ("table | d", 8),
        ("p | e", 9),
        ("list | - f", 9),
    ]


def test_epub() -> None:
    document = parsed(epub('<h1>Fire</h1><p>Heat <a href="https://u.org">it</a>.</p><script>gone()</script>'), "epub")

    assert (document.title, document.language) == ("Kiln", "en")
    assert [line(block) for block in document.blocks] == ["h1 | Kiln", "h2 | Fire", "p | Heat it."]


def test_slides_have_numbers_and_only_titles_of_their_own() -> None:
    document = parsed(pptx(shape("Fire", "title") + shape("Heat it."), shape("Untitled text")), "pptx")

    assert [(line(block), dict(block.meta)) for block in document.blocks] == [
        ("h2 | Fire", {"slide": 1}),
        ("p | Heat it.", {"slide": 1}),
        ("p | Untitled text", {"slide": 2}),
    ]


def test_packages_are_known_by_their_members() -> None:
    found = [
        resolve_format(declared=None, filename=None, media_type=None, head=data[:4096])
        for data in (odt("<text:p>x</text:p>"), epub("<p>x</p>"), pptx(shape("x")))
    ]

    assert found == ["odt", "epub", "pptx"]


def test_other_archives_are_not_taken_for_a_package() -> None:
    with pytest.raises(UnknownFormat):
        resolve_format(declared=None, filename=None, media_type=None, head=pack({"a.txt": "x"}))


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b"{\\rtf1 x}", "rtf"),
        (b'<?xml version="1.0"?>\n<book xmlns="http://docbook.org/ns/docbook">', "docbook"),
        (b'.\\" comment\n.TH KILN 1\n', "man"),
    ],
)
def test_texts_are_known_by_their_first_words(head: bytes, name: str) -> None:
    assert resolve_format(declared=None, filename=None, media_type=None, head=head) == name


def encrypted(data: bytes) -> bytes:
    """The same package with the flag of encryption set in the directory."""
    at = data.index(b"PK\x01\x02")
    return data[: at + 8] + struct.pack("<H", 1) + data[at + 10 :]


REFUSED = {
    "no package": (b"PK\x03\x04 but no package", MalformedDocument, "no ODT package"),
    "encrypted": (encrypted(odt("<text:p>x</text:p>")), MalformedDocument, "encrypted"),
    "without its main part": (
        pack({"mimetype": "application/vnd.oasis.opendocument.text"}),
        MalformedDocument,
        "ODT",
    ),
    "another compression": (pack({"content.xml": "x"}, zipfile.ZIP_BZIP2), MalformedDocument, "compressed in a way"),
    "a bomb by its directory": (pack({"content.xml": b" " * 60_000_000}), TooLarge, "text parts"),
    "a bomb of pictures": (pack({"Pictures/a.png": bytes(20_000_000)}), TooLarge, "times its size"),
    "too many members": (pack({f"{number}": "" for number in range(10_001)}), TooLarge, "10001 members"),
}


SHEETS = pack(
    {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": "<Relationships><Relationship Id='r1' Type='x/officeDocument' Target='xl/workbook.xml'/>"
        "</Relationships>",
        "xl/workbook.xml": "<workbook/>",
    }
)
ODP = pack(
    {
        "mimetype": "application/vnd.oasis.opendocument.presentation",
        "content.xml": CONTENT.format("").replace("office:text", "office:presentation"),
    }
)
#: Packages of another kind than their name says, and what part of theirs is missing.
OTHER_KINDS = {
    "DOCX as PPTX": (docx(p("x")), "pptx", "its main part is word/document.xml, which is none"),
    "XLSX as PPTX": (SHEETS, "pptx", "its main part is xl/workbook.xml, which is none"),
    "ODT as PPTX": (odt("<text:p>x</text:p>"), "pptx", "ppt/presentation.xml is missing"),
    "XLSX as DOCX": (SHEETS, "docx", "xl/workbook.xml is missing or holds no body"),
    "PPTX as DOCX": (pptx(shape("x")), "docx", "ppt/presentation.xml is missing or holds no body"),
    "ODT as DOCX": (odt("<text:p>x</text:p>"), "docx", "word/document.xml is missing or holds no body"),
    "ODP as ODT": (ODP, "odt", r"content\.xml holds no text \(office:text\)"),
    "DOCX as ODT": (docx(p("x")), "odt", r"content\.xml is missing"),
    "DOCX as EPUB": (docx(p("x")), "epub", r"META-INF/container\.xml is missing"),
}


@pytest.mark.parametrize("name", OTHER_KINDS)
def test_a_package_of_another_kind_is_refused_by_what_it_lacks(name: str) -> None:
    data, format_name, said = OTHER_KINDS[name]

    with pytest.raises(MalformedDocument, match=said):
        parsed(data, format_name)


@pytest.mark.parametrize("name", REFUSED)
def test_packages_that_are_refused(name: str) -> None:
    data, error, message = REFUSED[name]

    with pytest.raises(error, match=message):
        parsed(data, "odt")


def test_a_bomb_that_lies_about_its_size_is_refused_before_pandoc_sees_it() -> None:
    body = "<text:span>a</text:span>" * 400_000
    true_size = len(CONTENT.format(body))
    data = odt(body)
    lying = data.replace(struct.pack("<I", true_size), struct.pack("<I", 4000))
    assert lying != data

    with pytest.raises(MalformedDocument, match=r"content\.xml in the package is damaged"):
        parsed(lying, "odt")


def test_text_for_a_binary_format_is_refused() -> None:
    with pytest.raises(NeedsBytes):
        parsed(b"just text", "odt")


@pytest.mark.parametrize("name", ["odt", "epub", "pptx"])
@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf", b"PK\x03\x04", bytes(range(256))])
def test_what_is_no_package_is_refused_by_name(name: str, data: bytes) -> None:
    with pytest.raises(BadInput):
        parsed(data, name)


@pytest.mark.parametrize("name", ["asciidoc", "org", "latex", "rtf", "mediawiki", "docbook", "typst", "man"])
@pytest.mark.parametrize("data", [b"", b" \n\t\n", b"\xef\xbb\xbf", "\u200b".encode()])
def test_nothing_to_read_makes_no_blocks(name: str, data: bytes) -> None:
    assert parsed(data, name).blocks == ()


@pytest.mark.parametrize("name", ["asciidoc", "org", "latex", "rtf", "mediawiki", "docbook", "typst", "man"])
def test_one_character_makes_one_block(name: str) -> None:
    assert lines("x", name) == ["p | x"]
