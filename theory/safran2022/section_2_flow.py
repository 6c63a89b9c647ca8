"""Section 2, gradient flow: what every selection of Clarke's subdifferential conserves, and how the margin grows."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import (
    Context,
    Interval,
    Measured,
    Observation,
    Premise,
    certificate,
    claim,
    experiment,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.vectors import relu
from implicitbias.theorems.rules.calculus.gradient_product import GradientProduct
from implicitbias.theorems.rules.values.value import Value

from ..observed.margin.branching import random_start


@theorem("both sides of the kink, and the kink")
def rate_of_the_difference() -> Observation:
    """d/dt (v² - w² - b²) of one unit under the pull g of one datum, on each side of its kink and on it."""
    point = {"v_": "v", "w_": "w", "b_": "b"}
    pulled = "the pull g is minus the loss's derivative in the output; pulls of several data add up"
    for case, side in (("active", ">"), ("inactive", "<")):
        yield shows(
            GradientProduct("v_**2 - w_**2 - b_**2", "g*v_*relu(w_*x + b_)", tuple(point), point),
            case,
            for_all=dict.fromkeys("gvwbx", "real"),
            assuming=(f"w*x + b {side} 0",),
            words=(pulled,),
            a="2*v*g*relu(w*x + b)",
        )
    yield shows(
        Value("2*v*(g*relu(w*x - w*x)) - 2*w*(g*v*c*x) - 2*(-w*x)*(g*v*c)"),
        "on its kink, any c",
        for_all=dict.fromkeys("gvwxc", "real"),
        words=(pulled, "at its kink w, b move by a Clarke derivative c of the ramp"),
        a="0",
    )


@certificate("rates at random units")
def rates(context: Context) -> Observation:
    """Exact rates at random units and data, kinks on the datum included."""
    draw = context.random()
    for i in range(context.choose(40, 300)):
        w, x, v, g = (Fraction(draw.randint(-9, 9), draw.randint(1, 4)) for _ in range(4))
        b = -w * x if i % 4 == 0 else Fraction(draw.randint(-9, 9), 3)
        h = w * x + b
        c = Fraction(draw.randint(0, 6), 6) if h == 0 else Fraction(h > 0)
        square = 2 * v * (g * relu(h))
        rate = square - 2 * w * (g * v * c * x) - 2 * b * (g * v * c)
        where = "on its kink" if h == 0 else "active" if h > 0 else "inactive"
        yield seen(rate, f"{where}, c = {c}, case {i}", a=square)


@experiment(
    "flows with sliding kinks",
    acceptance="""Fixed after pilots: the largest change of v² - w² - b² of any unit, relative to the largest change of
    any v², is 0 up to 1e-10 in each of 6 flows (full: 30), both losses; at least one kink must have slid along a
    datum.""",
)
def balance_on_flows(context: Context) -> Observation:
    """The largest change of v² - w² - b² along flows from margins of any sign to 1000 with kinks that slide on data.
    Units move by rotations that conserve it, so what is tested is crossing, sliding and letting go.
    """
    import numpy as np

    from implicitbias.training.flows.classification_flow import flow

    slides = 0
    for i in range(context.choose(6, 30)):
        loss = ("logistic", "exponential")[i % 2]
        state, data, _ = random_start(context.seed + i)
        course = flow(state, data, temperature=1, loss=loss, steps=250, until=lambda _, q, __: bool(q.min() > 1000))
        squares = np.square(course.units.v) - np.square(state.v)
        best = int(np.abs(squares).argmax())
        changes = (course.units.imbalance - state.imbalance) / abs(squares[best])
        worst = float(changes[np.abs(changes).argmax()])
        slides += int(course.counts[1])
        near = Interval(Fraction(worst) - Fraction(1, 10**10), Fraction(worst) + Fraction(1, 10**10))
        yield seen(near, f"{loss}, start {i}", a=Fraction(float(np.sign(squares[best]))))
        yield Measured(f"{loss}, start {i}", {"largest change of v²": float(squares[best]), "relative to it": worst})
    yield Premise("kinks slid along data on the way", slides > 0, f"{slides} times")


BALANCE = claim(
    "safran2022.section_2_balance",
    "Section 2, gradient flow",
    "Conservation of v² - w² - b²",
    """Along every solution of dθ/dt ∈ -∂°L(θ), whatever Clarke derivative is taken where a kink lies on a datum, v_j² -
    w_j² - b_j² is constant for every unit j: v² and w² + b² change at the same rate. What a datum with pull g adds to
    their difference is 2 g v ([h]_+ - c h) = 0, h = w x + b; at kinks h = 0, so c does not matter.""",
    latex=r"\tfrac{d}{dt}\big(v_j^2-w_j^2-b_j^2\big)=0",
    hypotheses=("all weights are trained", "any loss that is differentiable in the output"),
    formula="0",
    symbols={"a": "the change of v²"},
    controls={
        "a": "the output weights alone learn",
        "a/2": "a Clarke derivative of 1/2 everywhere",
        "2*a": "v² + w² + b² in place of the difference",
        "-a": "the hidden weights learn twice as fast, as if each of w and b alone balanced v",
    },
    checks=(rate_of_the_difference, rates, balance_on_flows),
    part_of="safran2022.theorem_2_3",
)
