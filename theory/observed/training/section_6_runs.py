"""The networks trained for Section 6 at each budget, and comparisons of two groups of runs."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Any

from implicitbias.claims import Context, Curve, JobOutput, Point

from ..data.triangles import TRIANGLES
from .courses import course, ended, setting

RULES: dict[str, int | None] = {"patience 1 000": 1_000, "patience 10 000": 10_000, "all epochs": None}
"""The three stopping rules: that of the paper's text, that of the released code, and none."""

MODELS = ("regression", "classification")


def sizes(context: Context, model: str, protocol: str = "paper") -> Mapping[str, Any]:
    """Units, bins, learning rate and epochs: those of the paper, except at the quick budget.

    The learning rates of the paper's protocol come from a sweep on different data and starts from those tested; the
    released protocol has its own (0.04 and 0.07), except that larger ones save epochs at the quick budget.
    """
    bins = context.choose(25, 50)
    released = context.choose(20_000, 300_000, 700_000)
    if model == "regression":
        step = 0.08 if protocol == "paper" else context.choose(0.08, 0.04)
        epochs = context.choose(20_000, 150_000, 300_000) if protocol == "paper" else released
        units = context.choose(2_000, 10_000)
    else:
        step = context.choose(0.5, 0.3) if protocol == "paper" else context.choose(0.5, 0.07)
        epochs = context.choose(20_000, 75_000, 150_000) if protocol == "paper" else released
        units = context.choose(200, 500)
    return {"units": units, "bins": bins, "step": step, "epochs": epochs, "look": context.choose(500, 250)}


def runs(
    context: Context,
    count: int,
    *,
    target: str = TRIANGLES,
    protocol: str = "paper",
    label: int = 0,
    fresh_data: bool = False,
    models: Sequence[str] = MODELS,
    **other: Any,
) -> list[Mapping[str, Any]]:
    """`count` runs of each model, all on one data set as in the paper, or (`fresh_data`) one data set per pair."""
    import numpy as np

    found: list[Mapping[str, Any]] = []
    for pair in range(count):
        data, *starts = np.random.SeedSequence([context.seed, label, pair]).generate_state(1 + len(models))
        if not fresh_data:
            data = np.random.SeedSequence([context.seed, label]).generate_state(1)[0]
        for model, start in zip(models, starts, strict=True):
            base = {"model": model, "target": target, "protocol": protocol, "data": int(data), "start": int(start)}
            found.append({**base, **sizes(context, model, protocol), **other})
    return found


def run(parameters: Point, device: str) -> JobOutput:
    """Run one training; returns its parameters and its course."""
    return {**parameters, **course(setting(parameters), device)}


def of(outputs: Sequence[Mapping[str, Any]], model: str) -> list[Mapping[str, Any]]:
    """The runs of one model."""
    return [o for o in outputs if o["model"] == model]


def errors(outputs: Sequence[Mapping[str, Any]], model: str, rule: str, kind: str = "validation") -> list[float]:
    """Root mean square errors of the model's runs under a stopping rule."""
    return [float(getattr(ended(o, RULES[rule]), kind)) for o in of(outputs, model)]


def share_won(lower: Sequence[float], higher: Sequence[float]) -> Fraction:
    """The share of pairs (a, b) from `lower` × `higher` with a < b."""
    won = sum(a < b for a in lower for b in higher)
    return Fraction(won, len(lower) * len(higher))


def chance_of_separation(runs_each: int) -> float:
    """1/C(2r, r): the probability that all of one group of r runs beat all of the other, if there is no difference."""
    return 1 / comb(2 * runs_each, runs_each)


def summary(values: Sequence[float]) -> dict[str, float]:
    """Mean, standard deviation, best and worst."""
    return {
        "mean": statistics.fmean(values),
        "standard deviation": statistics.stdev(values),
        "best": min(values),
        "worst": max(values),
    }


def curve(output: Mapping[str, Any]) -> Curve:
    """The validation error along a course."""
    epochs, found = output["epochs"], output["errors"]
    every = slice(1, None, max(1, len(epochs) // 200))
    return Curve(
        f"{output['model']}: validation error by epoch",
        tuple(float(e) for e in epochs[every]),
        tuple(float(e) ** 0.5 for e in found[every, 1]),
    )
