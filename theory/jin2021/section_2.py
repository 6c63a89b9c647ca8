"""Section 2: PyTorch's default initialisation."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from implicitbias.claims import Context, Interval, JobOutput, Observation, Point, Premise, claim, experiment, seen

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

QUANTILES = (Fraction(1, 4), Fraction(1, 2), Fraction(9, 10), Fraction(1))
ROUNDING = 1e-6
"""PyTorch draws in single precision."""
LEVEL = 1e-6
"""The joint level of all intervals of a run."""


DRAWN = (1, 2, 7, 100)
PARTS = ("weights", "biases")
SHARE = LEVEL / (len(QUANTILES) * len(DRAWN) * len(PARTS))
"""The level of each interval, by Bonferroni."""


def default_layers(context: Context) -> Sequence[Point]:
    """One point: importing PyTorch takes longer than all that is drawn."""
    return [{"count": context.choose(400_000, 4_000_000), "seed": context.seed}]


def drawn_layers(parameters: Point, device: str) -> JobOutput:
    """Order statistics of the moduli of weights, or biases, of layers nn.Linear(m, k) as PyTorch makes them. For the
    p-quantile the two that enclose it with probability 1 - SHARE, whatever the law; for p = 1 the greatest."""
    import torch

    count, layers = parameters["count"], []
    with torch.random.fork_rng(devices=[]):
        for i, m in enumerate(DRAWN):
            for j, part in enumerate(PARTS):
                torch.manual_seed((parameters["seed"] + 7 * i + 31 * j) % 2**31)
                if part == "weights":
                    values = torch.nn.Linear(m, max(1, count // m)).weight.detach().numpy().ravel()
                else:
                    values = torch.nn.Linear(m, count).bias.detach().numpy()
                layers.append(
                    {
                        "m": m,
                        "part": part,
                        "size": len(values),
                        "ends": enclosed_quantiles(values.astype(float)),
                        "mean": float(values.mean()),
                    }
                )
    return {**parameters, "layers": layers}


def enclosed_quantiles(values: Array) -> list[list[float]]:
    """For each of QUANTILES two ends that enclose it, of the moduli of independent values."""
    import numpy as np
    from scipy.stats import binom

    moduli, size = np.sort(np.abs(values)), len(values)
    ends = [
        [moduli[int(binom.ppf(SHARE / 2, size, float(p))) - 1], moduli[int(binom.isf(SHARE / 2, size, float(p)))]]
        if p < 1
        else [moduli[-1], moduli[-1] / SHARE ** (1 / size)]
        for p in QUANTILES
    ]
    return [[float(low), float(high)] for low, high in ends]


@experiment(
    "quantiles of drawn layers",
    default_layers,
    drawn_layers,
    acceptance="""Fixed after pilot runs: p/√m must lie in the distribution-free interval of each quantile, p = 1/4,
    1/2, 9/10 and 1, of joint level 10⁻⁶. UNDECIDED unless all intervals are narrower than 5%. 400 000 draws each at the
    quick budget, ten times as many at full.""",
)
def default(context: Context) -> Observation:
    """Quantiles of |weight| and |bias| of layers with 1, 2, 7 and 100 inputs, each enclosed by two order
    statistics."""
    centred, narrow = [], True
    for output in (layer for job in context.outputs for layer in job["layers"]):
        for p, (low, high) in zip(QUANTILES, output["ends"], strict=True):
            observed = Interval(Fraction(low * (1 - ROUNDING)), Fraction(high * (1 + ROUNDING)))
            narrow = narrow and observed.width * 20 < observed.upper
            label = f"{output['part']} of nn.Linear({output['m']}, ·), {output['size']} drawn"
            yield seen(observed, label, m=output["m"], p=p)
        centred.append(abs(output["mean"]) * (3 * output["size"] * output["m"]) ** 0.5)
    yield Premise("every interval is narrower than 5% of its quantile", narrow)
    yield Premise("all means are within 6 standard errors of 0", max(centred) < 6, f"{max(centred):.2f}")


PYTORCH_DEFAULT = claim(
    "jin2021.pytorch_default",
    "Section 2, after (2)",
    "PyTorch's default initialisation",
    """PyTorch draws weights and biases of a linear layer with m inputs uniformly from [-1/√m, 1/√m], so the p-quantile
    of a modulus is p/√m. For one input and n units this is (2) with W, B, W̄, B̄ uniform on [-σ, σ], σ = 1.""",
    latex=r"W_{ij},b_i\sim U\big(-\tfrac1{\sqrt m},\tfrac1{\sqrt m}\big)",
    hypotheses=("torch.nn.Linear, default initialisation",),
    formula="p/sqrt(m)",
    symbols={"p": "the share of moduli below the quantile", "m": "number of inputs of the layer"},
    controls={
        "p*sqrt(6/m)": "Kaiming's uniform law for ReLU",
        "p": "no scaling with the number of inputs",
        "(1 - sqrt(1 - p))/sqrt(m)": "the triangular law on the same interval",
        "sin(pi*p/2)/sqrt(m)": "the arcsine law on the same interval",
        "p/m": "scaled as a mean",
    },
    checks=(default,),
    part_of="jin2021.theorem_1_rate",
)
