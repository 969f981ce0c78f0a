"""The HTTP entry point: settings in, an ASGI application out."""

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from app import wiring
from app.api.application import build
from app.api.body_limit import MEGABYTE
from app.api.dependencies import ApiLimits
from app.settings import Settings
from app.wiring import Services


def create_app(settings: Settings, services: Services | None = None) -> FastAPI:
    """Return the application; it opens its own services while it runs, unless some are given."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        if services is not None:
            yield
            return
        async with wiring.open_services(settings) as opened:
            app.state.services = opened
            _spare_the_collector()
            yield

    app = build(_limits(settings), lifespan)
    if services is not None:
        app.state.services = services
    return app


def _spare_the_collector() -> None:
    """Keep the garbage collector from holding every request up for a third of a second.

    What is loaded by now lives as long as the process, and is not looked through again. What a large document makes is
    no garbage either while it is being cut: the rarer the collector looks, the better.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def _limits(settings: Settings) -> ApiLimits:
    return ApiLimits(
        max_body_bytes=settings.limits.max_upload_mb * MEGABYTE,
        reader_seconds=settings.limits.reader_seconds,
        reader_memory_mb=settings.limits.reader_memory_mb,
        decisions_per_job=settings.decisions.max_per_job,
        decisions_per_query=settings.decisions.max_per_query,
    )
