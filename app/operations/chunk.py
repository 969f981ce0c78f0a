"""Cut a document that the caller keeps (chunking design)."""

from dataclasses import dataclass

from app.documents.block import ParsedDocument
from app.documents.chunk import Chunking
from app.documents.config import Config
from app.documents.job import DecisionUse
from app.operations.decision_session import DecisionSession
from app.operations.topic_chunks import chunk_by_topic
from app.ports.decision_model import DecisionCache, DecisionModel


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkAnswer:
    """The chunks with what asking took. `degraded` names stages that fell back to structure."""

    chunking: Chunking
    decisions: DecisionUse
    degraded: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkDocument:
    """Cuts documents; nothing is stored."""

    decisions: DecisionModel | None
    cache: DecisionCache | None
    #: Decision questions that one document may ask.
    max_questions: int

    async def run(self, parsed: ParsedDocument, config: Config, *, use_jev: bool = True) -> ChunkAnswer:
        """Cut a document by topic; `use_jev=False` cuts by headings and sizes alone."""
        session = DecisionSession(self.decisions, self.cache, max_questions=self.max_questions)
        chunking = await chunk_by_topic(parsed, config, session if use_jev else None)
        return ChunkAnswer(
            chunking=chunking, decisions=session.use, degraded=session.degraded, warnings=parsed.warnings
        )
