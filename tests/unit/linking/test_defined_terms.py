import time

import pytest

from app.linking.defined_terms import defined_terms, entry_terms, is_heading_of_definitions


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ('"Fee" means the price of a service.', ["Fee"]),
        ("“Late Fee” shall mean two percent.", ["Late Fee"]),
        ('"Customer" or "Buyer" means whoever orders.', ["Buyer", "Customer"]),
        ('"Customer" or "you" means whoever orders.', ["Customer"]),
        ("**Fee**: the price.", ["Fee"]),
        ("**Fee:** the price.", ["Fee"]),
        ("**Fee** – the price.", ["Fee"]),
        ('"Fee": the price.', ["Fee"]),
        ("Fee means the price.", ["Fee"]),
        ("The Supplier means Acme Ltd.", ["Supplier"]),
        ("(a) Working Day is defined as any day but Sunday.", ["Working Day"]),
        ("- Confidential Information has the meaning given below.", ["Confidential Information"]),
        ('Acme Ltd (hereinafter the "Supplier") sells pumps.', ["Supplier"]),
        ("„Gebühr“ bezeichnet den Preis.", ["Gebühr"]),
        ("„Gebühr“ heißt der Preis.", ["Gebühr"]),
        ("Gebühr bedeutet den Preis.", ["Gebühr"]),
        ("« Redevance » désigne le prix.", ["Redevance"]),
        ("« Client » s'entend de l'acheteur.", ["Client"]),
        ("Se entiende por «Tarifa» el precio.", ["Tarifa"]),
        ("Las «Tarifas» significan los precios.", ["Tarifas"]),
        ('"Fee" means the price.\n"Term" means one year.', ["Fee", "Term"]),
        ("This means that nothing is due.", []),
        ("It means nothing.", []),
        ('He said "hello" and left.', []),
        ("**Note:** mind the step.", []),
        ("The fee by all means is due.", []),
        ("Pay at noon: not later.", []),
        ("", []),
    ],
)
def test_definitions_are_known_by_how_they_are_written(text: str, terms: list[str]) -> None:
    assert sorted(defined_terms(text)) == terms


def test_entries_are_read_where_definitions_are_known_to_be() -> None:
    assert entry_terms("Fee: the price.\nWorking Day – any day.\nNote: not all.\nSee below.") == ["Fee", "Working Day"]


@pytest.mark.parametrize(
    ("heading", "defines"),
    [
        ("Terms > 1 Definitions", True),
        ("Interpretation", True),
        ("§ 1 Begriffsbestimmungen", True),
        ("1. Définitions", True),
        ("Definiciones", True),
        ("Fees", False),
        ("", False),
    ],
)
def test_a_heading_of_definitions_is_known_by_its_words(heading: str, *, defines: bool) -> None:
    assert is_heading_of_definitions(heading) is defines


@pytest.mark.parametrize("repeated", ['"a', '"A" b ', "**a", "__a", "(", '("', "- A", "\n- A", "«", "Aa "])
def test_no_text_takes_long(repeated: str) -> None:
    def seconds(times: int) -> float:
        started = time.process_time()
        defined_terms(repeated * times)
        entry_terms(repeated * times)
        return time.process_time() - started

    small = min(seconds(1_000) for _ in range(3))

    assert min(seconds(8_000) for _ in range(2)) < max(0.2, 8 * small * 2.5)
