"""Next to Theorem 4.2: how often a network of given width changes its sign, and the least width for given data."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from implicitbias.claims import Context, Derivation, Measured, Observation, Step, certificate, claim, proof, seen

from ..observed.margin.prescribed_zeros import separating
from ..observed.margin.sign_change_proofs import any_five_places, at_most_two_for_three, attained, two_of_each
from ..observed.margin.sign_changes import PLACES, alternating, search, strict_changes


@proof("pieces and orientations")
def by_pieces(d: Derivation) -> None:
    """At most one change per piece; r + 1 changes need two units of each orientation, which width 4 has; r <= 3."""
    d.step(
        "r units have at most r kinks, so at most r + 1 pieces; a change is a zero or an interval of zeros with "
        "different signs on its sides, a piece meets at most one such set, and no two meet the same piece only: at "
        "most r + 1 changes"
    )
    two_of_each(d)
    at_most_two_for_three(d)
    attained(d)
    d.concludes("0", "no unit: N = 0", r="0")
    for r in (1, 2, 3):
        d.concludes(r - 1, f"r = {r}", r=r)
    d.concludes("(m + 4) + 1", "r = m + 4", over={"m": "nonnegative integer"}, r="m + 4")


@certificate("exhaustive search")
def strict_searches(context: Context) -> Observation:
    """Exhaustive over the units with kinks on three grids, exact over all output weights; and explicit networks."""
    widest = context.choose(5, 6)
    tried = 0
    yield seen(0, "no unit", r=0)
    for places in PLACES:
        for r in range(1, widest + 1):
            found = search(r, places[: max(5, r)], strict=True)
            tried += found.tried
            yield seen(found.most, f"kinks among {places}", r=r)
    for r in (4, 5, 6, 7, 10, 20, 40):
        changes = strict_changes(alternating(r).to_piecewise_linear())
        yield seen(changes, "an explicit network", relation="<=", r=r)
    yield Measured("sets of units", tried)
    yield Step("signs are possible unless a minimal linear dependence forbids them (Motzkin), so no weight is missed")


@certificate("exhaustive search")
def oriented_searches(context: Context) -> Observation:
    """All sets of units with kinks on three grids, every output weight at once, exactly; and explicit networks."""
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
    for left, right in product((2, 3, 4, 5, 8), repeat=2):  # one change on each of l + p + 1 pieces, and so the most
        f = alternating(left + right, left).to_piecewise_linear()
        changes = strict_changes(f)
        sharp = changes == len(f.knots) + 1 == left + right + 1
        yield seen(changes, "an explicit network", relation="=" if sharp else "<=", l=left, p=right)
    yield Measured("sets of units", tried + found.tried)


SHARP = claim(
    "safran2022.sign_changes",
    "next to Theorem 4.2",
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
        "r": "one change per unit",
        "r + 1": "one change per piece, also for the narrowest networks",
        "Max(0, r - 1)": "N vanishes on one side of its kinks, as if all units faced one way",
        "Max(0, r - 1) + Min(1, Max(0, r - 3))": "only one of the outer pieces changes",
        "Max(0, r - 1) + 2*Min(1, Max(0, r - 2))": "three units suffice for both outer changes",
    },
    checks=(by_pieces, strict_searches),
    own=True,
    part_of="safran2022.theorem_4_2",
)

ORIENTATIONS = claim(
    "safran2022.sign_changes_by_orientation",
    "next to Theorem 4.2",
    "Sign changes by the orientation of the units",
    """With l units facing left, p facing right and no constant unit the most strict sign changes are l + p - 1 + min(l,
    p, 2)·min(1, max(0, l + p - 3)): width 4 reaches five changes only with two and two, and 3, 4, 5, 4, 3 for l = 0, …,
    4 (found by exhaustive search up to width 5; with two units of each orientation it is S(l + p); proved for l = 0 and
    up to width 4 too).""",
    latex=r"\max\#\text{changes}=l+p-1+\min(l,p,2)\,\min\big(1,\max(0,l+p-3)\big)",
    hypotheses=("l + p >= 1", "all w ≠ 0"),
    formula="l + p - 1 + Min(l, p, 2)*Min(1, Max(0, l + p - 3))",
    symbols={"l": "units with w < 0", "p": "units with w > 0"},
    controls={
        "l + p - 1": "as if all units faced one way",
        "l + p - 1 + Min(l, p, 2)": "three units suffice",
        "l + p - 1 + 2*Min(1, l, p)*Min(1, Max(0, l + p - 3))": "one unit facing left is as good as two",
        "l + p + 1": "one change per piece",
    },
    checks=(oriented_searches,),
    rests_on=("safran2022.sign_changes",),
    own=True,
    part_of="safran2022.theorem_4_2",
)


@proof("four units with any five zeros")
def narrowest_separating(d: Derivation) -> None:
    """The construction for all places; the sharp count from below."""
    d.step("m units switch strictly at most S(m) times: s switches need m with S(m) >= s", "S = 0, 0, 1, 2, 5, 6, 7, …")
    d.step("s <= 3: zero on an interval of -1, one unit per switch, less a small constant: s + 1 units, any places")
    any_five_places(d)
    d.step("s = 4: a fifth switch behind the data")
    for s, m in ((0, 1), (1, 2), (2, 3), (3, 4), (4, 4)):
        d.concludes(m, f"s = {s}", s=s)
    d.concludes("4 + j", "s = j + 5", over={"j": "nonnegative integer"}, s="j + 5")


@certificate("random data")
def random_data(context: Context) -> Observation:
    """Random data with up to 13 switches, a network that separates them; the most switches of narrower ones, by
    exhaustive search.
    """
    draw = context.random()
    most = [-1, *(search(m, PLACES[0], strict=True).most for m in (1, 2, 3, 4, 5))]
    for s in range(14):
        for clumped in (False, True):
            lengths = [draw.randint(1, 3) for _ in range(s + 1)]
            first = draw.choice((1, -1))
            labels = [first * (-1) ** i for i, length in enumerate(lengths) for _ in range(length)]
            pool = [Fraction(p, 10) for p in draw.sample(range(-500, 500), len(labels))]
            x = sorted(p**3 if clumped else p for p in pool)
            network = separating(x, labels)
            if any(y * network(place) <= 0 for place, y in zip(x, labels, strict=True)):
                raise ArithmeticError(f"the network of {s} switches does not separate {x}")
            needed = next((m for m, changes in enumerate(most) if changes >= s), None)
            sharp = network.width == needed if needed is not None else False
            label = "separated, and fewer units never switch that often" if sharp else "separated"
            yield seen(network.width, label, relation="=" if sharp else "<=", s=s)
    yield Step("labels in runs of one to three, places even and cubed")


LEAST_WIDTH = claim(
    "safran2022.sign_changes_least_width",
    "next to Theorem 4.2",
    "The least width that separates given data",
    """Data on the line with s label switches, wherever they lie, are separated strictly by a network of width min(s +
    1, max(4, s - 1)) = 1, 2, 3, 4, 4, 4, 5, 6, … for s = 0, 1, 2, …, and by no narrower one: four units have their
    zeros at any five prescribed places, and every further switch takes one unit. The places do not matter, only their
    number.""",
    latex=r"\min\{m:\exists N,\ y_iN(x_i)>0\}=\min(s+1,\max(4,s-1))",
    hypotheses=("distinct x_i, or equal labels where they are equal", "no output bias, as in equation (1)"),
    formula="Min(s + 1, Max(4, s - 1))",
    symbols={"s": "number of label switches"},
    controls={
        "s + 1": "one unit per run of labels",
        "s": "one unit per switch",
        "Max(1, s - 1)": "s - 1 units from the start",
        "Min(s + 1, Max(4, s))": "four units switch at prescribed places four times only",
    },
    checks=(narrowest_separating, random_data),
    rests_on=("safran2022.sign_changes",),
    own=True,
    part_of="safran2022.theorem_4_2",
    formerly=("safran2022.introduction_minimal_neurons_zeros",),
)
