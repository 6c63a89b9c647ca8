"""After Theorem 3.1: the inequality that makes the loss decrease, and why it is local."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from implicitbias.claims import (
    Context,
    Derivation,
    Instance,
    Observation,
    Premise,
    certificate,
    claim,
    proof,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.formula import Assumption
from implicitbias.exact.vectors import dot, relu
from implicitbias.theorems.rules.calculus.derivative import Derivative
from implicitbias.theorems.rules.extrema.extremum import Minimum
from implicitbias.theorems.rules.sequences.list_minimum import ListMinimum
from implicitbias.theorems.rules.values.composition import Composition

from ..observed.margin.ball_losses import losses_and_forces

BITS = 300
"""Working precision of the balls."""


def attained(d: Derivation, loss: str) -> None:
    """The bound where it is attained: at one point, and at n points of which one has all the loss."""
    import sympy

    from implicitbias.exact.symbolic import from_sympy

    q, g, m, u, n = d.symbols("q", g="positive", m="positive", u="positive", n="positive integer")
    value = sympy.exp(-q) if loss == "exponential" else sympy.log(1 + sympy.exp(-q))
    force = -sympy.diff(value, q)
    if loss == "exponential":
        in_terms = u
        d.identity("-l' as a function of l", force, in_terms.subs(u, value), "l")
        d.step("|∇L| >= ∇L·(-direction) >= γ (1/n) Σ |l'(q_i)| = γ L")
    else:
        in_terms = 1 - sympy.exp(-u)
        d.identity("-l' as a function of l", force, in_terms.subs(u, value), "1 - exp(-l)")
        d.step("it is concave in l and 0 at 0: with the sum n L given, Σ|l'| is least where one point has it all")
        d.nonnegative("concave", -sympy.diff(in_terms, u, 2))
        d.step("|∇L| >= γ (1/n) Σ |l'(q_i)| >= γ (1 - exp(-n L))/n")
    d.concludes(
        from_sympy((g * in_terms.subs(u, m)) ** 2 / 2),
        "one point, L = m",
        over={"g": "positive", "m": "positive"},
        m="g",
        n="1",
        L="m",
    )
    # n points, n - 1 of them without loss: the limit in which the bound is attained
    limit = (g * in_terms.subs(u, n * m) / n) ** 2 / 2
    d.concludes(
        from_sympy(limit),
        "n points, one with all the loss",
        over={"g": "positive", "m": "positive", "n": "positive integer"},
        m="g",
        n="n",
        L="m",
    )


@theorem("one point, and n")
def exponential_bound() -> Observation:
    """The least gradient: along the direction of the margins the pulls -l'(q) g of n data with margins g >= γ, whose
    losses add up to nL; across it anything.
    """
    pull = ListMinimum(
        cost=Derivative("-g*exponential_loss(z)", "z", at="q"),
        over={"q": "real", "g": "positive"},
        where=("g >= m",),
        length="n",
        totals={"Z": "exponential_loss(q)"},
        at={"q": "-log(Z/n)", "g": "m"},
        multipliers={"Z": "m"},
        gap=("exp(-q)*(g - m)",),
    )
    least = Minimum(
        Composition("((pulls/n + more)**2 + across**2)/2", {"pulls": pull}),
        over={"more": "nonnegative", "across": "real"},
        at={"more": "0", "across": "0"},
        gap=("more**2/2 + m*Z/n*more", "across**2/2"),
    )
    names: dict[str, Assumption] = {"m": "positive", "Z": "positive", "n": "positive integer"}
    yield shows(least, for_all=names, m="m", n="n", L="Z/n")


@proof("one point, and n")
def logistic_bound(d: Derivation) -> None:
    """The bound where it is attained, all γ, n and L."""
    attained(d, "logistic")


def setting(draw: Random, n: int, k: int) -> tuple[Any, Any, Any, Any] | None:
    """Features Φ (n, k), labels, the squared margin γ² > 0 of a unit direction, and output weights; or None."""
    x = [Fraction(a, 3) for a in sorted(draw.sample(range(-9, 10), n))]
    hidden = [(Fraction(draw.randint(-6, 6), 2), Fraction(draw.randint(-6, 6), 2)) for _ in range(k)]
    Phi = [[relu(w * at + b) for w, b in hidden] for at in x]
    direction = [Fraction(draw.randint(-6, 6)) for _ in range(k)]
    heights = [dot(row, direction) for row in Phi]
    if any(h == 0 for h in heights):
        return None
    y = [1 if h > 0 else -1 for h in heights]
    square = min(abs(h) for h in heights) ** 2 / dot(direction, direction)
    v = [Fraction(draw.randint(-8, 8), 8) for _ in range(k)]
    return Phi, y, square, v


def gradients(context: Context, loss: str) -> Observation:
    """½|∇_v L|² and L at random features and output weights, in balls; L from 1/(8n) to several."""
    import flint

    from implicitbias.exact.enclosure import from_arb, to_arb

    draw = context.random()
    instances: list[Instance] = []
    low = 0
    with flint.ctx.workprec(BITS):
        wanted = context.choose(30, 200)
        while len(instances) < wanted or (low < 3 and len(instances) < 10 * wanted):
            n = 1 + len(instances) % 4
            found = setting(draw, n, 1 + len(instances) % 5)
            if found is None:
                continue
            Phi, y, square, v = found
            scale = Fraction(draw.choice([1, 2, 4, 8]))
            margins = [label * scale * dot(row, v) for row, label in zip(Phi, y, strict=True)]
            if max(map(abs, margins)) > 40:
                continue
            losses, forces = losses_and_forces(margins, loss)
            L = sum(losses, flint.arb(0)) / n
            pulls = [f * label for f, label in zip(forces, y, strict=True)]
            gradient = [
                sum((pull * to_arb(row[j]) for pull, row in zip(pulls, Phi, strict=True)), flint.arb(0)) / n
                for j in range(len(v))
            ]
            half = sum((g * g for g in gradient), flint.arb(0)) / 2
            low += bool(flint.arb(1) / (2 * n) > L)
            instances.append(
                seen(
                    from_arb(half),
                    f"{n} point{'s' * (n > 1)}, {len(v)} unit{'s' * (len(v) > 1)}, case {len(instances)}",
                    relation="=" if n == 1 and len(v) == 1 else ">=",
                    m=from_arb(to_arb(square).sqrt()),
                    n=n,
                    L=from_arb(L),
                )
            )
    yield from instances
    yield Premise("losses below 1/(2n) are among them", low > 2, f"{low} of {len(instances)}")


@certificate("random features")
def exponential_gradients(context: Context) -> Observation:
    """½|∇_v L|² and L in balls, losses above and below 1/(2n)."""
    yield from gradients(context, "exponential")


@certificate("random features")
def logistic_gradients(context: Context) -> Observation:
    """½|∇_v L|² and L in balls, losses above and below 1/(2n)."""
    yield from gradients(context, "logistic")


SYMBOLS = {
    "m": "margin of the frozen features: y_i Φ_i·u >= γ for some |u| = 1",
    "n": "number of data",
    "L": "mean loss",
}
WHERE = (
    "a Polyak-Łojasiewicz inequality ½|∇L|² >= λL holds where L stays above 1/(2n), with λ the least of the bound over "
    "L, and fails globally: the bound is of order L²"
)

EXPONENTIAL = claim(
    "safran2022.theorem_3_1_descent",
    "after Theorem 3.1, the proof sketch",
    "Local Polyak-Łojasiewicz inequality, exponential loss",
    f"""While the features keep a margin γ, ½|∇_v L|² >= γ²L²/2 for the exponential loss, with equality for one point
    and one unit. So {WHERE}: λ = γ²/(4n).""",
    latex=r"\tfrac12\|\nabla_vL\|^2\ge\tfrac{\gamma^2}2L^2",
    hypotheses=("y_i Φ_i·u >= γ > 0 for some u with |u| = 1, Φ the features at the present hidden weights",),
    formula="m**2*L**2/2",
    symbols=SYMBOLS,
    controls={
        "m**2*L": "a global inequality, L in place of L²",
        "m**2*L/(4*n)": "the inequality of {L >= 1/(2n)} everywhere",
        "m**2*L**2": "without the half",
        "n*m**2*L**2/2": "the sum of the losses",
    },
    checks=(exponential_bound, exponential_gradients),
    rests_on=("safran2022.theorem_3_1_direction",),
    part_of="safran2022.theorem_3_1",
)

LOGISTIC = claim(
    "safran2022.theorem_3_1_descent_logistic",
    "next to Theorem 3.1, the proof sketch",
    "Local Polyak-Łojasiewicz inequality, logistic loss",
    f"""While the features keep a margin γ, ½|∇_v L|² >= γ²(1 - e^{{-nL}})²/(2n²) for the logistic loss: -l' = 1 -
    e^{{-l}} is concave in l, so the pull is least where one point has all the loss. So {WHERE}.""",
    latex=r"\tfrac12\|\nabla_vL\|^2\ge\tfrac{\gamma^2}{2n^2}\big(1-e^{-nL}\big)^2",
    hypotheses=("y_i Φ_i·u >= γ > 0 for some u with |u| = 1, Φ the features at the present hidden weights",),
    formula="m**2*(1 - exp(-n*L))**2/(2*n**2)",
    symbols=SYMBOLS,
    controls={
        "m**2*L**2/2": "the bound of the exponential loss",
        "m**2*(1 - exp(-L))**2/2": "the loss shared equally by all points",
        "m**2*(1 - exp(-n*L))**2/2": "without the mean",
        "m**2*L/(4*n)": "a global inequality",
    },
    checks=(logistic_bound, logistic_gradients),
    rests_on=("safran2022.theorem_3_1_direction",),
    own=True,
    part_of="safran2022.theorem_3_1",
)
