"""Equation (28) for the squared loss: the optimal value, the residuals and the cost in closed form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, isqrt
from typing import TYPE_CHECKING, Any

from implicitbias.check import Check, Context, Kind, Sweep
from implicitbias.claim import OWN_RESULT, Claim, Control, Source
from implicitbias.evidence import Evidence, Identity, Instance, Premise, Step, Value
from implicitbias.exact.rational import Interval

from .figure_1 import train_job

if TYPE_CHECKING:
    from .datasets import DataSet

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
    from .cheapest_network import cheapest_network, holds_for_every_kink

    labels = data
    for _ in range(3):
        nu = cheapest_network(labels).dual
        if not holds_for_every_kink(data.x, nu):
            return None
        fitted = tuple(y - lam * v / 2 for y, v in zip(data.y, nu, strict=True))
        labels = data.with_labels(fitted)
        cost = cheapest_network(labels).cost
        squares = sum((v * v for v in nu), Fraction(0))
        reached = lam * lam * squares / 4 + lam * cost
        bound = lam * sum((v * y for v, y in zip(nu, data.y, strict=True)), Fraction(0)) - lam * lam * squares / 4
        if reached == bound:
            return RegularisedOptimum(lam, reached, fitted, cost, nu)
    return None


def optima(context: Context) -> Iterator[tuple[DataSet, RegularisedOptimum]]:
    """Certified optima: by hand, random, and for the ten points at the strengths of Figure 1 and above."""
    from .datasets import by_hand, random_batch, ten_points

    batch = (*by_hand(), *random_batch(context.seed % 10**6, context.choose(8, 160)))
    for i, data in enumerate(batch):
        for lam in (Fraction(1, 10 + i % 7), Fraction(1), Fraction(5)):
            if found := regularised_optimum(data, lam):
                yield data, found
    for lam in (Fraction(1, 10**5), Fraction(1, 1000), Fraction(1, 100), Fraction(3, 100)):
        if found := regularised_optimum(ten_points(), lam):
            yield ten_points(), found


def observe_value(context: Context) -> Evidence:
    """Certified minima; and, where the constants are optimal, their value, which the formula must not exceed."""
    from .cheapest_network import cheapest_network, holds_for_every_kink
    from .datasets import by_hand

    instances = []
    for data, found in optima(context):
        given: dict[str, Value] = {"lam": found.lam, "R": cheapest_network(data).cost, "q": _squares(found.dual)}
        instances.append(Instance(f"{data.label}, λ = {found.lam}", given | data.given, found.value))
    flat = 0
    for data in by_hand():
        mean = Fraction(sum(data.y)) / data.size
        network = cheapest_network(data)
        for lam in (Fraction(10), Fraction(100)):
            if holds_for_every_kink(data.x, [2 * (y - mean) / lam for y in data.y]):
                flat += 1
                value = sum(((y - mean) ** 2 for y in data.y), Fraction(0))
                given = {"lam": lam, "R": network.cost, "q": _squares(network.dual)}
                label = f"the mean is optimal, {data.label}, λ = {lam}"
                instances.append(Instance(label, given | data.given, value, ">="))
    return Evidence(
        instances=tuple(instances),
        premises=(
            Premise("more than thirty certified optima", len(instances) - flat > 30, f"{len(instances) - flat}"),
            Premise("strengths beyond the hypothesis among them", flat > 5, f"{flat}"),
        ),
        steps=(Step("minimum = lower bound by a dual vector that holds for every kink, in rationals"),),
    )


def _squares(dual: tuple[Fraction, ...]) -> Fraction:
    return sum((v * v for v in dual), Fraction(0))


def observe_completed_square(context: Context) -> Evidence:
    """The value derived: complete the square in the residuals."""
    from implicitbias.derivation import Derivation
    from implicitbias.exact.symbolic import symbol

    d = Derivation()
    lam, R, q = symbol("lam", "positive"), symbol("R", "nonnegative"), symbol("q", "nonnegative")
    z, y, v = symbol("z"), symbol("y"), symbol("v")
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
    return Evidence(
        identities=(
            Identity(
                "residuals (λ/2)ν",
                {"lam": "positive", "R": "nonnegative", "q": "nonnegative"},
                {"lam": "lam", "R": "R", "q": "q"},
                "lam**2*q/4 + lam*(R - lam*q/2)",
            ),
        ),
        steps=d.steps,
    )


VALUE = Claim(
    id="savarese2019.equation_28_value",
    source=Source(OWN_RESULT, "beside Corollary 3.4 and Figure 1"),
    title="The regularised optimum in closed form",
    statement=(
        "For the squared loss Σ(h(x_n) - y_n)² the minimum of (28) is λR - λ²‖ν‖²/4, R the least cost of "
        "interpolation and ν its "
        "dual vector, as long as λ is small; for every λ it is at least that. So no training run can end below it."
    ),
    latex=r"\min_\theta\sum_n(h_\theta(x_n)-y_n)^2+\lambda C(\theta)=\lambda R-\tfrac{\lambda^2}{4}\|\nu\|^2",
    hypotheses=("λ > 0", SMALL, *NU),
    rests_on=("savarese2019.theorem_3_3",),
    formula="lam*R - lam**2*q/4",
    symbols={"lam": LAM, "R": "the least cost of interpolation", "q": Q},
    controls=(
        Control("lam*R", "the interpolant taken for the minimiser"),
        Control("lam*R - lam**2*q/2", "the loss left out"),
        Control("lam*R - lam*q/4", "one λ forgotten"),
        Control("lam*R/2 - lam**2*q/16", "λ/2 for λ"),
    ),
    checks=(
        Check(
            name="the completed square",
            kind=Kind.PROOF,
            observe=observe_completed_square,
            about="weak duality with the square completed, and the residuals that give equality",
        ),
        Check(
            name="certified minima",
            kind=Kind.CERTIFICATE,
            observe=observe_value,
            about="minimum and dual bound, equal in rationals",
        ),
    ),
)


def observe_residuals(context: Context) -> Evidence:
    """The residuals of certified minimisers, one instance a data point, confirmed against moves of each label."""
    instances = []
    confirmed = True
    for i, (data, found) in enumerate(optima(context)):
        confirmed = confirmed and (i % 5 > 0 or _no_move_helps(data, found))
        for n, (y, z, v) in enumerate(zip(data.y, found.fitted, found.dual, strict=True), 1):
            given: dict[str, Value] = {"lam": found.lam, "nu": v, **data.given}
            instances.append(Instance(f"point {n} of {data.label}, λ = {found.lam}", given, Fraction(y - z)))
    return Evidence(
        instances=tuple(instances),
        premises=(Premise("no move of a fitted label lowers the objective", confirmed),),
        steps=(
            Step("the fitted labels of a certified minimum; they are unique, the loss being strictly convex"),
            Step("as a test of the certificate: moving any one of them, either way, raises the exact objective"),
        ),
    )


def _no_move_helps(data: DataSet, found: RegularisedOptimum) -> bool:
    from .cheapest_network import cheapest_network

    for n in range(data.size):
        for move in (found.lam / 50, -found.lam / 50):
            labels = [z + move * (m == n) for m, z in enumerate(found.fitted)]
            loss = sum(((z - y) ** 2 for z, y in zip(labels, data.y, strict=True)), Fraction(0))
            if loss + found.lam * cheapest_network(data.with_labels(labels)).cost <= found.value:
                return False
    return True


def residual_runs(context: Context) -> Sequence[Mapping[str, Any]]:
    count = context.choose(4, 30, 100)
    return [
        {"data": "ten points", "width": 100, "lam": lam, "seed": (context.seed + 31 * i) % 2**31, "runs": 6}
        for lam in ("1/100", "1/1000")
        for i in range(count)
    ]


def observe_trained_residuals(context: Context) -> Evidence:
    """The residuals of trained networks, each with a rigorous distance to those of the minimisers.

    F(θ) - F* >= Σ (h(x_n) - h*(x_n))² by the completed square: the best run says where the minimisers' residuals lie.
    """
    from .cheapest_network import cheapest_network
    from .datasets import ten_points
    from .figure_1 import exact_objective, network_of

    data = ten_points()
    nu = cheapest_network(data).dual
    instances, measured = [], {}
    for text in ("1/100", "1/1000"):
        lam = Fraction(text)
        minimum = lam * sum((v * y for v, y in zip(nu, data.y, strict=True)), Fraction(0)) - lam**2 * _squares(nu) / 4
        networks = [network_of(output) for output in context.outputs if output["lam"] == text]
        objectives = [exact_objective(network, data, lam) for network in networks]
        best = min(range(len(networks)), key=lambda i: objectives[i])
        excess = objectives[best] - minimum
        radius = root_above(excess)
        measured[f"λ = {text}: excess of the best run, distance to the minimisers"] = (float(excess), float(radius))
        for n, (x, y, v) in enumerate(zip(data.x, data.y, nu, strict=True), 1):
            residual = Interval.around(y - networks[best](x), radius)
            instances.append(Instance(f"point {n}, λ = {text}", {"lam": lam, "nu": v}, residual))
    return Evidence(
        instances=tuple(instances),
        measured=measured,
        steps=(
            Step("the run with the least objective F, its residuals in rationals; F* >= λR - λ²‖ν‖²/4 by weak duality"),
            Step("the residuals of the minimisers lie within the root of F - (λR - λ²‖ν‖²/4) of them"),
        ),
    )


def root_above(square: Fraction) -> Fraction:
    """A rational number at least the root and less than 2^-60 above it.

    >>> root_above(Fraction(1, 4)) >= Fraction(1, 2)
    True
    """
    return Fraction(isqrt(ceil(square * 2**120)) + 1, 2**60)


RESIDUAL = Claim(
    id="savarese2019.equation_28_residual",
    source=Source(OWN_RESULT, "beside Corollary 3.4 and Figure 1"),
    title="Residuals are the dual vector",
    statement=(
        "For the squared loss and small λ every minimiser of (28) misses the labels by y_n - h(x_n) = (λ/2) ν_n: "
        "training reads off "
        "the dual vector of the interpolation problem."
    ),
    latex=r"y_n-h(x_n)=\tfrac{\lambda}{2}\nu_n",
    hypotheses=("λ > 0", SMALL, *NU),
    rests_on=("savarese2019.equation_28_value",),
    formula="lam*nu/2",
    symbols={"lam": LAM, "nu": "ν_n, the entry of the dual vector at the data point"},
    controls=(
        Control("lam*nu", "the half of the square's derivative forgotten"),
        Control("-lam*nu/2", "h(x_n) - y_n for y_n - h(x_n)"),
        Control("nu/2", "λ forgotten"),
        Control("lam*Abs(nu)/2", "only the size"),
    ),
    checks=(
        Check(
            name="certified minimisers",
            kind=Kind.CERTIFICATE,
            observe=observe_residuals,
            about="the fitted labels of certified minima, and exact moves away from them",
        ),
        Check(
            name="networks trained from random weights",
            kind=Kind.EXPERIMENT,
            observe=observe_trained_residuals,
            about="the residuals of trained networks at λ = 0.01 and 0.001, read off as a dual vector",
            acceptance=(
                "Written before the runs: for both λ the run with the least objective, out of 4 (30, 100 at full "
                "and paper), gives "
                "for each data point an interval that holds the minimisers' residual for certain; the formula must "
                "lie in all."
            ),
            sweep=Sweep(residual_runs, train_job),
            time_limit=120,
        ),
    ),
)


def observe_cost(context: Context) -> Evidence:
    """The cost of certified minimisers."""
    from .cheapest_network import cheapest_network

    instances = []
    for data, found in optima(context):
        given: dict[str, Value] = {"lam": found.lam, "R": cheapest_network(data).cost, "q": _squares(found.dual)}
        instances.append(Instance(f"{data.label}, λ = {found.lam}", given | data.given, found.cost))
    return Evidence(
        instances=tuple(instances),
        premises=(Premise("more than thirty certified optima", len(instances) > 30, f"{len(instances)}"),),
        steps=(Step("the least cost of a network through the fitted labels, by linear programming in rationals"),),
    )


COST = Claim(
    id="savarese2019.equation_28_cost",
    source=Source(OWN_RESULT, "beside Corollary 3.4 and Figure 1"),
    title="The cost of the regularised minimiser",
    statement=(
        "For the squared loss and small λ the minimisers of (28) cost R - λ‖ν‖²/2: less than the interpolant by an "
        "amount that "
        "three digits do not show at λ = 10⁻⁵."
    ),
    latex=r"\bar R(f_\lambda)=R-\tfrac{\lambda}{2}\|\nu\|^2",
    hypotheses=("λ > 0", SMALL, *NU),
    rests_on=("savarese2019.equation_28_value",),
    formula="R - lam*q/2",
    symbols={"lam": LAM, "R": "the least cost of interpolation", "q": Q},
    controls=(
        Control("R", "the interpolant's cost"),
        Control("R - lam*q/4", "the objective divided by λ"),
        Control("R - lam*q", "twice the deficit"),
        Control("R*(1 - lam)", "the same share for all data"),
    ),
    checks=(
        Check(
            name="costs of certified minimisers",
            kind=Kind.CERTIFICATE,
            observe=observe_cost,
            about="the exact least cost of the fitted labels",
        ),
    ),
)

CLAIMS: tuple[Claim, ...] = (VALUE, RESIDUAL, COST)
