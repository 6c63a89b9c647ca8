"""Networks of three layers, trained on the square loss and the data of Section 6 of stewart2022 (Appendix G)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from implicitbias.claims import Context, Point

from ..data.triangles import TRIANGLES
from .courses import Setting, draw_data

if TYPE_CHECKING:
    from implicitbias.training import LayeredNetwork

STEP = 0.3
"""Learning rate; a smaller one takes more epochs to leave the plateau."""


def batches(context: Context, count: int, section_6: Point) -> list[dict[str, Any]]:
    """`count` networks on the data of a run of Section 6; one batch at the quick budget, else one network a batch."""
    import numpy as np

    starts = [int(s) for s in np.random.SeedSequence([context.seed, 99]).generate_state(count)]
    shared = {
        "model": "three layers",
        "widths": context.choose((120, 40), (1_000, 250)),
        "data": section_6["data"],
        "bins": section_6["bins"],
    }
    return [{**shared, "starts": group} for group in context.choose([starts], [[s] for s in starts])]


def data(parameters: Point) -> dict[str, tuple[Any, Any]]:
    """The sets of the data, x and y."""
    s = Setting("regression", TRIANGLES, "paper", 0, parameters["bins"], STEP, 0, 0, parameters["data"], 0)
    return draw_data(s)


def descent(parameters: Point, epochs: int, looks: Sequence[int], device: str) -> list[LayeredNetwork]:
    """The batch at each of the looks, in single precision: one step an epoch, on all the data."""
    from implicitbias.training import train

    x, y = data(parameters)["train"]
    trained = train(
        glorot(parameters["widths"], parameters["starts"]), x[:, None], y, loss="square", reduction="mean",
        step=2 * STEP, steps=epochs, snapshots=looks, record=[0], dtype="float32", device=device,
    )  # fmt: skip
    return list(trained.snapshots)  # type: ignore[arg-type]


def glorot(widths: Sequence[int], starts: Sequence[int]) -> LayeredNetwork:
    """A batch of three-layer networks, Glorot's weights; the first biases are weights of the input 1, the others 0."""
    import numpy as np

    from implicitbias.training import LayeredNetwork

    sizes = [2, *widths, 1]
    layers: list[Any] = []
    for inputs, units in pairwise(sizes):
        bound = np.sqrt(6 / (inputs + units))
        layers.append([np.random.default_rng([s, inputs]).uniform(-bound, bound, (units, inputs)) for s in starts])
    first, second, third = map(np.stack, layers)
    biases = (first[..., 1], np.zeros(second.shape[:-1]), np.zeros(third.shape[:-1]))
    return LayeredNetwork((first[..., :1], second, third), biases)
