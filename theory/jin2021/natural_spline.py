"""Abstract and Section 3: uniform initialisation ends at the natural cubic spline, exactly so at infinite width.

Coq: NaturalSpline.v, natural_spline, natural_spline_least (docs/formal.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

from implicitbias.claims import Context, Observation, certificate, claim, seen

from ..observed.data.draws import (
    FOUR,
    TRIPLE_SYMBOLS,
    UNEVEN,
    ZIGZAG,
    Data,
    data,
    fraction,
    random_data,
    triples,
)
from ..observed.data.three_points import CHORDS, JUMP, NATURAL, PARABOLA
from ..observed.wide.exact_laws import rectangle_kernel, uniform
from ..observed.wide.interpolants import adjusted, trained, trained_with_free_line
from ..observed.wide.weighted_spline import Spline, constant, weighted_spline

TEN = data(
    "ten points",
    [str(Fraction(a) * Fraction(5, 7) - Fraction(4, 7)) for a in
     ("-2", "-3/2", "-1/2", "0", "3/10", "13/10", "9/5", "23/10", "33/10", "18/5")],
    [3, "1.2", "2.2", 1, "1.3", "3.1", "1.3", "2.5", "1.1", "0.3"],
)  # fmt: skip
"""x = (X + 2)·4/5.6 - 2: ten points scaled to [-2, 2]."""


SIMPLE = tuple(map(Fraction, ("0", "1", "-1", "1/2", "-1/2", "2", "-3", "1/100", "30")))


@certificate("exact infinite width")
def three_points(context: Context) -> Observation:
    """K(·, X) K⁻¹ (y - ux - v) + ux + v at one place, for three points, K integrated over the rectangle of (W, B), in
    fractions."""
    draw = context.random()
    for t in triples(draw, context.choose(24, 100), only_uniform=True):
        u, v = (lambda f: (f.u, f.v))(trained_with_free_line(t.kernel, t.x, t.y))
        ends = trained(t.kernel, t.x, adjusted(t.x, t.y, u, v))
        for share in (draw.choice([Fraction(0), Fraction(1, 3), Fraction(1)]), fraction(draw, 0, 1, 64)):
            z = -t.h + (t.h + t.k) * share
            yield seen(ends(z) + u * z + v, t.label, **t.symbols, x=z)


@certificate("exact infinite width")
def many_points(context: Context) -> Observation:
    """The same for four to ten points, those of Figure 1 among them, along with the values of other splines through
    them. The data are moved up or down, so that each spline in turn has a simple value while the others differ."""
    from scipy.interpolate import CubicSpline

    draw = context.random()
    kernel = cache(rectangle_kernel(uniform(1, 2)))
    for i, points in enumerate((ZIGZAG, FOUR, UNEVEN, TEN, *(random_data(draw, 4 + (i % 8 == 0)) for i in range(160)))):
        points = Data(points.label, points.x, tuple(b * (1, 32, 1024)[i % 3] for b in points.y))
        natural = weighted_spline(points.x, points.y, constant(1))
        x, y = [float(a) for a in points.x], [float(b) for b in points.y]
        others = {"Q": CubicSpline(x, y, bc_type="not-a-knot"), "C": CubicSpline(x, y, bc_type="clamped")}
        for k in range(context.choose(1, 4)):
            found = [_values(natural, others, points, fraction(draw, 0, 1, 64)) for _ in range(12)]
            # below or above all others, where such a place is found: mostly it lies between them
            z, splines = next((f for f in found if (i + k) % 2 and _is_extreme(f[1])), found[0])
            for value in splines.values():
                level = draw.choice(SIMPLE) - value
                moved = [b + level for b in points.y]
                f = trained_with_free_line(kernel, points.x, moved)
                ends = trained(kernel, points.x, adjusted(points.x, moved, f.u, f.v))
                yield seen(
                    ends(z) + f.u * z + f.v,
                    points.label,
                    **{name: value + level for name, value in splines.items()},
                    x=z,
                )


def _values(
    natural: Spline, others: Mapping[str, Callable[..., Any]], points: Data, share: Fraction
) -> tuple[Fraction, dict[str, Fraction]]:
    """A place and the values there: natural, by chords, and the others."""
    z = points.x[0] + (points.x[-1] - points.x[0]) * share
    j = max(i for i, a in enumerate(points.x[:-1]) if a <= z)
    t = (z - points.x[j]) / (points.x[j + 1] - points.x[j])
    chord = (1 - t) * points.y[j] + t * points.y[j + 1]
    return z, {"N": natural(z), "L": chord, **{n: Fraction(float(f(float(z)))) for n, f in others.items()}}


def _is_extreme(splines: Mapping[str, Fraction]) -> bool:
    ordered = sorted(splines, key=splines.__getitem__)
    return "N" in (ordered[0], ordered[-1])


WHERE = ("W uniform on ±a_w, B on ±a_b, all |x_j| <= a_b/a_w", "f(·, θ₀) ≡ 0", "adjusted data", "width ∞")

ABSTRACT_NATURAL_SPLINE = claim(
    "jin2021.abstract_natural_spline",
    "Abstract; Section 3, Interpretation",
    "Uniform initialisation: the natural cubic spline of three points",
    """With W and B uniform on symmetric intervals ζ is constant between the points, and the infinitely wide network
    trained on adjusted data ends, after the line is added back, exactly at the natural cubic spline, written out here
    for points at -h, 0, k.""",
    latex=r"f_\infty(x)+ux+v=\text{natural cubic spline}(x)",
    hypotheses=WHERE,
    formula=NATURAL,
    symbols={**TRIPLE_SYMBOLS, "x": "a place between the outer points"},
    controls={
        PARABOLA: "not-a-knot ends: the parabola through three points",
        CHORDS: "the linear spline, as for the 1-norm of f''",
        f"{NATURAL} + {JUMP}/100": "off by a hundredth of the kink",
        NATURAL.replace("(3*", "(6*"): "twice the curvature",
    },
    checks=(three_points,),
    see_also=("savarese2019.theorem_3_3",),
)


ABSTRACT_NATURAL_SPLINE_MANY_POINTS = claim(
    "jin2021.abstract_natural_spline_many_points",
    "Abstract; Section 3, Interpretation",
    "Uniform initialisation: the natural cubic spline of the data",
    """For any number of points in [-a_b/a_w, a_b/a_w] the infinitely wide network ends, after the line is added back,
    at the natural cubic spline and at no other interpolant.""",
    latex=r"f_\infty(x)+ux+v=N(x)",
    hypotheses=WHERE,
    formula="N",
    symbols={
        "N": "natural cubic spline at x",
        "Q": "not-a-knot cubic spline at x",
        "C": "clamped cubic spline (flat ends) at x",
        "L": "linear spline at x",
    },
    controls={
        "Q": "not-a-knot ends",
        "C": "clamped ends",
        "L": "no curvature between the points",
        "(N + L)/2": "half the curvature",
    },
    checks=(many_points,),
    part_of="jin2021.abstract_natural_spline",
    rests_on=("jin2021.abstract_natural_spline",),
)
