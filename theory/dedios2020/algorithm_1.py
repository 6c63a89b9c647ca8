"""Algorithm 1, one step: exact laws of what label noise does to a neuron, and to two neurons of a cell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from implicitbias.claims import (
    Context,
    Interval,
    Observation,
    Premise,
    Value,
    claim,
    experiment,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.vectors import dot, relu
from implicitbias.theorems.rules.calculus.derivative import Derivative, Side
from implicitbias.theorems.rules.values.composition import Composition

ROUNDING = Fraction(1, 2**44)
"""Relative to the squares of a step's numbers: bounds the rounding of a few dozen operations in doubles."""

EIGHTHS = 8
"""Starts and data are multiples of 1/8, which keeps the instances readable."""


@dataclass(frozen=True)
class RealStep:
    """One step of one replica of the engine, in exact numbers: doubles are the dyadic fractions they are.

    e  f(x_i) - ỹ before the step;  point  (x_i, 1);  theta, c  before the step;  moved, out  after it
    """

    eps: Fraction
    m: int
    e: Fraction
    point: tuple[Fraction, ...]
    theta: tuple[tuple[Fraction, ...], ...]
    c: tuple[Fraction, ...]
    moved: tuple[tuple[Fraction, ...], ...]
    out: tuple[Fraction, ...]

    @property
    def given(self) -> dict[str, Value]:
        """What both claims are given of a step; x2 = |x̃_i|²."""
        return {"eps": self.eps, "e": self.e, "m": self.m, "x2": dot(self.point, self.point)}

    def h(self, j: int) -> Fraction:
        """θ_j·x̃_i before the step."""
        return dot(self.theta[j], self.point)

    @property
    def error(self) -> Fraction:
        """Bounds the rounding error of a product of two numbers of this step."""
        largest = max(abs(v) for row in (*self.theta, self.c, self.point) for v in row)
        return ROUNDING * (1 + largest + self.eps * abs(self.e)) ** 2


SIZES = ((1, 1, 2), (1, 2, 3), (1, 4, 5), (2, 3, 4), (3, 8, 6))
"""d, m, n."""


def real_steps(context: Context, count: int) -> Iterator[RealStep]:
    """Single steps of the engine from random starts of every size; a neuron with its kink on a datum comes first."""
    import numpy as np

    rng = context.rng()
    hinge = np.array([[[1.0, -1.0], [0.5, 0.5]]]), np.array([[2.0, -1.0]])
    yield from _steps(*hinge, np.array([[1.0]]), np.array([3.0]), Fraction(1, 8), 1)
    for d, m, n in SIZES:
        for k in range(count):
            theta, c, x, y = (
                np.round(EIGHTHS * rng.normal(size=shape)) / EIGHTHS for shape in ((2, m, d + 1), (2, m), (n, d), (n,))
            )
            eps = Fraction(1, 2 ** int(rng.integers(1, 6)))
            yield from _steps(theta, c, x, y, eps, int(rng.integers(2**31)), "normal" if k % 2 else "signs")


def _steps(theta: Any, c: Any, x: Any, y: Any, eps: Fraction, seed: int, noise: Any = "signs") -> Iterator[RealStep]:
    from implicitbias.training.label_noise import draws, label_noise_sgd

    run = label_noise_sgd(theta, c, x, y, step=float(eps), noise_size=0.5, steps=1, seed=seed, noise=noise)
    index, values = draws(seed, len(c), len(y), 1, noise)
    for k in range(len(c)):
        i, m = int(index[k, 0]), len(c[k])
        rows, outs, moved, out = (_exactly(p) for p in (theta[k], c[k], run.theta[-1, k], run.c[-1, k]))
        point = (*_exactly(x[i]), Fraction(1))
        f = sum((o * relu(dot(row, point)) for row, o in zip(rows, outs, strict=True)), Fraction(0)) / m
        e = f - (Fraction(float(y[i])) + Fraction(1, 2) * Fraction(float(values[k, 0])))
        yield RealStep(eps, m, e, point, rows, outs, moved, out)


def _exactly(array: Any) -> Any:
    return tuple(_exactly(a) if getattr(a, "ndim", 0) else Fraction(float(a)) for a in array)


# The balance of a neuron ----------------------------------------------------------------------------------------------


@experiment(
    "a step of the engine",
    acceptance="""No statistics: D' - D of every neuron examined agrees within 2^-44 of the squares of the step's
    numbers, the rounding of a few dozen operations. One disagreement refutes.""",
)
def balance_changes(context: Context) -> Observation:
    """D = |θ|² - c² of neurons before and after real steps, d = 1 to 3, both noises; the doubles are taken exactly."""
    active = count = 0
    for step in real_steps(context, context.choose(2, 20)):
        for j in range(min(step.m, 3)):
            before = dot(step.theta[j], step.theta[j]) - step.c[j] ** 2
            after = dot(step.moved[j], step.moved[j]) - step.out[j] ** 2
            active, count = active + (step.h(j) > 0), count + 1
            change = Interval.around(after - before, step.error)
            label = f"neuron {j + 1} of {step.m}, d = {len(step.point) - 1}"
            yield seen(change, label, c=step.c[j], h=step.h(j), **step.given)
    yield Premise("neurons that are active are among them", active > 0, f"{active} of {count}")


@theorem("the gradient of one squared error")
def one_gradient_step() -> Observation:
    """A neuron of any dimension, p its component along x̃, |x̃| = r; the others are no part of f(x_i) and stay. The rest
    of f(x_i) - ỹ is s. At a kink the derivative of the ReLU is that of an inactive neuron.
    """
    kinds: tuple[tuple[str, str, Side], ...] = (
        ("active", "p", "both"),
        ("inactive", "-p", "both"),
        ("a kink on the datum", "0", "left"),
    )
    for sign, p, side in kinds:
        moved = {
            "P": Derivative("(unit(c, z, 0, r)/m + s)**2", "z", at=p, side=side),
            "C": Derivative(f"(unit(z, {p}, 0, r)/m + s)**2", "z", at="c"),
        }
        change = Composition(f"({p} - eps*P)**2 - (c - eps*C)**2 - (({p})**2 - c**2)", moved)
        yield shows(
            change,
            sign,
            for_all={**dict.fromkeys(("p", "r", "m", "eps"), "positive"), "c": "real", "s": "real"},
            eps="eps",
            e=f"unit(c, {p}, 0, r)/m + s",
            m="m",
            x2="r**2",
            c="c",
            h=f"({p})*r",
        )


SYMBOLS = {
    "eps": "step size ε",
    "e": "f(x_i) - ỹ, with the noise in ỹ",
    "m": "number of neurons; f has the factor 1/m",
    "x2": "|x̃_i|² = 1 + |x_i|²",
}

BALANCE = claim(
    "dedios2020.algorithm_1",
    "Algorithm 1",
    "What one step of label noise does to the balance of a neuron",
    """One step of Algorithm 1 at the datum x_i with the error e = f(x_i) - ỹ changes D = |a|² + b² - c² of a neuron
    by exactly (4ε²e²/m²)·(c²|x̃_i|²·1{h > 0} - h_+²), h = aᵀx_i + b. Gradient flow would keep D; the noise does not.""",
    latex=r"""D'-D=\frac{4\varepsilon^2e^2}{m^2}\left(c^2|\tilde x_i|^2\mathbf 1_{h>0}-h_+^2\right),\quad
    D=|a|^2+b^2-c^2""",
    hypotheses=("square loss without a factor 1/2; f = (1/m)Σφ; the derivative of [t]_+ at 0 is 0",),
    formula="4*eps**2*e**2/m**2*(c**2*x2*Max(0, sign(h)) - Max(h, 0)**2)",
    symbols={**SYMBOLS, "c": "output weight before the step", "h": "aᵀx_i + b before the step"},
    controls={
        "0*eps": "gradient flow keeps |θ|² - c²",
        "eps**2*e**2/m**2*(c**2*x2*Max(0, sign(h)) - Max(h, 0)**2)": "a square loss with the factor 1/2",
        "4*eps**2*e**2*(c**2*x2*Max(0, sign(h)) - Max(h, 0)**2)": "f without the factor 1/m",
        "4*eps**2*e**2/m**2*(c**2*(x2 - 1)*Max(0, sign(h)) - Max(h, 0)**2)": "a bias that does not learn",
        "4*eps**2*e**2/m**2*(c**2*x2*Min(1, 1 + sign(h)) - Max(h, 0)**2)": (
            "the indicator of aᵀx + b ≥ 0, as printed in (12): at a kink on the datum nothing moves"
        ),
    },
    checks=(one_gradient_step, balance_changes),
    part_of="dedios2020.equation_10",
)


# Two neurons of a cell ------------------------------------------------------------------------------------------------


@experiment(
    "pairs in the engine",
    acceptance="""No statistics: W' of every pair examined, at least ten, agrees within the rounding of a few dozen
    operations. One disagreement refutes.""",
)
def area_changes(context: Context) -> Observation:
    """h_j c_k - h_k c_j before and after real steps, for two neurons that are active at the datum of the step."""
    count = 0
    for step in real_steps(context, context.choose(6, 40)):
        on = [j for j in range(step.m) if step.h(j) > 0]
        if len(on) < 2:
            continue
        j, k = on[:2]
        before = step.h(j) * step.c[k] - step.h(k) * step.c[j]
        after = dot(step.moved[j], step.point) * step.out[k] - dot(step.moved[k], step.point) * step.out[j]
        count += 1
        found = Interval.around(after, step.error * (1 + dot(step.point, step.point)))
        yield seen(found, f"two neurons of {step.m}, d = {len(step.point) - 1}", W=before, **step.given)
    yield Premise("pairs were found", count >= 10, f"{count}")


@theorem("the determinant of a step")
def determinant() -> Observation:
    """Two neurons of any dimension, p and q their components along x̃, |x̃| = r, active; the rest of f(x_i) - ỹ is s."""
    error = "(unit(c, p, 0, r) + unit(d, q, 0, r))/m + s"

    def slope(name: str) -> Derivative:
        moved = {n: "z" if n == name else n for n in "cpdq"}
        return Derivative("((unit({c}, {p}, 0, r) + unit({d}, {q}, 0, r))/m + s)**2".format(**moved), "z", at=name)

    area = Composition(
        "(p - eps*P)*r*(d - eps*D) - (q - eps*Q)*r*(c - eps*C)", {name.upper(): slope(name) for name in "cpdq"}
    )
    yield shows(
        area,
        for_all={**dict.fromkeys(("p", "q", "r", "m", "eps"), "positive"), **dict.fromkeys("cds", "real")},
        eps="eps",
        e=error,
        m="m",
        x2="r**2",
        W="p*r*d - q*r*c",
    )


WEDGE = claim(
    "dedios2020.algorithm_1_contraction",
    "next to Section 4, one neuron per cell",
    "Two neurons of a cell become more parallel at every step",
    """At every step of Algorithm 1 the same linear map acts on all neurons that are active at the datum. For two of
    them the area W = h_j c_k - h_k c_j spanned by (h, c), h = θ·x̃_i, is multiplied by exactly 1 - 4ε²e²|x̃_i|²/m² in
    a step at x_i.""",
    latex=r"W'=W\left(1-\frac{4\varepsilon^2e^2|\tilde x_i|^2}{m^2}\right),\quad W=h_jc_k-h_kc_j",
    hypotheses=("both neurons are active at x_i", "square loss without a factor 1/2; f = (1/m)Σφ"),
    formula="W*(1 - 4*eps**2*e**2*x2/m**2)",
    symbols={**SYMBOLS, "W": "h_j c_k - h_k c_j before the step"},
    controls={
        "W*1": "gradient flow moves both alike and keeps the area",
        "W*(1 - 2*eps*e/m)**2": "both contract at the rate of the error, not of its square",
        "W*(1 - 4*eps**2*e**2*x2)": "f without the factor 1/m",
        "W*(1 - 4*eps**2*e**2*(x2 - 1)/m**2)": "a bias that does not learn",
        "W*(1 + 4*eps**2*e**2*x2/m**2)": "the area grows: the step is a rotation",
    },
    checks=(determinant, area_changes),
    part_of="dedios2020.equation_10",
    rests_on=("dedios2020.algorithm_1",),
    own=True,
)
