"""Appendix F, Figure 9, and Figure 10b: the angles between the first gradients; training does not go straight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from implicitbias.claims import Context, JobOutput, Measured, Observation, Point, Rule, claim, experiment, seen

from ..observed.data.triangles import labels
from ..observed.training.courses import draw_data, glorot, setting
from ..observed.training.section_6_runs import MODELS, runs
from ..observed.training.three_layers import batches, descent

if TYPE_CHECKING:
    from implicitbias.training import LayeredNetwork

STRAIGHT, CURVED = 1.0, 30.0
"""Degrees: a descent is straight if no two gradients are further apart than the first, curved beyond the second."""

EPOCHS, EVERY = 1_000, 20
LINEAR, DEEP = "a linear model on whitened inputs", "three layers"
LAYERS = {**dict.fromkeys(MODELS, 2), DEEP: 3, LINEAR: 1}


def angle_runs(context: Context) -> Sequence[Point]:
    count = context.choose(3, 5, 30)
    found = runs(context, count)
    return [*found, *batches(context, min(count, 10), found[0]), {**found[0], "model": LINEAR}]


def angle_job(parameters: Point, device: str) -> JobOutput:
    """The gradients of every 20th of the first 1000 epochs: largest angle, and displacement over length of path."""
    import numpy as np

    from implicitbias.training import train

    looks = sorted({at + shift for at in range(0, EPOCHS + 1, EVERY) for shift in (0, 1)})
    if parameters["model"] == LINEAR:
        return {**parameters, "angles": [angles(whitened_gradients(parameters))]}
    if parameters["model"] == DEEP:
        batch = [flat(f) for f in descent(parameters, looks[-1], looks, device)]
        return {**parameters, "angles": [angles(steps(network)) for network in np.stack(batch, axis=1)]}
    s = setting(parameters)
    x, y = draw_data(s)["train"]
    start = glorot(s)
    regression = s.model == "regression"
    shots = train(
        start, x, y if regression else labels(y, s.bins), engine="prefix_sum", threads=1, trained=("w", "b", "v"),
        loss="square" if regression else "cross_entropy", reduction="mean", step=2 * s.step if regression else s.step,
        steps=looks[-1], record=[0], snapshots=looks,
    ).snapshots  # fmt: skip
    weights = np.array([np.concatenate([f.w, f.b, f.v.ravel()]) for f in shots])  # type: ignore[attr-defined]
    return {**parameters, "angles": [angles(steps(weights))]}


def flat(batch: LayeredNetwork) -> Any:
    """The weights of each network of a batch, a row of numbers."""
    import numpy as np

    return np.concatenate([part.reshape(len(part), -1) for part in (*batch.weights, *batch.biases)], axis=1)


def steps(weights: Any) -> Any:
    """The steps, gradients up to the rate, between the looks 2k and 2k + 1."""
    return weights[::2] - weights[1::2]


def whitened_gradients(parameters: Mapping[str, Any]) -> Any:
    """Gradients of least squares whose inputs have the identity as second moment: residuals shrink, nothing turns."""
    import numpy as np

    rng = np.random.default_rng(parameters["start"])
    inputs = np.linalg.qr(rng.normal(size=(250, 20)))[0]
    goal, weights = rng.normal(size=250), rng.normal(size=20)
    found = []
    for _ in range(0, EPOCHS + 1, EVERY):
        found.append(inputs.T @ (inputs @ weights - goal))
        weights = weights - 0.1 * found[-1]
    return np.array(found)


def angles(gradients: Any) -> dict[str, Any]:
    import numpy as np

    units = gradients / np.linalg.norm(gradients, axis=1)[:, None]
    cosines = np.clip(units @ units.T, -1, 1)
    path = np.linalg.norm(gradients, axis=1).sum()
    return {
        "largest": float(np.degrees(np.arccos(cosines.min()))),
        "first and last": float(np.degrees(np.arccos(cosines[0, -1]))),
        "straightness": float(np.linalg.norm(gradients.sum(0)) / path),
    }


@experiment(
    "angles between gradients",
    angle_runs,
    angle_job,
    acceptance="""Fixed after pilot runs: a model is curved if in every run two gradients are more than 30 degrees
    apart, straight if in no run more than 1 degree; 3 runs of each at the quick budget, 5 at full, 30 at paper (10 of
    three layers).""",
)
def angles_between_gradients(context: Context) -> Observation:
    """Whether all runs of a model turn, or none: every 20th of the first 1000 gradients, also for a linear model."""
    for model, layers in LAYERS.items():
        runs = [angle for o in context.outputs if o["model"] == model for angle in o["angles"]]
        found = [float(angle["largest"]) for angle in runs]
        answer = "curved" if min(found) > CURVED else "straight" if max(found) < STRAIGHT else "neither"
        by_run = {"largest angle, degrees": found}
        yield seen(answer, f"{model}: {len(found)} run(s)", by_run=by_run, model=model, layers=layers)
        yield Measured(
            model,
            {
                "largest angle, degrees": tuple(found),
                "displacement over path": tuple(float(angle["straightness"]) for angle in runs),
            },
        )


APPENDIX_F = claim(
    "stewart2022.appendix_f",
    "Appendix F, Figure 9, and Figure 10b",
    "Angles between gradients",
    """Among the first 1000 gradients of the regression and of the classification model of Section 6, and of the
    three-layer model of Appendix G, there are pairs far from parallel: no descent is a straight line in the space of
    weights. Least squares on whitened inputs is one.""",
    latex=r"\max_{s,t<1000}\angle(\nabla L(\theta_s),\nabla L(\theta_t))>30^\circ",
    hypotheses=("networks and data of Section 6 and Appendix G, full-batch gradient descent",),
    formula=Rule(
        "networks turn",
        "networks of two and three layers turn by more than 30 degrees, a linear model on whitened inputs by none",
        lambda given: "curved" if given["layers"] != 1 else "straight",
    ),
    controls={
        Rule(
            "all straight", "every descent is straight", lambda given: "straight"
        ): "over-parametrised networks as linear models",
        Rule("all curved", "every descent turns", lambda given: "curved"): "an angle that any descent would show",
        Rule(
            "only regression turns",
            "the regression model alone turns",
            lambda given: "curved" if given["model"] == "regression" else "straight",
        ): "classification does not under-fit, so its way would be straight",
        Rule(
            "three layers go straight",
            "two-layer networks turn, three-layer ones do not",
            lambda given: "curved" if given["layers"] == 2 else "straight",
        ): "three layers do not under-fit either",
    },
    checks=(angles_between_gradients,),
    part_of="stewart2022.section_6_kinks",
)
