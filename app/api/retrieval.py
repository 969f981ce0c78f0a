"""Questions to stored documents."""

from app.api.dependencies import RetrieveOperation, SearchOperation
from app.api.responses import body_problems
from app.api.routing import strict_router
from app.api.schemas.retrieval import ContextAnswer, RetrieveRequest, SearchAnswer, SearchRequest

router = strict_router("Retrieval")


@router.post(
    "/retrieve",
    operation_id="retrieveContext",
    response_description="The context with its sources, or an abstention with its reason.",
    responses=body_problems(),
)
async def retrieve_context(question: RetrieveRequest, retrieve: RetrieveOperation) -> ContextAnswer:
    """Get the few passages that answer a question, in document order; or learn why there are none.

    Abstaining is an ordinary answer: `abstained` with a `reason`. A decision model that does not answer is a 503, or
    with `on_unavailable: search_only` a context that nobody judged.
    """
    return ContextAnswer.from_domain(await retrieve.run(question.to_domain()))


@router.post(
    "/search",
    operation_id="searchUnits",
    response_description="Hits, best first.",
    responses=body_problems(),
)
async def search_units(wanted: SearchRequest, search: SearchOperation) -> SearchAnswer:
    """Find units by their words, without judging them."""
    found = await search.run(
        wanted.query,
        collection=wanted.collection,
        documents=None if wanted.documents is None else tuple(wanted.documents),
        limit=wanted.limit,
        terms=wanted.terms,
    )
    return SearchAnswer.from_domain(found)
