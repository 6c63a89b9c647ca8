"""Theorem 2.3: its constants are those of Theorem 3.1 and of Corollary 5.1 at half the confidence parameter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from implicitbias.claims import Claim, Context, Derivation, Observation, certificate, claim, proof, seen
from implicitbias.exact.formula import Assumption

WHOLE = "the union bound over the two stages left out"


def halved(printed: str, symbols: tuple[str, ...]) -> Callable[[Derivation], None]:
    """The constant of the stage, as printed there, with δ/2 for δ."""

    def derive(d: Derivation) -> None:
        from implicitbias.exact.symbolic import from_sympy, symbol, to_sympy

        variables: dict[str, Assumption] = dict.fromkeys(symbols, "positive")
        d.step("each stage may fail with probability δ/2; by the union bound both succeed with 1 - δ", printed)
        derived = to_sympy(printed, variables).subs(symbol("delta", "positive"), symbol("delta", "positive") / 2)
        d.concludes(from_sympy(derived), "δ/2 for δ", over=variables, **{name: name for name in symbols})

    return derive


def evaluated(printed: str, symbols: tuple[str, ...]) -> Callable[[Context], Observation]:
    """The same at numbers, in balls."""

    def observe(context: Context) -> Observation:
        from implicitbias.exact.enclosure import evaluate
        from implicitbias.exact.formula import parse

        for given in VALUES:
            numbers = {name: given[name] for name in symbols}
            at_half = evaluate(parse(printed, symbols), {**numbers, "delta": numbers["delta"] / 2})
            yield seen(at_half, **numbers)

    return observe


def _values(r: int, R: int, rho: Fraction, delta: Fraction, n: int, k: int, eps: Fraction) -> dict[str, Fraction]:
    whole = {"r": r, "R": R, "n": n, "k": k, "C": 1, "s": 10**6, "C0": 7}
    return {name: Fraction(value) for name, value in whole.items()} | {"rho": rho, "delta": delta, "eps": eps}


VALUES = (
    _values(1, 1, Fraction(1), Fraction(1, 2), 10, 24_000, Fraction(1, 2)),
    _values(3, 1, Fraction(1, 2), Fraction(1, 10), 10, 90_000, Fraction(1, 10)),
    _values(4, 2, Fraction(1, 3), Fraction(1, 100), 50, 130_000, Fraction(1, 100)),
)


def constant(
    place: str,
    title: str,
    statement: str,
    latex: str,
    printed: str,
    formula: str,
    symbols: Mapping[str, str],
    controls: dict[str, str],
) -> Claim:
    names = tuple(symbols)
    return claim(
        f"safran2022.theorem_2_3_{place}",
        "Theorem 2.3",
        title,
        statement,
        latex=latex,
        formula=formula,
        symbols=symbols,
        controls=controls,
        checks=(
            proof(
                "half the confidence parameter",
                about="the constant printed for the stage, with δ/2 in the place of δ, for all values",
            )(halved(printed, names)),
            certificate("at numbers", about="the same in balls at three settings")(evaluated(printed, names)),
        ),
        part_of="safran2022.theorem_2_3",
    )


SAMPLE_SIZE = constant(
    "sample_size",
    "The sample size of Theorem 2.3",
    "Corollary 5.1 at δ/2 asks for n >= C0·(r·log(1/ε) + log(2/δ))/ε, the sample size of Theorem 2.3.",
    r"n\ge C_0\frac{r\log(1/\varepsilon)+\log(2/\delta)}{\varepsilon}",
    "C0*(r*log(1/eps) + log(1/delta))/eps",
    "C0*(r*log(1/eps) + log(2/delta))/eps",
    {
        "r": "width of the teacher",
        "eps": "error",
        "delta": "confidence parameter δ of Theorem 2.3",
        "C0": "the universal constant",
    },
    {
        "C0*(r*log(1/eps) + log(1/delta))/eps": WHOLE,
        "C0*(r*log(2/eps) + log(1/delta))/eps": "the error halved in the place of the confidence",
        "C0*(r*log(1/eps) + 2*log(1/delta))/eps": "the factor outside the logarithm",
    },
)


WIDTH = constant(
    "width",
    "The width of Theorem 2.3",
    "Theorem 3.1 at δ/2 asks for the width k >= 6144·R⁴·log(48r/δ)/ρ, that of Theorem 2.3.",
    r"k\ge 6144\,\frac{R^4\log(48r/\delta)}{\rho}",
    "6144*R**4*log(24*r/delta)/rho",
    "6144*R**4*log(48*r/delta)/rho",
    {
        "r": "width of the teacher",
        "R": "the data lie in [-R, R]",
        "rho": "length of the shortest interval",
        "delta": "confidence parameter δ of Theorem 2.3",
    },
    {
        "6144*R**4*log(24*r/delta)/rho": WHOLE,
        "6144*R**4*log(12*r/delta)/rho": "doubled in the place of halved",
        "12288*R**4*log(24*r/delta)/rho": "the factor outside the logarithm",
    },
)


HIDDEN_SCALE = constant(
    "hidden_scale",
    "The hidden scale of Theorem 2.3",
    "Theorem 3.1 at δ/2 asks for σ_h >= 8400·n²·C·R^{7/2}·√(rk)/(δρ), that of Theorem 2.3.",
    r"\sigma_h\ge 8400\,\frac{n^2CR^{3.5}\sqrt{rk}}{\delta\rho}",
    "4200*n**2*C*R**3.5*sqrt(r*k)/(delta*rho)",
    "8400*n**2*C*R**3.5*sqrt(r*k)/(delta*rho)",
    {
        "r": "width of the teacher",
        "R": "the data lie in [-R, R]",
        "rho": "length of the shortest interval",
        "delta": "confidence parameter δ of Theorem 2.3",
        "n": "sample size",
        "k": "width of the network",
        "C": "bound on the density",
    },
    {
        "4200*n**2*C*R**3.5*sqrt(r*k)/(delta*rho)": WHOLE,
        "8400*n*C*R**3.5*sqrt(r*k)/(delta*rho)": "one power of the sample size",
        "8400*n**2*C*R**3.5*sqrt(r*k)/delta": "the shortest interval forgotten",
    },
)


OUTPUT_SCALE = constant(
    "output_scale",
    "The output scale of Theorem 2.3",
    "Theorem 3.1 at δ/2 allows σ_o <= 1/(4kRσ_h·log(12k/δ)), that of Theorem 2.3.",
    r"\sigma_o\le\frac1{4kR\sigma_h\log(12k/\delta)}",
    "1/(4*k*R*s*log(6*k/delta))",
    "1/(4*k*R*s*log(12*k/delta))",
    {
        "k": "width of the network",
        "R": "the data lie in [-R, R]",
        "s": "the hidden scale σ_h",
        "delta": "confidence parameter δ of Theorem 2.3",
    },
    {
        "1/(4*k*R*s*log(6*k/delta))": WHOLE,
        "1/(8*k*R*s*log(6*k/delta))": "the factor outside the logarithm",
        "1/(4*k*R*s*log(3*k/delta))": "doubled in the place of halved",
    },
)
