"""The proof that a dual is feasible on cones of directions, as `certificate/parts/cones.py` reads it.

The search gives, in doubles, the cuts and for each cone a w that is long enough for all rounding, |w| <= G. Everything
is divided by the longest w, and numbers become integers. That the inequalities hold is not proved here: the trusted
checker sees to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import frexp
from typing import Any

import numpy as np

from implicitbias.certificate.parts.cones import WHOLE_LENGTH, WHOLE_SHARE
from implicitbias.convex.cells.labelled import Point
from implicitbias.convex.variation.directions import MOST_CONES, Leaf, Tree, bounded_on_sphere
from implicitbias.errors import UnsolvedError

Node = list[Any]

SPARE = 1e-11
"""The longest w is shorter than 1 by this, for the rounding of its entries, and p by as much again for its own."""
BITS = 60
"""Entries of p are multiples of 2^-BITS of the largest, about."""


@dataclass(frozen=True)
class ConeDual:
    """p with |Σ p_i [θ·x̃_i]_+| <= |θ| for all θ, and the nodes that show it for g and for -g."""

    p: tuple[Fraction, ...]
    above: list[Node]
    below: list[Node]


def proved_divisor(goal: float) -> Fraction:
    """What `cone_dual` divides p by at most: the lower bound of p over this is not above the certificate's."""
    return max(Fraction(1), Fraction(goal)) * (1 + 2 * Fraction(SPARE))


def cone_dual(points: Sequence[Point], p: Sequence[Fraction], goal: float, most: int = MOST_CONES) -> ConeDual:
    """The dual p/G with its proof.

    points  (x, 1)
    goal    what G is at most; a little above max |Σ p_i [θ·x̃_i]_+| over |θ| = 1

    Raises UnsolvedError as `bounded_on_sphere` does, and for a goal below the maximum.
    """
    table = np.array([[float(v) for v in point] for point in points])
    lengths = np.linalg.norm(table, axis=1)
    given = np.array([float(v) for v in p])
    trees: dict[int, Tree] = {}
    if bounded_on_sphere(table / lengths[:, None], given * lengths, goal, most, trees).witness is not None:
        raise UnsolvedError(f"|g| exceeds {goal:.17g} somewhere: it cannot be shown to be at most that")
    leaves = [node for tree in trees.values() for node in tree.nodes if isinstance(node, Leaf)]
    longest = max([1.0, *(float(np.linalg.norm(leaf.w)) for leaf in leaves)])
    scale = 1 / (longest * (1 + SPARE))
    one = Fraction(2) ** (BITS - frexp(float(np.abs(given).max(initial=0.0)))[1])
    rounded = tuple(round(Fraction(float(v)) * Fraction(scale) * one) / one for v in given)
    roots = 2 ** table.shape[1]
    above, below = (_nodes(trees[sign], roots, scale) for sign in (1, -1))
    return ConeDual(rounded, above, below)


def _nodes(tree: Tree, roots: int, scale: float) -> list[Node]:
    """The nodes of all orthants, each before its halves."""
    found = list[Node]()
    stack = list(reversed(range(roots)))
    while stack:
        node = tree.nodes[stack.pop()]
        assert node is not None, "the search has bounded or cut every cone"
        if isinstance(node, Leaf):
            whole = [round(float(v) * scale * WHOLE_LENGTH) for v in node.w]
            m = np.round(node.lam * WHOLE_SHARE).astype(int)
            found.append([whole, [list(pair) for pair in zip(node.listed.tolist(), m.tolist(), strict=True)]])
        else:
            *cut, first, second = node
            found.append(list(cut))
            stack += [second, first]
    return found
