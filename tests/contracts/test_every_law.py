"""What every law of the tables must satisfy, alone and as the law of weights and biases."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy import integrate, stats

from implicitbias.errors import DataError, DegenerateLawError
from implicitbias.exact.enclosure import enclose
from implicitbias.exact.rational import Interval, exact
from implicitbias.exact.symbolic import symbol
from implicitbias.laws.joint import build as joint
from implicitbias.laws.joint.build import initialisation
from implicitbias.laws.joint.joint_density import joint_density
from implicitbias.laws.joint.joint_law import Initialisation
from implicitbias.laws.one import table as one
from implicitbias.laws.one.law import Law
from implicitbias.laws.one.named import Named
from implicitbias.laws.one.table import law
from implicitbias.laws.penalty.balls import density_at
from implicitbias.laws.penalty.curvature_penalty import realise, realise_independently
from implicitbias.laws.penalty.mean_zeta import mean_zeta


def has_density(made: Initialisation) -> bool:
    """Whether the kinks have a density, so that there is a zeta."""
    try:
        return bool(made.support)
    except DegenerateLawError:
        return False


ONE = [example for entry in one.KNOWN for example in entry.examples]
JOINT = [example for entry in joint.KNOWN for example in entry.examples]
"""The examples of every law of the two tables: a law that is added is held to all that is asked here."""

WEIGHTS = [text for text in ONE if law(text).moments_below > 3]
"""Laws of the weight for which zeta(0) is finite."""

DEGENERATE = [text for text in JOINT if not has_density(initialisation(text))]

INDEPENDENT = [
    *((text, "normal(0.5,1)") for text in WEIGHTS),
    *(("uniform(-1,2)", text) for text in ONE),
    ("normal(0,1)", "normal(0,2)"),
    ("normal(0,1)", "uniform(-2,2)"),
    ("uniform(-1,1)", "normal(0,1)"),
    ("uniform(-1,1)", "uniform(-2,2)"),
    ("uniform(-1,2)", "uniform(-3,1)"),
    ("laplace(0.5,1)", "uniform(-1,3)"),
    ("binary(2)", "uniform(-2,2)"),
    ("binary(1)", "laplace(0,1)"),
    ("laplace(0,1)", "laplace(0,2)"),
    ("student_t(6)", "student_t(7)"),
    ("exponential(1)", "exponential(2)"),
    ("truncated(normal(0,1),-1,2)", "laplace(0,1)"),
    ("normal(0,1)", "constant(1)"),
    ("uniform(1,2)", "constant(-2)"),
]
"""Each example with a companion, and pairs that have a closed form or awkward ends."""


def _bent(w: np.ndarray, b: np.ndarray) -> np.ndarray:
    """W normal, B normal about |W|/2: not elliptical, not independent, not symmetric."""
    return np.exp(-((w - 0.3) ** 2 + (b - 0.5 * np.abs(w)) ** 2) / 2) / (2 * np.pi)


MADE: dict[str, Initialisation] = {
    **{f"{w} and {b}": initialisation(w, b) for w, b in INDEPENDENT},
    **{text: initialisation(text) for text in JOINT if text not in DEGENERATE},
    "scipy": initialisation(stats.gamma(2.5), stats.logistic(0.5, 1)),
    "joint density": joint_density(
        _bent,
        kinks=(0.0,),
        sampler=lambda shape, rng: (
            w := rng.normal(0.3, 1, shape),
            0.5 * np.abs(w) + rng.standard_normal(shape),
        ),
    ),
    "realised on a circle": realise("exp(x**2)/(1+0.8*sin(3*x))"),
    "realised independently": realise_independently("(1+x**4)*(2+sin(x))", (-2, 3), "normal(0.5,1)"),
}
"""One table; a property a test."""

every = pytest.mark.parametrize("made", MADE.values(), ids=MADE.keys())


@pytest.mark.parametrize("text", ONE)
def test_the_text_of_a_law_is_read_as_the_same_law(text: str) -> None:
    made = law(text)
    assert law(made.text) == made
    assert law(made.text).text == made.text


@pytest.mark.parametrize("text", ONE)
def test_the_density_of_a_law_is_the_same_in_doubles_balls_and_symbols(text: str) -> None:
    made = law(text)
    inner = made.sample(20, np.random.default_rng(3))
    if made.atoms:
        assert not made.pieces
        assert sum(atom.mass for atom in made.atoms) == pytest.approx(1)
        return
    balls = [float(density_at(made, exact(repr(float(x)))).mid()) for x in inner]
    assert made.density(inner) == pytest.approx(balls, rel=1e-12)
    if (formula := made.formula("x")) is not None:
        values = [enclose(formula, x=exact(repr(float(x)))) for x in inner]
        middles = [float((v.lower + v.upper) / 2) if isinstance(v, Interval) else float(v) for v in values]
        assert made.density(inner) == pytest.approx(middles, rel=1e-12)
    try:
        pieces = made.symbolic(symbol("x"))
    except DataError:
        return
    for x, expected in zip(inner, made.density(inner), strict=True):
        found = [p.subs(symbol("x"), float(x)) for low, high, p in pieces if low <= x <= high]
        assert float(found[0]) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("text", ONE)
def test_partial_moments_and_draws_of_a_law_agree(text: str) -> None:
    """Each mean of X^k 1{X > t} within 6 standard errors of the partial moment."""
    made = law(text)
    drawn = made.sample(100_000, np.random.default_rng(8))
    assert drawn.min() >= made.support[0]
    assert drawn.max() <= made.support[1]
    for t in (-0.6, 0.1, 1.3):
        for k in (0, 1, 2):
            if 2 * k >= made.moments_below:
                continue
            seen = np.where(drawn > t, drawn**k, 0.0)
            assert abs(seen.mean() - made.partial_moment(k, np.array([t]))[0]) <= 6 * seen.std() / 100_000**0.5 + 1e-12


@pytest.mark.parametrize("entry", one.KNOWN, ids=lambda entry: entry.names[0])
def test_scipys_law_of_the_same_name_is_the_same_law(entry: Named[Law]) -> None:
    for name in entry.scipy:
        shapes = {"t": (5.0,), "truncnorm": (-1.0, 2.0)}.get(name) or (1.5,) * getattr(stats, name).numargs
        frozen = getattr(stats, name)(*shapes, loc=0.5, scale=2.0)
        ours, points = law(frozen), frozen.ppf(np.linspace(0.05, 0.95, 19))
        assert ours.pieces, "in ball arithmetic"
        assert ours.density(points) == pytest.approx(frozen.pdf(points), rel=1e-11)


@pytest.mark.parametrize("text", DEGENERATE)
def test_an_initialisation_whose_kinks_have_no_density_has_no_zeta(text: str) -> None:
    made = initialisation(text)
    for ask in (lambda: made.zeta(0.5), lambda: made.zeta_enclosure("0.5"), lambda: made.zeta_symbolic()):
        with pytest.raises(DegenerateLawError):
            ask()


@pytest.mark.parametrize("entry", [*one.KNOWN, *joint.KNOWN], ids=lambda entry: entry.names[0])
def test_a_law_says_what_it_is_and_gives_an_example(entry: Named[Law]) -> None:
    assert entry.build.__doc__
    assert entry.examples
    for example in entry.examples:
        assert example.split("(")[0] in entry.names


def _second_moment(made: Initialisation, j: int, k: int) -> float | None:
    try:
        return made.moment(j, k)
    except DataError:
        return None


@every
@pytest.mark.parametrize("k", [0, 1, 2])
def test_the_moments_of_zeta_are_those_of_weight_and_bias(made: Initialisation, k: int) -> None:
    """∫ζ = E W², ∫ζx = -E[WB], ∫ζx² = E B²: scipy's quadrature of zeta on the left, laws' moments on the right."""
    expected = _second_moment(made, 2 - k, k)
    if expected is None:
        pytest.skip("that moment is infinite")
    kinks = [x for x in made.kinks if abs(x) < 1e6]
    splits = sorted({0.0, *kinks, *(s * 4.0**e for s in (-1, 1) for e in range(-3, 4))})
    total = 0.0
    for low, high in pairwise(splits):
        total += integrate.fixed_quad(lambda x: made.zeta(x) * x**k, low, high, n=40)[0]
    for sign in (-1, 1):
        # x = ±64/t², so that tails like 1/x⁴ become smooth
        total += integrate.fixed_quad(
            lambda t, s=sign: made.zeta(s * 64 / t**2) * (s * 64 / t**2) ** k * 128 / t**3, 0, 1, n=60
        )[0]
    assert total == pytest.approx((-1) ** k * expected, rel=1e-6, abs=1e-7)


RIGOROUS = {name: made for name, made in MADE.items() if not name.startswith(("scipy", "joint", "realised"))}


@pytest.mark.parametrize("name", sorted(MADE.keys() - RIGOROUS.keys()))
def test_what_is_known_in_floating_point_only_is_not_enclosed(name: str) -> None:
    with pytest.raises(DataError, match="rigorous"):
        MADE[name].zeta_enclosure("0.5")


@pytest.mark.parametrize("made", RIGOROUS.values(), ids=RIGOROUS.keys())
def test_balls_floats_and_closed_forms_agree(made: Initialisation) -> None:
    for x in ("0", "-1e-7", "0.03", "-0.4", "1", "-1.5", "2.2", "30"):
        ball = made.zeta_enclosure(x)
        middle = float((ball.lower + ball.upper) / 2)
        assert made.zeta(float(exact(x))) == pytest.approx(middle, rel=2e-13, abs=1e-300)
        form = made.closed_form
        if form is not None and not form.where:
            value = enclose(form.formula, x=exact(x))
            low, high = (value.lower, value.upper) if isinstance(value, Interval) else (value, value)
            assert low <= ball.upper
            assert ball.lower <= high


LEVEL = 1e-5
"""The chance that a right sampler fails one of these tests, by Bonferroni over the bins."""


@every
def test_zeta_agrees_with_drawn_neurons(made: Initialisation) -> None:
    """The mean of zeta over bins, with nothing but draws; z-scores below the quantile for LEVEL over the bins."""
    edges = np.array([-3.0, -1.2, -0.5, 0.0, 0.4, 1.1, 2.0])
    found = made.zeta_by_sampling(edges, 200_000, np.random.default_rng(20211))
    expected = mean_zeta(made, edges)
    bound = stats.norm.isf(LEVEL / (2 * (edges.size - 1)))
    some = found.standard_error > 0
    assert (np.abs(found.mean - expected)[some] <= bound * found.standard_error[some]).all()
    # a bin without a single neuron has probability below 1e-9 of being one where zeta lives
    assert (expected[~some] * np.diff(edges)[~some] < 1e-2).all()


@every
def test_draws_have_the_moments_that_are_claimed(made: Initialisation) -> None:
    w, b = made.sample(200_000, np.random.default_rng(5))
    bound = stats.norm.isf(LEVEL / 10)
    for j, k in ((1, 0), (0, 1), (2, 0), (1, 1), (0, 2)):
        if _second_moment(made, 2 * j, 2 * k) is None:
            continue
        products = w**j * b**k
        error = products.std() / math.sqrt(products.size)
        assert abs(products.mean() - made.moment(j, k)) <= bound * error + 1e-12


@every
def test_the_kernel_is_the_mean_product_of_two_neurons_outputs(made: Initialisation) -> None:
    if _second_moment(made, 0, 2) is None:
        with pytest.raises(DataError):
            made.kernel(0.0, 1.0)
        return
    w, b = made.sample(200_000, np.random.default_rng(6))
    points = np.array([-1.3, 0.0, 0.8])
    outputs = np.maximum(w * points[:, None] + b, 0)
    kernel = made.kernel(points[:, None], points[None, :])
    assert kernel == pytest.approx(kernel.T, rel=1e-9, abs=1e-13)
    bound = stats.norm.isf(LEVEL / 12)
    for i in range(3):
        for j in range(i, 3):
            products = outputs[i] * outputs[j]
            assert abs(products.mean() - kernel[i, j]) <= bound * products.std() / math.sqrt(products.size) + 1e-12


@every
def test_sides_add_up_and_are_equal_where_the_law_is_symmetric(made: Initialisation) -> None:
    points = np.array([-2.0, -0.3, 0.0, 0.7, 1.9])
    left, right = made.sides(points)
    assert (left >= 0).all()
    assert (right >= 0).all()
    assert left + right == pytest.approx(made.zeta(points), rel=1e-14)
    if made.symmetric:
        assert left == pytest.approx(right, rel=1e-12)


@every
def test_zeta_vanishes_outside_its_support_only(made: Initialisation) -> None:
    points = np.linspace(-4, 4, 161) + 1e-2
    inside = np.zeros(points.size, bool)
    for low, high in made.support:
        inside |= (points > low) & (points < high)
    values = made.zeta(points)
    assert (values[~inside] == 0).all()
    # exp(-1/(2 x²)) of a constant bias is 0 in doubles for |x| below 1/38
    assert (values[inside & (np.abs(points) > 0.03)] > 0).all()


@every
def test_arrays_keep_their_shape_and_numbers_are_numbers(made: Initialisation) -> None:
    grid = np.array([[-0.5, 0.25, 1.0], [2.0, -1.0, 0.125]])
    values = made.zeta(grid)
    assert values.shape == (2, 3)
    assert isinstance(made.zeta(0.25), float)
    assert made.zeta(0.25) == pytest.approx(values[0, 1], rel=1e-14)
    w, b = made.sample((3, 5), np.random.default_rng(0))
    assert w.shape == b.shape == (3, 5)


SCALED = [
    ("normal({0},{1})", 0.3, 1.2),
    ("uniform({0},{1})", -1.5, 2.0),
    ("laplace({0},{1})", 0.2, 0.7),
    ("student_t(6,{0},{1})", 0.5, 1.5),
    ("exponential({1},{0})", -0.5, 1.0),
]


@pytest.mark.parametrize("weight", SCALED, ids=lambda law: law[0])
@pytest.mark.parametrize("bias", SCALED, ids=lambda law: law[0])
def test_scaling_and_mirroring(weight: tuple[str, float, float], bias: tuple[str, float, float]) -> None:
    """(aW, aB): a² zeta; bB: zeta(x/b)/b; W twice as large alone: 8 zeta(2x)… written out for each pair of laws."""

    def law(family: tuple[str, float, float], factor: float) -> str:
        text, first, second = family
        return text.format(first * factor, second * factor)

    plain = initialisation(law(weight, 1), law(bias, 1))
    both = initialisation(law(weight, 2), law(bias, 2))
    wide = initialisation(law(weight, 1), law(bias, 3))
    heavy = initialisation(law(weight, 2), law(bias, 1))
    for x in (-1.3, 0.2, 0.9, 2.5):
        assert both.zeta(x) == pytest.approx(4 * plain.zeta(x), rel=1e-12, abs=1e-300)
        assert wide.zeta(x) == pytest.approx(plain.zeta(x / 3) / 3, rel=1e-12, abs=1e-300)
        assert heavy.zeta(x) == pytest.approx(8 * plain.zeta(2 * x), rel=1e-12, abs=1e-300)
