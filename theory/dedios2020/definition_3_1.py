"""Definition 3.1: neurons at the bulk of the data."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from implicitbias.claims import Context, Observation, Premise, Step, certificate, claim, seen
from implicitbias.exact.vectors import dot, rank

from ..observed.units.fibres import largest_fibre, outputs
from ..observed.units.neurons import Point, lifted, random_data, random_fraction


def _cases(context: Context) -> list[tuple[Point, list[Point]]]:
    """Neurons with hinges off and on the data, few and many active, repeated, collinear and generic data."""
    draw = context.random()
    one, zero = Fraction(1), Fraction(0)
    unit: list[Point] = [(zero,), (one,)]
    line: list[Point] = [(Fraction(k), Fraction(k)) for k in range(4)]
    square: list[Point] = [(one, one), (one, -one), (-one, one), (-one, -one)]
    cases: list[tuple[Point, list[Point]]] = [
        ((one, zero), unit),
        ((zero, one), unit),
        ((one, one), unit),
        ((-one, -one), unit),
        ((zero, zero), unit),
        ((zero, zero, one), line),
        ((one, zero, one), [*line, (one, zero)]),
        ((one, zero, zero), square),
        ((one, zero, 2 * one), square),
        ((one, one, zero), square),
        ((one, zero), [(one,), (one,), (one,)]),
        ((zero, one, zero), [(zero, one), (one, one), (2 * one, one), (zero, zero)]),
    ]
    for d in (1, 2, 3, 4):
        data = random_data(draw, 8, d)
        cases.append(((zero,) * (d + 1), data))  # every datum on the hinge
        cases.append(((*(zero,) * d, -one), data))  # none active
        cases.append(((*(zero,) * d, one), data))  # all active
        cases.append(((*(zero,) * d, one), data[:1] * 9))  # one datum, many times
        axes = [tuple(Fraction(int(i == k)) for i in range(d)) for k in range(d)]
        hinge = [(zero,) * d, *axes[:-1]]  # as many independent data on the hinge as there can be
        cases.append(((*axes[-1], zero), [*axes[-1:] * 4, *hinge]))
        cases.append(((*axes[-1], zero), [axes[-1], tuple(2 * t for t in axes[-1]), *hinge]))
        for r in range(1, d + 2):
            for closed in range(r, d + 2):
                cases += [_of_ranks(draw, d, r, closed, s) for s in sorted({r, draw.randint(r, 9), 9})]
        cases += [_of_ranks(draw, d, 0, closed, 0) for closed in range(1, d + 1)]
    for d, n in ((1, 3), (2, 4), (2, 6), (3, 5)):
        for k in range(context.choose(6, 40)):
            data = random_data(draw, n, d)
            a = tuple(random_fraction(draw) for _ in range(d))
            bias = random_fraction(draw) if k % 2 else -dot(a, data[0])
            cases.append(((*a, bias), data))
    return cases


def _of_ranks(draw: Random, d: int, r: int, closed: int, s: int) -> tuple[Point, list[Point]]:
    """The neuron x_1, with s >= r active data of rank r and data on its hinge with which the rank is `closed`."""
    axes = [tuple(Fraction(int(i == k)) for i in range(d)) for k in range(d)]
    # affinely independent: e_1, then e_1 + e_k, then 2e_1
    spread = [axes[0], *(tuple(s + t for s, t in zip(axes[0], axis, strict=True)) for axis in axes[1:])]
    spread.append(tuple(2 * t for t in axes[0]))
    hinge = [(Fraction(0),) * d, *axes[max(r, 1) :]]
    active = [*spread[:r], *(draw.choice(spread[:r]) for _ in range(s - r))]
    return (*axes[0], Fraction(0)), [*active, *hinge[: closed - r]]


@certificate("Jacobians around the neuron")
def fibres(context: Context) -> Observation:
    """The largest set of parameters near θ with equal outputs, by exact difference quotients, and two members."""
    draw = context.random()
    exhibited = True
    for theta, data in _cases(context):
        found = largest_fibre(theta, data, draw)
        if found.dimension:
            one, other = found.twins or (theta, theta)
            exhibited = exhibited and one != other and outputs(one, data) == outputs(other, data)
        heights = [(dot(theta, lifted(x)), lifted(x)) for x in data]
        strict = [x for z, x in heights if z > 0]
        label = f"θ = ({', '.join(map(str, theta))}), n={len(data)}"
        yield seen(
            found.dimension,
            label,
            d=len(theta) - 1,
            r=rank(strict),
            R=rank([x for z, x in heights if z >= 0]),
            s=len(strict),
        )
    yield Premise("two parameters with equal outputs are shown wherever there is a fibre", exhibited)
    yield Step("active rows stay active close to θ: with rank d + 1 they give θ back from the outputs, linearly")
    yield Step("straight down, θ - t·e_{d+1}, every datum on a hinge is switched off: the strictly active rows remain")


BULK = claim(
    "dedios2020.definition_3_1",
    "Definition 3.1",
    "Neurons at the bulk see d + 1 independent data",
    """Close to (a, b) in R^{d+1} the sets of parameters with equal outputs on the data have dimension up to d + 1 - r,
    r the rank of the x̃_i = (x_i, 1) with aᵀx_i + b > 0, strictly. So a neuron is at the bulk, the map to its outputs
    is locally injective, if and only if r = d + 1; data on its hinge do not count: for x ∈ {0, 1}, (a, b) = (1, 0) and
    its neighbours (1 + t, -t), t ≥ 0, have the same outputs (0, 1).""",
    latex=r"\max\dim\{\text{parameters near }(a,b)\text{ with equal outputs}\}=d+1-\operatorname{rank}"
    r"\{\tilde x_i:a^\top x_i+b>0\}",
    domain=("0 <= r", "r <= R", "R <= d + 1", "r <= s", "sign(s) <= r"),
    formula="d + 1 - r",
    symbols={
        "d": "dimension of the inputs",
        "r": "rank of the strictly active x̃_i",
        "R": "rank of the x̃_i with aᵀx_i + b ≥ 0",
        "s": "number of strictly active data",
    },
    controls={
        "d + 1 - R": "data on the hinge counted as active, as closed cells would",
        "Max(0, d + 1 - s)": "the number of active data instead of their rank",
        "d - r": "the bias fixed",
        "d + 1 - Min(s, R)": "as many active data as there are, where they do not exceed the rank",
    },
    checks=(fibres,),
    part_of="dedios2020.proposition_3_3",
)


@certificate("enumerated cells and exact ranks")
def bulk_cells(context: Context) -> Observation:
    """Cells of data on the line and in convex position in the plane, enumerated; those of full rank counted."""
    from implicitbias.convex.cells.arrangement import cells_of

    draw = context.random()
    sets: list[list[Point]] = [[(Fraction(k),) for k in range(n)] for n in (2, 3, 5, 6)]
    sets += [random_data(draw, n, 1) for n in (4, 9, 12, 17)]
    for n in (*range(3, 9), 11, 15, *context.choose((), (10, 13, 17))):
        slopes = draw.sample([Fraction(k, 3) for k in range(-9, 10)], n)
        sets.append([((1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)) for t in slopes])
    for data in sets:
        found = cells_of(data)
        d, n = len(data[0]), len(data)
        full = sum(rank([lifted(data[i]) for i in found.active(k)]) == d + 1 for k in range(len(found)))
        yield seen(full, f"n={n}, " + ("on the line" if d == 1 else "on a circle"), n=n, d=d)


PATTERNS = "(2 + (d - 1)*(n - 2))"
"""Patterns with a given number of active data between 1 and n - 1: two on the line, n in convex position."""

BULK_CELLS = claim(
    "dedios2020.definition_3_1_cells",
    "next to Definition 3.1 and Proposition 3.3",
    "How many cells are at the bulk",
    """Of n data on the line, k = 2 activity patterns for each number of active data between 1 and n - 1, and of n data
    in convex position in the plane, k = n of them, exactly k(n - 1 - d) + 1 cells are at the bulk: 2n - 3 of 2n, and
    n(n - 3) + 1 of n(n - 1) + 2. For all other cells Proposition 3.3 says nothing about strict convexity.""",
    latex=r"\#\{\text{cells at the bulk}\}=k\,(n-1-d)+1,\qquad k=2\ (d=1),\ k=n\ (d=2,\text{ convex position})",
    hypotheses=("d = 1 with n ≥ 2 different data, or d = 2 with n ≥ 3 data in convex position",),
    domain=("1 <= d", "d <= 2", "d + 1 <= n"),
    formula=f"{PATTERNS}*(n - 1 - d) + 1",
    symbols={"n": "number of data", "d": "dimension of the inputs"},
    controls={
        f"{PATTERNS}*(n - 1) + 2": "all cells",
        f"{PATTERNS}*(n - 1) + 1": "all but the dead cell",
        f"{PATTERNS}*(n - d) + 1": "d active data taken as sufficient",
        f"{PATTERNS}*(n - 1 - d)": "the cell that is active at all data omitted",
    },
    checks=(bulk_cells,),
    part_of="dedios2020.proposition_3_3",
    rests_on=("dedios2020.definition_3_1",),
    own=True,
)
