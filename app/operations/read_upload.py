"""What a reader is told of an upload."""

from app.documents.job import Upload
from app.documents.profile import Profile
from app.operations.structure_prose import config_of
from app.ports.reader_runner import Source


def source_of(upload: Upload, data: bytes, *, profile: str | None) -> Source:
    """Return the source to read.

    Args:
        upload: What was said about it.
        data: Its bytes.
        profile: The one that was named for the document; names in front of paragraphs tell speakers unless it is
            another than `conversational`.
    """
    config = config_of(upload)
    return Source(
        data=data,
        format=upload.format,
        filename=upload.filename,
        declared=upload.declared,
        split_conversations=config.split_conversations,
        include_branches=config.include_branches,
        infer_speakers=profile in (None, Profile.CONVERSATIONAL),
        subtrees=config.subtree_sizes,
    )
