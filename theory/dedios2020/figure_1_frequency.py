"""Figure 1 on ordinary data: how often a closed cell holds neurons of both signs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from implicitbias.claims import Context, Interval, Measured, Observation, Point, Premise, Step, claim, experiment, seen
from implicitbias.exact.sampling import proportion_interval

DATA = 6
LEVEL = 0.99
SETS_PER_JOB = 15
SOLVED = Fraction(1, 10**20)
"""The relative gap of the bounds at which the places of the atoms count as known: most are solved to 1e-26, and one
that was solved to 1e-13 had an atom of a millionth of the mass beside the right one."""


def parameters(context: Context) -> Sequence[Point]:
    count = context.choose(6, 20, 60)
    return [{"seed": context.seed % 10**9 + k, "sets": SETS_PER_JOB, "n": DATA} for k in range(count)]


def count_shared(parameters: Mapping[str, Any], device: str) -> Mapping[str, Any]:
    """The number of random data sets whose minimiser has two atoms in one closed cell, or active on the same data.

    opposite, alike  two atoms of opposite or of equal sign share a closed cell;  strict  two have the same pattern
    """
    import numpy as np

    from implicitbias.convex.weighted.least import weighted_interpolant

    generator = np.random.default_rng(parameters["seed"])
    opposite = alike = strict = solved = 0
    for _ in range(parameters["sets"]):
        x = np.sort(generator.uniform(-2, 2, parameters["n"]))
        y = generator.standard_normal(parameters["n"])
        found = weighted_interpolant([[float(t)] for t in x], [float(v) for v in y])
        if found.contacts is None or found.gap > SOLVED:
            continue
        solved += 1
        shared = [
            (a.sign == b.sign, a.pattern == b.pattern)
            for k, a in enumerate(found.contacts)
            for b in found.contacts[:k]
            if any(_holds(cell, a) and _holds(cell, b) for cell in found.cells.patterns)
        ]
        opposite += any(not same for same, _ in shared)
        alike += any(same for same, _ in shared)
        strict += any(patterns for _, patterns in shared)
    return {"opposite": opposite, "alike": alike, "strict": strict, "solved": solved}


def _holds(cell: Sequence[bool], contact: Any) -> bool:
    """Whether the closed cell contains the contact: equal patterns but at its walls."""
    return all(
        i in contact.walls or bool(on) == active
        for i, (on, active) in enumerate(zip(cell, contact.pattern, strict=True))
    )


@experiment(
    "random data sets",
    parameters,
    count_shared,
    acceptance="""90 data sets (300 at full), seeds from the run: Clopper-Pearson interval of the probability at 99 %;
    accepted if its lower end is at least 2/5, refuted if its upper end is below. A data set that is not solved to
    1e-20 counts against the claim at the lower end and for it at the upper one; nine in ten must be solved. Pilot runs
    at seeds 0 to 5 and 9, of 60 data sets each: 33 to 46, together 273 of 420, with which 49 of 90, the fewest
    accepted, are missed in fewer than one run of a hundred. Seeds 7 and 10 to 19, at which data sets that are not
    solved were left out, are pilots too.""",
)
def observe(context: Context) -> Observation:
    """Minimisers of random data sets, their atoms' closed cells compared."""
    totals = {
        name: sum(int(out[name]) for out in context.outputs) for name in ("opposite", "alike", "strict", "solved")
    }
    asked = SETS_PER_JOB * len(context.outputs)
    unsolved = asked - totals["solved"]
    share = Interval(
        proportion_interval(totals["opposite"], asked, 1 - LEVEL).lower,
        proportion_interval(totals["opposite"] + unsolved, asked, 1 - LEVEL).upper,
    )
    yield seen(share, f"{DATA} data on the line", relation=">=", n=DATA)
    yield Premise(
        "nearly all data sets solved to 1e-20", totals["solved"] >= asked * 9 // 10, f"{totals['solved']} of {asked}"
    )
    yield Premise("no closed cell holds two atoms of one sign", totals["alike"] == 0)
    yield Premise("no two atoms are strictly active on the same data", totals["strict"] == 0)
    yield Step("the minimiser found uses all directions that any uses, or nearly: it comes from an interior point")
    yield Measured("data sets with both signs in one closed cell", totals["opposite"])
    yield Measured("data sets", totals["solved"])


FREQUENCY = claim(
    "dedios2020.figure_1_frequency",
    "next to Figure 1 and Theorem 4.7",
    "Both signs in one closed cell on ordinary data",
    """Not only chosen data are affected: for six inputs uniform on [-2, 2] with standard normal labels a minimiser of
    (20) has neurons of both signs in one closed cell with probability at least two in five. On the line, two neurons of
    one sign never shared a closed cell, and no two neurons had the same strictly active data.""",
    latex=r"\Pr[\exists S:\ \theta_+,\theta_-\in C_S]\ge\tfrac25",
    hypotheses=("n = 6, x uniform on [-2, 2], y standard normal", "d = 1"),
    formula="2/5",
    symbols={"n": "number of data"},
    controls={"9/10": "nearly always", "1 - 1/n**2": "nearly always, and more so with more data", "1": "always"},
    checks=(observe,),
    part_of="dedios2020.figure_1_cells",
    rests_on=("dedios2020.figure_1_cells", "dedios2020.figure_1_line"),
    own=True,
)
