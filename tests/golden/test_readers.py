import json
import sys
from pathlib import Path

import pytest

from app.documents.block import Block, ParsedDocument
from app.documents.markup import ParsedMarkup
from app.documents.values import JsonObject
from app.ports.reader_runner import Source
from app.readers.registry import read

HERE = Path(__file__).parent
SOURCES = sorted(path.relative_to(HERE / "sources") for path in (HERE / "sources").glob("*/*"))


def as_read(name: Path) -> JsonObject:
    """What a source is read as. Its folder is its format."""
    document = read(Source(data=(HERE / "sources" / name).read_bytes(), format=name.parts[0]))
    if isinstance(document, ParsedMarkup):
        return as_cut(document)
    assert isinstance(document, ParsedDocument)
    source = document.source or ""
    return {
        "title": document.title,
        "language": document.language,
        "encoding": document.encoding,
        "warnings": list(document.warnings),
        "blocks": [as_written(block, source) for block in document.blocks],
    }


def as_cut(document: ParsedMarkup) -> JsonObject:
    """A data file: its subtrees in order, and its links by their positions, from 1 as their ids are."""
    return {
        "encoding": document.encoding,
        "warnings": list(document.warnings),
        "data": dict(document.data),
        "subtrees": [
            {"label": one.label, "path": list(one.path), "meta": dict(one.meta), "lines": one.text.split("\n")}
            for one in document.subtrees
        ],
        "links": [[f"s{source + 1}", f"s{target + 1}"] for source, target in document.links],
    }


def as_written(block: Block, source: str) -> JsonObject:
    fields: JsonObject = {
        "type": block.type.value,
        "level": block.level,
        "text": block.text,
        "meta": dict(block.meta),
        "start": block.start,
        "end": block.end,
        "slice": None if block.start is None else source[block.start : block.end],
    }
    return {name: value for name, value in fields.items() if value not in (None, {})}


def expected_path(name: Path) -> Path:
    return HERE / "expected" / name.with_suffix(".json")


@pytest.mark.parametrize("name", SOURCES, ids=str)
def test_a_source_is_read_as_reviewed(name: Path) -> None:
    assert as_read(name) == json.loads(expected_path(name).read_text(encoding="utf-8"))


def test_no_expected_file_is_without_its_source() -> None:
    expected = {path.relative_to(HERE / "expected") for path in (HERE / "expected").glob("*/*")}

    assert expected == {name.with_suffix(".json") for name in SOURCES}


def write() -> None:
    """Write the expected files anew, to be reviewed."""
    for name in SOURCES:
        path = expected_path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(as_read(name), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__" and sys.argv[1:] == ["write"]:
    write()
