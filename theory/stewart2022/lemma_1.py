"""Section 5.4, Lemma 1 and Lemma 5: the sets S_i, their support functions, and the dual problem."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import islice

from implicitbias.claims import (
    Context,
    Flaw,
    Observation,
    Premise,
    Rule,
    Step,
    Value,
    certificate,
    claim,
    rule,
    seen,
    shows,
    theorem,
)
from implicitbias.theorems.rules.extrema.extremum import Minimum
from implicitbias.theorems.rules.extrema.units_at_data import LeastVariation

from ..observed.cheapest import group_programme as g
from ..observed.cheapest.group_programme import margins
from ..observed.cheapest.ramp_programme import Feature, feature, off_data
from ..observed.data.draws import evenly
from ..observed.data.points import Rational
from . import errata


def _numbers(value: Value) -> list[Fraction]:
    if not isinstance(value, tuple):
        raise TypeError("the instance gives no tuple of numbers")
    return [Fraction(v) for v in value]


def own_margins(given: Mapping[str, Value]) -> Value:
    """v_y - v_l >= 1 for every l != y, y the label of this datum."""
    v, y = _numbers(given["v"]), int(_numbers((given["y"],))[0])
    return all(v[y] - v[rival] >= 1 for rival in range(len(v)) if rival != y)


def all_margins(given: Mapping[str, Value]) -> Value:
    """The conditions of all data at once."""
    v, labels = _numbers(given["v"]), [int(label) for label in _numbers(given["labels"])]
    return all(v[y] - v[rival] >= 1 for y in labels for rival in range(len(v)) if rival != y)


@rule("largest score")
def arg_max(given: Mapping[str, Value]) -> Value:
    """v is allowed if and only if v_y is the largest"""
    v, y = _numbers(given["v"]), int(_numbers((given["y"],))[0])
    return all(v[y] > v[rival] for rival in range(len(v)) if rival != y)


@rule("mean margin")
def mean_margin(given: Mapping[str, Value]) -> Value:
    """v_y exceeds the mean of the others by 1"""
    v, y = _numbers(given["v"]), int(_numbers((given["y"],))[0])
    return v[y] - (sum(v) - v[y]) / (len(v) - 1) >= 1


@certificate("values of feasible measures")
def values(context: Context) -> Observation:
    """Whether some measure that satisfies all constraints of (10) takes the value v at x_i: exact feasibility."""
    from implicitbias.convex.programmes.linear_programme import Infeasible, minimise

    draw = context.random()
    x = [Fraction(-1), Fraction(0), Fraction(1, 2), Fraction(1)]
    instances = []
    half = Fraction(1, 2)
    fixed: list[tuple[tuple[int, ...], int, tuple[Rational, ...]]] = [
        ((0, 1, 2, 0), 0, (1, 0, 0)),
        ((0, 1, 2, 0), 1, (0, 1, 0)),
        ((0, 0, 0, 0), 0, (1, 0, 0)),
        ((0, 1, 1, 0), 1, (2, 3, 2)),
        ((0, 1, 2, 0), 2, (0, 0, half)),
        ((1, 1, 2, 0), 0, (0, 3, -3)),
        ((0, 1, 2, 0), 0, (1, 1, -2)),
        ((0, 0, 1, 0), 2, (half, 1, -5)),
    ]
    cases = list(fixed)
    for _ in range(context.choose(24, 120)):
        labels = tuple(draw.randrange(3) for _ in range(4))
        cases.append((labels, draw.randrange(4), tuple(Fraction(draw.randint(-4, 6), 2) for _ in range(3))))
    for labels, i, v in cases:
        units = [(s, c) for c in x for s in (1, -1)]
        rows = [
            [-Fraction(h.normal[j]) * feature(u, x[h.position]) for u in units for j in range(3)]
            for h in margins(labels, 3)
        ]
        pinned = [[feature(u, x[i]) * int(j == at) for u in units for at in range(3)] for j in range(3)]
        found = minimise([0] * (3 * len(units)), pinned, list(v), rows, [-1] * len(rows), free=True)
        instances.append(
            seen(
                not isinstance(found, Infeasible),
                f"labels {labels}, f(x_{i + 1}) = {v}",
                labels=labels,
                y=labels[i],
                v=v,
                i=i + 1,
            )
        )
    both = {i.observed for i in instances}
    yield from instances
    yield Premise("values inside and outside of S_i", both == {True, False})


SETS = claim(
    "stewart2022.section_5_4_sets",
    "Section 5.4, the sets S_i for classification",
    "The set of admissible values at a datum",
    """Problem (10) is problem (11) with S_i = {v : v_{y_i} - v_l ≥ 1 for all l ≠ y_i}: a value v at x_i is allowed if
    and only if it keeps the margins of this datum. Each S_i is convex, closed and not empty.""",
    latex=r"S_i=\{v\in\mathbb R^k:(e_{y_i}-e_l)^\top v\ge\mathbf 1(y_i\ne l)\ \ \forall l\in[k]\}",
    formula=Rule("own margins", "v is allowed if and only if v_y - v_l >= 1 for every l != y, y = y_i", own_margins),
    flaw=Flaw(
        errata.BOUND_INDEX,
        Rule(
            "margins of all data",
            "v is allowed if and only if it keeps the margins of every datum i in [n]",
            all_margins,
        ),
    ),
    controls={
        arg_max: "no margin",
        mean_margin: "a single margin for all rivals",
    },
    checks=(values,),
    part_of="stewart2022.lemma_1",
)


@certificate("support function by linear programming")
def support_function(context: Context) -> Observation:
    """sup {w·α : w in S} for α = -Σ β_l (e_y - e_l), by exact linear programming; off the cone it is infinite."""
    from implicitbias.convex.programmes.linear_programme import Optimum, Unbounded, minimise

    draw = context.random()
    pairs: list[tuple[Rational, Rational]] = [(0, 0), (1, 0), (0, 1), (1, 1), (2, 3), (Fraction(1, 2), 5)]
    for size in (Fraction(1, 300), Fraction(1, 10), Fraction(1, 3), Fraction(1), Fraction(40)):
        pairs += [
            (size * Fraction(draw.randint(0, 99), 31), size * Fraction(draw.randint(0, 99), 31)) for _ in range(2)
        ]
        pairs += [(size, Fraction(0)), (Fraction(0), size)]
    constraints = [[-1, 1, 0], [-1, 0, 1]]  # w_2 - w_1 <= -1, w_3 - w_1 <= -1: the label is the first class
    infinite = True
    for b, c in pairs:
        alpha = [-(b + c), b, c]
        found = minimise([-a for a in alpha], A_ub=constraints, b_ub=[-1, -1], free=True)
        if not isinstance(found, Optimum):
            raise ArithmeticError("the support function is finite on the cone")
        yield seen(found.value, f"β = ({b}, {c})", b=b, c=c)
        for off in ([-(b + c) + 1, b, c], [-(b + c), b + 1, c], [b + c + 1, -b - 1, -c]):
            worse = minimise([-a for a in off], A_ub=constraints, b_ub=[-1, -1], free=True)
            infinite = infinite and isinstance(worse, Unbounded)
    yield Premise("off the cone, and for β < 0, the supremum is infinite", infinite)
    yield Step("observed: -σ_S(α) = min -α·w over S, label y = 1, k = 3")


@theorem("every admissible vector")
def every_admissible_vector() -> Observation:
    """The least of -α·w over w_1 - w_2 = 1 + p and w_1 - w_3 = 1 + q, p, q >= 0, for all β >= 0."""
    yield shows(
        Minimum(
            "(b + c)*w_1 - b*w_2 - c*w_3",
            over={"w_1": "real", "p": "nonnegative", "q": "nonnegative", "w_2": "real", "w_3": "real"},
            subject_to={"w_2": "w_1 - w_2 - 1 - p", "w_3": "w_1 - w_3 - 1 - q"},
            at={"w_1": "0", "p": "0", "q": "0"},
            gap=("b*p", "c*q"),
        ),
        for_all={"b": "nonnegative", "c": "nonnegative"},
        b="b",
        c="c",
    )


SUPPORT_FUNCTION = claim(
    "stewart2022.lemma_1_support_function",
    "Lemma 1, for the sets of Section 5.4",
    "What multipliers of the margins earn",
    """For the sets of classification σ_{S_i}(α) is finite only for α = -Σ_{l≠y_i} β_l (e_{y_i} - e_l) with β ≥ 0, and
    then -σ_{S_i}(α) = Σ β_l: the dual of (10) maximises the sum of all multipliers of margins. (For regression
    -σ_{S_i}(α) = -α y_i, linear.)""",
    latex=r"-\sigma_{S_i}\Big(-\sum_{l\ne y_i}\beta_l(e_{y_i}-e_l)\Big)=\sum_{l\ne y_i}\beta_l",
    hypotheses=("β ≥ 0", "stated for k = 3"),
    formula="b + c",
    symbols={"b": "multiplier of the margin against the second class", "c": "against the third class"},
    domain=("b >= 0", "c >= 0"),
    controls={
        "-(b + c)": "the sign of the dual's objective lost",
        "Max(b, c)": "the closest rival alone",
        "sqrt(b**2 + c**2)": "the length of the multipliers",
        "2*(b + c)": "the margin counted for both classes",
    },
    checks=(every_admissible_vector, support_function),
    part_of="stewart2022.lemma_1",
    rests_on=("stewart2022.section_5_4_sets",),
)


@certificate("primal and dual programmes")
def duality(context: Context) -> Observation:
    """Problem (11) with boxes S_i in R², and (12) written out with its support functions, in the l1 and l∞ norms."""
    draw = context.random()
    sizes = iter([*evenly(-9, 13, 60), *evenly(-3, 3, 110), *evenly(2, 5, 60)])
    for i in range(context.choose(10, 60)):
        n = 3 + i % 2
        inner = sorted(draw.sample(range(-9, 10), n - 2))
        x = [Fraction(-1), *(Fraction(c, 10) for c in inner), Fraction(1)]
        boxes, size = [], Fraction(draw.randint(1, 99), draw.choice([1, 10, 100, 10_000]))
        for _ in x:
            low = [size * draw.randint(-6, 6) for _ in range(2)]
            boxes.append([(v, v + size * draw.choice([0, 0, 1, 3])) for v in low])
        halfspaces = [
            g.Halfspace(at, tuple(sign * int(j == axis) for j in range(2)), low if sign > 0 else -high)
            for at, box in enumerate(boxes)
            for axis, (low, high) in enumerate(box)
            for sign in (1, -1)
        ]
        for kind in g.KINDS:
            primal = g.cheapest_group(x, halfspaces, [*x, *off_data(x)], kind)
            other = g.DUAL[kind]
            every = [(s, c) for c in x for s in (1, -1) if any(feature((s, c), at) for at in x)]
            D, N, H = (
                _dual(x, boxes, units, of)
                for units, of in ((every, other), (every, kind), ([(-1, x[-1]), *((1, c) for c in x[:-1])], other))
            )
            # boxes t times as large hold the measure times t, and the same multipliers earn t times as much
            for t in (Fraction(1), *(target / D for target in islice(sizes, 12 if D else 0))):
                larger = tuple(tuple((t * low, t * high) for low, high in box) for box in boxes)
                label = f"{kind}, {n} boxes, {i}" + f", times {t}" * (t != 1)
                yield seen(t * primal.value, label, D=t * D, N=t * N, H=t * H, x=tuple(x), boxes=larger)
    yield Step("all programmes are homogeneous: solved once for each data set, for boxes of many sizes")
    yield Step("primal: kinks at the data and between them; dual: prices at the data")
    yield Step("σ of a box is Σ_j max(low_j α_j, high_j α_j)")


def _dual(
    x: Sequence[Fraction], boxes: Sequence[Sequence[tuple[Rational, Rational]]], units: Sequence[Feature], kind: str
) -> Fraction:
    """sup -Σ σ_{S_i}(α_i) subject to `kind` of Σ α_i φ_u(x_i) <= 1 for the units: variables α, s >= σ, and |prices|.

    The units must determine α, or the supremum may be infinite.
    """
    from implicitbias.convex.programmes.linear_programme import Optimum, minimise

    n = len(x)
    A: list[list[Rational]] = []
    b: list[Rational] = []
    extra = 2 * len(units) if kind == "l1" else 0
    size = 4 * n + extra
    for i, box in enumerate(boxes):
        for j, ends in enumerate(box):
            for end in ends:  # end·α_ij <= s_ij
                row: list[Rational] = [0] * size
                row[2 * i + j], row[2 * n + 2 * i + j] = end, -1
                A.append(row)
                b.append(0)
    for m, u in enumerate(units):
        for j in range(2):
            for sign in (1, -1):
                row = [0] * size
                for i, at in enumerate(x):
                    row[2 * i + j] = sign * feature(u, at)
                if kind == "l1":
                    row[4 * n + 2 * m + j] = -1
                A.append(row)
                b.append(0 if kind == "l1" else 1)
        if kind == "l1":
            row = [0] * size
            row[4 * n + 2 * m] = row[4 * n + 2 * m + 1] = 1
            A.append(row)
            b.append(1)
    found = minimise([0] * (2 * n) + [1] * (2 * n) + [0] * extra, A_ub=A, b_ub=b, free=True)
    if not isinstance(found, Optimum):
        raise ArithmeticError("the units do not determine α")
    return -found.value


@theorem("any norm and sets")
def any_norm_and_sets() -> Observation:
    """Any number of data, any norm on R^k and any closed convex sets S_i that are not empty: D is the value of (12)."""
    yield shows(
        LeastVariation(unit="ramp(s, c, x)", of="all", equals="dual", known="D", first=("-1", "b"), after=("1", "a")),
        for_all={"D": "nonnegative"},
        D="D",
    )


OTHER_PROBLEMS: dict[str | Rule, str] = {
    "D**2/2": "the value for half the square of the norm in the place of the norm",
    Rule("Ω for Ω_*", "the value of (12) with Ω in the place of Ω_*", lambda given: given["N"]): (
        "the norm itself bounds the prices"
    ),
    Rule("right ramps", "the value of (12) with n prices bounded, of right ramps but one", lambda given: given["H"]): (
        "as many constraints as multipliers would do"
    ),
}


LEMMA_1 = claim(
    "stewart2022.lemma_1",
    "Lemma 1 (Lemma 5), problem (12)",
    "The dual of the general problem",
    """The least ∫Ω(dμ) over measures on U with f_μ(x_i) in S_i equals the largest -Σ σ_{S_i}(α_i) over multipliers with
    Ω_*(Σ α_i φ_u(x_i)) ≤ 1 on U, Ω_* the dual norm; there is no duality gap.""",
    latex=r"""\min_\mu\int\Omega(d\mu)=\max_\alpha-\sum_i\sigma_{S_i}(\alpha_i)\quad\text{s.t.
    }\Omega_*\Big(\sum_i\alpha_i\phi_u(x_i)\Big)\le1""",
    hypotheses=(
        "-1 = x_1 < … < x_n = 1",
        "S_i closed, convex, not empty (certified for boxes in R², some of them segments and points)",
    ),
    formula="D",
    symbols={"D": "the value of (12)"},
    domain=("D >= 0",),
    controls=OTHER_PROBLEMS,
    checks=(any_norm_and_sets, duality),
    see_also=("dedios2020.corollary_4_6",),
    rests_on=("stewart2022.lemma_2", "stewart2022.lemma_4"),
)
