"""Every error that the service raises on purpose, without a word of HTTP.

    AppError
    ├── BadInput                 the caller can put it right
    │   ├── MalformedRequest     the request can't be parsed
    │   ├── InvalidRequest       a field has a wrong value; names each field
    │   ├── UnknownFormat        no reader for this format, or bytes that aren't text
    │   ├── TooLarge             over a limit; names it
    │   ├── NeedsBytes           text given for a binary format
    │   ├── TooDeep              nested over the format's limit
    │   ├── MalformedDocument    a reader refuses the document; says where and why
    │   ├── CannotAppend         nothing can be appended to this document, or not this: ingest it again
    │   └── ReaderLimit          reading took more time or memory than a document may
    ├── NotFound
    │   ├── DocumentNotFound
    │   ├── JobNotFound
    │   ├── CollectionNotFound
    │   └── NoResult             jobs of this kind have no result of their own
    ├── Conflict
    │   ├── IdempotencyConflict  the key was used with another body
    │   ├── JobFinished          too late to cancel
    │   ├── DocumentBusy         the document is being replaced
    │   └── NotReady             the job has no result yet, or ended without one
    ├── PreconditionFailed       the document has another version than the caller expects
    ├── Unavailable              something the service depends on does not answer; worth another try
    │   ├── DecisionModelUnavailable
    │   ├── ChatModelUnavailable
    │   ├── ChatModelNotConfigured
    │   ├── NoteFailed           a chunk got no retrieval note, and the caller asked to stop at the first
    │   ├── DatabaseUnavailable
    │   └── QueueUnavailable
    ├── JobCancelled             raised inside a job that was asked to stop
    └── LeaseLost                raised inside a job that another worker has taken over

A class's docstring is its title for people, `code` its name for programs; `app.api.problems` maps classes to HTTP.
"""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class FieldError:
    """What is wrong with one field: a JSON pointer into the request body, or a parameter's name, and a sentence."""

    pointer: str
    detail: str


class AppError(Exception):
    """Something went wrong."""

    code: ClassVar[str] = "error"

    def __init__(self, detail: str, *, errors: tuple[FieldError, ...] = ()) -> None:
        super().__init__(detail)
        #: What happened, where and what to do, in a sentence that may be shown to the caller.
        self.detail = detail
        self.errors = errors

    @property
    def title(self) -> str:
        """The class's docstring without its full stop."""
        return (type(self).__doc__ or "").strip().rstrip(".")


class BadInput(AppError):
    """The input can't be accepted."""

    code = "bad-input"


class MalformedRequest(BadInput):
    """The request can't be parsed."""

    code = "malformed-request"


class InvalidRequest(BadInput):
    """The request has invalid values."""

    code = "invalid-request"


class UnknownFormat(BadInput):
    """The format is unknown or can't be read."""

    code = "unknown-format"


class TooLarge(BadInput):
    """The input is over a limit."""

    code = "too-large"


class NeedsBytes(BadInput):
    """This format is binary and must be sent as a file."""

    code = "needs-bytes"


class TooDeep(BadInput):
    """The document is nested too deeply."""

    code = "too-deep"


class MalformedDocument(BadInput):
    """The document is malformed."""

    code = "malformed"


class CannotAppend(BadInput):
    """This can't be appended."""

    code = "cannot-append"


class ReaderLimit(BadInput):
    """Reading the document took too much time or memory."""

    code = "reader-limit"


class NotFound(AppError):
    """Not found."""

    code = "not-found"


class DocumentNotFound(NotFound):
    """There is no such document."""

    code = "document-not-found"


class JobNotFound(NotFound):
    """There is no such job."""

    code = "job-not-found"


class CollectionNotFound(NotFound):
    """There is no such collection."""

    code = "collection-not-found"


class NoResult(NotFound):
    """Jobs of this kind have no result of their own."""

    code = "no-result"


class Conflict(AppError):
    """The request conflicts with the current state."""

    code = "conflict"


class IdempotencyConflict(Conflict):
    """The idempotency key was used with another body."""

    code = "idempotency-conflict"


class JobFinished(Conflict):
    """The job has already finished."""

    code = "job-finished"


class DocumentBusy(Conflict):
    """The document is being replaced."""

    code = "document-busy"


class NotReady(Conflict):
    """The job has no result yet, or ended without one."""

    code = "job-not-ready"


class PreconditionFailed(AppError):
    """The document has another version than expected."""

    code = "precondition-failed"


class Unavailable(AppError):
    """A part of the service does not answer."""

    code = "unavailable"


class DecisionModelUnavailable(Unavailable):
    """The decision model did not answer."""

    code = "decision-model-unavailable"


class ChatModelUnavailable(Unavailable):
    """The chat model did not answer."""

    code = "chat-model-unavailable"

    def __init__(self, detail: str, *, requests: int = 0, lasting: bool = False) -> None:
        super().__init__(detail)
        #: Requests sent in vain.
        self.requests = requests
        #: True when no other prompt would be answered either: the key or the model's name is refused.
        self.lasting = lasting


class ChatModelNotConfigured(Unavailable):
    """No chat model is configured."""

    code = "chat-model-not-configured"


class NoteFailed(Unavailable):
    """A chunk got no note, and the request asked to stop at the first."""

    code = "note-failed"


class DatabaseUnavailable(Unavailable):
    """The database does not answer."""

    code = "database-unavailable"


class QueueUnavailable(Unavailable):
    """The job queue does not answer."""

    code = "queue-unavailable"


class JobCancelled(AppError):
    """The job was cancelled."""

    code = "job-cancelled"


class LeaseLost(AppError):
    """The job was taken over by another worker."""

    code = "lease-lost"
