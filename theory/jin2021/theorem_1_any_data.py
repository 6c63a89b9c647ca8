"""Theorem 1, "any finite data set": points beyond all kinks, where every unit is affine, cannot be fitted."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from implicitbias.claims import (
    Context,
    Flaw,
    Interval,
    JobOutput,
    Measured,
    Observation,
    Point,
    Premise,
    Value,
    certificate,
    claim,
    experiment,
    seen,
)
from implicitbias.exact.vectors import dot, relu, solve

from ..observed.data.draws import fraction, of_any_size, values
from ..observed.wide.finite_width import Unit
from ..observed.wide.interpolants import eliminated
from . import errata

FIRST = Fraction(-1, 2)


def straight_units(context: Context, n: int) -> list[Unit]:
    """Units with |w| from 1/2 to 1 and kinks in [-1, 1], affine beyond 1."""
    draw = context.random()
    units = []
    for _ in range(n):
        w = Fraction(draw.randint(8, 16), 16) * draw.choice([-1, 1])
        units.append((w, -w * Fraction(draw.randint(-15, 15), 16)))
    return units


def least_loss(columns: Sequence[Sequence[Fraction]], y: Sequence[Fraction]) -> Fraction:
    """min ½|y - Jθ|² over θ, J given by columns, by projection on their span."""
    rows = list(map(list, zip(*columns, strict=True)))
    basis = [columns[j] for j in eliminated(rows)[1]]
    gram = [[dot(p, q) for q in basis] for p in basis]
    theta = solve(gram, [dot(p, y) for p in basis])
    rest = [b - sum((t * p[j] for t, p in zip(theta, basis, strict=True)), Fraction(0)) for j, b in enumerate(y)]
    return sum((r * r for r in rest), Fraction(0)) / 2


def symbols(x: Sequence[Fraction], y: Sequence[Fraction]) -> dict[str, Value]:
    return {"a": x[2] - x[1], "b": x[3] - x[2], "y_2": y[1], "y_3": y[2], "y_4": y[3], "y_1": y[0]}


@certificate("all directions of all parameters")
def tangents(context: Context) -> Observation:
    """The least loss that any change of all parameters reaches to first order, for networks of 12 units with rational
    random parameters: the residual projected on the tangents in w, b, v, c."""
    draw = context.random()
    for i in range(context.choose(60, 120)):
        units = straight_units(Context(seed=context.seed + i), 12)
        a, b = (Fraction(1), Fraction(1)) if i < 3 else (of_any_size(draw, -3, 3) for _ in range(2))
        x = (FIRST, Fraction(2), 2 + a, 2 + a + b)
        y = [(0, 0, 1, 0), (1, 0, 0, 1), (2, 1, 1, 1)][i] if i < 3 else values(draw, 4)
        labels = list(map(Fraction, y))
        v = [fraction(draw, -1, 1) for _ in units]
        start = [sum((c * relu(w * z + d) for c, (w, d) in zip(v, units, strict=True)), Fraction(0)) for z in x]
        columns = [[Fraction(1)] * 4]
        for c, (w, d) in zip(v, units, strict=True):
            active = [Fraction(int(w * z + d > 0)) for z in x]
            columns += [[h * (w * z + d) for h, z in zip(active, x, strict=True)]]
            columns += [[c * h * z for h, z in zip(active, x, strict=True)], [c * h for h in active]]
        loss = least_loss(columns, [p - q for p, q in zip(labels, start, strict=True)])
        yield seen(loss, f"12 units, x = ({', '.join(map(str, x))})", **symbols(x, labels))


CASES = ((("-1/2", "2", "3", "4"), ("0", "0", "1", "0")), (("-1/2", "3/2", "5/2", "3"), ("1", "1", "-1/2", "1/2")))
ROOM = 1e-3
"""The loss is read to a thousandth of the least loss."""


def training_runs(context: Context) -> Sequence[Point]:
    widths = context.choose((100, 400), (100, 400, 1600))
    return [
        {"case": case, "n": n, "seed": (context.seed + 1009 * i + case) % 2**31, "steps": context.choose(30000, 200000)}
        for case in range(len(CASES))
        for i, n in enumerate(widths)
    ]


def train_job(parameters: Point, device: str) -> JobOutput:
    """Gradient descent on all parameters, square loss, from the law of `straight_units`; the losses at the end."""
    import numpy as np

    from implicitbias.training import anti_symmetric, standard, train

    rng = np.random.default_rng(parameters["seed"])
    n = parameters["n"]
    w = rng.uniform(0.5, 1, n) * rng.choice([-1, 1], n)
    start = anti_symmetric(standard(w, -w * rng.uniform(-1, 1, n), rng.uniform(-1, 1, n)))
    x, y = (np.array([float(Fraction(t)) for t in part]) for part in CASES[parameters["case"]])
    trained = train(start, x, y, steps=parameters["steps"], device=device)
    final = trained.final
    kinks = -final.b / final.w  # type: ignore[attr-defined]
    rest = trained(x) - y
    stencil = np.array([0.0, 1 / (x[2] - x[1]), -1 / (x[2] - x[1]) - 1 / (x[3] - x[2]), 1 / (x[3] - x[2])])
    along = stencil * (stencil @ rest) / (stencil @ stencil)
    return {
        **parameters,
        "loss": float(trained.final_loss),
        "engine": trained.engine,
        "greatest kink": float(kinks.max()),
        "other residual": float(np.abs(rest - along).max()),
    }


@experiment(
    "gradient descent on all parameters",
    training_runs,
    train_job,
    acceptance="""Fixed after pilot runs: the formula must lie within 0.1% of the final loss of every run. UNDECIDED
    unless no kink has reached x_2 and all other residuals are below 0.001.""",
)
def training(context: Context) -> Observation:
    """The final loss of gradient descent on all parameters, for two data sets and several widths."""
    beyond, settled = [], []
    for o in context.outputs:
        x, y = (tuple(map(Fraction, part)) for part in CASES[o["case"]])
        yield seen(Interval.around(o["loss"], ROOM * o["loss"]), f"n = {o['n']}", **symbols(x, y))
        beyond.append(o["greatest kink"] < float(x[1]))
        settled.append(o["other residual"])
    yield Premise("all kinks stay left of the three points", all(beyond))
    yield Premise("everything else has been learnt (residual below 0.001)", max(settled) < 1e-3, f"{max(settled):.1e}")
    yield Measured("engine", context.outputs[0]["engine"])
    yield Measured("losses", tuple(o["loss"] for o in context.outputs))


BENT = "((y_4 - y_3)/b - (y_3 - y_2)/a)"
STENCIL = "(1/a**2 + (1/a + 1/b)**2 + 1/b**2)"

THEOREM_1_ANY_DATA = claim(
    "jin2021.theorem_1_any_data",
    "Theorem 1",
    "The least loss on three points beyond all kinks",
    """If all kinks lie to the left of the last three points, every unit is affine there, so the second divided
    difference of the output over them is 0 and stays 0, for every width and every line ux + v. Gradient descent ends
    at the loss D²/(2|s|²), D the data's second difference and s its weights: 1/3 for the values 0, 1, 0 at 2, 3, 4.
    Theorem 1 says "for any finite data set", in 2021 and in 2023.""",
    latex=r"L(\theta^*)=\frac{D^2}{2\,|s|^2}",
    hypotheses=("one more point among the kinks", "|W| >= 1/2, C in [-1, 1]", "all kinks initially to the left of x_2"),
    formula=f"{BENT}**2/(2*{STENCIL})",
    symbols={
        "a": "x_3 - x_2",
        "b": "x_4 - x_3",
        "y_1": "value at x_1 = -1/2, among the kinks",
        "y_2": "value at x_2",
        "y_3": "value at x_3",
        "y_4": "value at x_4",
    },
    flaw=Flaw(errata.ANY_DATA, "0"),
    controls={
        f"{BENT}**2/{STENCIL}": "without the half of the loss",
        f"{BENT}**2/12": "equal distances",
        "(y_1 - y_2)**2/4": "the first point cannot be fitted",
        "((y_2 - y_3)**2 + (y_3 - y_4)**2 + (y_4 - y_2)**2)/6": "only a constant can be learnt there",
    },
    checks=(tangents, training),
    part_of="jin2021.theorem_1_rate",
)
