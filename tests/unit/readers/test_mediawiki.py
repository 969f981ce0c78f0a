"""MediaWiki in detail; pages stand among the golden files."""

import pytest

from tests.unit.readers.reading import lines

CASES = {
    "a framed picture": (
        "[[File:Kiln.png|thumb|left|200px|alt=A kiln|The ''old'' [[kiln]]|upright=1.2]]\n",
        ["p | [image: A kiln]", "p | Figure: The old kiln"],
    ),
    "a framed picture without words": ("a\n\n[[Datei:Kiln.png|mini|links]]\n\nb\n", ["p | a", "p | b"]),
    "a picture in its line": (
        "See [[Image:A.png|20px|alt=the lid]], [[File:B.png|the ''vent'']] and [[File:C.png]] here.\n",
        ["p | See [image: the lid], [image: the vent] and here."],
    ),
    "a gallery": (
        "<gallery mode=packed>\nA.jpg|One ''tile''\nFile:B.jpg\nC.jpg|Two\n</gallery>\n",
        ["p | Figure: One tile", "p | Figure: Two"],
    ),
    "what files the page, and its like in other languages": (
        "Text [[Category:Kilns]].\n[[Kategorie:Öfen|Ofen]] [[de:Ofen]]\n[[zh-hans:窑]]\n\nSee [[:de:Ofen|Ofen]].\n",
        ["p | Text .", "p | See Ofen."],
    ),
    "lines that open with a space": (
        " one  two\n   three\n\ntext <code>x</code>\n",
        ["code | one  two\n  three", "p | text x"],
    ),
    "a header of two rows": (
        "{|\n! rowspan=\"2\" | Ware !! colspan=2 | ''Parts''\n|-\n! ash !! clay\n|-\n| bowl || 4 || 1\n|}\n",
        ["table | Ware | Parts ash | Parts clay\nbowl | 4 | 1"],
    ),
    "a column of headers is none": (
        "{|\n! scope=row rowspan=2 | Ware\n| 1\n|-\n| 2\n|}\n",
        ["table | Ware | 1\nWare | 2"],
    ),
    "remarks inside and outside of a list": (
        "# one\n#: more\n# two\n\n: remark\n",
        ["list | 1. one\n  more\n2. two", "list | remark"],
    ),
    "what is verbatim stays": (
        "<pre>\n[[File:A.png]] [[Category:X]]\n</pre>\n<nowiki>[[de:x]]</nowiki>\n",
        ["code | [[File:A.png]] [[Category:X]]", "p | [[de:x]]"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_constructs(name: str) -> None:
    source, expected = CASES[name]

    assert lines(source, "mediawiki") == expected
