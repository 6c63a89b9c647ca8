"""Mathematics for a page: LaTeX and formulas of the small language as MathML, which browsers typeset themselves."""

from __future__ import annotations

import re
from html import escape, unescape

from latex2mathml.converter import convert
from markupsafe import Markup

from implicitbias.errors import FormulaError
from implicitbias.exact.formula import Operation, parse
from implicitbias.report.lines import pieces, typeset_line
from implicitbias.report.typeset import ATOM, NAMED, POWER, PRODUCT, SUM, symbol, symbol_parts
from implicitbias.theorems.primitives import arities

NAMESPACE = ' xmlns="http://www.w3.org/1998/Math/MathML"'
"""A page of HTML needs none."""
NUMBERED = re.compile(r"&#x[0-9A-F]+;")
"""A character by its number, as the converter writes every sign: five times as long as the character."""
LONG = 220
"""Characters of a line of a derivation; longer ones are set as in the terminal, in a tenth of the room."""
SIZED = re.compile(r"\\[bB]igg?[lrm]?(?![A-Za-z])")
PRIMED_POWER = re.compile(r"('+)\^(\{[^{}]*\}|\\[A-Za-z]+|.)")
ARG = re.compile(r"\\arg\s*\\(min|max)")


def from_latex(latex: str, *, block: bool = False) -> Markup:
    r"""A formula in LaTeX as a `<math>` element. Raises ValueError for an unknown command.

    >>> "<msup>" in from_latex(r"\\bar R(f)=x^2")
    True
    >>> "<mo>≤</mo>" in from_latex(r"0\le x"), "<mo>&lt;</mo>" in from_latex("0<x")
    (True, True)
    """
    plain = SIZED.sub("", latex)
    plain = ARG.sub(r"\\operatorname{arg\1}", plain)
    plain = PRIMED_POWER.sub(lambda found: "^{" + r"\prime" * len(found[1]) + " " + found[2].strip("{}") + "}", plain)
    try:
        made = convert(plain, display="block" if block else "inline").replace(NAMESPACE, "", 1)
    except Exception as error:  # the converter has no common ancestor for its errors
        raise ValueError(f"this LaTeX cannot be typeset: {latex} ({type(error).__name__})") from error
    if "\\" in made:
        raise ValueError(f"this LaTeX holds a command that cannot be typeset: {latex}")
    return Markup(NUMBERED.sub(lambda found: escape(unescape(found[0])), made))


def from_formula(formula: str) -> Markup:
    """A formula of the small language as a `<math>` element; any other text as code.

    >>> from_formula("Max(T, Abs(s))").count("<mo>|</mo>")
    2
    """
    made = _math(formula)
    return Markup("<code>{}</code>").format(formula) if made is None else made


def from_text(text: str) -> Markup:
    """A line of a derivation: what is in the small language as `<math>`, relations and words between as they are.

    >>> str(from_text("p = y/2 for every x")).count("<math"), "for every <i>x</i>" in from_text("p = 1/2 for every x")
    (1, True)
    """
    if len(text) > LONG:
        return Markup("<code>{}</code>").format(typeset_line(text))
    return Markup("").join(Markup("{}").format(p) if isinstance(p, str) else _inline(p) for p in pieces(text))


def _math(formula: str) -> Markup | None:
    try:
        return _element(parse(formula, more=arities()).tree)
    except (FormulaError, RecursionError):
        return None


def _inline(tree: Operation) -> Markup:
    """A formula among words: a number as it is, a letter in italics, which is what a page needs least room for."""
    if tree.number is not None and tree.number.denominator == 1:
        return Markup(str(tree.number).replace("-", "−"))
    if not tree.arguments and len(letter := symbol(tree.head)) == 1:
        return Markup("<i>{}</i>").format(letter)
    return _element(tree)


def _element(tree: Operation) -> Markup:
    return Markup(f"<math>{_content(_shown(tree)[0])}</math>")


def _content(shown: str) -> str:
    """What a row holds, if all is one row: `<math>` is one itself.

    >>> _content("<mrow><mi>f</mi><mrow><mi>x</mi></mrow></mrow>")
    '<mi>f</mi><mrow><mi>x</mi></mrow>'
    """
    begin, end = "<mrow>", "</mrow>"
    inside = shown.removeprefix(begin).removesuffix(end)
    if not (shown.startswith(begin) and shown.endswith(end)):
        return shown
    depth = 0
    for mark in re.findall("</?mrow>", inside):
        depth += 1 if mark == begin else -1
        if depth < 0:
            return shown
    return inside


def _shown(node: Operation) -> tuple[str, int]:
    """The elements, and their binding strength; several elements stand in a row where one is asked for."""
    if node.number is not None:
        n = node.number
        if n.denominator == 1:
            return f"<mn>{n}</mn>", ATOM if n >= 0 else PRODUCT
        return f"<mfrac><mn>{n.numerator}</mn><mn>{n.denominator}</mn></mfrac>", PRODUCT
    if not node.arguments:
        return _symbol(node.head), ATOM
    first, *rest = node.arguments
    match node.head:
        case "+" | "-":
            sign = "+" if node.head == "+" else "−"
            tight = SUM if node.head == "+" else PRODUCT
            return _within(first, SUM) + _operator(sign) + _within(rest[0], tight), SUM
        case "*":
            second = _within(rest[0], PRODUCT)
            sign = _operator("·") if second.startswith(("<mn>", "<mfrac>")) else ""
            return _within(first, PRODUCT) + sign + second, PRODUCT
        case "/":
            return f"<mfrac>{_one(first)}{_one(rest[0])}</mfrac>", PRODUCT
        case "**":
            return f"<msup>{_within(first, ATOM)}{_one(rest[0])}</msup>", POWER
        case "neg":
            return _operator("−") + _within(first, PRODUCT), PRODUCT
        case "Abs":
            return _row(_operator("|"), _shown(first)[0], _operator("|")), ATOM
        case "floor":
            return _row(_operator("⌊"), _shown(first)[0], _operator("⌋")), ATOM
        case "sqrt":
            return f"<msqrt>{_shown(first)[0]}</msqrt>", ATOM
    arguments = _operator(",").join(_shown(a)[0] for a in node.arguments)
    name = f"<mi>{escape(NAMED.get(node.head, node.head).replace('_', ' '))}</mi>"
    return _row(name, _operator("("), arguments, _operator(")")), ATOM


def _symbol(name: str) -> str:
    if name == "E":
        return "<mi>e</mi>"
    stem, index = symbol_parts(name)
    if not index:
        return f"<mi>{escape(stem)}</mi>"
    low = f"<mn>{index}</mn>" if index.isdecimal() else f"<mi>{escape(index)}</mi>"
    return f"<msub><mi>{escape(stem)}</mi>{low}</msub>"


def _within(node: Operation, tight: int) -> str:
    shown, binds = _shown(node)
    return shown if binds >= tight else _row(_operator("("), shown, _operator(")"))


def _one(node: Operation) -> str:
    """As one element: sums, products and signs in a row."""
    shown, _ = _shown(node)
    return _row(shown) if node.head in ("+", "-", "*", "neg") else shown


def _operator(sign: str) -> str:
    return f"<mo>{sign}</mo>"


def _row(*parts: str) -> str:
    return f"<mrow>{''.join(parts)}</mrow>"
