"""Networks of least width with strict sign changes at prescribed places."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from ..data.targets import network_for

if TYPE_CHECKING:
    from implicitbias.functions.network import Network

Units = tuple[list[Fraction], list[Fraction], list[Fraction]]


def four_units(z: Sequence[Fraction]) -> tuple[Units, Fraction]:
    """Four units whose sum is negative left of z_0 and changes sign at z_0, …, z_4, and σ, its last slope.

    The sum L of the units facing left is μ(x - z_0) up to b_3, then falls to 0 at b_4; the sum R of those facing right
    falls from 0 at b_1 until b_2 and is -σ(z_4 - x) from there. μ = 1; σ makes L + R vanish at z_2, b_1 and b_4 are
    midpoints, and b_2, b_3 are chosen so that z_1 and z_3 are zeros.
    """
    mu = Fraction(1)
    sigma = mu * (z[2] - z[0]) / (z[4] - z[2])
    first, fourth = (z[0] + z[1]) / 2, (z[3] + z[4]) / 2
    rho = mu * (z[1] - z[0]) / (z[1] - first)
    tau = sigma * (z[4] - z[3]) / (fourth - z[3])
    second = (sigma * z[4] + rho * first) / (sigma + rho)
    third = (mu * z[0] + tau * fourth) / (mu + tau)
    one = Fraction(1)
    return ([one, one, -one, -one], [-first, -second, third, fourth], [-rho, rho + sigma, -(mu + tau), tau]), sigma


def changing_at(places: Sequence[Fraction], first: int) -> Network:
    """A network of c - 1 units with exactly these c >= 5 zeros; `first` is its sign left of all of them."""
    from implicitbias.functions.network import Network

    z = [Fraction(p) for p in places]
    if len(z) < 5:
        raise ValueError(f"at least five places are needed, not {len(z)}")
    (w, b, v), slope = four_units(z[:5])
    for before, here in pairwise(z[4:]):
        w, b, v = [*w, Fraction(1)], [*b, -(before + here) / 2], [*v, -2 * slope]
        slope = -slope
    return Network(w, b, [-first * a for a in v])


def just_below(places: Sequence[Fraction], first: int, distance: Fraction) -> Network:
    """`network_for` minus a constant, which makes the signs strict and moves the switches by less than `distance`."""
    from implicitbias.functions.network import Network

    net = network_for(places, first)
    gaps = [b - a for a, b in pairwise(places)]
    small = min([distance, *gaps]) / 4  # all its slopes are ±1
    return Network([*net.w, 0], [*net.b, 1], [*net.v, -small])


def separating(points: Sequence[Fraction], labels: Sequence[int]) -> Network:
    """A network of least width with y_i N(x_i) > 0: min(s + 1, max(4, s - 1)) units for s label switches."""
    cuts = [(a + c) / 2 for (a, y), (c, z) in pairwise(zip(points, labels, strict=True)) if y != z]
    gaps = [(c - a) / 2 for (a, y), (c, z) in pairwise(zip(points, labels, strict=True)) if y != z]
    if len(cuts) <= 3:
        if not cuts and labels[0] < 0:
            from implicitbias.functions.network import Network

            return Network([0], [1], [-1])
        return just_below(cuts, labels[0], min(gaps)) if cuts else network_for([], labels[0])
    if len(cuts) == 4:
        cuts = [*cuts, points[-1] + 1]  # a switch to the right of the data: the four units need five zeros
    return changing_at(cuts, labels[0])
