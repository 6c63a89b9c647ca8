"""Mathematics for a page: LaTeX and formulas of the small language as MathML, which browsers typeset themselves."""

from __future__ import annotations

import re
from html import escape

from latex2mathml.converter import convert
from markupsafe import Markup

from implicitbias.errors import FormulaError
from implicitbias.exact.formula import Operation, parse
from implicitbias.report.typeset import ATOM, NAMED, POWER, PRODUCT, SUM, symbol_parts

SIZED = re.compile(r"\\[bB]igg?[lrm]?(?![A-Za-z])")
PRIMED_POWER = re.compile(r"('+)\^(\{[^{}]*\}|\\[A-Za-z]+|.)")
ARG = re.compile(r"\\arg\s*\\(min|max)")


def from_latex(latex: str, *, block: bool = False) -> Markup:
    r"""A formula in LaTeX as a `<math>` element. Raises ValueError for an unknown command.

    >>> "<msup>" in from_latex(r"\\bar R(f)=x^2")
    True
    """
    plain = SIZED.sub("", latex)
    plain = ARG.sub(r"\\operatorname{arg\1}", plain)
    plain = PRIMED_POWER.sub(lambda found: "^{" + r"\prime" * len(found[1]) + " " + found[2].strip("{}") + "}", plain)
    try:
        made = convert(plain, display="block" if block else "inline")
    except Exception as error:  # the converter has no common ancestor for its errors
        raise ValueError(f"this LaTeX cannot be typeset: {latex} ({type(error).__name__})") from error
    if "\\" in made:
        raise ValueError(f"this LaTeX holds a command that cannot be typeset: {latex}")
    return Markup(made)


def from_formula(formula: str) -> Markup:
    """A formula of the small language as a `<math>` element; any other text as code.

    >>> from_formula("Max(T, Abs(s))").count("<mo>|</mo>")
    2
    """
    try:
        return Markup(f'<math display="inline">{_shown(parse(formula).tree)[0]}</math>')
    except (FormulaError, RecursionError):
        return Markup("<code>{}</code>").format(formula)


def _shown(node: Operation) -> tuple[str, int]:
    """The elements, in a row of their own, and their binding strength."""
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
            return _row(_within(first, SUM), _operator(sign), _within(rest[0], tight)), SUM
        case "*":
            second = _within(rest[0], PRODUCT)
            sign = "·" if second.startswith(("<mn>", "<mfrac>")) else "⁢"
            return _row(_within(first, PRODUCT), _operator(sign), second), PRODUCT
        case "/":
            return f"<mfrac>{_shown(first)[0]}{_shown(rest[0])[0]}</mfrac>", PRODUCT
        case "**":
            return f"<msup>{_within(first, ATOM)}{_shown(rest[0])[0]}</msup>", POWER
        case "neg":
            return _row(_operator("−"), _within(first, PRODUCT)), PRODUCT
        case "Abs":
            return _row(_operator("|"), _shown(first)[0], _operator("|")), ATOM
        case "floor":
            return _row(_operator("⌊"), _shown(first)[0], _operator("⌋")), ATOM
        case "sqrt":
            return f"<msqrt>{_shown(first)[0]}</msqrt>", ATOM
    arguments = _operator(",").join(_shown(a)[0] for a in node.arguments)
    name = f"<mi>{escape(NAMED.get(node.head, node.head))}</mi>"
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


def _operator(sign: str) -> str:
    return f"<mo>{sign}</mo>"


def _row(*parts: str) -> str:
    return f"<mrow>{''.join(parts)}</mrow>"
