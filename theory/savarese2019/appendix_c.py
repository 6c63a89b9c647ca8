"""Appendix C, (43)-(61): the norm of parallel deep networks is a bridge penalty on their last layer (Theorem C.1)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

from implicitbias.check import Check, Context, Kind
from implicitbias.claim import Claim, Control, Flaw, Source
from implicitbias.evidence import Evidence, Identity, Instance, Premise, Value
from implicitbias.exact.rational import Interval

from .observed.parallel_networks import (
    ParallelNetwork,
    SubNetwork,
    cost,
    forward,
    normalised_sub_network,
    output,
    scaled,
    squared_norm,
)


def _root_of_product(draw: random.Random) -> Fraction:
    return Fraction(draw.randint(1, 12), draw.choice([1, 2, 3, 5]))


def _rescalings(draw: random.Random, count: int, depth: int) -> list[list[Fraction]]:
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
    others = [sum(((q * f) ** 2 for f in factors), Fraction(0)) / depth for factors in _rescalings(draw, 40, depth)]
    return least, norms[0] ** 2, len(partials) == 1 and all(other >= least for other in others)


def _balanced(context: Context, per_layer: bool) -> Evidence:
    draw = context.random()
    instances, stationary = [], True
    small = [(2, Fraction(2)), (3, Fraction(2)), (4, Fraction(2)), (3, Fraction(1, 3)), (5, Fraction(3, 2))]
    for depth, q in small + [(draw.randint(2, 8), _root_of_product(draw)) for _ in range(10)]:
        least, squared, holds = _least_norm(depth, q, draw)
        stationary = stationary and holds
        given: dict[str, Value] = {"p": q**depth, "L": depth}
        instances.append(Instance(f"L={depth}, product {q**depth}", given, squared if per_layer else least))
    return Evidence(
        instances=tuple(instances),
        premises=(Premise("stationary for a convex cost, and below 40 other rescalings, in every case", stationary),),
    )


def least_norm_of_a_sub_network(context: Context) -> Evidence:
    return _balanced(context, per_layer=False)


def layer_norm_at_the_optimum(context: Context) -> Evidence:
    return _balanced(context, per_layer=True)


def _stationary(per_layer: bool) -> Evidence:
    import sympy

    from implicitbias.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    p, depth = symbol("p", "positive"), symbol("L", "positive integer")
    c, mu = symbol("c", "positive"), symbol("mu", "positive")
    d = Derivation()
    d.step("with u = log n the cost (1/L) Σ exp(2u_l) is convex and Σ u_l = log p is linear")
    (common,) = sympy.solve(sympy.Eq(2 * c / depth, mu), c)
    d.step("stationary: 2 n_l²/L = μ for every layer, so all squared norms are one number c", f"c = {common}")
    (squared,) = sympy.solve(sympy.Eq(sympy.log(c) * depth / 2, sympy.log(p)), c)
    d.step("the product of the norms is c^(L/2) = p", f"c = {squared}")
    d.identity("that c has the product p", squared ** (depth / 2), p)
    least = sympy.powsimp(depth * squared / depth)
    d.step("the cost there is (1/L)·L·c", f"C = {least}")
    identity = Identity(
        "all depths and products",
        {"p": "positive", "L": "positive integer"},
        {"p": "p", "L": "L"},
        from_sympy(squared if per_layer else least),
    )
    return Evidence(identities=(identity,), steps=d.steps)


def derive_least_norm(context: Context) -> Evidence:
    return _stationary(per_layer=False)


def derive_layer_norm(context: Context) -> Evidence:
    return _stationary(per_layer=True)


def both_maps(context: Context) -> Evidence:
    """(50) and (55)-(56) carried out on exact networks: the function is kept, the cost becomes the bridge penalty.

    The weights α_i are ± L-th powers of rationals, so that the maps stay rational. Each network made by (55)-(56) is
    compared with rescalings of itself, which have the same function and cost at least as much.
    """
    draw = context.random()
    instances: list[Instance] = []
    same = cheapest = recovered = True
    small = [(2, 1, 2), (3, 1, 2), (3, 2, 3), (4, 1, 2), (5, 2, 1)]
    cases = [(depth, [Fraction(r), Fraction(q)]) for depth, r, q in small]
    cases += [(draw.randint(2, 6), [_root_of_product(draw), _root_of_product(draw)]) for _ in range(8)]
    for depth, roots in cases:
        subs = [normalised_sub_network(draw, depth, 2, 2) for _ in roots]
        signs = [draw.choice([-1, 1]) for _ in roots]
        alphas = [s * r**depth for s, r in zip(signs, roots, strict=True)]
        normalised: ParallelNetwork = list(zip(alphas, subs, strict=True))
        balanced: ParallelNetwork = [
            (s * r, scaled(sub, [r] * (depth - 1))) for s, r, sub in zip(signs, roots, subs, strict=True)
        ]
        points = [[Fraction(draw.randint(-9, 9)), Fraction(draw.randint(-9, 9))] for _ in range(12)]
        same = same and all(output(balanced, x) == output(normalised, x) for x in points)
        recovered = recovered and [_alpha_of(w, sub) for w, sub in balanced] == [a * a for a in alphas]
        cheapest = cheapest and all(
            cost(other, depth) >= cost(balanced, depth) for other in _rescaled(balanced, depth, draw)
        )
        given: dict[str, Value] = {"a": abs(alphas[0]), "b": abs(alphas[1]), "L": depth}
        instances.append(Instance(f"L={depth}, α={alphas[0]}, {alphas[1]}", given, cost(balanced, depth)))
    return Evidence(
        instances=tuple(instances),
        premises=(
            Premise("(55)-(56) keep the function at 12 rational points, in every case", same),
            Premise("(50) leads back to α", recovered),
            Premise("no rescaling of the network is cheaper, 20 tried in every case", cheapest),
        ),
    )


def _alpha_of(weight: Fraction, sub: Sequence[list[list[Fraction]]]) -> Fraction:
    """α², from (50): |w|² Π ‖W_l‖²."""
    product = weight * weight
    for matrix in sub:
        product *= squared_norm(matrix)
    return product


def _rescaled(network: ParallelNetwork, depth: int, draw: random.Random) -> list[ParallelNetwork]:
    found = []
    for _ in range(20):
        parts = []
        for (w, sub), factors in zip(network, _rescalings(draw, len(network), depth), strict=True):
            parts.append((w * factors[-1], scaled(sub, factors[:-1])))
        found.append(parts)
    return found


def derive_both_maps(context: Context) -> Evidence:
    import sympy

    from implicitbias.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    a, b = symbol("a", "positive"), symbol("b", "positive")
    depth = symbol("L", "positive integer")
    d = Derivation()
    d.identity(
        "(55)-(58): the output weight and the L-1 homogeneous layers each carry α^(1/L)",
        a ** (1 / depth) * (a ** (1 / depth)) ** (depth - 1),
        a,
    )
    per_unit = (a ** (2 / depth) + (depth - 1) * a ** (2 / depth)) / depth
    d.step("(59): squared output weight plus L-1 layers of squared norm α^(2/L), over L", f"C = {per_unit}")
    total = sympy.simplify(per_unit) + sympy.simplify(per_unit.subs(a, b))
    d.step("sub-networks add; (53): no other scaling is cheaper, by the means of L numbers", f"C = {total}")
    identity = Identity(
        "two sub-networks, all depths",
        {"a": "positive", "b": "positive", "L": "positive integer"},
        {"a": "a", "b": "b", "L": "L"},
        from_sympy(total),
    )
    return Evidence(identities=(identity,), steps=d.steps)


def sum_of_unit_norms(context: Context) -> Evidence:
    """Σ over the L-1 layers of a normalised sub-network of ‖W^(l)‖_F², computed from the matrices."""
    draw = context.random()
    instances = []
    for depth in range(2, 9):
        sub = normalised_sub_network(draw, depth, 2, 2)
        total = sum(map(squared_norm, sub), Fraction(0))
        instances.append(Instance(f"L={depth}", {"L": depth}, total))
    return Evidence(instances=tuple(instances))


def sphere_dimension(context: Context) -> Evidence:
    """The dimension of the unit sphere of ℝ^(m×d): the rank of the tangent space at an exact point of it.

    Tangent vectors are the null space of the gradient of ‖W‖² - 1, here spanned and counted in rationals.
    """
    import flint

    instances = []
    for m, d in [(1, 1), (1, 2), (2, 1), (2, 2), (3, 2), (4, 5), (7, 3)]:
        point = [Fraction(k + 1) for k in range(m * d)]  # on a sphere about 0; its radius does not matter here
        rows = [
            [point[0] if j == i else -point[i] if j == 0 else Fraction(0) for j in range(m * d)]
            for i in range(1, m * d)
        ]
        tangent = all(sum(r * x for r, x in zip(row, point, strict=True)) == 0 for row in rows)
        flat = [flint.fmpq(x.numerator, x.denominator) for row in rows for x in row]
        rank = flint.fmpq_mat(len(rows), m * d, flat).rank() if rows else 0
        full = flint.fmpq_mat(len(rows) + 1, m * d, [*flat, *(flint.fmpq(int(x)) for x in point)]).rank()
        if not tangent or full != m * d:
            raise ArithmeticError("the vectors do not span the tangent space")
        instances.append(Instance(f"{m}×{d} matrices", {"m": m, "d": d}, int(rank)))
    return Evidence(instances=tuple(instances))


def _two_sided_sub_network(depth: int, a: int, b: int) -> SubNetwork:
    """A sub-network of width 2 that represents a²[x]₊ + b²[-x]₊ with Π‖W‖_F = a² + b².

    The first layer separates the signs, (a, -b); the second joins them by (a, b); the others pass one number on.
    """
    first = [[Fraction(a)], [Fraction(-b)]]
    if depth == 3:
        return [first, [[Fraction(a), Fraction(b)]]]
    join = [[Fraction(a), Fraction(b)], [Fraction(0), Fraction(0)]]
    keep = [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(0)]]
    return [first, join, *([keep] * (depth - 4)), [[Fraction(1), Fraction(0)]]]


def two_sided_cost(context: Context) -> Evidence:
    """P_L of f = p[x]₊ + q[-x]₊ for widths m >= 2, L >= 3: an exact network above, an exact inequality below.

    Above: one sub-network for what is positive of p and q, one for what is negative, balanced as (55)-(56) say.
    Below: sub-networks satisfy v(1) + v(-1) <= Π‖W‖_F (entrywise [Wu]₊ <= [W]₊u for u >= 0, then Cauchy-Schwarz), so
    the weights of normalised ones that count positively add up to at least the positive mass, the others to at least
    the negative mass; and Σ|α_i|^(2/L) >= (Σ|α_i|)^(2/L) because 2/L < 1.
    """
    from implicitbias.exact.enclosure import enclose, lower, upper

    draw = context.random()
    bounded = all(
        (forward(sub, [Fraction(1)]) + forward(sub, [Fraction(-1)])) ** 2 <= _alpha_of(Fraction(1), sub)
        for sub in (normalised_sub_network(draw, draw.randint(3, 6), 1, 2) for _ in range(200))
    )
    instances: list[Instance] = []
    attained = True
    small = [(3, 1, 1), (3, 1, -1), (3, -1, -1), (4, 1, 1), (3, 2, 0), (5, 0, -3), (3, 3, -2), (4, 3, 2), (6, -2, 4)]
    for depth, a, b in [*small, *((draw.randint(3, 7), draw.randint(-5, 5), draw.randint(-5, 5)) for _ in range(8))]:
        low, high, represented = Fraction(0), Fraction(0), {1: Fraction(0), -1: Fraction(0)}
        for sign in (1, -1):
            right, left = max(sign * a, 0), max(sign * b, 0)
            if right == left == 0:
                continue
            sub = _two_sided_sub_network(depth, right, left)
            for side in represented:
                represented[side] += sign * forward(sub, [Fraction(side)])
            weight = enclose("sqrt(product)**(2/L)", product=_alpha_of(Fraction(1), sub), L=depth)
            mass = enclose("mass**(2/L)", mass=right**2 + left**2, L=depth)
            low, high = low + lower(mass), high + upper(weight)
        p, q = a * abs(a), b * abs(b)
        attained = attained and represented == {1: p, -1: q}
        instances.append(Instance(f"{p}[x]₊ + {q}[-x]₊, L={depth}", {"p": p, "q": q, "L": depth}, Interval(low, high)))
    return Evidence(
        instances=tuple(instances),
        premises=(
            Premise("v(1)+v(-1) <= Π‖W‖ on 200 random exact sub-networks", bounded),
            Premise("an exact network represents the function, in every case", attained),
        ),
    )


P_AND_L = {"p": "|w| Π ‖W_l‖_F, what a sub-network contributes at most", "L": "number of layers, L >= 2"}
RESTS = ("savarese2019.equation_53",)

CLAIMS = (
    Claim(
        id="savarese2019.equation_45",
        source=Source("savarese2019", "(45)"),
        title="The sphere of an m×d matrix has dimension dm - 1",
        statement=(
            "The m×d matrices of Frobenius norm 1 form a sphere of dimension d·m - 1, written S^(dm-1) with the "
            "paper's "
            "own S^(d-1) ⊂ ℝ^d of Section 2."
        ),
        latex=r"\{W\in\mathbb R^{m\times d}:\|W\|_F=1\}\cong\mathbb S^{dm-1}",
        formula="d*m - 1",
        symbols={"m": "rows", "d": "columns"},
        flaw=Flaw(
            printed="d*m",
            word="convention slip",
            wrong="(45) writes S^(dm), S^(m²), S^m for the unit spheres; Section 2 writes S^(d-1) for that of ℝ^d.",
            sure="certain",
            charitable="The exponent is the number of entries, not the dimension; nothing depends on it.",
        ),
        controls=(
            Control("(d-1)*(m-1)", "as if rows and columns were normalised separately"),
            Control("d*(m-1)", "as if each column were normalised"),
        ),
        checks=(
            Check(
                "rank of the tangent space", Kind.CERTIFICATE, sphere_dimension, "tangent vectors counted in rationals"
            ),
        ),
    ),
    Claim(
        id="savarese2019.equation_53",
        source=Source("savarese2019", "(53)"),
        title="The cheapest scaling of a deep sub-network",
        statement=(
            "Among all rescalings of a sub-network's L layers that keep the product p of their norms, and so its "
            "function, "
            "the least of (1/L)(|w|² + Σ‖W_l‖_F²) is p^(2/L)."
        ),
        latex=r"\min_{\prod n_l = p}\ \frac1L\sum_{l=1}^L n_l^2 = p^{2/L}",
        hypotheses=("p > 0", "L ≥ 2"),
        formula="p**(2/L)",
        symbols=P_AND_L,
        controls=(
            Control("p**(1/L)", "the norm instead of its square"),
            Control("p**(2/(L-1))", "only the inner layers share the product"),
            Control("2*p/L", "the two-layer value divided by the depth"),
        ),
        checks=(
            Check(
                "stationary and convex",
                Kind.CERTIFICATE,
                least_norm_of_a_sub_network,
                "exact norms at which all partial derivatives of a convex cost agree; other scalings cost more",
            ),
            Check("derived for all depths", Kind.PROOF, derive_least_norm, "stationarity solved with L as a symbol"),
        ),
    ),
    Claim(
        id="savarese2019.theorem_c_1",
        source=Source("savarese2019", "Theorem C.1, (46)"),
        title="Depth L turns the norm of parallel networks into an ℓ_(2/L) bridge penalty",
        statement=(
            "The least norm C_L of a parallel network with given sub-network directions is Σ|α_i|^(2/L), where α_i are "
            "the "
            "last-layer weights over normalised sub-networks; for two sub-networks a^(2/L) + b^(2/L). The maps (50) "
            "and "
            "(55)-(56) between the two forms keep the function. (They do so for every feasible point, so that the "
            "infima "
            "agree whether or not they are attained.)"
        ),
        latex=r"P_L(f)=\inf\Big\{\textstyle\sum_i|\alpha_i|^{2/L}\Big\}",
        hypotheses=("no biases", "a, b > 0: a sub-network with a zero layer contributes nothing and is dropped"),
        rests_on=RESTS,
        formula="a**(2/L) + b**(2/L)",
        symbols={
            "a": "|α₁|, last-layer weight over the first normalised sub-network",
            "b": "|α₂|, the second",
            "L": "number of layers",
        },
        controls=(
            Control("(a+b)**(2/L)", "the penalty of the sum: true only for a single sub-network"),
            Control("a**(1/L) + b**(1/L)", "exponent 1/L"),
            Control("a**(2/(L-1)) + b**(2/(L-1))", "exponent 2/(L-1): the inner layers only"),
            Control("a + b", "no effect of depth"),
        ),
        checks=(
            Check(
                "both maps on exact networks",
                Kind.CERTIFICATE,
                both_maps,
                "(55)-(56) on rational networks: same function, cost as claimed, no rescaling cheaper",
            ),
            Check("derived for all depths", Kind.PROOF, derive_both_maps, "homogeneity and (59) with L as a symbol"),
        ),
    ),
    Claim(
        id="savarese2019.equation_59",
        source=Source("savarese2019", "(59)"),
        title="The L-1 normalised layers contribute L-1",
        statement="A normalised sub-network has L-1 layers of squared norm 1, so Σ_l ‖W^(l)‖_F² = L - 1.",
        latex=r"\sum_{l=1}^{L-1}\|\bar W^{(l)}\|_F^2 = L-1",
        formula="L - 1",
        symbols={"L": "number of layers of the whole network"},
        flaw=Flaw(
            printed="1",
            word="misprint",
            wrong="The brace under the sum says 1; the next line of (59) uses L - 1.",
            sure="may be the scan's fault",
            charitable="The brace belongs under the single norm, which is 1.",
        ),
        controls=(
            Control("L", "counts the output weight among them"),
            Control("(L-1)/L", "averaged over the layers already"),
        ),
        checks=(
            Check("norms added", Kind.CERTIFICATE, sum_of_unit_norms, "squared norms of exact normalised matrices"),
        ),
    ),
    Claim(
        id="savarese2019.corollary_c_2",
        source=Source("savarese2019", "Corollary C.2, (47)"),
        title="At the optimum all layers of a sub-network have the same norm",
        statement=(
            "In a parallel network of least norm, the squared norm of every layer of a sub-network, the output weight "
            "included, is p^(2/L), where p is the product of the layers' norms."
        ),
        latex=r"\|W_i^{(1)}\|_F^2=\dots=\|W_i^{(L-1)}\|_F^2=|w_i^{(L)}|^2 = p^{2/L}",
        rests_on=RESTS,
        formula="p**(2/L)",
        symbols=P_AND_L,
        controls=(
            Control("p**(2/(L-1))", "only the inner layers are balanced among themselves"),
            Control("p**(2/L)/L", "the cost shared out once more"),
            Control("p**2", "each layer carries the product"),
        ),
        checks=(
            Check(
                "stationary and convex",
                Kind.CERTIFICATE,
                layer_norm_at_the_optimum,
                "the layer norm at which a strictly convex cost is stationary; other scalings cost more",
            ),
            Check("derived for all depths", Kind.PROOF, derive_layer_norm, "stationarity solved with L as a symbol"),
        ),
    ),
    Claim(
        id="savarese2019.deep_two_sided_cost",
        source=Source("implicitbias", "beside Theorem C.1"),
        title="The cost of p[x]₊ + q[-x]₊ at depth L ≥ 3",
        statement=(
            "For parallel networks of width m ≥ 2 and depth L ≥ 3 without biases, f(x) = p[x]₊ + q[-x]₊ costs "
            "(p⁺+q⁺)^(2/L) + (p⁻+q⁻)^(2/L): one sub-network serves both sides of the same sign. Proof: for u ≥ 0, "
            "[Wu]₊ ≤ [W]₊u entrywise, so v(1)+v(-1) ≤ Π‖W_l‖_F by induction and Cauchy-Schwarz; normalised "
            "sub-networks of "
            "positive weight therefore need total weight p⁺+q⁺ at least, those of negative weight p⁻+q⁻; the bridge "
            "penalty "
            "is subadditive, so that one of each is cheapest; first layer (√p, -√q), second (√p, √q) attain it. So |x| "
            "costs "
            "2^(2/L), but x costs 2 at every depth."
        ),
        latex=r"P_L(p[x]_++q[-x]_+)=(p^++q^+)^{2/L}+(p^-+q^-)^{2/L}",
        hypotheses=("L ≥ 3", "width m ≥ 2", "no biases"),
        rests_on=("savarese2019.theorem_c_1",),
        formula="(Max(p,0)+Max(q,0))**(2/L) + (Max(-p,0)+Max(-q,0))**(2/L)",
        symbols={"p": "slope on the right", "q": "minus the slope on the left", "L": "number of layers"},
        controls=(
            Control("Abs(p)**(2/L) + Abs(q)**(2/L)", "one sub-network a side: right for width 1 only"),
            Control("(Abs(p)+Abs(q))**(2/L)", "one sub-network for both sides whatever the signs"),
            Control("Abs(p) + Abs(q)", "the cost at depth 2"),
        ),
        checks=(
            Check(
                "network above, inequality below",
                Kind.CERTIFICATE,
                two_sided_cost,
                "an exact network's product of norms against the least weight that the masses need",
            ),
        ),
    ),
)
