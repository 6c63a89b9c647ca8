"""Theorem C.3 with a loss: the fewest sub-networks among the optimal solutions of (49) at L = 2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from random import Random
from typing import cast

from implicitbias.claims import Context, Observation, Rule, Step, Value, certificate, claim, rule, seen
from implicitbias.exact.vectors import dot, rank, solve

from ..observed.cheapest.programme_49 import Column, some_columns

LOSSES = ("squared", "absolute", "hinge")
"""(z - y)², |z - y|, and [1 - yz]₊ for y = ±1."""


BESIDE = (Fraction(1), Fraction(9, 10), Fraction(11, 10), Fraction(1, 50))
"""λ over the one at which a sub-network is just not worth its price."""


def least(columns: Sequence[Column], y: Sequence[Fraction], lam: Fraction, loss: str) -> tuple[Fraction, Column]:
    """min Σ ℓ(z_n, y_n) + λ‖α‖₁, z = Σ α_j v_j, and u with Σ ℓ(z_n, y_n) + u·z at least its value at the optimum for
    all z, |u·v_j| <= λ: then weights other than 0 need |u·v_j| = λ, in every optimal solution.
    """
    if loss == "squared":
        return _least_squares(columns, y, lam)
    from implicitbias.convex.programmes.linear_programme import optimum

    sign = y if loss == "hinge" else [Fraction(1)] * len(y)
    rows = [
        [s * side * v[n] for v in columns for side in (1, -1)]
        + [Fraction(side * int(m == n)) for m in range(len(y)) for side in (1, -1)]
        for n, s in enumerate(sign)
    ]
    slack = (1, 0) if loss == "hinge" else (1, 1)
    found = optimum(
        [lam] * (2 * len(columns)) + [*slack] * len(y), rows, [Fraction(1)] * len(y) if loss == "hinge" else list(y)
    )
    return found.value, tuple(q * s for q, s in zip(found.dual_eq, sign, strict=True))


def _least_squares(columns: Sequence[Column], y: Sequence[Fraction], lam: Fraction) -> tuple[Fraction, Column]:
    """The support and signs at which the conditions of optimality hold, by trial; they prove it, as all is convex."""
    for size in range(min(len(columns), len(y)) + 1):
        for chosen in combinations(range(len(columns)), size):
            sub = [columns[j] for j in chosen]
            if rank(sub) < size:
                continue
            for signs in product((1, -1), repeat=size):
                right = [dot(v, y) - lam * s / 2 for v, s in zip(sub, signs, strict=True)]
                alpha = solve([[dot(v, w) for w in sub] for v in sub], right)
                rest = [
                    t - sum((a * v[n] for a, v in zip(alpha, sub, strict=True)), Fraction(0)) for n, t in enumerate(y)
                ]
                u = tuple(2 * r for r in rest)
                if all(a * s >= 0 for a, s in zip(alpha, signs, strict=True)) and all(
                    abs(dot(u, v)) <= lam for v in columns
                ):
                    return dot(rest, rest) + lam * sum(map(abs, alpha), Fraction(0)), u
    raise ArithmeticError("no support satisfies the conditions of optimality")


def fewest(columns: Sequence[Column], y: Sequence[Fraction], lam: Fraction, loss: str) -> int:
    """The fewest weights other than 0 of an optimal solution: all sets of columns that may carry one, by size."""
    value, u = least(columns, y, lam, loss)
    able = [v for v in columns if abs(dot(u, v)) == lam]
    for size in range(len(able) + 1):
        for chosen in combinations(able, size):
            if least(chosen, y, lam, loss)[0] == value:
                return size
    raise ArithmeticError("the columns at the bound do not reach the minimum")


def _labels(draw: Random, count: int, loss: str) -> list[Fraction]:
    return [
        Fraction(
            draw.choice((1, -1)) * (1 if loss == "hinge" else draw.randint(1, 12)),
            1 if loss == "hinge" else draw.randint(1, 5),
        )
        for _ in range(count)
    ]


@certificate("optimal faces in rationals")
def optimal_faces(context: Context) -> Observation:
    """The fewest active sub-networks of the optimal solutions, three losses, penalties λ of all sizes.

    Drawn sub-networks; and sub-networks active at one point each, several to a point, with λ at and beside the ties.
    """
    draw = context.random()
    for k in range(context.choose(24, 240)):
        loss, count, alone = LOSSES[k % 3], 1 + k // 3 % 3, k % 2 == 1
        y = _labels(draw, count, loss)
        if alone:
            columns = [
                tuple(
                    Fraction(draw.choice((1, -1)) * draw.randint(1, 12), draw.randint(1, 4)) * int(m == n)
                    for m in range(count)
                )
                for n in range(count)
                for _ in range(draw.choice((1, 2)))
            ]
            w = tuple(max(abs(v[n]) for v in columns) for n in range(count))
            n = draw.randrange(count)
            lam = w[n] * (2 * abs(y[n]) if loss == "squared" else 1) * BESIDE[k // 6 % 4]
        else:
            columns = some_columns(draw, 2, count, 2, draw.randint(count, 6))
            w, lam = (), Fraction(1, draw.choice((1, 4, 40, 2000)))
        given: dict[str, Value] = {"loss": loss, "N": count, "lam": lam, "w": w, "y": tuple(y)}
        where = "each active at one point" if alone else "drawn"
        label = f"{loss} loss, {count} points, {len(columns)} sub-networks, {where}, λ = {lam}"
        yield seen(fewest(columns, y, lam, loss), label, relation="=" if alone else "<=", **given)
    yield Step("optimal: by the conditions of optimality, or by a dual of the linear programme, in rationals")
    yield Step("every set of sub-networks that some optimal solution may use is tried, from none upwards")


def _worth(given: Mapping[str, Value], scale: Mapping[str, int]) -> int:
    """For how many points λ is below the largest output there, times scale·|y| for the squared loss."""
    w, y = cast(Column, given["w"]), cast(Column, given["y"])
    loss, lam = cast(str, given["loss"]), cast(Fraction, given["lam"])
    return sum(
        lam < v * (scale[loss] * abs(label) if loss == "squared" else scale[loss])
        for v, label in zip(w, y, strict=True)
    )


PRICES = {"squared": 2, "absolute": 1, "hinge": 1}


@rule("points that are worth it")
def _fewest(given: Mapping[str, Value]) -> Value:
    """N; where each is active at one point, the points with λ < 2w|y| (squared), λ < w (absolute, hinge)"""
    return _worth(given, PRICES) if given["w"] else given["N"]


def _short(given: Mapping[str, Value]) -> Value:
    return _worth(given, PRICES) if given["w"] else cast(int, given["N"]) - 1


def _halved(given: Mapping[str, Value]) -> Value:
    return _worth(given, {**PRICES, "squared": 1}) if given["w"] else given["N"]


def _doubled(given: Mapping[str, Value]) -> Value:
    return _worth(given, {**PRICES, "hinge": 2}) if given["w"] else given["N"]


LOSS = claim(
    "savarese2019.theorem_c_3_loss",
    "Theorem C.3, first part, with a loss",
    "The fewest sub-networks of an optimal solution with a loss, L = 2",
    """At L = 2, with the squared, the absolute or the hinge loss and any λ > 0, some optimal solution of (49) for N
    points has at most N last-layer weights other than 0. Where every sub-network at hand is active at one point only
    the fewest are as many as there are points at which the largest output w is worth its price: λ < 2w|y| for the
    squared loss, λ < w for the other two.""",
    latex=r"\min\{\|\alpha^*\|_0\}\le N",
    hypotheses=(
        "L = 2, finitely many sub-networks at hand",
        "the losses (z - y)², |z - y|, [1 - yz]₊ with y = ±1; y ≠ 0",
    ),
    formula=_fewest,
    controls={
        Rule("N - 1", "one fewer than points", _short): "the bias saves a unit in Section 3, but there is none here",
        Rule("N", "a sub-network for each point, always", lambda given: given["N"]): "as without a loss",
        Rule("half the price", "λ < w|y| for the squared loss", _halved): "the loss ½(z - y)²",
        Rule("slope 2", "λ < 2w for the hinge loss", _doubled): "both labels counted",
    },
    checks=(optimal_faces,),
    part_of="savarese2019.theorem_c_3",
)
