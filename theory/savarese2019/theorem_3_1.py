"""Theorem 3.1: the representation cost of a univariate function, and the bound that follows it."""

from __future__ import annotations

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Identity, Instance
from implicitbias.claims.statement import Claim, Control, Source

SYMBOLS = {"T": "∫|f''|, the total variation of f'", "s": "f'(-∞) + f'(+∞)"}


def weak_duality(context: Context) -> Evidence:
    """Programme (20) bounded from below by three multipliers and from above by an explicit α_-, case by case."""
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    k, u, p, q = symbol("k"), symbol("u"), symbol("p", "nonnegative"), symbol("q", "nonnegative")

    def mass(second: sympy.Expr, minus: sympy.Expr) -> sympy.Expr:
        return (sympy.Abs(second + minus) + sympy.Abs(second - minus)) / 2

    def bound(multiplier: int, T: sympy.Expr, s: sympy.Expr) -> sympy.Expr:
        return (1 - abs(multiplier)) * T - multiplier * s

    d = Derivation()
    d.step(
        "where f'' has density k and α_- density u, the measure costs (|k + u| + |k - u|)/2; "
        "α_- is free up to its total mass s",
        "min ½∫(|f'' + α_-| + |f'' - α_-|)  subject to  ∫α_- = s",
    )
    d.identity("λ = 0: the density never falls below |k|", mass(k, u), abs(k) + sympy.Max(abs(u) - abs(k), 0))
    for multiplier in (-1, 1):
        excess = sympy.Max(abs(k) - abs(u), 0) + abs(u) + multiplier * u
        d.identity(f"λ = {multiplier}: density + λu is a sum of two terms >= 0", mass(k, u) + multiplier * u, excess)
    d.step(
        "so for λ in {-1, 0, 1} every admissible α_- costs at least that; integrate and use ∫α_- = s",
        "|α|_1 >= (1 - |λ|) T - λ s",
    )
    identities = []
    for sign in (1, -1):
        T, s = p + q, sign * q
        for orientation in (1, -1):
            d.identity(
                f"|s| <= T, s = {s}: α_- = (s/T)|f''| costs T, on {'positive' if orientation > 0 else 'negative'} "
                "parts of f'' (both sides times T)",
                mass(orientation * T, s),
                bound(0, T, s),
                f"½(|{orientation * T} + s| + |{orientation * T} - s|) = T",
            )
        identities.append(_case(f"|s| <= T, s has the sign of {sign}", T, s, from_sympy(bound(0, T, s))))
        T, s = p, sign * (p + q)
        d.identity(
            f"|s| >= T, s = {s}: α_- = {sign}·|f''| + {sign}·(|s| - T)δ has total mass s",
            sign * T + sign * (abs(s) - T),
            s,
        )
        for orientation in (1, -1):
            d.identity(
                f"and costs what λ = {-sign} says is least",
                mass(orientation * T, sign * T) + mass(sympy.Integer(0), sign * (abs(s) - T)),
                bound(-sign, T, s),
            )
        value = sympy.expand(bound(-sign, T, s))
        identities.append(_case(f"|s| >= T, s has the sign of {sign}", T, s, from_sympy(value)))
    return Evidence(identities=tuple(identities), steps=d.steps)


def _case(label: str, T: object, s: object, derived: str) -> Identity:
    return Identity(label, {"p": "nonnegative", "q": "nonnegative"}, {"T": str(T), "s": str(s)}, derived)


def cheapest_measures(context: Context) -> Evidence:
    """The cost of exact functions, by linear programmes over all measures with their dual multipliers."""
    from .observed.cheapest_measure import cheapest_measure
    from .observed.piecewise_linear_cases import in_words, random_cases, simple_cases, with_room

    cases = simple_cases() + random_cases(context.random(), context.choose(6, 40))
    instances = tuple(
        Instance(
            label,
            {"T": f.total_variation, "s": f.end_slope_sum, **in_words(f)},
            cheapest_measure(f, with_room(f)).cost,
        )
        for label, f in cases
    )
    above = sum(abs(f.end_slope_sum) > f.total_variation for _, f in cases)
    tied = sum(abs(f.end_slope_sum) == f.total_variation for _, f in cases)
    return Evidence(
        instances=instances,
        measured={"functions": len(cases), "with |s| > T": above, "with |s| = T": tied},
    )


def networks_approach(context: Context) -> Evidence:
    """Smooth functions: certified networks from above, multipliers that bound every near network from below."""
    from .observed.approaching_networks import enclosure_of_the_cost
    from .observed.smooth_functions import SMOOTH, analyse

    instances, errors = [], {}
    for function in SMOOTH:
        if function.left_intercept is None or function.right_intercept is None:
            continue
        found = analyse(function)
        enclosed = enclosure_of_the_cost(found, units=context.choose(200, 2000), weighted=False)
        given = {"T": found.T_enclosure, "s": found.s_enclosure, "f": function.formula}
        instances.append(Instance(function.name, given, enclosed.cost))
        errors[function.name] = float(enclosed.error)
    return Evidence(instances=tuple(instances), measured={"sup distance of the network": errors})


THEOREM = Claim(
    id="savarese2019.theorem_3_1",
    source=Source("savarese2019", "Theorem 3.1"),
    title="Representation cost of a univariate function",
    statement=(
        "The least Euclidean norm ½Σ(v² + w²) with which two-layer ReLU networks of any width represent or approach "
        "f: ℝ → ℝ is R̄(f) = max(∫|f''|, |f'(-∞) + f'(+∞)|)."
    ),
    latex=r"\bar R(f)=\max\Bigl(\int_{\mathbb R}|f''(x)|\,dx,\;|f'(-\infty)+f'(+\infty)|\Bigr)",
    hypotheses=(
        "∫|f''| is finite, f'' being the distributional second derivative",
        "R̄ is read as the infimum (8), or as (6) for f with affine asymptotes: see savarese2019.definition_6",
    ),
    rests_on=(
        "savarese2019.equation_14",
        "savarese2019.equation_16",
        "savarese2019.equation_18",
        "savarese2019.equation_19",
    ),
    formula="Max(T, Abs(s))",
    symbols=SYMBOLS,
    controls=(
        Control("T + Abs(s)", "both terms are needed, so one might add them"),
        Control("Max(T, Abs(s)/2)", "each end slope counted once: f = x would cost 1"),
        Control("Max(T, (T + Abs(s))/2)", "the cost where f is approached on bounded intervals only"),
        Control("T", "the total variation alone: lines would be free, as with an unpenalised linear unit"),
        Control("Max(T, s)", "the sign of s forgotten"),
        Control("sqrt(T**2 + s**2)", "a Euclidean sum in the place of the maximum"),
    ),
    checks=(
        Check(
            "weak duality in programme (20)",
            Kind.PROOF,
            weak_duality,
            "lower bounds from the multipliers -1, 0, 1 meet an explicit α_- in every case of (T, s)",
        ),
        Check(
            "linear programmes over all measures",
            Kind.CERTIFICATE,
            cheapest_measures,
            "exact cost of exact functions; a dual bounded at every threshold excludes every cheaper measure",
        ),
        Check(
            "networks that approach smooth functions",
            Kind.CERTIFICATE,
            networks_approach,
            "explicit networks certified close in sup norm, and a lower bound on every network that close",
        ),
    ),
)  # fmt: skip


def bound_attained(context: Context) -> Evidence:
    """The largest cost among functions with given T and inf|f'|, by the variation left and right of x."""
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    D, p, q = (symbol(name, "nonnegative") for name in ("D", "p", "q"))
    d = Derivation()
    d.step(
        "pass from x, where f'(x) has modulus D, to both ends: f' changes by a and b with |a| <= p, |b| <= q, T = p + q"
    )
    a, b = symbol("a", "nonnegative"), symbol("b", "nonnegative")
    d.identity(
        "the end slopes add up to at most 2D + T: what is missing is a sum of terms >= 0 (a, b: the unused variation)",
        2 * D + (p + q) - ((D + p - a) + (D + q - b)),
        a + b,
    )
    d.step("the cost is the larger of T and |s|, and T <= T + 2D", "max(T, |s|) <= T + 2D")
    s = (D + p) + (D + q)
    d.identity("f' falling to D and rising again, all values >= D: the cost is |s|", sympy.Max(p + q, s), s)
    derived = from_sympy(sympy.expand(s))
    return Evidence(
        identities=(
            Identity(
                "largest cost at these T and D",
                {"D": "nonnegative", "p": "nonnegative", "q": "nonnegative"},
                {"T": "p + q", "D": "D"},
                derived,
            ),
        ),
        steps=d.steps,
    )


def bound_on_functions(context: Context) -> Evidence:
    """The cost by linear programme, against T and the least |slope|; equality for convex functions that increase."""
    from itertools import pairwise

    from .observed.cheapest_measure import cheapest_measure
    from .observed.piecewise_linear_cases import in_words, random_cases, simple_cases, with_room

    instances = []
    for label, f in simple_cases() + random_cases(context.random(), context.choose(4, 30)):
        steepness = min(abs(slope) for slope in f.slopes)
        given = {"T": f.total_variation, "D": steepness, **in_words(f)}
        slopes = f.slopes
        valley = slopes.index(min(slopes, key=abs))
        sign = 1 if slopes[valley] >= 0 else -1
        rising = all(sign * (b - a) >= 0 for a, b in pairwise(slopes[valley:]))
        falling = all(sign * (b - a) <= 0 for a, b in pairwise(slopes[: valley + 1]))
        cost = cheapest_measure(f, with_room(f)).cost
        instances.append(Instance(label, given, cost, "=" if steepness == 0 or (rising and falling) else "<="))
    attained = sum(i.relation == "=" for i in instances)
    return Evidence(instances=tuple(instances), measured={"attained in": attained, "of": len(instances)})


INEQUALITY = Claim(
    id="savarese2019.theorem_3_1_inequality",
    source=Source("savarese2019", "Theorem 3.1, inequality"),
    title="Bound by variation and least slope",
    statement=(
        "R̄(f) ≤ ∫|f''| + 2 inf|f'|. Where inf|f'| is positive it is attained exactly if f' moves away from zero on "
        "both sides of the place where |f'| is least (f = x); where it is zero, always (f = [x]₊)."
    ),
    latex=r"\bar R(f)\le\int|f''|+2\inf_x|f'(x)|",
    hypotheses=("∫|f''| is finite", "the infimum runs over points where f is differentiable"),
    rests_on=("savarese2019.theorem_3_1", "savarese2019.equation_23"),
    formula="T + 2*D",
    symbols={"T": SYMBOLS["T"], "D": "inf|f'| over the points where f is differentiable"},
    controls=(
        Control("T + D", "one of the two end slopes forgotten: f = x costs 2, with T = 0, D = 1"),
        Control("2*T + 2*D", "the variation counted towards both ends"),
        Control("Max(T, 2*D)", "a maximum, as in the theorem itself"),
        Control("T", "no least slope"),
    ),
    checks=(
        Check(
            "largest cost at given variation and slope",
            Kind.PROOF,
            bound_attained,
            "the bound and where it is attained",
        ),
        Check(
            "cost by linear programme",
            Kind.CERTIFICATE,
            bound_on_functions,
            "exact cost of exact functions against T + 2 min|slope|, equality demanded where slopes allow it",
        ),
    ),
)

CLAIMS: tuple[Claim, ...] = (THEOREM, INEQUALITY)
