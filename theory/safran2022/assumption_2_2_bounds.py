"""Next to Assumption 2.2: the largest possible ρ, the least bound on the density, the least width of a teacher."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from implicitbias.claims import Context, Derivation, Measured, Observation, certificate, claim, proof, seen

from ..observed.data.targets import agrees, constant_intervals, network_for
from ..observed.margin.prescribed_zeros import changing_at
from ..observed.margin.sign_change_proofs import any_five_places
from ..observed.margin.sign_changes import PLACES, search

BOUND = Fraction(2)


@certificate("evenly spaced and random switches")
def shortest_intervals(context: Context) -> Observation:
    """Shortest intervals of explicit teachers, exactly."""

    def shortest(switches: list[Fraction], first: int, bound: Fraction) -> Fraction:
        f = network_for(switches, first).to_piecewise_linear()
        return min(high - low for low, high in constant_intervals(f, bound))

    def evenly(bound: Fraction, c: int) -> list[Fraction]:
        return [-bound + 2 * bound * Fraction(j, c + 1) for j in range(1, c + 1)]

    draw = context.random()
    for c in (0, 1, 2, 3, 5, 8):
        even = evenly(BOUND, c)
        uneven = sorted(Fraction(p, 100) for p in draw.sample(range(-199, 200), c))
        for switches, label in ((even, "even"), (uneven, "random")):
            found = shortest(switches, draw.choice((1, -1)), BOUND)
            yield seen(found, f"{label} switches", relation="=" if switches == even else "<=", R=BOUND, s=c)
    for bound, c in ((Fraction(1, 2), 1), (Fraction(5), 3)):
        yield seen(shortest(evenly(bound, c), 1, bound), "even switches", R=bound, s=c)
    for c in (*range(9), 12, 20):
        for bound in (Fraction(draw.randint(1, 40), 40), 1 + Fraction(draw.randint(1, 40), 10)):
            yield seen(shortest(evenly(bound, c), draw.choice((1, -1)), bound), "even switches", R=bound, s=c)


RHO_BOUND = claim(
    "safran2022.assumption_2_2_rho_bound",
    "next to Assumption 2.2 and, after Theorem 3.1, ρ = Ω(1/r)",
    "The largest shortest interval",
    """With s label switches in [-R, R] the shortest interval has length ρ <= 2R/(s + 1), attained where the switches
    are evenly spaced: the s + 1 intervals fill [-R, R]. (s is the number of switches, not the width of the teacher. At
    this ρ the width that (3) asks for is 3072·R³·(s + 1)·log(24r/δ).)""",
    latex=r"\rho\le\frac{2R}{s+1}",
    formula="2*R/(s + 1)",
    symbols={"R": "the data lie in [-R, R]", "s": "number of label switches in [-R, R]"},
    controls={
        "2*R/Max(1, s)": "as many intervals as switches",
        "2*R/(s + 2)": "one interval too many",
        "R/(s + 1)": "[0, R] instead of [-R, R]",
    },
    checks=(shortest_intervals,),
    part_of="safran2022.theorem_2_3",
    formerly=("safran2022.theorem_3_1_width_growth",),
    own=True,
)


@proof("mass of a bounded density")
def least_bound(d: Derivation) -> None:
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
def suprema(context: Context) -> Observation:
    """Suprema of random piecewise constant densities of mass 1 on [-R, R] and of the uniform one, exactly."""
    draw = context.random()
    for bound in (Fraction(1), Fraction(2), Fraction(7, 2), Fraction(10)):
        for pieces in (1, 2, 3, 7, 20):
            heights = [Fraction(draw.randint(0 if pieces > 1 else 1, 9)) for _ in range(pieces)]
            heights[0] += sum(heights) == 0
            mass = sum(heights) * 2 * bound / pieces
            yield seen(
                max(heights) / mass, f"{pieces} pieces", relation="=" if len(set(heights)) == 1 else ">=", R=bound
            )


DENSITY = claim(
    "safran2022.assumption_2_2_density",
    "next to Assumption 2.2",
    "The least bound on the density",
    "A density on [-R, R] has a supremum of at least 1/(2R), attained by the uniform one: C >= 1/(2R) always.",
    latex=r"C\ge\sup\mu\ge\frac1{2R}",
    formula="1/(2*R)",
    symbols={"R": "the data lie in [-R, R]"},
    controls={
        "1/R": "[0, R] instead of [-R, R]",
        "1/(4*R)": "a bound that is not sharp",
        "1/2": "the least bound for R = 1",
    },
    checks=(least_bound, suprema),
    part_of="safran2022.theorem_2_3",
    own=True,
)


@proof("four units with any five zeros")
def targets_of_width(d: Derivation) -> None:
    """The construction for all places; the sharp count with sign(0) = -1 from below."""
    d.step("c changes of sign, sign(0) = -1, need width m with c <= m for m <= 3, c <= m + 1 for m >= 4")
    d.step("c <= 4: zero on the first interval of -1, one unit per switch: c units")
    any_five_places(d)
    for c in (1, 2, 3, 4):
        d.concludes(c, f"c = {c}", c=c)
    d.concludes("4 + j", "c = j + 5", over={"j": "nonnegative integer"}, c="j + 5")


@certificate("random targets")
def narrowest_teachers(context: Context) -> Observation:
    """Random targets with up to 13 changes, the network's sign compared with theirs on the whole range; and the most
    changes of narrower networks, by exhaustive search.
    """
    draw = context.random()
    most = [0, *(search(m, PLACES[0], strict=False).most for m in (1, 2, 3, 4, 5))]
    for c in range(1, 14):
        for first in (1, -1):
            switches = sorted(Fraction(p, 100) for p in draw.sample(range(-199, 200), c))
            network = changing_at(switches, first) if c >= 5 else network_for(switches, first)
            if not agrees(network, switches, first, BOUND):
                raise ArithmeticError(f"the sign differs: {switches}, {first}")
            needed = next((m for m, changes in enumerate(most) if changes >= c), None)
            sharp = network.width == needed
            yield seen(network.width, "the target's network", relation="=" if sharp else "<=", c=c)
    yield Measured("wider networks change more often", all(a < b for a, b in pairwise(most)))


LEAST_TEACHER = claim(
    "safran2022.assumption_2_2_least_teacher",
    "next to Assumption 2.2",
    "The least width of a teacher for a given target",
    """A target with c >= 1 sign changes at any places, -1 at each of them, is the sign of a network of width min(c,
    max(4, c - 1)) and of no narrower one: c units for c <= 4, one fewer from five changes on. So for r >= 4 the remark
    after Assumption 2.2 holds even with r + 1 changes.""",
    latex=r"\min\{r:f=\operatorname{sign}N^*\}=\min(c,\max(4,c-1))",
    hypotheses=("sign(0) = -1, so {+1} is open",),
    formula="Min(c, Max(4, c - 1))",
    symbols={"c": "number of sign changes, at least 1"},
    controls={
        "c": "one unit per change throughout",
        "Max(1, c - 1)": "r + 1 changes for every r",
        "Min(c, Max(4, c - 2))": "two changes for the first unit beyond four",
        "Min(c + 1, Max(4, c - 1))": "strict signs everywhere",
    },
    checks=(targets_of_width, narrowest_teachers),
    part_of="safran2022.theorem_2_3",
    rests_on=("safran2022.assumption_2_2_teacher", "safran2022.introduction_sign_changes"),
    own=True,
)
