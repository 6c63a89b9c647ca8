"""Definition (6), uniform approximation on the whole line: the functions of finite cost."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise

from implicitbias.claims import (
    Context,
    Flaw,
    Measured,
    Observation,
    Premise,
    Rule,
    Value,
    certificate,
    claim,
    rule,
    seen,
)

from ..observed.cheapest.cheapest_measure import cheapest_measure
from ..observed.functions.piecewise_linear_cases import in_words, random_cases, simple_cases, with_room
from ..observed.functions.smooth_functions import SMOOTH, Analysis, analyse
from ..observed.units.approaching_networks import distance_from_affine, enclosure_of_the_cost
from . import errata

FINITE, INFINITE = "finite", "infinite"


@certificate("near networks, or none")
def finite_or_infinite(context: Context) -> Observation:
    """For each function certified networks of bounded cost ever closer in sup norm, or a distance that every finite
    network keeps.
    """
    distances = {}
    sizes = context.choose((60, 240), (200, 3200))
    for function in SMOOTH:
        found = analyse(function)
        near, far = networks_come_near(found, sizes), no_network_is_near(found)
        yield Premise(f"{function.name}: decided one way", near.closer != (far is not None))
        distances[function.name] = near.distances if near.closer else f"at least {float(far or 0):.3g}"
        yield seen(
            FINITE if near.closer else INFINITE,
            function.name,
            f=function.formula,
            **{
                "∫|f''| finite": True,
                "limit of f - f'(-∞)x": function.left_intercept is not None,
                "limit of f - f'(+∞)x": function.right_intercept is not None,
                "f bounded": found.extremes[0] == found.extremes[-1] == 0
                and None not in (function.left_intercept, function.right_intercept),
            },
        )
    for name, formula, asymptotes, certified in _of_infinite_variation():
        yield Premise(f"{name}: proved", certified)
        yield seen(
            INFINITE,
            name,
            f=formula,
            **{
                "∫|f''| finite": False,
                "limit of f - f'(-∞)x": asymptotes,
                "limit of f - f'(+∞)x": asymptotes,
                "f bounded": asymptotes or name == "sine",
            },
        )
    yield Measured("distances", distances)


class Nearness:
    """Certified distances of two networks, the second with more kinks; `closer`: both finite, clearly decreasing."""

    def __init__(self, distances: tuple[float, ...]) -> None:
        self.distances = distances
        self.closer = len(distances) == 2 and distances[1] < distances[0] / 4


def networks_come_near(found: Analysis, sizes: tuple[int, int]) -> Nearness:
    """Explicit networks of cost at most max(T, |s|), their sup distance certified on the whole line, if finite."""
    try:
        reached = [enclosure_of_the_cost(found, units, weighted=False) for units in sizes]
    except ArithmeticError:
        return Nearness(())
    return Nearness(tuple(float(r.error) for r in reached))


def no_network_is_near(found: Analysis) -> Fraction | None:
    """A distance that every finite network keeps, if one can be certified: beyond its last kink it is affine.

    For every X tried there are three places beyond X where f is at least 1 off every affine function; that X may be
    any number follows from the divergence of f - f'(±∞)x, which `analyse` proved.
    """
    worst = []
    for side in (1, -1):
        bounds = []
        for X in (Fraction(1), Fraction(10**3), Fraction(10**6)):
            a, b, c = side * X, side * X * 10**3, side * X * 10**9
            bounds.append(distance_from_affine(found, (a, b, c)))
        worst.append(min(bounds))
    return max(worst) if max(worst) >= 1 else None


def _of_infinite_variation() -> list[tuple[str, str, bool, bool]]:
    """Functions with ∫|f''| = ∞: name, formula, whether f has affine asymptotes, whether (6) is proved infinite."""
    from implicitbias.exact.enclosure import enclose, lower, upper

    def off_chord(formula: str, *places: Fraction) -> Fraction:
        fa, fb, fc = (enclose(formula, x=x) for x in places)
        t = (places[1] - places[0]) / (places[2] - places[0])
        low, high = lower(fa) * (1 - t) + lower(fc) * t, upper(fa) * (1 - t) + upper(fc) * t
        return max(lower(fb) - high, low - upper(fb), Fraction(0)) / 2

    starts = [Fraction(10) ** n for n in range(7)]
    square = all(off_chord("x**2", X, 3 * X, 5 * X) >= 1 for X in starts)
    wave = all(
        max(off_chord("sin(x)", *(X + Fraction(i, 2) + k * Fraction(355, 113) for k in range(3))) for i in range(7))
        > Fraction(1, 2)
        for X in starts
    )
    # a network within e of min(√|x|, 1) has slopes >= 4e/d - 2e/d on (0, d) and as negative ones on (-d, 0), d = 16e²
    needed = []
    for n in (5, 7, 9):
        e = Fraction(1, 2**n)
        d = 16 * e**2
        values = [enclose("Min(sqrt(Abs(x)), 1)", x=x) for x in (-d, Fraction(0), d)]
        slopes = [(upper(values[1]) - lower(values[0]) + 2 * e) / d, (lower(values[2]) - upper(values[1]) - 2 * e) / d]
        needed.append(slopes[1] - slopes[0])
    cusp = all(b >= 4 * a > 0 for a, b in pairwise(needed))
    return [
        ("square", "x**2", False, square),
        ("sine", "sin(x)", False, wave),
        ("cusp", "Min(sqrt(Abs(x)), 1)", True, cusp),
    ]


def _finite_if(condition: bool) -> str:
    return FINITE if condition else INFINITE


@rule("variation and asymptotes")
def variation_and_asymptotes(given: Mapping[str, Value]) -> Value:
    """finite exactly if ∫|f''| is finite and f has an affine asymptote at both ends"""
    return _finite_if(bool(given["∫|f''| finite"] and given["limit of f - f'(-∞)x"] and given["limit of f - f'(+∞)x"]))


@rule("one asymptote")
def one_asymptote(given: Mapping[str, Value]) -> Value:
    """one affine asymptote is enough"""
    some = given["limit of f - f'(-∞)x"] or given["limit of f - f'(+∞)x"]
    return _finite_if(bool(given["∫|f''| finite"] and some))


UNIFORM = claim(
    "savarese2019.definition_6",
    "(6) and the text after (7), with Theorem 3.1",
    "Functions of finite cost under uniform approximation",
    """With the sup norm over all of ℝ in (6), R̄(f) is finite if and only if ∫|f''| < ∞ and both limits of f(x) -
    f'(±∞)x, x → ±∞, exist and are finite (judged for the functions of our list). A finite network is affine near ±∞,
    so its sup distance is infinite from log(1 + x²), for which ∫|f''| = 4 and s = 0, and from x·arctan x - ½log(1 +
    x²), for which ∫|f''| = π. So for B above its cost the latter is an expectation over ReLUs of mass at most B, from
    α(1,b) = 1/(1 + b²) for b > 0 and α(-1,b) = 1/(1 + b²) for b < 0, but no uniform limit of networks of cost at most
    B: the closure in (6) is smaller than the set of expectations that the text after (7) names.""",
    part_of="savarese2019.equation_8",
    latex=r"\bar R_{(6)}(f)<\infty\iff\int|f''|<\infty\ \text{and}\ f(x)-f'(\pm\infty)x\ \text{converge}",
    hypotheses=("f is continuous",),
    formula=variation_and_asymptotes,
    flaw=Flaw(
        errata.DEFINITION_6,
        Rule(
            "variation alone",
            "finite exactly if ∫|f''| is finite",
            lambda given: _finite_if(bool(given["∫|f''| finite"])),
        ),
    ),
    controls={
        Rule(
            "asymptotes alone",
            "finite if f has affine asymptotes",
            lambda given: _finite_if(bool(given["limit of f - f'(-∞)x"] and given["limit of f - f'(+∞)x"])),
        ): "a cusp has them too",
        one_asymptote: "the other end is free",
        Rule(
            "right asymptote",
            "an asymptote at +∞ is enough",
            lambda given: _finite_if(bool(given["∫|f''| finite"] and given["limit of f - f'(+∞)x"])),
        ): "as for even functions",
        Rule(
            "bounded",
            "finite only for bounded f",
            lambda given: _finite_if(bool(given["∫|f''| finite"] and given["f bounded"])),
        ): "[x]₊ is not bounded",
    },
    checks=(finite_or_infinite,),
    rests_on=("savarese2019.theorem_3_1",),
    formerly=("savarese2019.sublevel_sets",),
)


@certificate("networks near smooth functions, multipliers for exact ones")
def weighted_distance(context: Context) -> Observation:
    """The cost of approaching f in sup |h - f|/(1 + |x|): enclosed for smooth functions, with and without asymptotes,
    and exact for piecewise-linear ones.
    """
    errors = {}
    for label, f in simple_cases() + random_cases(context.random(), context.choose(12, 20)):
        found = cheapest_measure(f, with_room(f))
        yield seen(found.cost, label, T=f.total_variation, s=f.end_slope_sum, **in_words(f))
    for function in SMOOTH:
        smooth = analyse(function)
        enclosed = enclosure_of_the_cost(smooth, context.choose(120, 2000), weighted=True)
        errors[function.name] = float(enclosed.error)
        yield seen(enclosed.cost, function.name, T=smooth.T_enclosure, s=smooth.s_enclosure, f=function.formula)
    yield Measured("weighted distance of the network", errors)


WEIGHTED = claim(
    "savarese2019.definition_6_weighted",
    "beside (6)",
    "Definition (6) with a linear weight",
    """With sup_x |h(x) - f(x)|/(1 + |x|) instead of the sup norm, (6) gives max(∫|f''|, |s|) for every f with ∫|f''| <
    ∞. Below: a bound of the form Σν_n h(x_n) + μ₋h'(-∞) + μ₊h'(+∞) changes by O(ε), as end slopes are continuous in
    this norm. Above: inscribe a network in f on [-K, K] and continue it with the slopes f'(±∞); the weighted error
    outside is at most sup_{|x|>K} |f' - f'(±∞)| → 0, and the slope varies at most ∫|f''|.""",
    part_of="savarese2019.equation_8",
    latex=r"\lim_{\epsilon\to0}\inf\{C(\theta):|h_\theta-f|\le\epsilon(1+|x|)\}=\max\Bigl(\int|f''|,|s|\Bigr)",
    hypotheses=("∫|f''| is finite",),
    formula="Max(T, Abs(s))",
    symbols={"T": "∫|f''|", "s": "f'(-∞) + f'(+∞)"},
    controls={
        "Max(T, (T + Abs(s))/2)": "the locally uniform closure, where kinks may run away",
        "T + Abs(s)": "a sum instead of the maximum",
        "T": "end slopes free",
        "Abs(s)": "variation free",
    },
    checks=(weighted_distance,),
    rests_on=("savarese2019.theorem_3_1",),
    own=True,
)
