"""Lemma A.1: two neurons of a cell replaced by one, with the same moments and less cost."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

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
    seen,
    shows,
    theorem,
)
from implicitbias.exact.formula import Assumption
from implicitbias.exact.vectors import dot
from implicitbias.theorems.rules.solutions.solution import Solution
from implicitbias.theorems.rules.values.vectors import VectorValue

from ..observed.measures.chords import vector
from ..observed.measures.cone_measures import Cone, closed_cells, member
from ..observed.units.neurons import Neuron, Point, lifted, random_data, random_fraction, random_unit_vector
from . import errata


def _pairs(context: Context, count: int) -> list[tuple[Neuron, Neuron, Fraction, Fraction]]:
    """Neurons with output weights of one sign and rational norms, and these norms."""
    draw = context.random()
    one, zero = Fraction(1), Fraction(0)
    cases = [
        (Neuron((one, zero), one), Neuron((zero, one), one), one, one),
        (Neuron((3 * one, 4 * one), 2 * one), Neuron((one, zero), one), 5 * one, one),
        (Neuron((one, zero), -one), Neuron((zero, one), -3 * one), one, one),
        (Neuron((one, zero), one), Neuron((3 * one, zero), one), one, 3 * one),
        (Neuron((one, zero), one), Neuron((zero, one), zero), one, one),
    ]
    for n in range(count):
        size = 2 + n % 3
        r, s = (1 + abs(random_fraction(draw)) for _ in range(2))
        sign = 1 if n % 2 else -1
        c, e = (sign * Fraction(draw.randint(1, 9), 2) for _ in range(2))
        u, v = random_unit_vector(draw, size), random_unit_vector(draw, size)
        cases.append((Neuron(tuple(r * t for t in u), c), Neuron(tuple(s * t for t in v), e), r, s))
    return cases


def _merged(one: Neuron, two: Neuron) -> Point:
    """(α, β) of the lemma: the mean with λ = |c|/(|c| + |c'|)."""
    share = abs(one.c) / (abs(one.c) + abs(two.c))
    return tuple(share * p + (1 - share) * q for p, q in zip(one.theta, two.theta, strict=True))


@certificate("moments entry by entry")
def moments_matched(context: Context) -> Observation:
    """γ from γ(α, β) = the moment of μ, entry by entry, in two to four dimensions; c = 0 and c' = 0 included."""
    consistent = True
    pairs = [(one, two) for one, two, _, _ in _pairs(context, context.choose(20, 90))]
    pairs += [(Neuron(one.theta, Fraction(0)), two) for one, two in pairs[-4:]]
    pairs += [(one, Neuron(two.theta, Fraction(0))) for one, two in pairs[6:10]]
    for one, two in pairs:
        merged = _merged(one, two)
        moment = [(one.c * p + two.c * q) / 2 for p, q in zip(one.theta, two.theta, strict=True)]
        k = next(k for k, value in enumerate(merged) if value)
        gamma = moment[k] / merged[k]
        consistent = consistent and all(gamma * p == m for p, m in zip(merged, moment, strict=True))
        label = f"c={one.c}, c'={two.c}, R^{len(merged)}"
        yield seen(gamma, label, c=one.c, e=two.c)
    yield Premise("one γ serves all entries of the moment", consistent)


@theorem("the moment solved for γ")
def moment_solved() -> Observation:
    """The weight with which the λ-mean of two parameters has their mean moment, in an entry m ≠ 0 of it: the only one.

    a and f are the entries of both parameters, one of them by what their λ-mean m is. One of the weights may be 0.
    """
    signs: tuple[tuple[str, Assumption], ...] = (("> 0", "positive"), ("< 0", "negative"))
    both = {"a": "a", "f": "(m*(Abs(c) + Abs(e)) - Abs(c)*a)/Abs(e)"}
    for (of_m, m), (of_weights, weight) in product(signs, repeat=2):
        for weights, c, e, entries in (
            ("c, c'", "c", "e", both),
            ("c", "c", "0", {"a": "m", "f": "a"}),
            ("c'", "0", "e", {"a": "a", "f": "m"}),
        ):
            over: dict[str, Assumption] = {"a": "real", "m": m, **{name: weight for name in (c, e) if name != "0"}}
            yield shows(
                Solution(
                    unknowns={"y": "real"},
                    equations=(f"moment(y, m) - (moment({c}, {entries['a']}) + moment({e}, {entries['f']}))/2",),
                    of="y",
                    solution={"y": f"({c} + {e})/2"},
                ),
                f"{weights} {of_weights}, m {of_m}",
                for_all=over,
                c=c,
                e=e,
            )


GAMMA = claim(
    "dedios2020.lemma_a_1_gamma",
    "Appendix A, proof of Lemma A.1",
    "The weight of the merged neuron",
    """For μ = ½(δ_(a,b,c) + δ_(a',b',c')) with c, c' of one sign, λ = |c|/(|c| + |c'|) and (α, β) the λ-mean of the
    parameters, the single neuron (α, β, γ) has the moments (18) of μ for γ = (c + c')/2, and for no other γ unless (α,
    β) = 0.""",
    latex=r"\gamma\,(\alpha,\beta)=\tfrac12(c\,\theta+c'\theta')\iff\gamma=\tfrac12(c+c')\quad(e=c')",
    hypotheses=("cc' ≥ 0, not both zero", "(α, β) ≠ 0"),
    formula="(c + e)/2",
    symbols={"c": "output weight of the first neuron", "e": "c', of the second"},
    domain=("c*e >= 0", "Abs(c + e) > 0"),
    flaw=Flaw(errata.GAMMA, "c + e"),
    controls={
        "(Abs(c) + Abs(e))/2": "the sign dropped",
        "c*e/(c + e)": "a harmonic mean",
        "sign(c + e)*sqrt(Abs(c*e))": "a geometric mean",
    },
    checks=(moment_solved, moments_matched),
    part_of="dedios2020.lemma_4_5",
)


@certificate("rational norms")
def costs_compared(context: Context) -> Observation:
    """⟨V, μ⟩² - ⟨V, μ'⟩² for w = ‖θ‖ in two to four dimensions, in fractions; c' = 0 included."""
    for one, two, r, s in _pairs(context, context.choose(20, 90)):
        merged = _merged(one, two)
        before = (abs(one.c) * r + abs(two.c) * s) / 2
        after = ((one.c + two.c) / 2) ** 2 * dot(merged, merged)
        label = f"c={one.c}, c'={two.c}, R^{len(merged)}"
        yield seen(before**2 - after, label, c=one.c, e=two.c, r=r, s=s, k=dot(one.theta, two.theta))


@theorem("squares expanded")
def squares_expanded() -> Observation:
    """Both costs for parameters of any dimension and weights of one sign, from the inner products."""
    yield shows(
        VectorValue(
            formula="((path_cost(c, norm(u)) + path_cost(e, norm(v)))/2)**2"
            " - path_cost((c + e)/2, norm(c/(c + e)*u + e/(c + e)*v))**2",
            vectors=("u", "v"),
            products={"u u": "r**2", "u v": "k", "v v": "s**2"},
        ),
        for_all={"c": "real", "e": "real", "r": "positive", "s": "positive", "k": "real"},
        assuming=("c*e > 0", "k <= r*s", "-r*s <= k"),
        split=("c", "e"),
        c="c",
        e="e",
        r="r",
        s="s",
        k="k",
    )


ORDER = claim(
    "dedios2020.lemma_a_1",
    "Appendix A, Lemma A.1",
    "The merged neuron is cheaper",
    """For neurons of one cell whose weights c, c' have one sign, the single neuron with their moments costs less: for w
    = ‖θ‖, ⟨V, μ⟩² - ⟨V, μ'⟩² = cc'(rs - θ·θ')/2, which is positive unless cc' = 0 or the parameters are non-negative
    multiples of each other.""",
    latex=r"""\langle V,\mu\rangle^2-\langle V,\mu'\rangle^2=\tfrac12cc'\,(rs-\theta\cdot\theta')\quad(e=c',\
    r=\|\theta\|,\ s=\|\theta'\|,\ k=\theta\cdot\theta')""",
    hypotheses=("cc' > 0: one sign, none zero", "the same closed cell", "not non-negative multiples"),
    formula="c*e*(r*s - k)/2",
    symbols={"c": "first output weight", "e": "c', the second", "r": "‖θ‖", "s": "‖θ'‖", "k": "θ·θ'"},
    flaw=Flaw(errata.INEQUALITY_OF_A_1),
    controls={
        "-c*e*(r*s - k)/2": "merging made dearer by as much: the inequality the wrong way round",
        "0": "merging does not change the cost",
        "c*e*(r*s - Abs(k))/2": "opposite parameters merged at no cost",
        "(c*r - e*s)**2/4": "the saving comes from unequal costs",
        "c*e*(r*s - k)/4": "masses 1/2 counted twice",
    },
    checks=(squares_expanded, costs_compared),
    part_of="dedios2020.lemma_4_5",
    rests_on=("dedios2020.lemma_a_1_gamma", "dedios2020.definition_3_2"),
)


@certificate("moments in enumerated cells")
def signs(context: Context) -> Observation:
    """Whether some neuron of the closed cell has the moment cθ + c'θ': exact feasibility over the rays of the cell."""
    from implicitbias.convex.programmes.linear_programme import Infeasible, minimise

    draw = context.random()
    one, zero = Fraction(1), Fraction(0)
    unit: list[Point] = [(zero,), (one,)]
    mixed, right = closed_cells(unit)[3], closed_cells(unit)[1]
    cases: list[tuple[Cone, Point, Point, Fraction, Fraction, list[Point]]] = [
        (mixed, (one, zero), (-one, one), one, -one, unit),
        (mixed, (one, zero), (-one, one), one, one, unit),
        (mixed, (one, one), (zero, one), 2 * one, -one, unit),
        (right, (one, -one / 2), (one, zero), one, -one, unit),
    ]
    for d, n in ((1, 3), (2, 4)):
        data = random_data(draw, n, d)
        cells = closed_cells(data)
        for _ in range(context.choose(12, 60)):
            cell = draw.choice(cells)
            theta, other = member(cell, draw), member(cell, draw)
            c = Fraction(draw.randint(1, 9), 2)
            e = draw.choice((-1, -1, 1)) * Fraction(draw.randint(1, 9), 2)
            cases.append((cell, theta, other, c, e, data))
    both = set()
    for cone, theta, other, c, e, data in cases:
        moment = [c * p + e * q for p, q in zip(theta, other, strict=True)]
        found = False
        for sign in (1, -1):
            rows = [[ray[j] for ray in cone.rays] for j in range(len(moment))]
            outcome = minimise([0] * len(cone.rays), rows, [sign * value for value in moment])
            found = found or not isinstance(outcome, Infeasible)
        heights = [(dot(theta, lifted(x)), dot(other, lifted(x))) for x in data]
        both.add(found)
        label = f"cell {set(cone.active) or '{}'}, c={c}, c'={e}, n={len(data)}"
        first, second = (tuple(part) for part in zip(*heights, strict=True))
        yield seen(found, label, c=c, e=e, first=first, second=second)
    yield Premise("moments with and without a neuron in the cell", both == {True, False})
    yield Step("exact linear feasibility over the extreme rays of the closed cell, for both signs of γ")


def _number(given: Mapping[str, Value], name: str) -> Fraction:
    found = given[name]
    if not isinstance(found, int | Fraction):
        raise TypeError(f"the instance gives no number {name}")
    return Fraction(found)


def _moments(given: Mapping[str, Value]) -> list[Fraction]:
    c, e = _number(given, "c"), _number(given, "e")
    return [c * p + e * q for p, q in zip(vector(given, "first"), vector(given, "second"), strict=True)]


def some_neuron(given: Mapping[str, Value]) -> Value:
    """γ(α, β) = moment needs pre-activations of the moment with the cell's signs, all of them or all reversed."""
    sides = [p + q >= 0 for p, q in zip(vector(given, "first"), vector(given, "second"), strict=True)]
    signed = [m if side else -m for m, side in zip(_moments(given), sides, strict=True)]
    return all(m >= 0 for m in signed) or all(m <= 0 for m in signed)


SIGNS = claim(
    "dedios2020.lemma_a_1_signs",
    "Appendix A, proof of Lemma A.1, first sentence",
    "Neurons of opposite signs cannot always be merged",
    """Two neurons of a closed cell can be replaced by one neuron of the cell with the same moments if and only if the
    pre-activations of cθ + c'θ' at the data have the signs of the cell, all of them or all reversed. This holds if c,
    c' have one sign; with opposite signs it can fail: for x ∈ {0, 1}, θ = (1, 0), θ' = (-1, 1), c = 1, c' = -1 in the
    all-active cell the moment (2, -1) has pre-activations -1 and 1.""",
    latex=r"""\exists\,(\alpha,\beta)\in C,\ \gamma:\ \gamma(\alpha,\beta)=c\,\theta+c'\theta'\iff
    c\,\theta+c'\theta'\in C\cup(-C)\quad(e=c')""",
    hypotheses=("θ and θ' lie in the closed cell C",),
    formula=Rule(
        "C or -C",
        "there is such a neuron iff the moment's pre-activations have the cell's signs, all of them or all reversed",
        some_neuron,
    ),
    flaw=Flaw(
        errata.ONE_PER_CELL,
        Rule("always", "there is such a neuron: mass is transferred to reach equal signs", lambda given: True),
    ),
    controls={
        Rule(
            "equal signs",
            "there is such a neuron iff c and c' have the same sign",
            lambda given: _number(given, "c") * _number(given, "e") > 0,
        ): "opposite signs ruled out altogether",
        Rule(
            "first datum",
            "there is such a neuron iff the moment's pre-activations at the first two data do not differ in sign",
            lambda given: _moments(given)[0] * _moments(given)[1] >= 0,
        ): "two data instead of all, and inactive ones not reversed",
        Rule("never", "there is no such neuron", lambda given: False): "two neurons can never be merged",
    },
    checks=(signs,),
    part_of="dedios2020.lemma_4_5",
)
