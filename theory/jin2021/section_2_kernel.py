"""Section 2: the empirical tangent kernel Θ̂_n, its mean and its fluctuations, in both parametrisations."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Identity, Instance, Premise, Value
from implicitbias.claims.statement import OWN_RESULT, Claim, Control, Source

from .observed.exact_training import Small, derivative
from .section_2_sizes import Pair, random_law, relu


def _cases(
    context: Context, widths: tuple[int, ...], count: int
) -> Iterator[tuple[int, list[Pair], list[Fraction], Fraction, Fraction]]:
    """Width, law of (W, B), values of W̄, and two inputs at which no unit has its kink."""
    draw = context.random()
    for case in range(count):
        n = widths[case % len(widths)]
        outer = [Fraction(draw.randint(1, 3)) * s for s in (1, -1)]
        while True:
            law = random_law(draw, 1 if n > 3 else 2)
            x, z = Fraction(draw.randint(-6, 6), 3), Fraction(draw.randint(-6, 6), 2)
            # every other case has units that are active at both inputs
            if case % 4 < 2 or any(w * x + b > 0 and w * z + b > 0 for w, b in law):
                break
        yield n, law, outer, x, z


def _given(n: int, law: list[Pair], outer: list[Fraction], x: Fraction, z: Fraction) -> dict[str, Value]:
    size = len(law)
    return {
        "n": n,
        "x": x,
        "z": z,
        "K": sum(relu(w * x + b) * relu(w * z + b) for w, b in law) / size,
        "S": sum(v * v for v in outer) / len(outer),
        "H": Fraction(sum(w * x + b > 0 and w * z + b > 0 for w, b in law), size),
    }


def _mean_kernel(context: Context, ntk: bool) -> Evidence:
    """Σ over the parameters of rate·∂f(x)/∂θ·∂f(z)/∂θ, by difference quotients, over every network of a finite law."""
    instances = []
    for n, law, outer, x, z in _cases(context, (1, 4), context.choose(14, 40)):
        root = {1: 1, 4: 2}[n]
        total, count = Fraction(0), 0
        for units in itertools.combinations_with_replacement(list(itertools.product(law, outer)), n):
            weight = _orderings(units)
            network = Small(
                tuple(w for (w, _), _ in units),
                tuple(b for (_, b), _ in units),
                tuple(v / root for _, v in units),
                Fraction(0),
            )
            for parameter in network.parameters:
                at_x, at_z = (derivative(lambda net, p=p: net(p), network, parameter) for p in (x, z))  # type: ignore[misc]
                # NTK: v = √(1/n) ṽ moves at the rate 1/n, the others at 1; standard: all at 1, and Θ̂ has 1/n in front
                rate = (Fraction(1, n) if parameter[0] == "v" else Fraction(1)) if ntk else Fraction(1, n)
                total += weight * rate * at_x * at_z
            count += weight
        instances.append(Instance(f"width {n}, x = {x}, x' = {z}", _given(n, law, outer, x, z), total / count))
    wide = sum(i.given["n"] != 1 and i.given["H"] != 0 for i in instances)
    return Evidence(
        instances=tuple(instances),
        premises=(Premise("wider networks with units active at both inputs are among them", wide >= 3, f"{wide}"),),
    )


def _orderings(units: tuple[Any, ...]) -> int:
    """In how many orders these units can be drawn."""
    from math import factorial

    count = factorial(len(units))
    for unit in set(units):
        count //= factorial(units.count(unit))
    return count


def mean_standard(context: Context) -> Evidence:
    """E Θ̂_n(x, x') in the standard parametrisation."""
    return _mean_kernel(context, ntk=False)


def mean_ntk(context: Context) -> Evidence:
    """The mean tangent kernel in the NTK parametrisation."""
    return _mean_kernel(context, ntk=True)


def fluctuations(context: Context) -> Evidence:
    """E(K_n - K)² for K_n = (1/n)Σφ_i(x)φ_i(x'), over every network of a finite law."""
    draw = context.random()
    instances = []
    for case in range(context.choose(16, 60)):
        n, law = 1 + case % 5, random_law(draw, 2 + case % 2)
        x, z = Fraction(draw.randint(-6, 6), 3), Fraction(draw.randint(-6, 6), 2)
        products = [relu(w * x + b) * relu(w * z + b) for w, b in law]
        mean = sum(products, Fraction(0)) / len(law)
        total, count = Fraction(0), 0
        for drawn in itertools.product(products, repeat=n):
            total += (sum(drawn, Fraction(0)) / n - mean) ** 2
            count += 1
        given: dict[str, Value] = {"n": n, "K": mean, "Q": sum(p * p for p in products) / len(law)}
        instances.append(Instance(f"width {n}, x = {x}, x' = {z}", given, total / count))
    return Evidence(instances=tuple(instances))


def _derive(ntk: bool) -> Evidence:
    """The four groups of parameters, each by linearity of the expectation."""
    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    n, K, S, H = symbol("n", "positive"), symbol("K"), symbol("S", "positive"), symbol("H", "nonnegative")
    x, z, d = symbol("x"), symbol("z"), Derivation()
    common = 1 if ntk else 1 / n
    output = n * K * (1 / n if ntk else common)
    d.step("output weights: n units of mean E[φ(x)φ(x')]", f"{output}")
    hidden = n * (S / n) * H * common
    d.step("input weights and biases: W² has the variance E W̄²/n", f"{hidden * x * z} and {hidden}")
    d.step("output bias", f"{common}")
    total = output + hidden * (1 + x * z) + common
    variables: dict[str, Any] = {
        "n": "positive",
        "K": "real",
        "S": "positive",
        "H": "nonnegative",
        "x": "real",
        "z": "real",
    }
    identity = Identity("every width", variables, {name: name for name in variables}, from_sympy(total))
    return Evidence(identities=(identity,), steps=d.steps)


def derive_standard(context: Context) -> Evidence:
    return _derive(ntk=False)


def derive_ntk(context: Context) -> Evidence:
    return _derive(ntk=True)


KERNEL = {
    "K": "E[Wx+B]_+[Wx'+B]_+",
    "S": "E W̄²",
    "H": "P(both units active)",
    "x": "x",
    "z": "x'",
    "n": "width",
}

CLAIMS = (
    Claim(
        id="jin2021.tangent_kernel",
        source=Source("jin2021", "Section 2, Θ̂_n"),
        title="The mean tangent kernel in the standard parametrisation",
        statement=(
            "For Θ̂_n = (1/n)∇f∇fᵀ: E Θ̂_n(x, x') = K + (E W̄²·P(both active)(1 + xx') + 1)/n with K = "
            "E[Wx+B]_+[Wx'+B]_+. Only the output weights' part stays as n grows; the others are of order 1/n."
        ),
        latex=r"\mathbb E\hat\Theta_n(x,x')=K+\tfrac1n\big(\mathbb E\bar W^2\,\mathbb E[HH'](1+xx')+1\big)",
        formula="K + (S*H*(1 + x*z) + 1)/n",
        symbols=KERNEL,
        controls=(
            Control("K + S*H*(1 + x*z) + 1", "the NTK parametrisation's"),
            Control("K", "the output weights alone"),
            Control("K + S*H*(1 + x*z)/n", "the output bias forgotten"),
            Control("K + (S*H*x*z + 1)/n", "the input biases forgotten"),
        ),
        checks=(
            Check("group by group", Kind.PROOF, derive_standard, "the mean of each block"),
            Check(
                "every network",
                Kind.CERTIFICATE,
                mean_standard,
                "gradients of all networks of a finite law by difference quotients",
            ),
        ),
    ),
    Claim(
        id="jin2021.tangent_kernel_ntk",
        source=Source("jin2021", "Section 2, the NTK parametrization"),
        title="The mean tangent kernel in the NTK parametrisation",
        statement=(
            "With √(1/n) outside of what is trained and one learning rate for all parameters, the mean kernel is K + E "
            "W̄²·P(both active)(1 + xx') + 1 at every width: another kernel than the standard parametrisation's limit "
            "K, so the two descend to different functions."
        ),
        latex=r"K+\mathbb E\bar W^2\,\mathbb E[HH'](1+xx')+1",
        rests_on=("jin2021.tangent_kernel",),
        formula="K + S*H*(1 + x*z) + 1",
        symbols=KERNEL,
        controls=(
            Control("K + (S*H*(1 + x*z) + 1)/n", "the standard parametrisation's"),
            Control("K", "both tend to the same kernel"),
            Control("n*K + S*H*(1 + x*z) + 1", "the factor of the output weights forgotten"),
            Control("K + S*H*(1 + x*z)", "the output bias forgotten"),
        ),
        checks=(
            Check("group by group", Kind.PROOF, derive_ntk, "the mean of each block"),
            Check(
                "every network",
                Kind.CERTIFICATE,
                mean_ntk,
                "gradients of all networks of a finite law by difference quotients",
            ),
        ),
    ),
    Claim(
        id="jin2021.tangent_kernel_fluctuations",
        source=Source(OWN_RESULT, "beside Section 2, Θ̂_n"),
        title="How far the output weights' kernel is from its limit",
        statement=(
            "For K_n = (1/n)Σ[W_ix+B_i]_+[W_ix'+B_i]_+: E(K_n - K)² = (E[φ²φ'²] - K²)/n exactly. The kernel converges "
            "like n^{-1/2}, given the fourth moments of (W, B), and so does all that depends on it smoothly (Theorem "
            "5)."
        ),
        latex=r"\mathbb E(K_n-K)^2=\tfrac1n\big(\mathbb E[\phi^2\phi'^2]-K^2\big)",
        hypotheses=("fourth moments of (W, B)",),
        formula="(Q - K**2)/n",
        symbols={"Q": "E[φ(x)²φ(x')²]", "K": "E[φ(x)φ(x')]", "n": "width"},
        controls=(
            Control("Q/n", "not centred"),
            Control("(Q - K**2)/n**2", "a rate of 1/n"),
            Control("(Q - K**2)/sqrt(n)", "a rate of n^{-1/4}"),
            Control("(Q + K**2)/n", "Wick's rule for Gaussians"),
        ),
        checks=(Check("every network", Kind.CERTIFICATE, fluctuations, "all networks of a finite law, in fractions"),),
    ),
)
