"""Retrieval notes for chunks: what is asked for, and what came of it (chunking design, "Contextualize"; seed 004).

Chunks are JSON objects as the chunking answers have them, so that what is not known here is carried through untouched.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from app.documents.budget import Embed, Unit
from app.documents.chat import ChatUsage
from app.documents.chunk import breadcrumb
from app.documents.values import JsonObject, JsonValue

#: Chunks that are contextualized while the caller waits; more are a job.
MAX_WHILE_WAITING = 8
#: Chunks of one request.
MAX_CHUNKS = 10_000
#: Characters that a note may have.
MAX_NOTE_CHARS = 1_500
#: Room to reserve for a note (ruling 6), and the part of a chunk that it may be at most.
_NOTE_ROOM = {Unit.CHARS: 800, Unit.TOKENS: 200}
_MOST_ROOM = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteOptions:
    """How notes are to be written."""

    #: None is the configured one.
    model: str | None = None
    temperature: float | None = 0.0
    #: Characters of the document that a prompt shows at most.
    document_max_chars: int = 40_000
    #: None is the default of `app.operations.note_prompt`.
    template: str | None = None
    system: str | None = None
    #: Leave chunks alone that have a note.
    skip_if_present: bool = False
    #: Give up at the first chunk that gets no note.
    fail_fast: bool = False
    #: The size that the chunks were cut to, or None when it doesn't matter.
    chunk_size: int | None = None
    unit: Unit = Unit.CHARS
    #: Name of the encoding that tokens are counted in, or `APPROXIMATE`.
    encoding: str = "cl100k_base"
    #: Characters of an approximate token.
    chars_per_token: float = 4.0
    #: Room that was kept for the note when the chunks were cut, in the unit; 0 when they were cut without (ruling 6).
    reserved: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteTask:
    """Chunks of a document that are to get notes."""

    document: str
    chunks: tuple[JsonObject, ...]
    options: NoteOptions

    def as_payload(self) -> bytes:
        """Return the task as a job keeps it."""
        value = {"document": self.document, "chunks": self.chunks, "options": asdict(self.options)}
        return json.dumps(value, ensure_ascii=False).encode()

    @classmethod
    def from_payload(cls, payload: bytes) -> "NoteTask":
        """Return the task of a payload."""
        value = json.loads(payload)
        options = {**value["options"], "unit": Unit(value["options"]["unit"])}
        return cls(document=value["document"], chunks=tuple(value["chunks"]), options=NoteOptions(**options))

    def wants(self, chunk: "NotedChunk") -> bool:
        """True for a chunk that is to get a note."""
        return not (self.options.skip_if_present and chunk.context)


@dataclass(frozen=True, slots=True, kw_only=True)
class NotedChunk:
    """What a note needs to know of a chunk."""

    content: str
    header: str
    path: tuple[str, ...]
    embed: Embed
    overlap_text: str
    context: str
    #: Where the body starts in the document, if it is known.
    start: int | None

    @property
    def breadcrumb(self) -> str:
        """The path as one line."""
        return breadcrumb(self.path)

    @property
    def heading(self) -> str:
        """The nearest heading, or ""."""
        return self.path[-1] if self.path else ""

    @classmethod
    def of(cls, chunk: JsonObject) -> "NotedChunk":
        """Read a chunk whose types were checked; a header that was left out is made of the path."""
        path = tuple(str(step) for step in _list(chunk.get("path") or chunk.get("heading_path")))
        header, start = chunk.get("header"), chunk.get("start")
        return cls(
            content=str(chunk["content"]),
            header=header if isinstance(header, str) else f"[{breadcrumb(path)}]" if path else "",
            path=path,
            embed=Embed(str(chunk.get("embed") or Embed.FULL)),
            overlap_text=str(chunk.get("overlap_text") or ""),
            context=str(chunk.get("context") or ""),
            start=start if isinstance(start, int) else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of asking for one note: the note, or why there is none."""

    note: str = ""
    reason: str = ""
    usage: ChatUsage = field(default_factory=ChatUsage)

    def as_json(self) -> Mapping[str, JsonValue]:
        """Return the outcome as it is kept."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, JsonValue]) -> "Outcome":
        """Return the outcome that was kept."""
        return cls(**{**value, "usage": ChatUsage(**value["usage"])})  # type: ignore[arg-type]  # as kept


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteFailure:
    """A chunk without a note."""

    #: Position in the request.
    index: int
    #: The chunk's own id, if it has one.
    id: str | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NotedChunks:
    """The chunks with their notes, those that got none, and what it took."""

    chunks: tuple[JsonObject, ...]
    failures: tuple[NoteFailure, ...]
    usage: ChatUsage

    def as_json(self) -> JsonObject:
        """Return the result as it is answered."""
        return {
            "chunks": self.chunks,
            "failures": [asdict(failure) for failure in self.failures],
            "usage": asdict(self.usage),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteEstimate:
    """What a task will take, reckoned beforehand."""

    calls: int
    #: Approximate; a server's cache may make most of them cheap.
    input_tokens: int


def note_room(chunk_size: int, unit: Unit) -> int:
    """Return the room to reserve for a note in chunks of this size (ruling 6)."""
    return min(_NOTE_ROOM[unit], chunk_size // _MOST_ROOM)


def _list(value: JsonValue) -> Sequence[JsonValue]:
    return value if isinstance(value, Sequence) and not isinstance(value, str) else ()
