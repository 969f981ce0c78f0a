"""Ranking passages of the caller's own."""

from app.api.dependencies import RankOperation
from app.api.responses import body_problems
from app.api.routing import strict_router
from app.api.schemas.ranking import RankAnswer, RankRequest

router = strict_router("Ranking")


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
