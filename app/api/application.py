"""The HTTP application, put together from its routers; who answers behind them is said by whoever starts it."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from importlib.metadata import version
from importlib.resources import files

from fastapi import FastAPI
from fastapi.openapi.docs import get_swagger_ui_html
from starlette.responses import HTMLResponse
from starlette.staticfiles import StaticFiles

from app.api import (
    append,
    chunks,
    contextualize,
    documents,
    health,
    ingestion,
    jobs,
    openapi_document,
    problems,
    ranking,
    retrieval,
    service,
    tokens,
)
from app.api.body_limit import BodyLimit
from app.api.dependencies import ApiLimits
from app.api.request_context import RequestContext

TITLE = "Context Atlas"
_DOCS = "/docs"
_DOCS_FILES = "/docs/files"

Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]


def build(limits_in_force: ApiLimits, lifespan: Lifespan | None = None) -> FastAPI:
    """Return the application; `app.state.services` is to be set before the first request."""
    app = FastAPI(
        title=TITLE,
        version=version("context-atlas"),
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
        redirect_slashes=False,
    )
    app.state.limits = limits_in_force
    for router in (ingestion, append, jobs, documents, retrieval, chunks, contextualize, ranking, tokens, service):
        app.include_router(router.router, prefix="/v1")
    app.include_router(ranking.router_v2, prefix="/v2")
    app.include_router(health.router)
    problems.install(app)
    openapi_document.install(app)
    _serve_docs(app)
    app.add_middleware(BodyLimit, max_bytes=limits_in_force.max_body_bytes)
    app.add_middleware(RequestContext)  # added last, so outermost
    return app


def _serve_docs(app: FastAPI) -> None:
    """Serve the interactive documentation with its files from here: no other host is asked."""
    page = get_swagger_ui_html(
        openapi_url="/openapi.json",
        title=TITLE,
        swagger_js_url=f"{_DOCS_FILES}/swagger-ui-bundle.js",
        swagger_css_url=f"{_DOCS_FILES}/swagger-ui.css",
        swagger_favicon_url=f"{_DOCS_FILES}/favicon.png",
    )

    async def docs() -> HTMLResponse:
        return page

    app.add_api_route(_DOCS, docs, include_in_schema=False)
    app.mount(_DOCS_FILES, StaticFiles(directory=str(files("fastapi_offline") / "static")))
