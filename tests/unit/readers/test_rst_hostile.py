import random
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.documents.block import ParsedDocument
from app.errors import BadInput, TooDeep
from tests.unit.readers.reading import parsed

SAMPLE = Path(__file__).parents[2] / "golden" / "sources" / "rst" / "taps-reference.rst"


@pytest.mark.parametrize(
    "unit",
    ["*a ", "**a ", "`a ", "``a ", "|a ", ":a:`b ", "a_ ", "[1]_ ", "`a <", "-a", "a:", "a", "[", '"', "<", "|", "\\*"],
)
def test_a_megabyte_of_marks_is_read(unit: str) -> None:
    document = parsed("x " + unit * (1_000_000 // len(unit)), "rst")

    assert len(document.blocks) == 1
    assert len(document.blocks[0].text) > 300_000


def test_what_would_take_too_long_is_read_as_plain_text_with_a_warning() -> None:
    document = parsed("before *em*\n\n" + "*a " * 20_000 + "\n\nafter *em*\n", "rst")

    assert [block.text[:9] for block in document.blocks] == ["before em", "*a *a *a ", "after em"]
    assert document.warnings == ("The markup at line 3 could not be read; that part was read as plain text.",)


@pytest.mark.parametrize(
    "unit",
    [
        "- a\n",
        ":a: b\n",
        "-a  b\n",
        "a\n  b\n",
        ".. [#] x\n",
        ".. |a| replace:: b\n\n",
        ".. foo::\n\n",
        "+---+---+\n| a | b |\n",
        "  a\n\n  -- b\n\n",
        "::\n\n> a\n\n",
        "Title\n=====\n\n",
        "text\n\n- a\n\n",
    ],
)
def test_many_small_constructs_are_read(unit: str) -> None:
    parsed(unit * (30_000 // len(unit)), "rst")


@pytest.mark.parametrize(
    "text",
    [
        "".join(" " * depth + "a\n\n" for depth in range(400)),
        "".join("  " * depth + "- a\n\n" for depth in range(400)),
        "".join("   " * depth + ".. note::\n\n" for depth in range(400)),
    ],
)
def test_too_deep_is_said_so(text: str) -> None:
    with pytest.raises(TooDeep):
        parsed(text, "rst")


def test_substitutions_do_not_explode() -> None:
    bomb = ".. |a0| replace:: ha\n" + "".join(
        f".. |a{level}| replace:: {' '.join([f'|a{level - 1}|'] * 10)}\n" for level in range(1, 12)
    )
    document = parsed(bomb + "\nx |a11| y\n", "rst")

    assert sum(len(block.text) for block in document.blocks) < 100_000
    assert document.warnings == ("Substitutions that would have made the document too long were left as they are.",)


def test_no_file_is_opened_and_no_address_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        "\n\n".join(
            f".. {name}:: x\n   :{option}: {where}"
            for name in ("include", "literalinclude", "raw", "csv-table", "image", "figure", "parsed-literal")
            for option in ("file", "url", "literal")
            for where in ("/etc/passwd", "file:///etc/passwd", "http://198.51.100.1/")
        )
        + "\n\n.. include:: /etc/passwd\n\n.. include:: <isonum.txt>\n"
    )
    parsed("warm\n", "rst")

    def refuse(*_args: object, **_kwargs: object) -> None:
        raise AssertionError("opened")

    monkeypatch.setattr(Path, "open", refuse)
    monkeypatch.setattr("builtins.open", refuse)
    monkeypatch.setattr(socket, "socket", refuse)
    document = parsed(text, "rst")

    assert not any("root:" in block.text for block in document.blocks)


@given(st.text(alphabet="*`|_:.<>\\- =~+#[]()\n\t a1", max_size=200))
def test_any_text_is_read(text: str) -> None:
    assert isinstance(parsed(text, "rst"), ParsedDocument)


@given(st.integers(0, 2**32))
def test_a_mutated_document_gives_blocks_or_a_named_error(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - damage, not cryptography
    text = SAMPLE.read_text(encoding="utf-8")
    for _ in range(chance.randrange(1, 8)):
        at, length, source = (chance.randrange(len(text)) for _ in range(3))
        text = text[:at] + text[source : source + length % 40] + text[at + length % 40 :]
    try:
        assert isinstance(parsed(text, "rst"), ParsedDocument)
    except BadInput as error:
        pytest.fail(error.detail)
