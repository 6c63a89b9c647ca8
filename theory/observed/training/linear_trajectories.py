"""Descent (9) on all parameters and (12) on the output weights alone, of the same linearised networks, for all t.

After t steps with learning rate η the parameters have moved by Jᵀa_t with a_t = K⁻¹(I - (I - ηK)^t) r_0, K = JJᵀ.
Norms of changes are therefore quadratic forms in a_t with the kernels of the groups, computed without iterating.
Networks start from the anti-symmetrical initialisation: f = 0, and each group has the kernel of a plain network.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Array = Any  # numpy is imported where it is used

ZIGZAG = ((-2.0, -1.0, 0.0, 1.0, 2.0), (0.4, -0.6, 0.4, -0.6, 0.4))
"""The five points of the paper's Figure 1 minus the mean of y; not adjusted as Theorem 1 asks (see theorem_4)."""
UNEVEN = ((-1.5, -0.4, 0.3, 1.8), (1.0, -0.5, 0.8, -0.2))
SHIFTED = ((-1.0, 0.0, 1.0, 2.0), (2.0, 1.5, 2.5, 2.0))
"""Values of one sign, for which the output bias moves."""
DATA = {"zigzag": ZIGZAG, "uneven": UNEVEN, "shifted": SHIFTED}
ADJUSTED = "adjusted zigzag"
"""The zigzag less the affine function of Theorem 1 for Gaussian (W, B), which the kernel's limit has exactly."""
PLACE = 4.0
"""A point beyond the data, where the difference of the functions is not small compared with its fluctuations."""
GRID = (-2.5, -1.5, -0.5, 0.25, 0.75, 1.25, 1.75, 2.5)
"""Points at which the two functions are compared in mean square, between the data points and beyond them."""

QUANTITIES = ("function", "input weights", "input biases", "output weights", "output bias")


def kernels(w: Array, b: Array, v: Array, x: Array, z: Array) -> dict[str, Array]:
    """The parts of K(x, z) = ∇f(x)·∇f(z) by group, for networks w, b, v of shape (seeds, n)."""
    import numpy as np

    left, right = (w[:, None, :] * p[None, :, None] + b[:, None, :] for p in (x, z))
    paths = np.einsum("spn,sqn->spq", (left > 0) * v[:, None, :], (right > 0) * v[:, None, :])
    ones = np.ones((len(w), len(x), len(z)))
    return {
        "v": np.einsum("spn,sqn->spq", np.maximum(left, 0.0), np.maximum(right, 0.0)),
        "w": paths * x[:, None] * z[None, :],
        "b": paths,
        "c": ones,
    }


def draw(rng: Any, law: str, seeds: int, n: int) -> tuple[Array, Array]:
    """Samples of (W, B), of shape (seeds, n)."""
    if law == "gaussian":
        return rng.normal(size=(seeds, n)), rng.normal(size=(seeds, n))
    if law == "uniform":
        return rng.uniform(-1, 1, (seeds, n)), rng.uniform(-2, 2, (seeds, n))
    raise ValueError(f"no law {law!r}")


def differences(parameters: Mapping[str, Any], device: str) -> dict[str, Array]:
    """sup_t of the five differences of Theorem 4, one entry per seed, and their values at t = ∞.

    parameters: n, count, seed, law, data (a name of DATA or ADJUSTED), second (E W̄²), ntk (whether the NTK
    parametrisation)
    """
    import numpy as np

    rng = np.random.default_rng(parameters["seed"])
    n, count = parameters["n"], parameters["count"]
    x, y = adjusted() if parameters["data"] == ADJUSTED else map(np.array, DATA[parameters["data"]])
    found: dict[str, list[Array]] = {
        name: [] for name in (*QUANTITIES, *(f"{q} at the end" for q in QUANTITIES), "end at one place")
    }
    batch = max(1, min(count, 400_000 // n))
    for start in range(0, count, batch):
        size = min(batch, count - start)
        w, b = draw(rng, parameters["law"], size, n)
        v = rng.normal(0, np.sqrt(parameters["second"] / n), (size, n))
        parts = kernels(w, b, v, x, np.concatenate([x, [PLACE], GRID]))
        if parameters["ntk"]:
            # the factor √(1/n) is not trained: W² = √(1/n) v learns at the rate 1/n
            parts["v"] = parts["v"] / n
        for name, values in _suprema(parts, y).items():
            found[name].append(values)
    return {name: np.concatenate(values) for name, values in found.items()}


def _suprema(parts: Mapping[str, Array], y: Array) -> dict[str, Array]:
    import numpy as np

    m = len(y)
    square = {group: part[:, :, :m] for group, part in parts.items()}
    everything = sum(square.values())
    lam, modes = np.linalg.eigh(everything)
    lam_out, modes_out = np.linalg.eigh(square["v"])
    eta = 1.0 / lam[:, -1]
    # steps 0 to 7, then geometrically until the slowest mode of either descent has converged, and ∞
    slowest = float((lam[:, -1] / np.minimum(lam[:, 0], lam_out[:, 0])).max())
    times = np.unique(np.concatenate([np.arange(8), np.rint(np.geomspace(8, 60 * slowest, 70))]))
    times = np.append(times, np.inf)
    moved = multipliers(lam, modes, y, eta, times)
    moved_out = multipliers(lam_out, modes_out, y, eta, times)

    def size(vectors: Array, matrix: Array) -> Array:
        return np.sqrt(np.maximum(np.einsum("tsp,spq,tsq->ts", vectors, matrix, vectors), 0.0))

    elsewhere = sum(part[:, :, m:] for part in parts.values())
    apart = np.einsum("tsp,spx->tsx", moved, elsewhere) - np.einsum("tsp,spx->tsx", moved_out, parts["v"][:, :, m:])
    curves = {
        "function": np.sqrt((apart[:, :, 1:] ** 2).mean(2)),
        "input weights": size(moved, square["w"]),
        "input biases": size(moved, square["b"]),
        "output weights": size(moved - moved_out, square["v"]),
        "output bias": np.abs(moved.sum(2)),
    }
    out = {name: curve.max(0) for name, curve in curves.items()}
    return (
        out
        | {f"{name} at the end": curve[-1] for name, curve in curves.items()}
        | {"end at one place": apart[-1, :, 0]}
    )


def multipliers(lam: Array, modes: Array, y: Array, eta: Array, times: Array) -> Array:
    """a_t for all t: shape (times, seeds, M)."""
    import numpy as np

    # one step with η = 1/λ_max removes the fastest mode; the cap at 1 - 1e-16 keeps its exponent finite
    decay = np.log1p(-np.minimum(eta[:, None] * lam, 1.0 - 1e-16))
    exponent = times[:, None, None] * decay[None]
    factors = -np.expm1(exponent) / lam
    coefficients = np.einsum("spk,p->sk", modes, y)
    return np.einsum("spk,tsk->tsp", modes, factors * coefficients)


def gaussian_kernels(points: Array) -> tuple[Array, Array]:
    """E[HH'] and E[φφ'] for Gaussian (W, B), the arc-cosine kernels of (x, 1)."""
    import numpy as np

    length = np.sqrt(1 + points**2)
    cosine = np.clip((1 + points[:, None] * points) / (length[:, None] * length), -1, 1)
    angle = np.arccos(cosine)
    np.fill_diagonal(angle, 0.0)
    return (np.pi - angle) / (2 * np.pi), length[:, None] * length * (np.sin(angle) + (np.pi - angle) * cosine) / (
        2 * np.pi
    )


def adjusted() -> tuple[Array, Array]:
    """ZIGZAG with (u, v) of least rᵀK⁻¹r, r = y - ux - v: then Σ(K⁻¹r)_j = 0 and Σ(K⁻¹r)_j x_j = 0."""
    import numpy as np

    x, y = map(np.array, ZIGZAG)
    _, K = gaussian_kernels(x)
    affine = np.stack([x, np.ones_like(x)], axis=1)
    weighted = np.linalg.solve(K, affine)
    return x, y - affine @ np.linalg.solve(affine.T @ weighted, weighted.T @ y)


def limits(data: str) -> dict[str, float]:
    """The constants of Theorem 4 for Gaussian (W, B), from the closed forms of E[HH'] and E[φφ'], as n -> oo.

    c = K⁻¹y; w: cᵀ(E[HH']∘xxᵀ)c; b: cᵀE[HH']c; with g = (E[HH']∘(1+xxᵀ))c: A = gᵀK⁻¹g, B = 1ᵀc·gᵀK⁻¹1,
    D = (1ᵀc)²·1ᵀK⁻¹1, F and G as for the function at PLACE; T = 1ᵀc.
    """
    import numpy as np

    x, y = (np.array(part) for part in DATA[data])
    points = np.append(x, PLACE)
    both, K = gaussian_kernels(points)
    inner, outer = K[:-1, :-1], K[-1, :-1]
    c = np.linalg.solve(inner, y)
    one = np.ones_like(x)
    hidden = both * (1 + points[:, None] * points)
    g, g_place = hidden[:-1, :-1] @ c, hidden[-1, :-1] @ c
    solved_g, solved_one = np.linalg.solve(inner, g), np.linalg.solve(inner, one)
    total = float(c.sum())
    return {
        "w": float(c @ (both[:-1, :-1] * x[:, None] * x) @ c),
        "b": float(c @ both[:-1, :-1] @ c),
        "A": float(g @ solved_g),
        "B": float(total * (g @ solved_one)),
        "D": float(total**2 * (one @ solved_one)),
        "F": float(g_place - outer @ solved_g),
        "G": float(total * (1 - outer @ solved_one)),
        "T": total,
    }
