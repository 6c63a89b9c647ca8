"""Section 2, equations (1) to (3): the networks, and what of them the cost counts."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Derivation, Observation, Premise, certificate, claim, proof, seen

from ..observed.units.unit_rescaling import unit

UNIT_SHARES = (
    (Fraction(1),),
    (Fraction(3, 5), Fraction(4, 5)),
    (Fraction(1, 3), Fraction(2, 3), Fraction(2, 3)),
    (Fraction(1, 2),) * 4,
    (Fraction(1, 3),) * 9,
    (Fraction(2, 7), Fraction(3, 7), Fraction(6, 7)),
    (Fraction(1, 10),) * 100,
)
"""Shares s₁, …, s_k with Σsᵢ² = 1, all rational: a unit multiplied by each of them adds up to itself."""


@certificate("bias from the function's values")
def solve_for_the_bias(context: Context) -> Observation:
    """20 units in the plane: solve for the bias at one active point, compare the functions on a grid. The bias that
    keeps a unit's function while w₁ is multiplied by c and w₂ divided by it, from two values of h.
    """
    draw = context.random()
    plane = [(x, y) for x in range(-4, 5) for y in range(-4, 5)]
    cases: list[tuple[int, tuple[int, int], Fraction, Fraction]] = [
        (1, (1, 0), Fraction(1), Fraction(2)),
        (1, (1, 0), Fraction(-1), Fraction(2)),
        (2, (0, -1), Fraction(0), Fraction(3)),
        (-3, (3, 4), Fraction(5), Fraction(1, 5)),
        (1, (-1, 1), Fraction(7, 2), Fraction(1)),
    ]
    for _ in range(15):
        w1 = (draw.choice([-3, -2, -1, 1, 2, 3]), draw.randint(-3, 3))
        bias, c = Fraction(draw.randint(-3, 12), draw.randint(1, 5)), Fraction(draw.randint(1, 9), draw.randint(1, 9))
        cases.append((draw.choice([-4, -1, 1, 5]), w1, bias, c))
    same = True
    for w2, w1, bias, c in cases:
        active = max(plane, key=lambda x, w=w1, b=bias, v=w2: abs(unit(v, w, b, x)))  # type: ignore[misc]
        row = (c * w1[0], c * w1[1])
        found = c / w2 * unit(w2, w1, bias, active) - row[0] * active[0] - row[1] * active[1]
        same = same and all(unit(w2, w1, bias, x) == unit(w2 / c, row, found, x) for x in plane)
        yield seen(found, c=c, beta=bias, w1=w1, w2=w2)
    yield Premise("the rescaled unit equals the unit at all 81 points of the grid", same)


@proof("positive homogeneity")
def the_bias(d: Derivation) -> None:
    """Solve for the bias where the unit is active, then verify where it is not."""
    import sympy

    from implicitbias.exact.symbolic import from_sympy

    w2, z, beta, unknown, c, p = d.symbols("w2 z beta unknown", c="positive", p="nonnegative")
    d.step("where the unit is active, both sides are affine in z = ⟨w₁,x⟩", "w₂(z+β) = (w₂/c)(cz+β′)")
    (solution,) = sympy.solve(sympy.Eq(w2 * (z + beta), w2 / c * (c * z + unknown)), unknown)
    d.identity("active: z+β = p >= 0", w2 / c * sympy.Max(c * (p - beta) + solution, 0), w2 * p)
    d.identity("inactive: z+β = -p <= 0", w2 / c * sympy.Max(c * (-p - beta) + solution, 0), sympy.Integer(0))
    d.concludes(
        from_sympy(sympy.expand(solution)),
        "the only bias that keeps the function",
        over={"c": "positive", "beta": "real"},
        c="c",
        beta="beta",
    )


@certificate("split in rational shares")
def split_units(context: Context) -> Observation:
    """Split a unit into several with the same function, in equal and unequal shares, and add up the squares of (3)."""
    draw = context.random()
    cases = [((1, 0), 0, 1), ((0, 1), 1, 0), ((1, 1), 2, 1), ((3, 4), -5, 2), ((0, 0), 3, -2), ((2, -1), 0, -7)]
    cases += [((draw.randint(-9, 9), draw.randint(-9, 9)), draw.randint(-9, 9), draw.randint(-9, 9)) for _ in range(4)]
    grid = [(x, y) for x in (-2, 0, 1, 3) for y in (-5, -1, 0, 2)]
    same = True
    for w1, bias, w2 in cases:
        for shares in UNIT_SHARES:
            units = [(s * w2, (s * w1[0], s * w1[1]), s * bias) for s in shares]
            same = same and all(unit(w2, w1, bias, x) == sum(unit(*u, x) for u in units) for x in grid)
            squares = sum(v * v for v, _, _ in units) + sum(w * w for _, row, _ in units for w in row)
            label = f"w₁={w1}, w₂={w2}, β={bias} in {len(shares)} units"
            yield seen(Fraction(squares) / 2, label, p=w1[0], q=w1[1], w2=w2, beta=bias, k=len(shares))
    yield Premise("the units add up to the one they were split from, at 16 points each", same)


@proof("k equal units")
def the_split(d: Derivation) -> None:
    """k equal units, each with all its weights and its bias multiplied by 1/√k."""
    import sympy

    from implicitbias.exact.symbolic import from_sympy

    p, q, w2, k, z = d.symbols("p q w2", k="positive integer", z="nonnegative")
    share = 1 / sympy.sqrt(k)
    d.identity(
        "k units with share 1/√k add up to the unit where it is active (inactive: 0 = 0)",
        k * share * w2 * share * z,
        w2 * z,
    )
    cost = k * ((share * p) ** 2 + (share * q) ** 2 + (share * w2) ** 2) / 2
    d.step("their squares, as (3) adds them up, the biases left out", f"C = {cost}")
    d.concludes(
        from_sympy(sympy.expand(cost)),
        "the cost of k equal units",
        over={"p": "real", "q": "real", "w2": "real", "beta": "real", "k": "positive integer"},
        p="p",
        q="q",
        w2="w2",
        beta="beta",
        k="k",
    )


EQUATION_1 = claim(
    "savarese2019.equation_1",
    "Section 2, equations (1)-(2)",
    "The bias of a rescaled unit",
    """Multiply the input weights of a ReLU unit by c > 0 and divide its output weight by c: the network computes the
    same function exactly when the unit's bias is multiplied by c too.""",
    part_of="savarese2019.lemma_1",
    latex=r"w_2[\langle w_1,x\rangle+\beta]_+=\tfrac{w_2}{c}[\langle cw_1,x\rangle+c\beta]_+",
    hypotheses=("c > 0", "the unit is not dead: w₁ ≠ 0 and w₂ ≠ 0"),
    formula="c*beta",
    symbols={"c": "the factor of the input weights, positive", "beta": "the bias b⁽¹⁾ of the unit"},
    controls={
        "beta/c": "the bias goes with the output weight",
        "beta": "the bias is not a weight and stays",
        "c**2*beta": "the kink moves with the scale",
    },
    checks=(solve_for_the_bias, the_bias),
)


EQUATION_3 = claim(
    "savarese2019.equation_3",
    "Section 2, equation (3)",
    "The cost counts weights, neither biases nor units",
    """C(θ) is half the sum of the squared weights, biases left out. It does not charge for the number of units: a unit
    split into k units that add up to the same function keeps its cost ½(‖w₁‖²+w₂²), whatever k.""",
    part_of="savarese2019.lemma_1",
    latex=r"C(\theta)=\tfrac12\sum_i\big((w_i^{(2)})^2+\|w_i^{(1)}\|_2^2\big)",
    hypotheses=("the k units are multiples sᵢ of the unit (weights and bias), Σsᵢ² = 1", "two inputs, w₁ = (p, q)"),
    formula="(p**2 + q**2 + w2**2)/2",
    symbols={
        "p": "first input weight of the unit",
        "q": "second input weight",
        "w2": "output weight",
        "beta": "bias of the unit",
        "k": "number of units that it is split into",
    },
    controls={
        "(p**2 + q**2 + beta**2 + w2**2)/2": "biases penalised too",
        "p**2 + q**2 + w2**2": "without the half",
        "(p**2 + q**2 + w2**2)/(2*k)": "splitting makes a function cheaper, as if only outputs were split",
        "(p**2 + q**2)/2 + Abs(w2)": "output weights enter by modulus, as in (5)",
    },
    checks=(split_units, the_split),
    rests_on=("savarese2019.equation_1",),
)
