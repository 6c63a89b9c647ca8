"""Observed: problem (10) with two classes, by number of label changes."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from random import Random

from implicitbias.claims import Context, Observation, Premise, Step, Value, seen

from .margins import bracketed, two_classes


def gaps(x: Sequence[Fraction], sigma: Sequence[int]) -> list[tuple[Fraction, Fraction]]:
    """(end of a run, start of the next run) for every change of sign."""
    return [(s, t) for (s, a), (t, b) in pairwise(zip(x, sigma, strict=True)) if a != b]


def labelled(draw: Random, changes: int, longest: int = 3) -> tuple[list[Fraction], list[int]]:
    """Random data with `changes` changes between two labels and runs of 1 … `longest` points."""
    lengths = [draw.randint(1, longest) for _ in range(changes + 1)]
    if sum(lengths) < 2:
        lengths[0] = 2
    inner = sorted(draw.sample(range(-99, 100), sum(lengths) - 2))
    x = [Fraction(-1), *(Fraction(c, 100) for c in inner), Fraction(1)]
    first = draw.choice([1, -1])
    sigma = [first * (-1) ** run for run, length in enumerate(lengths) for _ in range(length)]
    return x, sigma


def by_hand(changes: int) -> list[tuple[list[Fraction], list[int]]]:
    """Small data sets for which the value can be found on paper."""
    half, third = Fraction(1, 2), Fraction(1, 3)
    one, zero = Fraction(1), Fraction(0)
    found = {
        0: [([-one, one], [1, 1]), ([-one, zero, one], [-1, -1, -1])],
        1: [([-one, one], [-1, 1]), ([-one, zero, one], [1, 1, -1]), ([-one, -half, third, one], [-1, -1, 1, 1])],
        2: [([-one, zero, one], [-1, 1, -1]), ([-one, -half, half, one], [1, -1, -1, 1]),
            ([-one, -half, one], [1, -1, 1]), ([-one, -third, zero, third, half, one], [1, 1, -1, -1, -1, 1]),
            ([-one, third, half, 2 * third, one], [1, 1, -1, -1, 1])],
        3: [([-one, -third, third, one], [-1, 1, -1, 1]),
            ([-one, -half, -third, zero, third, half, one], [1, 1, -1, -1, 1, -1, -1])],
        4: [([-one, -half, zero, half, one], [1, -1, 1, -1, 1])],
    }  # fmt: skip
    return found.get(changes, [])


def observed_value(x: Sequence[Fraction], sigma: Sequence[int]) -> Value:
    """The value of (10): the exact optimum over scalar measures, divided by √2."""
    from implicitbias.exact.enclosure import enclose

    return enclose("V/sqrt(2)", V=two_classes(x, sigma).value)


def bracketed_agrees(cases: Sequence[tuple[list[Fraction], list[int]]]) -> Premise:
    """Whether the bounds on the vector problem, from a cone programme repaired exactly, contain the same value."""
    from implicitbias.exact.enclosure import lower, upper

    agree = True
    for x, sigma in cases:
        found = bracketed(x, [int(s > 0) for s in sigma], 2)
        value = observed_value(x, sigma)
        agree = agree and found.lower <= upper(value) and lower(value) <= found.upper  # type: ignore[arg-type]
        agree = agree and found.upper - found.lower < found.upper / 10**6
    return Premise(
        "the vector problem's certified bounds (gap below 1e-6) contain the value", agree, f"{len(cases)} data"
    )


def evidence_of_changes(changes: Sequence[int], context: Context, given: object, count: int) -> Observation:
    draw = context.random()
    cases = [case for J in changes for case in by_hand(J)]
    cases += [labelled(draw, changes[i % len(changes)]) for i in range(count)]
    for x, sigma in cases:
        word = "".join("+" if s > 0 else "-" for s in sigma)
        point = given(x, sigma)  # type: ignore[operator]
        yield seen(observed_value(x, sigma), f"labels {word}", **point, x=tuple(x), sigma=tuple(sigma))
    yield bracketed_agrees(cases[: 2 if count < 50 else 6])
    yield Step("only d = f_1 - f_0 enters the margins; ‖(a, b)‖ >= |a - b|/√2, with equality for (-t, t)")
    yield Step("min Σ|w| over d with σ_i d(x_i) >= 1 by exact linear programming, its dual priced over all of U")
