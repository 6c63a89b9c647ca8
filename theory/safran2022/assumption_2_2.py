"""Assumption 2.2 and the remark after it: which targets have a teacher, and when ρ is positive."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from implicitbias.claims import Context, Flaw, Measured, Observation, Step, Value, certificate, claim, rule, seen

from ..observed.data.targets import agrees, constant_intervals, network_for, zeros
from ..observed.margin.prescribed_zeros import changing_at
from ..observed.margin.sign_changes import PLACES, search
from . import errata

BOUND = Fraction(2)


@certificate("narrowest networks")
def narrowest(context: Context) -> Observation:
    """Random targets with up to 49 switches, both first signs: the width of the narrowest of two networks whose sign is
    compared on all of [-R, R]; and the least width that changes sign as often, by exhaustive search.
    """
    draw = context.random()
    yield seen(1, "the constant +1: N = 0 is -1", c=0)
    most = [0, *(search(r, PLACES[0], strict=False).most for r in (1, 2, 3))]
    for c in (*range(13), 16, 17, 25, 36, 49):
        for first in (1, -1):
            for _ in range(context.choose(4, 20)):
                switches = sorted(Fraction(p, 100) for p in draw.sample(range(-199, 200), c))
                networks = [network_for(switches, first)]
                if c >= 5:
                    networks.append(changing_at(switches, first))
                if not all(agrees(network, switches, first, BOUND) for network in networks):
                    raise ArithmeticError(f"the sign differs: {switches}, {first}")
                width = min(network.width for network in networks)
                needed = next((m for m, changes in enumerate(most) if changes >= c), len(most))
                least = c > 0 and networks[0].width == needed
                label = "one unit a change: no network is narrower" if least else "the narrowest network known"
                yield seen(width, label, relation="=" if least else "<=", c=c)
    yield Step("sign(N) against the target at and between all zeros, kinks, switches")


TEACHER = claim(
    "safran2022.assumption_2_2_teacher",
    "after Assumption 2.2, on targets that change sign at most r times",
    "Targets with a teacher of width r",
    """Every target on [-R, R] with c sign changes whose set {+1} is open is sign(N*) of a network of width max(1, c),
    so of width r for c <= r: N* is zero on the first interval of -1, one unit starts at its end, and one more for each
    further switch reverses the slope midway; a first interval of +1 has a unit facing left. For c <= 4 no narrower
    network does it (from c = 5 on one unit fewer suffices: the least width is a result of our own). Judged is that the
    narrowest network known is no wider.""",
    latex=r"\#\text{changes}\le r\Rightarrow f=\operatorname{sign}N^*,\ N^*\text{ of width }r",
    hypotheses=("sign(0) = -1, so {+1} is open: at a switch the target is -1",),
    formula="Max(1, c)",
    symbols={"c": "number of sign changes of the target in [-R, R]"},
    controls={
        "c": "no unit for a constant target, also for +1",
        "Max(1, c - 1)": "r + 1 changes by width r, also for r <= 3",
        "c + 1": "strict signs everywhere, as Theorem 4.2 supposes: [x]_+ would need a second unit",
        "Max(1, c/2)": "one unit for two switches",
        "Min(Max(1, c), 8)": "a width that is enough for any number of changes",
        "Max(1, c) - floor(sqrt(c)/3)": "ever more units to spare",
    },
    checks=(narrowest,),
    part_of="safran2022.theorem_2_3",
    rests_on=("safran2022.introduction_sign_changes",),
)

TOUCHED = "zeros with N* > 0 beside them in [-R, R]"
TOUCHED_INSIDE = "of these inside (-R, R)"
ZEROS_INSIDE = "zeros inside (-R, R)"


@rule("no zero touched from above")
def touches(given: Mapping[str, Value]) -> Value:
    """ρ > 0 iff no zero of N* in [-R, R] has N* > 0 all around it"""
    return given[TOUCHED] == 0


@rule("inside only")
def touches_inside(given: Mapping[str, Value]) -> Value:
    """ρ > 0 iff no zero inside (-R, R) has N* > 0 all around it"""
    return given[TOUCHED_INSIDE] == 0


@rule("always positive")
def always(given: Mapping[str, Value]) -> Value:
    """some ρ > 0 serves whenever the density is continuous, as for any teacher"""
    return True


@rule("a matter of the density")
def continuous(given: Mapping[str, Value]) -> Value:
    """ρ > 0 iff the density is continuous"""
    return bool(given["continuous density"])


@rule("no zero at all")
def nowhere_zero(given: Mapping[str, Value]) -> Value:
    """ρ > 0 iff N* has no zero inside (-R, R)"""
    return given[ZEROS_INSIDE] == 0


@certificate("intervals of nine teachers")
def shortest_intervals(context: Context) -> Observation:
    """The shortest maximal interval, exactly, for teachers that cross zero, touch it from above, or from below; with
    and without a continuous density.
    """
    from implicitbias.functions.network import Network

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
    for name, network in teachers:
        f = network.to_piecewise_linear()
        shortest = min(high - low for low, high in constant_intervals(f, BOUND))
        yield Measured(name, shortest)
        here = [x for x in zeros(f) if -BOUND <= x <= BOUND]
        touched = [
            x
            for x in here
            if (x == -BOUND or f.derivative(x, "left") < 0) and (x == BOUND or f.derivative(x, "right") > 0)
        ]
        for density in (True, False):
            given: dict[str, Value] = {
                TOUCHED: len(touched),
                TOUCHED_INSIDE: sum(abs(x) < BOUND for x in touched),
                "continuous density": density,
                ZEROS_INSIDE: sum(abs(x) < BOUND for x in here),
            }
            yield seen(shortest > 0, f"N* = {name}, R = 2", **given)


RHO = claim(
    "safran2022.assumption_2_2_rho",
    "after Assumption 2.2: the last two assumptions always hold for a continuous density",
    "Positive length of the shortest interval",
    """ρ is determined by the teacher and R alone. It is positive exactly if no zero of N* in [-R, R] has N* > 0 on
    all of its sides within [-R, R]: N* = |x| has the label -1 at 0 alone, a maximal interval of length 0, whatever the
    density. (Intervals I' ⊃ I are meant within [-R, R] and larger than I.)""",
    latex=r"\rho>0\iff\{N^*\le 0\}\cap[-R,R]\text{ has no isolated point}",
    hypotheses=("sign(0) = -1",),
    formula=touches,
    flaw=Flaw(errata.SHORTEST_INTERVAL, always),
    controls={
        continuous: "the remark's condition",
        touches_inside: "the ends ±R forgotten, where a single point can be left over",
        nowhere_zero: "crossings and touching zeros not told apart",
    },
    checks=(shortest_intervals,),
    part_of="safran2022.theorem_2_3",
)
