"""What reading long session logs takes: `python -m benchmarks.session_logs`.

Prints per log its lines and megabytes, CPU seconds, the peak memory of a process that reads it and how much of that
is there before it reads, and its blocks by kind. The logs are invented (tests/session_logs.py).
"""

import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from app.documents.block import Block, BlockType, ParsedDocument
from app.ports.reader_runner import Source
from app.readers.chat import read_chat
from tests.session_logs import session, sizes

_MEGABYTE = 1_000_000


def kind_of(block: Block) -> str:
    """What a block is to those who judge: a prompt, a text, a call, a result, or something beside them."""
    if block.type is BlockType.CODE:
        return "result" if block.meta.get("attachment") else "call"
    if block.meta.get("attachment"):
        return str(block.meta.get("kind") or "attachment")
    return "prompt" if block.meta.get("speaker") == "user" else "text"


def peak_memory() -> int:
    """Megabytes that this program took at most; what `getrusage` tells is handed down by the parent process."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) // 1024


def read(path: Path) -> None:
    """Read one log in this process and print what it took."""
    data = path.read_bytes()
    before = peak_memory()
    start = process_time()
    parsed = read_chat(Source(data=data, format="chat"))
    took = process_time() - start
    if not isinstance(parsed, ParsedDocument):
        raise TypeError("one session is one document")
    kinds = ", ".join(f"{many} {kind}" for kind, many in sorted(Counter(map(kind_of, parsed.blocks)).items()))
    rate = len(data) / _MEGABYTE / took
    memory = f"{peak_memory()} MB at most ({before} before)"
    print(f"  {took:.2f} s, {rate:.1f} MB/s, {memory}: {kinds}", flush=True)


def main() -> None:
    """Write each log and read it in a process of its own, so that its peak is its own."""
    with TemporaryDirectory() as folder:
        for lines in sizes():
            log = session(lines)
            path = Path(folder) / f"{lines}.jsonl"
            path.write_bytes(log.data)
            print(f"{log.lines} lines, {len(log.data) / _MEGABYTE:.1f} MB", flush=True)
            subprocess.run([sys.executable, "-m", "benchmarks.session_logs", str(path)], check=True)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        read(Path(sys.argv[1]))
    else:
        main()
