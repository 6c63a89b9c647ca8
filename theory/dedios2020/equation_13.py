"""Equation (13): the label-noise potential minimised over the rescalings that leave a neuron as it is."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Identity, Instance, Step, Value
from implicitbias.claims.statement import Claim, Control, Flaw, Source
from implicitbias.exact.formula import Assumption

from .equation_12 import cases_of, given_of

BRACKETED = Step(
    "λ ↦ Ṽ_b(λa, λb, c/λ), each value from difference quotients of outputs, is convex; three of its values enclose the "
    "least one"
)
DOMAIN: dict[str, Assumption] = {
    **dict.fromkeys(("A", "B", "k"), "positive"), **dict.fromkeys(("q", "P"), "nonnegative"),
}  # fmt: skip


def observe_minimum(context: Context) -> Evidence:
    """min over λ > 0 of Ṽ_b(λa, λb, c/λ), bracketed by its values alone."""
    from .observed.rescaling import least_potential

    instances = []
    for neuron, data in cases_of(context, context.choose(5, 40)):
        label = f"c={neuron.c}, n={len(data)}, d={len(data[0])}"
        instances.append(Instance(label, given_of(neuron, data), least_potential(neuron, data).value))
    return Evidence(instances=tuple(instances), steps=(BRACKETED,))


def derive_minimum(context: Context) -> Evidence:
    """λ²A + c²B/λ² with the square completed."""
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    scale = symbol("l", "positive")
    a, b, k = (symbol(name, "positive") for name in ("A", "B", "k"))
    d = Derivation()
    d.step("under (λa, λb, c/λ), λ > 0, A becomes λ²A, the pattern and B stay, c² becomes c²/λ²")
    along = scale**2 * a + k**2 * b / scale**2
    square = (scale * sympy.sqrt(a) - k * sympy.sqrt(b) / scale) ** 2
    best = sympy.sqrt(k) * (b / a) ** sympy.Rational(1, 4)
    d.identity("|c| = k: a constant and a square", along, sympy.expand(along - square) + square)
    d.identity("the square vanishes for one λ", square.subs(scale, best), sympy.Integer(0))
    least = sympy.simplify(sympy.expand(along - square))
    identities = tuple(
        Identity(label, DOMAIN, {"A": "A", "B": "B", "c": c, "M": "B + q", "P": "1/(1 + P)"}, from_sympy(least))
        for label, c in (("c > 0", "k"), ("c < 0", "-k"))
    )
    return Evidence(identities=identities, steps=d.steps)


MINIMUM = Claim(
    id="dedios2020.equation_13",
    source=Source("dedios2020", "Equation (13)"),
    title="The least label-noise potential of a neuron",
    statement=(
        "Over the rescalings (λa, λb, c/λ), λ > 0, the least value of Ṽ_b = A + c²B is 2|c|√(AB), A = E_D[(aᵀx + "
        "b)_+²], B = E_D[(1 + |x|²)·1{aᵀx + b > 0}]. The factor √B is constant on a cell of activity patterns only: it "
        "jumps where a hinge crosses a datum. For x ∈ {0, 1}, (a, b) = (1, 1), c = 1: A = 5/2, B = 3/2 and the least "
        "value is √15 = 3.873, not √(5/2) = 1.581."
    ),
    latex=r"\min_{\lambda>0}\widetilde V_b(\lambda a,\lambda b,\lambda^{-1}c)=2|c|\sqrt{A\,B}",
    hypotheses=("no hinge on a datum", "c ≠ 0 (for c = 0 and A > 0 the infimum 0 is not attained)"),
    rests_on=("dedios2020.equation_12",),
    formula="2*Abs(c)*sqrt(A*B)",
    symbols={
        "A": "E_D[(aᵀx + b)_+²]",
        "B": "E_D[(1 + |x|²)·1{active}]",
        "c": "output weight",
        "M": "E_D[1 + |x|²] over all data",
        "P": "the active part of the data",
    },
    flaw=Flaw(
        printed="Abs(c)*sqrt(A)",
        word="false statement",
        wrong=(
            "the minimum of λ²A + c²B/λ² is 2|c|√(AB). The factor 2 is harmless, √B is not: it depends on the activity "
            "pattern, so that the minimisers over networks, the convexity across walls and the invariance under "
            "translations, which later sections take from the printed weight, all change."
        ),
        sure="certain",
        charitable=(
            "among neurons with one activity pattern B is a constant, and the printed weight has the right shape up to "
            "a factor for each cell."
        ),
    ),
    controls=(
        Control("2*Abs(c)*sqrt(A)", "the factor 2 mended, √B not"),
        Control("Abs(c)*sqrt(A*B)", "the factor 2 forgotten"),
        Control("2*Abs(c)*sqrt(A*M)", "inputs of all data, active or not"),
        Control("A + c**2*B", "no rescaling at all"),
        Control("2*Abs(c)*sqrt(A*P)", "the active part of the data, without the lengths of its inputs"),
    ),
    checks=(
        Check(
            name="completed square",
            kind=Kind.PROOF,
            observe=derive_minimum,
            about="the least over λ for all A, B > 0 and both signs of c",
        ),
        Check(
            name="minimum bracketed by values",
            kind=Kind.CERTIFICATE,
            observe=observe_minimum,
            about="gradients by difference quotients, their mean minimised over λ by convexity, in fractions",
        ),
    ),
)


def observe_balance(context: Context) -> Evidence:
    """Where the minimum over λ lies."""
    from .observed.rescaling import least_potential

    instances = []
    for neuron, data in cases_of(context, context.choose(5, 40)):
        given = given_of(neuron, data)
        if not given["A"]:
            continue  # a dead neuron costs 0 at every scale
        label = f"c={neuron.c}, n={len(data)}, d={len(data[0])}"
        given["R"] = sum((t * t for t in neuron.theta), Fraction(0))
        instances.append(Instance(label, given, least_potential(neuron, data).place))
    return Evidence(instances=tuple(instances), steps=(BRACKETED,))


def derive_balance(context: Context) -> Evidence:
    """The only stationary scale."""
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    scale = symbol("l", "positive")
    a, b, k = (symbol(name, "positive") for name in ("A", "B", "k"))
    along = scale**2 * a + k**2 * b / scale**2
    (best,) = sympy.solve(sympy.diff(along, scale), scale)
    d = Derivation()
    d.identity("the derivative vanishes there", sympy.diff(along, scale).subs(scale, best), sympy.Integer(0))
    d.nonnegative("the second derivative is positive", sympy.diff(along, scale, 2))
    d.identity("there A' = c'²B", best**2 * a, (k / best) ** 2 * b)
    domain: dict[str, Assumption] = {**dict.fromkeys(("A", "B", "k", "R"), "positive"), "q": "nonnegative"}
    identities = tuple(
        Identity(label, domain, {"A": "A", "B": "B", "c": c, "M": "B + q", "P": "1", "R": "R"}, from_sympy(best))
        for label, c in (("c > 0", "k"), ("c < 0", "-k"))
    )
    return Evidence(identities=identities, steps=d.steps)


BALANCE = Claim(
    id="dedios2020.equation_13_balance",
    source=Source("dedios2020", "Section 3.2, the rescaling before (13)"),
    title="Where label noise balances a neuron",
    statement=(
        "The minimum of Ṽ_b(λa, λb, c/λ) is attained at one scale, λ = √|c|·(B/A)^(1/4): there A' = c'²B', which is "
        "the fixed point of Algorithm 1's exact law for ‖θ‖² - c². Weight decay balances ‖θ'‖ = |c'| instead. What "
        "whole networks gain is in dedios2020.equation_13_networks."
    ),
    latex=r"\arg\min_{\lambda>0}\widetilde V_b(\lambda a,\lambda b,c/\lambda)=\sqrt{|c|}\,(B/A)^{1/4}",
    hypotheses=("c ≠ 0", "A > 0: some datum is active", "no hinge on a datum"),
    rests_on=("dedios2020.equation_12",),
    formula="sqrt(Abs(c))*(B/A)**(1/4)",
    symbols={
        "A": "E_D[(aᵀx + b)_+²]",
        "B": "E_D[(1 + |x|²)·1{active}]",
        "c": "output weight",
        "R": "‖(a, b)‖²",
    },
    controls=(
        Control("sqrt(Abs(c)/sqrt(R))", "the balance of weight decay, λ‖θ‖ = |c|/λ"),
        Control("sqrt(Abs(c))*(A/B)**(1/4)", "A and B exchanged"),
        Control("sqrt(Abs(c)/sqrt(A))", "the balance A' = c'², without the lengths of the inputs"),
        Control("1", "already balanced"),
    ),
    checks=(
        Check(
            name="stationary scale",
            kind=Kind.PROOF,
            observe=derive_balance,
            about="the one stationary scale for all A, B > 0 and both signs of c",
        ),
        Check(
            name="minimiser bracketed by values",
            kind=Kind.CERTIFICATE,
            observe=observe_balance,
            about="the place of the minimum by convexity, gradients by difference quotients, in fractions",
        ),
    ),
)


def observe_invariance(context: Context) -> Evidence:
    """The least potential before and after (pa, pb, qc), each bracketed afresh."""
    from .observed.neurons import gradient_potential
    from .observed.rescaling import least_potential

    draw = context.random()
    factors = [(Fraction(2), Fraction(1, 2)), (Fraction(3), Fraction(1)), (Fraction(1), Fraction(-2))]
    instances = []
    for n, (neuron, data) in enumerate(cases_of(context, context.choose(4, 30))):
        p, q = factors[n] if n < len(factors) else (Fraction(draw.randint(1, 9), 4), Fraction(draw.randint(1, 9), -3))
        if n % 3 == 0:
            q = 1 / p
        given: dict[str, Value] = {
            "V": least_potential(neuron, data).value,
            "T": gradient_potential(neuron, data),
            "p": p,
            "q": q,
        }
        instances.append(Instance(f"p={p}, q={q}", given, least_potential(neuron.scaled(p, q), data).value))
    return Evidence(instances=tuple(instances), steps=(BRACKETED,))


def derive_invariance(context: Context) -> Evidence:
    """The minimum over λ after (pa, pb, qc): λ absorbs what p and q share."""
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    scale, a, b, k, p, h = (symbol(name, "positive") for name in ("l", "A", "B", "k", "p", "h"))
    d = Derivation()
    least = {}
    for name, squared, outer in (("before", a, k), ("after", p**2 * a, h * k)):
        along = scale**2 * squared + outer**2 * b / scale**2
        (best,) = sympy.solve(sympy.diff(along, scale), scale)
        least[name] = sympy.simplify(along.subs(scale, best))
        d.identity(f"{name} the scaling: stationary at λ", sympy.diff(along, scale).subs(scale, best), sympy.Integer(0))
    domain: dict[str, Assumption] = dict.fromkeys(("A", "B", "k", "p", "h"), "positive")
    identities = tuple(
        Identity(
            label,
            domain,
            {"V": from_sympy(least["before"]), "T": "A + k**2*B", "p": "p", "q": q},
            from_sympy(least["after"]),
        )
        for label, q in (("q > 0", "h"), ("q < 0", "-h"))
    )
    return Evidence(identities=identities, steps=d.steps)


INVARIANCE = Claim(
    id="dedios2020.equation_13_invariance",
    source=Source("dedios2020", "Section 3.2, after (13)"),
    title="The minimised potential does not see rescalings",
    statement=(
        "Under (pa, pb, qc), p > 0, the minimised potential V_b is multiplied by p|q|: it is homogeneous of degree one "
        "in (a, b) and in c, and so unchanged by the rescalings q = 1/p that leave the neuron as it is. Ṽ_b itself is "
        "not."
    ),
    latex=r"V_b(pa,pb,qc)=p\,|q|\,V_b(a,b,c),\qquad V_b(\lambda a,\lambda b,\lambda^{-1}c)=V_b(a,b,c)",
    hypotheses=("p > 0", "no hinge on a datum"),
    rests_on=("dedios2020.equation_13",),
    formula="p*Abs(q)*V",
    symbols={"V": "V_b before", "T": "Ṽ_b before", "p": "factor of (a, b)", "q": "factor of c"},
    controls=(
        Control("T", "Ṽ_b, which is not minimal"),
        Control("p**2*q**2*V", "homogeneous of degree two, as Ṽ_b is in all parameters together"),
        Control("p*q*V", "the sign of c kept"),
        Control("V", "invariant under every scaling"),
    ),
    checks=(
        Check(
            name="least values before and after",
            kind=Kind.PROOF,
            observe=derive_invariance,
            about="both minima over λ for all A, B, p > 0 and both signs of q",
        ),
        Check(
            name="minima bracketed twice",
            kind=Kind.CERTIFICATE,
            observe=observe_invariance,
            about="both minima from difference quotients, in fractions",
        ),
    ),
)

CLAIMS: tuple[Claim, ...] = (MINIMUM, BALANCE, INVARIANCE)
