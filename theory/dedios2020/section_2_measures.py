"""Section 2.1: homogeneity of ReLU neurons, and measures over neurons projected to the sphere."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Observation, certificate, claim, seen, shows, theorem
from implicitbias.exact.formula import Assumption
from implicitbias.exact.vectors import dot
from implicitbias.theorems.rules.values.value import Value

from ..observed.units.neurons import (
    Neuron,
    Point,
    lifted,
    random_data,
    random_fraction,
    random_neuron,
    random_unit_vector,
)


@certificate("neurons evaluated")
def scaled_neurons(context: Context) -> Observation:
    """φ at (tc, ta, tb), evaluated as a neuron in several dimensions, for t of both signs."""
    draw = context.random()
    plain = Neuron((Fraction(1), Fraction(1)), Fraction(1))
    at = (Fraction(1),)
    cases: list[tuple[Neuron, Point, Fraction]] = [(plain, at, Fraction(t)) for t in (-1, 2, -2, 0, 1)]
    cases += [(Neuron((Fraction(-1), Fraction(0)), Fraction(-2)), at, Fraction(-3))]
    for d in (1, 2, 4):
        for _ in range(context.choose(8, 40)):
            data = random_data(draw, 2, d)
            cases.append((random_neuron(draw, data, alive=False), data[0], random_fraction(draw)))
    for neuron, x, t in cases:
        yield seen(neuron.scaled(t, t)(x), f"d={len(x)}, t={t}", t=t, c=neuron.c, z=neuron.before(x))


@theorem("every sign of the factor and the pre-activation")
def neuron_with_all_parameters_scaled() -> Observation:
    """The unit with all three parameters times t, at x, for a kink on either side and a factor of either sign."""
    scaled = Value("unit(t*c, t*w, t*b, x)")
    given: dict[str, Assumption] = dict.fromkeys(("t", "c", "w", "b", "x"), "real")
    yield shows(scaled, for_all=given, split=("t",), t="t", c="c", z="w*x + b")


HOMOGENEITY = claim(
    "dedios2020.footnote_1",
    "footnote 1",
    "ReLU neurons are 2-homogeneous for positive factors",
    """With z = aᵀx + b, all parameters times a real t give φ(tθ, x) = tc·max(tz, 0): this is t²φ(θ, x) for t ≥ 0, and
    -t²c·max(-z, 0) for t < 0, where the neuron switches to the other half-space. E.g. c = 1, z = 2, t = -1 gives 0, not
    2.""",
    latex=r"\phi(t\theta,x)=t\,|t|\,c\,\max(\operatorname{sgn}(t)z,0)\quad(=t^2\phi(\theta,x)\text{ for }t\ge0)",
    hypotheses=("σ(z) = max(z, 0)",),
    formula="t*c*Max(t*z, 0)",
    symbols={"t": "the factor of all parameters", "c": "output weight", "z": "pre-activation aᵀx + b"},
    controls={
        "t**2*c*Max(z, 0)": "t²φ for factors of both signs: right for t >= 0 only",
        "t*Abs(t)*c*Max(z, 0)": "the sign of t comes out with the output weight, and nothing else changes",
        "t*c*Max(z, 0)": "homogeneous of degree one, as in (a, b) alone",
        "t**2*c*Max(z, 0)*(1 + sign(t))/2": "a negative factor kills the neuron",
    },
    checks=(neuron_with_all_parameters_scaled, scaled_neurons),
    part_of="dedios2020.equation_5_and_6",
)


@certificate("atoms evaluated")
def two_atoms(context: Context) -> Observation:
    """f_μ(x) for measures of two atoms, neuron by neuron; directions are rational unit vectors, equal ones included."""
    draw = context.random()
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
            yield seen(
                p * one(x) + (1 - p) * two(x),
                f"d={d}, case {n}",
                p=p,
                c=c,
                e=e,
                r=r,
                s=s,
                z=dot(u, lifted(x)),
                w=dot(v, lifted(x)),
            )


@theorem("two atoms of any direction and length")
def two_atoms_as_neurons() -> Observation:
    """The mean of two units of the lengths r and s, in directions with the pre-activations z and w."""
    mean = Value("p*unit(c, r, 0, z) + (1 - p)*unit(e, s, 0, w)")
    over: dict[str, Assumption] = {
        "p": "real",
        "c": "real",
        "e": "real",
        "r": "positive",
        "s": "positive",
        "z": "real",
        "w": "real",
    }
    yield shows(mean, for_all=over, split=("z", "w"), **{name: name for name in over})


PROJECTION = claim(
    "dedios2020.equation_4",
    "Equation (4)",
    "The projected measure represents the same function",
    """The projection ν of μ to the sphere, which gives the direction θ/‖θ‖ the signed mass c‖θ‖ of its atom, represents
    the same function: f_μ(x) = ∫ σ(⟨u, x̃⟩) dν(u). For atoms of mass p and 1 - p: f_μ(x) = p·c·r·σ(z) + (1 -
    p)·e·s·σ(w).""",
    latex=r"""\int_\Theta\phi(\theta,x)\,d\mu=\int_{\mathbb S^d}\sigma(\langle u,\tilde
    x\rangle)\,d\nu(u)=p\,c\,r\,\sigma(z)+(1-p)\,e\,s\,\sigma(w)""",
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
    controls={
        "p*c*Max(z, 0) + (1 - p)*e*Max(w, 0)": "the factor ‖θ‖ of (4) forgotten",
        "p*Abs(c)*r*Max(z, 0) + (1 - p)*Abs(e)*s*Max(w, 0)": "a positive measure instead of a signed one",
        "p*c*r*Abs(z) + (1 - p)*e*s*Abs(w)": "an even test function, which cannot tell u from -u",
        "c*r*Max(z, 0) + e*s*Max(w, 0)": "masses forgotten",
    },
    checks=(two_atoms_as_neurons, two_atoms),
    part_of="dedios2020.equation_5_and_6",
    formerly=("dedios2020.equation_2",),
)
