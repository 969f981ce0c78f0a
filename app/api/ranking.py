"""Ranking passages of the caller's own."""

from uuid import uuid4

from app.api.dependencies import RankOperation
from app.api.responses import body_problems
from app.api.routing import strict_router
from app.api.schemas.ranking import RankAnswer, RankRequest
from app.api.schemas.reranking import RerankAnswer, RerankRequest

router = strict_router("Ranking")
#: Where newer rerank clients look for it (ruling 5).
router_v2 = strict_router("Ranking")


@router.post(
    "/rank",
    operation_id="rankPassages",
    response_description="The passages that state the answer, best first.",
    responses=body_problems(),
)
async def rank_passages(wanted: RankRequest, rank: RankOperation) -> RankAnswer:
    """Keep the passages that state the answer to a question, best first; equal scores stay in the order given."""
    ranking = await rank.run(wanted.query, wanted.to_passages(), limit=wanted.limit, config=wanted.config.to_domain())
    return RankAnswer.from_domain(ranking)


@router.post(
    "/rerank",
    operation_id="rerankDocuments",
    response_model_exclude_none=True,
    response_description="All documents with their scores, best first.",
    responses=body_problems(),
)
async def rerank_documents(wanted: RerankRequest, rank: RankOperation) -> RerankAnswer:
    """Put documents in order by the probability that they state the answer, as rerank clients ask for it.

    Every document is scored, without a threshold; one longer than `passage_chars` is judged by its beginning.
    """
    reranking = await rank.rerank(
        wanted.query,
        wanted.to_passages(),
        top_n=wanted.limit,
        passage_chars=wanted.config.passage_chars,
    )
    return RerankAnswer.from_domain(uuid4().hex, reranking, wanted)


@router_v2.post(
    "/rerank",
    operation_id="rerankDocumentsAlias",
    response_model_exclude_none=True,
    response_description="All documents with their scores, best first.",
    responses=body_problems(),
)
async def rerank_documents_alias(wanted: RerankRequest, rank: RankOperation) -> RerankAnswer:
    """Do the same as `/v1/rerank`."""
    return await rerank_documents(wanted, rank)
