"""The constants in the rates of Theorem 4, from the closed forms of the limiting kernels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from implicitbias.claims import (
    Claim,
    Context,
    Interval,
    Measured,
    Observation,
    Point,
    Premise,
    Value,
    claim,
    experiment,
    seen,
)

from ..observed.training.linear_trajectories import differences, limits
from ..observed.training.rates import LEVEL, limit_by_run, limit_interval, seeds

CONSTANT_ACCEPTANCE = """Fixed after pilot runs: Gaussian (W, B), widths 2¹¹ to 2¹⁴, 150 networks each (full: 2¹² to
2¹⁵, 400 each), two data sets, E W̄² = 1/16, 1/4 and 4. The limit of n^p times the difference at t = ∞, fitted as L +
b/n over all networks, must hold the formula, at joint level 0.001. UNDECIDED unless every limit is known to 10%."""


def constant_jobs(context: Context) -> Sequence[Point]:
    """Widths large enough that what is left is linear in 1/n; two data sets, three sizes of the output weights."""
    exponents, count = context.choose((range(11, 15), 150), (range(12, 16), 400))
    return [
        {
            "n": 2**k,
            "count": count,
            "seed": seeds(context.seed, 5, i, 2**k, count=1)[0],
            "law": "gaussian",
            "data": data,
            "second": second,
            "ntk": False,
        }
        for i, (data, second) in enumerate((("zigzag", 1 / 16), ("shifted", 1 / 4), ("zigzag", 4.0)))
        for k in exponents
    ]


def _constants(
    quantities: Mapping[str, str], power: Fraction, names: Sequence[str]
) -> Callable[[Context], Observation]:
    """n^power times the difference at t = ∞, extrapolated in 1/n; `quantities`: what is observed -> its limit."""

    def observe(context: Context) -> Observation:
        jobs = list(zip(constant_jobs(context), context.outputs, strict=True))
        cases = sorted({(job["data"], job["second"]) for job, _ in jobs}, reverse=True)
        worst = 0.0
        for data, second in cases:
            known = limits(data)
            for what, form in quantities.items():
                widths, values = [], []
                for job, out in jobs:
                    if (job["data"], job["second"]) == (data, second):
                        values += [float(e) * job["n"] ** float(power) for e in out[what]]
                        widths += [job["n"]] * len(out[what])
                interval = limit_interval(widths, values, LEVEL, len(cases) * len(quantities))
                given: dict[str, Value] = {"S": Fraction(second)}
                given |= {name: _rounded(known[form if name == "Q" else name]) for name in names}
                label = f"{what}, {data} data, E W̄² = {second:g}"
                yield seen(interval, label, by_run=limit_by_run(widths, values), **given)
                centre = float(interval.lower + interval.upper) / 2
                worst = max(worst, float(interval.width) / 2 / abs(centre))
                yield Measured(label, centre)
        yield Premise("every constant is known to 10%", worst < 0.1, f"±{worst:.3f}")

    return observe


def _rounded(number: float) -> Interval:
    """The closed form's value with room for rounding in float64."""
    return Interval.around(number, 1e-9 * (1 + abs(number)))


def _constant_claim(
    place: str,
    title: str,
    statement: str,
    latex: str,
    formula: str,
    symbols: Mapping[str, str],
    controls: dict[str, str],
    quantities: Mapping[str, str],
    power: Fraction,
    rests_on: str,
) -> Claim:
    return claim(
        f"jin2021.{place}",
        "next to Theorem 4",
        title,
        statement,
        latex=latex,
        formula=formula,
        symbols={"S": "E W̄², with W² = √(1/n) W̄", **symbols},
        controls=controls,
        checks=(
            experiment(
                "widths extrapolated",
                constant_jobs,
                differences,
                acceptance=CONSTANT_ACCEPTANCE,
                about="the limit over widths, against the closed forms of E[HH'] and E[φφ']",
                shared="jin2021, constants of Theorem 4",
            )(_constants(quantities, power, tuple(symbols))),
        ),
        part_of="jin2021.theorem_4_function",
        rests_on=(rests_on,),
        own=True,
    )


INPUT = _constant_claim(
    "theorem_4_constants_input",
    "The constants of Theorem 4: input weights and biases",
    "With f(·, θ₀) = 0 and c = K⁻¹y, n‖ΔW¹‖ at t = ∞ tends to √(E W̄² · cᵀ(E[HH']∘xxᵀ)c), and n‖Δb¹‖ to √(E W̄² · "
    "cᵀE[HH']c): for ΔW¹ = J_Wᵀ(JJᵀ)⁻¹y, JJᵀ/n → K and J_W J_Wᵀ → E W̄² E[HH']∘xxᵀ.",
    r"n\|\Delta W^{(1)}\|\to\sqrt{\mathbb E\bar W^2\;c^\top(\mathbb E[HH^\top]\circ xx^\top)c},\quad c=K^{-1}y",
    "sqrt(S*Q)",
    {"Q": "cᵀ(E[HH']∘xxᵀ)c for the weights, cᵀE[HH']c for the biases"},
    {
        "S*sqrt(Q)": "E W̄² itself",
        "sqrt(Q)": "as if W̄ had variance 1",
        "sqrt(Q/S)": "the size of the output weights the wrong way",
        "sqrt(S*Q/2)": "half of the units active",
    },
    {"input weights at the end": "w", "input biases at the end": "b"},
    Fraction(1),
    "jin2021.theorem_4_input_weights",
)


OUTPUT = _constant_claim(
    "theorem_4_constants_output",
    "The constant of Theorem 4: output weights",
    "With g = (E[HH']∘(1+xxᵀ))c the distance of the output weights, times n^{3/2}, tends at t = ∞ to √(dᵀKd), d = "
    "K⁻¹(E W̄²·g + 1·1ᵀc): a quadratic in E W̄² with A = gᵀK⁻¹g, B = 1ᵀc·gᵀK⁻¹1, D = (1ᵀc)²·1ᵀK⁻¹1.",
    r"n^{3/2}\|\hat W^{(2)}-\tilde W^{(2)}\|\to\sqrt{S^2A+2SB+D}",
    "sqrt(S**2*A + 2*S*B + D)",
    {"A": "gᵀK⁻¹g", "B": "1ᵀc·gᵀK⁻¹1", "D": "(1ᵀc)²·1ᵀK⁻¹1"},
    {
        "S*sqrt(A)": "the output bias forgotten",
        "sqrt(S**2*A + D)": "the two contributions as if orthogonal",
        "sqrt(S*A + 2*S*B + D)": "one power of E W̄²",
        "sqrt(A + 2*B + D)": "as if W̄ had variance 1",
    },
    {"output weights at the end": "A"},
    Fraction(3, 2),
    "jin2021.theorem_4_output_weights",
)


FUNCTION = _constant_claim(
    "theorem_4_constants_function",
    "The constant of Theorem 4: the functions",
    "n(f^lin(x, ω_t) - f^lin(x, ω̃_t)) tends at t = ∞ to E W̄²·F + G: with K₁ = E W̄²·E[HH'](1+xx') + 1 it is "
    "K₁(x, X)c - K(x, X)K⁻¹K₁c, c = K⁻¹y.",
    r"n\,(f^{lin}(x,\omega_\infty)-f^{lin}(x,\tilde\omega_\infty))\to K_1(x,X)c-K(x,X)K^{-1}K_1c",
    "S*F + G",
    {"F": "the hidden layer's part at E W̄² = 1", "G": "the output bias's part"},
    {
        "S*F": "the output bias forgotten",
        "F + G": "as if W̄ had variance 1",
        "sqrt(S)*F + G": "the standard deviation of W̄",
        "S*F - G": "the sign of the output bias's part",
    },
    {"end at one place": "F"},
    Fraction(1),
    "jin2021.theorem_4_function",
)
