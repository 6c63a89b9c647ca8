"""Proof of theorem 3.1, (20) to (23): the convex programme, its multiplier, its minimisers, and the last inequality."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Identity, Instance, Value
from implicitbias.claims.statement import OWN_RESULT, Claim, Control, Source
from implicitbias.exact.rational import Interval

SYMBOLS = {"T": "∫|f''|", "s": "f'(-∞) + f'(+∞) = ∫α₋"}


def multipliers_of_programmes(context: Context) -> Evidence:
    """All multipliers of exact programmes: the slopes of the minimum as a function of s, to both sides."""
    from .observed.programme_20 import programmes

    instances, ties = [], 0
    for label, programme in programmes(context.random(), context.choose(3, 20)):
        low, high = programme.multipliers()
        ties += low != high
        given: dict[str, Value] = {"T": programme.T, "s": programme.s, "f'' at the kinks": programme.second[:-2]}
        instances.append(Instance(label, given, low if low == high else Interval(low, high)))
    return Evidence(
        instances=tuple(instances), measured={"programmes": len(instances), "with more than one multiplier": ties}
    )


def multiplier_by_conditions(context: Context) -> Evidence:
    """Condition (21) at the minimisers, in the two regimes where it leaves one λ."""
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import symbol

    k, p = symbol("k", "positive"), symbol("p", "positive")
    d = Derivation()

    def derivative(second: sympy.Expr, minus: sympy.Expr) -> sympy.Expr:
        return (sympy.sign(second + minus) - sympy.sign(second - minus)) / 2

    d.step("(21) at a threshold where neither argument vanishes", "λ = -½(sign(f'' + α₋) - sign(f'' - α₋))")
    identities = []
    for sign in (1, -1):
        for second in (k, -k):
            inside = derivative(second, sympy.Rational(1, 2) * sign * k)
            d.identity("|α₋| < |f''|: both signs agree, λ = 0", -inside, sympy.Integer(0))
        above = -derivative(sympy.Integer(0), sign * p)
        d.identity("|α₋| > |f''|, here f'' = 0: λ is minus the sign of α₋", above, sympy.Integer(-sign))
        d.step(
            "if |s| < T some threshold has |α₋| < |f''|; if |s| > T some threshold has |α₋| > |f''| with the sign of s "
            "(else ∫|α₋| would be too large or too small)"
        )
        given = {"T": "p + q", "s": f"({sign})*q"}
        identities.append(Identity("|s| < T", {"p": "positive", "q": "nonnegative"}, given, str(-inside)))
        given = {"T": "q", "s": f"({sign})*(p + q)"}
        identities.append(Identity("|s| > T", {"p": "positive", "q": "nonnegative"}, given, str(above)))
    return Evidence(identities=tuple(identities), steps=d.steps)


MULTIPLIER = Claim(
    id="savarese2019.equation_21",
    source=Source("savarese2019", "(20), (21)"),
    title="Lagrange multiplier of the end slopes",
    statement=(
        "With the sign of (21), the multiplier of ∫α₋ = s in programme (20) is 0 if |s| < T, -1 if s > T and 1 "
        "if s < -T. "
        "At |s| = T every value between is one, at s = T the values from -1 to 0."
    ),
    latex=r"0\in\tfrac12\bigl(\operatorname{sign}(f''+\alpha_-)-\operatorname{sign}(f''-\alpha_-)+2\lambda\bigr)",
    rests_on=("savarese2019.equation_18", "savarese2019.equation_19"),
    formula="-(sign(s - T) + sign(s + T))/2",
    symbols=SYMBOLS,
    controls=(
        Control("(sign(s - T) + sign(s + T))/2", "the sign exchanged: (21) puts λ < 0 with s > 0"),
        Control("-sign(s)", "never zero: the variation would never count"),
        Control("0*s", "always zero: the end slopes would never count"),
        Control("-sign(s - T)", "the case s < -T forgotten"),
    ),
    checks=(
        Check("condition (21) off the boundary", Kind.PROOF, multiplier_by_conditions, "|s| < T and |s| > T"),
        Check(
            "slopes of the minimum in s",
            Kind.CERTIFICATE,
            multipliers_of_programmes,
            "exact programmes solved at s and on both sides of it; the boundary |s| = T included",
        ),
    ),
)


def shift_where_end_slopes_rule(context: Context) -> Evidence:
    """α_- at every kink, as near to zero as minimisers of exact programmes with |s| >= T allow."""
    from .observed.programme_20 import programmes

    instances = []
    for label, programme in programmes(context.random(), context.choose(4, 20)):
        if abs(programme.s) < programme.T or programme.T == 0:
            continue
        for j, kappa in enumerate(programme.second[:-2]):
            weights = tuple(int(i == j) for i in range(len(programme.second)))
            low, high = programme.range_of(weights)
            given: dict[str, Value] = {"k": abs(kappa), "kappa": kappa, "T": programme.T, "s": programme.s}
            instances.append(Instance(label, given, low if programme.s > 0 else high))
    return Evidence(instances=tuple(instances), measured={"kinks": len(instances)})


def shift_where_variation_rules(context: Context) -> Evidence:
    """The least α_-({b}) among all minimisers, at every kink of exact programmes of every regime."""
    from .observed.programme_20 import programmes

    instances = []
    for label, programme in programmes(context.random(), context.choose(3, 20)):
        for j, kappa in enumerate(programme.second[:-1]):
            weights = tuple(int(i == j) for i in range(len(programme.second)))
            given: dict[str, Value] = {
                "k": abs(kappa),
                "T": programme.T,
                "s": programme.s,
                "f'' at the kinks": programme.second[:-2],
            }
            instances.append(Instance(label, given, programme.range_of(weights)[0]))
    return Evidence(instances=tuple(instances), measured={"thresholds": len(instances)})


DOMINANT_SHIFT = Claim(
    id="savarese2019.equation_21_dominant",
    source=Source("savarese2019", "after (21), cases λ < 0 and λ > 0"),
    title="Minimisers where the end slopes rule",
    statement=(
        "If s ≥ T every minimiser of (20) has α₋ ≥ |f''|, and if s ≤ -T every minimiser has α₋ ≤ -|f''|; equality is "
        "reached at each threshold. So every unit with f'' > 0 there is forward for s ≥ T."
    ),
    latex=r"s\ge T\Rightarrow\alpha_-\ge|f''|",
    hypotheses=("|s| ≥ T", "α₋ may have atoms off the kinks of f"),
    rests_on=("savarese2019.equation_21",),
    formula="sign(s)*k",
    symbols={"k": "|f''({b})|", "kappa": "f''({b})", **SYMBOLS},
    controls=(
        Control("k", "the case s < 0 forgotten"),
        Control("kappa", "α₋ tied to f'' instead of |f''|"),
        Control("s*k/T", "the end slopes shared out in proportion, as may be done for |s| < T"),
        Control("-sign(s)*k", "orientations exchanged"),
    ),
    checks=(
        Check(
            "the smallest shift among all minimisers",
            Kind.CERTIFICATE,
            shift_where_end_slopes_rule,
            "exact programmes over the set of minimisers, at every kink",
        ),
    ),
)

SHIFT = Claim(
    id="savarese2019.equation_21_least_shift",
    source=Source(OWN_RESULT, "beside (21)"),
    title="How far a threshold can be turned backward",
    statement=(
        "Among all minimisers of (20) the least α₋({b}) at a threshold with |f''({b})| = k is "
        "min(max(-k, min(k, s - T + k)), s + T - k). Proof: if |s| ≤ T the minimisers are all α₋ with |α₋| ≤ |f''| and "
        "total s, and the other thresholds can take any total in [-(T - k), T - k]; if s > T they are all α₋ ≥ "
        "|f''| with "
        "total s; if s < -T all α₋ ≤ -|f''|, and the others leave at most -(T - k). The greatest follows by "
        "reflection, and the minimiser is "
        "unique only if both agree everywhere."
    ),
    rests_on=("savarese2019.equation_21",),
    latex=r"\min\alpha_-(\{b\})=\min\big(\max(-k,\min(k,\,s-T+k)),\ s+T-k\big)",
    formula="Min(Max(-k, Min(k, s - T + k)), s + T - k)",
    symbols={"k": "|f''({b})|", **SYMBOLS},
    controls=(
        Control("Max(-k, Min(k, s - T + k))", "|α₋| ≤ |f''| everywhere, as for |s| ≤ T only"),
        Control("-k", "any threshold could be turned backward, whatever the end slopes"),
        Control("s - T + k", "the bounds at the threshold itself forgotten"),
    ),
    checks=(
        Check(
            "the least shift among all minimisers",
            Kind.CERTIFICATE,
            shift_where_variation_rules,
            "exact programmes over the set of minimisers, thresholds off the kinks included",
        ),
    ),
)


def masses_of_minimisers(context: Context) -> Evidence:
    """The greatest ∫|α_-| among the minimisers of exact programmes with |s| <= T."""
    from .observed.programme_20 import programmes

    instances = []
    for label, programme in programmes(context.random(), context.choose(3, 12), most=2):
        if abs(programme.s) > programme.T:
            continue
        greatest = programme.greatest_mass()
        given: dict[str, Value] = {"T": programme.T, "s": programme.s, "f'' at the kinks": programme.second[:-2]}
        signed = {
            sum(c * k for c, k in zip(signs, programme.second, strict=True)) for signs in _signs(programme.second)
        }
        instances.append(Instance(label, given, greatest, "=" if programme.s in signed else "<="))
    attained = sum(i.relation == "=" for i in instances)
    return Evidence(instances=tuple(instances), measured={"programmes": len(instances), "attained in": attained})


def _signs(second: Sequence[Fraction]) -> Iterator[tuple[int, ...]]:
    from itertools import product

    return product((1, -1), repeat=len(second))


def least_masses_of_minimisers(context: Context) -> Evidence:
    """The least ∫|α_-| among the minimisers of exact programmes."""
    from .observed.programme_20 import programmes

    instances = [
        Instance(
            label,
            {"T": programme.T, "s": programme.s, "f'' at the kinks": programme.second[:-2]},
            programme.least_mass(),
        )
        for label, programme in programmes(context.random(), context.choose(4, 20))
    ]
    return Evidence(instances=tuple(instances), measured={"programmes": len(instances)})


UPPER = Claim(
    id="savarese2019.equation_22",
    source=Source("savarese2019", "(22), right inequality"),
    title="Mass of α₋ where the variation rules",
    statement=(
        "If |s| ≤ T, every minimiser of (20) has ∫|α₋| ≤ T. The bound is attained if f'' can be split into two parts "
        "whose variations differ by s."
    ),
    latex=r"\int|\alpha_-|\,db\le\int|f''|\,db",
    hypotheses=("|s| ≤ T",),
    rests_on=("savarese2019.equation_21",),
    formula="T",
    symbols=SYMBOLS,
    controls=(
        Control("Abs(s)", "the left inequality of (22) taken for the right one"),
        Control("(T + Abs(s))/2", "the mean of both bounds"),
        Control("2*T", "a bound that is true and never attained"),
    ),
    checks=(
        Check(
            "the heaviest minimiser",
            Kind.CERTIFICATE,
            masses_of_minimisers,
            "exact programmes over the set of minimisers, equality demanded where f'' can be split so",
        ),
    ),
)

LOWER = Claim(
    id="savarese2019.equation_22_left",
    source=Source("savarese2019", "(22), left inequality"),
    title="Least mass of α₋",
    statement="Every α₋ that represents f has ∫|α₋| ≥ |s|, and some minimiser of (20) has exactly that: α₋ of "
    "one sign.",
    latex=r"|f'(-\infty)+f'(+\infty)|\le\int|\alpha_-|\,db",
    rests_on=("savarese2019.equation_18",),
    formula="Abs(s)",
    symbols=SYMBOLS,
    controls=(
        Control("s", "the sign forgotten"),
        Control("T", "the right inequality of (22) taken for the left one"),
        Control("Max(T, Abs(s))", "the whole cost"),
        Control("Min(T, Abs(s))", "capped by the variation"),
    ),
    checks=(
        Check(
            "the lightest minimiser",
            Kind.CERTIFICATE,
            least_masses_of_minimisers,
            "exact programmes over the set of minimisers, in every regime",
        ),
    ),
)


def farthest_end_slopes(context: Context) -> Evidence:
    """Both end slopes from f'(x) by the variation on either side, and the function that reaches the bound."""
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    y, left, right = symbol("y"), symbol("left"), symbol("right")
    D, p, q = (symbol(name, "nonnegative") for name in ("D", "p", "q"))
    d = Derivation()
    d.step(
        "f'(-∞) = f'(x) - ∫_{-∞}^x f'' and f'(+∞) = f'(x) + ∫_x^∞ f''; write y = f'(x), left and right for the "
        "integrals"
    )
    s = (y - left) + (y + right)
    bound = sympy.Abs(2 * y) + sympy.Abs(left) + sympy.Abs(right)
    slack = [sympy.Max(-2 * y, 0), sympy.Max(left, 0), sympy.Max(-right, 0)]
    d.identity("what is missing to the bound is twice a sum of terms >= 0", bound - s, 2 * sum(slack, sympy.Integer(0)))
    d.step("the same for -f; |left| + |right| <= T", "|s| <= 2|f'(x)| + T")
    attained = sympy.expand(s.subs({y: D, left: -p, right: q}))
    d.identity("y = D, left = -p, right = q: f' grows to both sides, T = p + q", attained, 2 * D + p + q)
    variables = {"D": "nonnegative", "p": "nonnegative", "q": "nonnegative"}
    given = {"D": "D", "T": "p + q"}
    return Evidence(
        identities=(Identity("the largest |s| at these D and T", variables, given, from_sympy(attained)),),  # type: ignore[arg-type]
        steps=d.steps,
    )


def end_slopes_of_functions(context: Context) -> Evidence:
    """|s| of exact functions, against D = |f'(x)| on every piece; equality where f' moves off zero to both sides."""
    from itertools import pairwise

    from .observed.piecewise_linear_cases import random_cases, simple_cases

    instances = []
    for label, f in simple_cases() + random_cases(context.random(), context.choose(5, 40)):
        for i, slope in enumerate(f.slopes):
            given: dict[str, Value] = {
                "T": f.total_variation,
                "D": abs(slope),
                "slopes": f.slopes,
                "s": f.end_slope_sum,
            }
            sign = 1 if slope > 0 or (slope == 0 and f.end_slope_sum >= 0) else -1
            off_zero = all(sign * (b - a) >= 0 for a, b in pairwise(f.slopes[i:])) and all(
                sign * (b - a) <= 0 for a, b in pairwise(f.slopes[: i + 1])
            )
            instances.append(Instance(label, given, abs(f.end_slope_sum), "=" if off_zero else "<="))
    attained = sum(i.relation == "=" for i in instances)
    return Evidence(instances=tuple(instances), measured={"pieces": len(instances), "attained on": attained})


LAST_INEQUALITY = Claim(
    id="savarese2019.equation_23",
    source=Source("savarese2019", "(23)"),
    title="End slopes by one slope and the variation",
    statement=(
        "|f'(-∞) + f'(+∞)| ≤ 2|f'(x)| + ∫|f''| at every x where f is differentiable; attained if f' moves away "
        "from zero "
        "on both sides of x."
    ),
    latex=r"|f'(-\infty)+f'(+\infty)|\le2|f'(x)|+\int|f''|",
    hypotheses=("∫|f''| is finite",),
    formula="2*D + T",
    symbols={"D": "|f'(x)|", "T": SYMBOLS["T"]},
    controls=(
        Control("D + T", "one of the two end slopes forgotten"),
        Control("2*D", "the variation forgotten"),
        Control("Max(2*D, T)", "a maximum in the place of the sum"),
        Control("2*D + 2*T", "the whole variation counted on each side of x"),
    ),
    checks=(
        Check("both end slopes from one", Kind.PROOF, farthest_end_slopes, "signs of all three parts left open"),
        Check("end slopes of exact functions", Kind.CERTIFICATE, end_slopes_of_functions, "on every piece"),
    ),
)

CLAIMS: tuple[Claim, ...] = (MULTIPLIER, DOMINANT_SHIFT, SHIFT, UPPER, LOWER, LAST_INEQUALITY)
