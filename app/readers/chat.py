"""Chat logs to blocks, one document or one for each conversation (conversations design, section a)."""

import codecs
import re
from collections.abc import Iterator, Sequence
from itertools import islice

from app.chat_logs import containers, formats
from app.chat_logs.assembling import blocks
from app.chat_logs.containers import LOOKED_AT, Held
from app.chat_logs.generic import role_of, time_of
from app.chat_logs.json_lines import Notes, unpacked
from app.chat_logs.messages import Message, Text, Title, Told
from app.documents.block import Block, BlockType, Conversation, ParsedDocument, ParsedExport
from app.documents.values import JsonValue
from app.errors import BadInput
from app.ports.reader_runner import Source
from app.readers.reader import Reader

_LEAST_MESSAGES = 2
#: Without one of these members at its beginning a JSON file is data, and need not be parsed to see that.
_MAY_BE_CHAT = re.compile(
    rb'"(?:role|author|sender|speaker|from|human|constructor|mapping|chat_messages|payload|parentUuid|sessionId|ts)"'
)
_LOOKED_AT_BYTES = 256 * 1024
_WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_TIMES = ("created_at", "create_time", "updated_at", "update_time")


def read_chat(source: Source) -> ParsedDocument | ParsedExport:
    """Read a chat log.

    Raises:
        MalformedDocument: it holds no conversation in a known shape.
        TooLarge: it unpacks to too much.
    """
    notes = Notes()
    return _read(containers.conversations(unpacked(source.data), notes), notes, source)


def read_if_chat(source: Source) -> ParsedDocument | ParsedExport | None:
    """Read a JSON file if it is a conversation rather than data, told from its first items (a.1, f.22)."""
    if not _MAY_BE_CHAT.search(source.data, 0, _LOOKED_AT_BYTES) and not source.data.startswith(_WIDE_MARKS):
        return None
    notes = Notes()
    try:
        held = containers.conversations(source.data, notes)
    except BadInput:
        return None
    return _read(held, notes, source) if held and _is_chat(held[0]) else None


def _read(held: Sequence[Held], notes: Notes, source: Source) -> ParsedDocument | ParsedExport:
    if len(held) > 1 and source.split_conversations:
        return ParsedExport(conversations=tuple(_apart(held, source)), encoding="utf-8", warnings=_warnings(notes))
    title = formats.title_of(held[0]) if len(held) == 1 else None
    found = tuple(block for one in held for block in blocks(_headed(one, notes, source)))
    return ParsedDocument(
        blocks=found,
        title=title,
        encoding="utf-8",
        warnings=_warnings(notes),
        data={"conversation": notes.as_json()},
    )


def _is_chat(first: Held) -> bool:
    spoken = islice(blocks(formats.told(first, Notes(), include_branches=False)), LOOKED_AT)
    if sum(map(_is_said, spoken)) < _LEAST_MESSAGES:
        return False
    return formats.is_log(first) or _is_mostly_messages(first)


def _is_said(block: Block) -> bool:
    return block.type is not BlockType.HEADING and "speaker" in block.meta and "attachment" not in block.meta


def _is_mostly_messages(held: Held) -> bool:
    """Whether half of the items have a role, and two of them text: other data has `type: user` too."""
    items = [item for _, item in islice(held.items(), LOOKED_AT)]
    roles = sum(bool(_role(item)) for item in items)
    texts = sum(
        isinstance(one, Message) and any(isinstance(part, Text) for part in one.parts)
        for one in islice(formats.generic(held.items, Notes()), LOOKED_AT)
    )
    return 2 * roles >= len(items) and texts >= _LEAST_MESSAGES


def _role(item: dict[str, JsonValue]) -> bool:
    message = item.get("message")
    inner = message if isinstance(message, dict) else item
    return role_of(inner) is not None or isinstance(item.get("speaker"), str)


def _apart(held: Sequence[Held], source: Source) -> Iterator[Conversation]:
    """Each conversation as a document of its own; ids that repeat are numbered."""
    seen: dict[str, int] = {}
    for one in held:
        seen[one.name] = seen.get(one.name, 0) + 1
        name = one.name if seen[one.name] == 1 else f"{one.name}-{seen[one.name]}"
        notes = Notes()
        found = tuple(blocks(_headed(one, notes, source)))
        parsed = ParsedDocument(
            blocks=found,
            title=one.title,
            encoding="utf-8",
            warnings=_warnings(notes),
            data={"conversation": notes.as_json()},
        )
        times = {key: time_of(one.around[key]) for key in _TIMES if one.around.get(key) is not None}
        yield Conversation(id=name, document=parsed, metadata={key: time for key, time in times.items() if time})


def _headed(held: Held, notes: Notes, source: Source) -> Iterator[Told]:
    if held.number:
        yield Title(held.title or "")
    yield from formats.told(held, notes, include_branches=source.include_branches)


def _warnings(notes: Notes) -> tuple[str, ...]:
    if not notes.bad_lines:
        return ()
    many = (
        "1 line is no JSON object and was"
        if notes.bad_lines == 1
        else f"{notes.bad_lines} lines are no JSON objects and were"
    )
    return (f"{many} skipped, the first at line {notes.first_bad_line}.",)


READER = Reader(
    format="chat",
    extensions=("jsonl.gz", "json.gz", "ndjson.gz"),
    media_types=(),
    read=read_chat,
    knows_speakers=True,
    gzipped=True,
)
