"""Which seams to ask about, and what to ask (chunking design, strategy `topic`, rule 2)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.chunking.cuts import SeamScore
from app.chunking.measure import Measure
from app.chunking.pieces import Piece, sentences, whole
from app.chunking.questions import ContinuesSubject, DependsOn
from app.chunking.sections import BodyBlock, Section
from app.documents.block import BlockType
from app.documents.config import Config
from app.documents.decision import Answer, Question, YesNo

#: Cut between lines when too long, and never asked about inside.
BY_LINES = frozenset({BlockType.CODE, BlockType.TABLE})


@dataclass(frozen=True, slots=True)
class Stretch:
    """Neighbouring pieces with a seam between each two: the blocks of a section, or the sentences of a paragraph."""

    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class PlannedBlock:
    """A block of a section, with the stretch of its sentences when it is a long paragraph."""

    body: BodyBlock
    piece: Piece
    inside: Stretch | None


@dataclass(frozen=True, slots=True)
class PlannedSection:
    """A section, with the stretch of its blocks when it is long enough to be asked about."""

    section: Section
    blocks: tuple[PlannedBlock, ...]
    between: Stretch | None


def plan_section(section: Section, config: Config, measure: Measure, source: str | None) -> PlannedSection:
    """Find a section's stretches to ask about."""
    blocks = tuple(_plan_block(body, config, measure, source) for body in section.body)
    long = sum(planned.piece.tokens for planned in blocks) > config.effective_min_tokens
    between = Stretch(tuple(planned.piece for planned in blocks)) if long and len(blocks) > 1 else None
    return PlannedSection(section, blocks, between)


def stretches(plan: Sequence[PlannedSection]) -> Iterator[Stretch]:
    """Yield all stretches in document order: a section's blocks, then the sentences of its long paragraphs."""
    for section in plan:
        if section.between is not None:
            yield section.between
        for planned in section.blocks:
            if planned.inside is not None:
                yield planned.inside


def seam_batches(plan: Sequence[PlannedSection], config: Config) -> list[list[Question]]:
    """Return the questions about the first `max_pairs` seams: two for each, `batch_size` seams a request."""
    pairs = [
        (first.text[-config.snippet_chars :], second.text[: config.snippet_chars])
        for stretch in stretches(plan)
        for first, second in zip(stretch.pieces, stretch.pieces[1:], strict=False)
    ][: config.max_pairs]
    return [
        [question for pair in pairs[at : at + config.batch_size] for question in _questions(*pair)]
        for at in range(0, len(pairs), config.batch_size)
    ]


def seam_scores(answers: Sequence[Sequence[Answer | None]]) -> list[SeamScore] | None:
    """Pair the answers up again; None when any is missing, since a document is never half scored."""
    flat = [answer for batch in answers for answer in batch]
    if not all(isinstance(answer, YesNo) for answer in flat):
        return None
    probabilities = [answer.probability for answer in flat if isinstance(answer, YesNo)]
    return [SeamScore(*pair) for pair in zip(probabilities[::2], probabilities[1::2], strict=True)]


def _plan_block(body: BodyBlock, config: Config, measure: Measure, source: str | None) -> PlannedBlock:
    piece = whole(body, measure)
    if body.block.type in BY_LINES or piece.tokens <= config.effective_split_at:
        return PlannedBlock(body, piece, None)
    return PlannedBlock(body, piece, Stretch(tuple(sentences(body, measure, source))))


def _questions(first: str, second: str) -> tuple[Question, Question]:
    return ContinuesSubject(first, second), DependsOn(first, second)
