"""A wanted curvature penalty, realised in both ways or refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate

from implicitbias.errors import DataError, FormulaError
from implicitbias.formulas.on_arrays import on_arrays
from implicitbias.laws.joint.build import initialisation
from implicitbias.laws.joint.kink_density import converges
from implicitbias.laws.penalty.curvature_penalty import penalty_of, realise, realise_independently

POINTS = np.array([-1.7, -0.4, 0.0, 0.3, 1.9])


@pytest.mark.parametrize(
    ("penalty", "interval"),
    [
        ("exp(x**2)/(1+0.8*sin(3*x))", None),
        ("(1+x**2)**2", None),
        ("1+x**2", (-2, 2)),
        ("1", (-3, 2)),
        ("Max(1, Abs(x))**4", None),
        ("0.01+x**2", (-2, 2)),
    ],
)
def test_the_penalty_is_the_wanted_one_up_to_the_factor(penalty: str, interval: tuple[int, int] | None) -> None:
    wanted = on_arrays(penalty)(POINTS)
    for made in (
        realise(penalty, interval),
        realise(penalty, interval, exactly=True),
        realise_independently(penalty, interval),
        realise_independently(penalty, interval, "normal(0.5,2)"),
    ):
        assert penalty_of(made, POINTS) == pytest.approx(made.factor * wanted, rel=1e-9)
    assert realise(penalty, interval, exactly=True).factor == 1


def test_the_factor_is_the_integral() -> None:
    """The integral of (1 + c²)/penalty on the circle; that of 1/penalty over E W² with independent weights."""
    assert realise("(1+x**2)**2").factor == pytest.approx(np.pi, rel=1e-12)
    assert realise_independently("(1+x**2)**2").factor == pytest.approx(np.pi / 2, rel=1e-12)
    assert realise_independently("1", (-2, 2), "binary(3)").factor == pytest.approx(4 / 9, rel=1e-12)


def test_theorem_9b_comes_back() -> None:
    """Constant penalty on [-a, a] with W = ±1 is B ~ U(-a, a)."""
    made, known = realise_independently("1", (-2, 2)), initialisation("binary(1)", "uniform(-2,2)")
    x = np.array([-2.5, -1.0, 0.5, 1.5, 2.5])
    assert made.zeta(x) == pytest.approx(known.zeta(x), rel=1e-12)
    assert made.kernel(0.5, 1.0) == pytest.approx(known.kernel(0.5, 1.0), rel=1e-9)


def test_weights_and_biases_on_the_circle_are_on_it() -> None:
    made = realise("(1+x**2)**2", exactly=True)
    w, b = made.sample(1000, np.random.default_rng(0))
    assert w**2 + b**2 == pytest.approx(np.full(1000, made.radius**2))
    assert made.weight_second_moment + made.bias_second_moment == pytest.approx(made.radius**2)


@pytest.mark.parametrize("penalty", ["1", "1+x**2", "(1+x**2)**(3/2)", "1+Abs(x)**3", "1+x**2/log(3+x**2)"])
def test_penalties_that_no_law_has_on_the_line_are_refused(penalty: str) -> None:
    with pytest.raises(DataError, match="give an interval that covers the data"):
        realise(penalty)
    assert realise(penalty, (-5, 5)).zeta(0.0) > 0


def test_one_sided_divergence_is_noticed() -> None:
    with pytest.raises(DataError, match="diverges"):
        realise("1 + exp(x)")
    with pytest.raises(DataError, match="∫ dx/penalty diverges"):
        realise_independently("1 + Abs(x)")


def test_the_moments_that_the_papers_construction_lacks_are_named() -> None:
    cauchy, fourth, fine = (realise_independently(f"1+Abs(x)**{k}") for k in (2, 4, 6))
    assert "E[B²]" in cauchy.warnings[0]
    assert "E[B⁴]" in fourth.warnings[0]
    assert fine.warnings == ()
    with pytest.raises(DataError, match="infinite"):
        cauchy.kernel(0.0, 1.0)
    assert realise_independently("1+x**2", (-9, 9)).warnings == ()


@pytest.mark.parametrize("penalty", ["x", "-1", "0", "sin(x)", "log(x)", "1/(x-0.00001)"])
def test_penalties_must_be_positive(penalty: str) -> None:
    with pytest.raises(DataError, match="must be positive"):
        realise(penalty, (-1, 1))


def test_what_is_no_formula_is_refused() -> None:
    with pytest.raises(FormulaError):
        realise("1+y")
    with pytest.raises(DataError, match="lower < upper"):
        realise("1", (1, 1))


def test_a_penalty_may_be_a_function_and_infinite() -> None:
    made = realise(lambda x: np.where(np.abs(x) < 1, 1.0, np.inf))
    assert made.factor == pytest.approx(8 / 3, rel=1e-9)
    assert made.zeta(1.5) == 0


@given(power=st.floats(-3, 3))
@settings(max_examples=40, deadline=None)
def test_power_tails_converge_below_minus_one(power: float) -> None:
    if abs(power + 1) > 0.11:
        assert converges(lambda x: (1 + np.abs(x)) ** power) is (power < -1)


def test_draws_follow_the_wanted_density() -> None:
    """Kolmogorov's statistic of 20 000 kinks, at the level 1e-6."""
    made = realise_independently("0.01+x**2", (-2, 2))
    w, b = made.sample(20_000, np.random.default_rng(3))
    kinks = np.sort(-b / w)
    total = integrate.quad(lambda c: 1 / (0.01 + c**2), -2, 2, points=[0])[0]
    cdf = (np.arctan(kinks * 10) + np.arctan(20)) * 10 / total
    distance = np.abs(cdf - (np.arange(kinks.size) + 0.5) / kinks.size).max()
    assert distance < np.sqrt(-np.log(1e-6 / 2) / 2 / kinks.size)
