import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.documents.block import Block, BlockType
from app.documents.values import JsonObject
from app.ports.reader_runner import Source
from app.readers.registry import read_blocks
from app.readers.speaker_names import Prefix, prefix_of, sender_of, with_role
from app.readers.speakers import infer_speakers
from tests.unit.readers.reading import parsed, slices


def paragraphs(*texts: str) -> list[Block]:
    return [Block(type=BlockType.PARAGRAPH, text=text) for text in texts]


def told(blocks: list[Block]) -> list[tuple[str, JsonObject]]:
    return [(block.text, dict(block.meta)) for block in infer_speakers(blocks)]


@pytest.mark.parametrize(
    ("text", "name", "full", "time"),
    [
        ("Ann: hi", "Ann", None, None),
        ("Ann Lee:\thi", "Ann Lee", None, None),
        ("Ann：hi", "Ann", None, None),
        ("Dr. Rao (chair): hi", "Dr. Rao", "Dr. Rao (chair)", None),
        ("Ann（司会）：hi", "Ann", "Ann (司会)", None),
        ("[10:02] Ann: hi", "Ann", None, "10:02"),
        ("9:02:33 Ann: hi", "Ann", None, "9:02:33"),
        ("O\u2019Neil-Bé J.: hi", "O\u2019Neil-Bé J.", None, None),
        ("Zoë\u0301 Ødegård: hi", "Zoë\u0301 Ødegård", None, None),
        ("Ana de la Cruz: hi", "Ana de la Cruz", None, None),
        ("Chair of meeting: hi", "Chair of meeting", None, None),
        ("Иван Петров: да", "Иван Петров", None, None),
        ("M. Dupont. — Oui", "M. Dupont", None, None),
        ("Ms Ott (chair). - Ja", "Ms Ott", "Ms Ott (chair)", None),
        ("議長：開会します", "議長", None, None),
        ("甲: 是", "甲", None, None),
        ("○議長 開会します", "議長", None, None),
        ("◎ 田中（副）：はい", "田中", "田中 (副)", None),
    ],
)
def test_names(text: str, name: str, full: str | None, time: str | None) -> None:
    prefix = prefix_of(text)

    assert prefix is not None
    assert (prefix.name, prefix.full, prefix.time) == (name, full, time)
    assert text[prefix.length :] in {"hi", "да", "Oui", "Ja", "開会します", "是", "はい"}


@pytest.mark.parametrize(
    "text",
    [
        *(
            "user: hi",
            "Ann:hi",
            "Ann:",
            "Ann: ",
            "A: hi",
            "Q: why",
            "Ann 2: hi",
            "Ann said: hi",
            "Ann. hi",
            "Ann - hi",
            "",
        ),
        *("Note: x", "Step one: x", "See also: x", "Figure: x", "Réponse: x", "Achtung: x", "Table of fees: x"),
        *("One Two Three Four Five: x", f"Ann ({'x' * 81}): hi", "Ann (): hi"),
        *("注：x", "備考: x", "議長 開会", "一二三四五六七八九十一二三四五六七：x"),
    ],
)
def test_what_is_no_name(text: str) -> None:
    assert prefix_of(text) is None


@pytest.mark.parametrize(
    ("text", "name", "time"),
    [
        ("[05/03/2025, 10:14:33] Ann: hi", "Ann", "05/03/2025, 10:14:33"),
        ("\u200e[05.03.25, 10:14:33\u202fPM] \u200eann lee: hi", "ann lee", "05.03.25, 10:14:33 PM"),
        ("05/03/2025, 10:15 - ~Bob: hi", "~Bob", "05/03/2025, 10:15"),
        ("2025-03-05, 10:15 a.m. - +49 151 123: hi", "+49 151 123", "2025-03-05, 10:15 a.m."),
    ],
)
def test_messengers_stamps(text: str, name: str, time: str) -> None:
    assert sender_of(text) == Prefix(name=name, full=None, time=time, length=len(text) - 2)


@pytest.mark.parametrize(
    "text",
    [
        "05/03/2025, 10:15 - Ann left",
        '05/03/2025, 10:15 - Ann named it "x: y"',
        "2025-03-05 10:14:33 - INFO: up",
        "Ann: hi",
    ],
)
def test_what_nobody_sent(text: str) -> None:
    assert sender_of(text) is None


def test_a_voice_may_name_a_role() -> None:
    assert with_role("Ada Lund (chair)") == ("Ada Lund", "Ada Lund (chair)")
    assert with_role("Ada Lund") == ("Ada Lund", None)


def test_a_run_with_enough_names_is_a_conversation() -> None:
    blocks = paragraphs("Hello all.", "Ann: one", "[10:02] Bo (host): two", "three", "Ann: four")

    assert told(blocks) == [
        ("Hello all.", {}),
        ("one", {"speaker": "Ann"}),
        ("two", {"speaker": "Bo", "speaker_full": "Bo (host)", "time": "10:02"}),
        ("three", {"speaker": "Bo", "speaker_full": "Bo (host)"}),
        ("four", {"speaker": "Ann"}),
    ]


@pytest.mark.parametrize(
    "texts",
    [
        ("Ann: one", "Bo: two", "Ann: three"),
        ("Ann: one", "Ann: two", "Ann: three", "Ann: four"),
        ("Ann: one", "Bo: two", "three", "four"),
        ("one", "two", "three", "four"),
        (),
    ],
)
def test_other_runs_are_left_alone(texts: tuple[str, ...]) -> None:
    blocks = paragraphs(*texts)

    assert infer_speakers(blocks) == tuple(blocks)


def test_headings_part_runs_and_only_paragraphs_count() -> None:
    talk = paragraphs("Ann: one", "Bo: two")
    heading = Block(type=BlockType.HEADING, text="Next", level=2)
    item = Block(type=BlockType.LIST, text="- Cy: three")

    assert infer_speakers([*talk, heading, *talk]) == (*talk, heading, *talk)
    assert told([*talk, item, *talk]) == [
        ("one", {"speaker": "Ann"}),
        ("two", {"speaker": "Bo"}),
        ("- Cy: three", {}),
        ("one", {"speaker": "Ann"}),
        ("two", {"speaker": "Bo"}),
    ]


def test_a_run_where_somebody_is_known_to_speak_is_left_alone() -> None:
    known = Block(type=BlockType.PARAGRAPH, text="zero", meta={"speaker": "Zoe"})
    blocks = [known, *paragraphs("Ann: one", "Bo: two", "Ann: three", "Bo: four")]

    assert infer_speakers(blocks) == tuple(blocks)


def test_a_paragraph_of_lines_with_names_is_split_first() -> None:
    assert told(paragraphs("Ann: one\nBo: two", "Ann: three\nBo: four")) == [
        ("one", {"speaker": "Ann"}),
        ("two", {"speaker": "Bo"}),
        ("three", {"speaker": "Ann"}),
        ("four", {"speaker": "Bo"}),
    ]


def test_a_messengers_export() -> None:
    blocks = paragraphs(
        "05/03/2025, 10:14 - Messages are encrypted.",
        "05/03/2025, 10:15 - ann: hi",
        "Bob: said no",
        "05/03/2025, 10:16 - +49 151: ho",
    )
    ann: JsonObject = {"speaker": "ann", "time": "05/03/2025, 10:15"}

    assert told(blocks) == [
        ("hi", ann),
        ("Bob: said no", {"speaker": "ann"}),
        ("ho", {"speaker": "+49 151", "time": "05/03/2025, 10:16"}),
    ]
    assert [block.text for block in infer_speakers(blocks, keep_places=True)] == ["", "hi", "Bob: said no", "ho"]


def test_text_is_read_with_its_speakers() -> None:
    source = (
        "Ann: shall we start\n\nBo: This answer is more than twice as long as what it answers, so it made a title.\n\n"
        "ANN: YES\nBo: no\n"
    )

    document = parsed(source, "text")

    assert [(block.type.value, block.text, block.meta.get("speaker")) for block in document.blocks] == [
        ("paragraph", "shall we start", "Ann"),
        ("paragraph", "This answer is more than twice as long as what it answers, so it made a title.", "Bo"),
        ("paragraph", "YES", "ANN"),
        ("paragraph", "no", "Bo"),
    ]
    assert slices(document)[2:] == ["ANN: YES", "Bo: no"]


def test_a_messengers_export_as_text() -> None:
    source = (
        "[05/03/2025, 10:14:33] Ann created this group\n[05/03/2025, 10:15:00] Ann: Bring\n- gloves\n- tape\n"
        "[05/03/2025, 10:16:00] ~Bo: OK\n[05/03/2025, 10:17:00] Ann: A last thing\n\nand more\n"
    )

    document = parsed(source, "text")

    assert [(block.text, block.meta["speaker"]) for block in document.blocks] == [
        ("Bring - gloves - tape", "Ann"),
        ("OK", "~Bo"),
        ("A last thing", "Ann"),
        ("and more", "Ann"),
    ]


def test_markdown_is_read_with_its_speakers() -> None:
    source = "# Call\n\n**Ann:** see [it](https://e.org)\n**Bo** (host): ü no\nand on\n\n**Ann**: why  \nBo: so\n"

    document = parsed(source, "markdown")

    assert [(block.text, block.meta.get("speaker")) for block in document.blocks] == [
        ("Call", None),
        ("see it (https://e.org)", "Ann"),
        ("ü no and on", "Bo"),
        ("why", "Ann"),
        ("so", "Bo"),
    ]
    assert slices(document)[1:] == [
        "**Ann:** see [it](https://e.org)",
        "**Bo** (host): ü no\nand on",
        "**Ann**: why",
        "Bo: so",
    ]


def test_lines_of_markdown_with_one_name_stay_a_paragraph() -> None:
    assert [block.text for block in parsed("Remember\nAnn: hi\nthere", "markdown").blocks] == ["Remember Ann: hi there"]


def test_a_callers_blocks_keep_their_places() -> None:
    texts = [
        "05/03/2025, 10:14 - Ann left",
        "05/03/2025, 10:15 - Ann: a",
        "05/03/2025, 10:16 - Bo: b",
        "05/03/2025, 10:17 - Bo: c",
    ]
    items = ",".join(f'{{"type": "paragraph", "text": "{text}"}}' for text in texts)

    assert [block.text for block in parsed(f"[{items}]", "blocks").blocks] == ["", "a", "b", "c"]


TEXTS = st.text(st.sampled_from("Aa.: ()-—\n0/,~○水[]"), max_size=30).filter(str.strip) | st.sampled_from(
    ["Ann: x", "Bo: y", "05/03/2025, 10:15 - Ann: x", "05/03/2025, 10:15 - left", "[10:02] Cy (a): z"]
)


@given(st.lists(TEXTS, max_size=12))
def test_nothing_is_lost_but_names_and_notices(texts: list[str]) -> None:
    found = infer_speakers(paragraphs(*texts))

    assert infer_speakers(paragraphs(*texts)) == found
    assert all(block.text.strip() for block in found)
    kept = "".join("".join(block.text.split()) for block in found)
    written = iter("".join("".join(text.split()) for text in texts))
    assert all(character in written for character in kept)
    assert len(infer_speakers(paragraphs(*texts), keep_places=True)) == len(texts)


# Conversations design, section b, rule by rule


def test_b_a_run_needs_sixty_per_cent_with_a_name() -> None:
    assert infer_speakers(paragraphs("Ann: a", "Bo: b", "Ann: c", "d", "e"))[0].meta == {"speaker": "Ann"}
    assert infer_speakers(paragraphs("Ann: a", "Bo: b", "Ann: c", "d", "e", "f"))[0].meta == {}


def test_b_empty_paragraphs_do_not_count() -> None:
    blocks = paragraphs("Ann: a", " ", "Bo: b", " ", "Ann: c", " ", "Bo: d")

    assert [block.text for block in infer_speakers(blocks) if block.meta] == ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    ("text", "name", "full"),
    [
        ("**Ann:** hi", "Ann", None),
        ("**Ann**: hi", "Ann", None),
        ("__Ann Lee__: hi", "Ann Lee", None),
        ("**Ann** (chair): hi", "Ann", "Ann (chair)"),
        ("**Ann (chair):** hi", "Ann", "Ann (chair)"),
        ("[10:02] **Ann:** hi", "Ann", None),
        ("**議長：** hi", "議長", None),
    ],
)
def test_b_bold_names_count_in_text_as_well(text: str, name: str, full: str | None) -> None:
    prefix = prefix_of(text)

    assert prefix is not None
    assert (prefix.name, prefix.full, text[prefix.length :]) == (name, full, "hi")


@pytest.mark.parametrize(
    "text", ["**Note:** hi", "**Ann:**hi", "**Ann: hi**", "**user:** hi", "**Ann:__ hi", "**A:** hi"]
)
def test_b_what_is_bold_and_no_name(text: str) -> None:
    assert prefix_of(text) is None


@pytest.mark.parametrize("separator", [": ", "：", "：\u3000", ". – ", ". — ", ". - "])
def test_b_separators_behind_names_of_cased_scripts(separator: str) -> None:
    prefix = prefix_of(f"Ann{separator}hi")

    assert prefix is not None
    assert prefix.length == len(f"Ann{separator}")


@pytest.mark.parametrize("mark", list("○◯◎●"))
def test_b_markers_in_front_of_names_without_case(mark: str) -> None:
    prefix = prefix_of(f"{mark}田中 はい")

    assert prefix is not None
    assert prefix.name == "田中"
    assert prefix_of("田中 はい") is None


JOINERS = """
    of for the and de du des del della di da do dos das la le les van von der den zu y e
"""


@pytest.mark.parametrize("joiner", JOINERS.split())
def test_b_joiners_stand_between_words_of_a_name(joiner: str) -> None:
    prefix = prefix_of(f"Ana {joiner} Cruz: hi")

    assert prefix is not None
    assert prefix.name == f"Ana {joiner} Cruz"


NOT_NAMES = """
    note notes tip warning caution important example examples answer question summary result results source sources
    see definition update edit info hint step action actions decision resolved agreed outcome status date time location
    attendees present apologies subject re to from cc title author version q a danger error figure table
    remarque nota hinweis anmerkung beispiel exemple ejemplo esempio réponse antwort respuesta risposta résumé
    zusammenfassung resumen quelle fuente fonte attention achtung atención attenzione
"""


@pytest.mark.parametrize("word", NOT_NAMES.split())
def test_b_labels_are_no_names_in_any_language(word: str) -> None:
    assert prefix_of(f"{word.capitalize()}: hi") is None
    assert prefix_of(f"{word.upper()}: hi") is None
    assert prefix_of(f"{word.capitalize()} Lee: hi") is None
    assert prefix_of(f"{word.capitalize()}son Lee: hi") is not None


@pytest.mark.parametrize("word", ["注", "例", "注意", "備考"])
def test_b_labels_are_no_names_in_scripts_without_case(word: str) -> None:
    assert prefix_of(f"{word}：あり") is None
    assert prefix_of(f"○{word} あり") is None


def test_b_a_run_may_be_a_conversation_by_the_lines_of_one_paragraph() -> None:
    """Lines are counted after a paragraph is split by them."""
    blocks = paragraphs("\n".join(["Ann: one", "Bo: two"] * 3), "It ends.", "They left.")

    assert [block.meta.get("speaker") for block in infer_speakers(blocks)] == [*["Ann", "Bo"] * 3, "Bo", "Bo"]


def test_b_a_messengers_export_in_html() -> None:
    lines = [
        "[05/03/2025, 10:14:33] ann: hi",
        "and more",
        "[05/03/2025, 10:15:00] Bo: ho",
        "[05/03/2025, 10:16:00] Bo left",
        "[05/03/2025, 10:17:00] ann: so",
    ]

    document = parsed(f"<p>{'<br>'.join(lines)}</p>", "html")

    assert [(block.text, block.meta["speaker"]) for block in document.blocks] == [
        ("hi and more", "ann"),
        ("ho", "Bo"),
        ("so", "ann"),
    ]


def test_b_names_stay_where_the_caller_named_another_profile() -> None:
    source = "Ann: one\n\nBo: two\n\nAnn: three\n\nBo: four\n"

    (first, *_) = read_blocks(Source(data=source.encode(), format="text", infer_speakers=False)).blocks

    assert (first.text, first.meta) == ("Ann: one", {})
