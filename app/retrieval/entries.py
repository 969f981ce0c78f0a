"""Entries that a question names, and properties that it asks for (retrieval design, "Retrieval", step 6)."""

import re
from collections.abc import Iterable

from app.documents.document import UnitHit
from app.documents.entry_property import Property

#: Entries that a question names join the pool, at most so many.
MOST_NAMED = 6
#: Entries that have a property, at most so many.
MOST_WITH_PROPERTY = 30
#: Properties that a question may choose from: the longest values that it holds.
MOST_PROPERTIES = 20

#: What separates a member from what it belongs to.
_OWNER = re.compile(r".*(?:\.|::|#|->)(?=.)")
#: A member's own name that is also a word of the language is meant only where it is written as code.
_PLAIN_WORD = re.compile(r"[^\W\d_]+")
_VERSION_NUMBER = re.compile(r"\d[\w.]*\Z")


def named_in(question: str, entries: Iterable[UnitHit]) -> list[UnitHit]:
    """Return the entries whose names stand in the question as whole words, those of the longest names first.

    A member is also named by its own name without its owner's (`Path.walk` by `walk()`); where that is an ordinary
    word, only when it is called or stands in backticks. Of an entry in several parts it is the first.
    """
    found: dict[str, UnitHit] = {}
    for entry in sorted(entries, key=lambda hit: -len(name_of(hit))):
        name = name_of(entry)
        own = _OWNER.sub("", name)
        if (holds(question, name) or (own != name and _means(question, own))) and name.casefold() not in found:
            found[name.casefold()] = entry
    return list(found.values())[:MOST_NAMED]


def properties_in(question: str, properties: Iterable[Property]) -> list[Property]:
    """Return the properties whose values stand in the question as whole words, those of the longest values first.

    A version also counts by its number alone: `added in version 3.12` by `3.12`.
    """
    found = [one for one in properties if _asks_for(question, one)]
    return sorted(found, key=lambda one: (-len(one.value), one.field, one.value))[:MOST_PROPERTIES]


def _searched_forms(value: str) -> tuple[str, ...]:
    """The texts by one of which a question can hold a value: the value, and the number that ends a version."""
    number = _VERSION_NUMBER.search(value)
    return (value,) if number is None or number[0] == value else (value, number[0])


def holds(text: str, name: str) -> bool:
    """True when a text holds a name as whole words, in any case."""
    if not name.strip():
        return False
    before = r"(?<!\w)" if name[0].isalnum() or name[0] == "_" else ""
    after = r"(?!\w)" if name[-1].isalnum() or name[-1] == "_" else ""
    return re.search(before + re.escape(name) + after, text, re.IGNORECASE) is not None


def _asks_for(question: str, one: Property) -> bool:
    forms = _searched_forms(one.value) if one.field == "versions" else (one.value,)
    return any(holds(question, form) for form in forms)


def _means(question: str, own: str) -> bool:
    if not _PLAIN_WORD.fullmatch(own):
        return holds(question, own)
    return re.search(rf"(?<!\w){re.escape(own)}\(|`{re.escape(own)}`", question) is not None


def name_of(entry: UnitHit) -> str:
    """The name that ingestion gave an entry; empty for what is none."""
    name = entry.unit.meta.get("name")
    return name if isinstance(name, str) else ""
