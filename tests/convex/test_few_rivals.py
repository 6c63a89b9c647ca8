"""Problem (10) by its few rivals: what the sparse programme with all margins finds too, and sums that are exact."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

from implicitbias.certificate.kernel import check_certificate
from implicitbias.convex.margin import attempts, few_rivals
from implicitbias.convex.margin.bounds import Grid, dual_vectors, feasible_multipliers, feasible_ramps, scores_at
from implicitbias.convex.margin.classifier import max_margin
from implicitbias.convex.margin.few_rivals import by_few_rivals
from implicitbias.convex.margin.inner_start import across, changes_of_labels, inner_start
from implicitbias.convex.margin.interior import centred, step
from implicitbias.convex.margin.polish import by_products
from implicitbias.convex.margin.programme import solve
from implicitbias.convex.margin.ramp_sums import RampSums

UNIT = Fraction(-1), Fraction(1)


def places(seed: int, n: int, near: Fraction = Fraction(0)) -> list[Fraction]:
    """Points in [-1, 1], every third one followed by another at the distance `near`."""
    draw = random.Random(seed)
    found = sorted(Fraction(v, 10_000) for v in draw.sample(range(-9_999, 10_000), n))
    if near:
        found = sorted({*found, *(at + near for at in found[::3])})
    return found


def labels(seed: int, n: int, k: int) -> list[int]:
    """Random labels, no two neighbours alike, all classes if n >= k."""
    draw, found = random.Random(seed), list[int]()
    while len(found) < n:
        label = len(found) if len(found) < k else draw.randrange(k)
        if not found or label != found[-1]:
            found.append(label)
    return found


@pytest.mark.parametrize(("n", "k", "copies"), [(12, 8, 1), (25, 9, 1), (40, 12, 1), (20, 9, 4), (60, 20, 1)])
def test_few_margins_give_what_all_margins_give(n: int, k: int, copies: int) -> None:
    x = places(n, n)
    names = np.array(labels(n, n, k - 1 if copies > 1 else k), dtype=np.intp)
    found = by_few_rivals(x, names, k, UNIT, copies)
    assert found is not None
    slow = solve(np.array([float(v) for v in x]), names, k, -1.0, 1.0, copies, {"tolerance": 1e-9})
    assert float(found.beta.sum()) == pytest.approx(float(slow.beta.sum()), rel=1e-6)
    few, every = (int(word) for word in found.status.split(" margins")[0].split(" of "))
    assert few < every == n * (k - 1)


@pytest.mark.parametrize("near", [Fraction(1, 10**4), Fraction(1, 10**6)])
def test_points_close_together_are_certified_with_many_classes(near: Fraction) -> None:
    x = places(5, 24, near)
    found = max_margin(x, labels(5, len(x), 9), range(9))
    assert found.gap < 1e-8
    assert check_certificate(found.certificate()).valid


@pytest.mark.parametrize(("kind", "seed"), [("random", 3), ("steps", 4)])
def test_bounds_are_those_of_the_sparse_programme(kind: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    x = places(seed, 50)
    names = labels(seed, 50, 10) if kind == "random" else [min(abs(i % 36 - 18) // 2, 9) for i in range(50)]
    fast = max_margin(x, names, range(11))
    monkeypatch.setattr(few_rivals, "FEWEST_CLASSES", 1000)
    slow = max_margin(x, names, range(11))
    assert "margins" in fast.status
    assert "margins" not in slow.status
    assert fast.gap < 1e-8
    assert max(fast.lower, slow.lower) <= min(fast.upper, slow.upper)


def test_too_many_margins_are_left_to_the_sparse_programme(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(few_rivals, "MOST_MARGINS", 10)
    x, names = places(1, 20), labels(1, 20, 9)
    assert by_few_rivals(x, np.array(names, dtype=np.intp), 9, UNIT) is None
    assert max_margin(x, names, range(9)).gap < 1e-8


@pytest.mark.parametrize("near", [Fraction(0), Fraction(1, 10**9)])
def test_sums_in_extended_precision_are_the_exact_ones(near: Fraction) -> None:
    x, k = places(7, 15, near), 4
    names = labels(7, len(x), k)
    kinks = Fraction(-3, 2), Fraction(2)
    sums, grid = RampSums(x, np.array(names, dtype=np.intp), k, kinks), Grid.of(x, kinks)
    draw = random.Random(1)
    table = [[draw.randrange(1000) * (rival != own) for rival in range(k)] for own in names]
    margins = sums.margins(np.array(table) > 0)
    g = sums.functions(margins, np.array(table)[margins.point, margins.rival].astype(np.longdouble))
    beta = {(i, rival): v for i, row in enumerate(table) for rival, v in enumerate(row) if v}
    exact = dict(dual_vectors(grid, names, k, beta))
    ramps = [*((1, c) for c in (kinks[0], *x[1:-1])), *((-1, c) for c in (*x[1:-1], kinks[1]))]
    for row, (side, c) in zip(g, ramps, strict=True):
        wanted = [v / grid.scale for v in exact[side, int(c * grid.scale)]]
        assert np.allclose(row.astype(float), wanted, rtol=1e-14, atol=1e-12)
    weights = [[draw.randrange(-50, 50) for _ in range(k)] for _ in ramps]
    scores = sums.scores(np.array(weights, dtype=np.longdouble))
    listed = [(side, int(c * grid.scale), row) for (side, c), row in zip(ramps, weights, strict=True)]
    wanted_scores = [[v / grid.scale for v in row] for row in scores_at(grid, k, listed)]
    assert np.allclose(scores.astype(float), wanted_scores, rtol=1e-14, atol=1e-12)


def test_steps_stay_inside_the_cones_to_the_optimum() -> None:
    x, k = places(2, 12), 3
    names = np.array(labels(2, 12, k), dtype=np.intp)
    sums = RampSums(x, names, k, UNIT)
    every = np.arange(k)[None, :] != names[:, None]
    margins, pairs = sums.margins(every), across(sums, every)
    now = inner_start(sums, margins, changes_of_labels(sums), pairs)
    for _ in range(60):
        after = step(sums, margins, now)
        if after is None or (after.missing < 1e-9 and 1 - after.lower / after.cost < 1e-9):
            break
        assert (after.t**2 > (after.w**2).sum(axis=1)).all()
        assert ((after.g**2).sum(axis=1) < 1).all()
        now = after
    assert now.missing < 1e-6
    assert now.lower == pytest.approx(max_margin(x, names.tolist(), range(k), UNIT).value, rel=1e-6)


def test_an_iterate_outside_of_the_cones_is_declined() -> None:
    x, k = places(2, 12), 3
    names = np.array(labels(2, 12, k), dtype=np.intp)
    sums = RampSums(x, names, k, UNIT)
    margins = sums.margins(np.arange(k)[None, :] != names[:, None])
    assert step(sums, margins, centred(sums, margins, np.full(len(margins), 1e9, dtype=np.longdouble), 1.0)) is None


def test_a_few_margins_alone_leave_a_bound_below(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the rounds in which violated margins join, the dual is a bound and the primal is none."""
    monkeypatch.setattr(few_rivals, "ROUNDS", 1)
    x = places(6, 40)
    names = labels(6, 40, 12)
    found = by_few_rivals(x, np.array(names, dtype=np.intp), 12, UNIT)
    whole = max_margin(x, names, range(12), UNIT)
    grid = Grid.of(x, UNIT)
    assert whole.gap < 1e-8
    if found is not None:
        beta = {(i, r): float(v) for (i, r), v in np.ndenumerate(found.beta) if v > 0}
        dual = feasible_multipliers(grid, names, 12, beta)
        assert dual is not None
        assert dual.lower <= whole.upper
        ramps = [*((1, c) for c in (Fraction(-1), *x[1:-1])), *((-1, c) for c in (*x[1:-1], Fraction(1)))]
        rows = found.weights.astype(float).tolist()
        primal = feasible_ramps(grid, names, 12, [(s, c, row) for (s, c), row in zip(ramps, rows, strict=True)])
        assert primal is None or primal.upper >= whole.lower


def test_the_kinks_norms_are_moved_as_by_least_squares() -> None:
    """`by_products` against numpy's pseudo-inverse, with a row that comes twice."""
    rng = np.random.default_rng(0)
    system = rng.normal(size=(20, 60)) * rng.lognormal(0, 3, size=(1, 60))
    system[7] = system[3]
    target = system @ rng.normal(size=60)
    assert np.allclose(by_products(system, target), np.linalg.pinv(system, rcond=1e-12) @ target, rtol=1e-4, atol=1e-6)


def test_attempts_with_many_classes_begin_with_the_few_rivals() -> None:
    x = places(9, 15)
    first = next(attempts.attempts(x, labels(9, 15, 9), 9, UNIT, 10**6))
    assert "margins" in first.status
