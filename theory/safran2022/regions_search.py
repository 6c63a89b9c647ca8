"""Next to Theorem 4.2: a search for KKT points with many kinks, with the data free as well."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from implicitbias.claims import Context, Measured, Observation, Premise, claim, experiment, seen

from ..observed.margin.kink_search import patterns, solve


def label_rows(switches: int, points: int) -> Iterator[tuple[int, ...]]:
    """All labellings of this many points with this many switches that begin with +; the others are their negatives."""
    for cuts in combinations(range(1, points), switches):
        row, label = [], 1
        for i in range(points):
            label = -label if i in cuts else label
            row.append(label)
        yield tuple(row)


@experiment(
    "patterns with free data",
    acceptance="""Fixed after pilot runs: all patterns with up to s + 4 units and 2 or 3 points with multipliers (s = 0,
    1), 3 (s = 2); at full 4 as well, and s = 3. 16 starts and 30 steps per pattern, 60 and 40 at full. A solution
    counts if all equations hold to 1e-9 and all units are 1e-6 away from kinks where they must be. The statement holds
    if no solution has more kinks; if the known numbers of kinks are not reached, the search has no power: undecided. A
    pattern whose solutions a start meets with probability 0.2 is missed by 16 starts with probability 0.03.""",
    time_limit=1200,
)
def patterns_with_free_data(context: Context) -> Observation:
    """The most kinks of a solution of the equations, over all patterns that the rules for KKT points allow."""
    rng = context.rng()
    starts, steps = context.choose((16, 30), (60, 40))
    sizes = context.choose({0: (2, 3), 1: (2, 3), 2: (3,)}, {0: (2, 3), 1: (2, 3, 4), 2: (3, 4), 3: (4,)})
    tried, power = 0, []
    for s, counts in sizes.items():
        for n in counts:
            most = -1
            for labels in label_rows(s, n):
                for units in range(1, s + 5):
                    for slots in patterns(labels, units):
                        tried += 1
                        most = max(most, solve(rng, labels, slots, starts, steps))
            yield seen(max(most, 0), f"{n} points with multipliers", relation="<=", s=s, n=n)
            power.append((s, most))
    reached = {s: max(most for t, most in power if t == s) for s in sizes}
    yield Premise(
        "the search finds what is known: three kinks for s = 0, s + 1 for s = 1 and 2",
        reached[0] >= 3 and reached[1] >= 2 and reached[2] >= 3,
        ", ".join(f"{most} for s = {s}" for s, most in reached.items()),
    )
    yield Measured("patterns", tried)
    yield Measured("starts", tried * starts)


SEARCH = claim(
    "safran2022.regions_search",
    "next to Theorem 4.2",
    "Conjecture: at most s + 1 kinks",
    """A conjecture and a search for counterexamples: for s ≥ 1 label switches no KKT point has more than s + 1 kinks, s
    + 2 linear regions; for s = 0 three kinks occur, on special data. The search leaves the data free, lists all
    patterns of kinks that the rules allow for few points with multipliers, and solves their equations from many starts.
    What is proved is 6s + 4 kinks.""",
    latex=r"\#\{\text{kinks}\}\le s+1\quad(s\ge1),\qquad\le3\quad(s=0)",
    hypotheses=("few points with multipliers; numerical solutions, not certified",),
    formula="s + 1 + 2*Max(0, 1 - s)",
    symbols={"s": "label switches of the data", "n": "points with multipliers"},
    controls={
        "s + 1": "one kink at most for s = 0 too",
        "s": "one kink per switch",
        "n": "one kink per point with a multiplier",
        "2": "two kinks for any data",
    },
    checks=(patterns_with_free_data,),
    rests_on=("safran2022.regions_at_kkt_points",),
    own=True,
    conjecture=True,
    part_of="safran2022.theorem_4_2",
)
