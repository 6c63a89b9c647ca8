"""Zero is proved, refuted at an exact point, or left open; never guessed."""

from fractions import Fraction

import pytest
import sympy

from implicitbias.exact.symbolic import from_sympy, prove_zero, reduce_to_zero, symbol, to_sympy

T, s = symbol("T", "nonnegative"), symbol("s")
COST = sympy.Max(T, sympy.Abs(s))
VARIABLES = {"T": "nonnegative", "s": "real"}


@pytest.mark.parametrize(
    "equal",
    [
        "Max(T, s, -s)",
        "(T + Abs(s) + Abs(T - Abs(s)))/2",
        "T + Max(0, Abs(s) - T)",
        "-Min(-T, -Abs(s))",
        "Max(Max(T, s), Max(T, -s))",
        "Max(T, sqrt(s**2))",
        "Abs(Max(T, Abs(s)))",
    ],
)
def test_equal_forms_of_a_piecewise_formula_are_proved_equal(equal: str) -> None:
    assert prove_zero(to_sympy(equal, VARIABLES) - COST).status is True


@pytest.mark.parametrize(
    "other", ["T + Abs(s)", "Max(T, s)", "Max(T, Abs(s)/2)", "sqrt(T**2 + s**2)", "Max(T, Abs(s)) + 1/10**25"]
)
def test_other_formulas_are_refuted_at_a_point_that_can_be_checked_by_hand(other: str) -> None:
    proof = prove_zero(to_sympy(other, VARIABLES) - COST)
    assert proof.status is False
    assert proof.witness is not None
    residual = (to_sympy(other, VARIABLES) - COST).subs({symbol(k, VARIABLES[k]): v for k, v in proof.witness.items()})
    assert residual.evalf(50) != 0


def test_a_formula_that_differs_only_in_a_thin_cell_is_not_proved_equal() -> None:
    x = symbol("x")
    assert reduce_to_zero(sympy.Max(x, 0) * sympy.Max(x - 1, 0) - x * sympy.Max(x - 1, 0)) is not None
    assert reduce_to_zero(sympy.Max(0, 1 - sympy.Abs(1000 * x - 7))) is None


@pytest.mark.parametrize(
    ("text", "domain"),
    [
        ("(a + b)**2 - a**2 - 2*a*b - b**2", "real"),
        ("sqrt(a**2*b**2) - a*b", "positive"),
        ("sin(a)**2 + cos(a)**2 - 1", "real"),
        ("log(exp(a)) - a", "real"),
        ("(a**2 - b**2)/(a + b) - a + b", "positive"),
        ("gamma(a + 1) - a*gamma(a)", "positive"),
        ("a**(2*b) - (a**b)**2", "positive"),
    ],
)
def test_identities_of_the_functions_are_proved(text: str, domain: str) -> None:
    assert prove_zero(to_sympy(text, {"a": domain, "b": domain})).status is True  # type: ignore[dict-item]


@pytest.mark.parametrize(
    "text", ["Max(1, x)/3 + exp(-x)", "sqrt(x)*pi", "Abs(x - 1/3)**(2/3)", "gamma(x/2)", "acos(1/x)"]
)
def test_to_sympy_and_back_keeps_the_value(text: str) -> None:
    from implicitbias.exact.enclosure import enclose

    back = from_sympy(to_sympy(text, {"x": "positive"}))
    for x in (Fraction(3, 2), Fraction(7)):
        first, second = enclose(text, x=x), enclose(back, x=x)
        middle = first if isinstance(first, Fraction) else (first.lower + first.upper) / 2
        other = second if isinstance(second, Fraction) else (second.lower + second.upper) / 2
        assert abs(middle - other) < Fraction(1, 10**60)


def test_what_the_language_lacks_is_refused() -> None:
    with pytest.raises(ValueError, match="no zeta"):
        from_sympy(sympy.zeta(symbol("x")))
