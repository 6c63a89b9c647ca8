"""Problem (21): the linear programme over the shared locations, and what its sparse solutions are worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random

from implicitbias.claims import Context, Observation, Premise, Rule, Step, Value, certificate, claim, seen
from implicitbias.claims.statement import Candidate
from implicitbias.exact.vectors import dot, relu

from ..observed.data.draws import evenly
from ..observed.measures.exact_cases import (
    Case,
    parts_of_contacts,
)
from ..observed.measures.extended_cases import crowded_and_idle
from ..observed.measures.minimisers import further_cases, known_cases, most_cells_told_apart, signs

Direction = tuple[Fraction, ...]


def least_masses(
    directions: Sequence[Direction], points: Sequence[Direction], y: Sequence[Fraction]
) -> tuple[Fraction, tuple[Fraction, ...]] | None:
    """min ‖z‖₁ subject to A z = y, A_is = [θ_s·x̃_i]_+, exactly, and a vertex that attains it; None if there is no z."""
    from implicitbias.convex.programmes.linear_programme import Optimum, minimise

    rows = [[relu(dot(t, x)) for t in directions] + [-relu(dot(t, x)) for t in directions] for x in points]
    found = minimise([1] * (2 * len(directions)), rows, y)
    if not isinstance(found, Optimum):
        return None
    count = len(directions)
    return found.value, tuple(found.primal[k] - found.primal[count + k] for k in range(count))


def turned(draw: Random, theta: Direction) -> Direction:
    """θ turned a little in a random plane of two coordinates, its length kept in rationals."""
    j = draw.choice([i for i, v in enumerate(theta) if v])
    k = draw.choice([i for i in range(len(theta)) if i != j])
    t = Fraction(draw.choice([1, -1]), draw.randint(8, 40))
    cos, sin = (1 - t**2) / (1 + t**2), 2 * t / (1 + t**2)
    moved = list(theta)
    moved[j], moved[k] = cos * theta[j] - sin * theta[k], sin * theta[j] + cos * theta[k]
    return tuple(moved)


def anywhere(draw: Random, d: int) -> Direction:
    """A random unit vector of rationals, by stereographic projection."""
    t = [Fraction(draw.randint(-12, 12), draw.randint(1, 6)) for _ in range(d)]
    square = sum((v * v for v in t), Fraction(0))
    sign = draw.choice([1, -1])
    return (*(2 * v / (1 + square) for v in t), sign * (1 - square) / (1 + square))


def moved_value(draw: Random, case: Case, lent: list[Direction]) -> Fraction:
    """The value on these locations, with random ones that are no contacts added until the labels can be met."""
    contacts = {c.theta for c in case.contacts}
    while (found := least_masses(lent, case.points, case.y)) is None:
        lent = lent + [t for t in (anywhere(draw, case.d) for _ in range(2 * case.n)) if t not in contacts]
    return found[0]


@certificate("contacts and moved contacts")
def value(context: Context) -> Observation:
    """Exact linear programmes on contacts and elsewhere, against the value that a dual on all cells certifies."""
    draw = context.random()
    dearer, tried = 0, 0
    for k, case in enumerate((*known_cases(context.seed, context.choose(6, 30)), further_cases()[0])):
        shared = [c.theta for c in case.contacts]
        moved = moved_value(draw, case, [turned(draw, t) for t in shared for _ in range(4)] if k % 2 else [])
        tried += 1
        dearer += moved > case.value
        drawn = [Fraction(draw.randint(-99, 99) or 1, draw.choice((2, 9, 60, 400))) for _ in range(8)]
        if case.n < 3:  # values on a fine scale
            drawn += [aim / case.value for aim in evenly(-3, 4, 40)]
        for scale in (Fraction(1), *drawn):
            y = [scale * v for v in case.y]
            found = least_masses(shared, case.points, y)
            if found is None:
                raise ArithmeticError(f"{case.label}: the labels are not met on the contacts")
            given: dict[str, Value] = {"V": abs(scale) * case.value, "M": abs(scale) * moved}
            yield seen(found[0], f"{case.label} times {scale}", **given, x=case.x, y=tuple(y))
    yield Premise("on moved locations all data cost more", dearer == tried, f"{dearer} of {tried}")
    yield Step("V: from a dual that is feasible on every cell, in rationals")
    yield Step("compared with the linear programme on the contacts alone, by another solver, without any cell")


MOVED: dict[Candidate, str] = {
    Rule("moved", "the value on directions turned or drawn anew", lambda given: given["M"]): (
        "any locations serve as well"
    ),
    "2*V": "a location for each sign is paid twice",
    "V**2": "the total variation squared",
}

VALUE = claim(
    "dedios2020.equation_21",
    "problem (21)",
    "The linear programme over shared locations",
    """On the directions that minimisers of (20) may use, the contacts of one optimal dual, the linear programme min
    ‖z‖₁, Az = y, A_is = [x̃_i·θ_s]_+, has the value V of (20). On directions turned a little or drawn anew its value
    is larger.""",
    latex=r"\min\{\|z\|_1:Az=y\}=V,\qquad A_{is}=(\tilde x_i\cdot\theta_s)_+",
    hypotheses=("θ_s runs through all contacts",),
    domain=("V > 0",),
    formula="V",
    symbols={"V": "value of (20)"},
    controls=MOVED,
    checks=(value,),
    part_of="dedios2020.corollary_4_6",
    rests_on=("dedios2020.corollary_4_6",),
)


@certificate("largest matching")
def assignment(context: Context) -> Observation:
    """Directions matched to closed cells by augmenting paths, on data where cells are shared."""
    draw = context.random()
    for case in (*known_cases(context.seed, context.choose(8, 60)), *crowded_and_idle(), further_cases()[0]):
        for contacts in parts_of_contacts(draw, case):
            patterns = {tuple(s > 0 for s in signs(case, c)) for c in contacts}
            label = f"{case.label}, {len(contacts)} of them"
            yield seen(most_cells_told_apart(contacts), label, T=len(contacts), P=len(patterns), n=case.n)
    yield Step("largest matching between contacts and the closed cells that contain them")


def _no_more_than_data(given: Mapping[str, Value]) -> Value:
    return min(given["T"], given["n"])  # type: ignore[type-var]


ASSIGNED: dict[Candidate, str] = {
    Rule("by active data", "as many as different sets of active data", lambda given: given["P"]): (
        "a neuron's cell is told by its strictly active data"
    ),
    Rule("n", "at most as many as data", _no_more_than_data): "n columns suffice",
    "(T + 1)/2": "two directions to a cell",
}

ASSIGNMENT = claim(
    "dedios2020.equation_21_columns",
    "problem (21), the number of its columns",
    "A column for each cell",
    """For the total variation the T directions that minimisers may use can be given a closed cell each that contains
    it, all different. So (21) with one column per cell, n × S, is legitimate for a suitable choice, although a neuron
    does not determine its closed cell and one may hold two; and as the cell without active data holds none, T ≤ S - 1.
    Proof: a direction inside a cell excludes any other of that closed cell; one on a wall lies in two closed cells or
    more, and each holds two at most: Hall's theorem. Columns of cells that no direction is given to have no θ_s of
    their own; any in the cell will do.""",
    latex=r"\exists\,\text{injective }s\mapsto S(s):\ \theta_s\in C_{S(s)}",
    hypotheses=("w = |θ|",),
    domain=("T >= 1",),
    formula="T",
    symbols={"T": "number of directions"},
    controls=ASSIGNED,
    checks=(assignment,),
    part_of="dedios2020.corollary_4_6",
    see_also=("savarese2019.theorem_3_3_units", "stewart2022.theorem_1_regression"),
    formerly=("dedios2020.corollary_4_6_count",),
    rests_on=("dedios2020.corollary_4_6", "dedios2020.equation_21"),
)
