"""The same networks trained at several scales α: α f(x, θ) on Σ½(αf - y)²/α², which is f on the labels y/α.

The gradient of Σ½(αf - y)²/α² by θ is Σ(f - y/α)∇f: at every scale the network itself is trained, on smaller labels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from .linear_trajectories import DATA, GRID
from .trained_networks import followed

if TYPE_CHECKING:
    from implicitbias.training import TwoLayer

Array = Any  # numpy is imported where it is used


def scaled(parameters: Mapping[str, Any]) -> dict[str, Array]:
    """Networks of one width at each of the `scales`, from the same start; arrays of shape (scales, seeds).

    parameters: n, count, seed, law, data, and scales

    apart   sup over times of the root mean square over GRID of α(f - f^lin)
    passed  whether a unit is active at other data, or other places of GRID, than at the start at one of the times
    loss    of αf at the end
    """
    import numpy as np

    places = np.array([*DATA[parameters["data"]][0], *GRID])
    apart, passed, loss = [], [], []
    for scale in parameters["scales"]:
        run = followed({**parameters, "ntk": False, "times": None}, 1 / scale)
        at_first = _active(run.start, places)
        apart.append(scale * run.apart)
        passed.append(
            np.any(
                [
                    (_active(f, places) != at_first).any((1, 2))
                    for f in cast("Sequence[TwoLayer]", run.course.snapshots)
                ],
                axis=0,
            )
        )
        loss.append(scale**2 * run.course.final_loss)
    return {"apart": np.array(apart), "passed": np.array(passed), "loss": np.array(loss)}


def _active(network: TwoLayer, places: Array) -> Array:
    """Which units are active where: shape (seeds, units, places)."""
    found: Array = network.w[..., None] * places + network.b[..., None] > 0
    return found
