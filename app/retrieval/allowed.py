"""Which units may come into a context (ruling 27; retrieval design, "Beyond the seed": prompt-injection screen)."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from app.documents.document import UnitHit, UnitKind
from app.retrieval.candidates import key_of
from app.retrieval.fusion import UnitKey


@dataclass(frozen=True, slots=True)
class Allowed:
    """Lets units pass by their kind, and suspect ones only when asked to; remembers those that it left out as suspect.

    What is left out is not shown to the decision model either.
    """

    #: None lets every kind pass.
    kinds: frozenset[UnitKind] | None = None
    include_suspect: bool = False
    suspect: set[UnitKey] = field(default_factory=set)

    def keep(self, hits: Iterable[UnitHit]) -> list[UnitHit]:
        """Return the hits that pass, in order."""
        return [hit for hit in hits if self.lets_pass(hit)]

    def lets_pass(self, hit: UnitHit) -> bool:
        """Whether a unit may come into the context."""
        if self.kinds is not None and hit.unit.kind not in self.kinds:
            return False
        if self.include_suspect or hit.unit.meta.get("suspect") is not True:
            return True
        self.suspect.add(key_of(hit))
        return False
