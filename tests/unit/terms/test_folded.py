import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.terms.folded import folded_terms
from app.terms.languages import STEMMERS, folding_language


@pytest.mark.parametrize(
    ("text", "language", "terms"),
    [
        ("Pumps were running", "en", ["pump", "were", "run"]),
        ("Pumps were running", None, ["pump", "were", "run"]),
        ("Häuser", "de", ["haus"]),
        ("Straße", "de-CH", ["strass"]),
        # Another language's stemmer leaves the word, less its accent.
        ("Häuser", "en", ["hauser"]),
        ("cafe\u0301 café CAFÉ", "fr", ["caf", "caf", "caf"]),
        ("İstanbul IRMAK ılık", "tr", ["istanbul", "irmak", "ılık"]),
        ("Wasser\u00adpumpe", "de", ["wasserpump"]),
        ("ﬁre ½ ①", "en", ["fire", "1", "2", "1"]),
        ("l'article 3 C", "en", ["articl", "3"]),
        ("", "en", []),
        ("… — !", "en", []),
    ],
)
def test_words_lose_inflections_and_accents(text: str, language: str | None, terms: list[str]) -> None:
    assert folded_terms(text, language) == terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("第一条水泵", ["第一", "一条", "条水", "水泵"]),
        ("水", ["水"]),
        ("泵。水", ["泵", "水"]),
        ("がか", ["がか"]),
        ("PDF変換ツール", ["pdf", "変換", "換ツ", "ツー", "ール"]),
        ("ภาษา", ["ภา", "าษ", "ษา"]),
        # Hangul is written with spaces; a syllable alone may be a word.
        ("물 한국어", ["물", "한국어"]),
    ],
)
def test_scripts_without_spaces_become_pairs(text: str, terms: list[str]) -> None:
    assert folded_terms(text, None) == terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("getUserName", ["get", "user", "name", "getusernam"]),
        ("HTTPServer", ["http", "server", "httpserver"]),
        ("snake_case", ["snake", "case", "snake_case"]),
        ("__init__", ["init"]),
        ("ERR-4042", ["err", "4042", "err-4042"]),
        ("v1.4.2.", ["v1", "4", "2", "v1.4.2"]),
        ("ERR\u20104042", ["err", "4042", "err-4042"]),
        ("e.g. this", ["e.g", "this"]),
        ("getUser-by_id", ["get", "user", "getus", "by", "id", "getuser-by_id"]),
        ("Pump PUMP pump p2", ["pump", "pump", "pump", "p2"]),
        ("a--b wait...what", ["wait", "what"]),
    ],
)
def test_identifiers_are_their_parts_and_the_whole(text: str, terms: list[str]) -> None:
    assert folded_terms(text, "en") == terms


def test_an_endless_identifier_has_its_parts_only() -> None:
    assert folded_terms("ab-" * 50 + "cd", "en") == ["ab"] * 50 + ["cd"]


@given(st.text(max_size=60), st.sampled_from([*STEMMERS, None]))
def test_no_text_breaks_folding_and_no_term_is_empty(text: str, language: str | None) -> None:
    assert all(folded_terms(text, language))


@given(st.text(st.characters(codec="utf-8"), max_size=30), st.text(st.characters(codec="utf-8"), max_size=30))
def test_lines_are_folded_one_by_one(first: str, second: str) -> None:
    assert folded_terms(f"{first}\n{second}", "de") == folded_terms(first, "de") + folded_terms(second, "de")


def test_threads_fold_alike() -> None:
    text = " ".join(f"running{number} Häuser{number}" for number in range(300))
    expected = folded_terms(text, "de")
    results: list[list[str]] = []
    threads = [threading.Thread(target=lambda: results.append(folded_terms(text, "de"))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 4


@pytest.mark.parametrize(
    ("language", "folding"),
    [("en", "en"), ("EN-us", "en"), ("de_AT", "de"), ("zh", "en"), (None, "en"), ("", "en"), ("nb-NO", "nb")],
)
def test_every_language_has_a_stemmer(language: str | None, folding: str) -> None:
    assert folding_language(language) == folding
