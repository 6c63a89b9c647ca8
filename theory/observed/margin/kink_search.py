"""A search for KKT points with many kinks over the patterns that the rules allow, with data and all numbers free.

Points without a multiplier only add inequalities, so all points are supports. For a pattern (labels; side, gap or
point, and sign of each unit) the unknowns are the places x, λ, κ and the Clarke coefficients; the equations
|s|² = 1, s·(x, 1) = 0 at contacts and y f = 1 are solved from many starts at once by the Levenberg-Marquardt method.
Positive numbers are exponentials of the unknowns, coefficients in [0, 1] are logistic functions of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise, product
from typing import TYPE_CHECKING, Any

from .kink_words import C, L, R, Run, S, ends_well, follows

if TYPE_CHECKING:
    import numpy as np

RESIDUAL = 1e-9
"""Largest residual accepted for a solution."""
STRICT = 1e-6
"""Except at contacts, units must be active or inactive at each point by more than this."""


@dataclass(frozen=True)
class Slot:
    """A unit with side R or L; place 2k is the gap left of point k (2n: right of all points), 2k + 1 is point k."""

    side: int
    place: int
    sign: int


def plausible(labels: tuple[int, ...], slots: tuple[Slot, ...]) -> bool:
    """Whether the rules of `kink_words` allow the pattern, run by run."""
    n = len(labels)
    switches = [k for k, (one, two) in enumerate(pairwise(labels)) if one != two]
    starts, ends = [0, *(2 * k + 2 for k in switches)], [*(2 * k + 2 for k in switches), 2 * n]
    for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
        label = labels[(start) // 2] if start < 2 * n else labels[-1]
        here = [slot for slot in slots if start <= slot.place <= end]
        wrong = {slot.side for slot in here if slot.sign != label}
        for side in wrong:
            if len([slot for slot in here if slot.side == side]) > 1:
                return False
        if len(wrong) == 2:
            continue
        letters = (R | L if not wrong else (R if wrong == {L} else L)) | (C if wrong else 0)
        first, last = number == 0, number == len(starts) - 1
        if (first and L in wrong) or (last and R in wrong):
            return False
        run = Run(letters, left=first and L not in wrong, right=last and R not in wrong, only=first and last)
        word: tuple[int, ...] = ()
        for place in range(start, end + 1):
            letter = S if place % 2 else 0
            for slot in here:
                if slot.place == place:
                    letter |= C if slot.side in wrong else slot.side
            if letter:
                if not follows(word, letter, run, None):
                    return False
                word = (*word, letter)
        if not ends_well(word, run):
            return False
    return True


def patterns(labels: tuple[int, ...], units: int) -> Iterator[tuple[Slot, ...]]:
    """All patterns with `units` units, at most one per side at each place, that the rules and signs allow.

    Every unit is active at some point, and every point has an active unit with the sign of its label.
    """
    n = len(labels)
    places = [(side, place) for side in (R, L) for place in (range(2 * n) if side == R else range(1, 2 * n + 1))]
    for chosen in combinations(places, units):
        bare = [Slot(side, place, 1) for side, place in chosen]
        if not all(any(_active(slot, i) for i in range(n)) for slot in bare):
            continue
        for signs in product((1, -1), repeat=units):
            slots = tuple(Slot(slot.side, slot.place, sign) for slot, sign in zip(bare, signs, strict=True))
            fed = all(any(slot.sign == y and _active(slot, i) for slot in slots) for i, y in enumerate(labels))
            if fed and plausible(labels, slots):
                yield slots


def solve(rng: np.random.Generator, labels: tuple[int, ...], slots: tuple[Slot, ...], starts: int, steps: int) -> int:
    """The largest number of kinks among solutions that satisfy all inequalities; -1 if there are none."""
    import numpy as np

    n, k = len(labels), len(slots)
    y = np.array(labels, dtype=float)
    sign = np.array([slot.sign for slot in slots], dtype=float)
    active = np.array([[_active(slot, i) for i in range(n)] for slot in slots], dtype=float)
    contacts = [(j, (slot.place - 1) // 2) for j, slot in enumerate(slots) if slot.place % 2]
    rows, columns = np.array([j for j, _ in contacts], dtype=int), np.array([i for _, i in contacts], dtype=int)
    size = n + n + k + len(contacts)

    def unpack(z: Any) -> tuple[Any, Any, Any, Any]:
        x = np.cumsum(np.concatenate([z[:, :1], np.exp(np.clip(z[:, 1:n], -8, 3))], axis=1), axis=1)
        share = np.broadcast_to(active, (len(z), k, n)).copy()
        share[:, rows, columns] = 1 / (1 + np.exp(-np.clip(z[:, 2 * n + k :], -40, 40)))
        weights = np.exp(np.clip(z[:, n : 2 * n], -12, 12))[:, None, :] * y * share
        s = np.stack([(weights * x[:, None, :]).sum(-1), weights.sum(-1)], axis=-1)
        heights = (s[..., :1] * x[:, None, :] + s[..., 1:]) * sign[:, None]
        return x, s, heights, np.exp(np.clip(z[:, 2 * n : 2 * n + k], -12, 12))

    def equations(z: Any) -> Any:
        _, s, heights, square = unpack(z)
        values = (square[..., None] * sign[:, None] * heights * active).sum(1)
        touch = heights[:, rows, columns]
        return np.concatenate([y * values - 1, (s**2).sum(-1) - 1, touch], axis=1)

    z = rng.normal(size=(starts, size))
    z[:, :1] *= 2
    damping, shifts = np.full(starts, 1e-2), 1e-7 * np.eye(size)
    f = equations(z)
    for _ in range(steps):
        near = equations((z[:, None, :] + shifts).reshape(-1, size)).reshape(starts, size, -1)
        slopes = (near - f[:, None, :]).transpose(0, 2, 1) / 1e-7
        gram = slopes @ slopes.transpose(0, 2, 1)
        gram[:, np.arange(f.shape[1]), np.arange(f.shape[1])] += damping[:, None]
        moved = z - (slopes.transpose(0, 2, 1) @ _solved(gram, f[..., None]))[..., 0]
        new = equations(moved)
        better = (new**2).sum(1) < (f**2).sum(1)
        z[better], f[better] = moved[better], new[better]
        damping = np.clip(np.where(better, damping / 5, damping * 4), 1e-14, 1e6)
    x, s, heights, square = unpack(z)
    solved = np.abs(f).max(1) < RESIDUAL
    margins = np.where(active > 0, heights, -heights)
    margins[:, rows, columns] = np.inf
    solved &= margins.min(axis=(1, 2)) > STRICT
    solved &= (square.min(1) > 1e-4) & (np.diff(x, axis=1).min(1, initial=np.inf) > 1e-3)
    most = -1
    for one in np.flatnonzero(solved):
        w, b = s[one, :, 0], s[one, :, 1]
        places = np.sort(-b / np.where(np.abs(w) > STRICT, w, np.nan))
        places = places[~np.isnan(places)]
        most = max(most, int(1 + (np.diff(places) > STRICT).sum()) if len(places) else 0)
    return most


def _active(slot: Slot, i: int) -> bool:
    return 2 * i + 1 > slot.place if slot.side == R else 2 * i + 1 < slot.place


def _solved(gram: Any, right: Any) -> Any:
    """With more damping where a matrix is singular: no start may end the search of the others."""
    import numpy as np

    try:
        return np.linalg.solve(gram, right)
    except np.linalg.LinAlgError:
        size = np.trace(gram, axis1=1, axis2=2)[:, None, None]
        return np.linalg.solve(gram + 1e-9 * (1 + size) * np.eye(gram.shape[1]), right)
