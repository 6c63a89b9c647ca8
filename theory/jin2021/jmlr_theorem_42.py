"""Theorems 42 and 43 of the version of 2023 (Appendix M): the kernel's space, for one input and any law of (W, B)."""

from __future__ import annotations

import random
from fractions import Fraction

from implicitbias.claims import Context, Flaw, Observation, Premise, certificate, claim, seen
from implicitbias.exact.vectors import solve

from ..observed.data.draws import fraction, of_any_size
from ..observed.wide.finite_width import Unit, empirical_kernel, feature, random_units
from ..observed.wide.interpolants import trained_with_free_line
from .errata import SQUARE_OF_2023


def least_weights(units: list[Unit], x: list[Fraction], y: list[Fraction]) -> list[Fraction] | None:
    """The α with the least mean of α² and mean α[wx_j + b]_+ = y_j, from the stationarity of the Lagrangian in every α
    and λ; None where the constraints depend on one another."""
    n = len(units)
    rows = [
        [*[Fraction(2 * (i == k), n) for k in range(n)], *[feature(unit, p) / n for p in x]]
        for i, unit in enumerate(units)
    ]
    rows += [[*[feature(unit, p) / n for unit in units], *[Fraction(0)] * len(x)] for p in x]
    try:
        return list(solve(rows, [*[Fraction(0)] * n, *y])[:n])
    except (ArithmeticError, ValueError):
        return None


@certificate("output weights of finite laws")
def weights_of_least_norm(context: Context) -> Observation:
    """The function of the solution of (152) for laws of three to seven units, symmetric or not: the output weights are
    solved for, in fractions, and the kernel is not used."""
    draw, places = context.random(), 0
    for case in range(context.choose(60, 200)):
        units = random_units(draw, 3 + case % 5)
        x = sorted({fraction(draw, -3, 3) for _ in range(2)})
        size = of_any_size(draw, -3, 3)
        y = [size * draw.choice((-3, -1, 0, 1, 2)) for _ in x]
        alpha = least_weights(units, x, y) if len(x) == 2 else None
        if alpha is None:
            continue
        K = empirical_kernel(units)
        at = fraction(draw, -4, 4)
        found = sum((a * feature(unit, at) for a, unit in zip(alpha, units, strict=True)), Fraction(0)) / len(units)
        gram = {"K_11": K(x[0], x[0]), "K_12": K(x[0], x[1]), "K_22": K(x[1], x[1])}
        label = f"{len(units)} units, data at {x[0]} and {x[1]}, x = {at}"
        yield seen(found, label, **gram, k_1=K(at, x[0]), k_2=K(at, x[1]), y_1=y[0], y_2=y[1])
        places += found != 0
    yield Premise("functions that are not 0 are among them", places >= 20, f"{places}")


def units_at(draw: random.Random, kinks: tuple[Fraction, Fraction]) -> list[Unit]:
    """One to three units of either sign at each kink, and units that bend outside [-1, 1]."""
    inside = [
        (Fraction(draw.randint(1, 8), 4) * draw.choice((-1, 1)), kink)
        for kink in kinks
        for _ in range(draw.randint(1, 3))
    ]
    outside = [
        (
            Fraction(draw.randint(1, 8), 4) * draw.choice((-1, 1)),
            draw.choice((-1, 1)) * Fraction(draw.randint(9, 20), 8),
        )
        for _ in range(draw.randint(0, 4))
    ]
    return [(w, -w * kink) for w, kink in inside + outside]


@certificate("norms of finite laws")
def norms(context: Context) -> Observation:
    """The least squared norm of g - ux - v on S = [-1, 1], for laws of units of which two kinks lie in S and others may
    lie outside, symmetric or not: λᵀKλ at the values of g at the kinks and ends of S, which determine g there."""
    draw, met = context.random(), set()
    for _ in range(context.choose(60, 200)):
        first, second = sorted(draw.sample(range(-15, 16), 2))
        kinks = Fraction(first, 16), Fraction(second, 16)
        units = units_at(draw, kinks)
        points = [Fraction(-1), *kinks, Fraction(1)]
        size = of_any_size(draw, -3, 3)
        values = [size * fraction(draw, -3, 3) for _ in points]
        found = trained_with_free_line(empirical_kernel(units), points, values).cost
        slopes = [(values[i + 1] - values[i]) / (points[i + 1] - points[i]) for i in range(3)]
        symbols = {"J_1": slopes[1] - slopes[0], "J_2": slopes[2] - slopes[1]}
        for k, kink in enumerate(kinks, start=1):
            own = [w for w, b in units if -b / w == kink]
            symbols[f"z_{k}"] = sum((w * w for w in own), Fraction(0)) / len(units)
            symbols[f"m_{k}"] = sum(map(abs, own), Fraction(0)) / len(units)
            met.add((len(own) > 1, min(own) < 0, max(own) > 0))
        yield seen(found, f"{len(units)} units, kinks at {kinks[0]} and {kinks[1]}", **symbols)
    yield Premise("one and more units at a kink, of one sign and of both", len(met) >= 5, f"{len(met)} kinds")


JMLR_THEOREM_42 = claim(
    "jin2021.jmlr_theorem_42",
    "JMLR 2023, Theorem 42",
    "Least output weights give the interpolant of least kernel norm",
    """The function of the solution of (152), least ∫α² over the output weights, is the solution of (151), the function
    of least norm in the space of the kernel K = E[Wx+B]_+[Wx'+B]_+ through the data: K(·, X)K(X, X)⁻¹y. Here for two
    data and laws of three to seven units, which need not be symmetric.""",
    latex=r"g=\tilde\Theta(\cdot,X)\,\tilde\Theta(X,X)^{-1}y",
    hypotheses=("both problems are feasible", "K(X, X) is regular", "one input, two data"),
    formula="(k_1*(K_22*y_1 - K_12*y_2) + k_2*(K_11*y_2 - K_12*y_1))/(K_11*K_22 - K_12**2)",
    symbols={
        "K_11": "K(x_1, x_1)",
        "K_12": "K(x_1, x_2)",
        "K_22": "K(x_2, x_2)",
        "k_1": "K(x, x_1)",
        "k_2": "K(x, x_2)",
        "y_1": "y_1",
        "y_2": "y_2",
    },
    domain=("K_11*K_22 > K_12**2",),
    controls={
        "k_1*y_1/K_11 + k_2*y_2/K_22": "each datum by itself",
        "(k_1*(K_22*y_1 + K_12*y_2) + k_2*(K_11*y_2 + K_12*y_1))/(K_11*K_22 - K_12**2)": "a sign of the inverse",
        "(k_1*(K_11*y_1 - K_12*y_2) + k_2*(K_22*y_2 - K_12*y_1))/(K_11*K_22 - K_12**2)": "the diagonal exchanged",
        "(k_1*y_1 + k_2*y_2)/(K_11 + K_22)": "a mean of the labels",
    },
    checks=(weights_of_least_norm,),
    part_of="jin2021.theorem_6",
)

JMLR_THEOREM_43 = claim(
    "jin2021.jmlr_theorem_43",
    "JMLR 2023, Theorem 43 and (159)",
    "The kernel norm up to affine functions is ∫g''²/ζ",
    """On functions that are orthogonal to 1 and x the squared norm of the kernel's space on S is ∫_S h''²/ζ; so it is
    the least squared norm of g - ux - v over u and v. For a law of finitely many units, as here, S = [-1, 1] with two
    kinks in it, it is the sum of J²/z over the kinks, J the jump of the slope and z the mass E[W²] of the units there:
    neither E|W| there nor a symmetry of the law matters. ((159) prints the norm, not its square.)""",
    latex=r"\min_{u,v}\|g-ux-v\|^2_{\tilde\Theta}=\int_S\frac{g''(x)^2}{\zeta(x)}\,dx",
    hypotheses=("one input", "g bends where units do, inside S"),
    formula="J_1**2/z_1 + J_2**2/z_2",
    symbols={
        "J_1": "jump of g' at the first kink",
        "J_2": "at the second",
        "z_1": "E[W²] of the units with the first kink: the mass of ζ",
        "z_2": "of those with the second",
        "m_1": "E|W| of the units with the first kink",
        "m_2": "of those with the second",
    },
    domain=("z_1 > 0", "z_2 > 0", "m_1 > 0", "m_2 > 0"),
    controls={
        "J_1**2/m_1 + J_2**2/m_2": "E|W| in the place of E[W²]",
        "(J_1 + J_2)**2/(z_1 + z_2)": "the kinks taken together",
        "(J_1**2/z_1 + J_2**2/z_2)/2": "the half of the kernel norm that curvature makes at K(·, x)",
        "z_1*J_1**2 + z_2*J_2**2": "weighted by ζ, not by its reciprocal",
    },
    checks=(norms,),
    part_of="jin2021.theorem_6",
    flaw=Flaw(SQUARE_OF_2023, "(J_1**2/z_1 + J_2**2/z_2)**2"),
)
