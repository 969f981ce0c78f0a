"""The formats beyond the minimum (readers design, section 2)."""

from app.readers import docbook, epub, man, mediawiki, odt, pptx, rtf, typst
from app.readers.reader import Reader

#: In the order in which messages list them.
READERS: tuple[Reader, ...] = (
    odt.READER,
    epub.READER,
    pptx.READER,
    rtf.READER,
    mediawiki.READER,
    docbook.READER,
    typst.READER,
    man.READER,
)
