"""Section 2, after (11): R is convex; the problem (11) is convex where the loss is."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from implicitbias.claims import Context, Flaw, Measured, Observation, Rule, certificate, claim, seen

from ..observed.cheapest.cost_programme import Polyline, representation
from ..observed.data.draws import of_any_size
from . import errata

KINKS = (-1, 0, 2)


def cost(f: Polyline) -> Fraction:
    return representation(f, sorted({*f.jumps, Fraction(0)}))[0]


@certificate("exact linear programmes of mixtures")
def mixtures(context: Context) -> Observation:
    """R(f), R(g) and R(θf+(1−θ)g) for 106 pairs at three weights, each by its own exact linear programme.

    Equality is observed where it must hold: g a non-negative multiple of f up to a constant, one of the two a constant,
    both sums of forward units with positive weights.
    """
    draw = context.random()

    def some() -> Polyline:
        return Polyline.of({b: draw.randint(-4, 4) for b in KINKS}, left_slope=draw.randint(-3, 3))

    relu, mirrored = Polyline.of({0: 1}), Polyline.of({0: 1}, left_slope=-1)
    pairs = [(relu, mirrored, "<="), (relu, relu.times(-1), "<="), (Polyline.of({}, 1), Polyline.of({}, -1), "<=")]
    pairs += [(some(), some(), "<=") for _ in range(8)]
    f = some()
    pairs += [
        (f, f.times(3) + Polyline.of({}, 0, 7), "="),
        (relu, Polyline.of({}, 0, 5), "="),
        (Polyline.of({}), f, "="),
    ]
    pairs += [(relu, Polyline.of({2: 5}), "="), (Polyline.of({-1: 2, 0: 1}), Polyline.of({0: 3, 2: 1}), "=")]
    for i in range(90):  # forward units with positive weights, tiny ones with large ones; one of the two a constant
        u, v = of_any_size(draw, -6, 5), of_any_size(draw, -6, 5)
        pairs.append((Polyline.of({0: u * (i % 5 > 0)}), Polyline.of({draw.choice(KINKS): v * (i % 5 != 1)}), "="))
    instances = []
    strict = 0
    for i, (first, second, relation) in enumerate(pairs):
        one, other = cost(first), cost(second)
        near = Fraction(1, 10 ** draw.randint(2, 5))
        for theta in (Fraction(1, 2), Fraction(draw.randint(1, 9), 10), Fraction(i % 2), abs(i % 2 - near)):
            mixed = cost(first.times(theta) + second.times(1 - theta))
            label = f"slope jumps {_text(first)} and {_text(second)}"
            instances.append(
                seen(
                    mixed,
                    label,
                    relation="=" if relation == "=" or theta in (0, 1) else "<=",
                    Rf=one,
                    Rg=other,
                    theta=theta,
                )
            )
            strict += theta * one + (1 - theta) * other > mixed
    yield from instances
    yield Measured("strict", strict)
    yield Measured("instances", len(instances))


def _text(f: Polyline) -> str:
    return ", ".join(f"{u} at {b}" for b, u in f.jumps.items() if u) + f" (left slope {f.left_slope})"


LOSSES: Mapping[str, tuple[bool, str]] = {
    "squared": (True, "(z - 1)**2"),
    "absolute": (True, "Abs(z - 1)"),
    "hinge": (True, "Max(0, 1 - z)"),
    "Huber": (True, "Min(Abs(z - 1), 1)**2/2 + Abs(z - 1) - Min(Abs(z - 1), 1)"),
    "zero": (True, "0"),
    "truncated squared": (False, "Min((z - 1)**2, 1)"),
    "ramp": (False, "Min(1, Max(0, 1 - z))"),
    "two wells": (False, "(z**2 - 1)**2"),
    "Cauchy's redescending": (False, "(z - 1)**2/(1 + (z - 1)**2)"),
    "miss or hit": (False, "Abs(sign(z - 1))"),
}
"""Losses ℓ(z) for the label 1: whether they are convex, and their formula. All are lower semi-continuous."""


@certificate("midpoints on a grid of functions")
def midpoints(context: Context) -> Observation:
    """Whether some pair of 81 functions violates midpoint convexity of ℓ(f(0)) + λR(f), for 10 losses and three λ."""
    from implicitbias.exact.enclosure import enclose

    slopes = (-2, 0, 1)
    heights = [Fraction(n) for n in range(-3, 6)]
    shapes = [Polyline.of({0: u}, left_slope=r) for u, r in product(slopes, slopes)]
    costs = {
        (i, j): cost(f.times(Fraction(1, 2)) + g.times(Fraction(1, 2)))
        for i, f in enumerate(shapes)
        for j, g in enumerate(shapes)
    }
    for name, (convex, formula) in LOSSES.items():
        values = {z / 2: enclose(formula, z=z / 2) for z in {a + b for a in heights for b in heights}}
        assert all(isinstance(v, Fraction) for v in values.values())
        for lam in (Fraction(1, 10), Fraction(1), Fraction(100)):
            violated = False
            for (i, j), middle in costs.items():
                curve = middle - (costs[i, i] + costs[j, j]) / 2
                for a, b in product(heights, heights):
                    loss = values[(a + b) / 2] - (values[a] + values[b]) / 2  # type: ignore[operator]
                    if loss + lam * curve > 0:
                        violated = True
                        break
                if violated:
                    break
            yield seen(
                not violated,
                f"{name} loss {formula}, λ = {lam}",
                loss=name,
                formula=formula,
                **{"convex loss": convex},
                lam=lam,
            )


EQUATION_11_CONVEX = claim(
    "savarese2019.equation_11_convex",
    "Section 2, after (11)",
    "Convexity of R",
    """R(θf+(1−θ)g) <= θR(f)+(1−θ)R(g) for 0 <= θ <= 1, with equality for example if g is a non-negative multiple of f
    or a constant, or when both are sums of forward units.""",
    part_of="savarese2019.equation_10",
    latex=r"R(\theta f+(1-\theta)g)\le\theta R(f)+(1-\theta)R(g)",
    hypotheses=("0 <= θ <= 1",),
    domain=("theta >= 0", "theta <= 1", "Rf >= 0", "Rg >= 0"),
    formula="theta*Rf + (1 - theta)*Rg",
    symbols={"theta": "weight of f", "Rf": "R(f)", "Rg": "R(g)"},
    controls={
        "Max(Rf, Rg)": "quasi-convex only",
        "theta**2*Rf + (1 - theta)**2*Rg": "as a squared norm scales",
        "(Rf + Rg)/2": "the weight forgotten",
        "Abs(theta*Rf - (1 - theta)*Rg)": "the reversed triangle inequality",
    },
    checks=(mixtures,),
    rests_on=("savarese2019.equation_7", "savarese2019.equation_8"),
)


EQUATION_11_CONVEX_LOSS = claim(
    "savarese2019.equation_11_convex_loss",
    "Section 2, after (11)",
    "Convexity of the problem over functions",
    """f ↦ ℓ(f(x₁)) + λR(f) is convex if and only if ℓ is: R is convex, and constants cost nothing, so along constants
    the objective is the loss alone, and no λ makes a non-convex loss convex.""",
    part_of="savarese2019.equation_10",
    latex=r"f\mapsto\ell(f(x_1))+\lambda\bar R(f)\ \text{convex}\iff\ell\ \text{convex}",
    formula=Rule("convex loss", "convex exactly when the loss is convex", lambda given: bool(given["convex loss"])),
    flaw=Flaw(
        errata.CONVEX_LOSS, Rule("always", "the problem over functions is convex for every loss L", lambda given: True)
    ),
    controls={
        Rule("never", "never convex", lambda given: False): "like (10)",
        Rule(
            "large penalty",
            "convex when the loss is, or when λ is large",
            lambda given: bool(given["convex loss"]) or given["lam"] == 100,
        ): "R convexifies the loss, but it is zero on constants",
    },
    checks=(midpoints,),
    rests_on=("savarese2019.equation_11_convex",),
)
