"""Parts of a conversation, made without blocks: every part is a turn of its own unless it names another's position."""

from app.conversations.parts import TurnPart


def message(
    position: int,
    body: str,
    speaker: str | None = "Ana",
    *,
    turn: int | None = None,
    path: tuple[str, ...] = (),
    name: str | None = None,
    reply_to: str | None = None,
    stored: bool = False,
) -> TurnPart:
    return TurnPart(
        output=False,
        body=body,
        text=f"[{speaker}]\n{body}",
        path=path,
        speaker=speaker,
        turn=position if turn is None else turn,
        source_turn=name,
        reply_to=reply_to,
        blocks=(position,),
        stored=stored,
    )


def tool_call(
    position: int, name: str, *, id_: str | None = None, reply_to: str | None = None, stored: bool = False
) -> TurnPart:
    return TurnPart(
        output=False,
        body="ls()",
        text="[assistant]\nls()",
        path=(),
        speaker="assistant",
        turn=position,
        source_turn=name,
        reply_to=reply_to,
        call=id_,
        tool="ls",
        blocks=(position,),
        is_call=True,
        stored=stored,
    )


def output(
    position: int,
    body: str = "done",
    *,
    turn: int | None = None,
    path: tuple[str, ...] = (),
    name: str | None = None,
    reply_to: str | None = None,
    call: str | None = None,
    kind: str | None = None,
) -> TurnPart:
    return TurnPart(
        output=True,
        body=body,
        text=f"[tool]\n{body}",
        path=path,
        speaker="tool",
        turn=position if turn is None else turn,
        source_turn=name,
        reply_to=reply_to,
        call=call,
        kind=kind,
        blocks=(position,),
    )


def talk(*lines: tuple[str, str]) -> list[TurnPart]:
    """Return one message per (speaker, words)."""
    return [message(position, words, speaker) for position, (speaker, words) in enumerate(lines)]
