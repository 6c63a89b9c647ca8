"""Section 3, Interpretation: training on data adjusted by linear regression, and on raw data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from implicitbias.claims import (
    Check,
    Context,
    Flaw,
    Interval,
    JobOutput,
    Measured,
    Observation,
    Point,
    Premise,
    certificate,
    claim,
    experiment,
    seen,
)
from implicitbias.exact.sampling import mean_interval

from ..observed.data.draws import FOUR, ZIGZAG, values
from ..observed.training.rates import LEVEL, seeds
from ..observed.training.wide_networks import draw, flow, grid
from ..observed.wide.exact_laws import Kernel, rectangle_kernel, uniform
from ..observed.wide.interpolants import adjusted, regression_line, trained
from ..observed.wide.weighted_spline import constant, weighted_spline
from . import errata


def shares(context: Context, count: int) -> list[tuple[Fraction, Fraction, Fraction, Fraction]]:
    """(r, h, a_w, a_b) with r = a_w h/a_b <= 1: simple ones first, kinks that end at the outer points among them."""
    draw = context.random()
    found = [
        (Fraction(1), Fraction(1), Fraction(1), Fraction(1)),
        (Fraction(1, 2), Fraction(1), Fraction(1), Fraction(2)),
    ]
    for _ in range(count):
        h, a_w = (Fraction(draw.randint(1, 12), draw.randint(1, 6)) for _ in range(2))
        r = Fraction(draw.randint(1, 24), 24)
        found.append((r, h, a_w, a_w * h / r))
    return found


@certificate("exact error at infinite width")
def regression(context: Context) -> Observation:
    """The error at h/2 against the natural spline after training on least-squares residuals at -h, 0, h, K(·, X) K⁻¹ r
    in fractions."""
    draw = context.random()
    for i, (r, h, a_w, a_b) in enumerate(shares(context, context.choose(60, 120))):
        x = (-h, Fraction(0), h)
        y = (Fraction(0), Fraction(1), Fraction(0)) if i < 2 else values(draw, 3)
        slope, intercept = regression_line(x, y)
        residuals = adjusted(x, y, slope, intercept)
        ends = trained(cache(rectangle_kernel(uniform(a_w, a_b))), x, residuals)
        error = ends(h / 2) - weighted_spline(x, residuals, constant(1))(h / 2)
        yield seen(
            error, f"x = -{h}, 0, {h}", r=r, **{f"y_{j + 1}": value for j, value in enumerate(y)}, a_w=a_w, a_b=a_b
        )
    kernel = rectangle_kernel(uniform(1, 2))
    for points in (ZIGZAG, FOUR):
        line = regression_line(points.x, points.y)
        for name, (u, v) in {"linear regression": line, "raw": (Fraction(0), Fraction(0))}.items():
            yield Measured(f"{points.label}, {name}: greatest error", float(floor(kernel, points.x, points.y, u, v)))


def floor(kernel: Kernel, x: tuple[Fraction, ...], y: tuple[Fraction, ...], u: Fraction, v: Fraction) -> Fraction:
    """The greatest error on a grid of [x_1, x_M] against the natural spline, at infinite width."""
    data = adjusted(x, y, u, v)
    ends, spline = trained(kernel, x, data), weighted_spline(x, data, constant(1))
    grid = [x[0] + (x[-1] - x[0]) * Fraction(i, 40) for i in range(41)]
    return max(abs(ends(z) - spline(z)) for z in grid)


@certificate("exact error at infinite width")
def raw(context: Context) -> Observation:
    """The error at 0 against the line through (-h, y_1), (h, y_2) after training on them as they are, K(·, X) K⁻¹ y in
    fractions."""
    draw = context.random()
    for i, (r, h, a_w, a_b) in enumerate(shares(context, context.choose(80, 160))):
        y = (Fraction(1), Fraction(1)) if i < 2 else values(draw, 2)
        ends = trained(rectangle_kernel(uniform(a_w, a_b)), (-h, h), y)
        yield seen(ends(0) - (y[0] + y[1]) / 2, f"x = -{h}, {h}", r=r, y_1=y[0], y_2=y[1], a_w=a_w, a_b=a_b)


TRAINED = {"raw": (1.0, 0.5), "regression": (0.0, 3.0, -1.0)}
"""Values at -2, 2 and at -2, 0, 2: W uniform on ±1, B on ±2, so r = 1, where the errors are greatest."""


def trained_runs(what: str) -> Callable[[Context], Sequence[Mapping[str, Any]]]:
    def runs(context: Context) -> Sequence[Point]:
        widths = context.choose((2048, 4096), (2048, 4096, 8192))
        count = context.choose(80, 800)
        return [{"what": what, "n": n, "count": count, "seed": seeds(context.seed, 31, n, count=1)[0]} for n in widths]

    return runs


def trained_job(parameters: Point, device: str) -> JobOutput:
    """Networks trained in all parameters; their error at one place against the natural spline of what they learnt."""
    import numpy as np

    y = np.array(TRAINED[parameters["what"]])
    x = np.linspace(-2, 2, len(y))
    if len(y) == 3:
        y = y - np.polynomial.Polynomial.fit(x, y, 1)(x)
    place, spline = (0.0, y.mean()) if len(y) == 2 else (1.0, (22 * y[1] + 13 * y[2] - 3 * y[0]) / 32)
    at = int(np.argmin(abs(grid() - place)))
    rng = np.random.default_rng(parameters["seed"])
    n, left, errors, losses = parameters["n"], parameters["count"], [], []
    while left > 0:
        size = min(left, max(1, 2**15 // n))
        values, loss = flow(*draw("uniform", (size, n), rng), x, y)
        errors += (values[:, at] - spline).tolist()
        losses.append(loss)
        left -= size
    return {**parameters, "errors": errors, "loss": max(losses)}


BIAS = 4
"""The mean error is off its limit by O(1/n): allowed for by 4/n (0.001 at n = 4096)."""


def mean_errors(context: Context) -> Observation:
    """The mean error of trained networks, with Student's interval."""
    for o in context.outputs:
        found = mean_interval(o["errors"], LEVEL, len(context.outputs))
        slack = Fraction(BIAS, o["n"])
        values = {f"y_{j + 1}": Fraction(v) for j, v in enumerate(TRAINED[o["what"]])}
        observed = Interval(found.lower - slack, found.upper + slack)
        yield seen(observed, f"{o['count']} networks, n = {o['n']}", by_run=o["errors"], r=1, **values, n=o["n"])
    loss = max(o["loss"] for o in context.outputs)
    yield Premise("every loss has reached 0 (below 1e-20)", loss < 1e-20, f"{loss:.1e}")


RATIO = {"r": "a_w h/a_b, the share of the kinks' range that the points span; 0 < r <= 1"}


TWO_POINTS = "-3*r**3*(y_1 + y_2)/(8*(4 + r**3))"


THREE_POINTS = "7*(y_1 - 2*y_2 + y_3)*r**3/(32*(32 - r**3))"


def check_on_networks(what: str) -> Check:
    """The experiment on networks, for either data set."""
    return experiment(
        "networks trained in all parameters",
        trained_runs(what),
        trained_job,
        acceptance="""Fixed after pilot runs: the formula must lie in Student's interval of the mean error at every
        width, joint level 0.001, widened by 4/n. UNDECIDED unless every loss is below 1e-20. 80 networks per width
        2048, 4096 at the quick budget (power: an error of 0 is excluded), 800 up to 8192 at full.""",
        about="the mean error of wide networks at the same place, r = 1",
    )(mean_errors)


REGRESSION_ADJUSTMENT = claim(
    "jin2021.regression_adjustment",
    "Section 3, Interpretation",
    "The error after adjustment by linear regression",
    """For practice the paper suggests training on the residuals of linear regression. The trained function then misses
    the natural spline of the residuals by an amount that no width removes: at infinite width, for points at -h, 0, h
    and uniform W, B, the error midway between the last two is 7 d r³/(32(32 - r³)) with d = y_1 - 2y_2 + y_3. (On the
    five points of Figure 1 the greatest error is 0.0147; raw data leave 0.0094.)""",
    latex=r"f_\infty(h/2)-s(h/2)=\frac{7\,d\,r^3}{32(32-r^3)}",
    hypotheses=("W uniform on ±a_w, B on ±a_b, a_w h <= a_b", "f(·, θ₀) ≡ 0", "width ∞"),
    formula=THREE_POINTS,
    symbols={**RATIO, "y_1": "value at -h", "y_2": "value at 0", "y_3": "value at h"},
    controls={
        "0": "linear regression as if it were the adjustment of Theorem 1",
        "7*(y_1 - 2*y_2 + y_3)*r**3/(32*(32 + r**3))": "sign in the denominator",
        "-7*(y_1 - 2*y_2 + y_3)*r**3/(32*(32 - r**3))": "the opposite sign",
        "7*(y_1 - 2*y_2 + y_3)*r**2/(32*(32 - r**2))": "r squared",
        "7*(y_1 - 2*y_2 + y_3)/992": "the same for every law (true at r = 1)",
    },
    checks=(regression, check_on_networks("regression")),
    part_of="jin2021.theorem_1_rate",
    rests_on=("jin2021.theorem_1_adjustment",),
)


RAW_DATA = claim(
    "jin2021.raw_data",
    "Abstract; Section 3, Interpretation (Appendix L)",
    "The error after training on raw data",
    """Trained on data that are not adjusted, the network is not within O(n^(-1/2)) of the natural spline: at infinite
    width, for points at -h and h and uniform W, B, it misses the line through them by -3r³(y_1 + y_2)/(8(4 + r³))
    midway. The version of 2023 shows that constant error in its Figure 7; its abstract says the same.""",
    latex=r"f_\infty(0)-\tfrac{y_1+y_2}{2}=-\frac{3r^3(y_1+y_2)}{8(4+r^3)}",
    hypotheses=("W uniform on ±a_w, B on ±a_b, a_w h <= a_b", "f(·, θ₀) ≡ 0", "width ∞"),
    formula=TWO_POINTS,
    symbols={**RATIO, "y_1": "value at -h", "y_2": "value at h"},
    flaw=Flaw(errata.ABSTRACT, "0"),
    controls={
        "3*r**3*(y_1 + y_2)/(8*(4 + r**3))": "the opposite sign",
        "-3*r**3*(y_2 - y_1)/(8*(4 + r**3))": "the slope matters instead of the level",
        "-3*r**2*(y_1 + y_2)/(8*(4 + r**2))": "r squared",
        "-3*r**3*(y_1 + y_2)/32": "first order in r³",
    },
    checks=(raw, check_on_networks("raw")),
    part_of="jin2021.theorem_1_rate",
    rests_on=("jin2021.theorem_1_adjustment",),
)
