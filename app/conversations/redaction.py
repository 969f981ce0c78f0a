"""Masks secrets in chat logs, whose tool outputs hold them (conversations design, f.12).

What is looked for has a mark of its own: a prefix that only one service gives out, the head of a key file, the name of
a header or variable that holds a secret. A run of random characters alone is no secret: it may be a commit or an id.

Expressions begin with a literal and their repetitions are bounded or can't fail late, so time is linear.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from app.documents.block import Block, ParsedDocument

PRIVATE_KEY = "private key"
AUTHORIZATION = "authorization"
WEB_TOKEN = "json web token"  # noqa: S105 - a kind of secret
TOKEN = "access token"  # noqa: S105 - a kind of secret
PASSWORD = "password"  # noqa: S105 - a kind of secret
SECRET = "secret value"  # noqa: S105 - a kind of secret


def redact(blocks: Sequence[Block]) -> tuple[tuple[Block, ...], Mapping[str, int]]:
    """Return the blocks with every secret as `[redacted: <kind>]`, and how many there were of each kind.

    Chat logs have no offsets into a source, so none has to follow.
    """
    counts: Counter[str] = Counter()
    masked = []
    for block in blocks:
        text = _masked(block.text, counts)
        masked.append(block if text is block.text else replace(block, text=text))
    return tuple(masked), dict(sorted(counts.items()))


def redacted(parsed: ParsedDocument) -> ParsedDocument:
    """Return a chat log with its secrets masked; its data and a warning tell how many there were of each kind."""
    blocks, counts = redact(parsed.blocks)
    masked = replace(parsed, title=parsed.title and _masked(parsed.title, Counter()))
    if not counts:
        return masked
    told = parsed.data.get("conversation")
    conversation = {**(told if isinstance(told, Mapping) else {}), "redacted": dict(counts)}
    kinds = ", ".join(f"{kind} ({count})" for kind, count in counts.items())
    return replace(
        masked,
        blocks=blocks,
        data={**parsed.data, "conversation": conversation},
        warnings=(*parsed.warnings, f"Secrets were masked before anything was stored: {kinds}."),
    )


def _masked(text: str, counts: Counter[str]) -> str:
    if "PRIVATE KEY" in text:
        text = _without_keys(text, counts)
    for sign in _SIGNS:
        if any(needle in text for needle in sign.needles):
            text = sign.pattern.sub(_masking(sign, counts), text)
    folded = text.lower()
    if any(needle in folded for needle in _NEEDLES):
        text = _ASSIGNED.sub(_masking_value(counts), text)
    return text


# Key files

_KEY_MARK = re.compile(r"-----(BEGIN|END) (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
#: What a key's lines hold, those of a JSON string (`\n`) included; a key that was cut off has no end mark.
_KEY_BODY = re.compile(r"(?:[A-Za-z0-9+/=\s,:.-]|\\[nrt])*+")


def _without_keys(text: str, counts: Counter[str]) -> str:
    kept: list[str] = []
    at = 0
    opened: re.Match[str] | None = None
    for mark in _KEY_MARK.finditer(text):
        if opened is None and mark[1] == "BEGIN":
            opened = mark
        elif opened is not None:
            ends = mark[1] == "END"
            end = mark.end() if ends else _end_of_body(text, opened.end(), mark.start())
            kept += (text[at : opened.start()], _mask(PRIVATE_KEY))
            counts[PRIVATE_KEY] += 1
            at, opened = end, None if ends else mark
    if opened is not None:
        kept += (text[at : opened.start()], _mask(PRIVATE_KEY))
        counts[PRIVATE_KEY] += 1
        at = _end_of_body(text, opened.end(), len(text))
    return "".join((*kept, text[at:]))


def _end_of_body(text: str, start: int, end: int) -> int:
    body = _KEY_BODY.match(text, start, end)
    return start + len(body[0].rstrip()) if body else start


# Secrets with a mark of their own


@dataclass(frozen=True, slots=True)
class _Sign:
    """What tells a secret: group `secret` is masked, all of the match when there is no such group."""

    kind: str
    #: One of them is in every text that holds such a secret; quicker to tell than by the expression.
    needles: tuple[str, ...]
    pattern: re.Pattern[str]


def _masking(sign: _Sign, counts: Counter[str]) -> Callable[[re.Match[str]], str]:
    group = "secret" if "secret" in sign.pattern.groupindex else 0

    def mask(match: re.Match[str]) -> str:
        if not _is_given(match[group]):
            return match[0]
        return _put_mask(match, match.span(group), sign.kind, counts)

    return mask


def _put_mask(match: re.Match[str], span: tuple[int, int], kind: str, counts: Counter[str]) -> str:
    """Return the match with a stretch of it masked."""
    counts[kind] += 1
    start, end = span[0] - match.start(), span[1] - match.start()
    return f"{match[0][:start]}{_mask(kind)}{match[0][end:]}"


def _mask(kind: str) -> str:
    return f"[redacted: {kind}]"


_PLACEHOLDER = re.compile(r"[$%<{\[(]|(?i:your[ _-])|[A-Za-z_][\w.]{0,100}[(\[]")
_SWITCHES = frozenset({"true", "false", "null", "none", "nil", "undefined", "yes", "no"})


def _is_given(value: str) -> bool:
    """False for what stands in a secret's place: a variable, a call, a placeholder, a mask, nothing."""
    return bool(value.strip("*.xX?-_")) and _PLACEHOLDER.match(value) is None and value.lower() not in _SWITCHES


#: Tokens by the prefix that the service gives them.
_PREFIXED = (
    r"(?:AKIA|ASIA)[0-9A-Z]{16}(?![0-9A-Za-z])",
    r"gh[pousr]_[A-Za-z0-9]{16,255}",
    r"github_pat_[A-Za-z0-9_]{20,255}",
    r"gl(?:pat|dt|rt|cbt|ptt)-[A-Za-z0-9_.-]{16,255}",
    r"xox[a-z]-[A-Za-z0-9-]{10,255}",
    r"xapp-\d-[A-Za-z0-9-]{10,255}",
    r"sk-(?=[A-Za-z_-]{0,255}\d)[A-Za-z0-9_-]{16,255}",
    r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,255}",
    r"AIza[0-9A-Za-z_-]{30,255}",
    r"npm_[A-Za-z0-9]{36}",
    r"pypi-[A-Za-z0-9_-]{50,255}",
    r"hf_[A-Za-z0-9]{30,255}",
    r"SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}",
)
_PREFIXES = ("AKIA", "ASIA", "gh", "gl", "xox", "xapp-", "sk-", "k_live_", "k_test_", "AIza", "npm_", "pypi-", "SG.")
_SCHEMES = "Bearer|Basic|Token|Digest|Negotiate|NTLM|ApiKey|Api-Key|Bot|Hawk|AWS4-HMAC-SHA256|SSWS|GenieKey"
#: A quote as it stands in a shell, in JSON, and in JSON inside JSON.
_QUOTE = r"(?:\\{0,3}[\"'])"

#: In this order: of a header's value that holds a token the header is told.
_SIGNS = (
    _Sign(
        AUTHORIZATION,
        ("uthorization", "UTHORIZATION"),
        re.compile(
            rf"(?i:authorization){_QUOTE}?[ \t]{{0,8}}[:=][ \t]{{0,8}}{_QUOTE}?"
            rf"(?P<secret>(?i:{_SCHEMES})[ \t]{{1,8}}(?![$<{{\[(])[^\s\"'`\\]{{4,}}(?:[ \t,]+[^\s\"'`\\]+)*"
            r"|(?=[A-Za-z+/=._~-]{0,255}\d)[A-Za-z0-9+/=._~-]{16,})"
        ),
    ),
    _Sign(
        WEB_TOKEN,
        ("eyJ",),
        re.compile(r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{4,}+\.[A-Za-z0-9_-]{4,}+"),
    ),
    _Sign(
        PASSWORD,
        ("://",),
        re.compile(r"(?<=://)[^\s:/@\"'<>\[\]]{0,128}:(?P<secret>[^\s/@\"'<>\[\]]{1,256})@(?=[\w\[])"),
    ),
    _Sign(TOKEN, _PREFIXES, re.compile(rf"(?<![A-Za-z0-9_-])(?:{'|'.join(_PREFIXED)})")),
)


# Values of variables and members whose name says that they are secret

_NEEDLES = ("password", "passwd", "passphrase", "pwd", "pass", "secret", "key", "token")
_ASSIGNED = re.compile(
    r"(?P<name>(?i:password|passwd|passphrase|pwd|secret"
    r"|(?:api|access|private|account|secret|encryption|signing|master|deploy)[_-]?key"
    r"|(?:access|auth|refresh|id|api|bearer|session|bot|private)[_-]?token)"
    r"|(?<=[A-Z0-9]_)(?:KEY|TOKEN|PASS)|(?<=[a-z0-9]_)token|(?<![A-Za-z0-9_])TOKEN)"
    rf"{_QUOTE}?[ \t]{{0,4}}(?P<sign>=(?![=>])|:(?![:=/]))[ \t]{{0,4}}"
    r"(?:\\{0,3}\"(?P<double>[^\"\\\n]{1,512})|\\{0,3}'(?P<single>[^'\\\n]{1,512})"
    r"|(?P<bare>[^\s\"'`\\&;|<>]{1,512}))"
)
_END_OF_LINE = re.compile(r"[ \t]{0,80}(?:[\n#]|\\n|\Z)")
_MEMBER = re.compile(r"[A-Za-z_]\w{0,80}(?:\.\w{1,80})+")
#: Shorter values are words or numbers.
_LEAST_PASSWORD, _LEAST_BARE_PASSWORD, _LEAST_KEY = 4, 6, 8
_LONGEST_NUMBER = 6


def _masking_value(counts: Counter[str]) -> Callable[[re.Match[str]], str]:
    def mask(match: re.Match[str]) -> str:
        group = match.lastgroup or "bare"
        start, end = match.span(group)
        if group == "bare":
            end = start + len(match[group].rstrip(",)]}"))
        kind = PASSWORD if match["name"][0] in "pP" and "key" not in match["name"].lower() else SECRET
        if start == end or not _is_secret(match, match.string[start:end], kind, quoted=group != "bare"):
            return match[0]
        return _put_mask(match, (start, end), kind, counts)

    return mask


def _is_secret(match: re.Match[str], value: str, kind: str, *, quoted: bool) -> bool:
    """Tell a secret from a reference, a type, a number or a sentence.

    The value of a variable in capitals, as shells have them, is one as it stands. Other names are those of arguments
    and members as well, so their values have to look like secrets.
    """
    shouted = match["name"].isupper()
    if not _is_given(value) or (kind == SECRET and value.isdigit() and len(value) <= _LONGEST_NUMBER):
        return False
    if match["sign"] == ":" and not quoted and not _END_OF_LINE.match(match.string, match.end()):
        return False
    if any(character.isspace() for character in value):
        return shouted and match["sign"] == "="
    if shouted:
        return True
    if quoted and (kind == PASSWORD or match["name"].lower() == "secret"):
        return len(value) >= _LEAST_PASSWORD
    return len(value) >= (_LEAST_BARE_PASSWORD if kind == PASSWORD else _LEAST_KEY) and _is_mixed(value)


def _is_mixed(value: str) -> bool:
    letters = any(character.isalpha() for character in value)
    return letters and any(character.isdigit() for character in value) and _MEMBER.fullmatch(value) is None
