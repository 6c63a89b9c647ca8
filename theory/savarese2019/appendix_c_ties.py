"""After Theorem C.3: the λ at which optimal solutions with and without a sub-network tie."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import (
    Context,
    Derivation,
    Flaw,
    Interval,
    Observation,
    Premise,
    Rule,
    certificate,
    claim,
    proof,
    seen,
)


@certificate("sign of the objective's gap")
def tie_counts(context: Context) -> Observation:
    """The numbers of units among the global minimisers of (p - A)² + λ p^(2/L), p >= 0: one point, one direction.

    With p = q^L the objective minus its value at 0 is q²(q^(2L-2) - 2A q^(L-2) + λ). The bracket has a single minimum
    on q > 0 for L >= 3; its sign there, by sympy, decides between 0 units, 1 unit, or both.
    """
    import sympy

    undecided = []
    for depth, a in [(3, 2), (4, 1), (4, 2), (6, 2), (6, 1), (10, 3)]:
        q = sympy.Symbol("q", positive=True)
        place = sympy.Rational(a * (depth - 2), depth - 1) ** sympy.Rational(1, depth)
        bracket = q ** (2 * depth - 2) - 2 * a * q ** (depth - 2)
        if sympy.simplify(sympy.diff(bracket, q).subs(q, place)) != 0:
            raise ArithmeticError("the minimum is elsewhere")
        lowest = sympy.simplify(bracket.subs(q, place))
        for where, factor in (
            ("at the critical λ", 1),
            ("above it", sympy.Rational(11, 10)),
            ("below it", sympy.Rational(9, 10)),
        ):
            gap = sympy.simplify(lowest - factor * lowest)
            counts = (0, 1) if gap == 0 else (0,) if gap.is_positive else (1,) if gap.is_negative else ()
            if not counts:
                undecided.append(f"L={depth}, A={a}, {where}")
            yield seen(
                counts,
                f"x=1, y={a}, L={depth}, λ {where}",
                L=depth,
                A=a,
                critical=where == "at the critical λ",
                above=where == "above it",
            )
    yield Premise("every sign is decided", not undecided, "; ".join(undecided))


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


@proof("tie and stationarity")
def derive_tied_unit(d: Derivation) -> None:
    """Both equations solved for all A and L."""
    import sympy

    a, p, lam, extra = d.symbols(A="positive", p="positive", lam="positive", m="positive integer")
    depth = extra + 2  # L >= 3
    s = 2 / depth
    objective = (p - a) ** 2 + lam * p**s
    (tie,) = sympy.solve(sympy.Eq(sympy.expand(objective - a**2), 0), lam)
    d.step("p costs as much as no unit at all where (p-A)² + λp^s = A²", f"λ = {sympy.simplify(tie)}")
    stationary = sympy.simplify(sympy.diff(objective, p).subs(lam, tie) * p)
    (unit,) = [r for r in sympy.solve(sympy.Eq(sympy.expand(stationary), 0), p) if r != 0]
    d.step("and p is stationary there, 2(p-A) + λ s p^(s-1) = 0, for", f"p = {sympy.factor(unit)}")
    d.identity("at that p the tie is stationary", stationary.subs(p, unit), sympy.Integer(0))
    d.concludes(
        sympy.factor(unit),
        "all A > 0 and L = m+2 >= 3",
        over={"A": "positive", "m": "positive integer"},
        A="A",
        L="m+2",
    )


APPENDIX_C_SAME_COUNT = claim(
    "savarese2019.appendix_c_same_count",
    "after Theorem C.3",
    "Ties of different sparsity at the critical λ",
    """For one point x = 1, y = A and squared loss, (49) has a λ at which a solution without sub-networks and one with a
    single sub-network are both optimal, at every depth L ≥ 3; above it only none, below it only one is.""",
    part_of="savarese2019.theorem_c_3",
    latex=r"\#\{\|\alpha^*\|_0\}=2\ \text{at}\ \lambda=\lambda^*(A,L)",
    formula=Rule(
        "tie at the critical λ",
        "both 0 and 1 at the critical λ, else one of them",
        lambda given: (0, 1) if given["critical"] else (0,) if given["above"] else (1,),
    ),
    flaw=Flaw(
        printed=Rule(
            "one count",
            "all optimal solutions have the same number of units",
            lambda given: (0,) if given["critical"] or given["above"] else (1,),
        ),
        word="heuristic",
        wrong="For large L all optimal solutions should have equally many non-zero weights; at critical λ they do not.",
        sure="certain",
        charitable="""The sentence is hedged. The optimal value is concave in λ; where it is differentiable, for all but
        countably many λ, all optimal solutions have the same penalty, which tends to the number of units.""",
    ),
    controls={
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
    together with none; its output is p = A(L-2)/(L-1); the critical λ is (2A - p)p^(1-2/L). Proof: equate the objective
    at p to that at 0, and its derivative to 0. As L → ∞, p → A and λ → A²: hard thresholding.""",
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
