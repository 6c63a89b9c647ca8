"""Theorem 4.1: how small the loss must be for the implicit bias to set in."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Flaw, Measured, Observation, certificate, claim, seen, shows, theorem
from implicitbias.theorems.rules.extrema.extremum import Infimum, Minimum

from ..observed.margin.stuck import mean_loss, stuck, stuck_loss
from . import errata


@theorem("least loss with a margin at zero")
def least_loss() -> Observation:
    """The infimum over one margin -log(1 + r) <= 0 and the losses at the other data, which add up to any s > 0; for n =
    1 there are none. t - 1 - log t is at least 0.
    """
    t = "(2/(2 + r))"
    above = {"exponential_loss": ("r/n",), "logistic_loss": (f"({t} - 1 - log({t}))/n", "r/(2 + r)/n")}
    for loss, at_zero in (("logistic_loss", "log(2)"), ("exponential_loss", "1")):
        missed = f"{loss}(-log(1 + r))"
        several = Infimum(
            f"({missed} + s)/n",
            over={"r": "nonnegative", "s": "positive"},
            at={"r": "0", "s": "e"},
            gap=(*above[loss], "s/n"),
        )
        one = Minimum(f"{missed}/n", over={"r": "nonnegative"}, at={"r": "0"}, gap=above[loss])
        yield shows(several, loss, for_all={"n": "positive integer"}, assuming=("n >= 2",), n="n", z=at_zero)
        yield shows(one, f"{loss}, n = 1", for_all={"n": "positive integer"}, assuming=("n <= 1",), n="n", z=at_zero)


@certificate("networks with a margin at zero")
def margins_at_zero(context: Context) -> Observation:
    """Losses in balls of networks with y_1 N(x_1) = 0: none may lie below the threshold."""
    from implicitbias.exact.enclosure import enclose
    from implicitbias.functions.network import Network

    log2 = enclose("log(2)")
    nothing = Network([0], [0], [0])
    for loss, at_zero in (("logistic", log2), ("exponential", Fraction(1))):
        yield seen(mean_loss(nothing, [1], [1], loss), f"{loss}: θ = 0", n=1, z=at_zero)
        for n in (2, 3, 5, 20, 300):
            network, x, y = stuck(n, spaced=True)
            yield seen(mean_loss(network, x, y, loss), f"{loss}: stuck at x_1 = -1", relation=">=", n=n, z=at_zero)


@certificate("stuck starts")
def stuck_starts(context: Context) -> Observation:
    """Losses in balls of starts whose logistic loss stays above log 2/n for ever, on data x_1 < … < x_n."""
    from implicitbias.exact.enclosure import enclose
    from implicitbias.functions.network import Network

    log2 = enclose("log(2)")
    yield seen(mean_loss(Network([0], [0], [0]), [1], [1], "logistic"), "θ = 0", n=1, z=log2)
    for n in (1, 2, 3, 7, 50, 200):
        network, x, y = stuck(n, spaced=True)
        if sorted(set(x)) != x:
            raise ArithmeticError(f"the data do not increase: {x}")
        label = f"{n} increasing data, N(x_1) = 0 for ever"
        yield seen(mean_loss(network, x, y, "logistic"), label, relation=">=", n=n, z=log2)
        yield seen(stuck_loss(n, spaced=True), label, relation=">=", n=n, z=log2)


THRESHOLD = claim(
    "safran2022.theorem_4_1",
    "Theorem 4.1, the loss at t_0; Theorem 4.2 and Corollary 5.1",
    "Threshold of the loss for positive margins",
    """L(θ) < l(0)/n makes every margin y_i N(x_i) positive, and no larger threshold does: 1/n for the exponential loss,
    log 2/n for the logistic loss log(1 + e^{-q}). A sum of n positive losses below l(0) has each below l(0), and l
    falls; conversely a margin of 0 and large others come arbitrarily close to l(0)/n. For the logistic loss there are
    data x_1 < … < x_n, labelled strictly by a teacher of width 1, and starts between log 2/n and 1/n from which
    gradient flow never reaches zero loss.""",
    latex=r"L(\theta(t_0))<\tfrac{\ell(0)}n\Rightarrow\forall i:\ y_iN_{\theta(t_0)}(x_i)>0",
    hypotheses=("natural logarithm: l(0) = log 2 for the logistic loss, 1 for the exponential loss",),
    formula="z/n",
    symbols={"n": "number of data", "z": "l(0): log(2) for the logistic, 1 for the exponential loss"},
    flaw=Flaw(errata.THRESHOLD, "1/n"),
    controls={
        "z": "a threshold for the sum of the losses",
        "z/(2*n)": "half of it, as Theorem 3.1 delivers: not the largest",
        "z/n**2": "every loss compared with the mean",
    },
    checks=(least_loss, margins_at_zero, stuck_starts),
    see_also=("safran2022.theorem_4_1_stuck_flow",),
    formerly=("safran2022.theorem_4_2_threshold", "safran2022.introduction_training_error", "safran2022.equation_2"),
)


@theorem("inverse of the loss")
def inverse_of_the_loss() -> Observation:
    """The least margin q = -log r whose loss leaves some slack below c = log(1 + u): the loss is convex, its tangent at
    the least margin a lower bound by t - 1 - log t >= 0.
    """
    parts = (("1/u", "((1 + u)/(1 + r))"), ("1", "(r*(1 + u)/(u*(1 + r)))"))
    margin = Minimum(
        "-log(r)",
        over={"r": "positive", "slack": "nonnegative"},
        subject_to={"slack": "logistic_loss(-log(r)) + slack - log(1 + u)"},
        at={"r": "u"},
        gap=(*(f"{share}*({t} - 1 - log({t}))" for share, t in parts), "(1 + u)/u*slack"),
    )
    yield shows(margin, for_all={"u": "positive"}, c="log(1 + u)")


@certificate("networks on one point")
def one_point(context: Context) -> Observation:
    """Networks on one point: its exact margin, positive, zero or negative, and its loss in balls."""
    from implicitbias.exact.enclosure import enclose
    from implicitbias.functions.network import Network

    cases = (
        (Network([Fraction(1, 2)], [0], [-1]), "v = -1, w = 1/2, b = 0, x = 1"),
        (Network([0], [0], [0]), "θ = 0"),
        (Network([1], [0], [2]), "v = 2"),
        (Network([2], [1], [-1]), "v = -1, w = 2, b = 1"),
        (Network([1], [0], [Fraction(1, 4)]), "v = 1/4"),
    )
    for network, label in cases:
        margin = network(1)
        yield seen(margin, label, c=enclose("log(1 + exp(-q))", q=margin))
    first = cases[0][0]
    kept = first.v[0] ** 2 - first.w[0] ** 2 - first.b[0] ** 2
    yield Measured("v² - w² - b² of the first, conserved", kept)


MARGINS = claim(
    "safran2022.theorem_4_1_margins",
    "next to Theorem 4.1",
    "The least margin at a given logistic loss",
    """L <= c/n with the logistic loss leaves margins of at least -log(e^c - 1), and this is sharp: 0.43 at c = 1/2,
    which Theorem 3.1 delivers, 0 at c = log 2, and -0.54 at c = 1. On x = 1, y = 1 the network with v = -1, w = 1/2, b
    = 0 has loss 0.974 < 1 = 1/n and margin -1/2; v² - w² - b² = 3/4 is conserved, so v never comes above -√3/2 and the
    loss never below log 2.""",
    latex=r"L\le\tfrac cn\Rightarrow y_iN(x_i)\ge-\log(e^c-1)",
    hypotheses=("logistic loss with the natural logarithm",),
    formula="-log(exp(c) - 1)",
    symbols={"c": "bound on the total loss n·L"},
    controls={
        "-log(c)": "the exponential loss",
        "0": "all margins are positive",
        "log(2) - c": "the loss is linear near 0 with slope -1",
        "-log(2**c - 1)": "logarithms to base 2 on one side",
    },
    checks=(inverse_of_the_loss, one_point),
    rests_on=("safran2022.theorem_4_1",),
    own=True,
    part_of="safran2022.theorem_4_1",
)
