"""Beside Assumption 2.2 and Theorem 4.2: sign changes at prescribed places, the least width for data and targets."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Identity, Instance, Step
from implicitbias.claims.statement import OWN_RESULT, Claim, Control, Source

from .sign_changes import PLACES

if TYPE_CHECKING:
    from implicitbias.claims.derivation import Derivation


def derive_least_width(context: Context) -> Evidence:
    from implicitbias.claims.derivation import Derivation

    d = Derivation()
    d.step("m units switch strictly at most S(m) times: s switches need m with S(m) >= s", "S = 0, 0, 1, 2, 5, 6, 7, …")
    d.step("s <= 3: zero on an interval of -1, a unit a switch, less a small constant: s + 1 units, any places")
    any_five_places(d)
    d.step("s = 4: a fifth switch behind the data")
    cases = [Identity(f"s = {s}", {}, {"s": str(s)}, str(m)) for s, m in ((0, 1), (1, 2), (2, 3), (3, 4), (4, 4))]
    cases.append(Identity("s = j + 5", {"j": "nonnegative integer"}, {"s": "j + 5"}, "4 + j"))
    return Evidence(identities=tuple(cases), steps=d.steps)


def any_five_places(d: Derivation) -> None:
    """Four units have zeros at any z_0 < … < z_4: where their kinks lie, and that the zeros are where they belong."""
    from implicitbias.exact.symbolic import symbol

    g1, g2, g3, g4 = (symbol(f"g{i}", "positive") for i in (1, 2, 3, 4))
    z0 = symbol("z0")
    z1, z2, z3, z4 = z0 + g1, z0 + g1 + g2, z0 + g1 + g2 + g3, z0 + g1 + g2 + g3 + g4
    sigma = (z2 - z0) / (z4 - z2)
    b1, b4 = (z0 + z1) / 2, (z3 + z4) / 2
    rho, tau = (z1 - z0) / (z1 - b1), sigma * (z4 - z3) / (b4 - z3)
    b2, b3 = (sigma * z4 + rho * b1) / (sigma + rho), (z0 + tau * b4) / (1 + tau)
    d.step(
        "four units: L = x - z0 up to b3, then -τ(x - b4) down to 0 at b4, facing left; R = -ρ(x - b1) from b1 to b2, "
        "then -σ(z4 - x), facing right; b1, b4 midpoints of (z0, z1), (z3, z4)"
    )
    d.identity("L and its second line meet at b3", b3 - z0, tau * (b4 - b3))
    d.identity("R's lines meet at b2", rho * (b2 - b1), sigma * (z4 - b2))
    d.nonnegative("b2 lies right of z1", ((b2 - z1) * (sigma + rho)).together().expand().factor())
    d.nonnegative("and left of z2", ((z2 - b2) * (sigma + rho)).together().expand().factor())
    d.nonnegative("b3 lies right of z2", ((b3 - z2) * (1 + tau)).together().expand().factor())
    d.nonnegative("and left of z3", ((z3 - b3) * (1 + tau)).together().expand().factor())
    d.identity("L + R at z1, between b1 and b2", (z1 - z0) - rho * (z1 - b1), z1 - z1)
    d.identity("L + R at z2, between b2 and b3", (z2 - z0) - sigma * (z4 - z2), z1 - z1)
    d.identity("L + R at z3, between b3 and b4", tau * (b4 - z3) - sigma * (z4 - z3), z1 - z1)
    d.step("left of b1 only L, zero at z0; right of b4 only R, zero at z4: five strict changes, - + - + - +")
    d.step("every further switch takes one unit more: midway between two switches, slope ±σ into ∓σ")


def observe_least_width(context: Context) -> Evidence:
    """Random data with runs of equal labels, a network that separates them; no narrower one switches so often."""
    from .observed.prescribed_zeros import separating
    from .observed.sign_changes import search

    draw = context.random()
    most = [-1, *(search(m, PLACES[0], strict=True).most for m in (1, 2, 3, 4, 5))]
    instances = []
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
            instances.append(Instance(label, {"s": s}, network.width, "=" if sharp else "<="))
    return Evidence(instances=tuple(instances), steps=(Step("labels in runs of one to three, places even and cubed"),))


LEAST_WIDTH = Claim(
    id="safran2022.sign_changes_least_width",
    source=Source(OWN_RESULT, "beside Theorem 4.2"),
    title="The least width that separates given data",
    statement=(
        "Data on the line with s label switches, wherever they lie, are separated strictly by a network of width min(s "
        "+ 1, max(4, s - 1)) = 1, 2, 3, 4, 4, 4, 5, 6, … for s = 0, 1, 2, …, and by no narrower one: four units have "
        "their zeros at any five prescribed places, and every further switch takes one unit. The places do not matter, "
        "only their number."
    ),
    latex=r"\min\{m:\exists N,\ y_iN(x_i)>0\}=\min(s+1,\max(4,s-1))",
    hypotheses=("distinct x_i, or equal labels where they are equal", "no output bias, as in equation (1)"),
    rests_on=("safran2022.sign_changes",),
    formula="Min(s + 1, Max(4, s - 1))",
    symbols={"s": "number of label switches"},
    controls=(
        Control("s + 1", "a unit a run of labels"),
        Control("s", "a unit a switch"),
        Control("Max(1, s - 1)", "s - 1 units from the start"),
        Control("Min(s + 1, Max(4, s))", "four units switch at prescribed places four times only"),
    ),
    checks=(
        Check(
            name="four units with any five zeros",
            kind=Kind.PROOF,
            observe=derive_least_width,
            about="the construction for all places; the sharp count from below",
        ),
        Check(
            name="random data",
            kind=Kind.CERTIFICATE,
            observe=observe_least_width,
            about="separating networks in rationals for up to 13 switches; exhaustive search below",
        ),
    ),
)


def derive_targets(context: Context) -> Evidence:
    from implicitbias.claims.derivation import Derivation

    d = Derivation()
    d.step("c changes of sign, sign(0) = -1, need width m with c <= m for m <= 3, c <= m + 1 for m >= 4")
    d.step("c <= 4: zero on the first interval of -1, a unit a switch: c units")
    any_five_places(d)
    cases = [Identity(f"c = {c}", {}, {"c": str(c)}, str(c)) for c in (1, 2, 3, 4)]
    cases.append(Identity("c = j + 5", {"j": "nonnegative integer"}, {"c": "j + 5"}, "4 + j"))
    return Evidence(identities=tuple(cases), steps=d.steps)


def observe_targets(context: Context) -> Evidence:
    """Random targets, the network's sign compared with theirs everywhere; and the most changes of narrower networks."""
    from .observed.prescribed_zeros import changing_at
    from .observed.sign_changes import search
    from .observed.targets import agrees, network_for

    draw = context.random()
    most = [0, *(search(m, PLACES[0], strict=False).most for m in (1, 2, 3, 4, 5))]
    instances = []
    for c in range(1, 14):
        for first in (1, -1):
            switches = sorted(Fraction(p, 100) for p in draw.sample(range(-199, 200), c))
            network = changing_at(switches, first) if c >= 5 else network_for(switches, first)
            if not agrees(network, switches, first, Fraction(2)):
                raise ArithmeticError(f"the sign differs: {switches}, {first}")
            needed = next((m for m, changes in enumerate(most) if changes >= c), None)
            sharp = network.width == needed
            instances.append(Instance("the target's network", {"c": c}, network.width, "=" if sharp else "<="))
    evenly = all(a < b for a, b in pairwise(most))
    return Evidence(instances=tuple(instances), measured={"wider networks change more often": evenly})


TARGETS = Claim(
    id="safran2022.assumption_2_2_least_teacher",
    source=Source(OWN_RESULT, "beside Assumption 2.2"),
    title="The least width of a teacher for a given target",
    statement=(
        "A target with c >= 1 sign changes at any places, -1 at each of them, is the sign of a network of width min(c, "
        "max(4, c - 1)) and of no narrower one: c units for c <= 4, one fewer from five changes on. So for r >= 4 the "
        "remark after Assumption 2.2 holds even with r + 1 changes."
    ),
    latex=r"\min\{r:f=\operatorname{sign}N^*\}=\min(c,\max(4,c-1))",
    hypotheses=("sign(0) = -1, so {+1} is open",),
    rests_on=("safran2022.assumption_2_2_teacher", "safran2022.introduction_sign_changes"),
    formula="Min(c, Max(4, c - 1))",
    symbols={"c": "number of sign changes, at least 1"},
    controls=(
        Control("c", "a unit a change throughout"),
        Control("Max(1, c - 1)", "r + 1 changes for every r"),
        Control("Min(c, Max(4, c - 2))", "two changes for the first unit beyond four"),
        Control("Min(c + 1, Max(4, c - 1))", "strict signs everywhere"),
    ),
    checks=(
        Check(
            name="four units with any five zeros",
            kind=Kind.PROOF,
            observe=derive_targets,
            about="the construction for all places; the sharp count with sign(0) = -1 from below",
        ),
        Check(
            name="random targets",
            kind=Kind.CERTIFICATE,
            observe=observe_targets,
            about="exact signs on the whole range for up to 13 changes; exhaustive search below",
        ),
    ),
)

CLAIMS: tuple[Claim, ...] = (LEAST_WIDTH, TARGETS)
