"""Beside Assumption 2.2 and Theorem 4.2: sign changes at prescribed places, the least width for data and targets."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from implicitbias.claims import Context, Derivation, Measured, Observation, Step, certificate, claim, proof, seen

from ..observed.margin.sign_change_proofs import any_five_places
from ..observed.margin.sign_changes import PLACES


@proof("four units with any five zeros")
def derive_least_width(d: Derivation) -> None:
    """The construction for all places; the sharp count from below."""
    d.step("m units switch strictly at most S(m) times: s switches need m with S(m) >= s", "S = 0, 0, 1, 2, 5, 6, 7, …")
    d.step("s <= 3: zero on an interval of -1, a unit a switch, less a small constant: s + 1 units, any places")
    any_five_places(d)
    d.step("s = 4: a fifth switch behind the data")
    for s, m in ((0, 1), (1, 2), (2, 3), (3, 4), (4, 4)):
        d.concludes(m, f"s = {s}", s=s)
    d.concludes("4 + j", "s = j + 5", over={"j": "nonnegative integer"}, s="j + 5")


@certificate("random data")
def observe_least_width(context: Context) -> Observation:
    """Separating networks in rationals for up to 13 switches; exhaustive search below. Random data with runs of equal
    labels, a network that separates them; no narrower one switches so often.
    """
    from ..observed.margin.prescribed_zeros import separating
    from ..observed.margin.sign_changes import search

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
            label = "separated, and fewer units never switch so often" if sharp else "separated"
            yield seen(network.width, label, relation="=" if sharp else "<=", s=s)
    yield Step("labels in runs of one to three, places even and cubed")


LEAST_WIDTH = claim(
    "safran2022.sign_changes_least_width",
    "beside Theorem 4.2",
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
        "s + 1": "a unit a run of labels",
        "s": "a unit a switch",
        "Max(1, s - 1)": "s - 1 units from the start",
        "Min(s + 1, Max(4, s))": "four units switch at prescribed places four times only",
    },
    checks=(derive_least_width, observe_least_width),
    rests_on=("safran2022.sign_changes",),
    own=True,
    part_of="safran2022.theorem_4_2",
)


@proof("four units with any five zeros")
def derive_targets(d: Derivation) -> None:
    """The construction for all places; the sharp count with sign(0) = -1 from below."""
    d.step("c changes of sign, sign(0) = -1, need width m with c <= m for m <= 3, c <= m + 1 for m >= 4")
    d.step("c <= 4: zero on the first interval of -1, a unit a switch: c units")
    any_five_places(d)
    for c in (1, 2, 3, 4):
        d.concludes(c, f"c = {c}", c=c)
    d.concludes("4 + j", "c = j + 5", over={"j": "nonnegative integer"}, c="j + 5")


@certificate("random targets")
def observe_targets(context: Context) -> Observation:
    """Exact signs on the whole range for up to 13 changes; exhaustive search below. Random targets, the network's sign
    compared with theirs everywhere; and the most changes of narrower networks.
    """
    from ..observed.data.targets import agrees, network_for
    from ..observed.margin.prescribed_zeros import changing_at
    from ..observed.margin.sign_changes import search

    draw = context.random()
    most = [0, *(search(m, PLACES[0], strict=False).most for m in (1, 2, 3, 4, 5))]
    for c in range(1, 14):
        for first in (1, -1):
            switches = sorted(Fraction(p, 100) for p in draw.sample(range(-199, 200), c))
            network = changing_at(switches, first) if c >= 5 else network_for(switches, first)
            if not agrees(network, switches, first, Fraction(2)):
                raise ArithmeticError(f"the sign differs: {switches}, {first}")
            needed = next((m for m, changes in enumerate(most) if changes >= c), None)
            sharp = network.width == needed
            yield seen(network.width, "the target's network", relation="=" if sharp else "<=", c=c)
    evenly = all(a < b for a, b in pairwise(most))
    yield Measured("wider networks change more often", evenly)


TARGETS = claim(
    "safran2022.assumption_2_2_least_teacher",
    "beside Assumption 2.2",
    "The least width of a teacher for a given target",
    """A target with c >= 1 sign changes at any places, -1 at each of them, is the sign of a network of width min(c,
    max(4, c - 1)) and of no narrower one: c units for c <= 4, one fewer from five changes on. So for r >= 4 the remark
    after Assumption 2.2 holds even with r + 1 changes.""",
    latex=r"\min\{r:f=\operatorname{sign}N^*\}=\min(c,\max(4,c-1))",
    hypotheses=("sign(0) = -1, so {+1} is open",),
    formula="Min(c, Max(4, c - 1))",
    symbols={"c": "number of sign changes, at least 1"},
    controls={
        "c": "a unit a change throughout",
        "Max(1, c - 1)": "r + 1 changes for every r",
        "Min(c, Max(4, c - 2))": "two changes for the first unit beyond four",
        "Min(c + 1, Max(4, c - 1))": "strict signs everywhere",
    },
    checks=(derive_targets, observe_targets),
    rests_on=("safran2022.assumption_2_2_teacher", "safran2022.introduction_sign_changes"),
    own=True,
    part_of="safran2022.theorem_2_3",
)
