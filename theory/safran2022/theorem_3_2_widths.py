"""After Theorem 3.2: which widths it excludes, with which constant, and that it does so with some probability."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from implicitbias.claims import (
    Context,
    Derivation,
    Flaw,
    Measured,
    Observation,
    Rule,
    Step,
    Value,
    certificate,
    claim,
    proof,
    seen,
)


@proof("infimum over the widths")
def constant(d: Derivation) -> None:
    """Monotonicity, the limit and its zero."""
    import sympy

    from implicitbias.exact.symbolic import from_sympy

    c, alpha = d.symbols(c="positive", alpha="positive")
    bound = (1 - sympy.Rational(3, 4) * alpha) / 4
    least = sympy.limit(bound, alpha, c, "-")
    d.nonnegative("the bound falls with α", -sympy.diff(bound, alpha))
    d.step("so its infimum over all k < c·r is its limit at c", f"{least}")
    (root,) = sympy.solve(least, c)
    d.identity("it is positive below", root, sympy.Rational(4, 3), "c < 4/3")
    d.identity("at c = 13/10", least.subs(c, sympy.Rational(13, 10)), sympy.Rational(1, 160))
    d.concludes(from_sympy(least), "all c", over={"c": "positive"}, c="c")


CONSTANT = claim(
    "safran2022.theorem_3_2_constant",
    "before and after Theorem 3.2, of k >= ⌊1.3r⌋",
    "The absolute constant for widths below 1.3 r",
    """Over all widths k < c·r the bound of Theorem 3.2 has the infimum (1 - 3c/4)/4: it is 1/160 for c = 1.3 and
    positive for every c < 4/3, so 1.3 may be replaced by any number below 4/3.""",
    latex=r"\inf_{k<cr}\tfrac14(1-\tfrac34\tfrac kr)=\tfrac14(1-\tfrac34c)",
    formula="(1 - 3*c/4)/4",
    symbols={"c": "widths below c·r"},
    controls={
        "1/160": "the constant of 1.3 for every c",
        "(4/3 - c)/4": "the right threshold, another slope",
        "(1 - c/2)/4": "half of the neurons dead",
        "(1.34 - c)*3/16": "the threshold rounded up",
    },
    checks=(constant,),
    rests_on=("safran2022.theorem_3_2",),
    part_of="safran2022.theorem_3_2",
)


@certificate("widths one by one")
def excluded(context: Context) -> Observation:
    """The sign of the bound for all widths up to 2r."""
    for r in (*range(1, 31), 48, 99, 100, 240, 400):
        positive = [k for k in range(1, 2 * r + 1) if 1 - Fraction(3 * k, 4 * r) > 0]
        yield seen(max(positive), r=r)


EXCLUDED = claim(
    "safran2022.theorem_3_2_excluded_widths",
    "beside Theorem 3.2",
    "The widest networks that Theorem 3.2 excludes",
    "The bound of Theorem 3.2 is positive exactly for the widths k <= ⌊(4r - 1)/3⌋, that is for k < 4r/3.",
    latex=r"k\le\lfloor(4r-1)/3\rfloor",
    formula="floor((4*r - 1)/3)",
    symbols={"r": "width of the teacher"},
    controls={
        "floor(1.3*r)": "the remark's 1.3 taken as sharp",
        "floor(1.34*r)": "4/3 rounded up",
        "floor(4*r/3)": "at k = 4r/3 the bound is 0",
    },
    checks=(excluded,),
    rests_on=("safran2022.theorem_3_2",),
    own=True,
    part_of="safran2022.theorem_3_2",
)


def capable(given: Mapping[str, Value]) -> Value:
    return _int(given["k"]) >= _int(given["r"])


def never_below(given: Mapping[str, Value]) -> Value:
    return _int(given["k"]) >= 13 * _int(given["r"]) // 10


def strictly_wider(given: Mapping[str, Value]) -> Value:
    return _int(given["k"]) > _int(given["r"])


def from_four_thirds(given: Mapping[str, Value]) -> Value:
    return 3 * _int(given["k"]) >= 4 * _int(given["r"])


def _int(value: Value) -> int:
    assert isinstance(value, int)
    return value


@certificate("a ball of initialisations")
def observe_capable(context: Context) -> Observation:
    """Margins over a whole ball of parameters, bounded exactly; mistakes of every narrower network. A ball of starts
    around a scaled teacher, all margins at least 3 on it; or a mistake that every network makes.
    """
    from implicitbias.functions.network import Network

    from ..observed.margin.dead_neurons import least_mistakes, most_changes
    from ..observed.margin.sign_changes import alternating, crossing_points

    for r in (4, 5, 7, 10, 13):
        teacher = alternating(r)
        shift = 3  # to x > 0
        x = [Fraction(p + shift) for p in crossing_points(r)]
        b = [bias - shift * weight for weight, bias in zip(teacher.w, teacher.b, strict=True)]
        for k in sorted({r - 1, r, r + 1, 13 * r // 10 - 1, 13 * r // 10}):
            if k < r:
                possible = least_mistakes(r + 1, most_changes(k)) == 0
            else:
                rest = [Fraction(0)] * (k - r)
                centre = Network([2 * w for w in (*teacher.w, *rest)], [2 * c for c in (*b, *rest)],
                                 [2 * v for v in (*teacher.v, *rest)])  # fmt: skip
                radius = Fraction(1, 10**5)
                possible = least_margin(centre, x, [(-1) ** (i + 1) for i in range(len(x))], radius) >= 3
                yield Measured(f"r = {r}, k = {k}: radius", radius)
            yield seen(possible, r=r, k=k)
    note = (
        "every normal initialisation hits the ball with positive probability; there l <= log(1 + e^-3) < 1/16 at t = 0"
    )
    yield Step(note)


def least_margin(centre: object, x: list[Fraction], labels: list[int], radius: Fraction) -> Fraction:
    """A lower bound of y_i N(x_i) over all parameters within `radius` of the centre, each coordinate by itself."""
    from implicitbias.functions.network import Network

    assert isinstance(centre, Network)
    margins = []
    for place, label in zip(x, labels, strict=True):
        slack, value = radius * (abs(place) + 1), label * centre(place)
        for w, b, v in zip(centre.w, centre.b, centre.v, strict=True):
            unit = max(Fraction(0), w * place + b)
            value -= radius * (unit + slack) + abs(v) * slack
        margins.append(value)
    return min(margins)


SURELY = claim(
    "safran2022.theorem_3_2_probability",
    "before Theorem 3.2, of what gradient flow is not capable",
    "Narrow networks fail with some probability, not surely",
    """On the distributions of Theorem 3.2 (r >= 4, r + 1 switches) networks of width k reach a population loss below
    any constant with positive probability over the initialisation if and only if k >= r: near a scaled teacher every
    initialisation has small loss from the start, and fewer than r neurons always leave a mistake. For r <= k < 4r/3
    Theorem 3.2 excludes success with probability 1, not success.""",
    latex=r"P(L_D<c)>0\iff k\ge r",
    hypotheses=(
        "normal initialisation of any scales: every ball has positive probability",
        "r >= 4, m = r + 1 switches",
    ),
    formula=Rule("from the teacher's width on", "small loss has positive probability iff k >= r", capable),
    flaw=Flaw(
        printed=Rule(
            "not below 1.3 r", "loss below the constant has positive probability only if k >= ⌊1.3 r⌋", never_below
        ),
        word="imprecise wording",
        wrong="widths from r to ⌊1.3r⌋ - 1 start near a scaled teacher with positive probability, and then succeed.",
        sure="certain",
        charitable="the theorem that follows has the probability: gradient flow fails with probability at least 1/4.",
    ),
    controls={
        Rule("wider than the teacher", "only if k > r", strictly_wider): "over-parametrisation in the strict sense",
        Rule("four thirds", "only if k >= 4r/3", from_four_thirds): "where the bound of the theorem becomes 0",
    },
    checks=(observe_capable,),
    rests_on=("safran2022.theorem_3_2", "safran2022.sign_changes"),
    part_of="safran2022.theorem_3_2",
)
