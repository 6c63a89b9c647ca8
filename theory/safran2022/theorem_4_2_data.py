"""Theorem 4.2: how often a sample satisfies its hypothesis y_i N*(x_i) > 0."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from implicitbias.claims import Context, Flaw, Observation, Step, certificate, claim, seen

from . import errata


@certificate("all samples from a grid")
def strict_samples(context: Context) -> Observation:
    """All samples of n points of a uniform distribution on a grid: how many have y_i N*(x_i) > 0 throughout."""
    from implicitbias.functions.network import Network

    teachers = (
        ("[x]_+", Network([1], [0], [1])),
        ("[x - 1/2]_+ - 2[x - 1]_+", Network([1, 1], [Fraction(-1, 2), -1], [1, -2])),
        ("1", Network([0], [1], [1])),
        ("[-x - 1]_+ + [x - 1]_+", Network([-1, 1], [-1, -1], [1, 1])),
    )
    eight = [Fraction(j, 4) for j in (-7, -5, -3, -1, 1, 3, 5, 7)]
    cases = [(name, teacher, eight, 4) for name, teacher in teachers]
    # [x - t]_+ is positive on the cells right of t
    for cells, largest in ((2, 9), (3, 9), (5, 5), (8, 4), (15, 3), (33, 2)):
        grid = [Fraction(2 * j + 1, cells) - 1 for j in range(cells)]
        for zeros in range(cells + 1):
            t = Fraction(2 * zeros, cells) - 1
            cases.append((f"[x - ({t})]_+", Network([1], [-t], [1]), grid, largest))
    for name, teacher, grid, largest in cases:
        strict = {x: teacher(x) != 0 for x in grid}
        share = Fraction(sum(strict.values()), len(grid))
        for n in range(1, largest + 1):
            good = sum(all(strict[x] for x in sample) for sample in product(grid, repeat=n))
            yield seen(Fraction(good, len(grid) ** n), f"N* = {name}, {len(grid)} points", p=share, n=n)
    yield Step("D uniform on ±1/4, ±3/4, ±5/4, ±7/4, and on 2 to 33 points of [-1, 1]; all samples listed")


STRICT = claim(
    "safran2022.theorem_4_2_strict_teacher",
    "Theorem 4.2 as used for Corollary 5.1 and Theorem 2.3",
    "Probability of the strict hypothesis",
    """Theorem 4.2 supposes y_i N*(x_i) > 0 for all data, Assumption 2.2 and Corollary 5.1 only y_i = sign(N*(x_i)) with
    sign(0) = -1. A sample of n has the strict property with probability p^n, p = P(N*(x) ≠ 0): for N* = [x]_+ and a
    symmetric distribution 2^-n. What the proof uses is the number of switches, at most r + 1 in both cases, so
    supposing y_i = sign(N*(x_i)) in Theorem 4.2 repairs the step.""",
    latex=r"P(\forall i:y_iN^*(x_i)>0)=P(N^*(x)\ne 0)^n",
    hypotheses=("independent data", "y = sign(N*(x)), sign(0) = -1"),
    domain=("0 <= p", "p <= 1", "n >= 1"),
    formula="p**n",
    symbols={"p": "P(N*(x) ≠ 0)", "n": "sample size"},
    flaw=Flaw(errata.STRICT_LABELS),
    controls={
        "1": "every sample covered",
        "p": "one datum decides for all",
        "1 - (1 - p)**n": "some datum is strict",
        "p**(n - 1)": "switches between neighbours counted",
    },
    checks=(strict_samples,),
    rests_on=("safran2022.introduction_sign_changes",),
    part_of="safran2022.theorem_4_2",
)
