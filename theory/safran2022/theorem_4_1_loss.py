"""Theorem 4.1: the loss tends to zero and the weights to infinity, and at least how fast."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from implicitbias.claims import Context, Interval, Observation, Step, certificate, claim, seen
from implicitbias.exact.vectors import dot, relu

BITS = 300
"""Working precision of the balls."""
Network = tuple[list[Fraction], list[Fraction], list[Fraction]]
"""w, b, v."""


@certificate("slopes of the loss at networks")
def slopes(context: Context) -> Observation:
    """|∇L|² in balls, from exact gradients of the margins, and what the bound is made of: at one point, where the bound
    is met; on data of which one has nearly all of the loss, where it nearly is for every n; and at random networks.
    """
    import flint

    with flint.ctx.workprec(BITS):
        for name, (w, b, v), x, y in _networks(context):
            for loss in ("exponential", "logistic"):
                found = _slope(w, b, v, x, y, loss)
                if found is None:
                    continue
                slope, u, force, norm, along = found
                tight = len(x) == 1 and along
                relation = "=" if tight else ">="
                yield seen(slope, f"{name}, {loss}", relation=relation, f=force, u=u, n=len(x), N=norm)
    yield Step("θ·(-∇L) = (2/n) Σ |l'(q_i)| q_i, degree two, and |∇L| >= θ·(-∇L)/|θ|; no kink lies on a datum")


def _networks(context: Context) -> Iterator[tuple[str, Network, list[Fraction], list[int]]]:
    """Name, network, x, y: those along whose gradient θ lies first."""
    draw = context.random()
    one = Fraction(1)
    for x1, length in ((Fraction(3, 4), Fraction(5, 4)), (Fraction(-12, 5), Fraction(13, 5)), (Fraction(0), one)):
        for size in (one, Fraction(1, 3), Fraction(3), Fraction(6)):
            for sign in (1, -1):
                unit = ([size * x1], [size], [sign * size * length])
                yield f"one unit along x = {x1}", unit, [x1], [sign]
    for n in (2, 3, 5, 12):
        far = [Fraction(3, 4), *(Fraction(200 + i) for i in range(n - 1))]
        for size in (Fraction(1, 3), Fraction(1, 2), one, Fraction(2)):
            unit = ([3 * size / 4], [size], [5 * size / 4])
            yield f"a unit along the first of {n} data, the others far", unit, far, [1] * n
    for _ in range(context.choose(150, 600)):
        n, k = draw.randint(1, 5), draw.randint(1, 4)
        x = sorted({Fraction(draw.randint(-12, 12), 4) for _ in range(n)})
        y = [draw.choice([-1, 1]) for _ in x]
        scale = Fraction(draw.choice((1, 1, 4)), draw.choice((1, 2)))
        w, b, v = ([scale * Fraction(draw.randint(-9, 9), draw.choice((2, 3))) for _ in range(k)] for _ in range(3))
        yield f"{len(x)} points, {k} units", (w, b, v), x, y


def _slope(
    w: list[Fraction], b: list[Fraction], v: list[Fraction], x: list[Fraction], y: list[int], loss: str
) -> tuple[Interval, Interval, Interval, Fraction, bool] | None:
    """|∇L|², u = l⁻¹(nL), |l'(u)|, |θ|², and whether θ is a multiple of all gradients; None if n L >= l(0) or a kink
    lies on a datum.
    """
    import flint

    from implicitbias.exact.enclosure import from_arb, to_arb

    heights = [[wj * at + bj for wj, bj in zip(w, b, strict=True)] for at in x]
    if any(h == 0 for row in heights for h in row):
        return None
    margins = [yi * dot(v, list(map(relu, row))) for yi, row in zip(y, heights, strict=True)]
    powers = [(-to_arb(q)).exp() for q in margins]
    forces = powers if loss == "exponential" else [p / (1 + p) for p in powers]
    total = sum((p if loss == "exponential" else p.log1p() for p in powers), flint.arb(0))
    if not total < (flint.arb(1) if loss == "exponential" else flint.arb(2).log()):
        return None
    least = total if loss == "exponential" else total.expm1()
    u, force = -least.log(), least if loss == "exponential" else least / (1 + least)
    gradients = [_gradient(w, b, v, at, yi, row) for at, yi, row in zip(x, y, heights, strict=True)]
    squared = flint.arb(0)
    for one, first in zip(forces, gradients, strict=True):
        for other, second in zip(forces, gradients, strict=True):
            squared += one * other * to_arb(dot(first, second))
    theta = [*w, *b, *v]
    norm = dot(theta, theta)
    along = all(dot(theta, g) ** 2 == norm * dot(g, g) for g in gradients)
    n = len(x)
    return from_arb(squared / n**2), from_arb(u), from_arb(force), norm, along


def _gradient(
    w: list[Fraction], b: list[Fraction], v: list[Fraction], x: Fraction, y: int, heights: list[Fraction]
) -> list[Fraction]:
    """The gradient of y N(x) in (w, b, v)."""
    on = [Fraction(y * (h > 0)) for h in heights]
    outer = [a * vj for a, vj in zip(on, v, strict=True)]
    return [*(a * x for a in outer), *outer, *(a * h for a, h in zip(on, heights, strict=True))]


LOSS = claim(
    "safran2022.theorem_4_1_loss",
    "Theorem 4.1, L → 0 and |θ| → ∞; the rates are next to it",
    "How fast the loss falls",
    """Once n·L < l(0) the loss falls at least as fast as -dL/dt >= (2|l'(u)|u/n)²/|θ|², u = l⁻¹(nL), for both losses:
    with equality for one point and θ along its gradient, and for any n in the limit where one such point has all of
    the loss. Since γ̃ = u/|θ|² does not fall, for the exponential loss (1/L)' >= 4γ̃(t_0) log(1/(nL)): so L tends to
    0, no slower than 1/(t log t), and |θ|² >= u/γ_max, with the largest normalised margin γ_max, to infinity, as the
    theorem says. (Judged is the inequality, not what follows from it by integration.)""",
    latex=r"-\frac{dL}{dt}\ \ge\ \frac{4\,\ell'(u)^2u^2}{n^2\|\theta\|^2},\quad u=\ell^{-1}(nL)",
    hypotheses=("n·L < l(0)", "wherever the flow is differentiable: no kink on a datum"),
    formula="4*f**2*u**2/(n**2*N)",
    symbols={"u": "l⁻¹(nL)", "f": "|l'(u)|", "n": "number of data", "N": "|θ|²"},
    domain=("u > 0", "f > 0", "f < 1", "n >= 1", "N > 0"),
    controls={
        "f**2*u**2/(n**2*N)": "a network of degree one",
        "4*f**2*u**2/N": "the sum of the losses instead of the mean",
        "9*f**2*u**2/(n**2*N)": "degree three: faster than it is",
        "4*f**2*u/(n**2*N)": "the margin not squared",
        "4*f**2*u**2/(n*N)": "the mean taken once",
        "4*f*u**2/(n**2*N)": "one factor l'(u) left out",
    },
    checks=(slopes,),
    rests_on=("safran2022.theorem_4_1_smoothed_margin",),
    part_of="safran2022.theorem_4_1",
)
