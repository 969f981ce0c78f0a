"""The port to a chat model: one prompt in, one text out (chunking design, "Contextualize")."""

from typing import Protocol

from app.documents.chat import ChatPrompt, ChatReply


class ChatModel(Protocol):
    """Answers prompts."""

    async def complete(self, prompt: ChatPrompt) -> ChatReply:
        """Answer a prompt.

        Raises:
            ChatModelUnavailable: there is no answer, after all retries.
        """
        ...
