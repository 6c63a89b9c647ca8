"""After Theorem C.3: the λ at which optimal solutions with and without a sub-network tie."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from implicitbias.claims import (
    Context,
    Interval,
    Observation,
    Premise,
    Rule,
    Value,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.theorems.rules.solutions.solution import Solution


@certificate("global minimisers of the objective")
def tie_counts(context: Context) -> Observation:
    """The numbers of units among the global minimisers of (p - A)² + λ|p|^(2/L): one point, one direction.

    p < 0 costs more than -p. With p = q^L, q > 0, the objective exceeds that of p = 0 by q²B(q), where B(q) =
    q^(2L-2) - 2A q^(L-2) + λ is positive for small and for large q. B has rational coefficients: Sturm sequences
    count its roots on q > 0. Without a root only 0 is a minimiser. Where B < 0 between two roots some q is better. A
    root that B only touches is a tie.
    """
    draw = context.random()
    for depth in (3, 4, 5, 6, 7, 10):
        a = Fraction(depth - 1, depth - 2)
        for scale in (Fraction(1), Fraction(2), Fraction(1, 3)):
            label = a * scale**depth
            # q = scale is stationary, and ties with 0, for the λ with B(q) = B'(q) = 0 there
            tie = 2 * label * scale ** (depth - 2) - scale ** (2 * depth - 2)
            moved = tie * Fraction(draw.randint(1, 30), 1000)
            for lam in (tie, tie + moved, tie - moved, 3 * tie, tie / 5, Fraction(draw.randint(1, 60), 10)):
                yield seen(_counts(depth, label, lam), f"x=1, y={label}, λ={lam}, L={depth}", L=depth, A=label, lam=lam)


def gap(q: Any, depth: int, label: Fraction, lam: Fraction) -> Any:
    """((q^L - A)² + λq² - A²)/q²: what a unit of output q^L costs more than none, over q²."""
    import sympy

    A, rate = (sympy.Rational(z.numerator, z.denominator) for z in (label, lam))
    return sympy.expand(((q**depth - A) ** 2 + rate * q**2 - A**2) / q**2)


def _counts(depth: int, label: Fraction, lam: Fraction) -> tuple[int, ...]:
    """Which numbers of units minimise the objective: (0,), (1,) or (0, 1)."""
    import sympy

    q = sympy.Symbol("q")
    factors = sympy.Poly(gap(q, depth, label, lam), q).factor_list()[1]
    odd = [factor for factor, times in factors if times % 2]
    even = [factor for factor, times in factors if times % 2 == 0]
    if any(factor.count_roots(0, sympy.oo) for factor in odd):  # B(0) = λ > 0: these are positive, and B changes sign
        return (1,)
    return (0, 1) if any(factor.count_roots(0, sympy.oo) for factor in even) else (0,)


@certificate("largest tying λ")
def tied_unit(context: Context) -> Observation:
    """The unit p > 0 that ties with no unit at the critical λ, enclosed without derivatives.

    λ(p) = (2A - p) p^(1-2/L) is the λ at which p and 0 cost the same. p is a global minimiser only if λ(p) is largest:
    the maximiser, bracketed by a search in balls on a strictly unimodal function.
    """
    from implicitbias.exact.enclosure import Comparison, compare, enclose

    proved = True
    for depth, a in [(3, 2), (4, 2), (6, 2), (3, 1), (5, 3), (100, 2), (3, 5)]:
        low, high = Fraction(0), Fraction(2 * a)
        for _ in range(60):
            third = (high - low) / 3
            left, right = (low + third, high - third)
            level = [enclose("(2*A-p)*p**(1-2/L)", A=a, p=p, L=depth) for p in (left, right)]
            order = compare(*level)
            proved = proved and order is not Comparison.UNKNOWN
            low, high = (left, high) if order is Comparison.LESS else (low, right)
        yield seen(Interval(low, high), A=a, L=depth)
    yield Premise("every comparison is proved", proved)


@theorem("tie and stationarity")
def derive_tied_unit() -> Observation:
    """The output p > 0 and the λ at which the objective is as large as without a sub-network, and stationary."""
    tied = Solution(
        unknowns={"lam": "positive", "p": "positive"},
        equations=(
            "2*squared_loss(p, A) + lam*bridge_penalty(p, m + 2) - 2*squared_loss(0, A)",
            "2*(p - A) + lam*(2/(m + 2))*bridge_penalty(p, m + 2)/p",
        ),
        of="p",
        solution={"lam": "(2*A - p)*p/p**(2/(m + 2))", "p": "A*m/(m + 1)"},
    )
    yield shows(tied, for_all={"A": "positive", "m": "positive integer"}, A="A", L="m + 2")


def counts_by_the_critical_penalty(given: Mapping[str, Value]) -> tuple[int, ...]:
    """λ against λ* = (2A - p)p^(1-2/L), where p = A(L-2)/(L-1)."""
    from implicitbias.exact.enclosure import Comparison, compare, enclose

    values: dict[str, Any] = {name: given[name] for name in ("A", "L", "lam")}
    critical = enclose("(2*A - A*(L-2)/(L-1))*(A*(L-2)/(L-1))**(1 - 2/L)", 400, A=values["A"], L=values["L"])
    order = compare(values["lam"], critical)
    return (0,) if order is Comparison.GREATER else (1,) if order is Comparison.LESS else (0, 1)


APPENDIX_C_SAME_COUNT = claim(
    "savarese2019.appendix_c_same_count",
    "after Theorem C.3",
    "Ties of different sparsity at the critical λ",
    """For one point x = 1, y = A > 0 and squared loss, a solution of (49) without sub-networks and one with a single
    sub-network are both optimal at λ* = (2A - p)p^(1-2/L), p = A(L-2)/(L-1), for L ≥ 3; above λ* only none is, below it
    only one.""",
    part_of="savarese2019.theorem_c_3",
    latex=r"\#\{\|\alpha^*\|_0\}=2\ \text{at}\ \lambda=\lambda^*(A,L)",
    formula=Rule("tie at the critical λ", "both 0 and 1 at λ*, 0 above, 1 below", counts_by_the_critical_penalty),
    controls={
        Rule(
            "one count",
            "all optimal solutions have the same number of units",
            lambda given: counts_by_the_critical_penalty(given)[:1],
        ): "what holds for all but countably many λ, taken for all",
        Rule("always one", "a single unit for every λ", lambda given: (1,)): "λ small enough",
        Rule("tie at every λ", "0 and 1 always tie", lambda given: (0, 1)): "the tie is not generic",
    },
    checks=(tie_counts,),
    rests_on=("savarese2019.theorem_c_1",),
    formerly=("savarese2019.appendix_c_limit",),
)


APPENDIX_C_TIE = claim(
    "savarese2019.appendix_c_tie",
    "beside the text after Theorem C.3",
    "The unit at the critical λ",
    """For one point x = 1, y = A > 0, squared loss and L ≥ 3, at the critical λ a single sub-network is optimal
    together with none; its output is p = A(L-2)/(L-1); the critical λ is (2A - p)p^(1-2/L). Proof: equate the
    objective at p to that at 0, and its derivative to 0.""",
    part_of="savarese2019.theorem_c_3",
    latex=r"p^*=\frac{A(L-2)}{L-1}",
    hypotheses=("A > 0", "L ≥ 3"),
    formula="A*(L-2)/(L-1)",
    symbols={"A": "label y", "L": "number of layers"},
    controls={
        "A": "the limit of hard thresholding",
        "A*(L-1)/L": "the same with L shifted by one",
        "A/2": "right only for L = 3",
    },
    checks=(tied_unit, derive_tied_unit),
    rests_on=("savarese2019.appendix_c_same_count",),
    own=True,
)
