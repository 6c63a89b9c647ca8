"""Next to Theorem 4.1: a start with logistic loss below 1/n at which gradient flow stays stuck, for every n."""

from __future__ import annotations

from implicitbias.claims import Context, Derivation, Observation, Premise, certificate, claim, proof, seen
from implicitbias.exact.formula import Assumption

from ..observed.margin.stuck import stuck_loss


@proof("the loss for all n")
def loss_at_the_start(d: Derivation) -> None:
    """The loss from the margins 0 and A²."""
    import sympy

    from implicitbias.exact.symbolic import from_sympy

    q, n = d.symbols("q", n="positive integer")
    loss = sympy.log(1 + sympy.exp(-q))
    square = sympy.log(4 * n)  # A² for w = v = A, b = 0: N(1) = A²
    total = loss.subs(q, 0) + (n - 1) * loss.subs(q, square)
    d.step("width 1, w = v = A, b = 0, A² = log(4n); x_1 = -1, the others 1, all labels 1: margins 0 and A²")
    d.identity("e^{-A²}", sympy.exp(-square), 1 / (4 * n))
    d.step("log(1 + u) <= u, so n·L <= log 2 + (n - 1)/(4n) < log 2 + 1/4 < 1")
    d.concludes(from_sympy(total / n), "all n", over={"n": "positive integer"}, n="n")


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
    2 + (n - 1)·log(1 + 1/(4n)))/n < 1/n and margin 0 at x_1, for every n >= 1 (and less with the other x_i spaced in
    [1, 2]). (With fixed weights, w = v = 3, the loss exceeds 1/n from n = 2488 on.)""",
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


@proof("velocities of weight and bias")
def velocities(d: Derivation) -> None:
    """The gradient of any loss over the active data while the first datum of the counterexample is inactive."""
    import sympy

    from implicitbias.exact.symbolic import from_sympy

    w, b, v, n, first, second, g, h = d.symbols(
        "w b v", n="positive integer", x="positive", u="positive", g="positive", h="positive"
    )
    margins = {g: v * (w * first + b), h: v * (w * second + b)}
    velocity = {p: sum(slope * sympy.diff(q, p) for slope, q in margins.items()) / n for p in (w, b, v)}
    drift = sympy.factor(velocity[b] - velocity[w])
    d.step("the flow of p = w, b, v follows p' = Σ g_i ∂q_i/∂p / n with the margins q_i = v(w x_i + b)")
    d.step(
        "while b - w <= 0 the datum x_1 = -1 is inactive: it moves nothing and costs log 2; the others have x_i >= 1"
    )
    d.identity("w'", velocity[w], v * (g * first + h * second) / n)
    d.identity("b'", velocity[b], v * (g + h) / n)
    d.identity("v' >= 0", velocity[v], (g * (w * first + b) + h * (w * second + b)) / n)
    d.step(
        "so v stays positive, (b - w)' <= 0 as 1 - x_i <= 0, b - w stays below 0: N(x_1) = 0 and n·L >= log 2 for ever"
    )
    domain: dict[str, Assumption] = {
        "v": "real",
        "g": "positive",
        "h": "positive",
        "x": "positive",
        "u": "positive",
        "n": "positive integer",
    }
    d.concludes(from_sympy(drift), "two active data", over=domain, v="v", g="g", h="h", x="x", u="u", n="n")


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
    checks=(velocities,),
    rests_on=("safran2022.theorem_4_1_counterexample",),
    own=True,
    part_of="safran2022.theorem_4_1",
)
