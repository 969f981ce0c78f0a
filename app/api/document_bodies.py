"""Bodies that hold a document: JSON with text or blocks, or a multipart form with a file."""

import asyncio
import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Generic, TypeVar

from fastapi import Request
from pydantic import BaseModel, ValidationError

from app.api import forms
from app.api.forms import Form, read_form
from app.api.problems import invalid_request
from app.api.routing import is_json, media_type, read_json, wrong_media_type
from app.api.schemas.blocks import as_payload
from app.api.schemas.chunks import ChunkForm, ChunkRequest
from app.api.schemas.ingestion import IngestForm, IngestRequest
from app.api.uploads import Content, base_name
from app.errors import FieldError, InvalidRequest

JsonModel = TypeVar("JsonModel", IngestRequest, ChunkRequest)
FormModel = TypeVar("FormModel", IngestForm, ChunkForm)
Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Received(Generic[JsonModel, FormModel]):
    """A document as it came in: what was said about it, its format if it was named, its bytes, and what was changed."""

    fields: JsonModel | FormModel
    declared: str | None
    content: Content
    warnings: tuple[str, ...]


@asynccontextmanager
async def receive(
    request: Request, json_model: type[JsonModel], form_model: type[FormModel], *, max_bytes: int
) -> AsyncIterator[Received[JsonModel, FormModel]]:
    """Read a body that holds a document; its file is closed at the end of the block.

    Raises:
        HTTPException: 415, the body is something else; 400, the form can't be read.
        MalformedRequest: the JSON can't be read.
        InvalidRequest: names each field that is wrong.
    """
    name = media_type(request)
    if name == forms.MEDIA_TYPE:
        async with read_form(request, max_bytes=max_bytes) as form:
            fields = await _validate(form_model, form.values)
            yield Received(fields, fields.declared_format, _content(form, fields.text), form.warnings)
    elif is_json(name) or not name:
        parsed = await read_json(request)
        document = await _validate(json_model, parsed.value)
        if document.blocks is None:
            content, declared = (document.text or "").encode(), document.declared_format
        else:
            sent = parsed.value["blocks"] if isinstance(parsed.value, dict) else []
            content, declared = await asyncio.to_thread(as_payload, sent), "blocks"
        yield Received(document, declared, Content(io.BytesIO(content)), parsed.warnings)
    else:
        raise wrong_media_type(request, "application/json", forms.MEDIA_TYPE)


async def _validate(model: type[Model], value: object) -> Model:
    """Check a body against its model; beside the event loop, as it may be long."""
    try:
        return await asyncio.to_thread(model.model_validate, value)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
        raise invalid_request([{**one, "loc": ("body", *one["loc"])} for one in found]) from error


def _content(form: Form, text: str | None) -> Content:
    """Return a form's document: its file, or its field `text`.

    Raises:
        InvalidRequest: there is neither, or both.
    """
    if (form.file is None) == (text is None):
        detail = "Send either a file or text."
        raise InvalidRequest(detail, errors=(FieldError("/file", detail), FieldError("/text", detail)))
    if form.file is None:
        return Content(io.BytesIO((text or "").encode()))
    return Content(form.file.file, filename=base_name(form.file.filename), media_type=form.file.content_type)
