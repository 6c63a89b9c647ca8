"""Figure 1, right: g* for three weights ζ."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from implicitbias.claims import Context, Curve, Interval, Measured, Observation, certificate, claim, seen

from ..observed.training.wide_networks import OTHER_X, OTHER_Y, X, Y, grid
from ..observed.wide.exact_laws import rectangle_kernel, uniform
from ..observed.wide.interpolants import trained_with_free_line

SHOWN = (Fraction(0), Fraction(3, 2), Fraction(-3, 2), Fraction(-1, 2))
PLACES = (*SHOWN, *(Fraction(i, 16) + Fraction(1, 64) for i in (-30, -24, -18, -12, -8, -5, -3, -2, -1, 0, 1, 2, 3, 4)))
PLACES += tuple(Fraction(i, 16) + Fraction(1, 64) for i in (6, 9, 14, 19, 23, 28))
LAWS = {
    "uniform": ("uniform(-1,1)", "uniform(-2,2)"),
    "gauss": ("normal(0,1)", "normal(0,1)"),
    "gauss 0.1": ("normal(0,1)", "normal(0,0.31622776601683794)"),
}
VARIANCES = {"uniform": None, "gauss": "1", "gauss 0.1": "0.1"}
POINTS = {
    "the five points of Figure 1": (X, Y),
    "five other points": (OTHER_X, OTHER_Y),
    "five points less high": (OTHER_X, tuple(y / 32 for y in OTHER_Y)),
    "five low points": (OTHER_X, tuple(y / 90 for y in OTHER_Y)),
    "five flat points": (OTHER_X, tuple(y / 256 for y in OTHER_Y)),
}
DIGITS = 60
DIFFERENCES = 1e-4
"""Second differences with a step of 2⁻²⁰ over a datum, where the third derivative jumps by less than 100; times the
greatest label."""
DOUBLE = 1e-8
"""What is computed in doubles, relative."""


def curvatures(
    name: str, xs: Sequence[float], ys: Sequence[float], places: Sequence[Fraction]
) -> tuple[dict[Fraction, float], list[float]]:
    """g'' at the places and g on a grid: the infinitely wide network trained on adjusted data, from E[φφ'] alone.

    For Gaussian laws E[φφ'] = |p||q|(sin a + (π - a)cos a)/(2π) with p = (x, σ_b), q = (x', σ_b), a their angle; for
    the uniform one the exact polygon integral. Second differences in 60 digits.
    """
    import mpmath

    x, y = [Fraction(v) for v in xs], [Fraction(v) for v in ys]
    if VARIANCES[name] is None:
        ends = trained_with_free_line(rectangle_kernel(uniform(1, 2)), x, y)
        step = Fraction(1, 2**20)
        second = {p: float((ends(p + step) - 2 * ends(p) + ends(p - step)) / step**2) for p in places}
        return second, [float(ends(Fraction(float(z)))) for z in grid()]
    with mpmath.workdps(DIGITS):
        variance = mpmath.mpf(VARIANCES[name])

        def kernel(a: Any, b: Any) -> Any:
            p, q = mpmath.sqrt(a * a + variance), mpmath.sqrt(b * b + variance)
            cosine = min((a * b + variance) / (p * q), mpmath.mpf(1))
            angle = mpmath.acos(cosine)
            return p * q * (mpmath.sin(angle) + (mpmath.pi - angle) * cosine) / (2 * mpmath.pi)

        points = [mpmath.mpf(a.numerator) / a.denominator for a in x]
        m = len(points)
        rows = [[*(kernel(a, b) for b in points), a, 1] for a in points]
        rows += [[*points, 0, 0], [*[1] * m, 0, 0]]
        right = [mpmath.mpf(b.numerator) / b.denominator for b in y] + [0, 0]
        solved = mpmath.lu_solve(mpmath.matrix(rows), mpmath.matrix(right))

        def ends_at(z: Any) -> Any:
            return sum(solved[j] * kernel(z, points[j]) for j in range(m)) + solved[m] * z + solved[m + 1]

        h = mpmath.mpf(2) ** -40
        found = {}
        for place in places:
            z = mpmath.mpf(place.numerator) / place.denominator + mpmath.mpf(2) ** -60
            found[place] = float((ends_at(z + h) - 2 * ends_at(z) + ends_at(z - h)) / h**2)
        return found, [float(ends_at(mpmath.mpf(float(z)))) for z in grid()]


@certificate("curvature of infinitely wide networks")
def shapes(context: Context) -> Observation:
    """g'' at 24 places for the three initialisations and five data sets: (17) solved with E[φφ'] in fractions or 60
    digits, then second differences. ζ from the law of the kinks, ℓ from the tridiagonal system of the spline."""
    from implicitbias.laws.joint.build import initialisation
    from implicitbias.splines.adaptive import AdaptiveSpline

    for data, (x, y) in POINTS.items():
        for name, law in LAWS.items():
            bends, values = curvatures(name, x, y, PLACES)
            start = initialisation(*law)
            ell = AdaptiveSpline(x, y, start).ell
            yield Curve(f"{name}, {data}", tuple(grid().tolist()), tuple(values))
            for place in PLACES:
                weight = float(start.zeta(float(place)))
                along = _between(x, [float(v) for v in ell], float(place))
                yield seen(
                    Interval.around(bends[place], DIFFERENCES * max(map(abs, y))),
                    f"{name} at x = {place}, {data}",
                    P=Interval.around(weight, DOUBLE * weight),
                    l=Interval.around(along, DOUBLE * (1 + abs(along))),
                    x=place,
                )
            yield Measured(f"g'', {name}, {data}", {str(p): bends[p] for p in SHOWN})


def _between(x: Sequence[float], heights: Sequence[float], place: float) -> float:
    """The piecewise-linear function through the heights."""
    for (a, b), (p, q) in zip(pairwise(x), pairwise(heights), strict=True):
        if a <= place <= b:
            return p + (q - p) * (place - a) / (b - a)
    raise ValueError(f"{place} is outside the data")


RIGHT = claim(
    "jin2021.figure_1_right",
    "Figure 1, right; Section 3",
    "Curvature by place for three initialisations",
    """g'' is ζ times a function ℓ that is piecewise linear between the data, so the initialisation decides where the
    function bends: for the data of Figure 1 g''(0) = -5.14, -9.20, -39.06 and g''(3/2) = 2.14, 0.72, 0.17 for ζ ∝ 1,
    (1+x²)⁻², (0.1+x²)⁻² (measured). Judged at 24 places of [-2, 2], for these data and for five other points with
    labels of four sizes.""",
    latex=r"g''(x)=\zeta(x)\,\ell(x)",
    hypotheses=("the three initialisations of Figure 1", "x between the outer points"),
    formula="P*l",
    symbols={"P": "ζ(x) of the initialisation", "l": "ℓ(x), from the tridiagonal system A ℓ = d of the data and ζ"},
    controls={
        "l/P": "ζ and 1/ζ exchanged",
        "l": "ζ without effect",
        "P*Abs(l)": "functions that only turn up",
        "sqrt(P)*l": "√ζ for ζ",
        "P**2*l": "ζ counted twice",
    },
    checks=(shapes,),
    rests_on=("jin2021.theorem_6",),
)
