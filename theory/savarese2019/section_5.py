"""Section 5, equations (34)-(36): gradient, Hessian and Laplacian of a function in terms of its measure."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import prod
from random import Random
from typing import Any

from implicitbias.claims import (
    Context,
    Derivation,
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

from ..observed.functions.sphere import integral_over_sphere

UNIT_VECTORS: tuple[tuple[Fraction, ...], ...] = tuple(
    tuple(Fraction(n, length) for n in numerators)
    for numerators, length in (
        ((1, 0), 1), ((0, -1), 1), ((3, 4), 5), ((-4, 3), 5), ((5, -12), 13), ((2, -1, 2), 3), ((-6, -2, 3), 7),
        ((1, 1, -1, 1), 2), ((4, -2, 2, 1), 5), ((-2, 1, 2, 6, 2), 7),
    )
)  # fmt: skip
"""Unit vectors with rational coordinates, in two to five dimensions."""

AS_IN_9 = ("units are written [⟨w,x⟩ − b]₊: the reference to (9), which has +b, is the convention slip of Section 4",)


@certificate("difference quotients")
def difference_quotients(context: Context) -> Observation:
    """∂f/∂x_i of a unit a [<w,x> - b]_+ off its kink by exact difference quotients, in two to five dimensions."""
    generator = context.random()
    smooth = True
    for n in range(context.choose(60, 600)):
        w = UNIT_VECTORS[n % len(UNIT_VECTORS)]
        simple = n < 2 * len(UNIT_VECTORS)
        x = [Fraction(n % 3 - 1 + i) if simple else Fraction(generator.randint(-60, 60), 7) for i in range(len(w))]
        a = Fraction(1 + n % 2) if simple else Fraction(generator.randint(-40, 40), 3)
        b = Fraction((-1) ** n * (1 + n % 3)) if simple else Fraction(generator.randint(-80, 20), 9)
        i = generator.randrange(len(w))
        p = dot(w, x)
        if p == b:
            continue
        step = min(abs(p - b), Fraction(1)) / 2

        def f(move: Fraction, w: Any = w, x: Any = x, a: Any = a, b: Any = b, i: int = i) -> Fraction:
            moved = [y + move * (j == i) for j, y in enumerate(x)]
            return Fraction(a * relu(sum(u * y for u, y in zip(w, moved, strict=True)) - b))

        forward, backward = (f(step) - f(Fraction(0))) / step, (f(Fraction(0)) - f(-step)) / step
        smooth &= forward == backward
        yield seen(forward, f"a unit in {len(w)} dimensions", a=a, w=w[i], p=p, b=b, direction=w, x=tuple(x), i=i + 1)
    yield Premise("f is linear near every point", smooth, "forward and backward quotients are equal")


@theorem("both sides of the kink")
def gradient() -> Observation:
    """The derivative of an atom's unit along a coordinate, on either side of its kink."""
    along = Derivative("a*relu(p + w*t - b)", "t", at="0")
    for side in ("p > b", "p < b"):
        names: dict[str, Assumption] = dict.fromkeys(("a", "w", "p", "b"), "real")
        yield shows(along, side, for_all=names, assuming=(side,), a="a", w="w", p="p", b="b")


@proof("polynomial measures")
def hessian(derivation: Derivation) -> Observation:
    """Every second derivative of f for polynomial measures with symbolic coefficients, against two integrals over α."""

    steps = []
    for d in (2, 3):
        setting = polynomial_measure(d)
        steps += list(setting["derivation"].steps)
        for i, j in combinations_with_replacement(range(d), 2):
            derived = setting["hessian"](i, j)
            label = f"d = {d}, the entry ({i + 1}, {j + 1})"
            derivation.concludes(
                derived, label, over=setting["variables"], K=setting["printed"](i, j), M=setting["mirrored"](i, j)
            )
    yield from steps


@proof("Laplacian of polynomial measures")
def laplacian(derivation: Derivation) -> Observation:
    """The sum of the pure second derivatives of f for the same measures."""
    import sympy

    steps = []
    for d in (2, 3):
        setting = polynomial_measure(d)
        steps += list(setting["derivation"].steps)
        derived = sympy.expand(sum(setting["hessian"](i, i) for i in range(d)))
        derivation.concludes(
            derived, f"d = {d}", over=setting["variables"], K=setting["printed"](), M=setting["mirrored"]()
        )
    yield from steps


Tent = tuple[Fraction, Fraction, Fraction, Fraction]
"""A density over the bias that rises from 0 at the first number to the last one at the second, and falls to 0 at the
third."""


def tent(shape: Tent, b: Fraction) -> Fraction:
    """The density at b."""
    left, peak, right, height = shape
    return height * max(Fraction(0), min((b - left) / (peak - left), (right - b) / (right - peak)))


def tent_of_units(shape: Tent, t: Fraction) -> Fraction:
    """∫ α(b) [t - b]_+ db: a quadratic polynomial on each piece, for which Simpson's rule is exact."""
    left, peak, right, _ = shape
    total = Fraction(0)
    for start, end in ((left, min(peak, t)), (peak, min(right, t))):
        if start < end:
            start_, middle, end_ = (tent(shape, b) * (t - b) for b in (start, (start + end) / 2, end))
            total += (end - start) / 6 * (start_ + 4 * middle + end_)
    return total


@certificate("exact second differences")
def second_differences(context: Context) -> Observation:
    """Second derivatives of f for measures on one to four directions, with tents for densities over the bias.

    f is a cubic polynomial near x, so that its second differences are its second derivatives, in rationals.
    """
    draw = context.random()
    for n in range(context.choose(60, 600)):
        d = 2 + n % 4
        x = [Fraction(draw.randint(-30, 30), draw.randint(3, 20)) for _ in range(d)]
        atoms = [(_turned(draw, d), _drawn_tent(draw)) for _ in range(1 + n % 3)]
        if n % 5 == 0:  # a density on both sides of the same kink
            atoms.append((tuple(-v for v in atoms[0][0]), _drawn_tent(draw)))
        step = min((abs(dot(w, x) - b) for w, shape in atoms for b in shape[:3]), default=Fraction(1)) / 4
        if not step:
            continue

        def f(move: Sequence[int], x: Any = x, atoms: Any = atoms, step: Fraction = step) -> Fraction:
            at = [v + step * m for v, m in zip(x, move, strict=True)]
            return sum((tent_of_units(shape, dot(w, at)) for w, shape in atoms), Fraction(0))

        def second(i: int, j: int, d: int = d, f: Any = f, step: Fraction = step) -> Fraction:
            corners = [(s, t, [s * (k == i) + t * (k == j) for k in range(d)]) for s in (1, -1) for t in (1, -1)]
            return sum((s * t * f(move) for s, t, move in corners), Fraction(0)) / (4 * step**2)

        def against(sign: int, *indices: int, x: Any = x, atoms: Any = atoms) -> Fraction:
            terms = (tent(shape, sign * dot(w, x)) * prod(w[k] for k in indices) for w, shape in atoms)
            return sum(terms, Fraction(0))

        i, j = draw.randrange(d), draw.randrange(d)
        yield seen(second(i, j), f"the entry ({i + 1}, {j + 1})", K=against(1, i, j), M=against(-1, i, j), x=x, d=d)
        yield seen(sum(second(k, k) for k in range(d)), "the Laplacian", K=against(1), M=against(-1), x=x, d=d)


def _turned(draw: Random, d: int) -> tuple[Fraction, ...]:
    """A rational unit vector: one of the list with its coordinates permuted and reflected."""
    w = list(draw.choice([w for w in UNIT_VECTORS if len(w) == d]))
    draw.shuffle(w)
    return tuple(v * draw.choice((1, -1)) for v in w)


def _drawn_tent(draw: Random) -> Tent:
    left, peak, right = sorted(Fraction(b, 6) for b in draw.sample(range(-40, 40), 3))
    return left, peak, right, Fraction(draw.randint(-9, 9), draw.randint(1, 4))


@cache
def polynomial_measure(d: int) -> dict[str, Any]:
    """α(w,b) a polynomial with free coefficients on |b| ≤ 1, without symmetry; f(x) = ∫α [<w,x>-b]_+ for |x| < 1.

    hessian(i, j) differentiates f; printed(i, …) is ∫α(w, <w,x>) w_i … dw, mirrored the same with α(w, -<w,x>).
    """
    import sympy

    from implicitbias.exact.symbolic import symbol

    x = [symbol(f"x{i + 1}") for i in range(d)]
    w = [symbol(f"w{i + 1}") for i in range(d)]
    k = [symbol(f"k{i}") for i in range(5)]
    b, t = symbol("b"), symbol("t")
    tilt = k[2] * w[0] + k[3] * w[1]
    alpha = k[0] + k[1] * b + tilt * (1 + b) + k[4] * b**2 * w[0] * w[1]
    unit = sympy.integrate(sympy.expand(alpha * (t - b)), (b, -1, t))
    inner = sum(u * y for u, y in zip(w, x, strict=True))
    f = integral_over_sphere(unit.subs(t, inner), w)
    derivation = Derivation()
    derivation.step(
        f"d = {d}: polynomial densities on |b| ≤ 1; inside the unit ball f is a polynomial.",
        "α(w,b) = k₀ + k₁b + (k₂w₁ + k₃w₂)(1+b) + k₄b²w₁w₂",
    )
    derivation.identity(
        "Along one direction the second derivative is the density.", sympy.diff(unit, t, 2), alpha.subs(b, t)
    )

    def against(argument: Any, indices: tuple[int, ...]) -> Any:
        return integral_over_sphere(alpha.subs(b, argument) * sympy.prod([w[i] for i in indices]), w)

    return {
        "derivation": derivation,
        "variables": {s.name: "real" for s in (*x, *k)},
        "hessian": lambda i, j: sympy.diff(f, x[i], x[j]),
        "printed": lambda *indices: against(inner, indices),
        "mirrored": lambda *indices: against(-inner, indices),
    }


EQUATION_34 = claim(
    "savarese2019.equation_34",
    "Section 5, equation (34)",
    "The gradient from the measure",
    """If f(x) = ∫ α(w,b) [⟨w,x⟩ − b]₊ dw db, then ∂f/∂xᵢ = ∫ wᵢ α(w,b) H(⟨w,x⟩ − b) dw db, H the Heaviside step: an
    atom of mass a at (w, b) contributes a·wᵢ where it is active and nothing where it is not.""",
    part_of="savarese2019.claim_5_1",
    latex=r"\partial_i f(x) = \int w_i\,\alpha(w,b)\,H(w^\top x - b)",
    hypotheses=("x lies on the kink of no atom", *AS_IN_9),
    formula="a*w*(1+sign(p-b))/2",
    symbols={
        "a": "the mass of an atom of α",
        "w": "wᵢ, the coordinate of its direction along which is differentiated",
        "p": "⟨w,x⟩",
        "b": "its bias",
    },
    controls={
        "a*w*(1+sign(p+b))/2": "the step of the representation (9) to which the sentence refers",
        "a*(1+sign(p-b))/2": "the factor wᵢ forgotten",
        "a*w*sign(p-b)": "the derivative of |⟨w,x⟩ − b| instead",
        "a*w*(1-sign(p-b))/2": "active and inactive exchanged",
    },
    checks=(gradient, difference_quotients),
)


EQUATION_35 = claim(
    "savarese2019.equation_35",
    "Section 5, equations (35) and (36)",
    "Hessian and Laplacian from the measure",
    """If f(x) = ∫ α(w,b) [⟨w,x⟩ − b]₊ dw db, then ∂²f/∂xᵢ∂xⱼ = ∫ α(w, ⟨w,x⟩) wᵢ wⱼ dw: the density of the units whose
    kink passes through x, weighted by their directions. Since ‖w‖ = 1, Δf(x) = ∫ α(w, ⟨w,x⟩) dw: the dual Radon
    transform of α.""",
    part_of="savarese2019.claim_5_1",
    latex=r"\nabla^2 f(x) = \int_{S^{d-1}} \alpha(w, w^\top x)\, w w^\top dw",
    hypotheses=("α has a density that is continuous in b", *AS_IN_9),
    formula="K",
    symbols={
        "K": "∫ α(w, ⟨w,x⟩) wᵢwⱼ dw; for the Laplacian without wᵢwⱼ",
        "M": "the same for the mirrored biases, with α(w, −⟨w,x⟩)",
    },
    controls={
        "M": "what would hold for units [⟨w,x⟩ + b]₊ as in (9)",
        "(K + M)/2": "independent of the sign of the bias",
        "K/2": "each kink counted from one side",
    },
    checks=(hessian, laplacian, second_differences),
    rests_on=("savarese2019.equation_34",),
    formerly=("savarese2019.equation_36",),
)
