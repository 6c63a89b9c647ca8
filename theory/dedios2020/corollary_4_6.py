"""Corollary 4.6: on the sphere every solution of (20) is a finite sum; how finite."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from implicitbias.claims import Attached, Context, Observation, Premise, Step, certificate, claim, seen
from implicitbias.exact.vectors import dot, relu

from ..observed.measures.exact_cases import HALF_ANGLES
from ..observed.measures.minimisers import busiest_cell, busiest_face, further_cases, known_cases

Atom = tuple[Fraction, tuple[Fraction, ...]]


def nothing_on_the_data(draw: Random, d: int) -> list[Atom]:
    """Neurons that add up to 0 everywhere: [t]_+ - [-t]_+ = t for t = θ·x̃ and for its coordinates."""
    p, q = draw.choice(HALF_ANGLES)
    long = Fraction(1, 1) * (p**2 + q**2)
    j, k = draw.sample(range(d + 1), 2)
    theta = [Fraction(0)] * (d + 1)
    theta[j] = draw.choice([1, -1]) * Fraction(abs(p**2 - q**2)) / long
    theta[k] = draw.choice([1, -1]) * Fraction(2 * p * q) / long
    atoms: list[Atom] = []
    for size, direction in [(Fraction(1), tuple(theta))] + [
        (-value, tuple(Fraction(int(i == at)) for i in range(d + 1))) for at, value in enumerate(theta) if value
    ]:
        atoms += [(size, direction), (-size, tuple(-t for t in direction))]
    scale = Fraction(draw.randint(1, 9), 4)
    return [(scale * z, direction) for z, direction in atoms]


def outputs(atoms: Sequence[Atom], points: Sequence[tuple[Fraction, ...]]) -> tuple[Fraction, ...]:
    return tuple(sum((z * relu(dot(theta, x)) for z, theta in atoms), Fraction(0)) for x in points)


@certificate("costs of other interpolants")
def slack(context: Context) -> Observation:
    """Networks through the data, optimal and not, in rationals; the dual shows V and their excess."""
    draw = context.random()
    through = True
    for k, case in enumerate(known_cases(context.seed, context.choose(4, 30))):
        best: list[Atom] = [(m, c.theta) for m, c in zip(case.masses, case.contacts, strict=True)]
        for added in range(3):
            atoms = list(best)
            for _ in range(added):
                atoms += nothing_on_the_data(draw, case.d)
            through = through and outputs(atoms, case.points) == case.y and all(dot(t, t) == 1 for _, t in atoms)
            slack = Fraction(0)
            for z, theta in atoms:
                price = dot(case.p, [relu(dot(theta, x)) for x in case.points])
                slack += abs(z) - z * price
            cost = sum((abs(z) for z, _ in atoms), Fraction(0))
            yield seen(cost, f"{case.label}, {len(atoms)} neurons", V=case.value, D=slack, n=case.n, N=len(atoms))
        if k < 6:
            yield Attached(case.document())
    yield Premise("every network passes through the data, its directions of length one", through)
    yield Step(
        "p·y = Σ_j c_j g(θ_j) for every interpolant, so its cost is", "Σ|c_j| = p·y + Σ|c_j|(1 - sgn(c_j)g(θ_j))"
    )
    yield Step("p·y = V, and |g| ≤ 1: a neuron where sgn(c)g < 1 makes the network cost more than V")
    yield Step("|g| = 1 at one direction at most for each closed cell and sign: the projection of ±v on the cell")


SLACK = claim(
    "dedios2020.corollary_4_6",
    "Corollary 4.6, problem (20)",
    "Every solution lives on finitely many points",
    """Let p solve the dual of (20), max p·y with |g| ≤ 1 on the sphere, g(θ) = Σ p_i [θ·x̃_i]_+. Then every measure ν
    through the data costs V + ∫(1 - sgn(ν) g) d|ν|. So all solutions live where |g| = 1, with the sign of g: on
    finitely many points, at most one for each closed cell and sign, which a single p determines. (For their number the
    paper refers to Theorem 4.7; Theorem 4.2 is meant.)""",
    latex=r"\|\nu\|_{TV}=V+\int(1-\operatorname{sgn}(\nu)g)\,d|\nu|,\quad g(\theta)=\sum_ip_i(\theta\cdot\tilde x_i)_+",
    formula="V + D",
    symbols={"V": "the least total variation", "D": "mass times 1 - sgn(ν)g", "n": "number of data", "N": "neurons"},
    controls={
        "V": "every interpolant is optimal",
        "V + D/2": "slack counted half",
        "V + D/N": "slack averaged over the neurons",
        "V + n*D": "slack counted for each datum",
    },
    checks=(slack,),
    rests_on=("dedios2020.theorem_4_2",),
)


@certificate("all contacts")
def count(context: Context) -> Observation:
    """All directions of all solutions counted in rationals, against the number of cells."""
    for case in (*known_cases(context.seed, context.choose(8, 60)), further_cases()[0]):
        yield seen(
            len(case.contacts), case.label, relation="=" if case.n == 1 else "<=", S=case.cells, n=case.n, d=case.d
        )
    yield Step("a contact inside a cell is ±v, of length 1; the cell holds no other, as -v is not in it")
    yield Step("a contact on a wall lies in two closed cells at least, and a closed cell holds two contacts at most")
    yield Step("by Hall's theorem the contacts can be given a closed cell each; the one without active data holds none")


COUNT = claim(
    "dedios2020.corollary_4_6_count",
    "next to Corollary 4.6",
    "At most S - 1 neurons for the total variation",
    """All solutions of (20) together use at most S - 1 directions, S the number of cells, although a closed cell can
    hold two: equality for one datum. Proof: a contact inside a cell excludes any other of that closed cell; one on a
    wall lies in two closed cells or more, and each holds two contacts at most. So by Hall's theorem the contacts can be
    given a cell each, and the cell without active data holds none.""",
    latex=r"\#\{\theta:|g(\theta)|=1\}\le S-1",
    hypotheses=("w = |θ|",),
    formula="S - 1",
    symbols={"S": "number of cells", "n": "number of data", "d": "dimension of the inputs"},
    controls={
        "n": "as few as data",
        "S - 2": "one fewer",
        "S/2": "antipodal cells share one",
        "2*(S - 1)": "two for each cell, as far as Theorem 4.2 says",
        "n**d": "n^d read as the number of cells",
    },
    checks=(count,),
    part_of="dedios2020.corollary_4_6",
    see_also=("savarese2019.theorem_3_3_units", "stewart2022.theorem_1_regression"),
    rests_on=("dedios2020.corollary_4_6",),
    own=True,
)


@certificate("contacts by their signs")
def faces(context: Context) -> Observation:
    """All directions of all solutions, grouped by their signs at the data, in rationals."""
    for case in (*known_cases(context.seed, context.choose(8, 60)), further_cases()[0]):
        yield seen(
            busiest_face(case), case.label, n=case.n, closed=busiest_cell(case.contacts), T=len(case.contacts), x=case.x
        )
    yield Step("on the span of a relatively open face F, g is v·θ; let q be the projection of v on span F")
    yield Step("a contact θ of sign σ in F is where v·θ is extremal on the unit sphere of span F, so σq = θ")
    yield Step("two contacts of F are q and -q then, or equal; but θ and -θ have different signs at the data")


FACES = claim(
    "dedios2020.corollary_4_6_faces",
    "next to Corollary 4.6 and Figure 1.b",
    "One neuron for each relatively open face",
    """For the total variation, call neurons alike if θ·x̃_i has the same sign, +, - or 0, at every datum. Then all
    solutions of (20) together have at most one neuron of each kind, of either sign of c. Proof: on the span of such a
    face g is linear, so a contact is plus or minus the same unit vector, and θ, -θ are not alike where θ is active
    somewhere. With this reading of the cells, one neuron per cell is correct.""",
    latex=r"\#\{\theta\in F:|g(\theta)|=1\}\le1\ \text{for every relatively open face }F",
    hypotheses=("w = |θ|",),
    formula="1",
    symbols={"closed": "most neurons in one closed cell", "T": "number of neurons", "n": "number of data"},
    controls={"closed": "closed cells do as well", "2": "one of each sign", "Min(n, T)": "all of one kind"},
    checks=(faces,),
    part_of="dedios2020.corollary_4_6",
    rests_on=("dedios2020.corollary_4_6",),
    own=True,
)
