"""Section 6.2: is the plateau on which regression runs stop a local minimum? The same descent is continued."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from implicitbias.claims import (
    Context,
    JobOutput,
    Measured,
    Observation,
    Point,
    Premise,
    Rule,
    claim,
    experiment,
    seen,
)

from ..observed.training import courses
from ..observed.training.courses import ended
from ..observed.training.section_6_runs import RULES, curve, run, runs

LEFT = 0.97
"""A run has left if its training error falls below this share of the error at which it was stopped."""

STOP = "patience 1 000"

DEAD = "every unit off on all data"
STOPPED = "stopped on the data of Section 6"


def plateau_runs(context: Context) -> Sequence[Point]:
    """Regression at the larger learning rate, far beyond the stopping rule; and a network that cannot move."""
    found = runs(
        context,
        context.choose(8, 4, 8),
        models=("regression",),
        fresh_data=True,
        step=0.16,
        units=context.choose(1_000, 10_000),
        epochs=context.choose(60_000, 120_000, 300_000),
    )
    jobs: list[Mapping[str, Any]] = [{**job, "network": STOPPED} for job in found]
    return [*jobs, {**found[0], "network": DEAD, "epochs": 20_000}]


def plateau_job(parameters: Point, device: str) -> JobOutput:
    """The course of one training; a dead network differs in its start only."""
    import numpy as np

    from implicitbias.training import TwoLayer

    if parameters["network"] == STOPPED:
        found = run(parameters, device)
        return {**parameters, "epochs": found["epochs"], "errors": found["errors"]}
    s = courses.setting(parameters)
    start = courses.glorot(s)
    dead = TwoLayer(start.w, -2 * np.abs(start.w), start.v)
    x, y = courses.draw_data(s)["train"]
    steps = [(at, float(np.square(f(x) - y).mean())) for at, f in courses.networks(s, x, y, dead, device)]
    return {
        **parameters,
        "epochs": np.array([at for at, _ in steps]),
        "errors": np.array([[error] * len(courses.SETS) for _, error in steps]),
    }


@experiment(
    "the descent continued",
    plateau_runs,
    plateau_job,
    acceptance="""Fixed after pilot runs: a run leaves if its training error (root mean square) falls by 3% or more
    after the stop, a hundred times what the rule overlooks; the statement holds if at least one run leaves and the dead
    network does not. 8 runs with 1000 neurons to 60,000 epochs at the quick budget, 4 with 10,000 to 120,000 at full, 8
    to 300,000 at paper. If each left with probability 1/3, none of 8 would with 0.04.""",
    time_limit=120,
)
def plateau(context: Context) -> Observation:
    """Whether the descent, continued beyond the stop, leaves the training error at which it was stopped; fresh data and
    starts for every run. If no run leaves, the statement is refuted.
    """
    shares: dict[str, list[float]] = {STOPPED: [], DEAD: []}
    restless = 0
    for o in context.outputs:
        stop = ended(o, RULES[STOP])
        if not stop.stopped:
            restless += 1
            continue
        after = o["errors"][o["epochs"] >= stop.epoch, 0]
        shares[o["network"]].append(float((after.min() / after[0]) ** 0.5))
    for name, found in shares.items():
        if found:
            by_run = {"training error afterwards, as a share of that at the stop": found}
            word = "leaves" if min(found) < LEFT else "stays"
            yield seen(word, f"{len(found)} network(s)", by_run=by_run, network=name)
    tried = len(shares[STOPPED])
    yield Premise(
        "the rule stops four runs at least, and the dead network", tried >= 4 and bool(shares[DEAD]), f"{tried}"
    )
    yield Measured("training error afterwards, as a share of that at the stop", tuple(shares[STOPPED]))
    yield Measured("runs that left", sum(s < LEFT for s in shares[STOPPED]))
    yield Measured("runs that the rule stops", tried)
    yield Measured("runs that it never stops", restless)
    yield from (curve(o) for o in context.outputs[:4])


SECTION_6_LOCAL_MINIMUM = claim(
    "stewart2022.section_6_local_minimum",
    "Section 6.2, Figure 6a",
    "The plateau of regression",
    """Where regression runs are stopped they need not be at a local minimum of the square loss: the same descent,
    continued without any disturbance, leaves the plateau in some runs. A network whose units are all off stays
    forever.""",
    latex=r"\inf_{t>t_{\mathrm{stop}}}L(\theta_t)<L(\theta_{t_{\mathrm{stop}}})\ \text{in some runs}",
    hypotheses=("patience 1000 with a tolerance of 1e-7 in the mean square error; learning rate 0.16",),
    formula=Rule(
        "a plateau",
        "some runs on the data of Section 6 go on falling; dead networks stay",
        lambda given: "leaves" if given["network"] == STOPPED else "stays",
    ),
    controls={
        Rule(
            "a local minimum", "stopped networks are at local minima: they stay", lambda given: "stays"
        ): "every stopped network at rest",
        Rule(
            "no rest anywhere", "every network goes on falling", lambda given: "leaves"
        ): "a non-convex loss without any minimum",
        Rule(
            "only minima rest",
            "stopped networks stay, dead ones go on",
            lambda given: "stays" if given["network"] == STOPPED else "leaves",
        ): "dead units taken for a saddle",
    },
    checks=(plateau,),
    part_of="stewart2022.section_6_kinks",
    rests_on=("stewart2022.section_6_kinks",),
)
