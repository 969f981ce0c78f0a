"""How Pandoc is run; what its trees become is tested with each format."""

import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.adapters.reader_process import ReaderPool
from app.documents.block import ParsedDocument
from app.errors import ReaderLimit
from app.ports.reader_runner import Source
from app.readers import pandoc
from app.readers.pandoc import Allowance, Refused, run_pandoc

STALL = b"*a " * 20_000

needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks at processes through /proc")


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def wait_until(holds: object, seconds: float = 20) -> bool:
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        if callable(holds) and holds():
            return True
        time.sleep(0.02)
    return False


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_text_becomes_a_tree() -> None:
    tree = run_pandoc("org", b"#+TITLE: Kiln\n/hot/", Allowance(10))

    assert tree.meta["title"]["c"] == [{"t": "Str", "c": "Kiln"}]
    assert tree.blocks == [{"t": "Para", "c": [{"t": "Emph", "c": [{"t": "Str", "c": "hot"}]}]}]


def test_a_syntax_that_is_not_understood() -> None:
    with pytest.raises(Refused, match="its syntax is not understood") as refused:
        run_pandoc("latex", b"{", Allowance(10))

    assert not refused.value.at_limit


def test_a_run_ends_when_its_processor_time_is_over_and_the_document_pays_for_it() -> None:
    allowance = Allowance(1.4)
    # On a busy machine the clock would end the run before it has had its second.
    allowance.ends += 60

    with pytest.raises(Refused, match="takes too long") as refused:
        run_pandoc("org", STALL, allowance)

    assert refused.value.at_limit
    assert allowance.seconds < 0.6
    allowance.seconds = 0
    with pytest.raises(Refused, match="the time for the document is over"):
        run_pandoc("org", b"x", allowance)


def test_a_run_ends_when_the_clock_says_so() -> None:
    allowance = Allowance(60)
    allowance.ends = time.monotonic() + 0.5

    with pytest.raises(Refused, match="takes too long"):
        run_pandoc("org", STALL, allowance)


def test_a_heap_has_its_end() -> None:
    with pytest.raises(Refused, match="takes too much memory"):
        run_pandoc("typst", b"#let f(n) = f(n) + f(n)\n#f(1)", Allowance(60), size=10_000_000)


def test_a_tree_of_a_thousand_levels_is_refused() -> None:
    with pytest.raises(Refused, match="nested too deeply"):
        run_pandoc("typst", b"#box[" * 600 + b"x" + b"]" * 600, Allowance(60))


def test_the_program_is_the_wheels_own_wherever_path_leads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("PYPANDOC_PANDOC", "/nowhere/pandoc")
    pandoc._program.cache_clear()

    assert run_pandoc("org", b"x", Allowance(10)).blocks
    assert Path(pandoc._program()).parts[-3:] == ("pypandoc", "files", "pandoc")


@pytest.mark.parametrize(
    ("format_name", "source"),
    [
        ("latex", b"\\input{%s}"),
        ("latex", b"\\lstinputlisting{%s}"),
        ("org", b'#+INCLUDE: "%s"'),
        ("asciidoc", b"include::%s[]"),
        ("typst", b'#read("%s")'),
        ("man", b".so %s"),
        ("rtf", b'{\\rtf1{\\field{\\*\\fldinst{INCLUDETEXT "%s"}}{\\fldrslt x}}}'),
    ],
)
def test_the_sandbox_opens_no_file(tmp_path: Path, format_name: str, source: bytes) -> None:
    secret = tmp_path / "secret"
    secret.write_text("opensesame")

    try:
        found = str(run_pandoc(format_name, source % str(secret).encode(), Allowance(10)))
    except Refused as refused:
        found = str(refused)

    assert "opensesame" not in found


@needs_proc
def test_pandoc_ends_with_the_process_that_started_it() -> None:
    code = (
        "from app.readers.pandoc import Allowance, run_pandoc\n"
        "run_pandoc('org', b'*a ' * 20_000, Allowance(60), size=1_000_000)"
    )
    with subprocess.Popen([sys.executable, "-c", code]) as process:
        assert wait_until(lambda: children(process.pid))
        [child] = children(process.pid)
        assert wait_until(lambda: b"pandoc" in Path(f"/proc/{child}/cmdline").read_bytes())
        process.kill()

    assert wait_until(lambda: not is_running(child))


@pytest.mark.anyio
async def test_a_reader_process_of_little_address_space_reads_by_pandoc() -> None:
    """GHC reserves as much address space as it may; under the readers' limit it starts all the same."""
    pool = ReaderPool(processes=1, seconds=30, memory_mb=1024)
    document = await pool.read(Source(data=b"= Kiln\n\nHeat *it*.", format="asciidoc"))
    await pool.close()

    assert isinstance(document, ParsedDocument)
    assert [block.text for block in document.blocks] == ["Kiln", "Heat it."]
    assert resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY


@needs_proc
@pytest.mark.anyio
async def test_a_pool_that_gives_up_leaves_no_pandoc_behind() -> None:
    before = set(_pandocs())
    pool = ReaderPool(processes=1, seconds=1.5, memory_mb=1024)
    with pytest.raises(ReaderLimit, match="longer than"):
        await pool.read(Source(data=STALL, format="org"))
    await pool.close()

    assert wait_until(lambda: not set(_pandocs()) - before)


def _pandocs() -> list[int]:
    """Pandoc processes that this test's process, or one that it started, has started."""
    found = []
    waiting = [os.getpid()]
    while waiting:
        pid = waiting.pop()
        try:
            waiting += children(pid)
            if b"pandoc" in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[0]:
                found.append(pid)
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found
