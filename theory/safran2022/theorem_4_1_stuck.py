"""Next to Theorem 4.1: a start with logistic loss below 1/n at which gradient flow stays stuck, for every n."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import (
    Context,
    Interval,
    Observation,
    Premise,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.theorems.rules.calculus.gradient_product import GradientProduct
from implicitbias.theorems.rules.sequences.lists import ListSum
from implicitbias.theorems.rules.values.composition import Composition

from ..observed.margin.convex_slopes import loss_at, mean_loss_at, slope
from ..observed.margin.stuck import stuck_loss


@theorem("the loss for all n")
def loss_at_the_start() -> Observation:
    """The loss of the datum with margin 0, and those of the k = n - 1 others added up."""
    size = "sqrt(log(4*(k + 1)))"
    others = ListSum(
        term=f"logistic_loss(unit({size}, {size}, 0, 1))",
        entries={},
        length="k",
        totals={},
        by={},
        each=f"logistic_loss(unit({size}, {size}, 0, 1))",
    )
    yield shows(
        Composition(f"(logistic_loss(unit({size}, {size}, 0, -1)) + s)/(k + 1)", {"s": others}),
        for_all={"k": "nonnegative integer"},
        n="k + 1",
    )


@certificate("networks up to a million million data")
def losses(context: Context) -> Observation:
    """The counterexample's loss, data at 1 and spaced in [1, 2], in balls; it lies below 1/n."""
    from implicitbias.exact.enclosure import upper

    below = True
    for n in (1, 2, 3, 4, 10, 100, 1000, 2488, 22380, 10**6, 10**12):
        at_one = stuck_loss(n)
        below = below and upper(at_one) * n < 1
        yield seen(at_one, "x_2 = … = x_n = 1", n=n)
        if n <= 1000:
            yield seen(stuck_loss(n, spaced=True), "x_2 < … < x_n in [1, 2]", relation="<=", n=n)
    yield Premise("every one of these losses is below 1/n", below, f"n up to {n}")


STUCK_LOSS = claim(
    "safran2022.theorem_4_1_counterexample",
    "next to Theorem 4.1",
    "A loss below 1/n with margin zero, for every n",
    """One neuron with w = v = √(log 4n), b = 0 on x_1 = -1, x_2 = … = x_n = 1, all labels 1, has the logistic loss (log
    2 + (n - 1)·log(1 + 1/(4n)))/n and margin 0 at x_1, for every n >= 1. It is below 1/n, since log(1 + u) <= u and
    log 2 + 1/4 < 1.""",
    latex=r"L=\tfrac1n\big(\log 2+(n-1)\log(1+\tfrac1{4n})\big)<\tfrac1n",
    hypotheses=("logistic loss with the natural logarithm",),
    formula="(log(2) + (n - 1)*log(1 + 1/(4*n)))/n",
    symbols={"n": "number of data"},
    controls={
        "(log(2) + (n - 1)*log(1 + exp(-9)))/n": "fixed weights w = v = 3 for every n",
        "(log(2) + (n - 1)/(4*n))/n": "log(1 + u) replaced by u",
        "log(2)/n": "the other losses neglected",
        "1/n": "as if exactly at the printed threshold",
    },
    checks=(loss_at_the_start, losses),
    rests_on=("safran2022.theorem_4_1",),
    own=True,
    part_of="safran2022.theorem_4_1",
)


@theorem("rate along the gradient flow")
def rate_along_the_flow() -> Observation:
    """(b - w)' along the flow of the loss of one unit, x_1 = -1 inactive, two data active, both losses of the paper."""
    pulls = {"logistic": "1/(1 + exp(v*(w*{x} + b)))", "exponential": "exp(-v*(w*{x} + b))"}
    for loss, pull in pulls.items():
        total = " + ".join(f"{loss}_loss(v_*relu(w_*({x}) + b_))" for x in ("-1", "x", "u"))
        yield shows(
            GradientProduct("b_ - w_", f"-({total})/n", ("v_", "w_", "b_"), {"v_": "v", "w_": "w", "b_": "b"}),
            f"{loss} loss",
            for_all={**dict.fromkeys("vwb", "real"), "x": "positive", "u": "positive", "n": "positive integer"},
            assuming=("b < w", "w*x + b > 0", "w*u + b > 0"),
            words=("v stays positive and b - w negative for ever, as v' >= 0 >= (b - w)' while they are",),
            v="v",
            g=pull.format(x="x"),
            h=pull.format(x="u"),
            x="x",
            u="u",
            n="n",
        )


@certificate("difference quotients along the flow")
def rate_by_differences(context: Context) -> Observation:
    """(b - w)' = -d/dt L at (w - t, b + t), from values of the loss of one unit; the pulls g and h likewise.

    While x_1 = -1 and its copies are inactive and x and u active, margins are linear in t and losses convex in them.
    """
    draw = context.random()
    simple = (
        (1, 2, 0, 2, 3),
        (1, 2, 0, 1, 3),
        (2, 1, 0, 1, 1),
        (-1, 1, 0, 2, 1),
        (0, 1, 0, 2, 3),
        (1, 2, 1, "-1/4", 2),
    )
    starts = [[Fraction(value) for value in start] for start in simple]
    for _ in range(20):
        w = Fraction(draw.randint(5, 30), 7)
        b = w - Fraction(draw.randint(1, 40), 9)
        least = max(-b / w, Fraction(-1))
        x, u = (least + Fraction(draw.randint(1, 50), 13) for _ in range(2))
        starts.append([Fraction(draw.randint(-12, 20), 6), w, b, x, u])
    active = True
    for i, (v, w, b, x, u) in enumerate(starts):
        n = 3 + i % 4
        data = [*[-1] * (n - 2), x, u]
        active &= b < w and all(w * z + b > 0 for z in (x, u))
        for loss in ("logistic", "exponential"):
            rate = slope(lambda t, v=v, w=w, b=b, data=data, loss=loss: mean_loss_at(loss, v, w - t, b + t, data))  # type: ignore[misc]
            g, h = (slope(lambda t, q=v * (w * z + b), loss=loss: loss_at(loss, q + t)) for z in (x, u))  # type: ignore[misc]
            pulls = {"g": Interval(-g.upper, -g.lower), "h": Interval(-h.upper, -h.lower)}
            yield seen(Interval(-rate.upper, -rate.lower), f"{loss} loss", v=v, **pulls, x=x, u=u, n=n, w=w, b=b)
    yield Premise("x_1 is inactive, x and u are active", active)


STUCK_FLOW = claim(
    "safran2022.theorem_4_1_stuck_flow",
    "next to Theorem 4.1",
    "The flow of the counterexample",
    """While x_1 = -1 is inactive, (b - w)' = v·Σ_{i>=2} g_i (1 - x_i)/n with g_i = -l'(y_i N(x_i)) > 0: not positive
    for v > 0 and x_i >= 1. So b - w stays at most -√(log 4n) < 0, N(x_1) = 0 for ever, and L never falls below log 2/n
    although it starts below 1/n; neither the loss nor the direction behaves as Theorem 4.1 says.""",
    latex=r"(b-w)'=\tfrac vn\sum_{i\ge 2}g_i(1-x_i)\le 0",
    hypotheses=("all labels 1", "here with two active data x and u; the sum is over all of them"),
    formula="v*(g*(1 - x) + h*(1 - u))/n",
    symbols={
        "v": "output weight",
        "g": "-l' at the first active datum",
        "h": "-l' at the second",
        "x": "the first active datum",
        "u": "the second",
        "n": "number of data",
    },
    controls={
        "v*(g*(x - 1) + h*(u - 1))/n": "the sign",
        "(g*(1 - x) + h*(1 - u))/n": "the output weight forgotten",
        "v*(g*(1 - x) + h*(1 - u))": "a sum instead of the mean",
        "v*(g*(1 + x) + h*(1 + u))/n": "the rate of b + w",
    },
    checks=(rate_along_the_flow, rate_by_differences),
    rests_on=("safran2022.theorem_4_1_counterexample",),
    own=True,
    part_of="safran2022.theorem_4_1",
)
