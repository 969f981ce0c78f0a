"""Whether a text that nobody named is YAML (readers design, section 2, "Sniffing")."""

import re

from app.errors import TooDeep
from app.markup.outline import Node
from app.markup.syntax import BadSyntax
from app.markup.yaml_outline import yaml_outline

#: So many lines `key: value`, near the start.
_KEY_AND_VALUE = re.compile(r"^[ ]*+(?:- )?[\w.$/\"'-]++:[ ]++\S", re.MULTILINE)
_FEWEST_KEYS, _LOOKED_AT = 3, 10_000
_LONGEST_PLAIN_KEY = 60


def looks_like_yaml(text: str) -> bool:
    """True when a text has three lines `key: value` and parses as mappings and sequences without a key given twice.

    Prose parses as YAML more often than one would think: a front matter with a text below, a dialogue.
    """
    if len(_KEY_AND_VALUE.findall(text, 0, _LOOKED_AT)) < _FEWEST_KEYS:
        return False
    try:
        outline = yaml_outline(text, len(text))
    except (BadSyntax, TooDeep):
        return False
    return all(_is_data(document) for document in (outline.root.children if outline.documents else [outline.root]))


def _is_data(document: Node) -> bool:
    keys = [child.key for child in document.children if child.index is None]
    return (
        bool(document.children) and len(keys) == len(set(keys)) and all(len(key) <= _LONGEST_PLAIN_KEY for key in keys)
    )
