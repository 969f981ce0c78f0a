"""Every reader on mutilated documents: a result or one of our errors, whatever comes.

The golden documents, and one of all that a format can hold, are cut, repeated, shuffled and sprinkled with marks.
`FUZZ_EXAMPLES` says how many mutations each format gets; `make fuzz` runs many more than the test suite does.
"""

import contextlib
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.documents.block import ParsedDocument
from app.errors import BadInput
from app.ports.reader_runner import Source
from app.readers.registry import READERS, read
from tests.unit.readers.places import every_place
from tests.unit.readers.test_no_text_lost import GRAMMARS

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "40"))
SOURCES = Path(__file__).parent.parent / "golden" / "sources"
#: Marks of many formats, and bytes that nobody likes.
MARKS = (
    *(b"```", b"~~~", b"|", b"[[", b"](", b"<", b"</", b"<!--", b"-->", b"<![CDATA[", b"&#", b"{", b"}", b"$$"),
    *(b"\\begin{", b"\\end{", b"::", b".. ", b"====", b"----", b"#+", b"[^", b"- ", b"1. ", b"\t", b'"', b"'"),
    *(b"00:00:01.000 --> ", b"&a *a", b"!!python/object", b"\r\n", b"\f", b"\x00", b"\xff", b"\xef\xbb\xbf"),
    *(b"\xe2\x80\x8b", b"\xf0\x9f\x98\x80", b"\xed\xa0\x80"),
)


def samples(name: str) -> list[bytes]:
    """The golden documents of a format, and those of its places."""
    found = sorted((SOURCES / name).glob("*")) if (SOURCES / name).is_dir() else []
    made = [every_place(grammar).data for grammar in GRAMMARS if grammar.format == name]
    return [*(path.read_bytes()[:20_000] for path in found), *made]


@st.composite
def mutilated(draw: st.DrawFn, sample: bytes) -> bytes:
    """A document after up to eight cuts, repetitions, moves and insertions."""
    data = sample
    for _ in range(draw(st.integers(1, 8))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(len(data), start + 2_000)))
        piece = data[start:end]
        kind = draw(st.sampled_from(["cut", "repeat", "move", "mark", "flood"]))
        if kind == "cut":
            data = data[:start] + data[end:]
        elif kind == "repeat":
            data = data[:end] + piece * draw(st.integers(1, 4)) + data[end:]
        elif kind == "move":
            at = draw(st.integers(0, len(data)))
            data = data[:at] + piece + data[at:]
        else:
            times = draw(st.integers(1, 300)) if kind == "flood" else 1
            data = data[:start] + draw(st.sampled_from(MARKS)) * times + data[start:]
    return data


@pytest.mark.slow
@pytest.mark.timeout(120 + 2 * EXAMPLES)
@pytest.mark.parametrize("name", [reader.format for reader in READERS])
def test_a_reader_gives_a_result_or_one_of_our_errors(name: str) -> None:
    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def run(data: st.DataObject) -> None:
        document = data.draw(mutilated(data.draw(st.sampled_from(samples(name)))))
        parsed = None
        with contextlib.suppress(BadInput):
            parsed = read(Source(data=document, format=name))
        if isinstance(parsed, ParsedDocument):
            # A block list keeps blank blocks, whose indexes the caller counts by.
            assert name == "blocks" or all(block.text.strip() for block in parsed.blocks)
            assert all("\x00" not in block.text for block in parsed.blocks)

    run()
