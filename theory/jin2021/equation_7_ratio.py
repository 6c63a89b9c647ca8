"""Next to equation (7): how far descent is ahead of the smoothing spline of the same time, as a factor."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from implicitbias.claims import Context, Interval, Observation, Premise, certificate, claim, seen

from ..observed.data.draws import evenly
from ..observed.wide.exact_laws import rational_kernels

NARROW = Fraction(1, 10**9)
END = 64
ROUNDING = 1e-9
"""Of eigenvalues and exponentials in doubles, relative."""


def ball(q: Fraction) -> Any:
    import flint

    return flint.arb(flint.fmpq(q.numerator, q.denominator))


def penalty(s: Fraction) -> Any:
    """The c for which the ratio is stationary at s."""
    return ball(s) ** 2 / (ball(s).exp() - 1 - ball(s))


def mean_decay(s: Any) -> Any:
    """(1 - e^{-s})/s, the mean of e^{-us} over [0, 1], which falls in s."""
    return -(-s).expm1() / s


def greatest(c: Any) -> Interval:
    """The greatest (1 - e^{-s})(c + s)/s over s > 0, by branch and bound.

    It is mean_decay(s)·(c + s): on a box [a, b] at most mean_decay(a)·(c + b), or the value in the middle and the
    derivative times half the width; beyond END at most 1 + c/END, near 0 at most c + b.
    """
    from implicitbias.exact.enclosure import from_arb

    boxes, best = [(Fraction(k, 4), Fraction(k + 1, 4)) for k in range(4 * END)], from_arb(1 + c / END).upper
    while True:
        boxes = [half for a, b in boxes for half in ((a, (a + b) / 2), ((a + b) / 2, b))]
        middles = [ball((a + b) / 2) for a, b in boxes]
        values = [from_arb(mean_decay(s) * (c + s)) for s in middles]
        best = max(best, *(value.lower for value in values))
        bounds = []
        for (a, b), middle, value in zip(boxes, middles, values, strict=True):
            if a == 0:
                bounds.append(from_arb(c + ball(b)).upper)
                continue
            half = ball((b - a) / 2)
            s = middle + half.union(-half)
            tilt = from_arb(((-s).exp() * (c + s) - mean_decay(s) * c) / s)
            by_slope = value.upper + max(abs(tilt.lower), abs(tilt.upper)) * (b - a) / 2
            bounds.append(min(by_slope, from_arb(mean_decay(ball(a)) * (c + ball(b))).upper))
        boxes = [box for box, bound in zip(boxes, bounds, strict=True) if bound >= best]
        top = max(best, *bounds)
        if top - best < NARROW or len(boxes) > 4000:
            return Interval(best, top)


def network_ratios(context: Context, times: tuple[Fraction, ...]) -> Iterator[tuple[str, Fraction, float]]:
    """For each kernel and penalty the largest ratio of the norms, on the data, of what gradient flow has fitted to what
    kernel ridge regression fits, over 400 times: y random, and an eigenvector."""
    import numpy as np

    rng = context.rng()
    for name, kernel in rational_kernels():
        x = [Fraction(k, 2) for k in (-4, -2, 0, 2, 4)]
        lam, modes = np.linalg.eigh(np.array([[float(kernel(p, q)) for q in x] for p in x]))
        s = np.geomspace(1e-2, 1e9, 400)[:, None] * lam
        for label, y in (("random y", rng.normal(size=5)), ("y an eigenvector", modes[:, 2])):
            along = modes.T @ y
            for t in times:
                c = float(penalty(t))
                fitted, ridge = -np.expm1(-s) * along, s / (c + s) * along
                ratio = np.linalg.norm(fitted, axis=1) / np.linalg.norm(ridge, axis=1)
                yield f"{name}, {label}", t, float(ratio.max())


@certificate("branch and bound for each penalty")
def ratios(context: Context) -> Observation:
    """sup over s > 0 of (1 - e^{-s})/(s/(c + s)) in balls, for c between 0 and 2; and ratios along trajectories of
    infinitely wide networks, which are at most that."""
    import flint

    before, flint.ctx.prec = flint.ctx.prec, 160
    try:
        narrow = True
        for s in evenly(-3, 3, context.choose(9, 30)):
            found = greatest(penalty(s))
            narrow = narrow and found.width < NARROW
            yield seen(found, f"penalty {float(penalty(s)):.4f}/t", s=s)
        for label, s, ratio in network_ratios(context, (Fraction(1, 4), Fraction(9, 5), Fraction(5))):
            yield seen(Fraction(ratio * (1 - ROUNDING)), label, relation="<=", s=s)
    finally:
        flint.ctx.prec = before
    yield Premise("every supremum is known to 10⁻⁹", narrow)


RATIO = claim(
    "jin2021.equation_7_ratio",
    "next to equation (7)",
    "The factor by which descent is ahead of the smoothing spline",
    """On the data, gradient flow has fitted at every time t at most R times what kernel ridge regression with penalty
    c/t fits; data along one eigenvector of eigenvalue κ attain R = (1-e^{-s})²/(1-(1+s)e^{-s}) at t = s/κ, where c =
    s²/(e^s-1-s), which takes every value from 2 down to 0 as s grows. For the c = 1 of (7) s = 1.7933 and R = 1.2984.
    Proof: the ratio of a mode's shares is (1 - e^{-s})(c+s)/s, stationary where e^s = 1 + s + s²/c.""",
    latex=r"\sup_{\tau>0}\frac{1-e^{-\tau}}{\tau/(c+\tau)}=\frac{(1-e^{-s})^2}{1-(1+s)e^{-s}},"
    r"\quad c=\frac{s^2}{e^s-1-s}",
    hypotheses=("f(·, θ₀) = 0", "L = Σ½(f-y)²", "the full kernel norm as penalty"),
    formula="(1 - exp(-s))**2/(1 - (1 + s)*exp(-s))",
    symbols={"s": "κt at the time of the largest ratio: c = s²/(e^s-1-s)"},
    domain=("s > 0",),
    controls={
        "Max(1, s**2/(exp(s) - 1 - s))": "the limits of early and late times only",
        "1 + s/(1 + s + s**2)": "the penalty 1/t for every c",
        "(1 - exp(-s))/(1 - (1 + s)*exp(-s))": "one factor of the fitted share forgotten",
        "(1 - exp(-s))*(1 + s)/s": "flow at that time against the penalty 1/t",
        "1/(1 - exp(-s))": "ridge regression has fitted everything",
        "2": "twice as far, which is the limit of small s",
    },
    checks=(ratios,),
    part_of="jin2021.equation_7",
    rests_on=("jin2021.equation_7",),
    own=True,
)
