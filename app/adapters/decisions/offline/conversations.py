"""How messages of a conversation hang together: what answers what, what is an outcome and of what, what is corrected.

Evidence is how messages are worded, whom they name, what they share and how near their vectors are. Nobody's labels
were at hand to fit these weights to.
"""

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from app.adapters.decisions.offline.evaluator import choice, yes_no
from app.adapters.decisions.offline.figures import figures, has_other_figures, name_another
from app.adapters.decisions.offline.speech import asks, claims, says, states
from app.adapters.decisions.offline.texts import Floats, Vocabulary
from app.adapters.decisions.offline.weights import linear, logistic, softmax
from app.adapters.decisions.offline.words import fold_case, words
from app.conversations.questions import Corrects, RecordsOutcome, ReplyTo, SettlesWhat
from app.documents.decision import Answer

#: Columns for each message that may be answered.
REPLY = (
    "nearness",  # 1 for the message right before, less for each one between
    "own",  # by the same speaker
    "named",  # the message names its speaker
    "names",  # it names the speaker of the message
    "asks",  # it ends in a question, and the message does not
    "shared",  # weight of the terms they share, beside the lighter one's
    "cosine",
    "quoted",  # the message holds a run of its words
    "says_little",  # it asks nothing, and its words weigh less than one rare word
)
#: Columns for answering none of them.
NEW_POINT = ("opens", "answers", "short")
OUTCOME = ("recorded", "settled", "chosen", "concludes", "lets", "proposes", "opinion", "asks")
SETTLES = ("shared", "cosine", "proposes", "asks", "settled")
CORRECTS = (
    "withdraws",  # the later message says that something does not hold
    "contrasts",  # it sets something against what was said, or settles on something
    "shared",
    "cosine",
    "figures",  # it has another figure of a kind that the earlier one has
    "affirms",
    "asks",
    "shared_withdraws",  # the product of both
    "shared_contrasts",
    "says_little",  # the words of the earlier message weigh less than one rare word
    "another",  # the earlier message is about another thing of a kind, and nothing is taken back, or it asks
)

_QUOTED_WORDS = 5
#: What messages of few and common words share says little.
_LITTLE = 1.0
#: What a word weighs that is never met.
_RARE_WORD = 1.0
_SHORT_WORDS = 12
_NAME_LETTERS = 3
#: Names of roles are everyday words: `the user` in a message addresses nobody.
_ROLES = frozenset(
    """
    and assistant bot chair chairman chairwoman designer doctor for grad human industrial interface manager marketing
    minister mrs phd president professor project secretary speaker student system the tool user
    """.split()  # noqa: SIM905 - a list of quoted words reads worse
)
_REMEMBERED_NAMES = 1 << 12

_T = TypeVar("_T")


class ReplyToEvaluator:
    """Which message does this one take up? The nearest of another speaker, unless names or words tell another."""

    def texts(self, question: ReplyTo) -> Iterable[str]:
        """See `Evaluator.texts`."""
        return (question.message.words, *(each.words for each in question.earlier))

    def answer(self, vocabulary: Vocabulary, questions: Sequence[ReplyTo]) -> Sequence[Answer | None]:
        """See `Evaluator.answer`."""
        return [_reply(vocabulary, question) for question in questions]


class RecordsOutcomeEvaluator:
    """Does this message record an outcome? Told by its wording."""

    def texts(self, question: RecordsOutcome) -> Iterable[str]:
        """See `Evaluator.texts`. Cues are looked for in the message as it is written."""
        del question
        return ()

    def answer(self, vocabulary: Vocabulary, questions: Sequence[RecordsOutcome]) -> Sequence[Answer]:
        """See `Evaluator.answer`."""
        del vocabulary
        rows = [_outcome(question.message.words) for question in questions]
        return [yes_no(share) for share in logistic(linear("records_outcome", OUTCOME).score(_table(rows, OUTCOME)))]


class SettlesWhatEvaluator:
    """What does this outcome settle? The proposal or question that is nearest to it in words."""

    def texts(self, question: SettlesWhat) -> Iterable[str]:
        """See `Evaluator.texts`."""
        return (question.outcome.words, *(each.words for each in question.earlier))

    def answer(self, vocabulary: Vocabulary, questions: Sequence[SettlesWhat]) -> Sequence[Answer | None]:
        """See `Evaluator.answer`."""
        return [_settles(vocabulary, question) for question in questions]


class CorrectsEvaluator:
    """Does the later message correct the earlier? It must say that something does not hold, and be about the same."""

    def texts(self, question: Corrects) -> Iterable[str]:
        """See `Evaluator.texts`."""
        return (question.later.words, question.earlier.words)

    def answer(self, vocabulary: Vocabulary, questions: Sequence[Corrects]) -> Sequence[Answer]:
        """See `Evaluator.answer`."""
        rows = [_correction(vocabulary, question) for question in questions]
        return [yes_no(share) for share in logistic(linear("corrects", CORRECTS).score(_table(rows, CORRECTS)))]


@dataclass(frozen=True, slots=True, eq=False)
class _Read:
    """A message's stems with their weights, its direction, and its words in a row."""

    stems: dict[int, float]
    total: float
    direction: Floats
    runs: frozenset[tuple[int, ...]]


def _read(vocabulary: Vocabulary, raw: str) -> _Read:
    key = (_Read, raw)
    if key not in vocabulary.notes:
        text = vocabulary.text(raw)
        stems = dict(zip(vocabulary.stem[text.words].tolist(), vocabulary.weight[text.words].tolist(), strict=True))
        row = text.words.tolist()
        vocabulary.notes[key] = _Read(
            stems=stems,
            total=sum(stems.values()),
            direction=vocabulary.direction(text),
            runs=frozenset(zip(*(row[start:] for start in range(_QUOTED_WORDS)), strict=False)),
        )
    read: _Read = vocabulary.notes[key]
    return read


def _shared(one: _Read, other: _Read) -> float:
    """Return the weight of the terms that two messages share, beside the lighter one's."""
    weight = sum(one.stems[stem] for stem in one.stems.keys() & other.stems.keys())
    return weight / (min(one.total, other.total) + _LITTLE)


def _reply(vocabulary: Vocabulary, question: ReplyTo) -> Answer | None:
    message = question.message
    read = _read(vocabulary, message.words)
    asking = asks(message.words)
    rows = []
    for distance, each in enumerate(question.earlier):
        other = _read(vocabulary, each.words)
        rows.append(
            [
                1.0 / (1.0 + distance),
                float(each.who is not None and each.who == message.who),
                float(each.who != message.who and _names(vocabulary, message.words, each.who)),
                float(each.who != message.who and _names(vocabulary, each.words, message.who)),
                float(asks(each.words) and not asking),
                _shared(read, other),
                float(read.direction @ other.direction),
                float(not read.runs.isdisjoint(other.runs)),
                float(other.total < _RARE_WORD and not asks(each.words)),
            ]
        )
    new_point = [
        float(says("opens", message.words)),
        float(says("answers", message.words)),
        float(len(message.words.split()) < _SHORT_WORDS),
    ]
    scores = linear("reply_to", REPLY).score(_table(rows, REPLY)).tolist()
    scores += linear("new_point", NEW_POINT).score(_table([new_point], NEW_POINT)).tolist()
    return choice(dict(zip(question.labels(), softmax(scores), strict=True)))


def _outcome(text: str) -> list[float]:
    return [
        *(float(states(cue, text)) for cue in ("recorded", "settled", "chosen", "concludes", "lets")),
        *(float(says(cue, text)) for cue in ("proposes", "opinion")),
        float(asks(text)),
    ]


def _settles(vocabulary: Vocabulary, question: SettlesWhat) -> Answer | None:
    outcome = _read(vocabulary, question.outcome.words)
    rows = [
        [
            _shared(outcome, other),
            float(outcome.direction @ other.direction),
            float(says("proposes", each.words)),
            float(asks(each.words)),
            float(states("settled", each.words) or states("recorded", each.words)),
        ]
        for each in question.earlier
        for other in [_read(vocabulary, each.words)]
    ]
    scores = [*linear("settles_what", SETTLES).score(_table(rows, SETTLES)).tolist(), 0.0]
    return choice(dict(zip(question.labels(), softmax(scores), strict=True)))


def _correction(vocabulary: Vocabulary, question: Corrects) -> list[float]:
    later, earlier = question.later.words, question.earlier.words
    one, other = _read(vocabulary, later), _read(vocabulary, earlier)
    withdraws, contrasts, settles, affirms = _of(vocabulary, _wording, later)
    known, stated = _of(vocabulary, figures, earlier), _of(vocabulary, figures, later)
    another = not withdraws and name_another(stated, known)
    differs = has_other_figures(stated, known) and not another
    # What is settled corrects what was put forward only where it comes to another figure.
    contrasts = max(contrasts, float(settles and differs))
    shared = _shared(one, other)
    return [
        withdraws,
        contrasts,
        shared,
        float(one.direction @ other.direction),
        float(differs),
        affirms,
        float(asks(later)),
        shared * withdraws,
        shared * contrasts,
        float(other.total < _RARE_WORD),
        float(another or ("?" in earlier and not differs)),
    ]


def _wording(text: str) -> tuple[float, float, float, float]:
    """Return whether a message takes something back, sets something against it, settles on something, and affirms."""
    settles = any(states(cue, text) for cue in ("recorded", "settled", "chosen"))
    told = (claims("withdraws", text), says("contrasts", text), settles, says("affirms", text))
    return tuple(map(float, told))  # type: ignore[return-value]  # as many as there are


@functools.lru_cache(maxsize=_REMEMBERED_NAMES)
def _name_words(who: str) -> frozenset[str]:
    """Return the words of a name by which somebody is addressed."""
    return frozenset(word for word in words(fold_case(who)) if len(word) >= _NAME_LETTERS) - _ROLES


def _folded_words(text: str) -> frozenset[str]:
    return frozenset(words(fold_case(text)))


def _names(vocabulary: Vocabulary, text: str, who: str | None) -> bool:
    """Whether a text names somebody."""
    return who is not None and not _name_words(who).isdisjoint(_of(vocabulary, _folded_words, text))


def _of(vocabulary: Vocabulary, work_out: Callable[[str], _T], text: str) -> _T:
    """Return what a function makes of a text, worked out once in a batch."""
    key = (work_out, text)
    if key not in vocabulary.notes:
        vocabulary.notes[key] = work_out(text)
    found: _T = vocabulary.notes[key]
    return found


def _table(rows: Sequence[Sequence[float]], names: Sequence[str]) -> Floats:
    return np.array(rows, dtype=np.float32).reshape(len(rows), len(names))
