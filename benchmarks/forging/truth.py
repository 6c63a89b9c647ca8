"""Whether an accepted certificate says the truth, by other means than the checker's: closed forms, linear programmes.

Programmes are in doubles, with kinks on a grid that holds all the exact ones where there are such. What is compared is
the number, or the two bounds, as the printed sentence has them.
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.optimize import linprog

from implicitbias.convex.kkt.optimum import margin_optimum
from implicitbias.convex.margin.classifier import max_margin
from implicitbias.convex.ramps.interpolant import ramp_interpolant
from implicitbias.convex.variation.penalised import penalised_fit
from tests.support.penalised_line import least_penalised_loss

Document = dict[str, Any]
TOLERANCE = 1e-6
"""Relative, of programmes whose grid holds an optimum."""
COARSE = 0.02
"""Relative, of programmes whose grid only lies close to one."""
_NUMBER = r"(-?[0-9][0-9./e+-]*)"


_LARGEST = Fraction(10) ** 300


def said(statement: str) -> tuple[float, float]:
    """The bounds of the value in the sentence. Raises ValueError where it has none."""
    sentence = statement[statement.index("smallest") :].partition(";")[0].rpartition("It costs ")
    value = re.search(rf"lies between {_NUMBER} and {_NUMBER}", sentence[2]) or re.search(
        rf"(?: is |^){_NUMBER}", sentence[2]
    )
    if value is None:
        raise ValueError(f"no value in {statement!r}")
    low, high = (Fraction(text.rstrip(".")) for text in (value[1], value[value.lastindex or 1]))
    return float(min(low, _LARGEST)), float(min(high, _LARGEST))


def why_false(document: Document, statement: str) -> str:
    """What is wrong with the statement; "" if nothing is found."""
    kind = document["kind"]
    if kind == "KKT point of the margin problem":
        return _kkt(document)
    low, high = said(statement)
    if kind == "all minimisers of least variation" and "√" in statement:
        low = high = _surd(document["claim"]["value"], document["data"]["root"])
    if low > high:
        return f"{low} > {high}"
    least, most = _optimum(document)
    if low > most or high < least:
        return f"said {low} to {high}, found {least} to {most}"
    return _ends(document) if kind == "minimum-norm interpolation" else ""


def _optimum(document: Document) -> tuple[float, float]:
    kind, data = document["kind"], document["data"]
    x, y = _points(data["x"]), [Fraction(v) for v in data.get("y", data.get("labels"))]
    if kind == "minimum-norm interpolation":
        value = float(_minimum_norm([p[0] for p in x], y)[0])
        return _around(value, TOLERANCE)
    if kind == "interpolation by ramps":
        try:
            return _around(_by_ramps(x, y, [Fraction(v) for v in document["kinks"]]), TOLERANCE)
        except OverflowError:  # beyond doubles: by the exact solver
            exactly = ramp_interpolant([p[0] for p in x], y, _pair(document["kinks"])).value
            return float(min(exactly, _LARGEST)), float(min(exactly, _LARGEST))
    if kind == "maximum margin":
        found = max_margin([p[0] for p in x], data["labels"], range(data["classes"]), _pair(document["kinks"]))
        return float(found.lower) * (1 - TOLERANCE), float(found.upper) * (1 + TOLERANCE)
    if kind == "least penalised loss on a line":
        rows = [(float(at), float(v), float(Fraction(w))) for (at,), v, w in zip(x, y, data["weights"], strict=True)]
        words = data["monotone"], data["curved"]
        found = least_penalised_loss(rows, float(Fraction(data["penalty"])), data["cost"] == "network", *words)
        return _around(found, TOLERANCE)
    if kind == "least loss penalised by total variation":
        fit = penalised_fit(x, y, Fraction(data["penalty"]))
        return float(fit.lower) * (1 - TOLERANCE) - 1e-12, float(fit.upper) * (1 + TOLERANCE) + 1e-12
    tilt = np.array([float(Fraction(v)) for v in data["tilt"]]) if "tilt" in data else None
    value = _on_a_grid(x, y, margins=kind == "margins of least total variation", tilt=tilt)
    return value * (1 - COARSE) - 1e-9, value * (1 + 1e-7) + 1e-9


def _points(given: list[Any]) -> list[tuple[Fraction, ...]]:
    return [tuple(map(Fraction, at)) if isinstance(at, list) else (Fraction(at),) for at in given]


def _pair(given: list[str]) -> tuple[Fraction, Fraction]:
    return Fraction(given[0]), Fraction(given[1])


def _around(value: float, tolerance: float) -> tuple[float, float]:
    return value - tolerance * abs(value) - 1e-12, value + tolerance * abs(value) + 1e-12


def _minimum_norm(x: list[Fraction], y: list[Fraction]) -> tuple[Fraction, list[list[Fraction]], bool]:
    """The closed form: value, ends of the segment of end slopes, uniqueness."""
    slopes = [(d - c) / (b - a) for (a, b), (c, d) in zip(pairwise(x), pairwise(y), strict=True)] or [Fraction(0)]
    bends = [b - a for a, b in pairwise(slopes)]
    a, b, variation = slopes[0], slopes[-1], sum(map(abs, bends), Fraction(0))
    t = max(Fraction(0), (abs(a + b) - variation) / 2)
    moved = t if a + b > 0 else -t
    alike = any(p * q > 0 for p, q in pairwise(bends))
    return variation + t, [[a - moved, b], [a, b - moved]], not t and not alike


def _ends(document: Document) -> str:
    data, claim = document["data"], document["claim"]
    _, ends, unique = _minimum_norm([Fraction(v) for v in data["x"]], [Fraction(v) for v in data["y"]])
    if claim["unique"] is not unique:
        return "unique"
    for pair, told in zip(ends, claim["end_slopes"], strict=True):
        for slope, number in zip(pair, told, strict=True):
            low, high = (number["at_least"], number["at_most"]) if isinstance(number, dict) else (number, number)
            if not Fraction(low) <= slope <= Fraction(high):
                return f"end slopes {ends}"
    return ""


def _by_ramps(x: list[tuple[Fraction, ...]], y: list[Fraction], kinks: list[Fraction]) -> float:
    """Scaled to [-1, 1] in x and y, and back: kinks at the ends and at the data hold an optimum."""
    at, target = np.array([float(p[0]) for p in x]), np.array([float(v) for v in y])
    places = np.array([float(kinks[0]), *at, float(kinks[1])])
    width, height = float(kinks[1] - kinks[0]), max(1e-300, float(np.abs(target).max()))
    right = np.maximum(at[:, None] - places[None, :], 0) / width
    left = np.maximum(places[None, :] - at[:, None], 0) / width
    return _least(np.hstack([right, left]), target / height, None) * height / width


def _on_a_grid(
    x: list[tuple[Fraction, ...]], y: list[Fraction], margins: bool = False, tilt: np.ndarray | None = None
) -> float:
    """Problem (20): directions of a circle or a sphere, and for one input those of kinks at the data."""
    lifted = np.array([[*map(float, p), 1.0] for p in x])
    target = np.array([float(v) for v in y])
    if lifted.shape[1] == 2:
        angles = np.concatenate([np.linspace(0, 2 * np.pi, 4001), np.arctan2(-lifted[:, 0], 1)])
        angles = np.concatenate([angles, angles[-len(lifted) :] + np.pi])
        theta = np.stack([np.cos(angles), np.sin(angles)])
    else:
        theta = np.random.default_rng(0).standard_normal((lifted.shape[1], 12_000))
        theta /= np.linalg.norm(theta, axis=0)
    weights = None if tilt is None else 1 + tilt @ theta
    height = max(1e-300, float(np.abs(target).max()))
    return _least(np.maximum(lifted @ theta, 0), target / height, weights, margins) * height


def _least(units: np.ndarray, target: np.ndarray, weights: np.ndarray | None, margins: bool = False) -> float:
    cost = np.ones(units.shape[1]) if weights is None else weights
    both, costs = np.hstack([units, -units]), np.concatenate([cost, cost])
    if margins:
        answer = linprog(costs, A_ub=-target[:, None] * both, b_ub=-np.ones(len(target)), method="highs")
    else:
        answer = linprog(costs, A_eq=both, b_eq=target, method="highs")
    if answer.status != 0:
        raise ArithmeticError(f"the programme: {answer.message}")
    return float(answer.fun)


def _surd(value: Any, root: int) -> float:
    a, b = value if isinstance(value, list) else (value, "0")
    return float(Fraction(a)) + float(Fraction(b)) * float(root) ** 0.5


def _kkt(document: Document) -> str:
    """The conditions at the network itself, in doubles."""
    x = np.array([float(Fraction(v)) for v in document["data"]["x"]])
    y = np.array(document["data"]["labels"], dtype=float)
    weights = {i: float(Fraction(v)) for i, v in document["multipliers"]}
    outputs, jumps, costs = np.zeros(len(x)), dict[float, float](), 0.0
    for unit in document["units"]:
        shares = dict.fromkeys(unit["active"], 1.0) | {i: float(Fraction(c)) for i, c in unit["contacts"]}
        s = sum((weights[i] * y[i] * c * np.array([x[i], 1.0]) for i, c in shares.items() if i in weights), np.zeros(2))
        square = float(Fraction(unit["square"]))
        heights = unit["sign"] * (s[0] * x + s[1])
        outputs += unit["sign"] * square * np.maximum(heights, 0)
        costs += square
        wrong = [i for i in range(len(x)) if i not in shares and heights[i] > 1e-9]
        wrong += [i for i in unit["active"] if heights[i] < -1e-9]
        if abs(s @ s - 1) > 1e-8 or square <= 0 or any(abs(heights[i]) > 1e-8 for i, _ in unit["contacts"]) or wrong:
            return "a unit breaks its conditions"
        if any(not -1e-9 <= float(Fraction(c)) <= 1 + 1e-9 for _, c in unit["contacts"]):
            return "a Clarke coefficient lies outside [0, 1]"
        if abs(s[0]) > 1e-9:
            place = round(-s[1] / s[0], 7)
            jumps[place] = jumps.get(place, 0.0) + unit["sign"] * square * abs(s[0])
    margins = y * outputs
    if min(weights.values()) < -1e-9 or margins.min() < 1 - 1e-7:
        return "a multiplier is negative or a margin below 1"
    if any(abs(margins[i] - 1) > 1e-7 for i, weight in weights.items() if weight > 1e-9):
        return "a multiplier stands where the margin exceeds 1"
    kinks = sum(abs(jump) > 1e-7 for jump in jumps.values())
    claim = document["claim"]
    if not claim["kinks_at_least"] <= kinks <= claim["kinks_at_most"]:
        return f"{kinks} kinks"
    best = margin_optimum(x.tolist(), [int(label) for label in y]) if claim.get("global_optimum") else None
    if best is not None and costs > float((best.v**2).sum()) * (1 + 1e-5):
        return "not a global optimum"
    return ""
