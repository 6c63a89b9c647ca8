"""Section 5.2: what the restriction of the kinks to [-1, 1] keeps, and what it changes."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import (
    Context,
    Derivation,
    Flaw,
    Observation,
    Premise,
    Step,
    certificate,
    claim,
    proof,
    seen,
    shows,
    theorem,
)
from implicitbias.theorems.rules.extrema.cheapest import CheapestRamps

from ..observed.cheapest.ramp_programme import (
    Feature,
    certified_value,
    cheapest_ramps,
    feature,
    largest_price,
    off_data,
    price,
)
from ..observed.data.points import batch, by_hand
from . import errata


@certificate("exact linear programme on U")
def exact_linear_programme_on_u(context: Context) -> Observation:
    """The cheapest measure on U for the values of one ramp at data points, by exact linear programming."""
    draw = context.random()
    kinks = [Fraction(-1), Fraction(0), Fraction(1, 2), Fraction(-1, 3), Fraction(-2), Fraction(-5), Fraction(-3, 2)]
    kinks += [Fraction(draw.randint(-400, 90), 100) for _ in range(6)]
    kinks += [Fraction(k, 11) for k in range(-24, 11, 2)]
    for c in kinks:
        for s in (1, -1):
            places = sorted({Fraction(-1), Fraction(1), Fraction(-1, 4), Fraction(2, 3), *([s * c] if c > -1 else [])})
            values = [max(Fraction(0), s * (x - s * c)) for x in places]
            yield seen(certified_value(places, values).value, s=s, c=s * c)
    yield Step("primal on 2·(data and places between), dual for all of U")


@theorem("two ramps instead of one")
def two_ramps_instead_of_one() -> Observation:
    """The least cost on U of any ramp that is not 0 on [-1, 1]: with its kink outside two ramps at the ends, with its
    kink inside the ramp itself; both sides, and all data in [-1, 1].
    """
    for s, kink, outside in (("1", "-r", True), ("-1", "r", True), ("1", "r", False), ("-1", "-r", False)):
        label = f"ramp({s}, {kink}, x)"
        ends = ({"v": "(r + 1)/2", "s": s, "c": f"-({s})"}, {"v": "(r - 1)/2", "s": f"-({s})", "c": s})
        prices = ("0", "-1/(1 - r)", "1/(1 - r)")[:: 1 if s == "1" else -1]
        cheapest = CheapestRamps(
            data=(("-1", label), ("1", label)) if outside else (("-1", label), (kink, label), ("1", label)),
            kinks=("-1", "1"),
            network=ends if outside else ({"v": "1", "s": s, "c": kink},),
            multipliers=("1/2", "1/2") if outside else prices,
            further=((("1 + x", "1 - x"), label),),
        )
        where = ("r >= 1",) if outside else ("r > -1", "r < 1")
        yield shows(cheapest, f"s = {s}, kink {kink}", for_all={"r": "real"}, assuming=where, s=s, c=kink)


OUTSIDE = claim(
    "stewart2022.section_5_2_functions",
    "next to Section 5.2, the restriction to U",
    "The cost on U of a ramp with its kink outside",
    """On [-1, 1] every ramp with a kink outside is a sum of ramps with kinks in [-1, 1], so that the restriction to U
    loses no function there. But it changes the cost: (s(x-c))_+ with s c < -1 costs |c| times as much, as
    ((|c|+1)/2)(1+sx)_+ + ((|c|-1)/2)(1-sx)_+.""",
    latex=r"V_{\mathbb U}\big((s(x-c))_+\big)=\max(1,-sc)",
    hypotheses=("s c < 1 (else the ramp is 0 on [-1, 1])",),
    domain=("s*c < 1",),
    formula="Max(1, -s*c)",
    symbols={"s": "side of the ramp, ±1", "c": "its kink"},
    controls={
        "1": "the cost of the ramp where it came from",
        "Max(1, Abs(c) + 1)": "one ramp and a constant for the rest",
        "Max(1, -c)": "ramps to the right only",
    },
    checks=(two_ramps_instead_of_one, exact_linear_programme_on_u),
    part_of="stewart2022.equation_9",
    own=True,
)


@certificate("exact linear programme on [-L, L]")
def exact_linear_programme_up_to_l(context: Context) -> Observation:
    """Two equal labels, kinks in [-L, L]: the exact optimum with a dual that bounds every kink there."""
    draw = context.random()
    proved = True
    cases: list[tuple[Fraction | int, Fraction | int]] = [
        (1, 1),
        (1, 2),
        (1, 10),
        (-3, 5),
        (0, 7),
        (Fraction(1, 2), 100),
    ]
    cases += [(Fraction(draw.randint(-30, 30), 7), Fraction(draw.randint(10, 900), 10)) for _ in range(8)]
    for y, L in cases:
        x = (-1, 1)
        found = cheapest_ramps(x, (y, y), [-1, 1, 0, Fraction(1, 3), -L, L, (L + 1) / Fraction(2)])
        if found is None:
            raise ArithmeticError("no measure through two points")
        proved = proved and largest_price(x, found.alpha, -L, L) <= 1
        yield seen(found.value, y=y, L=L)
    yield Premise("the multipliers price every kink of [-L, L] at 1 or less", proved)


@theorem("two ramps that cross")
def two_ramps_that_cross() -> Observation:
    """A ramp from each end of the range, and multipliers that price every ramp at most at its cost."""
    yield shows(
        CheapestRamps(
            data=(("-1", "y"), ("1", "y")),
            kinks=("-L", "L"),
            network=({"v": "y/(2*L)", "s": "1", "c": "-L"}, {"v": "y/(2*L)", "s": "-1", "c": "L"}),
            multipliers=("sign(y)/(2*L)", "sign(y)/(2*L)"),
        ),
        for_all={"y": "real", "L": "real"},
        assuming=("L >= 1",),
        split=("y",),
        y="y",
        L="L",
    )


WITHOUT_LOSS = claim(
    "stewart2022.section_5_2_without_loss",
    "Section 5.2, `without loss of generality`",
    "Restricting the kinks changes the optimal value",
    """For x = ∓1 with equal labels y the least total variation over kinks in [-L, L] is |y|/L, L ≥ 1: it is |y| on U,
    tends to 0 as L grows, and the infimum 0 over all kinks is not attained.""",
    latex=r"V_{[-L,L]}(y,y)=\frac{|y|}{L}",
    hypotheses=("n = 2, y_1 = y_2 = y", "L ≥ 1"),
    formula="Abs(y)/L",
    symbols={"y": "the common label", "L": "kinks lie in [-L, L]"},
    flaw=Flaw(errata.RESTRICTION_TO_U),
    controls={
        "Abs(y)": "the same cost wherever kinks may lie",
        "2*Abs(y)/(L + 1)": "one far kink and one at the data",
        "Abs(y)/L**2": "both ramps shrink twice",
        "Abs(y)/(2*L)": "one ramp alone",
    },
    checks=(two_ramps_that_cross, exact_linear_programme_up_to_l),
    part_of="stewart2022.equation_9",
    rests_on=("stewart2022.section_5_2_functions",),
)


@certificate("dual for the whole line")
def dual_for_the_whole_line(context: Context) -> Observation:
    """Kinks anywhere: an exact dual vector for all kinks of R, and measures with kinks at ±10⁶ that come near."""
    from implicitbias.convex.programmes.linear_programme import optimum

    draw = context.random()
    proved, near = True, True
    for data in (*by_hand(), *batch(draw, context.choose(20, 200))):
        units: list[Feature] = [(s, Fraction(c)) for c in sorted({*data.x, *off_data(data.x)}) for s in (1, -1)]
        rows = [[feature(u, at) for u in units] for at in data.x]
        matrix = [row + [-v for v in row] + [1] for row in rows]
        m = len(units)
        found = optimum([1] * (2 * m) + [0], matrix, list(data.y), free=[False] * (2 * m) + [True])
        alpha = found.dual_eq
        prices = [abs(price(data.x, alpha, (s, Fraction(c)))) for s in (1, -1) for c in data.x]
        proved = proved and sum(alpha) == 0 and max(prices) <= 1
        far = Fraction(10**6)  # the constant of the programme as two ramps with kinks at ±far
        weights = {u: found.primal[j] - found.primal[m + j] for j, u in enumerate(units)}
        constant = found.primal[-1]
        weights |= {(1, -far): constant / (2 * far), (-1, far): constant / (2 * far)}
        met = all(
            sum((w * feature(u, at) for u, w in weights.items()), Fraction(0)) == y
            for at, y in zip(data.x, data.y, strict=True)
        )
        cost = sum(map(abs, weights.values()))
        near = near and met and cost <= found.value + abs(constant) / far
        slopes = data.slopes
        yield seen(found.value, data.label, T=data.variation, a=slopes[0], b=slopes[-1], **data.given)
    yield Premise("Σα = 0 and prices at most 1 at the data, hence for every kink of R", proved)
    yield Premise("measures on W through the data, kinks at ±10⁶, within |constant|/10⁶ of the value", near)
    yield Step("for Σα = 0 the price of a kink is linear between the data and constant outside of them")


@proof("both closed forms")
def both_closed_forms(d: Derivation) -> None:
    """TV + max(0, g_1 - K⁻, -g_1 - K⁺) against max(T, (T + |a + b|)/2), case by case: T = K⁺ + K⁻, b = a + K⁺ - K⁻."""
    import sympy

    K, J, u, _ = d.symbols(K="nonnegative", J="nonnegative", u="nonnegative", v="nonnegative")
    for label, a, extra, given_a in (("g_1 >= K⁻", J + u, u, "J + u"), ("-g_1 >= K⁺", -(K + u), u, "-(K + u)")):
        b = a + K - J
        d.identity(label, K + J + extra, (K + J + sympy.Abs(a + b)) / 2)
        d.concludes(K + J + extra, label, T="K + J", a=given_a, b=f"{given_a} + K - J")
    d.step("-K⁺ <= g_1 <= K⁻: |a + b| = |2 g_1 + K⁺ - K⁻| <= K⁺ + K⁻, and both are T")
    # K⁺ = K + v, K⁻ = J + u
    d.concludes("K + J + u + v", "-K⁺ <= g_1 <= K⁻", T="K + J + u + v", a="J - K", b="v - u")


WHOLE_LINE = claim(
    "stewart2022.section_5_2_whole_line",
    "next to Section 5.2; Savarese et al. 2019, equation (27)",
    "Problem (9) with kinks anywhere",
    """With kinks on the whole line the infimum of problem (9) is V_W = TV + max(0, g_1 - K⁻, -g_1 - K⁺), which is
    max(T, (T+|a+b|)/2): the least representation cost of Savarese et al. (2019) through the same points, although an
    output bias is free there. Proof: a bias of size C is two ramps with kinks at ±L and cost C/L; conversely a dual
    vector of their problem has Σα = 0 and prices every kink of the line at most 1. With T = K⁺ + K⁻, a = g_1 and b = a
    + K⁺ - K⁻ both formulas agree.""",
    latex=r"V_{\mathbb W}=\max\Big(T,\frac{T+|a+b|}{2}\Big)=T+\max(0,g_1-K^-,-g_1-K^+)",
    formula="Max(T, (T + Abs(a + b))/2)",
    symbols={
        "T": "TV = K⁺ + K⁻, total variation of the slopes between the data",
        "a": "the first slope, g_1",
        "b": "the last slope",
    },
    controls={
        "T": "the variation between the data alone",
        "Max(T, Abs(a + b))": "tails that go straight on",
        "T + Abs(a + b)/2": "both terms added",
        "Max(T, (T + Abs(a) + Abs(b))/2 + Abs(b - a)/2)": "each end slope brought to 0",
    },
    checks=(both_closed_forms, dual_for_the_whole_line),
    part_of="stewart2022.equation_9",
    rests_on=("savarese2019.equation_27_minimum", "savarese2019.theorem_3_3"),
    own=True,
)
