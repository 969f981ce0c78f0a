"""WebVTT and SRT to blocks (readers design, sections 6.2 and 18)."""

from app.documents.block import Block, BlockType, ParsedDocument
from app.ports.reader_runner import Source
from app.readers import cleaning
from app.readers.caption_cues import Captions, has_timing_line, srt_captions, vtt_captions
from app.readers.caption_utterances import utterances
from app.readers.decoding import Decoded, decode
from app.readers.reader import Reader

#: An SRT file shows its first timing line this early.
_SNIFFED_LINES = 3


def read_vtt(source: Source) -> ParsedDocument:
    """Read WebVTT into a paragraph per utterance.

    Raises:
        MalformedDocument: the first line is not `WEBVTT`.
    """
    decoded = decode(source.data, source.charset)
    return _parsed(decoded, vtt_captions(decoded.text), styles=False)


def read_srt(source: Source) -> ParsedDocument:
    """Read SRT into a paragraph per utterance. Every text is accepted; what stands before the first cue is left out."""
    decoded = decode(source.data, source.charset)
    return _parsed(decoded, srt_captions(decoded.text), styles=True)


def _parsed(decoded: Decoded, captions: Captions, *, styles: bool) -> ParsedDocument:
    title = cleaning.prose(captions.title)
    heading = [Block(type=BlockType.HEADING, text=title, level=1)] if title else []
    return ParsedDocument(
        blocks=(*heading, *utterances(decoded.text, captions.cues, styles=styles)),
        source=decoded.text,
        title=title or None,
        language=captions.language,
        encoding=decoded.encoding,
        warnings=(*decoded.warnings, *captions.warnings),
    )


def _looks_like_vtt(_data: bytes, text: str) -> bool:
    return text.startswith("WEBVTT") and text[6:7].strip() == ""


def _looks_like_srt(_data: bytes, text: str) -> bool:
    return has_timing_line(text, _SNIFFED_LINES)


VTT_READER = Reader(
    format="vtt",
    extensions=("vtt",),
    media_types=("text/vtt",),
    read=read_vtt,
    looks_like=_looks_like_vtt,
    knows_speakers=True,
)
SRT_READER = Reader(
    format="srt",
    extensions=("srt",),
    media_types=("application/x-subrip",),
    read=read_srt,
    looks_like=_looks_like_srt,
    knows_speakers=True,
)
