"""Conditional requests on a document's version (RFC 9110, section 13)."""

from app.errors import PreconditionFailed


def entity_tag(version: int) -> str:
    """Return the `ETag` of a version."""
    return f'"{version}"'


def matches(condition: str, version: int) -> bool:
    """True when a list of entity tags, weak ones included, names the version, or is `*`."""
    tags = {tag.strip().removeprefix("W/") for tag in condition.split(",")}
    return "*" in tags or entity_tag(version) in tags


def expected_version(condition: str, live: int) -> int:
    """Return the version that `If-Match` allows to be changed, given the one that is live.

    Raises:
        PreconditionFailed: the condition does not name the live version; weak tags never do.
    """
    tags = {tag.strip() for tag in condition.split(",")}
    if "*" in tags or entity_tag(live) in tags:
        return live
    raise PreconditionFailed(f"The document is at version {live}, which If-Match does not name.")
