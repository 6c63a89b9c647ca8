"""Theorem 4.1: how small the loss must be for the implicit bias to set in, and how it fails above that."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Identity, Instance
from implicitbias.claims.statement import OWN_RESULT, Claim, Control, Flaw, Source


def derive_threshold(context: Context) -> Evidence:
    """The infimum of the loss over margins of which one is not positive."""
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    n, q = symbol("n", "positive integer"), symbol("q")
    losses = {"logistic loss": sympy.log(1 + sympy.exp(-q)), "exponential loss": sympy.exp(-q)}
    d, cases = Derivation(), []
    for name, loss in losses.items():
        fall = sympy.simplify(-sympy.diff(loss, q))
        d.nonnegative(f"the {name} falls in q", sympy.exp(q) * fall if name == "logistic loss" else fall)
        d.step("and tends to 0", f"{sympy.limit(loss, q, sympy.oo)}")
        at_zero = loss.subs(q, 0)
        d.step("one margin q_1 <= 0 costs at least l(0), the others together anything > 0", f"n·L > {at_zero} or n = 1")
        infimum = from_sympy(at_zero / n)
        cases.append(Identity(name, {"n": "positive integer"}, {"n": "n", "z": from_sympy(at_zero)}, infimum))
    return Evidence(identities=tuple(cases), steps=d.steps)


def observe_threshold(context: Context) -> Evidence:
    """Losses of networks that have a margin <= 0: none may lie below the threshold."""
    from implicitbias.exact.enclosure import enclose
    from implicitbias.functions.network import Network

    from .observed.stuck import mean_loss, stuck

    log2 = enclose("log(2)")
    nothing = Network([0], [0], [0])
    instances = []
    for loss, at_zero in (("logistic", log2), ("exponential", Fraction(1))):
        instances.append(Instance(f"{loss}: θ = 0", {"n": 1, "z": at_zero}, mean_loss(nothing, [1], [1], loss)))
        for n in (2, 3, 5, 20, 300):
            network, x, y = stuck(n, spaced=True)
            given = {"n": n, "z": at_zero}
            instances.append(Instance(f"{loss}: stuck at x_1 = -1", given, mean_loss(network, x, y, loss), ">="))
    return Evidence(instances=tuple(instances))


THRESHOLD = Claim(
    id="safran2022.theorem_4_1",
    source=Source("safran2022", "Theorem 4.1, the loss at t_0"),
    title="The loss below which all margins are positive",
    statement=(
        "L(θ) < l(0)/n makes every margin y_i N(x_i) positive, and no larger threshold does: 1/n for the exponential "
        "loss, log 2/n for the logistic loss log(1 + e^{-q}). A sum of n positive losses below l(0) has each below "
        "l(0), and l falls; conversely a margin of 0 and large others come arbitrarily close to l(0)/n."
    ),
    latex=r"L(\theta(t_0))<\tfrac{\ell(0)}n\Rightarrow\forall i:\ y_iN_{\theta(t_0)}(x_i)>0",
    hypotheses=("natural logarithm: l(0) = log 2 for the logistic loss, 1 for the exponential loss",),
    formula="z/n",
    symbols={"n": "number of data", "z": "l(0): log 2 for the logistic, 1 for the exponential loss"},
    flaw=Flaw(
        printed="1/n",
        word="convention slip",
        wrong=(
            "for the logistic loss with the natural logarithm L < 1/n allows margins down to -log(e - 1) = -0.54, and "
            "flows that never reach zero loss (for every n >= 1, see the counterexamples); the condition needed is L < "
            "l(0)/n."
        ),
        sure="certain",
        charitable=(
            "with logarithms to base 2 l(0) = 1 and 1/n is right; it is right for the exponential loss; and where the "
            "words after it, that all margins are positive, are taken as the hypothesis, the theorem stands."
        ),
    ),
    controls=(
        Control("z", "a threshold for the sum of the losses"),
        Control("z/(2*n)", "half of it, as Theorem 3.1 delivers: not the largest"),
        Control("z/n**2", "every loss compared with the mean"),
    ),
    checks=(
        Check(
            name="least loss with a margin at zero",
            kind=Kind.PROOF,
            observe=derive_threshold,
            about="the infimum of the loss over margins one of which is <= 0, both losses, all n",
        ),
        Check(
            name="networks with a margin at zero",
            kind=Kind.CERTIFICATE,
            observe=observe_threshold,
            about="losses of networks with y_1 N(x_1) = 0 in balls; one below the candidate refutes it",
        ),
    ),
)


def derive_margins(context: Context) -> Evidence:
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    u, q = symbol("u", "positive"), symbol("q")
    d = Derivation()
    d.step("n·L <= c bounds each loss by c; attained for n = 1, approached with large other margins for n > 1")
    d.nonnegative("the loss falls, so smaller margins cost more", 1 / (1 + sympy.exp(q)))
    margin = -sympy.log(u)  # with c = log(1 + u), every c > 0
    d.identity("the loss is c = log(1 + u) at q = -log u", sympy.log(1 + sympy.exp(-margin)), sympy.log(1 + u))
    d.identity("the margin is 0 at c = log 2, u = 1", margin.subs(u, 1), sympy.Integer(0))
    identity = Identity("c = log(1 + u)", {"u": "positive"}, {"c": from_sympy(sympy.log(1 + u))}, from_sympy(margin))
    return Evidence(identities=(identity,), steps=d.steps)


def observe_margins(context: Context) -> Evidence:
    """Networks on one point: its loss and its margin. A flow with a negative margin and loss below 1."""
    from implicitbias.exact.enclosure import enclose
    from implicitbias.functions.network import Network

    instances = []
    cases = (
        (Network([Fraction(1, 2)], [0], [-1]), "v = -1, w = 1/2, b = 0, x = 1"),
        (Network([0], [0], [0]), "θ = 0"),
        (Network([1], [0], [2]), "v = 2"),
        (Network([2], [1], [-1]), "v = -1, w = 2, b = 1"),
        (Network([1], [0], [Fraction(1, 4)]), "v = 1/4"),
    )
    for network, label in cases:
        margin = network(1)
        instances.append(Instance(label, {"c": enclose("log(1 + exp(-q))", q=margin)}, margin))
    first = cases[0][0]
    kept = first.v[0] ** 2 - first.w[0] ** 2 - first.b[0] ** 2
    return Evidence(instances=tuple(instances), measured={"v² - w² - b² of the first, conserved": kept})


MARGINS = Claim(
    id="safran2022.theorem_4_1_margins",
    source=Source(OWN_RESULT, "beside Theorem 4.1"),
    title="The least margin at a given logistic loss",
    statement=(
        "L <= c/n with the logistic loss leaves margins of at least -log(e^c - 1), and this is sharp: 0.43 at c = 1/2, "
        "which Theorem 3.1 delivers, 0 at c = log 2, and -0.54 at c = 1. On x = 1, y = 1 the network with v = -1, w = "
        "1/2, b = 0 has loss 0.974 < 1 = 1/n and margin -1/2; v² - w² - b² = 3/4 is conserved, so v never comes above "
        "-√3/2 and the loss never below log 2."
    ),
    latex=r"L\le\tfrac cn\Rightarrow y_iN(x_i)\ge-\log(e^c-1)",
    hypotheses=("logistic loss with the natural logarithm",),
    rests_on=("safran2022.theorem_4_1",),
    formula="-log(exp(c) - 1)",
    symbols={"c": "bound on the total loss n·L"},
    controls=(
        Control("-log(c)", "the exponential loss"),
        Control("0", "all margins are positive"),
        Control("log(2) - c", "the loss is linear near 0 with slope -1"),
        Control("-log(2**c - 1)", "logarithms to base 2 on one side"),
    ),
    checks=(
        Check(
            name="inverse of the loss", kind=Kind.PROOF, observe=derive_margins, about="the loss inverted, for all c"
        ),
        Check(
            name="networks on one point",
            kind=Kind.CERTIFICATE,
            observe=observe_margins,
            about="exact margins against the loss in balls, positive, zero and negative ones",
        ),
    ),
)

CLAIMS: tuple[Claim, ...] = (
    THRESHOLD,
    MARGINS,
)
