"""The least penalised loss against a closed form, other networks, and interpolation of what it fits."""

from __future__ import annotations

import copy
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from implicitbias.certificate.kernel import check_certificate, digest
from implicitbias.convex.penalised_variation import penalised_fit, penalised_loss
from implicitbias.convex.total_variation import tv_interpolant
from implicitbias.convex.tv_bounds import Unit
from implicitbias.errors import DataError

B1 = [("-4/3", "5/4"), ("-4/3", "-5/4"), (4, 1), (4, -1)]


def data(seed: int, n: int, d: int) -> tuple[list[list[str]], list[str]]:
    generator = np.random.default_rng(seed)
    x, y = np.round(generator.standard_normal((n, d)), 2), np.round(generator.standard_normal(n), 2)
    return [[str(v) for v in row] for row in x], [str(v) for v in y]


@pytest.mark.parametrize("penalty", ["1/10", "1", "3", "20"])
def test_one_point_is_shrunk_by_a_threshold(penalty: str) -> None:
    # min (t - 2)² + λ|t|/(5/4), as |(0, 3/4, 1)| = 5/4
    found, weight, y = penalised_fit([[0, "3/4"]], [2], penalty), Fraction(penalty) * Fraction(4, 5), Fraction(2)
    value = weight * y - weight**2 / 4 if weight < 2 * y else y**2
    assert found.lower <= value <= found.upper
    assert found.gap < 1e-12


@pytest.mark.parametrize(("seed", "n", "d"), [(0, 6, 1), (1, 6, 2), (2, 6, 3)])
def test_the_minimiser_is_cheapest_of_all_with_its_own_values(seed: int, n: int, d: int) -> None:
    x, y = data(seed, n, d)
    found = penalised_fit(x, y, "0.05")
    assert found.gap < 1e-10
    assert found.units
    values = [sum((unit(point) for unit in found.units), Fraction(0)) for point in found.points]
    cost = float(sum(unit.cost for unit in found.units))
    again = tv_interpolant(x, values)
    assert cost == pytest.approx(float(again.upper), rel=1e-7)
    # the labels themselves cost more
    assert cost < float(tv_interpolant(x, y).lower) * 0.999


def test_no_network_is_below_the_bound() -> None:
    x, y = data(3, 7, 2)
    found = penalised_fit(x, y, "0.1")
    generator = np.random.default_rng(4)
    nearest = float("inf")
    for trial in range(300):
        size = 10.0 ** -(trial % 10)
        units = [
            Unit(
                u.c,
                tuple(
                    t + Fraction(float(size * step))
                    for t, step in zip(u.theta, generator.standard_normal(3), strict=True)
                ),
            )
            for u in found.units
        ]
        loss = penalised_loss(found.points, found.y, found.penalty, units)
        assert loss >= found.lower
        nearest = min(nearest, float(loss / found.lower) - 1)
    assert nearest < 1e-8


def test_a_large_penalty_leaves_nothing() -> None:
    found = penalised_fit(B1, [0, 0, 1, -1], 2)
    assert found.units == ()
    assert found.upper == Fraction(1, 2)
    assert found.gap < 1e-15


def test_a_small_penalty_costs_what_interpolation_does() -> None:
    # V/λ = 5/4 - (nλ/4)|p|² + o(λ) with the shortest optimal dual p of interpolation; (-2/5, 2/5, 5/8, -5/8) is optimal
    found = [penalised_fit(B1, [0, 0, 1, -1], penalty) for penalty in ("1/1000", "1/10000")]
    lost = [(Fraction(5, 4) - fit.upper / fit.penalty) / fit.penalty for fit in found]
    assert float(lost[0]) == pytest.approx(float(lost[1]), rel=1e-2)
    assert 1 < lost[1] < 2 * (Fraction(4, 25) + Fraction(25, 64))


def test_certificates_pass_and_altered_ones_do_not() -> None:
    document = penalised_fit(B1, [0, 0, 1, -1], "1/5").certificate()
    outcome = check_certificate(document)
    assert outcome.valid, outcome.reason
    assert "mean squared error plus 1/5" in outcome.statement

    def reason(path: tuple[str, str], value: Any) -> str:
        other = copy.deepcopy(document)
        other[path[0]][path[1]] = value
        other["digest"] = digest(other)
        return check_certificate(other).reason

    assert "claim.lower is above" in reason(("data", "penalty"), "19/100")
    assert "claim.upper is below" in reason(("data", "penalty"), "21/100")
    assert "must be positive" in reason(("data", "penalty"), "-1/5")
    assert "claim.upper is below" in reason(("primal", "units"), [])
    assert "claim.lower is above" in reason(("claim", "lower"), document["claim"]["upper"])


def test_bad_penalties_and_equal_points_are_refused() -> None:
    for penalty in (0, -1):
        with pytest.raises(DataError, match="must be positive"):
            penalised_fit([[0], [1]], [1, 2], penalty)
    with pytest.raises(DataError, match="points repeat"):
        penalised_fit([[0], [0]], [1, 1], 1)
