"""The branches of a conversation whose messages name what they follow (conversations design, a.16, a.17 and f.14)."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence


def path_to(parents: Mapping[str, str | None], leaf: str) -> list[str]:
    """Return a message with its ancestors, the first one first; a circle ends it."""
    path: dict[str, None] = {}
    name: str | None = leaf
    while name is not None and name in parents and name not in path:
        path[name] = None
        name = parents[name]
    return list(reversed(path))


def other_branches(parents: Mapping[str, str | None], path: Sequence[str]) -> list[list[str]]:
    """Return what isn't on a path, by the message at which each branch leaves it, parents before their children."""
    current = set(path)
    children: defaultdict[str, list[str]] = defaultdict(list)
    starts: list[str] = []
    for name, parent in parents.items():
        if name in current:
            continue
        if parent is None or parent not in parents or parent in current:
            starts.append(name)
        else:
            children[parent].append(name)
    return [list(_below(start, children)) for start in starts]


def _below(start: str, children: Mapping[str, Sequence[str]]) -> Iterator[str]:
    waiting = [start]
    while waiting:
        name = waiting.pop()
        yield name
        waiting += reversed(children.get(name, ()))
