"""How the tests of data files read, and how they write down what they expect."""

from app.documents.markup import ParsedMarkup, SubtreeSizes
from app.markup.json_outline import json_outline
from app.markup.json_records import json_lines_subtrees, json_subtrees
from app.markup.outline import Node, Outline
from app.markup.subtrees import subtrees
from app.markup.toml_outline import toml_outline
from app.markup.xml_outline import xml_outline
from app.markup.yaml_outline import yaml_outline


def outlined(text: str, name: str, most: int = 450) -> Outline:
    match name:
        case "json":
            return json_outline(text)
        case "xml":
            return xml_outline(text)
        case "toml":
            return toml_outline(text)
        case _:
            return yaml_outline(text, most)


def cut(text: str, name: str, most: int = 450, small: int = 90) -> ParsedMarkup:
    sizes = SubtreeSizes(most=most, small=small)
    if name == "json":
        return json_subtrees(text, sizes)
    if name == "jsonl":
        return json_lines_subtrees(text, sizes)
    return subtrees(outlined(text, name, most), name, sizes)


def labels(parsed: ParsedMarkup) -> list[str]:
    return [one.label for one in parsed.subtrees]


def texts(parsed: ParsedMarkup) -> list[str]:
    return [one.text for one in parsed.subtrees]


def linked(parsed: ParsedMarkup) -> list[tuple[str, str]]:
    """The links, by the labels of their ends."""
    names = labels(parsed)
    return [(names[source], names[target]) for source, target in parsed.links]


def values(outline: Outline) -> dict[str, str | None]:
    """The value of every scalar by its path, joined by `>`; of equal paths the last."""
    found: dict[str, str | None] = {}
    stack: list[tuple[Node, tuple[str, ...]]] = [(outline.root, ())]
    while stack:
        node, path = stack.pop()
        if node.value is not None and not node.children:
            found[">".join(path)] = node.value
        stack += [(child, (*path, child.segment)) for child in reversed(node.children)]
    return found
