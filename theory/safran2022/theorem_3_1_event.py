"""After Theorem 3.1: the printed width gives every segment three breakpoints, and all data four active units."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from implicitbias.claims import Context, Measured, Observation, Step, certificate, claim, seen

BITS = 400
"""Working precision of the balls, relative: probabilities of 10⁻¹⁰⁰⁰ have exponents, not digits."""
Law = Callable[[Fraction, Fraction], tuple[Any, Any]]
"""From R and ρ: the probabilities of a breakpoint in a segment at the end, and of being active on all data."""
KNOTS, ACTIVE = 3, 4
"""How many breakpoints each segment gets, and how many units are active on all data, in the paper's sketch."""


@certificate("least widths by binomial tails")
def least_widths(context: Context) -> Observation:
    """The least k at which the union of the failures has probability at most δ, from exact tails in balls."""
    yield from _widths(context, _normal)
    yield Step(
        "a teacher of width r has r + 2 segments at most, each with a breakpoint of a given unit with probability q = "
        "(atan R - atan(R - ρ))/π at least; a unit is active on all data with probability a = atan(1/R)/π"
    )
    yield Step(
        "the event fails with probability (r + 2) P(Bin(k, q) < 3) + P(Bin(k, a) < 4) at most, which falls with k: at "
        "most δ at the width given, above δ one below"
    )


@certificate("least widths for uniform weights")
def least_widths_uniform(context: Context) -> Observation:
    """The same for w and b uniform on one interval [-s, s], from areas of the square of (w, b)."""
    yield from _widths(context, _uniform)
    yield Step(
        "q and a are areas of cones in the square of (w, b): those of the segments at the ends of [-R, R] are the "
        "smallest, since the density of -b/w does not rise away from 0"
    )


def _widths(context: Context, law: Law) -> Observation:
    draw = context.random()
    cases = [(1, Fraction(1), Fraction(1, 2), Fraction(1, 2)), (3, Fraction(1), Fraction(1, 4), Fraction(1, 10))]
    for R in (Fraction(1), Fraction(3, 2), Fraction(6), Fraction(60), Fraction(2, 3), Fraction(1, 9), Fraction(1, 900)):
        for tiny in (draw.choice((0, 1, 2)), 30, 1000):
            r = draw.choice((1, 2, 5, 20, 300))
            delta = Fraction(draw.randint(1, 9), 10 * 10**tiny)
            for shorter in (1, draw.randint(2, 9), draw.randint(10**4, 10**6)):
                cases.append((r, R, 2 * R / (r + 2) / shorter, delta))
    for R in (Fraction(1), Fraction(60), Fraction(10**3), Fraction(10**6)):
        for r in (1, draw.randint(2, 40), 10**6):
            # an event that is hardly asked for, a likely one, one that must not fail
            for delta in (1 - Fraction(1, 10**9), Fraction(1, 2), Fraction(1, 10 ** draw.randint(1001, 3000))):
                cases.append((r, R, 2 * R / (r + 2) / draw.choice((1, draw.randint(2, 50))), delta))
    for R in (Fraction(1), Fraction(2, 3)):  # long segments and a failure that must not be
        cases.append((1, R, 2 * R / 3, Fraction(1, 10**3000)))
    factors = []
    for r, R, rho, delta in cases:
        least = _least_width(r, R, rho, delta, law)
        label = f"{r + 2} segments of length {rho} in [-{R}, {R}]"
        yield seen(least, label, relation="<=", r=r, R=R, rho=rho, delta=delta)
        factors.append(_printed(r, R, rho, delta) / least)
    yield Measured("the printed width over the least, at least", min(factors))


def _printed(r: int, R: Fraction, rho: Fraction, delta: Fraction) -> float:
    """The width (3) in floats, to measure only: log δ as a difference, since δ may underflow."""
    from math import log

    return float(6144 * max(R, Fraction(1)) ** 4 / rho) * (log(24 * r * delta.denominator) - log(delta.numerator))


def _normal(R: Fraction, rho: Fraction) -> tuple[Any, Any]:
    """P(a breakpoint in [R - ρ, R]) and P(active on [-R, R]) for w, b ~ N(0, σ²)."""
    import flint

    from implicitbias.exact.enclosure import to_arb

    pi = flint.arb.pi()
    return (to_arb(R).atan() - to_arb(R - rho).atan()) / pi, to_arb(1 / R).atan() / pi


def _uniform(R: Fraction, rho: Fraction) -> tuple[Any, Any]:
    """The same for (w, b) uniform on [-1, 1]², in rationals: the share of the square where -b/w, or R|w| < b, is so."""
    from implicitbias.exact.enclosure import to_arb

    def beyond(t: Fraction) -> Fraction:
        """P(-b/w > t), t >= 0: two triangles, or two trapezia if t < 1."""
        return (2 - t) / 4 if t < 1 else 1 / (4 * t)

    above = beyond(abs(R - rho))
    knot = (above if rho <= R else 1 - above) - beyond(R)
    active = 1 / (4 * R) if R >= 1 else (2 - R) / 4
    return to_arb(knot), to_arb(active)


def _least_width(r: int, R: Fraction, rho: Fraction, delta: Fraction, law: Law) -> int:
    """Doubled until the failure is unlikely enough, then halved; each comparison is proved by balls."""
    import flint

    from implicitbias.exact.enclosure import to_arb

    with flint.ctx.workprec(BITS):
        allowed = to_arb(delta)
        knot, active = law(R, rho)

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
    "Theorem 3.1, equation (3), the proof sketch; footnote 2; Section 2.1 on uniform weights",
    "Three breakpoints in every segment at the printed width",
    """At the width k that (3) asks for, with R = 1 plugged in for smaller R as footnote 2 has it, every segment of one
    label has three breakpoints or more, and four units or more are active on all data, with probability at least 1 - δ,
    for normal weights and for uniform ones: the least k for which this follows from the exact probabilities of a unit
    and the union of the failures is no larger. (It is hundreds of times smaller, so nothing here excludes a smaller
    constant, or R² in place of R⁴; the width grows with log(1/δ), 1/ρ and R >= 1 all the same. The rest of the proof is
    not judged here for uniform weights.)""",
    latex=r"k\ge\frac{6144\max(R,1)^4}{\rho}\log\frac{24r}{\delta}",
    hypotheses=(
        "w and b as in Assumption 2.1, or independent and uniform on one interval [-s, s]",
        "r + 2 segments of length ρ or more in [-R, R], R > 0",
    ),
    formula="6144*Max(R, 1)**4*log(24*r/delta)/rho",
    symbols={
        "r": "width of the teacher",
        "R": "the data lie in [-R, R]",
        "rho": "length of the shortest segment",
        "delta": "confidence parameter δ",
    },
    domain=("r >= 1", "R > 0", "rho > 0", "rho*(r + 2) <= 2*R", "delta > 0", "delta < 1"),
    controls={
        "6144*R**4*log(24*r/delta)/rho": "(3) itself for R < 1, without footnote 2",
        "6144*Max(R, 1)**4/rho": "the same for every δ",
        "6144*Max(R, 1)**4*log(24*r/delta)": "the same for segments of every length",
        "6144*log(24*r/delta)/rho": "the same for all data",
        "log(24*r/delta)/rho": "one unit in ρ has a breakpoint in a segment",
    },
    checks=(least_widths, least_widths_uniform),
    rests_on=("safran2022.theorem_3_1_knot_bound", "safran2022.theorem_3_1_active"),
    part_of="safran2022.theorem_3_1",
)
