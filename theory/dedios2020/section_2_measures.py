"""Section 2.1: networks as measures over neurons, and measures projected to the sphere."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Identity, Instance, Step, Value
from implicitbias.claims.statement import Claim, Control, Flaw, Source
from implicitbias.exact.formula import Assumption

from .observed.neurons import Neuron, Point


def observe_average(context: Context) -> Evidence:
    """∫φ dμ^(m) with μ^(m) as a measure: different neurons, each with the mass of its copies."""
    from .observed.neurons import random_data, random_neuron

    draw = context.random()
    one, two = Neuron((Fraction(1), Fraction(0)), Fraction(1)), Neuron((Fraction(-1), Fraction(3)), Fraction(2))
    cases: list[tuple[list[Neuron], Point]] = [
        ([one], (Fraction(2),)),
        ([one, two], (Fraction(1),)),
        ([one, one, two], (Fraction(1),)),
    ]
    for d in (1, 2, 3, 5):
        for _ in range(context.choose(4, 20)):
            data = random_data(draw, 3, d)
            different = [random_neuron(draw, data, alive=False) for _ in range(3)]
            cases.append(([draw.choice(different) for _ in range(draw.randint(2, 9))], draw.choice(data)))
    instances = []
    for neurons, x in cases:
        m = len(neurons)
        masses = {neuron: Fraction(copies, m) for neuron, copies in Counter(neurons).items()}
        integral = sum((mass * neuron(x) for neuron, mass in masses.items()), Fraction(0))
        given: dict[str, Value] = {"S": sum((neuron(x) for neuron in neurons), Fraction(0)), "m": m, "k": len(masses)}
        instances.append(Instance(f"{m} neurons, {len(masses)} different, d={len(x)}", given, integral))
    return Evidence(instances=tuple(instances))


AVERAGE = Claim(
    id="dedios2020.equation_2",
    source=Source("dedios2020", "Equations (1) and (2)"),
    title="A network is the mean of its neurons",
    statement=(
        "The network f(x) = (1/m) Σ_j φ(θ_j, x) is ∫ φ(θ, x) dμ(θ) for the empirical measure μ = (1/m) Σ_j δ_{θ_j}, "
        "where equal neurons add their masses."
    ),
    latex=r"\frac1m\sum_{j=1}^m\phi(\theta_j,x)=\int\phi(\theta,x)\,\mu^{(m)}(d\theta)",
    formula="S/m",
    symbols={"S": "Σ_j φ(θ_j, x) over all m neurons", "m": "number of neurons", "k": "number of different neurons"},
    controls=(
        Control("S", "the sum, as in the paper's reference networks without 1/m"),
        Control("S/sqrt(m)", "the scaling of the tangent kernel"),
        Control("S/k", "copies counted once"),
    ),
    checks=(
        Check(
            name="masses of copies",
            kind=Kind.CERTIFICATE,
            observe=observe_average,
            about="the integral against masses of different neurons, in fractions: another factor is refuted",
        ),
    ),
)


def observe_homogeneity(context: Context) -> Evidence:
    """φ at (tc, ta, tb), evaluated as a neuron, for t of both signs."""
    from .observed.neurons import random_data, random_fraction, random_neuron

    draw = context.random()
    plain = Neuron((Fraction(1), Fraction(1)), Fraction(1))
    at = (Fraction(1),)
    cases: list[tuple[Neuron, Point, Fraction]] = [(plain, at, Fraction(t)) for t in (-1, 2, -2, 0, 1)]
    cases += [(Neuron((Fraction(-1), Fraction(0)), Fraction(-2)), at, Fraction(-3))]
    for d in (1, 2, 4):
        for _ in range(context.choose(8, 40)):
            data = random_data(draw, 2, d)
            cases.append((random_neuron(draw, data, alive=False), data[0], random_fraction(draw)))
    instances = tuple(
        Instance(f"d={len(x)}, t={t}", {"t": t, "c": neuron.c, "z": neuron.before(x)}, neuron.scaled(t, t)(x))
        for neuron, x, t in cases
    )
    return Evidence(instances=instances)


def derive_homogeneity(context: Context) -> Evidence:
    """t = ±u with u > 0, z = ±v with v > 0: four cases."""
    import sympy

    from implicitbias.exact.symbolic import from_sympy, symbol

    u, v, c = symbol("u", "positive"), symbol("v", "positive"), symbol("c")
    steps = (
        Step("the parameters times t turn the pre-activation z into tz", "φ(tθ, x) = tc·max(tz, 0)"),
        Step("for t = u > 0 the ReLU lets u pass; for t = -u it is u·max(-z, 0): the other half-space"),
    )
    identities = []
    for t in (u, -u):
        for z in (v, -v):
            derived = from_sympy(t * c * sympy.Max(0, t * z))
            given = {"t": str(t), "c": "c", "z": str(z)}
            label = f"t {'>' if t == u else '<'} 0, z {'>' if z == v else '<'} 0"
            identities.append(Identity(label, {"u": "positive", "v": "positive", "c": "real"}, given, derived))
    return Evidence(identities=tuple(identities), steps=steps)


HOMOGENEITY = Claim(
    id="dedios2020.footnote_1",
    source=Source("dedios2020", "footnote 1"),
    title="ReLU neurons are 2-homogeneous for positive factors",
    statement=(
        "With z = aᵀx + b, all parameters times a real t give φ(tθ, x) = tc·max(tz, 0): this is t²φ(θ, x) for t ≥ 0, "
        "and -t²c·max(-z, 0) for t < 0, where the neuron switches to the other half-space. E.g. c = 1, z = 2, t = -1 "
        "gives 0, not 2."
    ),
    latex=r"\phi(t\theta,x)=t\,|t|\,c\,\max(\operatorname{sgn}(t)z,0)\quad(=t^2\phi(\theta,x)\text{ for }t\ge0)",
    hypotheses=("σ(z) = max(z, 0)",),
    formula="t*c*Max(t*z, 0)",
    symbols={"t": "the factor of all parameters", "c": "output weight", "z": "pre-activation aᵀx + b"},
    flaw=Flaw(
        printed="t**2*c*Max(z, 0)",
        word="missing hypothesis",
        wrong="t²φ is right for t ≥ 0 only: a ReLU of a negated argument is active where the first was not.",
        sure="certain",
        charitable="2-homogeneity is meant for positive factors, as positive homogeneity of the ReLU is.",
    ),
    controls=(
        Control("t*Abs(t)*c*Max(z, 0)", "the sign of t comes out with the output weight, and nothing else changes"),
        Control("t*c*Max(z, 0)", "homogeneous of degree one, as in (a, b) alone"),
        Control("t**2*c*Max(z, 0)*(1 + sign(t))/2", "a negative factor kills the neuron"),
    ),
    checks=(
        Check(
            name="four sign patterns",
            kind=Kind.PROOF,
            observe=derive_homogeneity,
            about="the neuron at tθ for both signs of t and of z, for all values",
        ),
        Check(
            name="neurons evaluated",
            kind=Kind.CERTIFICATE,
            observe=observe_homogeneity,
            about="outputs of scaled neurons in several dimensions, in fractions",
        ),
    ),
)


def observe_projection(context: Context) -> Evidence:
    """f_μ(x) for a measure of two atoms, evaluated neuron by neuron; directions are rational unit vectors."""
    from .observed.neurons import dot, lifted, random_data, random_fraction, random_unit_vector

    draw = context.random()
    instances = []
    for d in (1, 1, 2, 3):
        for n in range(context.choose(8, 40)):
            u, v = (random_unit_vector(draw, d + 1) for _ in range(2))
            if n % 4 == 3:
                v = u
            r, s = (1 + abs(random_fraction(draw)) for _ in range(2))
            c, e = (random_fraction(draw) for _ in range(2))
            p = Fraction(draw.randint(0, 6), 6)
            (x,) = random_data(draw, 1, d)
            one, two = Neuron(tuple(r * t for t in u), c), Neuron(tuple(s * t for t in v), e)
            given = {"p": p, "c": c, "e": e, "r": r, "s": s, "z": dot(u, lifted(x)), "w": dot(v, lifted(x))}
            instances.append(Instance(f"d={d}, case {n}", given, p * one(x) + (1 - p) * two(x)))
    return Evidence(instances=tuple(instances))


def derive_projection(context: Context) -> Evidence:
    """Both neurons at x, with z = ±g and w = ±h, g, h > 0: four activity patterns."""
    import sympy

    from implicitbias.exact.symbolic import from_sympy, symbol

    domain: dict[str, Assumption] = {
        **dict.fromkeys(("r", "s", "g", "h"), "positive"), "p": "nonnegative", "c": "real", "e": "real",
    }  # fmt: skip
    r, s, g, h, p, c, e = (symbol(name, kind) for name, kind in domain.items())
    identities = []
    for z in (g, -g):
        for w in (h, -h):
            neurons = p * c * sympy.Max(0, r * z) + (1 - p) * e * sympy.Max(0, s * w)
            given = {"p": "p", "c": "c", "e": "e", "r": "r", "s": "s", "z": str(z), "w": str(w)}
            label = f"z {'>' if z == g else '<'} 0, w {'>' if w == h else '<'} 0"
            identities.append(Identity(label, domain, given, from_sympy(neurons)))
    step = Step("a neuron in direction u with norm r has the pre-activation r·u·x̃", "φ(x) = c·max(r·u·x̃, 0)")
    return Evidence(identities=tuple(identities), steps=(step,))


PROJECTION = Claim(
    id="dedios2020.equation_4",
    source=Source("dedios2020", "Equation (4)"),
    title="The projected measure represents the same function",
    statement=(
        "The projection ν of μ to the sphere, which gives the direction θ/‖θ‖ the signed mass c‖θ‖ of its atom, "
        "represents the same function: f_μ(x) = ∫ σ(⟨u, x̃⟩) dν(u). For atoms of mass p and 1 - p: f_μ(x) = p·c·r·σ(z) "
        "+ (1 - p)·e·s·σ(w)."
    ),
    latex=r"\int_\Theta\phi(\theta,x)\,d\mu=\int_{\mathbb S^d}\sigma(\langle u,\tilde x\rangle)\,d\nu(u)"
    r"=p\,c\,r\,\sigma(z)+(1-p)\,e\,s\,\sigma(w)",
    hypotheses=("θ ≠ 0 on the support of μ: atoms at θ = 0 contribute nothing on either side",),
    formula="p*c*r*Max(z, 0) + (1 - p)*e*s*Max(w, 0)",
    symbols={
        "p": "mass of the first atom",
        "c": "output weight of the first atom",
        "e": "output weight of the second",
        "r": "‖θ‖ of the first",
        "s": "‖θ‖ of the second",
        "z": "⟨u, x̃⟩, u the first direction",
        "w": "⟨u', x̃⟩, u' the second direction",
    },
    controls=(
        Control("p*c*Max(z, 0) + (1 - p)*e*Max(w, 0)", "the factor ‖θ‖ of (4) forgotten"),
        Control("p*Abs(c)*r*Max(z, 0) + (1 - p)*Abs(e)*s*Max(w, 0)", "a positive measure instead of a signed one"),
        Control("p*c*r*Abs(z) + (1 - p)*e*s*Abs(w)", "an even test function, which cannot tell u from -u"),
        Control("c*r*Max(z, 0) + e*s*Max(w, 0)", "masses forgotten"),
    ),
    checks=(
        Check(
            name="four activity patterns",
            kind=Kind.PROOF,
            observe=derive_projection,
            about="two atoms, each active or not, for all values",
        ),
        Check(
            name="atoms evaluated",
            kind=Kind.CERTIFICATE,
            observe=observe_projection,
            about="outputs of both neurons in one to three dimensions, equal directions included, in fractions",
        ),
    ),
)

CLAIMS: tuple[Claim, ...] = (AVERAGE, HOMOGENEITY, PROJECTION)
