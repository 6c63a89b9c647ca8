"""The inequality of Theorem 3.1, and (23), from which it follows: variation and one slope bound the cost."""

from __future__ import annotations

from itertools import pairwise

from implicitbias.claims import Context, Derivation, Measured, Observation, certificate, claim, proof, seen
from implicitbias.exact.formula import Assumption

from ..observed.cheapest.cheapest_measure import cheapest_measure
from ..observed.functions.piecewise_linear_cases import in_words, random_cases, simple_cases, with_room


@proof("both end slopes from one")
def farthest_end_slopes(d: Derivation) -> None:
    """Both end slopes from f'(x) and the variation on either side, for all signs, and a function that attains the
    bound.
    """
    import sympy

    y, left, right, D, p, q = d.symbols("y left right", D="nonnegative", p="nonnegative", q="nonnegative")
    d.step(
        "f'(-∞) = f'(x) - ∫_{-∞}^x f'' and f'(+∞) = f'(x) + ∫_x^∞ f''; write y = f'(x), left and right for the "
        "integrals"
    )
    s = (y - left) + (y + right)
    bound = sympy.Abs(2 * y) + sympy.Abs(left) + sympy.Abs(right)
    slack = [sympy.Max(-2 * y, 0), sympy.Max(left, 0), sympy.Max(-right, 0)]
    d.identity("what is missing to the bound is twice a sum of terms >= 0", bound - s, 2 * sum(slack, sympy.Integer(0)))
    d.step("the same for -f; |left| + |right| <= T", "|s| <= 2|f'(x)| + T")
    attained = sympy.expand(s.subs({y: D, left: -p, right: q}))
    d.identity("y = D, left = -p, right = q: f' grows to both sides, T = p + q", attained, 2 * D + p + q)
    variables: dict[str, Assumption] = {"D": "nonnegative", "p": "nonnegative", "q": "nonnegative"}
    d.concludes(attained, "the largest |s| at these D and T", over=variables, D="D", T="p + q")


@certificate("end slopes of exact functions")
def end_slopes_of_functions(context: Context) -> Observation:
    """|s| of exact functions, against D = |f'(x)| on every piece; equality where f' moves off zero to both sides."""
    instances = []
    for label, f in simple_cases() + random_cases(context.random(), context.choose(5, 40)):
        for i, slope in enumerate(f.slopes):
            sign = 1 if slope > 0 or (slope == 0 and f.end_slope_sum >= 0) else -1
            off_zero = all(sign * (b - a) >= 0 for a, b in pairwise(f.slopes[i:])) and all(
                sign * (b - a) <= 0 for a, b in pairwise(f.slopes[: i + 1])
            )
            instances.append(
                seen(
                    abs(f.end_slope_sum),
                    label,
                    relation="=" if off_zero else "<=",
                    T=f.total_variation,
                    D=abs(slope),
                    slopes=f.slopes,
                    s=f.end_slope_sum,
                )
            )
    attained = sum(i.relation == "=" for i in instances)
    yield from instances
    yield Measured("pieces", len(instances))
    yield Measured("attained on", attained)


@proof("largest cost at given variation and slope")
def bound_attained(d: Derivation) -> None:
    """The largest cost among functions with given T and inf|f'|, by the variation left and right of x."""
    import sympy

    from implicitbias.exact.symbolic import from_sympy

    D, p, q, a, b = d.symbols(D="nonnegative", p="nonnegative", q="nonnegative", a="nonnegative", b="nonnegative")
    d.step(
        "pass from x, where f'(x) has modulus D, to both ends: f' changes by a and b with |a| <= p, |b| <= q, T = p + q"
    )
    d.identity(
        "the end slopes add up to at most 2D + T: what is missing is a sum of terms >= 0 (a, b: the unused variation)",
        2 * D + (p + q) - ((D + p - a) + (D + q - b)),
        a + b,
    )
    d.step("the cost is the larger of T and |s|, and T <= T + 2D", "max(T, |s|) <= T + 2D")
    s = (D + p) + (D + q)
    d.identity("f' falling to D and rising again, all values >= D: the cost is |s|", sympy.Max(p + q, s), s)
    derived = from_sympy(sympy.expand(s))
    d.concludes(
        derived,
        "largest cost at these T and D",
        over={"D": "nonnegative", "p": "nonnegative", "q": "nonnegative"},
        T="p + q",
        D="D",
    )


@certificate("cost by linear programme")
def bound_on_functions(context: Context) -> Observation:
    """The exact cost by linear programme, against T and the least |slope|; equality where f' moves away from zero."""
    instances = []
    for label, f in simple_cases() + random_cases(context.random(), context.choose(4, 30)):
        steepness = min(abs(slope) for slope in f.slopes)
        slopes = f.slopes
        valley = slopes.index(min(slopes, key=abs))
        sign = 1 if slopes[valley] >= 0 else -1
        rising = all(sign * (b - a) >= 0 for a, b in pairwise(slopes[valley:]))
        falling = all(sign * (b - a) <= 0 for a, b in pairwise(slopes[: valley + 1]))
        cost = cheapest_measure(f, with_room(f)).cost
        instances.append(
            seen(
                cost,
                label,
                relation="=" if steepness == 0 or (rising and falling) else "<=",
                T=f.total_variation,
                D=steepness,
                **in_words(f),
            )
        )
    attained = sum(i.relation == "=" for i in instances)
    yield from instances
    yield Measured("attained in", attained)
    yield Measured("of", len(instances))


INEQUALITY = claim(
    "savarese2019.theorem_3_1_inequality",
    "Theorem 3.1, inequality, and (23)",
    "Bound by variation and least slope",
    """|f'(-∞) + f'(+∞)| ≤ 2|f'(x)| + ∫|f''| at every x where f is differentiable, attained if f' moves away from zero
    on both sides of x. Hence R̄(f) ≤ ∫|f''| + 2 inf|f'|. Where inf|f'| is positive this is attained exactly if f' moves
    away from zero on both sides of the place where |f'| is least (f = x); where it is zero, always (f = [x]₊).""",
    part_of="savarese2019.theorem_3_1",
    latex=r"\bar R(f)\le\int|f''|+2\inf_x|f'(x)|",
    hypotheses=("∫|f''| is finite", "the infimum runs over points where f is differentiable"),
    formula="T + 2*D",
    symbols={
        "T": "∫|f''|, the total variation of f'",
        "D": "|f'(x)|, or for the cost inf|f'| over the points where f is differentiable",
    },
    controls={
        "T + D": "one of the two end slopes forgotten: f = x costs 2, with T = 0, D = 1",
        "2*T + 2*D": "the variation counted towards both ends",
        "Max(T, 2*D)": "a maximum, as in the theorem itself",
        "T": "no least slope",
        "2*D": "the variation forgotten",
    },
    checks=(bound_attained, bound_on_functions, farthest_end_slopes, end_slopes_of_functions),
    rests_on=("savarese2019.theorem_3_1",),
    formerly=("savarese2019.equation_23",),
)
