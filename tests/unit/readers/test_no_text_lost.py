"""Nothing readable is lost, in any format (readers design, section 20, check 3; markup design, section 10, check 2)."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings

from app.documents.block import Block, ParsedDocument, ParsedExport
from app.documents.markup import Parsed, ParsedMarkup, Subtree, SubtreeSizes
from app.ports.reader_runner import Source
from app.readers.registry import DATA_FORMATS, READERS, read
from tests.unit.readers.places import Document, Grammar, documents, every_place, faults, words_in
from tests.unit.readers.places_data import GRAMMARS as DATA
from tests.unit.readers.places_made import GRAMMARS as MADE
from tests.unit.readers.places_packages import GRAMMARS as PACKAGES
from tests.unit.readers.places_pandoc import GRAMMARS as PANDOC
from tests.unit.readers.places_typed import GRAMMARS as TYPED

GRAMMARS = (*TYPED, *PANDOC, *MADE, *PACKAGES, *DATA)


#: Sizes at which data files are cut: as one unit, and into many.
SIZES = (SubtreeSizes(), SubtreeSizes(most=30, small=8))


def read_and_check(grammar: Grammar, document: Document) -> None:
    for sizes in SIZES if grammar.format in DATA_FORMATS else SIZES[:1]:
        source = Source(data=document.data, format=grammar.format, subtrees=sizes)
        assert faults(document, read(source)) == []


def test_every_format_has_places() -> None:
    # A chat log has no places: that none of its texts is lost has a property of its own (`chat_logs`).
    formats = sorted(reader.format for reader in READERS if reader.format != "chat")
    assert sorted(grammar.format for grammar in GRAMMARS) == formats


@pytest.mark.parametrize("grammar", GRAMMARS, ids=lambda grammar: grammar.format)
def test_every_place_is_read_once_and_in_order(grammar: Grammar) -> None:
    read_and_check(grammar, every_place(grammar))


@pytest.mark.parametrize("grammar", GRAMMARS, ids=lambda grammar: grammar.format)
def test_places_in_any_order_and_in_each_other_are_read(grammar: Grammar) -> None:
    @settings(max_examples=grammar.examples, deadline=None, suppress_health_check=list(HealthCheck))
    @given(documents(grammar))
    def run(document: Document) -> None:
        read_and_check(grammar, document)

    run()


@pytest.mark.parametrize("grammar", GRAMMARS, ids=lambda grammar: grammar.format)
def test_a_piece_that_is_lost_or_said_twice_is_noticed(grammar: Grammar) -> None:
    """The check itself."""
    document = every_place(grammar)
    parsed = read(Source(data=document.data, format=grammar.format))
    assert not isinstance(parsed, ParsedExport)
    for spoiled in spoiled_ways(parsed):
        assert faults(document, spoiled) != []


def spoiled_ways(parsed: ParsedDocument | ParsedMarkup) -> Iterator[Parsed]:
    """What was read without one of its pieces, and with it twice, for each piece that has words of ours."""
    pieces: tuple[Block | Subtree, ...] = parsed.blocks if isinstance(parsed, ParsedDocument) else parsed.subtrees
    for at, piece in enumerate(pieces):
        if words_in(piece.text):
            for others in ((), (piece, piece)):
                changed = (*pieces[:at], *others, *pieces[at + 1 :])
                if isinstance(parsed, ParsedDocument):
                    yield replace(parsed, blocks=tuple(one for one in changed if isinstance(one, Block)))
                else:
                    yield replace(parsed, subtrees=tuple(one for one in changed if isinstance(one, Subtree)))
