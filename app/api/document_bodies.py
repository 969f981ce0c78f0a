"""Bodies that hold documents: JSON with text or blocks, or a multipart form with files."""

import io
from base64 import b64decode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from fastapi import Request
from pydantic import BaseModel, ValidationError

from app.api import forms
from app.api.forms import Form, read_form
from app.api.problems import invalid_request
from app.api.routing import beside_the_loop, is_json, media_type, read_json, wrong_media_type
from app.api.schemas.append import AppendForm, AppendRequest
from app.api.schemas.blocks import as_payload
from app.api.schemas.chunks import MAX_BATCH, ChunkDocumentInput, ChunkForm, ChunkRequest, DocumentInput
from app.api.schemas.ingestion import IngestForm, IngestRequest
from app.api.strict_json import Json
from app.api.uploads import Content, base_name
from app.errors import FieldError, InvalidRequest

Model = TypeVar("Model", bound=BaseModel)
Sent = TypeVar("Sent", IngestRequest, AppendRequest)
Filled = TypeVar("Filled", IngestForm, AppendForm)


@dataclass(frozen=True, slots=True)
class Received(Generic[Model]):
    """Documents as they came in: what was said about them, their bytes, and what was changed in the fields."""

    fields: Model
    documents: tuple["ReceivedDocument", ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReceivedDocument:
    """One document: its bytes, the format that was named for it, and what else was said about it alone."""

    content: Content
    declared: str | None
    fields: ChunkDocumentInput | None = None


@asynccontextmanager
async def receive_document(
    request: Request, as_json: type[Sent], as_form: type[Filled], *, max_bytes: int
) -> AsyncIterator[Received[Sent | Filled]]:
    """Read a body that holds one document to ingest or append; its file is closed at the end of the block.

    Args:
        request: The request.
        as_json: What a JSON body is checked against.
        as_form: What the fields of a form are checked against.
        max_bytes: What a body may have.

    Raises:
        HTTPException: 415, the body is something else; 400, the form can't be read.
        MalformedRequest: the JSON can't be read.
        InvalidRequest: names each field that is wrong.
    """
    if _is_form(request):
        async with read_form(request, max_bytes=max_bytes, max_files=1) as form:
            fields = await _validate(as_form, form.values, max_bytes)
            yield Received(fields, _of_form(form, fields.text, fields.declared_format), form.warnings)
    else:
        parsed = await read_json(request)
        size = len(await request.body())
        sent = await _validate(as_json, parsed.value, size)
        document = await beside_the_loop(size, _of_json, sent.text, sent.declared_format, parsed.value)
        yield Received(sent, (document,), parsed.warnings)


@asynccontextmanager
async def receive_to_chunk(request: Request, *, max_bytes: int) -> AsyncIterator[Received[ChunkRequest | ChunkForm]]:
    """Read a body that holds documents to cut; files are closed at the end of the block. See `receive_document`."""
    if _is_form(request):
        async with read_form(request, max_bytes=max_bytes, max_files=MAX_BATCH) as form:
            fields = await _validate(ChunkForm, form.values, max_bytes)
            yield Received(fields, _of_form(form, fields.text, fields.declared_format), form.warnings)
    else:
        parsed = await read_json(request)
        size = len(await request.body())
        sent = await _validate(ChunkRequest, parsed.value, size)
        yield Received(sent, await beside_the_loop(size, _to_chunk, sent, parsed.value), parsed.warnings)


def _is_form(request: Request) -> bool:
    """True for a form, false for JSON.

    Raises:
        HTTPException: 415, it is something else.
    """
    name = media_type(request)
    if name != forms.MEDIA_TYPE and name and not is_json(name):
        raise wrong_media_type(request, "application/json", forms.MEDIA_TYPE)
    return name == forms.MEDIA_TYPE


async def _validate(model: type[Model], value: object, size: int) -> Model:
    """Check a body of `size` bytes against its model."""
    try:
        return await beside_the_loop(size, model.model_validate, value)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
        raise invalid_request([{**one, "loc": ("body", *one["loc"])} for one in found]) from error


def _of_form(form: Form, text: str | None, declared: str | None) -> tuple[ReceivedDocument, ...]:
    """Return a form's documents: its files, or its field `text`.

    Raises:
        InvalidRequest: there is neither, or both.
    """
    if bool(form.files) == (text is not None):
        detail = "Send either a file or text."
        raise InvalidRequest(detail, errors=(FieldError("/file", detail), FieldError("/text", detail)))
    if text is not None:
        return (ReceivedDocument(Content(io.BytesIO(text.encode())), declared),)
    return tuple(
        ReceivedDocument(Content(file.file, filename=base_name(file.filename), media_type=file.content_type), declared)
        for file in form.files
    )


def _of_json(text: str | None, declared: str | None, sent: Json) -> ReceivedDocument:
    """Return a document sent as text, or as blocks; these go on as they were sent."""
    if text is not None:
        return ReceivedDocument(Content(io.BytesIO(text.encode())), declared)
    blocks = sent["blocks"] if isinstance(sent, dict) else []
    return ReceivedDocument(Content(io.BytesIO(as_payload(blocks))), "blocks")


def _to_chunk(request: ChunkRequest, sent: Json) -> tuple[ReceivedDocument, ...]:
    if request.documents is None:
        return (_chunk_document(request, sent, ""),)
    entries = sent["documents"] if isinstance(sent, dict) else []
    assert isinstance(entries, list)  # noqa: S101 - what was sent has passed its model
    return tuple(
        replace(_chunk_document(document, entry, f"/documents/{number}"), fields=document)
        for number, (document, entry) in enumerate(zip(request.documents, entries, strict=True))
    )


def _chunk_document(document: DocumentInput, sent: Json, pointer: str) -> ReceivedDocument:
    """Return a document to cut.

    Raises:
        InvalidRequest: its base64 can't be read.
    """
    if document.base64 is None:
        received = _of_json(document.text, document.declared_format, sent)
        return replace(received, content=replace(received.content, filename=base_name(document.name)))
    try:
        data = b64decode("".join(document.base64.split()), validate=True)
    except ValueError:
        detail = "This is not base64."
        raise InvalidRequest(detail, errors=(FieldError(f"{pointer}/base64", detail),)) from None
    content = Content(io.BytesIO(data), filename=base_name(document.name))
    return ReceivedDocument(content, document.declared_format)
