"""Dead neurons, which never move, and the mistakes of the remaining ones on alternating labels."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from implicitbias.exact.rational import Interval

DIGITS = 40
"""Number of decimals of the enclosures of probabilities whose denominators have hundreds of digits."""


def least_dead(k: int) -> int:
    """⌈k/4⌉: with probability at least 1/4, at least this many of k neurons are dead on x > 0."""
    return -(-k // 4)


def dead_probability(k: int) -> Fraction:
    """P(Bin(k, 1/4) >= k/4), exactly."""
    return Fraction(sum(comb(k, j) * 3 ** (k - j) for j in range(least_dead(k), k + 1)), 4**k)


def enclosed(value: Fraction) -> Fraction | Interval:
    """The value itself if its denominator is below 10^DIGITS, else an interval of width 10^-DIGITS containing it."""
    if value.denominator < 10**DIGITS:
        return value
    floor = value.numerator * 10**DIGITS // value.denominator
    return Interval(Fraction(floor, 10**DIGITS), Fraction(floor + 1, 10**DIGITS))


def most_changes(width: int) -> int:
    """S(L), the largest number of strict sign changes of L neurons (`safran2022.sign_changes`)."""
    return width + 1 if width >= 4 else max(0, width - 1)


def least_mistakes(m: int, changes: int) -> int:
    """The fewest mistakes of a sign sequence with at most `changes` changes on m + 1 points with alternating labels.

    Computed by dynamic programming over the points, the changes so far and the last sign, without a formula.
    """
    best = {(0, 1): 0, (0, -1): 1}  # the first label is 1
    for i in range(1, m + 1):
        label = (-1) ** i
        following: dict[tuple[int, int], int] = {}
        for (used, sign), mistakes in best.items():
            for now in (1, -1):
                state = (used + (now != sign), now)
                if state[0] <= changes:
                    cost = mistakes + (now != label)
                    following[state] = min(cost, following.get(state, cost))
        best = following
    return min(best.values())


def share_of_mistakes(r: int, k: int) -> Fraction:
    """The least share of D that k neurons misclassify if ⌈k/4⌉ are dead, maximised over the two distributions.

    D is uniform on m + 1 points with alternating labels: m = r, or m = r + 1 if width r allows r + 1 switches (r >= 4).
    If all neurons are dead, N = 0 and every margin is 0.
    """
    if k == least_dead(k):
        return Fraction(1)
    changes = most_changes(k - least_dead(k))
    switches = (r, r + 1) if r >= 4 else (r,) if r >= 1 else ()
    return max(Fraction(-(-max(0, m - changes) // 2), m + 1) for m in switches)


def occupied(gaps: int, gap: Fraction, active: Fraction, k: int) -> Fraction:
    """P(every gap contains a kink and at least two neurons are active on all data), by recursion over the neurons.

    Each of k neurons has its kink in a given gap with probability `gap` and is active on all data with `active`.
    """
    state = {(0, 0): Fraction(1)}
    for _ in range(k):
        following: dict[tuple[int, int], Fraction] = {}
        for (hit, live), p in state.items():
            for where, share in (
                ((hit + 1, live), (gaps - hit) * gap),
                ((hit, min(2, live + 1)), active),
                ((hit, live), 1 - (gaps - hit) * gap - active),
            ):
                following[where] = following.get(where, Fraction(0)) + p * share
        state = following
    return state.get((gaps, 2), Fraction(0))
