"""Theorem 38 of the version of 2023: how far the solution for raw data is from that for adjusted data."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from math import log2

from implicitbias.claims import Context, Observation, Premise, certificate, claim, seen
from implicitbias.exact.vectors import dot, relu, solve

from ..observed.training.exact_training import nearest_solution
from ..observed.wide.interpolants import Matrix

Unit = tuple[Fraction, Fraction]
"""(w, b): a unit [wx + b]_+."""


def _law(draw: random.Random, pairs: int) -> list[Unit]:
    """Equally likely units, (w, b) and (-w, -b) alike, kinks apart: k-th unit and its mirror are 2k and 2k + 1."""
    kinks: set[Fraction] = set()
    units: list[Unit] = []
    while len(units) < 2 * pairs:
        w = draw.choice((-1, 1)) * Fraction(draw.randint(1, 9), draw.randint(1, 4))
        b = Fraction(draw.randint(-30, 30), draw.randint(1, 7))
        if -b / w not in kinks:
            kinks.add(-b / w)
            units += [(w, b), (-w, -b)]
    return units


def _law_of_triples(draw: random.Random) -> list[Unit]:
    """A law of four times three units and their mirrors, the third of three the sum of the others."""
    units: list[Unit] = []
    while len({-b / w for w, b in units if w}) < 12:
        units = []
        for _ in range(4):
            one, other = _law(draw, 2)[::2]
            units += [one, other, (one[0] + other[0], one[1] + other[1])]
    return [(sign * w, sign * b) for w, b in units for sign in (1, -1)]


def _values(units: Sequence[Unit], x: Fraction) -> list[Fraction]:
    """What each unit contributes to ∫α[wx + b]₊dμ for α = 1 there."""
    return [relu(w * x + b) / len(units) for w, b in units]


def _simple(number: float) -> Fraction:
    """A fraction of few digits beside it."""
    power = Fraction(2) ** round(log2(number))
    return power * Fraction(round(16 * number / float(power)), 16)


def with_a_line(
    rows: Matrix, x: Sequence[Fraction], y: Sequence[Fraction]
) -> tuple[list[Fraction], Fraction, Fraction]:
    """(125): the shortest α, and u, v, with α's network + ux + v through the data: u and v from the first two data."""
    width = x[1] - x[0]
    reduced, targets = [], []
    for j in range(2, len(x)):
        share = (x[j] - x[0]) / width  # of the chord through the first two data, at x_j
        reduced.append(
            [at - (1 - share) * first - share * second for at, first, second in zip(rows[j], *rows[:2], strict=True)]
        )
        targets.append(y[j] - (1 - share) * y[0] - share * y[1])
    alpha = nearest_solution(reduced, targets)
    left = [y[j] - dot(rows[j], alpha) for j in (0, 1)]
    u = (left[1] - left[0]) / width
    return alpha, u, left[0] - u * x[0]


def a_line(draw: random.Random, units: Sequence[Unit], u: Fraction, v: Fraction) -> list[Fraction]:
    """An α whose network is ux + v everywhere: t_k on a unit and -t_k on its mirror add t_k(w_k x + b_k); the shortest,
    or one whose first two are what the others leave over."""
    half = [units[2 * k] for k in range(len(units) // 2)]
    if draw.random() < 0.5:  # the shortest
        shares = nearest_solution([[w for w, _ in half], [b for _, b in half]], [u, v])
        return [sign * t * len(units) for t in shares for sign in (1, -1)]
    free = [Fraction(draw.randint(-3, 3), draw.randint(1, 40)) * draw.choice((0, 1)) for _ in half[2:]]
    rest_u = u - sum((t * w for t, (w, _) in zip(free, half[2:], strict=True)), Fraction(0))
    rest_v = v - sum((t * b for t, (_, b) in zip(free, half[2:], strict=True)), Fraction(0))
    first = solve([[w for w, _ in half[:2]], [b for _, b in half[:2]]], [rest_u, rest_v])
    return [sign * t * len(units) for t in (*first, *free) for sign in (1, -1)]


def a_line_as_long(units: Sequence[Unit], u: Fraction, v: Fraction, square: Fraction) -> list[Fraction]:
    """An α whose network is ux + v everywhere, with ∫α²dμ = `square`, for units of `_law_of_triples`.

    c, c and -c on the units of a triple change no network, and lengthen the shortest α squarely; four squares of
    rationals have any sum. Raises ArithmeticError unless the shortest is shorter.
    """
    from sympy.solvers.diophantine.diophantine import sum_of_four_squares

    half = units[::2]
    shares = nearest_solution([[w for w, _ in half], [b for _, b in half]], [u, v])
    left = square / (2 * len(units)) - dot(shares, shares)
    if left <= 0:
        raise ArithmeticError(f"the shortest is no shorter than √{square}")
    product = left / 3
    roots = sum_of_four_squares(product.numerator * product.denominator)
    for i, root in enumerate(roots):
        c = Fraction(int(root), product.denominator)
        for j, sign in enumerate((1, 1, -1)):
            shares[3 * i + j] += sign * c
    return [sign * t * len(units) for t in shares for sign in (1, -1)]


@certificate("shortest networks by elimination", time_limit=60)
def distances(context: Context) -> Observation:
    """∫(ᾱ₁ - ᾱ₂ - α_s)²dμ over ∫ᾱ₁²dμ for laws of a few units, in fractions; both problems by elimination. In each
    fortieth case α_s is as long as ᾱ₁."""
    draw, straight, fits = context.random(), True, True
    kept, wanted = 0, context.choose(320, 800)
    while kept < wanted:
        count = 3 + kept % 3
        # with hardly more units than data little of a line is left beside what the data see
        tie = kept % 40 == 39
        units = _law_of_triples(draw) if tie else _law(draw, draw.choice((2, 3, draw.randint(4, 9))))
        size = draw.choice((Fraction(1, 30), Fraction(1), Fraction(1), Fraction(12)))
        x = sorted({size * Fraction(draw.randint(-20, 20), draw.randint(1, 4)) for _ in range(count)})
        tilt, lift = (draw.choice((0, 1, 1)) * Fraction(draw.randint(-30, 30), 4) for _ in range(2))
        off = draw.choice((0, 1, 1, 20))  # 0: data on a line
        y = [tilt * at + lift + off * Fraction(draw.randint(-12, 12), draw.randint(2, 9)) for at in x]
        rows = [_values(units, at) for at in x]
        if len(x) < count:
            continue
        try:
            bent, u, v = with_a_line(rows, x, y)
            # as much of the line as makes it long or short beside what bends, or nothing of it
            share = draw.choice(
                (Fraction(1), Fraction(draw.randint(1, 9), 10), Fraction(1, 300), Fraction(6), Fraction(0))
            )
            y = [goal + (share - 1) * (u * at + v) for at, goal in zip(x, y, strict=True)]
            u, v = share * u, share * v
            # and labels so large that ∫ᾱ₁² is of order 1, or much smaller or larger
            length = float(dot(raw := nearest_solution(rows, y), raw) / len(units))
            scale = _simple(2 ** draw.uniform(-3, 3) / length**0.5) if length and draw.random() < 0.8 else 1
            raw, y, bent = ([scale * e for e in part] for part in (raw, y, bent))
            u, v = scale * u, scale * v
            line = a_line_as_long(units, u, v, dot(raw, raw) / len(units)) if tie else a_line(draw, units, u, v)
        except (ArithmeticError, ValueError):
            continue  # a datum that no unit reaches, or units whose lines are parallel
        A, S, B = (dot(alpha, alpha) / len(units) for alpha in (raw, line, bent))
        if A == 0:
            continue
        places = [*x, min(x) - 40, max(x) + 40]
        straight = straight and all(dot(_values(units, at), line) == u * at + v for at in places)
        fits = fits and all(
            dot(row, raw) == dot(row, bent) + u * at + v == goal for row, at, goal in zip(rows, x, y, strict=True)
        )
        apart = [p - q - r for p, q, r in zip(raw, bent, line, strict=True)]
        label = f"{len(units)} units, {count} data, case {kept + 1}"
        yield seen(dot(apart, apart) / len(units) / A, label, A=A, S=S, B=B)
        kept += 1
    yield Premise("α_s has the line everywhere, and both networks go through the data", straight and fits, f"{kept}")


THEOREM_38 = claim(
    "jin2021.jmlr_theorem_38",
    "JMLR 2023, Theorem 38",
    "Raw and adjusted data: how far the two solutions are apart",
    """ᾱ₁ has the least ∫α² among the networks through the data, ᾱ₂ among those that go through them with a line ux + v
    added, and α_s gives that line. Theorem 38 bounds ∫(ᾱ₁ - ᾱ₂ - α_s)²/∫ᾱ₁² by 2√(S/A) + S/A. It is (S + B - A)/A,
    where B ≤ A: no more than S/A, so that the theorem holds and its first term can go. (ᾱ₁ is a combination of the
    units' values at the data, to all of which ᾱ₁ - ᾱ₂ - α_s is orthogonal; and ᾱ₂, a combination whose coefficients
    annihilate every line, is orthogonal to α_s.)""",
    latex=r"\frac{\int(\bar\alpha_1-\bar\alpha_2-\alpha_s)^2d\mu}{\int\bar\alpha_1^2d\mu}=\frac{S+B-A}{A}\le\frac{S}{A}"
    r"\le2\sqrt{\frac SA}+\frac SA",
    hypotheses=("one input", "a law of finitely many units, the same for (W, B) and (-W, -B)", "three data or more"),
    formula="(S + B - A)/A",
    symbols={
        "A": "∫ᾱ₁²dμ, of the network through the raw data",
        "B": "∫ᾱ₂²dμ, of the network beside the line",
        "S": "∫α_s²dμ",
    },
    domain=("B <= A", "A <= B + S"),
    controls={
        "2*sqrt(S/A) + S/A": "the bound of Theorem 38 is attained",
        "S/A": "the network for raw data is no longer than the other",
        "(S + B - A)/B": "over the network for adjusted data",
        "(S - B)/A": "the network for raw data counted by the other's length",
        "(sqrt(S) + sqrt(B))**2/A - 1": "ᾱ₂ and α_s in one direction",
        "(S + B - A)/A*abs(sign(A - S))": "nothing where ᾱ₁ is as long as α_s",
    },
    checks=(distances,),
    part_of="jin2021.theorem_1_rate",
    rests_on=("jin2021.theorem_1_adjustment",),
)
