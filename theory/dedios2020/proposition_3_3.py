"""Proposition 3.3: the printed weight w_b = √E_D[(aᵀx + b)_+²] is convex, and strictly so at the bulk."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from implicitbias.claims import (
    Context,
    Observation,
    Premise,
    Step,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.formula import Assumption
from implicitbias.exact.vectors import dot, rank
from implicitbias.theorems.rules.calculus.derivative import Derivative
from implicitbias.theorems.rules.sequences.lists import Mean
from implicitbias.theorems.rules.values.composition import Composition

from ..observed.units.neurons import Point, lifted, mean_square_output, random_data, random_fraction, random_neuron


def _weight(theta: Sequence[Fraction], data: Sequence[Point]) -> Any:
    """w_b, exact where rational and enclosed otherwise."""
    from implicitbias.exact.enclosure import enclose

    return enclose(f"sqrt({mean_square_output(theta, data)})")


def _pairs(context: Context, count: int) -> list[tuple[Point, Point, Fraction, list[Point]]]:
    """Two parameters, a share and data: proportional ones, ones with equal or different patterns, dead ones.

    The proportional ones, where the chord is attained, have weights and shares of all sizes, 0 and 1 included.
    """
    draw = context.random()
    one, zero, half = Fraction(1), Fraction(0), Fraction(1, 2)
    unit: list[Point] = [(zero,), (one,)]
    cases: list[tuple[Point, Point, Fraction, list[Point]]] = [
        ((one, zero), (3 * one, zero), half, unit),
        ((zero, one), (zero, one), half, unit),
        ((one, one), (2 * one, 2 * one), Fraction(1, 3), unit),
        ((one, zero), (2 * one, -one), half, unit),
        ((one, zero), (-one, one), half, unit),
        ((-one, -one), (zero, -one), half, unit),
    ]
    for d, n in ((1, 3), (2, 5), (3, 4)):
        for k in range(count):
            data = random_data(draw, n, d)
            theta, other = (tuple(random_fraction(draw) for _ in range(d + 1)) for _ in range(2))
            if k % 3 == 0:
                other = tuple(Fraction(draw.randint(1, 9), 2) * value for value in theta)
            cases.append((theta, other, Fraction(draw.randint(1, 5), 6), data))
    for k in range(2 * count):
        data = random_data(draw, 2 + k % 3, 1 + k % 3)
        size, times = (Fraction(draw.randint(1, 60), draw.choice((1, 7, 30, 90))) for _ in range(2))
        theta = tuple(size * value for value in random_neuron(draw, data).theta)
        share = Fraction(k % 2) if k < 4 else Fraction(draw.randint(1, 29), 30)
        if k % 4 == 3:
            share = abs(k // 4 % 2 - Fraction(1, 10 ** draw.randint(2, 5)))
        cases.append((theta, tuple(times * value for value in theta), share, data))
        if k % 3 == 0:
            nothing = tuple(zero * value for value in theta)
            cases += [(theta, nothing, share, data), (nothing, theta, 1 - share, data)]
    for k in range(18 * count):  # weights of about 1/1000 to 1000, or 0, on both sides, at every share
        data = random_data(draw, 2 + k % 3, 1 + k % 3)
        theta = random_neuron(draw, data).theta
        about = Fraction(math.isqrt(int(10**6 * mean_square_output(theta, data))) + 1, 1000)
        ends = [Fraction(draw.randint(8, 80), 10 ** draw.choice((0, 1, 1, 2, 3, 4))) / about for _ in range(2)]
        if k % 4 == 0:
            ends[k % 8 // 4] = zero
        first, second = (tuple(size * value for value in theta) for size in ends)
        cases.append((first, second, Fraction(draw.randint(0, 30), 30), data))
    return cases


@certificate("chords across walls")
def convexity(context: Context) -> Observation:
    """w_b between two parameters: at most the chord, and the chord itself for proportional ones, enclosed."""
    for theta, other, share, data in _pairs(context, context.choose(9, 60)):
        middle = tuple(share * p + (1 - share) * q for p, q in zip(theta, other, strict=True))
        proportional = all(
            p * t == q * s for p, q in zip(theta, other, strict=True) for s, t in zip(theta, other, strict=True)
        )
        same_side = all(p * q >= 0 for p, q in zip(theta, other, strict=True))
        equal = proportional and same_side
        label = f"n={len(data)}, d={len(data[0])}, {'proportional' if equal else 'any two'}, λ={share}"
        yield seen(
            _weight(middle, data),
            label,
            relation="=" if equal else "<=",
            w=_weight(theta, data),
            v=_weight(other, data),
            l=share,
        )


CONVEX = claim(
    "dedios2020.proposition_3_3",
    "Proposition 3.3, first part",
    "The printed weight is convex",
    """For all data and parameters, w_b(λθ + (1-λ)θ') ≤ λw_b(θ) + (1-λ)w_b(θ'), with equality for parameters that are
    non-negative multiples of each other, w_b being 1-homogeneous. This is about w_b = √A as printed in (13); the weight
    2√(AB) that the rescaling really gives is convex on each half-open cell only, and jumps between them.""",
    latex=r"""w_b(\lambda\theta+(1-\lambda)\theta')\le\lambda w_b(\theta)+(1-\lambda)w_b(\theta')\quad(w=w_b(\theta),\
    v=w_b(\theta'),\ l=\lambda)""",
    hypotheses=("0 ≤ λ ≤ 1",),
    formula="l*w + (1 - l)*v",
    symbols={"w": "w_b(θ)", "v": "w_b(θ')", "l": "λ"},
    domain=("l >= 0", "l <= 1", "w >= 0", "v >= 0"),
    controls={
        "Max(w, v)": "quasi-convexity, which equality along rays does not reach",
        "sqrt(l*w**2 + (1 - l)*v**2)": "the chord of w_b², which is convex as well but not 1-homogeneous",
        "Min(w, v)": "below both ends",
        "(w + v)/2": "the midpoint for every λ",
    },
    checks=(convexity,),
    rests_on=("dedios2020.appendix_a_equation_23", "dedios2020.definition_3_2"),
    formerly=("dedios2020.appendix_a_average",),
)


def _quadratic_parts(
    theta: Point, data: Sequence[Point], directions: Sequence[Point]
) -> tuple[list[Fraction], list[list[Fraction]]]:
    """First and second derivatives of A = w_b² along the directions, by difference quotients: A is quadratic near θ."""
    step = Fraction(1)
    for x in data:
        height = abs(dot(theta, lifted(x)))
        for u in directions:
            slope = abs(dot(u, lifted(x)))
            if slope:
                step = min(step, height / (4 * slope))

    def value(*moves: tuple[Point, int]) -> Fraction:
        at = list(theta)
        for u, sign in moves:
            at = [t + sign * step * s for t, s in zip(at, u, strict=True)]
        return mean_square_output(at, data)

    first = [(value((u, 1)) - value((u, -1))) / (2 * step) for u in directions]
    second = [
        [
            (value((u, 1), (v, 1)) - value((u, 1), (v, -1)) - value((u, -1), (v, 1)) + value((u, -1), (v, -1)))
            / (4 * step**2)
            for v in directions
        ]
        for u in directions
    ]
    return first, second


def _alive(context: Context, count: int) -> list[tuple[Point, list[Point]]]:
    """Neurons off the walls with some active datum; few and many active, repeated and collinear data."""
    draw = context.random()
    one, zero = Fraction(1), Fraction(0)
    line: list[Point] = [(Fraction(k), Fraction(k)) for k in range(3)]
    cases: list[tuple[Point, list[Point]]] = [
        ((one, one), [(zero,), (one,)]),
        ((2 * one, -one), [(zero,), (one,)]),
        ((one, one), [(one,), (one,)]),
        ((one, one, one), line),
    ]
    for d, n in ((1, 1), (1, 4), (2, 3), (2, 6), (3, 6)):
        for _ in range(count):
            data = random_data(draw, n, d)
            cases.append((random_neuron(draw, data).theta, data))
    return cases


@certificate("differences of outputs")
def curvature(context: Context) -> Observation:
    """w_b'' along a line from exact first and second differences of w_b², rays through θ included."""
    from implicitbias.exact.enclosure import enclose

    draw = context.random()
    for n, (theta, data) in enumerate(_alive(context, context.choose(4, 30))):
        along = theta if n % 4 == 3 else tuple(random_fraction(draw) for _ in theta)
        square = mean_square_output(theta, data)
        (first,), ((second,),) = _quadratic_parts(theta, data, [along])
        observed = enclose(f"({second})/(2*sqrt({square})) - ({first})**2/(4*({square})*sqrt({square}))")
        active = [(dot(theta, lifted(x)), dot(along, lifted(x))) for x in data if dot(theta, lifted(x)) > 0]
        label = f"n={len(data)}, d={len(data[0])}" + (", along θ" if along == theta else "")
        yield seen(
            observed,
            label,
            A=square,
            K=sum((u * v for u, v in active), Fraction(0)) / len(data),
            Q=sum((v * v for _, v in active), Fraction(0)) / len(data),
        )
    yield Step("w = √A: w'' = A''/(2√A) - A'²/(4A√A), A' and A'' by difference quotients of A inside the cell")


@theorem("second derivative of the mean square's root")
def second_derivative() -> Observation:
    """The root of the mean square differentiated twice, for any law of the data: a datum has the pre-activations u and
    v along θ and η, and stays active, or inactive, along the line near θ.
    """
    square = Mean(
        term="relu(u + t*v)**2",
        entries={"u": "real", "v": "real"},
        where=("u*(u + t*v) > 0",),
        totals={"A": "relu(u)**2", "K": "relu(u)*v", "Q": "step(u)*v**2"},
        by={"A": "1", "K": "2*t", "Q": "t**2"},
        split=("u",),
    )
    once = Derivative(Composition("sqrt(square)", {"square": square}), "t", at="s", near=("A + 2*t*K + t**2*Q > 0",))
    names: dict[str, Assumption] = {"A": "positive", "K": "real", "Q": "nonnegative"}
    yield shows(
        Derivative(once, "s", at="0", near=("A + 2*s*K + s**2*Q > 0",)),
        for_all=names,
        assuming=("K**2 <= A*Q",),
        A="A",
        K="K",
        Q="Q",
    )


CURVATURE = claim(
    "dedios2020.proposition_3_3_curvature",
    "Proposition 3.3, second part",
    "The curvature of the printed weight inside a cell",
    """Along θ + tη, off the walls, w_b has the second derivative (QA - K²)/A^{3/2} with A = E[u²], K = E[uv], Q = E[v²]
    over the data active at θ, u = θ·x̃, v = η·x̃. By Cauchy and Schwarz it is ≥ 0, and 0 only where the outputs v are a
    multiple of u on the active data.""",
    latex=r"\frac{d^2}{dt^2}\Big|_0w_b(\theta+t\eta)=\frac{QA-K^2}{A^{3/2}}",
    hypotheses=("some datum is active", "no hinge on a datum"),
    formula="(Q*A - K**2)/A**(3/2)",
    symbols={"A": "E_D[(θ·x̃)²·1{active}]", "K": "E_D[(θ·x̃)(η·x̃)·1{active}]", "Q": "E_D[(η·x̃)²·1{active}]"},
    controls={
        "Q/sqrt(A)": "the ray through θ curved as well: not 1-homogeneous",
        "(Q*A - K**2)/A": "a power of A lost",
        "(Q*A + K**2)/A**(3/2)": "a sign lost",
    },
    checks=(second_derivative, curvature),
    part_of="dedios2020.proposition_3_3",
)


def _of_every_rank(context: Context) -> list[tuple[Point, list[Point]]]:
    """For d = 1, 2, 3 neurons with 1 to 6 active data of every rank that so many can have, and one idle datum."""
    draw = context.random()
    cases: list[tuple[Point, list[Point]]] = []
    for d in (1, 2, 3):
        corners = [tuple(Fraction(j == k) for j in range(d)) for k in range(-1, d)]
        for r in range(1, d + 2):
            for s in range(r, 7):
                data = list(corners[:r])
                while len(data) < s:  # in the hull of the first r
                    shares = [draw.randint(0, 4) for _ in range(r)]
                    if any(shares):
                        data.append(
                            tuple(dot(shares, column) / sum(shares) for column in zip(*corners[:r], strict=True))
                        )
                theta = tuple(Fraction(draw.randint(1, 9), draw.randint(1, 4)) for _ in range(d + 1))
                idle = tuple(-(theta[-1] + 1) / theta[0] if j == 0 else Fraction(0) for j in range(d))
                cases.append((theta, [*data, idle]))
    return cases


@certificate("rank of the Hessian")
def flat(context: Context) -> Observation:
    """The kernel of 2A·A'' - A'A'ᵀ, which is 4A^{3/2} times the Hessian of w_b; collinear and repeated data too."""
    along_the_ray = True
    for theta, data in (*_of_every_rank(context), *_alive(context, context.choose(3, 40))):
        size = len(theta)
        axes = [tuple(Fraction(j == k) for j in range(size)) for k in range(size)]
        first, second = _quadratic_parts(theta, data, axes)
        square = mean_square_output(theta, data)
        hessian = [tuple(2 * square * second[i][j] - first[i] * first[j] for j in range(size)) for i in range(size)]
        along_the_ray = along_the_ray and all(dot(row, theta) == 0 for row in hessian)
        yield seen(
            size - rank(hessian),
            f"n={len(data)}, d={size - 1}",
            d=size - 1,
            r=rank([lifted(x) for x in data if dot(theta, lifted(x)) > 0]),
            s=sum(dot(theta, lifted(x)) > 0 for x in data),
        )
    yield Premise("the ray through θ is flat, by homogeneity", along_the_ray)


FLAT = claim(
    "dedios2020.proposition_3_3_bulk",
    "Proposition 3.3, second part",
    "Strictly convex but for the ray exactly at the bulk",
    """Off the walls the Hessian of w_b at a neuron with some active datum has a kernel of dimension d + 2 - r, r the
    rank of the active x̃_i. It is the ray through θ alone if and only if r = d + 1, at the bulk: there, and near by,
    w_b is effectively strictly convex; elsewhere it is flat along d + 1 - r directions more.""",
    latex=r"\dim\ker\nabla^2w_b(\theta)=d+2-r,\qquad r=\operatorname{rank}\{\tilde x_i:\theta\cdot\tilde x_i>0\}",
    hypotheses=("some datum is active", "no hinge on a datum"),
    formula="d + 2 - r",
    symbols={"d": "dimension of the inputs", "r": "rank of the active x̃_i", "s": "number of active data"},
    controls={
        "1": "strictly convex but for the ray everywhere",
        "d + 1 - r": "the ray itself not flat: strictly convex at the bulk",
        "Max(1, d + 2 - s)": "the number of active data instead of their rank",
    },
    checks=(flat,),
    part_of="dedios2020.proposition_3_3",
    rests_on=("dedios2020.definition_3_1", "dedios2020.proposition_3_3_curvature"),
)
