"""Lemma 4, Appendix B: the conjugate of the total variation of a vector measure."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Flaw, Observation, Premise, certificate, claim, seen, shows, theorem
from implicitbias.theorems.rules.extrema.extremum import Maximum
from implicitbias.theorems.rules.extrema.largest_over_measures import LargestOverMeasures

from ..observed.cheapest.group_programme import DUAL, KINDS, PolyhedralNorm, norm
from ..observed.data.draws import evenly
from . import errata


@certificate("best measure on three features")
def conjugate(context: Context) -> Observation:
    """sup Σ (g_u·w_u - Ω(w_u)) over measures on three features with ∫Ω(dμ) <= t, by exact programmes, l1 and l∞."""
    from implicitbias.convex.programmes.linear_programme import optimum

    draw = context.random()
    instances = []
    tables = [
        [[Fraction(1, 2), Fraction(0)], [Fraction(0), Fraction(1)], [Fraction(1, 3), Fraction(1, 3)]],
        [[Fraction(2), Fraction(0)], [Fraction(0), Fraction(0)], [Fraction(1), Fraction(-1)]],
        [[Fraction(3, 4), Fraction(3, 4)], [Fraction(0), Fraction(0)], [Fraction(0), Fraction(0)]],
    ]
    twentieths = (1, 4, *range(7, 41, 3), 8, 9, 11, 12, 90, 100, 200, 260, 400, 1000)
    sizes = [Fraction(n, 20) for n in twentieths]
    tables += [[[Fraction(1), Fraction(1)], [Fraction(0), Fraction(0)], [Fraction(-1), Fraction(1)]]]
    tables += [[[size * Fraction(draw.randint(-9, 9), 9) for _ in range(2)] for _ in range(3)] for size in sizes * 5]
    budgets = [*map(Fraction, range(10)), *[Fraction(0)] * 10, *evenly(-6, 7, 2 * len(tables) - 20)]
    draw.shuffle(budgets)
    for i, g in enumerate(tables):
        for kind, t in zip(KINDS, budgets[2 * i :], strict=False):
            if kind == "l1":
                gain = [v for w in g for v in w]
                found = optimum(
                    [1 - v for v in gain] + [1 + v for v in gain], A_ub=[[1] * 12], b_ub=[t]
                )  # w = p - q, Ω(w) = p + q
            else:  # w = p - r, 0 <= p <= 2r, Ω(w) <= r
                caps = [[int(i == j) for j in range(6)] + [-2 * int(i // 2 == j) for j in range(3)] for i in range(6)]
                cost = [-v for w in g for v in w] + [1 + w[0] + w[1] for w in g]
                found = optimum(cost, A_ub=[*caps, [0] * 6 + [1] * 3], b_ub=[0] * 6 + [t])
            instances.append(
                seen(
                    -found.value,
                    f"{kind}, g = {[[str(v) for v in w] for w in g]}, t = {t}",
                    t=t,
                    G=max(norm(w, DUAL[kind]) for w in g),
                    N=max(norm(w, kind) for w in g),
                    g=tuple(map(tuple, g)),
                )
            )
    signs = {Fraction(i.given["G"]) > 1 for i in instances if isinstance(i.given["G"], int | Fraction)}
    yield from instances
    yield Premise("dual norms above and below 1", signs == {True, False})


@theorem("any norm and measure")
def any_norm_and_measure() -> Observation:
    """Any norm on R^k, any measurable g with sup Ω_*(g(u)) = G, whatever the norms Ω(g(u)) are, and all measures."""
    yield shows(
        LargestOverMeasures(gain="dot(g, v) - norm(v)", budget="t", largest="G"),
        for_all={**dict.fromkeys(("t", "G", "N"), "nonnegative"), **dict.fromkeys(("less", "more"), "positive")},
        assuming=("less*N <= G", "G <= more*N"),  # norms of the same g
        t="t",
        G="G",
        N="N",
    )


LEMMA_4 = claim(
    "stewart2022.lemma_4",
    "Lemma 4, Appendix B",
    "The conjugate of the total variation",
    """The supremum of ∫⟨g, dμ⟩ - ∫Ω(dμ) over measures of total Ω-variation at most t is t·max(0, G - 1), G the largest
    Ω_*(g(u)): it is 0 (attained by μ = 0) if G ≤ 1, including G = 1, and grows without bound in t otherwise. (For
    unbounded g the supremum is over measures for which the integral exists.)""",
    latex=r"\sup_{\int\Omega(d\mu)\le t}\int\langle g,d\mu\rangle-\Omega(d\mu)=t\max(0,\sup_u\Omega_*(g(u))-1)",
    formula="t*Max(0, G - 1)",
    symbols={"t": "bound on the total variation", "G": "largest dual norm Ω_*(g(u))", "N": "largest norm Ω(g(u))"},
    hypotheses=("Ω any norm on R^k (certified for l1 and l∞ in R², where a norm and its dual are within a factor 2)",),
    domain=("t >= 0", "G >= 0", "N <= 2*G", "G <= 2*N"),
    controls={
        "t*(G - 1)": "the whole budget spent even at a loss",
        "t*Max(0, N - 1)": "the norm itself for its dual",
        "t*Max(0, G)": "the cost forgotten",
        "Max(0, G - 1)": "no growth in t",
    },
    checks=(any_norm_and_measure, conjugate),
)


@certificate("best vector of the unit ball")
def bracket(context: Context) -> Observation:
    """The largest ⟨g, v_0⟩ - Ω(v_0) over the unit sphere of three norms, for Ω_*(g) > 1: over the corners of the
    polyhedral balls, and over 25 rational directions for the Euclidean norm, that of g among them.
    """
    draw = context.random()
    vectors = [(Fraction(11, 10), Fraction(0)), (Fraction(2), Fraction(0)), (Fraction(1), Fraction(1, 2)), (Fraction(3), Fraction(-4))]  # fmt: skip  # noqa: E501
    for size in (1001, 1010, *range(1025, 4000, 50), 9000, 100000):  # G from just above 1 to 100, most of them below 4
        vectors.append((Fraction(draw.randint(-size, size), 1000), Fraction(size, 1000) * draw.choice([-1, 1])))
    balls: dict[PolyhedralNorm, list[tuple[int, int]]] = {
        "l1": [(1, 0), (-1, 0), (0, 1), (0, -1)],
        "linf": [(1, 1), (1, -1), (-1, 1), (-1, -1)],
    }
    for v in vectors:
        for kind, corners in balls.items():
            dual_norm = norm(v, DUAL[kind])
            if dual_norm > 1:
                earned = max(v[0] * p + v[1] * q for p, q in corners) - 1
                yield seen(earned, f"{kind}, g = ({v[0]}, {v[1]})", G=dual_norm)
    sphere = [(Fraction(1 - m * m, 1 + m * m), Fraction(2 * m, 1 + m * m)) for m in range(-12, 13)]
    for m in (0, 1, -2, 3, -7, 12, 0, 4, -1):
        length = 1 + Fraction(draw.randint(1, 80), draw.choice([10, 100]))
        p, q = Fraction(1 - m * m, 1 + m * m), Fraction(2 * m, 1 + m * m)
        earned = max(length * (p * one + q * other) - 1 for one, other in sphere)
        yield seen(earned, f"Euclidean, g = {length} ({p}, {q})", G=length)


@theorem("every direction")
def every_direction() -> Observation:
    """For g = (G, 0) the largest ⟨g, v_0⟩ - 1 over v_0 = (1 - t², 2t)/(1 + t²), the circle but for (-1, 0)."""
    yield shows(
        Maximum("G*(1 - t**2)/(1 + t**2) - 1", over={"t": "real"}, at={"t": "0"}, gap=("2*G*t**2/(1 + t**2)",)),
        for_all={"G": "positive"},
        assuming=("G > 1",),
        G="G",
    )


BRACKET = claim(
    "stewart2022.lemma_4_bracket",
    "proof of Lemma 4, the brace under ⟨g(u_0), v_0⟩ - Ω(v_0)",
    "The gain of a Dirac measure",
    """With Ω(v_0) = 1 and ⟨g(u_0), v_0⟩ = Ω_*(g(u_0)) = G > 1 the bracket ⟨g(u_0), v_0⟩ - Ω(v_0) is G - 1 > 0, which is
    what the proof needs; it need not exceed 1.""",
    latex=r"\langle g(u_0),v_0\rangle-\Omega(v_0)=\Omega_*(g(u_0))-1>0",
    hypotheses=("Ω_*(g(u_0)) > 1",),
    formula="G - 1",
    symbols={"G": "Ω_*(g(u_0))"},
    domain=("G > 1",),
    flaw=Flaw(errata.BRACE, "1"),
    controls={
        "G": "the norm of v_0 forgotten",
        "G/2": "half of it lost",
        "0": "nothing is gained",
        "1 - 1/G": "the gain as a share of G",
        "(G - 1)/2": "one of two signs",
    },
    checks=(every_direction, bracket),
    part_of="stewart2022.lemma_4",
)
