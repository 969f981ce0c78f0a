"""A chat model that answers as a test scripts it, and keeps what it was asked."""

from collections.abc import Callable
from dataclasses import dataclass, field

from app.documents.chat import ChatPrompt, ChatReply, ChatUsage

#: What to answer to a prompt; may raise.
ChatScript = Callable[[ChatPrompt], ChatReply]


def said(text: str, *, finish_reason: str = "stop", refusal: str = "") -> ChatReply:
    """An answer that took 100 tokens in and 20 out."""
    usage = ChatUsage(requests=1, input_tokens=100, output_tokens=20)
    return ChatReply(text=text, finish_reason=finish_reason, refusal=refusal, usage=usage)


def a_note(prompt: ChatPrompt) -> ChatReply:
    """The same note for every chunk."""
    return said("It is about the pump.\npump, P-100")


@dataclass
class ScriptedChatModel:
    """See the port `ChatModel`."""

    script: ChatScript = a_note
    asked: list[ChatPrompt] = field(default_factory=list)

    async def complete(self, prompt: ChatPrompt) -> ChatReply:
        self.asked.append(prompt)
        return self.script(prompt)
