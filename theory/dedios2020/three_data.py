"""Problem (20) on three data in a row: the least total variation as a function of the middle label."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from implicitbias.claims import Attached, Context, Interval, Observation, Premise, Step, certificate, claim, seen
from implicitbias.exact.vectors import dot

from ..observed.data.draws import evenly
from ..observed.measures.exact_cases import case
from ..observed.measures.minimisers import cost_on_contacts

INNER = "Max(0, Min(1, s))"
TURN = f"Min({INNER}, 2*(h**2 - 1)/(3*h**2 - 1))"
OUTER = "(1 + 2/h)*(Max(0, -s) + Max(0, s - 1))"
VALUE = f"sqrt((2 - {TURN})**2/h**2 + {TURN}**2) + ({INNER} - {TURN})*(1 - 4/(1 + h**2)) + {OUTER}"


@certificate("values between bounds")
def values(context: Context) -> Observation:
    """Least total variations between exact bounds, on all pieces of the formula and where they meet."""
    from implicitbias.convex.variation.least import tv_interpolant
    from implicitbias.convex.weighted.least import weighted_interpolant

    draw = context.random()
    cases = [(Fraction(2), Fraction(s, 4)) for s in (-2, 0, 1, 2, 3, 4, 5)]
    cases += [(Fraction(1), Fraction(1, 2)), (Fraction(4), Fraction(3, 4)), (Fraction(2), Fraction(6, 11))]
    corners = product(("1", "9/8", "7/5", "2", "15/2", "8"), ("-3", "-9/10", "1/8", "3/8", "4"))
    cases += [(Fraction(h), Fraction(s)) for h, s in corners]
    # turns at 2(h²-1)/(3h²-1), which vanishes as h does to 1
    cases += [(Fraction(33 + k, 32), Fraction(k % 4 * 13, 15)) for k in range(context.choose(6, 20))]
    cases += [(Fraction(k), Fraction(0)) for k in (1, 5, 8)]
    count = context.choose(16, 40)
    for low, high in ((-3, 0), (0, 1), (1, 4)):
        labels = [low + Fraction((high - low) * (2 * k + 1), 2 * count) for k in range(count)]
        cases += [(1 + t, s) for t, s in zip(draw.sample(evenly(-4, 3, count), count), labels, strict=True) if t <= 7]
    narrow = Fraction(0)
    for k, (h, s) in enumerate(cases):
        points, y = [(-h,), (Fraction(0),), (h,)], [Fraction(1), s, Fraction(1)]
        found = weighted_interpolant(points, y)
        narrow = max(narrow, found.gap)
        yield seen(Interval(found.lower, found.upper), h=h, s=s)
        if k < 4:
            yield Attached(tv_interpolant(points, y).certificate())
    proved = True
    for h in (1 + t for t in evenly(-5, 3, context.choose(40, 90)) if t <= 7):
        # bends at the data alone, priced at 1, and the constant at 1 the other way
        outer = case("hinges at 0", [(-h,), (0,), (h,)], [1 / h, -1 - 2 / h, 1 / h])
        for part in (-1, -8, -10, 1, 9):
            u = part * Fraction(draw.randint(1, 30), 100)
            s = u if u < 0 else 1 + u
            cost = cost_on_contacts(outer, [Fraction(1), s, Fraction(1)])
            proved = proved and cost == abs(dot(outer.p, (1, s, 1)))
            yield seen(cost, "masses at contacts", h=h, s=s)
    yield Premise("p or -p proves that nothing costs less than masses at its contacts", proved)
    yield Premise("bounds closer than 1e-20", narrow < Fraction(1, 10**20), f"{float(narrow):.0e}")
    yield Step("duals p = (q, r, q), by symmetry; V = max 2q + rs")
    yield Step(
        "0 ≤ s small: two neurons inside cells, |(qh, q + r)| = 1", "V = √((2-s)²/h² + s²) for s ≤ 2(h²-1)/(3h²-1)"
    )
    yield Step("then the constant as well, 2q + r = 1: q = 2/(1+h²)", "V = s + 4(1-s)/(1+h²)")
    yield Step("s < 0 or s > 1: neurons with their hinge at 0, and the constant", "slope ±(1 + 2/h)")


THREE = claim(
    "dedios2020.equation_20_three_data",
    "next to problem (20)",
    "Least total variation through three data",
    """Through (-h, 1), (0, s), (h, 1) with h ≥ 1 the least total variation is, for 0 ≤ s ≤ s* = 2(h²-1)/(3h²-1),
    √((2-s)²/h² + s²), by two neurons inside cells; from s* to 1 it continues along the tangent to V(1) = 1, with a
    constant neuron; beyond 0 and 1 it rises with slopes 1 + 2/h, by neurons with the hinge at 0. For h = 2, s = ½ it is
    √13/4.""",
    latex=r"V=\sqrt{\tfrac{(2-m)^2}{h^2}+m^2}+(u-m)\Big(1-\tfrac4{1+h^2}\Big)+\Big(1+\tfrac2h\Big)\big((-s)_++(s-1)_+\big),"
    r"\ u=\min(1,s_+),\ m=\min(u,s^*)",
    hypotheses=("h ≥ 1",),
    domain=("h >= 1",),
    formula=VALUE,
    symbols={"h": "distance of the outer data from 0", "s": "label at 0, those at ±h being 1"},
    controls={
        "sqrt((2 - s)**2/h**2 + s**2)": "two neurons whatever s",
        "Abs(s) + 2*Abs(1 - s)/h": "hinges at the datum, and a constant",
        f"{INNER} + 4*(1 - {INNER})/(1 + h**2) + {OUTER}": "the constant is used from the start",
        f"Max({INNER} + 4*(1 - {INNER})/(1 + h**2), 2/h) + {OUTER}": "two linear pieces",
        "Max(2/h*Abs(1 - s), 1)": "the bias free except in the constant",
    },
    checks=(values,),
    part_of="dedios2020.corollary_4_6",
    rests_on=("dedios2020.corollary_4_6",),
    own=True,
)
