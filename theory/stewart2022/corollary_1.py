"""Corollary 1: for any closed convex sets of values, some optimal measure has its kinks at the data."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from implicitbias.claims import Context, Observation, Premise, Rule, Step, certificate, claim, seen, shows, theorem

from ..observed.cheapest import group_programme as g
from ..observed.cheapest.kinks_at_data import least_with_kinks_at_data
from ..observed.cheapest.ramp_programme import off_data
from ..observed.data.draws import of_any_size


@theorem("any number of data")
def kinks_at_the_data() -> Observation:
    """The least ∫Ω(dμ) with kinks at the data, V that with all kinks in [-1, 1]: any closed convex sets S_i, any n."""
    yield shows(least_with_kinks_at_data(), for_all={"V": "nonnegative"}, V="V")


def _polyhedra(draw: Random, n: int) -> list[g.Halfspace]:
    """Half-planes around a point for each datum: one to four of them, some of which meet in the point alone."""
    found = []
    for at in range(n):
        inside = [Fraction(draw.randint(-6, 6)) for _ in range(2)]
        for _ in range(draw.randint(1, 4)):
            normal = draw.choice([(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (1, -2), (-2, -1)])
            slack = draw.choice([0, 0, 1, 3])
            found.append(g.Halfspace(at, normal, sum(a * v for a, v in zip(normal, inside, strict=True)) - slack))
    return found


@certificate("programmes with and without further kinks")
def polyhedra(context: Context) -> Observation:
    """Polyhedra S_i in R², in the l1 and the l∞ norm: kinks at the data, at many places, and between the data only."""
    draw = context.random()
    apart = 0
    for i in range(context.choose(9, 100)):
        inner = sorted(draw.sample(range(-9, 10), 1 + i % 3))
        x = [Fraction(-1), *(Fraction(c, 10) for c in inner), Fraction(1)]
        sets = _polyhedra(draw, len(x))
        for kind in g.KINDS:
            on_data, many, between, ends = (
                g.cheapest_group(x, sets, places, kind).value
                for places in (x, [*x, *off_data(x)], [Fraction(-1), Fraction(1), *off_data(x)], off_data(x))
            )
            apart += between > on_data
            for size in (Fraction(1), *(of_any_size(draw, -6, 6) for _ in range(3))):
                label = f"{kind}, {len(sets)} half-planes, {i}" + f", times {size}" * (size != 1)
                yield seen(size * on_data, label, V=size * many, O=size * between, Q=size * ends)
    yield Premise("sets for which kinks between the data cost more", apart > 5, f"{apart}")
    yield Step("all programmes are homogeneous: solved once, for polyhedra of several sizes")


OTHER_PLACES: dict[str | Rule, str] = {
    "2*V": "a kink between two data replaced by one at each of them, both at the full price",
    Rule(
        "between", "the value with kinks at ±1 and between the data, not at them", lambda given: given["O"]
    ): "kinks between the data serve as well",
    Rule("no kink at a datum", "the value with kinks between the data only", lambda given: given["Q"]): (
        "not even the ends are needed"
    ),
}

ANY_SETS = claim(
    "stewart2022.corollary_1_any_sets",
    "Corollary 1",
    "Kinks at the data suffice for any sets of values",
    """Some optimal measure of problem (11), for any norm Ω and any closed convex sets S_i that are not empty, lives on
    U_X: with kinks at the data alone the value is that with all kinks in [-1, 1]. No feasible measure need be supposed:
    measures on U_X take any values at the data.""",
    latex=r"\min_{\mu\in\mathcal M(U_X,\mathbb R^k)}=\min_{\mu\in\mathcal M(\mathbb U,\mathbb R^k)}\quad\text{in (11)}",
    hypotheses=("-1 = x_1 < … < x_n = 1", "S_i closed, convex, not empty (certified for polyhedra in R²)"),
    formula="V",
    symbols={"V": "value over all kinks in [-1, 1]"},
    domain=("V >= 0",),
    controls=OTHER_PLACES,
    checks=(kinks_at_the_data, polyhedra),
    part_of="stewart2022.corollary_1",
    rests_on=("stewart2022.lemma_1", "stewart2022.lemma_2"),
)
