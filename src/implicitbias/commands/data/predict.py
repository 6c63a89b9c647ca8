"""`implicitbias predict DATA.csv`: what a wide network learns from the data, without training one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any

import typer

from implicitbias.commands.data.answers import Answer, give
from implicitbias.commands.data.prediction import Request, Trained, as_document, in_words
from implicitbias.commands.data.several_inputs.predict import of_several_inputs
from implicitbias.commands.options import (
    NUMBERS_MAY_BE_NEGATIVE,
    AsJson,
    At,
    Bias,
    Device,
    DeviceOption,
    Joint,
    MoreAt,
    PointsFile,
    Seed,
    Weight,
    XColumn,
    YColumn,
    belong,
    refuse_unknown,
)
from implicitbias.errors import DataError, UserError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from implicitbias.data.points import Points
    from implicitbias.training import Trajectory, TwoLayer

    Array = NDArray[np.float64]

CONTEXT = NUMBERS_MAY_BE_NEGATIVE

PLACES = 21
"""By default the prediction is printed at this many evenly spaced places from the first datum to the last."""
WIDEST = 2**20
FLOW_TOLERANCE = 1e-4
"""Tolerance of the integrator that trains: at width 512 it changes the function by 2e-5; the limit is 4e-2 away."""

DESCENT, FITTED = 200_000, 1e-24
"""On a GPU: the most steps of gradient descent, and the share of the first loss at which there is nothing to learn."""


Zeta = Annotated[
    str | None, typer.Option("--zeta", metavar="EXPR", help="ζ as a formula in x instead: the spline alone.")
]
Adjust = Annotated[
    str,
    typer.Option(
        "--adjust",
        metavar="none|exact|ols",
        help="The affine function that is taken off the data before training and added again afterwards.",
    ),
]
Time = Annotated[
    float | None, typer.Option("--time", metavar="T", help="Stop early: T = learning rate × width × steps, loss ½Σ.")
]
Train = Annotated[
    int | None,
    typer.Option("--train", metavar="WIDTH", help="Also train a network with this many units, all parameters."),
]
NoPlot = Annotated[bool, typer.Option("--no-plot", help="Leave the plot out.")]


def predict(
    data: PointsFile,
    more: MoreAt = None,
    weight: Weight = None,
    bias: Bias = None,
    joint: Joint = None,
    zeta: Zeta = None,
    adjust: Adjust = "none",
    time: Time = None,
    train: Train = None,
    device: DeviceOption = Device.CPU,
    at: At = None,
    seed: Seed = 0,
    x: XColumn = None,
    y: YColumn = None,
    no_plot: NoPlot = False,
    as_json: AsJson = False,
) -> None:
    """The function that a two-layer ReLU network learns from the data as its width grows, without training one.

    Gradient descent on the square loss, all parameters, standard parametrisation, from a network that is zero at first.
    It is compared with the adaptive spline of Theorem 1 of Jin and Montúfar 2021, which minimises ∫(s'')²/ζ: the limit
    for data from which the right affine function u x + v was subtracted (`--adjust exact`). Without that the affine
    part costs too, and the limit differs slightly from the spline; both are printed with their distance.

    A file of more than two columns has several inputs, the last column (or the one headed y) being y, unless --x or --y
    names columns. Then weights and biases are normal(0,σ), or sphere(r) and uniform(-b,b); places are written with
    commas, --at 0,1 0.5,-1, and are the data by default.

    --train follows the gradient flow; with --device cuda it takes steps of gradient descent instead, on a GPU.
    """
    from implicitbias.data.points import read_points
    from implicitbias.data.table import columns_in
    from implicitbias.splines.prediction import predict as predicted

    refuse_unknown([data, *(more or [])], "predict")
    belong({"--device": None if device == Device.CPU else device}, "--train", train is not None)
    if more and not at:
        raise UserError(f"{more[0]} stands without --at: write --at {' '.join(more)}, and one file")
    if x is None and y is None and columns_in(data) > 2:
        for_one = {"--joint": joint, "--zeta": zeta, "--train": train}
        belong(for_one, "one input, which --x and --y name in a file of more columns", False)
        if weight is None or bias is None:
            raise UserError(
                'with several inputs give --weight "normal(0,1)" --bias "normal(0,1)", or --weight "sphere(1)" --bias '
                '"uniform(-2,2)"; one input of several columns is named by --x and --y'
            )
        until = math.inf if time is None else time
        give(of_several_inputs(data, weight, bias, adjust, until, [*(at or []), *(more or [])]), as_json)
        return
    law = _law(weight, bias, joint, zeta, train, time)
    points = read_points(data, x, y)
    places = _places([*at, *(more or [])] if at else None, points)
    until = math.inf if time is None else time
    time = None if until == math.inf else until  # a time beyond doubles is the end
    found = predicted(law, points.x, points.y, adjust, until)
    request = Request(points, law, adjust, time, seed, places)
    trained = None if train is None else _train(request, found, train, str(device))
    give(Answer(as_document(request, found, trained), in_words(request, found, trained, not no_plot)), as_json)


def _law(
    weight: str | None, bias: str | None, joint: str | None, zeta: str | None, train: int | None, time: float | None
) -> Any:
    from implicitbias.laws.joint.build import initialisation

    given = {"--weight and --bias": weight is not None or bias is not None, "--joint": joint, "--zeta": zeta}
    named = [name for name, value in given.items() if value]
    if len(named) != 1 or (given["--weight and --bias"] and (weight is None or bias is None)):
        raise UserError(
            'say how the network is initialised: --weight "normal(0,1)" --bias "uniform(-2,2)", or '
            '--joint "pytorch()"; or give --zeta "1/(1+x**2)**2" for the spline alone'
        )
    if zeta is not None:
        if train is not None or time is not None:
            raise UserError("--train and --time need the laws of weight and bias: --zeta fixes the spline alone")
        return zeta
    return initialisation(joint) if joint is not None else initialisation(weight, bias)


def _places(at: list[str] | None, points: Points) -> tuple[float, ...]:
    from implicitbias.exact.rational import exact

    if at is None:
        first, last = float(points.x[0]), float(points.x[-1])
        return tuple(first + (last - first) * k / (PLACES - 1) for k in range(PLACES))
    numbers = [word for text in at for word in text.replace(",", " ").split()]
    if not numbers:
        raise UserError('--at needs numbers: --at "0 0.5 1"')
    places = []
    for word in numbers:
        try:
            places.append(float(exact(word)))
        except DataError as error:
            raise DataError(f"--at: {error}") from None
        except OverflowError:
            raise DataError(f"--at: {word} is beyond what a double can hold") from None
    return tuple(places)


def _train(request: Request, found: Any, width: int, device: str) -> Trained:
    """A network of this width, doubled with opposite signs so that it starts from zero, trained to the end or to T."""
    import numpy as np

    from implicitbias.splines.finite_width import expected_distance
    from implicitbias.training import anti_symmetric, standard
    from implicitbias.training import train as trained

    if not 1 <= width <= WIDEST:
        raise UserError(f"--train takes a width between 1 and {WIDEST}: got {width}")
    if found.limit is None:
        raise DataError(f"there is no limit to train towards: {found.no_limit}")
    rng = np.random.default_rng(np.random.SeedSequence([request.seed, width]))
    w, b = request.law.sample(width, rng)
    network = anti_symmetric(standard(w, b, rng.normal(size=width)))
    x, y = (np.array([float(v) for v in column]) for column in (request.points.x, request.points.y))
    goal, end = y - found.adjustment(x), None if request.time is None else request.time / width
    if device == Device.CPU:
        times = None if end is None else [end]
        course = trained(network, x, goal, engine="gradient_flow", times=times, tolerance=FLOW_TOLERANCE)
    else:
        course = descended(network, x, goal, end, device)
    grid = np.linspace(x[0], x[-1], 201)
    gap = course(grid) + found.adjustment(grid) - found(grid)
    expected = expected_distance(found.limit, grid, request.seed).at_width(width) if request.time is None else None
    places = np.array(request.at)
    return Trained(
        width,
        tuple(float(v) for v in course(places) + found.adjustment(places)),
        tuple(float(v) for v in course(grid) + found.adjustment(grid)),
        float(course.final_loss),
        course.reason,
        math.inf if course.error is None else float(course.error[-1]),
        float(np.abs(gap).max()),
        float(np.sqrt((gap**2).mean())),
        expected,
        course.seconds,
        course.engine,
        int(course.stop_steps.max()),
    )


def descended(network: TwoLayer, x: Array, y: Array, end: float | None, device: str) -> Trajectory:
    """Gradient descent with step 1/λ_max until time `end`, in whole steps to it, or until nothing is left to learn."""
    from implicitbias.training import train

    at_first = train(network, x, y, steps=0)
    rate = at_first.step
    steps = DESCENT if end is None else max(1, math.ceil(end / rate))
    step, fitted = rate if end is None else end / steps, FITTED * float(at_first.final_loss)
    if step == 0:
        return at_first
    return train(network, x, y, step=step, steps=steps, stop_loss=fitted, record=[0], device=device)
