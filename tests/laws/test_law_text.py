"""Laws as text: what is read, and what is refused with a hint."""

from __future__ import annotations

import pytest

from implicitbias.errors import DataError, DegenerateLawError
from implicitbias.laws.joint.build import INITIALISATIONS, initialisation
from implicitbias.laws.one.table import LAWS, law
from implicitbias.laws.one.text import signature


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("norml(0,1)", "Did you mean normal"),
        ("gausian(0,1)", "Did you mean gaussian"),
        ("whatever(1)", "Known: binary"),
        ("normal(0)", "takes 2 parameter"),
        ("normal(0,1,2)", "takes 2 parameter"),
        ("normal(0,-1)", "must be positive, got -1"),
        ("normal(0,0)", "must be positive, got 0"),
        ("normal(0,nan)", "nan"),
        ("normal(0,1/0)", "1/0"),
        ("normal(0,1e999)", "400"),
        ("normal(0,sqrt(-1))", "is not a real number"),
        ("uniform(2,-2)", "lower < upper"),
        ("uniform(1,1)", "lower < upper"),
        ("uniform(-1)", "lower < upper"),
        ("laplace(0,-1)", "must be positive"),
        ("student_t(0)", "must be positive"),
        ("student_t(5,0,-2)", "must be positive"),
        ("exponential(-1)", "must be positive"),
        ("binary(0)", "must be positive"),
        ("truncated(normal(0,1),2,1)", "lower < upper"),
        ("truncated(normal(0,1),90,91)", "no probability"),
        ("truncated(binary(1),-1,1)", "density"),
        ("truncated(1,-1,1)", "is a law"),
        ("normal(1e20,1)", "double precision"),
        ("", "is not a law"),
        ("normal", "takes 2"),
        ("normal(0,1) + 1", "is not a law"),
        ("normal(mean=0,deviation=1)", "is not a law"),
        ("__import__('os').system('true')", "is not a law"),
        ("normal(0,__import__('os'))", "not"),
        ("normal(0,1)(2)", "is not a law"),
        ("normal(" * 50, "is not a law"),
        ("truncated(" * 9 + "normal(0,1)" + ",-1,1)" * 9, "nested"),
        ("uniform(-1,1)" + " " * 10 + "x" * 500, "characters"),
    ],
)
def test_what_is_no_law_is_refused_with_a_reason(text: str, says: str) -> None:
    with pytest.raises(DataError) as caught:
        law(text)
    assert says in str(caught.value)


@pytest.mark.parametrize("text", ["correlated_normal(1,1,1)", "correlated_normal(1,1,-1)", "bivariate_t(5,1,1,1.5)"])
def test_correlations_lie_strictly_between_minus_one_and_one(text: str) -> None:
    with pytest.raises(DataError, match="strictly between"):
        initialisation(text)


def test_a_law_of_one_variable_is_no_joint_law() -> None:
    with pytest.raises(DataError, match="that of the weight and that of the bias"):
        initialisation("normal(0,1)")
    with pytest.raises(DataError, match="Did you mean circle"):
        initialisation("circel(1)")
    with pytest.raises(DataError, match="give a law"):
        initialisation()
    with pytest.raises(DataError, match="give a law"):
        initialisation("normal(0,1)", "normal(0,1)", joint="circle(1)")


@pytest.mark.parametrize(
    "text", ["normal(0,1)", "uniform(-1/3,sqrt(2))", "truncated(laplace(0,2),-1,3)", "student_t(4,1,2)"]
)
def test_the_text_of_a_law_reads_as_that_law(text: str) -> None:
    assert law(text).text == text
    assert law(law(text).text) == law(text)


@pytest.mark.parametrize(
    ("weight", "bias", "says"),
    [
        ("normal(0,1)", "constant(0)", "Dirac's delta at 0"),
        ("binary(1)", "constant(0)", "Dirac's delta at 0"),
        ("binary(1)", "constant(2)", "finitely many points"),
        ("constant(1)", "binary(1)", "finitely many points"),
        ("constant(0)", "normal(0,1)", "no neuron has a kink"),
    ],
)
def test_laws_without_a_density_of_kinks_say_so(weight: str, bias: str, says: str) -> None:
    made = initialisation(weight, bias)
    for ask in (
        lambda: made.zeta(0.5),
        lambda: made.zeta_enclosure("0.5"),
        lambda: made.zeta_symbolic(),
        lambda: made.density_of_kinks(0.5),
        lambda: made.support,
    ):
        with pytest.raises(DegenerateLawError, match=says):
            ask()


@pytest.mark.parametrize("name", ["kaiming_normal", "kaiming_uniform", "xavier_normal(100)", "xavier_uniform(100)"])
def test_zero_biases_have_a_kernel_of_rank_two_and_no_zeta(name: str) -> None:
    made = initialisation(name)
    second = made.weight_second_moment
    assert second == pytest.approx(2 if "kaiming" in name else 2 / 101)
    assert made.kernel(2.0, 3.0) == pytest.approx(second * 6 / 2)
    assert made.kernel(2.0, -3.0) == pytest.approx(0, abs=1e-15)
    with pytest.raises(DegenerateLawError):
        made.zeta(1.0)


def test_every_name_says_what_it_is() -> None:
    for name, build in {**LAWS, **INITIALISATIONS}.items():
        assert build.__doc__, name
        assert signature(name, build).startswith(f"{name}(")


def test_moments_that_do_not_exist_are_refused() -> None:
    with pytest.raises(DataError, match=r"zeta\(0\) is not finite.*student_t\(3\)"):
        initialisation("student_t(3)", "normal(0,1)").zeta(0.0)
    with pytest.raises(DataError, match="infinite"):
        initialisation("student_t(3)", "normal(0,1)").zeta_enclosure(0)
    heavy = initialisation("student_t(2)", "normal(0,1)")
    assert heavy.zeta(1.0) == pytest.approx(0.15437156137190843934, rel=1e-13)
    with pytest.raises(DataError, match="orders below 2"):
        _ = heavy.weight_second_moment
    with pytest.raises(DataError, match="orders below 2"):
        heavy.kernel(0.0, 1.0)
    with pytest.raises(DataError, match="orders below 2"):
        initialisation("bivariate_t(2)").zeta(0.0)


def test_points_must_be_finite() -> None:
    with pytest.raises(DataError, match="NaN"):
        initialisation("normal(0,1)", "normal(0,1)").zeta([0.0, float("nan")])


def test_a_named_law_of_both_parameters_is_read() -> None:
    assert initialisation("circle(1)").zeta(0.0) == pytest.approx(0.3183098861837907)
