"""Next to Corollary 3: which homogeneous activations fit more than a polynomial."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from implicitbias.claims import Context, Observation, Premise, certificate, claim, seen
from implicitbias.exact.vectors import rank

from ..observed.data.draws import of_any_size, signed


@certificate("rank of the outputs")
def capacity(context: Context) -> Observation:
    """The rank of the outputs at M places of units φ(w(x - c)), w of both signs, in fractions: two kinks c between any
    two neighbouring places and k + 1 beyond either end."""
    draw = context.random()
    alike = other = 0
    for case in range(context.choose(110, 300)):
        k, m = case % 5, 1 + case // 5 % 8
        A, B = signed(draw, -3, 3), signed(draw, -3, 3)
        kind = draw.randint(0, 4)
        if kind < 2:
            B = (-1) ** k * A
        elif kind == 2:
            B = -((-1) ** k) * A
        elif kind == 3:
            A, B = draw.choice([(A, Fraction(0)), (Fraction(0), B)])
        size = of_any_size(draw, -2, 2)
        x = [size * a for a in sorted(draw.sample(range(-12, 13), m))]
        kinks = [a + (b - a) * Fraction(part, 7) for a, b in pairwise(x) for part in (2, 5)]
        kinks += [x[0] - size * (1 + i) / 3 for i in range(k + 1)] + [x[-1] + size * (1 + i) / 3 for i in range(k + 1)]
        units = [(of_any_size(draw, -1, 1) * sign, c) for c in kinks for sign in (1, -1)]
        outputs = [[(A if w * (z - c) > 0 else B) * abs(w * (z - c)) ** k for w, c in units] for z in x]
        alike, other = alike + (m > k + 1 and kind < 2), other + (m > k + 1 and kind > 1)
        yield seen(rank(outputs), f"{len(units)} units, M = {m}", A=A, B=B, k=k, M=m)
    yield Premise("polynomials and others are among them, at more than k + 1 places", alike > 5 and other > 5)


TOLD = "sign(Abs(A - (-1)**k*B))"

CAPACITY = claim(
    "jin2021.corollary_3_capacity",
    "next to Corollary 3",
    "Homogeneous activations that fit more than a polynomial",
    """For φ(z) = A z_+^k + B(-z)_+^k, not zero, the outputs of enough units at M places have rank M, so that all labels
    can be fitted, unless B = (-1)^k A: then φ is the polynomial A z^k, their rank is min(M, k+1) at any width, and
    there is no L with Lφ = δ. Corollary 3 needs B ≠ (-1)^k A.""",
    latex=r"\operatorname{rank}\big(\varphi(w_i(x_j-c_i))\big)=M\ \text{if}\ B\ne(-1)^kA,\quad\min(M,k+1)\ \text{else}",
    hypotheses=("k = 0, 1, 2, …", "no kink at one of the places", "kinks between all places and beyond them"),
    formula=f"Min(M, k + 1 + M*{TOLD})",
    symbols={
        "A": "factor of z_+^k",
        "B": "factor of (-z)_+^k",
        "k": "degree of homogeneity",
        "M": "number of places",
    },
    domain=("Abs(A) + Abs(B) > 0", "k >= 0", "M >= 1"),
    controls={
        "M": "every homogeneous activation",
        f"Min(M, k + M*{TOLD})": "polynomials without the constant",
        "Min(M, k + 1 + M*sign(Abs(A - B)))": "the right exception for even k only",
        "Min(M, k + 1 + M*sign(Abs(A + B)))": "the right exception for odd k only",
        f"Min(M, 2 + M*{TOLD})": "ReLU's degree for every k",
        "Min(M, k + 1 + M*sign(Abs(A*B)))": "both branches are needed",
    },
    checks=(capacity,),
    part_of="jin2021.corollary_3",
    rests_on=("jin2021.corollary_3_operator",),
    own=True,
)
