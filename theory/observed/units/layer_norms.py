"""The cheapest norms of the layers of a deep sub-network, their product given: (53) and Corollary C.2."""

from __future__ import annotations

import random
from fractions import Fraction

from implicitbias.claims import Context, Derivation, Observation, Premise, seen


def root_of_product(draw: random.Random) -> Fraction:
    """A random q > 0; p = q^L is then a product of L norms whose roots are rational."""
    return Fraction(draw.randint(1, 12), draw.choice([1, 2, 3, 5]))


def rescalings(draw: random.Random, count: int, depth: int) -> list[list[Fraction]]:
    """Random positive factors with product 1, one a layer."""
    found = []
    for _ in range(count):
        factors = [Fraction(draw.randint(1, 30), draw.randint(1, 30)) for _ in range(depth - 1)]
        last = Fraction(1)
        for f in factors:
            last /= f
        found.append([*factors, last])
    return found


def _least_norm(depth: int, q: Fraction, draw: random.Random) -> tuple[Fraction, Fraction, bool]:
    """The least (1/L) Σ n_l² over layer norms n_l > 0 with product q^L; the squared norm there; whether it is least.

    In u_l = log n_l the cost is convex and the constraint linear, so a point where all partial derivatives
    ∂/∂u_l = 2 n_l²/L agree is the global minimum. Other norms with the same product are tried as well.
    """
    norms = [q] * depth
    partials = {2 * n * n / depth for n in norms}
    least = sum((n * n for n in norms), Fraction(0)) / depth
    others = [sum(((q * f) ** 2 for f in factors), Fraction(0)) / depth for factors in rescalings(draw, 40, depth)]
    return least, norms[0] ** 2, len(partials) == 1 and all(other >= least for other in others)


def observe_norms(context: Context, per_layer: bool) -> Observation:
    """The least cost of a sub-network over the norms of its layers; per_layer: the squared norm of each layer there."""
    draw = context.random()
    stationary = True
    small = [(2, Fraction(2)), (3, Fraction(2)), (4, Fraction(2)), (3, Fraction(1, 3)), (5, Fraction(3, 2))]
    for depth, q in small + [(draw.randint(2, 8), root_of_product(draw)) for _ in range(10)]:
        least, squared, holds = _least_norm(depth, q, draw)
        stationary = stationary and holds
        yield seen(squared if per_layer else least, f"L={depth}, product {q**depth}", p=q**depth, L=depth)
    yield Premise("stationary for a convex cost, and below 40 other rescalings, in every case", stationary)


def derive_norms(d: Derivation, per_layer: bool) -> None:
    """The same for a product p > 0 and depth L as symbols."""
    import sympy

    from implicitbias.exact.symbolic import from_sympy

    p, depth, c, mu = d.symbols(p="positive", L="positive integer", c="positive", mu="positive")
    d.step("with u = log n the cost (1/L) Σ exp(2u_l) is convex and Σ u_l = log p is linear")
    (common,) = sympy.solve(sympy.Eq(2 * c / depth, mu), c)
    d.step("stationary: 2 n_l²/L = μ for every layer, so all squared norms are one number c", f"c = {common}")
    (squared,) = sympy.solve(sympy.Eq(sympy.log(c) * depth / 2, sympy.log(p)), c)
    d.step("the product of the norms is c^(L/2) = p", f"c = {squared}")
    d.identity("that c has the product p", squared ** (depth / 2), p)
    least = sympy.powsimp(depth * squared / depth)
    d.step("the cost there is (1/L)·L·c", f"C = {least}")
    d.concludes(
        from_sympy(squared if per_layer else least),
        "all depths and products",
        over={"p": "positive", "L": "positive integer"},
        p="p",
        L="L",
    )
