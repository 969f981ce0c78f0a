"""Nodes that docutils has no name for (readers design, section 12)."""

from docutils import nodes


class Heading(nodes.General, nodes.TextElement):
    """A section title with its `level`; sections are not nested, so that no order of levels is an error."""


class Admonition(nodes.General, nodes.Element):
    """Content with a `kind`."""


class Change(nodes.General, nodes.Element):
    """Content behind a `label`, such as `Added in version 3.2`."""


class Described(nodes.General, nodes.Element):
    """Documentation of what has the `signatures`; `kind` is the directive's name without its domain, `domain` that."""


class Refused(nodes.General, nodes.Element):
    """Source `text` from `line` on that could not be read as markup."""
