"""How much of the documents a question needs, told from its words alone."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import regex

from app.adapters.decisions.offline.evaluator import choice
from app.adapters.decisions.offline.texts import Vocabulary
from app.adapters.decisions.offline.weights import linear, softmax
from app.documents.decision import Answer
from app.retrieval.questions import AnswerScope, Scope

_NEIGHBOUR = (
    r"after(?:wards?)?|before|next|following|follows?|previous(?:ly)?|prior|preced(?:es?|ing)|subsequent(?:ly)?"
)


@dataclass(frozen=True, slots=True)
class _Cues:
    """What speaks for a scope: a group of weights, and a pattern per feature that is found in the question or not."""

    group: str
    patterns: Mapping[str, str]

    def score(self, question: str) -> float:
        """How much more speaks for the scope than for one passage."""
        found = [float(bool(regex.search(f"(?i){pattern}", question))) for pattern in self.patterns.values()]
        weights = linear(self.group, tuple(self.patterns))
        return float(weights.score(np.array([found], dtype=np.float32))[0])


_CUES = {
    Scope.SEVERAL_PLACES: _Cues(
        "answer_scope",
        {
            "lists": r"\b(?:list|enumerate|name all|summari[sz]e|overview|outline)\b",
            "all": r"\b(?:all|every|each|any other|various|different (?:kinds|types|ways))\b",
            "compares": r"\b(?:compar\w+|differ\w*|versus|vs\.?|better|contrast\w*|distinguish\w*|similarit\w+|"
            r"advantages?)\b",
            "plural": r"^\W*(?:what|which)\s+(?:(?:\w+\s+){0,2}\w+s\s+(?:are|were|do|did|have|can)|are|were)\b",
            "two": r"\b(?:two|three|four|both|several|multiple)\b",
            "parts": r"\b(?:and (?:what|how|when|where|why|who|which)|as well as)\b",
            "ways": r"^\W*(?:how (?:can|do|does|should|to)|in what ways?)\b",
            "single": r"^\W*(?:when|where|who|whose|is|are|does|do|can|may|must|"
            r"how (?:much|many|long|old|far|soon|often))\b",
        },
    ),
    Scope.WHOLE_SECTION: _Cues(
        "answer_scope_section",
        {
            "numbered": r"\b(?:section|clause|article|paragraph|chapter|schedule|regulation|part)\s+(?:\d|[A-Z]\b)",
            "whole": r"\b(?:(?:entire|whole|full|complete) \w+|all (?:of )?(?:the |of the )?(?:conditions|rules|"
            r"exceptions|requirements|obligations|terms|rights|duties|provisions))\b",
            "says": r"^\W*what (?:does|do|is)\b.*\b(?:say|state|provide|cover|contain)s?\b",
        },
    ),
    Scope.ALL_STEPS: _Cues(
        "answer_scope_steps",
        {
            "steps": r"\b(?:steps|procedure|process|instructions|walk me through|step by step|guide me)\b",
            "how_to": r"^\W*(?:how (?:can|could|do|does|should|would|to)\b|what(?:'s| is) the way to\b)",
            "single": r"^\W*(?:how (?:much|many|long|old|far|soon|often)|when|where|who|which|why)\b|\bstep \d",
        },
    ),
    Scope.NEXT_OR_PREVIOUS_STEP: _Cues(
        "answer_scope_neighbour",
        {
            "beside": rf"\b(?:{_NEIGHBOUR}) (?:step|stage)\b|\b(?:step|stage) (?:right |directly |just |immediately )?"
            rf"(?:{_NEIGHBOUR}|comes)\b|\b(?:after|before) step \d",
            "what_beside": rf"^\W*(?:what|which)\b.*\b(?:do|does|done|come|comes|happens?|step|must|should|need|needed)"
            rf"\b.*\b(?:{_NEIGHBOUR})\b|^\W*what(?:'s| is)? next\b",
            "order": rf"\b(?:{_NEIGHBOUR})\b",
        },
    ),
    Scope.EXCHANGE: _Cues(
        "answer_scope_exchange",
        {
            "reacts": r"\b(?:react(?:s|ed|ion\w*)?|respon(?:d|ds|ded|se|ses)|feedback)\b",
            "replies": r"\b(?:repl(?:y|ies|ied)|answer(?:s|ed)? (?:to|when|that)|in (?:reply|return))\b",
            "why_agree": r"\b(?:dis)?agree(?:s|d)? (?:with|on|to|about)\b|\bobject(?:s|ed|ions?)? to\b",
        },
    ),
    Scope.ONE_PERSON: _Cues(
        "answer_scope_person",
        {
            "says": r"\b(?:say|said|says|think|thinks|thought|want|wants|wanted|suggest\w*|propos\w+|recommend\w*|"
            r"argue\w*|claim\w*|mention\w*|explain\w*|stat(?:e|es|ed)|believ\w+|prefer\w*|feel|feels|felt)\b",
            "view": r"\b(?:view|views|opinion|opinions|position|attitude|ideas?|thoughts|concerns?)\b",
            "single": r"^\W*(?:when|where|how (?:much|many|long|old|far|soon|often))\b",
        },
    ),
    Scope.OUTCOME: _Cues(
        "answer_scope_outcome",
        {
            "settled": r"\b(?:decid\w+|decision\w*|settled?|resolv\w+|resolution|agreed (?:on|upon|that)|approv\w+|"
            r"rejected|adopted)\b",
            "end": r"\b(?:in the end|finally|eventually|ultimately|at last)\b",
            "conclusion": r"\b(?:conclusions?|concluded?|outcomes?|agreement|verdict)\b",
        },
    ),
    Scope.CORRECTION: _Cues(
        "answer_scope_correction",
        {
            "final": r"\b(?:final|latest|current|actual|correct|right|revised|updated) (?:\w+ )?(?:number|figure|value|"
            r"price|cost|amount|budget|date|version|count|total|deadline|estimate|time)\b",
            "holds": r"\b(?:still (?:true|hold|valid|the case|correct)|turn(?:ed|s)? out|really true|was (?:that|it) "
            r"(?:right|wrong|true|correct))\b",
            "changed": r"\b(?:correct(?:ed|s|ion|ions)|revis(?:ed|ion)|changed|moved|updated|withdrawn|retracted)\b",
        },
    ),
    Scope.OVERVIEW: _Cues(
        "answer_scope_overview",
        {
            "lists": r"\b(?:list|enumerate|name all|summari[sz]e|summary|overview|outline|main points|topics?)\b",
            "everybody": r"\b(?:every(?:body|one)|all (?:of )?(?:the )?(?:participants|members|speakers|people|team)|"
            r"they (?:all|each)|different (?:views|opinions|people))\b",
            "points": r"\b(?:all|every|each|various|different) \w+|^\W*what (?:are|were) the (?:\w+ )?\w+s\b",
        },
    ),
    Scope.NAMED_ENTRIES: _Cues(
        "answer_scope_named",
        {
            "compares": r"\b(?:compar\w+|differ\w*|versus|vs\.?|better|contrast\w*|rather than|instead of)\b",
            "joined": r"\w[`\"')]* (?:and|or|versus|vs\.?) [`\"'(]*\w",
            "counted": r"\b(?:both|each of|two|three|four|either)\b",
        },
    ),
    Scope.ENTRIES_WITH_PROPERTY: _Cues(
        "answer_scope_property",
        {
            "all": r"\b(?:all|every|list|each)\b",
            "plural": r"^\W*(?:what|which)\s+(?:\w+\s+){0,2}?\w+(?<!s)s\b",
            "having": r"\b(?:takes?|accepts?|rais\w+|throws?|returns?|have|has|having|with|were|added|introduced|"
            r"deprecated|changed|removed|supports?|us(?:e|es|ing)|made of)\b",
        },
    ),
}


class AnswerScopeEvaluator:
    """How much does a full answer take? One passage, unless the question's words speak for more."""

    def texts(self, question: AnswerScope) -> Iterable[str]:
        """See `Evaluator.texts`. Cues are looked for in the question as it is written."""
        del question
        return ()

    def answer(self, vocabulary: Vocabulary, questions: Sequence[AnswerScope]) -> Sequence[Answer | None]:
        """See `Evaluator.answer`."""
        del vocabulary
        return [_choose(question) for question in questions]


def _choose(question: AnswerScope) -> Answer | None:
    if not question.scopes:
        return None
    scores = [_CUES[scope].score(question.question) if scope in _CUES else 0.0 for scope in question.scopes]
    return choice(dict(zip(question.labels(), softmax(scores), strict=True)))
