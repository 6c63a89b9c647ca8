"""Whether the minimum of Σ ℓ(h(x_n), y_n) + λ C is attained, decided exactly for each loss."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ..data.datasets import DataSet
from .cheapest_network import cheapest_with_absolute_loss, holds_for_every_kink
from .regularised_optimum import regularised_optimum


@dataclass(frozen=True)
class Case:
    """A loss with labels: the loss of a constant z, summed over the labels, and whether the minimum is attained."""

    loss: str
    labels: str
    constants: str
    attained: bool
    why: str


MIXED = DataSet("labels of both signs", (0, 1, 3), (1, -1, 1))
TIES = DataSet("labels 0 and 2", (0, 1, 3, 4), (0, 2, 2, 0))


def cases() -> tuple[Case, ...]:
    """Labels that differ, so that the problem over constants does not decide: each minimum is sought among networks."""
    found = []
    for data in (MIXED, TIES):
        found += [
            Case(
                "squared loss", data.label, _over_constants("(z - y)**2", data), _squared_attained(data),
                "the spline through y - (λ/2)ν reaches the dual bound, λ = 1/10",
            ),
            Case(
                "absolute loss", data.label, _over_constants("Abs(z - y)", data), _absolute_attained(data),
                "a network reaches the optimum of the dual programme, λ = 1/10",
            ),
        ]  # fmt: skip
    both = DataSet("labels -1 at 0 and +1 at 1", (0, 1), (-1, 1))
    logistic = _over_constants("log(1 + exp(-(y)*z))", both)
    found.append(
        Case(
            "logistic loss", both.label, logistic, line_is_stationary(Fraction(1, 4)),
            "h(1) = -h(0) = log 3 is stationary for λ = 1/4: the slopes of the loss are -ν with |p_ν| <= λ, exactly",
        )
    )  # fmt: skip
    return tuple(found)


def _over_constants(loss: str, data: DataSet) -> str:
    """Σ_n ℓ(z, y_n) as a formula of z."""
    return " + ".join(loss.replace("y", f"({y})") for y in data.y)


def _squared_attained(data: DataSet) -> bool:
    return regularised_optimum(data, Fraction(1, 10)) is not None


def _absolute_attained(data: DataSet) -> bool:
    lam = Fraction(1, 10)
    best = cheapest_with_absolute_loss(data, lam)
    loss = sum((abs(best(x) - y) for x, y in zip(data.x, data.y, strict=True)), Fraction(0))
    return loss + lam * best.cost == best.objective


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
