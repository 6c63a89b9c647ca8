"""What is plotted of a check: what is on the axes, which series, when axes are logarithmic, when nothing is drawn."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Curve, Evidence, Instance, Value
from implicitbias.claims.statement import Claim, Control, Rule, Source
from implicitbias.exact.rational import Interval
from implicitbias.judging.result import Result, assess
from implicitbias.report.plots import plots
from implicitbias.report.plots.plot import Plot, Series
from implicitbias.report.plots.ticks import ticks


def judged(
    formula: str | Rule,
    controls: Sequence[str],
    instances: Sequence[tuple[dict[str, Value], Value]],
    label: str = "",
    by_run: Mapping[str, tuple[float, ...]] | None = None,
    **more: object,
) -> tuple[Claim, Result]:
    names = list(dict.fromkeys(name for given, _ in instances for name in given))
    seen = Evidence(
        tuple(Instance(label, given, observed, runs=by_run or {}) for given, observed in instances),
        **more,  # type: ignore[arg-type]
    )
    check = Check("seen", Kind.CERTIFICATE, lambda _: seen)
    claim = Claim(
        "paper.claim",
        Source("paper", "(1)"),
        "The cost",
        "…",
        formula,
        tuple(Control(control, "tempting") for control in controls),
        (check,),
        symbols={name: f"meaning of {name}" for name in names},
    )
    return claim, assess(claim, check, check.observe(Context()))


def series(plot: Plot, role: str) -> list[Series]:
    return [one for one in plot.series if one.role == role]


def test_the_most_varied_symbol_of_the_formula_is_the_axis() -> None:
    claim, result = judged("a + b", ["a - b"], [({"a": 1, "b": k, "c": k * k}, 1 + k) for k in range(4)])
    (plot,) = plots(claim, result)
    assert plot.x_label == "b: meaning of b"
    assert plot.y_label == "The cost"
    assert series(plot, "claim")[0].line
    assert series(plot, "control")[0].points == tuple((k, 1 - k) for k in range(4))
    assert plot.note == "observed and claimed are equal at all 4 instances"


def test_what_depends_on_several_symbols_is_drawn_against_what_the_claim_says() -> None:
    claim, result = judged("a*b", ["a"], [({"a": k, "b": k * k % 11}, k * (k * k % 11)) for k in range(20)])
    (plot,) = plots(claim, result)
    assert plot.x_label == "what the claim says"
    (diagonal,) = series(plot, "claim")
    assert diagonal.line
    for x, y in (*diagonal.points, *series(plot, "observed")[0].points):
        assert x == y
    assert all(x == k * (k * k % 11) for k, (x, y) in zip(range(20), series(plot, "control")[0].points, strict=True))
    assert any(x != y for x, y in series(plot, "control")[0].points)


def test_a_few_zeros_among_wide_values_do_not_forbid_logarithmic_axes_and_are_told_of() -> None:
    given = [({"a": 10**k, "b": b}, 10**k * b) for k, b in enumerate((0, 1, 2, 3, 5, 7, 11, 0))]
    (plot,) = plots(*judged("a*b", ["a"], given))
    assert plot.x_log
    assert plot.note.endswith("2 observed zeros not drawn")


def test_a_rate_stands_on_logarithmic_axes_with_both_slopes() -> None:
    def near(value: float) -> Interval:
        return Interval(Fraction(value) * Fraction(9, 10), Fraction(value) * Fraction(11, 10))

    given = [({"n": n}, near(1 / n)) for n in (2, 4, 8)]
    curve = Curve("gauss: distance by width", (1, 2, 4, 8), (1, 0.5, 0.25, 0.125))
    function = Curve("network", (0, 1), (0, 1))
    main, residuals, recorded, other = plots(*judged("1/n", ["1"], given, curves=(curve, function)))
    assert main.x_log
    assert main.y_log
    assert [one.label for one in series(main, "fit")] == ["fitted slope −1.00, claimed −1"]
    assert residuals.y_label == "(observed − claimed) / claimed"
    assert series(residuals, "observed")[0].spread[0] == pytest.approx((-0.1, 0.1))
    assert (recorded.x_label, recorded.y_label, recorded.y_log) == ("width", "distance", True)
    assert series(recorded, "fit")[0].label == "fitted slope −1.00, claimed −1 (gauss)"
    assert (other.y_label, other.y_log) == ("f(x)", False)


@pytest.mark.parametrize(("least", "logarithmic"), [(1, True), (2, False), (-1, False)])
def test_two_decades_of_positive_values_make_logarithmic_axes(least: int, logarithmic: bool) -> None:
    places = (least, 50, 100)
    (plot,) = plots(*judged("x + 0", ["2*x"], [({"x": x}, x) for x in places]))
    assert plot.x_log is plot.y_log is logarithmic


def test_an_experiment_shows_its_runs() -> None:
    runs = (1.9, 2.0, 2.1)
    given = [({"a": k}, Interval(Fraction(3, 2), Fraction(5, 2))) for k in (1, 2)]
    found = plots(*judged("2", ["3"], given, by_run={"": runs}))
    assert [y for _, y in series(found[0], "run")[0].points] == [*runs, *runs]


def test_what_a_word_was_read_from_is_drawn_instance_by_instance() -> None:
    runs = {"ours": (1.0, 2.0), "theirs": (3.0,)}
    (plot,) = plots(
        *judged(Rule("ours", "ours is smaller", lambda _: "ours"), ["0*a"], [({"a": 1}, "ours")] * 2, by_run=runs)
    )
    assert [one.label for one in plot.series] == [*runs]
    assert [y for _, y in plot.series[0].points] == [1.0, 2.0, 1.0, 2.0]
    assert {round(x) for x, _ in plot.series[0].points} == {1, 2}
    assert all(a < b for (a, _), (b, _) in zip(plot.series[0].points[:1], plot.series[1].points, strict=False))


def test_nothing_is_plotted_where_nothing_is_a_number() -> None:
    claim, result = judged("a", ["b"], [({"a": 1, "b": 2}, 1), ({"a": 2, "b": 2}, 2)])
    seen = replace(result.evidence, instances=tuple(replace(i, observed=True) for i in result.evidence.instances))
    assert plots(claim, replace(result, evidence=seen)) == ()


def test_a_wild_neighbour_does_not_flatten_what_was_observed() -> None:
    (plot,) = plots(*judged("x", ["exp(x)*1000"], [({"x": k}, k) for k in range(1, 6)]))
    assert plot.box()[3] < 10


def test_ticks_are_round_and_few() -> None:
    for low, high in ((0, 1), (-3e-7, 4e-7), (1e6, 3e6), (0.12, 0.13)):
        found = ticks(low, high, 5)
        assert 1 <= len(found) <= 8
        assert all(
            low <= at <= high and math.isclose(float(text), at, abs_tol=1e-3 * (high - low)) for at, text in found
        )
    assert [text for _, text in ticks(0.1, 0.9, 5, logarithmic=True)] == ["2", "5"]
