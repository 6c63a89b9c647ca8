"""The table of engines, and the one way to train: `train`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import ParamSpec, TypeVar

from implicitbias.errors import DataError
from implicitbias.training.engines import triton_here
from implicitbias.training.engines.engine import Engine
from implicitbias.training.problem import Problem
from implicitbias.training.trajectory import Trajectory

P = ParamSpec("P")
T = TypeVar("T")

FILES = ("dense", "layerwise", "prefix_sum", "fused", "tangent_kernel", "gradient_flow")
"""The files of this folder that hold an ENGINE."""

ENGINES: dict[str, Engine] = {
    engine.name: engine for engine in (import_module(f"{__package__}.{file}").ENGINE for file in FILES)
}
"""Every engine by its name."""


def taking(make: Callable[P, Problem]) -> Callable[[Callable[[Problem], T]], Callable[P, T]]:
    """Lets a function of a problem take the problem's arguments, with their types, defaults and documentation."""

    def decorate(function: Callable[[Problem], T]) -> Callable[P, T]:
        returns = inspect.signature(function).return_annotation
        signature = inspect.signature(make).replace(return_annotation=returns)

        @wraps(function)
        def with_arguments(*given: P.args, **options: P.kwargs) -> T:
            try:
                signature.bind(*given, **options)
            except TypeError as error:
                names = ", ".join(signature.parameters)
                raise TypeError(f"{function.__name__}() {error}: its arguments are {names}") from None
            return function(make(*given, **options))

        vars(with_arguments)["__signature__"] = signature
        title, _, rest = (inspect.getdoc(function) or "").partition("\n\n")
        _, _, of_arguments = (inspect.getdoc(make) or "").partition("\n\n")
        with_arguments.__doc__ = "\n\n".join(filter(None, (title, of_arguments, rest)))
        return with_arguments

    return decorate


@taking(Problem)
def train(problem: Problem) -> Trajectory:
    """Full-batch gradient descent (or flow) on L(θ) = Σ_j ℓ(f(x_j, θ), y_j) + ½ Σ weight_decay |θ|².

    Returns
    -------
    Trajectory
        The trained function, to be called with inputs; `final_loss`, and `engine`, which says what trained it.

    Raises
    ------
    DataError
        What was given, what is allowed.

    Examples
    --------
    >>> from implicitbias.training import standard
    >>> start = standard(w=[1.0, -1.0, 1.0], b=[0.5, 0.3, 0.2], v=[1.0, 1.0, 0.5])
    >>> found = train(start, [-1.0, 1.0], [0.5, 0.5], steps=2000)
    >>> found.engine, bool(found.final_loss < 1e-8)
    ('prefix_sum', True)
    """
    name = chosen(problem) if problem.engine == "auto" else problem.engine
    if name not in ENGINES:
        raise DataError(f"no engine is called {name!r}: there are auto, {', '.join(ENGINES)}")
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
    names: tuple[str, ...] = ("prefix_sum", "layerwise", "dense")
    if problem.device != "cpu" and triton_here.is_available():
        names = ("fused", *names)
    return next(name for name in names if ENGINES[name].refuses(problem) is None)
