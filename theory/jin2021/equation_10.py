"""Equations (10) and (14): where descent of the linearised network and of its output weights ends."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from implicitbias.claims import (
    Context,
    Interval,
    Observation,
    Premise,
    Value,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.formula import Assumption
from implicitbias.theorems.rules.sequences.programme import ListProgramme

from ..observed.training.exact_training import descended, gram, jacobian, nearest_solution, small

DATA: tuple[tuple[tuple[int | Fraction, ...], tuple[int | Fraction, ...]], ...] = (
    ((0, 1), (1, 0)),
    ((-1, 1), (1, 2)),
    ((-2, 3), (Fraction(1, 2), -4)),
    ((Fraction(1, 3), Fraction(1, 2)), (5, 1)),
)


def _pair_cases(context: Context, groups: str, count: int) -> list[tuple[str, Any, list[Fraction], dict[str, Value]]]:
    """Networks at two points: Jacobian, residual to be fitted, and the symbols a, b, c, r, s."""
    draw = context.random()
    found = []
    for case in range(count):
        x, y = DATA[case] if case < len(DATA) else ((-1, Fraction(draw.randint(1, 9), 4)), (draw.randint(-9, 9), 1))
        network = small(draw, 2 + case % 3, x)
        rows = jacobian(network, x, groups)
        K = gram(rows)
        if K[0][0] * K[1][1] - K[0][1] ** 2 <= K[0][0] * K[1][1] / 50:
            continue
        residual = [b - network(a) for a, b in zip(x, y, strict=True)]
        given: dict[str, Value] = {"a": K[0][0], "b": K[0][1], "c": K[1][1], "r": residual[0], "s": residual[1]}
        found.append((f"data {x}, {len(network.w)} units", rows, residual, given))
    return found


def _where_descent_ends(context: Context, groups: str) -> Observation:
    widest, networks = Fraction(0), 0
    for label, rows, residual, given in _pair_cases(context, groups, context.choose(16, 60)):
        K = gram(rows)
        trace = K[0][0] + K[1][1]
        floor = (K[0][0] * K[1][1] - K[0][1] ** 2) / trace
        travelled, missing = descended(rows, residual, 1 / trace, 30)
        # what is still to come is at most √left long: what is left of the residual over the least eigenvalue
        left = _root(missing.upper / floor)
        room = left * (left + 2 * (travelled.upper + 1))
        observed = Interval(travelled.lower - room, travelled.upper + room)
        yield seen(observed, label, **given)
        widest = max(widest, observed.width)
        networks += 1
    yield Premise("every enclosure is narrower than 10⁻²⁰", widest < Fraction(1, 10**20), f"{networks} networks")


def _root(number: Fraction) -> Fraction:
    """A power of two not below the square root."""
    bits = number.numerator.bit_length() - number.denominator.bit_length() + 1
    return Fraction(2) ** ((bits + 1) // 2)


@certificate("where descent ends", time_limit=60)
def where_descent_ends(context: Context) -> Observation:
    """‖ω_∞ - θ_0‖² after descent of all parameters of the linearised network, in balls, until what is left cannot
    matter."""
    yield from _where_descent_ends(context, "wbvc")


@certificate("where descent of the output weights ends", time_limit=60)
def where_output_descent_ends(context: Context) -> Observation:
    """‖ΔW²‖² after descent of the output weights alone, in balls."""
    yield from _where_descent_ends(context, "v")


def _nearest(context: Context, groups: str) -> Observation:
    for label, rows, residual, given in _pair_cases(context, groups, context.choose(20, 80)):
        delta = nearest_solution(rows, residual)
        yield seen(sum(e * e for e in delta), label, **given)


@certificate("null space")
def nearest_interpolant(context: Context) -> Observation:
    """min ‖ω - θ_0‖² over the interpolants: a solution by elimination, improved along the null space."""
    yield from _nearest(context, "wbvc")


@certificate("null space of the output weights")
def nearest_output_weights(context: Context) -> Observation:
    """min ‖ΔW²‖² over the output weights that interpolate, the other parameters fixed, in the same way."""
    yield from _nearest(context, "v")


@theorem("Lagrange's conditions")
def the_distance() -> Observation:
    """The least squared length of a change e of any number of parameters, whose gradients at the data are p and q, that
    meets both residuals: e is a combination of the gradients.
    """
    determinant = "(a*c - b**2)"
    first, second = f"((c*r - b*s)/{determinant})", f"((a*s - b*r)/{determinant})"
    nearest = ListProgramme(
        cost="dot(e, e)",
        free={"e": "real"},
        wanted={"r": "p*e", "s": "q*e"},
        given={"p": "real", "q": "real"},
        known={"a": "dot(p, p)", "b": "dot(p, q)", "c": "dot(q, q)"},
        plan={"e": f"{first}*p + {second}*q"},
        by={"r": {"a": first, "b": second}, "s": {"b": first, "c": second}},
        multipliers={"r": f"2*{first}", "s": f"2*{second}"},
        worth={"a": f"-{first}**2", "b": f"-2*{first}*{second}", "c": f"-{second}**2"},
        gap=(f"(e - {first}*p - {second}*q)**2",),
    )
    names: dict[str, Assumption] = {"a": "positive", "c": "positive", **dict.fromkeys("brs", "real")}
    given = {name: name for name in names}
    yield shows(nearest, for_all=names, assuming=("a*c - b**2 > 0",), **given)


PAIR = {"a": "K(x₁, x₁), K = JJᵀ", "b": "K(x₁, x₂)", "c": "K(x₂, x₂)", "r": "y₁ - f(x₁, θ₀)", "s": "y₂ - f(x₂, θ₀)"}
EQUATION_10 = claim(
    "jin2021.equation_10",
    "Equations (10), (12) and (14)",
    "The end of descent: the nearest interpolant",
    """If the gradients at the data are independent, descent (9) of all parameters of the linearised network ends at the
    interpolating ω nearest to θ₀; and descent (12) of the output weights alone ends where ‖W² - W̄²‖ is least among
    those that interpolate (14), the output bias fixed. For two points with JJᵀ = [[a, b], [b, c]], J the derivatives in
    the parameters that are trained, and residual (r, s) the squared distance is (cr² - 2brs + as²)/(ac - b²).""",
    latex=r"\|\omega_\infty-\theta_0\|_2^2=r^{\top}(JJ^{\top})^{-1}r",
    hypotheses=("JJᵀ is regular (ΦΦᵀ for the output weights)", "η < 2/λ_max"),
    formula="(c*r**2 - 2*b*r*s + a*s**2)/(a*c - b**2)",
    symbols=PAIR,
    controls={
        "(a*r**2 - 2*b*r*s + c*s**2)/(a*c - b**2)": "K in place of its adjugate",
        "r**2/a + s**2/c": "the points taken one by one",
        "(r**2 + s**2)/(a + c)": "one step along the gradient",
        "(c*r**2 + 2*b*r*s + a*s**2)/(a*c - b**2)": "the sign of the off-diagonal term",
        "((c+1)*r**2 - 2*(b+1)*r*s + (a+1)*s**2)/((a+1)*(c+1) - (b+1)**2)": "the output bias counted twice",
    },
    checks=(the_distance, where_descent_ends, nearest_interpolant, where_output_descent_ends, nearest_output_weights),
    formerly=("jin2021.equation_14",),
    part_of="jin2021.theorem_4_function",
    rests_on=("jin2021.theorem_4_step_size",),
)
