from app.terms.stored import exact_query, folded_query, stored_exact, stored_folded


def test_a_folded_term_is_marked_with_its_language() -> None:
    assert stored_exact("pump") == "pump"
    assert stored_folded("pump", "de") == "~de:pump"


def test_a_long_term_is_stood_for_by_its_hash() -> None:
    kept, hashed = stored_exact("x" * 200), stored_exact("x" * 201)
    assert kept == "x" * 200
    assert hashed[0] == "#"
    assert len(hashed) == 65
    assert stored_exact("x" * 202) != hashed
    # 101 characters of two bytes each.
    assert stored_folded("ä" * 101, "de").startswith("~de:#")


def test_a_question_has_each_term_once_in_byte_order() -> None:
    assert exact_query("Pump, pump: valve élan abc") == ["abc", "pump", "valve", "élan"]
    assert folded_query("Häuser pumps", ["en", "de"]) == ["~de:haus", "~de:pumps", "~en:hauser", "~en:pump"]
