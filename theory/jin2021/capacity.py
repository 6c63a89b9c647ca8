"""Section 3, Interpretation: the dimension of the set of trained functions."""

from __future__ import annotations

import random
from fractions import Fraction

from implicitbias.claims import Context, Observation, Premise, certificate, claim, seen
from implicitbias.exact.vectors import rank

from ..observed.data.draws import fraction
from ..observed.wide.exact_laws import Kernel
from ..observed.wide.finite_width import empirical_kernel, random_units
from ..observed.wide.interpolants import trained


def _regular(draw: random.Random, m: int, n: int) -> tuple[Kernel, list[Fraction]]:
    """Random units and inputs with a regular kernel matrix, as the claim assumes."""
    while True:
        kernel = empirical_kernel(random_units(draw, n))
        x = [Fraction(2 * j, m) - 1 + Fraction(draw.randint(0, 3), 4 * m) for j in range(m)]
        if rank([[kernel(a, b) for b in x] for a in x]) == m:
            return kernel, x


@certificate("rank, from data to functions")
def dimension(context: Context) -> Observation:
    """The rank of the map from data to the trained function (31 values of it), for finite networks, by elimination in
    fractions."""
    draw = context.random()
    linear = True
    for m in range(1, context.choose(6, 8)):
        for n in (12, 20, 32):
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


EFFECTIVE_CAPACITY = claim(
    "jin2021.effective_capacity",
    "Section 3, Interpretation; Section 6",
    "Dimension of the set of trained functions",
    """The differences between trained and initial function, for all labels of M given inputs, form a linear space of
    dimension M, however many parameters the network has.""",
    latex=r"\dim\{f(\cdot,\theta^*)-f(\cdot,\theta_0):y\in\mathbb{R}^M\}=M",
    hypotheses=("distinct inputs", "K_n(X, X) regular", "the linearised network"),
    formula="M",
    symbols={"M": "number of distinct inputs", "n": "number of units"},
    controls={
        "n": "one dimension per unit",
        "3*n + 1": "one dimension per parameter",
        "M + 2": "two more dimensions for the line ux + v",
        "Max(M - 2, 0)": "only the kinks inside count",
        "2*M": "a value and a slope at each point",
    },
    checks=(dimension,),
    part_of="jin2021.theorem_1_rate",
)
