import asyncio
import os
import resource
import signal
import sys
import time
from collections.abc import AsyncIterator

import pytest

from app.adapters import reader_process
from app.adapters.reader_process import ReaderPool
from app.documents.block import Block, BlockType, ParsedDocument
from app.documents.markup import ParsedMarkup, Subtree, SubtreeSizes
from app.errors import BadInput, MalformedDocument, ReaderLimit, UnknownFormat
from app.ports.reader_runner import Source

pytestmark = pytest.mark.anyio


def what_a_child_sees(source: Source, _seconds: float) -> list[bytes]:
    """Reads nothing: tells about the process it runs in."""
    match source.data:
        case b"kill":
            os.kill(os.getpid(), signal.SIGKILL)
        case b"sleep":
            time.sleep(60)
        case b"hoard":
            bytearray(2_000_000_000)
        case b"spin":
            # Nobody may watch the clock: the child's own limit ends it.
            resource.setrlimit(resource.RLIMIT_CPU, (1, resource.RLIM_INFINITY))
            while True:
                pass
    modules = " ".join(name for name in sys.modules if name.startswith(("app.", "tests", "fastapi", "sqlalchemy")))
    return reader_process.sliced(ParsedDocument(blocks=(Block(type=BlockType.CODE, text=f"{os.getpid()}\n{modules}"),)))


@pytest.fixture
async def pool() -> AsyncIterator[ReaderPool]:
    pool = ReaderPool(processes=1, seconds=30, memory_mb=1024)
    yield pool
    await pool.close()


@pytest.fixture
def peeking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_process, "_read", what_a_child_sees)


async def blocks_of(pool: ReaderPool, source: Source) -> tuple[Block, ...]:
    parsed = await pool.read(source)
    assert isinstance(parsed, ParsedDocument)
    return parsed.blocks


async def test_a_document_crosses_whole(pool: ReaderPool) -> None:
    document = await pool.read(Source(data=b"# Pump\n\n- a\n", format="markdown"))

    assert document == ParsedDocument(
        blocks=(
            Block(type=BlockType.HEADING, text="Pump", level=1, start=0, end=6),
            Block(type=BlockType.LIST, text="- a", start=8, end=11),
        ),
        source="# Pump\n\n- a\n",
        encoding="utf-8",
    )


async def test_subtrees_cross_as_well_cut_to_the_sizes_asked_for(pool: ReaderPool) -> None:
    source = Source(data=b"a: 1\nb: {c: some words, d: 2}\n", format="yaml", subtrees=SubtreeSizes(most=20, small=4))

    assert await pool.read(source) == ParsedMarkup(
        subtrees=(
            Subtree(label="(top level)", path=(), text="a: 1", meta={"path": [], "lines": [0, 1]}),
            Subtree(label="b", path=("b",), text="b: {c: some words, d: 2}", meta={"path": ["b"], "lines": [1, 2]}),
        ),
        data={"format": "yaml", "layout": "source"},
        encoding="utf-8",
    )


@pytest.mark.parametrize(
    ("source", "error", "detail"),
    [
        (Source(data=b"%PDF-1.7", format="markdown"), UnknownFormat, "a PDF file"),
        (Source(data=b"[1]", format="blocks"), MalformedDocument, "Item 0 is not an object."),
    ],
)
async def test_what_a_reader_refuses_arrives_as_the_same_error(
    pool: ReaderPool, source: Source, error: type[BadInput], detail: str
) -> None:
    with pytest.raises(error) as raised:
        await pool.read(source)

    assert type(raised.value) is error
    assert detail in raised.value.detail
    assert raised.value.errors == ()


@pytest.mark.parametrize("data", [b"kill", b"hoard", b"spin"])
@pytest.mark.usefixtures("peeking")
async def test_a_document_that_ends_or_fills_its_process_is_refused_and_the_pool_goes_on(
    pool: ReaderPool, data: bytes
) -> None:
    with pytest.raises(ReaderLimit):
        await pool.read(Source(data=data, format="text"))

    assert await blocks_of(pool, Source(data=b"", format="text"))


@pytest.mark.usefixtures("peeking")
async def test_a_document_that_takes_too_long_is_refused_and_the_loop_stays_free() -> None:
    pool = ReaderPool(processes=1, seconds=0.5, memory_mb=1024)
    turns = 0
    reading = asyncio.create_task(pool.read(Source(data=b"sleep", format="text")))
    while not reading.done():
        await asyncio.sleep(0.01)
        turns += 1

    with pytest.raises(ReaderLimit, match="longer than"):
        await reading
    assert turns > 10
    assert await blocks_of(pool, Source(data=b"", format="text"))
    await pool.close()


@pytest.mark.usefixtures("peeking")
async def test_a_child_imports_readers_and_is_replaced_after_a_while(
    pool: ReaderPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    [block] = await blocks_of(pool, Source(data=b"", format="text"))
    child, modules = block.text.split("\n")

    assert int(child) != os.getpid()
    assert not {"fastapi", "sqlalchemy", "app.cli", "app.wiring", "app.settings"} & set(modules.split())

    monkeypatch.setattr(reader_process, "_DOCUMENTS_PER_CHILD", 1)
    replaced = ReaderPool(processes=1, seconds=30, memory_mb=1024)
    children = [(await blocks_of(replaced, Source(data=b"", format="text")))[0].text.split("\n")[0] for _ in range(2)]
    await replaced.close()

    assert len(set(children)) == 2
