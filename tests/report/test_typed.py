"""Formulas typed as they are displayed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.claims.catalogue import load
from implicitbias.errors import FormulaError
from implicitbias.exact.formula import MAX_LENGTH, parse
from implicitbias.report.typed import read
from implicitbias.report.typeset import typeset

NAMES = ("T", "s", "a", "b", "x_1", "sigma_w", "n0", "e")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("|s|", "Abs(s)"),
        ("||s| - |a||", "Abs(Abs(s) - Abs(a))"),
        ("|a|b|s|", "Abs(a)*b*Abs(s)"),
        ("2T|s|", "2*T*Abs(s)"),
        ("T^2 + s²", "T**2 + s**2"),
        ("s⁻¹·T", "s**-1*T"),
        ("a × b − x₁", "a*b - x_1"),
        ("√2 + √(a + b)", "sqrt(2) + sqrt(a + b)"),
        ("2√x₁", "2*sqrt(x_1)"),
        ("√|s|", "sqrt(Abs(s))"),
        ("max(T, |s|)/2", "Max(T, Abs(s))/2"),
        ("T(a + b)(a − b)", "T*(a + b)*(a - b)"),
        ("⌊a/2⌋", "floor(a/2)"),
        ("σ_w²/(2π)", "sigma_w**2/(2*pi)"),
        ("n₀ n0", "n0*n0"),
        ("2ab", "2*a*b"),
        ("ab²", "a*b**2"),
        ("a b/2", "a*b/2"),
        ("Γ(a + 1)", "gamma(a + 1)"),
        ("2e", "2*e"),
        ("-T²", "-T**2"),
        ("a^-b", "a**-b"),
        ("1/2·T", "1/2*T"),
    ],
)
def test_what_is_displayed_can_be_typed(typed: str, meant: str) -> None:
    found = read(typed, NAMES)
    assert parse(found.formula) == parse(meant)
    assert not found.is_as_typed


@pytest.mark.parametrize(
    ("typed", "shown"),
    [("1/2T", "/(2·T…) or /2·T…"), ("a/b s", "/(b·s…)"), ("√T²", "(√T)² or √(T²)"), ("a^2b", "^(2·b…) or ^2·b…")],
)
def test_what_can_be_read_in_two_ways_is_asked_about(typed: str, shown: str) -> None:
    with pytest.raises(FormulaError, match="can be read in two ways") as refused:
        read(typed, NAMES)
    assert shown in str(refused.value)


@pytest.mark.parametrize(
    "typed", ["", "|s", "a b c", "2 3", "√", "a²³b)", "(a", "a,b", "f(a)", "a|", "=a", "²", "√" * 999]
)
def test_what_is_no_formula_is_refused(typed: str) -> None:
    with pytest.raises(FormulaError):
        read(typed, NAMES)


def test_every_formula_of_the_catalogue_can_be_typed_as_it_is_shown() -> None:
    for claim in load().claims:
        for shown in (claim.formula, claim.printed, *(control.candidate for control in claim.controls)):
            if isinstance(shown, str):
                again = read(typeset(shown), claim.symbols).formula
                assert typeset(again) == typeset(shown), claim.id
                assert parse(again).names == parse(shown).names


@given(st.text(alphabet="Tsab12²⁻₁|√⌊⌋()+-*/^·, π.e", max_size=40))
def test_no_text_ends_in_anything_but_a_formula_or_a_message(text: str) -> None:
    try:
        found = read(text, NAMES)
    except FormulaError:
        return
    parse(found.formula, NAMES)


def test_a_very_long_text_is_refused_at_once() -> None:
    with pytest.raises(FormulaError):
        read("|s|·" * MAX_LENGTH, NAMES)


def test_a_lowered_letter_is_read_as_it_is_shown() -> None:
    shown = typeset("x_n**2 - l_k*sigma_w")
    assert shown == "xₙ² - lₖ·σ_w"
    assert parse(read(shown, ["x_n", "l_k", "sigma_w"]).formula) == parse("x_n**2 - l_k*sigma_w")
