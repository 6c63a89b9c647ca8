"""The trusted check of kind "least loss penalised by total variation": standard library only, run by kernel.py.

  data           {"x": [[…], …], "y": [y_1, …, y_n], "penalty": λ}, the x_i points of R^d, λ > 0
  primal, dual   units and a feasible p, as parts/variation.py explains; the units need not pass through the data
  claim          {"lower": L, "upper": U, "relative_gap": G}: L <= V <= U and U - L <= G·U, where V is the smallest
                 (1/n) Σ (f(x_i) - y_i)² + λ Σ|c|·√(|a|² + b²) of all f = Σ c·[a·x + b]_+ (de Dios & Bruna 2020,
                 problem (22))

Why the check suffices. The units' loss is at most U, so V <= U. For any f, λ Σ|c_j||θ_j| >= λ Σ p_i f(x_i), as
|g(θ)| <= |θ| for all θ, and (t - y_i)²/n + λ p_i t >= λ p_i y_i - nλ²p_i²/4 for every t: so
L <= λ Σ p_i y_i - (nλ²/4) Σ p_i² <= V.

Coq: Variation.v, penalised_by_cells (docs/formal.md).
"""

from __future__ import annotations

from ..budget import refuse
from ..parts.cells import dot
from ..parts.variation import points_in_words, prove, read_data, read_dual, read_units, require_feasible
from ..reading import Fields, Kind, Proved, read_bounds, read_fields, read_number
from ..words import in_words


def check(document: Fields) -> Proved:
    """What the certificate proves, in words; refused otherwise."""
    data = read_fields(document["data"], "data", ("x", "y", "penalty"))
    x, y = read_data(data)
    penalty = read_number(data["penalty"], "data.penalty")
    if penalty <= 0:
        refuse(f"data.penalty must be positive, not {in_words(penalty)}")
    outputs, cost = read_units(document["primal"], x)
    errors = [output - target for output, target in zip(outputs, y, strict=True)]
    upper = dot(errors, errors) / len(y) + penalty * cost
    p, dual = read_dual(document["dual"], len(x))
    require_feasible(p, dual, x)
    lower = penalty * dot(p, y) - len(y) * penalty**2 / 4 * dot(p, p)
    bounds = read_bounds(document["claim"], lower, upper)
    loss = f"the smallest mean squared error plus {in_words(penalty)} times Σ|c|·√(|a|² + b²)"
    return prove(f"on {points_in_words(x)}, {loss}", bounds, x, y)


KIND = Kind("least loss penalised by total variation", ("data", "primal", "dual", "claim"), check)
