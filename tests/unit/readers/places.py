"""Documents of unique words in known places, of which is known what must come of them.

A *place* is a piece of a format's syntax with marks for words:

- `%w` a word that must be read, once and in this order; `%W` the same, capitalised; `%h` the same, hyphenated at the
  end of a line
- `%n` a word that must be read once, somewhere: notes come after the rest
- `%s` a word of a merged cell, read at least once
- `%m` a word that must stand in the meta of a block
- `%x` a word that must not be read: comments, scripts, addresses, what is hidden
- `%i` the place's own number, `%t` a time that grows with it, `%-` and `%=` a line as long as a word

What follows a `%|` belongs at the end of the document.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from hypothesis import strategies as st

from app.documents.block import ParsedDocument
from app.documents.markup import Parsed, ParsedMarkup
from app.documents.values import JsonValue

_MARK = re.compile(r"%([wWhnsmxit\-=])")
_LETTERS = "bcdfghjklmnp"
_END = "%|"
_WORD = re.compile(r"q[b-p]{4}[zü]z\Z")

#: Puts pieces, and what belongs at the end, together.
Joiner = Callable[[Sequence[str], Sequence[str]], str | bytes]
#: Puts a piece into something that may hold any piece.
Wrapper = Callable[[str], str]


def paragraphs(pieces: Sequence[str], ends: Sequence[str]) -> str:
    return "\n\n".join([*pieces, *ends]) + "\n"


def joined(pieces: Sequence[str], ends: Sequence[str]) -> str:
    return "".join([*pieces, *ends])


def indented(first: str, rest: str) -> Wrapper:
    """Put something before the first line, and something before all others that are not blank."""

    def wrap(text: str) -> str:
        start, *others = text.split("\n")
        return "\n".join([first + start, *(rest + other if other else other.rstrip() for other in others)])

    return wrap


@dataclass(frozen=True)
class Grammar:
    """The places of a format."""

    format: str
    #: Places that stand by themselves only, such as headings.
    top: Sequence[str] = ()
    #: Places that may stand in others.
    inner: Sequence[str] = ()
    wrappers: Sequence[Wrapper] = ()
    join: Joiner = paragraphs
    #: Examples to try: a process has to be started for each one of Pandoc's formats.
    examples: int = 60


@dataclass
class Document:
    """A document, and what must come of its words."""

    data: bytes = b""
    read: list[str] = field(default_factory=list)
    anywhere: list[str] = field(default_factory=list)
    spread: list[str] = field(default_factory=list)
    known: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


def filled(grammar: Grammar, places: Sequence[tuple[str, Sequence[Wrapper]]]) -> Document:
    """Put words into places, and the places together."""
    document = Document()
    kinds = {
        **dict.fromkeys("wWh", document.read),
        "n": document.anywhere,
        "s": document.spread,
        "m": document.known,
        "x": document.lost,
    }
    count = 0
    number = 0

    def put(match: re.Match[str]) -> str:
        nonlocal count
        kind = match[1]
        if kind in "it-=":
            return {"i": str(number), "t": f"00:{number // 30:02}:{number % 30 * 2:02}", "-": "-" * 7, "=": "=" * 7}[
                kind
            ]
        written = word(count)
        count += 1
        kinds[kind].append(written)
        if kind == "h":
            return f"{written[:3]}-\n{written[3:]}"
        return written.capitalize() if kind == "W" else written

    pieces: list[str] = []
    ends: list[str] = []
    for place, wrappers in places:
        number += 1
        body, _, end = place.partition(_END)
        for wrap in wrappers:
            body = wrap(body)
        pieces.append(_MARK.sub(put, body))
        if end:
            ends.append(_MARK.sub(put, end))
    data = grammar.join(pieces, ends)
    document.data = data if isinstance(data, bytes) else data.encode()
    return document


def word(number: int) -> str:
    """Return a word of seven columns that is like no other and like nothing that means something."""
    first, rest = divmod(number, len(_LETTERS) ** 3)
    second, rest = divmod(rest, len(_LETTERS) ** 2)
    third, fourth = divmod(rest, len(_LETTERS))
    letters = "".join(_LETTERS[at] for at in (first, second, third, fourth))
    return f"q{letters}{'üz' if number % 3 == 2 else 'zz'}"


@st.composite
def documents(draw: st.DrawFn, grammar: Grammar) -> Document:
    """Documents of up to ten places, some of them inside others."""
    tops = st.tuples(st.sampled_from([*grammar.top, *grammar.inner]), st.just(()))
    nested = st.tuples(
        st.sampled_from([*(grammar.inner or grammar.top)]),
        st.lists(st.sampled_from([*grammar.wrappers]), max_size=2) if grammar.wrappers else st.just(()),
    )
    return filled(grammar, draw(st.lists(st.one_of(tops, nested), min_size=1, max_size=10)))


def every_place(grammar: Grammar) -> Document:
    """A document of all places, once each."""
    return filled(grammar, [(place, ()) for place in (*grammar.top, *grammar.inner)])


def faults(document: Document, parsed: Parsed) -> list[str]:
    """Return what is wrong with what came of a document's words."""
    if isinstance(parsed, ParsedDocument):
        text = "\n".join(block.text for block in parsed.blocks)
        known = set(words_in(" ".join(_strings([dict(block.meta) for block in parsed.blocks]))))
    else:
        assert isinstance(parsed, ParsedMarkup)
        text = "\n".join(one.text for one in parsed.subtrees)
        known = set(words_in(" ".join(f"{one.label} {' '.join(one.path)}" for one in parsed.subtrees)))
    found = words_in(text)
    in_order = [one for one in found if one in set(document.read)]
    notes = [one for one in found if one in set(document.anywhere)]
    said = (
        ("read and should not be", [one for one in document.lost if one in found or one in known]),
        ("lost", [one for one in (*document.read, *document.anywhere, *document.spread) if one not in found]),
        ("read more than once", sorted({one for one in (*in_order, *notes) if found.count(one) > 1})),
        ("out of order", [] if sorted(in_order) != sorted(document.read) or in_order == document.read else in_order),
        ("not in any meta", [one for one in document.known if one not in known]),
    )
    return [f"{what}: {' '.join(words)}" for what, words in said if words]


def words_in(text: str) -> list[str]:
    """Return the words of ours, whole: glued to something else they are no word."""
    return [one for one in re.findall(r"\w+", text.lower().replace("_", " ")) if _WORD.match(one)]


def _strings(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for member in value.values():
            yield from _strings(member)
    elif isinstance(value, list):
        for member in value:
            yield from _strings(member)
