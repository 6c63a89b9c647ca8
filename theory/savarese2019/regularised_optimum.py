"""Equation (28) for the squared loss: the optimal value in closed form, and certified minima to compare with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from implicitbias.claims import Context, Derivation, Observation, Premise, Step, Value, certificate, claim, proof, seen

if TYPE_CHECKING:
    from ..observed.data.datasets import DataSet

LAM = "λ, the strength of the regularisation"
Q = "Σ ν_n², ν the dual vector of the data"
SMALL = "λ so small that ν is a dual vector of the labels y - (λ/2)ν too"
NU = (
    "ν the dual vector: Σ ν_n = 0, |Σ ν_n [w(x_n - t)]_+| ≤ 1 for all t and w = ±1, Σ ν_n y_n = R",
    "the loss is the sum of squares; for the mean read Nλ for λ",
)


@dataclass(frozen=True)
class RegularisedOptimum:
    """A certified minimum of Σ(h(x_n) - y_n)² + λ C over all networks.

    value       the minimum: the lower bound λ Σν_n y_n - (λ²/4) Σν_n² equals what the fitted labels cost
    fitted      h(x_n), the same for every minimiser since the loss is strictly convex
    cost        the least cost of a network through the fitted labels
    """

    lam: Fraction
    value: Fraction
    fitted: tuple[Fraction, ...]
    cost: Fraction
    dual: tuple[Fraction, ...]


def regularised_optimum(data: DataSet, lam: Fraction) -> RegularisedOptimum | None:
    """The minimum where the dual vector of the data, or one of the labels it leads to, certifies it; else None.

    For every network, Σ(h-y)² + λ C >= Σ[(h-y)² + λ ν h] >= λ Σν_n y_n - (λ²/4) Σν_n², whatever the dual vector ν.
    """
    from ..observed.cheapest.cheapest_network import cheapest_network, holds_for_every_kink

    labels = data
    for _ in range(3):
        nu = cheapest_network(labels).dual
        if not holds_for_every_kink(data.x, nu):
            return None
        fitted = tuple(y - lam * v / 2 for y, v in zip(data.y, nu, strict=True))
        labels = data.with_labels(fitted)
        cost = cheapest_network(labels).cost
        q = squares(nu)
        reached = lam * lam * q / 4 + lam * cost
        bound = lam * sum((v * y for v, y in zip(nu, data.y, strict=True)), Fraction(0)) - lam * lam * q / 4
        if reached == bound:
            return RegularisedOptimum(lam, reached, fitted, cost, nu)
    return None


def squares(dual: tuple[Fraction, ...]) -> Fraction:
    """Σ ν_n²."""
    return sum((v * v for v in dual), Fraction(0))


def optima(context: Context) -> Iterator[tuple[DataSet, RegularisedOptimum]]:
    """Certified optima: by hand, random, and for the ten points at the strengths of Figure 1 and above."""
    from ..observed.data.datasets import by_hand, random_batch, ten_points

    batch = (*by_hand(), *random_batch(context.seed % 10**6, context.choose(8, 160)))
    for i, data in enumerate(batch):
        for lam in (Fraction(1, 10 + i % 7), Fraction(1), Fraction(5)):
            if found := regularised_optimum(data, lam):
                yield data, found
    for lam in (Fraction(1, 10**5), Fraction(1, 1000), Fraction(1, 100), Fraction(3, 100)):
        if found := regularised_optimum(ten_points(), lam):
            yield ten_points(), found


@certificate("certified minima")
def observe_value(context: Context) -> Observation:
    """Minimum and dual bound, equal in rationals. Certified minima; and, where the constants are optimal, their value,
    which the formula must not exceed.
    """
    from ..observed.cheapest.cheapest_network import cheapest_network, holds_for_every_kink
    from ..observed.data.datasets import by_hand

    instances = []
    for data, found in optima(context):
        given: dict[str, Value] = {"lam": found.lam, "R": cheapest_network(data).cost, "q": squares(found.dual)}
        instances.append(seen(found.value, f"{data.label}, λ = {found.lam}", **given | data.given))
    flat = 0
    for data in by_hand():
        mean = Fraction(sum(data.y)) / data.size
        network = cheapest_network(data)
        for lam in (Fraction(10), Fraction(100)):
            if holds_for_every_kink(data.x, [2 * (y - mean) / lam for y in data.y]):
                flat += 1
                value = sum(((y - mean) ** 2 for y in data.y), Fraction(0))
                given = {"lam": lam, "R": network.cost, "q": squares(network.dual)}
                label = f"the mean is optimal, {data.label}, λ = {lam}"
                instances.append(seen(value, label, relation=">=", **given | data.given))
    yield from instances
    yield Premise("more than thirty certified optima", len(instances) - flat > 30, f"{len(instances) - flat}")
    yield Premise("strengths beyond the hypothesis among them", flat > 5, f"{flat}")
    yield Step("minimum = lower bound by a dual vector that holds for every kink, in rationals")


@proof("the completed square")
def completed_square(d: Derivation) -> None:
    """Weak duality with the square completed, and the residuals that give equality. The value derived: complete the
    square in the residuals.
    """

    z, y, v, lam, R, q = d.symbols("z y v", lam="positive", R="nonnegative", q="nonnegative")
    d.step("weak duality: C(θ) >= Σ ν_n h(x_n) for every network, so F(θ) >= Σ [(h(x_n)-y_n)² + λ ν_n h(x_n)]")
    d.identity(
        "each term, the square completed",
        (z - y) ** 2 + lam * v * z,
        (z - y + lam * v / 2) ** 2 + lam * v * y - lam**2 * v**2 / 4,
        "(z-y)² + λνz = (z - y + λν/2)² + λνy - λ²ν²/4",
    )
    d.step("so F >= λR - λ²q/4, since Σ ν_n y_n = R, with equality only for residuals y_n - h(x_n) = (λ/2) ν_n")
    d.step("where ν is a dual vector of y - (λ/2)ν as well, those labels cost Σ ν_n (y_n - λν_n/2) = R - λq/2")
    value = lam**2 * q / 4 + lam * (R - lam * q / 2)
    d.identity("the value there", value, lam * R - lam**2 * q / 4, "λ²q/4 + λ(R - λq/2) = λR - λ²q/4")
    d.concludes(
        "lam**2*q/4 + lam*(R - lam*q/2)",
        "residuals (λ/2)ν",
        over={"lam": "positive", "R": "nonnegative", "q": "nonnegative"},
        lam="lam",
        R="R",
        q="q",
    )


VALUE = claim(
    "savarese2019.equation_28_value",
    "beside Corollary 3.4 and Figure 1",
    "The regularised optimum in closed form",
    """For the squared loss Σ(h(x_n) - y_n)² the minimum of (28) is λR - λ²‖ν‖²/4, R the least cost of interpolation and
    ν its dual vector, as long as λ is small; for every λ it is at least that. So no training run can end below it.""",
    part_of="savarese2019.corollary_3_4",
    latex=r"\min_\theta\sum_n(h_\theta(x_n)-y_n)^2+\lambda C(\theta)=\lambda R-\tfrac{\lambda^2}{4}\|\nu\|^2",
    hypotheses=("λ > 0", SMALL, *NU),
    formula="lam*R - lam**2*q/4",
    symbols={"lam": LAM, "R": "the least cost of interpolation", "q": Q},
    controls={
        "lam*R": "the interpolant taken for the minimiser",
        "lam*R - lam**2*q/2": "the loss left out",
        "lam*R - lam*q/4": "one λ forgotten",
        "lam*R/2 - lam**2*q/16": "λ/2 for λ",
    },
    checks=(completed_square, observe_value),
    rests_on=("savarese2019.theorem_3_3",),
    own=True,
)
