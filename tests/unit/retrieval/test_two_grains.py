"""Scoring candidates at two grains."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from app.retrieval.pieces import PIECE_CHARS
from app.retrieval.two_grains import TwoGrains
from tests.builders import a_hit, a_unit

FILLER = "The shop opens at nine and closes at six on every day of the week but one. "


def test_pieces_are_whole_sentences_of_about_300_characters() -> None:
    hit = a_hit(FILLER * 10)
    pieces = TwoGrains("shop", [hit]).pieces(hit, 0)
    # A sentence takes 75 characters with its space: four of them fill a piece.
    assert [piece.end - piece.start for piece in pieces] == [300, 300, 150]
    assert "".join(hit.unit.text[piece.start : piece.end] for piece in pieces) == hit.unit.text


def test_a_longer_sentence_is_a_piece_of_its_own() -> None:
    text = "Pay. " + "Word " * 100 + "end. Go."
    pieces = TwoGrains("pay", [a_hit(text)]).pieces(a_hit(text), 0)
    assert [text[piece.start : piece.end].strip()[-4:] for piece in pieces] == ["Pay.", "end.", "Go."]


def test_items_rows_and_lines_of_code_are_pieces_where_there_are_no_sentences() -> None:
    items = [f"- item {number} of a long list without full stops, such as people write\n" for number in range(1, 9)]
    rows = [f"| row {number} | of a table without full stops, such as people write |\n" for number in range(1, 9)]
    code = [f"    call_number({number})\n" for number in range(10, 99)]
    for lines in (items, rows, code):
        hit = a_hit("".join(lines))
        pieces = TwoGrains("item row call", [hit]).pieces(hit, 0)
        assert len(pieces) > 1
        assert max(piece.end - piece.start for piece in pieces) <= PIECE_CHARS
        assert all(hit.unit.text[: piece.end].endswith("\n") for piece in pieces)


def test_the_piece_that_holds_the_question_scores_highest() -> None:
    hit = a_hit(FILLER * 4 + "A refund takes five days. " + FILLER * 4)
    pieces = TwoGrains("refund days", [hit]).pieces(hit, 0)
    best = max(pieces, key=lambda piece: piece.score)
    assert best.score == 1.0
    assert "refund" in hit.unit.text[best.start : best.end]


def test_pieces_start_where_they_are_asked_to() -> None:
    hit = a_hit(a_unit("A refund takes five days.", path=("Refunds",)))
    [piece] = TwoGrains("refund", [hit]).pieces(hit, len("[Refunds]\n\n"))
    assert hit.unit.text[piece.start : piece.end] == "A refund takes five days."


def test_suffixes_are_folded() -> None:
    hit = a_hit(FILLER * 4 + "Refunded orders are listed. " + FILLER * 4)
    pieces = TwoGrains("refunding an order", [hit]).pieces(hit, 0)
    best = max(pieces, key=lambda piece: piece.score)
    assert "Refunded" in hit.unit.text[best.start : best.end]


def test_each_unit_is_folded_in_its_own_language() -> None:
    # A German stemmer takes Gebühren and Gebühr for one word, an English one doesn't.
    german = a_hit("Die Gebühren sind hoch.", language="de")
    [piece] = TwoGrains("Gebühr", [german, a_hit("Nothing here.")]).pieces(german, 0)
    assert piece.score == 1.0


def test_order_is_unit_score_and_half_the_best_piece() -> None:
    # Shares of the best unit 1, 0.8 and 0.6; only the last unit has a piece with both words.
    hits = [
        a_hit("A refund. " + FILLER * 8 + "Five days.", ordinal=0, score=10.0),
        a_hit("Nothing of the kind.", ordinal=1, score=8.0),
        a_hit("A refund takes five days.", ordinal=2, score=6.0),
    ]
    ordered = TwoGrains("refund five days", hits).ordered()
    assert [hit.unit.id for hit in ordered] == ["p1", "p3", "p2"]
    assert ordered[1].score == 0.6 + 0.5
    assert ordered[2].score == 0.8


def test_equal_scores_go_by_words_as_written_then_as_they_came() -> None:
    hits = [a_hit(text, ordinal=ordinal) for ordinal, text in enumerate(["Refunds.", "Refunding.", "Refund."])]
    assert [hit.unit.text for hit in TwoGrains("refund", hits).ordered()] == ["Refund.", "Refunds.", "Refunding."]


def test_nothing_to_score() -> None:
    assert TwoGrains("refund", []).ordered() == []
    stranger = a_hit("A refund takes five days.")
    [piece] = TwoGrains("refund", []).pieces(stranger, 0)
    assert piece.score == 0.0


@given(st.text(alphabet="ab .!?\n水。🙂", max_size=300), st.integers(0, 20))
def test_pieces_cover_all_text_in_order_without_blank_ones(text: str, start: int) -> None:
    hit = a_hit(text)
    pieces = TwoGrains("ab", [hit]).pieces(hit, start, size=PIECE_CHARS // 10)
    assert all(a.end <= b.start for a, b in pairwise(pieces))
    covered = "".join(text[piece.start : piece.end] for piece in pieces)
    assert "".join(covered.split()) == "".join(text[start:].split())
    assert not any(text[piece.start : piece.end].isspace() for piece in pieces)
