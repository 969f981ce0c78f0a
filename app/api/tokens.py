"""Counting the tokens of a text (chunking design, "Text rules")."""

import asyncio

from app.api.responses import body_problems
from app.api.routing import strict_router
from app.api.schemas.tokens import TokensAnswer, TokensRequest
from app.text.encodings import encoding

router = strict_router("Chunking")


@router.post(
    "/tokens",
    operation_id="countTokens",
    response_description="The number of tokens.",
    responses=body_problems(),
)
async def count_tokens(wanted: TokensRequest) -> TokensAnswer:
    """Count the tokens of a text in one of OpenAI's encodings; what spells a special token counts as plain text."""
    return await asyncio.to_thread(_counted, wanted)


def _counted(wanted: TokensRequest) -> TokensAnswer:
    measure = encoding(wanted.encoding)
    return TokensAnswer(tokens=measure.count(wanted.text), encoding=measure.name)
