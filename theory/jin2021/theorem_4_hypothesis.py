"""Theorem 4, hypothesis (2): the least eigenvalue of Θ̂_n over all widths."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Instance, Premise
from implicitbias.claims.statement import Claim, Control, Flaw, Source

from .observed.exact_training import Small, jacobian


def spread_out(units: int) -> Small:
    """Units active to the right of 1/2, 5/2, 9/2, …: two of the data 1, 2, 3, … between neighbouring kinks."""
    kinks = [Fraction(4 * i + 1, 2) for i in range(units)]
    outer = tuple(Fraction(i + 1) for i in range(units))
    return Small((Fraction(1),) * units, tuple(-k for k in kinks), outer, Fraction(0))


def ranks(context: Context) -> Evidence:
    """The largest rank of Θ̂_n found: spread out kinks, and random networks of the same width; exact ranks."""
    from .observed.exact_training import small
    from .observed.interpolants import rank

    draw = context.random()
    instances, never_above = [], True
    for n in range(1, context.choose(6, 8)):
        for points in (1, 2, 3, 5, 7, 2 * n + 1, 4 * n + 3):
            x = [Fraction(i) for i in range(points)]
            found = rank(jacobian(spread_out(n), x))
            others = [rank(jacobian(small(draw, n, x), x)) for _ in range(context.choose(4, 20))]
            instances.append(Instance(f"width {n}, {points} data points", {"n": n, "M": points}, max(found, *others)))
            never_above = never_above and max(others) <= 2 * n + 1
    short = sum(i.observed != i.given["M"] for i in instances)
    return Evidence(
        instances=tuple(instances),
        premises=(
            Premise("some widths are too small for their data", short >= 5, f"{short}"),
            Premise("no random network exceeds 2n+1", never_above),
        ),
    )


CLAIMS = (
    Claim(
        id="jin2021.theorem_4_hypothesis",
        source=Source("jin2021", "Theorem 4, hypothesis (2)"),
        title="The largest rank of Θ̂_n",
        statement=(
            "Each unit adds at most two dimensions, 1 and x where it is active, and the output bias one: Θ̂_n has at "
            "most rank min(M, 2n+1), which is attained. So λ_min(Θ̂_n) = 0 for n < (M-1)/2, and the infimum over all "
            "widths that hypothesis (2) asks to be positive is 0 for M > 3; the limit inferior is meant."
        ),
        latex=r"\max\operatorname{rank}\hat\Theta_n=\min(M,2n+1)",
        hypotheses=("distinct data", "one input"),
        formula="Min(M, 2*n + 1)",
        symbols={"M": "number of data", "n": "width"},
        flaw=Flaw(
            printed="M",
            word="imprecise wording",
            wrong="no initialisation makes λ_min(Θ̂_n) positive at widths below (M-1)/2",
            sure="certain",
            charitable="the limit inferior as n → ∞, or all n from some n₀ on: the theorem is about n → ∞",
        ),
        controls=(
            Control("Min(M, n + 1)", "one dimension a unit"),
            Control("Min(M, 3*n + 1)", "a dimension a parameter"),
            Control("Min(M, 2*n)", "the output bias forgotten"),
        ),
        checks=(
            Check(
                "ranks in fractions", Kind.CERTIFICATE, ranks, "exact ranks of Jacobians taken by difference quotients"
            ),
        ),
    ),
)
