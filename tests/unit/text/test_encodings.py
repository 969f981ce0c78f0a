import threading
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import bpe_openai
import pytest
import regex
import tiktoken
from bpe_openai.registry import cl100k_base, o200k_base
from hypothesis import example, given
from hypothesis import strategies as st
from tiktoken.registry import ENCODINGS as LOADED
from tiktoken_ext.openai_public import r50k_pat_str

from app.errors import InvalidRequest
from app.text import downloads, encodings
from app.text.encodings import OFFLINE_ENCODINGS, encoding

README = (Path(__file__).parents[3] / "README.md").read_text("utf-8")

#: The first step of each encoding: the expression that cuts a text into words.
WORDS = {
    "cl100k_base": regex.compile(cl100k_base()["pat_str"]),
    "o200k_base": regex.compile(o200k_base()["pat_str"]),
    "p50k_base and r50k_base": regex.compile(r50k_pat_str),
}

#: Texts of what the expressions treat alike and apart: cases, marks, contractions, white space of every kind.
mixed = st.lists(
    st.sampled_from(
        [
            *("a", "Ab", "Z", "é", "ſ", "я", "字", "テ", "한", "ー", "e\u0301", "ǅ", "ª", "ʰ", "١", "7", "42", "½"),
            *("'", "'s", "'LL", "\u2019s", "/", ".", "!?", "-", "_", "。", "，", "🙂", "\u200d", "\x00", "\x1c"),
            *(" ", "  ", "\t", "\n", "\r\n", "\n\n", "\r", "\x0b", "\x85", "\u00a0", "\u2028", "\u3000"),
        ]
    ),
    max_size=30,
).map("".join)


@pytest.mark.parametrize(
    ("text", "cl100k", "o200k"),
    [
        ("", 0, 0),
        # The four that OpenAI's own guide to counting tokens prints.
        ("tiktoken is great!", 6, 6),
        ("antidisestablishmentarianism", 6, 6),
        ("2 + 2 = 4", 7, 7),
        ("お誕生日おめでとう", 9, 8),
        # `A late fee of` is four; before a number the space is a token of its own: ` `, `5`.
        ("A late fee of 5 euros is due after 30 days.", 14, 14),
    ],
)
def test_counts(text: str, cl100k: int, o200k: int) -> None:
    assert encoding("cl100k_base").count(text) == cl100k
    assert encoding("o200k_base").count(text) == o200k


@pytest.mark.parametrize("name", OFFLINE_ENCODINGS)
def test_text_that_spells_a_special_token_is_plain_text(name: str) -> None:
    # As a special token it would be one; `<`, `|` and `>` alone are three.
    assert encoding(name).count("<|endoftext|>") > 3
    assert encoding(name).count("a<|endofprompt|>b" * 2) > 10


@pytest.mark.parametrize("name", OFFLINE_ENCODINGS)
def test_an_unpaired_surrogate_counts_as_the_replacement_character(name: str) -> None:
    measure = encoding(name)
    assert measure.count("a \ud800 b") == measure.count("a \ufffd b")


@pytest.mark.parametrize("name", OFFLINE_ENCODINGS)
@given(text=st.text() | mixed)
@example("wait.\n/etc")
@example("can't'S")
@example("x \n\n  y")
def test_a_slice_ends_only_where_the_count_stays_exact(name: str, text: str) -> None:
    measure = encoding(name)
    whole = measure.count(text)
    for end in word_ends(text):
        assert measure.count(text[:end]) + measure.count(text[end:]) == whole, (text[:end], text[end:])


@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS.keys())
@given(text=st.text() | mixed)
def test_a_slice_ends_only_where_every_encoding_ends_a_word(words: "regex.Pattern[str]", text: str) -> None:
    whole = words.findall(text)
    for end in word_ends(text):
        assert words.findall(text[:end]) + words.findall(text[end:]) == whole, (text[:end], text[end:])


@pytest.mark.parametrize(
    "text", ["one two", "one\ntwo", "one.two", "a1", "水泵。检查", "Да нет", "x|y", '{"a":1}', "a\r\nb", "\u3042、"]
)
def test_there_is_an_end_of_a_word_in(text: str) -> None:
    assert word_ends(text)


def word_ends(text: str) -> list[int]:
    return [match.end() - 1 for match in encodings._WORD_ENDS.finditer(text, overlapped=True)]


@pytest.mark.parametrize("name", OFFLINE_ENCODINGS)
def test_a_long_text_counts_as_the_library_counts_it_in_one_call(name: str) -> None:
    text = (README * 30)[:600_000]
    assert len(list(encodings._slices(text))) > 9
    assert encoding(name).count(text) == len(bpe_openai.get_encoding(name).encode_ordinary(text))


@given(st.text(), st.integers(1, 8))
def test_slices_are_the_text(text: str, longest: int) -> None:
    parts = list(encodings._slices(text, longest))
    assert "".join(parts) == text
    assert all(len(part) <= longest for part in parts)
    assert all(parts[:-1])


@pytest.mark.parametrize("name", OFFLINE_ENCODINGS)
@pytest.mark.parametrize("character", ["\U00020001", "a", "1", "\n", "🙂"])
def test_the_library_takes_a_million_of_any_character(name: str, character: str) -> None:
    measure = encoding(name)
    short = measure.count(character * 40_000)
    # Twenty-five times as many, and at most two more at each of some twenty cuts; where tokens are eight characters or
    # three, the short text's last token need not be a full one.
    assert abs(measure.count(character * 1_000_000) - 25 * short) <= 25 + 2 * 20


@pytest.mark.parametrize(
    ("model", "name"),
    [
        *(("gpt-4o", "o200k_base"), ("gpt-4o-2024-08-06", "o200k_base"), ("o3", "o200k_base"), ("gpt-5", "o200k_base")),
        *(("gpt-4.1-mini", "o200k_base"), ("gpt-oss-20b", "o200k_base"), ("ft:gpt-4o:acme", "o200k_base")),
        *(("gpt-4", "cl100k_base"), ("gpt-3.5-turbo", "cl100k_base"), ("text-embedding-3-small", "cl100k_base")),
    ],
)
def test_a_model_stands_for_its_encoding(model: str, name: str) -> None:
    assert encoding(model) == encoding(name)
    assert encoding(model).name == name


@pytest.mark.parametrize("name", ["", "gpt", "cl100k", "CL100K_BASE", "claude-3"])
def test_an_unknown_name_is_answered_with_the_known_ones(name: str) -> None:
    with pytest.raises(InvalidRequest, match="cl100k_base, o200k_base, p50k_base, r50k_base") as caught:
        encoding(name)
    assert [error.pointer for error in caught.value.errors] == ["/encoding"]


#: An encoding of the old kind with a vocabulary of single bytes and one pair.
OLD = tiktoken.Encoding(
    "r50k_base",
    pat_str=r50k_pat_str,
    mergeable_ranks={bytes([byte]): byte for byte in range(256)} | {b"ab": 256},
    special_tokens={"<|endoftext|>": 257},
)


@pytest.fixture
def fresh_downloads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "_tries", {})


@pytest.mark.usefixtures("fresh_downloads")
@pytest.mark.parametrize("name", ["r50k_base", "davinci", "gpt2"])
def test_an_old_encoding_is_used_once_its_vocabulary_is_there(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setitem(LOADED, "r50k_base", OLD)
    measure = encoding(name)
    assert measure.name == "r50k_base"
    # `ab` is one token, ` ` and `a` two, and thirteen characters that spell no special token thirteen.
    assert measure.count("ab a<|endoftext|>") == 16


def fails(_name: str) -> tiktoken.Encoding:
    raise ConnectionError("no route")


@pytest.mark.usefixtures("fresh_downloads")
def test_without_a_network_an_old_encoding_is_refused_and_others_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiktoken, "get_encoding", fails)
    with pytest.raises(InvalidRequest, match=r"p50k_base can't be used.*ConnectionError.*cl100k_base and o200k") as why:
        encoding("text-davinci-003")
    assert [error.pointer for error in why.value.errors] == ["/encoding"]


@pytest.mark.usefixtures("fresh_downloads")
def test_a_failed_download_is_tried_again_after_a_while_and_not_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiktoken, "get_encoding", fails)
    with pytest.raises(InvalidRequest):
        encoding("r50k_base")
    monkeypatch.setattr(tiktoken, "get_encoding", lambda _name: OLD)
    with pytest.raises(InvalidRequest):
        encoding("r50k_base")
    monkeypatch.setattr(downloads, "_PAUSE", 0.0)
    assert encoding("r50k_base").count("ab") == 1


@pytest.mark.usefixtures("fresh_downloads")
def test_a_download_that_hangs_holds_up_its_callers_for_a_moment_only(monkeypatch: pytest.MonkeyPatch) -> None:
    arrived, started = threading.Event(), []

    def hangs(_name: str) -> tiktoken.Encoding:
        started.append(time.monotonic())
        assert arrived.wait(60)
        return OLD

    monkeypatch.setattr(tiktoken, "get_encoding", hangs)
    monkeypatch.setattr(downloads, "_PATIENCE", 0.2)
    for _ in range(3):
        with pytest.raises(InvalidRequest, match="did not arrive within"):
            encoding("r50k_base")
    assert time.monotonic() - started[0] < 10
    assert len(started) == 1
    arrived.set()
    assert eventually(lambda: encoding("r50k_base").count("ab")) == 1


def eventually(attempt: Callable[[], int]) -> int:
    for _ in range(100):
        try:
            return attempt()
        except InvalidRequest:
            time.sleep(0.05)
    return attempt()


def test_counting_lets_other_threads_run() -> None:
    measure = encoding("cl100k_base")
    text = README * 300
    counted = threading.Event()

    def count() -> None:
        measure.count(text)
        counted.set()

    worker = threading.Thread(target=count)
    looks = [time.perf_counter()]
    worker.start()
    while not counted.is_set():
        time.sleep(0.001)
        looks.append(time.perf_counter())
    worker.join()
    # In one piece it would be two looks; a busy machine may delay a few of them, hence the middle one.
    assert len(looks) > 10
    gaps = sorted(after - before for before, after in pairwise(looks))
    assert gaps[len(gaps) // 2] < 0.05
