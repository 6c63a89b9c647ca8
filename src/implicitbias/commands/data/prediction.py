"""A prediction as a JSON document and as text to be read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from implicitbias.commands.data.answers import ROWS, both_ends, columns
from implicitbias.commands.data.plot import plot

if TYPE_CHECKING:
    from implicitbias.data.points import Points
    from implicitbias.splines.finite_width import ExpectedDistance
    from implicitbias.splines.prediction import Prediction

GRID = 201
"""Places between the first and the last datum at which functions are compared and drawn."""

FLOW = "gradient_flow"
"""The engine that follows the flow."""


@dataclass(frozen=True)
class Request:
    """What was asked: `time` None is the end of training."""

    points: Points
    law: Any
    adjust: str
    time: float | None
    seed: int
    at: tuple[float, ...]


@dataclass(frozen=True)
class Trained:
    """A network trained for comparison: its values at the places asked for and on the grid, and its distance.

    error  the flow's own estimate of what its integrator is off by, relative to the distance the parameters travelled
    engine, steps  what trained it, in how many steps: `gradient_flow`, or gradient descent on a GPU, which has no error
    """

    width: int
    values: tuple[float, ...]
    grid: tuple[float, ...]
    loss: float
    reason: str
    error: float
    largest: float
    rms: float
    expected: ExpectedDistance | None
    seconds: float
    engine: str
    steps: int


def as_document(request: Request, found: Prediction, trained: Trained | None) -> dict[str, Any]:
    """Everything, as JSON values; lists named `value` and the like belong to the places `at`."""
    import numpy as np

    at = np.array(request.at)
    return {
        "schema": 1,
        "source": request.points.source,
        "points": len(request.points),
        "initialisation": None if isinstance(request.law, str) else request.law.text,
        "zeta": request.law if isinstance(request.law, str) else None,
        "adjust": request.adjust,
        "time": request.time,
        "at": list(request.at),
        "prediction": None if found.limit is None else _list(found(at)),
        "spline": _spline(request, found),
        "no_spline": found.no_spline,
        "limit": _limit(request, found),
        "no_limit": found.no_limit,
        "trained": None if trained is None else _trained(trained),
    }


def _spline(request: Request, found: Prediction) -> dict[str, Any] | None:
    import numpy as np

    spline = found.spline
    if spline is None:
        return None
    at, line = np.array(request.at), spline.uv()
    certificate = spline.optimality()
    return {
        "what": "the adaptive spline of the data (Theorem 1): minimises ∫(s'')²/ζ, affine outside the data",
        "knots": [float(v) for v in request.points.x],
        "knot_values": [float(v) for v in request.points.y],
        "ell": [float(v) for v in spline.ell],
        "value": _list(spline(at)),
        "derivative": _list(spline.derivative(at)),
        "second_derivative": _list(spline.derivative(at, 2)),
        "energy": float(spline.energy),
        "end_slopes": [float(v) for v in spline.end_slopes],
        "u": float(line.u),
        "v": float(line.v),
        "optimal": certificate.holds,
        "optimality": {
            "interpolation": float(certificate.interpolation),
            "slope_jump": float(certificate.slope_jump),
            "curvature": float(certificate.curvature),
            "ends": [float(v) for v in certificate.ends],
            "gap": float(certificate.gap),
        },
    }


def _limit(request: Request, found: Prediction) -> dict[str, Any] | None:
    import numpy as np

    if found.limit is None:
        return None
    at = np.array(request.at)
    data = np.array([float(v) for v in request.points.x])
    return {
        "what": what(request),
        "u": float(found.adjustment.u),
        "v": float(found.adjustment.v),
        "value": _list(found(at)),
        "derivative": _list(found.limit(at, 1) + float(found.adjustment.u)),
        "second_derivative": _list(found.limit(at, 2)),
        "at_data": _list(found(data)),
        "multipliers": _list(found.limit.multipliers),
        "norm_squared": found.limit.norm_squared,
        "final_loss": found.final_loss,
        "distance_to_spline": distance(request, found),
    }


def _trained(trained: Trained) -> dict[str, Any]:
    expected = trained.expected
    return {
        "width": trained.width,
        "value": list(trained.values),
        "loss": trained.loss,
        "stopped": trained.reason,
        "flow_error": trained.error if math.isfinite(trained.error) else None,
        "distance_to_limit": {"largest": trained.largest, "rms": trained.rms},
        "expected": None
        if expected is None
        else {"rms": expected.rms, "largest_median": expected.largest[0], "largest_9_of_10": expected.largest[1]},
        "engine": trained.engine,
        "steps": trained.steps,
        "seconds": trained.seconds,
    }


def distance(request: Request, found: Prediction) -> dict[str, float] | None:
    """Between the prediction and the adaptive spline, from the first datum to the last."""
    import numpy as np

    if found.spline is None or found.limit is None:
        return None
    grid = places(request)
    gap = found(grid) - found.spline(grid)
    return {"largest": float(np.abs(gap).max()), "rms": float(np.sqrt((gap**2).mean()))}


def places(request: Request) -> Any:
    import numpy as np

    return np.linspace(float(request.points.x[0]), float(request.points.x[-1]), GRID)


def what(request: Request) -> str:
    data = {
        "none": "the data as they are",
        "exact": "the data less u x + v of Theorem 1, which is added again",
        "ols": "the data less their regression line, which is added again",
    }[request.adjust]
    end = "at the end of training" if request.time is None else f"stopped at T = {request.time:g}"
    return f"what the infinitely wide network learns from {data}, {end}"


def _list(values: Any) -> list[float]:
    return [float(v) for v in values]


def in_words(request: Request, found: Prediction, trained: Trained | None, with_plot: bool) -> list[str]:
    """The same to be read."""
    law = f"ζ(x) = {request.law}" if isinstance(request.law, str) else str(request.law)
    lines = [f"{len(request.points)} points of {request.points.source}; {law}", ""]
    if with_plot:
        lines += [*_plot(request, found), ""]
    lines += [*_summary(request, found, trained), "", *_table(request, found, trained)]
    return lines


def _summary(request: Request, found: Prediction, trained: Trained | None) -> list[str]:
    blocks: dict[str, list[str]] = {}
    if found.limit is None:
        blocks["limit"] = [f"none: {found.no_limit}"]
    else:
        blocks["limit"] = [what(request)]
        if found.final_loss:
            blocks["limit"] += [f"no time brings the loss below {found.final_loss:.6g}: some data are out of reach"]
    if found.spline is None:
        blocks["spline"] = [f"none: {found.no_spline}"]
    else:
        line, certificate = found.spline.uv(), found.spline.optimality()
        verdict = "optimal: certificate holds" if certificate.holds else "the certificate does not hold to rounding"
        blocks["spline"] = [
            f"∫(s'')²/ζ = {float(found.spline.energy):.12g}; {verdict}",
            f"(u, v) = ({_digits(line.u)}, {_digits(line.v)}): trained on y - u x - v, the limit is s - u x - v",
        ]
    if (gap := distance(request, found)) is not None:
        blocks["distance"] = [f"limit to spline, between the data: at most {gap['largest']:.3g}, rms {gap['rms']:.3g}"]
    if trained is not None:
        blocks["trained"] = _trained_words(trained)
    return [f"{name if i == 0 else '':<10}{line}" for name, block in blocks.items() for i, line in enumerate(block)]


def _digits(number: Any) -> str:
    """Twelve digits, which the spline has, of numbers of size 1: a zero that rounding missed is written as zero."""
    return f"{round(float(number), 14) + 0.0:.12g}"


def _trained_words(trained: Trained) -> list[str]:
    lines = [
        f"{trained.width} units and their opposites, all parameters, {trained.seconds:.2g} s; loss {trained.loss:.2g}",
        _how(trained),
        f"distance to the limit: at most {trained.largest:.3g}, rms {trained.rms:.3g}",
    ]
    if trained.expected is not None:
        (middle, high), rms = trained.expected.largest, trained.expected.rms
        lines.append(
            f"expected at this width: at most {middle:.3g} for every second network, {high:.3g} for nine in ten; "
            f"rms {rms:.3g}"
        )
    return lines


def _how(trained: Trained) -> str:
    if trained.engine != FLOW:
        return f"gradient descent, {trained.steps:,} steps on a GPU (engine {trained.engine})"
    if not math.isfinite(trained.error):
        return "gradient flow, which stalled: how far its parameters are off is unknown"
    return f"gradient flow, its parameters off by about {trained.error:.1g} of the way they went (an estimate)"


def _known_digits(trained: Trained) -> int:
    """Digits of the trained values that the integrator's error leaves; steps have none."""
    if trained.engine != FLOW:
        return 10
    return min(10, max(1, math.floor(-math.log10(max(trained.error, 1e-10))))) if math.isfinite(trained.error) else 1


def _plot(request: Request, found: Prediction) -> list[str]:
    grid = places(request)
    spline = found.spline
    if found.limit is not None:
        curve = found(grid)
    elif spline is not None:
        curve = spline(grid)
    else:
        raise AssertionError("a prediction has a limit or a spline")
    x, y = ([float(v) for v in column] for column in (request.points.x, request.points.y))
    drawn = plot((list(grid), list(curve)), [("●", x, y)])
    return [*drawn, f"{'':12}● data   ⠉ {'limit' if found.limit is not None else 'spline'}"]


def _table(request: Request, found: Prediction, trained: Trained | None) -> list[str]:
    import numpy as np

    at = np.array(request.at)
    found_at: list[tuple[str, Sequence[float]]] = [("x", request.at)]
    if found.limit is not None:
        found_at.append(("limit", _list(found(at))))
    if found.spline is not None:
        found_at.append(("spline", _list(found.spline(at))))
        found_at.append(("spline''", _list(found.spline.derivative(at, 2))))
    if trained is not None:
        found_at.append(("trained", trained.values))
    count = len(request.at)
    digits = {"trained": 10 if trained is None else _known_digits(trained)}
    rows = [[f"{values[k]:.{digits.get(name, 10)}g}" for name, values in found_at] for k in both_ends(count)]
    lines = columns([[name for name, _ in found_at], *rows])
    return lines if count <= ROWS else [*lines, f"({count - ROWS} more in the middle: see --json)"]
