"""Thousands of steps of gradient descent in one launch, in Triton: what engine `fused` runs on a GPU.

A network is spread over PARTS programs (thread blocks), each of which keeps its share of the units. In a step

    1  each program writes Σ_i v_i [⟨w_i, x_j⟩ + b_i]_+ of its own units i, for all data j;
    2  each program adds what all have written for its share of the data: outputs, loss and the slopes r = ∂L/∂f;
    3  each program moves its units, from sums over all data:

        ∂L/∂v_i = Σ_j r_j h_ij,  ∂L/∂b_i = Σ_j u_ij,  ∂L/∂w_i = Σ_j u_ij x_j,  u_ij = ⟨v_i, r_j⟩ 1{⟨w_i, x_j⟩ + b_i > 0}

with h the units' values; with one output T₀ = Σ r_j and T₁ = Σ r_j x_j over active data give all three. Between these
parts the programs of a network wait for each other; other networks do not. All programs of a network sum the same
numbers in the same order, so they come to the same decision to stop, and results do not depend on scheduling.

`resident` keeps the units in registers throughout; `streamed`, for more units than fit, reads them tile by tile twice a
step, in most cases from a cache. Neither ever holds an array of units × data, which is what torch writes and reads
several times a step.

Why not prefix sums, which take O(n log M + M) operations where this takes O(n M)? On a GPU they scatter n numbers over
2M + 2 slots. Triton has no atomic additions in shared memory; those in global memory take about a clock each and are
made in no fixed order, so that the last digits, and with them kinks near data, would change from run to run. A step of
10⁴ units at 250 data is here 2.5 million pairs of some ten instructions: 0.2 million clocks of one multiprocessor, and
some 2 000 where 157 programs share the network; on an H100 it takes 10.7 µs, some 18 000: the rest is waiting and ways
to the cache and back (docs/gpu.md).

The predicate ⟨w, x⟩ + b > 0 is that of the other engines to the last bit: launch with enable_fp_fusion=False, so that
the product is rounded before b is added. Other sums use fused multiply-adds where they say so. Numbers that decide
(outputs, loss, slopes) are doubles even if the parameters are single precision.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import triton
import triton.language as tl

SQUARE, LOGISTIC, EXPONENTIAL, CROSS_ENTROPY = (tl.constexpr(i) for i in range(4))

LAST, LOSS, PLATEAU, DIVERGED = (tl.constexpr(i) for i in range(1, 5))
"""Why a network stopped; 0 while it has not."""

STEP, BEST_AT, ROW, WHY = (tl.constexpr(i) for i in range(4))
"""Columns of `marks`, int64: the step it is at, that of its best loss, the next row of the record, why it stopped."""

BEST, VALUE = tl.constexpr(0), tl.constexpr(1)
"""Columns of `values`, float64: the best loss so far and the last."""


def kernel(function: Callable[..., Any]) -> Any:
    """`triton.jit`, without its types."""
    return triton.jit(function)


@kernel
def meet(count: tl.tensor, target: tl.tensor, PARTS: tl.constexpr) -> None:
    """Wait until all programs of the network have arrived, `target` times in all; then see what they wrote."""
    tl.debug_barrier()
    if PARTS > 1:
        tl.atomic_add(count, 1, sem="release", scope="gpu")
        arrived = 0
        while arrived < target:  # the loop needs the sum that it acquires, so that no compiler leaves it out
            while tl.load(count, volatile=True) < target:
                pass
            arrived = tl.atomic_add(count, 0, sem="acquire", scope="gpu")
        tl.debug_barrier()


@kernel
def column(of: tl.tensor, index: tl.constexpr, WIDTH: tl.constexpr) -> tl.tensor:
    """Column `index` of (units, WIDTH)."""
    if WIDTH == 1:
        return tl.sum(of, axis=1)
    else:  # noqa: RET505  # Triton compiles both branches of an `if` that returns, unless there is an else
        return tl.sum(tl.where(tl.arange(0, WIDTH)[None, :] == index, of, 0.0), axis=1)


@kernel
def lifted(
    w: tl.tensor, b: tl.tensor, x: tl.tensor, at: tl.tensor, m: tl.tensor, INPUTS: tl.constexpr, D: tl.constexpr
) -> tl.tensor:
    """⟨w_i, x_j⟩ + b_i (units, data), coordinate by coordinate; x (INPUTS, m)."""
    z = column(w, 0, D)[:, None] * tl.load(x + at, mask=at < m, other=0.0)[None, :]
    for d in tl.static_range(1, INPUTS):
        z += column(w, d, D)[:, None] * tl.load(x + d * m + at, mask=at < m, other=0.0)[None, :]
    return z + b[:, None]


@kernel
def partial_outputs(v: tl.tensor, z: tl.tensor, f: tl.tensor, K: tl.constexpr) -> tl.tensor:
    """f + what units contribute: (units, data) products of one output, to be summed; (data, K) for several."""
    h = tl.maximum(z, 0.0)
    if K == 1:
        return tl.fma(column(v, 0, 1)[:, None] + tl.zeros_like(h), h, f)
    else:  # noqa: RET505
        return tl.dot(tl.trans(h), v, f, input_precision="ieee", out_dtype=h.dtype)


@kernel
def none_yet(v: tl.tensor, DATA: tl.constexpr, K: tl.constexpr) -> tl.tensor:
    """Zeros of the shape that `partial_outputs` adds to."""
    if K == 1:
        return tl.zeros([v.shape[0], DATA], v.dtype)
    else:  # noqa: RET505
        return tl.zeros([DATA, K], v.dtype)


@kernel
def write_outputs(partial: tl.tensor, f: tl.tensor, at: tl.tensor, m: tl.tensor, K: tl.constexpr) -> None:
    """Outputs (data, K) of a program's own units."""
    if K == 1:
        tl.store(partial + at, tl.sum(f, axis=0), mask=at < m)
    else:
        tl.store(partial + at[:, None] * K + tl.arange(0, K)[None, :], f, mask=(at < m)[:, None])


@kernel
def log1p(s: tl.tensor) -> tl.tensor:
    """log(1 + s) for s >= 0, also where s is far below rounding (Kahan)."""
    u = 1.0 + s
    exact = u == 1.0
    return tl.where(exact, s, tl.log(u) * (s / tl.where(exact, 1.0, u - 1.0)))


@kernel
def judged_outputs(f: tl.tensor, y: tl.tensor, q: tl.tensor, there: tl.tensor, KIND: tl.constexpr) -> tl.tensor:
    """Σ_j q_j ℓ(f_j, y_j) and the slopes q_j ∂ℓ/∂f_j of f, y (data, K), q (data,), in doubles; 0 if not `there`."""
    if KIND == SQUARE:
        slope = f - y
        loss = 0.5 * slope * slope
    elif KIND == LOGISTIC:
        margin = y * f
        small = tl.exp(-tl.abs(margin))
        loss = log1p(small) + tl.where(margin < 0.0, -margin, 0.0)
        slope = -y * tl.where(margin > 0.0, small, 1.0) / (1.0 + small)
    elif KIND == EXPONENTIAL:
        loss = tl.exp(-y * f)
        slope = -y * loss
    else:
        top = tl.max(tl.where(there, f, float("-inf")), axis=1)
        top = tl.where(top == float("-inf"), 0.0, top)
        odds = tl.where(there, tl.exp(f - top[:, None]), 0.0)
        everything, mass = tl.sum(odds, axis=1), tl.sum(y, axis=1)
        each = (tl.log(tl.where(everything > 0.0, everything, 1.0)) + top) * mass
        each = tl.where(everything == everything, each, everything)
        share = mass / tl.where(everything > 0.0, everything, 1.0)
        slope = odds * share[:, None] - y
        loss = each[:, None] * (tl.arange(0, f.shape[1]) == 0)[None, :] - y * f
    loss = tl.where(there, loss, 0.0)
    return tl.sum(q * tl.sum(loss, axis=1), axis=0), tl.where(there, q[:, None] * slope, 0.0)


@kernel
def observe(
    part: tl.tensor,
    c: tl.tensor,
    y: tl.tensor,
    weights: tl.tensor,
    partial: tl.tensor,
    slopes: tl.tensor,
    m: tl.tensor,
    k: tl.tensor,
    PARTS: tl.constexpr,
    K: tl.constexpr,
    ROWS: tl.constexpr,
    OTHERS: tl.constexpr,
    KIND: tl.constexpr,
) -> tl.tensor:
    """The loss on this program's share of the data; their slopes are written.

    What OTHERS programs wrote is read at once: one after the other, each would cost a way to the cache and back.
    """
    share = tl.cdiv(m, PARTS)
    outputs = tl.arange(0, K)
    total = tl.sum(tl.zeros([ROWS], tl.float64), axis=0)
    end = tl.minimum((part + 1) * share, m)
    for j in range(part * share, end, ROWS):
        at = j + tl.arange(0, ROWS)
        place = at[:, None] * K + outputs[None, :]
        inside = (at < end)[:, None] & (outputs < K)[None, :]
        there = inside & (outputs < k)[None, :]
        f = tl.zeros([ROWS, K], tl.float64) + c[None, :].to(tl.float64)
        for begin in range(0, PARTS, OTHERS):
            other = (begin + tl.arange(0, OTHERS))[:, None, None]
            told = partial + other * m * K + place[None, :, :]
            told = tl.load(told, mask=(other < PARTS) & inside[None, :, :], other=0.0, cache_modifier=".cg")
            f += tl.sum(told.to(tl.float64), axis=0)
        labels = tl.load(y + at[:, None] * k + outputs[None, :], mask=there, other=0.0)
        q = tl.load(weights + at, mask=at < end, other=0.0)
        loss, slope = judged_outputs(f, labels, q, there, KIND)
        total += loss
        tl.store(slopes + place, slope.to(slopes.dtype.element_ty), mask=inside)
    return total


@kernel
def gradients(
    w: tl.tensor,
    b: tl.tensor,
    v: tl.tensor,
    x: tl.tensor,
    slopes: tl.tensor,
    m: tl.tensor,
    DATA: tl.constexpr,
    INPUTS: tl.constexpr,
    D: tl.constexpr,
    K: tl.constexpr,
) -> tl.tensor:
    """∂L/∂(w, b, v, c) of units w (units, D), b (units,), v (units, K), and of c (K,), in doubles.

    Sums over data are taken in the precision of the parameters, what is made of them in doubles.
    """
    kind = w.dtype
    inputs = tl.arange(0, D)[None, :]
    u0 = tl.zeros([w.shape[0], DATA], kind)
    u1 = tl.zeros([w.shape[0], DATA], kind)
    of_w, of_v = tl.zeros_like(w), tl.zeros_like(v)
    of_c = tl.zeros([K], tl.float64)
    for j in range(0, m, DATA):
        at = j + tl.arange(0, DATA)
        z = lifted(w, b, x, at, m, INPUTS, D)
        place = at[:, None] * K + tl.arange(0, K)[None, :]
        r = tl.load(slopes + place, mask=(at < m)[:, None], other=0.0, cache_modifier=".cg")
        of_c += tl.sum(r.to(tl.float64), axis=0)
        if K == 1:
            u = tl.where(z > 0.0, tl.sum(r, axis=1)[None, :], 0.0)
        else:
            u = tl.where(z > 0.0, tl.dot(v, tl.trans(r), input_precision="ieee", out_dtype=kind), 0.0)
            of_v = tl.dot(tl.maximum(z, 0.0), r, of_v, input_precision="ieee", out_dtype=kind)
        u0 += u
        if INPUTS == 1:
            row = tl.load(x + at, mask=at < m, other=0.0)[None, :]
            u1 = tl.fma(u, row + tl.zeros_like(u), u1)
        else:
            for d in tl.static_range(INPUTS):
                row = tl.load(x + d * m + at, mask=at < m, other=0.0)[None, :]
                of_w += tl.where(inputs == d, tl.sum(u * row, axis=1)[:, None], 0.0)
    if INPUTS == 1:
        of_w = tl.sum(u1, axis=1)[:, None]
    of_w, of_b, of_v = of_w.to(tl.float64), tl.sum(u0, axis=1).to(tl.float64), of_v.to(tl.float64)
    if K == 1:  # so far the sums over active data of r x and r
        of_v = (tl.sum(w.to(tl.float64) * of_w, axis=1) + b.to(tl.float64) * of_b)[:, None]
        of_w *= v.to(tl.float64)
        of_b *= column(v, 0, 1).to(tl.float64)
    return of_w, of_b, of_v, of_c


@kernel
def moved(at: tl.tensor, by: tl.tensor, rates: tl.tensor, GROUP: tl.constexpr) -> tl.tensor:
    """keep p - pull ∂L/∂p, in doubles before it is rounded; rates holds pull and keep of w, b, v, c."""
    pull, keep = tl.load(rates + GROUP), tl.load(rates + 4 + GROUP)
    return (keep * at.to(tl.float64) - pull * by).to(at.dtype)


@kernel
def verdict(
    step: tl.tensor, best: tl.tensor, best_at: tl.tensor, value: tl.tensor, limits: tl.tensor, stop: tl.tensor
) -> tl.tensor:
    """Whether and why to stop at this step; the best loss and its step. limits = (last step, patience)."""
    better = value < best - tl.load(stop + 1)
    stale = (step - best_at >= tl.load(limits + 1)) & (value >= best - tl.load(stop + 1))
    why = tl.where(step == tl.load(limits), LAST, 0)
    why = tl.where(stale, PLATEAU, why)
    why = tl.where(value <= tl.load(stop), LOSS, why)
    why = tl.where(tl.abs(value) < float("inf"), why, DIVERGED)
    return why.to(tl.int64), tl.where(better, value, best), tl.where(better, step, best_at)


@kernel
def taken(
    w: tl.tensor,
    b: tl.tensor,
    v: tl.tensor,
    i: tl.tensor,
    end: tl.tensor,
    k: tl.tensor,
    INPUTS: tl.constexpr,
    D: tl.constexpr,
    K: tl.constexpr,
) -> tl.tensor:
    """The parameters of units i (units,), from memory; zeros for those at `end` or beyond, which then stay zero."""
    inputs, outputs = tl.arange(0, D)[None, :], tl.arange(0, K)[None, :]
    there = (i < end)[:, None]
    return (
        tl.load(w + i[:, None] * INPUTS + inputs, mask=there & (inputs < INPUTS), other=0.0),
        tl.load(b + i, mask=i < end, other=0.0),
        tl.load(v + i[:, None] * k + outputs, mask=there & (outputs < k), other=0.0),
    )


@kernel
def put(
    w: tl.tensor, b: tl.tensor, v: tl.tensor, i: tl.tensor, end: tl.tensor, k: tl.tensor,
    new_w: tl.tensor, new_b: tl.tensor, new_v: tl.tensor, INPUTS: tl.constexpr, D: tl.constexpr, K: tl.constexpr,
) -> None:  # fmt: skip
    """The parameters of units i back to memory."""
    inputs, outputs = tl.arange(0, D)[None, :], tl.arange(0, K)[None, :]
    there = (i < end)[:, None]
    tl.store(w + i[:, None] * INPUTS + inputs, new_w, mask=there & (inputs < INPUTS))
    tl.store(b + i, new_b, mask=i < end)
    tl.store(v + i[:, None] * k + outputs, new_v, mask=there & (outputs < k))


@kernel
def descend(
    w: tl.tensor, b: tl.tensor, v: tl.tensor, c: tl.tensor, x: tl.tensor, y: tl.tensor, weights: tl.tensor,
    partial: tl.tensor, slopes: tl.tensor, losses_of_parts: tl.tensor, count: tl.tensor, recorded: tl.tensor,
    losses: tl.tensor, marks: tl.tensor, values: tl.tensor, rates: tl.tensor, stop: tl.tensor, limits: tl.tensor,
    n: tl.tensor, m: tl.tensor, k: tl.tensor, x_size: tl.tensor, y_size: tl.tensor, records: tl.tensor,
    share: tl.tensor, PARTS: tl.constexpr, MOST: tl.constexpr, UNITS: tl.constexpr, DATA: tl.constexpr,
    ROWS: tl.constexpr, OTHERS: tl.constexpr, INPUTS: tl.constexpr, D: tl.constexpr, K: tl.constexpr,
    KIND: tl.constexpr, RESIDENT: tl.constexpr,
) -> None:  # fmt: skip
    """Steps of all networks up to step limits[2], or until each stops; seeds × PARTS programs, all there at once.

    w (S, n, INPUTS), b (S, n), v (S, n, k), c (S, k), x (1 or S, INPUTS, m), y (1 or S, m, k), weights (m,): x_size and
    y_size are 0 where all networks share the data. share: units of a program; D, K: INPUTS and k made powers of two
    (K is 1 or at least 16, as a product of matrices needs), MOST the same of PARTS. RESIDENT: share <= UNITS.
    Outputs of OTHERS programs for ROWS data are added at a time.
    Room to work in: partial (S, PARTS, m, K), slopes (S, m, K), losses_of_parts (S, PARTS), count (S,) of zeros.
    """
    program = tl.program_id(0)
    seed, part = (program // PARTS).to(tl.int64), program % PARTS
    w, b, v, c = w + seed * n * INPUTS, b + seed * n, v + seed * n * k, c + seed * k
    x, y, count = x + seed * x_size, y + seed * y_size, count + seed
    partial, slopes = partial + seed * PARTS * m * K, slopes + seed * m * K
    losses_of_parts, losses = losses_of_parts + seed * PARTS, losses + seed * records
    marks, values = marks + seed * 4, values + seed * 2
    step, best_at, row, why = (
        tl.load(marks + STEP), tl.load(marks + BEST_AT), tl.load(marks + ROW), tl.load(marks + WHY)
    )  # fmt: skip
    best, value, until = tl.load(values + BEST), tl.load(values + VALUE), tl.load(limits + 2)
    first, end, outputs = part * share, tl.minimum(part * share + share, n), tl.arange(0, K)
    bias = tl.load(c + outputs, mask=outputs < k, other=0.0)
    arrived = 0
    if RESIDENT:
        i = first + tl.arange(0, UNITS)
        here_w, here_b, here_v = taken(w, b, v, i, end, k, INPUTS, D, K)
    while (why == 0) & (step < until):
        for j in range(0, m, DATA):
            at = j + tl.arange(0, DATA)
            if RESIDENT:
                f = none_yet(here_v, DATA, K)
                f = partial_outputs(here_v, lifted(here_w, here_b, x, at, m, INPUTS, D), f, K)
            else:
                f = tl.zeros([UNITS if K == 1 else DATA, DATA if K == 1 else K], w.dtype.element_ty)
                for begin in range(first, end, UNITS):
                    tile_w, tile_b, tile_v = taken(w, b, v, begin + tl.arange(0, UNITS), end, k, INPUTS, D, K)
                    f = partial_outputs(tile_v, lifted(tile_w, tile_b, x, at, m, INPUTS, D), f, K)
            write_outputs(partial + part * m * K, f, at, m, K)
        arrived += PARTS
        meet(count, arrived, PARTS)
        loss = observe(part, bias, y, weights, partial, slopes, m, k, PARTS, K, ROWS, OTHERS, KIND)
        tl.store(losses_of_parts + part, loss)
        arrived += PARTS
        meet(count, arrived, PARTS)
        every = tl.arange(0, MOST)
        value = tl.sum(tl.load(losses_of_parts + every, mask=every < PARTS, other=0.0, cache_modifier=".cg"), axis=0)
        due = tl.load(recorded + row, mask=row < records, other=-1) == step
        tl.store(losses + row, value, mask=due & (part == 0))
        row += due.to(tl.int64)
        why, best, best_at = verdict(step, best, best_at, value, limits, stop)
        if why == 0:
            of_c = tl.zeros([K], tl.float64)
            if RESIDENT:
                of_w, of_b, of_v, of_c = gradients(here_w, here_b, here_v, x, slopes, m, DATA, INPUTS, D, K)
                here_w, here_b, here_v = (
                    moved(here_w, of_w, rates, 0),
                    moved(here_b, of_b, rates, 1),
                    moved(here_v, of_v, rates, 2),
                )
            else:
                for begin in range(first, end, UNITS):
                    i = begin + tl.arange(0, UNITS)
                    tile_w, tile_b, tile_v = taken(w, b, v, i, end, k, INPUTS, D, K)
                    of_w, of_b, of_v, of_c = gradients(tile_w, tile_b, tile_v, x, slopes, m, DATA, INPUTS, D, K)
                    new_w, new_b = moved(tile_w, of_w, rates, 0), moved(tile_b, of_b, rates, 1)
                    put(w, b, v, i, end, k, new_w, new_b, moved(tile_v, of_v, rates, 2), INPUTS, D, K)
                tl.debug_barrier()
            bias = moved(bias, of_c, rates, 3)
            step += 1
    if RESIDENT:
        put(w, b, v, i, end, k, here_w, here_b, here_v, INPUTS, D, K)
    if part == 0:
        tl.store(c + outputs, bias, mask=outputs < k)
        tl.store(marks + STEP, step)
        tl.store(marks + BEST_AT, best_at)
        tl.store(marks + ROW, row)
        tl.store(marks + WHY, why)
        tl.store(values + BEST, best)
        tl.store(values + VALUE, value)
