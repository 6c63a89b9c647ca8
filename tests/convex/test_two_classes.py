"""Two classes: the closed form, its dual and its function against exact programmes."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

import pytest

from implicitbias.convex.margin.two_classes import two_class_dual, two_class_function, two_class_variation
from implicitbias.convex.programmes.linear_programme import optimum
from implicitbias.convex.ramps.interpolant import ramp_interpolant
from implicitbias.errors import DataError


@pytest.mark.parametrize("seed", range(6))
def test_random_labels_agree_with_an_exact_programme(seed: int) -> None:
    rng, changes = random.Random(seed), set()
    for _ in range(40):
        n = rng.randint(1, 8)
        x = [Fraction(v, 10) for v in sorted(rng.sample(range(-10, 11), n))]
        labels = [rng.choice("ab") for _ in x] if rng.random() < 0.5 else sorted(rng.choice("ab") for _ in x)
        if rng.random() < 0.2:
            labels = ["a" if abs(at) < Fraction(1, 2) else "b" for at in x]
        kinks, given = (Fraction(-1), Fraction(1)), None
        if rng.random() < 0.4:
            given = kinks = (x[0] - Fraction(rng.randint(0, 9), 7), x[-1] + Fraction(rng.randint(1, 9), 7))
        signs = [1 if label != labels[0] else -1 for label in labels]
        ramps = [
            [max(Fraction(0), at - c) for c in sorted({kinks[0], *x})]
            + [max(Fraction(0), c - at) for c in sorted({*x, kinks[1]})]
            for at in x
        ]
        rows = [[-s * v for v in row] + [s * v for v in row] for s, row in zip(signs, ramps, strict=True)]
        value = optimum([1] * len(rows[0]), A_ub=rows, b_ub=[-1] * n).value
        assert two_class_variation(x, labels, given) == value, (x, labels, given)
        d = two_class_function(x, labels, given)
        assert all(s * v >= 1 for s, v in zip(signs, d, strict=True))
        assert ramp_interpolant(x, d, given).value == value
        beta = two_class_dual(x, labels, given)
        assert min(beta) >= 0
        for c in (*kinks, *x):
            for side in (1, -1):
                terms = zip(signs, beta, x, strict=True)
                assert abs(sum(s * b * max(Fraction(0), side * (at - c)) for s, b, at in terms)) <= 1
        changes.add(sum(p != q for p, q in pairwise(labels)))
    assert {0, 1, 2} < changes


def test_the_middle_run_matters_where_it_is_off_the_middle() -> None:
    """J = 2: the extra term is 1/(1 + dist(0, middle run)), not 1."""
    assert two_class_variation([-1, "1/2", "3/4", 1], "abba") == Fraction(2) / Fraction(3, 2) + 8 + Fraction(
        1
    ) / Fraction(3, 2)


def test_three_labels_are_refused() -> None:
    with pytest.raises(DataError, match="two classes at most"):
        two_class_variation([0, 1, 2], "abc")
