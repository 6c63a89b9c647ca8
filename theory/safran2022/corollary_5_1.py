"""Corollary 5.1: the bound without an unspecified constant, and the number of labellings."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import comb
from typing import cast

from implicitbias.claims import Context, Observation, Premise, Step, Value, certificate, claim, rule, seen

from ..observed.data.targets import fewest_regions


def growth(n: int, m: int) -> int:
    """Labellings of n points by signs of functions with at most m regions: 2 Σ_{j<=m} C(n - 1, j)."""
    term = total = 1
    for j in range(1, min(m, n - 1) + 1):
        term = term * (n - j) // j  # C(n - 1, j)
        total += term
    return 2 * total


SETTINGS = (
    (1, Fraction(1, 2), Fraction(1, 2)),
    (1, Fraction(1, 10), Fraction(1, 100)),
    (3, Fraction(1, 100), Fraction(1, 10)),
    (50, Fraction(1, 2), Fraction(1, 2)),
    (10, Fraction(1, 1000), Fraction(1, 10**6)),
    (1, Fraction(1, 10**15), Fraction(1, 2)),
    (1, Fraction(1, 2), Fraction(1, 10**1000)),
    *((r, Fraction(1, a), Fraction(1, b)) for r, a, b in product((1, 2, 6, 16), (2, 9, 70), (2, 10**3, 10**9))),
)


def enough(r: int, eps: Fraction, delta: Fraction) -> int:
    """The least n, up to a relative error of 1/16000, with 2 Π(2n) 2^{-εn/2} <= δ, Π exact for 32r + 67 regions."""
    regions = 32 * r + 67

    def holds(n: int) -> bool:
        return bool(2 * growth(2 * n, regions) <= delta * 2 ** int(eps * n / 2))

    low, high = 1, 2
    while not holds(high):
        low, high = high, 2 * high
    while high - low > max(1, high // 16_000):
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


WIDE = (
    *product((300, 5000), (Fraction(1, 2), Fraction(1, 90)), (Fraction(1, 2), Fraction(1, 10**9))),
    *product((300, 10**5), (Fraction(1, 10**6),), (Fraction(1, 2), Fraction(1, 10**3000))),
    *product((10**6, 10**9), (Fraction(1, 2), Fraction(1, 10**15)), (Fraction(1, 3),)),
    *product((1, 80), (Fraction(1, 2), Fraction(1, 10**12)), (Fraction(1, 10**4200),)),
    *product((1, 7, 300), (Fraction(1, 10**200),), (Fraction(1, 2),)),
)
"""Settings with too many labellings to count, by width of the teacher, error and δ."""


def enough_by_balls(r: int, eps: Fraction, delta: Fraction) -> int:
    """An n with 2 Π(2n) 2^{-εn/2} <= δ: the least up to a relative error of 1/16000, and 2/ε more.

    Π(2n)/2 = Σ_{j<=m} C(2n - 1, j) is no more than C(2n - 1, m)/(1 - q), q = m/(2n - m) < 1 bounding the ratios of its
    terms; what that gives away is a bit at most, for 2n >= 4m, which 2/ε data make good.
    """
    import flint

    from implicitbias.exact.enclosure import to_arb

    m = 32 * r + 67
    with flint.ctx.workprec(2000):  # n may have some 700 bits, and logarithms of its factorial nearly cancel
        confidence, share = to_arb(delta).log(), to_arb(eps) * flint.arb(2).log() / 2

        def holds(n: int) -> bool:
            whole, chosen, rest = (flint.arb(k + 1).lgamma() for k in (2 * n - 1, m, 2 * n - 1 - m))
            labellings = flint.arb(2).log() + whole - chosen - rest - (1 - flint.arb(m) / (2 * n - m)).log()
            return bool(flint.arb(2).log() + labellings - share * n <= confidence)

        low, high = 2 * m, 4 * m
        while not holds(high):
            low, high = high, 2 * high
        while high - low > max(1, high // 16_000):
            middle = (low + high) // 2
            low, high = (low, middle) if holds(middle) else (middle, high)
        return high


@certificate("double sample bound with exact counts")
def least_sample_sizes(context: Context) -> Observation:
    """The n that the argument needs, by integers, and by balls where there are too many labellings."""
    large = True
    needed = [(setting, enough(*setting)) for setting in SETTINGS]
    needed += [(setting, enough_by_balls(*setting)) for setting in WIDE]
    for (r, eps, delta), n in needed:
        large = large and n * eps >= 4 * (32 * r + 67)
        yield seen(n, "double sample bound", relation="<=", r=r, eps=eps, delta=delta)
    yield Premise("n >= 4m/ε, so the bound falls from there on", large, "Π(2n + 2)/Π(2n) < 2^{ε/2}")
    yield Step(
        "the limit classifies the sample correctly with m = 32r + 67 regions; a consistent classifier of such a "
        "class has error above ε with probability at most 2 Π(2n) 2^{-εn/2} (Blumer et al. 1989), n >= 8/ε"
    )
    yield Step("the same theorem: n >= max((4/ε) log2(2/δ), (8d/ε) log2(13/ε)) suffices, d = 32r + 68 <= 100r")
    yield Step("for ε <= 1/2: log2(13/ε) <= log2(26)/log 2 · log(1/ε) < 6.782 log(1/ε)", "800·6.782 < 5430")
    yield Step("for δ <= 1/2: 4 log2(2/δ) <= 8/log 2 · log(1/δ) < 5430 log(1/δ)")


EXPLICIT = claim(
    "safran2022.corollary_5_1",
    "Corollary 5.1, the sample size",
    "The sample size with an explicit constant",
    """For ε, δ <= 1/2 the constant C_0 = 5430 serves: with n >= 5430·(r·log(1/ε) + log(1/δ))/ε data every classifier
    with at most 32r + 67 linear regions that fits the sample has error at most ε, with probability 1 - δ. The bound is
    compared with the least n for which the double sample argument, with the exact number of labellings, gives it.""",
    latex=r"n\ge 5430\,\frac{r\log(1/\varepsilon)+\log(1/\delta)}{\varepsilon}",
    hypotheses=(
        "0 < ε, δ <= 1/2 (near 1 both logarithms vanish, and no constant can serve the argument)",
        "independent data, equal points have equal labels",
        "the limit fits the sample and has at most 32r + 67 regions (the existence of t_0 is part of the event whose "
        "probability is bounded, not a condition)",
    ),
    formula="5430*(r*log(1/eps) + log(1/delta))/eps",
    symbols={"r": "width of the teacher", "eps": "error", "delta": "confidence parameter δ"},
    domain=("r >= 1", "0 < eps", "eps <= 1/2", "0 < delta", "delta <= 1/2"),
    controls={
        "500*(r*log(1/eps) + log(1/delta))/eps": "a constant that the argument does not give",
        "5430*(log(1/eps) + log(1/delta))/eps": "no dependence on the width of the teacher",
        "5430*(r + log(1/delta))/eps": "no logarithm of 1/ε",
        "5430*(r*log(1/eps) + log(1/delta))": "the division by ε left out",
        "5430*r*log(1/eps)/eps": "no dependence on the confidence",
    },
    checks=(least_sample_sizes,),
    rests_on=("safran2022.corollary_5_1_growth", "safran2022.section_5_vc_regions"),
    formerly=("safran2022.corollary_5_1_event",),
)


@rule("at most m switches")
def switches_at_most_m(given: Mapping[str, Value]) -> Value:
    """2 Σ_{j<=m} C(n - 1, j) labellings"""
    return growth(cast(int, given["n"]), cast(int, given["m"]))


@rule("Sauer's bound")
def sauer(given: Mapping[str, Value]) -> Value:
    """Σ_{j<=m+1} C(n, j) labellings"""
    return sum(comb(cast(int, given["n"]), j) for j in range(cast(int, given["m"]) + 2))


@rule("one switch per kink")
def one_less(given: Mapping[str, Value]) -> Value:
    """2 Σ_{j<m} C(n - 1, j) labellings"""
    return growth(cast(int, given["n"]), cast(int, given["m"]) - 1)


@rule("all")
def all_labellings(given: Mapping[str, Value]) -> Value:
    """2^n labellings"""
    return int(2 ** cast(int, given["n"]))


@certificate("labellings one by one")
def labellings(context: Context) -> Observation:
    """Every labelling of up to eight points, with a function of as few regions as its switches allow."""
    draw = context.random()
    for n in range(1, context.choose(9, 12)):
        points = sorted(Fraction(p, 3) for p in draw.sample(range(-40, 40), n))
        regions = [fewest_regions(points, labels) for labels in product((1, -1), repeat=n)]
        for m in range(1, n + 1):
            yield seen(sum(needed <= m for needed in regions), n=n, m=m)


GROWTH = claim(
    "safran2022.corollary_5_1_growth",
    "next to Corollary 5.1",
    "Labellings by functions with few regions",
    """Functions with at most m regions label n points on the line in exactly 2·Σ_{j<=m} C(n - 1, j) ways: the
    labellings with at most m switches. This is C(n - 1, m + 1) fewer than the Sauer bound for their VC dimension m +
    1.""",
    latex=r"\Pi_m(n)=2\sum_{j\le m}\binom{n-1}{j}",
    hypotheses=("m >= 1", "distinct points", "sign(0) = -1"),
    formula=switches_at_most_m,
    controls={
        sauer: "the bound by the VC dimension alone",
        one_less: "m regions, m - 1 switches",
        all_labellings: "as for n <= m + 1",
    },
    checks=(labellings,),
    rests_on=("safran2022.section_5_vc_regions",),
    own=True,
    part_of="safran2022.corollary_5_1",
)
