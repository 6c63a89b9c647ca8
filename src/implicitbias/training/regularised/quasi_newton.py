"""Minimisation of the regularised loss of a ReLU network (`layered_loss`) by L-BFGS, in compiled loops.

The method is that of scipy's L-BFGS-B where nothing is bounded, with its constants: directions by the two-loop
recursion over the last steps s and changes of the gradient y (Nocedal and Wright, Algorithm 7.4), lengths by the search
of Moré and Thuente (1994) for a decrease and a curvature condition. A test compares it with scipy's, whose calls from
Python take several times as long as the loss.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from implicitbias.training.engines.compiled import compiled
from implicitbias.training.regularised.layered_loss import value_and_gradient
from implicitbias.training.regularised.line_search import LONGEST, judge, next_length
from implicitbias.training.tangent_by_activity import dot

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Sizes = NDArray[np.int64]

TRIALS = 20
"""Evaluations of one search for a length, after which the memory is cleared, or the descent ends."""


@compiled
def minimise(
    flat: Array,
    sizes: Sizes,
    x: Array,
    y: Array,
    lam: float,
    bias_penalty: float,
    memory: int,
    iterations: int,
    evaluations: int,
    fall: float,
    steepness: float,
) -> int:
    """Minimise `value_and_gradient` from flat, in place; the number of its evaluations is returned.

    memory                   number of pairs (s, y) that are kept
    iterations, evaluations  greatest numbers of both; an iteration that has begun is ended
    fall                     stop where an iteration lowers the value by at most this share of max(|values|, 1)
    steepness                stop where no derivative exceeds this
    """
    n = flat.shape[0]
    steps, changes, products = np.empty((memory, n)), np.empty((memory, n)), np.empty(memory)
    direction, before, old = np.empty(n), np.empty(n), np.empty(n)
    kept = newest = taken = 0
    scale = 1.0
    value, gradient = value_and_gradient(flat, sizes, x, y, lam, bias_penalty)
    count = 1
    while largest(gradient) > steepness:
        towards(gradient, steps, changes, products, kept, newest, scale, direction)
        length = 1.0 if taken else min(1.0 / np.sqrt(dot(direction, direction)), LONGEST)
        for i in range(n):
            before[i], old[i] = flat[i], gradient[i]
        first, slope = value, dot(gradient, direction)
        state = np.array([0.0, first, slope, 0.0, first, slope, 0.0, 5.0 * length, LONGEST, 2.0 * LONGEST])
        bracketed = rising = found = False
        new_slope = slope
        for _ in range(TRIALS if slope < 0 else 0):
            for i in range(n):
                flat[i] = before[i] + length * direction[i]
            value, gradient = value_and_gradient(flat, sizes, x, y, lam, bias_penalty)
            count += 1
            new_slope = dot(gradient, direction)
            found, rising = judge(length, value, new_slope, first, slope, bracketed, rising, state)
            if found:
                break
            length, bracketed = next_length(length, value, new_slope, first, slope, bracketed, rising, state)
        if not found:
            for i in range(n):
                flat[i], gradient[i] = before[i], old[i]
            value = first
            if kept == 0:
                break
            kept, scale = 0, 1.0
            continue
        taken += 1
        if taken >= iterations or count > evaluations:
            break
        if first - value <= fall * max(abs(first), abs(value), 1.0):
            break
        product = length * (new_slope - slope)
        if product <= -np.finfo(np.float64).eps * slope * length:
            continue
        newest = (newest + 1) % memory if kept else 0
        kept = min(kept + 1, memory)
        for i in range(n):
            steps[newest, i] = length * direction[i]
            changes[newest, i] = gradient[i] - old[i]
        products[newest] = product
        scale = product / dot(changes[newest], changes[newest])
    return count


@compiled
def largest(values: Array) -> float:
    """max |values|, infinite where one is not a number."""
    found = 0.0
    for value in values:
        found = max(found, abs(value)) if value == value else np.inf
    return found


@compiled
def towards(
    gradient: Array,
    steps: Array,
    changes: Array,
    products: Array,
    kept: int,
    newest: int,
    scale: float,
    direction: Array,
) -> None:
    """direction <- -H gradient: H = scale · 1 for no pairs, updated by the `kept` pairs, of which `newest` is the last.

    products  sᵀy of each pair
    """
    memory = products.shape[0]
    shares = np.empty(memory)
    for i in range(direction.shape[0]):
        direction[i] = -gradient[i]
    for back in range(kept):
        at = (newest - back) % memory
        shares[at] = share = dot(steps[at], direction) / products[at]
        change = changes[at]
        for i in range(direction.shape[0]):
            direction[i] -= share * change[i]
    for i in range(direction.shape[0]):
        direction[i] *= scale
    for back in range(kept - 1, -1, -1):
        at = (newest - back) % memory
        share = shares[at] - dot(changes[at], direction) / products[at]
        step = steps[at]
        for i in range(direction.shape[0]):
            direction[i] += share * step[i]
