"""Profiles: the kinds of document (retrieval design, "Profiles")."""

from dataclasses import dataclass
from enum import StrEnum


class Profile(StrEnum):
    """What kind of text a section is, or that it is data; decides links and how questions about it are answered."""

    GUIDANCE = "guidance"
    NORMATIVE = "normative"
    NARRATIVE = "narrative"
    PROCEDURAL = "procedural"
    REFERENCE = "reference"
    #: Told by who speaks: nobody is asked.
    CONVERSATIONAL = "conversational"
    #: Data files: known by their format, nobody is asked.
    MARKUP = "markup"


class DetectedBy(StrEnum):
    """Who chose a document's profile (documents design, "The document")."""

    CALLER = "caller"
    JEV = "jev"
    OFFLINE = "offline"
    #: Most of its text names who spoke.
    SPEAKERS = "speakers"
    DEFAULT = "default"
    #: The format says it.
    FORMAT = "format"


@dataclass(frozen=True, slots=True)
class Detected:
    """The profile that was found, with the confidence of whoever found it (None when nobody was asked)."""

    profile: Profile
    score: float | None
    by: DetectedBy
