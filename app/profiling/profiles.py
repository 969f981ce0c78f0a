"""From answers about sections to a profile per passage and one for the document (retrieval design, "Sections")."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.documents.decision import Answer, Choice
from app.documents.profile import Detected, DetectedBy, Profile
from app.profiling.sections import Section

#: What a section counts as when nobody answered (decisions design, "When nobody answers").
DEFAULT_PROFILE = Profile.GUIDANCE


@dataclass(frozen=True, slots=True, kw_only=True)
class Profiles:
    """What a document and its parts are."""

    #: The document's own: the one whose sections hold most tokens.
    document: Profile
    detected: Detected
    #: One per chunk, by index; a conversation has no chunks.
    chunks: tuple[Profile, ...]
    #: By section title, in reading order.
    sections: Mapping[str, Profile]


def named_by_caller(profile: Profile, sections: Sequence[Section]) -> Profiles:
    """Return the one profile that the caller named, for everything."""
    return _profiles(sections, [profile] * len(sections), profile, Detected(profile, None, DetectedBy.CALLER))


def from_answers(sections: Sequence[Section], answers: Sequence[Answer | None], *, by: DetectedBy) -> Profiles:
    """Return the profiles that the answers, one per section that is no conversation, give; `by` is who answered.

    The score is the highest confidence among the sections of the document's profile; it is None when none of those was
    answered, and then `detected.by` is `speakers` for a conversation, else `default`.
    """
    told = iter(answers)
    found = [Profile.CONVERSATIONAL if section.spoken else _answered(next(told)) for section in sections]
    document = _largest(sections, found)
    confidences = [
        answer.confidence for answer in answers if isinstance(answer, Choice) and _answered(answer) is document
    ]
    untold = DetectedBy.SPEAKERS if document is Profile.CONVERSATIONAL else DetectedBy.DEFAULT
    detected = Detected(document, max(confidences), by) if confidences else Detected(document, None, untold)
    return _profiles(sections, found, document, detected)


def _answered(answer: Answer | None) -> Profile:
    return Profile(answer.label) if isinstance(answer, Choice) else DEFAULT_PROFILE


def _largest(sections: Sequence[Section], profiles: Sequence[Profile]) -> Profile:
    """Return the profile with most tokens; between equals, the one that comes first in the document."""
    tokens: dict[Profile, int] = {}
    for section, profile in zip(sections, profiles, strict=True):
        tokens[profile] = tokens.get(profile, 0) + section.tokens
    return max(tokens, key=lambda profile: tokens[profile], default=DEFAULT_PROFILE)


def _profiles(
    sections: Sequence[Section], profiles: Sequence[Profile], document: Profile, detected: Detected
) -> Profiles:
    of_chunk = {index: profile for section, profile in zip(sections, profiles, strict=True) for index in section.chunks}
    return Profiles(
        document=document,
        detected=detected,
        chunks=tuple(of_chunk[index] for index in sorted(of_chunk)),
        sections={section.title: profile for section, profile in zip(sections, profiles, strict=True)},
    )
