"""A document as JSON in format 2, which other Context Atlas implementations read and write (documents design)."""

from app.documents.document import Document, Unit
from app.documents.profile import Detected
from app.documents.values import JsonObject, JsonValue


def to_format2(document: Document, lexical: JsonObject) -> dict[str, JsonValue]:
    """Return a document in the key order of the format; `lexical` is its term counts."""
    return {
        "format": 2,
        "id": document.id,
        "profile": document.profile.value,
        "detected": None if document.detected is None else _detected(document.detected),
        "units": [unit_to_format2(unit) for unit in document.units],
        "links": [{"type": link.type.value, "from": link.source, "to": link.target} for link in document.links],
        "lexical": lexical,
        "data": dict(document.data),
    }


def unit_to_format2(unit: Unit) -> dict[str, JsonValue]:
    """Return one unit; an empty `path` or `meta` is left out."""
    members: dict[str, JsonValue] = {"id": unit.id, "kind": unit.kind.value, "text": unit.text}
    if unit.path:
        members["path"] = list(unit.path)
    if unit.meta:
        members["meta"] = dict(unit.meta)
    return members


def _detected(detected: Detected) -> JsonObject:
    return {"profile": detected.profile.value, "score": detected.score, "by": detected.by.value}
