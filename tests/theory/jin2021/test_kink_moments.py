"""The bins of kinks against numbers computed elsewhere, and against broken formulas."""

from fractions import Fraction

import pytest

from implicitbias.claims.check import Context
from implicitbias.judging.judge import judge
from implicitbias.judging.judgement import Outcome
from implicitbias.theory.jin2021 import theorem_9
from implicitbias.theory.observed.wide import kink_moments as seen

ONE, TWO = Fraction(1), Fraction(2)


@pytest.mark.parametrize(
    ("mass", "x", "zeta"),
    [
        (seen.normal_mass(ONE, ONE), Fraction(3), 0.006366197723676),
        (seen.normal_power_mass(ONE, ONE, 2), ONE, 0.1591549430919),
        (seen.laplace_mass(ONE, TWO), Fraction(-3, 2), 0.1599333610995),
        (seen.student_mass(), Fraction(1, 2), 0.5508672115836),
        (seen.normal_weight_mass(ONE, TWO), TWO, 0.03598619362272),
        (seen.uniform_weight_mass(ONE, ONE), ONE, 0.07197238724544),
        (seen.disk_mass(ONE), ONE, 0.03978873577297),
    ],
)
def test_zeta_from_bins_is_what_thirty_digit_quadrature_of_the_density_gave(mass, x, zeta):
    found = seen.density(mass, x)
    assert float(found.lower) == pytest.approx(zeta, rel=1e-12)
    assert found.width < Fraction(1, 10**30)


def test_rectangles_are_exact_where_zeta_is_constant_and_enclosed_beyond():
    assert seen.rectangle_density(ONE, TWO, ONE) == Fraction(1, 16)
    outside = seen.rectangle_density(ONE, TWO, Fraction(3))
    assert outside.contains(Fraction(1, 81))
    assert outside.width < Fraction(1, 10**25)


def judged(claim, check_name, formula):
    (check,) = [c for c in claim.checks if c.name == check_name]
    return judge(check.observe(Context(seed=5)), formula, list(claim.symbols)).outcome


@pytest.mark.parametrize(
    "formula",
    [
        "a_w**3/(8*a_b)/Max(1, a_w*Abs(x)/a_b)**4",
        "a_w**3*a_b**3/(8*Max(a_b, a_w*Abs(x))**4)",
        "a_w**3*a_b**3/8*((a_w*Abs(x) + a_b + Abs(a_w*Abs(x) - a_b))/2)**(-4)",
    ],
)
def test_theorem_9c_accepts_other_ways_to_write_it(formula):
    assert judged(theorem_9.THEOREM_9C, "integral over the density", formula) is Outcome.ACCEPTED
    assert judged(theorem_9.THEOREM_9C, "polygons", formula) is Outcome.ACCEPTED


@pytest.mark.parametrize(
    "formula",
    [
        "Min(a_w, a_b/Abs(x))**4/(8*a_w*a_b)",
        "Min(a_w**3/a_b, a_b**3/(a_w*x**4))/8",
        "a_w**3/(8*a_b)*Min(1, a_b/(a_w*Abs(x)))**4",
    ],
)
def test_theorem_9c_is_for_x_0_too_where_these_are_undefined(formula):
    assert judged(theorem_9.THEOREM_9C, "integral over the density", formula) is Outcome.REJECTED


@pytest.mark.parametrize(
    ("formula", "outcome"),
    [
        ("2/(pi*sigma_w*sigma_b*(1/sigma_w**2 + x**2/sigma_b**2)**2)", Outcome.ACCEPTED),
        ("2*sigma_w**3*sigma_b**3/(pi*(sigma_b**2+x**2*sigma_w**2)**(3/2))", Outcome.REJECTED),
        ("2*sigma_w**3*sigma_b**3/((sigma_b**2+x**2*sigma_w**2)**2)", Outcome.REJECTED),
        ("2*sigma_w**3*sigma_b**3/(pi*(sigma_w**2+x**2*sigma_b**2)**2)", Outcome.REJECTED),
    ],
)
@pytest.mark.parametrize("check", ["integral over the density", "derivative in polar coordinates"])
def test_theorem_9a_is_told_from_its_neighbours_by_either_proof(formula, outcome, check):
    assert judged(theorem_9.THEOREM_9A, check, formula) is outcome
