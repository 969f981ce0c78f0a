"""The configuration keys of ingestion, chunking and ranking (chunking design, "Strategy topic")."""

from dataclasses import dataclass

from app.documents.markup import SubtreeSizes


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Validated keys with their defaults; `app.api.schemas.config` is the same list at the HTTP edge, with bounds.

    Sizes are approximate tokens unless the name says characters.
    """

    max_tokens: int = 800
    #: None becomes 200, or a quarter of a smaller `max_tokens` (ruling 29): read `effective_min_tokens`.
    min_tokens: int | None = None
    overlap_tokens: int = 80
    topic_min_tokens: int = 60
    #: None becomes 900, or nine eighths of a smaller `max_tokens`: read `effective_split_at`.
    split_long_paragraph_at: int | None = None
    chars_per_token: float = 4.0
    seam_threshold: float = 0.5
    refers_back_weight: float = 0.4
    refers_back_protect: float = 0.5
    snippet_chars: int = 240
    batch_size: int = 40
    max_pairs: int = 2000
    rank_threshold: float = 0.4
    passage_chars: int = 2400
    cross_check: bool = True
    cross_check_rescue: bool = False
    nearest_reserved: int = 0
    #: Of data files: a subtree up to the first is one unit, a child up to the second stays in its parent's unit.
    subtree_max_tokens: int = 450
    subtree_small_tokens: int = 90
    #: Of conversations: which links are asked about, in how many requests at most, and what is masked or kept.
    conversation_replies: bool = True
    conversation_outcomes: bool = True
    conversation_corrections: bool = True
    conversation_max_requests: int = 400
    redact_secrets: bool = True
    split_conversations: bool = True
    include_branches: bool = False

    @property
    def effective_min_tokens(self) -> int:
        """`min_tokens` as set, else 200 but at most a quarter of `max_tokens`."""
        return self.min_tokens if self.min_tokens is not None else min(200, self.max_tokens // 4)

    @property
    def subtree_sizes(self) -> SubtreeSizes:
        """How data files are cut; a smaller `subtree_max_tokens` takes `subtree_small_tokens` down with it."""
        return SubtreeSizes(most=self.subtree_max_tokens, small=min(self.subtree_small_tokens, self.subtree_max_tokens))

    @property
    def effective_split_at(self) -> int:
        """`split_long_paragraph_at` as set, else 900 but in proportion to a smaller `max_tokens`.

        A caller who asks for small chunks and says no more would otherwise get paragraphs of 900 tokens.
        """
        if self.split_long_paragraph_at is not None:
            return self.split_long_paragraph_at
        return min(900, self.max_tokens * 9 // 8)
