"""Equation (13): the label-noise potential minimised over the rescalings that leave a neuron as it is.

Coq: LabelNoise.v, least_noise_of_unit, balanced_scale, least_noise_infimum (docs/formal.md).
"""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import (
    Context,
    Flaw,
    Observation,
    Step,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.formula import Assumption
from implicitbias.theorems.rules.extrema.extremum import Minimum
from implicitbias.theorems.rules.extrema.minimiser import Minimiser

from ..observed.units.neurons import gradient_potential
from ..observed.units.neurons_on_data import averages, neurons_on_data
from ..observed.units.rescaling import least_potential
from . import errata

BRACKETED = Step(
    "λ ↦ Ṽ_b(λa, λb, c/λ), each value from difference quotients of outputs, is convex; three of its values enclose the "
    "least one"
)


@certificate("minimum bracketed by values")
def least_values(context: Context) -> Observation:
    """min over λ > 0 of Ṽ_b(λa, λb, c/λ), bracketed by values from difference quotients."""
    for neuron, data in neurons_on_data(context, context.choose(5, 40)):
        label = f"c={neuron.c}, n={len(data)}, d={len(data[0])}"
        yield seen(least_potential(neuron, data).value, label, **averages(neuron, data))
    yield BRACKETED


SCALED = "label_noise_potential(l**2*A, B, c/l)"
OVER: dict[str, Assumption] = {"l": "positive"}
BALANCED = {"l": "sqrt(Abs(c)*sqrt(B)/sqrt(A))"}
SQUARE = ("(l*sqrt(A) - Abs(c)*sqrt(B)/l)**2",)


@theorem("completed square")
def completed_square() -> Observation:
    """λ²A + c²B/λ² with the square completed, for A, B > 0 and both signs of c; and where no datum is active."""
    given = {"A": "A", "B": "B", "c": "c", "M": "B + p*(1 + q)/(1 + p)", "P": "1/(1 + p)"}  # q: |x|² of idle data
    yield shows(
        Minimum(SCALED, OVER, BALANCED, SQUARE),
        for_all={**dict.fromkeys(("A", "B"), "positive"), "c": "real", **dict.fromkeys(("q", "p"), "nonnegative")},
        assuming=("c**2 > 0", "B*(1 + p) >= 1"),
        split=("c",),
        **given,
    )
    yield shows(
        Minimum("label_noise_potential(l**2*0, 0, c/l)", OVER, {"l": "1"}),
        "no datum is active",
        for_all={"c": "real", "q": "nonnegative"},
        **(given | {"A": "0", "B": "0", "M": "1 + q", "P": "0"}),
    )


MINIMUM = claim(
    "dedios2020.equation_13",
    "Equation (13)",
    "The least label-noise potential of a neuron",
    """Over the rescalings (λa, λb, c/λ), λ > 0, the least value of Ṽ_b = A + c²B is 2|c|√(AB), A = E_D[(aᵀx + b)_+²], B
    = E_D[(1 + |x|²)·1{aᵀx + b > 0}]. The factor √B is constant on a cell of activity patterns only: it jumps where a
    hinge crosses a datum. For x ∈ {0, 1}, (a, b) = (1, 1), c = 1: A = 5/2, B = 3/2 and the least value is √15 = 3.873,
    not √(5/2) = 1.581.""",
    latex=r"\min_{\lambda>0}\widetilde V_b(\lambda a,\lambda b,\lambda^{-1}c)=2|c|\sqrt{A\,B}",
    hypotheses=("no hinge on a datum", "c ≠ 0 (for c = 0 and A > 0 the infimum 0 is not attained)"),
    domain=("sign(A) <= sign(P)", "sign(B) <= sign(A)", "P <= B", "B + 1 - P <= M", "P <= 1"),
    formula="2*Abs(c)*sqrt(A*B)",
    symbols={
        "A": "E_D[(aᵀx + b)_+²]",
        "B": "E_D[(1 + |x|²)·1{active}]",
        "c": "output weight",
        "M": "E_D[1 + |x|²] over all data",
        "P": "the active part of the data",
    },
    flaw=Flaw(errata.EQUATION_13, "Abs(c)*sqrt(A)"),
    controls={
        "2*Abs(c)*sqrt(A)": "the factor 2 corrected, √B not",
        "Abs(c)*sqrt(A*B)": "the factor 2 omitted",
        "2*Abs(c)*sqrt(A*M)": "inputs of all data, active or not",
        "A + c**2*B": "no rescaling at all",
        "2*Abs(c)*sqrt(A*P)": "the active part of the data, without the lengths of its inputs",
    },
    checks=(completed_square, least_values),
    rests_on=("dedios2020.equation_12",),
)


@certificate("minimiser bracketed by values")
def least_places(context: Context) -> Observation:
    """Where the minimum over λ lies, bracketed by values from difference quotients."""
    for neuron, data in neurons_on_data(context, context.choose(5, 40)):
        given = averages(neuron, data)
        if not given["A"]:
            continue  # a dead neuron costs 0 at every scale
        label = f"c={neuron.c}, n={len(data)}, d={len(data[0])}"
        given["R"] = sum((t * t for t in neuron.theta), Fraction(0))
        yield seen(least_potential(neuron, data).place, label, **given)
    yield BRACKETED


@theorem("the only minimiser")
def stationary_scale() -> Observation:
    """The square vanishes at one scale only, for A, B > 0 and both signs of c."""
    apart = ("((l*sqrt(sqrt(A)) - sqrt(Abs(c)*sqrt(B)))*(l*sqrt(sqrt(A)) + sqrt(Abs(c)*sqrt(B)))/l)**2",)
    yield shows(
        Minimiser("l", SCALED, OVER, BALANCED, apart),
        for_all={**dict.fromkeys(("A", "B", "R"), "positive"), "c": "real"},
        assuming=("c**2 > 0",),
        split=("c",),
        **{name: name for name in ("A", "B", "c", "R")},
    )


BALANCE = claim(
    "dedios2020.equation_13_balance",
    "Section 3.2, the rescaling before (13)",
    "Where label noise balances a neuron",
    """The minimum of Ṽ_b(λa, λb, c/λ) is attained at one scale, λ = √|c|·(B/A)^(1/4): there A' = c'²B', which is the
    fixed point of Algorithm 1's exact law for ‖θ‖² - c². Weight decay balances ‖θ'‖ = |c'| instead. For whole networks
    see dedios2020.equation_13_networks.""",
    latex=r"\arg\min_{\lambda>0}\widetilde V_b(\lambda a,\lambda b,c/\lambda)=\sqrt{|c|}\,(B/A)^{1/4}",
    hypotheses=("c ≠ 0", "A > 0: some datum is active", "no hinge on a datum"),
    formula="sqrt(Abs(c))*(B/A)**(1/4)",
    symbols={"A": "E_D[(aᵀx + b)_+²]", "B": "E_D[(1 + |x|²)·1{active}]", "c": "output weight", "R": "‖(a, b)‖²"},
    controls={
        "sqrt(Abs(c)/sqrt(R))": "the balance of weight decay, λ‖θ‖ = |c|/λ",
        "sqrt(Abs(c))*(A/B)**(1/4)": "A and B exchanged",
        "sqrt(Abs(c)/sqrt(A))": "the balance A' = c'², without the lengths of the inputs",
        "1": "already balanced",
    },
    checks=(stationary_scale, least_places),
    part_of="dedios2020.equation_13",
    rests_on=("dedios2020.equation_12",),
)


@certificate("minima bracketed twice")
def least_values_twice(context: Context) -> Observation:
    """The least potential before and after (pa, pb, qc), each bracketed afresh."""
    draw = context.random()
    factors = [(Fraction(2), Fraction(1, 2)), (Fraction(3), Fraction(1)), (Fraction(1), Fraction(-2))]
    for n, (neuron, data) in enumerate(neurons_on_data(context, context.choose(4, 30))):
        p, q = factors[n] if n < len(factors) else (Fraction(draw.randint(1, 9), 4), Fraction(draw.randint(1, 9), -3))
        if n % 3 == 0:
            q = 1 / p
        before, after = (least_potential(u, data).value for u in (neuron, neuron.scaled(p, q)))
        yield seen(after, V=before, T=gradient_potential(neuron, data), p=p, q=q)
    yield BRACKETED


@theorem("least values before and after")
def scales_absorbed() -> Observation:
    """The least value over the scales of (pa, pb, qc), for A, B, p > 0, both signs of q and c; V_b is that of (13)."""
    after = Minimum(
        "label_noise_potential(l**2*p**2*A, B, q*c/l)",
        OVER,
        {"l": "sqrt(Abs(q*c)*sqrt(B)/(p*sqrt(A)))"},
        ("(l*p*sqrt(A) - Abs(q*c)*sqrt(B)/l)**2",),
    )
    yield shows(
        after,
        for_all={**dict.fromkeys(("A", "B", "p"), "positive"), "c": "real", "q": "real"},
        assuming=("c**2 > 0", "q**2 > 0"),
        split=("c", "q"),
        V="2*Abs(c)*sqrt(A*B)",
        T="label_noise_potential(A, B, c)",
        p="p",
        q="q",
    )


INVARIANCE = claim(
    "dedios2020.equation_13_invariance",
    "Section 3.2, after (13)",
    "The minimised potential is invariant under rescalings",
    """Under (pa, pb, qc), p > 0, the minimised potential V_b is multiplied by p|q|: it is homogeneous of degree one in
    (a, b) and in c, and so unchanged by the rescalings q = 1/p that leave the neuron as it is. Ṽ_b itself is not.""",
    latex=r"V_b(pa,pb,qc)=p\,|q|\,V_b(a,b,c),\qquad V_b(\lambda a,\lambda b,\lambda^{-1}c)=V_b(a,b,c)",
    hypotheses=("p > 0", "no hinge on a datum"),
    formula="p*Abs(q)*V",
    symbols={"V": "V_b before", "T": "Ṽ_b before", "p": "factor of (a, b)", "q": "factor of c"},
    controls={
        "T": "Ṽ_b, which is not minimal",
        "p**2*q**2*V": "homogeneous of degree two, as Ṽ_b is in all parameters together",
        "p*q*V": "the sign of c kept",
        "V": "invariant under every scaling",
    },
    checks=(scales_absorbed, least_values_twice),
    part_of="dedios2020.equation_13",
    rests_on=("dedios2020.equation_13",),
)
