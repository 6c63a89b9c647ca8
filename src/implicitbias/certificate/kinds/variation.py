"""The trusted check of kind "interpolation of least total variation": standard library only, run by kernel.py.

  data           {"x": [[…], …], "y": [y_1, …, y_n]}, the x_i points of R^d
  primal, dual   units and a feasible p, as parts/variation.py explains
  claim          {"lower": L, "upper": U, "relative_gap": G}: L <= V <= U and U - L <= G·U, where V is the smallest
                 Σ|c|·√(|a|² + b²) of all f = Σ c·[a·x + b]_+ through the data (de Dios & Bruna 2020, problem (20))

Why the check suffices. f passes through the data and Σ|c|√(|a|² + b²) <= U, so V <= U. For any f through the data
Σ p_i y_i = Σ c_j g(θ_j), and |g(θ)| <= |θ| for all θ, so L <= Σ p_i y_i <= V.

Coq: Variation.v, variation_by_cells (docs/formal.md).
"""

from __future__ import annotations

from ..budget import refuse
from ..parts.cells import dot
from ..parts.variation import points_in_words, prove, read_data, read_dual, read_units, require_feasible
from ..reading import Fields, Kind, Proved, read_bounds, read_fields
from ..words import in_words


def check(document: Fields) -> Proved:
    """What the certificate proves, in words; refused otherwise."""
    x, y = read_data(read_fields(document["data"], "data", ("x", "y")))
    outputs, upper = read_units(document["primal"], x)
    for i, (output, target) in enumerate(zip(outputs, y, strict=True)):
        if output != target:
            refuse(f"the units miss the data point {i}, where y = {in_words(target)}")
    p, dual = read_dual(document["dual"], len(x))
    require_feasible(p, dual, x)
    bounds = read_bounds(document["claim"], dot(p, y), upper)
    return prove(f"through the {points_in_words(x)}, the smallest Σ|c|·√(|a|² + b²)", bounds, x, y)


KIND = Kind("interpolation of least total variation", ("data", "primal", "dual", "claim"), check)
