"""A line of a derivation is typeset, whatever stands between its formulas, and says the same as before."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.exact.formula import Operation, parse
from implicitbias.report.lines import pieces, tidied, typeset_line
from implicitbias.theorems.primitives import arities

RAW = re.compile(r"Abs|Max|Min|\*|<=|>=|sqrt|\boo\b")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("s: (-1)*Abs(k)", "s: -|k|"),
        ("|s| <= T, s = -q", "|s| ≤ T, s = -q"),
        ("u = (s - -1*T)/2", "u = (s + T)/2"),
        ("2*decay + path", "2·decay + path"),
        ("∇(unit(c, 1, t, z)) · ∇(b_w - 0*v) in (t, h_1)", "∇(unit(c, 1, t, z)) · ∇(b_w) in (t, h₁)"),
        ("least Σ Abs(v)*sqrt(w**2) over v at (-1, y**2)", "least Σ |v|·√(w²) over v at (-1, y²)"),
        ("integral of Abs(w)**3 over w from -oo to oo", "integral of |w|³ over w from -∞ to ∞"),
        ("minimisers of (27), a half-line and its end", "minimisers of (27), a half-line and its end"),
        ("½|x_i| / sqrt(π r)", "½|xᵢ| / √(π r)"),
        ("V = |c| √(E[(aᵀx + b)_+])", "V = |c| √(E[(aᵀx + b)₊])"),
        ("", ""),
    ],
)
def test_what_a_derivation_says_is_typeset(text: str, shown: str) -> None:
    assert typeset_line(text) == shown
    assert not RAW.search(shown)


LEAVES = st.sampled_from(["x", "y", "0", "1", "-1", "2", "-2"])
FORMULAS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*"]), inner).map(lambda t: f"({t[0]}){t[1]}({t[2]})"),
        inner.map(lambda t: f"-({t})"),
        inner.map(lambda t: f"({t})/1"),
        inner.map(lambda t: f"Abs({t})"),
    ),
    max_leaves=12,
)


def value(node: Operation, at: dict[str, Fraction]) -> Fraction:
    if node.number is not None:
        return node.number
    if not node.arguments:
        return at[node.head]
    a, *b = (value(argument, at) for argument in node.arguments)
    match node.head:
        case "+":
            return a + b[0]
        case "-":
            return a - b[0]
        case "*":
            return a * b[0]
        case "/":
            return a / b[0]
        case "neg":
            return -a
        case "Abs":
            return abs(a)
    raise AssertionError(node.head)


@given(FORMULAS)
def test_what_is_left_out_changes_no_value(formula: str) -> None:
    tree = parse(formula, more=arities()).tree
    at = {"x": Fraction(7, 3), "y": Fraction(-11, 5)}
    assert value(tidied(tree), at) == value(tree, at)


@given(st.text(alphabet="ab(1)[,;:] +-*<=∇·'", max_size=30))
def test_any_text_is_cut_into_pieces(text: str) -> None:
    assert all(isinstance(piece, str | Operation) for piece in pieces(text))
