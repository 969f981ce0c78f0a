"""Blocks of conversations for tests, and their turns as ingestion makes them."""

from collections.abc import Sequence

from app.conversations.parts import TurnPart
from app.documents.block import Block, BlockType
from app.documents.profile import Profile
from app.documents.values import JsonValue
from app.operations.speech import find_speech


def said(text: str, speaker: str | None = None, **meta: JsonValue) -> Block:
    """A paragraph that somebody says."""
    named = {} if speaker is None else {"speaker": speaker}
    return Block(type=BlockType.PARAGRAPH, text=text, meta={**named, **meta})


def result(text: str, **meta: JsonValue) -> Block:
    """What a tool gave back."""
    return Block(type=BlockType.CODE, text=text, meta={"speaker": "tool", **meta, "attachment": True})


def call(text: str, **meta: JsonValue) -> Block:
    """A tool call of the assistant's."""
    return Block(type=BlockType.CODE, text=text, meta={"speaker": "assistant", **meta})


def heading(text: str, level: int = 1) -> Block:
    return Block(type=BlockType.HEADING, text=text, level=level)


def parts(*blocks: Block) -> Sequence[TurnPart]:
    """The parts of a document that is a conversation throughout."""
    return find_speech(blocks, "Title", Profile.CONVERSATIONAL).parts
