"""Problem (10) in closed form: constant labels for any number of classes, and two classes for any labels."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from random import Random

from implicitbias.check import Check, Context, Kind
from implicitbias.claim import OWN_RESULT, Claim, Control, Source
from implicitbias.evidence import Evidence, Identity, Instance, Premise, Step, Value
from implicitbias.expression import Assumption


def gaps(x: Sequence[Fraction], sigma: Sequence[int]) -> list[tuple[Fraction, Fraction]]:
    """(end of a run, beginning of the next) for every change of sign."""
    return [(s, t) for (s, a), (t, b) in pairwise(zip(x, sigma, strict=True)) if a != b]


def labelled(draw: Random, changes: int, longest: int = 3) -> tuple[list[Fraction], list[int]]:
    """Random data with so many changes between two labels, runs of 1 … `longest` points."""
    lengths = [draw.randint(1, longest) for _ in range(changes + 1)]
    if sum(lengths) < 2:
        lengths[0] = 2
    inner = sorted(draw.sample(range(-99, 100), sum(lengths) - 2))
    x = [Fraction(-1), *(Fraction(c, 100) for c in inner), Fraction(1)]
    first = draw.choice([1, -1])
    sigma = [first * (-1) ** run for run, length in enumerate(lengths) for _ in range(length)]
    return x, sigma


def by_hand(changes: int) -> list[tuple[list[Fraction], list[int]]]:
    """Few points each, so that the value can be found on paper."""
    half, third = Fraction(1, 2), Fraction(1, 3)
    one, zero = Fraction(1), Fraction(0)
    found = {
        0: [([-one, one], [1, 1]), ([-one, zero, one], [-1, -1, -1])],
        1: [([-one, one], [-1, 1]), ([-one, zero, one], [1, 1, -1]), ([-one, -half, third, one], [-1, -1, 1, 1])],
        2: [([-one, zero, one], [-1, 1, -1]), ([-one, -half, half, one], [1, -1, -1, 1]),
            ([-one, -half, one], [1, -1, 1]), ([-one, -third, zero, third, half, one], [1, 1, -1, -1, -1, 1]),
            ([-one, third, half, 2 * third, one], [1, 1, -1, -1, 1])],
        3: [([-one, -third, third, one], [-1, 1, -1, 1]),
            ([-one, -half, -third, zero, third, half, one], [1, 1, -1, -1, 1, -1, -1])],
        4: [([-one, -half, zero, half, one], [1, -1, 1, -1, 1])],
    }  # fmt: skip
    return found.get(changes, [])


def observed_value(x: Sequence[Fraction], sigma: Sequence[int]) -> Value:
    """The value of (10): the exact optimum over scalar measures, divided by √2."""
    from implicitbias.exact.enclosure import enclose

    from .observed.margins import two_classes

    return enclose("V/sqrt(2)", V=two_classes(x, sigma).value)


def bracketed_agrees(cases: Sequence[tuple[list[Fraction], list[int]]]) -> Premise:
    """Whether the vector problem, bracketed by a cone programme and exact repairs, has the same value."""
    from implicitbias.exact.enclosure import lower, upper

    from .observed.margins import bracketed

    agree = True
    for x, sigma in cases:
        found = bracketed(x, [int(s > 0) for s in sigma], 2)
        value = observed_value(x, sigma)
        agree = agree and found.lower <= upper(value) and lower(value) <= found.upper  # type: ignore[arg-type]
        agree = agree and found.upper - found.lower < found.upper / 10**6
    return Premise(
        "the vector problem's certified bounds (gap below 1e-6) contain the value", agree, f"{len(cases)} data"
    )


def _evidence(changes: Sequence[int], context: Context, given: object, count: int) -> Evidence:
    draw = context.random()
    cases = [case for J in changes for case in by_hand(J)]
    cases += [labelled(draw, changes[i % len(changes)]) for i in range(count)]
    instances = []
    for x, sigma in cases:
        word = "".join("+" if s > 0 else "-" for s in sigma)
        point = given(x, sigma)  # type: ignore[operator]
        shown: dict[str, Value] = {**point, "x": tuple(x), "sigma": tuple(sigma)}
        instances.append(Instance(f"labels {word}", shown, observed_value(x, sigma)))
    return Evidence(
        instances=tuple(instances),
        premises=(bracketed_agrees(cases[: 2 if count < 50 else 6]),),
        steps=(
            Step("only d = f_1 - f_0 enters the margins; ‖(a, b)‖ >= |a - b|/√2, with equality for (-t, t)"),
            Step("min Σ|w| over d with σ_i d(x_i) >= 1 by exact linear programming, its dual priced over all of U"),
        ),
    )


def observe_constant(context: Context) -> Evidence:
    """Certified bounds by a cone programme with exact repairs, for 2 to 8 classes."""
    from implicitbias.exact.rational import Interval

    from .observed.margins import bracketed

    instances, narrow = [], True
    x = [Fraction(-1), Fraction(-1, 4), Fraction(1, 2), Fraction(1)]
    for k in (2, 3, 4, 5, 8):
        for places, labels in ((x, [1] * 4), ([Fraction(-1), Fraction(1)], [0, k - 1])):
            found = bracketed(places, labels, k)
            narrow = narrow and found.upper - found.lower < Fraction(1, 10**7)
            instances.append(Instance(f"k={k}, labels {labels}", {"k": k}, Interval(found.lower, found.upper)))
    return Evidence(instances=tuple(instances), premises=(Premise("bounds closer than 1e-7", narrow),))


def derive_constant(context: Context) -> Evidence:
    import sympy

    from implicitbias.derivation import Derivation
    from implicitbias.exact.symbolic import symbol

    m = symbol("m", "positive")  # k - 1
    own, other = m / (m + 1), -1 / (m + 1)
    d = Derivation()
    d.step("v = e_y - (1/k)(1, …, 1) at both ends, (1+x)/2 v + (1-x)/2 v: all margins are 1, and it costs ‖v‖")
    d.identity("its margins", own - other, sympy.Integer(1))
    d.identity("its length squared", own**2 + m * other**2, m / (m + 1))
    b = 1 / (2 * sympy.sqrt(m * (m + 1)))
    d.step("β = 1/(2√(k(k-1))) for every rival at both ends; the right price at -1 is 2β Σ_l (e_y - e_l)")
    d.identity("of length 1", (2 * b) ** 2 * (m**2 + m), sympy.Integer(1))
    d.identity("earned: 2(k-1)β", (2 * m * b) ** 2, m / (m + 1))
    earned = 2 * m * b
    identity = Identity("k = m + 1", {"m": "positive"}, {"k": "m + 1"}, "m/sqrt(m*(m + 1))")
    d.identity("that is", earned, m / sympy.sqrt(m * (m + 1)))
    return Evidence(identities=(identity,), steps=d.steps)


CONSTANT = Claim(
    id="stewart2022.equation_10_constant",
    source=Source(OWN_RESULT, "beside problem (10)"),
    title="Problem (10) for one label, or two points",
    statement=(
        "If all labels are equal, or if there are two points, problem (10) with k classes has the value √((k-1)/k): "
        "the "
        "vector e_y - (1/k)(1, …, 1), which has all margins 1, at both ends. Unused classes raise it."
    ),
    latex=r"V=\sqrt{(k-1)/k}",
    hypotheses=("all labels equal, or n = 2", "k ≥ 2"),
    formula="sqrt((k - 1)/k)",
    symbols={"k": "number of classes"},
    controls=(
        Control("1/sqrt(2)", "unused classes do not matter"),
        Control("(k - 1)/k", "the length squared"),
        Control("1", "the vector e_y itself (Lemma 3's measure)"),
        Control("sqrt(2*(k - 1)/k)", "both ends paid for in full"),
    ),
    checks=(
        Check(
            name="vector and multipliers",
            kind=Kind.PROOF,
            observe=derive_constant,
            about="the cost of the vector and what multipliers earn, for all k",
        ),
        Check(
            name="bracketed optimum",
            kind=Kind.CERTIFICATE,
            observe=observe_constant,
            about="two-sided exact bounds for 2 to 8 classes",
        ),
    ),
)


def derive_one_change(context: Context) -> Evidence:
    from implicitbias.derivation import Derivation
    from implicitbias.exact.symbolic import symbol

    g, c, u = symbol("g", "positive"), symbol("c"), symbol("u")
    d = Derivation()
    d.step("the line of slope 2/g that is ∓1 at the ends u, u + g of the gap meets all margins, and costs 2/g")
    d.identity(
        "it vanishes midway, inside [-1, 1], so its value at 0 is at most its slope",
        2 / g * (u - (u + g / 2)),
        -1 + 0 * g,
    )
    d.step("β = 1/g at both ends of the gap")
    d.identity("right price to the left of the gap", (u + g - c) / g - (u - c) / g, 1 + 0 * c)
    d.identity("earned", 1 / g + 1 / g, 2 / g)
    return Evidence(identities=(Identity("all gaps", {"g": "positive"}, {"g": "g"}, "(2/g)/sqrt(2)"),), steps=d.steps)


def observe_one_change(context: Context) -> Evidence:
    def given(x: list[Fraction], sigma: list[int]) -> dict[str, Value]:
        ((s, t),) = gaps(x, sigma)
        return {"g": t - s}

    return _evidence([1], context, given, context.choose(25, 300))


ONE_CHANGE = Claim(
    id="stewart2022.equation_10_one_change",
    source=Source(OWN_RESULT, "beside problem (10)"),
    title="Two classes, one change",
    statement=(
        "For two classes that one gap of length g separates, problem (10) has the value √2/g: the straight line across "
        "the gap, whatever lies beyond it. Proof: V = √2·value is the least variation of d with σ_i d(x_i) ≥ 1; β = "
        "1/g at "
        "both ends of the gap prices every ramp at most 1 and earns 2/g."
    ),
    latex=r"V=\frac{\sqrt2}{g}",
    hypotheses=("k = 2", "one change of label"),
    formula="sqrt(2)/g",
    symbols={"g": "length of the gap between the classes"},
    controls=(
        Control("2/g", "the scalar problem"),
        Control("1/(sqrt(2)*g)", "margin 1 between -1/2 and 1/2"),
        Control("2*sqrt(2)/g", "flat beyond the gap: two bends"),
        Control("sqrt(2)/g + 1/sqrt(2)", "a constant as well"),
    ),
    checks=(
        Check(
            name="line and multipliers",
            kind=Kind.PROOF,
            observe=derive_one_change,
            about="the line across the gap and two multipliers, for all gaps",
        ),
        Check(
            name="exact linear programme",
            kind=Kind.CERTIFICATE,
            observe=observe_one_change,
            about="the least variation by exact linear programming, certified for all of U",
        ),
    ),
)


def observe_two_changes(context: Context) -> Evidence:
    def given(x: list[Fraction], sigma: list[int]) -> dict[str, Value]:
        (s, t), (u, v) = gaps(x, sigma)
        return {"g": t - s, "h": v - u, "d": max(Fraction(0), t, -u)}  # distance of 0 from [t, u]

    return _evidence([2], context, given, context.choose(40, 400))


def derive_two_changes(context: Context) -> Evidence:
    """A lower bound from the closed form of (9) and the trapezoid that attains it; signs +, -, + without loss."""
    import sympy

    from implicitbias.derivation import Derivation
    from implicitbias.exact.symbolic import symbol

    g, h, c = symbol("g", "positive"), symbol("h", "positive"), symbol("c", "nonnegative")
    K, J, p, r = (symbol(name, "nonnegative") for name in ("K", "J", "p", "r"))
    d = Derivation()
    d.step("any d with the margins: slope <= -2/g in the first gap and >= 2/h in the second, so K⁺ >= 2/g + 2/h")
    d.step("c the point of the middle run's interval next to 0, say c >= 0: d(c) <= -1, and (9) is at least")
    bound = K + J + (1 - (1 + c) * J) / (1 + c)
    d.identity("TV + (1 - S⁻(c))/(1+c) with S⁻(c) <= (1+c) K⁻", bound, K + 1 / (1 + c))
    d.nonnegative("since |x - c| <= 1 + c for x = -1 + p <= c", (1 + c) - (c - (-1 + p)))
    d.step("the trapezoid, -1 on the middle run with slopes -2/g and 2/h beyond: K⁺ = 2/g + 2/h, K⁻ = 0")
    d.step("-P <= 1, with equality on the run: the largest (-P(t) - S⁻(t))/(1+|t|) is 1/(1+c)")
    d.identity(
        "P - S⁺ is -1 minus the bends' moments on the other sides: between them",
        -1 - 2 / g * p - 2 / h * r,
        -1 - (2 * p / g + 2 * r / h),
    )
    d.nonnegative("-g_1 - K⁺ = 2/g - (2/g + 2/h) < 0 and g_1 - K⁻ = -2/g < 0: no other term is larger", 2 / h)
    value = 2 / g + 2 / h + 1 / (1 + c)
    d.identity("so the least variation is", sympy.together(value), value)
    domain: dict[str, Assumption] = {"g": "positive", "h": "positive", "c": "nonnegative"}
    identity = Identity(
        "all gaps and places", domain, {"g": "g", "h": "h", "d": "c"}, f"({sympy.together(value)})/sqrt(2)"
    )
    return Evidence(identities=(identity,), steps=d.steps)


TWO_CHANGES = Claim(
    id="stewart2022.equation_10_two_changes",
    source=Source(OWN_RESULT, "beside problem (10)"),
    title="Two classes, two changes",
    statement=(
        "For two classes with two changes of label, across gaps g and h, problem (10) has the value "
        "(2/g + 2/h + 1/(1+d))/√2, d the distance of 0 from the interval of the middle run. Proof: let the labels be "
        "+, -, "
        "+ and c the point of that interval next to 0. A scalar function with margins 1 has K⁺ ≥ 2/g + 2/h and is at "
        "most -1 at c, so the closed form of (9) is at least TV + (1 - S⁻(c))/(1+|c|) ≥ K⁺ + 1/(1+|c|), as S⁻(c) ≤ "
        "(1+|c|)K⁻. The trapezoid with bottom -1 that rises straight across the gaps and on attains it."
    ),
    latex=r"V=\frac1{\sqrt2}\Big(\frac2g+\frac2h+\frac1{1+\operatorname{dist}(0,[\text{middle run}])}\Big)",
    hypotheses=("k = 2", "two changes of label"),
    rests_on=("stewart2022.equation_9",),
    formula="(2/g + 2/h + 1/(1 + d))/sqrt(2)",
    symbols={
        "g": "length of the first gap",
        "h": "length of the second gap",
        "d": "distance of 0 from the interval that the middle run spans",
    },
    controls=(
        Control("(2/g + 2/h)/sqrt(2)", "kinks anywhere on the line"),
        Control("(2/g + 2/h + 1)/sqrt(2)", "a middle run around 0"),
        Control("(2/g + 2/h + 1/(1 - d))/sqrt(2)", "the ramp at the nearer end"),
        Control("(4/g + 4/h)/sqrt(2)", "flat outside as well"),
    ),
    checks=(
        Check(
            name="bound and trapezoid",
            kind=Kind.PROOF,
            observe=derive_two_changes,
            about="a lower bound from the closed form of (9), and what the trapezoid costs, for all gaps and places",
        ),
        Check(
            name="exact linear programme",
            kind=Kind.CERTIFICATE,
            observe=observe_two_changes,
            about="the least variation by exact linear programming, certified for all of U",
        ),
    ),
)


def observe_many_changes(context: Context) -> Evidence:
    def given(x: list[Fraction], sigma: list[int]) -> dict[str, Value]:
        lengths = [t - s for s, t in gaps(x, sigma)]
        return {
            "I": sum((1 / Fraction(v) for v in lengths), Fraction(0)),
            "g": lengths[0],
            "h": lengths[-1],
            "J": len(lengths),
        }

    return _evidence([3, 4, 5], context, given, context.choose(30, 300))


def derive_many_changes(context: Context) -> Evidence:
    import sympy

    from implicitbias.derivation import Derivation
    from implicitbias.exact.symbolic import symbol

    p, q, r, s = (symbol(name, "positive") for name in "pqrs")
    d = Derivation()
    d.step(
        "d = ±1 on the inner runs, straight on beyond the outer gaps: it bends by 2/g_j + 2/g_{j+1} at every inner run"
    )
    total = sum(2 / a + 2 / b for a, b in ((p, q), (q, r), (r, s)))
    d.identity("four gaps", total, 4 * (1 / p + 1 / q + 1 / r + 1 / s) - 2 / p - 2 / s)
    d.step(
        "K⁺ and K⁻ bound its values since inner runs of both signs exist: the maximum of the closed form of (9) is 0"
    )
    d.step("multipliers: right prices 0 on the outer runs, ±1 in turn on the inner ones, linear across the gaps")
    beta = [1 / p, 1 / p, 2 / q, 2 / q, 2 / r, 2 / r, 1 / s, 1 / s]
    d.identity("the multipliers are their bends, and earn", sum(beta), total)
    identity = Identity(
        "four gaps",
        dict.fromkeys("pqrs", "positive"),
        {"I": "1/p + 1/q + 1/r + 1/s", "g": "p", "h": "s", "J": "4"},
        f"({sympy.expand(total)})/sqrt(2)",
    )
    three = sum(2 / a + 2 / b for a, b in ((p, q), (q, r)))
    second = Identity(
        "three gaps",
        dict.fromkeys("pqr", "positive"),
        {"I": "1/p + 1/q + 1/r", "g": "p", "h": "r", "J": "3"},
        f"({sympy.expand(three)})/sqrt(2)",
    )
    return Evidence(identities=(second, identity), steps=d.steps)


MANY_CHANGES = Claim(
    id="stewart2022.equation_10_many_changes",
    source=Source(OWN_RESULT, "beside problem (10)"),
    title="Two classes, three changes or more",
    statement=(
        "For two classes with J ≥ 3 changes of label, across gaps g_1, …, g_J, problem (10) has the value "
        "Σ_{j<J} (2/g_j + 2/g_{j+1})/√2 = √2 (2 Σ 1/g_j - 1/g_1 - 1/g_J). Proof: d = ±1 on the inner runs, straight on "
        "outside, has this variation, and no more by the closed form of (9), as tops and bottoms both exist inside; "
        "multipliers that make the right prices 0 on the outer runs and ±1 in turn on the inner ones earn it."
    ),
    latex=r"V=\frac1{\sqrt2}\sum_{j<J}\Big(\frac2{g_j}+\frac2{g_{j+1}}\Big)",
    hypotheses=("k = 2", "J ≥ 3 changes of label"),
    rests_on=("stewart2022.equation_9",),
    formula="sqrt(2)*(2*I - 1/g - 1/h)",
    symbols={
        "I": "Σ 1/g_j over all gaps",
        "g": "length of the first gap",
        "h": "length of the last gap",
        "J": "number of changes",
    },
    controls=(
        Control("2*sqrt(2)*I", "flat outside: the outer gaps bend twice"),
        Control("sqrt(2)*(2*I - 1/g - 1/h) + 1/sqrt(2)", "a weight for the height, as with two changes"),
        Control("2*(2*I - 1/g - 1/h)", "the scalar problem"),
        Control("sqrt(2)*I*(2*J - 2)/J", "all gaps alike"),
    ),
    checks=(
        Check(
            name="bends and multipliers",
            kind=Kind.PROOF,
            observe=derive_many_changes,
            about="the bends of the function and what the multipliers earn, three and four gaps of any length",
        ),
        Check(
            name="exact linear programme",
            kind=Kind.CERTIFICATE,
            observe=observe_many_changes,
            about="the least variation by exact linear programming, certified for all of U",
        ),
    ),
)

CLAIMS: tuple[Claim, ...] = (CONSTANT, ONE_CHANGE, TWO_CHANGES, MANY_CHANGES)
