"""The least penalised loss against a closed form, other networks, and interpolation of what it fits."""

from __future__ import annotations

import copy
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from implicitbias.certificate.kernel import check_certificate, digest
from implicitbias.convex.variation import penalised
from implicitbias.convex.variation.bounds import Unit
from implicitbias.convex.variation.least import tv_interpolant
from implicitbias.convex.variation.penalised import largest_penalty_square, penalised_fit, penalised_loss
from implicitbias.errors import DataError
from tests.support.dedios_data import DATA

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


@pytest.mark.parametrize(("seed", "n", "d"), [(5, 9, 1), (6, 12, 2), (7, 7, 3)])
def test_what_stops_early_is_as_near_as_what_tries_everything(
    monkeypatch: pytest.MonkeyPatch, seed: int, n: int, d: int
) -> None:
    at, y = data(seed, n, d)
    early = penalised_fit(at, y, "0.03")
    monkeypatch.setattr(penalised, "MET", -1.0)
    monkeypatch.setattr(penalised, "CLOSED", Fraction(-1))
    every = penalised_fit(at, y, "0.03")
    assert max(early.lower, every.lower) <= min(early.upper, every.upper)
    assert early.gap <= every.gap + Fraction(1, 10**15)


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


LARGEST = {"A2": 0.156885962587, "A4": 0.063122150729, "A8": 0.833333333333, "B1": 0.485912657904}
LARGEST |= {"B3": 0.638539433502, "B4": 0.139738533435}
OPTIMA = {
    "A2": (0.066473470583, 0.029351833491),
    "A4": (0.148658846030, 0.121434438765),
    "A8": (0.281309530786, 0.071322884991),
    "B1": (0.196983611856, 0.055921809980),
    "B3": (0.180766200874, 0.066060719440),
    "B4": (0.156321536713, 0.062907391691),
}


@pytest.mark.parametrize("name", sorted(LARGEST))
def test_the_largest_penalty_and_optima_below_it_are_known(name: str) -> None:
    """The known values have the loss with 1/(2n): the penalty and the optimum there are half of those here."""
    square = largest_penalty_square(*DATA[name])
    assert float(square) ** 0.5 == pytest.approx(2 * LARGEST[name], rel=1e-10)
    for share, value in zip((0.5, 0.1), OPTIMA[name], strict=True):
        found = penalised_fit(*DATA[name], share * float(square) ** 0.5)
        assert found.gap < 1e-9
        assert float(found.upper) == pytest.approx(2 * value, rel=1e-10)
        assert found.strong_units()
        assert float(found.loss + found.penalty * found.variation) == pytest.approx(float(found.upper))


@pytest.mark.parametrize("name", ["A8", "B1", "B3"])
def test_from_the_largest_penalty_on_nothing_is_fitted_and_below_it_something(name: str) -> None:
    largest = float(largest_penalty_square(*DATA[name])) ** 0.5
    above, below = (penalised_fit(*DATA[name], largest * (1 + step)) for step in (1e-6, -1e-4))
    assert above.strong_units() == []
    assert above.gap < 1e-15
    assert below.strong_units()


def test_the_largest_penalty_is_a_rational_root_where_it_should_be() -> None:
    assert largest_penalty_square([[0, 0]], [3]) == 36
    assert largest_penalty_square([[3], [4]], [0, 0]) == 0
    with pytest.raises(DataError, match="points repeat"):
        largest_penalty_square([[0], [0]], [1, 1])
