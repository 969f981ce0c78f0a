"""The OpenAPI document: what the framework makes of the routes, completed."""

from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from app.api.problems import MEDIA_TYPE
from app.api.schemas.append import AppendForm, AppendRequest
from app.api.schemas.chunks import ChunkForm, ChunkRequest
from app.api.schemas.ingestion import IngestForm, IngestRequest

DESCRIPTION = (
    "Takes in documents, structures them by kind of text, and returns the few hundred tokens that answer a question."
    "\n\nErrors are RFC 9457 problem details. Unknown fields and parameters are refused, never ignored. Every answer"
    " carries an `X-Request-Id`, the caller's own if it sent one."
)
TAGS = [
    {"name": "Ingestion", "description": "Handing documents in."},
    {"name": "Jobs", "description": "Accepted work: how far it is, and what came of it."},
    {"name": "Documents", "description": "What is stored."},
    {"name": "Retrieval", "description": "Questions to stored documents."},
    {"name": "Chunking", "description": "Cutting a document without storing it."},
    {"name": "Ranking", "description": "Judging passages of the caller's own."},
    {"name": "Service", "description": "What this build reads and takes."},
    {"name": "Health", "description": "For whoever runs the service."},
]

#: Bodies that are read by hand, because they may be JSON or a form; the framework does not see their models.
_BODIES: tuple[type[BaseModel], ...] = (IngestRequest, IngestForm, AppendRequest, AppendForm, ChunkRequest, ChunkForm)
_ANY_OPERATION = ("get", "put", "post", "delete", "patch")
_REF = "#/components/schemas/"


def install(app: FastAPI) -> None:
    """Make the application serve the document built here."""

    def cached() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = document(app)
        return app.openapi_schema

    app.openapi = cached  # type: ignore[method-assign]  # FastAPI's documented way to extend the document


def document(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document of the application."""
    built = get_openapi(
        title=app.title,
        version=app.version,
        summary="A document in, its context out.",
        description=DESCRIPTION,
        routes=app.routes,
        tags=TAGS,
        license_info={"name": "MIT", "identifier": "MIT"},
    )
    schemas = built["components"]["schemas"]
    _, bodies = models_json_schema([(model, "validation") for model in _BODIES], ref_template=_REF + "{model}")
    for name, schema in bodies["$defs"].items():
        schemas.setdefault(name, schema)
    for model in _with_subclasses(BaseModel):
        # The framework leaves null members out of examples: here they are whole again.
        if "examples" in schemas.get(model.__name__, {}) and model.__module__.startswith("app.api."):
            schemas[model.__name__]["examples"] = _extra(model)["examples"]
    for operation in _operations(built):
        _problems_as_such(operation)
        _with_examples(operation, schemas)
    built["components"]["schemas"] = dict(sorted(schemas.items()))
    return built


def _with_subclasses(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    yield model
    for subclass in model.__subclasses__():
        yield from _with_subclasses(subclass)


def _extra(model: type[BaseModel]) -> dict[str, Any]:
    extra = model.model_config.get("json_schema_extra")
    return extra if isinstance(extra, dict) else {}


def _operations(built: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for item in built["paths"].values():
        yield from (item[method] for method in _ANY_OPERATION if method in item)


def _problems_as_such(operation: dict[str, Any]) -> None:
    """Declare problems under their own media type; the framework knows one for all answers of a route."""
    for status, answer in operation["responses"].items():
        content = answer.get("content", {})
        if int(status) >= 400 and "application/json" in content:  # noqa: PLR2004 - the first status that is an error
            content[MEDIA_TYPE] = content.pop("application/json")


def _with_examples(operation: dict[str, Any], schemas: dict[str, Any]) -> None:
    """Show the first example of a body's schema at each place where the schema is used."""
    successes = [answer for status, answer in operation["responses"].items() if status.startswith("2")]
    for holder in (operation.get("requestBody", {}), *successes):
        for media in holder.get("content", {}).values():
            schema = media.get("schema", {})
            ref = schema.get("$ref") or next((one["$ref"] for one in schema.get("anyOf", ()) if "$ref" in one), "")
            examples = schemas.get(ref.removeprefix(_REF), {}).get("examples")
            if examples:
                media.setdefault("example", examples[0])
