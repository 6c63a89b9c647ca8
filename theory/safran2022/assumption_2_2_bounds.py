"""Beside Assumption 2.2: the most intervals of a teacher, the longest shortest one, the least bound on a density."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Identity, Instance
from implicitbias.claims.statement import OWN_RESULT, Claim, Control, Source

from .assumption_2_2 import BOUND
from .sign_changes import PLACES


def observe_segments(context: Context) -> Evidence:
    """Constant intervals inside [-R, R] of explicit teachers, and the most over three grids of kinks."""
    from implicitbias.functions.network import Network

    from .observed.sign_changes import alternating, search
    from .observed.targets import constant_intervals, network_for

    instances = []
    for places in PLACES:
        for r in (1, 2, 3, 4, 5):
            most = search(r, places[:5], strict=False).most
            instances.append(Instance(f"kinks among {places[:5]}", {"r": r}, most + 1))
    for r in (4, 6, 9):
        f = alternating(r).to_piecewise_linear()
        count = len(constant_intervals(f, Fraction(3 * r)))
        instances.append(Instance("an explicit teacher", {"r": r}, count, "<="))
    for r in (1, 2, 3, 7):
        f = network_for([Fraction(j, r + 1) for j in range(r)], -1).to_piecewise_linear()
        instances.append(Instance("a triangular wave", {"r": r}, len(constant_intervals(f, BOUND)), "<="))
    touching = Network([1, -1], [0, 0], [1, 1]).to_piecewise_linear()
    instances.append(Instance("|x|", {"r": 2}, len(constant_intervals(touching, BOUND))))
    return Evidence(instances=tuple(instances))


SEGMENTS = Claim(
    id="safran2022.assumption_2_2_intervals",
    source=Source(OWN_RESULT, "beside Assumption 2.2 and Theorem 3.1"),
    title="The most constant intervals of a teacher",
    statement=(
        "The labels of a teacher of width r have at most r + 1 maximal constant intervals in [-R, R] for r <= 3 and r "
        "+ 2 for r >= 4, and these numbers occur: one more than the sign changes. Arguments by a union over the "
        "intervals have to count so many."
    ),
    latex=r"\#\text{intervals}\le r+1+\mathbf 1[r\ge 4]",
    hypotheses=("an isolated zero from above is an interval {x} of its own, of length 0",),
    rests_on=("safran2022.introduction_sign_changes",),
    formula="r + 1 + Min(1, Max(0, r - 3))",
    symbols={"r": "width of the teacher"},
    controls=(
        Control("r + 1", "at most r sign changes"),
        Control("r + 2", "a change a piece for every width"),
        Control("r", "every unit begins an interval"),
    ),
    checks=(
        Check(
            name="intervals counted",
            kind=Kind.CERTIFICATE,
            observe=observe_segments,
            about="exact signs of explicit teachers; the most changes over all units on three grids",
        ),
    ),
)


def derive_density(context: Context) -> Evidence:
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    bound, x = symbol("R", "positive"), symbol("x")
    level = symbol("c", "positive")
    mass = sympy.integrate(level, (x, -bound, bound))
    d = Derivation()
    d.identity("a density of at most c has mass at most", mass, 2 * bound * level, "1 = ∫μ <= 2R·c")
    (least,) = sympy.solve(sympy.Eq(mass, 1), level)
    d.step("so sup μ >= the level of the uniform density, which attains it")
    return Evidence(identities=(Identity("all R", {"R": "positive"}, {"R": "R"}, from_sympy(least)),), steps=d.steps)


def observe_density(context: Context) -> Evidence:
    """Suprema of random densities that are constant on pieces of [-R, R], and of the uniform one."""
    draw = context.random()
    instances = []
    for bound in (Fraction(1), Fraction(2), Fraction(7, 2), Fraction(10)):
        for pieces in (1, 2, 3, 7, 20):
            heights = [Fraction(draw.randint(0 if pieces > 1 else 1, 9)) for _ in range(pieces)]
            heights[0] += sum(heights) == 0
            mass = sum(heights) * 2 * bound / pieces
            relation = "=" if len(set(heights)) == 1 else ">="
            instances.append(Instance(f"{pieces} pieces", {"R": bound}, max(heights) / mass, relation))  # type: ignore[arg-type]
    return Evidence(instances=tuple(instances))


DENSITY = Claim(
    id="safran2022.assumption_2_2_density",
    source=Source(OWN_RESULT, "beside Assumption 2.2"),
    title="The least bound on the density",
    statement=(
        "A density on [-R, R] has a supremum of at least 1/(2R), attained by the uniform one: C >= 1/(2R) always."
    ),
    latex=r"C\ge\sup\mu\ge\frac1{2R}",
    formula="1/(2*R)",
    symbols={"R": "the data lie in [-R, R]"},
    controls=(
        Control("1/R", "[0, R] in the place of [-R, R]"),
        Control("1/(4*R)", "a bound with room to spare"),
        Control("1/2", "the least bound for R = 1"),
    ),
    checks=(
        Check(
            name="mass of a bounded density", kind=Kind.PROOF, observe=derive_density, about="the integral of the bound"
        ),
        Check(
            name="random densities",
            kind=Kind.CERTIFICATE,
            observe=observe_density,
            about="suprema of densities of mass 1, exactly",
        ),
    ),
)


def observe_rho_bound(context: Context) -> Evidence:
    from .observed.targets import constant_intervals, network_for

    draw = context.random()
    instances = []
    for c in (0, 1, 2, 3, 5, 8):
        even = [-BOUND + 2 * BOUND * Fraction(j, c + 1) for j in range(1, c + 1)]
        uneven = sorted(Fraction(p, 100) for p in draw.sample(range(-199, 200), c))
        for switches, label in ((even, "even"), (uneven, "random")):
            f = network_for(switches, draw.choice((1, -1))).to_piecewise_linear()
            shortest = min(high - low for low, high in constant_intervals(f, BOUND))
            relation = "=" if switches == even else "<="
            instances.append(Instance(f"{label} switches", {"R": BOUND, "s": c}, shortest, relation))  # type: ignore[arg-type]
    for bound, c in ((Fraction(1, 2), 1), (Fraction(5), 3)):
        f = network_for([-bound + 2 * bound * Fraction(j, c + 1) for j in range(1, c + 1)], 1).to_piecewise_linear()
        shortest = min(high - low for low, high in constant_intervals(f, bound))
        instances.append(Instance("even switches", {"R": bound, "s": c}, shortest))
    return Evidence(instances=tuple(instances))


RHO_BOUND = Claim(
    id="safran2022.assumption_2_2_rho_bound",
    source=Source(OWN_RESULT, "beside Assumption 2.2"),
    title="The largest shortest interval",
    statement=(
        "With s label switches in [-R, R] the shortest interval has length ρ <= 2R/(s + 1), attained where the "
        "switches are evenly spaced: the s + 1 intervals fill [-R, R]. (s is the number of switches, not the width of "
        "the teacher.)"
    ),
    latex=r"\rho\le\frac{2R}{s+1}",
    formula="2*R/(s + 1)",
    symbols={"R": "the data lie in [-R, R]", "s": "number of label switches in [-R, R]"},
    controls=(
        Control("2*R/Max(1, s)", "as many intervals as switches"),
        Control("2*R/(s + 2)", "an interval too many"),
        Control("R/(s + 1)", "[0, R] in the place of [-R, R]"),
    ),
    checks=(
        Check(
            name="evenly spaced and random switches",
            kind=Kind.CERTIFICATE,
            observe=observe_rho_bound,
            about="shortest intervals of explicit teachers, exactly",
        ),
    ),
)

CLAIMS: tuple[Claim, ...] = (
    SEGMENTS,
    RHO_BOUND,
    DENSITY,
)
