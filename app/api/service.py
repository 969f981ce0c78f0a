"""What this build takes."""

from app.api.dependencies import Limits
from app.api.responses import problems
from app.api.routing import strict_router
from app.api.schemas.common import MAX_DOCUMENTS, MAX_PAGE, MAX_QUERY, MAX_WAIT
from app.api.schemas.retrieval import MAX_HITS
from app.api.schemas.service import FormatEntry, FormatsAnswer, LimitsAnswer
from app.api.strict_json import MAX_CONTAINERS, MAX_DEPTH
from app.operations.rank import MAX_PASSAGES
from app.readers.registry import READERS

router = strict_router("Service")


@router.get("/limits", operation_id="getLimits", response_description="The limits.", responses=problems())
async def get_limits(limits: Limits) -> LimitsAnswer:
    """What a request and a document may take."""
    return LimitsAnswer(
        body_bytes=limits.max_body_bytes,
        json_depth=MAX_DEPTH,
        json_containers=MAX_CONTAINERS,
        query_characters=MAX_QUERY,
        documents=MAX_DOCUMENTS,
        passages=MAX_PASSAGES,
        hits=MAX_HITS,
        page=MAX_PAGE,
        wait_seconds=MAX_WAIT,
        reader_seconds=limits.reader_seconds,
        reader_memory_mb=limits.reader_memory_mb,
        decisions_per_job=limits.decisions_per_job,
        decisions_per_query=limits.decisions_per_query,
    )


@router.get("/formats", operation_id="listFormats", response_description="The formats.", responses=problems())
async def list_formats(limits: Limits) -> FormatsAnswer:
    """What formats this build reads, and what a document of each is told by when no format is named."""
    return FormatsAnswer(
        formats=[
            FormatEntry(
                name=reader.format,
                extensions=list(reader.extensions),
                media_types=list(reader.media_types),
                limits={"bytes": limits.max_body_bytes, **reader.limits},
            )
            for reader in READERS
        ]
    )
