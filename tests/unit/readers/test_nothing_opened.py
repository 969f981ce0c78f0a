"""No reader opens a file or a socket, whatever a document names (readers design, sections 5 and 20; case P21).

Each document names a file whose words must not come out, and an address on this machine at which a server listens that
must get no connection: neither from this process, where sockets are refused besides, nor from Pandoc's.

What JSON, YAML, XML and TOML refer to is in `test_data_files`, pages' own in `test_html`, directives' in `test_rst` and
`test_rst_hostile`, document types of DOCX parts in `test_docx_hostile`, and Pandoc by itself in `test_pandoc`.
"""

import contextlib
import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.errors import BadInput
from app.ports.reader_runner import Source
from app.readers.registry import read
from tests.unit.readers.docx_files import members_of, p, relationships, zipped
from tests.unit.readers.package_files import epub, odt, pptx

SECRET = "opensesame"
#: By format: what names a file (`FILE`, `FILEURL`) or an address (`URL`).
NAMED: dict[str, tuple[str, ...]] = {
    "markdown": (
        "![a](URL) ![b](FILEURL) ![c][r]\n\n[r]: URL",
        "<img src='URL'><iframe src='FILEURL'></iframe><object data='URL'></object>",
        "<link rel=stylesheet href='URL'><script src='URL'></script>",
        "--8<-- 'FILE'\n\n{% include 'FILE' %}\n\n!include FILE\n\n[[FILE]]",
        "---\nbibliography: FILE\ncss: URL\n---\n\n[@a]",
    ),
    "mdx": ("import A from 'FILE'\n\n<img src='URL' />\n\n![a](FILEURL)\n\n<A src={require('FILE')} />",),
    "html": (
        "<p>a<img src='URL' srcset='URL 2x'><picture><source srcset='URL'></picture><embed src='FILEURL'>",
        "<base href='URL'><link rel=import href='FILEURL'><video src='URL' poster='URL'></video><p>a",
        "<style>@import 'URL'; p { background: url(URL) }</style><p style='background: url(FILEURL)'>a",
        "<svg><image href='URL'/><use href='FILEURL#a'/></svg><meta http-equiv=refresh content='0; url=URL'><p>a",
        '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY e SYSTEM "FILEURL">]><html><body><p>&e;a</p></body></html>',
        '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY % e SYSTEM "URL"> %e;]><html><body><p>a</p></body></html>',
        (
            '<?xml version="1.0"?><?xml-stylesheet href="URL"?><html xmlns:xi="http://www.w3.org/2001/XInclude"><body>'
            '<xi:include href="FILE" parse="text"/><p>a</p></body></html>'
        ),
    ),
    "rst": (
        ".. image:: URL\n.. image:: FILEURL\n\n.. figure:: URL\n\n   a",
        ".. include:: FILE\n   :literal:\n\n.. literalinclude:: FILE\n\n.. raw:: html\n   :file: FILE",
        ".. csv-table::\n   :file: FILE\n\n.. csv-table::\n   :url: URL\n\n.. raw:: html\n   :url: URL",
        ".. |i| image:: URL\n.. |f| include:: FILE\n\na |i| |f|",
        ".. code:: py\n   :file: FILE\n\n.. math::\n   :file: FILE",
    ),
    "text": ("!include FILE\n\nURL\n\n\\input{FILE}",),
    "pdf": ("FILE URL",),
    "asciidoc": (
        "include::FILE[]\n\ninclude::URL[]\n\n a\ninclude::FILE[]",
        "----\ninclude::FILE[]\n----\n\n[source]\n....\ninclude::FILE[]\n....",
        "|===\n|a\n\ninclude::FILE[]\n|===\n\n[%header,format=csv]\n|===\ninclude::FILE[]\n|===",
        ":imagesdir: URL\n\nimage::URL[a]\n\nimage:FILEURL[b] video::URL[] audio::FILE[]",
        ":data-uri:\n:allow-uri-read:\n\nimage::FILE[a]\n\ncsv::FILE[]",
    ),
    "org": (
        '#+INCLUDE: "FILE" src\n\na\n\n#+INCLUDE: "FILE"\n#+SETUPFILE: URL',
        "[[FILEURL]] [[URL]] [[file:FILE]]\n\n[[file:FILE.png]]",
        "#+begin_src sh :file FILE :results file\ncat FILE\n#+end_src\n\n#+CALL: x()\n#+bibliography: FILE",
        '#+MACRO: m (eval (insert-file-contents "FILE"))\n\n{{{m}}}',
    ),
    "latex": (
        "\\input{FILE}\\include{FILE}\\subfile{FILE}\\import{/}{FILE}",
        "\\verbatiminput{FILE}\n\n\\lstinputlisting{FILE}\n\n\\inputminted{c}{FILE}",
        "\\usepackage{FILE}\\documentclass{FILE}\\begin{document}a\\bibliography{FILE}\\end{document}",
        "\\includegraphics{URL} \\includegraphics{FILE} \\includepdf{FILE} \\csname @@input\\endcsname FILE",
        "\\newread\\f\\openin\\f=FILE \\read\\f to\\x \\x \\write18{cat FILE}",
    ),
    "ipynb": (
        json.dumps(
            {"cells": [{"cell_type": "markdown", "source": "![a](URL) <img src='FILEURL'>", "attachments": {}}]}
        ),
        json.dumps(
            {
                "cells": [
                    {
                        "cell_type": "code",
                        "source": "%load FILE",
                        "outputs": [
                            {
                                "output_type": "display_data",
                                "data": {"text/html": "<table><tr><td><img src='URL'>a</table>"},
                            }
                        ],
                    }
                ]
            }
        ),
    ),
    "rtf": (
        '{\\rtf1 {\\field{\\*\\fldinst INCLUDETEXT "FILE"}{\\fldrslt a}}{\\field{\\*\\fldinst INCLUDEPICTURE "URL"}}}',
        "{\\rtf1{\\*\\template URL}{\\object\\objautlink{\\*\\objdata 00}} a{\\pict\\pngblip FILE}}",
    ),
    "mediawiki": (
        "[[File:FILE]] [[Image:URL]] {{:FILE}} {{subst:FILE}} URL.png",
        "<img src='URL'><syntaxhighlight src='FILE'></syntaxhighlight>{{#include: FILE}}",
    ),
    "docbook": (
        '<!DOCTYPE article [<!ENTITY e SYSTEM "FILEURL">]><article><para>&e;a</para></article>',
        '<!DOCTYPE article SYSTEM "URL"><article><para>a</para></article>',
        '<!DOCTYPE article [<!ENTITY % e SYSTEM "URL"> %e;]><article><para>a</para></article>',
        (
            "<article><mediaobject><imageobject><imagedata fileref='URL'/></imageobject><textobject>"
            "<textdata fileref='FILE'/></textobject></mediaobject><para>a</para></article>"
        ),
        (
            "<article xmlns:xi='http://www.w3.org/2001/XInclude'><xi:include parse='text' href='FILE'><xi:fallback/>"
            "</xi:include><programlisting><xi:include href='FILE' parse='text'/></programlisting></article>"
        ),
        "<article><programlisting><textobject><textdata fileref='FILE'/></textobject></programlisting></article>",
    ),
    "typst": (
        '#include "FILE"\n\na #read("FILE") #image("URL")',
        '#import "FILE": x\n#raw(read("FILE"))\n#csv("FILE") #json("FILE") #bibliography("FILE")',
        'a\n\n#figure(image("FILE"))',
    ),
    "man": (
        ".TH X 1\n.SH A\n.so FILE\n.mso FILE\n.PSPIC FILE\n.sy cat FILE\n.pso cat FILE\n.open a FILE\n.trf FILE\na",
    ),
    "vtt": (
        "WEBVTT\nX-MAP: URL\n\nSTYLE\n::cue { background: url(URL) }\n\n00:01.000 --> 00:02.000\n<img src=URL>FILE",
    ),
    "srt": ("1\n00:00:01,000 --> 00:00:02,000\n<img src=URL>FILE",),
    "blocks": ('[{"type": "paragraph", "text": "![a](URL) FILE", "meta": {"$ref": "FILEURL"}}]',),
    "json": ('{"$ref": "FILEURL", "b": {"$include": "URL"}}',),
    "jsonl": ('{"$ref": "URL"}\n{"$ref": "FILEURL#/a"}',),
    "yaml": ("a: !include FILE\nb: !ENV FILE\n<<: !inc URL\nc: !!python/object/apply:os.system ['cat FILE']\n",),
    "toml": ('include = "FILE"\n"$ref" = "URL"\n',),
    "xml": (
        (
            '<?xml-stylesheet href="URL"?><a xsi:schemaLocation="x URL" '
            'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">b</a>'
        ),
        '<a xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="FILE" parse="text"/></a>',
        '<!DOCTYPE a [<!ENTITY e SYSTEM "FILEURL">]><a>&e;</a>',
        '<!DOCTYPE a [<!ENTITY % e SYSTEM "URL"> %e;]><a>b</a>',
    ),
}
PICTURE = (
    '<draw:frame xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"><draw:image xlink:href="{}"/>'
    "</draw:frame>"
)
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def packages(file: str, url: str) -> dict[str, bytes]:
    """Packages that name a file or an address."""
    word = members_of(p("a", "<w:r><w:drawing/></w:r>") + "<w:altChunk/>")
    outside = (
        (f"{OFFICE}/{kind}", target) for kind in ("image", "attachedTemplate", "aFChunk") for target in (url, file)
    )
    word["word/_rels/document.xml.rels"] = relationships(*outside, mode=' TargetMode="External"')
    word["word/_rels/settings.xml.rels"] = relationships(
        (f"{OFFICE}/attachedTemplate", url), mode=' TargetMode="External"'
    )
    inside = members_of(p("a"))
    inside["word/_rels/document.xml.rels"] = relationships(
        (f"{OFFICE}/styles", f"file://{file}"),
        (f"{OFFICE}/numbering", f"../../../..{file}"),
        (f"{OFFICE}/footnotes", url),
    )
    return {
        "docx that links outside": zipped(word),
        "docx whose parts lie outside": zipped(inside),
        "odt with pictures": odt(f"<text:p>a{PICTURE.format(url)}{PICTURE.format(f'file://{file}')}</text:p>"),
        "odt with a section from a file": odt(
            f'<text:section><text:section-source xlink:href="file://{file}"/><text:p>a</text:p></text:section>'
        ),
        "epub with pictures": epub(f'<p>a<img src="{url}"/><img src="file://{file}"/><object data="{url}"/></p>'),
        "epub with a script and a style": epub(f'<link rel="stylesheet" href="{url}"/><script src="{url}"/><p>a</p>'),
        "pptx with a picture": pptx(f'<p:pic><p:blipFill><a:blip r:link="{url}"/></p:blipFill></p:pic>'),
    }


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a server that nobody may connect to."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        port = server.getsockname()[1]

        def refuse(*_args: object, **_kwargs: object) -> None:
            raise AssertionError("A reader opens no socket.")

        with monkeypatch.context() as patch:
            patch.setattr(socket, "socket", refuse)
            yield f"http://127.0.0.1:{port}/kiln.png"
        with pytest.raises(BlockingIOError):
            server.accept()


@pytest.fixture
def secret(tmp_path: Path) -> str:
    path = tmp_path / "secret"
    path.write_text(f"{SECRET}\n")
    return str(path)


def words(data: bytes, name: str) -> str:
    """All that is read of a document, or what is said of it."""
    try:
        return str(read(Source(data=data, format=name)))
    except BadInput as refused:
        return refused.detail


@pytest.mark.parametrize("name", NAMED)
def test_what_a_text_names_is_not_opened(name: str, secret: str, listener: str) -> None:
    for source in NAMED[name]:
        written = source.replace("FILEURL", f"file://{secret}").replace("FILE", secret).replace("URL", listener)

        assert SECRET not in words(written.encode(), name)


def test_what_a_package_names_is_not_opened(secret: str, listener: str) -> None:
    for name, data in packages(secret, listener).items():
        assert SECRET not in words(data, name.partition(" ")[0])


#: Where a picture's address is written, beside the text `fine`.
PICTURES = {
    "markdown": "fine ![](URL) ![](FILEURL)",
    "mdx": "fine ![](URL) <img src='URL' />",
    "html": "<p>fine<img src='URL'><img src='FILEURL'>",
    "rst": "fine\n\n.. image:: URL\n.. figure:: FILEURL\n",
    "asciidoc": "fine image:URL[]\n\nimage::FILEURL[]\n",
    "org": "fine\n\n[[file:kiln.png]]\n",
    "latex": "fine \\includegraphics{URL}\n\n\\includegraphics[width=3cm]{FILE}",
    "ipynb": '{"cells": [{"cell_type": "markdown", "source": "fine ![](URL)"}]}',
    "typst": 'fine #image("URL")',
    "docbook": "<article><para>fine<inlinemediaobject><imageobject><imagedata fileref='URL'/></imageobject>"
    "</inlinemediaobject></para></article>",
}


@pytest.mark.parametrize("name", PICTURES)
def test_addresses_of_pictures_are_no_text(name: str) -> None:
    source = PICTURES[name].replace("FILEURL", "file:///srv/kiln.png").replace("FILE", "/srv/kiln.png")
    found = read(Source(data=source.replace("URL", "http://10.0.0.1/kiln.png").encode(), format=name))

    assert [block.text for block in getattr(found, "blocks", ())] == ["fine"]


def test_a_secret_that_is_read_would_be_seen(secret: str) -> None:
    """The test itself: what stands in the document is found by `words`."""
    with contextlib.closing(Path(secret).open()) as file:
        assert SECRET in words(file.read().encode(), "text")
