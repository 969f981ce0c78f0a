"""How fast documents become blocks and chunks on one core: `python benchmarks/readers.py [folder]`.

Prints megabytes of source per second of CPU time, best of five, for the Markdown and text under a folder (by default
`examples/`) repeated to about a megabyte; then how CPU time grows when a hostile input is doubled.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

from app.chunking import topic
from app.documents.config import Config
from app.ports.reader_runner import Source
from app.readers.registry import read
from app.text.sentences import sentence_spans
from app.text.tokens import approximate_tokens

_MEGABYTE = 1_000_000
_HOSTILE = {
    "single line breaks": ("text", "a\n"),
    "blank-separated lines": ("text", "a line\n\n"),
    "one Chinese paragraph": ("text", "第一条水泵必须每日检查。"),
    "open brackets": ("markdown", "["),
    "open tags": ("markdown", "<div>\n<a "),
    "emphasis": ("markdown", "*a "),
    "quotes in quotes": ("markdown", "> "),
    "notes": ("markdown", "[^1] "),
    "colons": ("markdown", ":::note\n"),
}


def seconds(work: Callable[[], object], rounds: int = 5) -> float:
    """CPU seconds of the fastest round."""
    best = float("inf")
    for _ in range(rounds):
        start = process_time()
        work()
        best = min(best, process_time() - start)
    return best


def chunk(source: Source) -> int:
    """Read and chunk without a model; returns how many chunks came of it."""
    parsed = read(source)
    return len(topic.chunks(topic.plan(parsed.blocks, parsed.source, Config()), None).chunks)


def speeds(folder: Path) -> None:
    """Print the speed of each step."""
    text = "\n\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("**/*.md")))
    text *= max(1, _MEGABYTE // max(1, len(text)))
    size = len(text.encode()) / _MEGABYTE
    markdown, plain = (Source(data=text.encode(), format=name) for name in ("markdown", "text"))
    parsed = read(markdown)
    steps: dict[str, Callable[[], object]] = {
        "Markdown to blocks": lambda: read(markdown),
        "text to blocks": lambda: read(plain),
        "blocks to chunks": lambda: topic.chunks(topic.plan(parsed.blocks, parsed.source, Config()), None),
        "Markdown to chunks": lambda: chunk(markdown),
        "sentences": lambda: sentence_spans(text),
        "approximate tokens": lambda: approximate_tokens(text + "é"),
    }
    print(f"{size:.2f} MB of Markdown, {len(parsed.blocks)} blocks")
    for name, work in steps.items():
        print(f"  {name:20} {size / seconds(work):8.1f} MB/s")


def growth() -> None:
    """Print how time grows with size."""
    print("CPU seconds to read and chunk 300,000 and 600,000 characters")
    for name, (format_name, unit) in _HOSTILE.items():
        once, twice = (_seconds_for(unit * (size // len(unit)), format_name) for size in (300_000, 600_000))
        print(f"  {name:24} {once:6.2f} {twice:6.2f}  x{twice / max(once, 1e-6):.1f}")


def _seconds_for(text: str, format_name: str) -> float:
    source = Source(data=text.encode(), format=format_name)
    return seconds(lambda: chunk(source), rounds=3)


if __name__ == "__main__":
    speeds(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "examples")
    growth()
