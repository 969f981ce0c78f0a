"""The chunkers that ours is measured beside, each behind one function.

The extra `bench` installs them, best into an environment of their own:

    make bench VENV=build/venv LOCK=requirements-bench.lock BENCHMARKS=chunk_speed ARGS=PATH

All count in characters and keep their own defaults in everything but size and overlap.
"""

import importlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Cut:
    """A chunk: the code points of the document that it shows, and what is embedded of it."""

    start: int
    end: int
    text: str


#: Cuts the text of a document.
Cutter: TypeAlias = Callable[[str], list[Cut]]


@dataclass(frozen=True, slots=True)
class Peer:
    """One peer with its settings."""

    name: str
    #: Chunks with their places.
    cut: Cutter
    #: The peer's plainest call, without places: what speed is measured of.
    split: Callable[[str], object]


def semantic(kind: str, size: int, overlap: int = 0) -> Peer:
    """`semantic-text-splitter`; `kind` is `Markdown` or `Text`."""
    splitter = getattr(importlib.import_module("semantic_text_splitter"), f"{kind}Splitter")(size, overlap=overlap)

    def cut(text: str) -> list[Cut]:
        return [Cut(start, start + len(chunk), chunk) for start, chunk in splitter.chunk_indices(text)]

    return Peer(f"semantic-text-splitter {kind} {size}/{overlap}", cut, splitter.chunks)


def langchain(size: int, overlap: int = 0) -> Peer:
    """`langchain-text-splitters`, RecursiveCharacterTextSplitter."""
    recursive = importlib.import_module("langchain_text_splitters").RecursiveCharacterTextSplitter
    splitter = recursive(chunk_size=size, chunk_overlap=overlap, add_start_index=True)

    def cut(text: str) -> list[Cut]:
        found = ((made.metadata["start_index"], made.page_content) for made in splitter.create_documents([text]))
        return [Cut(start, start + len(chunk), chunk) for start, chunk in found]

    return Peer(f"langchain recursive {size}/{overlap}", cut, splitter.split_text)


def chonkie(size: int) -> Peer:
    """`chonkie`, RecursiveChunker, which knows no overlap."""
    chunker = importlib.import_module("chonkie").RecursiveChunker(tokenizer="character", chunk_size=size)

    def cut(text: str) -> list[Cut]:
        made: Iterable[Any] = chunker.chunk(text)
        return [Cut(chunk.start_index, chunk.end_index, chunk.text) for chunk in made]

    return Peer(f"chonkie recursive {size}/0", cut, chunker.chunk)


def installed(makers: Iterable[Callable[[], Peer]]) -> list[Peer]:
    """Make peers; say which are left out because they aren't installed."""
    peers = []
    missing: dict[str | None, None] = {}
    for make in makers:
        try:
            peers.append(make())
        except ModuleNotFoundError as error:
            missing[error.name] = None
    for name in missing:
        print(f"left out: {name}, which the extra `bench` installs")
    return peers
