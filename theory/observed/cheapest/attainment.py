"""Whether the minimum of Σ ℓ(h(x_n), y_n) + λ C is attained, decided exactly for each loss."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from ..data.datasets import DataSet
from .cheapest_network import cheapest_network, cheapest_with_absolute_loss, holds_for_every_kink
from .regularised_optimum import regularised_optimum


@dataclass(frozen=True)
class Case:
    """A loss with labels: properties of the loss, and whether the minimum is attained."""

    loss: str
    labels: str
    coercive: bool
    bounded: bool
    convex: bool
    attained: bool
    why: str


def cases() -> tuple[Case, ...]:
    """One case per loss and kind of labels; `attained` is computed, not hard-coded."""
    mixed = DataSet("labels of both signs", (0, 1, 3), (1, -1, 1))
    alike = DataSet("all labels +1", (0, 1, 3), (1, 1, 1))
    return (
        Case(
            "squared loss", mixed.label, True, True, True, _squared_attained(mixed),
            "the spline through y - (λ/2)ν reaches the dual bound, λ = 1/10",
        ),
        Case(
            "absolute loss", mixed.label, True, True, True, _absolute_attained(mixed),
            "a network reaches the optimum of the dual programme, λ = 1/10",
        ),
        Case(
            "0 at the label, ∞ elsewhere", mixed.label, True, True, True, _interpolation_attained(mixed),
            "interpolation: the spline reaches the dual bound",
        ),
        Case(
            "min(|z - y|, 1)", alike.label, False, True, False, _reaches_zero(lambda z, y: min(abs(z - y), 1), alike),
            "the constant 1 costs nothing",
        ),
        Case(
            "hinge loss", alike.label, False, True, True, _reaches_zero(lambda z, y: max(0, 1 - z * y), alike),
            "the constant 1 costs nothing, although larger constants do so too",
        ),
        Case(
            "logistic loss", "labels -1 at 0 and +1 at 1", True, True, True, line_is_stationary(Fraction(1, 4)),
            "h(1) = -h(0) = log 3 is stationary for λ = 1/4: the slopes of the loss are -ν with |p_ν| <= λ, exactly",
        ),
        Case(
            "logistic loss", alike.label, False, True, True, not falls_to_zero("log(1 + exp(-c))"),
            "every network has a positive objective, and constants come below any positive number",
        ),
        Case(
            "exponential loss", alike.label, False, True, True, not falls_to_zero("exp(-c)"),
            "every network has a positive objective, and constants come below any positive number",
        ),
        Case(
            "ℓ(z, y) = z", alike.label, False, False, True, not _unbounded(),
            "the constant -c costs -Nc: there is no lower bound",
        ),
    )  # fmt: skip


def _squared_attained(data: DataSet) -> bool:
    return regularised_optimum(data, Fraction(1, 10)) is not None


def _absolute_attained(data: DataSet) -> bool:
    lam = Fraction(1, 10)
    best = cheapest_with_absolute_loss(data, lam)
    loss = sum((abs(best(x) - y) for x, y in zip(data.x, data.y, strict=True)), Fraction(0))
    return loss + lam * best.cost == best.objective


def _interpolation_attained(data: DataSet) -> bool:
    best = cheapest_network(data)
    return holds_for_every_kink(data.x, best.dual) and all(best(x) == y for x, y in zip(data.x, data.y, strict=True))


def _reaches_zero(loss: Callable[[int, int], int], data: DataSet) -> bool:
    """Whether the constant 1, whose cost C is 0, has loss 0, the least value of a nonnegative loss."""
    return sum(loss(1, int(y)) for y in data.y) == 0


def line_is_stationary(lam: Fraction) -> bool:
    """Whether the line from -log 3 to log 3 is stationary for labels -1 at x = 0 and +1 at x = 1.

    The loss log(1 + exp(-y z)) has the slope -y/(1 + exp(y z)), here 1/4 and -1/4. Its negative ν = (-1/4, 1/4) has
    Σν = 0 and |p_ν| <= 1/4 at all kinks. The cost of the line is its slope 2 log 3 (one unit), and Σ ν_n h(x_n) is λ
    times this cost.
    """
    odds = 3  # exp(h(1)) = exp(-h(0))
    nu = (-Fraction(1, 1 + odds), Fraction(1, 1 + odds))
    # in units of log 3: h = (-1, 1), and the slope of the line through (0, -1) and (1, 1) is 2
    return holds_for_every_kink((0, 1), nu, lam) and -nu[0] + nu[1] == lam * 2


def falls_to_zero(loss_of_a_constant: str) -> bool:
    """Whether the losses at c = 1, 10, 100, 1000 are positive, decrease and end below 10^-400, so the infimum is 0.

    The infimum is not attained, because the loss is positive everywhere.
    """
    from implicitbias.exact.enclosure import Comparison, compare, enclose

    values = [enclose(loss_of_a_constant, bits=2048, c=c) for c in (1, 10, 100, 1000)]
    falling = all(compare(b, a) is Comparison.LESS for a, b in pairwise(values))
    positive = all(compare(value, 0) is Comparison.GREATER for value in values)
    return falling and positive and compare(values[-1], Fraction(1, 10**400)) is Comparison.LESS


def _unbounded() -> bool:
    """ℓ(z, y) = z at three points: the objective -3c of the constant -c has no lower bound."""
    return all(3 * -c < -c for c in (1, 10, 1000))
