"""The inner loops of prefix sums, compiled: one full-batch gradient step in one pass over the units.

The M inputs x are sorted. A unit with w > 0 is active on x_p, …, x_{M-1}, one with w <= 0 on x_0, …, x_{p-1}, where p
is found by the predicate w x_j + b > 0 itself, so that a kink on a datum is inactive there, as in autograd. The
unit's slot is p, or M + 1 + p when it opens to the left. Then

    f(x_j) = c + Σ_{slots active at j} (x_j Σ v w + Σ v b)        sums over slots, then prefix and suffix sums
    ∂L/∂v = w T₁ + b T₀,  ∂L/∂w = v T₁,  ∂L/∂b = v T₀             with T₁ = Σ r_j x_j, T₀ = Σ r_j over active data

where T depends on the slot alone. The pass that moves the units also finds their new slots and adds them to the sums
of the next step: w, b, v and the slot are read and written once per step. Kinks seldom leave their interval, so the old
slot is tried first, with two evaluations of the predicate, and bisection follows only if it fails.

Layout: x is padded to M + 2 with huge ends; sums and table have 2 M + 2 rows: slopes or T₁ of the k outputs, then
intercepts or T₀; the table also has the data on either side of the kink. All are doubles, even if the parameters are
single precision.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from implicitbias.exact import machine_code
from implicitbias.training.engines.cross_entropy_compiled import cross_entropy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Slots = NDArray[np.uint32]
    Steps = NDArray[np.int64]

SQUARE, LOGISTIC, EXPONENTIAL, CROSS_ENTROPY = range(4)

RUNNING, LAST, LOSS, PLATEAU, DIVERGED = range(5)

BEST, BEST_AT, VALUE, ROW = range(4)
"""Entries of `status`: the best loss so far, its step, the last loss, the next row of the record."""


compiled = machine_code.compiled(nogil=True, error_model="numpy")
"""A decorator: machine code, kept on disk, that runs without the interpreter's lock."""

regrouped = machine_code.compiled(nogil=True, error_model="numpy", fastmath={"reassoc", "nsz"})
"""The same, allowing sums to be reordered: eight products at a time."""


@compiled
def find(w: float, b: float, x: Array) -> int:
    """The number of data on the near side of the unit's kink: inactive ones where w > 0, active ones where w <= 0."""
    left = w <= 0
    low, size = 1, x.shape[0] - 2
    while size > 0:
        half = size >> 1
        near = (w * x[low + half] + b > 0) == left
        low = low + half + 1 if near else low
        size = size - half - 1 if near else half
    return low - 1


@compiled
def open_units(w: Array, b: Array, v: Array, slot: Slots, x: Array, sums: Array) -> None:
    """Find all slots and add the units to the sums. v has shape (n, k)."""
    m, k = x.shape[0] - 2, v.shape[1]
    clear(sums)
    for i in range(w.shape[0]):
        q = find(w[i], b[i], x)
        if w[i] <= 0:
            q += m + 1
        slot[i] = q
        for a in range(k):
            sums[q, a] += np.float64(v[i, a]) * w[i]
            sums[q, k + a] += np.float64(v[i, a]) * b[i]


CHUNK = 128
"""Units per chunk: its seven numbers per unit stay in the fastest cache together with sums and table."""


def empty_table(x: Array, k: int) -> Array:
    """A table (2M + 2, 2k + 2) whose last two columns hold the data before and after the kinks of each slot."""
    sides = np.stack([x[:-1], x[1:]], axis=1).astype(np.float64)
    return np.concatenate([np.zeros((2 * len(sides), 2 * k)), np.concatenate([sides, sides])], axis=1)


@compiled
def move_scalar(
    w: Array, b: Array, v: Array, slot: Slots, x: Array, table: Array, sums: Array, pull: Array, keep: Array
) -> None:
    """One step of all units with a scalar output, v (n,): p <- keep p - pull ∂L/∂p, and the sums of the next step.

    table and sums are flat, with 4 and 2 columns. Each chunk takes three loops, of which the middle one has neither
    branches nor scattered memory accesses, so that compilers vectorise it (eight units at once).
    """
    for i in range(sums.shape[0]):
        sums[i] = 0.0
    pull_w, pull_b, pull_v = pull[0], pull[1], pull[2]
    keep_w, keep_b, keep_v = keep[0], keep[1], keep[2]
    base = x.shape[0] - 1
    # One array at fixed offsets, so that the compiler sees that they do not overlap.
    near = np.empty(7 * CHUNK)
    for start in range(0, w.shape[0], CHUNK):
        size = min(CHUNK, w.shape[0] - start)
        wc, bc, vc, sc = w[start : start + size], b[start : start + size], v[start : start + size], slot[start:]
        for i in range(size):
            row = np.uint64(sc[i]) << np.uint64(2)  # unsigned: an index that may be negative costs a comparison
            near[i] = table[row]
            near[i + CHUNK] = table[row + np.uint64(1)]
            near[i + 2 * CHUNK] = table[row + np.uint64(2)]
            near[i + 3 * CHUNK] = table[row + np.uint64(3)]
        moved = 0
        for i in range(size):
            first, zeroth = near[i], near[i + CHUNK]
            wi, bi, vi = np.float64(wc[i]), np.float64(bc[i]), np.float64(vc[i])
            vc[i] = keep_v * vi - pull_v * (wi * first + bi * zeroth)
            wc[i] = keep_w * wi - pull_w * vi * first
            bc[i] = keep_b * bi - pull_b * vi * zeroth
            wn, bn, vn = wc[i], bc[i], np.float64(vc[i])
            left = wn <= 0
            before = (wn * wc.dtype.type(near[i + 2 * CHUNK]) + bn > 0) == left
            after = (wn * wc.dtype.type(near[i + 3 * CHUNK]) + bn > 0) == left
            stays = before & (not after) & ((wi <= 0) == left)
            near[i + 6 * CHUNK] = 0.0 if stays else 1.0
            moved += 0 if stays else 1
            near[i + 4 * CHUNK] = vn * wn
            near[i + 5 * CHUNK] = vn * bn
        if moved > 0:
            for i in range(size):
                if near[i + 6 * CHUNK] > 0:
                    sc[i] = find(wc[i], bc[i], x) + (base if wc[i] <= 0 else 0)
        for i in range(size):
            row = np.uint64(sc[i]) << np.uint64(1)
            sums[row] += near[i + 4 * CHUNK]
            sums[row + np.uint64(1)] += near[i + 5 * CHUNK]


@regrouped
def pulls(v: Array, at: np.uint64, table: Array, near: np.uint64, k: np.uint64) -> tuple[float, float]:
    """Σ_a v_a T₁a and Σ_a v_a T₀a of the unit whose row of v begins at `at`, its row of the table at `near`."""
    first = zeroth = 0.0
    for a in range(k):
        first += v[at + a] * table[near + a]
        zeroth += v[at + a] * table[near + k + a]
    return first, zeroth


@compiled
def move_vector(
    w: Array, b: Array, v: Array, slot: Slots, x: Array, table: Array, sums: Array, pull: Array, keep: Array
) -> None:
    """One step of all units with k outputs: p <- keep p - pull ∂L/∂p, and the sums of the next step.

    Rows of v, table and sums are read at offsets of the flat arrays: a view of a row counts references, which takes
    longer than the row of a few outputs.
    """
    m, k = x.shape[0] - 2, np.uint64(v.shape[1])
    clear(sums)
    heads, slopes_of, into = v.reshape(v.size), table.reshape(table.size), sums.reshape(sums.size)
    pull_v, keep_v = pull[2], keep[2]
    for i in range(w.shape[0]):
        q = np.intp(slot[i])
        wi, bi = np.float64(w[i]), np.float64(b[i])
        at, near = np.uint64(i) * k, np.uint64(q) * np.uint64(table.shape[1])
        slope_w, slope_b = pulls(heads, at, slopes_of, near, k)
        step(heads, at, slopes_of, near, k, wi, bi, keep_v, pull_v)
        w[i] = keep[0] * wi - pull[0] * slope_w
        b[i] = keep[1] * bi - pull[1] * slope_b
        wn, bn = w[i], b[i]
        left = wn <= 0
        base = m + 1 if left else 0
        p = q - base
        if p < 0 or p > m or (wn * x[p] + bn > 0) != left or (wn * x[p + 1] + bn > 0) == left:
            p = find(wn, bn, x)
        q = p + base
        slot[i] = q
        add_unit(into, np.uint64(q) * (k + k), heads, at, k, wn, bn)


@compiled
def clear(sums: Array) -> None:
    """sums <- 0, in loops: a slice that is assigned to takes the compiler seconds."""
    for q in range(sums.shape[0]):
        for a in range(sums.shape[1]):
            sums[q, a] = 0.0


@compiled
def step(
    v: Array, at: np.uint64, table: Array, near: np.uint64, k: np.uint64, w: float, b: float, keep: float, pull: float
) -> None:
    """v <- keep v - pull (w T₁ + b T₀)."""
    for a in range(k):
        v[at + a] = keep * v[at + a] - pull * (w * table[near + a] + b * table[near + k + a])


@compiled
def add_unit(sums: Array, into: np.uint64, v: Array, at: np.uint64, k: np.uint64, w: float, b: float) -> None:
    """The unit's slopes and intercepts, added to those of its slot."""
    for a in range(k):
        sums[into + a] += v[at + a] * w
    for a in range(k):
        sums[into + k + a] += v[at + a] * b


@compiled
def add_row(total: Array, sums: Array, row: np.uint64) -> None:
    """total <- total + the row that begins there."""
    for a in range(total.shape[0]):
        total[a] += sums[row + np.uint64(a)]


@compiled
def add_up(x: Array, c: Array, sums: Array, f: Array) -> None:
    """Outputs f (M, k) from the sums of all blocks (blocks, 2M+2, 2k), by a suffix and a prefix sum."""
    m, k = f.shape[0], np.uint64(f.shape[1])
    rows, outputs = sums.reshape(sums.size), f.reshape(f.size)
    total = np.zeros(2 * f.shape[1])
    size, width = np.uint64(sums.shape[1]), k + k
    for j in range(m - 1, -1, -1):
        for block in range(sums.shape[0]):
            add_row(total, rows, (np.uint64(block) * size + np.uint64(m + 2 + j)) * width)
        at, point = np.uint64(j) * k, x[j + 1]
        for a in range(k):
            outputs[at + a] = total[a] * point + total[k + a]
    for a in range(width):
        total[a] = 0.0
    for j in range(m):
        for block in range(sums.shape[0]):
            add_row(total, rows, (np.uint64(block) * size + np.uint64(j)) * width)
        at, point = np.uint64(j) * k, x[j + 1]
        for a in range(k):
            outputs[at + a] += total[a] * point + total[k + a] + c[a]


@compiled
def slopes(loss: int, f: Array, y: Array, weights: Array, r: Array) -> float:
    """Σ_j weights_j ℓ(f_j, y_j), and r_j = weights_j ∂ℓ/∂f."""
    if loss == CROSS_ENTROPY:
        return cross_entropy(f, y, weights, r)
    m, k = f.shape
    total = 0.0
    for j in range(m):
        for a in range(k):
            if loss == SQUARE:
                gap = f[j, a] - y[j, a]
                total += weights[j] * 0.5 * gap * gap
                r[j, a] = weights[j] * gap
            elif loss == LOGISTIC:
                margin = y[j, a] * f[j, a]
                small = np.exp(-abs(margin))
                total += weights[j] * (np.log1p(small) + max(-margin, 0.0))
                r[j, a] = -weights[j] * y[j, a] * (small if margin > 0 else 1.0) / (1.0 + small)
            else:
                value = np.exp(-y[j, a] * f[j, a])
                total += weights[j] * value
                r[j, a] = -weights[j] * y[j, a] * value
    return total


@compiled
def tabulate(x: Array, r: Array, table: Array) -> None:
    """T₁ and T₀ of each slot: suffix sums for units that open to the right, prefix sums for the others.

    In loops of their own: in one loop over both, compilers fear an overlap.
    """
    m, k = r.shape
    for a in range(2 * k):
        table[m, a] = table[m + 1, a] = 0.0
    for p in range(m - 1, -1, -1):
        for a in range(k):
            table[p, a] = table[p + 1, a] + r[p, a] * x[p + 1]
        for a in range(k):
            table[p, k + a] = table[p + 1, k + a] + r[p, a]
    for p in range(m):
        q = m + 1 + p
        for a in range(k):
            table[q + 1, a] = table[q, a] + r[p, a] * x[p + 1]
        for a in range(k):
            table[q + 1, k + a] = table[q, k + a] + r[p, a]


@compiled
def judged(step: int, end: int, value: float, recorded: Steps, losses: Array, status: Array, stop: Array) -> int:
    """Record the loss of a step; say whether to stop. stop = (loss, patience, improvement)."""
    status[VALUE] = value
    row = int(status[ROW])
    if row < recorded.shape[0] and recorded[row] == step:
        losses[row] = value
        status[ROW] = row + 1
    if not np.isfinite(value):
        return DIVERGED
    if value <= stop[0]:
        return LOSS
    if value < status[BEST] - stop[2]:
        status[BEST], status[BEST_AT] = value, step
    elif step - status[BEST_AT] >= stop[1]:
        return PLATEAU
    return LAST if step == end else RUNNING


@compiled
def observe(
    step: int,
    end: int,
    loss: int,
    x: Array,
    y: Array,
    weights: Array,
    c: Array,
    sums: Array,
    f: Array,
    r: Array,
    recorded: Steps,
    losses: Array,
    status: Array,
    stop: Array,
) -> int:
    """Outputs, loss and slopes at a step; record it; say whether to stop."""
    add_up(x, c, sums, f)
    return judged(step, end, slopes(loss, f, y, weights, r), recorded, losses, status, stop)


@compiled
def prepare(x: Array, r: Array, c: Array, table: Array, pull: Array, keep: Array) -> None:
    """Tables for the units from the slopes r, and the step of the output bias."""
    tabulate(x, r, table)
    k = r.shape[1]
    for a in range(k):
        c[a] = keep[3] * c[a] - pull[3] * table[0, k + a]


@compiled
def descend(
    first: int,
    until: int,
    end: int,
    loss: int,
    x: Array,
    y: Array,
    weights: Array,
    w: Array,
    b: Array,
    v: Array,
    c: Array,
    slot: Slots,
    sums: Array,
    table: Array,
    f: Array,
    r: Array,
    pull: Array,
    keep: Array,
    recorded: Steps,
    losses: Array,
    status: Array,
    stop: Array,
    bounds: Steps,
) -> tuple[int, int]:
    """Steps first, …, until - 1 of one network on one core: (the step reached, whether and why it stopped)."""
    for step in range(first, until):
        why = observe(step, end, loss, x, y, weights, c, sums, f, r, recorded, losses, status, stop)
        if why != RUNNING:
            return step, why
        prepare(x, r, c, table, pull, keep)
        for block in range(sums.shape[0]):
            s, t = bounds[block], bounds[block + 1]
            if v.shape[1] == 1:
                flat = v.reshape(v.size)
                move_scalar(
                    w[s:t], b[s:t], flat[s:t], slot[s:t], x, table.reshape(table.size),
                    sums[block].reshape(sums[block].size), pull, keep,
                )  # fmt: skip
            else:
                move_vector(w[s:t], b[s:t], v[s:t], slot[s:t], x, table, sums[block], pull, keep)
    return until, RUNNING
