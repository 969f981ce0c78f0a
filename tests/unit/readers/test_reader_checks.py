"""What every reader must pass besides losing nothing (readers design, section 20, checks 3, 4 and 6)."""

import hashlib
import os
import subprocess
import sys
import time

import pytest
from hypothesis import HealthCheck, given, settings

from app.documents.block import ParsedDocument
from app.ports.reader_runner import Source
from app.readers.registry import read
from tests.unit.readers.places import Document, Grammar, documents, every_place, filled, words_in
from tests.unit.readers.test_no_text_lost import GRAMMARS

WITH_OFFSETS = ("markdown", "mdx", "text", "pdf", "vtt", "srt")
#: Read in this process; Pandoc's time is its own (its limits are tested with it).
IN_PROCESS = [grammar for grammar in GRAMMARS if grammar.examples > 10]


def fingerprint() -> str:
    """A digest of all that comes of one document of each format."""
    digest = hashlib.sha256()
    for grammar in GRAMMARS:
        digest.update(repr(read(Source(data=every_place(grammar).data, format=grammar.format))).encode())
    return digest.hexdigest()


def test_another_process_reads_the_same() -> None:
    code = "from tests.unit.readers.test_reader_checks import fingerprint; print(fingerprint())"
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }

    assert found == {fingerprint()}


@pytest.mark.parametrize(
    "grammar", [one for one in GRAMMARS if one.format in WITH_OFFSETS], ids=lambda grammar: grammar.format
)
def test_places_of_blocks_grow_and_hold_their_words(grammar: Grammar) -> None:
    @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
    @given(documents(grammar))
    def run(document: Document) -> None:
        parsed = read(Source(data=document.data, format=grammar.format))
        assert isinstance(parsed, ParsedDocument)
        source, reached = parsed.source or "", 0
        for block in parsed.blocks:
            if block.start is None or block.end is None:
                continue
            assert 0 <= block.start < block.end <= len(source)
            # Notes and definitions stand at the end, wherever they are read.
            here = [word for word in words_in(block.text) if word in document.read]
            assert set(here) <= set(words_in(source[block.start : block.end]))
            if here:
                assert block.start >= reached
                reached = block.start

    run()


def seconds(grammar: Grammar, times: int) -> float:
    """The least processor time that reading takes of a document in which all places recur."""
    places = [(place, ()) for place in (*grammar.top, *grammar.inner)] * times
    source = Source(data=filled(grammar, places).data, format=grammar.format)
    taken = []
    for _ in range(3):
        start = time.process_time()
        read(source)
        taken.append(time.process_time() - start)
    return min(taken)


@pytest.mark.parametrize("grammar", IN_PROCESS, ids=lambda grammar: grammar.format)
def test_twice_the_document_takes_less_than_thrice_the_time(grammar: Grammar) -> None:
    once = seconds(grammar, 20)

    assert seconds(grammar, 40) < 3 * max(once, 0.002)
