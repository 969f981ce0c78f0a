"""A caller's own list of blocks, as JSON (readers design, section 19)."""

import json
import re
from collections.abc import Mapping
from typing import Any

from app.documents.block import Block, BlockType, ParsedDocument
from app.documents.values import JsonObject, JsonValue
from app.errors import MalformedDocument, TooDeep
from app.ports.reader_runner import Source
from app.readers import cleaning
from app.readers.decoding import decode, storable
from app.readers.reader import Reader

_TYPES = ", ".join(BlockType)
_LOWEST_LEVEL = 9
_DEEPEST_META = 200
_UNSTORABLE_ESCAPE = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")


def read_blocks(source: Source) -> ParsedDocument:
    """Read a JSON list of `{"type", "text", "level"?, "meta"?}`.

    Items with blank text keep their place, so that the indexes in an answer are the caller's; `meta` is carried through
    untouched, save for characters that can't be stored.

    Raises:
        MalformedDocument: not such a list. The message names the item.
        TooDeep: nested beyond what the parser can take.
    """
    decoded = decode(source.data, source.charset)
    warnings = decoded.warnings
    items = _parse(decoded.text)
    if _UNSTORABLE_ESCAPE.search(decoded.text):
        # Told apart from an escaped backslash by looking at what was parsed: the text itself can't tell.
        items, replaced = _storable(items)
        warnings = (*warnings, *((f"Characters that can't be stored were replaced: {replaced}.",) if replaced else ()))
    if not isinstance(items, list):
        raise MalformedDocument("A block list is a JSON list of blocks.")
    blocks = tuple(_block(index, item) for index, item in enumerate(items))
    return ParsedDocument(
        blocks=blocks if any(block.text for block in blocks) else (), encoding=decoded.encoding, warnings=warnings
    )


def _parse(text: str) -> JsonValue:
    try:
        parsed: JsonValue = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_unique_keys)
    except json.JSONDecodeError as error:
        raise MalformedDocument(f"Not JSON: {error.msg} at line {error.lineno}, column {error.colno}.") from None
    except ValueError as error:
        raise MalformedDocument(f"Not JSON that can be read: {error}.") from None
    return parsed


def _refuse_constant(name: str) -> JsonValue:
    raise ValueError(f"{name} is no JSON value")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        seen: set[str] = set()
        repeated = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ValueError(f"the key {repeated!r} stands twice in one object")
    return members


def _storable(value: JsonValue) -> tuple[JsonValue, int]:
    """Return `value` with NUL and unpaired surrogates replaced in every string, and count them."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, Mapping):
        pairs = [(_storable(key), _storable(member)) for key, member in value.items()]
        return {str(key): member for (key, _), (member, _) in pairs}, sum(a + b for (_, a), (_, b) in pairs)
    if isinstance(value, list):
        members = [_storable(member) for member in value]
        return [member for member, _ in members], sum(count for _, count in members)
    return value, 0


def _block(index: int, item: JsonValue) -> Block:
    if not isinstance(item, Mapping):
        raise MalformedDocument(f"Item {index} is not an object.")
    kind, text, meta = item.get("type"), item.get("text"), item.get("meta")
    if not isinstance(kind, str) or kind not in set(BlockType):
        raise MalformedDocument(f"Item {index} has no valid type: one of {_TYPES}.")
    if not isinstance(text, str):
        raise MalformedDocument(f"Item {index} has no text.")
    if meta is not None and not isinstance(meta, Mapping):
        raise MalformedDocument(f"The meta of item {index} is not an object.")
    if meta and _deeper_than(_DEEPEST_META, meta):
        raise TooDeep(f"The meta of item {index} is nested over {_DEEPEST_META} levels deep.")
    block_type = BlockType(kind)
    level = _level(index, item) if block_type is BlockType.HEADING else None
    text = _clean(block_type, text)
    if block_type is BlockType.TABLE and text:
        meta = _with_grid(text, meta or {})
    return Block(type=block_type, text=text, level=level, meta=meta or {})


def _deeper_than(limit: int, value: JsonValue) -> bool:
    level: list[JsonValue] = [value]
    for _ in range(limit):
        inside = [member.values() if isinstance(member, Mapping) else member for member in level]
        level = [part for members in inside for part in members if isinstance(part, Mapping | list)]  # type: ignore[union-attr]
        if not level:
            return False
    return True


def _level(index: int, item: JsonObject) -> int:
    level = item.get("level")
    if not isinstance(level, int) or isinstance(level, bool) or not 1 <= level <= _LOWEST_LEVEL:
        raise MalformedDocument(f"The heading at item {index} has no level between 1 and {_LOWEST_LEVEL}.")
    return level


def _clean(kind: BlockType, text: str) -> str:
    if kind is BlockType.CODE:
        return cleaning.code(text)
    if kind in {BlockType.LIST, BlockType.TABLE}:
        return cleaning.prose_characters(cleaning.code(text))
    return cleaning.prose(text)


def _with_grid(text: str, meta: JsonObject) -> JsonObject:
    """Fill `caption`, `header` and `rows` from the text's ` | ` lines where the caller gave no rows."""
    if isinstance(meta.get("rows"), list):
        return meta
    lines = text.split("\n")
    caption = lines.pop(0).removeprefix("Table: ") if lines[0].startswith("Table: ") else ""
    grid = [[cell.strip() for cell in line.split(" | ")] for line in lines if line.strip()]
    return {**meta, "caption": caption, "header": grid[0] if grid else [], "rows": grid[1:]}


READER = Reader(format="blocks", read=read_blocks)
