"""Equation (9): entropy in place of the potential."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise

from implicitbias.claims import (
    Context,
    Flaw,
    Interval,
    Observation,
    Premise,
    Rule,
    Step,
    Value,
    certificate,
    claim,
    rule,
    seen,
)
from implicitbias.exact.formula import parse

from ..observed.measures.entropic_problems import problems
from . import errata


@certificate("masses enclosed by a duality gap")
def density(context: Context) -> Observation:
    """Masses of minimisers on grids relative to that of the idle parameter (0, 0), in ball arithmetic."""
    from implicitbias.exact.enclosure import evaluate

    gaps, positive = [], True
    quotient = parse("m/o", ("m", "o"))
    for problem in problems(context.choose(True, False)):
        solution = problem.solved()
        gaps.append(solution.gap)
        positive = positive and all(m.lower > 10**6 * m.width for m in solution.masses)
        idle = next(k for k, (c, t) in enumerate(problem.grid) if not c and not any(t))
        chosen = [k for k in range(len(problem.grid)) if k % 7 == 0 or k == idle]
        for k in chosen:
            features = [row[k] for row in problem.features]
            pull = _combined(features, solution.residuals, len(problem.y))
            ratio = evaluate(quotient, {"m": solution.masses[k], "o": solution.masses[idle]})
            yield seen(
                ratio,
                f"{problem.label}, (c, θ) = {_shown(problem.grid[k])}",
                P=pull,
                W=problem.potential[k],
                tau=problem.tau,
                lam=problem.lam,
                n=len(problem.y),
            )
    yield Premise("duality gaps below 1e-100", max(gaps) < 1e-100, f"{max(gaps):.0e}")
    yield Premise("every mass is positive, a million times the width of its enclosure", positive)
    yield Step("any dual point bounds the minimum from below, and the gap bounds KL(μ, μ*): masses to forty digits")
    yield Step("stationarity on the simplex", "log μ + (P + τV)/λ = constant")


def _combined(features: list[Fraction], residuals: tuple[Interval, ...], n: int) -> Interval:
    """(1/n) Σ residual_i·φ_i."""
    ends = [sorted((f * r.lower, f * r.upper)) for f, r in zip(features, residuals, strict=True)]
    return Interval(sum((low for low, _ in ends), Fraction(0)) / n, sum((high for _, high in ends), Fraction(0)) / n)


def _shown(at: tuple[Fraction, tuple[Fraction, ...]]) -> str:
    return f"({at[0]}, {', '.join(map(str, at[1]))})"


DENSITY = claim(
    "dedios2020.equation_9",
    "equation (9)",
    "Entropic minimisers have positive density everywhere",
    """With the loss ½(·)², a confining potential τV and Shannon's entropy, the minimiser's density at θ relative to
    that at an idle neuron of potential 0 is exp(-(P + τV)/λ), P = (1/n) Σ (f(x_i) - y_i) φ(θ, x_i): positive at every
    parameter, however small λ. So entropic minimisers are not sparse, as the paper says.""",
    latex=r"""\frac{\mu(\theta)}{\mu(0)}=\exp\Big(-\frac{P(\theta)+\tau V(\theta)}{\lambda}\Big),\quad
    P=\frac1n\sum_i(f(x_i)-y_i)\phi(\theta,x_i)""",
    hypotheses=("ℓ = ½(x-y)²", "confined by τV, τ > 0", "a grid of parameters"),
    domain=("W >= 0", "tau > 0", "lam > 0", "n >= 1"),
    formula="exp(-(P + tau*W)/lam)",
    symbols={"P": "(1/n) Σ (f(x_i) - y_i) φ(θ, x_i)", "W": "V(θ)", "tau": "τ", "lam": "λ", "n": "number of data"},
    controls={
        "Max(0, 1 - (P + tau*W)/lam)": "a density that vanishes where the exponent is large",
        "exp(-P/lam)": "the potential omitted",
        "exp(-tau*W/lam)": "the data omitted",
        "exp(-(P + tau*W)/(2*lam))": "half the exponent",
        "exp(-(P + 10*tau**2*W)/lam)": "the potential with the square of its factor",
        "exp(-(n*P + tau*W)/lam)": "the sum of losses instead of their mean",
    },
    checks=(density,),
    formerly=("dedios2020.equation_9_support",),
)


@certificate("uniform laws that spread")
def existence(context: Context) -> Observation:
    """The objective along uniform laws of c on [-s, s], s = 2, 4, 8, …, and of θ on a unit box, for which f = 0."""
    from implicitbias.exact.enclosure import enclose

    for tau in (Fraction(0), Fraction(1, 100), Fraction(1)):
        for lam in (Fraction(1, 10), Fraction(1), Fraction(5)):
            values = [
                enclose("R + tau*s**2/3 - lam*log(2*s)", R=Fraction(1, 2), tau=tau, lam=lam, s=Fraction(2**k))
                for k in range(1, context.choose(40, 200))
            ]
            steps = [_upper(b) - _lower(a) for a, b in pairwise(values)]
            # unbounded below if every doubling lowers it by a fixed amount; confined if it rises in the end
            for_ever = all(step < -lam * Fraction(69, 100) for step in steps)
            rises = steps[-1] > 0
            if for_ever == rises:
                raise ArithmeticError(
                    "the objective neither falls by a fixed amount at every doubling nor rises in the end"
                )
            yield seen("no minimum" if for_ever else "bounded", tau=tau, lam=lam)
    yield Step("c symmetric and independent of θ: f_μ = 0, so the loss is constant along the family")
    yield Step("the entropy of the uniform law", "H = log(2s) → ∞")
    yield Step("with V = c² + |θ|² it is bounded below on all laws (Gibbs)", "τ⟨V,μ⟩ - λH ≥ -λ((d+2)/2) log(πλ/τ)")
    yield Step("without a potential the objective falls by λ log 2 at every doubling of s; E c² = s²/3 stops it")


def _lower(value: Fraction | Interval) -> Fraction:
    return value.lower if isinstance(value, Interval) else value


def _upper(value: Fraction | Interval) -> Fraction:
    return value.upper if isinstance(value, Interval) else value


@rule("confined")
def _confined(given: Mapping[str, Value]) -> Value:
    """bounded below exactly with a potential τ > 0"""
    return "bounded" if given["tau"] else "no minimum"


EXISTENCE = claim(
    "dedios2020.equation_9_existence",
    "equation (9)",
    "The entropic problem needs confinement",
    """As printed, with the loss and -λH alone on Θ = R^{d+2}, (9) has no minimiser: spreading c over [-s, s],
    independently of θ, leaves f = 0 and lets the entropy log(2s) grow without bound. A potential τV, as in [MMN18],
    prevents this. (If H is the relative entropy, which is not negative, the sign of its term is wrong too.)""",
    latex=r"""\inf_\mu R(\mu)-\lambda\mathcal H(\mu)=-\infty\ \text{on}\ \mathbb R^{d+2};\quad+\tau\langle V,\mu\rangle\
    \text{bounds it}""",
    formula=_confined,
    flaw=Flaw(errata.EQUATION_9, Rule("always", "a minimiser exists as (9) is printed", lambda given: "bounded")),
    controls={
        Rule("never", "never bounded below", lambda given: "no minimum"): "the entropy always wins",
        Rule(
            "small λ",
            "bounded below for λ < 1",
            lambda g: "bounded" if g["lam"] < 1 else "no minimum",  # type: ignore[operator]
        ): "the loss dominates a small entropy",
    },
    checks=(existence,),
    part_of="dedios2020.equation_9",
)
