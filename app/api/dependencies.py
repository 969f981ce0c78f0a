"""What routes are given: operations and ports of this application's `Services`, by type."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from app.operations.accept_append import AcceptAppend
from app.operations.accept_document import AcceptDocument
from app.operations.rank import Rank
from app.operations.retrieve import Retrieve
from app.operations.search import Search
from app.ports.document_store import DocumentStore
from app.ports.job_store import JobStore
from app.wiring import Services


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiLimits:
    """What a request may take, as values of the settings."""

    max_body_bytes: int
    reader_seconds: float
    reader_memory_mb: int
    decisions_per_job: int
    decisions_per_query: int


def _services(request: Request) -> Services:
    services: Services = request.app.state.services
    return services


def _limits(request: Request) -> ApiLimits:
    limits: ApiLimits = request.app.state.limits
    return limits


def _accept_document(services: Annotated[Services, Depends(_services)]) -> AcceptDocument:
    return services.accept_document


def _accept_append(services: Annotated[Services, Depends(_services)]) -> AcceptAppend:
    return services.accept_append


def _retrieve(services: Annotated[Services, Depends(_services)]) -> Retrieve:
    return services.retrieve


def _search(services: Annotated[Services, Depends(_services)]) -> Search:
    return services.search


def _rank(services: Annotated[Services, Depends(_services)]) -> Rank:
    return services.rank


def _documents(services: Annotated[Services, Depends(_services)]) -> DocumentStore:
    return services.documents


def _jobs(services: Annotated[Services, Depends(_services)]) -> JobStore:
    return services.jobs


AllServices = Annotated[Services, Depends(_services)]
Limits = Annotated[ApiLimits, Depends(_limits)]
AcceptDocumentOperation = Annotated[AcceptDocument, Depends(_accept_document)]
AcceptAppendOperation = Annotated[AcceptAppend, Depends(_accept_append)]
RetrieveOperation = Annotated[Retrieve, Depends(_retrieve)]
SearchOperation = Annotated[Search, Depends(_search)]
RankOperation = Annotated[Rank, Depends(_rank)]
Documents = Annotated[DocumentStore, Depends(_documents)]
Jobs = Annotated[JobStore, Depends(_jobs)]
