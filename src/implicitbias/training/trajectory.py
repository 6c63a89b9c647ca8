"""What training leaves behind: losses along the way, the functions that were kept, and why it stopped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Function = Callable[[NDArray[np.float64]], NDArray[np.float64]]

Reason = Literal["steps", "times", "loss", "plateau", "stationary", "diverged", "stalled"]

REASONS: dict[Reason, str] = {
    "steps": "the number of steps was reached",
    "times": "the last time was reached",
    "loss": "the loss fell to stop_loss",
    "plateau": "the loss did not improve for as long as `patience` allows",
    "stationary": "the gradient vanishes although the loss is not zero",
    "diverged": "the loss is not finite any more: take a smaller step",
    "stalled": "the integrator could not keep its tolerance: loosen it, or look at the data",
}
"""Why training stopped. The worst of a batch comes last."""


@dataclass(frozen=True)
class Trajectory:
    """The course of full-batch training, of one network or of a batch of seeds.

    engine     which engine ran: a name in ENGINES
    steps      (R,) the recorded steps, 0 first; of a flow those of its integrator until each time, in a batch of the
               seed that took most; 0 for the closed form in continuous time
    times      (R,) training time, step × learning rate for gradient descent; may end with infinity
    losses     (R,) or (R, seeds): the loss on the data before that step, without weight decay; a seed that has stopped
               keeps its last loss
    kept_steps, snapshots
               the steps (for a flow, the recorded rows) asked for, and the function at each: a TwoLayer, a
               LayeredNetwork, or for engine `kernel` the linearised function. All can be called with inputs.
    final      the function at the end, of the same kind
    reasons    why training stopped, a key of REASONS for every seed (one key for a single network)
    stop_steps (seeds,) the steps that each seed took
    seconds    wall time of the engine, compiling included
    step       the learning rate that was used (nan for the flow)
    estimate   how `error` is worked out
    """

    engine: str
    steps: NDArray[np.int64]
    times: NDArray[np.float64]
    losses: NDArray[np.float64]
    kept_steps: tuple[int, ...]
    snapshots: tuple[Function, ...]
    final: Function
    reasons: tuple[Reason, ...]
    stop_steps: NDArray[np.int64]
    seconds: float
    step: float
    estimate: Callable[[], NDArray[np.float64]] | None = None

    @cached_property
    def error(self) -> NDArray[np.float64] | None:
        """What the integrator of a flow is off by: an estimate, (R,) or (R, seeds); None for what needs no integrator.

        The distance of the parameters from those of the exact flow at each time, over the distance that they have
        travelled from the start: p̃ = p/√rate, over the groups that learn. Worked out when first asked for, by taking
        the same path in half steps, which takes twice the time of the flow. It is no bound: against closed forms it
        held the error of every smooth flow, two or three times over, and that of nine in ten flows whose kinks cross
        data or slide along them. Infinite where the integrator stalled.
        """
        return None if self.estimate is None else self.estimate()

    @property
    def reason(self) -> Reason:
        """The worst reason of the batch, in the order of REASONS."""
        order = list(REASONS)
        return max(self.reasons, key=order.index)

    @property
    def final_loss(self) -> NDArray[np.float64]:
        """The last loss: a number (shape ()), or one per seed."""
        last: NDArray[np.float64] = self.losses[-1]
        return last

    def __call__(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """The trained function at x: (Q,), for a batch (seeds, Q), with a trailing axis for k outputs."""
        return self.final(x)
