"""Appendix C.2: the anti-symmetrical initialisation starts from f = 0 and keeps the tangent kernel."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from implicitbias.claims import Context, Derivation, Interval, Observation, certificate, claim, proof, seen
from implicitbias.exact.formula import Assumption

ROUNDING = 1e-12
"""Relative rounding of gradients in double precision, with room."""
DOMAIN: dict[str, Assumption] = {"w": "real", "b": "real", "v": "real", "c": "real", "x": "real", "z": "real"}


def _copies() -> tuple[list[Any], list[Any], Any, Any]:
    import sympy

    first, second = (sympy.symbols(f"w_{k} b_{k} v_{k} c_{k}", real=True) for k in (1, 2))
    return list(first), list(second), sympy.Symbol("x", real=True), sympy.Symbol("z", real=True)


@proof("derivative in all parameters")
def kernel_of_the_pair(d: Derivation) -> None:
    """The tangent kernel of √½f(θ') - √½f(θ'') for one unit that is active at both inputs, at one, or at none, by
    differentiating in all eight parameters."""
    import sympy

    first, second, x, z = _copies()
    w, b, v, c = sympy.symbols("w b v c", real=True)
    for label, at_x, at_z in (("active at both", 1, 1), ("active at x only", 1, 0), ("active at neither", 0, 0)):

        def output(theta: list[Any], point: Any, active: int) -> Any:
            return theta[2] * active * (theta[0] * point + theta[1]) + theta[3]

        def doubled(point: Any, active: int) -> Any:
            return sympy.sqrt(sympy.Rational(1, 2)) * (output(first, point, active) - output(second, point, active))

        start = dict(zip([*first, *second], [w, b, v, c] * 2, strict=True))
        kernel = sum(
            sympy.diff(doubled(x, at_x), p).subs(start) * sympy.diff(doubled(z, at_z), p).subs(start)
            for p in [*first, *second]
        )
        theta = [w, b, v, c]
        own = sum(sympy.diff(output(theta, x, at_x), p) * sympy.diff(output(theta, z, at_z), p) for p in theta)
        d.identity(
            f"{label}: the doubled network starts from 0", doubled(x, at_x).subs(start), sympy.Integer(0), "f = 0"
        )
        derived = sympy.expand(kernel)
        d.concludes(derived, f"{label}", over=DOMAIN, k=sympy.expand(own), f=output(theta, x, at_x))


@certificate("torch autograd")
def kernels_by_autograd(context: Context) -> Observation:
    """Tangent kernels of random networks with 1 to 50 units and of their doubles, by torch autograd in double
    precision."""
    import torch

    draw = context.random()
    generator = torch.Generator().manual_seed(context.seed % 2**31)
    for case in range(context.choose(6, 20)):
        n = (1, 3, 20, 50)[case % 4]

        def gradient(parameters: list[Any], point: float, doubled: bool) -> tuple[float, Any]:
            def one(theta: list[Any]) -> Any:
                return (theta[2] * torch.relu(theta[0] * point + theta[1])).sum() + theta[3]

            half = 0.5**0.5
            value = half * one(parameters[:4]) - half * one(parameters[4:]) if doubled else one(parameters)
            parts = torch.autograd.grad(value, parameters)
            return value.item(), torch.cat([p.reshape(-1) for p in parts])

        shapes = [(n,), (n,), (n,), ()]
        single = [torch.randn(s, dtype=torch.float64, generator=generator).requires_grad_() for s in shapes]
        double = [p.detach().clone().requires_grad_() for p in single * 2]
        x, z = (draw.randint(-8, 8) / 4 for _ in range(2))
        (value, gx), (_, gz) = gradient(single, x, False), gradient(single, z, False)
        (zero, dx), (_, dz) = gradient(double, x, True), gradient(double, z, True)
        size = float(abs(gx) @ abs(gz)) + 1
        kernel, of_double = float(gx @ gz), float(dx @ dz)
        if zero != 0.0:
            raise ArithmeticError(f"the doubled network starts from {zero}, not from 0")
        yield seen(Interval.around(of_double, 2 * ROUNDING * size), f"{n} units", k=Fraction(kernel), f=Fraction(value))


APPENDIX_C_2 = claim(
    "jin2021.appendix_c_2",
    "Section 3, Interpretation (Appendix C.2)",
    "Anti-symmetrical initialisation",
    """√½f(·, θ') - √½f(·, θ'') with two equal copies initially is the zero function and has the tangent kernel of one
    copy, so step sizes and times stay the same. (This is the abstract's "asymmetric initialization", which says nothing
    about the law of W.)""",
    latex=r"\hat\Theta_{\mathrm{ASI}}=\tfrac12\hat\Theta+\tfrac12\hat\Theta,\quad f(\cdot,\theta_0)\equiv0",
    formula="k",
    symbols={"k": "tangent kernel of one copy at (x, z)", "f": "output of one copy at x"},
    controls={
        "2*k": "copies added without √½",
        "k/2": "prefactor ½ instead of √½",
        "0": "the copies cancel",
        "k - f**2": "the constant part removed",
    },
    checks=(kernel_of_the_pair, kernels_by_autograd),
    part_of="jin2021.theorem_1_rate",
)
