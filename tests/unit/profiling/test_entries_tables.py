from collections.abc import Sequence

import pytest

from app.documents.block import Block, BlockType
from app.documents.values import JsonValue
from app.profiling.entries_tables import LABEL_CHARS, VALUE_CHARS, Row, grid
from app.readers.tables import table_block


def rows(header: Sequence[str], *body: Sequence[str], caption: str = "") -> list[Row]:
    block = table_block(caption=caption, header=[header] if header else [], rows=body)
    assert block is not None
    table = grid(block)
    assert table is not None
    return list(table.entries())


def names(header: Sequence[str], *body: Sequence[str]) -> list[str]:
    return [row.name for row in rows(header, *body)]


SIZES = ("Size", "A series mm", "A series in", "B series mm", "B series in")


def test_a_short_index_under_column_groups_makes_an_entry_per_group() -> None:
    made = rows(SIZES, ("4", "210 × 297", "8.3 × 11.7", "250 × 353", "9.8 × 13.9"), ("5", "148 × 210", "", "", ""))

    assert [(row.name, row.group) for row in made] == [("A4", "A series"), ("B4", "B series"), ("A5", "A series")]
    assert made[1].fields == {"Size": "4", "B series mm": "250 × 353", "B series in": "9.8 × 13.9"}
    assert made[1].text == "B4\nSize: 4\nB series mm: 250 × 353\nB series in: 9.8 × 13.9"
    assert made[2].text == "A5\nSize: 5\nA series mm: 148 × 210"


def test_groups_of_one_column_are_groups_too() -> None:
    assert names(("", "A series", "B series", "C series"), ("5", "1", "2", "3")) == ["A5", "B5", "C5"]


@pytest.mark.parametrize(
    ("key", "expected"),
    [("4", ["A4", "B4"]), ("IV", ["AIV", "BIV"]), ("10a", ["A10a", "B10a"]), ("Large", ["Large"]), ("1234", ["1234"])],
)
def test_only_a_short_index_needs_the_groups_name(key: str, expected: list[str]) -> None:
    assert names(("Size", "A series", "B series"), (key, "x", "y")) == expected


@pytest.mark.parametrize(
    "header",
    [
        ("Size", "A series", "Weight"),  # one group is none
        ("Size", "IP code", "OS name"),  # these have nothing in common
        ("Size", "a series", "b series"),
    ],
)
def test_headers_that_share_no_prefix_make_no_groups(header: tuple[str, ...]) -> None:
    assert names(header, ("4", "x", "y")) == ["4"]


def test_a_row_without_a_cell_in_any_group_is_one_entry() -> None:
    made = rows(("Size", "A series", "B series", "Note"), ("4", "", "", "not made"))

    assert [(row.name, row.fields) for row in made] == [("4", {"Size": "4", "Note": "not made"})]


def test_a_column_outside_the_groups_is_in_each_entry_of_the_row() -> None:
    made = rows(("Size", "A series", "B series", "Use"), ("4", "x", "y", "letters"))

    assert [row.fields["Use"] for row in made] == ["letters", "letters"]


def test_rows_are_named_by_the_first_column_that_tells_them_apart() -> None:
    body = [("Glaze", "Blue", "2"), ("Glaze", "Red", "3"), ("Glaze", "Green", "5"), ("Clay", "White", "7")]

    assert names(("Kind", "Colour", "kg"), *body) == ["Blue", "Red", "Green", "White"]
    # A column of numbers names nothing.
    assert names(("Kind", "kg"), *((kind, kg) for kind, _, kg in body)) == ["Glaze", "Glaze", "Glaze", "Clay"]


def test_an_empty_key_cell_gives_way_to_the_next() -> None:
    assert names(("Clay", "kg"), ("Red", "4"), ("", "5")) == ["Red", "5"]


def test_a_table_without_header_has_cells_and_no_fields() -> None:
    assert rows((), ("Red", "4")) == [Row(name="Red", group="", fields={}, text="Red\n4")]


def test_columns_of_one_name_share_a_field_and_merged_cells_count_once() -> None:
    (row,) = rows(("Clay", "kg", "kg", "kg"), ("Red", "4", "4", "5"))

    assert row.fields == {"Clay": "Red", "kg": "4; 5"}


def test_the_first_row_says_every_header_in_full_and_later_ones_are_bounded() -> None:
    title = "weight " * 40
    first, second = rows(("Clay", title, "Never used"), ("Red", "4", ""), ("White", "x" * 1000, ""), caption="c " * 400)

    assert title.strip() in first.text
    assert "Never used:" in first.text
    assert ("c " * 400).strip() in first.text
    assert "Never used" not in second.text
    assert len(second.text) <= len("Table: ") + VALUE_CHARS + len("\nClay: White\n") + LABEL_CHARS + len(": ") + 1000
    # No filter asks for a thousand characters.
    assert second.fields == {"Clay": "White"}


@pytest.mark.parametrize(
    "meta",
    [
        {},
        {"caption": "", "header": ["Clay"], "rows": []},
        {"caption": "", "header": ["Clay"], "rows": [[""]]},
        {"caption": "", "header": ["Clay"], "rows": [["Red"]]},  # the text says more
        {"caption": "", "header": ["Clay"], "rows": [["Red", 4], ["White"]]},
        {"caption": "", "header": "Clay", "rows": [["Red"], ["White"]]},
        {"caption": None, "header": ["Clay"], "rows": [["Red"], ["White"]]},
    ],
)
def test_a_table_whose_rows_are_not_known_has_no_grid(meta: dict[str, JsonValue]) -> None:
    assert grid(Block(type=BlockType.TABLE, text="Clay\nRed\nWhite", meta=meta)) is None
