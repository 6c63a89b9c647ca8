"""zeta against quadrature in 30 digits, written from Proposition 7 alone."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath as mp
import numpy as np
import pytest
import sympy
from scipy import stats

from implicitbias.exact.enclosure import enclose
from implicitbias.exact.rational import Interval
from implicitbias.exact.symbolic import symbol
from implicitbias.laws.joint.build import initialisation
from implicitbias.laws.joint.joint_density import joint_density
from implicitbias.laws.penalty.proposition_7 import zeta as symbolic_zeta

Density = Callable[[Any], Any]


def density(text: str) -> tuple[Density, list[Any]]:
    """A density and the points where it is not smooth, in mpmath: its own little reading of the text."""
    name, _, inside = text[:-1].partition("(")
    p = [mp.mpf(Fraction(v).numerator) / Fraction(v).denominator for v in inside.split(",")]
    match name:
        case "normal":
            return (lambda u: mp.npdf(u, p[0], p[1])), [p[0]]
        case "uniform":
            return (lambda u: 1 / (p[1] - p[0]) if p[0] <= u <= p[1] else mp.mpf(0)), p
        case "laplace":
            return (lambda u: mp.exp(-abs(u - p[0]) / p[1]) / (2 * p[1])), [p[0]]
        case "exponential":
            return (lambda u: mp.exp(-u / p[0]) / p[0] if u >= 0 else mp.mpf(0)), [mp.mpf(0)]
        case "student_t":
            c = mp.gamma((p[0] + 1) / 2) / (mp.gamma(p[0] / 2) * mp.sqrt(mp.pi * p[0]))
            return (lambda u: c * (1 + u * u / p[0]) ** (-(p[0] + 1) / 2)), [mp.mpf(0)]
        case "truncated_normal":
            mass = mp.ncdf((p[3] - p[0]) / p[1]) - mp.ncdf((p[2] - p[0]) / p[1])
            return (lambda u: mp.npdf(u, p[0], p[1]) / mass if p[2] <= u <= p[3] else mp.mpf(0)), p[2:]
    raise ValueError(text)


def integrated(weight: str, bias: str, x: float, share: bool = False) -> float:
    """∫ |w|³ p_W(w) p_B(-w x) dw, split where either density is not smooth."""
    with mp.workdps(30):
        (p, splits), (q, others) = density(weight), density(bias)
        place = mp.mpf(x)
        scale = 1 / max(1, abs(place))
        grid = [s * scale * mp.mpf(2) ** k for s in (-1, 1) for k in range(-3, 8, 2)]
        points = sorted({mp.mpf(0), *splits, *grid, *([-b / place for b in others] if place else [])})
        total = [mp.mpf(0), mp.mpf(0)]

        def plain(w: Any) -> Any:
            return abs(w) ** 3 * p(w) * q(-w * place)

        # mpmath aims at an absolute error, so the integrand is brought to size 1 first
        samples = (plain(a + (b - a) * k / 8) for a, b in itertools.pairwise(points) for k in range(9))
        top = max(samples) or mp.mpf(1)
        for low, high in itertools.pairwise(points):
            total[(low + high) > 0] += mp.quad(lambda w: plain(w) / top, [low, high], maxdegree=8)
        total[0] += mp.quad(lambda w: plain(w) / top, [-mp.inf, points[0]])
        total[1] += mp.quad(lambda w: plain(w) / top, [points[-1], mp.inf])
        return float(total[1] / sum(total)) if share else float(top * sum(total))


PAIRS = [
    ("normal(0,1)", "normal(0,2)"),
    ("normal(1,0.5)", "normal(-0.3,2)"),
    ("uniform(-1,2)", "uniform(-3,1)"),
    ("uniform(0.5,2)", "normal(1,1)"),
    ("laplace(0.5,1)", "uniform(-1,3)"),
    ("exponential(1)", "laplace(1,2)"),
    ("student_t(5)", "normal(0.5,1)"),
    ("uniform(-1,1)", "student_t(3)"),
    ("exponential(2)", "exponential(0.5)"),
    ("truncated_normal(0,1,-1,2)", "laplace(0,1)"),
    ("normal(0,1)", "uniform(-2,2)"),
    ("uniform(-1,1)", "normal(0,1)"),
    ("laplace(0,1)", "laplace(0,2)"),
]
POINTS = [0.0, 1e-7, 4e-3, 0.1, -0.5, 1.0, -1.5, 2.0, 3.0, 25.0]


@pytest.mark.parametrize(("weight", "bias"), PAIRS)
def test_floats_and_balls_agree_with_quadrature_in_thirty_digits(weight: str, bias: str) -> None:
    made = initialisation(weight, bias)
    values = made.zeta(POINTS)
    for x, value in zip(POINTS, values, strict=True):
        expected = integrated(weight, bias, x)
        assert value == pytest.approx(expected, rel=2e-13, abs=1e-300), x
        ball = made.zeta_enclosure(x)
        assert ball.width <= Fraction(1, 10**20) * max(ball.upper, Fraction(1, 10**300))
        assert float(ball.lower) == pytest.approx(expected, rel=1e-14, abs=1e-300), x


@pytest.mark.parametrize(("weight", "bias"), [PAIRS[1], PAIRS[2], PAIRS[4], PAIRS[6]])
def test_the_share_of_positive_weights_is_that_of_the_integral(weight: str, bias: str) -> None:
    made = initialisation(weight, bias)
    for x in (0.1, -0.5, 1.0, -1.5):
        assert made.right_share(x) == pytest.approx(integrated(weight, bias, x, share=True), abs=1e-13)


@pytest.mark.parametrize(
    ("weight", "bias", "x", "expected"),
    [
        # W = ±a: the mean of a³ p_B(a x) and a³ p_B(-a x)
        ("binary(1)", "uniform(-2,2)", "2", Fraction(1, 4)),
        ("binary(1)", "uniform(-2,2)", "2.0000001", Fraction(0)),
        ("binary(3)", "uniform(-2,2)", "-2/3", Fraction(27, 4)),
        ("binary(2)", "uniform(0,1)", "0.25", Fraction(4)),
        ("binary(2)", "uniform(0,1)", "0", Fraction(8)),
        # one-sided weights: C = -B/W has the other sign
        ("uniform(0,1)", "uniform(0,2)", "1", Fraction(0)),
        ("uniform(0,1)", "uniform(0,2)", "-1", Fraction(1, 8)),
        ("uniform(1,2)", "uniform(1,2)", "-1", Fraction(15, 4)),
        # the constant bias b: C = -b/W, so |b|³ p_W(-b/x)/x⁴
        ("uniform(1,2)", "constant(3)", "-2", Fraction(27, 16)),
        ("uniform(1,2)", "constant(3)", "2", Fraction(0)),
        ("uniform(-4,4)", "constant(-1)", "0.5", Fraction(2)),
        ("uniform(-4,4)", "constant(-1)", "0", Fraction(0)),
        ("constant(2)", "uniform(-1,1)", "0.5", Fraction(4)),
    ],
)
def test_cases_that_are_done_by_hand(weight: str, bias: str, x: str, expected: Fraction) -> None:
    made = initialisation(weight, bias)
    assert made.zeta(float(Fraction(x))) == pytest.approx(float(expected), rel=1e-14)
    ball = made.zeta_enclosure(x)
    assert ball.contains(expected)
    assert ball.width < Fraction(1, 10**20)


WITH_FORMS = [
    *(pair for pair in PAIRS if initialisation(*pair).closed_form is not None),
    ("binary(2)", "normal(1,2)"),
    ("binary(1)", "laplace(0,1)"),
    ("normal(0,1)", "constant(2)"),
]


@pytest.mark.parametrize(("weight", "bias"), WITH_FORMS)
def test_closed_forms_lie_in_the_balls(weight: str, bias: str) -> None:
    made = initialisation(weight, bias)
    assert len(WITH_FORMS) == 9
    assert made.closed_form is not None
    for x in ("1e-6", "0.1", "-0.5", "1", "-1.5", "3", "40"):
        value, ball = enclose(made.closed_form.formula, x=Fraction(x)), made.zeta_enclosure(x)
        low, high = (value.lower, value.upper) if isinstance(value, Interval) else (value, value)
        assert low <= ball.upper
        assert ball.lower <= high


def test_exact_values_of_uniform_laws() -> None:
    made = initialisation("uniform(-1,2)", "uniform(-1,3)")
    for x in ("0", "0.1", "-1/3", "1", "-2", "17/5"):
        value = made.zeta_exact(x)
        assert value is not None
        assert made.zeta_enclosure(x).contains(value)
    assert initialisation("uniform(1)", "uniform(2)").zeta_exact("3") == Fraction(1, 81)
    assert initialisation("normal(0,1)", "uniform(2)").zeta_exact("3") is None


@pytest.mark.parametrize(
    ("weight", "bias"),
    [
        ("normal(0,1)", "normal(0,2)"),
        ("normal(0,2)", "uniform(-1,1)"),
        ("uniform(-1,1)", "normal(0,1)"),
        ("uniform(-1,2)", "uniform(0.5,3)"),
        ("laplace(0,1)", "laplace(0,2)"),
        ("binary(2)", "laplace(1,2)"),
        ("uniform(1,2)", "constant(3)"),
    ],
)
def test_sympy_integrates_proposition_7_to_the_same_values(weight: str, bias: str) -> None:
    x = symbol("x")
    made = initialisation(weight, bias)
    expression = made.zeta_symbolic(x)
    assert expression is not None
    for place in (sympy.Rational(1, 3), sympy.Rational(-5, 4), sympy.Integer(2)):
        value = float(expression.subs(x, place).evalf(30))
        assert value == pytest.approx(made.zeta(float(place)), rel=1e-13, abs=1e-300)


def test_theorem_9c_with_symbols_for_the_parameters() -> None:
    a, b, x = sympy.symbols("a b x", positive=True)
    w, u = symbol("w"), symbol("b")
    found = symbolic_zeta(((-a, a, 1 / (2 * a)),), ((-b, b, 1 / (2 * b)),), x, w, u)
    for values in ({a: 1, b: 2, x: 3}, {a: 1, b: 2, x: 1}, {a: 5, b: 2, x: 1}):
        expected = (sympy.Min(a, b / x) ** 4 / (8 * a * b)).subs(values)
        assert found.subs(values) == expected


@pytest.mark.parametrize(
    ("weight", "bias"),
    [
        (stats.norm(0.5, 1), stats.gamma(2.5)),
        (stats.triang(0.3, -1, 2), stats.logistic(0, 1)),
        (stats.beta(2, 3), stats.gumbel_r(0, 1)),
        (stats.gamma(0.5), stats.norm(0, 1)),
    ],
    ids=["gamma", "triangular", "beta", "pole at the edge"],
)
def test_pairs_of_scipys_laws(weight: Any, bias: Any) -> None:
    """E[|W|³ p_B(-W x)] by Gauss's rule of 400 points between the places where a density is not smooth."""
    made = initialisation(weight, bias)
    nodes, weights = np.polynomial.legendre.leggauss(400)
    t, weights = (nodes + 1) / 2, weights / 2
    for x in (0.0, 0.2, -1.0, 3.0):
        low, high = (max(end, -60.0) if end < 0 else min(end, 60.0) for end in weight.support())
        splits = sorted({low, high, *(p for p in (-5.0, -0.4, 0.0, 0.05, 0.5, 2.0, 8.0) if low < p < high)})
        expected = 0.0
        for a, b in itertools.pairwise(splits):
            w = a + (b - a) * t**4  # smooths a pole of the density at a
            expected += float(weights @ (abs(w) ** 3 * weight.pdf(w) * bias.pdf(-w * x) * 4 * t**3)) * (b - a)
        assert made.zeta(x) == pytest.approx(expected, rel=1e-11, abs=1e-14)


def test_a_joint_density_with_sharp_edges() -> None:
    """Uniform on the triangle w, b >= 0, w + b <= 1: at x = -y the weights end at 1/(1 + y), so zeta = (1+y)^-4/2."""
    made = joint_density(lambda w, b: 2.0 * ((w >= 0) & (b >= 0) & (w + b <= 1)))
    for y in (0.0, 0.3, 2.0, 50.0):
        assert made.zeta(-y) == pytest.approx((1 + y) ** -4 / 2, rel=1e-12)
    assert made.zeta(0.5) == 0
    assert made.right_share(-1.0) == 1
    assert made.weight_second_moment == pytest.approx(1 / 6, rel=1e-9)
    assert made.mixed_second_moment == pytest.approx(1 / 12, rel=1e-9)
    assert made.bias_second_moment == pytest.approx(1 / 6, rel=1e-9)


def test_other_moments_of_the_weight_given_the_kink() -> None:
    """E[|W|^k | C = x] p_C(x) = ∫ |w|^(k+1) p_W(w) p_B(-w x) dw."""
    made = initialisation("normal(0,1)", "uniform(-1,3)")
    for order in (0, 1, 3):
        for x in (0.3, -2.0):
            with mp.workdps(20):
                pieces = [-12, *sorted([-3 / mp.mpf(x), 1 / mp.mpf(x), 0]), 12]
                expected = sum(
                    mp.quad(
                        lambda w, x=x, k=order + 1: (
                            abs(w) ** k * mp.npdf(w) * (mp.mpf(1) / 4 if -1 <= -w * x <= 3 else 0)
                        ),
                        [a, b],
                    )
                    for a, b in itertools.pairwise(pieces)
                )
            found = sum(float(side[0]) for side in made.sides(np.array([x]), order))
            assert found == pytest.approx(float(expected), rel=1e-10)
