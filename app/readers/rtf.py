"""RTF to blocks, by Pandoc's tree (readers design, section 13)."""

import re
from collections.abc import Sequence

from app.readers.pandoc_dialect import Node, joined_lists
from app.readers.pandoc_marks import Literals, with_notes
from app.readers.pandoc_texts import Made, PandocText
from app.readers.reader import Reader
from app.readers.rtf_source import prepared_rtf, repaired_rtf

_RTF_HIDDEN = re.compile(r"\{\\(?:fonttbl|colortbl|stylesheet|info|pict|\*)[^{}]*(?:\{[^{}]*\}[^{}]*)*\}")
_RTF_PARAGRAPH = re.compile(r"\\(?:par|line|row)\b ?")
_RTF_CONTROL = re.compile(r"\\'([0-9a-fA-F]{2})|\\[a-zA-Z]+-?\d* ?|\\([\\{}])|\\[^a-zA-Z]|[{}]")


def _plain_rtf(text: str) -> str:
    text = _RTF_PARAGRAPH.sub("\n\n", _RTF_HIDDEN.sub("", prepared_rtf(text, Literals())))
    return with_notes(_RTF_CONTROL.sub(_character, text))


def _character(match: re.Match[str]) -> str:
    return bytes.fromhex(match[1]).decode("cp1252", "replace") if match[1] else match[2] or ""


class _RtfDialect(Made):
    #: So Pandoc calls every picture.
    unnamed_image = "image"

    def siblings(self, nodes: Sequence[Node]) -> Sequence[Node]:
        """Put a list together that Pandoc parts behind each list inside it."""
        return joined_lists(nodes, {"BulletList": "BulletList", "OrderedList": "OrderedList"})


_RTF = PandocText("rtf", "RTF", _RtfDialect, prepare=prepared_rtf, plain=_plain_rtf, repair=repaired_rtf)

READER = Reader(
    format="rtf",
    extensions=("rtf",),
    media_types=("application/rtf", "text/rtf"),
    read=_RTF.read,
    looks_like=lambda _, text: text.startswith("{\\rtf"),
)
