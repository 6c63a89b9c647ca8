"""Section 3, Interpretation: the dimension of the set of trained functions."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import pairwise

from implicitbias.claims import Context, Observation, Premise, Rule, Value, certificate, claim, seen
from implicitbias.claims.statement import Candidate
from implicitbias.exact.vectors import rank

from ..observed.data.draws import fraction, random_data
from ..observed.wide.exact_laws import Kernel, binary, slab_kernel
from ..observed.wide.finite_width import empirical_kernel, random_units
from ..observed.wide.interpolants import trained, trained_with_free_line
from ..observed.wide.weighted_spline import constant, weighted_spline


def _regular(draw: random.Random, m: int, n: int) -> tuple[Kernel, list[Fraction]]:
    """Random units and inputs with a regular kernel matrix, as the claim assumes."""
    while True:
        kernel = cache(empirical_kernel(random_units(draw, n)))
        x = [Fraction(2 * j, m) - 1 + Fraction(draw.randint(0, 3), 4 * m) for j in range(m)]
        if rank([[kernel(a, b) for b in x] for a in x]) == m:
            return kernel, x


@certificate("rank, from data to functions")
def dimension(context: Context) -> Observation:
    """The rank of the map from data to the trained function (its values at 31 places and more), for finite networks, by
    elimination in fractions."""
    draw = context.random()
    linear = True
    for m in (*range(1, context.choose(6, 9)), 10):
        for n in (m + draw.randint(6, 9), m + draw.randint(10, 15)) if m < 9 else (25,):
            kernel, x = _regular(draw, m, n)
            grid = [Fraction(i, 10) - Fraction(3, 2) for i in range(31)]
            columns = []
            for j in range(m):
                unit = [Fraction(int(i == j)) for i in range(m)]
                ends = trained(kernel, x, unit)
                columns.append([ends(z) for z in grid])
            y = [fraction(draw, -3, 3) for _ in x]
            ends = trained(kernel, x, y)
            mixed = [sum((a * c[i] for a, c in zip(y, columns, strict=True)), Fraction(0)) for i in range(len(grid))]
            linear = linear and mixed == [ends(z) for z in grid]
            yield seen(rank(columns), f"{n} units", M=m, n=n)
    yield Premise("the trained function is linear in the data", linear)


@certificate("trained functions and splines together")
def with_splines(context: Context) -> Observation:
    """The rank of the functions that infinitely wide networks learn (B uniform, the affine part given back) together
    with the natural cubic splines of the same inputs: as many as the inputs if and only if the two spaces are one.
    Values at 3M places between the inputs; the kernel by integration over the law, the splines by their own system.
    """
    draw = context.random()
    for m in range(2, 11):
        kernel = cache(slab_kernel(draw.choice([binary(2), binary(3)])))
        x = random_data(draw, m).x
        places = [a + (b - a) * Fraction(k, 4) for a, b in pairwise(x) for k in range(4)]
        rows = []
        for j in range(m):
            unit = [Fraction(int(i == j)) for i in range(m)]
            for function in (trained_with_free_line(kernel, x, unit), weighted_spline(x, unit, constant(1))):
                rows.append([Fraction(function(z)) for z in places])
        yield seen(rank(rows), "infinite width", M=m)


def _parameters(given: Mapping[str, Value]) -> Value:
    n = given.get("n")
    return 3 * n + 1 if isinstance(n, int) else "∞"


CONTROLS: dict[Candidate, str] = {
    Rule("n", "one dimension per unit", lambda given: given.get("n", "∞")): "the rank of the features",
    Rule("3n + 1", "one per parameter", _parameters): "the parameters counted",
    "M + 2": "two more dimensions for the line ux + v",
    "Max(M - 2, 0)": "only the kinks inside count",
    "2*M": "a value and a slope at each point",
}


EFFECTIVE_CAPACITY = claim(
    "jin2021.effective_capacity",
    "Section 3, Interpretation; Section 6",
    "Dimension of the set of trained functions",
    """The differences between trained and initial function, for all labels of M given inputs, form a linear space of
    dimension M, however many parameters the network has. At infinite width, with B uniform and the affine part given
    back, it is the space of natural cubic splines with knots at the inputs.""",
    latex=r"\dim\{f(\cdot,\theta^*)-f(\cdot,\theta_0):y\in\mathbb{R}^M\}=M",
    hypotheses=("distinct inputs, M ≤ 10", "K_n(X, X) regular", "the linearised network"),
    formula="M",
    symbols={"M": "number of distinct inputs"},
    controls=CONTROLS,
    checks=(dimension, with_splines),
    part_of="jin2021.theorem_1_rate",
)
