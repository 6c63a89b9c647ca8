"""Lemma 6 (page 11): the extreme points of one-dimensional data have their kinks at data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from implicitbias.claims import Context, Flaw, Observation, certificate, claim, rule, seen

from .errata import ANY_DIRECTION

Case = tuple[tuple[Fraction, ...], tuple[Fraction, ...]]


def greatest(a: tuple[Fraction, ...], v: tuple[Fraction, ...]) -> Fraction | None:
    """sup Σ v_j (u a_j + b)_+ over |u| <= 1 and all b; None if there is none.

    Where the same units are active the sum is linear in (u, b): an exact linear programme for each set of data.
    """
    from implicitbias.convex.programmes.linear_programme import Infeasible, Unbounded, minimise

    best = Fraction(0)  # u = b = 0
    for active in product((False, True), repeat=len(a)):
        slope = -sum((w * x for x, w, on in zip(a, v, active, strict=True) if on), Fraction(0))
        height = -sum((w for w, on in zip(v, active, strict=True) if on), Fraction(0))
        signs = [-1 if on else 1 for on in active]
        rows = [[s * x, Fraction(s)] for s, x in zip(signs, a, strict=True)]
        found = minimise([slope, height], A_ub=[*rows, [1, 0], [-1, 0]], b_ub=[0] * len(a) + [1, 1], free=True)
        if isinstance(found, Unbounded):
            return None
        if not isinstance(found, Infeasible):
            best = max(best, -found.value)
    return best


def cases(context: Context) -> Iterator[Case]:
    """Data and directions: simple and tied ones first, then random ones with zeros and both signs of the sum."""
    for data in ((0,), (0, 1), (0, 0, 1), (0, 1, 3)):
        for direction in product((0, 1, -1, 2, -2), repeat=len(data)):
            if len(data) < 3 or sum(direction) == 0:
                yield tuple(map(Fraction, data)), tuple(map(Fraction, direction))
    draw = context.random()
    for _ in range(context.choose(60, 400)):
        n = draw.randint(2, 5)
        a = tuple(Fraction(draw.randint(-6, 6), draw.choice((1, 2))) for _ in range(n))
        v = [Fraction(draw.randint(-4, 4)) for _ in range(n)]
        if draw.random() < 0.7:
            v[draw.randrange(n)] -= sum(v) + draw.choice((0, 0, 1))
        yield a, tuple(v)


@certificate("exact linear programmes")
def values(context: Context) -> Observation:
    """The greatest value along directions v with Σ v_j <= 0, from its definition."""
    for a, v in cases(context):
        value = greatest(a, v)
        if value is not None:
            yield seen(value, a=a, v=v)


@certificate("programmes with and without a bound")
def bounded(context: Context) -> Observation:
    """Whether there is a greatest value at all: an unbounded programme comes with a ray."""
    for a, v in cases(context):
        yield seen(greatest(a, v) is not None, a=a, v=v)


def along(given: Mapping[str, Any], u: int, kink: Fraction) -> Fraction:
    """What the unit (u x - u kink)_+ gives along v."""
    pairs = zip(given["a"], given["v"], strict=True)
    return sum((w * max(u * (x - kink), Fraction(0)) for x, w in pairs), Fraction(0))


@rule("the best unit ±(x - a_i)₊")
def at_data(given: Mapping[str, Any]) -> Fraction:
    """u = ±1 and b = -u a_i, the best of all i"""
    return max(along(given, u, kink) for u in (1, -1) for kink in given["a"])


@rule("to the right only")
def rightwards(given: Mapping[str, Any]) -> Fraction:
    """u = 1 and b = -a_i"""
    return max(along(given, 1, kink) for kink in given["a"])


@rule("at the first or the last datum")
def at_the_ends(given: Mapping[str, Any]) -> Fraction:
    """u = ±1 and the kink at the least or the greatest a_i"""
    return max(along(given, u, kink) for u in (1, -1) for kink in (min(given["a"]), max(given["a"])))


@rule("between the data")
def between(given: Mapping[str, Any]) -> Fraction:
    """u = ±1 and the kink midway between two data"""
    kinks = [Fraction(x + z, 2) for x, z in combinations(set(given["a"]), 2)]
    return max((along(given, u, kink) for u in (1, -1) for kink in kinks), default=Fraction(0))


@rule("sign(u) forgotten")
def sign_forgotten(given: Mapping[str, Any]) -> Fraction:
    """u = ±1 and b = -a_i whatever the sign of u: for u = -1 the kink is at -a_i"""
    return max(along(given, u, u * x) for u in (1, -1) for x in given["a"])


LEMMA_6 = claim(
    "ergen2021.lemma_6",
    "Lemma 6",
    "Extreme points of one-dimensional data",
    """Along a direction v with Σ v_j ≤ 0, the greatest Σ v_j (u a_j + b)₊ over |u| ≤ 1 and all b is attained with
    u = ±1 and b = -u a_i: the kink is at a datum.""",
    formula=at_data,
    symbols={"a": "the data", "v": "the direction"},
    controls={
        rightwards: "by symmetry one side might be enough",
        at_the_ends: "extreme points suggest extreme data",
        between: "where a decision boundary would be",
        sign_forgotten: "b = -a_i is easily remembered",
    },
    latex=r"\max_{|u|\le 1,\,b}\sum_j v_j(ua_j+b)_+=\max_{i,\ u=\pm1}\sum_j v_j\,(u(a_j-a_i))_+",
    hypotheses=("Σ v_j ≤ 0",),
    checks=(values,),
)


FOUND_BY_RIVALS = ((3, 9, 1, -6), (5, 6, 6, -6), (0, 0, 2, -2), (-9, 9, 5, -9), (-10, -3, -3, 1), (11, 1, -24, 3))
"""Data, and a direction, where a formula was wrong that everything before had accepted."""


@certificate("exact linear programmes for two data")
def of_two(context: Context) -> Observation:
    """The greatest value for two data, along directions that have one."""
    draw = context.random()
    small = product((0, 1, -1), repeat=4)
    drawn = [[draw.randint(-k, k) for k in draw.choices((3, 9, 30), k=4)] for _ in range(context.choose(800, 3000))]
    for a, b, p, q in (*small, *FOUND_BY_RIVALS, *drawn):
        if p + q <= 0:
            value = greatest((Fraction(a), Fraction(b)), (Fraction(p), Fraction(q)))
            yield seen(value, a=a, b=b, p=p, q=q)


TWO_DATA = claim(
    "ergen2021.lemma_6_two_data",
    "Lemma 6",
    "Two data",
    "For two data a and b and v = (p, q) with p + q ≤ 0 the greatest value is |a - b| max(p, q, 0).",
    formula="Abs(a - b)*Max(p, q, 0)",
    symbols={"a": "the first datum", "b": "the second", "p": "v₁", "q": "v₂"},
    controls={
        "Abs(a - b)*Max(p, q)": "forgets the unit that is off at both data",
        "Max(p*(a - b), q*(b - a), 0)": "units that open towards the left are forgotten",
        "Abs((a - b)*(p - q))/2": "right where p + q = 0",
    },
    latex=r"|a-b|\max(p,q,0)",
    hypotheses=("p + q ≤ 0",),
    domain=("p + q <= 0",),
    checks=(of_two,),
    part_of="ergen2021.lemma_6",
    rests_on=("ergen2021.lemma_6",),
)


@rule("Σ v_j ≤ 0")
def not_positive(given: Mapping[str, Any]) -> bool:
    """exactly where Σ v_j <= 0"""
    return sum(given["v"]) <= 0


@rule("for any vector v")
def always(given: Mapping[str, Any]) -> bool:
    """always"""
    return True


@rule("Σ v_j = 0")
def zero(given: Mapping[str, Any]) -> bool:
    """exactly where Σ v_j = 0"""
    return sum(given["v"]) == 0


@rule("every v_j ≤ 0")
def all_negative(given: Mapping[str, Any]) -> bool:
    """exactly where no v_j is positive"""
    return all(w <= 0 for w in given["v"])


DIRECTIONS = claim(
    "ergen2021.lemma_6_directions",
    "Lemma 6",
    "The directions that have an extreme point",
    "The greatest Σ v_j (u a_j + b)₊ over |u| ≤ 1 and all b exists exactly if Σ v_j ≤ 0.",
    formula=not_positive,
    symbols={"a": "the data", "v": "the direction"},
    controls={
        zero: "what the dual problem enforces where the output has a bias",
        all_negative: "a positive v_j rewards a large output at a_j",
    },
    checks=(bounded,),
    part_of="ergen2021.lemma_6",
    flaw=Flaw(ANY_DIRECTION, always),
)
