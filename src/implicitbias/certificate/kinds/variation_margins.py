"""The trusted check of kind "margins of least total variation": standard library only, run by kernel.py.

  data           {"x": [[…], …], "y": [y_1, …, y_n]}, the x_i points of R^d, the y_i 1 or -1
  primal, dual   units and a feasible p with p_i y_i >= 0, as parts/variation.py explains; the cells are those of the
                 points with p_i != 0, in "above" and "below" counted from 0 among themselves
  claim          {"lower": L, "upper": U, "relative_gap": G}: L <= V <= U and U - L <= G·U, where V is the smallest
                 Σ|c|·√(|a|² + b²) of all f = Σ c·[a·x + b]_+ with y_i f(x_i) >= 1 for all i

Why the check suffices. The units have these margins and Σ|c|√(|a|² + b²) <= U, so V <= U. For any f with these margins
Σ p_i y_i <= Σ p_i f(x_i) <= Σ|c_j||θ_j|, as p_i y_i >= 0 and |g(θ)| <= |θ| for all θ, so L <= Σ p_i y_i <= V. Points
with p_i = 0 do not occur in g.

Coq: Variation.v, margins_by_cells (docs/formal.md).
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
    if any(abs(side) != 1 for side in y):
        refuse("data.y must hold 1 and -1, the classes")
    outputs, upper = read_units(document["primal"], x)
    for i, (output, side) in enumerate(zip(outputs, y, strict=True)):
        if output * side < 1:
            refuse(f"the margin of the point {i} is {in_words(output * side)}, below 1")
    p, dual = read_dual(document["dual"], len(x))
    if any(weight * side < 0 for weight, side in zip(p, y, strict=True)):
        refuse("dual.p must have the signs of the classes")
    support = [i for i, weight in enumerate(p) if weight]
    if not support:
        refuse("dual.p is 0: it shows nothing")
    require_feasible([p[i] for i in support], dual, [x[i] for i in support])
    bounds = read_bounds(document["claim"], dot(p, y), upper)
    what = f"with y·f >= 1 at the {points_in_words(x)}, classes y = ±1, the smallest Σ|c|·√(|a|² + b²)"
    return prove(what, bounds, x, y, classes=True)


KIND = Kind("margins of least total variation", ("data", "primal", "dual", "claim"), check)
