"""Places of data files, whose words are read as units: see `places`.

Keys are part of the lines that hold them; in which order units come is the markup design's (section 4), so words are
only looked for.
"""

from collections.abc import Sequence

from tests.unit.readers.places import Grammar


def members(pieces: Sequence[str], ends: Sequence[str]) -> str:
    return f"{{{','.join([*pieces, *ends])}}}"


def lines(pieces: Sequence[str], ends: Sequence[str]) -> str:
    return "\n".join([*pieces, *ends]) + "\n"


JSON = Grammar(
    "json",
    top=(
        '"%n": "%n %n"',
        '"%n":{"%n":["%n","%n"],"%n":{"%n":"%n"}}',
        '"%n":[{"name":"%n","%n":true},{"name":"%n","%n":null}]',
        '"%n":[[["%n"],"%n"],[]]',
        '"%n":[{}, {}, "%n \\n %n\\u0020%n"]',
        '"$ref": "#/%n"',
        '"k": "%n", "k": "%n"',
    ),
    join=members,
)

JSONL = Grammar(
    "jsonl",
    top=(
        '{"%n":"%n"}',
        '["%n",{"%n":["%n"]}]',
        '"%n"',
        "",
        '{"%n":{"%n":{"%n":"%n %n"}},"%n":[]}',
    ),
    join=lines,
)

YAML = Grammar(
    "yaml",
    top=(
        "%n: %n %n",
        "%n: '%n' # %n",
        '# %n\n%n: "%n"',
        "%n:\n  - %n\n  - name: %n\n    %n: %n",
        "%n: {%n: [%n, %n], %n: %n}",
        "%n: |\n  %n: %n\n  # %n\n  %n",
        "%n: >-\n  %n\n  %n\n\n  %n",
        "%n: %n\n  %n\n  %n",
        "? [%n, %n]\n: %n",
        "%n: &anchor%i %n\n%n: *anchor%i",
        "%n: !local %n",
        "%n: !!str %n",
        "200: %n\n1.10: %n\n~: %n",
        "%n:\n  %n:\n    %n:\n      - - %n\n        - %n",
    ),
    join=lines,
)

TOML = Grammar(
    "toml",
    top=(
        '["%n"]\n"%n" = "%n"\n"%n" = [ "%n", "%n" ]',
        "[['%n']]\nname = '%n'\n\"%n\" = { '%n' = '%n', '%n' = [ '%n' ] }",
        '["%n"."%n"]\n"%n %n" = 1\n"%n"."%n" = true',
        '# %n\n["%n"] # %n\nb = """\n%n\n  %n = %n\n"""',
        "['%n']\nc = '''%n\n[%n]'''\nd = [\n  '%n', # %n\n  '%n',\n]",
    ),
    join=lines,
)


def element(pieces: Sequence[str], ends: Sequence[str]) -> str:
    return f"<?xml version='1.0'?><root>{''.join([*pieces, *ends])}</root>"


XML = Grammar(
    "xml",
    top=(
        "<shelf>%n</shelf>",
        '<shelf id="%n" note=\'%n\'><name>%n</name><slot ref="%n"/></shelf>',
        "<p>%n <b>%n</b> %n</p>",
        "<pre>%n\n  %n</pre>",
        "<a><![CDATA[%n <b>%n</b>]]></a>",
        "<!-- %n %n --><a>%n</a>",
        "<a>%n<!-- %x --></a>",
        "<?%x %x?><a>%n</a>",
        '<x:a xmlns:x="urn:x" x:b="%n">%n &amp; %n &#32;%n</x:a>',
        "<a>%n<b/>%n<c>%n<d>%n</d></c></a>",
    ),
    join=element,
)

GRAMMARS = (JSON, JSONL, YAML, TOML, XML)
