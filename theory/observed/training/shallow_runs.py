"""Networks with one hidden layer, trained on small data sets, and their objectives in exact rationals."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from implicitbias.claims import JobOutput, Point

from ..data.datasets import DataSet, ten_points, through
from .train import train

if TYPE_CHECKING:
    from implicitbias.functions.network import Network


def ramp() -> DataSet:
    """Five points on a zigzag that falls so steeply that the tails of the optimal spline bend: R = 9/10 > T = 7/10."""
    return through("falling zigzag of least cost 9/10", ["-3/5", "-2/5", "-7/10", "-1/2"])


def rising_ramp() -> DataSet:
    """Four points on a zigzag that rises steeply and unevenly, where the tails bend as well: R = 7/10 > T = 2/5."""
    return through("rising zigzag of least cost 7/10", ["2/5", "7/10", "3/5"], [1, "1/2", "3/2"])


DATA = {"ten points": ten_points, "ramp": ramp, "rising ramp": rising_ramp}


def train_job(parameters: Point, device: str) -> JobOutput:
    """Train one network on a data set; returns its parameters and the number of evaluations."""
    data = DATA[parameters["data"]]()
    lam = float(Fraction(parameters["lam"]))
    x, y = [float(v) for v in data.x], [float(v) for v in data.y]
    found = train(x, y, [parameters["width"]], lam, parameters["seed"], runs=parameters.get("runs", 4))
    (w, b), (v, c) = found.layers
    arrays = {"w": w[:, 0], "b": b, "v": v[0], "c": c}
    return {**parameters, "evaluations": found.evaluations, **{k: array.tolist() for k, array in arrays.items()}}


def network_of(output: JobOutput) -> Network:
    from implicitbias.functions.network import Network

    return Network(output["w"], output["b"], output["v"], output["c"][0])


def exact_objective(network: Network, data: DataSet, lam: Fraction) -> Fraction:
    """Σ (h(x_n) - y_n)² + λ C in exact rationals; floating-point weights are converted exactly."""
    return sum(((network(x) - y) ** 2 for x, y in zip(data.x, data.y, strict=True)), lam * network.cost)
