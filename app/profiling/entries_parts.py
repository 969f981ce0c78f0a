"""Entries of a size that can be embedded: a long one becomes several (chunking design, `max_tokens`)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.documents.block import BlockType
from app.text.sentences import sentence_spans
from app.text.tokens import wide_characters

_BY_LINES = frozenset({BlockType.CODE, BlockType.TABLE, BlockType.LIST})


@dataclass(frozen=True, slots=True)
class Part:
    """A text with the indexes of the blocks that it is from."""

    text: str
    blocks: tuple[int, ...]
    #: What decides where it may be cut.
    type: BlockType = BlockType.LIST


def parts(pieces: Sequence[Part], name: str, max_tokens: int, chars_per_token: float) -> Iterator[Part]:
    """Yield the pieces joined by blank lines, in as few parts as hold `max_tokens` each.

    A piece over it is cut between lines or sentences, and at a space where one of these is over it. The second part and
    those after it open with `name`.
    """
    small = (cut for piece in pieces for cut in _small(piece, max_tokens, chars_per_token))
    group: list[Part] = []
    size = 0.0
    first = True
    for piece in small:
        tokens = _tokens(piece.text, chars_per_token)
        if group and size + tokens > max_tokens:
            yield _joined(group, "" if first else name)
            group, size, first = [], 0.0, False
        group.append(piece)
        size += tokens
    yield _joined(group, "" if first else name)


def _joined(group: Sequence[Part], name: str) -> Part:
    blocks = tuple(dict.fromkeys(index for piece in group for index in piece.blocks))
    return Part("\n\n".join([*([name] if name else []), *(piece.text for piece in group)]), blocks)


def _small(piece: Part, max_tokens: int, chars_per_token: float) -> Iterator[Part]:
    """Yield a piece in texts of at most `max_tokens`."""
    if _tokens(piece.text, chars_per_token) <= max_tokens:
        yield piece
        return
    begun = 0
    size = 0.0
    for start, stop in _spans(piece, most=max(1, int(max_tokens * min(1.0, chars_per_token)))):
        tokens = _tokens(piece.text[start:stop], chars_per_token)
        if size + tokens > max_tokens and piece.text[begun:start].strip():
            yield Part(piece.text[begun:start].strip("\n"), piece.blocks)
            begun, size = start, 0.0
        size += tokens
    if piece.text[begun:].strip():
        yield Part(piece.text[begun:].strip("\n"), piece.blocks)


def _spans(piece: Part, most: int) -> Iterator[tuple[int, int]]:
    """Yield contiguous spans that a text may be cut between, none of them over `most` characters."""
    if piece.type in _BY_LINES:
        at = 0
        for line in piece.text.splitlines(keepends=True):
            yield from _words(piece.text, at, at + len(line), most)
            at += len(line)
        return
    for start, stop in sentence_spans(piece.text):
        yield from _words(piece.text, start, stop, most)


def _words(text: str, start: int, stop: int, most: int) -> Iterator[tuple[int, int]]:
    while stop - start > most:
        space = text.rfind(" ", start + most // 2, start + most)
        cut = space + 1 if space >= 0 else start + most
        yield start, cut
        start = cut
    yield start, stop


def _tokens(text: str, chars_per_token: float) -> float:
    """Return what a text adds to the approximate tokens of a whole: a token is rounded up once, not at every line."""
    wide = 0 if text.isascii() else wide_characters(text)
    return (len(text) - wide) / chars_per_token + wide
