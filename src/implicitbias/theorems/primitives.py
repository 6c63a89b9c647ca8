"""The fixed vocabulary in which definitions are written: what a unit is, what it costs, a density, a loss.

Each primitive is defined once, here, as a formula in its parameters and in the primitives before it. Rules see the
definitions unfolded; records, screens and Coq keep the names. A theorem whose definition uses no primitive has its
definition in words (`implicitbias.theorems.theorem`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from implicitbias.exact.formula import Expression, Operation, parse, substituted


@dataclass(frozen=True)
class Primitive:
    """`name(parameters) = formula`.

    says   what it is, in the field's words
    where  the condition under which it has a value, as an expression that must be positive; empty: everywhere
    """

    name: str
    parameters: tuple[str, ...]
    formula: str
    says: str


def _table(*entries: tuple[str, str, str, str]) -> Mapping[str, Primitive]:
    made = {
        name: Primitive(name, tuple(parameters.split()), formula, says) for name, parameters, formula, says in entries
    }
    if len(made) < len(entries):
        raise ValueError("a primitive is defined twice")
    return MappingProxyType(made)


Vocabulary = Mapping[str, Primitive]

PRIMITIVES: Vocabulary = _table(
    ("relu", "z", "Max(0, z)", "the rectifier [z]₊"),
    ("step", "z", "(1 + sign(z))/2", "1 where a unit is active, 0 where it is not"),
    ("unit", "v w b x", "v*relu(w*x + b)", "the unit v[wx + b]₊ at x"),
    ("ramp", "s c x", "relu(s*(x - c))", "the ramp [s(x − c)]₊ with kink c towards s = ±1"),
    ("line", "y v g x", "y + g*(x - v)", "the line through (v, y) with slope g, at x"),
    ("plane_dot", "a b c d", "a*c + b*d", "the scalar product of (a, b) and (c, d)"),
    ("bin_edge", "l w j", "l + j*w", "the right edge of the j-th of adjacent bins of width w from l on; l for j = 0"),
    ("bin_midpoint", "l w j", "l + (j - 1/2)*w", "the midpoint of the j-th of adjacent bins of width w from l on"),
    ("unit_cost", "v w", "(v**2 + w**2)/2", "what a unit with output weight v and input weight w pays: ½(v² + w²)"),
    ("unit_cost_with_bias", "v w b", "(v**2 + w**2 + b**2)/2", "what a unit pays whose bias is paid too"),
    (
        "label_noise_potential",
        "A B c",
        "A + c**2*B",
        "(12) of dedios2020: mean square of the output weight's derivative "
        "plus that of the others', A = E[(aᵀx + b)₊²], B = E[(1 + |x|²)1{active}]",
    ),
    ("path_cost", "v w", "Abs(v)*Abs(w)", "|v||w|, the path norm of a unit"),
    (
        "spline_cost",
        "V s",
        "Max(V, Abs(s))",
        "(27) of savarese2019: the slope varies by V, those at both ends add up to s",
    ),
    ("moment", "c a", "c*a", "what a neuron of output weight c adds to the moment ∫ca dμ"),
    ("kink", "w b", "-b/w", "where the unit [wx + b]₊ bends"),
    ("pair_norm", "p q", "sqrt(p**2 + q**2)", "the length of the vector weight (p, q)"),
    ("layer_cost", "r L", "r**2/L", "what a layer of norm r pays in a network of L layers"),
    ("dot", "u v", "u*v", "the inner product; of numbers, their product"),
    ("norm", "u", "Abs(u)", "the length; of a number, its modulus"),
    ("bridge_penalty", "p L", "Abs(p)**(2/L)", "what the weight p adds to the bridge penalty ‖·‖^(2/L) of L layers"),
    ("squared_loss", "z y", "(z - y)**2/2", "half the squared residual"),
    ("logistic_loss", "z", "log(1 + exp(-z))", "the logistic loss of the margin z"),
    ("exponential_loss", "z", "exp(-z)", "the exponential loss of the margin z"),
    ("gaussian", "x r", "exp(-r*x**2)", "the Gaussian of sharpness r, without a factor"),
    ("normal_density", "x sigma", "exp(-x**2/(2*sigma**2))/(sigma*sqrt(2*pi))", "the density of N(0, σ²)"),
    (
        "normal_pair_density",
        "w b sigma_w sigma_b rho",
        "exp(-(w**2/sigma_w**2 - 2*rho*w*b/(sigma_w*sigma_b) + b**2/sigma_b**2)/(2*(1 - rho**2)))"
        "/(2*pi*sigma_w*sigma_b*sqrt(1 - rho**2))",
        "the density of a centred normal pair with standard deviations σ_w, σ_b and correlation ρ",
    ),
    ("laplace_density", "x beta", "exp(-Abs(x)/beta)/(2*beta)", "the density of Laplace's law of scale β"),
    ("uniform_density", "x a", "(1 + sign(a - Abs(x)))/(4*a)", "the density of the uniform law on [−a, a]"),
    (
        "zeta_integrand",
        "w p",
        "Abs(w)**3*p",
        "Proposition 7 of jin2021: ζ(x) is its integral over w, p the density of (W, B) at (w, -wx)",
    ),
    (
        "ratio_integrand",
        "w p",
        "Abs(w)*p",
        "the density of a ratio B/W at t is its integral over w, p the density of (W, B) at (w, tw)",
    ),
    (
        "softmax",
        "z others",
        "exp(z)/(exp(z) + others)",
        "the share of the score z, `others` the sum of the others' exp",
    ),
    ("sphere_area", "n", "2*pi**((n + 1)/2)/gamma((n + 1)/2)", "|Sⁿ|, the area of the unit sphere of dimension n"),
    (
        "slice_weight",
        "t d",
        "sphere_area(d - 2)*(1 - t**2)**((d - 3)/2)",
        "the weight of the slice w₁ = t in the area of S^(d−1): ∫ g(w₁) dw = ∫ g(t) slice_weight(t, d) dt over [−1, 1]",
    ),
    ("ball_volume", "n", "pi**(n/2)/gamma(n/2 + 1)", "the volume of the unit ball in n dimensions"),
    (
        "ball_slice",
        "b r d",
        "ball_volume(d - 1)*(r**2 - b**2)**((d - 1)/2)",
        "the volume of the slice ⟨w,x⟩ = b of the ball |x| ≤ r in d dimensions, |w| = 1 and |b| ≤ r",
    ),
)
"""In the order of definition: each uses only those before it."""


def arities(vocabulary: Vocabulary = PRIMITIVES) -> dict[str, tuple[int, int]]:
    """How many arguments each primitive takes, as `parse` wants it."""
    return {name: (len(p.parameters), len(p.parameters)) for name, p in vocabulary.items()}


def read(text: str, names: Mapping[str, object], vocabulary: Vocabulary = PRIMITIVES) -> Expression:
    """A formula that may use the primitives. Raises FormulaError."""
    return parse(text, names, more=arities(vocabulary))


def used(tree: Operation, vocabulary: Vocabulary = PRIMITIVES) -> frozenset[str]:
    """The primitives that a definition names."""
    own = frozenset({tree.head} & vocabulary.keys()) if tree.arguments else frozenset()
    return own.union(*(used(a, vocabulary) for a in tree.arguments)) if tree.arguments else own


def unfolded(tree: Operation, vocabulary: Vocabulary = PRIMITIVES) -> Operation:
    """The formula with every primitive replaced by its definition, down to the formula language.

    >>> str(unfolded(read("relu(x)", {"x": "real"}).tree).head)
    'Max'
    """
    if not tree.arguments:
        return tree
    arguments = tuple(unfolded(a, vocabulary) for a in tree.arguments)
    primitive = vocabulary.get(tree.head)
    if primitive is None:
        return Operation(tree.head, arguments)
    body = parse(primitive.formula, primitive.parameters, more=arities(vocabulary)).tree
    return substituted(unfolded(body, vocabulary), dict(zip(primitive.parameters, arguments, strict=True)))
