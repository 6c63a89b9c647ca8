"""The whole trajectory of gradient flow at infinite width, in closed form."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Identity, Instance, Value
from implicitbias.claims.statement import OWN_RESULT, Claim, Control, Source
from implicitbias.exact.rational import Interval

from .equation_7 import laws


def flows(context: Context) -> Evidence:
    """f_t(x) after 2^150 steps of length τ/2^150, in balls; what is missing to the flow is below s²/2^150 a mode."""
    import flint

    from implicitbias.exact.enclosure import from_arb

    from .observed.kink_moments import ball

    draw = context.random()
    instances = []
    doublings = 150
    before, flint.ctx.prec = flint.ctx.prec, 1000
    try:
        for name, kernel in laws():
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
                given: dict[str, Value] = {"k": k, "K": K, "y": height, "tau": tau}
                label = f"{name}, " + (
                    "one point" if not sign else f"{'even' if sign > 0 else 'odd'} part, points ±{a}"
                )
                instances.append(Instance(label, given, Interval(reached.lower - room, reached.upper + room)))
    finally:
        flint.ctx.prec = before
    return Evidence(instances=tuple(instances))


def derive_the_flow(context: Context) -> Evidence:
    """r' = -Kr solved; f_t(x) = K(x, x₁)∫(-r)."""
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    K, k, y, tau, u = symbol("K", "positive"), symbol("k"), symbol("y"), symbol("tau", "nonnegative"), symbol("u")
    d = Derivation()
    residual = sympy.Function("r")
    solved = sympy.dsolve(residual(u).diff(u) + K * residual(u), residual(u), ics={residual(0): -y}).rhs
    d.step("f_t(X) - y obeys r' = -Kr, r(0) = -y", f"r = {solved}")
    d.identity("the equation", sympy.diff(solved, u) + K * solved, sympy.Integer(0))
    there = sympy.integrate(-k * solved, (u, 0, tau))
    d.step("elsewhere f' = -K(x, x₁) r", f"f = {sympy.simplify(there)}")
    variables: dict[str, Any] = {"K": "positive", "k": "real", "y": "real", "tau": "nonnegative"}
    identity = Identity("one mode", variables, {name: name for name in variables}, from_sympy(sympy.simplify(there)))
    return Evidence(identities=(identity,), steps=d.steps)


CLAIMS = (
    Claim(
        id="jin2021.trajectory",
        source=Source(OWN_RESULT, "beside Section 3, trajectories"),
        title="The whole trajectory at infinite width",
        statement=(
            "At infinite width gradient flow from 0 on Σ½(f-y)² is at time τ = η̄t at f(x) = K(x, X)K⁻¹(I - e^{-τK})y. "
            "Mode by mode: (k/K)(1 - e^{-τK})y, for one datum y at x₁ with K = K(x₁, x₁), k = K(x, x₁), and likewise "
            "for the even and the odd part of data at ±a with K(a, a) ± K(a, -a) and K(x, a) ± K(x, -a)."
        ),
        latex=r"f_\tau(x)=K(x,X)K^{-1}(I-e^{-\tau K})y",
        rests_on=("jin2021.tangent_kernel",),
        formula="k/K*(1 - exp(-tau*K))*y",
        symbols={
            "k": "K(x, x₁), or the mode's",
            "K": "K(x₁, x₁), or the mode's eigenvalue",
            "y": "the datum",
            "tau": "τ = η̄t",
        },
        controls=(
            Control("k/K*(tau*K/(1 + tau*K))*y", "kernel ridge with penalty 1/τ"),
            Control("(1 - exp(-tau*k))*y", "each place at its own rate"),
            Control("k/K*(1 - exp(-2*tau*K))*y", "squares without the half"),
            Control("k/K*y", "the limit"),
        ),
        checks=(
            Check("the differential equation", Kind.PROOF, derive_the_flow, "solved, and integrated elsewhere"),
            Check("tiny steps in balls", Kind.CERTIFICATE, flows, "2^150 steps by squaring, three laws"),
        ),
    ),
)
