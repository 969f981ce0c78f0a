"""Tables written as lists or as comma-separated values (readers design, section 12)."""

import csv
from collections.abc import Callable, Mapping, Sequence

from docutils import nodes

_NAMED_DELIMITERS = {"tab": "\t", "space": " "}
Cells = list[list[nodes.Node]]


def titled_table(title: Sequence[nodes.Node], content: list[nodes.Node]) -> list[nodes.Node]:
    """Give the table in a directive's content its title; without a table both stay as they are."""
    table = next((node for node in content if isinstance(node, nodes.table)), None)
    if table is None:
        return [*_paragraph(title), *content]
    if title:
        table.insert(0, nodes.title("", "", *title))
    return content


def list_table(title: Sequence[nodes.Node], content: list[nodes.Node], options: Mapping[str, str]) -> list[nodes.Node]:
    """Make a table of a list of lists; what is no such list stays as it is."""
    rows: list[Cells] = []
    rest: list[nodes.Node] = []
    for node in content:
        if isinstance(node, nodes.bullet_list) and not rows:
            for item in node.children:
                row: Cells = []
                for part in item.children:
                    if isinstance(part, nodes.bullet_list):
                        row += [list(cell.children) for cell in part.children]
                    elif not isinstance(part, nodes.comment | nodes.system_message):
                        row.append([part])
                rows.append(row)
        else:
            rest.append(node)
    return [_table(title, rows, _whole(options.get("header-rows"))), *rest] if rows else [*_paragraph(title), *rest]


def csv_table(
    title: Sequence[nodes.Node],
    lines: Sequence[str],
    options: Mapping[str, str],
    parse: Callable[[str], list[nodes.Node]],
) -> list[nodes.Node]:
    """Make a table of comma-separated values; what is not well formed stays as it is."""
    delimiter = options.get("delim", ",")
    delimiter = _NAMED_DELIMITERS.get(delimiter.lower(), delimiter)
    escape = options.get("escape") or None
    try:
        read = {
            "delimiter": delimiter,
            "quotechar": options.get("quote") or '"',
            "escapechar": escape,
            "doublequote": escape is None,
            "skipinitialspace": "keepspace" not in options,
            "strict": True,
        }
        header = list(csv.reader([f"{line}\n" for line in options.get("header", "").split("\n")], **read))  # type: ignore[arg-type]  # a dialect's members differ in type
        body = list(csv.reader([f"{line}\n" for line in lines], **read))  # type: ignore[arg-type]  # same
    except (csv.Error, TypeError, ValueError):
        text = "\n".join(filter(None, (options.get("header"), "\n".join(lines).strip("\n"))))
        return [*_paragraph(title), nodes.literal_block(text, text, language="")]
    header = [row for row in header if any(row)]
    body = [row for row in body if row]
    rows = [[parse(cell) for cell in row] for row in (*header, *body)]
    return [_table(title, rows, len(header) + _whole(options.get("header-rows")))]


def _paragraph(title: Sequence[nodes.Node]) -> list[nodes.Node]:
    return [nodes.paragraph("", "", *title)] if title else []


def _whole(text: str | None) -> int:
    return int(text) if text is not None and text.isdecimal() and len(text) < 7 else 0  # noqa: PLR2004 - more rows there are not


def _table(title: Sequence[nodes.Node], rows: Sequence[Cells], headers: int) -> nodes.Node:
    laid_out = [nodes.row("", *(nodes.entry("", *cell) for cell in row)) for row in rows]
    group = nodes.tgroup("", nodes.thead("", *laid_out[:headers]), nodes.tbody("", *laid_out[headers:]))
    return nodes.table("", *([nodes.title("", "", *title)] if title else []), group)
