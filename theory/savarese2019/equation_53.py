"""Appendix C, (45) and (53): the spheres that layers lie on, and the cheapest scaling of a deep sub-network."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Derivation, Flaw, Observation, certificate, claim, proof, seen

from ..observed.units.layer_norms import derive_norms, observe_norms


@certificate("stationary and convex")
def least_norm_of_a_sub_network(context: Context) -> Observation:
    """Exact norms at which all partial derivatives of a convex cost agree; other scalings cost more."""
    yield from observe_norms(context, per_layer=False)


@proof("derived for all depths")
def least_norm(d: Derivation) -> None:
    """Stationarity solved with L as a symbol."""
    derive_norms(d, per_layer=False)


@certificate("rank of the tangent space")
def sphere_dimension(context: Context) -> Observation:
    """The dimension of the unit sphere of ℝ^(m×d): the rank of the tangent space at an exact point of it.

    Tangent vectors are the null space of the gradient of ‖W‖² - 1, here spanned and counted in rationals.
    """
    import flint

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
        yield seen(int(rank), f"{m}×{d} matrices", m=m, d=d)


P_AND_L = {"p": "|w| Π ‖W_l‖_F, what a sub-network contributes at most", "L": "number of layers, L >= 2"}

EQUATION_45 = claim(
    "savarese2019.equation_45",
    "(45)",
    "The sphere of an m×d matrix has dimension dm - 1",
    """The m×d matrices of Frobenius norm 1 form a sphere of dimension d·m - 1, written S^(dm-1) with the paper's own
    S^(d-1) ⊂ ℝ^d of Section 2.""",
    part_of="savarese2019.theorem_c_1",
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
    controls={
        "(d-1)*(m-1)": "as if rows and columns were normalised separately",
        "d*(m-1)": "as if each column were normalised",
    },
    checks=(sphere_dimension,),
)


EQUATION_53 = claim(
    "savarese2019.equation_53",
    "(53)",
    "The cheapest scaling of a deep sub-network",
    """Among all rescalings of a sub-network's L layers that keep the product p of their norms, and so its function, the
    least of (1/L)(|w|² + Σ‖W_l‖_F²) is p^(2/L).""",
    part_of="savarese2019.corollary_c_2",
    latex=r"\min_{\prod n_l = p}\ \frac1L\sum_{l=1}^L n_l^2 = p^{2/L}",
    hypotheses=("p > 0", "L ≥ 2"),
    formula="p**(2/L)",
    symbols=P_AND_L,
    controls={
        "p**(1/L)": "the norm instead of its square",
        "p**(2/(L-1))": "only the inner layers share the product",
        "2*p/L": "the two-layer value divided by the depth",
    },
    checks=(least_norm_of_a_sub_network, least_norm),
)
