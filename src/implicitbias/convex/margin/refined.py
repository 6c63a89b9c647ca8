"""Problem (10) beyond double precision: interior-point steps whose state and residuals are exact.

With points that are close together the weights are many times larger than the margins they leave, and a solver in
doubles ends with bounds that are far apart, because its sums cancel. Here the iterate is kept in integers over a power
of two, the margins of w and the dual function of β are added up exactly, and only the steps are computed in doubles,
from a well-centred iterate of a solver that was stopped early: an inaccurate step is then only a slightly wrong step.
Where that ends too soon they are computed in balls (`margin.arithmetic`), from a start that no solver has a part in.

Cones (t_u, w_u) and (1, -g_u) with Nesterov and Todd's scaling: with t̄, w̄ the scaling point and η its size, steps are

  (Σ_u η² φ_u φ_u' ⟨e, e'⟩ + B'(2η²)B + diag(s/β)) Δβ = residual,  B_u = φ_u(x_i)(w̄_y - w̄_l),

and repeated with the exact residual of the margins until the step is right to a thousandth of every slack. Nothing
rests on this: bounds are computed from whatever comes out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.linalg import LinAlgError

from implicitbias.convex.margin.arithmetic import ONE, Arithmetic, Doubles, Numbers, Programme
from implicitbias.convex.margin.bounds import Grid, dual_vectors, scores_at
from implicitbias.convex.margin.programme import Interior

Integers = list[list[int]]

ROUNDS = 150
PATIENCE = 25
"""Steps without any progress after which none is expected."""
GOAL = 1e-10
"""Gap, relative to the value, and infeasibility at which the iteration ends."""
RIGHT = 1e-3
"""Accuracy of a step at every margin, relative to its slack."""
SHORT = 0.1
"""After a step shorter than this the next one moves towards the centre, and away from the optimum by RETREAT."""
RETREAT = 3.0


DOUBLES = Doubles()


@dataclass(frozen=True)
class Refined:
    """weights (2(m-1), k) of the ramps in the order of the programme, beta (m, k), as exact numbers; what happened."""

    weights: list[list[Fraction]]
    beta: list[list[Fraction]]
    status: str


def refine(
    grid: Grid,
    labels: Sequence[int],
    k: int,
    start: Interior,
    copies: int = 1,
    numbers: Arithmetic = DOUBLES,
) -> Refined | None:
    """From an interior start (in the data's units) to a gap of GOAL, or as near as ROUNDS steps come.

    copies   how many classes the last one stands for (`margin.programme.solve`)
    numbers  in which steps are computed

    Returns None if the start is not inside the cones, or is no numbers.
    """
    if not all(np.isfinite(part).all() for part in (start.weights, start.norms, start.duals, start.beta, start.slacks)):
        return None
    steps = _Steps(Programme(grid, labels, k, copies), start, numbers)
    if not steps.inside:
        return None
    done = 0
    try:
        while done < ROUNDS and not steps.finished and steps.step():
            done += 1
    except (LinAlgError, ValueError, OverflowError, ZeroDivisionError):
        pass  # numbers beyond doubles: what was reached before is as good as it was
    beta = [[Fraction(0)] * k for _ in labels]
    for i, rival, value in zip(steps.programme.point.tolist(), steps.programme.rival.tolist(), steps.beta, strict=True):
        beta[i][rival] = Fraction(value, ONE)
    weights = [[Fraction(v, ONE) for v in row] for row in steps.w]
    return Refined(weights, beta, f"{start.status}, refined by {done} steps")


class _Steps:
    """The iterate, and a step of it. u runs over 2(m-1) ramps, n over the m(k-1) margins."""

    def __init__(self, programme: Programme, start: Interior, numbers: Arithmetic) -> None:
        self.programme = programme
        self._compute_in(numbers)
        given = DOUBLES
        self.w, self.t = _rows(given, start.weights), given.integers(start.norms)
        self.z, self.z0 = _rows(given, start.duals[:, 1:]), given.integers(start.duals[:, 0])
        self.beta = given.integers(start.beta[programme.margins])
        self.slack = given.integers(start.slacks[programme.margins])
        exact = [[-(v // programme.grid.scale) for v in row] for row in self._functions(self.beta)]
        if all(self._dual(a, row) > 0 for a, row in zip(self.z0, exact, strict=True)):
            self.z = exact
        self.last, self.finished, self.stuck = 1.0, False, 0
        self.least: tuple[float, ...] = (np.inf, np.inf, np.inf)
        self.waited = 0

    def _compute_in(self, numbers: Arithmetic) -> None:
        self.numbers = numbers
        with numbers.at_work():
            self.system = numbers.systems(self.programme)
            # The last class counts `copies` times in norms: w_last is held times its root, g_last over it.
            self.root = numbers.one([1] * self.programme.k, 1)
            self.root[-1] = numbers.root(self.programme.copies)

    @property
    def inside(self) -> bool:
        return min(*self.beta, *self.slack) > 0 and self._within(self.t, self.w, self.z0, self.z)

    def _within(self, t: list[int], w: Integers, z0: list[int], z: Integers) -> bool:
        return (
            min(*t, *z0) > 0
            and all(self._primal(a, row) > 0 for a, row in zip(t, w, strict=True))
            and all(self._dual(a, row) > 0 for a, row in zip(z0, z, strict=True))
        )

    def _primal(self, t: int, row: list[int], s: int | None = None, other: list[int] | None = None) -> int:
        """t s - ⟨w, w'⟩ with the last class counted `copies` times, times 4^BITS."""
        other = row if other is None else other
        inner = sum(a * b for a, b in zip(row, other, strict=True)) + (self.programme.copies - 1) * row[-1] * other[-1]
        return t * (t if s is None else s) - inner

    def _dual(self, t: int, row: list[int], s: int | None = None, other: list[int] | None = None) -> int:
        """The same for the dual cone, where it counts 1/copies times; times 4^BITS copies."""
        other, c = row if other is None else other, self.programme.copies
        inner = c * sum(a * b for a, b in zip(row[:-1], other[:-1], strict=True)) + row[-1] * other[-1]
        return c * t * (t if s is None else s) - inner

    def _margins(self, weights: Integers) -> list[int]:
        """f_own - f_rival at the points, times 2^BITS scale."""
        programme = self.programme
        ramps = [(s, c, row) for (s, c), row in zip(programme.kinks, weights, strict=True)]
        scores = scores_at(programme.grid, programme.k, ramps)
        point, rival, own = programme.point.tolist(), programme.rival.tolist(), programme.own.tolist()
        return [scores[i][o] - scores[i][r] for i, o, r in zip(point, own, rival, strict=True)]

    def _functions(self, beta: list[int]) -> Integers:
        """g_u for the ramps of the programme, times 2^BITS scale."""
        programme = self.programme
        point, rival = programme.point.tolist(), programme.rival.tolist()
        placed = {(i, r): v for i, r, v in zip(point, rival, beta, strict=True) if v}
        found = [vector for _, vector in dual_vectors(programme.grid, programme.labels, programme.k, placed)]
        m = len(programme.labels)
        right, left = found[: m + 1], found[m + 1 :]
        return [right[m], *(right[m - 1 - j] for j in range(1, m - 1)), *left[1 : m - 1], left[m]]

    def _table(self, rows: Integers, unit: int) -> Numbers:
        return np.array([self.numbers.one(row, unit) for row in rows])

    def _rounded(self, rows: Numbers) -> Integers:
        return _rows(self.numbers, rows)

    def _moved(self, old: list[int], by: Numbers) -> list[int]:
        return [a + b for a, b in zip(old, self.numbers.integers(by), strict=True)]

    def step(self) -> bool:
        """One step; False if no step can be taken, or if steps have been tiny for a while."""
        while True:
            sharper = self.numbers.sharper()
            try:
                with self.numbers.at_work():
                    went = self._step()
            except ZeroDivisionError:
                if sharper is None:
                    raise
                went = None
            if went is not None or sharper is None:
                return bool(went)
            self._compute_in(sharper)

    def _comes_closer(self, errors: tuple[float, ...]) -> bool:
        """Whether one of these numbers has halved within the last PATIENCE steps."""
        halved = any(error < before / 2 for error, before in zip(errors, self.least, strict=True))
        if halved:
            self.least = tuple(map(min, errors, self.least))
        self.waited = 0 if halved else self.waited + 1
        return self.waited <= PATIENCE

    def _step(self) -> bool | None:
        """The same; None if its system was not solved accurately enough."""
        one, programme, square = self.numbers.one, self.programme, ONE * ONE
        scale, unit = programme.grid.scale, ONE * programme.grid.scale
        beta, slack, t, z0 = (one(values, ONE) for values in (self.beta, self.slack, self.t, self.z0))
        w, z = self._table(self.w, ONE) * self.root, self._table(self.z, ONE) / self.root
        det_x = one([self._primal(a, row) for a, row in zip(self.t, self.w, strict=True)], square)
        det_z = one([self._dual(a, row) for a, row in zip(self.z0, self.z, strict=True)], square * programme.copies)
        product = one(
            [
                a * b + sum(p * q for p, q in zip(row, other, strict=True))
                for a, row, b, other in zip(self.t, self.w, self.z0, self.z, strict=True)
            ],
            square,
        )
        rows = zip(self._functions(self.beta), self.z, strict=True)
        short_z = self._table([[-a - q * scale for a, q in zip(g, other, strict=True)] for g, other in rows], unit)
        short_z = short_z / self.root
        short_z0 = 1 - z0
        reached = self._margins(self.w)
        short_s = one([a - unit - q * scale for a, q in zip(reached, self.slack, strict=True)], unit)
        gap, value = float(beta @ slack + product.sum()), float(beta.sum())
        errors = (gap / value, _largest(short_s), _largest(short_z))
        if max(errors) < GOAL:
            self.finished = True
            return True
        if not self._comes_closer(errors):
            return False
        mean = gap / (len(beta) + len(t))
        aim = mean * (RETREAT if self.last < SHORT else max(0.05, (1 - self.last) ** 3))

        # Nesterov and Todd's scaling: Θ = η²(2 p p' - J) takes z to x
        eta = np.sqrt(det_x / det_z)
        gamma = np.sqrt((1 + product / np.sqrt(det_x * det_z)) / 2)
        p = (w / np.sqrt(det_x)[:, None] - z / np.sqrt(det_z)[:, None]) / (2 * gamma)[:, None]
        p0 = np.sqrt(1 + (p * p).sum(axis=1))
        inner = p0 * short_z0 + (p * short_z).sum(axis=1)
        base = -aim * z / det_z[:, None] - eta[:, None] * (2 * p * inner[:, None] + short_z)
        solve = self.system(p / self.root, eta, slack / beta)

        d_beta, d_w = beta - beta, base - w
        d_t = aim * z0 / det_z - eta * (2 * p0 * inner - short_z0) - t
        towards = aim / beta - slack
        for _ in range(self.numbers.repeats):
            d_slack = short_s + one(self._margins(self._rounded(d_w / self.root)), unit)
            left = towards - slack / beta * d_beta - d_slack
            if _largest(left / slack) < RIGHT:
                break
            more, along = solve(left)
            d_beta = d_beta + more
            d_g = self._table(self._functions(self.numbers.integers(more)), unit) / self.root
            d_w = d_w + p * along[:, None] + eta[:, None] * d_g
            d_t = d_t + p0 * along
        else:
            if self.numbers.sharper() is not None:
                return None
        d_slack = short_s + one(self._margins(self._rounded(d_w / self.root)), unit)
        d_g = self._table(self._functions(self.numbers.integers(d_beta)), unit) / self.root
        return self._move((d_t, d_w, d_slack, slack, det_x), (short_z0, short_z - d_g, d_beta, beta, det_z))

    def _move(self, primal: tuple[Numbers, ...], dual: tuple[Numbers, ...]) -> bool:
        d_t, d_w, d_slack, slack, det_x = primal
        d_z0, d_z, d_beta, beta, det_z = dual
        w_step, z_step = d_w / self.root, d_z * self.root
        rows_w, rows_z = self._rounded(w_step), self._rounded(z_step)
        ints_t, ints_z0 = self.numbers.integers(d_t), self.numbers.integers(d_z0)
        square = ONE * ONE
        mixed_x = [self._primal(a, q, b, r) / square for a, q, b, r in zip(self.t, self.w, ints_t, rows_w, strict=True)]
        ends_x = [self._primal(a, q) / square for a, q in zip(ints_t, rows_w, strict=True)]
        square *= self.programme.copies
        mixed_z = [self._dual(a, q, b, r) / square for a, q, b, r in zip(self.z0, self.z, ints_z0, rows_z, strict=True)]
        ends_z = [self._dual(a, q) / square for a, q in zip(ints_z0, rows_z, strict=True)]
        part = 0.9 if self.last < 0.9 else 0.99
        along = min(1.0, part * min(_room(slack, d_slack), _cone_room(det_x, mixed_x, ends_x)))
        across = min(1.0, part * min(_room(beta, d_beta), _cone_room(det_z, mixed_z, ends_z)))
        for _ in range(40):
            t, slacks = self._moved(self.t, along * d_t), self._moved(self.slack, along * d_slack)
            w = [self._moved(row, along * by) for row, by in zip(self.w, w_step, strict=True)]
            if min(*slacks, *t) > 0 and all(self._primal(a, q) > 0 for a, q in zip(t, w, strict=True)):
                break
            along *= 0.8
        else:
            return False
        for _ in range(40):
            z0, betas = self._moved(self.z0, across * d_z0), self._moved(self.beta, across * d_beta)
            z = [self._moved(row, across * by) for row, by in zip(self.z, z_step, strict=True)]
            if min(*betas, *z0) > 0 and all(self._dual(a, q) > 0 for a, q in zip(z0, z, strict=True)):
                break
            across *= 0.8
        else:
            return False
        self.t, self.w, self.slack, self.z0, self.z, self.beta = t, w, slacks, z0, z, betas
        self.last = min(along, across)
        self.stuck = self.stuck + 1 if self.last < 1e-3 else 0
        return self.stuck < 12


def _rows(numbers: Arithmetic, values: Numbers) -> Integers:
    return [numbers.integers(row) for row in values]


def _largest(values: Numbers) -> float:
    return float(np.abs(values.astype(np.float64)).max())


def _room(of: Numbers, by: Numbers) -> float:
    """The largest step at which all of value + step change are still >= 0."""
    value, change = of.astype(np.float64), by.astype(np.float64)
    falling = change < 0
    return float(np.min(-value[falling] / change[falling])) if falling.any() else np.inf


def _cone_room(start: Numbers, mixed: Sequence[float], end: Sequence[float]) -> float:
    """The smallest positive zero of start + 2 mixed a + end a², over all of them."""
    least = np.inf
    for c, b, a in zip(start.astype(np.float64).tolist(), mixed, end, strict=True):
        inside = b * b - a * c
        if inside < 0:
            continue
        q = -b - np.sqrt(inside) if b > 0 else -b + np.sqrt(inside)
        least = min([least, *(z for z in (c / q if q else -1.0, q / a if a else -1.0) if z > 0)])
    return float(least)
