"""Section 2, equations (10) and (11): learning the weights is learning a function, at the same minimal value."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from implicitbias.claims import (
    Context,
    Derivation,
    Instance,
    Interval,
    Measured,
    Observation,
    Premise,
    Value,
    certificate,
    claim,
    experiment,
    proof,
    seen,
)
from implicitbias.exact.vectors import dot

from ..observed.cheapest.cheapest_network import cheapest_network, holds_for_every_kink
from ..observed.cheapest.cost_programme import Number, interpolation
from ..observed.cheapest.regularised_optimum import optima, squares
from ..observed.data.datasets import by_hand
from ..observed.training.train import train

CLOSE = Fraction(1, 1000)
"""The acceptance rule of the experiment: the best of the runs within a thousandth of the formula."""
ROUNDING = Fraction(1, 10**9)
"""Allowed relative error of a double-precision objective: ten thousand times the rounding error."""

WAVES_X = tuple(Fraction(2 * i - 9, 4) for i in range(10))
WAVES_SLOPES = tuple(Fraction(n, 20) for n in (10, 4, -8, -18, -6, 7, 16, 6, -9))


def waves() -> tuple[list[Fraction], list[Fraction]]:
    """Ten points, equally spaced; their kinks change sign rarely, so there are many minimisers."""
    y = [Fraction(0)]
    for slope in WAVES_SLOPES:
        y.append(y[-1] + slope / 2)
    return list(WAVES_X), y


@certificate("exact primal and dual")
def primal_and_dual(context: Context) -> Observation:
    """The minimum of Σ(f(xₙ)−yₙ)² + λR(f), from a function's objective and a dual bound that are equal in rationals.

    ν are the prices of interpolation. The function interpolates y − λν/2, at a cost found by its own linear programme;
    the bound is Σ(rₙ² − λνₙrₙ) + λ⟨ν,y⟩, minimised over the residuals r = y − f(x), since ⟨ν,f(x)⟩ <= R(f).
    """
    draw = context.random()
    sets: list[tuple[list[Number], list[Number]]] = [
        ([0], [3]),
        ([0, 1], [0, 1]),
        ([0, 2], [1, -4]),
        ([-1, 0, 1], [0, 1, 0]),
        ([0, 1, 2, 3], [0, 1, 0, 1]),
        ([0, 1, 2], [0, 3, 7]),
    ]
    x, y = waves()
    sets.append((list(x), list(y)))
    for _ in range(14):
        size = draw.randint(2, 7)
        sets.append((sorted(draw.sample(range(-12, 13), size)), [draw.randint(-20, 20) for _ in range(size)]))
    instances: list[Instance] = []
    for x_data, y_data in sets:
        found = interpolation(x_data, y_data)
        q = sum((v * v for v in found.prices), Fraction(0))
        for lam in (Fraction(1, 10), Fraction(1, 100), Fraction(1, 10**4)):
            fitted = [value - lam * v / 2 for value, v in zip(y_data, found.prices, strict=True)]
            primal = lam**2 * q / 4 + lam * interpolation(x_data, fitted).cost
            residuals = [lam * v / 2 for v in found.prices]
            dual = sum((r * r - lam * v * r for r, v in zip(residuals, found.prices, strict=True)), Fraction(0))
            dual += lam * dot(found.prices, y_data)
            if primal != dual:
                continue  # λ is not small for these data: nothing is claimed there
            instances.append(
                seen(
                    primal,
                    f"{len(x_data)} points, λ = {lam}",
                    lam=lam,
                    R=found.cost,
                    q=q,
                    x=tuple(x_data),
                    y=tuple(y_data),
                )
            )
    enough = len(instances) >= 40 and any(i.given["q"] == 0 for i in instances)
    yield from instances
    yield Premise("primal and dual meet on at least 40 of the 63 problems", enough, f"{len(instances)} met")


@certificate("certified minima")
def certified_minima(context: Context) -> Observation:
    """Certified minima for data of other kinds; and, where constants are optimal, their value, which is not below."""
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


@proof("squares")
def the_minimum(d: Derivation) -> None:
    """The dual bound minimised over the residual of each point, and the residual that attains it."""
    import sympy

    r, v, lam, R, q = d.symbols("r v", lam="positive", R="nonnegative", q="nonnegative")
    d.step("prices ν of interpolation: ⟨ν,y⟩ = R, and ⟨ν,h(x)⟩ <= C(θ) for every network, by |Σνₙ[w(xₙ−b)]₊| <= 1")
    d.step("with residuals r = y − h(x)", "Σrₙ² + λC(θ) >= λR + Σ(rₙ² − λνₙrₙ)")
    point = r**2 - lam * v * r
    (best,) = sympy.solve(sympy.diff(point, r), r)
    least = sympy.expand(point.subs(r, best))
    d.identity("each point: a square above its least value", point - least, (r - best) ** 2)
    total = lam * R + (least / v**2) * q
    d.step("the least values added up, Σνₙ² = q", f"F* = {total}")
    d.step("attained where y − λν/2 has the same prices, which small λ grants", "r = λν/2, R(f) = R − λq/2")
    d.identity("objective of that function", lam**2 * q / 4 + lam * (R - lam * q / 2), total)
    d.concludes(
        sympy.expand(total),
        "minimal value",
        over={"lam": "positive", "R": "nonnegative", "q": "nonnegative"},
        lam="lam",
        R="R",
        q="q",
    )


def training_runs(context: Context) -> list[Mapping[str, Any]]:
    seeds = context.choose(4, 30)
    return [
        {"penalty": penalty, "units": units, "seed": (context.seed + 7919 * i + units) % 2**31}
        for penalty in ("1/100", "3/100")
        for units in (50, 100)
        for i in range(seeds // 2)
    ]


def training_run(parameters: Mapping[str, Any], device: str) -> Mapping[str, Any]:

    x, y = waves()
    penalty = float(Fraction(parameters["penalty"]))
    run = train([float(z) for z in x], [float(z) for z in y], [parameters["units"]], penalty, parameters["seed"])
    return {**parameters, "objective": run.objective}


@experiment(
    "trained networks",
    training_runs,
    training_run,
    acceptance="""Before the run: no run is below the formula (by more than rounding, 1e-9), and for each λ the best run
    is within 0.1% of it; the nearest control is 4.8% off.""",
)
def train_networks(context: Context) -> Observation:
    """50 and 100 units trained on ten points, λ = 0.01 and 0.03: every objective bounds the minimum from above, the
    best for each λ is observed with the rule's margin.
    """
    x, y = waves()
    found = interpolation(x, y)
    q = sum((v * v for v in found.prices), Fraction(0))
    agree = True
    for penalty in sorted({run["penalty"] for run in context.outputs}, key=Fraction):
        objectives = [Fraction(run["objective"]) for run in context.outputs if run["penalty"] == penalty]
        given: dict[str, Value] = {"lam": Fraction(penalty), "R": found.cost, "q": q}
        for i, objective in enumerate(objectives):
            yield seen(objective * (1 + ROUNDING), f"run {i} at λ = {penalty}", relation=">=", **given)
        best = min(objectives)
        agree = agree and sum(objective <= best * (1 + 20 * CLOSE) for objective in objectives) * 2 >= len(objectives)
        observed = Interval(best * (1 - CLOSE), best * (1 + ROUNDING))
        by_run = [float(objective) for objective in objectives]
        yield seen(observed, f"best of {len(objectives)} runs at λ = {penalty}", by_run=by_run, **given)
        yield Measured(f"best objective at λ = {penalty}", float(best))
        yield Measured(f"worst objective at λ = {penalty}", float(max(objectives)))
    yield Premise("for each λ half of the runs end within 2% of the best: training converges", agree)


EQUATION_10 = claim(
    "savarese2019.equation_10",
    "Section 2, equations (10) and (11)",
    "The minimal value of penalised learning",
    """For the squared loss Σ(f(xₙ)−yₙ)² minimising over weights (10) and over functions (11) have the same minimal
    value and each global minimum of (10) gives one of (11). For small λ that value is λR − λ²q/4, where R is the least
    cost of an interpolant and q = Σνₙ² with ν the dual prices of interpolation; no network of any width is below it,
    and the residuals are y − f(x) = λν/2. For every λ the minimum is at least that value.""",
    latex=r"\min_\theta\sum_n(h_\theta(x_n)-y_n)^2+\lambda C(\theta)=\lambda R-\tfrac{\lambda^2}{4}\|\nu\|_2^2",
    hypotheses=("one input, squared loss, summed", "λ so small that ν are still prices of y − λν/2"),
    formula="lam*R - lam**2*q/4",
    symbols={
        "lam": "λ, the penalty",
        "R": "the least cost of an interpolant",
        "q": "‖ν‖², ν the dual prices of the interpolation constraints",
    },
    controls={
        "lam*R": "no shrinkage, the interpolant taken for the minimiser",
        "lam*R - lam**2*q/2": "the loss left out",
        "lam*R/2 - lam**2*q/16": "λ/2 for λ",
        "lam*R - lam*q/4": "one λ forgotten",
    },
    checks=(primal_and_dual, certified_minima, the_minimum, train_networks),
    rests_on=("savarese2019.equation_5", "savarese2019.equation_8"),
    formerly=("savarese2019.equation_28_value",),
)
