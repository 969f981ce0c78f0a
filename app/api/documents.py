"""Stored documents: lists, whole documents, their units, removal (service design, "Endpoints")."""

import asyncio
import json
from typing import Annotated

from fastapi import Header, Path, Query, Request, Response, status

from app.api.dependencies import Documents
from app.api.preconditions import entity_tag, expected_version, matches
from app.api.responses import problems
from app.api.routing import strict_router
from app.api.schemas.common import MAX_PAGE, CollectionName, DocumentId
from app.api.schemas.documents import DocumentPage, Format2Document, UnitPage
from app.documents.document import Page, StoredDocument
from app.documents.format2 import to_format2
from app.errors import FieldError, InvalidRequest
from app.ports.document_store import DocumentStore
from app.terms.lexical import lexical

router = strict_router("Documents")

PathId = Annotated[
    DocumentId,
    Path(description="Id of the document, percent-encoded; it may contain `/`.", examples=["returns-policy"]),
]
QueryId = Annotated[
    DocumentId,
    Query(description="Id of a document, for clients that rewrite `..` in paths.", examples=["returns-policy"]),
]
InCollection = Annotated[CollectionName, Query(description="The document's collection.")]
Cursor = Annotated[str | None, Query(description="`next_cursor` of the page before.", max_length=3000)]
Limit = Annotated[int, Query(ge=1, le=MAX_PAGE, description="Entries of the page at most.")]
IfNoneMatch = Annotated[str | None, Header(description="`ETag` of a version that the caller has.", examples=['"3"'])]
IfMatch = Annotated[
    str | None, Header(description="`ETag` of the version that is meant; refused when it is another.", examples=['"3"'])
]

_ETAG = {"ETag": {"description": "The document's version.", "schema": {"type": "string"}}}
_NOT_MODIFIED = {"description": "The caller has this version.", "headers": _ETAG}


@router.get(
    "/documents",
    operation_id="listDocuments",
    response_model=DocumentPage | Format2Document,
    response_description="A page of documents; with `id`, that document.",
    responses={304: _NOT_MODIFIED, **problems(404)},
)
async def list_documents(
    request: Request,
    documents: Documents,
    id: Annotated[QueryId | None, Query()] = None,  # noqa: A002 - the name in the query
    collection: InCollection = "default",
    cursor: Cursor = None,
    limit: Limit = 50,
    if_none_match: IfNoneMatch = None,
) -> DocumentPage | Response:
    """List the documents of a collection, ordered by id; or, with `id`, get that one whole."""
    if id is not None:
        _refuse_paging(request)
        return await _whole(documents, collection, id, if_none_match)
    found, next_cursor = await documents.documents(collection, Page(cursor, limit))
    return DocumentPage.from_domain(found, next_cursor)


@router.get(
    "/documents/{id:path}",
    operation_id="getDocument",
    response_model=Format2Document,
    response_description="The document in format 2.",
    responses={200: {"headers": _ETAG}, 304: _NOT_MODIFIED, **problems(404)},
)
async def get_document(
    id: PathId,  # noqa: A002 - the name in the path
    documents: Documents,
    collection: InCollection = "default",
    if_none_match: IfNoneMatch = None,
) -> Response:
    """Get a whole document."""
    return await _whole(documents, collection, id, if_none_match)


@router.delete(
    "/documents",
    operation_id="deleteDocumentById",
    status_code=status.HTTP_204_NO_CONTENT,
    response_description="The document is gone.",
    responses=problems(404, 412),
)
async def delete_document_by_id(
    id: QueryId,  # noqa: A002 - the name in the query
    documents: Documents,
    collection: InCollection = "default",
    if_match: IfMatch = None,
) -> None:
    """Remove a document, its id given in the query."""
    await _remove(documents, collection, id, if_match)


@router.delete(
    "/documents/{id:path}",
    operation_id="deleteDocument",
    status_code=status.HTTP_204_NO_CONTENT,
    response_description="The document is gone.",
    responses=problems(404, 412),
)
async def delete_document(
    id: PathId,  # noqa: A002 - the name in the path
    documents: Documents,
    collection: InCollection = "default",
    if_match: IfMatch = None,
) -> None:
    """Remove a document at once, also while a job is making a new version of it."""
    await _remove(documents, collection, id, if_match)


@router.get(
    "/units",
    operation_id="listUnits",
    response_description="A page of units.",
    responses=problems(404),
)
async def list_units(
    documents: Documents,
    document: Annotated[DocumentId, Query(description="The document.", examples=["returns-policy"])],
    collection: InCollection = "default",
    cursor: Cursor = None,
    limit: Limit = 100,
) -> UnitPage:
    """List the units of a document in its order: what to embed for a vector search."""
    found, next_cursor = await documents.units(collection, document, Page(cursor, limit))
    return UnitPage.from_domain(found, next_cursor)


def _refuse_paging(request: Request) -> None:
    named = sorted({"cursor", "limit"} & set(request.query_params))
    if named:
        errors = tuple(FieldError(name, "With id there is one document, and no page.") for name in named)
        raise InvalidRequest("The query asks for a page and for one document.", errors=errors)


async def _whole(documents: DocumentStore, collection: str, document: str, if_none_match: str | None) -> Response:
    stored = await documents.document(collection, document)
    headers = {"ETag": entity_tag(stored.version)}
    if if_none_match is not None and matches(if_none_match, stored.version):
        return Response(status_code=status.HTTP_304_NOT_MODIFIED, headers=headers)
    # A large document takes a while to put into words: beside the event loop.
    body = await asyncio.to_thread(_render, stored)
    return Response(body, media_type="application/json", headers=headers)


def _render(stored: StoredDocument) -> bytes:
    document = stored.document
    whole = to_format2(document, lexical(document.units))
    return json.dumps(whole, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


async def _remove(documents: DocumentStore, collection: str, document: str, if_match: str | None) -> None:
    if if_match is None:
        await documents.remove(collection, document)
        return
    live = await documents.document(collection, document)
    await documents.remove(collection, document, if_version=expected_version(if_match, live.version))
