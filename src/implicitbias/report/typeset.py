"""A formula of the small language in Unicode, as one would write it by hand: `Max(T, Abs(s))` as `max(T, |s|)`."""

from __future__ import annotations

import re

from implicitbias.errors import FormulaError
from implicitbias.exact.formula import Operation, parse
from implicitbias.report.prose import GREEK, lowered, prose, raised
from implicitbias.theorems.primitives import arities

CAPITALS = {"Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω"}
NAMED = {"Max": "max", "Min": "min", "log": "log", "gamma": "Γ", "asin": "arcsin", "acos": "arccos", "atan": "arctan"}

SUM, PRODUCT, POWER, ATOM = 1, 2, 3, 4
"""Binding strength of an operation: what binds less than its surroundings is put in parentheses."""


def typeset(formula: str) -> str:
    """The formula in Unicode; unchanged if it is not in the small language.

    >>> typeset("Max(T, Abs(s))"), typeset("sqrt(T**2 + s**2)/2"), typeset("-(a - b)*(c + 1)**k")
    ('max(T, |s|)', '√(T² + s²)/2', '-(a - b)·(c + 1)ᵏ')
    >>> typeset("sigma_w**2/(2*pi)"), typeset("x_1 - (y - z)")
    ('σ_w²/(2π)', 'x₁ - (y - z)')
    """
    try:
        return shown(parse(formula, more=arities()).tree)
    except (FormulaError, RecursionError):
        return formula


def shown(tree: Operation) -> str:
    """A formula that was read, in Unicode."""
    return _shown(tree)[0]


def relation(text: str) -> str:
    """A relation with both sides typeset, if they are in the small language.

    >>> relation("2*lam <= Abs(s)"), relation("A > 0")
    ('2λ ≤ |s|', 'A > 0')
    """
    sides = re.split(r"( >= | <= | > | < )", text)
    return prose("".join(part if i % 2 else typeset(part) for i, part in enumerate(sides)))


def symbol(name: str) -> str:
    """A name as its symbol.

    >>> [symbol(n) for n in ("kappa", "x_1", "x_n", "sigma_w", "T_int", "n0")]
    ['κ', 'x₁', 'xₙ', 'σ_w', 'T_int', 'n₀']
    """
    stem, index = symbol_parts(name)
    if (index.isdecimal() or len(index) == 1) and (low := lowered(index)):
        return stem + low
    return f"{stem}_{index}" if index else stem


def symbol_parts(name: str) -> tuple[str, str]:
    """The letter and the index of a name; the index may be empty.

    >>> symbol_parts("sigma_w"), symbol_parts("n0"), symbol_parts("T")
    (('σ', 'w'), ('n', '0'), ('T', ''))
    """
    stem, _, index = name.partition("_")
    if not index and (found := re.fullmatch(r"([A-Za-z]+)(\d+)", name)):
        stem, index = found.groups()
    return GREEK.get(stem) or CAPITALS.get(stem) or stem, GREEK.get(index, index)


def _shown(node: Operation) -> tuple[str, int]:
    """The text and its binding strength."""
    if node.number is not None:
        if node.number.denominator != 1:
            return str(node.number), PRODUCT
        return str(node.number), ATOM if node.number >= 0 else PRODUCT
    if not node.arguments:
        return symbol(node.head) if node.head != "E" else "e", ATOM
    match node.head:
        case "+" | "-":
            return _sum(node)
        case "*" | "/":
            return _product(node)
        case "**":
            return _power(node)
        case "neg":
            return f"-{_within(node.arguments[0], PRODUCT)}", PRODUCT
        case "Abs":
            inner = _shown(node.arguments[0])[0]
            return (f"|{inner}|" if "|" not in inner else f"abs({inner})"), ATOM
        case "floor":
            return f"⌊{_shown(node.arguments[0])[0]}⌋", ATOM
        case "sqrt":
            inner, binds = _shown(node.arguments[0])
            return f"√{inner}" if binds == ATOM and len(inner) <= 3 and "(" not in inner else f"√({inner})", ATOM
    arguments = ", ".join(_shown(a)[0] for a in node.arguments)
    return f"{NAMED.get(node.head, node.head.replace('_', ' '))}({arguments})", ATOM


def _sum(node: Operation) -> tuple[str, int]:
    left, right = node.arguments
    tight = SUM if node.head == "+" else PRODUCT
    shown = _within(right, tight)
    if shown.startswith("-"):
        shown = f"({shown})"
    return f"{_within(left, SUM)} {node.head} {shown}", SUM


def _product(node: Operation) -> tuple[str, int]:
    left, right = node.arguments
    first = _within(left, PRODUCT)
    second = _within(right, POWER if node.head == "/" else PRODUCT)
    if second.startswith("-"):
        second = f"({second})"
    if node.head == "/":
        return f"{first}/{second}", PRODUCT
    if re.fullmatch(r"-?\d+", first) and re.match(r"[^\W\d_](?![A-Za-z])|√|\(|\|", second):
        return f"{first}{second}", PRODUCT
    return f"{first}·{second}", PRODUCT


def _power(node: Operation) -> tuple[str, int]:
    base, exponent = node.arguments
    below = _within(base, ATOM)
    if base.head == "sqrt":
        below = f"({below})"  # √x² would be the root of a square to many
    above, binds = _shown(exponent)
    if high := raised(above):
        return below + high, POWER
    return f"{below}^{above if binds == ATOM else f'({above})'}", POWER


def _within(node: Operation, tight: int) -> str:
    text, binds = _shown(node)
    return text if binds >= tight else f"({text})"
