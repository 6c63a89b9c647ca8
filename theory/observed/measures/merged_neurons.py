"""How many directions minimisers of (6) use, as definitions with their witness: neurons merged along cθ + c'θ'."""

from __future__ import annotations

from implicitbias.theorems.rules.extrema.cheapest import CheapestUnits
from implicitbias.theorems.rules.extrema.merged_atoms import DirectionsInACell, DirectionsOfASign, MergedDirections

OUTPUT = "c*relu(p)"
COST = "path_cost(c, w)"
SHARES = ("Abs(c)", "Abs(c_2)")
SIGN = "c/Abs(c)"


def pairs_of_cell_and_sign(cells: str) -> MergedDirections:
    """The pairs of a closed cell and a sign of c that may hold a half-plane."""
    return MergedDirections(output=OUTPUT, cost=COST, shares=SHARES, merged=SIGN, cells=cells)


def one_sign() -> DirectionsOfASign:
    """The directions in a closed cell, c of one sign."""
    return DirectionsOfASign(output=OUTPUT, cost=COST, shares=SHARES, merged=SIGN)


def one_datum() -> DirectionsInACell:
    """The directions in a closed cell for a single datum: of two signs the stronger one, made shorter."""
    return DirectionsInACell(output=OUTPUT, cost=COST, shares=SHARES, merged=SIGN, rest="1 + c_2*p_2/(c*p)")


def both_signs() -> DirectionsInACell:
    """The same for more data: [x]₊ - [3/5 - 4x/5]₊ is cheapest through x = 0, 3/4 and any data between them."""
    network = CheapestUnits(
        data=(("0", "-3/5"), ("3/4", "3/4")),
        network=({"v": "1", "w": "1", "b": "0"}, {"v": "-1/5", "w": "-4", "b": "3"}),
        multipliers=("-5/3", "4/3"),
        further=((("x", "3/4 - x"), "x - (3 - 4*x)/5"),),
        cost="path_cost(v, pair_norm(w, b))",
    )
    return DirectionsInACell(output=OUTPUT, cost=COST, shares=SHARES, merged=SIGN, attained=network)
