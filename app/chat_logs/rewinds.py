"""Which lines of a session were withdrawn by going back to an earlier one (conversations design, a.12 and f.15)."""

from collections.abc import Mapping, Sequence

from app.chat_logs.trees import path_to

#: Of a line below no withdrawn prompt: whether its ancestors meet the current path.
_CURRENT, _LOOSE = "", None


def withdrawn(parents: Mapping[str, str | None], prompts: Sequence[str]) -> dict[str, str]:
    """Return the withdrawn lines in file order, each with the prompt that its branch begins with.

    The current path is that of the last prompt. A prompt outside of it whose ancestors meet it is withdrawn with all
    below it; everything else stays, so that the results of parallel calls do.

    Args:
        parents: By line, in file order, the one that it follows.
        prompts: The lines in which a person says something, in file order.
    """
    if not prompts:
        return {}
    states: dict[str, str | None] = dict.fromkeys(path_to(parents, prompts[-1]), _CURRENT)
    asked = set(prompts)
    if asked <= states.keys():
        return {}
    for name in parents:
        _settle(name, parents, asked, states)
    return {name: branch for name in parents if (branch := states[name])}


def _settle(name: str, parents: Mapping[str, str | None], asked: set[str], states: dict[str, str | None]) -> None:
    """Find the state of a line and of its ancestors that have none yet."""
    waiting: dict[str, None] = {}
    above: str | None = name
    while above is not None and above in parents and above not in states and above not in waiting:
        waiting[above] = None
        above = parents[above]
    state = states.get(above, _LOOSE) if above is not None else _LOOSE
    for one in reversed(waiting):
        if state == _CURRENT and one in asked:
            state = one
        states[one] = state
