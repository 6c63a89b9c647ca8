"""One way to train: `train`, and the table of engines behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from implicitbias.errors import DataError
from implicitbias.training.problem import Problem, pose

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike

    from implicitbias.functions.network import Network
    from implicitbias.training.infinite_width import InfiniteWidth
    from implicitbias.training.layered import LayeredNetwork
    from implicitbias.training.trajectory import Trajectory
    from implicitbias.training.two_layer import Groups, TwoLayer


@dataclass(frozen=True)
class Engine:
    """A way to train.

    says     one line for people
    run      Problem -> Trajectory; imports its libraries when called
    refuses  Problem -> why it cannot be done with this engine, or None
    """

    says: str
    run: Callable[[Problem], Trajectory]
    refuses: Callable[[Problem], str | None]


def _dense(problem: Problem) -> Trajectory:
    from implicitbias.training.engines.dense import run

    return run(problem)


def _prefix_sum(problem: Problem) -> Trajectory:
    from implicitbias.training.engines.prefix_sum import run

    return run(problem)


def _kernel(problem: Problem) -> Trajectory:
    from implicitbias.training.engines.tangent_kernel import run

    return run(problem)


def _gradient_flow(problem: Problem) -> Trajectory:
    from implicitbias.training.engines.gradient_flow import run

    return run(problem)


def _descent(problem: Problem) -> str | None:
    if problem.kind == "infinite":
        return "an infinitely wide network has no parameters to train: take engine='kernel'"
    if problem.times is not None:
        return "gradient descent counts steps, not times: give step and steps, or take 'gradient_flow' or 'kernel'"
    return None


def _univariate(problem: Problem) -> str | None:
    if problem.kind != "two_layer" or problem.two_layer.inputs is not None:
        return "prefix sums need a two-layer network of one input (w of shape (n,) or (seeds, n)): take engine='dense'"
    return _descent(problem)


def _square_and_smooth(problem: Problem) -> str | None:
    if problem.kind == "layered":
        return "only two-layer networks: take engine='dense'"
    if problem.kind == "two_layer" and problem.two_layer.outputs is not None:
        return "only scalar outputs (v of shape (n,) or (seeds, n))"
    if problem.loss != "square":
        return f"only the square loss: got loss={problem.loss!r}"
    if any(problem.decay):
        return "no weight decay: take engine='dense' or 'prefix_sum'"
    if problem.label_noise is not None:
        return "no label noise: take engine='dense' or 'prefix_sum'"
    if problem.device != "cpu":
        return f"runs on the cpu only: got device={problem.device!r}"
    return None


def _flow(problem: Problem) -> str | None:
    if problem.kind == "infinite":
        return "an infinitely wide network has no parameters to train: take engine='kernel'"
    if problem.steps is not None or problem.step is not None:
        return "a flow has times, not steps: give times (or nothing, for the limit)"
    return _square_and_smooth(problem)


ENGINES: dict[str, Engine] = {
    "dense": Engine("torch autograd: any input dimension, any depth, cpu or cuda", _dense, _descent),
    "prefix_sum": Engine("univariate two-layer, exact gradient in O(n log M + M)", _prefix_sum, _univariate),
    "kernel": Engine("the linearised network in closed form, at finite or infinite width", _kernel, _square_and_smooth),
    "gradient_flow": Engine("gradient flow of the nonlinear network, adaptive", _gradient_flow, _flow),
}


def train(
    network: TwoLayer | LayeredNetwork | Network | InfiniteWidth,
    x: ArrayLike,
    y: ArrayLike,
    *,
    engine: str = "auto",
    loss: str = "square",
    reduction: str = "sum",
    step: float | None = None,
    steps: int | None = None,
    times: Sequence[float] | None = None,
    stop_loss: float = 0.0,
    patience: int | None = None,
    improvement: float = 0.0,
    weight_decay: float | Groups = 0.0,
    label_noise: Callable[[int, np.random.Generator], Any] | None = None,
    record: int | Sequence[int] | None = None,
    snapshots: Sequence[int] = (),
    trained: Sequence[str] = ("w", "b", "v", "c"),
    device: str = "cpu",
    dtype: str = "float64",
    seed: int = 0,
    threads: int | None = None,
    tolerance: float = 1e-6,
) -> Trajectory:
    """Full-batch gradient descent (or flow) on L(θ) = Σ_j ℓ(f(x_j, θ), y_j) + ½ Σ weight_decay |θ|².

    network    TwoLayer (one network or a batch of seeds), LayeredNetwork (dense only), the exact Network, or
               InfiniteWidth(kernel) (kernel only)
    x, y       (M,), (M, d) for vector inputs; y (M,), (M, k) for k outputs; one axis (seeds) in front where each
               network of a batch has data of its own
    engine     a name of ENGINES, or "auto": `prefix_sum` wherever it applies, `kernel` for InfiniteWidth,
               `gradient_flow` where `times` is given, else `dense`; the Trajectory says which ran
    loss       "square" ½(f-y)², "logistic" log(1+e^{-yf}) and "exponential" e^{-yf} with y = ±1, "cross_entropy"
               (softmax) with y class numbers (M,) or probabilities (M, k); the others sum over the k outputs
    reduction  "sum" over the data (the paper's), or "mean"
    step       learning rate η. None: 1/λ_max of the tangent kernel at the start divided by the loss' greatest second
               derivative (which the exponential loss has not: give a step)
    steps      number of steps of gradient descent (10 000 unless told)
    times      instead of steps, for `gradient_flow` and `kernel`: increasing training times, the last may be infinity
               (the default). Gradient descent after t steps is at time t η
    stop_loss, patience, improvement
               a seed stops once its loss is at most stop_loss, or has not fallen by `improvement` below its best for
               `patience` steps, or is not finite (gradient descent in steps; the closed form and the flow do not stop)
    weight_decay  λ for all trained parameters, or a λ for each group: Groups(w=1e-3, b=0, v=1e-3, c=0)
    label_noise   (step, generator) -> labels, or (labels, weights): the labels of that step, shaped as y or with seeds
               in front, and weights of the data in the loss (so one-datum steps too). Losses are of the true labels.
    record     every so many steps, or the steps at which the loss is recorded (always the first and the last); None:
               all up to 16, then geometrically
    snapshots  the steps at which the function is kept (for times: indices of `times`)
    trained    the groups of parameters that learn; of a LayeredNetwork all learn
    dtype      "float64" or "float32": of the parameters (float32 loses updates below one part in 10⁷)
    seed       of the generator that label_noise gets
    threads    of `prefix_sum`; None: as many as OMP_NUM_THREADS or the machine says
    tolerance  of `gradient_flow`: local error relative to the distance that the parameters travel

    Raises DataError: what was given, what is allowed.
    """
    problem = pose(
        network,
        x,
        y,
        loss=loss,
        reduction=reduction,
        step=step,
        steps=steps,
        times=times,
        stop_loss=stop_loss,
        patience=patience,
        improvement=improvement,
        weight_decay=weight_decay,
        label_noise=label_noise,
        record=record,
        snapshots=snapshots,
        trained=trained,
        device=device,
        dtype=dtype,
        seed=seed,
        threads=threads,
        tolerance=tolerance,
    )
    name = chosen(problem) if engine == "auto" else engine
    if name not in ENGINES:
        raise DataError(f"no engine is called {engine!r}: there are auto, {', '.join(ENGINES)}")
    why = ENGINES[name].refuses(problem)
    if why is not None:
        raise DataError(f"engine {name!r} cannot train this: {why}")
    return ENGINES[name].run(problem)


def chosen(problem: Problem) -> str:
    """The engine that "auto" stands for."""
    if problem.kind == "infinite":
        return "kernel"
    if problem.times is not None:
        return "gradient_flow"
    return "prefix_sum" if ENGINES["prefix_sum"].refuses(problem) is None else "dense"
