"""Appendix C.2: the anti-symmetrical initialisation starts from f = 0 and keeps the tangent kernel."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

from implicitbias.claims import Context, Interval, Observation, certificate, claim, seen, shows, theorem
from implicitbias.theorems.rules.calculus.gradient_product import GradientProduct
from implicitbias.theorems.rules.values.value import Value

ROUNDING = 1e-12
"""Relative rounding of gradients in double precision, with room."""


@theorem("gradients in all parameters")
def kernel_of_the_pair() -> Observation:
    """The tangent kernel of √½f(θ') - √½f(θ'') for one unit, in all eight parameters, active at x and z or not."""
    start = {"v_": "v", "w_": "w", "b_": "b", "c_": "c"}
    first = {f"{name}1": at for name, at in start.items()}
    second = {f"{name}2": at for name, at in start.items()}

    def pair(at: str) -> str:
        return f"sqrt(1/2)*(unit(v_1, w_1, b_1, {at}) + c_1) - sqrt(1/2)*(unit(v_2, w_2, b_2, {at}) + c_2)"

    for at_x, at_z in itertools.product((1, 0), repeat=2):
        both = at_x * at_z
        yield shows(
            GradientProduct(pair("x"), pair("z"), (*first, *second), {**first, **second}),
            f"the unit is {'on' if at_x else 'off'} at x and {'on' if at_z else 'off'} at z",
            for_all=dict.fromkeys("vwbcxz", "real"),
            assuming=(f"w*x + b {'>' if at_x else '<'} 0", f"w*z + b {'>' if at_z else '<'} 0"),
            words=("the kernel of a network is the sum over its units, and 1 for the constant",),
            k=f"relu(w*x + b)*relu(w*z + b) + {both}*v**2*(x*z + 1) + 1",
            f="unit(v, w, b, x) + c",
        )
    yield shows(
        Value("sqrt(1/2)*(unit(v, w, b, x) + c) - sqrt(1/2)*(unit(v, w, b, x) + c)"),
        "the pair starts from 0",
        for_all=dict.fromkeys("vwbcx", "real"),
        indifferent_to=("relu", "unit"),
        k="0",
        f="0",
    )


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
