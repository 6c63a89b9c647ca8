"""`implicitbias margin DATA.csv --flow`: where gradient flow leads, compared with the global optimum."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from implicitbias.commands.data.answers import ROWS, Answer, left_out
from implicitbias.errors import DataError

if TYPE_CHECKING:
    from implicitbias.convex.kkt.points import KKTPoint
    from implicitbias.data.points import Labelled
    from implicitbias.training.flows.classification_flow import Course
    from implicitbias.training.flows.limit import FlowLimit

COLD, MANY = (1e5, 1e3), 100
"""Margin at which the late-phase surrogate takes over: COLD[0] for up to MANY points, COLD[1] beyond, since a step
costs n³."""
STEPS = 3000
"""Of either stage: a flow that needs more ends there, and says so by its reason, "steps"."""
MOST_POINTS = 300


class Loss(StrEnum):
    """The loss that gradient flow minimises."""

    LOGISTIC = "logistic"
    EXPONENTIAL = "exponential"


class Branch(StrEnum):
    """The rule for a unit that a point pushes off to both sides."""

    ACTIVE = "active"
    INACTIVE = "inactive"
    STAY = "stay"


@dataclass(frozen=True)
class Asked:
    """The start of the flow, (w, b) standard normal and v normal with variance 1/width, and how it is followed."""

    width: int
    seed: int
    loss: Loss
    branch: Branch


@dataclass(frozen=True)
class Found:
    """The flow's two stages, the certified KKT point, and the certified optimum."""

    points: Labelled
    signs: dict[str, int]
    asked: Asked
    early: Course
    late: FlowLimit | None
    limit: KKTPoint | None
    document: dict[str, Any] | None
    statement: str
    optimality: str
    best: KKTPoint | None


def of_gradient_flow(points: Labelled, positive: str | None, asked: Asked) -> Answer:
    """Where gradient flow leads, certified and compared with the optimum; undecided where no limit is certified."""
    from implicitbias.commands.data.signs import signs_of

    signs = signs_of(points, positive)
    if len(points) > MOST_POINTS:
        raise DataError(f"gradient flow is followed for up to {MOST_POINTS} points: got {len(points)}; thin them out")
    found = follow(points, signs, asked)
    return Answer(as_document(found), in_words(found), found.document, undecided=found.limit is None)


def follow(points: Labelled, signs: dict[str, int], asked: Asked) -> Found:
    """Gradient flow until the smallest margin is large, the late-phase surrogate after that, and the optimum."""
    import numpy as np

    from implicitbias.certificate import kernel
    from implicitbias.convex.kkt.dual import optimality
    from implicitbias.training.flows.classification_flow import flow, sample, units
    from implicitbias.training.flows.limit import late_limit

    labels = [signs[str(label)] for label in points.labels]
    try:
        data = sample([float(at) for at in points.x], labels)
    except DataError:
        raise DataError(f"{points.source}: two of the x are one double; write them further apart") from None
    cold = COLD[data.size > MANY]
    rng = np.random.default_rng(asked.seed)
    w, b, v = rng.normal(size=(3, asked.width))
    start = units(w, b, v / np.sqrt(asked.width), data)
    early = flow(
        start, data, temperature=1, loss=asked.loss, branch=asked.branch, steps=STEPS,  # type: ignore[arg-type]
        until=lambda _, q, __: bool(q.min() >= cold),
    )  # fmt: skip
    late = None
    if early.q.min() > 0 and early.reason in ("target", "steps"):
        late = late_limit(early.units, data, list(points.x), asked.branch)  # type: ignore[arg-type]
    limit = None if late is None else late.point
    document = None if limit is None else limit.certificate()
    statement = "" if document is None else kernel.check_certificate(document).statement
    how = "" if limit is None else optimality(limit).status
    best = limit if how == "global" else _optimum(points, labels)
    return Found(points, signs, asked, early, late, limit, document, statement, how, best)


def _optimum(points: Labelled, labels: list[int]) -> KKTPoint | None:
    """A certified KKT point that is proved to be a global optimum; None where none is found."""
    from implicitbias.convex.kkt.dual import optimality
    from implicitbias.convex.kkt.limit import kkt_limit
    from implicitbias.convex.kkt.optimum import margin_optimum

    guess = margin_optimum([float(at) for at in points.x], labels)
    if guess is None:
        return None
    for tolerance in (1e-6, 1e-5, 1e-4):
        near = kkt_limit(guess, points.x, labels, tolerance)
        if near.status == "certified" and near.point is not None and optimality(near.point).status == "global":
            return near.point
    return None


def cost(point: KKTPoint) -> Fraction:
    """½|θ|² = Σ v² at margin 1, up to the radius of the point."""
    return sum((unit.square for unit in point.units), Fraction(0))


def bends(point: KKTPoint) -> list[tuple[float, float]]:
    """(place, change of slope) at every kink, from left to right: of all units that have it together, perhaps 0."""
    found: dict[Fraction, Fraction] = {}
    for unit in point.units:
        slope, intercept = point.direction(unit)
        if slope:
            at = -intercept / slope
            found[at] = found.get(at, Fraction(0)) + unit.sign * unit.square * abs(slope)
    return [(float(at), float(found[at])) for at in sorted(found)]


def parameters(point: KKTPoint) -> list[dict[str, float]]:
    """(w, b, v) of every unit at smallest margin 1: v = ±√κ and (w, b) = v s."""
    found = []
    for unit in point.units:
        v = unit.sign * float(unit.square) ** 0.5
        slope, intercept = (float(part) for part in point.direction(unit))
        found.append({"w": v * slope, "b": v * intercept, "v": v})
    return found


def as_document(found: Found) -> dict[str, Any]:
    """All that was found."""
    early, late, limit, best = found.early, found.late, found.limit, found.best
    claim = None if found.document is None else found.document["claim"]
    return {
        "schema": 1,
        "source": found.points.source,
        "points": len(found.points),
        "labels": found.signs,
        "width": found.asked.width,
        "seed": found.asked.seed,
        "loss": found.asked.loss,
        "branch": found.asked.branch,
        "gradient_flow": {
            "reason": early.reason,
            "steps": len(early.records),
            "smallest_margin": float(early.q.min()),
            "log_loss": early.records[-1][1] if early.records else None,
            "branchings": int(early.counts[3]),
            "falls": early.falls,
            "limit_costs_at_most": _at_most(early),
        },
        "late_phase": None
        if late is None
        else {
            "surrogate": True,
            "growth_of_log_margin": late.growth,
            "branchings": late.counts[3],
            "falls": late.falls,
            "status": late.limit.status,
            "reason": late.limit.reason or None,
            "distance": late.limit.distance if limit is not None else None,
        },
        "limit": None
        if limit is None
        else {
            "cost": float(cost(limit)),
            "kinks": [claim["kinks_at_least"], claim["kinks_at_most"]] if claim else None,
            "bends": [{"x": at, "slope": jump} for at, jump in bends(limit)],
            "support": [float(limit.x[i]) for i in sorted(limit.multipliers)],
            "units": parameters(limit),
            "multipliers": [
                {"x": float(limit.x[i]), "label": limit.labels[i], "value": float(limit.multipliers[i])}
                for i in sorted(limit.multipliers)
            ],
            "radius": float(limit.radius),
            "optimality": found.optimality,
            "statement": found.statement,
        },
        "optimum": None if best is None else {"cost": float(cost(best)), "certified": True},
        "excess": None if best is None or limit is None else _excess(limit, best),
        "certificate": None,
    }


def _at_most(early: Course) -> float | None:
    """A bound of ½|θ|² at margin 1 for the limit of gradient flow: its smoothed margin does not fall (Lyu, Li 2020)."""
    if early.reason != "target" or early.falls:
        return None
    return 1 / (2 * float(early.smoothed_margins[-1]))


def _excess(limit: KKTPoint, best: KKTPoint) -> float:
    return 0.0 if limit is best else float(cost(limit) / cost(best) - 1)


def in_words(found: Found) -> list[str]:
    """The same to be read."""
    asked, early, late = found.asked, found.early, found.late
    signs = ", ".join(f"{word} is {sign:+d}" for word, sign in found.signs.items())
    lines = [f"{len(found.points)} points of {found.points.source} ({signs})", ""]
    lines += [
        f"start       {asked.width} units, (w, b) standard normal, v of variance 1/{asked.width}; seed {asked.seed}",
        f"flow        gradient flow of the {asked.loss} loss: smallest margin {early.q.min():.6g} after "
        f"{len(early.records)} steps" + (f"; branched {early.counts[3]} times" if early.counts[3] else ""),
    ]
    if (most := _at_most(early)) is not None:
        lines.append(f"            its smoothed margin does not fall, so its limit has ½|θ|² <= {most:.8g} at margin 1")
    if late is None:
        lines += [
            f"            it did not classify the points ({_why(early.reason)}): take a larger --width, or another "
            "--seed",
            *_optimum_in_words(found),
        ]
        return lines
    lines += [
        "late phase  a zero-temperature surrogate, not gradient flow itself: only points of smallest margin pull; a "
        f"unit that is pushed off a point to both sides goes by rule '{asked.branch}' ({late.counts[3]} times)",
        f"            until q_min had grown by e^{late.growth:g}",
    ]
    if found.limit is None:
        lines += [f"limit       {late.limit.status}: {late.limit.reason}", *_optimum_in_words(found)]
        return lines
    word = {"global": "the global optimum among networks of all widths", "not global": "no global optimum"}
    places = bends(found.limit)
    lines += [
        f"limit       ½|θ|² = {float(cost(found.limit)):.12g} at margin 1: "
        + word.get(found.optimality, "whether it is a global optimum is undecided"),
        *(f"            x = {at:<12.8g} slope changes by {jump:.8g}" for at, jump in places[:ROWS]),
        *(f"            {line}" for line in left_out(len(places))),
        *_optimum_in_words(found),
        "",
        f"Proved: {found.statement}",
        "Not proved: that gradient flow from this start ends there. It can branch, so its limit need not be unique.",
    ]
    return lines


def _why(reason: str) -> str:
    return f"{STEPS} steps, the most that are taken" if reason == "steps" else reason


def _optimum_in_words(found: Found) -> list[str]:
    if found.best is None:
        return ["optimum     none was certified"]
    if found.best is found.limit:
        return []
    more = f": the limit costs {100 * _excess(found.limit, found.best):.4g} % more" if found.limit else ""
    return [f"optimum     ½|θ|² = {float(cost(found.best)):.12g} at margin 1, certified{more}"]
