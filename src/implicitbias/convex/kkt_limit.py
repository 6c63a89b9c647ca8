"""From a network that training has brought near a KKT point of the margin problem to a certified point.

Doubles guess: which points have the smallest margin, on which side of which kink each point lies, and by a linear
programme the multipliers and Clarke coefficients. Newton's method in rationals then solves the square system of
`certificate.kernel_kkt`, and the kernel proves, in a small cube, that there is exactly one solution and that all
inequalities hold. Nothing of the guess is trusted. A point without multiplier whose margin is 1 exactly, on a
plateau, has no proof in intervals: such a tie is undecided, unless the solution is rational and short.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from implicitbias.certificate import kernel, kernel_kkt
from implicitbias.certificate.kkt import kkt_certificate
from implicitbias.convex.kkt import KKTPoint, KKTUnit, checked_labels
from implicitbias.exact.rational import Real
from implicitbias.functions.regions import Units

BITS = 240
"""Newton's iterates are rounded to so many bits after the point."""
RADIUS = Fraction(1, 1 << 90)
STEPS = 12
MOST_UNITS = 400
LARGEST = 10**8
"""More live units, and more units times points, are not looked at."""
LONGEST = 10**6
"""Denominators up to this are tried where the solution may be rational."""

Row = NDArray[np.float64]


@dataclass(frozen=True)
class Limit:
    """What is near a network: a certified KKT point, or why there is none to be shown.

    status    "certified"; "no" where no multipliers come near or a point is not classified; "undecided"
    residual  the largest |Σ_i λ_i y_i c_ij (x_i, 1) - (w_j, b_j)/|(w_j, b_j)|| over the units kept, at best
    distance  of the certified point from the network, scaled to smallest margin 1: the largest change of a direction
              (w, b)/|(w, b)|; infinite where there is none
    dropped   units that carry less than the tolerance, by position: they are 0 at the certified point
    """

    status: str
    reason: str
    point: KKTPoint | None
    residual: float
    distance: float
    dropped: tuple[int, ...]


def kkt_limit(network: Units, x: Iterable[Real], labels: Sequence[int], tolerance: float = 1e-4) -> Limit:
    """The KKT point of the margin problem, up to a positive factor, that the network is near, certified.

    tolerance  what counts as equal in the guess: of margins, of angles between kinks and points, and of units beside
               the largest. It decides what is tried, never what is true.
    """
    points, signs = checked_labels(x, labels)
    at, y = np.array([float(number) for number in points]), np.array(signs, dtype=float)
    w, b, v = (np.array([float(number) for number in row]) for row in (network.w, network.b, network.v))
    if len(w) * len(at) > LARGEST:
        return Limit("undecided", "units times points are too many to look at", None, np.inf, np.inf, ())
    heights = np.outer(w, at) + b[:, None]
    margins = y * (v @ np.maximum(heights, 0))
    margin = float(margins.min())
    if margin <= 0:
        where = points[int(margins.argmin())]
        return Limit("no", f"the point x = {float(where):.6g} is not classified", None, np.inf, np.inf, ())
    length = np.hypot(w, b)
    strength = np.abs(v) * length
    kept = strength > tolerance * strength.max()
    dropped = tuple(np.flatnonzero(~kept).tolist())
    if kept.sum() > MOST_UNITS:
        reason = f"{kept.sum()} units carry weight: a limit has few directions, so this is not near enough to one"
        return Limit("undecided", reason, None, np.inf, np.inf, dropped)
    angle = heights[kept] / length[kept, None] / np.hypot(at, 1)
    state = np.where(np.abs(angle) <= tolerance, 0, np.sign(angle)).astype(int)
    near = margins <= margin * (1 + tolerance)
    sign = np.sign(v[kept]).astype(int)
    wanted = sign[:, None] * np.stack([w, b], axis=1)[kept] / length[kept, None]
    weights, shares, residual = _multipliers(at, y, near, state, wanted)
    if residual > 10 * tolerance:
        reason = f"no multipliers of the points of smallest margin balance the weights: {residual:.2g} is left"
        return Limit("no", reason, None, residual, np.inf, dropped)
    support = [i for i in range(len(points)) if weights[i] > tolerance * weights.max()]
    guess = _guess(points, signs, support, weights, shares, state, sign, strength[kept] / margin)
    point, refusal = _certified(guess)
    if point is None:
        return Limit("undecided", refusal, None, residual, np.inf, dropped)
    directions = np.array([[float(number) * unit.sign for number in point.direction(unit)] for unit in point.units])
    distance = max(float(np.abs(directions - aim).max(axis=1).min()) for aim in wanted * sign[:, None])
    if distance > 10 * tolerance:
        reason = f"the KKT point with this pattern is {distance:.2g} away from the network"
        return Limit("undecided", reason, None, residual, distance, dropped)
    return Limit("certified", "", point, residual, distance, dropped)


def _multipliers(
    at: Row, y: Row, near: NDArray[np.bool_], state: NDArray[np.int64], wanted: Row
) -> tuple[Row, Row, float]:
    """λ, λ c (units × points) and the largest residual, which they make smallest."""
    n, units = len(at), len(state)
    contacts = [(j, i) for j in range(units) for i in range(n) if near[i] and state[j, i] == 0]
    size = n + len(contacts) + 1
    rows, goals, below = [], [], []
    for j in range(units):
        for a in (0, 1):
            row = np.zeros(size)
            row[:n] = np.where(state[j] > 0, y * (at if a == 0 else 1.0), 0.0)
            for k, (unit, i) in enumerate(contacts):
                if unit == j:
                    row[n + k] = y[i] * (at[i] if a == 0 else 1.0)
            for side in (1.0, -1.0):
                signed = side * row
                signed[-1] = -1.0
                rows.append(signed)
                goals.append(side * wanted[j, a])
    for k, (_, i) in enumerate(contacts):
        row = np.zeros(size)
        row[n + k], row[i] = 1.0, -1.0
        below.append(row)
    bounds = [(0, None if free else 0) for free in near] + [(0, None)] * (len(contacts) + 1)
    found = linprog(
        np.eye(size)[-1],
        A_ub=np.array(rows + below),
        b_ub=np.array(goals + [0.0] * len(below)),
        bounds=bounds,
        method="highs",
    )
    if found.x is None:
        return np.zeros(n), np.zeros((units, n)), np.inf
    shares = np.zeros((units, n))
    for k, (j, i) in enumerate(contacts):
        shares[j, i] = found.x[n + k]
    return found.x[:n], shares, float(found.x[-1])


def _guess(
    points: tuple[Fraction, ...],
    signs: tuple[int, ...],
    support: list[int],
    weights: Row,
    shares: Row,
    state: NDArray[np.int64],
    sign: NDArray[np.int64],
    squares: Row,
) -> KKTPoint:
    """The guess, units of one pattern merged: they have one direction s."""
    merged: dict[tuple[int, frozenset[int], tuple[int, ...]], tuple[float, dict[int, float]]] = {}
    for j, row in enumerate(state):
        touching = tuple(i for i in support if row[i] == 0)
        active = frozenset(int(i) for i in np.flatnonzero(row > 0))
        square, parts = merged.get((int(sign[j]), active, touching), (0.0, {}))
        parts = {i: parts.get(i, 0.0) + squares[j] * shares[j, i] / weights[i] for i in touching}
        merged[int(sign[j]), active, touching] = (square + squares[j], parts)
    units = tuple(
        KKTUnit(eps, Fraction(square), active, {i: Fraction(part / square) for i, part in parts.items()})
        for (eps, active, _), (square, parts) in merged.items()
    )
    return KKTPoint(points, signs, {i: Fraction(float(weights[i])) for i in support}, units, RADIUS)


def _certified(guess: KKTPoint) -> tuple[KKTPoint | None, str]:
    """The guess improved by Newton's method until the kernel accepts it; or its reason not to."""
    document, _ = kkt_certificate(guess)
    try:
        system = kernel_kkt.System(document, list(guess.x), list(guess.labels), kernel)
        z = _newton(system)
    except Exception as error:  # the kernel's refusal, or a singular matrix: both leave the question open
        return None, f"Newton's method does not settle: {error}"
    short = [number.limit_denominator(LONGEST) for number in z]
    refusal = "Newton's method does not settle"
    for numbers, radius in ((short, Fraction(0)), (z, RADIUS)):
        point = _with(guess, numbers, radius)
        _, refusal = kkt_certificate(point)
        if not refusal:
            return point, ""
    return None, refusal


def _newton(system: kernel_kkt.System) -> list[Fraction]:
    inverse: list[list[Fraction]] | None = None
    for step in range(STEPS):
        values, slopes = system.equations(0)
        if step < 4:
            matrix = np.array([[float(by[k][0]) if k in by else 0.0 for k in range(len(system.z))] for by in slopes])
            inverse = [[Fraction(float(entry)) for entry in row] for row in np.linalg.inv(matrix)]
        assert inverse is not None
        change = [sum((c * value[0] for c, value in zip(row, values, strict=True)), Fraction(0)) for row in inverse]
        system.z = [Fraction(round((z - d) * (1 << BITS)), 1 << BITS) for z, d in zip(system.z, change, strict=True)]
        if max(map(abs, change)) > 10**6:
            raise ArithmeticError("it runs away")
    return system.z


def _with(guess: KKTPoint, z: list[Fraction], radius: Fraction) -> KKTPoint:
    numbers = iter(z)
    multipliers = {i: next(numbers) for i in sorted(guess.multipliers)}
    squares = [next(numbers) for _ in guess.units]
    units = []
    for unit, square in zip(guess.units, squares, strict=True):
        units.append(KKTUnit(unit.sign, square, unit.active, {i: next(numbers) for i in sorted(unit.contacts)}))
    return KKTPoint(guess.x, guess.labels, multipliers, tuple(units), radius)
