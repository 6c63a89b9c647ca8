"""Figure 1, right: g* for three weights ζ."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from implicitbias.claims import Context, Curve, Measured, Observation, certificate, claim, seen

from ..observed.training.wide_networks import X, Y, grid
from ..observed.wide.exact_laws import rectangle_kernel, uniform
from ..observed.wide.interpolants import trained_with_free_line

PLACES = (Fraction(0), Fraction(3, 2), Fraction(-3, 2))
VARIANCES = {"uniform": None, "gauss": "1", "gauss 0.1": "0.1"}
DIGITS = 60


def curvatures(name: str) -> tuple[dict[Fraction, float], list[float]]:
    """g'' at the places and g on a grid: the infinitely wide network trained on adjusted data, from E[φφ'] alone.

    For Gaussian laws E[φφ'] = |p||q|(sin a + (π - a)cos a)/(2π) with p = (x, σ_b), q = (x', σ_b), a their angle; for
    the uniform one the exact polygon integral. Second differences in 60 digits.
    """
    import mpmath

    x, y = [Fraction(v) for v in X], [Fraction(v) for v in Y]
    if VARIANCES[name] is None:
        ends = trained_with_free_line(rectangle_kernel(uniform(1, 2)), x, y)
        step = Fraction(1, 2**20)
        second = {p: float((ends(p + step) - 2 * ends(p) + ends(p - step)) / step**2) for p in PLACES}
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
        for place in PLACES:
            z = mpmath.mpf(place.numerator) / place.denominator + mpmath.mpf(2) ** -60
            found[place] = float((ends_at(z + h) - 2 * ends_at(z) + ends_at(z - h)) / h**2)
        return found, [float(ends_at(mpmath.mpf(float(z)))) for z in grid()]


@certificate("curvature of infinitely wide networks")
def shapes(context: Context) -> Observation:
    """Which of two functions bends more at a place, for each pair of the three initialisations and three places: (17)
    solved with E[φφ'] in fractions or 60 digits, then second differences."""
    share = {}
    for name, text in VARIANCES.items():
        if text is None:
            share[name] = dict.fromkeys(PLACES, 0.25)
            continue
        s = float(text) ** 0.5
        total = 2 / (2 * s * s * (4 + s * s)) * 2 + math.atan(2 / s) / s**3  # ∫ (s² + x²)⁻² dx over [-2, 2]
        share[name] = {p: (s * s + float(p) ** 2) ** -2 / total for p in PLACES}
    bends = {}
    for name in VARIANCES:
        bends[name], values = curvatures(name)
        yield Curve(name, tuple(grid().tolist()), tuple(values))
    names = list(VARIANCES)
    for (a, b), p in product(permutations(names, 2), PLACES):
        more = 1 if abs(bends[a][p]) > abs(bends[b][p]) else -1
        yield seen(more, f"{a} against {b} at x = {p}", P=Fraction(share[a][p]), Q=Fraction(share[b][p]), x=p)
    yield from (Measured(f"g''({p}), {name}", bends[name][p]) for name in names for p in PLACES)


RIGHT = claim(
    "jin2021.figure_1_right",
    "Figure 1, right; Section 3",
    "Curvature by place for three initialisations",
    """Of two initialisations, the one with the larger share of ζ at a place (relative to ∫ζ over the data's range)
    gives the function that bends more there: at the peak x = 0, and at x = ±3/2, where ζ is small. For the data and
    weights of Figure 1: g''(0) = -5.14, -9.20, -39.06 and g''(3/2) = 2.14, 0.72, 0.17 for ζ ∝ 1, (1+x²)⁻², (0.1+x²)⁻².
    (This need not hold at every place.)""",
    latex=r"|g_1''(x)|>|g_2''(x)|\iff\zeta_1(x)/\textstyle\int\zeta_1>\zeta_2(x)/\int\zeta_2",
    hypotheses=("the three initialisations and the five points of Figure 1", "x = 0 or ±3/2"),
    formula="sign(P - Q)",
    symbols={"P": "ζ(x)/∫ζ for the first initialisation", "Q": "the same for the second"},
    controls={"sign(Q - P)": "ζ and 1/ζ exchanged", "1": "always the first", "0": "no effect"},
    checks=(shapes,),
    rests_on=("jin2021.theorem_6",),
)
