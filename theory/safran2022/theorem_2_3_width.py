"""Theorem 2.3: its constants are those of Theorem 3.1 and of Corollary 5.1 at half the confidence parameter."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Derivation, Observation, certificate, claim, proof, seen
from implicitbias.exact.formula import Assumption, parse

STAGE = "6144*R**4*log(24*r/delta)/rho"
"""The width of Theorem 3.1, equation (3)."""

OTHERS = {
    "the hidden scale": (
        "4200*n**2*C*R**3.5*sqrt(r*k)/(delta*rho)",
        "8400*n**2*C*R**3.5*sqrt(r*k)/(delta*rho)",
    ),
    "the output scale": ("1/(4*k*R*s*log(6*k/delta))", "1/(4*k*R*s*log(12*k/delta))"),
    "the sample size": ("C0*(r*log(1/eps) + log(1/delta))/eps", "C0*(r*log(1/eps) + log(2/delta))/eps"),
}
"""As printed for the stage (Theorem 3.1, Corollary 5.1), and in Theorem 2.3."""

SYMBOLS = {
    "r": "width of the teacher",
    "R": "the data lie in [-R, R]",
    "rho": "length of the shortest interval",
    "delta": "confidence parameter δ of Theorem 2.3",
}


@proof("half the confidence parameter")
def halved(d: Derivation) -> None:
    """The constants of both stages as printed there, with δ/2 for δ, for all values."""
    from implicitbias.exact.symbolic import from_sympy, symbol, to_sympy

    delta = symbol("delta", "positive")
    variables: dict[str, Assumption] = dict.fromkeys(SYMBOLS, "positive")
    letters: dict[str, Assumption] = dict.fromkeys((*SYMBOLS, "n", "k", "s", "C", "C0", "eps"), "positive")
    d.step("each stage may fail with probability δ/2; by the union bound both succeed with 1 - δ", STAGE)
    for name, (stage, whole) in OTHERS.items():
        d.identity(f"{name} at δ/2", to_sympy(stage, letters).subs(delta, delta / 2), to_sympy(whole, letters))
    derived = to_sympy(STAGE, variables).subs(delta, delta / 2)
    d.concludes(from_sympy(derived), "δ/2 for δ", over=variables, **{name: name for name in SYMBOLS})


@certificate("at numbers")
def evaluated(context: Context) -> Observation:
    """The width of Theorem 3.1 at δ/2 in balls, for three settings."""
    from implicitbias.exact.enclosure import evaluate

    for r, R, rho, delta in (
        (1, 1, Fraction(1), Fraction(1, 2)),
        (3, 1, Fraction(1, 2), Fraction(1, 10)),
        (4, 2, Fraction(1, 3), Fraction(1, 100)),
    ):
        numbers = {"r": Fraction(r), "R": Fraction(R), "rho": rho, "delta": delta}
        yield seen(evaluate(parse(STAGE, tuple(numbers)), {**numbers, "delta": delta / 2}), **numbers)


WIDTH = claim(
    "safran2022.theorem_2_3_width",
    "Theorem 2.3",
    "The constants of Theorem 2.3",
    """Theorem 3.1 at δ/2 asks for the width k >= 6144·R⁴·log(48r/δ)/ρ, that of Theorem 2.3; likewise its σ_h and σ_o
    are those of Theorem 3.1 at δ/2, and its n is that of Corollary 5.1 at δ/2.""",
    latex=r"k\ge 6144\,\frac{R^4\log(48r/\delta)}{\rho}",
    formula="6144*R**4*log(48*r/delta)/rho",
    symbols=SYMBOLS,
    controls={
        STAGE: "the union bound over the two stages left out",
        "6144*R**4*log(12*r/delta)/rho": "δ doubled instead of halved",
        "12288*R**4*log(24*r/delta)/rho": "the factor outside the logarithm",
    },
    checks=(halved, evaluated),
    part_of="safran2022.theorem_2_3",
    formerly=(
        "safran2022.theorem_2_3_sample_size",
        "safran2022.theorem_2_3_hidden_scale",
        "safran2022.theorem_2_3_output_scale",
    ),
)
