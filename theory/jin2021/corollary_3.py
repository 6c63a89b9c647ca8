"""Corollary 3: activation functions that are homogeneous of degree k, in place of ReLU (k = 1)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import factorial
from typing import Any

from implicitbias.claims import Context, Flaw, Observation, Premise, certificate, claim, seen, shows, theorem
from implicitbias.exact.vectors import dot, solve
from implicitbias.theorems.rules.sequences.moments import Moments

from ..observed.data.draws import of_any_size, signed
from ..observed.wide.kink_moments import density, normal_power_mass
from . import errata


def power(z: Fraction, k: int) -> Fraction:
    """z_+^k: the Heaviside function for k = 0, ReLU for k = 1."""
    return z**k if z > 0 else Fraction(0)


def annihilating(draw: Any, x: list[Fraction], k: int) -> list[Fraction]:
    """Random multipliers λ with Σ λ_j x_j^i = 0 for i <= k: sums of divided differences of order k+1."""
    found = [Fraction(0)] * len(x)
    for start in range(len(x) - k - 1):
        nodes = x[start : start + k + 2]
        scale = Fraction(draw.randint(-5, 5))
        for j, node in enumerate(nodes):
            weight = Fraction(1)
            for i, other in enumerate(nodes):
                if i != j:
                    weight /= node - other
            found[start + j] += scale * weight
    return found


@certificate("random multipliers")
def units(context: Context) -> Observation:
    """Σ λ_j φ(w(x_j - c)) against Σ λ_j φ(x_j - c), both signs of w, k = 0 to 4."""
    draw = context.random()
    for case in range(context.choose(600, 900)):
        k = case % 5
        x = sorted(draw.sample([Fraction(i, 5) for i in range(-15, 16)], k + 3))
        size = of_any_size(draw)
        lam = [size * value for value in annihilating(draw, x, k)]
        w, c = signed(draw, -3, 3), Fraction(draw.randint(-14, 14), 5) + Fraction(1, 11)
        P, observed = (dot(lam, [power(factor * (z - c), k) for z in x]) for factor in (1, w))
        if P != 0:
            yield seen(observed, f"k = {k}, w = {w}, c = {c}", w=w, k=k, P=P)


def jump(unit: Callable[[Fraction], Fraction], c: Fraction, k: int) -> Fraction:
    """The jump of the k-th derivative over k!, from k-th differences on both sides: exact for pieces of degree k."""
    h = Fraction(1, 7)

    def difference(start: Fraction) -> Fraction:
        total = Fraction(0)
        for i in range(k + 1):
            binomial = factorial(k) // (factorial(i) * factorial(k - i))
            total += (-1) ** (k - i) * binomial * unit(start + i * h)
        return total / (factorial(k) * h**k)

    return difference(c + h) - difference(c - (k + 1) * h)


@certificate("finite networks")
def jumps(context: Context) -> Observation:
    """The jumps made by two units that share a kink, of weights 1 and w, in finite networks with output weights of
    least norm next to a free polynomial of degree k; k = 0 to 4."""
    draw = context.random()
    pairs_seen = negative = 0
    degrees: set[int] = set()
    for case in range(context.choose(15, 50)):
        k = case % 5
        x = sorted(draw.sample([Fraction(i, 3) for i in range(-9, 10)], k + 4))
        y = [Fraction(draw.randint(-5, 5)) for _ in x]
        # steps tell data apart only by kinks between them
        kinks = [Fraction(i, 3) + Fraction(1, 7) for i in range(-9, 9)]
        kinks = kinks if k == 0 else sorted(draw.sample(kinks, k + 5))
        weights = [draw.choice((1, -1)) * Fraction(draw.randint(1, 9), draw.randint(1, 7)) for _ in kinks]
        pairs = [(Fraction(1), c) for c in kinks] + list(zip(weights, kinks, strict=True))
        features = [[power(w * (z - c), k) for w, c in pairs] for z in x]
        size = len(x)
        rows: list[list[Any]] = [
            [dot(p, q) for q in features] + [z**i for i in range(k + 1)] for p, z in zip(features, x, strict=True)
        ]
        rows += [[z**i for z in x] + [Fraction(0)] * (k + 1) for i in range(k + 1)]
        try:
            lam = solve(rows, [*y, *[Fraction(0)] * (k + 1)])[:size]
        except ArithmeticError:
            continue
        outer = [
            sum((a * row[i] for a, row in zip(lam, features, strict=True)), Fraction(0)) for i in range(len(pairs))
        ]
        for i, (w, c) in enumerate(zip(weights, kinks, strict=True)):
            twin = outer[i] * jump(lambda z, c=c, k=k: power(z - c, k), c, k)  # type: ignore[misc]
            own = outer[len(kinks) + i] * jump(lambda z, c=c, w=w, k=k: power(w * (z - c), k), c, k)  # type: ignore[misc]
            if twin != 0:
                yield seen(own / twin, f"k = {k}, w = {w}, kink at {c}", w=w, k=k)
                pairs_seen += 1
                negative += w < 0
                degrees.add(k)
    yield Premise("every degree from 0 to 4 is among them", degrees == set(range(5)), f"{sorted(degrees)}")
    yield Premise("negative weights are among them", negative >= 5, f"{negative} of {pairs_seen}")


@certificate("paired with polynomials")
def pairings(context: Context) -> Observation:
    """⟨φ, (-1)^{k+1} ψ^{(k+1)}⟩ for φ = A x_+^k + B(-x)_+^k and polynomials ψ that vanish to high order at ±1, in
    fractions."""
    draw = context.random()
    for case in range(context.choose(600, 900)):
        k = case % 5
        A, B = signed(draw, -3, 3), signed(draw, -3, 3)
        if case % 3 == 0:
            A, B = Fraction(draw.randint(-9, 9)), Fraction(draw.randint(-9, 9))
        if case < 20:  # leaky ReLU's kin, polynomials, one branch
            A, B = ((A, A), (A, -A), (A, Fraction(0)), (Fraction(0), B))[case // 5]
        elif case < 40:  # both far from 0, every choice of signs
            A, B = (
                sign * Fraction(draw.randint(64, 90), 5) for sign in ((1, 1), (1, -1), (-1, 1), (-1, -1))[case // 5 - 4]
            )
        order = k + 2
        base = [Fraction(draw.randint(1, 5)), Fraction(draw.randint(-3, 3)), Fraction(draw.randint(-3, 3), 2)]
        psi = base
        for _ in range(order):
            psi = _times(psi, [Fraction(1), Fraction(0), Fraction(-1)])
        turned = psi
        for _ in range(k + 1):
            turned = [i * c for i, c in enumerate(turned)][1:]
        turned = [(-1) ** (k + 1) * c for c in turned]
        right = sum((c / (i + k + 1) for i, c in enumerate(turned)), Fraction(0))
        left = sum((c * (-1) ** i / (i + k + 1) for i, c in enumerate(turned)), Fraction(0))
        yield seen((A * right + B * left) / psi[0], A=A, B=B, k=k)


def _times(p: list[Fraction], q: list[Fraction]) -> list[Fraction]:
    out = [Fraction(0)] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            out[i + j] += a * b
    return out


def overlap(left: Fraction, right: Fraction, k: int) -> Fraction:
    """∫ (left-c)_+^k (right-c)_+^k dc over c > -8: E φ(x-C)φ(x'-C) up to a factor, C uniform on [-8, 8]."""
    end = min(left, right)
    product = [Fraction(1)]
    for _ in range(k):
        product = _times(_times(product, [left, Fraction(-1)]), [right, Fraction(-1)])
    return sum((a * (end ** (i + 1) - Fraction(-8) ** (i + 1)) / (i + 1) for i, a in enumerate(product)), Fraction(0))


@certificate("splines in fractions")
def smoothness(context: Context) -> Observation:
    """The highest derivative that is continuous at the inner data, for minimisers with constant ζ (C uniform), k = 0 to
    3: Taylor coefficients at a datum from 2k+2 values on either side, as many as a piece of the spline needs."""
    draw = context.random()
    for k in range(context.choose(4, 6)):
        for _ in range(2):
            size = k + 4
            x = [Fraction(a) for a in sorted(draw.sample(range(-6, 7), size))]
            y = [Fraction(draw.randint(-5, 5) ** 2 + i) for i in range(size)]
            rows: list[list[Any]] = [[*(overlap(p, q, k) for q in x), *(p**i for i in range(k + 1))] for p in x]
            rows += [[*(p**i for p in x), *[Fraction(0)] * (k + 1)] for i in range(k + 1)]
            solution = solve(rows, [*y, *[Fraction(0)] * (k + 1)])

            def minimiser(z: Fraction, x: Any = x, solution: Any = solution, k: int = k) -> Fraction:
                kernel_part = sum((a * overlap(z, p, k) for a, p in zip(solution, x, strict=False)), Fraction(0))
                return kernel_part + sum((a * z**i for i, a in enumerate(solution[len(x) :])), Fraction(0))

            orders = []
            for j in range(1, size - 1):
                sides = []
                for sign in (-1, 1):
                    places = [sign * Fraction(i, 2 * k + 3) for i in range(1, 2 * k + 3)]
                    values = [minimiser(x[j] + place) for place in places]
                    sides.append(solve([[place**i for i in range(2 * k + 2)] for place in places], values))
                same = [a == b for a, b in zip(*sides, strict=True)]
                if not all(same):
                    orders.append(same.index(False) - 1)
            yield seen(min(orders), f"k = {k}, data at {', '.join(map(str, x))}", k=k)


@theorem("moments by parts")
def gaussian() -> Observation:
    """∫|w|^{2k+1} p_W(w) p_B(-wx) dw for every k: each moment is (k+1)/A times the one before."""
    rate = "((1/sigma_w**2 + x**2/sigma_b**2)/2)"
    normal = f"exp(-{rate}*w**2)/(4*{rate}*pi*sigma_w*sigma_b)"
    yield shows(
        Moments(
            "k",
            "Abs(w)**(2*k + 1)*normal_density(w, sigma_w)*normal_density(-w*x, sigma_b)",
            over="w",
            lower="-oo",
            upper="oo",
            splits=("0",),
            first=(normal, f"-{normal}"),
            ratio=f"(k + 1)/{rate}",
            remainder=(f"(-w)**(2*k + 2)*{normal}", f"-w**(2*k + 2)*{normal}"),
        ),
        for_all={"sigma_w": "positive", "sigma_b": "positive", "x": "real", "k": "nonnegative integer"},
        sigma_w="sigma_w",
        sigma_b="sigma_b",
        x="x",
        k="k",
    )


@certificate("bins beside x")
def bins_gaussian(context: Context) -> Observation:
    """E[W^{2k}; C in a bin] for bins on both sides of x."""
    draw = context.random()
    for k in range(5):
        for _ in range(context.choose(3, 8)):
            w, b = (Fraction(draw.randint(1, 20), draw.randint(3, 12)) for _ in range(2))
            x = draw.choice([Fraction(p, 4) for p in (1, 2, 4, -4, 6, -3, 10)])
            yield seen(density(normal_power_mass(w, b, 2 * k), x), sigma_w=w, sigma_b=b, x=x, k=k)


COROLLARY_3 = claim(
    "jin2021.corollary_3",
    "Corollary 3",
    "The weight of a kink for homogeneous activations",
    """For φ(z) = z_+^k with integer k, trained from 0 together with a free polynomial of degree k, the jump of the k-th
    derivative that a unit of weight w makes at its kink is |w|^{2k} times the jump made by a unit of weight 1. So each
    unit counts with W^{2k} and ζ = p_C E(W^{2k}|C), whatever the sign of W.""",
    latex=r"\zeta(x)=p_C(x)\,\mathbb E(W^{2k}\,|\,C=x)",
    hypotheses=("k = 0, 1, 2, …", "polynomials of degree k are not in the cost"),
    formula="Abs(w)**(2*k)",
    symbols={"w": "the unit's weight", "k": "degree of homogeneity"},
    controls={
        "Abs(w)**k": "W^k",
        "Abs(w)**(2*k + 1)": "the Jacobian counted again",
        "w**k*Abs(w)**k": "the sign of w for odd k",
        "w**2": "ReLU's W² for all k",
    },
    checks=(jumps,),
)


UNITS = claim(
    "jin2021.corollary_3_units",
    "next to Corollary 3",
    "Units of negative weight, replaced by units of positive weight",
    """If Σλ_jx_j^i = 0 for i = 0, …, k then Σλ_jφ(w(x_j-c)) = sgn(w)^{k+1}|w|^kΣλ_jφ(x_j-c) for φ(z) = z_+^k: up to a
    polynomial of degree k a unit and its mirror image agree, and the sign goes into the output weight.""",
    latex=r"\sum_j\lambda_j\varphi(w(x_j-c))=\operatorname{sgn}(w)^{k+1}|w|^k\sum_j\lambda_j\varphi(x_j-c)",
    hypotheses=("Σλ_jx_j^i = 0 for i <= k", "w ≠ 0"),
    formula="sign(w)**(k+1)*Abs(w)**k*P",
    symbols={"w": "weight", "k": "degree", "P": "Σλ_jφ(x_j-c)"},
    controls={
        "w**k*P": "as for w > 0",
        "Abs(w)**k*P": "without the sign",
        "sign(w)**(k+1)*Abs(w)**(k+1)*P": "one power too many",
    },
    checks=(units,),
    part_of="jin2021.corollary_3",
    own=True,
)


OPERATOR = claim(
    "jin2021.corollary_3_operator",
    "next to Corollary 3",
    "The operator of an activation with two branches",
    """For φ(z) = A z_+^k + B(-z)_+^k the (k+1)-st derivative is k!(A + (-1)^{k+1}B)δ: so L = D^{k+1} divided by that
    number, which must not vanish. ReLU, leaky ReLU, |x| and powers of them are Green's functions; polynomials are
    not.""",
    latex=r"D^{k+1}\varphi=k!\,(A+(-1)^{k+1}B)\,\delta",
    hypotheses=("k = 0, 1, 2, …",),
    formula="gamma(k+1)*(A + (-1)**(k+1)*B)",
    symbols={"A": "factor of z_+^k", "B": "factor of (-z)_+^k", "k": "degree"},
    controls={
        "gamma(k+1)*(A + B)": "right for odd k only",
        "A + (-1)**(k+1)*B": "the factorial forgotten",
        "gamma(k+1)*(A + (-1)**k*B)": "the sign of the left branch",
        "gamma(k+1)*A": "the right branch only",
    },
    checks=(pairings,),
    part_of="jin2021.corollary_3",
    own=True,
)


SPACE = claim(
    "jin2021.corollary_3_space",
    "Corollary 3, equation (6)",
    "Smoothness of the minimisers of (6)",
    """For φ(z) = z_+^k the operator has order k+1, and for constant ζ the minimiser of (6) is a spline of degree 2k+1
    with exactly 2k continuous derivatives at the data. So the space must be W^{k+1,2}, not C²(S): for k = 0 the
    minimiser is only continuous, and for k >= 2 functions in C² need not have the derivative in (6). The version of
    2023 keeps C²(S) in its (6).""",
    latex=r"g^*\in C^{2k}\setminus C^{2k+1}",
    hypotheses=("ζ constant", "k = 0, 1, 2, …"),
    formula="2*k",
    symbols={"k": "degree of homogeneity"},
    flaw=Flaw(errata.SMOOTHNESS_CLASS, "2"),
    controls={
        "k": "as smooth as the activation's own degree",
        "k + 1": "the order of the operator",
        "2*k + 1": "one derivative too many",
    },
    checks=(smoothness,),
    part_of="jin2021.corollary_3",
    rests_on=("jin2021.corollary_3",),
)


GAUSSIAN = claim(
    "jin2021.corollary_3_gaussian",
    "next to Corollary 3",
    "ζ for Gaussian initialisation and degree k",
    """For independent W ~ N(0, σ_w²), B ~ N(0, σ_b²) and φ homogeneous of degree k: ζ(x) = 2^k k!
    (σ_wσ_b)^{2k+1}/(π(σ_b²+σ_w²x²)^{k+1}); Theorem 9(a) is k = 1, the density of kinks k = 0.""",
    latex=r"\zeta(x)=\frac{2^kk!\,(\sigma_w\sigma_b)^{2k+1}}{\pi(\sigma_b^2+\sigma_w^2x^2)^{k+1}}",
    formula="2**k*gamma(k+1)*(sigma_w*sigma_b)**(2*k+1)/(pi*(sigma_b**2 + sigma_w**2*x**2)**(k+1))",
    symbols={"sigma_w": "σ_w", "sigma_b": "σ_b", "x": "x", "k": "degree of homogeneity"},
    controls={
        "2*(sigma_w*sigma_b)**3/(pi*(sigma_b**2 + sigma_w**2*x**2)**2)": "ReLU's for all k",
        "2**k*(sigma_w*sigma_b)**(2*k+1)/(pi*(sigma_b**2 + sigma_w**2*x**2)**(k+1))": "the factorial forgotten",
        "2**k*gamma(k+1)*(sigma_w*sigma_b)**(2*k+1)/(pi*(sigma_w**2 + sigma_b**2*x**2)**(k+1))": "scales swapped",
        "gamma(k+1)*(sigma_w*sigma_b)**(2*k+1)/(pi*(sigma_b**2 + sigma_w**2*x**2)**(k+1))": "the power of two",
    },
    checks=(gaussian, bins_gaussian),
    part_of="jin2021.corollary_3",
    rests_on=("jin2021.corollary_3",),
    own=True,
)
