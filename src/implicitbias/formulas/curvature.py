"""T = ∫|f''| of a formula in x, enclosed: the total variation of f', its jumps at kinks included."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush

import flint
import sympy

from implicitbias.exact.enclosure import NoValueError, evaluate
from implicitbias.exact.formula import Expression, Operation
from implicitbias.formulas.asymptotics import Monomial, is_integrable
from implicitbias.formulas.branches import Cell
from implicitbias.formulas.ends import End, Settled, Side, curvature_at, is_regular, limit_slope, remainder, settle
from implicitbias.formulas.jets import Arb, ball, jet
from implicitbias.formulas.oscillation import oscillating_growth
from implicitbias.formulas.roots import Root, Undecided
from implicitbias.formulas.second_derivative import SecondDerivative
from implicitbias.formulas.zeros import newton

BITS = 256
TOLERANCE = flint.arb(2) ** -80
"""Intervals in which f'' may change sign are cut until all of them can add no more than this to T."""

COARSER = flint.arb(2) ** -20

MAX_INTERVALS = 8_000
"""Maximum number of intervals per cell; what is open then enters with its bound."""

NARROWEST = flint.arb(2) ** -200
CLOSE = flint.arb(2) ** -90
SPLIT = Fraction(527, 1024)


class InfiniteVariation(Exception):  # noqa: N818  (an answer, not an error)
    """T = oo; the message says why."""


@dataclass(frozen=True)
class Variation:
    """T, the slopes at both infinities, whether f - f'(±oo) x has limits there (None: unknown), kinks with their jumps,
    and places where f'' certainly changes sign.
    """

    total: Arb
    left_slope: Arb
    right_slope: Arb
    has_asymptotes: bool | None
    kinks: tuple[tuple[Root, Arb], ...]
    turns: tuple[Arb, ...]


@dataclass(frozen=True)
class _Edge:
    """Where the step-by-step part of a cell stops, the slope at the end itself, and the variation between the two."""

    stop: Arb
    slope: Arb
    beyond: Arb
    has_asymptote: bool | None = True


def variation(subdivision: list[Cell], may_jump: bool) -> Variation:
    """T and the end slopes. `may_jump`: f is not continuous by its form.

    Raises InfiniteVariation if T = oo is proved, Undecided if nothing is.
    """
    total = flint.arb(0)
    kinks: list[tuple[Root, Arb]] = []
    turns: list[Arb] = []
    asymptotes: list[bool | None] = []
    first = previous = flint.arb(0)
    for n, cell in enumerate(subdivision):
        left, right = _edge(cell, -1), _edge(cell, 1)
        if n == 0:
            first = left.slope
        elif cell.left is not None:
            if may_jump:
                _require_continuous(subdivision[n - 1], cell, cell.left)
            jump = left.slope - previous
            total += abs(jump)
            if jump > 0 or jump < 0:
                kinks.append((cell.left, jump))
        # No finer than what is known beyond: an oscillating tail may leave far more open.
        open_ends = (left.beyond + right.beyond).rad() * COARSER
        inside, changes = _between(cell, left.stop, right.stop, open_ends.max(TOLERANCE))
        total += left.beyond + inside + right.beyond
        turns += changes
        asymptotes += [left.has_asymptote, right.has_asymptote]
        previous = right.slope
    certain = False if False in asymptotes else None if None in asymptotes else True
    return Variation(total, first, previous, certain, tuple(kinks), tuple(turns))


def _edge(cell: Cell, side: Side) -> _Edge:
    root = cell.left if side < 0 else cell.right
    if root is not None and is_regular(cell.tree, root):
        return _Edge(root.ball, jet(cell.tree, root.ball)[1], flint.arb(0))
    end = End(root, side)
    parts = curvature_at(cell.tree, end)
    settled = settle(parts, end)
    stop = ball(end.at(settled.level))
    _require_agreement(cell.tree, end, settled)
    if not settled.is_zero and not is_integrable(settled.monomial):
        if settled.sign:
            raise InfiniteVariation(f"f' is unbounded for {end}: ∫|f''| diverges there")
        growth = oscillating_growth(sympy.Add(*parts)) if root is None else None
        if growth is not None:
            size = "for ever" if growth == Monomial() else f"with amplitude of the order {growth} (t = |x|)"
            raise InfiniteVariation(f"f'' oscillates {size} for {end}: ∫|f''| diverges there")
        raise Undecided(f"whether ∫|f''| is finite for {end} could not be decided")
    at_stop = jet(cell.tree, stop)[1]
    if settled.is_zero:
        return _Edge(stop, at_stop, flint.arb(0))
    slope = limit_slope(cell.tree, end, settled)
    beyond = abs(slope - at_stop)
    if not settled.sign:
        beyond = _between_bounds(beyond, remainder(settled, settled.level))
    return _Edge(stop, slope, beyond, True if root is not None else _has_asymptote(settled))


def _require_agreement(tree: Operation, end: End, settled: Settled) -> None:
    """Raises Undecided if automatic differentiation contradicts the sign of f'' far out by symbolic differentiation."""
    for level in range(settled.level, settled.level + 4):
        bend = jet(tree, ball(end.at(level)))[2]
        sign = settled.sign * end.side  # x(t) runs towards the end, upwards at a right one
        if (settled.is_zero and not bend.contains(0)) or (sign > 0 and bend < 0) or (sign < 0 and bend > 0):
            raise Undecided(f"automatic and symbolic differentiation disagree for {end}")


def _has_asymptote(settled: Settled) -> bool | None:
    """Whether ∫∫ f'' converges, that is ∫ t |f''| < oo if f'' has a sign."""
    if is_integrable(settled.monomial.times(Monomial(power=Fraction(1)))):
        return True
    return False if settled.sign else None


def _between(cell: Cell, low: Arb, high: Arb, tolerance: Arb) -> tuple[Arb, list[Arb]]:
    """∫|f''| from low to high, and where f'' certainly changes sign.

    It is |Δf'| on an interval in which f'' has a sign, and at most its length times sup|f''| elsewhere. The interval
    with the largest uncertainty is cut first, until the total is below the tolerance or too many were cut.
    """
    total = flint.arb(0)
    turns: list[Arb] = []
    second = SecondDerivative(cell)
    pending: list[tuple[float, int, Arb, Arb, Arb]] = []  # (-size of the bound, to break ties, ends, bound)

    def slope_change(a: Arb, b: Arb) -> Arb:
        return abs(jet(cell.tree, b)[1] - jet(cell.tree, a)[1])

    def look_at(a: Arb, b: Arb) -> None:
        nonlocal total
        bend = second.over(a.union(b))
        if bend > 0 or bend < 0:
            total += slope_change(a, b)
        elif (turn := None if bend.is_zero() else _single_turn(cell.tree, a, b)) is not None:
            there = jet(cell.tree, turn)
            total += flint.arb(0, there[2].abs_upper() * turn.rad() * 2)
            total += abs(there[1] - jet(cell.tree, a)[1]) + abs(jet(cell.tree, b)[1] - there[1])
            turns.append(turn)
        elif not bend.is_zero():
            bound = bend.abs_upper() * (b - a).abs_upper() if bend.is_finite() else flint.arb.pos_inf()
            heappush(pending, (-float(bound), second.intervals, a, b, bound))

    look_at(low, high)
    enough = float(tolerance)
    while pending and second.intervals < MAX_INTERVALS and -sum(item[0] for item in pending) > enough:
        _, _, a, b, _ = heappop(pending)
        if not b - a > NARROWEST:
            raise Undecided(f"f'' could not be enclosed near x = {float(a.mid()):g}")
        middle = (a + (b - a) * ball(SPLIT)).mid()
        look_at(a, middle)
        look_at(middle, b)
    for _, _, a, b, bound in pending:
        if not bound.is_finite():
            raise Undecided(f"f'' could not be enclosed near x = {float(a.mid()):g}")
        total += _between_bounds(slope_change(a, b), bound)
    return total, turns


def _single_turn(tree: Operation, a: Arb, b: Arb) -> Arb | None:
    """A tiny ball around the only place between a and b where f'' changes sign, if the next derivative has a sign."""
    third = jet(tree, a.union(b))[3]
    if not (third > 0 or third < 0):
        return None
    at_a, at_b = (jet(tree, end)[2] for end in (a, b))
    if not ((at_a > 0 and at_b < 0) or (at_a < 0 and at_b > 0)):
        return None
    turn = newton(tree, 2, a.union(b))
    return turn if turn is not None and turn.rad() < CLOSE else None


def _between_bounds(least: Arb, most: Arb) -> Arb:
    """A ball from the lower end of one to the upper end of the other."""
    return least.abs_lower().union(flint.arb(most).upper().max(least.abs_lower()))


def _require_continuous(before: Cell, after: Cell, root: Root) -> None:
    """Raises InfiniteVariation if f jumps, which only a sign can cause: Abs, Max, Min and roots are continuous."""
    values = [jet(cell.tree, root.ball)[0] for cell in (before, after)]
    if values[0] < values[1] or values[0] > values[1]:
        raise InfiniteVariation(f"f jumps at x = {float(root.ball.mid()):g}, so f' has no bounded variation")
    if root.exact is None or not _equal_at(before.tree, after.tree, root.exact):
        raise Undecided(f"whether f jumps at x = {float(root.ball.mid()):g} could not be decided")


def _equal_at(first: Operation, second: Operation, x: Fraction) -> bool:
    difference = Expression("", frozenset({"x"}), Operation("-", (first, second)))
    try:
        return evaluate(difference, {"x": x}) == Fraction(0)
    except NoValueError:
        return False
