"""Lemma 1 for any norm: support functions, dual norms and strong duality with attainment, exactly."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from implicitbias.convex.programmes.linear_programme import Optimum, Unbounded, minimise
from implicitbias.convex.ramps.duality import (
    NORMS,
    Box,
    ConvexSet,
    Ellipsoidal,
    Margins,
    Norm,
    Point,
    data_kinks,
    dual_value,
    exact_optimum,
    feature,
    is_dual_feasible,
)
from implicitbias.convex.ramps.interpolant import ramp_interpolant

ONE = (Fraction(-1), Fraction(1))
ELLIPSE = Ellipsoidal(
    (
        (Fraction(2), Fraction(1), Fraction(0)),
        (Fraction(1), Fraction(3), Fraction(0)),
        (Fraction(0), Fraction(0), Fraction(1, 2)),
    )
)


def random_sets(rng: random.Random, kind: str, n: int, k: int) -> list[ConvexSet]:
    if kind == "points":
        return [Point(tuple(Fraction(rng.randint(-3, 3), 2) for _ in range(k))) for _ in range(n)]
    if kind == "margins":
        return [Margins(rng.randrange(k), k) for _ in range(n)]
    lows = [tuple(Fraction(rng.randint(-3, 3), 2) for _ in range(k)) for _ in range(n)]
    return [Box(low, tuple(v + Fraction(rng.randint(0, 2)) for v in low)) for low in lows]


@pytest.mark.parametrize("kind", ["points", "margins", "boxes"])
@pytest.mark.parametrize("name", ["l1", "linf"])
def test_strong_duality_is_attained_exactly(name: str, kind: str) -> None:
    rng, norm = random.Random(name + kind), NORMS[name]
    for _ in range(6):
        k, n = rng.randint(2, 3), rng.randint(2, 4)
        x = [Fraction(-1), *(Fraction(v, 10) for v in sorted(rng.sample(range(-9, 10), n - 2))), Fraction(1)]
        sets = random_sets(rng, kind, n, k)
        found = exact_optimum(x, sets, norm, ONE)
        values = [
            tuple(sum(w[j] * max(Fraction(0), s * (at - c)) for (s, c), w in found.weights.items()) for j in range(k))
            for at in x
        ]
        assert all(S.contains(v) for S, v in zip(sets, values, strict=True))
        assert sum(norm.value(w) for w in found.weights.values()) == found.value  # type: ignore[misc]
        assert dual_value(found.alpha, sets) == found.value
        assert is_dual_feasible(x, found.alpha, norm, ONE)
        for _ in range(10):  # Lemma 2: off the data too
            u = (rng.choice([1, -1]), Fraction(rng.randint(-99, 99), 100))
            assert norm.dual().at_most(feature(x, found.alpha, *u), Fraction(1))
        more = [(side, Fraction(rng.randint(-99, 99), 100)) for side in (1, -1) for _ in range(3)]
        assert exact_optimum(x, sets, norm, ONE, [*data_kinks(x, ONE), *more]).value == found.value


def test_one_output_is_problem_9() -> None:
    rng = random.Random(1)
    for _ in range(10):
        x = [Fraction(-1), *(Fraction(v, 10) for v in sorted(rng.sample(range(-9, 10), 3))), Fraction(1)]
        y = [Fraction(rng.randint(-5, 5)) for _ in x]
        value = ramp_interpolant(x, y).value
        assert exact_optimum(x, [Point((v,)) for v in y], NORMS["l1"], ONE).value == value


@pytest.mark.parametrize("kind", ["points", "margins", "boxes"])
def test_support_functions_are_suprema(kind: str) -> None:
    """σ_S(α) by a linear programme over S as it is defined, also where it is infinite."""
    rng, infinite = random.Random(kind), 0
    for _ in range(25):
        k = rng.randint(2, 4)
        (S,) = random_sets(rng, kind, 1, k)
        alpha = [Fraction(rng.randint(-3, 3)) for _ in range(k)]
        if kind == "margins" and rng.random() < 0.7:
            assert isinstance(S, Margins)
            alpha = [Fraction(rng.randint(0, 3)) for _ in range(k)]
            alpha[S.own] = -sum((a for j, a in enumerate(alpha) if j != S.own), Fraction(0))
        equal, below = S.rows()
        outcome = minimise(
            [-a for a in alpha],
            [r for r, _ in equal],
            [b for _, b in equal],
            [r for r, _ in below],
            [b for _, b in below],
            True,
        )
        if isinstance(outcome, Unbounded):
            infinite += 1
            assert S.support(alpha) is None
        else:
            assert isinstance(outcome, Optimum)
            assert S.support(alpha) == -outcome.value
    assert (infinite > 0) == (kind == "margins")


@pytest.mark.parametrize("norm", [*NORMS.values(), ELLIPSE], ids=lambda norm: norm.name)
def test_dual_norms_satisfy_hoelder_and_are_attained(norm: Norm) -> None:
    rng, dual = random.Random(norm.name), norm.dual()
    for _ in range(20):
        v, w = ([Fraction(rng.randint(-9, 9), 4) for _ in range(3)] for _ in range(2))
        pairing = sum(a * b for a, b in zip(v, w, strict=True))
        high = [bound if isinstance(bound, Fraction) else bound.upper for bound in (norm.value(v), dual.value(w))]
        assert abs(pairing) <= high[0] * high[1]
        # attained: at the sign vector, at the largest entry, at v, at Qv
        best = {
            "l1": [(a > 0) - (a < 0) for a in v],
            "l∞": [max(v, key=abs) * int(i == max(range(3), key=lambda j: abs(v[j]))) for i in range(3)],
            "l2": v,
            "ellipsoidal": [sum(ELLIPSE.Q[i][j] * v[j] for j in range(3)) for i in range(3)],
        }[norm.name]
        pairing = sum((a * b for a, b in zip(v, best, strict=True)), Fraction(0))
        values = [
            bound if isinstance(bound, Fraction) else bound.lower
            for bound in (norm.value(v), dual.value(list(map(Fraction, best))))
        ]
        assert abs(pairing) >= values[0] * values[1]
    back = dual.dual()
    assert all(
        back.at_most(v, Fraction(7, 3)) == norm.at_most(v, Fraction(7, 3))
        for v in ([Fraction(1), Fraction(2), Fraction(0)], [Fraction(1), Fraction(-1), Fraction(1, 2)])
    )


def test_a_constraint_at_some_kinks_only_is_not_enough() -> None:
    """Lemma 2 needs all data: between two of them |g| may exceed 1 at the one left out."""
    x, alpha = [Fraction(-1), Fraction(0), Fraction(1)], [(Fraction(2),), (Fraction(-4),), (Fraction(2),)]
    assert not is_dual_feasible(x, alpha, NORMS["l1"], ONE)
    outer = [feature(x, alpha, 1, Fraction(-1)), feature(x, alpha, -1, Fraction(1))]
    assert all(NORMS["l1"].at_most(g, Fraction(1)) for g in outer)


def test_forms_that_are_no_norms_are_refused() -> None:
    with pytest.raises(ValueError, match="positive definite"):
        Ellipsoidal(((1, 2), (2, 1)))
    with pytest.raises(ValueError, match="symmetric"):
        Ellipsoidal(((1, 2), (0, 1)))
    with pytest.raises(ValueError, match="linear programmes"):
        exact_optimum([Fraction(-1), Fraction(1)], [Point((Fraction(1),)), Point((Fraction(1),))], NORMS["l2"], ONE)
