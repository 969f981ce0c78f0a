"""Reference sections as entries to look up (retrieval design, "Reference sections become entries").

An entry is one documented member, glossary term or table row. Everything that a reference section says is in one.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from app.documents.block import Block, BlockType
from app.documents.chunk import Chunk
from app.documents.profile import Profile
from app.documents.values import JsonObject
from app.profiling.entries_fields import member_fields, signature_name
from app.profiling.entries_lists import Item, term_items
from app.profiling.entries_parts import Part, parts
from app.profiling.entries_tables import cut, grid
from app.profiling.profiles import Profiles
from app.text.whitespace import squash

#: A document of more entries keeps its passages.
MOST_ENTRIES = 50_000
#: A longer line names no entry.
LINE_CHARS = 60
#: Longer names and headings are shown by their beginnings.
NAME_CHARS = 120

_SENTENCE_ENDS = (".", "!", "?", "…", ":", ";", ",", "。", "！", "？", "：")  # noqa: RUF001 - the marks themselves


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A unit in the making."""

    name: str
    #: Headings in effect, outermost first.
    path: tuple[str, ...]
    fields: JsonObject = field(default_factory=dict)
    #: What a table's row belongs to: its column group, its table or its heading; None of everything else.
    group: str | None = None
    #: Without the headings.
    text: str = ""
    #: Indexes of the blocks that the text was made from, ascending.
    blocks: tuple[int, ...] = ()


def reference_blocks(blocks: Sequence[Block], chunks: Sequence[Chunk], profiles: Profiles) -> frozenset[int]:
    """Return the indexes of what entries are made of: bodies of reference sections, and headings with nothing below.

    A heading without anything under it is in no chunk: it is of the profile of the nearest section around it.
    """
    belonging = {
        index
        for chunk, profile in zip(chunks, profiles.chunks, strict=True)
        if profile is Profile.REFERENCE
        for index in chunk.blocks
    }
    for index, path in _childless(blocks):
        around = (profiles.sections[title] for title in reversed(path) if title in profiles.sections)
        if next(around, profiles.document) is Profile.REFERENCE:
            belonging.add(index)
    return frozenset(belonging)


def entries(
    blocks: Sequence[Block], belonging: Container[int], title: str, *, max_tokens: int, chars_per_token: float
) -> list[Entry] | None:
    """Return the entries of a document in reading order, or None when they are more than a document may have.

    Args:
        blocks: All of the document.
        belonging: What `reference_blocks` returned.
        title: The document's, which names what stands before the first heading.
        max_tokens: An entry over it is cut into several of the same name.
        chars_per_token: Approximate size of a token.
    """
    walk = _Walk(blocks, belonging, title)
    made = (
        replace(entry, text=part.text, blocks=part.blocks)
        for entry, pieces in walk.entries()
        for part in parts(pieces, entry.name if entry.name not in entry.path[-1:] else "", max_tokens, chars_per_token)
    )
    found = list(islice(made, MOST_ENTRIES + 1))
    return sorted(found, key=lambda entry: entry.blocks[0]) if len(found) <= MOST_ENTRIES else None


@dataclass(slots=True, kw_only=True)
class _Open:
    """An entry that the next block may go on with."""

    name: str
    signature: str | None = None
    #: What its source calls it; None when it was told by its look.
    given: str | None = None
    #: Its signature or name, where no block says it.
    lead: str = ""
    held: list[int] = field(default_factory=list)

    @property
    def takes_all(self) -> bool:
        """True when lists and tables below are the member's own: what its parameters are, not further members."""
        return self.given is not None or self.signature is not None


class _Walk:
    """One pass over the blocks of a document."""

    def __init__(self, blocks: Sequence[Block], belonging: Container[int], title: str) -> None:
        self._blocks = blocks
        self._belonging = belonging
        self._title = cut(title, NAME_CHARS)
        #: By level: what is in effect, and the indexes of those that paths show only in part.
        self._headings: dict[int, str] = {}
        self._unsaid: dict[int, int] = {}
        self._path: tuple[str, ...] = ()
        self._open: _Open | None = None

    def entries(self) -> Iterator[tuple[Entry, Sequence[Part]]]:
        """Yield each entry, its text and blocks still empty, with the texts that it is made of."""
        for index, block in enumerate(self._blocks):
            if not block.text.strip():
                continue
            if block.type is BlockType.HEADING:
                yield from self._closed()
                yield from self._heading(index, block)
            elif index in self._belonging:
                yield from self._body(index, block)
            else:
                yield from self._closed()
        yield from self._closed()

    def _heading(self, index: int, block: Block) -> Iterator[tuple[Entry, Sequence[Part]]]:
        level = block.level or 1
        above = {depth: title for depth, title in self._headings.items() if depth < level}
        self._unsaid = {depth: at for depth, at in self._unsaid.items() if depth < level}
        self._path = _shown(above)
        self._headings = above | {level: block.text}
        if index in self._belonging:
            yield self._alone(index)
        elif len(block.text) > NAME_CHARS:
            self._unsaid[level] = index
        self._path = _shown(self._headings)

    def _alone(self, heading: int) -> tuple[Entry, Sequence[Part]]:
        text = self._blocks[heading].text
        name = _name(text)
        return Entry(name=name, path=self._path, fields=member_fields(name, text, "")), [Part(text, (heading,))]

    def _body(self, index: int, block: Block) -> Iterator[tuple[Entry, Sequence[Part]]]:
        for heading in self._unsaid.values():
            yield self._alone(heading)
        self._unsaid = {}
        if opened := self._opened_by(index, block):
            yield from self._closed()
            self._open = opened
        elif self._open is None or not self._open.takes_all:
            if several := self._several(index, block):
                yield from several
                return
            self._open = self._open or self._named_by_heading()
        self._open.held.append(index)

    def _opened_by(self, index: int, block: Block) -> _Open | None:
        """Return the entry that starts at a block, or None when the block goes on with what is open."""
        entry, signature = _named(block, "entry"), _named(block, "signature")
        if given := entry or (signature and _name(signature)):
            if self._open and self._open.given == given:
                return None
            says = signature or given
            return _Open(name=given, signature=signature, given=given, lead="" if says in block.text else says)
        if block.type is not BlockType.PARAGRAPH or (self._open and self._open.given is not None):
            return None
        if called := signature_name(block.text):
            return _Open(name=called, signature=block.text)
        return _Open(name=block.text) if self._is_title(index, block.text) else None

    def _is_title(self, index: int, text: str) -> bool:
        """Tell whether a line is short, no sentence, and followed by a paragraph more than twice its length."""
        following = self._blocks[index + 1] if index + 1 in self._belonging else None
        return (
            len(text) <= LINE_CHARS
            and not text.endswith(_SENTENCE_ENDS)
            and following is not None
            and following.type is BlockType.PARAGRAPH
            and len(following.text) > 2 * len(text)
        )

    def _named_by_heading(self) -> _Open:
        title = self._headings[max(self._headings)] if self._headings else self._title
        called = signature_name(title)
        return _Open(name=called or cut(title, NAME_CHARS), signature=title if called else None)

    def _several(self, index: int, block: Block) -> Iterator[tuple[Entry, Sequence[Part]]] | None:
        """Return the entries that one block makes, a table's rows or a list's terms, or None when it makes none."""
        if block.type is BlockType.TABLE and (table := grid(block)):
            heading = self._path[-1] if self._path else self._title
            return (
                (
                    Entry(name=_name(row.name), path=self._path, fields=row.fields, group=row.group or heading),
                    [Part(row.text, (index,))],
                )
                for row in table.entries()
            )
        if block.type is BlockType.LIST and (items := term_items(block.text)):
            return ((self._term(item), [Part(item.text, (index,))]) for item in items)
        return None

    def _term(self, item: Item) -> Entry:
        called = signature_name(item.name)
        fields = member_fields(called or item.name, item.name if called else None, item.text)
        return Entry(name=_name(item.name), path=self._path, fields=fields)

    def _closed(self) -> Iterator[tuple[Entry, Sequence[Part]]]:
        """End the open entry, if any."""
        if self._open:
            ended, self._open = self._open, None
            pieces = [Part(_said(self._blocks[index]), (index,), self._blocks[index].type) for index in ended.held]
            if ended.lead:
                pieces[0] = replace(pieces[0], text=f"{ended.lead}\n\n{pieces[0].text}")
            fields = member_fields(ended.name, ended.signature, "\n".join(piece.text for piece in pieces))
            yield Entry(name=cut(ended.name, NAME_CHARS), path=self._path, fields=fields), pieces


def _childless(blocks: Sequence[Block]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield every heading that nothing stands under, by index, with the headings in effect down to itself."""
    headings: dict[int, str] = {}
    last: tuple[int, int] | None = None
    for index, block in enumerate(blocks):
        if not block.text.strip():
            continue
        level = (block.level or 1) if block.type is BlockType.HEADING else None
        if last and level is not None and level <= last[1]:
            yield last[0], tuple(headings[depth] for depth in sorted(headings))
        last = None
        if level is not None:
            headings = {depth: title for depth, title in headings.items() if depth < level} | {level: block.text}
            last = index, level
    if last:
        yield last[0], tuple(headings[depth] for depth in sorted(headings))


def _shown(headings: Mapping[int, str]) -> tuple[str, ...]:
    return tuple(cut(headings[depth], NAME_CHARS) for depth in sorted(headings))


def _name(text: str) -> str:
    return signature_name(text) or cut(text, NAME_CHARS)


def _named(block: Block, key: str) -> str | None:
    value = block.meta.get(key)
    return squash(value) or None if isinstance(value, str) else None


def _said(block: Block) -> str:
    """Return a block's text, with who says it in front."""
    speaker = block.meta.get("speaker")
    return f"{speaker}: {block.text}" if isinstance(speaker, str) else block.text
