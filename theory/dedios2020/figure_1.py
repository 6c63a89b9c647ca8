"""Figure 1: how many neurons one cell can hold."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from implicitbias.claims import (
    Attached,
    Context,
    Flaw,
    Observation,
    Premise,
    Step,
    Value,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.formula import Assumption

from ..observed.measures.exact_cases import one_point, two_signs_inside, two_signs_on_walls, two_signs_one_pattern
from ..observed.measures.extended_cases import extended
from ..observed.measures.merged_neurons import both_signs, one_datum
from ..observed.measures.minimisers import (
    busiest_cell,
    busiest_cell_and_sign,
    busiest_pattern,
    crowded_cases,
    further_cases,
    known_cases,
)
from . import errata

PROVED_BY = (
    Step("p·y is the cost of the minimiser that was found, and |Σ p_i [θ·x̃_i]_+| ≤ w(θ) on every cell, in rationals"),
    Step("so every minimiser has its atoms where the bound is met; these directions are listed exactly"),
    Step("their features at the data are independent: the minimiser is the only one"),
)


@certificate("data with one minimiser")
def cells(context: Context) -> Observation:
    """Duals in rationals give all atoms of the only minimiser; those in each closed cell are counted.

    Where the most is claimed to be attained: for every number of data up to 9, in one to three dimensions.
    """
    certificates: list[Mapping[str, Any]] = []
    one_sign = True
    known = (*known_cases(context.seed, context.choose(6, 40)), *further_cases())
    for case, extreme in (*((c, True) for c in crowded_cases()), *((c, False) for c in known if c.unique)):
        most = busiest_cell(case.contacts)
        one_sign = one_sign and busiest_cell_and_sign(case.contacts) == 1
        atoms = tuple((m, *c.theta) for m, c in zip(case.masses, case.contacts, strict=True))
        given: dict[str, Value] = {"n": case.n, "d": case.d, "V": case.value, "x": case.x, "y": case.y, "atoms": atoms}
        yield seen(most, case.label, relation="=" if extreme else "<=", **given)
        if case.shift is None and case.d < 3 and len(certificates) < 6:
            certificates.append(case.document())
    yield Premise("every minimiser of the extreme cases is the only one", all(c.unique for c in crowded_cases()))
    yield Premise("no two atoms of one sign share a closed cell", one_sign)
    yield from PROVED_BY
    yield from map(Attached, certificates)


EVERY_MINIMISER: tuple[tuple[str, tuple[tuple[str, ...], ...], tuple[str, ...], tuple[str, ...] | None], ...] = (
    ("x = 0, 1", (("0",), ("1",)), ("-1/2", "1/2"), None),
    ("x = 0, 3/4", (("0",), ("3/4",)), ("-3/5", "3/4"), None),
    (
        "four points of the plane",
        (("-4/3", "5/4"), ("-4/3", "-5/4"), ("4", "1"), ("4", "-1")),
        ("0", "0", "1", "-1"),
        None,
    ),
    ("weight |θ| - 4b/5", (("-1",), ("1",)), ("-1", "1"), ("0", "-4/5")),
)
"""Label, points, labels, and the tilt l of the weight |θ| + l·θ."""


@certificate("certificates for every minimiser")
def documents(context: Context) -> Observation:
    """Minimisers in numbers a + b√D, and documents for the trusted checker: two atoms of opposite sign in one cell."""
    from implicitbias.certificate.kernel import check_certificate
    from implicitbias.convex.weighted.exact_minimiser import unique_minimiser

    valid = True
    for label, points, y, tilt in EVERY_MINIMISER:
        found = unique_minimiser(points, y, tilt)
        signs = [
            [sum((t * v for t, v in zip(atom.theta, x, strict=True)), Fraction(0)) for x in found.points]
            for atom in found.atoms
        ]
        counts = [
            sum(all(s >= 0 if on else s <= 0 for on, s in zip(pattern, row, strict=True)) for row in signs)
            for pattern in found.cells.patterns
        ]
        outcome = check_certificate(found.certificate())
        valid = valid and outcome.valid and "every minimiser has two atoms of opposite signs" in outcome.statement
        given: dict[str, Value] = {"n": len(points), "d": len(points[0]), "x": points, "y": y}
        if tilt:
            given["tilt"] = tilt
        yield seen(max(counts), label, **given)
        yield Attached(found.certificate())
    yield Premise("the trusted checker accepts every document, for every minimiser", valid)
    yield Step("optimality, uniqueness and the signs at the data are decided in the field of a + b√D")


@certificate("both conventions")
def patterns(context: Context) -> Observation:
    """The atoms of only minimisers, grouped by the data at which they are active, in the sense > 0 and ≥ 0."""
    found = set()
    cases = (two_signs_on_walls(), two_signs_one_pattern(), two_signs_inside())
    for case in cases:
        strict, weak = (busiest_pattern(case, strict) for strict in (True, False))
        found.add((strict, weak))
        given: dict[str, Value] = {"n": case.n, "d": case.d, "strict": strict, "weak": weak, "x": case.x, "y": case.y}
        yield seen(max(strict, weak), case.label, **given)
        if case.shift is None:
            yield Attached(case.document())
    yield Premise("neither convention alone is contradicted by every data set", {(1, 2), (2, 1)} <= found)
    yield Premise("the general weight contradicts both at once", (2, 2) in found)
    yield Premise("every minimiser is the only one", all(case.unique for case in cases))
    yield from PROVED_BY


@theorem("two neurons merged, and a network with both signs")
def two_signs() -> Observation:
    """One direction for each sign in a closed cell, by merging, whether of one minimiser or of all together. Of one
    datum only one sign is used; of more both are by [x]₊ - [3/5 - 4x/5]₊ through x = 0, 3/4 and any data between.
    """
    numbers: dict[str, Assumption] = {"n": "positive integer", "d": "positive integer"}
    yield shows(both_signs(), "n ≥ 2", for_all=numbers, assuming=("n >= 2",), n="n", d="d")
    yield shows(one_datum(), "n = 1", for_all={"d": "positive integer"}, n="1", d="d")


CELLS = claim(
    "dedios2020.figure_1_cells",
    "Figures 1.a and 1.b, proof of Theorem 4.2",
    "Neurons in one closed cell",
    """A minimiser of (20) has at most two neurons in a closed cell, one of each sign, and two occur for every number n
    ≥ 2 of data (for n = 1 there is one neuron): on x = 0, 3/4 with y = -3/5, 3/4 the only minimiser is [x]_+ less one
    neuron along (-4, 3)/5, both in the closed cell of all data; on four points of the plane the only minimiser has
    opposite neurons active on the same two points; for the weight |θ| - 4b/5 they lie strictly inside one open cell. No
    convention at the hinge saves Figure 1.a: the two are active on the same data with a·x + b ≥ 0 in the first example,
    with a·x + b > 0 in the second, in either sense in the third.""",
    latex=r"\max_S\#\{j:\theta_j\in C_S\}\le\min(n,2)",
    hypotheses=("closed cells, as the paper has them", "a minimiser that is the only one"),
    formula="Min(n, 2)",
    symbols={"n": "number of data", "d": "dimension of the inputs"},
    flaw=Flaw(errata.ONE_PER_CELL, "1"),
    controls={
        "Min(n, 3)": "one more per cell",
        "n": "as many as data",
        "Min(n, 2*d)": "two per direction of the inputs",
        "Min(n, 2, 5/d)": "fewer in more dimensions",
        "d + 1": "as many as the moment has entries",
    },
    checks=(two_signs, cells, documents, patterns),
    formerly=("dedios2020.figure_1_patterns",),
)


@certificate("contacts on the line")
def line(context: Context) -> Observation:
    """All contacts of exact duals on the line, grouped by the data at which they are strictly active.

    Among them one neuron, and two of opposite signs, that are active or at a hinge on the same 1 to 9 data.
    """
    alone = [extended(one_point((0,), 1), [(Fraction(k),) for k in range(1, n)]) for n in range(1, 10)]
    for case in (*known_cases(context.seed, context.choose(8, 60)), *crowded_cases(), *alone):
        if case.d == 1:
            yield seen(busiest_pattern(case, True), case.label, n=case.n, weak=busiest_pattern(case, False))
    yield Step("two contacts of one closed cell have opposite signs and lie on its two different rays")
    yield Step("their hinges are at data x_i ≠ x_j, and x_j is not active for the first nor x_i for the second")
    yield Step("then the first is active only beyond x_i, the second only beyond x_j: not on the same data")


LINE = claim(
    "dedios2020.figure_1_line",
    "next to Figure 1.a",
    "On the line the caption holds with strict activity",
    """For one input and the total variation, all minimisers together have at most one neuron for each set of strictly
    active data, of either sign. Proof: two contacts of one closed cell lie on its two rays, with hinges at different
    data; neither hinge datum is strictly active for the other neuron if the patterns agree, so one is active to the
    left of both data and the other to the right, on different points.""",
    latex=r"d=1:\quad\#\{j:\{i:\theta_j\cdot\tilde x_i>0\}=D'\}\le1",
    hypotheses=("d = 1", "w = |θ|"),
    formula="1",
    symbols={"weak": "most neurons active in the sense ≥ at the same data", "n": "number of data"},
    controls={"weak": "as with ≥", "2": "as in the plane", "Min(2, n)": "two from two data on"},
    checks=(line,),
    part_of="dedios2020.figure_1_cells",
    rests_on=("dedios2020.figure_1_cells",),
    own=True,
)
