"""The cost of functions with several outputs, where Theorem 3.1's formula does not hold for norms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

from implicitbias.claims import Context, Interval, Observation, certificate, claim, seen

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Vector = tuple[Fraction, ...]


@certificate("cheapest units in several outputs")
def cheapest_networks(context: Context) -> Observation:
    """The least Σ|w|‖v‖ of networks that are a given piecewise-linear f: R → R^k.

    At a kink, units that face right and left share the turn of f'. Prices λ at the kinks and μ for f'(-∞) + f'(+∞) with
    ‖λ ± μ‖ <= 1 bound every network's cost from below, wherever its units have their kinks; a network bounds it from
    above. Both are rational.
    """
    draw = context.random()
    for label, turns, p, q, k in _cases(draw, context.choose(24, 240)):
        along, across = _orthonormal(draw, k)
        s = tuple(p * a + q * b for a, b in zip(along, across, strict=True))
        low, high = _least_cost([tuple(turn * a for a in along) for turn in turns], s)
        yield seen(Interval(low, high), label, T=sum(map(abs, turns), Fraction(0)), p=p, q=q)


def _cases(draw: Random, count: int) -> list[tuple[str, list[Fraction], Fraction, Fraction, int]]:
    """Names, turns at the kinks, end slopes along and across, outputs: simple ones, then random ones."""
    one, none = Fraction(1), Fraction(0)
    cases = [
        ("|x| in one output", [2 * one], none, none, 1),
        ("a ramp", [one], one, none, 2),
        ("a ramp to the left", [one], -one, none, 2),
        ("a ramp and a line across", [one], one, 2 * one, 2),
        ("|x| and a line across", [2 * one], none, 2 * one, 2),
        ("a hat and a line across", [one, -2 * one, one], none, 3 * one, 2),
        ("end slopes alone", [none], 3 * one, 4 * one, 3),
        ("end slopes that dominate", [one, -one / 2], -5 * one, one / 3, 3),
        ("a line of one output", [none], -2 * one, none, 1),
    ]
    half, ten, far = one / 2, 10 * one, Fraction(32, 3)
    cases += [
        ("one kink", [turn], p, q, 2)
        for turn in (none, half, one, 8 * one)
        for p in (-far, -one, -half, none, half, one, far)
        for q in (none, half, one, ten)
    ]
    for _ in range(count):
        k, kinks = draw.randint(1, 3), draw.randint(1, 4)
        size = draw.choice([Fraction(1, 100), Fraction(1, 10), one, one, 10 * one])
        turns = [size * draw.choice((-1, 1)) * Fraction(draw.randint(1, 12), draw.randint(1, 5)) for _ in range(kinks)]
        if draw.random() < 0.2:
            turns = [none]
        p = size * draw.choice((0, 1, 1)) * Fraction(draw.randint(-20, 20), draw.randint(1, 4))
        q = size * draw.choice((0, 1, 1)) * Fraction(draw.randint(0, 20), draw.randint(1, 4)) if k > 1 else none
        cases.append((f"{kinks if any(turns) else 'no'} kinks, {k} outputs", turns, p, q, k))
    return cases


def _orthonormal(draw: Random, k: int) -> tuple[Vector, Vector]:
    """Two orthogonal rational unit vectors of R^k, the columns of a reflection; (1) and (0) for k = 1."""
    if k == 1:
        return (Fraction(1),), (Fraction(0),)
    normal = [Fraction(draw.randint(1, 6)) for _ in range(k)]
    size = sum(a * a for a in normal)
    columns = [tuple(Fraction(i == j) - 2 * normal[i] * normal[j] / size for i in range(k)) for j in range(2)]
    return columns[0], columns[1]


def _least_cost(turns: Sequence[Vector], s: Vector) -> tuple[Fraction, Fraction]:
    """Bounds of min Σ‖r_t‖ + ‖l_t‖ with r_t + l_t = the turn at t and Σ(r_t - l_t) = s."""
    from implicitbias.exact.enclosure import enclose, upper

    prices, mu, right = _solved(turns, s)
    longest = max(
        upper(enclose("sqrt(x)", x=_square(p + sign * m for p, m in zip(price, mu, strict=True))))
        for price in prices
        for sign in (1, -1)
    )
    worth = sum((_dot(price, turn) for price, turn in zip(prices, turns, strict=True)), _dot(mu, s))
    low = worth / max(longest, Fraction(1))
    defect = [
        a - sum((2 * r[i] - turn[i] for r, turn in zip(right, turns, strict=True)), Fraction(0))
        for i, a in enumerate(s)
    ]
    right[0] = tuple(r + d / 2 for r, d in zip(right[0], defect, strict=True))
    left = [tuple(t - r for t, r in zip(turn, r_t, strict=True)) for turn, r_t in zip(turns, right, strict=True)]
    high = sum((upper(enclose("sqrt(x)", x=_square(v))) for v in (*right, *left)), Fraction(0))
    return low, high


def _solved(turns: Sequence[Vector], s: Vector) -> tuple[list[Vector], Vector, list[Vector]]:
    """Nearly optimal prices λ_t and μ, and right units r_t: max Σ⟨λ_t, turn⟩ + ⟨μ, s⟩ with ‖λ_t ± μ‖ <= 1."""
    import clarabel
    import numpy as np
    from scipy import sparse

    m, k = len(turns), len(s)
    worth = np.array([*map(float, (a for turn in turns for a in turn)), *map(float, s)])
    rows = []
    for t in range(m):
        for sign in (1, -1):
            block = np.zeros((k + 1, k * (m + 1)))
            block[1:, k * t : k * (t + 1)] = -np.eye(k)
            block[1:, k * m :] = -sign * np.eye(k)
            rows.append(block)
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-13
    bounds = np.tile(np.r_[1.0, np.zeros(k)], 2 * m)
    size = k * (m + 1)
    found = clarabel.DefaultSolver(
        sparse.csc_matrix((size, size)),
        -worth,
        sparse.csc_matrix(np.vstack(rows)),
        bounds,
        [clarabel.SecondOrderConeT(k + 1)] * (2 * m),
        settings,
    ).solve()
    prices = _rational(np.asarray(found.x).reshape(m + 1, k))
    right = _rational(-np.asarray(found.z).reshape(m, 2, k + 1)[:, 0, 1:])
    return prices[:-1], prices[-1], right


def _rational(rows: NDArray[np.float64]) -> list[Vector]:
    return [tuple(map(Fraction, row)) for row in rows.tolist()]


def _dot(a: Sequence[Fraction], b: Sequence[Fraction]) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def _square(v: Iterable[Fraction]) -> Fraction:
    return sum((x * x for x in v), Fraction(0))


SEVERAL_OUTPUTS = claim(
    "savarese2019.theorem_3_1_outputs",
    "beside Theorem 3.1",
    "The cost of a function with several outputs",
    """For a piecewise-linear f: R → R^k whose slope turns along one line, by multiples of e with ‖e‖ = 1, the least
    ½Σ(w² + ‖v‖²) of finite networks that are f is (‖Te + s‖ + ‖Te - s‖)/2, with T the total variation of f' and s =
    f'(-∞) + f'(+∞), which has the components p along e and q across it. Where q = 0 it is max(T, |s|), as in Theorem
    3.1; the norms of several outputs do not stand in that formula: |x| in one output and x in another have T = ‖s‖ = 2
    and cost √8. Proof: by the triangle inequality no shares of s among the kinks cost less than shares in proportion to
    the turns.""",
    part_of="savarese2019.theorem_3_1",
    latex=r"""\min_{h_\theta=f}\tfrac12\sum_i(w_i^2+\|v_i\|^2)=\tfrac12\|Te+s\|+\tfrac12\|Te-s\|
    =\tfrac12\sqrt{(T+p)^2+q^2}+\tfrac12\sqrt{(T-p)^2+q^2}""",
    hypotheses=("f is piecewise linear", "f' turns along one line", "a bias of each output that costs nothing"),
    domain=("0 <= T", "0 <= q"),
    formula="(sqrt((T + p)**2 + q**2) + sqrt((T - p)**2 + q**2))/2",
    symbols={
        "T": "total variation of f'",
        "p": "component of f'(-∞) + f'(+∞) along the turns",
        "q": "length of its part across them",
    },
    controls={
        "Max(T, sqrt(p**2 + q**2))": "Theorem 3.1's formula with norms",
        "sqrt(T**2 + p**2 + q**2)": "as if all of s were across",
        "sqrt(Max(T, Abs(p))**2 + q**2)": "the costs of both directions, squared and added",
        "Max(T, Abs(p)) + q": "each output by a network of its own",
        "T + sqrt(p**2 + q**2)": "turns and end slopes paid for apart",
    },
    checks=(cheapest_networks,),
    rests_on=("savarese2019.lemma_1",),
    own=True,
)
