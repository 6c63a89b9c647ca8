"""`implicitbias cost DATA.csv` and `implicitbias cost --formula "…"`: the representation cost of a function."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from implicitbias.commands.data.answers import Answer, give, listed
from implicitbias.commands.data.enclosures import as_json as number_as_json
from implicitbias.commands.data.enclosures import as_text
from implicitbias.commands.options import AsJson, XColumn, YColumn, belong
from implicitbias.errors import DataError, UserError

if TYPE_CHECKING:
    from implicitbias.data.points import Points
    from implicitbias.formulas.smooth import FormulaCost
    from implicitbias.functions.piecewise_linear import PiecewiseLinear

Result = TypeVar("Result")

Data = Annotated[
    str | None,
    typer.Argument(metavar="DATA.csv", help="A CSV file of points, x increasing; - for standard input."),
]
Formula = Annotated[
    str | None,
    typer.Option("--formula", metavar="EXPR", help='A function of x instead: "abs(x)", "log(1+exp(x))".'),
]
LeftSlope = Annotated[
    str | None,
    typer.Option("--left-slope", metavar="SLOPE", help="Before the first point [default: that of the first piece]."),
]
RightSlope = Annotated[
    str | None,
    typer.Option("--right-slope", metavar="SLOPE", help="After the last point [default: that of the last piece]."),
]
TimeLimit = Annotated[
    float, typer.Option("--time-limit", metavar="SECONDS", min=0.1, help="For a formula: give up after this.")
]


def cost(
    data: Data = None,
    formula: Formula = None,
    x: XColumn = None,
    y: YColumn = None,
    left_slope: LeftSlope = None,
    right_slope: RightSlope = None,
    time_limit: TimeLimit = 60.0,
    as_json: AsJson = False,
) -> None:
    """What it costs a wide two-layer ReLU network to be a function: max(∫|f''|, |f'(-∞) + f'(+∞)|).

    The function is the linear spline with a knot at each point of the file, continued by straight lines (for the
    cheapest of all functions through the points see `interpolate`), or a formula in x. Exit code 3 where the cost of a
    formula cannot be decided.
    """
    if (data is None) == (formula is None):
        raise UserError("give either a CSV file (or - for standard input) or --formula, and not both: cost DATA.csv")
    of_points = {"--x": x, "--y": y, "--left-slope": left_slope, "--right-slope": right_slope}
    belong(of_points, "a CSV file, not to --formula", formula is None)
    if formula is not None:
        give(_cost_of_formula(formula, time_limit), as_json)
    elif data is not None:
        give(_cost_of_points(data, (x, y), (left_slope, right_slope)), as_json)


def _cost_of_formula(formula: str, time_limit: float) -> Answer:
    from implicitbias.formulas.smooth import FormulaCost, formula_cost

    found = _within(time_limit, lambda: formula_cost(formula))
    if found is None:
        found = FormulaCost(formula, "undecided", f"no answer within {time_limit:g} s: see --time-limit")
    return Answer(formula_document(found), formula_in_words(found), undecided=found.status == "undecided")


def _cost_of_points(data: str, columns: tuple[str | None, str | None], slopes: tuple[str | None, str | None]) -> Answer:
    from implicitbias.data.points import read_points
    from implicitbias.functions.piecewise_linear import PiecewiseLinear

    ends = [_slope(text, name) for text, name in zip(slopes, ("--left-slope", "--right-slope"), strict=True)]
    points = read_points(data, *columns, at_least=1 if None not in ends else 2)
    spline = PiecewiseLinear.from_points(points.x, points.y, *ends)
    return Answer(spline_document(points, spline), spline_in_words(points, spline, slopes))


def _slope(text: str | None, name: str) -> Fraction | None:
    from implicitbias.exact.rational import exact

    if text is None:
        return None
    try:
        return exact(text)
    except DataError as error:
        raise DataError(f"{name}: {error}") from None


def spline_document(points: Points, spline: PiecewiseLinear) -> dict[str, Any]:
    """All that was found, as JSON values."""
    from implicitbias.functions.representation_cost import local_cost, representation_cost

    return {
        "schema": 1,
        "source": points.source,
        "points": len(points),
        "function": "linear spline through the points, continued by straight lines",
        "status": "finite",
        "total_variation": number_as_json(spline.total_variation),
        "end_slopes": [number_as_json(spline.left_slope), number_as_json(spline.right_slope)],
        "end_slope_sum": number_as_json(spline.end_slope_sum),
        "cost": number_as_json(representation_cost(spline)),
        "local_cost": number_as_json(local_cost(spline)),
        "kinks": len(spline.kinks),
    }


def spline_in_words(points: Points, spline: PiecewiseLinear, given: tuple[str | None, str | None]) -> list[str]:
    """The same to be read."""
    from implicitbias.functions.representation_cost import local_cost, representation_cost

    left, right = as_text(spline.left_slope), as_text(spline.right_slope)
    before = "as asked" if given[0] is not None else "that of the first piece; --left-slope changes it"
    after = "as asked" if given[1] is not None else "that of the last piece; --right-slope changes it"
    count = f"{len(points)} points" if len(points) > 1 else "one point"
    return [
        f"The linear spline through {count} of {points.source}; kinks: {len(spline.kinks)}",
        f"  before the first point  slope {left} ({before})",
        f"  after the last point    slope {right} ({after})",
        "",
        *_lines(
            as_text(spline.total_variation),
            as_text(spline.end_slope_sum),
            as_text(representation_cost(spline)),
            as_text(local_cost(spline)),
        ),
        "",
        "That is what this spline costs; `implicitbias interpolate` finds the cheapest function through the points.",
    ]


def formula_document(found: FormulaCost) -> dict[str, Any]:
    """All that was found, as JSON values."""
    slopes = found.end_slopes
    return {
        "schema": 1,
        "formula": found.formula,
        "status": found.status,
        "reason": found.reason or None,
        "total_variation": number_as_json(found.total_variation, found.exact_total_variation),
        "end_slopes": None if slopes is None else [number_as_json(slope) for slope in slopes],
        "end_slope_sum": number_as_json(found.end_slope_sum, found.exact_end_slope_sum),
        "cost": number_as_json(found.cost, found.exact),
        "sup_norm": {"status": found.sup_norm_status, "has_asymptotes": found.has_asymptotes},
        "local_cost": number_as_json(found.local_cost, found.exact_local_cost),
        "kinks": [{"x": number_as_json(place), "jump": number_as_json(jump)} for place, jump in found.kinks],
    }


def formula_in_words(found: FormulaCost) -> list[str]:
    """The same to be read."""
    head = f"f(x) = {found.formula}"
    if found.status == "undecided":
        return [head, "", f"The cost could not be decided: {found.reason}"]
    if found.status == "infinite":
        return [head, "", f"R̄ = ∞: {found.reason}"]
    numbers = (found.total_variation, found.end_slope_sum, found.cost, found.local_cost)
    if any(number is None for number in numbers):
        raise AssertionError("a finite cost comes with its numbers")
    forms = (found.exact_total_variation, found.exact_end_slope_sum, found.exact, found.exact_local_cost)
    texts = [as_text(number, form) for number, form in zip(numbers, forms, strict=True) if number is not None]
    lines = [head, "", *_lines(*texts)]
    if found.kinks:
        shown = [f"{as_text(jump)} at x = {as_text(place)}" for place, jump in found.kinks]
        lines += ["", f"Kinks (jumps of f'): {listed(shown)}"]
    return [*lines, "", *_readings(found)]


def _lines(T: str, s: str, cost: str, local: str) -> list[str]:
    rows = {
        "T = ∫|f''|": T,
        "s = f'(-∞) + f'(+∞)": s,
        "R̄ = max(T, |s|)": cost,
        "on bounded intervals only": f"{local}, which is max(T, (T + |s|)/2)",
    }
    return [f"  {name:<26}{value}" for name, value in rows.items()]


def _readings(found: FormulaCost) -> list[str]:
    """The values of the two definitions of the cost in Savarese et al. 2019, if they differ."""
    match found.has_asymptotes:
        case True:
            return []
        case False:
            return [
                "f has no straight asymptotes: f - f'(±∞) x has no limit at one end at least. Networks have, so none",
                "is within finite distance of f on the whole line, and by definition (6) of Savarese et al. 2019 the",
                "cost is infinite. R̄ above is that of the integral representation (8).",
            ]
    return [
        "Whether f has straight asymptotes could not be decided. If not, the cost is infinite by definition (6) of",
        "Savarese et al. 2019; R̄ above is that of the integral representation (8).",
    ]


class _OutOfTime(BaseException):
    """Raised by the alarm; a BaseException, so that no `except Exception` on the way catches it."""


def _within(seconds: float, compute: Callable[[], Result]) -> Result | None:
    """The result, or None after this time: sympy's limits and simplifications need not end.

    An alarm signal interrupts Python code, and the calls into C that are made here are short. Without
    alarms (on Windows, or outside the main thread) there is no limit.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        return compute()

    def stop(number: int, frame: object) -> None:
        raise _OutOfTime

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return compute()
    except _OutOfTime:
        return None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
