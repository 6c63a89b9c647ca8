"""The whole trajectory of gradient flow at infinite width, in closed form."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from implicitbias.claims import Context, Derivation, Interval, Observation, certificate, claim, proof, seen

from ..observed.wide.exact_laws import rational_kernels


@certificate("tiny steps in balls")
def flows(context: Context) -> Observation:
    """2^150 steps by squaring, three laws. f_t(x) after 2^150 steps of length τ/2^150, in balls; what is missing to the
    flow is below s²/2^150 a mode.
    """
    import flint

    from implicitbias.exact.enclosure import from_arb

    from ..observed.wide.kink_moments import ball

    draw = context.random()
    doublings = 150
    before, flint.ctx.prec = flint.ctx.prec, 1000
    try:
        for name, kernel in rational_kernels():
            for case in range(context.choose(5, 20)):
                a, z = Fraction(draw.randint(1, 12), 6), Fraction(draw.randint(-18, 18), 6)
                tau, height = Fraction(draw.randint(1, 40), 4), Fraction(draw.randint(1, 9), 2)
                sign = (0, 1, -1)[case % 3]
                K = kernel(a, a) + sign * kernel(a, -a)
                k = kernel(z, a) + sign * kernel(z, -a)
                factor = 1 - ball(tau * K) / flint.arb(2) ** doublings
                for _ in range(doublings):
                    factor = factor * factor
                reached = from_arb(ball(k / K * height) * (1 - factor))
                room = abs(k / K * height) * (tau * K) ** 2 / 2**doublings + Fraction(1, 2**140)
                label = f"{name}, " + (
                    "one point" if not sign else f"{'even' if sign > 0 else 'odd'} part, points ±{a}"
                )
                yield seen(Interval(reached.lower - room, reached.upper + room), label, k=k, K=K, y=height, tau=tau)
    finally:
        flint.ctx.prec = before


@proof("the differential equation")
def the_flow(d: Derivation) -> None:
    """Solved, and integrated elsewhere. r' = -Kr solved; f_t(x) = K(x, x₁)∫(-r)."""
    import sympy

    from implicitbias.exact.symbolic import from_sympy

    k, y, u, K, tau = d.symbols("k y u", K="positive", tau="nonnegative")
    residual = sympy.Function("r")
    solved = sympy.dsolve(residual(u).diff(u) + K * residual(u), residual(u), ics={residual(0): -y}).rhs
    d.step("f_t(X) - y obeys r' = -Kr, r(0) = -y", f"r = {solved}")
    d.identity("the equation", sympy.diff(solved, u) + K * solved, sympy.Integer(0))
    there = sympy.integrate(-k * solved, (u, 0, tau))
    d.step("elsewhere f' = -K(x, x₁) r", f"f = {sympy.simplify(there)}")
    variables: dict[str, Any] = {"K": "positive", "k": "real", "y": "real", "tau": "nonnegative"}
    d.concludes(from_sympy(sympy.simplify(there)), "one mode", over=variables, K="K", k="k", y="y", tau="tau")


TRAJECTORY = claim(
    "jin2021.trajectory",
    "beside Section 3, trajectories",
    "The whole trajectory at infinite width",
    """At infinite width gradient flow from 0 on Σ½(f-y)² is at time τ = η̄t at f(x) = K(x, X)K⁻¹(I - e^{-τK})y. Mode by
    mode: (k/K)(1 - e^{-τK})y, for one datum y at x₁ with K = K(x₁, x₁), k = K(x, x₁), and likewise for the even and the
    odd part of data at ±a with K(a, a) ± K(a, -a) and K(x, a) ± K(x, -a).""",
    latex=r"f_\tau(x)=K(x,X)K^{-1}(I-e^{-\tau K})y",
    formula="k/K*(1 - exp(-tau*K))*y",
    symbols={
        "k": "K(x, x₁), or the mode's",
        "K": "K(x₁, x₁), or the mode's eigenvalue",
        "y": "the datum",
        "tau": "τ = η̄t",
    },
    controls={
        "k/K*(tau*K/(1 + tau*K))*y": "kernel ridge with penalty 1/τ",
        "(1 - exp(-tau*k))*y": "each place at its own rate",
        "k/K*(1 - exp(-2*tau*K))*y": "squares without the half",
        "k/K*y": "the limit",
    },
    checks=(the_flow, flows),
    part_of="jin2021.equation_7",
    rests_on=("jin2021.tangent_kernel",),
    own=True,
)
