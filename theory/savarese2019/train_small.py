"""Observed: small networks really trained on (10), all parameters, full batch, in double precision, on the processor.

L-BFGS with restarts; before each restart every unit is rescaled to its least cost, which leaves the function alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

RESTARTS = 4
ITERATIONS = 400


@dataclass(frozen=True)
class Trained:
    """A trained network; objective = loss + λ·cost, loss = Σ(h(xₙ)−yₙ)², cost = ½Σ(w²+v²) (+ ½Σb² if penalised)."""

    objective: float
    cost: float
    loss: float
    w: tuple[float, ...]
    b: tuple[float, ...]
    v: tuple[float, ...]
    c: float


def train(
    x: Sequence[float], y: Sequence[float], units: int, penalty: float, seed: int, penalise_biases: bool = False
) -> Trained:
    """Minimise Σₙ(h(xₙ)−yₙ)² + penalty·cost over all weights and biases of h = Σ vᵢ[wᵢx+bᵢ]₊ + c.

    Input weights start as ±|normal|, kinks uniformly over the data and 15% beyond, output weights small.
    """
    import torch

    torch.set_num_threads(1)
    generator = torch.Generator().manual_seed(seed)

    def normal() -> torch.Tensor:
        return torch.randn(units, generator=generator, dtype=torch.float64)

    inputs, targets = torch.tensor(x, dtype=torch.float64), torch.tensor(y, dtype=torch.float64)
    low, high = float(min(x)), float(max(x))
    margin = 0.15 * (high - low)
    kinks = low - margin + (high - low + 2 * margin) * torch.rand(units, generator=generator, dtype=torch.float64)
    w = 0.5 * normal().abs() * normal().sign()
    b = -w * kinks
    v = 0.5 * normal() / units**0.5
    c = targets.mean().clone()

    def cost() -> torch.Tensor:
        squares: torch.Tensor = (w * w).sum() + (v * v).sum()
        return (squares + (b * b).sum()) / 2 if penalise_biases else squares / 2

    def loss() -> torch.Tensor:
        hidden = torch.relu(torch.outer(inputs, w) + b)
        residual: torch.Tensor = hidden @ v + c - targets
        return (residual * residual).sum()

    for _ in range(RESTARTS):
        with torch.no_grad():
            size = (w * w + b * b).sqrt() if penalise_biases else w.abs()
            scale = torch.where((size > 0) & (v != 0), (v.abs() / size).sqrt(), torch.ones_like(size))
            w, b, v = w * scale, b * scale, v / scale
        for parameter in (w, b, v, c):
            parameter.requires_grad_(True)
        optimiser = torch.optim.LBFGS(
            [w, b, v, c],
            max_iter=ITERATIONS,
            history_size=30,
            tolerance_grad=1e-14,
            tolerance_change=1e-16,
            line_search_fn="strong_wolfe",
        )

        def closure(optimiser: torch.optim.LBFGS = optimiser) -> torch.Tensor:
            optimiser.zero_grad()
            value = loss() + penalty * cost()
            value.backward()  # type: ignore[no-untyped-call]
            return value

        optimiser.step(closure)  # type: ignore[no-untyped-call]
        w, b, v, c = (parameter.detach() for parameter in (w, b, v, c))
    return Trained(
        objective=float(loss() + penalty * cost()),
        cost=float(cost()),
        loss=float(loss()),
        w=tuple(w.tolist()),
        b=tuple(b.tolist()),
        v=tuple(v.tolist()),
        c=float(c),
    )
