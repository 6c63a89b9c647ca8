"""Equation (17): a line without cost, and the distance between the solutions of (16) and (17)."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from implicitbias.claims import Context, Observation, Premise, certificate, claim, seen

from ..observed.data.draws import fraction, random_data, symmetric_law
from ..observed.wide.exact_laws import SYMMETRIC_LAWS, slab_kernel
from ..observed.wide.interpolants import trained, trained_with_free_line
from ..observed.wide.weighted_spline import weight_of, weighted_spline


@certificate("both problems solved exactly")
def closeness(context: Context) -> Observation:
    """The solution of (16) minus that of (17), at a place; (u, v) from the spline's end tangents."""
    draw = context.random()
    linear = True
    for i in range(context.choose(32, 60)):
        points = random_data(draw, 3 + i % 2)
        if i == 0:
            points = type(points)("three points", tuple(map(Fraction, (-1, 0, 1))), tuple(map(Fraction, (0, 1, 0))))
        if i % 3 == 2:
            points = type(points)(f"{points.label}, steep", points.x, tuple(64 * y for y in points.y))
        if i % 3:  # u much larger than v, or v than u, or both of nearly the same size
            far, which = Fraction((-1) ** (i // 8) * draw.randint(40, 400)), i % 4
            added = [far * (x, Fraction(1), x + 1, x - 1)[which] for x in points.x]
            points = type(points)(points.label, points.x, tuple(a + y for a, y in zip(added, points.y, strict=True)))
        for name, law in {**SYMMETRIC_LAWS, "drawn": symmetric_law(draw)}.items():
            kernel = cache(slab_kernel(law))
            s = weighted_spline(points.x, points.y, weight_of(law))
            free, raw = trained_with_free_line(kernel, points.x, points.y), trained(kernel, points.x, points.y)
            line, one = (trained(kernel, points.x, values) for values in (points.x, [1] * len(points.x)))
            z = fraction(draw, -2, 2)
            u = sum(s.end_slopes) / 2
            v = (s.tangent_left(0) + s.tangent_right(0)) / 2
            linear = linear and (u, v) == (free.u, free.v)
            yield seen(raw(z) - free(z), f"{points.label}, {name}", u=u, v=v, e_u=line(z) - z, e_v=one(z) - 1, x=z)
    yield Premise("u and v of (17) are the means of the slopes and intercepts of the end tangents", linear)


CLOSE = claim(
    "jin2021.equation_17_close",
    "Section 5.2, after (17)",
    "Distance between the solutions of (16) and (17)",
    """The solution of (16) differs from that of (17) by u(k_x - x) + v(k_1 - 1), where k_x and k_1 are the functions
    learnt from the data x_j and 1: linear in (u, v), and otherwise independent of the labels.""",
    latex=r"g_{(16)}-g_{(17)}=u\,e_u+v\,e_v",
    hypotheses=("(W, B) and (-W, -B) have the same law", "width ∞"),
    formula="u*e_u + v*e_v",
    symbols={
        "u": "mean of the end slopes of the spline of the data",
        "v": "mean of the intercepts of its end tangents",
        "e_u": "error at x of the network trained on x_j, against x",
        "e_v": "error at x of the network trained on 1, against 1",
    },
    controls={
        "0": "no difference",
        "u*e_v + v*e_u": "the two exchanged",
        "-u*e_u - v*e_v": "the opposite sign",
        "v*e_v": "only the level matters",
    },
    checks=(closeness,),
    part_of="jin2021.theorem_6",
    rests_on=("jin2021.adjustment_symmetric",),
    formerly=("jin2021.equation_17",),
)
