import html
import io
from itertools import pairwise

import pytest
import webvtt
from hypothesis import given
from hypothesis import strategies as st

from app.documents.block import Block, BlockType
from app.documents.values import JsonObject
from app.errors import MalformedDocument
from app.readers.registry import resolve_format
from tests.unit.readers.reading import lines, parsed, slices

SPOKEN = tuple[str, JsonObject]


def spoken(source: str, format_name: str = "vtt") -> list[SPOKEN]:
    return [(block.text, dict(block.meta)) for block in parsed(source, format_name).blocks]


def vtt(*cues: str) -> str:
    return "\n\n".join(("WEBVTT", *cues))


def cue(start: int, *text: str, end: int | None = None) -> str:
    """A cue of `text` from one second to another, by default the next one."""
    return "\n".join((f"00:{start:02}.000 --> 00:{end if end is not None else start + 1:02}.000", *text))


def at(second: int, **meta: str | bool) -> JsonObject:
    return {"time": f"00:00:{second:02}", **meta}


def test_the_example_of_the_design_for_srt() -> None:
    source = "1\n00:01:02,500 --> 00:01:04,000\nMARA: Lid is\n\n2\n00:01:04,500 --> 00:01:06,000\nhot."

    document = parsed(source, "srt")

    assert document.blocks == (
        Block(type=BlockType.PARAGRAPH, text="Lid is", meta={"speaker": "MARA", "time": "00:01:02"}, start=32, end=44),
        Block(
            type=BlockType.PARAGRAPH,
            text="hot.",
            meta={"speaker": "MARA", "time": "00:01:04", "continues": True},
            start=78,
            end=82,
        ),
    )
    assert slices(document) == ["MARA: Lid is", "hot."]


def test_the_example_of_the_design_for_vtt() -> None:
    source = "WEBVTT\n\n00:04.500 --> 00:06.000\nDr. Rao (host): Shall we start?\n- Yes.\n"

    assert spoken(source) == [
        ("Shall we start?", {"speaker": "Dr. Rao", "speaker_full": "Dr. Rao (host)", "time": "00:00:04"}),
        ("Yes.", {"time": "00:00:04"}),
    ]
    assert slices(parsed(source, "vtt")) == ["Dr. Rao (host): Shall we start?", "- Yes."]


def test_p03() -> None:
    source = vtt(
        "00:01.000 --> 00:03.000\nopen<00:00:01.500> the<00:00:02.000> valve",
        "NOTE\nnot said",
        "second cue\n00:05.000 --> 00:06.000\n<v Ada>R&D says no</v>",
    )

    assert spoken(source) == [("open the valve", at(1)), ("R&D says no", at(5, speaker="Ada"))]


UTTERANCES: dict[str, tuple[str, list[SPOKEN]]] = {
    "lines of one utterance are joined": (cue(1, "one", "two"), [("one two", at(1))]),
    "a name after the first line opens an utterance": (
        cue(1, "Ann: one", "more", "Bob Lee: two"),
        [("one more", at(1, speaker="Ann")), ("two", at(1, speaker="Bob Lee"))],
    ),
    "a name on a line of its own": (
        cue(1, "ANN:", "one.", "Bob:", "two."),
        [("one.", at(1, speaker="ANN")), ("two.", at(1, speaker="Bob"))],
    ),
    "dashes part people, without names they have none": (
        f"{cue(1, '- Ann: one.', '- Two.')}\n\n{cue(3, 'Three.')}",
        [("one.", at(1, speaker="Ann")), ("Two.", at(1)), ("Three.", at(3))],
    ),
    "dashes without a space count when there are several": (
        f"{cue(1, '-One.', '-Two.')}\n\n{cue(3, '-5 degrees.')}\n\n{cue(5, '-x')}",
        [("One.", at(1)), ("Two.", at(1)), ("-5 degrees.", at(3)), ("-x", at(5))],
    ),
    "voices": (
        cue(1, "<v.loud.first Ada Lund (chair)>One &amp; <i>two</i>", "three.</v> <v Bo>Four.</v>", "Five."),
        [
            ("One & two three.", at(1, speaker="Ada Lund", speaker_full="Ada Lund (chair)")),
            ("Four.", at(1, speaker="Bo")),
            ("Five.", at(1, speaker="Bo")),
        ],
    ),
    "a voice ends with the next one": (
        cue(1, "<v Ada>One. <v Bo>Two."),
        [("One.", at(1, speaker="Ada")), ("Two.", at(1, speaker="Bo"))],
    ),
    "an empty voice says nothing": (cue(1, "<v>One.</v>"), [("One.", at(1))]),
    "the last speaker goes on across cues": (
        f"{cue(1, 'Ann: One.')}\n\n{cue(3, 'Two.')}",
        [("One.", at(1, speaker="Ann")), ("Two.", at(3, speaker="Ann"))],
    ),
    "labels and digits are no names": (
        "\n\n".join(
            cue(2 * n, text) for n, text in enumerate(["Note: a.", "Step: b.", "Room 5: c.", "user: d.", "X:e."])
        ),
        [
            ("Note: a.", at(0)),
            ("Step: b.", at(2)),
            ("Room 5: c.", at(4)),
            ("user: d.", at(6)),
            ("X:e.", at(8)),
        ],
    ),
    "what is no capitalised name is text": (
        cue(1, "One Two Three Four Five: a."),
        [("One Two Three Four Five: a.", at(1))],
    ),
    "particles inside names": (cue(1, "Ana de la Cruz: a."), [("a.", at(1, speaker="Ana de la Cruz"))]),
    "labels of diarisation": (
        cue(1, "Speaker 1: a.", "SPEAKER_02: b.", "Participant 3 (host): c."),
        [
            ("a.", at(1, speaker="Speaker 1")),
            ("b.", at(1, speaker="SPEAKER_02")),
            ("c.", at(1, speaker="Participant 3", speaker_full="Participant 3 (host)")),
        ],
    ),
    "chevrons open a new, unnamed speaker": (
        f"{cue(1, 'Ann: One.')}\n\n{cue(2, '&gt;&gt; Two. >> Three.', '>>> BO: Four.')}",
        [("One.", at(1, speaker="Ann")), ("Two.", at(2)), ("Three.", at(2)), ("Four.", at(2, speaker="BO"))],
    ),
    "chevrons inside a sentence are text": (cue(1, "shift a >> b"), [("shift a >> b", at(1))]),
    "sounds are dropped": (
        "\n\n".join(
            cue(2 * n, text)
            for n, text in enumerate(
                ["[Music]", "♪ la la ♪", "(applause)", "- (laughs) [bell]", "(I never said that.)", "Ha [laughs]."]
            )
        ),
        [("(I never said that.)", at(8)), ("Ha [laughs].", at(10))],
    ),
    "rolling captions say everything once": (
        "\n\n".join((cue(1, "one"), cue(2, "one", "two"), cue(3, "two"), cue(4, "two", "three"))),
        [("one", at(1)), ("two", at(2, continues=True)), ("three", at(4, continues=True))],
    ),
    "what is said again later is said again": (
        f"{cue(1, 'Yes.')}\n\n{cue(20, 'Yes.')}",
        [("Yes.", at(1)), ("Yes.", at(20))],
    ),
    "two people may say the same": (
        f"{cue(1, '<v Ada>Yes.')}\n\n{cue(2, '<v Bo>Yes.')}",
        [("Yes.", at(1, speaker="Ada")), ("Yes.", at(2, speaker="Bo"))],
    ),
    "a sentence goes on within five seconds": (
        "\n\n".join((cue(1, "Ann: open"), cue(7, "the lid,"), cue(14, "then wait."), cue(15, "Good."))),
        [
            ("open", at(1, speaker="Ann")),
            ("the lid,", at(7, speaker="Ann", continues=True)),
            ("then wait.", at(14, speaker="Ann")),
            ("Good.", at(15, speaker="Ann")),
        ],
    ),
    "a sentence goes on with its own speaker only": (
        "\n\n".join((cue(1, "Ann: I think"), cue(2, "Bo: we"), cue(3, "- should"), cue(4, "go"))),
        [
            ("I think", at(1, speaker="Ann")),
            ("we", at(2, speaker="Bo")),
            ("should", at(3)),
            ("go", at(4, continues=True)),
        ],
    ),
    "a sentence that trails off goes on in lower case": (
        "\n\n".join((cue(1, "I was..."), cue(2, "about to..."), cue(3, "Never mind."))),
        [("I was...", at(1)), ("about to...", at(2, continues=True)), ("Never mind.", at(3))],
    ),
    "references and what only looks like a tag": (
        cue(1, "&lt;b&gt; &eacute;&#233;&nbsp;x 3 < 4 and I <3 you > me"),
        [("<b> éé x 3 < 4 and I <3 you > me", at(1))],
    ),
    "times without and with many hours": (
        "01:00:02.900 --> 01:00:03.000\na.\n\n123:00:02.000 --> 123:00:03.000\nb.",
        [("a.", {"time": "01:00:02"}), ("b.", {"time": "123:00:02"})],
    ),
    "an end before its start, and no order": (
        f"{cue(9, 'b.', end=2)}\n\n{cue(1, 'a.')}",
        [("b.", at(9)), ("a.", at(1))],
    ),
    "a timing line ends the cue before it": (
        f"{cue(1, 'a.')}\n2\n{cue(2, 'b.', 'c.')}\n{cue(3, 'd.')}",
        [("a.", at(1)), ("b. c.", at(2)), ("d.", at(3))],
    ),
    "an arrow in a text is text": (cue(1, "from a --> b, 12:30 --> 13:00"), [("from a --> b, 12:30 --> 13:00", at(1))]),
    "a line of spaces ends no cue": (cue(1, "a", " ", "b."), [("a b.", at(1))]),
    "blocks that are not said": (
        "\n\n".join(
            (
                "STYLE\n::cue { color: red }",
                "REGION\nid:x",
                "NOTE one line",
                cue(1, "a."),
                "NOTE\nno time\nhere",
                cue(2, "b."),
            )
        ),
        [("a.", at(1)), ("b.", at(2))],
    ),
    "cue settings and identifiers": (
        "intro - 1\n00:01.000 --> 00:02.000 align:start position:0%\na.",
        [("a.", at(1))],
    ),
    "ruby keeps its base": (
        cue(1, "<ruby>漢<rt>kan</rt>字<rt.loud>ji</rt></ruby> is <rt>open"),
        [("漢字 is open", at(1))],
    ),
    "empty cues": (f"{cue(1)}\n\n{cue(2, '<i></i>')}\n\n{cue(3, 'a.')}", [("a.", at(3))]),
}


@pytest.mark.parametrize("name", UTTERANCES)
def test_utterances(name: str) -> None:
    cues, expected = UTTERANCES[name]

    assert spoken(vtt(cues)) == expected


FIRST, SECOND, THIRD = (f"00:00:0{second},000 --> 00:00:0{second + 1},000" for second in (1, 3, 5))
SRT: dict[str, tuple[str, list[SPOKEN]]] = {
    "text before the first cue is ignored": (f"a file\n\n1\n{FIRST}\na.", [("a.", at(1))]),
    "blank lines inside a text": (
        f"1\n{FIRST}\na\n\nb\n\n\n2\n{SECOND}\nc.",
        [("a b", at(1)), ("c.", at(3, continues=True))],
    ),
    "a number inside a text": (
        f"1\n{FIRST}\nNot\n\n42\n\n{SECOND}\n7\n\n3\n{THIRD}\nc.",
        [("Not 42", at(1)), ("7", at(3, continues=True)), ("c.", at(5, continues=True))],
    ),
    "every line doubled by its line break": (
        f"1\n\n{FIRST}\n\na.\n\n\n\n2\n\n{SECOND}\n\nb.",
        [("a.", at(1)), ("b.", at(3))],
    ),
    "no hours, no index, points, no fraction": (
        "00:01,000 --> 00:02,000\na.\n0:00:03.5-->0:00:04.5\nb.\n00:00:05 --> 00:00:06\nc.",
        [("a.", at(1)), ("b.", at(3)), ("c.", at(5))],
    ),
    "tags, styles and references": (
        FIRST + '\n{\\an8}<font color="#fff">R&amp;D {sic}</font> <b>says</b>\n<v Bo>no',
        [("R&D {sic} says", at(1)), ("no", at(1, speaker="Bo"))],
    ),
    "notes are said in SRT": (f"1\n{FIRST}\nNOTE this.", [("NOTE this.", at(1))]),
}


@pytest.mark.parametrize("name", SRT)
def test_srt(name: str) -> None:
    source, expected = SRT[name]

    assert spoken(source, "srt") == expected
    assert spoken(source.replace("\n", "\r\n"), "srt") == expected
    assert spoken("\ufeff" + source, "srt") == expected
    assert [(block.text, block.meta) for block in parsed(source.encode("utf-16"), "srt").blocks] == expected


def test_the_header_gives_title_and_language() -> None:
    document = parsed("WEBVTT - Weekly call\nKind: captions\nLanguage: en-GB\n\n00:01.000 --> 00:02.000\nHi.", "vtt")

    assert (document.title, document.language, document.warnings) == ("Weekly call", "en-GB", ())
    assert [(block.type.value, block.text, block.level) for block in document.blocks] == [
        ("heading", "Weekly call", 1),
        ("paragraph", "Hi.", None),
    ]


@pytest.mark.parametrize(
    "header", ["WEBVTT", "WEBVTT weekly", "WEBVTT\tx", "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000"]
)
def test_other_headers_give_no_title(header: str) -> None:
    assert parsed(f"{header}\n00:01.000 --> 00:02.000\nHi.", "vtt").title is None
    assert lines(f"{header}\n00:01.000 --> 00:02.000\nHi.", "vtt") == ["p | Hi."]


@pytest.mark.parametrize("source", ["", " ", "x", "\nWEBVTT", "WEBVTTX", "webvtt", "1\n00:01.000 --> 00:02.000\nHi."])
def test_vtt_without_its_header_is_refused(source: str) -> None:
    with pytest.raises(MalformedDocument, match="first line"):
        parsed(source, "vtt")


def test_what_belongs_to_no_cue_is_told() -> None:
    document = parsed(vtt("lost\ntoo", cue(1, "a."), "also"), "vtt")

    assert document.warnings == ("Lines outside of cues were left out: 3, the first is line 3.",)
    assert parsed("no captions", "srt").warnings == ("No timing line was found, so nothing was read.",)


@pytest.mark.parametrize("source", ["", "\n \n", "x", "\ufeff", "1", "-->", "00:00:01,000 -->"])
def test_srt_with_nothing_to_say(source: str) -> None:
    assert parsed(source, "srt").blocks == ()


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b"WEBVTT\n\n00:01.000 --> 00:02.000\nx", "vtt"),
        ("WEBVTT - x\r\n".encode("utf-16"), "vtt"),
        (b"1\n00:00:01,000 --> 00:00:02,000\nx", "srt"),
        (b"\n\n00:01,5 --> 00:02,5\n- x", "srt"),
        (b"WEBVTTX", "text"),
    ],
)
def test_a_look_at_the_first_bytes(head: bytes, name: str) -> None:
    assert resolve_format(declared=None, filename=None, media_type=None, head=head) == name


TEXT = st.lists(
    st.sampled_from(
        ["word", "Ann: one", "- two", "<v Bo>three</v> four", "<i>five</i>", "&amp; é", "6", ">> seven.", "[x]", "水"]
    ),
    min_size=1,
    max_size=3,
)


@given(st.lists(TEXT, min_size=1, max_size=8))
def test_as_many_cues_and_words_as_a_library_finds(cues: list[list[str]]) -> None:
    # Cues are a minute apart, so that none repeats the one before.
    source = "WEBVTT\n\n" + "\n\n".join(
        f"00:{minute:02}:00.000 --> 00:{minute:02}:01.000\n" + "\n".join(text) for minute, text in enumerate(cues)
    )

    document = parsed(source, "vtt")

    captions = webvtt.from_buffer(io.StringIO(source), format="vtt").captions
    said = {
        caption.start[:8]: html.unescape(caption.text).replace("- ", "").replace(">>", "").replace("Ann: ", "").split()
        for caption in captions
        if set(html.unescape(caption.text).split()) != {"[x]"}
    }
    found: dict[str, list[str]] = {}
    for block in document.blocks:
        found.setdefault(str(block.meta["time"]), []).extend(block.text.split())
    assert found == said
    places = [(block.start or 0, block.end or 0) for block in document.blocks]
    assert places == sorted(places)
    assert all(end <= start for (_, end), (start, _) in pairwise(places))
    assert all(part and part == part.strip() for part in slices(document))


@given(
    st.lists(
        st.sampled_from(
            [*"<>v/&;-:. \n1{}\\♪[]()", "00:01.000 --> 00:02.000\n", "<v Ann>", "Ann: ", "&gt;&gt;", "NOTE", "é"]
        )
    )
)
def test_any_text_is_read_alike_twice(parts: list[str]) -> None:
    for source, name in (("WEBVTT\n" + "".join(parts), "vtt"), ("".join(parts), "srt")):
        document = parsed(source, name)

        assert document == parsed(source, name)
        assert all(block.text.strip() for block in document.blocks)
        assert all(part and part.strip() for part in slices(document))
