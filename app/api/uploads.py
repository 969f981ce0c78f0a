"""From a request to an upload: the document's bytes, in memory or spooled to disk, with what was said about them."""

import asyncio
import hashlib
import io
import re
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import IO

from app.api.schemas.append import AppendFields
from app.api.schemas.ingestion import IngestFields
from app.api.strict_json import replace_in
from app.documents.job import MAY_BE_CHAT, Upload
from app.documents.profile import Profile
from app.errors import FieldError, InvalidRequest
from app.operations.accept_document import INGESTION_VERSION
from app.readers.registry import DATA_FORMATS, resolve_format

BLOCK_BYTES = 256 * 1024
#: Bytes of a document that its format may be told from.
HEAD_BYTES = 64 * 1024
#: Characters of a file name that are kept.
MAX_FILENAME = 255
#: Said when a title or metadata held NUL.
NUL_REPLACED = "The title or metadata held NUL characters; each was replaced by U+FFFD."

_NUL = re.compile("\x00")
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Content:
    """A document's bytes with the name and type they came under. Read in threads unless they are in memory."""

    file: IO[bytes]
    filename: str | None = None
    media_type: str | None = None

    async def head(self) -> bytes:
        """Return the first bytes."""
        if isinstance(self.file, io.BytesIO):
            return self._head()
        return await asyncio.to_thread(self._head)

    async def measure(self) -> tuple[str, int]:
        """Return the SHA-256 in hex, and the number of bytes."""
        return await asyncio.to_thread(self._measure)

    async def read(self) -> bytes:
        """Return all bytes."""
        if isinstance(self.file, io.BytesIO):
            return self.file.getvalue()
        return b"".join([block async for block in self.blocks()])

    async def blocks(self) -> AsyncIterator[bytes]:
        """Stream the bytes."""
        await asyncio.to_thread(self.file.seek, 0)
        while block := await asyncio.to_thread(self.file.read, BLOCK_BYTES):
            yield block

    def _head(self) -> bytes:
        self.file.seek(0)
        return self.file.read(HEAD_BYTES)

    def _measure(self) -> tuple[str, int]:
        self.file.seek(0)
        digest, size = hashlib.sha256(), 0
        while block := self.file.read(BLOCK_BYTES):
            digest.update(block)
            size += len(block)
        return digest.hexdigest(), size

    async def format(self, declared: str | None) -> str:
        """Return the format to read the bytes as.

        Raises:
            UnknownFormat: there is no reader for it, or the bytes are not what they are said to be.
        """
        return resolve_format(
            declared=declared, filename=self.filename, media_type=self.media_type, head=await self.head()
        )


def base_name(filename: str | None) -> str | None:
    """Return the last part of a file name without control characters: it is shown, and never a path (case P22)."""
    name = _UNPRINTABLE.sub("", re.split(r"[/\\]", filename or "")[-1]).strip()[-MAX_FILENAME:]
    return name if name.strip(".") else None


async def to_upload(fields: IngestFields, declared: str | None, content: Content, warnings: tuple[str, ...]) -> Upload:
    """Return what a caller hands in, checked and measured; `declared` is the format that was named.

    Raises:
        UnknownFormat: no reader takes it.
        InvalidRequest: the profile is none of the format's.
    """
    document_format = await content.format(declared)
    # What may be a chat log is decided by its content; a caller who names the profile of data has decided already.
    named = declared is not None or fields.profile is Profile.MARKUP
    if named or document_format not in MAY_BE_CHAT:
        _refuse_wrong_profile(fields.profile, document_format)
    content_hash, size = await content.measure()
    title = None if fields.title is None else _NUL.sub("\ufffd", fields.title)
    metadata = {_NUL.sub("\ufffd", key): replace_in(value, _NUL)[0] for key, value in fields.metadata.items()}
    replaced = (title, metadata) != (fields.title, fields.metadata)
    return Upload(
        collection=fields.collection,
        document=fields.id or f"doc_{uuid.uuid4().hex}",
        format=document_format,
        declared=named,
        title=title,
        filename=content.filename,
        profile=fields.profile,
        metadata=metadata,
        config=fields.config.as_set(),
        content_hash=content_hash,
        size=size,
        force=fields.force,
        warnings=(*warnings, NUL_REPLACED) if replaced else warnings,
        ingestion_version=INGESTION_VERSION,
    )


async def to_appended(
    fields: AppendFields, declared: str | None, content: Content, warnings: tuple[str, ...]
) -> Upload:
    """Return what a caller wants appended, checked and measured. Raises `UnknownFormat` as `to_upload`."""
    document_format = await content.format(declared)
    content_hash, size = await content.measure()
    return Upload(
        collection=fields.collection,
        document=fields.id,
        format=document_format,
        declared=declared is not None,
        filename=content.filename,
        config=fields.config.as_set(),
        content_hash=content_hash,
        size=size,
        warnings=warnings,
        ingestion_version=INGESTION_VERSION,
    )


def _refuse_wrong_profile(profile: Profile | None, document_format: str) -> None:
    """Raise unless the profile that a caller named can be the document's: data files have one of their own."""
    if profile is None or (profile is Profile.MARKUP) == (document_format in DATA_FORMATS):
        return
    detail = (
        f"{document_format} is a data format: its profile is markup."
        if document_format in DATA_FORMATS
        else f"markup is the profile of data files, and {document_format} is none."
    )
    raise InvalidRequest("1 field has an invalid value.", errors=(FieldError("/profile", detail),))
