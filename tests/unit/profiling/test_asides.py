from app.documents.block import Block, BlockType
from app.profiling.asides import fold_asides


def heading(text: str, level: int = 2) -> Block:
    return Block(type=BlockType.HEADING, text=text, level=level, start=3, end=3 + len(text))


def paragraph(text: str) -> Block:
    return Block(type=BlockType.PARAGRAPH, text=text)


def test_a_heading_that_only_names_an_aside_becomes_a_paragraph_in_place() -> None:
    blocks = [heading("Install"), heading("Note", level=3), paragraph("Mind the step."), heading("Next")]

    folded = fold_asides(blocks)

    assert [block.type for block in folded] == [
        BlockType.HEADING,
        BlockType.PARAGRAPH,
        BlockType.PARAGRAPH,
        BlockType.HEADING,
    ]
    assert folded[1] == Block(type=BlockType.PARAGRAPH, text="Note", start=3, end=7)
    assert (folded[0], folded[2], folded[3]) == (blocks[0], blocks[2], blocks[3])


def test_every_name_of_an_aside_counts_however_it_is_written() -> None:
    names = ["Note", "TIP", "warning", "Caution:", "Important!", "Hint", " Info "]

    assert {block.type for block in fold_asides([heading(name) for name in names])} == {BlockType.PARAGRAPH}


def test_a_heading_that_says_more_stays_a_heading() -> None:
    blocks = [heading("Notes"), heading("Note on fees"), heading("Tip jar"), paragraph("Note")]

    assert fold_asides(blocks) == tuple(blocks)
