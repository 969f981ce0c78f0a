from app.documents.block import Block, BlockType
from app.readers.list_tree import BULLET, Item, NestedList, defined, list_blocks, numbered


def texts(items: list[Item]) -> list[str]:
    return [f"{block.type} | {block.text}" for block in list_blocks(items)]


def test_nested_items_and_a_block_inside_an_item() -> None:
    code = Block(type=BlockType.CODE, text="volt --check")
    leads = NestedList((Item(numbered(1), ("red lead",)), Item(numbered(2), ("black lead",))))
    items = [
        Item(BULLET, ("unpack",)),
        Item(BULLET, ("connect", leads, code)),
        Item(BULLET, ("close the lid",)),
    ]

    assert texts(items) == [
        "list | - unpack\n- connect\n  1. red lead\n  2. black lead",
        "code | volt --check",
        "list | - close the lid",
    ]


def test_further_text_joins_its_line_and_goes_deeper_after_a_nested_list() -> None:
    items = [Item(BULLET, ("one", "more", NestedList((Item(BULLET, ("two",)),)), "last"))]

    assert texts(items) == ["list | - one more\n  - two\n  last"]


def test_definitions_and_empty_items() -> None:
    items = [Item(defined(["Cone", "Orton cone"]), ("heat mark",)), Item(defined(["Kiln"])), Item(BULLET)]

    assert texts(items) == ["list | - Cone, Orton cone: heat mark\n- Kiln:"]


def test_ten_thousand_levels_need_no_recursion() -> None:
    item = Item(BULLET, ("leaf",))
    for _ in range(10_000):
        item = Item(BULLET, (NestedList((item,)),))

    (block,) = list_blocks([item])

    assert block.text.strip() == "- leaf"


def test_a_definition_that_begins_with_code_has_its_term_in_front() -> None:
    code = Block(type=BlockType.CODE, text="volt --check")
    items = [Item(BULLET, (NestedList((Item(defined(["Check"]), (code, "after")),)),)), Item(BULLET, (code,))]

    assert texts(items) == [
        "list |   - Check:",
        "code | volt --check",
        "list |     after",
        "code | volt --check",
    ]
