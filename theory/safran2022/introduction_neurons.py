"""Section 1: how many neurons are needed at least."""

from __future__ import annotations

from implicitbias.claims import Context, Derivation, Identity, Observation, Step, certificate, claim, proof, seen

from ..observed.margin.sign_changes import PLACES, search


@proof("S increases strictly")
def increasing(d: Derivation) -> Observation:
    """S(r) > S(r - 1) for every r >= 1, so some strict teacher of width r needs r units; r always suffice."""
    from implicitbias.exact.symbolic import to_sympy

    (m,) = d.symbols(m="nonnegative integer")
    strict = {0: -1, 1: 0, 2: 1, 3: 2}  # without units N = 0, which classifies nothing
    for r in (1, 2, 3):
        d.nonnegative(f"S({r}) - S({r - 1}) - 1", to_sympy(str(strict[r] - strict[r - 1] - 1), {}))
    d.nonnegative("S(4) - S(3) - 1 = 5 - 2 - 1", to_sympy("5 - 2 - 1", {}))
    d.nonnegative("S(m + 5) - S(m + 4) - 1 = (m + 6) - (m + 5) - 1", (m + 6) - (m + 5) - 1)
    d.step("so some data with S(r) switches, labelled by a teacher of width r, are misclassified by every narrower one")
    d.step("c·N* has width r, and its loss tends to 0 as c grows: every margin grows, and P(N* = 0) = 0")
    yield from (Identity(f"r = {r}", {}, {"r": str(r)}, str(r)) for r in (1, 2, 3))
    yield Identity("r = m + 4", {"m": "nonnegative integer"}, {"r": "m + 4"}, "m + 4")


@certificate("exhaustive search")
def narrowest(context: Context) -> Observation:
    """The narrowest networks that switch as often as the best of width r, on three grids."""
    for places in PLACES:
        most = [-1, *(search(r, places[:5], strict=True).most for r in range(1, 6))]
        for r in range(1, 6):
            needed = next(m for m in range(r + 1) if most[m] >= most[r])
            yield seen(needed, f"kinks among {places[:5]}", r=r)
    yield Step("the least width whose networks switch as often")


MINIMAL = claim(
    "safran2022.introduction_minimal_neurons",
    "Section 1, on the minimal number of neurons",
    "Fewest neurons for arbitrarily small loss",
    """Over teachers of width r that vanish with probability 0, the least number of neurons that reaches arbitrarily
    small loss is r in the worst case, for every r >= 1: the scaled teacher has r, and since S(r) > S(r - 1) some
    teacher has labels that no narrower network fits.""",
    latex=r"\max_{N^*}\min\{m:\inf_{N\text{ of width }m}L_D(N)=0\}=r",
    hypotheses=("P(N*(x) = 0) = 0",),
    formula="r",
    symbols={"r": "width of the teacher"},
    controls={
        "r + 1": "as if r units gave at most r - 1 switches and r were required",
        "r - 1": "one change per piece for every width",
        "Max(1, r - 1)": "r - 1 units for r switches",
    },
    checks=(increasing, narrowest),
    part_of="safran2022.theorem_3_2",
    rests_on=("safran2022.sign_changes",),
)
