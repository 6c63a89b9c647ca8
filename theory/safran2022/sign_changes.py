"""Beside Theorem 4.2: how often a network of given width can change its sign, exactly."""

from __future__ import annotations

from implicitbias.claims import Context, Derivation, Measured, Observation, Step, certificate, claim, proof, seen

from ..observed.margin.sign_change_proofs import at_most_two_for_three, attained, two_of_each
from ..observed.margin.sign_changes import PLACES


@proof("pieces and orientations")
def derive_strict(d: Derivation) -> None:
    """The bound by pieces, the cases r <= 3, the width-4 network and how to go on; a network with more refutes. At most
    one change a piece; r + 1 needs two units of each orientation; width 4 has them, and so on.
    """
    d.step(
        "r units have at most r kinks, so at most r + 1 pieces; a change is a zero or an interval of zeros with "
        "different signs beside it, a piece meets at most one such set, and no two meet the same piece only: at most "
        "r + 1 changes"
    )
    two_of_each(d)
    at_most_two_for_three(d)
    attained(d)
    d.concludes("0", "no unit: N = 0", r="0")
    for r in (1, 2, 3):
        d.concludes(r - 1, f"r = {r}", r=r)
    d.concludes("(m + 4) + 1", "r = m + 4", over={"m": "nonnegative integer"}, r="m + 4")


@certificate("exhaustive search")
def observe_strict(context: Context) -> Observation:
    """Exhaustive over the units with kinks on three grids, exact over all output weights; and explicit networks."""
    from ..observed.margin.sign_changes import alternating, search, strict_changes

    widest = context.choose(5, 6)
    instances, tried = [seen(0, "no unit", r=0)], 0
    for places in PLACES:
        for r in range(1, widest + 1):
            found = search(r, places[: max(5, r)], strict=True)
            tried += found.tried
            instances.append(seen(found.most, f"kinks among {places}", r=r))
    for r in (4, 5, 6, 7, 10, 20, 40):
        changes = strict_changes(alternating(r).to_piecewise_linear())
        instances.append(seen(changes, "an explicit network", relation="<=", r=r))
    note = "signs are possible unless a minimal linear dependence forbids them (Motzkin), so no weight is missed"
    yield from instances
    yield Measured("sets of units", tried)
    yield Step(note)


@certificate("exhaustive search")
def orientations(context: Context) -> Observation:
    """All sets of units with kinks on three grids, every output weight at once, exactly."""
    from ..observed.margin.sign_changes import search

    widest = context.choose(5, 6)
    tried = 0
    for places in PLACES:
        for width in range(1, widest + 1):
            for left in range(width + 1):
                found = search(width, places[: max(5, width)], strict=True, left=left)
                tried += found.tried
                yield seen(found.most, f"kinks among {places}", l=left, p=width - left)
    found = search(6, range(6), strict=True, left=3)  # more than two of each orientation bring no more
    yield seen(found.most, "kinks among 0, …, 5", l=3, p=3)
    yield Measured("sets of units", tried + found.tried)


SHARP = claim(
    "safran2022.sign_changes",
    "beside Theorem 4.2",
    "The sharp count of strict sign changes",
    """A network of width r has at most S(r) = 0, 0, 1, 2, 5, 6, 7, … strict sign changes for r = 0, 1, 2, …: S(r) = r -
    1 for 1 <= r <= 3 and S(r) = r + 1 for r >= 4, and this is attained. Proof: r kinks make r + 1 pieces with at most
    one change each. The first piece changes only with two units facing left, the last only with two facing right, so r
    + 1 needs r >= 4; a case split excludes r changes for r <= 3. Conversely -3[x]_+ + 4[x-1]_+ - 4[2-x]_+ + 3[3-x]_+
    changes five times, and every further unit adds a change.""",
    latex=r"S(r)=r-1\ (1\le r\le 3),\qquad S(r)=r+1\ (r\ge 4)",
    hypotheses=("m strict changes: N(x_0), …, N(x_m) alternate in sign, none 0", "no output bias, as in equation (1)"),
    formula="Max(0, r - 1) + 2*Min(1, Max(0, r - 3))",
    symbols={"r": "width of the network"},
    controls={
        "r": "one change a unit",
        "r + 1": "one change a piece, also for the narrowest networks",
        "Max(0, r - 1)": "N vanishes on one side of its kinks, as where all units face one way",
        "Max(0, r - 1) + Min(1, Max(0, r - 3))": "only one of the outer pieces changes",
        "Max(0, r - 1) + 2*Min(1, Max(0, r - 2))": "three units suffice for both outer changes",
    },
    checks=(derive_strict, observe_strict),
    own=True,
    part_of="safran2022.theorem_4_2",
)

ORIENTATIONS = claim(
    "safran2022.sign_changes_by_orientation",
    "beside Theorem 4.2",
    "Sign changes by the orientation of the units",
    """With l units facing left, p facing right and no constant unit the most strict sign changes are l + p - 1 + min(l,
    p, 2)·min(1, max(0, l + p - 3)): width 4 reaches five changes only with two and two, and 3, 4, 5, 4, 3 for l = 0, …,
    4 (found by exhaustive search; proved for l = 0 and up to width 4 beside S(r)).""",
    latex=r"l+p-1+\min(l,p,2)\,\min\big(1,\max(0,l+p-3)\big)",
    hypotheses=("l + p >= 1", "all w ≠ 0"),
    formula="l + p - 1 + Min(l, p, 2)*Min(1, Max(0, l + p - 3))",
    symbols={"l": "units with w < 0", "p": "units with w > 0"},
    controls={
        "l + p - 1": "as if all faced one way",
        "l + p - 1 + Min(l, p, 2)": "three units suffice",
        "l + p - 1 + 2*Min(1, l, p)*Min(1, Max(0, l + p - 3))": "one unit facing left is as good as two",
        "l + p + 1": "one change a piece",
    },
    checks=(orientations,),
    rests_on=("safran2022.sign_changes",),
    own=True,
    part_of="safran2022.theorem_4_2",
)
