"""Related work, Section 3: the kernel norm that descent minimises, as an explicit functional of g."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Derivation, Observation, Premise, certificate, claim, proof, seen
from implicitbias.exact.vectors import relu


@certificate("finite laws")
def functionals(context: Context) -> Observation:
    """∫g''²/ζ + 4(p,q)G⁻¹(p,q)ᵀ at g = K(·, x) for symmetric laws of finitely many pairs, from jumps and end slopes."""
    from implicitbias.functions.network import Network

    draw = context.random()
    values_agree = True
    for case in range(context.choose(16, 60)):
        half = [
            (Fraction(draw.choice([1, 2, 3]), draw.randint(1, 2)), Fraction(draw.randint(-6, 6), draw.randint(1, 3)))
            for _ in range(2 + case % 3)
        ]
        if len({b / w for w, b in half}) < 2:
            continue
        law = half + [(-w, -b) for w, b in half]
        share = Fraction(1, len(law))
        x = Fraction(draw.randint(-8, 8), 3)
        active = [relu(w * x + b) for w, b in law]
        g = Network([w for w, _ in law], [b for _, b in law], [share * a for a in active], 0).to_piecewise_linear()
        mass: dict[Fraction, Fraction] = {}
        for w, b in law:
            mass[-b / w] = mass.get(-b / w, Fraction(0)) + share * w * w
        jumps = {knot: jump for knot, jump in zip(g.knots, g.jumps, strict=True) if jump != 0}
        energy = sum((jump**2 / mass[knot] for knot, jump in jumps.items()), Fraction(0))
        p = (g.left_slope + g.right_slope) / 2
        q = g(Fraction(0)) - sum((jump * abs(knot) for knot, jump in jumps.items()), Fraction(0)) / 2
        P, R, Q = (sum(share * w**i * b ** (2 - i) for w, b in law) for i in (2, 1, 0))
        determinant = P * Q - R * R
        affine = 4 * (Q * p * p - 2 * R * p * q + P * q * q) / determinant
        yield seen(energy + affine, f"{len(law)} pairs, x = {x}", x=x, P=P, R=R, Q=Q)
        values_agree = values_agree and energy + affine == g(x)
    yield Premise("the functional at K(·, x) is K(x, x), in every case", values_agree)


@proof("the two parts")
def the_norm(d: Derivation) -> None:
    """The two parts, curvature and affine, at g = K(·, x), from K(x, x') = ¼E|Wx+B||Wx'+B| + ¼E(Wx+B)(Wx'+B)."""
    import sympy

    m, x, z, a, b, P, v = d.symbols("m x z a b", P="positive", v="positive")
    R, Q = P * m, P * (m**2 + v)  # E WB = m E W²; E B² above its least value for that
    relu_a, relu_b = (sympy.Abs(a) + a) / 2, (sympy.Abs(b) + b) / 2
    even = (relu_a * relu_b + relu_a.subs(a, -a) * relu_b.subs(b, -b)) / 2
    d.identity("(W, B) and (-W, -B) taken together", even, (sympy.Abs(a * b) + a * b) / 4)
    d.step("K(x, x')'' in x is ½ζ(x)|x' - x|, so ∫K''²/ζ = ¼E(Wx'+B)²")
    first = (x**2 * P + 2 * x * R + Q) / 4
    p, q = (x * P + R) / 4, (x * R + Q) / 4
    d.step("the affine part: p, q = ¼(xE W² + E WB), ¼(xE WB + E B²)")
    G = sympy.Matrix([[P, R], [R, Q]])
    vector = sympy.Matrix([p, q])
    second = sympy.simplify(4 * (vector.T * G.inv() * vector)[0])
    d.identity("4(p,q)G⁻¹(p,q)ᵀ is as large as the first part", second, first)
    del z
    d.concludes(
        sympy.expand(first + second),
        "all second moments",
        over={"P": "positive", "m": "real", "v": "positive", "x": "real"},
        P="P",
        R="P*m",
        Q="P*(m**2 + v)",
        x="x",
    )


KERNEL_NORM = claim(
    "jin2021.kernel_norm",
    "Section 3, related works; Appendix M",
    "The kernel norm, explicitly",
    """If (W, B) and (-W, -B) have the same law, the squared norm of the space with kernel K = E[Wx+B]_+[Wx'+B]_+ is
    ∫g''²/ζ + 4(p,q)G⁻¹(p,q)ᵀ, where p is the mean of the end slopes, 2q = 2g(0) - ∫g''|c| and G holds the second
    moments of (W, B). At g = K(·, x) it is K(x, x) = ½E(Wx+B)², half from the curvature, half from the affine part; (4)
    keeps the first term only, after the adjustment.""",
    latex=r"\|K(\cdot,x)\|^2=\tfrac12\,\mathbb E(Wx+B)^2",
    hypotheses=("(W, B) and (-W, -B) have the same law", "second moments finite, G regular"),
    formula="(x**2*P + 2*x*R + Q)/2",
    symbols={"x": "x", "P": "E W²", "R": "E[WB]", "Q": "E B²"},
    controls={
        "(x**2*P + 2*x*R + Q)/4": "the affine part left out",
        "x**2*P + 2*x*R + Q": "both signs active",
        "(x**2*P + Q)/2": "as if uncorrelated",
        "(x**2*P - 2*x*R + Q)/2": "the sign of the kinks",
    },
    checks=(the_norm, functionals),
    part_of="jin2021.theorem_6",
    rests_on=("jin2021.proposition_7_moments",),
)
