"""Formulas and LaTeX as MathML: well formed, and nothing of the notation left over."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.report.html.mathml import from_formula, from_latex

LEAVES = st.sampled_from(["x", "sigma_w", "x_1", "2", "1/3", "pi", "E"])
FORMULAS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "**"]), inner).map(lambda t: f"({t[0]}){t[1]}({t[2]})"),
        st.tuples(st.sampled_from(["Abs", "sqrt", "exp", "floor"]), inner).map(lambda t: f"{t[0]}({t[1]})"),
        st.tuples(inner, inner).map(lambda t: f"Max({t[0]}, -({t[1]}))"),
    ),
    max_leaves=8,
)


@given(FORMULAS)
def test_every_formula_is_well_formed_and_keeps_its_symbols(formula):
    made = str(from_formula(formula))
    if made.startswith("<code>"):  # an exponent outside the language
        return
    text = "".join(ElementTree.fromstring(made).itertext())
    for name, shown in (("sigma_w", "σ"), ("pi", "π"), ("floor", "⌊"), ("Max", "max"), ("x_1", "1")):
        assert name not in formula or shown in text


@pytest.mark.parametrize(
    ("formula", "shown"),
    [("2*3", "2·3"), ("a - (b - c)", "a−(b−c)"), ("-(a + b)", "−(a+b)"), ("(a + b)*c", "(a+b)c"), ("E", "e")],
)
def test_what_binds_less_stands_in_parentheses(formula, shown):
    assert "".join(ElementTree.fromstring(str(from_formula(formula))).itertext()) == shown


@pytest.mark.parametrize("latex", [r"\int\frac{g''^2}{\zeta}", r"\Big\{x\Big\}", r"\arg\min_x f(x)", r"a\ge b"])
def test_latex_leaves_no_command_behind(latex):
    assert "\\" not in "".join(ElementTree.fromstring(str(from_latex(latex))).itertext())


def test_an_unknown_command_is_an_error():
    with pytest.raises(ValueError, match="cannot be typeset"):
        from_latex(r"\nosuchcommand{x}")
