"""Scoring candidates at two grains (retrieval design, "Two grains").

The unit says where the answer is, the piece (a group of sentences) says what to keep. A unit's grain is the score that
the index gave it over the whole collection; a piece's grain is BM25 among the pieces of the candidates, whose document
frequencies tell words apart as well as the collection's do (measured, `benchmarks/recall.py`).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.documents.document import UnitHit
from app.retrieval.own_text import own_start
from app.retrieval.pieces import PIECE_CHARS, PieceText, pieces_of
from app.terms.bm25 import K1, B, idf
from app.terms.exact import exact_terms
from app.terms.folded import folded_terms
from app.terms.languages import folding_language

#: What the best piece counts beside its unit.
PIECE_WEIGHT = 0.5


@dataclass(frozen=True, slots=True)
class Piece:
    """A group of sentences of a unit, by offsets into the unit's text, and what it says to the question, 0 to 1."""

    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class _Counted:
    """A piece of text with the question's terms that it holds."""

    text: PieceText
    counts: Counter[str]


class TwoGrains:
    """Scores the candidates of one question, and the pieces of any unit beside theirs.

    Args:
        question: The question without its common words.
        candidates: Units that share terms with it, with the scores that the index gave them.
    """

    def __init__(self, question: str, candidates: Sequence[UnitHit]) -> None:
        self._question = question
        self._folded: dict[str | None, frozenset[str]] = {}
        self._candidates = tuple(candidates)
        own = [self._counted(hit, own_start(hit, None), PIECE_CHARS) for hit in candidates]
        pieces = [piece for pieces in own for piece in pieces]
        self._frequency = Counter(term for piece in pieces for term in piece.counts)
        self._pieces = len(pieces)
        self._average = sum(len(piece.text.terms) for piece in pieces) / max(len(pieces), 1)
        self._best = [max((self._bm25(piece) for piece in pieces), default=0.0) for pieces in own]
        self._most = max(self._best, default=0.0)

    def pieces(self, hit: UnitHit, start: int, *, size: int = PIECE_CHARS) -> list[Piece]:
        """Cut a unit's text from `start` into pieces of about `size` characters, and score them."""
        return [
            Piece(piece.text.start, piece.text.end, min(self._bm25(piece) / self._most, 1.0) if self._most else 0.0)
            for piece in self._counted(hit, start, size)
        ]

    def ordered(self) -> list[UnitHit]:
        """The candidates by both grains, best first, with that score.

        Equal ones go by how many words of the question they hold as written, then as they came.
        """
        most = max((hit.score for hit in self._candidates), default=0.0) or 1.0
        scored = [
            replace(hit, score=hit.score / most + PIECE_WEIGHT * best / (self._most or 1.0))
            for hit, best in zip(self._candidates, self._best, strict=True)
        ]
        ties = Counter(hit.score for hit in scored)
        return sorted(scored, key=lambda hit: (-hit.score, -self._agreement(hit) if ties[hit.score] > 1 else 0))

    def _counted(self, hit: UnitHit, start: int, size: int) -> list[_Counted]:
        asked = self._asked(hit.language)
        return [
            _Counted(piece, Counter(term for term in piece.terms if term in asked))
            for piece in pieces_of(hit.unit.text, start, size, folding_language(hit.language))
        ]

    def _asked(self, language: str | None) -> frozenset[str]:
        """The question's terms, folded as the units of this language are."""
        if language not in self._folded:
            self._folded[language] = frozenset(folded_terms(self._question, language))
        return self._folded[language]

    def _bm25(self, piece: _Counted) -> float:
        norm = K1 * (1 - B + B * len(piece.text.terms) / max(self._average, 1.0))
        return sum(
            idf(self._pieces, self._frequency[term]) * count * (K1 + 1) / (count + norm)
            for term, count in sorted(piece.counts.items())
        )

    def _agreement(self, hit: UnitHit) -> int:
        return len(set(exact_terms(hit.unit.text)).intersection(exact_terms(self._question)))
