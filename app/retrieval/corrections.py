"""Parts of conversations that later ones correct (conversations design, e, "Superseded")."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from app.documents.document import UnitHit
from app.retrieval.candidates import key_of
from app.retrieval.fusion import UnitKey

#: Last line of a part that a later one corrects.
CORRECTED = "(A later message corrects this one.)"

#: Units that were corrected, with the latest correction of each.
Corrections: TypeAlias = Mapping[UnitKey, UnitHit]


def latest_corrections(
    pairs: Sequence[tuple[UnitHit, UnitHit]], lets_pass: Callable[[UnitHit], bool] = lambda _: True
) -> dict[UnitKey, UnitHit]:
    """Follow each corrected unit to the last one that corrects it, by the latest correction at each step.

    Args:
        pairs: a unit, and one that corrects it. Only what stands behind a unit corrects it: so every chain ends.
        lets_pass: what may be shown. A chain leads past what may not, and ends at the last one that may.
    """
    following: dict[UnitKey, UnitHit] = {}
    for corrected, by in pairs:
        known = following.get(key_of(corrected))
        if by.ordinal > (corrected if known is None else known).ordinal:
            following[key_of(corrected)] = by
    latest = {key: _last(by, following, lets_pass) for key, by in following.items()}
    return {key: by for key, by in latest.items() if by is not None}


def _last(unit: UnitHit, following: Mapping[UnitKey, UnitHit], lets_pass: Callable[[UnitHit], bool]) -> UnitHit | None:
    last: UnitHit | None = None
    step: UnitHit | None = unit
    while step is not None:
        last = step if lets_pass(step) else last
        step = following.get(key_of(step))
    return last
