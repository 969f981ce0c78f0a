"""Whether reading grows linearly on the inputs that stall parsers, and what large files take.

    python -m benchmarks.floods

For ten kinds of worst case it reads a document and one of twice its size, and prints both times and their ratio, which
should stay under 3. For each format that may be large it reads a file of 50 MB in a process of its own and prints the
time and the peak of its memory.
"""

import multiprocessing
import resource
import time
from collections.abc import Callable

from app.errors import BadInput
from app.ports.reader_runner import Source
from app.readers.registry import read

MB = 1_000_000
#: Kind, format, and the document for a size.
FLOODS: tuple[tuple[str, str, Callable[[int], str]], ...] = (
    ("deep lists", "markdown", lambda n: "".join(f"{'  ' * (i % 100)}- item {i}\n" for i in range(n * 100))),
    ("long lines", "text", lambda n: "word " * (n * 20_000)),
    ("many headings", "markdown", lambda n: "# Title\n\ntext\n\n" * (n * 4_000)),
    ("unclosed tags", "html", lambda n: "<div><b><i>text " * (n * 300)),
    ("huge tables", "markdown", lambda n: "a | b | c\n--|--|--\n" + "1 | 2 | 3\n" * (n * 6_000)),
    ("nested quotes", "markdown", lambda n: f"{'> ' * 60}text\n\n" * (n * 400)),
    ("reference links", "markdown", lambda n: "".join(f"[a{i}][r{i}] " for i in range(n * 2_000)) + "\n\n[r1]: /u\n"),
    ("emphasis runs", "markdown", lambda n: "*a _b **c " * (n * 4_000)),
    ("deep JSON", "json", lambda n: "[" + ",".join(["[" * 150 + "1" + "]" * 150] * (n * 30)) + "]"),
    ("alias-heavy YAML", "yaml", lambda n: "a: &a [x, y]\n" + "".join(f"k{i}: *a\n" for i in range(n * 1_500))),
)
#: Formats that may be large, with a piece that is repeated.
LARGE = (
    ("text", "A paragraph of plain text that goes on for a while, as paragraphs do.\n\n"),
    ("markdown", "## A heading\n\nA paragraph with **bold** text and a [link](https://e.org).\n\n- one\n- two\n\n"),
    ("html", "<h2>A heading</h2><p>A paragraph with <b>bold</b> text.</p><ul><li>one<li>two</ul>\n"),
    ("vtt", "00:00:01.000 --> 00:00:02.000\n<v Ada>The lid is closed now.</v>\n\n"),
    ("jsonl", '{"id": 1, "name": "Tap", "tags": ["a", "b"], "note": "A note on this record."}\n'),
)


def seconds(document: str, name: str) -> tuple[float, str]:
    """Read a document; return the time it took and what came of it."""
    started = time.perf_counter()
    try:
        read(Source(data=document.encode(), format=name))
    except BadInput as error:
        return time.perf_counter() - started, error.code
    return time.perf_counter() - started, "read"


def large(name: str, piece: str) -> None:
    """Read 50 MB and print what it took; runs in a process of its own."""
    head = "WEBVTT\n\n" if name == "vtt" else ""
    document = head + piece * (50 * MB // len(piece))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    took, outcome = seconds(document, name)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    memory = f"peak {peak:6.0f} MB, {before / 1024:.0f} before"
    print(f"{name:<18} {took:7.1f} s   {50 / took:6.1f} MB/s   {memory}   {outcome}")


def main() -> None:
    """Run the benchmark."""
    for kind, name, document in FLOODS:
        seconds(document(1), name)
        (once, outcome), (twice, _) = seconds(document(4), name), seconds(document(8), name)
        size = len(document(4)) / MB
        times = f"{once:7.3f} s   doubled {twice:7.3f} s   x{twice / once:4.1f}"
        print(f"{kind:<18} {name:<9} {size:6.2f} MB {times}   {outcome}")
    for name, piece in LARGE:
        process = multiprocessing.get_context("spawn").Process(target=large, args=(name, piece))
        process.start()
        process.join()


if __name__ == "__main__":
    main()
