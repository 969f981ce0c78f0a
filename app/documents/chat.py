"""What a chat model is asked, and what it answers (chunking design, "Contextualize")."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatUsage:
    """What asking a chat model took."""

    #: Requests sent, retries included.
    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    #: Input tokens that the server had cached.
    cached_tokens: int = 0
    #: None while no price is known.
    cost_usd: float | None = None

    def __add__(self, other: "ChatUsage") -> "ChatUsage":
        costs = [cost for cost in (self.cost_usd, other.cost_usd) if cost is not None]
        return ChatUsage(
            requests=self.requests + other.requests,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            cost_usd=sum(costs) if costs else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatPrompt:
    """What a chat model is asked."""

    system: str
    user: str
    #: None is the configured one.
    model: str | None = None
    #: None leaves it to the model: some refuse every value.
    temperature: float | None = 0.0
    #: Tokens that the answer may have; a longer one comes back cut off.
    max_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatReply:
    """What a chat model answered; whether that is of use is for the caller to judge."""

    text: str
    #: Why the answer ends where it does: `stop`, `length`, `content_filter`; "" when the server doesn't say.
    finish_reason: str
    #: The model's own words when it declined, else "".
    refusal: str = ""
    usage: ChatUsage
