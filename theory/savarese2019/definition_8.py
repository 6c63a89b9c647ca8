"""Definition (8), the infimum over measures: the reading under which Theorem 3.1 holds for every f."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any

from implicitbias.claims import (
    Context,
    Derivation,
    Identity,
    Interval,
    Measured,
    Observation,
    certificate,
    claim,
    proof,
    seen,
)

from ..observed.cheapest.cheapest_measure import cheapest_measure
from ..observed.functions.piecewise_linear_cases import from_jumps, in_words, random_cases, simple_cases, with_room
from ..observed.functions.smooth_functions import SMOOTH, analyse
from ..observed.units.outward_tails import outward_mass

if TYPE_CHECKING:
    from implicitbias.functions.piecewise_linear import PiecewiseLinear

Expr = Any  # sympy is not typed
SYMBOLS = {"T": "∫|f''|", "s": "f'(-∞) + f'(+∞)"}


def flat_cases(draw: Random, count: int) -> list[tuple[str, PiecewiseLinear]]:
    """One kink, T and |s| between 1/50 and 2 and up to three times as large as each other."""
    cases = []
    for i in range(count):
        T = Fraction(draw.randint(1, 40), draw.choice((20, 50)))
        s = draw.choice((1, -1)) * T * Fraction(draw.randint(3, 27), 9)
        cases.append((f"flat {i + 1}", from_jumps([draw.randint(-3, 3)], [draw.choice((1, -1)) * T], s)))
    return cases


@certificate("representations that converge")
def infimum_over_measures(context: Context) -> Observation:
    """Upper bounds by the mass of converging representations whose tails start ever farther out, lower bounds by (14)
    and (18), in ball arithmetic; piecewise-linear functions exactly.
    """
    from implicitbias.exact.enclosure import lower, upper

    masses = {}
    draw = context.random()
    for label, f in simple_cases() + random_cases(draw, context.choose(12, 20)) + flat_cases(draw, 30):
        yield seen(cheapest_measure(f, with_room(f)).cost, label, T=f.total_variation, s=f.end_slope_sum, **in_words(f))
    for function in SMOOTH:
        has_asymptotes = None not in (function.left_intercept, function.right_intercept)
        if has_asymptotes and function.name not in ("softplus", "softplus less x/3", "arctangent", "bell curve"):
            continue  # nothing new there: (9) converges for every representation
        found = analyse(function)
        T, s = found.T_enclosure, found.s_enclosure
        reached = [outward_mass(found, Fraction(10) ** n).total for n in (1, 3, 6)]
        masses[function.name] = tuple(float(r.upper) for r in reached)
        least = max(lower(T), lower(s), -upper(s))
        yield seen(Interval(least, max(reached[-1].upper, least)), function.name, T=T, s=s, f=function.formula)
    yield Measured("mass with K = 10, 10³, 10⁶", masses)


@proof("duality inside [-K, K]")
def tails_by_duality(d: Derivation) -> Observation:
    """Programme (20) inside [-K, K] with prescribed tails: the two-sided argument with s - τ instead of s."""
    import sympy

    right, left, p, q = d.symbols(right="nonnegative", left="nonnegative", p="nonnegative", q="nonnegative")
    d.step("beyond ±K, α_- = f'' on the right and -f'' on the left: these units cost m and contribute τ to ∫α_- = s")
    d.step(
        "write m = right + left for the parts of the tails that contribute positively and negatively",
        "τ = right - left",
    )
    d.step("inside remains programme (20) with variation T - m and total s - τ", "m + min ∫max(|f''|, |α_-|)")
    m, tau = right + left, right - left
    identities = []
    for sign in (1, -1):
        inside, rest = p + q, sign * q
        d.identity(
            f"|s - τ| <= T - m: α_- = (s - τ)/(T - m)·|f''| costs T - m, the least for λ = 0 (sign {sign})",
            sympy.Max(inside, abs(rest)),
            inside,
        )
        identities.append(_case(f"s - τ = {rest}, T - m = {inside}", m + inside, tau + rest, m + inside))
        inside, rest = p, sign * (p + q)
        d.identity(
            f"|s - τ| >= T - m: α_- = {sign}·|f''| and {sign}·q more at one place cost |s - τ|, the least for λ "
            f"= {-sign}",
            sympy.Max(inside, abs(sign * inside)) + sympy.Abs(sign * q),
            sympy.Abs(rest),
        )
        identities.append(_case(f"s - τ = {rest}, T - m = {inside}", m + inside, tau + rest, m + inside + q))
    d.identity("|τ| never exceeds m", m - sympy.Abs(tau), 2 * sympy.Min(right, left))
    d.step(
        "so m + |s - τ| <= |s| + 2m by the triangle inequality, and m → 0 as K → ∞", "max(T, m + |s - τ|) → max(T, |s|)"
    )
    yield from identities


def _case(label: str, T: Expr, s: Expr, derived: Expr) -> Identity:
    from implicitbias.exact.symbolic import from_sympy

    return Identity(
        label,
        {"right": "nonnegative", "left": "nonnegative", "p": "nonnegative", "q": "nonnegative"},
        {"T": from_sympy(T), "s": from_sympy(s), "m": "right + left", "tau": "right - left"},
        from_sympy(derived),
    )


@certificate("exact programmes with outward tails")
def tails_by_programme(context: Context) -> Observation:
    """Exact programmes in which thresholds beyond ±K may carry only outward ReLUs."""
    instances = []
    for label, f in simple_cases() + random_cases(context.random(), context.choose(5, 30)):
        K = max((abs(k) for k in f.knots), default=Fraction(0)) / 2 + Fraction(1, 3)
        beyond = [(b, jump) for b, jump in f.kinks if abs(b) > K]
        inside = [x for x in (*with_room(f), Fraction(0)) if abs(x) <= K]
        instances.append(
            seen(
                cheapest_measure(f, inside, outward=K).cost,
                label,
                T=f.total_variation,
                s=f.end_slope_sum,
                m=sum((abs(jump) for _, jump in beyond), Fraction(0)),
                tau=sum((jump if b > 0 else -jump for b, jump in beyond), Fraction(0)),
                K=K,
                **in_words(f),
            )
        )
    yield from instances
    yield Measured("with kinks beyond K", sum(i.given["m"] != 0 for i in instances))


TAILS = claim(
    "savarese2019.outward_tails",
    "beside (8)",
    "Cost of a representation that converges",
    """Let the units with |b| > K be forward for b > K and backward for b < -K, so that (9) converges for every f with
    ∫|f''| < ∞. The least mass is then max(T, m + |s - τ|), with m = ∫_{|b|>K}|f''| and τ = ∫_{b>K} f'' - ∫_{b<-K} f''.
    It exceeds max(T, |s|) by at most 2m, which tends to 0 as K → ∞.""",
    part_of="savarese2019.equation_8",
    latex=r"\min\|\alpha\|_1=\max\big(T,\ m+|s-\tau|\big)",
    hypotheses=("∫|f''| is finite", "some threshold within [-K, K] is free to carry an atom"),
    formula="Max(T, m + Abs(s - tau))",
    symbols={**SYMBOLS, "m": "∫|f''| over |b| > K", "tau": "∫f'' over b > K minus ∫f'' over b < -K"},
    controls={
        "Max(T, Abs(s))": "as if turning the tails were free",
        "Max(T, Abs(s)) + 2*m": "the bound instead of the value",
        "Max(T, m + Abs(s + tau))": "the sign of τ exchanged",
        "m + Max(T, Abs(s - tau))": "the tails counted twice",
    },
    checks=(tails_by_duality, tails_by_programme),
    rests_on=("savarese2019.equation_18", "savarese2019.equation_19"),
    own=True,
)


INFIMUM = claim(
    "savarese2019.definition_8",
    "(8), read as an infimum, with Theorem 3.1",
    "Cost as an infimum over measures",
    """The infimum (8) over measures for which (9) converges is max(∫|f''|, |s|) for every f with ∫|f''| < ∞, whether or
    not f has asymptotes. Where |s| ≥ T it need not be attained: for (x·arctan x - ½log(1 + x²))/π + x/2 the only α of
    mass 1 puts 1/(π(1 + b²)) on forward units for all b, and (9) diverges; turning the tail below -K backward costs 1 +
    2m with m its mass.""",
    part_of="savarese2019.equation_8",
    latex=r"\inf\{\|\alpha\|_1: h_{\alpha,c}=f\}=\max\Bigl(\int|f''|,|f'(-\infty)+f'(+\infty)|\Bigr)",
    hypotheses=("∫|f''| is finite", "(9) is required to converge for every x, not only formally"),
    formula="Max(T, Abs(s))",
    symbols=SYMBOLS,
    controls={
        "T + Abs(s)": "a sum instead of the maximum",
        "T": "end slopes free",
        "Max(T, (T + Abs(s))/2)": "the locally uniform closure",
        "Max(T, s)": "the sign of s forgotten",
        "Max(s*sign(floor(s)), T, s - T)": "end slopes with a sum from 0 to 1 free",
    },
    checks=(infimum_over_measures,),
    rests_on=("savarese2019.equation_14", "savarese2019.equation_18", "savarese2019.outward_tails"),
)
