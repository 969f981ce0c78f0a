"""Cut a document that the caller keeps (chunking design)."""

import asyncio
from dataclasses import dataclass

from app.chunking.budget import chunk_by_budget
from app.chunking.measure import ApproximateTokens, Characters, Measure, RealTokens
from app.chunking.subtrees import as_blocks
from app.documents.block import ParsedDocument
from app.documents.budget import APPROXIMATE, BudgetOptions, Unit
from app.documents.chunk import Chunking
from app.documents.config import Config
from app.documents.job import DecisionUse
from app.operations.decision_session import DecisionSession
from app.operations.topic_chunks import chunk_by_topic
from app.ports.decision_model import DecisionCache, DecisionModel
from app.ports.reader_runner import ReaderRunner, Source
from app.text.encodings import encoding


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkAnswer:
    """The chunks with what asking took. `degraded` names stages that fell back to structure."""

    chunking: Chunking
    #: The document's text: its source, or its blocks' texts.
    text: str
    decisions: DecisionUse
    degraded: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ByTopic:
    """Cut by topic; `use_jev=False` cuts by headings and sizes alone."""

    config: Config
    use_jev: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ByBudget:
    """Cut by budget; `chars_per_token` is for tokens that are only approximated."""

    options: BudgetOptions
    chars_per_token: float = 4.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkDocument:
    """Cuts documents; nothing is stored."""

    reader: ReaderRunner
    decisions: DecisionModel | None
    cache: DecisionCache | None
    #: Decision questions that one document may ask.
    max_questions: int

    async def run(self, source: Source, how: ByTopic | ByBudget) -> ChunkAnswer:
        """Read and cut a document.

        Raises:
            BadInput: its reader refuses it, or the encoding is unknown.
        """
        read = await self.reader.read(source)
        parsed = as_blocks(read)
        session = DecisionSession(self.decisions, self.cache, max_questions=self.max_questions)
        if isinstance(how, ByTopic):
            # Where one subtree ends and the next begins is no question: a key says it.
            asking = how.use_jev and parsed is read
            chunking = await chunk_by_topic(parsed, how.config, session if asking else None)
        else:
            chunking = await asyncio.to_thread(_by_budget, parsed, source.format, how)
        return ChunkAnswer(
            chunking=chunking,
            text=parsed.source if parsed.source is not None else "\n\n".join(block.text for block in parsed.blocks),
            decisions=session.use,
            degraded=session.degraded,
            warnings=parsed.warnings,
        )


def _by_budget(parsed: ParsedDocument, document_format: str, how: ByBudget) -> Chunking:
    tokens: Measure = (
        ApproximateTokens(how.chars_per_token)
        if how.options.encoding == APPROXIMATE
        else RealTokens(encoding(how.options.encoding).count)
    )
    measure = tokens if how.options.unit is Unit.TOKENS else Characters()
    return chunk_by_budget(parsed, document_format, how.options, measure, tokens)
