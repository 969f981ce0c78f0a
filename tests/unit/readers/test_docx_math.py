"""Equations of DOCX documents, as one line. Expected texts are Word's own linear form, less its invisible signs."""

import pytest

from tests.unit.readers.docx_files import docx, p
from tests.unit.readers.reading import lines


def t(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


def m(name: str, properties: str = "", **parts: str) -> str:
    """An element of an equation: its properties, and the parts it has by their names."""
    inside = "".join(f"<m:{part}>{content}</m:{part}>" for part, content in parts.items())
    return f"<m:{name}><m:{name}Pr>{properties}</m:{name}Pr>{inside}</m:{name}>"


def has(name: str, value: str) -> str:
    return f'<m:{name} m:val="{value}"/>'


def e(text: str) -> str:
    return f"<m:e>{text}</m:e>"


EQUATIONS = {
    "signs": (t("E=m") + t("c"), "E=mc"),
    "fraction": (m("f", num=t("a"), den=t("b")), "a/b"),
    "fraction of sums": (m("f", num=t("a+b"), den=t("2c")), "(a+b)/2c"),
    "linear fraction": (m("f", has("type", "lin"), num=t("1"), den=t("x-1")), "1/(x-1)"),
    "binomial": (m("d", e=m("f", has("type", "noBar"), num=t("n"), den=t("k"))), "(n¦k)"),
    "superscript": (m("sSup", e=t("x"), sup=t("2")), "x^2"),
    "long superscript": (m("sSup", e=t("e"), sup=t("-kt")), "e^(-kt)"),
    "subscript": (m("sSub", e=t("x"), sub=t("1")), "x_1"),
    "both": (m("sSubSup", e=t("a"), sub=t("i"), sup=t("j+1")), "a_i^(j+1)"),
    "in front": (m("sPre", sub=t("6"), sup=t("14"), e=t("C")), "_6^14 C"),
    "brackets once": (m("sSup", e=m("d", e=t("a+b")), sup=t("2")), "(a+b)^2"),
    "two pairs of brackets are no pair": (m("sSup", e=m("d", e=t("a")) + m("d", e=t("b")), sup=t("2")), "((a)(b))^2"),
    "root": (m("rad", has("degHide", "1"), deg="", e=t("x")), "√(x)"),
    "root of a degree": (m("rad", deg=t("3"), e=t("x+1")), "√(3&amp;x+1)"),
    "sum": (m("nary", has("chr", "∑"), sub=t("i=1"), sup=t("n"), e=m("sSub", e=t("x"), sub=t("i"))), "∑_(i=1)^n x_i"),
    "integral": (m("nary", sub=t("0"), sup=t("1"), e=t("f dx")), "∫_0^1 f dx"),
    "sum without limits": (
        m("nary", has("chr", "∑") + "<m:subHide/>" + has("supHide", "1"), sub=t(""), sup=t(""), e=t("x")),
        "∑ x",
    ),
    "function": (m("func", fName=t("sin"), e=t("x")), "sin x"),
    "function of brackets": (m("func", fName=t("f"), e=m("d", e=t("x"))), "f(x)"),
    "limit": (m("func", fName=m("limLow", e=t("lim"), lim=t("x→0")), e=t("x")), "lim_(x→0) x"),
    "limit above": (m("limUpp", e=t("="), lim=t("def")), "=^def"),
    "bars": (m("d", has("begChr", "|") + has("endChr", "|"), e=t("x")), "|x|"),
    "an open brace": (
        m("d", has("begChr", "{") + has("endChr", ""), e="<m:eqArr>" + e(t("1, x&gt;0")) + e(t("0")) + "</m:eqArr>"),
        "{1, x&gt;0; 0",
    ),
    "several in brackets": ("<m:d>" + e(t("a")) + e(t("b")) + "</m:d>", "(a|b)"),
    "matrix": (
        m(
            "d",
            has("begChr", "[") + has("endChr", "]"),
            e="<m:m><m:mr>" + e(t("1")) + e(t("0")) + "</m:mr><m:mr>" + e(t("0")) + e(t("1")) + "</m:mr></m:m>",
        ),
        "[1, 0; 0, 1]",
    ),
    "accent": (m("acc", has("chr", "\u0303"), e=t("n")), "ñ"),
    "accent over several": (m("acc", e=t("a+b")), "(a+b)\u0302"),
    "mean": (m("bar", has("pos", "top"), e=t("x")), "x\u0305"),
    "underlined": (m("bar", e=t("x")), "x\u0332"),
    "arrow": (t("A") + m("groupChr", has("chr", "→") + has("pos", "bot"), e=t("heat")) + t("B"), "A→(heat)B"),
    "brace below": (m("groupChr", e=t("a+b")), "a+b"),
    "frames": (m("borderBox", e=m("box", e=m("phant", e=t("x")))), "x"),
    "unknown": (m("later", e=t("x")), "x"),
    "deleted": (t("a") + f"<w:del>{t('b')}</w:del><w:ins>{t('c')}</w:ins>", "ac"),
    "a part left out": (m("f", num="", den=t("2")), "/2"),
    "words of text": ("<m:r><w:t>if </w:t><m:t>x</m:t><w:br/><m:t>y</m:t></m:r>", "if x y"),
}


@pytest.mark.parametrize("name", EQUATIONS)
def test_an_equation_reads_as_its_linear_form(name: str) -> None:
    written, read = EQUATIONS[name]
    read = read.replace("&amp;", "&").replace("&gt;", ">")

    assert lines(docx(p("so ", f"<m:oMath>{written}</m:oMath>", " it is")), "docx") == [f"p | so {read} it is"]


def test_equations_of_a_paragraph_of_their_own_are_parted() -> None:
    body = p(f"<m:oMathPara><m:oMath>{t('a=b')}</m:oMath><m:oMath/><m:oMath>{t('c=d')}</m:oMath></m:oMathPara>")

    assert lines(docx(body), "docx") == ["p | a=b c=d"]


def test_equations_as_deep_as_a_part_may_be_are_read() -> None:
    written = t("x")
    for _ in range(80):
        written = m("sSup", e=t("x"), sup=written)

    [read] = lines(docx(p(f"<m:oMath>{written}</m:oMath>")), "docx")

    assert read.startswith("p | x^(x^(x^(")
    assert read.count("x") == 81
