"""Theorem 2.3, its second half: from tens of thousands of regions to a handful, at the printed k, σ_h, σ_o."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from implicitbias.claims import (
    Attached,
    Context,
    JobOutput,
    Measured,
    Observation,
    Point,
    Premise,
    Rule,
    Value,
    claim,
    experiment,
    seen,
)

from ..observed.margin.flows import Setting, draw, equal, late_run, width_needed

CERTIFIED = 0.75
"""Least share of runs that must end at a certified KKT point."""

WHAT = (
    "The late phase is a zero-temperature surrogate of gradient flow with a stated branch rule (a unit that a point "
    "pushes off to both sides goes to the active side), begun where |v|/|(w, b)| = 1e-4; it is not gradient flow, "
    "which can branch. Its end is certified as a KKT point of problem (4)."
)


def settings(context: Context) -> Sequence[Point]:
    """Settings in order of width; 25 at full."""
    logistic, exponential = "logistic", "exponential"
    found = [equal(1, 10, logistic), equal(2, 10, exponential), equal(2, 20, exponential), equal(1, 20, exponential)]
    if context.choose(False, True):
        found += [equal(r, n, loss) for r in (1, 2, 3) for n in (5, 20) for loss in (logistic, exponential)]
        found += [
            equal(1, 20, exponential, R="3/2"), equal(1, 10, logistic, density="tent"), equal(3, 10, logistic),
            equal(2, 20, logistic, density="tent", first=1), equal(2, 10, logistic, unequal=True),
            equal(3, 10, exponential, first=1), equal(1, 30, logistic), equal(2, 30, exponential, first=1),
            equal(1, 10, exponential, delta="1/10"),
        ]  # fmt: skip
    return [{"setting": s.to_json(), "seed": context.seed + 1000 * i} for i, s in enumerate(found)]


def one_setting(context: Context) -> Sequence[Point]:
    """The first setting, with more seeds at the larger budgets."""
    first = settings(context)[0]
    return [{**first, "seed": int(first["seed"]) + 7 * i} for i in range(context.choose(1, 4))]


def run_setting(parameters: Point, device: str) -> JobOutput:
    """The first sample with all switches, trained through all stages."""
    s = Setting.from_json(parameters["setting"])
    k, seed = width_needed(s, 48), int(parameters["seed"])
    while True:
        seed += 1
        _, data, _ = draw(s, 2, seed, doubled=True)
        if int((data.y[1:] != data.y[:-1]).sum()) == s.r:
            break
    return {**parameters, **late_run(s, k, seed)}


def _name(o: Mapping[str, Any]) -> str:
    s = Setting.from_json(o["setting"])
    return f"r = {s.r}, n = {s.n}, R = {s.R}, δ = {s.delta}, {s.loss}, {s.density}, k = {o['k']}, seed {o['seed']}"


def _premises(outputs: Sequence[Mapping[str, Any]]) -> tuple[Premise, ...]:
    ended = [o for o in outputs if o["status"] == "certified"]
    many = [min(o["regions at the start"], o["regions after stage one"]) > 32 * o["setting"]["r"] + 67 for o in outputs]
    return (
        Premise("a-priori bounds: every run reaches L <= 1/(2n), nothing flips", all(o["reached"] for o in outputs)),
        Premise(
            "every network begins with more regions than the bound allows, also after stage one",
            all(many),
        ),
        Premise(
            f"at least {CERTIFIED:.0%} of the runs end at a certified KKT point",
            len(ended) >= CERTIFIED * len(outputs),
            f"{len(ended)} of {len(outputs)}",
        ),
    )  # fmt: skip


def _measured(outputs: Sequence[Mapping[str, Any]]) -> dict[str, Value]:
    keys = (
        "switches", "sigma_h", "sigma_o", "regions at the start", "regions after stage one", "|v|/|u| after stage one",
        "growth", "falls", "branchings", "status", "reason", "kinks", "largest dual", "turned",
    )  # fmt: skip
    return {_name(o): {key: tuple(o[key]) if isinstance(o[key], list) else o[key] for key in keys} for o in outputs}


@experiment(
    "training at the printed constants",
    settings,
    run_setting,
    acceptance="""Fixed after pilot runs: one sample per setting (4 at quick, of which one may fail; 25 at full, r = 1
    to 3), the first whose sample has all r switches. Every certified end must have at most 32r + 67 regions by the
    upper count of the kernel. Undecided if fewer than 75 % of the runs end at a certified point, or if a network does
    not violate the bound at the start and after stage one. (Three runs at quick left seed 57799 undecided.)""",
    time_limit=300,
)
def regions(context: Context) -> Observation:
    """Samples trained through the early phase, with frozen features and by the late surrogate; the kernel counts the
    regions of the certified ends.
    """
    ended = [o for o in context.outputs if o["status"] == "certified"]
    for o in ended:
        yield seen(1 + o["kinks"][1], _name(o), relation="<=", r=o["setting"]["r"])
    yield from _premises(context.outputs)
    yield from (Measured(name, value) for name, value in _measured(context.outputs).items())
    for o in ended:
        yield Attached(o["certificate"])


REGIONS = claim(
    "safran2022.theorem_2_3",
    "Theorem 2.3, the number of linear regions",
    "Few linear regions after training",
    f"""From the k, σ_h and σ_o of Theorem 2.3, tens of thousands of linear regions at the start and after the loss has
    reached 1/(2n), training ends at a network with at most 32r + 67. {WHAT} The constant C_0, hence n, and the error ε
    are not tested here.""",
    latex=r"\#\{\text{linear regions of }N_{\theta^*}\}\le 32r+67",
    hypotheses=(
        "k, σ_h, σ_o at the bounds printed in Theorem 2.3; samples that have all r switches",
        "the surrogate of the late phase stands for gradient flow",
    ),
    formula="32*r + 67",
    symbols={"r": "width of the teacher, here the number of label switches"},
    controls={
        "r + 1": "one region per run of equal labels",
        "2*r": "two regions for each switch",
        "r": "as many regions as the teacher has units",
    },
    checks=(regions,),
    rests_on=("safran2022.theorem_3_1",),
)


@experiment(
    "four times of one training",
    one_setting,
    run_setting,
    acceptance="""Fixed after pilot runs: r = 1, n = 10, one seed at quick and four at full; counts are exact. A count
    above 32r + 67 is 'beyond'. Undecided if a run does not end at a certified KKT point.""",
    time_limit=300,
)
def stages(context: Context) -> Observation:
    """Exact counts of the regions of one network at the start, after stage one, with frozen features, at the certified
    end.
    """
    for o in context.outputs:
        if o["status"] != "certified":
            continue
        r = o["setting"]["r"]
        counts = {
            "start": o["regions at the start"],
            "after stage one": o["regions after stage one"],
            "output weights alone": o["regions, output only"],
            "limit": 1 + o["kinks"][1],
        }
        for stage, count in counts.items():
            yield seen(
                "within" if count <= 32 * r + 67 else "beyond",
                f"{stage}, {_name(o)}",
                stage=stage,
                r=r,
                k=o["k"],
                certified=stage == "limit",
            )
    yield from _premises(context.outputs)
    yield from (Measured(name, value) for name, value in _measured(context.outputs).items())


STAGES = claim(
    "safran2022.theorem_2_3_stages",
    "Theorem 2.3 and the proof sketch after it",
    "Linear regions at the stages of training",
    f"""The bound 32r + 67 is violated by the network at its start, after stage one (loss 1/(2n)), and by the network
    whose output weights alone are trained to the end: these keep all k + 1 regions. The limit in all parameters
    satisfies it. {WHAT}""",
    latex=r"\#(\theta(0)),\ \#(\theta(t_0)),\ \#(v\text{ alone})>32r+67\ge\#(\theta^*)",
    hypotheses=("k, σ_h, σ_o of Theorem 2.3", "output weights alone: features frozen, late phase to its direction"),
    formula=Rule(
        "the limit alone",
        "the limit of training all weights is within 32r + 67 regions, every earlier or lazier network is beyond",
        lambda given: "within" if given["stage"] == "limit" else "beyond",
    ),
    controls={
        Rule(
            "trained is enough",
            "every trained network is within",
            lambda g: "beyond" if g["stage"] == "start" else "within",
        ): "a network that classifies needs r + 1 regions only",
        Rule(
            "frozen features too",
            "the limit with frozen features is within as well",
            lambda g: "within" if g["stage"] in ("limit", "output weights alone") else "beyond",
        ): "a large margin of the output weights alone as the cause",
        Rule("never", "no network comes within", lambda g: "beyond"): "regions counted at a finite time",
    },
    checks=(stages,),
    rests_on=("safran2022.theorem_2_3",),
    part_of="safran2022.theorem_2_3",
)


@experiment(
    "features through the stages",
    one_setting,
    run_setting,
    acceptance="""Fixed after pilot runs: r = 1, n = 10, one seed at quick, four at full. Lazy: all drifts up to 1/(2n)
    below 1e-12 of the distance from a flip, |v|/|(w, b)| below 1e-6. Rich: the strongest unit has turned by more than
    1e-3 and its |v|/|(w, b)| is above 0.99.""",
    time_limit=300,
)
def regimes(context: Context) -> Observation:
    """How far features have turned: an a-priori bound on all drifts in stage one, and angles, |v|/|(w, b)| and shares
    of units measured at the end.
    """
    for o in context.outputs:
        lazy = o["drift"] < 1e-12 and o["|v|/|u| after stage one"] < 1e-6
        rich = o["turned"] > 1e-3 and o["|v|/|u| at the end"] > 0.99
        yield seen("lazy" if lazy else "rich", f"stage one, {_name(o)}", stage=1, k=o["k"])
        yield seen("rich" if rich else "lazy", f"late phase, {_name(o)}", stage=2, k=o["k"])
        yield Measured(
            _name(o),
            {key: o[key] for key in ("drift", "|v|/|u| after stage one", "|v|/|u| at the end", "turned", "kept")},
        )
    yield from _premises(context.outputs)


REGIMES = claim(
    "safran2022.remark_2_3",
    "Remark 2.3",
    "Lazy first, rich afterwards",
    f"""Until the loss is 1/(2n) no feature moves by 10⁻¹² of its distance from a flip, and |v| stays below 10⁻⁶ |(w,
    b)|. In the late phase the unit that carries most of the network turns, and |v| grows to |(w, b)|. {WHAT}""",
    latex=r"\frac{\|v\|}{\|(w,b)\|}<10^{-6}\ \text{until}\ L=\tfrac1{2n},\quad\text{then}\ \to1",
    hypotheses=("k, σ_h, σ_o of Theorem 2.3",),
    formula=Rule(
        "lazy, then rich", "stage one is lazy, stage two rich", lambda g: "lazy" if g["stage"] == 1 else "rich"
    ),
    controls={
        Rule("lazy throughout", "features never move", lambda g: "lazy"): "wide networks are kernel machines",
        Rule("rich throughout", "features move from the start", lambda g: "rich"): "stage one learns features",
    },
    checks=(regimes,),
    rests_on=("safran2022.theorem_2_3",),
    part_of="safran2022.theorem_2_3",
)
