"""The pieces of a network of any depth along segments between data: where units switch, in doubles."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from implicitbias.networks.quantity import Quantity, Section
from implicitbias.networks.weights import Weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from implicitbias.networks.stack import Stack

    Array = NDArray[np.float64]

SEGMENTS = 50
"""Segments that are followed."""
MOST_UNITS = 4000
"""Of a network with several hidden layers: their number squared times the segments takes some ten seconds."""


def layers_of(network: Stack) -> list[tuple[Array, Array]]:
    """(A_l, a_l), the units of a two-layer network without output left out, and of one ray one alone."""
    found = [(matrix, network.bias(n)) for n, matrix in enumerate(network.weights)]
    if len(found) == 2:
        weights = Weights(network.two_layer)
        kept = np.sort(weights.bending[weights.rays.first])
        found[0] = (found[0][0][kept], found[0][1][kept])
    return found


def switches(layers: Sequence[tuple[Array, Array]], start: Array, end: Array) -> Array:
    """The places t in (0, 1) on start + t (end - start) where a hidden unit switches, increasing, in doubles.

    Between two places that are known every unit of the next layer is affine, so it switches once at most.
    """
    at = np.array([0.0, 1.0])
    values = np.stack([start, end])
    for depth, (matrix, offset) in enumerate(layers[:-1], 2):
        heights = values @ matrix.T + offset
        here, there = heights[:-1], heights[1:]
        piece, unit = np.nonzero((here < 0) & (there > 0) | (here > 0) & (there < 0))
        share = here[piece, unit] / (here[piece, unit] - there[piece, unit])
        new = at[piece] + share * (at[piece + 1] - at[piece])
        places, first = np.unique(np.append(at, new), return_index=True)
        if depth == len(layers):
            return places[1:-1]
        left = np.append(np.arange(len(at)), piece)[first]
        rest = np.append(np.zeros(len(at)), share)[first][:, None]
        right = np.minimum(left + 1, len(at) - 1)
        values = np.maximum(heights[left] * (1 - rest) + heights[right] * rest, 0)
        at = places
    raise AssertionError("a network has a hidden layer")


def pairs(count: int) -> list[tuple[int, int]]:
    """The segments that are followed: all pairs of data, or some of them, drawn once and for all."""
    if count * (count - 1) // 2 <= SEGMENTS:
        return list(combinations(range(count), 2))
    rng = np.random.default_rng(0)
    drawn: set[tuple[int, int]] = set()
    while len(drawn) < SEGMENTS:
        i, j = sorted(rng.choice(count, 2, replace=False).tolist())
        drawn.add((i, j))
    return sorted(drawn)


def section(network: Stack, x: Array) -> Section:
    """How many pieces the segments between data have."""
    title = "Along segments between data"
    x = np.unique(x, axis=0)
    chosen, layers = pairs(len(x)), layers_of(network)
    units = sum(network.widths)
    if not chosen or (len(layers) > 2 and units > MOST_UNITS):
        why = "two different points are needed" if not chosen else f"{units} units are too many to follow"
        return Section(title, (Quantity("pieces", "pieces", None, note=why),))
    counts = [1 + len(switches(layers, x[i], x[j])) for i, j in chosen]
    which = f"all {len(chosen)} pairs" if len(chosen) < SEGMENTS else f"{SEGMENTS} pairs drawn at random"
    formula = "1 + places where a unit switches"
    return Section(
        title,
        (
            Quantity("segments", "segments", len(chosen), "", which),
            Quantity("pieces", "pieces", float(np.mean(counts)), formula, "mean; in doubles"),
            Quantity("most_pieces", "at most", max(counts)),
            Quantity("fewest_pieces", "at least", min(counts)),
        ),
    )
