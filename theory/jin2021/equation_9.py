"""Equation (9) and the step size of Theorem 4: the linearised network's residual, mode by mode."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from implicitbias.claims import (
    Context,
    Interval,
    Observation,
    Premise,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.vectors import dot, rank
from implicitbias.theorems.rules.sequences.recurrence import Descent

from ..observed.data.draws import of_any_size
from ..observed.training.exact_training import Small, critical_step, gram, jacobian, largest_eigenvalue, small


def symmetric(draw: Any, units: int, a: Fraction) -> Small:
    """A network that is even in x, so that K(a, a) = K(-a, -a) and the modes of data at ±a are known."""
    half = small(draw, units, (a, -a))
    w, b, v = half.w + tuple(-w for w in half.w), half.b * 2, half.v * 2
    return Small(w, b, v, half.c)


@certificate("exact descent of small networks")
def residual_modes(context: Context) -> Observation:
    """Residuals of linearised even networks, whose modes at ±a, (1, 1) and (1, -1), and at a, 0, -a, (1, 0, -1), are
    rational: descent of all parameters in fractions."""
    draw = context.random()
    for case in range(context.choose(10, 50)):
        a = Fraction(draw.randint(1, 9), draw.randint(1, 4))
        network = symmetric(draw, 1 + case % 3, a)
        three = case % 3 == 2 and network.is_smooth_at((0,))
        x = (a, Fraction(0), -a) if three else (a, -a)
        rows = jacobian(network, x)
        K = gram(rows)
        y = [Fraction(draw.randint(-9, 9), 2) for _ in x]
        start = [network(z) - b for z, b in zip(x, y, strict=True)]
        eta = Fraction(1, draw.randint(1, 3) * (1 + int(K[0][0] + abs(K[0][-1]))))
        steps = (0, 1, 2, 5, 11)
        history = _residuals(rows, start, eta, steps[-1])
        for sign in (-1,) if three else (1, -1):
            lam = K[0][0] + sign * K[0][-1]
            for t in steps:
                r0, r = ((h[0] + sign * h[-1]) / 2 for h in (history[0], history[t]))
                if r0 != 0 and lam != 0:
                    yield seen(r, f"{len(x)} points, {len(network.w)} units, t = {t}", r=r0, eta=eta, lam=lam, t=t)


def _residuals(rows: Any, start: Sequence[Fraction], eta: Fraction, steps: int) -> list[list[Fraction]]:
    """f^lin(X, ω_t) - y for t = 0, 1, …, by descent on the parameters."""
    delta = [Fraction(0)] * len(rows[0])
    history = [list(start)]
    for _ in range(steps):
        r = history[-1]
        delta = [d - eta * sum(q * row[k] for q, row in zip(r, rows, strict=True)) for k, d in enumerate(delta)]
        history.append([s + dot(delta, row) for s, row in zip(start, rows, strict=True)])
    return history


@theorem("descent of one mode")
def modes() -> Observation:
    """The residual along an eigenvector descends on its half square at the rate ηλ, from any residual, to any label."""
    yield shows(
        Descent("t", loss="squared_loss(y + r, y)", over="r", rate="eta*lam", start="r_0"),
        for_all={
            "r_0": "real",
            "y": "real",
            "eta": "positive",
            "lam": "nonnegative",
            "t": "nonnegative integer",
        },
        words=("ω ← ω - ηJᵀr makes r ← r - ηJJᵀr: along a unit eigenvector of JJᵀ descent at the rate ηλ",),
        r="r_0",
        eta="eta",
        lam="lam",
        t="t",
    )


def _resized(network: Small, size: Fraction) -> Small:
    """All weights and biases of the units times the size."""
    w, b, v = (tuple(size * e for e in part) for part in (network.w, network.b, network.v))
    return Small(w, b, v, network.c)


def _with_ends(network: Small, x: Sequence[Fraction], size: Fraction) -> Small:
    """With two more units, each active at one end of the data alone: two large eigenvalues side by side."""
    ends = ((size, (x[-1] + x[-2]) / 2, x[-1] - x[-2]), (-size, (x[0] + x[1]) / 2, x[1] - x[0]))
    units = [(w / gap, -w / gap * kink) for w, kink, gap in ends]
    w, b = (network.w + tuple(u[0] for u in units), network.b + tuple(u[1] for u in units))
    return Small(w, b, (*network.v, Fraction(0), Fraction(0)), network.c)


def _three_modes(size: Fraction) -> tuple[Small, list[Fraction]]:
    """Three units and data with eigenvalues so near each other that the trace is more than twice the greatest."""
    w, kinks = (-size * Fraction(2, 3), 8 * size, size * Fraction(2, 7)), (Fraction(0), Fraction(9, 8), Fraction(-3, 2))
    b = tuple(-slope * kink for slope, kink in zip(w, kinks, strict=True))
    return Small(w, b, (Fraction(0),) * 3, Fraction(0)), [Fraction(-2), Fraction(1), Fraction(5, 4)]


@certificate("powers of I - ηK in balls", time_limit=60)
def critical_steps(context: Context) -> Observation:
    """The step size at which descent begins to diverge, within a millionth, by running it at steps that provably
    converge or diverge; λ_max by the signs of pivots."""
    draw = context.random()
    networks = 0
    count = context.choose(20, 30)
    for case in range(count + 30):
        m = 2 + case % 2 if case < count else 1  # one point: the trace is the eigenvalue
        x = sorted(draw.sample([Fraction(i, 4) for i in range(-9, 10)], m))
        network = _resized(small(draw, 3 + case % 3, x), of_any_size(draw, -4, 1))
        if m == 1:  # a large kernel, of which the output layer has little, or all but the bias's 1
            network = Small(network.w, network.b, tuple((case % 3 % 2) * 8 * v for v in network.v), network.c)
        if case % 3 == 0 and m > 1:
            network = _with_ends(network, x, of_any_size(draw, 2, 6))
        if case % 5 == 1 and m > 1:
            network, x, m = *_three_modes(of_any_size(draw, 3, 7)), 3
        K, out = gram(jacobian(network, x)), gram(jacobian(network, x, "v"))
        if rank(out) < m:
            continue  # a mode that never moves
        lam, lam_out = Interval(*largest_eigenvalue(K)), Interval(*largest_eigenvalue(out))
        T = sum(K[i][i] for i in range(m))
        label = f"{m} point{'s' if m > 1 else ''}, {len(network.w)} units"
        yield seen(Interval(*critical_step(K)), f"{label}: all parameters", lam=lam, lam_out=lam_out, T=T)
        # K_out <= K: a step that converges for all parameters converges for the output layer
        good = critical_step(out)[0] * (1 + Fraction(1, 2**19))
        yield seen(good, f"{label}: output layer, at least", relation=">=", lam=lam, lam_out=lam_out, T=T)
        networks += 1
    yield Premise("at least four networks", networks >= 4, f"{networks}")


EQUATION_9 = claim(
    "jin2021.equation_9",
    "Equations (8) and (9)",
    "The residual of the linearised network, mode by mode",
    """Gradient descent (9) on the linearised network multiplies the residual f^lin(X, ω_t) - Y by I - ηJJᵀ at each step
    (L is the sum of ½(f-y)² over the data, not their mean): along an eigenvector of JJᵀ = nΘ̂_n with eigenvalue λ it is
    multiplied by (1 - ηλ)^t in t steps.""",
    latex=r"r_t=(1-\eta\lambda)^t\,r_0",
    formula="r*(1 - eta*lam)**t",
    symbols={"r": "the mode's residual at t = 0", "eta": "η", "lam": "λ, eigenvalue of JJᵀ", "t": "steps"},
    controls={
        "r*(1 - 2*eta*lam)**t": "squares without the half",
        "r*exp(-eta*lam*t)": "gradient flow",
        "r/(1 + eta*lam*t)": "ridge with penalty 1/(ηt)",
        "r*(1 - eta*lam)**(t + 1)": "one step more",
    },
    checks=(modes, residual_modes),
    part_of="jin2021.theorem_4_function",
    formerly=("jin2021.equation_3",),
)


THEOREM_4_STEP_SIZE = claim(
    "jin2021.theorem_4_step_size",
    "Theorem 4, the step size",
    "The critical step size 2/λ_max",
    """Descent (9) of all parameters converges for η < 2/(nλ_max(Θ̂_n)) and diverges beyond; the same η serves the
    descent (12) of the output layer, whose kernel is smaller. (nΘ̂_n = JJᵀ, lam its top eigenvalue.)""",
    latex=r"\eta<\frac{2}{n\,\lambda_{\max}(\hat\Theta_n)}",
    formula="2/lam",
    symbols={"lam": "λ_max(JJᵀ)", "lam_out": "largest eigenvalue of the output layer's part", "T": "trace of JJᵀ"},
    domain=("0 < lam_out", "lam_out + 1 <= lam", "lam <= T", "T <= lam**2"),
    # The output bias adds 1 to each of the m² entries: lam >= m, and T <= m·lam. The output layer's part has no
    # negative entry, so it has a top eigenvector u >= 0 of norm 1, and the bias adds (Σu)² >= 1 to its quotient.
    controls={
        "1/lam": "monotone descent of every mode",
        "2/T": "a bound by the trace",
        "2/lam_out": "the output layer's own bound, for all parameters",
        "4/lam": "twice as large",
    },
    checks=(critical_steps,),
    part_of="jin2021.theorem_4_function",
    rests_on=("jin2021.equation_9",),
)
