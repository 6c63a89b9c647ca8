"""After Theorem 3.1: the printed width gives every segment three breakpoints, and all data four active units."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from implicitbias.claims import Context, Measured, Observation, Step, certificate, claim, seen

BITS = 4000
"""Working precision of the balls: probabilities down to δ = 10⁻¹⁰⁰⁰."""
KNOTS, ACTIVE = 3, 4
"""How many breakpoints each segment gets, and how many units are active on all data, in the paper's sketch."""


@certificate("least widths by binomial tails")
def least_widths(context: Context) -> Observation:
    """The least k at which the union of the failures has probability at most δ, from exact tails in balls."""
    draw = context.random()
    cases = [(1, Fraction(1), Fraction(1, 2), Fraction(1, 2)), (3, Fraction(1), Fraction(1, 4), Fraction(1, 10))]
    for R in (Fraction(1), Fraction(3, 2), Fraction(6), Fraction(60)):
        for tiny in (draw.choice((0, 1, 2)), 30, 1000):
            r = draw.choice((1, 2, 5, 20, 300))
            delta = Fraction(draw.randint(1, 9), 10 * 10**tiny)
            for shorter in (1, draw.randint(2, 9), draw.randint(10**4, 10**6)):
                cases.append((r, R, 2 * R / (r + 2) / shorter, delta))
    factors = []
    for r, R, rho, delta in cases:
        least = _least_width(r, R, rho, delta)
        label = f"{r + 2} segments of length {rho} in [-{R}, {R}]"
        yield seen(least, label, relation="<=", r=r, R=R, rho=rho, delta=delta)
        factors.append(_printed(r, R, rho, delta) / least)
    yield Measured("the printed width over the least, at least", min(factors))
    yield Step(
        "a teacher of width r has r + 2 segments at most, each with a breakpoint of a given unit with probability q = "
        "(atan R - atan(R - ρ))/π at least; a unit is active on all data with probability a = atan(1/R)/π"
    )
    yield Step(
        "the event fails with probability (r + 2) P(Bin(k, q) < 3) + P(Bin(k, a) < 4) at most, which falls with k: at "
        "most δ at the width given, above δ one below"
    )


def _printed(r: int, R: Fraction, rho: Fraction, delta: Fraction) -> float:
    """The width (3) in floats, to measure only: log δ as a difference, since δ may underflow."""
    from math import log

    return float(6144 * R**4 / rho) * (log(24 * r * delta.denominator) - log(delta.numerator))


def _least_width(r: int, R: Fraction, rho: Fraction, delta: Fraction) -> int:
    """Doubled until the failure is unlikely enough, then halved; each comparison is proved by balls."""
    import flint

    from implicitbias.exact.enclosure import to_arb

    with flint.ctx.workprec(BITS):
        pi, allowed = flint.arb.pi(), to_arb(delta)
        knot = (to_arb(R).atan() - to_arb(R - rho).atan()) / pi
        active = to_arb(1 / R).atan() / pi

        def enough(k: int) -> bool:
            fails = (r + 2) * _below(KNOTS, k, knot) + _below(ACTIVE, k, active)
            if fails <= allowed:
                return True
            if fails > allowed:
                return False
            raise ArithmeticError(f"{BITS} bits do not tell whether width {k} is enough")

        high = 1
        while not enough(high):
            high *= 2
        low = high // 2
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if enough(middle) else (middle, high)
        return high


def _below(wanted: int, k: int, p: Any) -> Any:
    """P(Bin(k, p) < wanted)."""
    from math import comb

    import flint

    return sum(
        (comb(k, j) * p**j * (1 - p) ** (k - j) for j in range(min(wanted, k + 1))),
        flint.arb(0),
    )


EVENT = claim(
    "safran2022.theorem_3_1_event",
    "Theorem 3.1, equation (3), and the proof sketch",
    "Three breakpoints in every segment at the printed width",
    """At the width k that (3) asks for every segment of one label has three breakpoints or more, and four units or more
    are active on all data, with probability at least 1 - δ: the least k for which this follows from the exact
    probabilities of a unit and the union of the failures is no larger. (It is hundreds of times smaller, so nothing
    here excludes a smaller constant, or R² in place of R⁴; the width grows with log(1/δ), 1/ρ and R all the same.)""",
    latex=r"k\ge\frac{6144R^4}{\rho}\log\frac{24r}{\delta}",
    hypotheses=("Assumption 2.1", "r + 2 segments of length ρ or more in [-R, R], R >= 1"),
    formula="6144*R**4*log(24*r/delta)/rho",
    symbols={
        "r": "width of the teacher",
        "R": "the data lie in [-R, R]",
        "rho": "length of the shortest segment",
        "delta": "confidence parameter δ",
    },
    domain=("r >= 1", "R >= 1", "rho > 0", "rho*(r + 2) <= 2*R", "delta > 0", "delta < 1"),
    controls={
        "6144*R**4/rho": "the same for every δ",
        "6144*R**4*log(24*r/delta)": "the same for segments of every length",
        "6144*log(24*r/delta)/rho": "the same for all data",
        "log(24*r/delta)/rho": "one unit in ρ has a breakpoint in a segment",
    },
    checks=(least_widths,),
    rests_on=("safran2022.theorem_3_1_knot_bound", "safran2022.theorem_3_1_active"),
    part_of="safran2022.theorem_3_1",
)
