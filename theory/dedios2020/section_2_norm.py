"""Section 2.1: the variation norm is a norm, and the least total variation of a measure on the sphere."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from implicitbias.claims import (
    Attached,
    Context,
    Interval,
    Observation,
    Premise,
    Step,
    Value,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.formula import Assumption
from implicitbias.exact.vectors import dot, rational_root, relu
from implicitbias.theorems.rules.values.value import Value as OutrightValue

from ..observed.data.draws import evenly
from ..observed.measures.contact_sets import unit
from ..observed.measures.exact_cases import by_hand, diamond, two_signs_on_walls, two_signs_one_pattern
from ..observed.measures.extended_cases import extended
from ..observed.measures.minimisers import known_cases
from ..observed.units.neurons import random_unit_vector

CLOSE = Fraction(1, 10**9)
"""Largest acceptable relative gap of certified bounds."""


@certificate("norms of multiples")
def scaling(context: Context) -> Observation:
    """Norms of multiples by cone programmes, made exact, over norms that are known; factors of either sign and 0.

    By masses and a dual of equal value in rationals, for many factors and norms.
    """
    from implicitbias.convex.variation.least import tv_interpolant

    draw = context.random()
    certificates: list[Mapping[str, Any]] = []
    narrow = Fraction(0)
    few = [Fraction(-1), Fraction(draw.randint(11, 40), 10), Fraction(draw.randint(2, 8), 9), Fraction(3)]
    many = [Fraction(0), Fraction(-2), Fraction(1, 4), Fraction(-1, 9), Fraction(12)]
    more = [Fraction(draw.randint(1, 90), draw.choice((8, 60))) for _ in range(context.choose(10, 20))]
    more_cases = (two_signs_on_walls(), two_signs_one_pattern(), diamond())
    for case, factors in [
        (by_hand()[0], [*many, *more, *(-t for t in more[:4])]),
        (by_hand()[1], many),
        *((case, few) for case in more_cases),
    ]:
        for t in factors:
            size = Fraction(draw.randint(1, 40), draw.choice((3, 20, 90)))
            if t in (-1, -2):  # large norms turned round
                size = Fraction(draw.randint(60, 90), 3)
            y = tuple(size * v for v in case.y)
            found = tv_interpolant(case.x, [t * v for v in y])
            narrow = max(narrow, found.gap)
            norm = Interval(found.lower, found.upper)
            yield seen(norm, f"{case.label} times {size}, t = {t}", t=t, V=size * case.value, y=y)
            if t < 0 and len(certificates) < 4:
                certificates += [case.document(), found.certificate()]
    cases, proved, count = [*by_hand()[:2], *more_cases], True, context.choose(150, 300)
    sizes = (draw.sample(evenly(-4, 4, count), count) for _ in range(2))
    whole = [(Fraction(t), Fraction(k)) for t in range(1, 5) for k in range(1, 5)]
    for k, (size, norm) in enumerate([*zip(*sizes, strict=True), *whole]):
        case, t = cases[k % 5], (-1) ** k * size
        masses = [t * norm / case.value * m for m in case.masses]
        cost = sum(map(abs, masses), Fraction(0))
        proved = proved and cost == abs(dot(case.p, [dot(row, masses) for row in case.features]))
        yield seen(cost, f"{case.label} times {norm / case.value}, t = {t}", t=t, V=norm)
    yield Premise("p or -p proves that nothing costs less than these masses", proved)
    yield Premise("bounds closer than 1e-9", narrow < CLOSE, f"{float(narrow):.1e}")
    yield Step("the norm of y from a dual in rationals, that of ty from bounds of a cone programme")
    yield from map(Attached, certificates)


SCALING = claim(
    "dedios2020.equation_3_scaling",
    "equation (3), V = |c|‖θ‖",
    "The variation norm scales",
    """For V = |c|‖θ‖ and functions on finitely many points, ‖tf‖_V = |t| ‖f‖_V for every real t, the negative ones and
    0 included. (For |c|^q‖θ‖^q with q > 1 it is |t|^q: then (3) is the q-th power of a norm.)""",
    latex=r"\|tf\|_V=|t|\,\|f\|_V",
    domain=("V > 0",),
    formula="Abs(t)*V",
    symbols={"t": "factor", "V": "norm of the function"},
    controls={
        "t*V": "positive factors only",
        "t**2*V": "as for |c|²‖θ‖², of which (3) is the square of a norm",
        "Max(t, 0)*V": "negative multiples at no cost",
        "sqrt(Abs(t))*V": "the factor shared by c and θ, one counted",
        "V*Abs(t)/2": "half the norm",
    },
    checks=(scaling,),
    part_of="dedios2020.equation_5_and_6",
)


@certificate("norms of sums")
def triangle(context: Context) -> Observation:
    """Certified norms of sums: equality under one dual, strict inequality under opposite ones."""
    from implicitbias.convex.variation.least import tv_interpolant

    draw = context.random()
    certificates: list[Mapping[str, Any]] = []
    narrow, strict = Fraction(0), 0
    for case, senses in [
        *((case, (*(1,) * 11, -1)) for case in by_hand()[:2]),
        *((case, (1, -1)) for case in (two_signs_on_walls(), diamond(), *context.choose((), by_hand()[4:]))),
    ]:
        for sense in senses:
            # other masses at the same contacts; all signs changed, the dual is -p
            own, factor = (Fraction(draw.randint(1, 60), draw.choice((2, 9, 40, 99))) for _ in range(2))
            masses = [sense * factor * m * draw.randint(1, 8) / 3 for m in case.masses]
            other = [dot(row, masses) for row in case.features]
            found = tv_interpolant(case.x, [own * a + b for a, b in zip(case.y, other, strict=True)])
            narrow = max(narrow, found.gap)
            sum_of_masses = sum(map(abs, masses), Fraction(0))
            strict += found.upper < own * case.value + sum_of_masses
            # where one dual serves both, norms add up
            label, relation = ("one dual", "=") if sense > 0 else ("opposite duals", "<=")
            given: dict[str, Value] = {"V1": own * case.value, "V2": sum_of_masses}
            observed = Interval(found.lower, found.upper)
            y = tuple(own * v for v in case.y)
            yield seen(observed, f"{case.label}, {label}", relation=relation, **given, y=y, other=tuple(other))
            if len(certificates) < 4:
                certificates.append(found.certificate())
    yield Premise("bounds closer than 1e-9", narrow < CLOSE, f"{float(narrow):.1e}")
    yield Premise("strict somewhere", strict > 0, f"{strict} times")
    yield Step("two label vectors with norms known in rationals; the norm of their sum from a cone programme")
    yield from map(Attached, certificates)


TRIANGLE = claim(
    "dedios2020.equation_3_triangle",
    "equation (3), V = |c|‖θ‖",
    "The variation norm of a sum",
    """‖f + g‖_V ≤ ‖f‖_V + ‖g‖_V for V = |c|‖θ‖, with equality where one dual is optimal for both, and strictly where
    neurons of f and g cancel.""",
    latex=r"\|f+g\|_V\le\|f\|_V+\|g\|_V",
    domain=("V1 > 0", "V2 > 0"),
    formula="V1 + V2",
    symbols={"V1": "norm of f", "V2": "norm of g"},
    controls={
        "Max(V1, V2)": "the larger norm",
        "sqrt(V1**2 + V2**2)": "as for orthogonal functions",
        "Abs(V1 - V2)": "the lower bound taken for the upper one",
        "V1 + V2 + Min(V1, V2)": "a bound that is never attained",
    },
    checks=(triangle,),
    part_of="dedios2020.equation_5_and_6",
    rests_on=("dedios2020.equation_3_scaling",),
)


@certificate("probability measures")
def probability(context: Context) -> Observation:
    """min ⟨V, μ⟩ over probability measures on finitely many (c, θ) with |c|‖θ‖ ≤ C: an exact linear programme.

    Directions at the contacts and others, norms ‖θ‖ and weights c of all sizes and signs, c = 0 among them; data with
    variations below and above 1, C from V on.
    """
    from implicitbias.convex.programmes.linear_programme import Optimum, minimise

    draw = context.random()
    known = list(known_cases(context.seed, context.choose(3, 20)))
    between = [(Fraction(k, 8),) for k in (1, 2, 3, 5)]
    known += [extended(by_hand()[0], between[:k], k % 3) for k in range(1, 5)]
    known += [extended(two_signs_on_walls(), between[:k], 1) for k in range(4)]
    count = len(known)
    # sizes near 1, at which formulas part, more often than others
    sizes = [*evenly(-7, 10, 3 * count), *evenly(-3, 4, 11 * count)]
    factors = [*(Fraction(1) for _ in range(3 * count)), *evenly(0, 5, 9 * count), *evenly(2, 15, 2 * count)]
    draw.shuffle(factors)
    drawn = [(case, list(zip(sizes[k::count], factors[k::count], strict=True))) for k, case in enumerate(known)]
    for k in range(1, 9):  # one datum: whole numbers, V or C, and no room between them
        one = Fraction(1)
        below = Fraction(5 + k, 14)
        pairs = [(one * k, one), (one / k, 2 * one * k), (1 + one / k, one), (one / k, one), (below, one)]
        drawn.append((by_hand()[k % 3], [*pairs, (one / (9 + k), one * (6 + k)), (below, Fraction(15, 14))]))
    drawn += [(case, [(Fraction(15, 32), Fraction(1)), (Fraction(1, 2), Fraction(2))]) for case in known]
    for k, (case, pairs) in enumerate(drawn):
        for total, factor in pairs:
            times = total / case.value
            variation = times * case.value
            largest = factor * variation
            directions = [c.theta for c in case.contacts]
            directions += [random_unit_vector(draw, case.d + 1) for _ in range(2)]
            atoms: list[tuple[Fraction, tuple[Fraction, ...]]] = [(Fraction(0), directions[0])]
            for direction in directions:
                for share in (Fraction(1), Fraction(draw.randint(1, 7), 8)):
                    radius = Fraction(draw.randint(1, 30), draw.randint(1, 9))
                    theta = tuple(radius * t for t in direction)
                    atoms += [(sign * share * largest / radius, theta) for sign in (1, -1)]
            costs = [abs(c) * rational_root(dot(theta, theta)) for c, theta in atoms]
            rows = [[c * relu(dot(theta, x)) for c, theta in atoms] for x in case.points]
            found = minimise(costs, [*rows, [1] * len(atoms)], [*(times * v for v in case.y), 1])
            if not isinstance(found, Optimum):
                raise ArithmeticError(f"{case.label}: no probability measure meets the constraints")
            yield seen(found.value, f"{case.label}, |c|‖θ‖ ≤ {largest}", V=variation, C=largest, n=case.n)
        if k < 4:
            yield Attached(case.document())
    yield Step("least total variation on the sphere: a dual feasible on all cells, in rationals")
    yield Step("V times that dual is below |c|‖θ‖ for every (c, θ), so no measure on other parameters costs less")
    yield Step("the mass |m_k|/C at (sgn(m_k)·C, u_k) and the rest at c = 0 cost Σ|m_k|, for atoms m_k at u_k")


VARIATION = claim(
    "dedios2020.section_2_1_total_variation",
    "Section 2.1, after equation (4)",
    "The norm as a least total variation",
    """For V = |c|‖θ‖ the least ⟨V, μ⟩ over probability measures μ on the parameters equals the least total variation of
    a signed measure ν on the sphere with the same outputs, whatever bound C ≥ V there is for |c|‖θ‖: mass that is not
    needed stays at c = 0.""",
    latex=r"\inf_\mu\langle V,\mu\rangle=\inf\Big\{\|\nu\|_{TV}:f=\int(\tilde\theta\cdot\tilde x)_+\,d\nu\Big\}",
    formula="V",
    symbols={"V": "least total variation on the sphere", "C": "bound for |c|‖θ‖", "n": "number of data"},
    domain=("C >= V", "V > 0"),
    controls={
        "C": "all mass is active",
        "V/C": "the active mass",
        "V**2/C": "the potential quadratic in c",
        "Max(V, C/n)": "mass one shared by the data",
    },
    checks=(probability,),
    part_of="dedios2020.equation_5_and_6",
    see_also=("savarese2019.theorem_3_1",),
)


@certificate("projected measures")
def projection(context: Context) -> Observation:
    """ν = P(μ) for random discrete μ with several atoms on a ray, mass by mass in rationals."""
    draw = context.random()
    triples = ((3, 4), (4, 3), (5, 12), (-3, 4), (8, -15), (0, 1), (-1, 0))
    cancels, keeps = False, False
    for trial in range(context.choose(120, 240)):
        directions = draw.sample(triples, 1 + trial % 4)
        atoms = []
        size = draw.choice((Fraction(1, 90), Fraction(1, 8), Fraction(1)))
        parts = [draw.randint(1, 9) for _ in range(draw.randint(1, 2 * len(directions)))]
        for k, part in enumerate(parts):
            p, q = directions[k % len(directions)]
            scale = Fraction(draw.randint(1, 9), 2)
            sign = draw.choice((1, -1)) if trial % 3 else 1
            c = sign * size * Fraction(draw.randint(1, 12), 5)
            atoms.append((Fraction(part, sum(parts)), c, (scale * p, scale * q)))
        cost, projected = Fraction(0), dict[tuple[Fraction, ...], Fraction]()
        positive, negative = dict[tuple[Fraction, ...], Fraction](), dict[tuple[Fraction, ...], Fraction]()
        for share, c, theta in atoms:
            direction = unit(theta)
            j = next(i for i, v in enumerate(direction) if v)
            mass = share * c * theta[j] / direction[j]
            cost += abs(mass)
            projected[direction] = projected.get(direction, Fraction(0)) + mass
            side = positive if mass > 0 else negative
            side[direction] = side.get(direction, Fraction(0)) + abs(mass)
        shared = sum((min(positive[d], negative[d]) for d in positive.keys() & negative.keys()), Fraction(0))
        cancels, keeps = cancels or shared != 0, keeps or shared == 0
        total, below = (sum(map(abs, masses.values()), Fraction(0)) for masses in (projected, negative))
        yield seen(total, f"{len(atoms)} atoms on {len(directions)} rays", K=cost, B=shared, M=below)
    yield Premise("signs cancel somewhere", cancels)
    yield Premise("and not everywhere", keeps)


@theorem("both signs of two masses")
def two_atoms() -> Observation:
    """The modulus of the mass that two atoms on one ray leave, neurons of the weights c, e and the lengths r, s."""
    left = OutrightValue("norm(moment(c, r) + moment(e, s))")
    over: dict[str, Assumption] = {"c": "real", "e": "real", "r": "nonnegative", "s": "nonnegative"}
    gain, loss = "Max(0, c*r) + Max(0, e*s)", "Max(0, -c*r) + Max(0, -e*s)"
    yield shows(left, for_all=over, split=("c", "e"), K="Abs(c)*r + Abs(e)*s", B=f"Min({gain}, {loss})", M=loss)


PROJECTION = claim(
    "dedios2020.equation_4_variation",
    "Equation (4), and before Corollary 4.6",
    "What the projection to the sphere saves",
    """The total variation of ν = P(μ) is ⟨V, μ⟩ less twice the mass that cancels: on each ray the smaller of the
    masses ∫|c|‖θ‖dμ with c > 0 and with c < 0. So ‖P(μ)‖ ≤ ⟨V, μ⟩, with equality where no ray holds both signs.""",
    latex=r"\|P\mu\|_{TV}=\langle V,\mu\rangle-2\,\text{cancelled}\le\langle V,\mu\rangle",
    domain=("B >= 0", "B <= M", "M + B <= K"),
    formula="K - 2*B",
    symbols={
        "K": "⟨V, μ⟩",
        "B": "sum over rays of the smaller of both signs' masses",
        "M": "mass with c < 0",
    },
    controls={
        "K": "equality for every μ",
        "K - B": "what cancels counted once",
        "K - 2*M": "the signed mass",
        "K/2": "the mean of two atoms",
    },
    checks=(two_atoms, projection),
    part_of="dedios2020.equation_5_and_6",
    formerly=("dedios2020.definition_4_1_cost",),
    rests_on=("dedios2020.section_2_1_total_variation",),
)
