"""The minimiser of (8) of JMLR 2023 for a given ζ, in floating point: neither the law of the units nor its kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

NODES = 80
"""For the ζ of σ_w = 4 σ_b they leave an error of 1e-11."""


def minimiser(zeta: Callable[[Array], Array], x: Array, y: Array, places: Array) -> Array:
    """g(x) = ∫a(V, c)[⟨V,x⟩-c]_+ dV dc plus an affine function, through the data, with the least ∫a²/ζ, at the places.

    a = ζ(c) times the even part of Σλ_j[⟨V,x_j⟩-c]_+, so g = Σλ_j R(·, x_j) plus an affine function, where Σλ_j = 0 and
    Σλ_jx_j = 0, with R as in `between`.
    """
    import numpy as np

    m = len(x)
    basis, on_places = (np.column_stack([z, np.ones(len(z))]) for z in (x, places))
    gram = np.array([[between(zeta, p, q) for q in x] for p in x])
    free = basis.shape[1]
    system = np.block([[gram, basis], [basis.T, np.zeros((free, free))]])
    solved = np.linalg.solve(system, np.concatenate([y, np.zeros(free)]))
    across = np.array([[between(zeta, p, q) for q in x] for p in places])
    found: Array = across @ solved[:m] + on_places @ solved[m:]
    return found


def between(zeta: Callable[[Array], Array], x: Array, z: Array) -> float:
    """½∫dV∫|⟨V,x⟩ - c||⟨V,z⟩ - c|ζ(c)dc over the c between ⟨V,x⟩ and ⟨V,z⟩: half of ∫ζ[⟨V,x⟩-c]_+[⟨V,z⟩-c]_+ taken at
    (V, c) and (-V, -c), less what is affine in x or z. With c = ⟨V, x + t(z-x)⟩ it is ½∫dV|⟨V,z-x⟩|³∫t(1-t)ζ dt.

    In one input V = ±1. In more V has an angle in the plane of x and z, and a projection to it of length sin s, of
    density ∝ sin s cos^{d-3}s.
    """
    import numpy as np

    d, step = len(x), z - x
    length = float(np.linalg.norm(step))
    if length == 0:
        return 0.0
    along = step / length
    rest = x - (x @ along) * along
    height = float(np.linalg.norm(rest))
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    angle, on_angle = np.pi / 2 * nodes, np.pi / 2 * weights  # the half circle ⟨V, z-x⟩ > 0; the other half is the same
    share, on_share = (nodes + 1) / 2, weights / 2
    if d == 1:
        return length**3 * float((share * (1 - share) * zeta(x[0] + share * step[0])) @ on_share)
    if d == 2:
        radius, on_radius = np.ones(1), np.ones(1)
    else:
        turn = np.pi / 4 * (nodes + 1)
        radius, on_radius = np.sin(turn), np.pi / 4 * weights * np.sin(turn) * np.cos(turn) ** (d - 3)
    v = radius[:, None, None] * np.cos(angle)[:, None]
    w = radius[:, None, None] * np.sin(angle)[:, None]
    c = v * (x @ along + share * length) + w * height
    inner = (share * (1 - share) * zeta(c)) @ on_share
    total = on_radius @ (np.abs(v[..., 0] * length) ** 3 * inner) @ on_angle
    return float(total)


def gaussian_zeta(slope: float, power: float) -> Callable[[Array], Array]:
    """(1 + slope² c²)^power. With the power -(d+3)/2 it is Theorem 19's for σ_b = 1, but for a factor."""

    def zeta(c: Array) -> Array:
        found: Array = (1 + (slope * c) ** 2) ** power
        return found

    return zeta
