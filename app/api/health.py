"""Whether the service lives, and whether it can work (service design, "Endpoints")."""

from app.api.dependencies import AllServices
from app.api.responses import problems
from app.api.routing import strict_router
from app.api.schemas.service import LiveAnswer, ReadyAnswer
from app.errors import FieldError, Unavailable

router = strict_router("Health")


@router.get("/livez", operation_id="getLiveness", response_description="It lives.", responses=problems())
async def get_liveness() -> LiveAnswer:
    """Whether the process answers; touches nothing else."""
    return LiveAnswer()


@router.get("/readyz", operation_id="getReadiness", response_description="It can work.", responses=problems())
async def get_readiness(services: AllServices) -> ReadyAnswer:
    """Whether the database, its migrations, the queue and a worker are there; never asks the decision model."""
    checks = await services.readiness()
    wrong = {name: problem for name, problem in checks.items() if problem is not None}
    if wrong:
        raise Unavailable(
            f"Not ready: {'; '.join(f'{name}: {problem}' for name, problem in wrong.items())}.",
            errors=tuple(FieldError(name, problem) for name, problem in wrong.items()),
        )
    return ReadyAnswer(checks=dict.fromkeys(checks, "ok"))
