"""After problem (21): the sparsest network through the data over free locations, beside the minimiser of (20)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from random import Random
from typing import cast

from implicitbias.claims import (
    Attached,
    Context,
    Observation,
    Premise,
    Rule,
    Step,
    Value,
    certificate,
    claim,
    rule,
    seen,
)
from implicitbias.exact.vectors import Rational, dot, relu

from ..observed.measures.contact_sets import Point, lift, touching, unit
from ..observed.measures.exact_cases import Case
from ..observed.measures.fewest_neurons import fewest_neurons

Labels = tuple[Fraction, ...]


def exclusive_or(
    a: Fraction, b: Fraction, half: Fraction, labels: tuple[Fraction, Fraction]
) -> tuple[list[Point], Labels]:
    """(±a, 0) and (0, ±b), with a label for each pair, turned by the angle whose half has the tangent `half`."""
    cos, sin = (1 - half**2) / (1 + half**2), 2 * half / (1 + half**2)
    along, across = (a * cos, a * sin), (-b * sin, b * cos)
    points = [lift([side * t for t in x]) for x in (along, across) for side in (1, -1)]
    return points, (labels[0], labels[0], labels[1], labels[1])


def minimiser(label: str, points: Sequence[Point], y: Labels) -> Case:
    """The minimiser of (20) for inputs ±x, ±x' with equal labels at each pair, and its dual on all cells, in rationals.

    The dual is guessed by a linear programme over the constant neuron and the rational directions in which two data
    are at the hinge, then made equal at ±x. Raises ArithmeticError if it is infeasible or does not prove the masses.
    """
    from implicitbias.convex.cells.arrangement import cells_of
    from implicitbias.convex.programmes.linear_programme import optimum

    directions: list[Point] = [unit((0, 0, 1))]
    for ray in cells_of([x[:-1] for x in points]).rays:
        try:
            directions.append(unit(ray))
        except ValueError:
            continue
    rows = [[s * relu(dot(t, x)) for s in (1, -1) for t in directions] for x in points]
    guess = optimum([1] * len(rows[0]), rows, y).dual_eq
    p = tuple((guess[i] + guess[i ^ 1]) / 2 for i in range(4))
    touch = touching(points, p)
    features = [[c.sign * relu(dot(c.theta, x)) for c in touch.contacts] for x in points]
    if touch.largest != 1:
        raise ArithmeticError(f"{label}: the dual exceeds 1 on some cell")
    sizes = optimum([1] * len(touch.contacts), features, y).primal
    masses = tuple(c.sign * m for c, m in zip(touch.contacts, sizes, strict=True))
    found = Case(label, tuple(points), p, masses, touch)
    if found.value != sum(sizes) or found.y != y:
        raise ArithmeticError(f"{label}: the masses on the contacts do not interpolate at the dual's value")
    return found


def rhombi(draw: Random, count: int) -> Iterator[tuple[Fraction, Fraction]]:
    """Half diagonals a, b with ½ ≤ a/b ≤ 2: unit and equal ones, 1/a and 1/b about ½ apart, and any."""
    yield from ((Fraction(1), Fraction(1)), (Fraction(1, 5), Fraction(1, 5)), (Fraction(9), Fraction(9)))
    half = Fraction(1, 2)
    for k in range(count):
        gap = half + Fraction(draw.choice((1, -1)), draw.randint(3, 40)) if k % 2 else _ratio(draw)
        if gap == half:
            continue
        smaller = gap + (0 if k % 4 == 3 else _ratio(draw))  # at least the gap: the ratio is at most 2
        pair = (1 / smaller, 1 / (smaller + gap))
        yield pair if draw.random() < 0.5 else pair[::-1]


def _ratio(draw: Random) -> Fraction:
    return Fraction(draw.randint(1, 12), draw.randint(1, 12))


@certificate("certified minimisers and all choices of cells")
def counted(context: Context) -> Observation:
    """Neurons of the only minimiser, from its contacts, and the fewest of any network, by an exhaustive search."""
    draw = context.random()
    only, through, excluded = True, True, 0
    for k, (a, b) in enumerate(rhombi(draw, context.choose(9, 120))):
        sign = draw.choice((1, -1))
        points, y = exclusive_or(a, b, Fraction(draw.randint(0, 6), 6), (sign * _ratio(draw), -sign * _ratio(draw)))
        case = minimiser(f"(±{a}, 0), (0, ±{b}) turned", points, y)
        least = fewest_neurons(points, y)
        only = only and case.unique
        through = through and least.passes(points, y)
        excluded += least.excluded
        yield seen((sum(map(bool, case.masses)), len(least.neurons)), case.label, a=a, b=b, x=case.x, y=y)
        if k < 4:
            yield Attached(case.document())
    yield Premise("every minimiser is on the contacts, with these masses", only)
    yield Premise("the networks with the fewest neurons interpolate", through)
    yield Step("fewer neurons: each choice of signed cells is excluded by a Farkas proof", f"{excluded} choices")


def _four_below(given: Mapping[str, Value], most: Rational, power: int = -1) -> int:
    """Four if |a^power - b^power| is less than `most`, else three."""
    a, b = cast(Fraction, given["a"]), cast(Fraction, given["b"])
    return 4 if abs(Fraction(a) ** power - Fraction(b) ** power) < most else 3


@rule("the constant")
def _counts(given: Mapping[str, Value]) -> Value:
    """the minimiser has four neurons if |1/a - 1/b| < 1/2, else three; three are the fewest"""
    return _four_below(given, Fraction(1, 2)), 3


SPARSEST = claim(
    "dedios2020.equation_21_sparsest",
    "after problem (21)",
    "The least total variation is not the fewest neurons",
    """On the exclusive or, (±a, 0) with one label and (0, ±b) with one of the other sign, three neurons interpolate and
    two never do. The minimiser of (20) is the only one; it has four neurons, one for each datum, if |1/a - 1/b| < ½,
    and three, one of them constant, if |1/a - 1/b| > ½. So z* is the sparsest solution of (21) with the locations held
    at its own, where it is the only one; over free locations it solves the ℓ0 problem in the second case only.""",
    latex=r"""\min_{f(x_i)=y_i}\#\text{neurons}=3,\qquad\|z^*\|_0=\begin{cases}4&|1/a-1/b|<\tfrac12\\
    3&|1/a-1/b|>\tfrac12\end{cases}""",
    hypotheses=("½ ≤ a/b ≤ 2", "|1/a - 1/b| ≠ ½", "the inputs turned by any angle"),
    formula=_counts,
    controls={
        Rule("sparsest", "the minimiser is the sparsest network", lambda given: (3, 3)): "an ℓ1 solution is an ℓ0 one",
        Rule("one a datum", "a neuron for each datum, and no fewer do", lambda given: (4, 4)): "as many as data",
        Rule("never", "the minimiser has always one too many", lambda given: (4, 3)): "the constant never pays",
        Rule("two", "one neuron for each label", lambda given: (_four_below(given, Fraction(1, 2)), 2)): (
            "a neuron for each class"
        ),
        Rule("lengths", "by |a - b| < 1/2", lambda given: (_four_below(given, Fraction(1, 2), 1), 3)): (
            "lengths in place of their reciprocals"
        ),
        Rule("price", "by |1/a - 1/b| < 1", lambda given: (_four_below(given, 1), 3)): (
            "the constant counted for one pair"
        ),
        Rule("square", "four where a = b, else three", lambda given: (4 if given["a"] == given["b"] else 3, 3)): (
            "ties alone"
        ),
    },
    checks=(counted,),
    part_of="dedios2020.corollary_4_6",
    rests_on=("dedios2020.equation_21", "dedios2020.equation_21_four_points"),
    own=True,
)


def quadrilaterals(draw: Random, count: int) -> Iterator[tuple[list[Point], Labels, bool]]:
    """Corners of convex quadrilaterals in their order, labels other than 0, and whether the labels are affine."""
    for k in range(count):
        labels = [_ratio(draw) * s for s in SIGNS[k % len(SIGNS)]]
        centre, one, other = ([Fraction(draw.randint(-9, 9), draw.randint(1, 4)) for _ in range(2)] for _ in range(3))
        if one[0] * other[1] == one[1] * other[0]:
            one, other = [Fraction(1), Fraction(0)], [Fraction(1), Fraction(draw.randint(1, 9))]
        shares = [_ratio(draw) for _ in range(4)]
        corners = [
            lift([c + s * t for c, t in zip(centre, side, strict=True)])
            for s, side in zip((shares[0], shares[1], -shares[2], -shares[3]), (one, other, one, other), strict=True)
        ]
        # the diagonals cross at the centre: labels are affine if both diagonals have the same label there
        first = (shares[2] * labels[0] + shares[0] * labels[2]) / (shares[0] + shares[2])
        last = ((shares[1] + shares[3]) * first - shares[3] * labels[1]) / shares[1]
        if k % 3 == 0 and last:
            labels[3] = last
        yield corners, tuple(labels), labels[3] == last


SIGNS = [s for s in product((1, -1), repeat=4) if s[0] > 0 or sum(s) == 0]


@certificate("all choices of cells")
def corners_searched(context: Context) -> Observation:
    """The fewest neurons through the corners of convex quadrilaterals, by an exhaustive search in rationals."""
    through, excluded = True, 0
    for points, y, affine in quadrilaterals(context.random(), context.choose(28, 300)):
        least = fewest_neurons(points, y)
        through = through and least.passes(points, y)
        excluded += least.excluded
        changes = sum(y[i] * y[i - 1] < 0 for i in range(4))
        label = f"{changes} changes of sign" + ", affine" * affine
        yield seen(len(least.neurons), label, C=changes, affine=affine, x=tuple(x[:-1] for x in points), y=y)
    yield Premise("the networks with the fewest neurons interpolate", through)
    yield Step("fewer neurons: each choice of signed cells is excluded by a Farkas proof", f"{excluded} choices")


def _changes(given: Mapping[str, Value]) -> int:
    return cast(int, given["C"])


@rule("half the changes of sign")
def _corners(given: Mapping[str, Value]) -> Value:
    """1 + C/2 for C changes of sign, and 2 where C = 0 and no affine function has the labels"""
    return 1 + max(_changes(given) // 2, 0 if given["affine"] else 1)


FOUR_POINTS = claim(
    "dedios2020.equation_21_four_points",
    "after problem (21)",
    "The fewest neurons through the corners of a quadrilateral",
    """Through the corners of a convex quadrilateral with labels other than 0 the fewest ReLU neurons of any
    interpolant are: one if the labels have one sign and are affine, three if they alternate, two otherwise.""",
    latex=r"\min_{f(x_i)=y_i}\#\text{neurons}=1+\max(C/2,[\text{not affine}])",
    hypotheses=("C ∈ {0, 2, 4}: changes of sign around the quadrilateral",),
    formula=_corners,
    controls={
        Rule("changes", "1 + C/2", lambda given: 1 + _changes(given) // 2): "affine labels not told apart",
        Rule("two", "two wherever no affine function passes", lambda given: 1 if given["affine"] else 2): (
            "a neuron for each class"
        ),
        Rule("parameters", "always three", lambda given: 3): "as many as a neuron has parameters",
        Rule("each change", "one for each change of sign", lambda given: max(_changes(given), 1)): (
            "as many pieces around the quadrilateral"
        ),
        Rule(
            "signs", "one for each sign", lambda given: 1 + (_changes(given) > 0)
        ): "both corners of a sign by one neuron",
    },
    checks=(corners_searched,),
    part_of="dedios2020.corollary_4_6",
    own=True,
)
