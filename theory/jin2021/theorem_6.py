"""Theorem 6: the implicit bias in function space, where supp ζ has no gap and where it has one, and at finite width."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from implicitbias.claims import (
    Context,
    Flaw,
    Measured,
    Observation,
    Premise,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.formula import Assumption
from implicitbias.theorems.rules.calculus.derivative import Derivative
from implicitbias.theorems.rules.sequences.lists import MeasureIntegral
from implicitbias.theorems.rules.sequences.planned_entry import LawProgramme, PlannedEntry
from implicitbias.theorems.rules.values.composition import Composition

from ..observed.data.draws import fraction, of_any_size, symmetric_law, values
from ..observed.wide.exact_laws import Slab, binary, slab, slab_kernel, symmetrised
from ..observed.wide.finite_width import densities, empirical_kernel, random_units
from ..observed.wide.interpolants import trained_with_free_line
from ..observed.wide.weighted_spline import hat, weight_of, weighted_spline
from . import errata

LAWS = {
    "W = ±1, B uniform on ±2": binary(2),
    "two slopes: ζ has a step at ±1": symmetrised((slab("1/2", 2, -2, 2), slab("1/2", 1, -3, 3))),
    "one-sided parts: r is 1, 1/2, 0": (slab("1/2", 1, -1, 3), slab("1/2", -1, -1, 3)),
    "kinks in [-1, 1] only": binary(1),
    "no kinks from 1/4 to 1": symmetrised((slab("3/4", 1, "-1/4", 2), slab("1/4", 1, -2, -1))),
}
STEP = Fraction(1, 2**20)


PLACES = {"y_1": "-h", "y_2": "0", "y_3": "k"}
TURN = "((y_3 - y_2)/k - (y_2 - y_1)/h)"
"""By how much the chord of the data turns at the middle point."""
UNIT_TURNS = "((unit(1, e, f, k) - unit(1, e, f, 0))/k - (unit(1, e, f, 0) - unit(1, e, f, -h))/h)"
"""By how much that of the unit [eX + f]₊ does."""
HAT = "Max(0, Min(1 + x/h, 1 - x/k))"


def least_squares() -> LawProgramme:
    """(17) for labels y at -h, 0, k: the least ∫α² over the law of (W, B) = (e, f), with any line added; A, K and L
    are the means of the square of what a unit turns, and of its products with the unit at -h and at 0."""
    share = f"{TURN}/A"
    return LawProgramme(
        cost="dot(alpha, alpha)",
        free={"alpha": "real"},
        wanted={y: f"unit(alpha, e, f, {at})" for y, at in PLACES.items()},
        given={"e": "real", "f": "real"},
        known={
            "A": f"{UNIT_TURNS}**2",
            "K": f"{UNIT_TURNS}*unit(1, e, f, -h)",
            "L": f"{UNIT_TURNS}*unit(1, e, f, 0)",
        },
        at_no_cost={"1": dict.fromkeys(PLACES, "1"), "x": PLACES},
        plan={"alpha": f"{share}*{UNIT_TURNS}"},
        by={
            "y_1": {"K": share},
            "y_2": {"L": share},
            "y_3": {"A": f"{share}*k", "L": f"{share}*(1 + k/h)", "K": f"-{share}*k/h"},
        },
        coefficients={"1": f"y_2 - {share}*L", "x": f"(y_2 - y_1 - {share}*(L - K))/h"},
        multipliers={"y_1": f"2*{share}/h", "y_2": f"-2*{share}*(1/h + 1/k)", "y_3": f"2*{share}/k"},
        worth={"A": f"-({share})**2"},
        gap=(f"(alpha - {share}*{UNIT_TURNS})**2",),
    )


@theorem("any law of weight and bias")
def any_law() -> Observation:
    """What the slope turns at x: for every w, the density of kinks there times what a unit (w, -wx) turns in the only
    solution of (17). z is ζ(x) by Proposition 7, A = ∫ζt² the mean of (Wt)² over the kinks."""
    turns = Derivative("unit(1, w, -w*x, r)", "r", "x", side="jump")
    moved = PlannedEntry(of="alpha", programme=least_squares(), at={"e": "w", "f": "-w*x"})
    curvature_at_x = MeasureIntegral(
        term=Composition("ratio_integrand(w, p)*turns*moved", {"turns": turns, "moved": moved}),
        entries={"w": "real", "p": "nonnegative"},
        totals={"z": "zeta_integrand(w, p)"},
        by={"z": f"{TURN}/A*{HAT}"},
        split=("w",),
    )
    variables: dict[str, Assumption] = {
        **dict.fromkeys(("h", "k", "A"), "positive"),
        **dict.fromkeys(("y_1", "y_2", "y_3", "K", "L", "x"), "real"),
        "z": "nonnegative",
    }
    beside = ("x", "k - x", "x + h")  # between two points, at one of them, beyond all
    yield shows(curvature_at_x, for_all=variables, split=beside, z="z", t=HAT, d=TURN, A="A")


@certificate("second differences of the solution")
def curvature(context: Context) -> Observation:
    """g''(x) of (17) for three points, by exact second differences of the kernel solution: five laws and random ones;
    x between the points, outside their hull, outside supp ζ, and where supp ζ has a gap."""
    draw = context.random()
    for i in range(context.choose(16, 40)):
        for name, law in {**LAWS, "drawn": symmetric_law(draw)}.items():
            inner = name.startswith("kinks")
            reach = 1 if inner else 2
            h, k = (reach * fraction(draw, 0, 1, 16) or Fraction(1) for _ in range(2))
            y = (Fraction(0), Fraction(1), Fraction(0)) if i == 0 else values(draw, 3)
            x = (-h, Fraction(0), k)
            weight = weight_of(law)
            s = weighted_spline(x, y, weight)
            f = trained_with_free_line(slab_kernel(law), x, y)
            inside = -h + (h + k) * fraction(draw, 0, 1, 64) + Fraction(1, 2**15)
            z = Fraction(draw.randint(-40, 40), 16) + Fraction(1, 37) if i % 4 == 1 else inside
            if i == 0 and name in LAWS:
                z = (k / 2, -h / 3, k + Fraction(1, 10), Fraction(3, 2), Fraction(1, 3))[list(LAWS).index(name)]
            observed = (f(z + STEP) - 2 * f(z) + f(z - STEP)) / STEP**2
            yield seen(
                observed,
                f"{name}, points at {-h}, 0, {k}",
                z=weight(z),
                t=hat(x, 1, z),
                d=s.jumps[0],
                A=s.gram[0][0],
                x=z,
            )


def gap_law(inner: Fraction, outer: Fraction, w: Fraction) -> tuple[Slab, ...]:
    """W = ±w and kinks uniform on inner <= |c| <= outer: no unit has its kink between -inner and inner."""
    half = Fraction(1, 2)
    return symmetrised((Slab(half, w, w * inner, w * outer), Slab(half, w, -w * outer, -w * inner)))


@certificate("cost of the wide network")
def gap(context: Context) -> Observation:
    """The cost λᵀKλ of (17) for points at ±g and ±(g + 1), for laws without kinks between -g and g, in fractions."""
    draw = context.random()
    for i in range(context.choose(70, 140)):
        g = Fraction(1) if i < 2 else of_any_size(draw, -4, 3)
        y = (0, 1, 0, 1) if i == 0 else values(draw, 4)
        outer = g + 1 + (of_any_size(draw, -3, 3) if i else 0)
        law = gap_law(g, outer, of_any_size(draw, -3, 3) if i else Fraction(1))
        f = trained_with_free_line(slab_kernel(law), (-g - 1, -g, g, g + 1), y)
        yield seen(
            f.cost,
            f"no kinks in (-{g}, {g})",
            y_1=y[0],
            y_2=y[1],
            y_3=y[2],
            y_4=y[3],
            g=g,
            z=weight_of(law)(g + Fraction(1, 2)),
        )
    yield Measured("y = (0, 1, 0, 1), g = 1: value at -3/2", _value_in_example())
    yield Measured("and by (19) as printed", Fraction(1, 2))


def _value_in_example() -> Fraction:
    kernel = slab_kernel(gap_law(Fraction(1), Fraction(2), Fraction(1)))
    return trained_with_free_line(kernel, (-2, -1, 1, 2), (0, 1, 0, 1))(Fraction(-3, 2))


@certificate("slope jumps of trained finite networks")
def jumps(context: Context) -> Observation:
    """The slope jump of each unit of a finite network in the solution of (17) with μ_n: 6 to 14 units, some with kinks
    outside the hull, in fractions."""
    draw = context.random()
    interpolates = True
    for round_ in range(context.choose(15, 40)):
        n = (6, 9, 14)[round_ % 3]
        units = random_units(draw, n)
        units[0] = (Fraction(2), Fraction(1, 2))  # kink at -1/4
        units[1] = (Fraction(-1), Fraction(1, 2))  # kink at 1/2
        units[2] = (Fraction(1), Fraction(1, draw.randint(12, 60)) - 1)  # kinks beside the outer points
        units[3] = (Fraction(-1), Fraction(1, draw.randint(12, 60)) - 1)
        sizes = [of_any_size(draw, -4, 3) for _ in units]
        units = [(size * w, size * b) for size, (w, b) in zip(sizes, units, strict=True)]
        x = (Fraction(-1), Fraction(0), Fraction(1))
        kinks = [-b / w for w, b in units]
        hats = [hat(x, 1, c) for c in kinks]
        totals = {
            name: sum((abs(w) ** power * t * t for (w, _), t in zip(units, hats, strict=True)), Fraction(0))
            for name, power in (("Q", 2), ("P", 1), ("R", 3))
        }
        kernel = cache(empirical_kernel(units))
        for y in ((0, 1, 0), values(draw, 3), values(draw, 3)):
            f = trained_with_free_line(kernel, x, y)
            interpolates = interpolates and all(f(a) == b for a, b in zip(x, y, strict=True))
            d = Fraction(y[2]) - 2 * Fraction(y[1]) + y[0]
            for i, (alpha, (w, _), t) in enumerate(zip(densities(f, units), units, hats, strict=True)):
                yield seen(alpha * abs(w) / n, f"unit {i + 1} of {n}", w=w, t=t, d=d, **totals, c=kinks[i], n=n)
    yield Premise("the network of each case interpolates", interpolates)


LEFT = "((y_3 - y_2)/(2*g) - (y_2 - y_1))"
RIGHT = "((y_4 - y_3) - (y_3 - y_2)/(2*g))"

THEOREM_6 = claim(
    "jin2021.theorem_6",
    "Theorem 6",
    "The implicit bias in function space",
    """For three points, the case of Theorem 6 that is judged here, the solution of (17) has g''(x) = ζ(x) t(x) d/A:
    curvature proportional to ζ and to the hat function t at the middle point, and none beyond the outer points. This
    solves (19) on S, and is 0 outside. (So it is if supp ζ has a gap between them, too.) The version of 2023, Theorem
    13, adds that W has a finite second moment.""",
    latex=r"g''(x)=\zeta(x)\,t(x)\,\frac{d}{\int\zeta t^2}",
    hypotheses=("x_j in supp ζ", "no gap of supp ζ between the points, for (19)", "width ∞"),
    formula="z*t*d/A",
    symbols={
        "z": "ζ(x)",
        "t": "the hat function of the middle point at x: 0 beyond the outer points",
        "d": "jump of the chords' slopes at the middle point",
        "A": "∫ζ t², the mean of (Wt)² over the kinks",
    },
    controls={
        "t*d/A": "curvature independent of ζ(x)",
        "z*d/A": "constant ratio g''/ζ: no natural ends",
        "z*t*d": "not scaled to interpolate",
        "z**2*t*d/A": "the weight squared",
        "2*z*t*d/A": "twice the curvature",
    },
    checks=(any_law, curvature),
    see_also=("savarese2019.theorem_3_3",),
    rests_on=("jin2021.spline_optimality",),
)


GAP = claim(
    "jin2021.theorem_6_gap",
    "Theorem 6",
    "Points on both sides of a gap in supp ζ",
    """If no unit has its kink between -g and g, the function is affine there, and the parts on both sides are joined
    with its slope. For points at ±g and ±(g + 1) the least ∫g''²/ζ is 3((m - d_1)² + (d_2 - m)²)/ζ_0, with m the slope
    across the gap and d_1, d_2 the slopes of the chords next to it. With y = (0, 1, 0, 1), g = 1, ζ_0 = 1 it is 27/2,
    and g(-3/2) = 25/32. The version of 2023 has the same problem, as its (24).""",
    latex=r"\min\int\frac{g''^2}{\zeta}=\frac{3}{\zeta_0}\big((m-d_1)^2+(d_2-m)^2\big)",
    hypotheses=("ζ = ζ_0 on the data's range outside (-g, g), 0 inside", "width ∞"),
    formula=f"3*({LEFT}**2 + {RIGHT}**2)/z",
    symbols={
        "y_1": "value at -g - 1",
        "y_2": "value at -g",
        "y_3": "value at g",
        "y_4": "value at g + 1",
        "g": "half the width of the gap",
        "z": "ζ_0",
    },
    flaw=Flaw(errata.GAP_IN_THE_SUPPORT, "0"),
    controls={
        f"({LEFT}**2 + {RIGHT}**2)/z": "constant curvature on both sides",
        f"3*({LEFT} + {RIGHT})**2/z": "one piece for both sides",
        f"3*({LEFT}**2 + {RIGHT}**2)*z": "ζ instead of 1/ζ",
        f"3*{LEFT}**2/z": "only the left side bends",
    },
    checks=(gap,),
    part_of="jin2021.theorem_6",
    rests_on=("jin2021.theorem_6",),
)


FINITE = claim(
    "jin2021.theorem_6_finite",
    "next to Theorem 6",
    "Theorem 6 at finite width, exactly",
    """(17) over the empirical measure minimises ΣJ_i²/w_i² over the slope jumps J_i of the units between the outer
    points, with a free line; units with kinks elsewhere do not move. For points at -1, 0, 1: J_i = d w_i² t(c_i)/Q with
    Q = Σw_k² t(c_k)². Proof: α_i = Σλ_jφ_i(x_j) with λ orthogonal to lines gives J_i = α_i|w_i|/n = w_i² L(c_i)/n, L
    the piecewise linear Σλ_j(x_j - c)_+.""",
    latex=r"J_i=d\,w_i^2\,t(c_i)\Big/\sum_kw_k^2t(c_k)^2",
    hypotheses=("K_n bordered by 1 and x regular",),
    formula="d*w**2*t/Q",
    symbols={
        "d": "second difference y_1 - 2y_2 + y_3",
        "w": "the unit's weight",
        "t": "hat function of the middle point at its kink",
        "Q": "Σ w² t² over all units",
        "P": "Σ |w| t²",
        "R": "Σ |w|³ t²",
    },
    controls={
        "d*Abs(w)*t/P": "Σ J²/|w|",
        "d*Abs(w)**3*t/R": "Σ J²/|w|³",
        "d*w**2/Q": "all units move equally, outer ones too",
        "d*w*Abs(w)*t/Q": "the sign of w kept",
    },
    checks=(jumps,),
    part_of="jin2021.theorem_6",
    own=True,
)
