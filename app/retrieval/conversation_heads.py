"""The line that opens a message, where the message before it says the half of it (retrieval design, "Packing")."""

from app.documents.document import UnitHit
from app.retrieval.conversation_units import document_of, is_spoken
from app.retrieval.own_text import head


def head_after(hit: UnitHit, before: UnitHit | None) -> str:
    """The head of a unit that is shown in a budget behind another one.

    Of two messages under the same headings the second one's says who speaks, and when, if that is another time: of a
    chat, heads would else take a quarter of the room.
    """
    line = head(hit.unit)
    if before is None or not (is_spoken(hit) and is_spoken(before)):
        return line
    if (document_of(hit), hit.unit.path) != (document_of(before), before.unit.path):
        return line
    path = f"[{' > '.join(hit.unit.path)} | "
    if line.startswith(path):
        line = f"[{line.removeprefix(path)}"
    time = hit.unit.meta.get("time")
    if isinstance(time, str) and time == before.unit.meta.get("time"):
        line = line.replace(f", {time}]", "]", 1)
    return line
