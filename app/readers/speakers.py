"""Who speaks, in running text (readers design, section 6.3; conversations design, section b)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from app.documents.block import Block, BlockType
from app.documents.values import JsonObject
from app.readers.speaker_names import Prefix, may_open_with_name, prefix_of, sender_of, stamp_length

#: A run is a conversation with so many paragraphs, such a share of them with a name in front, and so many names.
_LEAST_PARAGRAPHS = 4
_LEAST_SHARE = 0.6
_LEAST_NAMES = 2


def infer_speakers(blocks: Sequence[Block], *, keep_places: bool = False) -> tuple[Block, ...]:
    """Move names in front of paragraphs into their meta where the blocks under one heading are a conversation.

    A paragraph without a name goes on with the last speaker. Of a messenger's export, notices are left out, as nobody
    said them. What has no such run comes back as it is.

    Args:
        blocks: A document's blocks in order.
        keep_places: Leave an empty block where a notice stood, and split no block, so that the blocks' indexes hold.
    """
    found: list[Block] = []
    run: list[Block] = []
    for block in blocks:
        if block.type is BlockType.HEADING:
            found += _read_run(run, keep_places=keep_places)
            found.append(block)
            run = []
        else:
            run.append(block)
    found += _read_run(run, keep_places=keep_places)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Told:
    """A block of a run with what stands in front of it; a notice has a stamp and nobody's name."""

    block: Block
    counts: bool = False
    prefix: Prefix | None = None
    notice: bool = False


def _read_run(run: list[Block], *, keep_places: bool) -> Iterable[Block]:
    paragraphs = [block for block in run if _is_paragraph(block)]
    if any("speaker" in block.meta for block in paragraphs) or not _may_be_conversation(paragraphs):
        return run
    parts = run if keep_places else [part for block in run for part in _split(block)]
    stamped = sum(bool(stamp_length(block.text)) for block in parts if _is_paragraph(block))
    told = [_told(block, stamped=stamped >= _LEAST_NAMES) for block in parts]
    counted = [part for part in told if part.counts]
    named = sum(part.prefix is not None or part.notice for part in counted)
    names = {part.prefix.name for part in counted if part.prefix}
    if len(counted) < _LEAST_PARAGRAPHS or named < _LEAST_SHARE * len(counted) or len(names) < _LEAST_NAMES:
        return run
    return _spoken(told, keep_places=keep_places)


def _may_be_conversation(paragraphs: Sequence[Block]) -> bool:
    """Rule out most runs quickly, by as many names as there can be: a paragraph's lines may each open with one."""
    lines = [1 + block.text.count("\n") for block in paragraphs]
    if sum(lines) < _LEAST_PARAGRAPHS:
        return False
    opening = [count for count, block in zip(lines, paragraphs, strict=True) if may_open_with_name(block.text)]
    return sum(opening) >= _LEAST_SHARE * (sum(opening) + len(paragraphs) - len(opening))


def _is_paragraph(block: Block) -> bool:
    return block.type is BlockType.PARAGRAPH and bool(block.text.strip())


def _split(block: Block) -> Iterator[Block]:
    """Part a paragraph whose lines each open with a name. Where its parts stand in the source is not known."""
    lines = block.text.split("\n") if block.type is BlockType.PARAGRAPH and "\n" in block.text else []
    if lines and all(prefix_of(line) for line in lines):
        for line in lines:
            yield replace(block, text=line, start=None, end=None)
    else:
        yield block


def _told(block: Block, *, stamped: bool) -> _Told:
    if not _is_paragraph(block):
        return _Told(block)
    if not stamped:
        return _Told(block, counts=True, prefix=prefix_of(block.text))
    sender = sender_of(block.text)
    return _Told(block, counts=True, prefix=sender, notice=sender is None and bool(stamp_length(block.text)))


def _spoken(told: Sequence[_Told], *, keep_places: bool) -> Iterator[Block]:
    speaker: JsonObject = {}
    for part in told:
        block, prefix = part.block, part.prefix
        if part.notice:
            if keep_places:
                yield replace(block, text="")
        elif prefix is not None:
            speaker = {"speaker": prefix.name, **({"speaker_full": prefix.full} if prefix.full else {})}
            time = {"time": prefix.time} if prefix.time else {}
            yield replace(block, text=block.text[prefix.length :], meta={**block.meta, **speaker, **time})
        else:
            yield replace(block, meta={**block.meta, **speaker}) if part.counts and speaker else block
