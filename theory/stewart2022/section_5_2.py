"""Section 5.2: what the restriction of the kinks to [-1, 1] keeps, and what it changes."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Identity, Instance, Premise, Step
from implicitbias.claims.statement import OWN_RESULT, Claim, Control, Flaw, Source


def observe_outside_ramp(context: Context) -> Evidence:
    """The cheapest measure on U for the values of one ramp at data points, by exact linear programming."""
    from .observed.ramp_programme import certified_value

    draw = context.random()
    kinks = [Fraction(-1), Fraction(0), Fraction(1, 2), Fraction(-1, 3), Fraction(-2), Fraction(-5), Fraction(-3, 2)]
    kinks += [Fraction(draw.randint(-400, 90), 100) for _ in range(6)]
    instances = []
    for c in kinks:
        for s in (1, -1):
            places = sorted({Fraction(-1), Fraction(1), Fraction(-1, 4), Fraction(2, 3), *([s * c] if c > -1 else [])})
            values = [max(Fraction(0), s * (x - s * c)) for x in places]
            instances.append(Instance(f"s={s}, c={s * c}", {"s": s, "c": s * c}, certified_value(places, values).value))
    return Evidence(
        instances=tuple(instances), steps=(Step("primal on 2·(data and places between), dual for all of U"),)
    )


def derive_outside_ramp(context: Context) -> Evidence:
    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import symbol

    r, x = symbol("r", "nonnegative"), symbol("x")
    c = -(1 + r)
    d = Derivation()
    d.step("c = -(1 + r): on [-1, 1] the ramp is the line x - c")
    first, second = (1 - c) / 2, (-c - 1) / 2
    d.identity("as two ramps with kinks at -1 and at 1", first * (x + 1) + second * (1 - x), x - c)
    d.identity("their weights are nonnegative and add up to |c|", first + second, 1 + r)
    d.step("the multiplier 1/2 at ±1 earns ((1 - c) + (-1 - c))/2 = |c| and prices every ramp of U at most 1")
    identities = tuple(
        Identity(f"s = {s}", {"r": "nonnegative"}, {"s": str(s), "c": f"-({s})*(1 + r)"}, str(first + second))
        for s in (1, -1)
    )
    return Evidence(identities=identities, steps=d.steps)


OUTSIDE = Claim(
    id="stewart2022.section_5_2_functions",
    source=Source(OWN_RESULT, "beside Section 5.2, the restriction to U"),
    title="What a ramp from outside costs inside",
    statement=(
        "On [-1, 1] every ramp with a kink outside is a sum of ramps with kinks in [-1, 1], so that the restriction to "
        "U "
        "loses no function there. But it changes the cost: (s(x-c))_+ with s c < -1 costs |c| times as much, as "
        "((|c|+1)/2)(1+sx)_+ + ((|c|-1)/2)(1-sx)_+."
    ),
    latex=r"V_{\mathbb U}\big((s(x-c))_+\big)=\max(1,-sc)",
    hypotheses=("s c < 1 (else the ramp is 0 on [-1, 1])",),
    formula="Max(1, -s*c)",
    symbols={"s": "side of the ramp", "c": "its kink"},
    controls=(
        Control("1", "the cost of the ramp where it came from"),
        Control("Max(1, Abs(c) + 1)", "one ramp and a constant for the rest"),
        Control("Max(1, -c)", "ramps to the right only"),
    ),
    checks=(
        Check(
            name="two ramps instead of one",
            kind=Kind.PROOF,
            observe=derive_outside_ramp,
            about="the sum of two ramps and what it costs, for all kinks outside",
        ),
        Check(
            name="exact linear programme on U",
            kind=Kind.CERTIFICATE,
            observe=observe_outside_ramp,
            about="the cheapest measure on U for the ramp's values, certified for all of U",
        ),
    ),
)


def observe_equal_labels(context: Context) -> Evidence:
    """Two equal labels, kinks in [-L, L]: the exact optimum, with a dual that bounds every kink there."""
    from .observed.ramp_programme import cheapest_ramps, largest_price

    draw = context.random()
    instances, proved = [], True
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
        instances.append(Instance(f"y={y}, L={L}", {"y": y, "L": L}, found.value))
    return Evidence(
        instances=tuple(instances),
        premises=(Premise("the multipliers price every kink of [-L, L] at 1 or less", proved),),
    )


def derive_equal_labels(context: Context) -> Evidence:
    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import symbol

    p, r, x = symbol("p", "nonnegative"), symbol("r", "nonnegative"), symbol("x")
    L = 1 + r
    d = Derivation()
    d.identity("weights y/(2L) at (1, -L) and (-1, L) give y", p / (2 * L) * ((x + L) + (L - x)), p)
    d.identity("they cost |y|/L", 2 * (p / (2 * L)), p / L)
    d.step("the multiplier 1/(2L) at ±1: a ramp's two values add up to at most 2L")
    d.nonnegative("kink -L: (L + 1) + (L - 1) = 2L, and less for kinks inside", 2 * L - ((L + 1) + (L - 1)))
    identities = tuple(
        Identity(f"y {word} 0", {"p": "nonnegative", "r": "nonnegative"}, {"y": y, "L": "1 + r"}, str(p / L))
        for word, y in ((">=", "p"), ("<=", "-p"))
    )
    return Evidence(identities=identities, steps=d.steps)


WITHOUT_LOSS = Claim(
    id="stewart2022.section_5_2_without_loss",
    source=Source("stewart2022", "Section 5.2, `without loss of generality`"),
    title="Restricting the kinks changes the optimal value",
    statement=(
        "For x = ∓1 with equal labels y the least total variation over kinks in [-L, L] is |y|/L, L ≥ 1: it is |y| on "
        "U, "
        "tends to 0 as kinks may lie anywhere, and the infimum 0 is not attained. The restriction to U is no loss for "
        "functions on [-1, 1]; for optimal values and supports it is a choice of the model."
    ),
    latex=r"V_{[-L,L]}(y,y)=\frac{|y|}{L}",
    hypotheses=("n = 2, y_1 = y_2 = y", "L ≥ 1"),
    rests_on=("stewart2022.section_5_2_functions",),
    formula="Abs(y)/L",
    symbols={"y": "the common label", "L": "kinks lie in [-L, L]"},
    flaw=Flaw(
        printed="Abs(y)",
        word="imprecise wording",
        wrong="as a statement about optimal values the restriction is a loss: y = 1 costs 1 on U and 1/L on [-L, L].",
        sure="certain",
        charitable=(
            "problems (9) and (10) are defined on U, so no theorem is wrong; and the same functions on [-1, 1] are "
            "represented, which is what the sentence may mean."
        ),
    ),
    controls=(
        Control("2*Abs(y)/(L + 1)", "one far kink and one at the data"),
        Control("Abs(y)/L**2", "both ramps shrink twice"),
        Control("Abs(y)/(2*L)", "one ramp alone"),
    ),
    checks=(
        Check(
            name="two ramps that cross",
            kind=Kind.PROOF,
            observe=derive_equal_labels,
            about="a measure of this cost and a multiplier that bounds all others",
        ),
        Check(
            name="exact linear programme on [-L, L]",
            kind=Kind.CERTIFICATE,
            observe=observe_equal_labels,
            about="the optimum with kinks up to ±L, its dual priced over the whole range",
        ),
    ),
)


def observe_whole_line(context: Context) -> Evidence:
    """Kinks anywhere: a dual vector that bounds every measure on W, and networks with far kinks that come near."""
    from implicitbias.convex.programmes.linear_programme import optimum

    from .observed.points import batch, by_hand
    from .observed.ramp_programme import Feature, feature, off_data, price

    draw = context.random()
    instances, proved, near = [], True, True
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
        given = {"T": data.variation, "a": slopes[0], "b": slopes[-1], **data.given}
        instances.append(Instance(data.label, given, found.value))
    return Evidence(
        instances=tuple(instances),
        premises=(
            Premise("Σα = 0 and prices at most 1 at the data, hence for every kink of R", proved),
            Premise("measures on W through the data, kinks at ±10⁶, within |constant|/10⁶ of the value", near),
        ),
        steps=(Step("for Σα = 0 the price of a kink is linear between the data and constant outside of them"),),
    )


def derive_whole_line(context: Context) -> Evidence:
    """TV + max(0, g_1 - K⁻, -g_1 - K⁺) against max(T, (T + |a + b|)/2), T = K⁺ + K⁻, b = a + K⁺ - K⁻."""
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import symbol

    K, J, u = symbol("K", "nonnegative"), symbol("J", "nonnegative"), symbol("u", "nonnegative")
    d = Derivation()
    identities = []
    domain = {"K": "nonnegative", "J": "nonnegative", "u": "nonnegative", "v": "nonnegative"}
    for label, a, extra, given_a in (
        ("g_1 >= K⁻", J + u, u, "J + u"),
        ("-g_1 >= K⁺", -(K + u), u, "-(K + u)"),
    ):
        b = a + K - J
        d.identity(label, K + J + extra, (K + J + sympy.Abs(a + b)) / 2)
        identities.append(
            Identity(label, domain, {"T": "K + J", "a": given_a, "b": f"{given_a} + K - J"}, str(K + J + extra))  # type: ignore[arg-type]
        )
    d.step("-K⁺ <= g_1 <= K⁻: |a + b| = |2 g_1 + K⁺ - K⁻| <= K⁺ + K⁻, and both are T")
    middle = Identity(
        "-K⁺ <= g_1 <= K⁻",
        domain,  # type: ignore[arg-type]
        {"T": "K + J + u + v", "a": "J - K", "b": "v - u"},  # K⁺ = K + v, K⁻ = J + u
        "K + J + u + v",
    )
    return Evidence(identities=(*identities, middle), steps=d.steps)


WHOLE_LINE = Claim(
    id="stewart2022.section_5_2_whole_line",
    source=Source(OWN_RESULT, "beside Section 5.2; Savarese et al. 2019, equation (27)"),
    title="Problem (9) with kinks anywhere",
    statement=(
        "With kinks on the whole line the infimum of problem (9) is V_W = TV + max(0, g_1 - K⁻, -g_1 - K⁺), which is "
        "max(T, (T+|a+b|)/2): the least representation cost of Savarese et al. (2019) through the same points, "
        "although "
        "an output bias is free there. Proof: a bias of size C is two ramps with kinks at ±L and cost C/L; "
        "conversely a dual vector of their problem has Σα = 0 and prices every kink of the line at most 1. With "
        "T = K⁺ + K⁻, a = g_1 and b = a + K⁺ - K⁻ both formulas agree."
    ),
    latex=r"V_{\mathbb W}=\max\Big(T,\frac{T+|a+b|}{2}\Big)=T+\max(0,g_1-K^-,-g_1-K^+)",
    rests_on=("savarese2019.equation_27_minimum", "savarese2019.theorem_3_3"),
    formula="Max(T, (T + Abs(a + b))/2)",
    symbols={
        "T": "TV = K⁺ + K⁻, total variation of the slopes between the data",
        "a": "the first slope, g_1",
        "b": "the last slope",
    },
    controls=(
        Control("T", "the variation between the data alone"),
        Control("Max(T, Abs(a + b))", "tails that go straight on"),
        Control("T + Abs(a + b)/2", "both terms added"),
        Control("Max(T, (T + Abs(a) + Abs(b))/2 + Abs(b - a)/2)", "each end slope brought to 0"),
    ),
    checks=(
        Check(
            name="both closed forms",
            kind=Kind.PROOF,
            observe=derive_whole_line,
            about="TV + max(0, g_1 - K⁻, -g_1 - K⁺) in Savarese's letters, case by case",
        ),
        Check(
            name="dual for the whole line",
            kind=Kind.CERTIFICATE,
            observe=observe_whole_line,
            about="an exact dual vector for all kinks of R, and measures with kinks at ±10⁶",
        ),
    ),
)

CLAIMS: tuple[Claim, ...] = (OUTSIDE, WITHOUT_LOSS, WHOLE_LINE)
