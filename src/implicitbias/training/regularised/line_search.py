"""The search of Moré and Thuente (1994) for the length of a step, in compiled loops.

With φ(t) the value a length t along a direction, φ'(0) < 0, it looks for φ(t) <= φ(0) + DECREASE t φ'(0) and
|φ'(t)| <= CURVATURE |φ'(0)|, inside an interval of uncertainty between the best length so far and another one. Its
state is an array: length, value and slope of both ends, the bounds of the next length, and the last two widths.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from implicitbias.training.engines.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

DECREASE, CURVATURE, NARROW = 1e-3, 0.9, 0.1
"""The two conditions, and the relative width of an interval that is searched no further."""
LONGEST = 1e10
"""The greatest length."""
BEST, OTHER, LEAST, MOST, WIDTH, WIDTH_BEFORE = 0, 3, 6, 7, 8, 9
"""Where they stand in the state: the two ends take three places each."""


@compiled
def judge(
    length: float,
    value: float,
    slope: float,
    first: float,
    first_slope: float,
    bracketed: bool,
    rising: bool,
    state: Array,
) -> tuple[bool, bool]:
    """Whether the search ends at this length, and whether it has seen a low enough point where φ rises."""
    enough = first + length * DECREASE * first_slope
    if value <= enough and slope >= 0:
        rising = True
    least, most = state[LEAST], state[MOST]
    spent = bracketed and (length <= least or length >= most or most - least <= NARROW * most)
    far = length >= LONGEST and value <= enough and slope <= DECREASE * first_slope
    short = length <= 0 and (value > enough or slope >= DECREASE * first_slope)
    holds = value <= enough and abs(slope) <= -CURVATURE * first_slope
    return spent or far or short or holds, rising


@compiled
def next_length(
    length: float,
    value: float,
    slope: float,
    first: float,
    first_slope: float,
    bracketed: bool,
    rising: bool,
    state: Array,
) -> tuple[float, bool]:
    """The next length to try, and whether a minimum is bracketed; the interval is updated.

    As long as no point is low enough with φ rising, the interval is that of ψ(t) = φ(t) - DECREASE t φ'(0).
    """
    tilt = DECREASE * first_slope
    if rising or value > state[BEST + 1] or value <= first + length * tilt:
        tilt = 0.0
    for end in (BEST, OTHER):
        state[end + 1] -= tilt * state[end]
        state[end + 2] -= tilt
    length, bracketed = step(length, value - tilt * length, slope - tilt, bracketed, state)
    for end in (BEST, OTHER):
        state[end + 1] += tilt * state[end]
        state[end + 2] += tilt
    best, other = state[BEST], state[OTHER]
    if bracketed:
        if abs(other - best) >= 0.66 * state[WIDTH_BEFORE]:
            length = best + 0.5 * (other - best)
        state[WIDTH_BEFORE], state[WIDTH] = state[WIDTH], abs(other - best)
        state[LEAST], state[MOST] = min(best, other), max(best, other)
    else:
        state[LEAST], state[MOST] = length + 1.1 * (length - best), length + 4.0 * (length - best)
    length = min(max(length, 0.0), LONGEST)
    least, most = state[LEAST], state[MOST]
    if bracketed and (length <= least or length >= most or most - least <= NARROW * most):
        length = best
    return length, bracketed


@compiled
def step(t: float, value: float, slope: float, bracketed: bool, state: Array) -> tuple[float, bool]:
    """A safeguarded cubic or quadratic step from the length t, and the ends of the new interval (section 4)."""
    a, at_a, slope_a = state[BEST], state[BEST + 1], state[BEST + 2]
    b, at_b, slope_b = state[OTHER], state[OTHER + 1], state[OTHER + 2]
    turned = slope * slope_a < 0
    if value > at_a:  # case 1: a minimum lies between
        r = ratio(a, at_a, slope_a, t, value, slope)
        cubic = a + r * (t - a)
        quadratic = a + slope_a / ((at_a - value) / (t - a) + slope_a) / 2.0 * (t - a)
        found = cubic if abs(cubic - a) <= abs(quadratic - a) else cubic + (quadratic - cubic) / 2.0
        bracketed = True
    elif turned:  # case 2: a minimum lies between
        cubic = t + ratio(t, value, slope, a, at_a, slope_a) * (a - t)
        secant = t + slope / (slope - slope_a) * (a - t)
        found = cubic if abs(cubic - t) > abs(secant - t) else secant
        bracketed = True
    elif abs(slope) < abs(slope_a):  # case 3: it flattens
        cubic = flattening(a, at_a, slope_a, t, value, slope, state)
        secant = t + slope / (slope - slope_a) * (a - t)
        nearer = abs(cubic - t) < abs(secant - t)
        if bracketed:
            found = cubic if nearer else secant
            border = t + 0.66 * (b - t)
            found = min(border, found) if t > a else max(border, found)
        else:
            found = secant if abs(cubic - t) <= abs(secant - t) else cubic
            found = min(max(found, state[LEAST]), state[MOST])
    elif bracketed:  # case 4: it does not
        found = t + ratio(t, value, slope, b, at_b, slope_b) * (b - t)
    else:
        found = state[MOST] if t > a else state[LEAST]
    if value > at_a:
        state[OTHER], state[OTHER + 1], state[OTHER + 2] = t, value, slope
    else:
        if turned:
            state[OTHER], state[OTHER + 1], state[OTHER + 2] = a, at_a, slope_a
        state[BEST], state[BEST + 1], state[BEST + 2] = t, value, slope
    return found, bracketed


@compiled
def ratio(p: float, at_p: float, slope_p: float, q: float, at_q: float, slope_q: float) -> float:
    """Where the cubic through both points with these slopes has its minimum: p + ratio (q - p)."""
    theta = 3.0 * (at_p - at_q) / (q - p) + slope_p + slope_q
    s = max(abs(theta), abs(slope_p), abs(slope_q))
    gamma = s * np.sqrt((theta / s) ** 2 - (slope_p / s) * (slope_q / s))
    if q < p:
        gamma = -gamma
    found: float = (gamma - slope_p + theta) / (gamma - slope_p + gamma + slope_q)
    return found


@compiled
def flattening(a: float, at_a: float, slope_a: float, t: float, value: float, slope: float, state: Array) -> float:
    """The minimum of the cubic beyond t, a bound of the length if there is none."""
    theta = 3.0 * (at_a - value) / (t - a) + slope_a + slope
    s = max(abs(theta), abs(slope_a), abs(slope))
    gamma = s * np.sqrt(max(0.0, (theta / s) ** 2 - (slope_a / s) * (slope / s)))
    if t > a:
        gamma = -gamma
    r = (gamma - slope + theta) / (gamma + (slope_a - slope) + gamma)
    bound: float = state[MOST] if t > a else state[LEAST]
    return t + r * (a - t) if r < 0 and gamma != 0 else bound
