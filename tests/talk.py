"""Conversations for tests: units as ingestion makes them (conversations design, c.1), and their links."""

from dataclasses import replace

from app.documents.document import Document, Link, LinkType, Unit, UnitKind
from app.documents.profile import Profile
from app.documents.values import JsonValue
from tests.builders import a_document


def said(
    id: str,  # noqa: A002 - the unit's own name for it
    speaker: str,
    text: str,
    *,
    turn: str | None = None,
    time: str | None = None,
    path: tuple[str, ...] = (),
    **meta: JsonValue,
) -> Unit:
    """A message, or an output where the id begins with `a`; `turn` is the first part's id of a later part."""
    name = meta.get("speaker_full", speaker)
    line = f"{' > '.join(path)} | {name}" if path else str(name)
    line = f"{line}, {time}" if time else line
    continued = " (continued)" if turn not in (None, id) else ""
    return Unit(
        id=id,
        kind=UnitKind.OUTPUT if id.startswith("a") else UnitKind.MESSAGE,
        text=f"[{line}]{continued}\n{text}",
        path=path,
        meta={
            "speaker": speaker,
            "time": time,
            "turn": turn or id,
            "blocks": [0],
            "profile": Profile.CONVERSATIONAL,
            **meta,
        },
    )


def a_talk(*units: Unit, links: str = "", id: str = "chat") -> Document:  # noqa: A002 - the document's own name for it
    """A conversation with links as `m3 reply_to m1, m4 corrects m3`."""
    document = a_document(id=id, units=units, profile=Profile.CONVERSATIONAL, title=id)
    read = [link.split() for link in links.split(",") if link.strip()]
    return replace(
        document,
        links=tuple(Link(type=LinkType(type_), source=source, target=target) for source, type_, target in read),
    )
