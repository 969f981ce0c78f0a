from app.readers.tables import Cell, spread, table_block


def test_merged_cells_are_repeated_and_header_rows_joined() -> None:
    header = spread([[Cell("Year", rows=2), Cell("Sales", columns=2)], [Cell("web"), Cell("store")]])

    block = table_block(caption="Shop", header=header, rows=[["2024", "11", "7"]])

    assert block is not None
    assert block.text == "Table: Shop\nYear | Sales web | Sales store\n2024 | 11 | 7"
    assert block.meta == {
        "caption": "Shop",
        "header": ["Year", "Sales web", "Sales store"],
        "rows": [["2024", "11", "7"]],
    }


def test_a_span_of_no_rows_reaches_the_end_and_wide_spans_are_cut() -> None:
    assert spread([[Cell("a", rows=0), Cell("b")], [Cell("c")], [Cell("d")]]) == [["a", "b"], ["a", "c"], ["a", "d"]]
    assert len(spread([[Cell("a", columns=5000)]])[0]) == 100


def test_rows_reach_down_on_both_sides_of_a_cell() -> None:
    rows = [[Cell("a", rows=2), Cell("b"), Cell("c", rows=3)], [Cell("d")], [Cell("e"), Cell("f")]]

    assert spread(rows) == [["a", "b", "c"], ["a", "d", "c"], ["e", "f", "c"]]


def test_empty_rows_go_and_short_ones_are_filled() -> None:
    block = table_block(caption="", header=[], rows=[["", " "], ["a"], ["b", "c"]])

    assert block is not None
    assert block.text == "a |\nb | c"
    assert block.meta["rows"] == [["a", ""], ["b", "c"]]


def test_a_table_without_text_is_none() -> None:
    assert table_block(caption="Empty", header=[["", ""]], rows=[["", ""]]) is None
