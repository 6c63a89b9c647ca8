"""Proposition 8: a law for a prescribed curvature penalty, its moments, and a bounded law for the same penalty."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from implicitbias.claims import (
    Context,
    Interval,
    Observation,
    Rule,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.formula import Assumption
from implicitbias.theorems.rules.sequences.lists import Mean
from implicitbias.theorems.rules.values.composition import Composition

from ..observed.data.draws import of_any_size
from ..observed.wide.kink_moments import BITS, ball, integral

Arb = Any
WIDTH = 90
"""Bins are 2^-WIDTH wide."""

PENALTIES: tuple[tuple[str, str], ...] = (
    ("(1+x**2)**2", "smooth, heavy in the middle"),
    ("1+x**4", "smooth"),
    ("exp(x**2)", "Gaussian kinks"),
    ("((2+x)**2+1/4)*exp(x**2)", "asymmetric"),
    ("1+x**2", "Cauchy kinks"),
)


def _formula(text: str) -> Callable[[Any], Any]:
    """The penalty on complex balls."""
    import flint

    forms: dict[str, Callable[[Any], Any]] = {
        "(1+x**2)**2": lambda x: (1 + x * x) ** 2,
        "1+x**4": lambda x: 1 + x**4,
        "exp(x**2)": lambda x: (x * x).exp(),
        "((2+x)**2+1/4)*exp(x**2)": lambda x: ((2 + x) ** 2 + flint.acb(1) / 4) * (x * x).exp(),
        "1+x**2": lambda x: 1 + x * x,
    }
    return forms[text]


@certificate("bins of kinks")
def realised(context: Context) -> Observation:
    """1/ζ from E[W²; kink in a bin], integrated over (W, B) = (W, -WC): W takes two values, B has a density given each.
    Five penalties ϱ, symmetric and not."""
    import flint

    from implicitbias.exact.enclosure import from_arb

    draw = context.random()
    before, flint.ctx.prec = flint.ctx.prec, BITS
    try:
        for text, _ in PENALTIES:
            rho = _formula(text)
            support = draw.choice(
                (2, 3)
            )  # C conditioned to [-support, support]: Z is then an integral over an interval
            Z = integral(lambda x, rho=rho: 1 / rho(x), flint.arb(-support), flint.arb(support))  # type: ignore[misc]
            for _ in range(context.choose(3, 10)):
                law = [
                    (Fraction(draw.randint(1, 9), 2), Fraction(1, 3)),
                    (Fraction(-draw.randint(1, 9), 3), Fraction(2, 3)),
                ]
                m = sum(p * w * w for w, p in law)
                x = Fraction(draw.randint(-19, 19), 10)
                width = flint.arb(2) ** -WIDTH
                sides = []
                for low, high in ((ball(x) - width, ball(x)), (ball(x), ball(x) + width)):
                    # given W = w, B = -wC has the density p_C(-b/w)/|w|: the kink is in the bin for b in -w·bin
                    mass = flint.arb(0)
                    for w, p in law:
                        ends = [-ball(w) * high, -ball(w) * low] if w > 0 else [-ball(w) * low, -ball(w) * high]
                        within = integral(
                            lambda b, rho=rho, w=w, Z=Z: 1 / (Z * rho(-b / ball(w)) * abs(ball(w))),  # type: ignore[misc]
                            *ends,
                        )
                        mass += ball(p) * ball(w) ** 2 * within
                    sides.append(from_arb(width / mass))
                observed = Interval(min(s.lower for s in sides), max(s.upper for s in sides))
                room = observed.upper * Fraction(1, 2**80)
                label = f"ϱ = {text} on [-{support}, {support}], x = {x}"
                yield seen(
                    Interval(observed.lower - room, observed.upper + room),
                    label,
                    rho=from_arb(rho(flint.acb(ball(x))).real),
                    Z=from_arb(Z),
                    m=m,
                )
    finally:
        flint.ctx.prec = before


@theorem("through Proposition 7")
def the_penalty() -> Observation:
    """ζ = ∫|w|³ p(w, -wx) dw, where W and C are independent, so p(w, b) = p_W(w) p_C(-b/w)/|w|, for any law of W."""
    zeta = Mean(
        term="zeta_integrand(w, 1/(Z*rho)/Abs(w))",
        entries={"w": "real"},
        where=("w**2 > 0",),
        totals={"m": "w**2"},
        by={"m": "1/(Z*rho)"},
        split=("w",),
    )
    names: dict[str, Assumption] = dict.fromkeys(("Z", "rho", "m"), "positive")
    yield shows(Composition("1/zeta", {"zeta": zeta}), for_all=names, rho="rho", Z="Z", m="m")


@certificate("blocks far out")
def finite_or_not(context: Context) -> Observation:
    """Whether E B² is finite for ϱ = (1+|x|)^a: the blocks ∫x²/ϱ over [X, 2X], each compared with the one before, far
    out. The integrand's value at 2x times 2, over that at x, is 8((1+x)/(1+2x))^a, which decreases to its limit: a
    value below 1 at one far place proves convergence, and a value above 1 at 2^200 is on the limit's own side."""
    draw = context.random()
    exponents = [Fraction(k, 2) for k in (3, 4, 5, 6, 7, 8, 10, 13)]
    exponents += [1 + Fraction(draw.randint(1, 60), 10) for _ in range(context.choose(6, 30))]
    for a in exponents:
        x = Fraction(2) ** 200
        # compare 8^q with ((1+2x)/(1+x))^p for a = p/q
        left, right = Fraction(8) ** a.denominator, ((1 + 2 * x) / (1 + x)) ** a.numerator
        yield seen(left < right, f"ϱ = (1+|x|)^({a})", a=a)


@dataclass(frozen=True)
class Prescribed:
    """A function z on [-2, 2], a place x in it, and z(x); `near` is z on balls about x, `total` is ∫z(1+c²)."""

    name: str
    near: Callable[[Any], Any]
    x: Fraction
    at_x: Fraction
    total: Any


def _in_steps(draw: random.Random) -> Prescribed:
    """Three steps of any height, the middle one of any width: z may be much greater, or less, than its integral."""
    cut = Fraction(draw.randint(-60, 50), 32)
    knots = [Fraction(-2), cut, min(cut + of_any_size(draw, -9, 0), Fraction(31, 16)), Fraction(2)]
    # of the outer steps: nearly all of ∫z(1 + c²) may come from the middle one, or it may be about 1
    least, most = draw.choice([(-9, 3), (-9, 3), (-30, -18), (-4, -2)])
    middle = draw.choice([(-6, 6), (-6, 6), (-1, 1)])  # often about 1, as x is: z and -x in either order
    heights = [of_any_size(draw, *ends) for ends in ((least, most), middle, (least, most))]
    return _steps(knots, heights, draw.choice([0, 1, 1, 2]), Fraction(draw.randint(1, 9), 10))


def _spikes() -> Iterator[Prescribed]:
    """Narrow steps near both ends: z is more than 1 + ∫z(1 + c²) there, and less than |x|."""
    for left in (Fraction(-15, 8), Fraction(111, 64)):
        knots = [Fraction(-2), left, left + Fraction(1, 64), Fraction(2)]
        yield _steps(knots, [Fraction(1, 2**20), Fraction(3, 2), Fraction(1, 2**20)], 1, Fraction(1, 2))


def _steps(knots: list[Fraction], heights: list[Fraction], k: int, share: Fraction) -> Prescribed:
    """The step function at a share of its k-th interval."""
    parts = [h * (b - a + (b**3 - a**3) / 3) for h, (a, b) in zip(heights, pairwise(knots), strict=True)]
    x = knots[k] + (knots[k + 1] - knots[k]) * share
    name = f"steps {heights} from {knots}"
    return Prescribed(name, lambda c: c * 0 + ball(heights[k]), x, heights[k], ball(sum(parts, Fraction(0))))


def _smooth(draw: random.Random) -> Iterator[Prescribed]:
    import flint

    shapes: tuple[tuple[str, Callable[[Any], Any]], ...] = (
        ("(1 + c)²", lambda c: (1 + c) ** 2),
        ("1 + c⁴", lambda c: 1 + c**4),
        ("1/(1+c²)", lambda c: 1 / (1 + c * c)),
    )
    for name, z in shapes:
        total = integral(lambda c, z=z: z(c) * (1 + c * c), flint.arb(-2), flint.arb(2))  # type: ignore[misc]
        for _ in range(4):
            x = Fraction(draw.randint(-19, 19), 10)
            yield Prescribed(name, z, x, Fraction(z(x)), total)


@certificate("arcs in bins")
def on_the_circle(context: Context) -> Observation:
    """ζ of (W, B) = √m (±1, ∓C)/√(1+C²), C with the density (1+c²)z(c)/m, from the angles of (W, B) in a bin, weighted
    by W². In the angle t, C = -tan t, kinks in (x, y) are an arc, W² = m cos² t, and t has the density z(-tan t)/(m
    cos⁴ t)/2 on the circle."""
    import flint

    from implicitbias.exact.enclosure import from_arb

    draw = context.random()
    before, flint.ctx.prec = flint.ctx.prec, BITS
    try:
        for case in (*_smooth(draw), *_spikes(), *(_in_steps(draw) for _ in range(context.choose(700, 900)))):

            def weighted(t: Any, case: Prescribed = case) -> Any:
                """m cos² t times the density of t on one half circle, of both signs of W together."""
                return case.near(-t.sin() / t.cos()) / t.cos() ** 4 * t.cos() ** 2

            width = flint.arb(2) ** -WIDTH
            ends = ball(case.x) - width, ball(case.x), ball(case.x) + width
            sides = [from_arb(integral(weighted, -high.atan(), -low.atan()) / width) for low, high in pairwise(ends)]
            room = max(s.upper for s in sides) * Fraction(1, 2**80)
            observed = Interval(min(s.lower for s in sides) - room, max(s.upper for s in sides) + room)
            yield seen(observed, f"z = {case.name}, x = {case.x}", z=case.at_x, x=case.x, m=from_arb(case.total))
    finally:
        flint.ctx.prec = before


PROPOSITION_8 = claim(
    "jin2021.proposition_8",
    "Proposition 8",
    "A law for a prescribed curvature penalty",
    """If C has the density 1/(Zϱ), Z = ∫1/ϱ, and W is independent of it with a finite second moment, then the curvature
    penalty 1/ζ of (W, -WC) is Zϱ/E W²: proportional to the prescribed ϱ.""",
    latex=r"\big(\mathbb E(W^2|C=x)\,p_C(x)\big)^{-1}=\frac{Z\,\varrho(x)}{\mathbb EW^2}",
    hypotheses=("Z = ∫1/ϱ < ∞", "0 < E W² < ∞", "W and C independent"),
    formula="Z*rho/m",
    symbols={"rho": "ϱ(x)", "Z": "∫1/ϱ", "m": "E W²"},
    controls={
        "1/(Z*rho*m)": "p_C proportional to ϱ",
        "Z*rho*m": "E W² on the wrong side",
        "Z*rho/m**2": "(E W²)² in place of E W²",
        "rho/m": "the normalisation forgotten",
    },
    checks=(the_penalty, realised),
    rests_on=("jin2021.proposition_7",),
)


MOMENTS = claim(
    "jin2021.proposition_8_moments",
    "Section 5.3, before Proposition 8",
    "Finite variance of the law of Proposition 8",
    """The law of Proposition 8 has E B² = E W²·∫x²/(Zϱ): finite only if ∫(1+x²)/ϱ < ∞. For ϱ = (1+|x|)^a that is a > 3,
    while Z is finite for a > 1. Since ∫ζ(1+x²) = E W² + E B² for every law, no other law helps: for 1 < a <= 3 no law
    that Theorems 1 and 5 admit has this penalty on the whole line.""",
    latex=r"\mathbb EB^2<\infty\iff\int\frac{1+x^2}{\varrho}<\infty",
    formula=Rule("second moment", "finite exactly where ∫(1+x²)/ϱ is: a > 3", lambda g: g["a"] > 3),  # type: ignore[operator]
    controls={
        Rule("any penalty", "finite where ∫1/ϱ is: a > 1", lambda g: g["a"] > 1): "what ζ needs",  # type: ignore[operator]
        Rule("first moment", "finite where ∫|x|/ϱ is: a > 2", lambda g: g["a"] > 2): "E|B|",  # type: ignore[operator]
        Rule("fourth moment", "finite where ∫x⁴/ϱ is: a > 5", lambda g: g["a"] > 5): "E B⁴",  # type: ignore[operator]
        Rule("at three", "finite from a = 3 on", lambda g: g["a"] >= 3): "the boundary",  # type: ignore[operator]
    },
    checks=(finite_or_not,),
    part_of="jin2021.proposition_8",
    rests_on=("jin2021.proposition_7_moments",),
)


REALISABILITY = claim(
    "jin2021.proposition_8_realisability",
    "next to Proposition 8",
    "A bounded law for every ζ with ∫ζ(1+x²) finite",
    """If m = ∫z(x)(1+x²)dx < ∞, let C have the density (1+c²)z(c)/m and (W, B) = ±√m (1, -C)/√(1+C²). Then (W, B) lies
    on a circle, hence is bounded, and its ζ is z. As ∫ζ(1+x²) = E W² + E B², the ζ of laws with finite second moments
    are exactly those with ∫ζ(1+x²) < ∞.""",
    latex=r"\zeta=z\ \text{for}\ (W,B)=\pm\sqrt m\,\frac{(1,-C)}{\sqrt{1+C^2}},\ p_C=(1+c^2)z/m",
    hypotheses=("z >= 0", "∫z(1+x²) < ∞"),
    formula="z",
    symbols={"z": "z(x), the prescribed ζ", "x": "x", "m": "∫z(1+x²)"},
    controls={
        "z*(1 + x**2)": "the density of the kinks",
        "z/(1 + x**2)": "W² counted twice",
        "z/m": "normalised",
        "z/sqrt(1 + x**2)": "|W| in place of W²",
        "Max(z, sign(floor(z*x)))": "at least 1 where z x >= 1",
        "Max(Min(z, m + 1), z*sign(z + x))": "at most m + 1 on the far left",
    },
    checks=(on_the_circle,),
    part_of="jin2021.proposition_8",
    rests_on=("jin2021.proposition_7_moments",),
    own=True,
)
