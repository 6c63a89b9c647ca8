"""Beside Assumption 2.2: the most intervals of a teacher, the longest shortest one, the least bound on a density."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Derivation, Observation, certificate, claim, proof, seen

from ..observed.margin.sign_changes import PLACES

BOUND = Fraction(2)


@certificate("intervals counted")
def segments(context: Context) -> Observation:
    """Exact signs of explicit teachers; the most changes over all units on three grids. Constant intervals inside [-R,
    R] of explicit teachers, and the most over three grids of kinks.
    """
    from implicitbias.functions.network import Network

    from ..observed.data.targets import constant_intervals, network_for
    from ..observed.margin.sign_changes import alternating, search

    for places in PLACES:
        for r in (1, 2, 3, 4, 5):
            most = search(r, places[:5], strict=False).most
            yield seen(most + 1, f"kinks among {places[:5]}", r=r)
    for r in (4, 6, 9):
        f = alternating(r).to_piecewise_linear()
        count = len(constant_intervals(f, Fraction(3 * r)))
        yield seen(count, "an explicit teacher", relation="<=", r=r)
    for r in (1, 2, 3, 7):
        f = network_for([Fraction(j, r + 1) for j in range(r)], -1).to_piecewise_linear()
        yield seen(len(constant_intervals(f, BOUND)), "a triangular wave", relation="<=", r=r)
    touching = Network([1, -1], [0, 0], [1, 1]).to_piecewise_linear()
    yield seen(len(constant_intervals(touching, BOUND)), "|x|", r=2)


SEGMENTS = claim(
    "safran2022.assumption_2_2_intervals",
    "beside Assumption 2.2 and Theorem 3.1",
    "The most constant intervals of a teacher",
    """The labels of a teacher of width r have at most r + 1 maximal constant intervals in [-R, R] for r <= 3 and r + 2
    for r >= 4, and these numbers occur: one more than the sign changes. Arguments by a union over the intervals have to
    count so many.""",
    latex=r"\#\text{intervals}\le r+1+\mathbf 1[r\ge 4]",
    hypotheses=("an isolated zero from above is an interval {x} of its own, of length 0",),
    formula="r + 1 + Min(1, Max(0, r - 3))",
    symbols={"r": "width of the teacher"},
    controls={
        "r + 1": "at most r sign changes",
        "r + 2": "a change a piece for every width",
        "r": "every unit begins an interval",
    },
    checks=(segments,),
    rests_on=("safran2022.introduction_sign_changes",),
    own=True,
    part_of="safran2022.theorem_2_3",
)


@proof("mass of a bounded density")
def derive_density(d: Derivation) -> None:
    """The integral of the bound."""
    import sympy

    from implicitbias.exact.symbolic import from_sympy

    x, bound, level = d.symbols("x", R="positive", c="positive")
    mass = sympy.integrate(level, (x, -bound, bound))
    d.identity("a density of at most c has mass at most", mass, 2 * bound * level, "1 = ∫μ <= 2R·c")
    (least,) = sympy.solve(sympy.Eq(mass, 1), level)
    d.step("so sup μ >= the level of the uniform density, which attains it")
    d.concludes(from_sympy(least), "all R", over={"R": "positive"}, R="R")


@certificate("random densities")
def observe_density(context: Context) -> Observation:
    """Suprema of densities of mass 1, exactly. Suprema of random densities that are constant on pieces of [-R, R], and
    of the uniform one.
    """
    draw = context.random()
    for bound in (Fraction(1), Fraction(2), Fraction(7, 2), Fraction(10)):
        for pieces in (1, 2, 3, 7, 20):
            heights = [Fraction(draw.randint(0 if pieces > 1 else 1, 9)) for _ in range(pieces)]
            heights[0] += sum(heights) == 0
            mass = sum(heights) * 2 * bound / pieces
            yield seen(
                max(heights) / mass, f"{pieces} pieces", relation="=" if len(set(heights)) == 1 else ">=", R=bound
            )


@certificate("evenly spaced and random switches")
def rho_bound(context: Context) -> Observation:
    """Shortest intervals of explicit teachers, exactly."""
    from ..observed.data.targets import constant_intervals, network_for

    draw = context.random()
    for c in (0, 1, 2, 3, 5, 8):
        even = [-BOUND + 2 * BOUND * Fraction(j, c + 1) for j in range(1, c + 1)]
        uneven = sorted(Fraction(p, 100) for p in draw.sample(range(-199, 200), c))
        for switches, label in ((even, "even"), (uneven, "random")):
            f = network_for(switches, draw.choice((1, -1))).to_piecewise_linear()
            shortest = min(high - low for low, high in constant_intervals(f, BOUND))
            yield seen(shortest, f"{label} switches", relation="=" if switches == even else "<=", R=BOUND, s=c)
    for bound, c in ((Fraction(1, 2), 1), (Fraction(5), 3)):
        f = network_for([-bound + 2 * bound * Fraction(j, c + 1) for j in range(1, c + 1)], 1).to_piecewise_linear()
        shortest = min(high - low for low, high in constant_intervals(f, bound))
        yield seen(shortest, "even switches", R=bound, s=c)


RHO_BOUND = claim(
    "safran2022.assumption_2_2_rho_bound",
    "beside Assumption 2.2",
    "The largest shortest interval",
    """With s label switches in [-R, R] the shortest interval has length ρ <= 2R/(s + 1), attained where the switches
    are evenly spaced: the s + 1 intervals fill [-R, R]. (s is the number of switches, not the width of the
    teacher.)""",
    latex=r"\rho\le\frac{2R}{s+1}",
    formula="2*R/(s + 1)",
    symbols={"R": "the data lie in [-R, R]", "s": "number of label switches in [-R, R]"},
    controls={
        "2*R/Max(1, s)": "as many intervals as switches",
        "2*R/(s + 2)": "an interval too many",
        "R/(s + 1)": "[0, R] in the place of [-R, R]",
    },
    checks=(rho_bound,),
    own=True,
    part_of="safran2022.theorem_2_3",
)


DENSITY = claim(
    "safran2022.assumption_2_2_density",
    "beside Assumption 2.2",
    "The least bound on the density",
    "A density on [-R, R] has a supremum of at least 1/(2R), attained by the uniform one: C >= 1/(2R) always.",
    latex=r"C\ge\sup\mu\ge\frac1{2R}",
    formula="1/(2*R)",
    symbols={"R": "the data lie in [-R, R]"},
    controls={
        "1/R": "[0, R] in the place of [-R, R]",
        "1/(4*R)": "a bound with room to spare",
        "1/2": "the least bound for R = 1",
    },
    checks=(derive_density, observe_density),
    own=True,
    part_of="safran2022.theorem_2_3",
)
