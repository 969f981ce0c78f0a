"""Chunks between a minimum and a maximum size, cut at headings, topics and sizes (chunking design, strategy `topic`).

`plan` finds the seams worth asking about, `chunks` makes the chunks from the plan and what was answered.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from app.chunking.cuts import SeamScore, cheapest_cuts, cut_cost
from app.chunking.facts import pages_of, types_of
from app.chunking.measure import ApproximateTokens, Measure
from app.chunking.overlap import overlap_tail
from app.chunking.pieces import Piece, bounded, lines, merged
from app.chunking.seams import BY_LINES, PlannedBlock, PlannedSection, Stretch, plan_section, seam_batches
from app.chunking.sections import Section, split_sections
from app.documents.block import Block
from app.documents.budget import Embed
from app.documents.chunk import Chunk, Chunking, Heading, breadcrumb, composed
from app.documents.config import Config
from app.documents.decision import Question


@dataclass(frozen=True, slots=True)
class Plan:
    """A document's sections with their stretches."""

    sections: tuple[PlannedSection, ...]
    outline: tuple[Heading, ...]
    config: Config

    def questions(self) -> list[list[Question]]:
        """Return what to ask, in batches."""
        return seam_batches(self.sections, self.config)


@dataclass(frozen=True, slots=True)
class _Part:
    """A piece on its way into a chunk."""

    piece: Piece
    #: True when a topic cut stands before it.
    opens_topic: bool


def plan(blocks: Sequence[Block], source: str | None, config: Config) -> Plan:
    """Split a document into sections and find the seams to ask about.

    Args:
        blocks: In reading order; blank ones are skipped.
        source: The normalized source that block offsets count in, or None.
        config: Sizes and limits.
    """
    sections, outline = split_sections(blocks)
    measure = ApproximateTokens(config.chars_per_token)
    return Plan(tuple(plan_section(section, config, measure, source) for section in sections), outline, config)


def chunks(planned: Plan, scores: Sequence[SeamScore] | None) -> Chunking:
    """Cut a planned document into chunks.

    Args:
        planned: What `plan` returned.
        scores: One per seam asked about, in the order of `Plan.questions`; None cuts by headings and sizes alone.
    """
    config = planned.config
    measure = ApproximateTokens(config.chars_per_token)
    remaining = iter(scores or ())
    made: list[Chunk] = []
    for section in planned.sections:
        parts = list(_parts(section, remaining, config, measure))
        previous = ""
        for number, group in enumerate(_packed(parts, config)):
            chunk = _chunk(len(made), section.section, group, number > 0, previous, measure, config)
            previous = chunk.content
            made.append(chunk)
    return Chunking(chunks=tuple(made), outline=planned.outline, used_jev=bool(scores))


def _parts(section: PlannedSection, scores: Iterator[SeamScore], config: Config, measure: Measure) -> Iterator[_Part]:
    """Yield a section's pieces with their topic cuts. Takes scores in the order in which seams were asked about."""
    opened = set(_topic_cuts(section.between, scores, config))
    for position, planned in enumerate(section.blocks):
        for number, part in enumerate(_block_parts(planned, scores, config, measure)):
            yield replace(part, opens_topic=True) if number == 0 and position in opened else part


def _block_parts(
    planned: PlannedBlock, scores: Iterator[SeamScore], config: Config, measure: Measure
) -> Iterator[_Part]:
    if planned.body.block.type in BY_LINES:
        yield from (_Part(piece, False) for piece in lines(planned.body, measure, config.max_tokens))
        return
    if planned.inside is None:
        yield _Part(planned.piece, False)
        return
    pieces = planned.inside.pieces
    cuts = _topic_cuts(planned.inside, scores, config)
    for start, end in zip([0, *cuts], [*cuts, len(pieces)], strict=True):
        topic = list(pieces[start:end])
        fitting = sum(piece.tokens for piece in topic) <= config.max_tokens
        joined = (
            [merged(topic, planned.body, measure)]
            if fitting
            else bounded(topic, planned.body, measure, config.max_tokens)
        )
        yield from (_Part(piece, start > 0 and number == 0) for number, piece in enumerate(joined))


def _topic_cuts(stretch: Stretch | None, scores: Iterator[SeamScore], config: Config) -> list[int]:
    if stretch is None:
        return []
    costs = [cut_cost(next(scores, None), config) for _ in stretch.pieces[1:]]
    return cheapest_cuts([piece.tokens for piece in stretch.pieces], costs, config.topic_min_tokens)


def _packed(parts: Sequence[_Part], config: Config) -> Iterator[list[_Part]]:
    """Group a section's pieces into chunks (rule 4)."""
    group: list[_Part] = []
    size = 0
    for part in parts:
        too_much = size + part.piece.tokens > config.max_tokens
        closes_before = (part.opens_topic and size >= config.topic_min_tokens) or (
            too_much and size >= config.effective_min_tokens
        )
        if group and closes_before:
            yield group
            group, size, too_much = [], 0, part.piece.tokens > config.max_tokens
        group.append(part)
        size += part.piece.tokens
        if too_much:
            yield group
            group, size = [], 0
    if group:
        yield group


def _chunk(
    index: int,
    section: Section,
    group: Sequence[_Part],
    follows: bool,
    previous: str,
    measure: Measure,
    config: Config,
) -> Chunk:
    pieces = [part.piece for part in group]
    topic_start = follows and group[0].opens_topic
    # A part of a table or code block repeats its head already.
    repeats = follows and not topic_start and not pieces[0].continues_block
    tail = overlap_tail(previous, config.overlap_tokens, measure) if repeats else ""
    body = "\n\n".join(piece.text for piece in pieces)
    header = f"[{breadcrumb(section.path)}]" if section.path else ""
    text = composed(Embed.FULL, header=header, context="", overlap=tail, content=body)
    indexes = tuple(dict.fromkeys(piece.block for piece in pieces))
    held = [section.block(index) for index in indexes]
    starts = [piece.start for piece in pieces if piece.start is not None]
    ends = [piece.end for piece in pieces if piece.end is not None]
    placed = len(starts) == len(ends) == len(pieces)
    return Chunk(
        index=index,
        text=text,
        content=body,
        header=header,
        blocks=indexes,
        block_types=types_of(held),
        pages=pages_of(held),
        path=section.path,
        heading_level=section.level,
        section=section.number,
        sections=(breadcrumb(section.path),) if section.path else (),
        tokens=measure.size(text),
        overlap_text=tail,
        overlap=measure.size(tail),
        topic_start=topic_start,
        start=min(starts) if placed else None,
        end=max(ends) if placed else None,
        synthetic=any(piece.continues_block for piece in pieces),
    )
