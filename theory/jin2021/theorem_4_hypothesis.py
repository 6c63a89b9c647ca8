"""Theorem 4, hypothesis (2): the least eigenvalue of Θ̂_n over all widths."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Flaw, Observation, Premise, certificate, claim, seen
from implicitbias.exact.vectors import rank

from ..observed.training.exact_training import Small, jacobian, small
from . import errata


def spread_out(units: int) -> Small:
    """Units active to the right of 1/2, 5/2, 9/2, …: two of the data 0, 1, 2, … between neighbouring kinks."""
    kinks = [Fraction(4 * i + 1, 2) for i in range(units)]
    outer = tuple(Fraction(i + 1) for i in range(units))
    return Small((Fraction(1),) * units, tuple(-k for k in kinks), outer, Fraction(0))


@certificate("ranks in fractions")
def ranks(context: Context) -> Observation:
    """The largest rank of Θ̂_n among networks with spread-out kinks and random ones of the same width, by exact
    Jacobians from difference quotients."""
    draw = context.random()
    short, never_above = 0, True
    for n in range(10):
        for points in sorted({1, 2, 3, 7, 12, 25, 2 * n, 2 * n + 1, 2 * n + 2, 3 * n, 60 // max(n, 1)} - {0}):
            x = [Fraction(i) for i in range(points)]
            found = rank(jacobian(spread_out(n), x))
            others = [rank(jacobian(small(draw, n, x), x)) for _ in range(context.choose(2, 20))]
            greatest = max(found, *others)
            yield seen(greatest, f"width {n}, {points} data points", n=n, M=points)
            short += greatest != points
            never_above = never_above and max(others) <= 2 * n + 1
    yield Premise("some widths are too small for their data", short >= 5, f"{short}")
    yield Premise("no random network exceeds 2n+1", never_above)


THEOREM_4_HYPOTHESIS = claim(
    "jin2021.theorem_4_hypothesis",
    "Theorem 4, hypothesis (2)",
    "The largest rank of Θ̂_n",
    """Each unit adds at most two dimensions, 1 and x where it is active, and the output bias one: Θ̂_n has at most
    rank min(M, 2n+1), which is attained. So λ_min(Θ̂_n) = 0 for n < (M-1)/2, and the infimum over all widths, which
    hypothesis (2) requires to be positive, is 0 for M > 3; the limit inferior is meant. The version of 2023 keeps the
    hypothesis, in its Theorem 10.""",
    latex=r"\max\operatorname{rank}\hat\Theta_n=\min(M,2n+1)",
    hypotheses=("distinct data", "one input"),
    formula="Min(M, 2*n + 1)",
    symbols={"M": "number of data", "n": "width"},
    flaw=Flaw(errata.POSITIVE_AT_EVERY_WIDTH, "M"),
    controls={
        "Min(M, n + 1)": "one dimension per unit",
        "Min(M, 3*n + 1)": "one dimension per parameter",
        "Min(M, 2*n)": "the output bias forgotten",
    },
    checks=(ranks,),
    part_of="jin2021.theorem_4_function",
)
