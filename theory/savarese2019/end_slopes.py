"""Equation (27): all end slopes for which the linear spline has the least cost."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Observation, Step, certificate, claim, seen

from ..observed.cheapest.best_tails import best_tails, range_of_best_tails, triples
from ..observed.data.datasets import SLOPES


@certificate("range of the end slopes")
def end_slopes(context: Context) -> Observation:
    """The least and the greatest optimal value of each end slope, by exact linear programmes."""
    draw = context.random()
    for label, T, a, b in triples(context, context.choose(40, 400)):
        between = Fraction(draw.randint(1, 18), 19)
        best = best_tails(T, a, b)
        left, right = range_of_best_tails(T, a, b)
        for side, own, other, ends in (("left", a, b, left), ("right", b, a, right)):
            near, far = sorted(ends, key=lambda slope: abs(slope - own))
            for theta in (Fraction(0), between, Fraction(1)):
                yield seen(near + theta * (far - near), f"{side} end, {label}", T=T, c=own, d=other, theta=theta)
            # both ends move together: what one takes of the move, the other leaves
            sums = {"T": T, "c": best.point[0], "d": best.point[1], "theta": Fraction(1)}
            yield seen(best.point[0], f"a minimiser of (27) bends no further, {label}", **sums | {"T": best.value})
    yield Step("the least and the greatest l_0 (and l_N) among the minimisers of (27), in rationals")
    yield Step("θ runs from the minimiser nearest to the adjacent slope to the one farthest from it")


END_SLOPES = claim(
    "savarese2019.equation_27_end_slopes",
    "beside equation (27)",
    "All optimal end slopes",
    """With t* = max(0, (|a+b|-T)/2) and σ = sign(a+b) the minimisers of (27) are exactly the pairs l_0 = a - σθt*, l_N
    = b - σ(1-θ)t*, 0 ≤ θ ≤ 1: one pair if T ≥ |a+b|, a segment otherwise. Proof: equality in the bound of the closed
    form needs |l_0-a| + |l_N-b| = t* and |l_0+l_N| = |a+b| - t*, so both moves go against σ. (Judged is the range of
    each slope.)""",
    part_of="savarese2019.theorem_3_3",
    latex=r"l_0=a-\sigma\theta t^*,\quad l_N=b-\sigma(1-\theta)t^*,\quad t^*=\max\Big(0,\frac{|a+b|-T}{2}\Big)",
    hypotheses=("N ≥ 2",),
    formula="c - theta*sign(c + d)*Max(0, (Abs(c + d) - T)/2)",
    symbols={
        "T": SLOPES["T"],
        "c": "the slope of the piece next to the end: a for the left one, b for the right one",
        "d": "the slope of the piece next to the other end",
        "theta": "0 at the optimal end slope nearest to c, 1 at the farthest",
    },
    controls={
        "c": "always straight on",
        "c - theta*sign(c + d)*Max(0, Abs(c + d) - T)": "the whole excess instead of half of it",
        "c + theta*sign(c + d)*Max(0, (Abs(c + d) - T)/2)": "moved the wrong way",
        "c - theta*Max(0, (Abs(c + d) - T)/2)": "the sign of a + b forgotten",
        "c*(1 - theta)": "tails anywhere down to flat",
    },
    checks=(end_slopes,),
    rests_on=("savarese2019.equation_27_minimum",),
    own=True,
)
