"""Appendix E: multipliers extended by zeros, and the constraints left out of the reduced problem."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from implicitbias.claims import Context, Observation, Premise, Rule, Step, Value, certificate, claim, rule, seen

from ..observed.cheapest import group_programme as g
from ..observed.cheapest.ramp_programme import certified_value, cheapest_ramps, feature
from ..observed.data.points import batch, by_hand
from ..observed.data.supports import class_runs, class_support

Vector = tuple[Fraction, ...]


def _sequence(value: Value) -> tuple[Value, ...]:
    if not isinstance(value, tuple):
        raise TypeError("the instance gives no tuple")
    return value


def _vectors(value: Value) -> list[Vector]:
    return [tuple(Fraction(v) for v in _sequence(row)) for row in _sequence(value)]  # type: ignore[arg-type]


def certify(given: Mapping[str, Value], alpha: Sequence[Vector]) -> Value:
    """(whether α prices every kink of [-1, 1] at most 1 in the dual norm l∞, what it earns)."""
    x = [Fraction(v) for v in _sequence(given["x"])]  # type: ignore[arg-type]
    gain = _vectors(given["gain"])
    largest = max(
        abs(sum((a[j] * max(Fraction(0), s * (at - c)) for a, at in zip(alpha, x, strict=True)), Fraction(0)))
        for s in (1, -1)
        for c in x
        for j in range(len(alpha[0]))
    )
    earned = sum((p * q for a, v in zip(alpha, gain, strict=True) for p, q in zip(a, v, strict=True)), Fraction(0))
    return largest <= 1, earned


def _parts(given: Mapping[str, Value]) -> tuple[int, list[int], list[Vector]]:
    kept = [int(Fraction(v)) for v in _sequence(given["J"])]  # type: ignore[arg-type]
    return len(_sequence(given["x"])), kept, _vectors(given["alpha"])


def by_zeros(given: Mapping[str, Value]) -> Value:
    """α at the points of J, 0 at the others."""
    n, kept, alpha = _parts(given)
    zero = tuple(Fraction(0) for _ in alpha[0])
    return certify(given, [alpha[kept.index(i)] if i in kept else zero for i in range(n)])


def by_copies(given: Mapping[str, Value]) -> Value:
    """α of the point of J before it."""
    n, kept, alpha = _parts(given)
    return certify(given, [alpha[max(j for j, i in enumerate(kept) if i <= at)] for at in range(n)])


def by_means(given: Mapping[str, Value]) -> Value:
    """The mean of the neighbours in J."""
    n, kept, alpha = _parts(given)
    found = []
    for at in range(n):
        before = max(j for j, i in enumerate(kept) if i <= at)
        after = min(j for j, i in enumerate(kept) if i >= at)
        found.append(tuple((p + q) / 2 for p, q in zip(alpha[before], alpha[after], strict=True)))
    return certify(given, found)


def by_sharing(given: Mapping[str, Value]) -> Value:
    """Each multiplier shared equally with the points up to the next of J."""
    n, kept, alpha = _parts(given)
    ends = [*kept[1:], n]
    found: list[Vector] = []
    for share, start, end in zip(alpha, kept, ends, strict=True):
        found += [tuple(v / (end - start) for v in share)] * (end - start)
    return certify(given, found)


ZEROS = Rule("zeros", "α̃_i = α_i at the points of J and 0 elsewhere certifies the full problem", by_zeros)
OTHERS = {
    Rule("copies", "α̃_i = α of the point of J before it", by_copies): "extend by the neighbour's value",
    Rule("means", "α̃_i = mean of α at the neighbours in J", by_means): "interpolate the multipliers",
    Rule("shares", "each α shared among the points up to the next", by_sharing): "spread the multipliers out",
}


@certificate("prices and earnings on all data")
def regression(context: Context) -> Observation:
    """Multipliers of the programme on R_reg, and the certified value of the full problem."""
    draw = context.random()
    rows = [d for d in by_hand() if len(d.support) < d.size]
    for d in (*rows, *batch(draw, context.choose(14, 100), largest=6, row=True)):
        x, y = [d.x[i] for i in d.support], [d.y[i] for i in d.support]
        reduced = cheapest_ramps(x, y, x)
        if reduced is None:
            raise ArithmeticError("the reduced problem is always feasible")
        yield seen(
            (True, certified_value(d.x, d.y).value),
            d.label,
            x=d.x,
            gain=tuple((v,) for v in d.y),
            J=d.support,
            alpha=tuple((a,) for a in reduced.alpha),
        )
    yield Step("feasible for every kink of [-1, 1], and earning the value")


ZERO_EXTENSION = claim(
    "stewart2022.appendix_e_1",
    "equations (29) and (30), Appendix E.1",
    "Multipliers of the reduced regression problem",
    """Optimal multipliers of problem (9) for the data in R_reg alone, extended by 0 to the other data, price every ramp
    at most 1 and earn the value of the full problem: they certify the measure with kinks in R_reg.""",
    latex=r"\tilde\alpha_i=\alpha^*_{\psi(i)}\ (i\in J_{reg}),\qquad\tilde\alpha_i=0\ (i\notin J_{reg})",
    formula=ZEROS,
    controls=OTHERS,
    checks=(regression,),
    part_of="stewart2022.theorem_1_regression",
    rests_on=("stewart2022.proposition_1_regression",),
)


@certificate("prices and earnings on all data")
def classification(context: Context) -> Observation:
    """Three classes in the l1 norm (prices in l∞): multipliers of the programme on R_class, value of the full one."""
    draw = context.random()
    cases = [([Fraction(c) for c in (-1, Fraction(-1, 2), 0, Fraction(1, 2), 1)], [0, 1, 1, 1, 0])]
    cases += [class_runs(draw, 3, 3 + i % 2) for i in range(context.choose(6, 40))]
    for x, labels in cases:
        kept = class_support(labels)
        reduced_x, reduced = [x[i] for i in kept], [labels[i] for i in kept]
        dual = g.best_dual(reduced_x, g.margins(reduced, 3), reduced_x, "linf")
        full = g.cheapest_group(x, g.margins(labels, 3), x, "l1")
        yield seen(
            (True, full.value),
            f"labels {labels}",
            x=tuple(x),
            gain=tuple(tuple(int(j == label) for j in range(3)) for label in labels),
            J=tuple(kept),
            alpha=dual.alpha,
        )
    yield Step("α = Σ β_l (e_y - e_l) earns Σ β_l = its entry at the label")


CLASS_EXTENSION = claim(
    "stewart2022.appendix_e_2_multipliers",
    "equations (31) and (32), Appendix E.2",
    "Multipliers of the reduced classification problem",
    """Optimal multipliers of problem (10) for the data in R_class alone, extended by 0, price every ramp at most 1 and
    earn the value of the full problem. Judged with the l1 norm in place of the Euclidean one, in rationals.""",
    latex=r"\tilde\alpha_i=\alpha^*_{\psi(i)}\ (i\in J_{class}),\qquad\tilde\alpha_i=0\ (i\notin J_{class})",
    formula=ZEROS,
    controls=OTHERS,
    checks=(classification,),
    part_of="stewart2022.theorem_1_classification",
    rests_on=("stewart2022.proposition_1_classification",),
)


def straight_between(given: Mapping[str, Value]) -> Value:
    """Margin 1 where no kink lies strictly between the neighbours in R_class; none where kinks may lie anywhere."""
    return "no bound" if given["kinks between"] else 1


@rule("by definition")
def by_definition(given: Mapping[str, Value]) -> Value:
    """the left-out margins hold by definition: the least is 1"""
    return 1


@rule("never sure")
def never_sure(given: Mapping[str, Value]) -> Value:
    """nothing holds outside R_class"""
    return "no bound"


@rule("half")
def half_margin(given: Mapping[str, Value]) -> Value:
    """half of the margin is left between"""
    return "no bound" if given["kinks between"] else Fraction(1, 2)


@certificate("least left-out margin")
def left_out(context: Context) -> Observation:
    """The least margin at a datum outside R_class over measures that keep the margins in R_class, exactly."""
    from implicitbias.convex.programmes.linear_programme import Optimum, minimise

    draw = context.random()
    instances = []
    shapes = [(3, 1), (1, 3, 1), (3, 3), (2, 4, 2), (1, 3, 3, 1)]
    for shape in shapes * context.choose(1, 5):
        n = sum(shape)
        inner = sorted(draw.sample(range(-19, 20), n - 2))
        x = [Fraction(-1), *(Fraction(c, 20) for c in inner), Fraction(1)]
        sigma = [(-1) ** run for run, length in enumerate(shape) for _ in range(length)]
        kept = class_support(sigma)
        for i in range(n):
            if i in kept:
                continue
            for between in (False, True):
                kinks = x if between else [x[j] for j in kept]
                units = [(s, c) for c in kinks for s in (1, -1)]
                rows = [[-sigma[j] * feature(u, x[j]) for u in units] for j in kept]
                found = minimise(
                    [sigma[i] * feature(u, x[i]) for u in units], A_ub=rows, b_ub=[-1] * len(rows), free=True
                )
                where = "anywhere" if between else "in R_class"
                observed: Value = found.value if isinstance(found, Optimum) else "no bound"
                instances.append(
                    seen(
                        observed,
                        f"runs {shape}, x_{i + 1}, kinks {where}",
                        **{"kinks between": between},
                        x=tuple(x),
                        sigma=tuple(sigma),
                        i=i + 1,
                    )
                )
    yield from instances
    yield Premise("data outside R_class", len(instances) >= 10, f"{len(instances) // 2}")
    yield Step("between neighbouring points of R_class all labels are equal and f is affine")
    yield Step("so the margin there is a mean of the margins at both neighbours: at least 1")


LEFT_OUT = claim(
    "stewart2022.appendix_e_2",
    "Appendix E.2, `by definition`",
    "The margins left out of the reduced problem",
    """A measure that keeps the margins at R_class keeps them at all data if its kinks are in R_class: between two
    neighbours there all labels are equal, f is affine, and S is convex, so that the value is in S. With kinks
    elsewhere the left-out margins can be anything. (In E.1 likewise: f meets the data in R_reg and bends only there,
    so f = P.)""",
    latex=r"""f(x_i)\in\operatorname{conv}\{f(x_j),f(x_{j'})\}\subseteq S,\qquad x_j<x_i<x_{j'}\ \text{neighbours in
    }R_{class}""",
    hypotheses=("two classes here; the argument is the same for any convex S",),
    formula=Rule(
        "straight between", "the least left-out margin is 1 with kinks in R_class, else there is none", straight_between
    ),
    controls={
        by_definition: "left-out margins kept by every feasible measure",
        never_sure: "too careful",
        half_margin: "margins wear off between data",
    },
    checks=(left_out,),
    part_of="stewart2022.theorem_1_classification",
)
