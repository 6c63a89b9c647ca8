"""Section 2, after (11): learning the weights is not convex."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Derivation, Observation, Premise, certificate, claim, proof, seen


@certificate("twins and the network between")
def swap_two_units(context: Context) -> Observation:
    """Two global minima of (10) that differ by the order of the units, and the network half way between them.

    Data (0, 0), (1, y). One unit r·[r·x]₊ of cost p = r² and the output bias (y−p)/2; the other unit is empty.
    """
    draw = context.random()
    cases: list[tuple[Fraction, Fraction]] = [
        (Fraction(r), Fraction(lam)) for r, lam in ((1, 1), (2, 1), (1, 3), (0, 2))
    ]
    cases += [(Fraction(draw.randint(1, 9), draw.randint(1, 9)), Fraction(draw.randint(1, 20), 10)) for _ in range(8)]

    def objective(units: list[tuple[Fraction, Fraction]], c: Fraction, y: Fraction, lam: Fraction) -> Fraction:
        at_one = c + sum((v * max(w, Fraction(0)) for w, v in units), Fraction(0))
        return c**2 + (at_one - y) ** 2 + lam * sum((w * w + v * v for w, v in units), Fraction(0)) / 2

    minimal, larger = True, Fraction(0)
    nothing = Fraction(0)
    for r, lam in cases:
        ys = [r * r + lam] if r else [lam, lam / 2, lam / 7]
        for y in ys:
            c = (y - r * r) / 2
            first = objective([(r, r), (nothing, nothing)], c, y, lam)
            second = objective([(nothing, nothing), (r, r)], c, y, lam)
            middle = objective([(r / 2, r / 2), (r / 2, r / 2)], c, y, lam)
            slope = min(Fraction(2), 2 * y / lam) / 2
            bound = lam * slope * y - lam**2 * slope**2 / 2
            minimal = minimal and first == second == bound
            larger = max(larger, middle - first)
            yield seen(middle - first, f"unit of cost {r * r} or its twin, y = {y}, λ = {lam}", y=y, lam=lam, p=r * r)
    yield Premise("both ends equal the dual bound λ⟨ν,y⟩−λ²‖ν‖²/4: global minima", minimal)


@proof("closed form")
def the_swap(d: Derivation) -> None:
    """The minimum over p in closed form, then the objective half way between the twins."""
    import sympy

    c, p, y, lam, gap = d.symbols("c", p="nonnegative", y="positive", lam="positive", gap="positive")
    ends = c**2 + (c + p - y) ** 2 + lam * p
    (bias,) = sympy.solve(sympy.diff(ends, c), c)
    reduced = sympy.expand(ends.subs(c, bias))
    d.step("one unit √p[√p·x]₊ and the best output bias", f"c = {bias}")
    (height,) = sympy.solve(sympy.diff(reduced, p), p)
    d.step("stationary height, for λ < y; else p = 0", f"p = {height}")
    middle = (c**2 + (c + p / 2 - y) ** 2 + lam * p / 2).subs(c, bias)
    d.step("half way both units are ½√p[½√p·x]₊: half the height, half the cost")
    excess = sympy.factor(sympy.expand((middle - reduced).subs(p, height)))
    d.step("excess of the middle over the ends", f"{excess}")
    d.concludes(
        sympy.expand(excess.subs(y, lam + gap)),
        "λ below y",
        over={"lam": "positive", "gap": "positive"},
        y="lam + gap",
        lam="lam",
    )
    d.concludes(
        sympy.expand((middle - reduced).subs(p, 0)),
        "λ at y or above: p = 0 and the twins are one",
        over={"y": "positive", "more": "nonnegative"},
        y="y",
        lam="y + more",
    )


EQUATION_10_NOT_CONVEX = claim(
    "savarese2019.equation_10_not_convex",
    "Section 2, after (11)",
    "Learning the weights is not convex",
    """(10) is not convex in the weights. On the data (0,0), (1,y), y > 0, a global minimum uses one unit for λ < y;
    with the order of two units exchanged it is another, and half way between the two the objective is higher by
    ¼(y−λ)². For λ >= y the minimum is the constant and the two are one.""",
    part_of="savarese2019.equation_10",
    latex=r"F(\tfrac{\theta+\theta'}2)-F(\theta)=\tfrac14\max(0,y-\lambda)^2",
    hypotheses=("squared loss, summed", "two units; y > 0, λ > 0"),
    formula="Max(0, y - lam)**2/4",
    symbols={"y": "the second target", "lam": "λ, the penalty"},
    controls={
        "0": "flat between the minima: convex",
        "(y - lam)**2/4": "two minima for every λ",
        "y**2/4": "the loss alone",
        "Max(0, y - lam)**2/2": "the excess without the second half",
    },
    checks=(swap_two_units, the_swap),
    rests_on=("savarese2019.equation_10",),
)
