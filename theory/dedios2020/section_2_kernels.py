"""Section 2.1: which reproducing-kernel spaces the variation-norm space contains."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
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

from ..observed.measures.contact_sets import lift
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


@certificate("finite base measures")
def bound(context: Context) -> Observation:
    """Finite base measures; the least kernel norm through labels in rationals, the variation norm between bounds."""
    from implicitbias.convex.variation.least import tv_interpolant

    draw = context.random()
    # one point, one neuron along it; and one neuron whose hinge is on a datum, with data to both sides: equality
    cases: list[tuple[list[tuple[Fraction, ...]], list[Neuron], list[Fraction], bool]] = [
        ([lift((0,))], [(Fraction(1), Fraction(1), (Fraction(0), Fraction(1)))], [Fraction(3)], True),
        ([lift(("3/4",))], [(Fraction(1), Fraction(-2), (Fraction(3), Fraction(4)))], [Fraction(5)], True),
        (
            [lift((2, 2))],
            [(Fraction(1), Fraction(1, 9), (Fraction(2), Fraction(2), Fraction(1)))],
            [Fraction(-4)],
            True,
        ),
        (
            [lift((0,)), lift(("1/2",)), lift((1,))],
            [(Fraction(1), Fraction(1), (Fraction(2), Fraction(-1)))],
            [Fraction(0), Fraction(0), Fraction(1, 2)],
            True,
        ),
        (
            [lift((-1,)), lift((0,)), lift((1,)), lift((3,))],
            [(Fraction(1), Fraction(-3, 2), (Fraction(1), Fraction(0)))],
            [Fraction(0), Fraction(0), Fraction(2), Fraction(6)],
            True,
        ),
    ]
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
            cases.append((points, base, y, False))
    for k, (points, base, y, equal) in enumerate(cases):
        square = kernel_norm(base, points, y)
        if square is None:
            raise ArithmeticError("the labels are not in the range of the kernel matrix")
        found = tv_interpolant([x[:-1] for x in points], y)
        label = f"{len(points)} points, {len(base)} base neurons"
        yield seen(
            Interval(found.lower, found.upper),
            label,
            relation="=" if equal else "<=",
            M2=sum((q * c**2 * dot(t, t) for q, c, t in base), Fraction(0)),
            H2=square,
            K=max(sum((q * c**2 * relu(dot(t, x)) ** 2 for q, c, t in base), Fraction(0)) for x in points),
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
    second moment is finite, F_1 contains H. One neuron along one datum attains it, and one whose
    hinge is on a datum with data to both sides.""",
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
    checks=(bound,),
    part_of="dedios2020.equation_5_and_6",
    rests_on=("dedios2020.section_2_1_total_variation",),
)


def heavy_tail(count: int) -> list[Neuron]:
    """The first atoms of the base measure with shares 3/4^k and c‖a‖ = 2^k, hinges at 1 - 2^-k: every one of them adds
    3(1 + t_k²) to the second moment, and 3/4^k to k(1, 1)."""
    return [
        (Fraction(3, 4**k), Fraction(1), (Fraction(2**k), -Fraction(2**k) * (1 - Fraction(1, 2**k))))
        for k in range(1, count + 1)
    ]


@certificate("norms of the partial sums")
def heavy(context: Context) -> Observation:
    """Lower bounds on ‖f_N‖_V²/‖f_N‖_H² for f_N = (1/N) Σ_{k≤N} [x - (1 - 2^-k)]_+, both norms certified."""
    from implicitbias.convex.variation.least import tv_interpolant

    bounded = True
    for count in range(1, context.choose(5, 8)):
        base = heavy_tail(count)
        # g_k = 2^k/(3N) on the k-th atom: q_k g_k c_k φ_k = (1/N)·ramp
        densities = [Fraction(2**k, 3 * count) for k in range(1, count + 1)]
        square = sum((q * g**2 for (q, _, _), g in zip(base, densities, strict=True)), Fraction(0))
        places = [Fraction(0), *(1 - Fraction(1, 2**k) for k in range(1, count + 1)), Fraction(1)]
        points = [lift((t,)) for t in places]
        y = [
            sum((q * g * relu(dot(t, x)) for (q, _, t), g in zip(base, densities, strict=True)), Fraction(0))
            for x in points
        ]
        # beyond the N-th hinge f_N has slope 1, before the first 0
        bounded = bounded and (y[-1] - y[-2]) / (places[-1] - places[-2]) == 1 and y[0] == y[1] == 0
        bounded = bounded and sum(q * c**2 * relu(dot(t, points[-1])) ** 2 for q, c, t in base) < 1
        found = tv_interpolant([(t,) for t in places], y)
        # a lower bound of the square of the ratio of the norms
        yield seen(found.lower**2 / square, relation=">=", N=count, x=tuple(places), y=tuple(y))
        yield Attached(found.certificate())
    yield Premise("k(1, 1) stays below 1 while the slope of f_N rises from 0 to 1", bounded)
    yield Step("‖f_N‖_H² ≤ Σ q_k g_k² = 1/(3N), by the density g_k = 2^k/(3N)")
    yield Step("a network's slope rises by no more than Σ|c_j||a_j|, so ‖f_N‖_V ≥ 1")
    yield Step("were H in F_1 the inclusion would be continuous (closed graph); but the ratio is √(3N) at least")


@certificate("light and heavy tails")
def contained(context: Context) -> Observation:
    """Base measures with finite and infinite second moment: a bound for all functions, or functions without bound."""
    from implicitbias.convex.variation.least import tv_interpolant

    draw = context.random()
    for atoms in (1, 3, 6):
        base = random_base(draw, 1, atoms)
        moment = sum((q * c**2 * dot(t, t) for q, c, t in base), Fraction(0))
        within = True
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
    grows = all(ratio >= 3 * (k + 1) for k, ratio in enumerate(ratios))  # type: ignore[operator]
    for count in (4, 8):
        part = sum((q * c**2 * dot(t, t) for q, c, t in heavy_tail(count)), Fraction(0))
        grows = grows and part >= 3 * count
    yield seen(
        not grows,
        "masses 3/4^k at hinges 1 - 2^-k, c‖a‖ = 2^k",
        moment="infinite",
        kernel="finite",
        neurons="infinitely many",
    )
    yield Step("a finite moment bounds the inclusion", "‖f‖_V ≤ (∫c²‖θ‖²dμ_0)^½ ‖f‖_H")
    yield Step("the heavy tail: each atom adds 3(1 + t²) to the moment; ‖f_N‖_V²/‖f_N‖_H² ≥ 3N, certified for small N")
    yield Step(
        "and by slopes for every N, so the inclusion would not be continuous, contrary to the closed graph theorem"
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
    """Let μ_0 give c = 1, θ = 2^k(1, -(1 - 2^-k)) the mass 3/4^k, k ≥ 1, and let 0 ≤ x ≤ 1. Its kernel is at most 1,
    its second moment infinite, and f_N = (1/N) Σ_{k≤N} [x - (1 - 2^-k)]_+ has ‖f_N‖_V² ≥ 3N ‖f_N‖_H² for every N: so
    F_1 does not contain this H. The paper's sentence needs ∫c²‖θ‖²dμ_0 < ∞.""",
    latex=r"\|f_N\|_{\mathcal F_1}^2\ge3N\,\|f_N\|_{\mathcal H}^2",
    hypotheses=("inputs in [0, 1]",),
    formula="3*N",
    symbols={"N": "number of ramps"},
    controls={
        "6*N**2": "growth with the square",
        "9*N": "three times as fast",
        "exp(2*N)": "growth without bound of another order",
    },
    checks=(heavy,),
    part_of="dedios2020.equation_5_and_6",
    rests_on=("dedios2020.section_2_1_kernels",),
    own=True,
)
