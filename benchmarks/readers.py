"""How fast documents become blocks and chunks on one core: `python benchmarks/readers.py [folder]`.

Prints megabytes of source per second of CPU time, best of five, for the Markdown and text under a folder (by default
`examples/`) repeated to about a megabyte; then how CPU time grows when a hostile input is doubled.
"""

import html
import json
import re
import sys
import zipfile
from collections.abc import Callable
from functools import partial
from io import BytesIO
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import process_time

import pyromark

from app.chunking import topic
from app.documents.config import Config
from app.ports.reader_runner import Source
from app.readers.registry import read, read_blocks
from app.text.sentences import sentence_spans
from app.text.tokens import approximate_tokens

_MEGABYTE = 1_000_000
_HOSTILE = {
    "emphasis in reStructuredText": ("rst", "*a "),
    "lists between paragraphs": ("rst", "text\n\n- a\n\n"),
    "attributions": ("rst", "  a\n\n  -- b\n\n"),
    "single line breaks": ("text", "a\n"),
    "blank-separated lines": ("text", "a line\n\n"),
    "one Chinese paragraph": ("text", "第一条水泵必须每日检查。"),
    "open brackets": ("markdown", "["),
    "open tags": ("markdown", "<div>\n<a "),
    "emphasis": ("markdown", "*a "),
    "quotes in quotes": ("markdown", "> "),
    "notes": ("markdown", "[^1] "),
    "colons": ("markdown", ":::note\n"),
    "open braces": ("mdx", "{\n\n"),
    "tags": ("mdx", '<A b={c} title="d"/>\n'),
    "indented lines": ("mdx", "        x\n\n"),
    "timing lines": ("srt", "00:01,000 --> 00:02,000\nAnn: x\n"),
    "voices": ("srt", "00:01,000 --> 00:02,000\n<v x"),
    "unclosed paragraphs": ("html", "<p>x"),
    "misnested tags": ("html", "<b><i>x</b></i>"),
    "cells": ("html", "<tr><td>x<td>y"),
    "headings": ("org", "* a\n"),
    "emphasis in Org": ("org", "*a "),
    "list items": ("asciidoc", "* a\n\n"),
    "tables": ("asciidoc", "|===\n|a |b\n|===\n\n"),
    "open groups": ("latex", "{\\emph{a}"),
    "environments": ("latex", "\\begin{quote}a\\end{quote}\n"),
    "footnotes": ("html", "<p id=n>x<sup><a href=#n>1</a></sup>"),
}


def seconds(work: Callable[[], object], rounds: int = 5) -> float:
    """CPU seconds of the fastest round."""
    best = float("inf")
    for _ in range(rounds):
        start = _cpu_time()
        work()
        best = min(best, _cpu_time() - start)
    return best


def _cpu_time() -> float:
    """CPU seconds of this process and of those that it ran, as Pandoc is one."""
    ran = getrusage(RUSAGE_CHILDREN)
    return process_time() + ran.ru_utime + ran.ru_stime


def chunk(source: Source) -> int:
    """Read and chunk without a model; returns how many chunks came of it."""
    parsed = read_blocks(source)
    return len(topic.chunks(topic.plan(parsed.blocks, parsed.source, Config()), None).chunks)


def speeds(folder: Path) -> None:
    """Print the speed of each step."""
    text = "\n\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("**/*.md")))
    text *= max(1, _MEGABYTE // max(1, len(text)))
    size = len(text.encode()) / _MEGABYTE
    markdown, plain = (Source(data=text.encode(), format=name) for name in ("markdown", "text"))
    parsed = read_blocks(markdown)
    steps: dict[str, Callable[[], object]] = {
        "Markdown to blocks": lambda: read_blocks(markdown),
        "text to blocks": lambda: read_blocks(plain),
        "blocks to chunks": lambda: topic.chunks(topic.plan(parsed.blocks, parsed.source, Config()), None),
        "Markdown to chunks": lambda: chunk(markdown),
        "sentences": lambda: sentence_spans(text),
        "approximate tokens": lambda: approximate_tokens(text + "é"),
    }
    print(f"{size:.2f} MB of Markdown, {len(parsed.blocks)} blocks")
    for name, work in steps.items():
        print(f"  {name:20} {size / seconds(work):8.1f} MB/s")
    page = Source(data=f"<!doctype html><main>{pyromark.html(text)}</main>".encode(), format="html")
    print(f"  {'HTML to blocks':20} {len(page.data) / _MEGABYTE / seconds(lambda: read_blocks(page)):8.1f} MB/s")
    made = {"mdx": text, "ipynb": _notebook(text), "vtt": _captions(text), "rst": _sections(text)}
    made |= {"org": _outline(text, "*"), "asciidoc": _outline(text, "="), "latex": _latex(text)}
    for name, data in {**{name: text.encode() for name, text in made.items()}, "docx": _document(text)}.items():
        source = Source(data=data, format=name)
        print(f"  {name:20} {len(source.data) / _MEGABYTE / seconds(partial(read_blocks, source)):8.1f} MB/s")


def _outline(text: str, mark: str) -> str:
    """Write the headings of a text as Org and AsciiDoc have them, two levels deep at least, without its tables."""
    lines = (line for line in text.split("\n") if not line.startswith(("|", "```")))
    return "\n".join(
        f"{mark * (line.index(' ') + 1)}{line[line.index(' ') :]}" if re.match("#{1,4} ", line) else line
        for line in lines
    )


def _latex(text: str) -> str:
    """Write a text as LaTeX: its headings as sections, its other signs escaped."""
    escaped = re.sub(r"([{}$&%_])", r"\\\1", text.replace("\\", "").replace("^", "").replace("~", ""))
    return re.sub("^#{1,6} (.*)$", r"\\section{\1}", escaped, flags=re.MULTILINE).replace("#", "\\#")


def _sections(text: str) -> str:
    """Write the headings of a text as reStructuredText has them; its lists and paragraphs look alike."""
    lines = (
        f"{line.lstrip('# ')}\n{'=-~^'[line.index(' ') % 4] * 80}" if line.startswith("#") else line
        for line in text.split("\n")
    )
    return "\n".join(lines)


def _document(text: str) -> bytes:
    """Put the lines of a text into paragraphs of a DOCX file, which is stored so that its size is that of its XML."""
    word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    body = "".join(f"<w:p><w:r><w:t>{html.escape(line)}</w:t></w:r></w:p>" for line in text.split("\n"))
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("word/document.xml", f"<w:document {word}><w:body>{body}</w:body></w:document>")
    return buffer.getvalue()


def _notebook(text: str) -> str:
    """Put the sections of a text into cells, each with some code that prints."""
    output = {"output_type": "stream", "name": "stdout", "text": "read: 42\n" * 20}
    code = {"cell_type": "code", "source": "kiln.read()", "outputs": [output]}
    parts = [{"cell_type": "markdown", "source": part} for part in text.split("\n## ")]
    return json.dumps({"cells": [cell for part in parts for cell in (part, code)]})


def _captions(text: str) -> str:
    """Make each line of a text a cue of its own."""
    lines = [line for line in text.split("\n") if line.strip()]
    cues = (
        f"{at // 3600:02}:{at // 60 % 60:02}:{at % 60:02}.000 --> 99:00:00.000\n{line}" for at, line in enumerate(lines)
    )
    return "WEBVTT\n\n" + "\n\n".join(cues)


def _data_files() -> dict[str, str]:
    """About a megabyte of each data format, the same records in all."""
    records = [
        {"id": number, "name": f"tap {number}", "tags": ["brass", "old"], "note": "A note on this record. " * 3}
        for number in range(6_000)
    ]
    lines = [json.dumps(record) for record in records]
    return {
        "json": f"[{','.join(lines)}]",
        "jsonl": "\n".join(lines),
        "yaml": "".join(
            f"- id: {one['id']}\n  name: {one['name']}\n  tags: [brass, old]\n  note: {one['note']}\n"
            for one in records
        ),
        "xml": "".join(
            [
                "<taps>",
                *(
                    f"<tap id='{one['id']}'><name>{one['name']}</name><note>{one['note']}</note></tap>"
                    for one in records
                ),
                "</taps>",
            ]
        ),
        "toml": "".join(
            f"[[tap]]\nid = {one['id']}\nname = '{one['name']}'\ntags = ['brass', 'old']\nnote = '{one['note']}'\n\n"
            for one in records
        ),
    }


def data_speeds() -> None:
    """Print how fast data files become subtrees."""
    for name, text in _data_files().items():
        source = Source(data=text.encode(), format=name)
        rate = len(source.data) / _MEGABYTE / seconds(lambda: read(source), rounds=3)  # noqa: B023 - called at once
        print(f"  {f'{name} to subtrees':20} {rate:8.1f} MB/s")


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
    data_speeds()
    growth()
