"""Passages for the tests of linking."""

from app.documents.chunk import Chunk


def passage(content: str, *path: str, index: int = 0) -> Chunk:
    header = f"[{' > '.join(path)}]" if path else ""
    return Chunk(
        index=index,
        text=f"{header}\n\n{content}" if header else content,
        content=content,
        header=header,
        blocks=(index,),
        path=path,
        heading_level=len(path) or None,
        section=1,
        tokens=10,
    )
