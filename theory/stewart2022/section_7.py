"""Section 7, Figure 7 and Appendix H: in two dimensions regression finds the teacher's lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from implicitbias.claims import (
    Context,
    Interval,
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
from implicitbias.exact.sampling import mean_interval

from ..observed.data.triangles import labels
from ..observed.training.plane import crossing, grid, outputs, participation, teacher, top_distance

SHARE = 0.03
"""The heaviest 3% of the units (15 of 500) are looked at, the same number for both models; fixed before these runs."""

LEVEL = 0.01
"""Joint level of the two intervals."""

CONTRAST = 2
"""A sparse support against an even one: the mass is shared by so many times fewer units at least."""
RUNS = "stewart2022, students of Section 7"

AGAINST = {"classification": "the heaviest units of classification", "start": "the heaviest units before training"}


def plane_runs(context: Context) -> Sequence[Point]:
    """A teacher for each pair of students; at the quick budget small students, trained together."""
    import numpy as np

    count = context.choose(10, 10, 12)
    seeds = [int(s) for s in np.random.SeedSequence(context.seed).generate_state(count)]
    base = context.choose(
        {"side": 13, "units": 150, "bins": 10, "epochs": (6_000, 3_000), "steps": (0.3, 0.5)},
        {"side": 25, "units": 500, "bins": 25, "epochs": (50_000, 10_000), "steps": (0.1, 0.1)},
    )
    together = context.choose([seeds], [[s] for s in seeds])
    return [{**base, "seeds": group} for group in together]


def plane_job(parameters: Point, device: str) -> JobOutput:
    """Students of each seed's teacher: distances of their heaviest lines from the teacher's, before and after."""
    import numpy as np

    from implicitbias.training import TwoLayer, train

    units, bins = parameters["units"], parameters["bins"]
    x, count = grid(parameters["side"]), round(SHARE * units)
    generators = [np.random.default_rng(s) for s in parameters["seeds"]]
    teachers = [teacher(rng) for rng in generators]
    y = np.stack([outputs(*t, x) for t in teachers])
    scaled = (y - y.min(1)[:, None]) / np.ptp(y, axis=1)[:, None]
    found: dict[str, Any] = {"seeds": parameters["seeds"]}
    for model, k, epochs, step in zip(
        ("regression", "classification"), (1, bins), parameters["epochs"], parameters["steps"], strict=True
    ):
        first, second = np.sqrt(6 / (3 + units)), np.sqrt(6 / (units + k))
        a = np.stack([rng.uniform(-first, first, (units, 3)) for rng in generators])
        v = np.stack([rng.uniform(-second, second, (units, k)) for rng in generators])
        regression = model == "regression"
        start = TwoLayer(a[..., :2], a[..., 2], v[..., 0] if regression else v)
        trained = train(
            start, x,
            y if regression else np.stack([labels(row, bins) for row in scaled]),
            loss="square" if regression else "cross_entropy", reduction="mean", step=2 * step if regression else step,
            steps=epochs, trained=("w", "b", "v"), record=[0], dtype="float32", device=device,
        )  # fmt: skip
        end: Any = trained.final
        after = np.concatenate([end.w, end.b[..., None]], axis=-1).astype(float)
        outer = (end.v[..., None] if regression else end.v).astype(float)
        for name, inner, heads in (("start", a, v), ("end", after, outer)):
            mass = np.linalg.norm(inner, axis=-1) * np.linalg.norm(heads, axis=-1)
            found[f"{model}, {name}"] = [
                top_distance(inner[i], mass[i], teachers[i][0], count) for i in range(len(generators))
            ]
            found[f"{model}, {name}, units that share the mass"] = [
                participation(mass[i][crossing(inner[i])]) for i in range(len(generators))
            ]
        found[f"{model}, loss"] = np.atleast_1d(trained.final_loss).tolist()
    return found


@experiment(
    "heaviest lines",
    plane_runs,
    plane_job,
    acceptance="""Fixed after pilot runs at seeds 0 to 9, of which two were left undecided by 6 teachers: nearer if
    Student's interval of the mean difference of ln distance, paired by teacher, joint level 0.01, lies on one side of
    0; UNDECIDED where it contains 0. The heaviest 3% of the units. 10 teachers, 150 neurons, 13 x 13 points, 10 bins at
    the quick budget (power: a factor of 5 at a spread of 1.2, as seen); 10 teachers, 500 neurons, 25 x 25 points, 25
    bins, 50,000 and 10,000 epochs at full, 12 teachers at paper.""",
    time_limit=120,
    shared=RUNS,
)
def plane(context: Context) -> Observation:
    """Mean distance in angle and offset from the nearest line of the teacher. Is regression's mean ln distance smaller
    than classification's, and than before training? Paired by teacher.
    """
    import numpy as np

    ours = np.log(_gathered(context, "regression, end"))
    others = {
        "classification": np.log(_gathered(context, "classification, end")),
        "start": np.log(_gathered(context, "regression, start")),
    }
    for name, theirs in others.items():
        interval: Interval = mean_interval((theirs - ours).tolist(), LEVEL, len(others))
        answer = "regression" if interval.lower > 0 else name if interval.upper < 0 else "cannot be told"
        by_run = {"distance of regression": np.exp(ours), f"distance of {AGAINST[name]}": np.exp(theirs)}
        yield seen(answer, f"{len(ours)} teachers, against {AGAINST[name]}", by_run=by_run, against=name)
        shown = f"ln ratio {float(interval.lower):.2f} to {float(interval.upper):.2f}"
        yield Premise(f"told apart from {AGAINST[name]}", answer != "cannot be told", shown)
        yield Measured(f"ln(distance of {name} / regression)", (float(interval.lower), float(interval.upper)))
    for key in context.outputs[0]:
        if key != "seeds":
            yield Measured(key, tuple(float(v) for v in _gathered(context, key)))


def _gathered(context: Context, name: str) -> Any:
    import numpy as np

    return np.array([v for o in context.outputs for v in o[name]], dtype=float)


@experiment(
    "units that share the mass",
    plane_runs,
    plane_job,
    acceptance="""The rule was fixed after pilot runs at other seeds. Student's interval, level 0.01, of the mean of ln
    (units of classification / units of regression) that share the mass (Σm)²/Σm², over all units whose lines cross the
    square, paired by teacher: 'sparser' if it lies above 0, 'not twice as sparse' if it lies below ln 2, UNDECIDED if
    neither (or, 'sparser by less than two', both). The students of the check of the teacher's lines: 10 teachers at
    quick and full, 12 at paper (a factor of 2 is told at a spread of 0.4).""",
    time_limit=120,
    shared=RUNS,
)
def sharing(context: Context) -> Observation:
    """How many units share the mass of each student, counted in the same way, without a threshold, for both models."""
    import numpy as np

    ends = {m: _gathered(context, f"{m}, end, units that share the mass") for m in ("regression", "classification")}
    interval: Interval = mean_interval(np.log(ends["classification"] / ends["regression"]).tolist(), LEVEL)
    above, below = interval.lower > 0, float(interval.upper) < np.log(CONTRAST)
    answer = "sparser" if above and not below else "not twice as sparse" if below and not above else "cannot be told"
    teachers = len(ends["regression"])
    by_run = {f"{model}: units that share the mass": units for model, units in ends.items()}
    yield seen(answer, f"{teachers} teachers", by_run=by_run, teachers=teachers)
    shown = f"ln ratio {float(interval.lower):.2f} to {float(interval.upper):.2f}"
    yield Premise("the interval tells a factor of 2 from none", answer != "cannot be told", shown)
    for model, units in ends.items():
        yield Measured(f"{model}: units that share the mass", tuple(float(v) for v in units))


SECTION_7 = claim(
    "stewart2022.section_7",
    "Section 7, Figure 7, Appendix H",
    "The teacher's lines in two dimensions",
    """Of the units that weigh most in a regression student of a teacher with three units, the critical lines are nearer
    to the teacher's lines than those of the equally many heaviest units of a classification student, and nearer than
    before training. (The paper says more, that regression recovers a sparse support: that is a claim of its own.)""",
    latex=r"d_{\mathrm{top}}^{\mathrm{reg}}<\min(d_{\mathrm{top}}^{\mathrm{class}},d_{\mathrm{top}}^{\mathrm{start}})",
    hypotheses=(
        "even grid on [-1, 1]²; teacher of three units whose lines all cross, each with 15% of the mass or more",
        "the same number of heaviest units for both models: counts above unequal thresholds do not compare",
    ),
    formula=Rule(
        "regression is nearer", "regression's heaviest lines are nearer than both others", lambda given: "regression"
    ),
    controls={
        Rule(
            "classification is nearer",
            "classification recovers the teacher's lines",
            lambda given: "classification" if given["against"] == "classification" else "regression",
        ): "the better predictor of Section 6 would have the better features",
        Rule(
            "nothing moves",
            "the heaviest lines are where they were, or further away",
            lambda given: "start" if given["against"] == "start" else "regression",
        ): "features that do not move: the linearised regime",
        Rule(
            "no difference", "both models find the lines alike", lambda given: "cannot be told"
        ): "the same teacher behind both",
    },
    checks=(plane,),
)

SPARSE = claim(
    "stewart2022.section_7_sparse",
    "next to Section 7",
    "No sparser support of regression by an equal count",
    """The paper says of Figure 7 that regression recovers a sparse support and that the support of classification is
    more evenly distributed. Counted in the same way for both models, by the number of units that share the mass,
    regression's support is more than half as large as classification's. (The figure draws the units above thresholds,
    which differ between the models.)""",
    latex=r"N^{\mathrm{class}}<2N^{\mathrm{reg}},\quad N=\frac{(\sum_jm_j)^2}{\sum_jm_j^2},\quad m_j=\|a_j\|\,\|b_j\|",
    hypotheses=(
        "students of the teachers of Section 7: 150 neurons, 10 bins, 13 x 13 points (quick); 500, 25, 25 x 25 (full)",
        "units whose critical lines cross the square",
    ),
    formula=Rule(
        "not twice as sparse",
        "regression's mass is not shared by half as many units",
        lambda given: "not twice as sparse",
    ),
    controls={
        Rule("sparser", "regression's mass is shared by fewer units", lambda given: "sparser"): "what the paper says",
        Rule("no answer", "the two cannot be told apart", lambda given: "cannot be told"): "a spread as large as that",
    },
    checks=(sharing,),
    own=True,
    part_of="stewart2022.section_7",
)
