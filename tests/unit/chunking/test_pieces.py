import pytest

from app.chunking import pieces
from app.chunking.measure import ApproximateTokens
from app.chunking.pieces import sentences
from app.chunking.sections import BodyBlock
from app.documents.block import Block, BlockType


def test_a_long_block_is_compared_with_its_source_once_however_many_sentences_it_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "第一条水泵必须每日检查。" * 400
    compared: list[Block] = []

    def compare(_source: str, block: Block) -> bool:
        compared.append(block)
        return True

    monkeypatch.setattr(pieces, "_reads_alike", compare)
    block = Block(type=BlockType.PARAGRAPH, text=text, start=2, end=2 + len(text))

    found = sentences(BodyBlock(0, block), ApproximateTokens(4.0), f"# {text}")

    assert len(found) == 400
    assert compared == [block]
    assert [(piece.start, piece.end) for piece in found[:2]] == [(2, 14), (14, 26)]
