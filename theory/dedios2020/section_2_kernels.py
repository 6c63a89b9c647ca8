"""Section 2.1: which reproducing-kernel spaces the variation-norm space contains."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, permutations, product
from random import Random

from implicitbias.claims import (
    Attached,
    Context,
    Flaw,
    Interval,
    Observation,
    Premise,
    Rule,
    Step,
    certificate,
    claim,
    seen,
)
from implicitbias.exact.vectors import dot, relu

from ..observed.measures.contact_sets import lift, touching
from ..observed.measures.exact_cases import (
    Case,
    case,
    diamond,
    one_point,
    two_signs_on_walls,
    two_signs_one_pattern,
    zigzag_dual,
)
from . import errata

Neuron = tuple[Fraction, Fraction, tuple[Fraction, ...]]
"""(share of μ_0, c, θ)."""


def solved(matrix: Sequence[Sequence[Fraction]], right: Sequence[Fraction]) -> tuple[Fraction, ...] | None:
    from implicitbias.convex.programmes.linear_programme import Optimum, minimise

    found = minimise([0] * len(right), matrix, right, free=True)
    return found.primal if isinstance(found, Optimum) else None


def kernel_norm(
    base: Sequence[Neuron], points: Sequence[tuple[Fraction, ...]], y: Sequence[Fraction]
) -> Fraction | None:
    """yᵀK⁻¹y, the least squared kernel norm through the labels; None if y is not in the range of a singular K."""
    features = [[c * relu(dot(t, x)) for _, c, t in base] for x in points]
    shares = [q for q, _, _ in base]
    matrix = [
        [sum((q * a * b for q, a, b in zip(shares, row, other, strict=True)), Fraction(0)) for other in features]
        for row in features
    ]
    weights = solved(matrix, y)
    return None if weights is None else dot(weights, y)


def random_base(draw: Random, d: int, atoms: int) -> list[Neuron]:
    shares = [draw.randint(1, 9) for _ in range(atoms)]
    return [
        (
            Fraction(share, sum(shares)),
            Fraction(draw.choice((1, -1)) * draw.randint(1, 6), 2),
            (*(Fraction(draw.randint(-3, 3)) for _ in range(d)), Fraction(draw.randint(1, 4))),
        )
        for share in shares
    ]


def _attained(draw: Random) -> list[tuple[Case, Fraction, Fraction]]:
    """Known only minimisers with the size of |c|‖θ‖ in the base measure and the density on it, of every order."""
    small, one, large = Fraction(1, 30), Fraction(1), Fraction(20)
    cases: list[tuple[Case, Fraction, Fraction]] = [
        (one_point((0,), 1), one, 3 * one),
        (one_point((Fraction(3, 4),), -2), 10 * one, small),
        (one_point((2, 2), 3), small, large),
        *((known, size, large / size) for known in (two_signs_on_walls(), diamond()) for size in (small, 7 * one)),
        (two_signs_one_pattern(), large, small),
    ]
    for order in (*product((small, one, large), repeat=3), *permutations((one, 2 * one, 3 * one)), (one, one, one)):
        size, reach, density = (t * Fraction(draw.randint(7, 13), 10) for t in order)
        places = [-one, Fraction(0), reach]
        ramp = case("a hinge on the middle datum", [(t,) for t in places], zigzag_dual(places, [0, 1, 0]), [1, 0])
        cases.append((ramp, size, density))
    return cases


@certificate("norms attained")
def attained(context: Context) -> Observation:
    """Base measures on the atoms of only minimisers, |c|‖θ‖ one size at all of them: a dual in rationals has the
    variation norm, the kernel matrix the kernel norm. Moment, kernel and norm small, middling and large, apart."""
    for known, size, density in _attained(context.random()):
        atoms = [(m, c) for m, c in zip(known.masses, known.contacts, strict=True) if m]
        base = [(abs(m) / known.value, c.sign * size, c.theta) for m, c in atoms]
        times = size * density / known.value
        square = kernel_norm(base, known.points, [times * v for v in known.y])
        if square is None:
            raise ArithmeticError("the labels are not in the range of the kernel matrix")
        yield seen(times * known.value, known.label, M2=_moment(base), H2=square, K=_largest(base, known.points))
    yield Step("‖f‖_V = p·y from a dual that is feasible on all cells")


def _moment(base: Sequence[Neuron]) -> Fraction:
    return sum((q * c**2 * dot(t, t) for q, c, t in base), Fraction(0))


def _largest(base: Sequence[Neuron], points: Sequence[tuple[Fraction, ...]]) -> Fraction:
    return max(sum((q * c**2 * relu(dot(t, x)) ** 2 for q, c, t in base), Fraction(0)) for x in points)


@certificate("finite base measures")
def bound(context: Context) -> Observation:
    """Random base measures; the least kernel norm through labels in rationals, the variation norm between bounds."""
    from implicitbias.convex.variation.least import tv_interpolant

    draw = context.random()
    cases: list[tuple[list[tuple[Fraction, ...]], list[Neuron], list[Fraction]]] = []
    for d, n, atoms in context.choose(((1, 2, 3), (1, 3, 5), (2, 3, 4)), ((1, 4, 6), (2, 4, 6), (2, 5, 9), (3, 4, 8))):
        for _ in range(context.choose(2, 6)):
            while True:
                points = [lift([draw.randint(-4, 4) for _ in range(d)]) for _ in range(n)]
                base = random_base(draw, d, atoms)
                # a function of the space: densities on the base measure
                y = [
                    sum((draw.randint(-3, 3) * q * c * relu(dot(t, x)) for q, c, t in base), Fraction(0))
                    for x in points
                ]
                if len(set(points)) == n and any(y) and kernel_norm(base, points, y) is not None:
                    break
            cases.append((points, base, y))
    for k, (points, base, y) in enumerate(cases):
        square = kernel_norm(base, points, y)
        if square is None:
            raise ArithmeticError("the labels are not in the range of the kernel matrix")
        found = tv_interpolant([x[:-1] for x in points], y)
        yield seen(
            Interval(found.lower, found.upper),
            f"{len(points)} points, {len(base)} base neurons",
            relation="<=",
            M2=_moment(base),
            H2=square,
            K=_largest(base, points),
            y=tuple(y),
        )
        if k < 6:
            yield Attached(found.certificate())
    yield Step("f = ∫ g φ dμ_0 with ‖g‖ its kernel norm; ν = c‖θ‖ g μ_0 on the sphere")
    yield Step("Cauchy-Schwarz", "‖ν‖ ≤ ∫|c|‖θ‖|g|dμ_0 ≤ (∫c²‖θ‖²dμ_0)^½ ‖g‖")


BOUND = claim(
    "dedios2020.section_2_1_kernels",
    "Section 2.1, RKHS of random features",
    "The variation norm against a kernel norm",
    """For the kernel k(x, x') = ∫φ(θ,x)φ(θ,x')dμ_0 every f of its space H has ‖f‖_V ≤ (∫c²‖θ‖²dμ_0)^½ ‖f‖_H: if that
    second moment is finite, F_1 contains H. It is attained by one neuron along one datum, by one whose hinge is on a
    datum with data to both sides, and by the neurons of an only minimiser with |c|‖θ‖ the same at all of them.""",
    latex=r"\|f\|_{\mathcal F_1}\le\Big(\int c^2\|\theta\|^2\,d\mu_0\Big)^{1/2}\|f\|_{\mathcal H}",
    hypotheses=("∫c²‖θ‖²dμ_0 < ∞",),
    formula="sqrt(M2*H2)",
    symbols={"M2": "∫c²‖θ‖²dμ_0", "H2": "‖f‖_H², the least through the labels", "K": "largest k(x, x) at the data"},
    controls={
        "sqrt(H2)": "the moment omitted",
        "sqrt(K*H2)": "the kernel's largest value instead of the moment",
        "sqrt(M2*H2)/2": "half of it",
        "M2*H2": "the root omitted",
        "sqrt(H2*Min(M2, K))": "the kernel's largest value where it is less than the moment",
    },
    checks=(attained, bound),
    part_of="dedios2020.equation_5_and_6",
    rests_on=("dedios2020.section_2_1_total_variation",),
)


def heavy_tail(count: int) -> list[Neuron]:
    """The first atoms of the base measure: shares 3/4^k, c = 1, θ = 2^k e_k with unit e_k = (1 - u², 2u)/(1 + u²), u =
    2^-k. Every one of them adds 3 to the second moment, and (12/4^k)/(1 + u²)² to k(0, 0)."""
    return [(Fraction(3, 4**k), Fraction(1), tuple(2**k * t for t in _direction(k))) for k in range(1, count + 1)]


def _direction(k: int) -> tuple[Fraction, Fraction]:
    u = Fraction(1, 2**k)
    return (1 - u**2) / (1 + u**2), 2 * u / (1 + u**2)


def touching_data(count: int) -> tuple[list[Fraction], list[Fraction]]:
    """Places in [-2, 0], and the heights over them of a function that touches √(1 + t²) at the first hinges from below.

    It rises from 0 at -2, follows the tangents at the hinges t_k of e_k from one to the next, and falls to 0 at 0.
    """
    tangents = []
    for k in range(1, count + 1):
        a, b = _direction(k)
        t, height = -b / a, 1 / a  # the height √(1 + t²), the slope t/√(1 + t²) = -b
        tangents.append((-b, height + b * t))
    places = [Fraction(-3, 2)]
    places += [(q - s) / (r - p) for (p, q), (r, s) in pairwise(tangents)]
    places.append(-_direction(count)[1] / _direction(count)[0] / 2)
    lines = [tangents[0], *tangents]
    heights = [slope * t + at for t, (slope, at) in zip(places, lines, strict=True)]
    return [Fraction(-2), *places, Fraction(0)], [Fraction(0), *heights, Fraction(0)]


@certificate("norms of the partial sums")
def heavy(context: Context) -> Observation:
    """‖f_N‖_V²/‖f_N‖_H² for f_N = Σ_{k≤N} [e_k·x̃]_+ on [-2, 0]: cone programmes, and the kernel of two atoms more."""
    from implicitbias.convex.variation.least import tv_interpolant

    bounded = feasible = True
    for count in range(1, context.choose(5, 8)):
        places, heights = touching_data(count)
        base = heavy_tail(count + 2)
        kinks = [-b / a for _, _, (a, b) in base]
        values = {t: sum((relu(dot(_direction(k), lift((t,)))) for k in range(1, count + 1)), Fraction(0))
                  for t in sorted({*places, *kinks})}  # fmt: skip
        square = kernel_norm(base, [lift((t,)) for t in values], list(values.values()))
        if square is None:
            raise ArithmeticError("f_N is not in the kernel's space")
        found = tv_interpolant([(t,) for t in places], [values[t] for t in places])
        ratio = Interval(found.lower**2 / square, found.upper**2 / square)
        yield seen(ratio, N=count, x=tuple(places), y=tuple(values[t] for t in places))
        yield Attached(found.certificate())
        bounded = bounded and all(sum(q * c**2 * relu(dot(t, lift((x,)))) ** 2 for q, c, t in base) < 4 for x in values)
        touch = touching([lift((t,)) for t in places], zigzag_dual(places, heights))
        feasible = (
            feasible
            and touch.largest == 1
            and {_direction(k) for k in range(1, count + 1)} <= {c.theta for c in touch.contacts}
        )
    yield Premise("k(x, x) stays below 4 on [-2, 0]", bounded)
    yield Premise("a dual in rationals prices every e_k at 1, and no direction at more", feasible)
    yield Step("‖f_N‖_V = N: f_N has N atoms of mass 1, all of them at contacts of this dual")
    yield Step("‖f_N‖_H² = Σ q_k g_k² = N/3, by the only density, g_k = 2^k/3: hinges differ")
    yield Step("were H in F_1 the inclusion would be continuous (closed graph); but the ratio is 3N")


@certificate("light and heavy tails")
def contained(context: Context) -> Observation:
    """Base measures with finite and infinite second moment: a bound for all functions, or functions without bound."""
    from implicitbias.convex.variation.least import tv_interpolant

    draw = context.random()
    for atoms in (1, 3, 6):
        base = random_base(draw, 1, atoms)
        moment, within = _moment(base), True
        for _ in range(context.choose(2, 8)):
            points, y, square = None, [Fraction(0)], None
            while square is None or not any(y):
                points = [lift((t,)) for t in draw.sample(range(-5, 6), 3)]
                y = [
                    sum((draw.randint(1, 3) * q * c * relu(dot(t, x)) for q, c, t in base[:3]), Fraction(0))
                    for x in points
                ]
                square = kernel_norm(base, points, y)
            found = tv_interpolant([x[:-1] for x in points or ()], y)
            within = within and found.lower**2 <= moment * square
        yield seen(within, f"{atoms} base neurons", moment=moment, kernel="finite", neurons=atoms)
    ratios = [i.observed for i in heavy.observe(context).instances]
    grows = all(ratio.lower > 2 * (k + 1) for k, ratio in enumerate(ratios))  # type: ignore[union-attr]
    for count in (4, 8):
        grows = grows and _moment(heavy_tail(count)) == 3 * count
    yield seen(
        not grows,
        "masses 3/4^k, c‖θ‖ = 2^k",
        moment="infinite",
        kernel="finite",
        neurons="infinitely many",
    )
    yield Step("a finite moment bounds the inclusion", "‖f‖_V ≤ (∫c²‖θ‖²dμ_0)^½ ‖f‖_H")
    yield Step("the heavy tail: each atom adds 3 to the moment; ‖f_N‖_V²/‖f_N‖_H² = 3N, certified for small N")
    yield Step(
        "and by tangents for every N, so the inclusion would not be continuous, contrary to the closed graph theorem"
    )


CONTAINED = claim(
    "dedios2020.section_2_1_kernels_contained",
    "Section 2.1, RKHS of random features",
    "Which kernel spaces are contained",
    """F_1 contains the space of the kernel ∫φφ'dμ_0 where ∫c²‖θ‖²dμ_0 is finite. For a base measure whose kernel is
    finite and whose second moment is not it can fail: the paper's 'any RKHS' needs the moment.""",
    latex=r"\int c^2\|\theta\|^2d\mu_0<\infty\Rightarrow\mathcal H\subseteq\mathcal F_1",
    formula=Rule(
        "finite second moment",
        "contained where the second moment is finite, not for the heavy tail",
        lambda given: given["moment"] != "infinite",
    ),
    flaw=Flaw(
        errata.KERNELS,
        Rule("any kernel", "contained whatever the base measure", lambda given: given["kernel"] == "finite"),
    ),
    controls={
        Rule(
            "one neuron", "only for a single base neuron", lambda given: given["neurons"] == 1
        ): "as if the bound needed one neuron",
        Rule(
            "never", "no kernel space is contained", lambda given: False
        ): "as if variation norms and kernel norms could not be compared",
    },
    checks=(contained,),
    part_of="dedios2020.equation_5_and_6",
    rests_on=("dedios2020.section_2_1_kernels", "dedios2020.section_2_1_kernels_heavy_tail"),
)


HEAVY = claim(
    "dedios2020.section_2_1_kernels_heavy_tail",
    "next to Section 2.1, RKHS of random features",
    "A kernel space that is not contained",
    """Let μ_0 give c = 1, θ = 2^k e_k, e_k = (1 - u², 2u)/(1 + u²) with u = 2^-k, the mass 3/4^k, k ≥ 1, and let -2 ≤ x
    ≤ 0. Its kernel is below 4, its second moment infinite, and f_N = Σ_{k≤N} [e_k·x̃]_+ has ‖f_N‖_V = N and ‖f_N‖_H² =
    N/3 for every N: so F_1 does not contain this H. The paper's sentence needs ∫c²‖θ‖²dμ_0 < ∞.""",
    latex=r"\|f_N\|_{\mathcal F_1}^2=3N\,\|f_N\|_{\mathcal H}^2",
    hypotheses=("inputs in [-2, 0]",),
    formula="3*N",
    symbols={"N": "number of ramps"},
    controls={
        "3": "bounded, as for a finite moment",
        "3*N**2": "‖f_N‖_V² without the kernel norm",
        "3*2**(N - 1)": "growth by the last atom's ‖θ_N‖",
    },
    checks=(heavy,),
    part_of="dedios2020.equation_5_and_6",
    rests_on=("dedios2020.section_2_1_kernels",),
    own=True,
)
