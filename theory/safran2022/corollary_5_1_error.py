"""Next to Corollary 5.1: exact mean errors, of the optimum for one switch and of the worst fit with few regions."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from math import comb
from typing import cast

from implicitbias.claims import (
    Context,
    Derivation,
    Measured,
    Observation,
    Rule,
    Step,
    Value,
    certificate,
    claim,
    proof,
    rule,
    seen,
)

from ..observed.data.targets import fewest_regions


@proof("tails of the nearest data")
def tails(d: Derivation) -> None:
    """E|U - V|/2 = (E U + E V)/2 - E min(U, V), each mean from its tail, on samples that have both labels; the
    antiderivatives are verified.
    """
    import sympy

    from implicitbias.exact.symbolic import from_sympy, symbol

    n, p, t = d.symbols(n="positive integer", p="positive", t="nonnegative")
    d.step("U, V: masses between the true cut and the nearest datum on its left and right; the error is |U - V|/2")

    def integral(says: str, tail: sympy.Expr, antiderivative: sympy.Expr, upper: sympy.Expr) -> sympy.Expr:
        d.identity(says, sympy.simplify(sympy.diff(antiderivative, t)), tail)
        return antiderivative.subs(t, upper) - antiderivative.subs(t, 0)

    def power(base: sympy.Expr, rate: int) -> sympy.Expr:
        return base ** (n + 1) / (rate * (n + 1))

    q = 1 - p
    left = integral(
        "P(U > t, both labels), t <= p",
        (1 - t) ** n - q**n - (p - t) ** n,
        power(1 - t, -1) - t * q**n - power(p - t, -1),
        p,
    )
    right = integral(
        "P(V > t, both labels), t <= 1 - p",
        (1 - t) ** n - p**n - (q - t) ** n,
        power(1 - t, -1) - t * p**n - power(q - t, -1),
        q,
    )
    both = integral(
        "P(U > t, V > t, both labels), t <= p <= 1 - p",
        (1 - 2 * t) ** n - (q - t) ** n - (p - t) ** n,
        power(1 - 2 * t, -2) - power(q - t, -1) - power(p - t, -1),
        p,
    )
    mean = sympy.expand((left + right) / 2 - both).subs(p, 1 / (symbol("s", "nonnegative") + 2))
    d.concludes(
        from_sympy(mean), "p = 1/(s + 2)", over={"n": "positive integer", "s": "nonnegative"}, n="n", p="1/(s + 2)"
    )


@certificate("by the number of data on each side")
def by_counts(context: Context) -> Observation:
    """The nearest of j and of n - j uniform points, by exact integrals of polynomials, summed over j."""
    for p in (Fraction(1, 2), Fraction(1, 3), Fraction(1, 10)):
        for n in (1, 2, 3, 5, 8, 12):
            total = Fraction(0)
            for j in range(1, n):
                near = p / (j + 1) + (1 - p) / (n - j + 1)
                total += comb(n, j) * p**j * (1 - p) ** (n - j) * (near / 2 - least_mean(p, j, n - j))
            yield seen(total, n=n, p=p)


def least_mean(p: Fraction, j: int, k: int) -> Fraction:
    """∫_0^p (1 - t/p)^j (1 - t/(1 - p))^k dt for p <= 1/2, term by term."""
    total = Fraction(0)
    for a in range(j + 1):
        for b in range(k + 1):
            sign = (-1) ** (a + b)
            total += sign * comb(j, a) * comb(k, b) * p ** (b + 1) / ((1 - p) ** b * (a + b + 1))
    return total


ONE_SWITCH = claim(
    "safran2022.corollary_5_1_one_switch",
    "next to Corollary 5.1",
    "Mean error of the optimum for one switch",
    """For uniform data on [-1, 1] and a teacher with one switch that leaves mass p <= 1/2 on its smaller side, the
    global optimum of problem (4) cuts midway between the two data nearest to the switch (their product is at least -1),
    and its mean error is (1 - (1 - 2p)^{n+1})/(2(n + 1)) - (p(1 - p)^n + (1 - p)p^n)/2, samples of one label counted as
    0: for p = 1/2 it is 1/(2(n + 1)) - 2^{-(n+1)}. So if the flow reaches it, n times the error tends to 1/2, without
    a logarithm and without an unknown constant.""",
    latex=r"\mathbb E=\tfrac{1-(1-2p)^{n+1}}{2(n+1)}-\tfrac{p(1-p)^n+(1-p)p^n}{2}",
    hypotheses=("independent uniform data on [-1, 1]", "the error counts on samples with both labels"),
    formula="(1 - (1 - 2*p)**(n + 1))/(2*(n + 1)) - (p*(1 - p)**n + (1 - p)*p**n)/2",
    symbols={"n": "sample size", "p": "mass of the smaller side, at most 1/2"},
    controls={
        "1/(2*(n + 1))": "samples of one label forgotten",
        "1/(n + 1) - (p*(1 - p)**n + (1 - p)*p**n)/2": "a cut at one of the two data",
        "(1 - (1 - 2*p)**n)/(2*n) - (p*(1 - p)**n + (1 - p)*p**n)/2": "n - 1 gaps instead of n + 1",
        "1/(4*(n + 1))": "as if the two sides balanced",
    },
    checks=(tails, by_counts),
    rests_on=("safran2022.theorem_4_2_boundary",),
    own=True,
    part_of="safran2022.corollary_5_1",
)


def largest_gaps(given: Mapping[str, Value]) -> Value:
    """Σ_{i<=K} (1/i + … + 1/(n + 1))/(n + 1): the mean of the K largest of n + 1 gaps."""
    n, gaps = cast(int, given["n"]), cast(int, given["K"])
    return sum((Fraction(1, j * (n + 1)) for i in range(1, gaps + 1) for j in range(i, n + 2)), Fraction(0))


@rule("average gaps")
def average_gaps(given: Mapping[str, Value]) -> Value:
    """K/(n + 1)"""
    return Fraction(cast(int, given["K"]), cast(int, given["n"]) + 1)


@rule("inner gaps")
def without_ends(given: Mapping[str, Value]) -> Value:
    """the same with n gaps"""
    n, gaps = cast(int, given["n"]), cast(int, given["K"])
    return sum((Fraction(1, j * n) for i in range(1, gaps + 1) for j in range(i, n + 1)), Fraction(0))


@rule("K times the largest")
def largest_times(given: Mapping[str, Value]) -> Value:
    """K (1 + … + 1/(n + 1))/(n + 1)"""
    n, gaps = cast(int, given["n"]), cast(int, given["K"])
    return gaps * sum((Fraction(1, j * (n + 1)) for j in range(1, n + 2)), Fraction(0))


@certificate("inclusion and exclusion")
def largest_gaps_by_tails(context: Context) -> Observation:
    """Means of the largest gaps from their tails by inclusion and exclusion, as j given gaps all exceed t with
    probability (1 - jt)_+^n; and the regions that marking them takes.
    """
    for n in (1, 2, 3, 5, 10, 20, context.choose(40, 80)):
        total = Fraction(0)
        for i in range(1, min(n + 1, 6) + 1):
            # i gaps exceed t: Σ_{j>=i} (-1)^{j-i} C(j-1, i-1) C(n+1, j) (1 - jt)_+^n, whose integral is below
            total += sum(
                (Fraction((-1) ** (j - i) * comb(j - 1, i - 1) * comb(n + 1, j), j * (n + 1)) for j in range(i, n + 2)),
                Fraction(0),
            )
            yield seen(total, n=n, K=i)
    yield Measured("regions used for K = 1, …, 6 gaps of drawn samples, at most", marked_regions(context))
    yield Step("all labels -1, data uniform on [0, 1]; the classifier is 1 inside its K largest gaps, -1 elsewhere")
    yield Step("it fits the sample, is wrong on those gaps, and has at most 2K sign changes: 2K regions")


def marked_regions(context: Context) -> str:
    """The regions of functions that are positive in the middle of the K largest gaps and negative on the data."""
    draw = context.random()
    used = []
    for gaps in range(1, 7):
        data = sorted(Fraction(p, 1000) for p in draw.sample(range(1, 1000), 20))
        edges = [Fraction(0), *data, Fraction(1)]
        largest = sorted(pairwise(edges), key=lambda gap: gap[0] - gap[1])[:gaps]
        middles = {(low + high) / 2 for low, high in largest}
        points = sorted({*data, *middles})
        regions = fewest_regions(points, [1 if x in middles else -1 for x in points])
        if regions > 2 * gaps:
            raise ArithmeticError(f"{gaps} gaps take {regions} regions")
        used.append(str(regions))
    return ", ".join(used)


WORST = claim(
    "safran2022.corollary_5_1_worst_fit",
    "next to Corollary 5.1",
    "Mean error of the worst fit with few regions",
    """If all labels are -1 and the data are n uniform points, some classifier with at most 2K regions that fits the
    sample has mean error Σ_{i<=K} (1/i + … + 1/(n + 1))/(n + 1), about K(1 + log(n/K))/n: it is 1 inside the K largest
    gaps. So an argument from the number of regions and zero training error alone, as that of Corollary 5.1, needs its
    logarithm of 1/ε; an error of order 1/n, as for one switch, comes from where the kinks lie.""",
    latex=r"\tfrac1{n+1}\sum_{i\le K}\sum_{j=i}^{n+1}\tfrac1j",
    hypotheses=("K <= n + 1",),
    formula=Rule("the K largest gaps", "Σ_{i<=K} (1/i + … + 1/(n + 1))/(n + 1)", largest_gaps),
    controls={
        average_gaps: "all gaps of equal length: no logarithm",
        without_ends: "the gaps at the ends forgotten",
        largest_times: "the largest gap counted K times",
    },
    checks=(largest_gaps_by_tails,),
    rests_on=("safran2022.section_5_vc_regions",),
    own=True,
    part_of="safran2022.corollary_5_1",
)
