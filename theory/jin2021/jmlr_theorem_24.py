"""Theorem 24 of the version of 2023: where stochastic descent of the linearised network ends."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Observation, Premise, certificate, claim, seen

from ..observed.training.exact_stochastic import LOSSES, wandered
from ..observed.training.exact_training import gram, jacobian, small

SHARES = (Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(1), Fraction(3, 2), Fraction(19, 10))
"""η K max‖z‖²: the theorem allows 1."""


@certificate("where stochastic descent ends", time_limit=120)
def where_it_ends(context: Context) -> Observation:
    """‖ω_∞ - θ_0‖² after steps in random order, one datum each, in integers, until what is left cannot matter; four
    losses."""
    draw = context.random()
    widest, ended, courses, longest = Fraction(0), True, 0, 0
    wanted = context.choose(80, 240)
    while courses < wanted:
        scale = Fraction(draw.randint(1, 6), draw.randint(1, 3))
        x = (-scale * draw.randint(0, 3), scale * Fraction(draw.randint(1, 12), 4))
        network = small(draw, 2 + courses % 3, x)
        rows = jacobian(network, x, draw.choice(("wbvc", "wbvc", "wbv", "v")))
        K = gram(rows)
        a, b, c = K[0][0], K[0][1], K[1][1]
        # nearly parallel gradients, or one far longer than the other, take too many steps
        if b * b > a * c * Fraction(9, 10) or max(a, c) > 12 * min(a, c) or min(a, c) < Fraction(1, 10):
            continue
        size = draw.choice((1, 1, 1, 30, 1000))
        residual = [Fraction(draw.randint(-40, 40), size * draw.randint(1, 8)) for _ in x]
        if courses % 6 == 5:
            residual[1] = draw.choice((-1, 0, 1)) * residual[0]
        loss, share = list(LOSSES)[courses % len(LOSSES)], SHARES[draw.randrange(len(SHARES))]
        end = wandered(rows, residual, loss, share, draw)
        courses += 1
        if end is None:
            ended = False
            continue
        observed, steps = end
        yield seen(
            observed,
            f"{loss} loss, {len(network.w)} units, data {x[0]} and {x[1]}, order {courses}",
            a=a,
            b=b,
            c=c,
            r=residual[0],
            s=residual[1],
            q=share,
        )
        widest, longest = max(widest, observed.width), max(longest, steps)
    yield Premise("every course ended", ended, f"{courses} courses, at most {longest} steps")
    yield Premise("every enclosure is narrower than 10⁻¹⁰", widest < Fraction(1, 10**10), f"{float(widest):.1e}")


JMLR_THEOREM_24 = claim(
    "jin2021.jmlr_theorem_24",
    "JMLR 2023, Theorem 24",
    "Stochastic descent of the linearised network ends at the nearest interpolant",
    """One datum a step, drawn at random, at a constant learning rate η ≤ 1/(K max_j ‖∇f(x_j, θ₀)‖²), descent of the
    linearised network ends at the interpolating ω nearest to θ₀, if the gradients at the data are independent. The end
    depends neither on the order in which the data come, nor on η, nor on the loss, if that is convex, has a K-Lipschitz
    derivative and is least at the label alone. For two points with JJᵀ = [[a, b], [b, c]] and residual (r, s) the
    squared distance is (cr² - 2brs + as²)/(ac - b²). (The proof needs no more than η < 2/(K max_j ‖∇f(x_j, θ₀)‖²), and
    so it is seen here, up to 19/20 of that.)""",
    latex=r"\lim_{t\to\infty}\|\omega_t-\theta_0\|_2^2=r^{\top}(JJ^{\top})^{-1}r\quad\text{almost surely}",
    hypotheses=(
        "the gradients at the data are independent",
        "every datum is drawn with the same chance",
        "seen for two data, the square loss, Huber's, √(1 + u²) and one with different slopes on either side",
    ),
    formula="(c*r**2 - 2*b*r*s + a*s**2)/(a*c - b**2)",
    symbols={
        "a": "K(x₁, x₁), K = JJᵀ",
        "b": "K(x₁, x₂)",
        "c": "K(x₂, x₂)",
        "r": "y₁ - f(x₁, θ₀)",
        "s": "y₂ - f(x₂, θ₀)",
        "q": "η K max_j ‖∇f(x_j, θ₀)‖²",
    },
    domain=("b**2 <= a*c", "a > 0", "c > 0", "q > 0", "q < 2"),
    controls={
        "r**2/a + s**2/c": "the points taken one by one",
        "r**2/a + (s - b*r/a)**2/c": "one pass over the data",
        "(c*r**2 + 2*b*r*s + a*s**2)/(a*c - b**2)": "the sign of the off-diagonal term",
        "(c*r**2 - 2*b*r*s + a*s**2)/(a*c - b**2)*(1 + q/1000)": "a detour that grows with the learning rate",
        "(c*r**2 - 2*b*r*s + a*s**2)/(a*c - b**2)*2/(2 - q)": "the noise of steady stochastic descent",
    },
    checks=(where_it_ends,),
    rests_on=("jin2021.equation_10",),
)
