"""Small networks with rational parameters, their gradients by difference quotients, and exact descent.

A ReLU network is affine in each single parameter as long as no unit switches at a data point, so a symmetric
difference quotient of f, or of a quadratic loss, is the exact derivative. The chain rule is not used.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from implicitbias.exact.rational import Interval
from implicitbias.exact.vectors import dot, relu, solve

from ..wide.interpolants import Matrix, eliminated

STEP = Fraction(1, 2**40)
GROUPS = ("w", "b", "v", "c")


@dataclass(frozen=True)
class Small:
    """f(x) = Σ v_i [w_i x + b_i]_+ + c."""

    w: tuple[Fraction, ...]
    b: tuple[Fraction, ...]
    v: tuple[Fraction, ...]
    c: Fraction

    def __call__(self, x: Fraction | int) -> Fraction:
        units = zip(self.w, self.b, self.v, strict=True)
        return sum((v * relu(w * x + b) for w, b, v in units), self.c)

    @property
    def parameters(self) -> tuple[tuple[str, int], ...]:
        """Each parameter as (group, index within the group)."""
        n = len(self.w)
        return (*((group, i) for group in "wbv" for i in range(n)), ("c", 0))

    def value(self, parameter: tuple[str, int]) -> Fraction:
        group, i = parameter
        return self.c if group == "c" else Fraction(getattr(self, group)[i])

    def moved(self, parameter: tuple[str, int], by: Fraction) -> Small:
        group, i = parameter
        if group == "c":
            return replace(self, c=self.c + by)
        values = list(getattr(self, group))
        values[i] += by
        changed: dict[str, Any] = {group: tuple(values)}
        return replace(self, **changed)

    def pattern(self, x: Sequence[Fraction | int]) -> tuple[bool, ...]:
        return tuple(w * z + b > 0 for w, b in zip(self.w, self.b, strict=True) for z in x)

    def is_smooth_at(self, x: Sequence[Fraction | int]) -> bool:
        """Whether every unit's kink is out of reach of the difference quotients at these inputs."""
        reach = 4 * STEP * (1 + max(abs(Fraction(z)) for z in x))
        return all(abs(w * z + b) > reach for w, b in zip(self.w, self.b, strict=True) for z in x)


def small(draw: random.Random, units: int, x: Sequence[Fraction | int]) -> Small:
    """A network with simple random parameters and no kink at the inputs."""
    while True:
        w, b, v = (tuple(Fraction(draw.randint(-9, 9), draw.randint(1, 4)) for _ in range(units)) for _ in range(3))
        found = Small(w, b, v, Fraction(draw.randint(-4, 4), 3))
        if all(w) and found.is_smooth_at(x):
            return found


Pair = tuple[Fraction, Fraction]


def random_law(draw: random.Random, atoms: int) -> list[Pair]:
    """Equally likely pairs (w, b), with kinks that avoid halves and thirds."""
    return [
        (
            Fraction(draw.choice([-3, -2, -1, 1, 2, 3]), draw.randint(1, 2)),
            Fraction(draw.randint(-7, 7), 5) + Fraction(1, 70),
        )
        for _ in range(atoms)
    ]


def derivative(f: Callable[[Small], Fraction], network: Small, parameter: tuple[str, int]) -> Fraction:
    """(f(θ+h) - f(θ-h))/2h: exact if f is quadratic in the parameter."""
    return (f(network.moved(parameter, STEP)) - f(network.moved(parameter, -STEP))) / (2 * STEP)


def jacobian(network: Small, x: Sequence[Fraction | int], groups: str = "wbvc") -> Matrix:
    """∂f(x_j)/∂θ, one row per data point, for the named groups of parameters."""
    chosen = [p for p in network.parameters if p[0] in groups]
    return [[derivative(lambda net, z=z: net(z), network, p) for p in chosen] for z in x]  # type: ignore[misc]


def gram(rows: Matrix) -> Matrix:
    """J Jᵀ."""
    return [[dot(p, q) for q in rows] for p in rows]


def largest_eigenvalue(matrix: Matrix, halvings: int = 70) -> tuple[Fraction, Fraction]:
    """Rational bounds of the largest eigenvalue of a symmetric matrix, by bisection on the pivots of s - A."""
    low, high = Fraction(0), max(sum((abs(entry) for entry in row), Fraction(0)) for row in matrix)
    for _ in range(halvings):
        middle = (low + high) / 2
        if _is_positive_definite(
            [[(middle if i == j else 0) - a for j, a in enumerate(r)] for i, r in enumerate(matrix)]
        ):
            high = middle
        else:
            low = middle
    return low, high


def _is_positive_definite(matrix: Matrix) -> bool:
    work = [row[:] for row in matrix]
    for k in range(len(work)):
        if work[k][k] <= 0:
            return False
        for i in range(k + 1, len(work)):
            factor = work[i][k] / work[k][k]
            work[i] = [a - factor * b for a, b in zip(work[i], work[k], strict=True)]
    return True


def descends(matrix: Matrix, eta: Fraction, squarings: int = 30) -> bool | None:
    """Whether (I - ηK)^t -> 0, by squaring in balls: a norm < 1 proves it, |trace| > M refutes it; else None."""
    import flint

    before, flint.ctx.prec = flint.ctx.prec, 2000
    try:
        m = len(matrix)
        entries = [[(Fraction(i == j) - eta * a) for j, a in enumerate(row)] for i, row in enumerate(matrix)]
        power = flint.arb_mat([[_ball(e) for e in row] for row in entries])
        for _ in range(squarings):
            power = power * power
            largest = max((sum((abs(power[i, j]) for j in range(m)), flint.arb(0)) for i in range(m)), key=float)
            if all(sum((abs(power[i, j]) for j in range(m)), flint.arb(0)) < 1 for i in range(m)):
                return True
            if abs(sum((power[i, i] for i in range(m)), flint.arb(0))) > m:
                return False
            if not largest.is_finite():
                return None
        return None
    finally:
        flint.ctx.prec = before


def critical_step(matrix: Matrix, bits: int = 20) -> tuple[Fraction, Fraction]:
    """A convergent step and a larger divergent one, within a relative 2^-bits, found only by iterating the descent."""
    # terminates because small steps converge for a kernel of full rank
    good = Fraction(1)
    while descends(matrix, good) is not True:
        good /= 2
    bad = good * 2
    while descends(matrix, bad) is not False:
        bad *= 2
    while bad - good > good / 2**bits:
        middle = (good + bad) / 2
        outcome = descends(matrix, middle)
        if outcome is None:
            break
        good, bad = (middle, bad) if outcome else (good, middle)
    return good, bad


def _ball(number: Fraction) -> Any:
    import flint

    return flint.arb(flint.fmpq(number.numerator, number.denominator))


def descended(rows: Matrix, residual: Sequence[Fraction], eta: Fraction, doublings: int) -> tuple[Interval, Interval]:
    """Balls for |δ|² and |r - Jδ|² after 2^doublings steps δ <- δ + η Jᵀ(r - Jδ) from δ = 0.

    With A = I - ηJᵀJ, the number of steps T is doubled by δ <- δ + A^T δ, A^T <- A^T A^T.
    """
    import flint

    from implicitbias.exact.enclosure import from_arb

    before, flint.ctx.prec = flint.ctx.prec, 2000
    try:
        j = flint.arb_mat([[_ball(e) for e in row] for row in rows])
        target = flint.arb_mat([[_ball(r)] for r in residual])
        width, rate = len(rows[0]), _ball(eta)
        identity = flint.arb_mat([[flint.arb(int(p == q)) for q in range(width)] for p in range(width)])
        power = identity - j.transpose() * j * rate
        delta = j.transpose() * target * rate
        for _ in range(doublings):
            delta = delta + power * delta
            power = power * power
        rest = target - j * delta
        return from_arb((delta.transpose() * delta)[0, 0]), from_arb((rest.transpose() * rest)[0, 0])
    finally:
        flint.ctx.prec = before


def nearest_solution(rows: Matrix, residual: Sequence[Fraction]) -> list[Fraction]:
    """The shortest δ with J δ = r, by elimination: a solution, the null space, and least squares along it.

    Raises ArithmeticError if there is no solution.
    """
    width = len(rows[0])
    work, pivots = eliminated([[*row, r] for row, r in zip(rows, residual, strict=True)])
    if width in pivots:
        raise ArithmeticError("the equations contradict each other")
    particular = [Fraction(0)] * width
    for row, column in zip(work, pivots, strict=False):
        particular[column] = row[-1]
    null = []
    for free in (k for k in range(width) if k not in pivots):
        direction = [Fraction(0)] * width
        direction[free] = Fraction(1)
        for row, column in zip(work, pivots, strict=False):
            direction[column] = -row[free]
        null.append(direction)
    if not null:
        return particular
    overlaps = [-dot(direction, particular) for direction in null]
    weights = solve(gram(null), overlaps)
    return [
        p + sum((weight * direction[k] for weight, direction in zip(weights, null, strict=True)), Fraction(0))
        for k, p in enumerate(particular)
    ]
