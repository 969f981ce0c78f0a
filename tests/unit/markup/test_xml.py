import pytest

from app.errors import TooDeep
from app.markup.syntax import BadSyntax
from tests.unit.markup.cutting import cut, labels, linked, outlined, texts, values


def printed(text: str) -> list[str]:
    return outlined(text, "xml").lines


def test_paths_of_elements_and_attributes() -> None:
    assert values(outlined('<r a="1"><s>x</s><s t="2"/><u>y</u></r>', "xml")) == {
        "r>@a": "1",
        "r>s[0]": "x",
        "r>s[1]>@t": "2",
        "r>u": "y",
    }


def test_an_element_with_text_and_children_stays_on_one_line() -> None:
    assert printed("<r><p>fill <b>slowly</b>\n  now</p>\n<q/></r>") == [
        *("<r>", "  <p>fill <b>slowly</b> now</p>", "  <q/>", "</r>")
    ]
    inside = outlined('<r>a <b id="x">c <i>d</i></b></r>', "xml").root.children[0]
    assert inside.value == "a"
    assert [(one.segment, one.value) for one in inside.children] == [("b", "c")]
    assert [one.segment for one in inside.children[0].children] == ["@id", "i"]


def test_line_breaks_that_mean_something_are_kept() -> None:
    code = "\n  if (a < b)\n    go\n"
    assert printed(f"<r><s><![CDATA[{code}]]></s></r>") == [*("<r>", "  <s>  if (a &lt; b)", "    go</s>", "</r>")]
    for name in ("pre", "code", "programlisting", "screen", "d:screen"):
        assert printed(f'<r xmlns:d="u"><{name}>a\n  b</{name}></r>')[1:3] == [f"  <{name}>a", f"  b</{name}>"]
    assert printed('<p xml:space="preserve">a\n  <b>c</b>\n</p>') == ['<p xml:space="preserve">a', "  <b>c</b></p>"]
    assert printed("<p>a\n  b</p>") == ["<p>a b</p>"]
    assert printed("<r><s><![CDATA[one line]]></s></r>")[1] == "  <s>one line</s>"


def test_a_document_full_of_private_characters_keeps_them() -> None:
    assert printed("<r>\ue000<![CDATA[\ue001 x]]></r>") == ["<r>\ue000\ue001 x</r>"]


def test_signs_in_text_are_told_from_tags() -> None:
    assert printed('<p q="a &lt; &quot;b&quot; &amp; c">a&lt;b &amp; c > d &#169;</p>') == [
        '<p q="a &lt; &quot;b&quot; & c">a&lt;b & c > d ©</p>'
    ]
    assert values(outlined("<p>a&lt;b</p>", "xml")) == {"p": "a<b"}


def test_short_plain_entities_are_put_in_place_and_others_stay() -> None:
    dtd = (
        '<!DOCTYPE r [<!ENTITY co "Acme &#169;"><!ENTITY tag "<b>x</b>"><!ENTITY two "&co;!">'
        f'<!ENTITY long "{"x" * 1001}">'
        '<!ENTITY out SYSTEM "file:///etc/passwd">]>'
    )
    assert printed(f'{dtd}<r a="&co;">from &co; &tag; &two; &long;</r>') == [
        '<r a="Acme ©">from Acme © &tag; &two; &long;</r>'
    ]
    with pytest.raises(BadSyntax, match="the external entity 'out' is used"):
        outlined(f"{dtd}<r>&out;</r>", "xml")
    with pytest.raises(BadSyntax, match="external entity"):
        outlined(f'{dtd}<r a="&out;"/>', "xml")


def test_comments_before_elements_are_kept_and_others_dropped() -> None:
    long = "c" * 301
    text = (
        f"<?xml version='1.0'?><!-- top --><?pi x?><!DOCTYPE r><r><!-- of\n  a --><!--{long}--><a/>"
        "<!-- last --></r><!-- end -->"
    )
    assert printed(text) == [*("<!-- top -->", "<r>", "  <!-- of a -->", f"  <!-- {'c' * 300}… -->", "  <a/>", "</r>")]
    assert printed("<p>a <!-- no --> b <i/></p>") == ["<p>a b <i/></p>"]


def test_prefixes_stay_and_a_prefix_that_nobody_declared_is_no_error() -> None:
    text = '<x:r xmlns:x="u:x" xmlns="u:d"><a x:k="1" xml:lang="de"/><n:b xmlns:n="u:n"/></x:r>'
    assert printed(text) == [
        '<x:r xmlns:x="u:x" xmlns="u:d">',
        '  <a x:k="1" xml:lang="de"/>',
        '  <n:b xmlns:n="u:n"/>',
        "</x:r>",
    ]
    assert printed('<r><x:a y:b="1">t</x:a><x:screen>a\nb</x:screen></r>') == [
        *("<r>", '  <x:a y:b="1">t</x:a>', "  <x:screen>a", "b</x:screen>", "</r>")
    ]
    with pytest.raises(BadSyntax, match="mismatch"):
        outlined("<r><x:a></r>", "xml")


def test_references_lead_to_ids() -> None:
    long = "words enough to stand alone here"
    text = (
        f'<r><a id="one"><t>{long}</t></a><b xml:id="two"><t>{long}</t></b>'
        f'<c ref="one"><t>{long}</t></c><d idrefs="one two nobody"><t>{long}</t></d>'
        f'<e href="#two"><t>{long}</t></e><f xmlns:xlink="u" xlink:href="#one" href="other.xml#two"><t>{long}</t></f>'
        f'<g linkend="two"><t>{long}</t></g><h target="#two" idref="one"><t>{long}</t></h><i refs="one">'
        f"<t>{long}</t></i></r>"
    )
    parsed = cut(text, "xml", most=60, small=8)

    assert linked(parsed) == [
        ("r > c", "r > a"),
        ("r > d", "r > a"),
        ("r > d", "r > b"),
        ("r > e", "r > b"),
        ("r > f", "r > a"),
        ("r > g", "r > b"),
        ("r > h", "r > a"),
        ("r > h", "r > b"),
    ]
    assert "external" not in parsed.data


@pytest.mark.parametrize(
    ("text", "what", "place"),
    [
        ("<a>\n  <b>\n</a>", "Opening and ending tag mismatch: b line 2 and a", (3, 5)),
        ('<a b="1" b="2"/>', "Attribute b redefined", (1, 15)),
        ("", "Document is empty", (1, 1)),
        ("<!-- c -->", "Start tag expected", (1, 11)),
        ("<a>&nbsp;</a>", "Entity 'nbsp' not defined", (1, 10)),
        ("<a/><b/>", "Extra content", (1, 5)),
        ("<a><![CDATA[x]]></b>", "Opening and ending tag mismatch", (1, 21)),
        ("<a>\x01</a>", "PCDATA invalid Char value 1", (1, 4)),
    ],
)
def test_what_is_not_well_formed_is_refused_with_its_place(text: str, what: str, place: tuple[int, int]) -> None:
    with pytest.raises(BadSyntax, match=what) as caught:
        outlined(text, "xml")
    assert (caught.value.line, caught.value.column) == place


def test_entities_that_grow_are_refused() -> None:
    entities = '<!ENTITY e0 "lol">' + "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 9))
    for use in ("<z>&e8;</z>", '<z a="&e8;"/>'):
        with pytest.raises(BadSyntax, match="amplification"):
            outlined(f"<!DOCTYPE z [{entities}]>{use}", "xml")


def test_two_hundred_levels_are_read_and_one_more_is_too_deep() -> None:
    assert labels(cut("<a>" * 200 + "</a>" * 200, "xml"))
    inline = "<a>x" * 200 + "</a>" * 200
    assert len(cut(inline, "xml").subtrees) == 1
    for text in ("<a>" * 201 + "</a>" * 201, "<a>x" * 201 + "</a>" * 201, "<a>" * 300 + "</a>" * 300, "<a>" * 100_000):
        with pytest.raises(TooDeep, match="200 levels"):
            outlined(text, "xml")


def test_an_element_without_content_is_content() -> None:
    assert texts(cut("<a></a>", "xml")) == ["<a/>"]
