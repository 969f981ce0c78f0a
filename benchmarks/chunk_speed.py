"""How fast documents are chunked on one core, beside other chunkers: `python -m benchmarks.chunk_speed [PATH]`.

Takes the Markdown under PATH (by default `examples/`), file by file and repeated to 2.5 MB where it is less. Prints
the peak memory of a process that chunks 20 MB; then megabytes of source per second of CPU time, best of three; then how
CPU time grows when a document doubles, which should stay under three times as long.

`read and chunk` begins with bytes, as the service does; `chunk` begins with blocks. A peer begins with text.
"""

import argparse
import multiprocessing
import resource
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from time import process_time

from app.chunking import topic
from app.chunking.budget import chunk_by_budget
from app.chunking.measure import ApproximateTokens, Characters, Measure, RealTokens
from app.documents.block import ParsedDocument
from app.documents.budget import BudgetOptions, Unit
from app.documents.chunk import Chunking
from app.documents.config import Config
from app.ports.reader_runner import Source
from app.readers.registry import read_blocks
from app.text.encodings import DEFAULT_ENCODING, encoding
from benchmarks.peers import chonkie, installed, langchain, semantic

MB = 1_000_000
LEAST = 2_500_000
ROUNDS = 3
#: Code points of the documents that grow.
SIZES = (2_500_000, 5_000_000, 10_000_000, 20_000_000)
#: One long text: some peers are far slower on it than file by file.
LONG = 4_000_000
SIZE, OVERLAP = 1024, 128
TOKENS, OVERLAP_TOKENS = 256, 32
PEERS = (
    partial(semantic, "Markdown", SIZE),
    partial(semantic, "Markdown", SIZE, OVERLAP),
    partial(langchain, SIZE),
    partial(langchain, SIZE, OVERLAP),
    partial(chonkie, SIZE),
)
#: Inputs that stall splitters, by the characters asked for (cases design, P16).
HOSTILE: tuple[tuple[str, Callable[[int], str]], ...] = (
    ("single line breaks", lambda n: "a\n" * (n // 2)),
    ("the same, and a blank line at the end", lambda n: "a\n" * (n // 2) + "\n"),
    ("lines of words", lambda n: "some words in a line\n" * (n // 21)),
    ("blank-separated lines", lambda n: "a line of text\n\n" * (n // 16)),
)

Chunker = Callable[[ParsedDocument], Chunking]


def seconds(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """CPU seconds of the fastest round."""
    return min(_once(work) for _ in range(rounds))


def _once(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start


def markdown_of(folder: Path) -> list[str]:
    """Read the Markdown files of a folder, as often as it takes to have 2.5 MB."""
    texts = [path.read_bytes().decode() for path in sorted(folder.glob("**/*.md"))]
    return texts * (-(-LEAST // size_of(texts))) if texts else texts


def size_of(texts: Sequence[str]) -> int:
    """Bytes of all texts."""
    return sum(len(text.encode()) for text in texts)


def one_text(texts: Sequence[str], characters: int) -> str:
    """Join texts, and repeat and cut what comes of it to a length."""
    whole = "\n\n".join(texts)
    return (whole * -(-characters // len(whole)))[:characters]


def read(text: str) -> ParsedDocument:
    """Read Markdown."""
    return read_blocks(Source(data=text.encode(), format="markdown"))


def by_budget(options: BudgetOptions, measure: Measure, tokens: Measure) -> Chunker:
    """Strategy `budget`."""
    return lambda parsed: chunk_by_budget(parsed, "markdown", options, measure, tokens)


def by_topic(parsed: ParsedDocument) -> Chunking:
    """Strategy `topic`, without a decision model."""
    return topic.chunks(topic.plan(parsed.blocks, parsed.source, Config()), None)


def chunkers() -> Iterator[tuple[str, Chunker]]:
    """Yield our settings by name."""
    characters, approximate = Characters(), ApproximateTokens(4)
    real = RealTokens(encoding(DEFAULT_ENCODING).count)
    for overlap in (0, OVERLAP):
        options = BudgetOptions(chunk_size=SIZE, overlap=overlap, min_chunk_size=SIZE // 4)
        yield f"budget {SIZE}/{overlap}, tokens approximated", by_budget(options, characters, approximate)
        yield f"budget {SIZE}/{overlap}, tokens counted", by_budget(options, characters, real)
    for overlap in (0, OVERLAP_TOKENS):
        options = BudgetOptions(unit=Unit.TOKENS, chunk_size=TOKENS, overlap=overlap, min_chunk_size=TOKENS // 4)
        yield f"budget {TOKENS}/{overlap} in tokens", by_budget(options, real, real)
    yield "topic without a model", by_topic


def speeds(texts: Sequence[str]) -> None:
    """Print the speed of each step and of each peer, file by file."""
    size = size_of(texts) / MB
    parsed = [read(text) for text in texts]
    print(f"{size:.2f} MB of Markdown in {len(texts)} files; MB/s")
    print(f"{'':44} read and chunk   chunk")
    reading = seconds(lambda: [read(text) for text in texts])
    print(f"{'reading alone':44} {size / reading:14.2f}")
    for name, chunk in chunkers():
        whole = seconds(lambda: [chunk(read(text)) for text in texts])  # noqa: B023 - called at once
        alone = seconds(lambda: [chunk(document) for document in parsed])  # noqa: B023 - called at once
        print(f"{name:44} {size / whole:14.2f} {size / alone:7.2f}", flush=True)
    count = encoding(DEFAULT_ENCODING).count
    print(f"{'counting tokens alone':44} {size / seconds(lambda: [count(text) for text in texts]):14.2f}")
    peers = installed(PEERS)
    for peer in peers:
        took = seconds(lambda: [peer.split(text) for text in texts])  # noqa: B023 - called at once
        print(f"{peer.name:44} {size / took:14.2f}", flush=True)
    text = one_text(texts, LONG)
    print(f"The same as one text of {len(text) / MB:.0f} million characters; MB/s")
    works: list[tuple[str, Callable[[], object]]] = [
        *((name, partial(_chunk, chunk, text)) for name, chunk in _main_chunkers()),
        *((peer.name, partial(peer.split, text)) for peer in peers),
    ]
    for name, work in works:
        print(f"{name:44} {size_of([text]) / MB / _once(work):14.2f}", flush=True)


def doubling(works: Sequence[tuple[str, Callable[[], object]]]) -> str:
    """Measure works of which each has twice the size of the one before; return their times with the ratios."""
    shown = []
    before = None
    for size, work in works:
        took = seconds(work, rounds=1 if before and before > 1 else ROUNDS)
        shown.append(f"{size} {took:6.2f} s" + (f" x{took / before:.1f}" if before else ""))
        before = took
    return "   ".join(shown)


def growth(texts: Sequence[str]) -> None:
    """Print how CPU time grows with the size of one document."""
    documents = [(f"{size / MB:.1f} MB", one_text(texts, size)) for size in SIZES]
    for name, chunk in _main_chunkers():
        print(f"{name}: {doubling([(size, partial(_chunk, chunk, text)) for size, text in documents])}", flush=True)
    for kind, document in HOSTILE:
        for name, chunk in _main_chunkers():
            works = [(f"{n:,}", partial(_chunk, chunk, document(n))) for n in (300_000, 600_000, 1_200_000)]
            print(f"{kind}, {name}: {doubling(works)}", flush=True)


def _main_chunkers() -> list[tuple[str, Chunker]]:
    options = BudgetOptions(chunk_size=SIZE, overlap=OVERLAP, min_chunk_size=SIZE // 4)
    return [(f"budget {SIZE}/{OVERLAP}", by_budget(options, Characters(), ApproximateTokens(4))), ("topic", by_topic)]


def _chunk(chunk: Chunker, text: str) -> Chunking:
    return chunk(read(text))


def memory(texts: Sequence[str], strategy: int) -> None:
    """Read and chunk 20 MB and print the peak; runs in a process of its own."""
    text = one_text(texts, SIZES[-1])
    name, chunk = _main_chunkers()[strategy]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    chunks = len(_chunk(chunk, text).chunks)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{name}: {len(text) / MB:.0f} MB into {chunks} chunks, peak {peak:.0f} MB, {before:.0f} before", flush=True)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("path", type=Path, nargs="?", default=Path(__file__).parent.parent / "examples")
    texts = markdown_of(parser.parse_args().path)
    print("Memory, read and chunk")
    # First of all: a process begins with the peak of the one that started it.
    for strategy in range(len(_main_chunkers())):
        process = multiprocessing.get_context("spawn").Process(target=memory, args=(texts, strategy))
        process.start()
        process.join()
    print()
    speeds(texts)
    print("\nGrowth, read and chunk")
    growth(texts)


if __name__ == "__main__":
    main()
