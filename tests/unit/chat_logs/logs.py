"""Chat logs as the design writes their blocks: `P speaker turn →reply flags "text"`."""

import json
from typing import Any

from app.documents.block import Block, BlockType, ParsedDocument
from app.ports.reader_runner import Source
from app.readers.chat import read_chat

_MARKS = {BlockType.PARAGRAPH: "P", BlockType.CODE: "C"}


def parsed(data: bytes | str, **options: Any) -> ParsedDocument:  # noqa: ANN401 - fields of the source
    whole = data if isinstance(data, bytes) else data.encode()
    document = read_chat(Source(data=whole, format="chat", **options))
    assert isinstance(document, ParsedDocument)
    return document


def read(value: object, **options: Any) -> list[str]:  # noqa: ANN401 - fields of the source
    """The blocks of a log, one line each."""
    data = value if isinstance(value, bytes | str) else json.dumps(value, ensure_ascii=False)
    return [line(block) for block in parsed(data, **options).blocks]


def line(block: Block) -> str:
    """One block in the design's notation, with every key of its meta."""
    if block.type is BlockType.HEADING:
        return f'H{block.level} "{block.text}"'
    meta = dict(block.meta)
    speaker = str(meta.pop("speaker"))
    full = meta.pop("speaker_full", None)
    said = [_MARKS[block.type], f"{speaker}({full})" if full else speaker, str(meta.pop("turn"))]
    if (reply := meta.pop("reply_to", None)) is not None:
        said.append(f"→{reply}")
    flags = {"attachment": "att", "error": "err"}
    said += [flags[name] for name in ("attachment", "error") if meta.pop(name, None)]
    said += [f"{name}={value}" for name, value in meta.items()]
    return " ".join((*said, json.dumps(block.text, ensure_ascii=False)))
