"""From a network that training has brought near a KKT point of the margin problem to a certified point.

Doubles guess: which points have the smallest margin, on which side of which kink each point lies, and by a linear
programme the multipliers and Clarke coefficients. Newton's method in rationals then solves the square system of
`certificate.parts.kkt_system`, and the kernel proves, in a small cube, that there is exactly one solution and that all
inequalities hold. No part of the guess is trusted. A point without multiplier whose margin is 1 exactly has no proof in
intervals: on a line through points with multipliers the kernel settles it exactly, elsewhere such a tie is undecided.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from implicitbias.certificate.budget import RefusedError
from implicitbias.certificate.parts.kkt_system import System
from implicitbias.convex.kkt.certificate import fraction, rational
from implicitbias.convex.kkt.guess import Patterns, Row, fewer, multipliers, patterns
from implicitbias.convex.kkt.points import KKTPoint, KKTUnit, checked_labels, near_multipliers
from implicitbias.exact.rational import Real
from implicitbias.functions.regions import Units

BITS = 160
"""Newton's iterates are rounded to this many bits after the point, early ones to fewer."""
RADIUS = Fraction(1, 1 << 90)
STEPS = 12
MOST_PATTERNS = 400
LARGEST = 4 * 10**7
"""Limits on live units of different directions, and on units times points."""
LONGEST = 10**6
"""Denominators up to this are tried where the solution may be rational."""


@dataclass(frozen=True)
class Limit:
    """The certified KKT point near a network, or why none is shown.

    status    "certified"; "no" where no multipliers come near or a point is not classified; "undecided"
    residual  the largest |Σ_i λ_i y_i c_ij (x_i, 1) - (w_j, b_j)/|(w_j, b_j)|| over the units kept, at best
    distance  from the network, scaled to smallest margin 1, to the certified point: the largest change of a direction
              (w, b)/|(w, b)|; infinite if there is no certified point
    dropped   units that carry less than the tolerance, by position: they are 0 at the certified point
    document  the certificate of the point
    thinned   whether the network's units are redundant, so that KKT points near it form a continuum: the point shown is
              one of them, with fewer units, and the distance is that of its units from the network's
    """

    status: str
    reason: str
    point: KKTPoint | None
    residual: float
    distance: float
    dropped: tuple[int, ...]
    document: dict[str, Any] | None = None
    thinned: bool = False


def kkt_limit(network: Units, x: Iterable[Real], labels: Sequence[int], tolerance: float = 1e-4) -> Limit:
    """The certified KKT point of the margin problem, up to a positive factor, that the network is close to.

    tolerance  of the guess: for margins, relative to the sum of |v[wx + b]_+|; for angles between kinks and points;
               and for units, relative to the largest. It decides what is tried, never what is true.
    """
    points, signs = checked_labels(x, labels)
    y = np.array(signs, dtype=float)
    try:
        at, w, b, v = (np.array([float(number) for number in row]) for row in (points, network.w, network.b, network.v))
    except OverflowError:
        return Limit("undecided", "a number is beyond what a double can hold", None, np.inf, np.inf, ())
    if len(w) * len(at) > LARGEST:
        return Limit("undecided", "units times points are too many to look at", None, np.inf, np.inf, ())
    heights = np.outer(w, at) + b[:, None]
    margins = y * (v @ np.maximum(heights, 0))
    margin = float(margins.min())
    if not margin > 0:
        where = points[int(margins.argmin())]
        return Limit("no", f"the point x = {float(where):.6g} is not classified", None, np.inf, np.inf, ())
    length = np.hypot(w, b)
    strength = np.abs(v) * length
    kept = strength > tolerance * strength.max()
    dropped = tuple(np.flatnonzero(~kept).tolist())
    angle = heights[kept] / length[kept, None] / np.hypot(at, 1)
    state = np.where(np.abs(angle) <= tolerance, 0, np.sign(angle)).astype(np.int8)
    # units cancel where opposite labels are close, and margins are known no better than what they are sums of
    near = margins - margin <= tolerance * (np.abs(v) @ np.maximum(heights, 0))
    aim = np.stack([w, b], axis=1)[kept] / length[kept, None]
    merged = patterns(np.sign(v[kept]).astype(int), state, aim, strength[kept])
    if len(merged.sign) > MOST_PATTERNS:
        reason = f"{len(merged.sign)} directions carry weight: a limit has few, so this is not near enough to one"
        return Limit("undecided", reason, None, np.inf, np.inf, dropped)
    weights, shares, residual = multipliers(at, y, near, merged)
    if residual > 10 * tolerance:
        reason = f"no multipliers of the points of smallest margin balance the weights: {residual:.2g} is left"
        return Limit("no", reason, None, residual, np.inf, dropped)
    support = [i for i in range(len(points)) if weights[i] > tolerance * weights.max()]
    guess = _guess(points, signs, support, weights, shares, merged, merged.strength / margin)
    point, document, refusal = _certified(guess)
    if point is not None:
        found = _aims(point)
        distance = max(float(np.abs(found - one).max(axis=1).min()) for one in aim)
        if distance > 10 * tolerance:
            reason = f"the KKT point with this pattern is {distance:.2g} away from the network"
            return Limit("undecided", reason, None, residual, distance, dropped)
        return Limit("certified", "", point, residual, distance, dropped, document=document)
    point, document = _with_fewer_units(at, y, guess, tolerance)
    if point is None:
        return Limit("undecided", refusal, None, residual, np.inf, dropped)
    distance = max(float(np.abs(aim - one).max(axis=1).min()) for one in _aims(point))
    if distance > 10 * tolerance or _moved(at, point, merged, margin) > 10 * tolerance:
        return Limit("undecided", refusal, None, residual, distance, dropped)
    return Limit("certified", "", point, residual, distance, dropped, document=document, thinned=True)


def _aims(point: KKTPoint) -> Row:
    """(w, b)/|(w, b)| of the units."""
    return np.array([[float(number) * unit.sign for number in point.direction(unit)] for unit in point.units])


def _moved(at: Row, point: KKTPoint, merged: Patterns, margin: float) -> float:
    """The largest change of the function at the data, relative to its largest value there; both margins put to 1."""
    now = _aims(point)
    squares = np.array([float(unit.square) * unit.sign for unit in point.units])
    value = np.maximum(np.outer(at, now[:, 0]) + now[:, 1], 0) @ squares
    before = np.maximum(np.outer(at, merged.aim[:, 0]) + merged.aim[:, 1], 0) @ (merged.strength * merged.sign / margin)
    return float(np.abs(value - before).max() / np.abs(before).max())


def _guess(
    points: tuple[Fraction, ...],
    signs: tuple[int, ...],
    support: list[int],
    weights: Row,
    shares: Row,
    merged: Patterns,
    squares: Row,
) -> KKTPoint:
    units = []
    for j, row in enumerate(merged.state):
        parts = {i: Fraction(shares[j, i] / weights[i]) for i in support if row[i] == 0}
        # a point without multiplier at a kink is taken as inactive; the kernel checks whether it is
        active = frozenset(int(i) for i in np.flatnonzero(row > 0))
        units.append(KKTUnit(int(merged.sign[j]), Fraction(float(squares[j])), active, parts))
    return KKTPoint(points, signs, {i: Fraction(float(weights[i])) for i in support}, tuple(units), RADIUS)


def _with_fewer_units(
    at: Row, y: Row, guess: KKTPoint, tolerance: float
) -> tuple[KKTPoint | None, dict[str, Any] | None]:
    """The certified point of a guess with redundant units, some of them left out, with about the same f.

    Where more than two pairs of units bend at one place each, or two units have the same effect on the data, the KKT
    points form a continuum; a vertex of it is an isolated point again.
    """
    guess = _settled(guess)
    sign = np.array([unit.sign for unit in guess.units])
    squares = fewer(at, y, sorted(guess.multipliers), _aims(guess), sign)
    if squares is None:
        return None, None
    kept = [j for j, square in enumerate(squares) if square > tolerance * squares.max()]
    if len(kept) == len(guess.units):
        return None, None
    units = tuple(replace(guess.units[j], square=Fraction(float(squares[j]))) for j in kept)
    return _certified(replace(guess, units=units))[:2]


def _settled(guess: KKTPoint) -> KKTPoint:
    """The guess moved by Levenberg and Marquardt's method, which finds a nearest solution where there are many."""
    system = guess.system()
    for _ in range(STEPS):
        values, slopes = system.equations(0)
        F = np.array([float(value[0]) for value in values])
        A = np.array([[float(by[k][0]) if k in by else 0.0 for k in range(len(system.z))] for by in slopes])
        damping = np.sqrt(np.abs(F).max()) * np.eye(len(F))
        change = np.linalg.lstsq(np.vstack([A, damping]), np.append(F, np.zeros(len(F))), rcond=None)[0]
        system.z = [rational(Fraction(float(z) - d)) for z, d in zip(system.z, change.tolist(), strict=True)]
    return _with(guess, list(map(fraction, system.z)), RADIUS)


def _certified(guess: KKTPoint) -> tuple[KKTPoint | None, dict[str, Any] | None, str]:
    """The guess improved by Newton's method until the kernel accepts it; or its reason not to."""
    try:
        z = _newton(guess.system())
    except (RefusedError, ArithmeticError, ValueError) as error:  # refused, or singular: the question stays open
        return None, None, f"Newton's method does not settle: {error}"
    short = [number.limit_denominator(LONGEST) for number in z]
    refusal = "Newton's method does not settle"
    for numbers, radius in ((short, Fraction(0)), (z, RADIUS)):
        point = _with(guess, numbers, radius)
        document, refusal = point.certified()
        if not refusal:
            return *_closer(point, document), ""
    return None, None, refusal


def _closer(point: KKTPoint, document: dict[str, Any]) -> tuple[KKTPoint, dict[str, Any]]:
    """The point with other multipliers, if those prove that it is a global optimum."""
    if point.radius or "global_optimum" in document["claim"] or any(unit.contacts for unit in point.units):
        return point, document
    other = replace(point, multipliers=near_multipliers(point))
    found, refusal = other.certified()
    return (point, document) if refusal or "global_optimum" not in found["claim"] else (other, found)


def _newton(system: System) -> list[Fraction]:
    inverse: fmpq_mat | None = None
    for step in range(STEPS):
        values, slopes = system.equations(0)
        if step < 4:
            matrix = np.array([[float(by[k][0]) if k in by else 0.0 for k in range(len(system.z))] for by in slopes])
            entries = [fmpq(*entry.as_integer_ratio()) for entry in np.linalg.inv(matrix).ravel().tolist()]
            inverse = fmpq_mat(len(values), len(values), entries)
        assert inverse is not None
        residuals = [fmpq(value.numerator, value.denominator) for value, _ in values]
        moves = (inverse * fmpq_mat(len(values), 1, residuals)).entries()
        change = [Fraction(int(move.p), int(move.q)) for move in moves]
        bits = min(BITS, 40 * (step + 1))
        moved = [fraction(z) - d for z, d in zip(system.z, change, strict=True)]
        system.z = [rational(Fraction(round(z * (1 << bits)), 1 << bits)) for z in moved]
        if max(map(abs, change)) > 10**6:
            raise ArithmeticError("it runs away")
        if bits == BITS and max(map(abs, change)) < Fraction(1, 1 << (BITS - 20)):
            break
    return list(map(fraction, system.z))


def _with(guess: KKTPoint, z: list[Fraction], radius: Fraction) -> KKTPoint:
    numbers = iter(z)
    multipliers = {i: next(numbers) for i in sorted(guess.multipliers)}
    squares = [next(numbers) for _ in guess.units]
    units = []
    for unit, square in zip(guess.units, squares, strict=True):
        units.append(KKTUnit(unit.sign, square, unit.active, {i: next(numbers) for i in sorted(unit.contacts)}))
    return KKTPoint(guess.x, guess.labels, multipliers, tuple(units), radius)
