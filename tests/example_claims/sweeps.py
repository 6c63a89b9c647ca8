"""Experiments that consist of jobs."""

import os
import time
from collections.abc import Mapping, Sequence
from typing import Any

from implicitbias.claims.check import Check, Context, JobOutput, Kind, Sweep
from implicitbias.claims.evidence import Evidence, Instance

from .standings import claim


def points(context: Context) -> Sequence[Mapping[str, Any]]:
    return [{"x": x, "seed": context.seed + x} for x in range(context.choose(6, 8))]


def square(parameters: Mapping[str, Any], device: str) -> JobOutput:
    import numpy as np

    time.sleep(float(os.environ.get("TESTED_SECONDS", "0")))
    if "TESTED_LOG" in os.environ:
        with open(os.environ["TESTED_LOG"], "a") as log:
            log.write(f"job {parameters['x']}\n")
    noise = np.random.default_rng(parameters["seed"]).normal(size=3)
    return {"square": parameters["x"] ** 2, "noise": noise}


def together(context: Context) -> Evidence:
    return Evidence(
        instances=tuple(Instance(f"x = {x}", {"x": x}, int(o["square"])) for x, o in enumerate(context.outputs)),
        measured={"noise": [float(sum(o["noise"])) for o in context.outputs]},
    )


def fails_at_three(parameters: Mapping[str, Any], device: str) -> JobOutput:
    if parameters["x"] == 3:
        raise ArithmeticError("the loss is NaN")
    return {"square": parameters["x"] ** 2, "noise": [0.0]}


def never_at_two(parameters: Mapping[str, Any], device: str) -> JobOutput:
    while parameters["x"] == 2:
        pass
    return {"square": parameters["x"] ** 2, "noise": [0.0]}


def sweep(name: str, job: Any, time_limit: float = 60.0) -> Check:
    return Check(name, Kind.EXPERIMENT, together, acceptance="exact", sweep=Sweep(points, job), time_limit=time_limit)


CLAIMS = (
    claim("sweep", "x**2", sweep("six squares", square)),
    claim("sweep_fails", "x**2", sweep("one job raises", fails_at_three)),
    claim("sweep_hangs", "x**2", sweep("one job never returns", never_at_two, time_limit=0.5)),
)
