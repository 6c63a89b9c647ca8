"""Footnote 2: the cost of constants without an output bias."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from implicitbias.claims import Context, Observation, certificate, claim, seen, shows, theorem
from implicitbias.theorems.rules.extrema.cheapest import CheapestRamps
from implicitbias.theorems.rules.sequences.list_minimum import ListMinimum

from ..observed.cheapest.cost_programme import Polyline, representation


@certificate("exhaustive over a grid of weights")
def search_constant_units(context: Context) -> Observation:
    """The cheapest k units with w₁ = 0 and biases at most B that add up to m: exhaustive search over a rational grid
    for k <= 3, and 30 random networks that must not be cheaper.
    """
    draw = context.random()
    cases = [
        (1, 1, 1),
        (1, 2, 1),
        (-3, 1, 1),
        (0, 5, 2),
        (1, 1, 2),
        (2, 3, 2),
        (-5, 2, 2),
        (1, 1, 3),
        (-1, 10, 3),
        (7, 4, 3),
    ]
    for m, B, k in cases:
        step = Fraction(m, 6 * B) if m else Fraction(1, 6)
        costs = []
        for tried in product(*[[Fraction(B), Fraction(B, 2), Fraction(B, 5)]] * k):
            for free in product(*[[step * j for j in range(-1, 8)]] * (k - 1)):
                last = (m - sum((v * b for v, b in zip(free, tried, strict=False)), Fraction(0))) / tried[-1]
                costs.append(sum((v * v for v in free), last * last) / 2)
        yield seen(min(costs), f"constant {m}, {k} units, biases at most {B}", m=m, B=B, k=k)
    for _ in range(30):
        m, B, k = draw.randint(-9, 9), draw.randint(1, 9), draw.randint(1, 12)
        biases = [Fraction(draw.randint(1, 10 * B), 10) for _ in range(k)]
        outputs = [Fraction(draw.randint(-20, 20), 7) for _ in range(k - 1)]
        outputs.append((m - sum((v * b for v, b in zip(outputs, biases, strict=False)), Fraction(0))) / biases[-1])
        cost = sum((v * v for v in outputs), Fraction(0)) / 2
        yield seen(cost, f"{k} random units that add up to {m}", relation=">=", m=m, B=B, k=k)


@theorem("equal shares")
def constant_units() -> Observation:
    """Equal units at the largest bias; every other list of k units costs more by squares, unit by unit."""
    share = "m/(k*B)"
    yield shows(
        ListMinimum(
            cost="unit_cost(v, 0)",
            over={"v": "real", "b": "real"},
            where=("b <= B",),
            length="k",
            totals={"m": "unit(v, 0, b, x)"},
            at={"v": share, "b": "B"},
            multipliers={"m": "m/(k*B**2)"},
            gap=(f"(v - {share}*relu(b)/B)**2/2", f"({share})**2*(B - relu(b))*(B + relu(b))/(2*B**2)"),
        ),
        for_all={"m": "real", "B": "positive", "k": "positive integer", "x": "real"},
        m="m",
        B="B",
        k="k",
    )


@certificate("exact linear programmes")
def constants_by_programme(context: Context) -> Observation:
    """The constant m from units of norm 1 with kinks on a grid of span D, without output bias: exact optimum."""
    draw = context.random()
    grids: list[Sequence[int]] = [
        (0, 1),
        (0, 2),
        (-1, 1),
        (-5, 0, 5),
        (3, 4, 7),
        (-10, -9, 0, 1),
        (0, 100),
        (-3, -2, -1, 0, 5),
    ]
    grids += [sorted(draw.sample(range(-20, 21), draw.randint(2, 5))) for _ in range(8)]
    for i, grid in enumerate(grids):
        for m in (1, -1) if i < 4 else (0, draw.randint(1, 9), Fraction(-draw.randint(1, 9), 7)):
            least, units = representation(Polyline.of({}, offset=m), grid, output_bias=False)
            yield seen(
                least,
                f"constant {m}, kinks allowed at {tuple(grid)}",
                m=m,
                D=grid[-1] - grid[0],
                kinks=tuple(grid),
                units=tuple(units),
            )


@theorem("four units at the ends")
def constants() -> Observation:
    """Opposite ramps at both ends of an interval [t, t + D], and multipliers at the ends and one beyond each."""
    yield shows(
        CheapestRamps(
            data=(("t - 1", "m"), ("t", "m"), ("t + D", "m"), ("t + D + 1", "m")),
            further=(((), "m"),),
            kinks=("t", "t + D"),
            network=(
                {"v": "m/D", "s": "1", "c": "t"},
                {"v": "-m/D", "s": "-1", "c": "t"},
                {"v": "-m/D", "s": "1", "c": "t + D"},
                {"v": "m/D", "s": "-1", "c": "t + D"},
            ),
            multipliers=("-sign(m)", "sign(m)*(D + 2)/D", "sign(m)*(D + 2)/D", "-sign(m)"),
        ),
        for_all={"m": "real", "D": "positive", "t": "real"},
        split=("m",),
        m="m",
        D="D",
    )


CONSTANT_UNITS = claim(
    "savarese2019.footnote_2_constant_units",
    "footnote 2",
    "A constant from units without input weights",
    """Without an output bias, k units with w₁ = 0 and biases at most B make the constant m at a least cost of
    m²/(2kB²), for every number of units k.""",
    part_of="savarese2019.equation_8",
    latex=r"\min\{\tfrac12\sum v_i^2:\ \sum v_i[b_i]_+=m,\ b_i\le B\}=\frac{m^2}{2kB^2}",
    hypotheses=("B > 0", "k >= 1 units, each with w₁ = 0"),
    formula="m**2/(2*k*B**2)",
    symbols={"m": "the constant", "B": "the largest bias allowed", "k": "the number of units"},
    controls={
        "m**2/(2*B**2)": "more units do not help",
        "m**2/(k*B**2)": "without the half",
        "m**2/(2*k*B)": "linear in the bias",
        "Abs(m)/(k*B)": "cost as in (5), by modulus",
    },
    checks=(search_constant_units, constant_units),
)


CONSTANT = claim(
    "savarese2019.footnote_2_constant",
    "footnote 2",
    "A constant from units of norm one",
    """With unit rows as in (5), without an output bias, and with all kinks in an interval of length D, the least cost
    of the constant m is 4|m|/D. So the output bias does not change the infimum: the cost tends to 0 as D grows.""",
    part_of="savarese2019.equation_8",
    latex=r"\min\{\|w^{(2)}\|_1:\ h_\theta=m,\ \text{kinks in an interval of length }D\}=\frac{4|m|}{D}",
    hypotheses=("D > 0", "rows of norm 1, one input"),
    formula="4*Abs(m)/D",
    symbols={"m": "the constant", "D": "the distance of the outermost kinks"},
    controls={
        "2*Abs(m)/D": "two units would do",
        "Abs(m)/D": "one pair of units counted once",
        "4*Abs(m)/D**2": "falls with the square of the distance",
        "4*m/D": "negative constants are free",
    },
    checks=(constants_by_programme, constants),
    rests_on=("savarese2019.equation_5",),
)
