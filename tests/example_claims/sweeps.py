"""Experiments that consist of jobs."""

import os
import time
from collections.abc import Sequence
from typing import Any

from implicitbias.claims import Context, JobOutput, Measured, Observation, Point, experiment, seen

from ._observations import square


def points(context: Context) -> Sequence[Point]:
    return [{"x": x, "seed": context.seed + x} for x in range(context.choose(6, 8))]


def one_square(parameters: Point, device: str) -> JobOutput:
    import numpy as np

    time.sleep(float(os.environ.get("TESTED_SECONDS", "0")))
    if "TESTED_LOG" in os.environ:
        with open(os.environ["TESTED_LOG"], "a") as log:
            log.write(f"job {parameters['x']}\n")
    noise = np.random.default_rng(parameters["seed"]).normal(size=3)
    return {"square": parameters["x"] ** 2, "noise": noise}


def fails_at_three(parameters: Point, device: str) -> JobOutput:
    if parameters["x"] == 3:
        raise ArithmeticError("the loss is NaN")
    return {"square": parameters["x"] ** 2, "noise": [0.0]}


def never_at_two(parameters: Point, device: str) -> JobOutput:
    while parameters["x"] == 2:
        pass
    return {"square": parameters["x"] ** 2, "noise": [0.0]}


def together(context: Context) -> Observation:
    for x, output in enumerate(context.outputs):
        yield seen(int(output["square"]), f"x = {x}", x=x)
    yield Measured("noise", [float(sum(output["noise"])) for output in context.outputs])


def sweep(name: str, job: Any, time_limit: float = 60.0) -> Any:
    return experiment(name, points, job, acceptance="exact", time_limit=time_limit)(together)


SWEEP = square("sweep", sweep("six squares", one_square))
FAILS = square("sweep_fails", sweep("one job raises", fails_at_three))
HANGS = square("sweep_hangs", sweep("one job never returns", never_at_two, time_limit=0.5))
