"""Section 2, equations (8) and (9): the closure, infinitely wide networks as measures over units."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from implicitbias.claims import (
    Context,
    Derivation,
    Observation,
    Premise,
    certificate,
    claim,
    proof,
    seen,
    shows,
    theorem,
)

from ..observed.cheapest.cost_programme import Number
from ..observed.cheapest.least_mass import REGIMES, programme_20


@certificate("programme over all measures")
def spread_measures(context: Context) -> Observation:
    """The least mass of a measure whose function has f's values and end slopes: exact optimum.

    f is represented by the measure of density p on forward and q on backward units with kinks in [0, 1]. Its values on
    a grid and its end slopes are conditions on any measure; the prices of the optimum are piecewise linear in the kink
    with corners on the grid, so they bound every measure, and |p|+|q| is the mass of the one that f came from.
    """
    from implicitbias.convex.programmes.linear_programme import optimum

    draw = context.random()
    cases: list[tuple[Number, Number]] = [
        (0, 0),
        (1, 0),
        (0, 1),
        (1, 1),
        (1, -1),
        (-2, 1),
        (-3, -2),
        (0, -4),
        (Fraction(1, 3), 5),
    ]
    cases += [(draw.randint(-9, 9), Fraction(draw.randint(-9, 9), draw.randint(1, 4))) for _ in range(7)]
    grid = [Fraction(n, 4) for n in range(-2, 7)]
    atoms = [(w, b) for b in grid for w in (1, -1)]
    met = True
    for density_p, density_q in cases:
        p, q = Fraction(density_p), Fraction(density_q)

        def f(x: Fraction, p: Fraction = p, q: Fraction = q) -> Fraction:
            inside = min(max(x, Fraction(0)), Fraction(1))
            forward = inside**2 / 2 + max(x - 1, Fraction(0))
            backward = (1 - inside) ** 2 / 2 + max(-x, Fraction(0))
            return p * forward + q * backward

        rows: list[list[Fraction | int]] = []
        for x in grid:
            features = [max(w * (x - b), Fraction(0)) for w, b in atoms]
            rows.append([*features, *(-z for z in features), 1])
        for orientation in (1, -1):
            ends = [w if w == orientation else 0 for w, _ in atoms]
            rows.append([*ends, *(-e for e in ends), 0])
        n = len(atoms)
        found = optimum([1] * 2 * n + [0], rows, [*map(f, grid), p, -q], free=[False] * 2 * n + [True])
        met = met and found.value == abs(p) + abs(q)
        yield seen(found.value, f"density {p} forward, {q} backward on [0, 1]", p=p, q=q)
    yield Premise("the lower bound meets the mass of the measure that f came from", met)


@theorem("end slopes are masses")
def the_mass() -> Observation:
    """The least mass of a measure with the same function: f″ has the density p + q on [0, 1], so that T = |p + q|, and
    the end slopes add up to s = p - q; every p and q are of one of these kinds.
    """
    for regime, (names, assuming) in REGIMES.items():
        for sum_of_both in ("T", "-T"):
            yield shows(
                programme_20(regime),
                f"{regime}, p + q = {sum_of_both}",
                for_all=names,
                assuming=assuming,
                p=f"({sum_of_both} + s)/2",
                q=f"({sum_of_both} - s)/2",
            )


@certificate("largest error on every half cell")
def approximate_by_units(context: Context) -> Observation:
    """sup|f − f_n| exactly: on each half cell f − f_n is m/2 times a square."""
    cost = True
    for m in (1, -1, 0, 4, Fraction(-7, 3), 100):
        for n in (1, 2, 3, 5, 8, 21):
            kinks = [Fraction(2 * i + 1, 2 * n) for i in range(n)]
            weight = Fraction(m) / n
            cost = cost and sum(abs(weight) for _ in kinks) == abs(m)
            corners = [Fraction(j, 2 * n) for j in range(2 * n + 1)]
            gaps = []
            for left, right in pairwise(corners):
                slope = weight * sum(1 for b in kinks if b <= left)
                at_left = weight * sum((max(left - b, Fraction(0)) for b in kinks), Fraction(0))
                turning = min(max(slope / Fraction(m), left), right) if m else left
                for x in (left, turning, right):
                    gaps.append(abs(Fraction(m) * x * x / 2 - at_left - slope * (x - left)))
            yield seen(max(gaps), f"mass {m} on [0, 1], {n} units", m=m, n=n)
    yield Premise("the n units cost |m| in all", cost)


@proof("one cell")
def the_approximation(d: Derivation) -> None:
    """The difference on a cell, zero at both ends."""
    import sympy

    m, u, h, n = d.symbols("m", u="nonnegative", h="positive", n="positive integer")
    d.step(
        "f″ = m on a cell of length h = 1/n; f_n has one unit of weight mh in its middle; u is the distance from its "
        "left end"
    )
    d.identity("after the cell both are the same line", m * h**2 / 2 + m * h * u, m * h * (h + u - h / 2))
    d.step("first half of the cell", "f − f_n = mu²/2, growing in modulus")
    d.identity("second half: by symmetry", m * u**2 / 2 - m * h * (u - h / 2), m * (h - u) ** 2 / 2)
    largest = (m * u**2 / 2).subs(u, h / 2).subs(h, 1 / n)
    d.step("largest in the middle", f"|{largest}|")
    d.concludes(sympy.Abs(largest), "largest difference", over={"m": "real", "n": "positive integer"}, m="m", n="n")


EQUATION_8 = claim(
    "savarese2019.equation_8",
    "Section 2, equations (8) and (9)",
    "The least mass of a measure over units",
    """For the infinitely wide network whose units have the constant densities p (forward) and q (backward) over kinks
    in [0, 1], no measure with the same function has less mass than |p|+|q|: (8) is attained there.""",
    latex=r"\min\{\|\alpha\|_1:\ h_{\alpha,c}=f\}=|p|+|q|",
    hypotheses=("one input",),
    formula="Abs(p) + Abs(q)",
    symbols={
        "p": "density of the units with w = 1 over the kinks in [0, 1]",
        "q": "density of the units with w = −1 over the kinks in [0, 1]",
    },
    controls={
        "Abs(p + q)": "forward and backward units at a kink merge",
        "Max(Abs(p), Abs(q))": "the larger mass decides",
        "p + q": "signed mass",
        "Abs(p - q)": "the sum of the end slopes alone",
    },
    checks=(spread_measures, the_mass),
    rests_on=("savarese2019.equation_7",),
)


SECTION_2_CLOSURE = claim(
    "savarese2019.section_2_closure",
    "Section 2, after (7)",
    "Measures as limits of finite networks",
    """A measure of constant density m over forward units with kinks in [0, 1] is approached by n units of weight m/n
    with kinks in the middle of n cells: at the same cost |m|, uniformly on the whole line, with largest error
    |m|/(8n²).""",
    part_of="savarese2019.equation_8",
    latex=r"\sup_x|f-f_n|=\frac{|m|}{8n^2},\qquad \|\alpha_n\|_1=|m|",
    hypotheses=("one input", "kinks at (2i+1)/(2n), i = 0, …, n−1"),
    formula="Abs(m)/(8*n**2)",
    symbols={"m": "the mass of the measure, constant density on [0, 1]", "n": "the number of units"},
    controls={
        "Abs(m)/(8*n)": "first order only",
        "Abs(m)/(4*n**2)": "twice the error",
        "Abs(m)/(2*n**2)": "kinks at the ends of the cells",
        "m/(8*n**2)": "without the modulus",
    },
    checks=(approximate_by_units, the_approximation),
    rests_on=("savarese2019.equation_8",),
)
