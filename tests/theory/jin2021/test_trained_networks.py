"""The numerical observations of jin2021: targets, limits, scatter, training."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from implicitbias.claims.check import Context
from implicitbias.judging.judge import judge
from implicitbias.judging.judgement import Outcome
from implicitbias.splines.adaptive import AdaptiveSpline
from implicitbias.theory.jin2021 import (
    equation_4,
    natural_spline,
    theorem_1_any_data,
    theorem_1_rate,
    theorem_6,
    training_data,
)
from implicitbias.theory.observed.training import wide_networks
from implicitbias.theory.observed.training.scatter import scatter_job
from implicitbias.theory.observed.wide.exact_laws import rectangle_kernel, uniform
from implicitbias.theory.observed.wide.fluctuations import limit, polar_law
from implicitbias.training import anti_symmetric, standard, train

X, Y = np.array(wide_networks.X), np.array(wide_networks.Y)


def run(claim, check=0, seed=7):
    found = claim.checks[check]
    context = Context(seed=seed)
    if found.sweep is not None:
        outputs = tuple(found.sweep.job(p, "cpu") for p in found.sweep.parameters(context))
        context = replace(context, outputs=outputs)
    return found.observe(context)


def outcome(claim, evidence, formula):
    return judge(evidence, formula, tuple(claim.symbols)).outcome


@pytest.mark.parametrize(
    ("law", "zeta"), [("uniform", 1), ("gauss", "1/(1+x**2)**2"), ("gauss 0.1", "1/(0.1+x**2)**2")]
)
def test_targets_are_the_adaptive_splines(law, zeta):
    x, y = np.array(wide_networks.OTHER_X), np.array(wide_networks.OTHER_Y)
    found = wide_networks.target(wide_networks.penalty_weight(law), x, y)
    spline = AdaptiveSpline(x, y, zeta)
    assert np.abs(found.spline - spline(wide_networks.grid())).max() < 1e-11
    assert found.u == pytest.approx(sum(spline.end_slopes) / 2, abs=1e-11)


def test_linear_limits_of_all_parameters_are_those_of_the_kernel_engine():
    rng = np.random.default_rng(0)
    w, b, v = wide_networks.draw("gauss", (3, 40), rng)
    found = wide_networks.linear_limits(w, b, v, X, Y[None])[:, 0]
    trained = train(anti_symmetric(standard(w, b, v)), X, Y, engine="kernel", times=[np.inf])
    assert np.abs(found - trained(wide_networks.grid())).max() < 1e-8


def test_the_flow_ends_where_small_steps_of_descent_end():
    rng = np.random.default_rng(1)
    w, b, v = wide_networks.draw("gauss", (1, 400), rng)
    values, loss = wide_networks.flow(w, b, v, X, Y)
    start = anti_symmetric(standard(w, b, v))
    descended = train(start, X, Y, engine="prefix_sum", steps=20_000, stop_loss=1e-18)
    assert loss < 1e-20
    assert np.abs(values - descended(wide_networks.grid())).max() < 0.01


def test_the_limit_over_angles_is_the_exact_rational_one():
    found = limit(polar_law("uniform"), X, Y, wide_networks.grid())
    kernel = rectangle_kernel(uniform(1, 2))
    gram = np.array([[float(kernel(Fraction(a), Fraction(b))) for b in X] for a in X])
    cross = np.array([[float(kernel(Fraction(z), Fraction(b))) for b in X] for z in wide_networks.grid()])
    assert np.abs(found.values - cross @ np.linalg.solve(gram, Y)).max() < 1e-6


@pytest.mark.parametrize("law", ["uniform", "gauss", "gauss 0.1", "circle", "disk"])
def test_moments_over_angles_are_those_of_the_draws(law):
    found = polar_law(law)
    theta = (np.arange(40_000) + 0.5) * 2 * np.pi / 40_000
    w, b = found.draw((400_000,), np.random.default_rng(2))
    for k in (0, 2, 4):
        by_angle = found.moment(k, theta).mean() * 2 * np.pi
        assert by_angle == pytest.approx(((w**2 + b**2) ** (k / 2)).mean(), rel=0.03)


def test_a_line_without_its_constant_is_a_wrong_target():
    """The distance to the spline of the raw data must not shrink at the rate of the distance to the right spline."""
    goal = wide_networks.target(wide_networks.penalty_weight("uniform"))
    rng = np.random.default_rng(3)
    w, b, v = wide_networks.draw("uniform", (60, 4096), rng)
    grid = wide_networks.grid()
    rows = np.stack([Y, Y - goal.u * X - goal.v])
    found = wide_networks.linear_limits(w, b, v, X, rows).mean(0)
    raw = wide_networks.norm(found[0] - goal.spline)
    right = wide_networks.norm(found[1] - (goal.spline - goal.u * grid - goal.v))
    assert raw > 2 * right


CONJECTURES = [
    (equation_4.EQUATION_4, "3*(k*(y_2 - y_1) - h*(y_3 - y_2))**2/(h**2*k**2*(h + k)*z)", True),
    (equation_4.EQUATION_4, "3*((y_3 - y_2)/k - (y_2 - y_1)/h)**2/(z*(h + k + 1/1000))", False),
    (equation_4.START, "v*sqrt(w**2)", True),
    (equation_4.START, "v*w*sign(v)", False),
    (training_data.REGRESSION_ADJUSTMENT, "-7*(y_1 + y_3 - 2*y_2)/(32*(1 - 32/r**3))", True),
    (training_data.REGRESSION_ADJUSTMENT, "7*(y_1 - 2*y_2 + y_3)*r**3/(32*(33 - r**3))", False),
    (training_data.RAW_DATA, "(y_1 + y_2)*((128 + 8*r**3)/(8*(32 + 8*r**3)) - 1/2)", True),
    (theorem_6.GAP, "3/z*(((y_3-y_2)/(2*g)-y_2+y_1)**2+(y_4-y_3-(y_3-y_2)/(2*g))**2)", True),
    (theorem_6.GAP, "3/z*(((y_3-y_2)/g-y_2+y_1)**2+(y_4-y_3-(y_3-y_2)/g)**2)", False),
    (theorem_6.FINITE, "d*t/(Q/w**2)", True),
    (theorem_6.FINITE, "d*w**2*Abs(t)**2/Q", False),
    (theorem_1_any_data.THEOREM_1_ANY_DATA, "(a*(y_4-y_3)-b*(y_3-y_2))**2/(2*(b**2+(a+b)**2+a**2))", True),
]


@pytest.mark.parametrize(
    ("claim", "formula", "right"), CONJECTURES, ids=[f"{c.id} {f}"[:80] for c, f, _ in CONJECTURES]
)
def test_equivalent_formulas_are_accepted_and_near_ones_rejected(claim, formula, right):
    assert outcome(claim, run(claim), formula) is (Outcome.ACCEPTED if right else Outcome.REJECTED)


def test_the_spline_of_three_points_is_accepted_in_another_form():
    claim = natural_spline.ABSTRACT_NATURAL_SPLINE
    bend = "(3*((y_3 - y_2)/k - (y_2 - y_1)/h)/(h + k))"
    right = f"y_2*(1 - x/k) + y_3*x/k - {bend}*k**2/6*(x/k)*(1 - x/k)*(2 - x/k)"
    left = f"y_2*(1 + x/h) - y_1*x/h + {bend}*h**2/6*(x/h)*(1 + x/h)*(2 + x/h)"
    side = "(1 + sign(x))/2"
    formula = f"{side}*({right}) + (1 - {side})*({left})"
    assert outcome(claim, run(claim), formula) is Outcome.ACCEPTED


def test_rates_of_constructed_distances_accept_only_their_own_exponent():
    rng = np.random.default_rng(4)
    claim = theorem_1_rate.THEOREM_1_RATE
    grid = wide_networks.grid().tolist()

    def outputs(exponent):
        return tuple(
            {
                "law": law,
                "n": n,
                "distances": (n**exponent * np.exp(rng.normal(0, 0.35, 80))).tolist(),
                "loss": 1e-28,
                "network": grid,
                "spline": grid,
            }
            for law in wide_networks.LAWS
            for n in (256, 512, 1024, 2048, 4096, 8192)
        )

    for exponent, accepted in ((-0.5, True), (-0.64, False), (-0.35, False)):
        found = theorem_1_rate.rate.observe(Context(seed=1, outputs=outputs(exponent)))
        assert (outcome(claim, found, claim.formula) is Outcome.ACCEPTED) is accepted


def test_a_floor_shows_as_curvature_of_the_rate():
    rng = np.random.default_rng(5)
    grid = wide_networks.grid().tolist()
    outputs = tuple(
        {
            "law": "uniform",
            "n": n,
            "distances": (np.hypot(n**-0.5, 0.02) * np.exp(rng.normal(0, 0.35, 700))).tolist(),
            "loss": 1e-28,
            "network": grid,
            "spline": grid,
        }
        for n in (256, 512, 1024, 2048, 4096, 8192)
    )
    found = theorem_1_rate.rate.observe(Context(seed=1, outputs=outputs))
    claim = theorem_1_rate.THEOREM_1_RATE
    straight = next(p for p in found.premises if "curvature" in p.name)
    assert outcome(claim, found, claim.formula) is Outcome.REJECTED or not straight.holds


def test_heavy_tails_have_no_scatter_constant():
    job = {"law": "pareto 3", "n": 64, "count": 5, "seed": 1}
    assert scatter_job(job, "cpu")["fourth"] is None
