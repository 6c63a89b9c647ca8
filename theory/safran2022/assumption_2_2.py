"""Assumption 2.2 and the remark after it: which targets have a teacher, what ρ and C can be."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from implicitbias.check import Check, Context, Kind
from implicitbias.claim import OWN_RESULT, Claim, Control, Flaw, Rule, Source
from implicitbias.evidence import Evidence, Identity, Instance, Step, Value

from .sign_changes import PLACES

BOUND = Fraction(2)


def observe_expressed(context: Context) -> Evidence:
    """The units that the construction takes, its sign compared everywhere; and that fewer never change as often."""
    from .observed.sign_changes import search
    from .observed.targets import agrees, network_for

    draw = context.random()
    instances = [Instance("the constant +1: N = 0 is -1", {"c": 0}, 1)]
    most = [0, *(search(r, PLACES[0], strict=False).most for r in (1, 2, 3))]
    for c in range(13):
        for first in (1, -1):
            for _ in range(context.choose(4, 20)):
                switches = sorted(Fraction(p, 100) for p in draw.sample(range(-199, 200), c))
                network = network_for(switches, first)
                if not agrees(network, switches, first, BOUND):
                    raise ArithmeticError(f"the sign differs: {switches}, {first}")
                needed = next((m for m, changes in enumerate(most) if changes >= c), None)
                least = c > 0 and (network.width == needed or (needed is None and network.width == len(most)))
                label = "the construction" + (", no network is narrower" if least else "")
                instances.append(Instance(label, {"c": c}, network.width, "=" if least else "<="))
    return Evidence(
        instances=tuple(instances),
        steps=(Step("sign(N) against the target at and between all zeros, kinks, switches"),),
    )


EXPRESSED = Claim(
    id="safran2022.assumption_2_2_teacher",
    source=Source("safran2022", "after Assumption 2.2, of targets that change sign at most r times"),
    title="Which targets have a teacher of width r",
    statement=(
        "Every target on [-R, R] with c sign changes whose set {+1} is open is sign(N*) of a network of width max(1, "
        "c), so of width r for c <= r: N* is zero on the first interval of -1, one unit starts at its end, and one "
        "more for each further switch turns the slope midway; a first interval of +1 has a unit facing left. For c <= "
        "4 no narrower network does it."
    ),
    latex=r"\#\text{changes}\le r\Rightarrow f=\operatorname{sign}N^*,\ N^*\text{ of width }r",
    hypotheses=("sign(0) = -1, so {+1} is open: at a switch the target is -1",),
    rests_on=("safran2022.introduction_sign_changes",),
    formula="Max(1, c)",
    symbols={"c": "number of sign changes of the target in [-R, R]"},
    controls=(
        Control("c", "no unit for a constant target, also for +1"),
        Control("Max(1, c - 1)", "r + 1 changes by width r, also for r <= 3"),
        Control("c + 1", "strict signs everywhere, as Theorem 4.2 supposes: [x]_+ would need a second unit"),
        Control("Max(1, c/2)", "a unit for two switches"),
    ),
    checks=(
        Check(
            name="construction",
            kind=Kind.CERTIFICATE,
            observe=observe_expressed,
            about="random targets with up to 12 switches, both first signs; exact signs on all of [-R, R]",
        ),
    ),
)


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


def touches(given: Mapping[str, Value]) -> Value:
    return given["zeros with N* > 0 beside them in [-R, R]"] == 0


def touches_inside(given: Mapping[str, Value]) -> Value:
    return given["of these inside (-R, R)"] == 0


def always(given: Mapping[str, Value]) -> Value:
    return True


def continuous(given: Mapping[str, Value]) -> Value:
    return bool(given["continuous density"])


def nowhere_zero(given: Mapping[str, Value]) -> Value:
    return given["zeros inside (-R, R)"] == 0


def observe_rho(context: Context) -> Evidence:
    """The shortest maximal interval, exactly, for teachers that cross zero, touch it from above, or from below."""
    from implicitbias.functions.network import Network

    from .observed.targets import constant_intervals, zeros

    teachers = (
        ("|x|", Network([1, -1], [0, 0], [1, 1])),
        ("-|x|", Network([1, -1], [0, 0], [-1, -1])),
        ("[x]_+", Network([1], [0], [1])),
        ("1", Network([0], [1], [1])),
        ("|x| - 1/2", Network([1, -1, 0], [0, 0, 1], [1, 1, Fraction(-1, 2)])),
        ("[x - 1/4]_+ + [-x - 1/4]_+", Network([1, -1], [Fraction(-1, 4)] * 2, [1, 1])),
        ("|x - 1| and back down", Network([1, -1, 1], [-1, 1, Fraction(-3, 2)], [1, 1, -3])),
        ("|x + 2| + [x]_+", Network([1, -1, 1], [2, -2, 0], [1, 1, 1])),
        ("[2 - x]_+", Network([-1], [2], [1])),
    )
    instances, lengths = [], {}
    for name, network in teachers:
        f = network.to_piecewise_linear()
        shortest = min(high - low for low, high in constant_intervals(f, BOUND))
        lengths[name] = shortest
        here = [x for x in zeros(f) if -BOUND <= x <= BOUND]
        touched = [
            x
            for x in here
            if (x == -BOUND or f.derivative(x, "left") < 0) and (x == BOUND or f.derivative(x, "right") > 0)
        ]
        for density in (True, False):
            given: dict[str, Value] = {
                "zeros with N* > 0 beside them in [-R, R]": len(touched),
                "of these inside (-R, R)": sum(abs(x) < BOUND for x in touched),
                "continuous density": density,
                "zeros inside (-R, R)": sum(abs(x) < BOUND for x in here),
            }
            instances.append(Instance(f"N* = {name}, R = 2", given, shortest > 0))
    return Evidence(instances=tuple(instances), measured=lengths)


RHO = Claim(
    id="safran2022.assumption_2_2_rho",
    source=Source("safran2022", "after Assumption 2.2: the last two assumptions always hold for a continuous density"),
    title="When the shortest interval has positive length",
    statement=(
        "ρ is determined by the teacher and R alone. It is positive exactly where no zero of N* in [-R, R] has N* > 0 "
        "on all of its sides within [-R, R]: N* = |x| has the label -1 at 0 alone, a maximal interval of length 0, "
        "whatever the density. (Intervals I' ⊃ I are meant within [-R, R] and larger than I.)"
    ),
    latex=r"\rho>0\iff\{N^*\le 0\}\cap[-R,R]\text{ has no isolated point}",
    hypotheses=("sign(0) = -1",),
    formula=Rule("no zero touched from above", "ρ > 0 iff no zero of N* in [-R, R] has N* > 0 all around it", touches),
    flaw=Flaw(
        printed=Rule(
            "always positive", "some ρ > 0 serves whenever the density is continuous, as for any teacher", always
        ),
        word="missing hypothesis",
        wrong="for N* = |x| the shortest maximal interval is {0}, so no ρ > 0 serves, however smooth the density is.",
        sure="certain",
        charitable=(
            "for teachers that do not touch zero from above it is right, and the existence of C does follow from "
            "continuity on the compact interval; counting intervals of positive length only, it is right for all."
        ),
    ),
    controls=(
        Control(
            Rule("a matter of the density", "ρ > 0 iff the density is continuous", continuous),
            "what the remark asks for",
        ),
        Control(
            Rule("inside only", "ρ > 0 iff no zero inside (-R, R) has N* > 0 all around it", touches_inside),
            "the ends ±R forgotten, where a single point can be left over",
        ),
        Control(
            Rule("no zero at all", "ρ > 0 iff N* has no zero inside (-R, R)", nowhere_zero),
            "crossings and touching zeros not told apart",
        ),
    ),
    checks=(
        Check(
            name="intervals of nine teachers",
            kind=Kind.CERTIFICATE,
            observe=observe_rho,
            about="maximal intervals of constant sign exactly, with and without a continuous density",
        ),
    ),
)


def derive_density(context: Context) -> Evidence:
    import sympy

    from implicitbias.derivation import Derivation
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

CLAIMS: tuple[Claim, ...] = (EXPRESSED, RHO, SEGMENTS, DENSITY, RHO_BOUND)
