"""Front matter of Markdown: what is said about the document before it starts (readers design, section 7)."""

import re
import tomllib
from dataclasses import dataclass

_YAML = re.compile(r"---[ \t]*\n(?P<body>(?:(?!(?:---|\.\.\.)[ \t]*(?:\n|\Z)).*\n)*+)(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_TOML = re.compile(r"\+\+\+[ \t]*\n(?P<body>(?:(?!\+\+\+[ \t]*(?:\n|\Z)).*\n)*+)\+\+\+[ \t]*(?:\n|\Z)")
#: Without a key it is a thematic break with text under it.
_YAML_KEY = re.compile(r"^[\"']?[\w-]+[\"']?[ \t]*:(?:[ \t]|$)", re.MULTILINE)
_TOML_KEY = re.compile(r"^[ \t]*[\w.\"'-]+[ \t]*=", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What front matter says, and the length of it in code points; 0 when there is none."""

    length: int = 0
    title: str | None = None
    language: str | None = None


def read_front_matter(source: str) -> FrontMatter:
    """Read `title` and `lang` from YAML or TOML front matter; the rest is dropped, as no part of the document."""
    if (match := _YAML.match(source)) and _opens_with_text(match["body"]) and _YAML_KEY.search(match["body"]):
        return FrontMatter(match.end(), _yaml_value(match["body"], "title"), _yaml_value(match["body"], "lang"))
    if (match := _TOML.match(source)) and _TOML_KEY.search(match["body"]):
        return FrontMatter(match.end(), *_toml_values(match["body"]))
    return FrontMatter()


def _opens_with_text(body: str) -> bool:
    return bool(body.partition("\n")[0].strip())


def _yaml_value(body: str, key: str) -> str | None:
    """Return the value of a key at the left edge: plain, quoted, or a block of indented lines."""
    match = re.search(rf"^[\"']?{key}[\"']?[ \t]*:[ \t]*(.*)\n((?:[ \t]+.*\n)*)", body, re.MULTILINE)
    if match is None:
        return None
    first, more = match[1].strip(), match[2].split()
    if quoted := re.match(r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^']|'')*)'", first):
        return (re.sub(r"\\(.)", r"\1", quoted[1]) if quoted[1] is not None else quoted[2].replace("''", "'")) or None
    first = re.sub(r"(?:^|\s)#.*", "", first)
    words = more if re.fullmatch(r"[|>][-+0-9]*", first) else [first, *more]
    return " ".join(words).strip() or None


def _toml_values(body: str) -> tuple[str | None, str | None]:
    try:
        table = tomllib.loads(body)
    except tomllib.TOMLDecodeError:
        return None, None
    title, language = table.get("title"), table.get("lang")
    return title if isinstance(title, str) else None, language if isinstance(language, str) else None
