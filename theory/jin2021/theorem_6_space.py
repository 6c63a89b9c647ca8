"""Theorem 6, equation (19): where ζ jumps, the second derivative of the trained function does, too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random

from implicitbias.claims import Context, Flaw, Observation, Premise, Step, certificate, claim, seen

from ..observed.data.draws import of_any_size, signed, symmetric_law, values
from ..observed.wide.exact_laws import Slab, slab, slab_kernel, symmetrised
from ..observed.wide.interpolants import trained_with_free_line
from ..observed.wide.weighted_spline import hat, weight_of, weighted_spline
from . import errata

STEP = Fraction(1, 2**40)
"""Far below the distance of any two knots."""
FIXED = {
    "two slopes, steps at ±1": symmetrised((slab("1/2", 2, -2, 2), slab("1/2", 1, -3, 3))),
    "no kinks from 1/4 to 1": symmetrised((slab("3/4", 1, "-1/4", 3), slab("1/4", 1, -3, -1))),
    "one-sided weights": (slab("1/2", 1, -1, 3), slab("1/2", -1, -1, 3)),
}


def with_steps(draw: Random) -> tuple[Slab, ...]:
    """Kinks everywhere between the data, and more of them on an interval between: ζ goes up and down at its ends."""
    inner = sorted(draw.sample([Fraction(i, 7) for i in range(-13, 14)], 2))
    w = of_any_size(draw, -3, 3)
    return (*symmetrised(symmetric_law(draw)), Slab(of_any_size(draw, -4, 6), w, -w * inner[1], -w * inner[0]))


def side(g: Callable[[Fraction], Fraction], c: Fraction, way: int) -> Fraction:
    """g'' next to c, for g cubic there: central second differences are exact, and linear in the place."""

    def bend(z: Fraction) -> Fraction:
        return (g(z + STEP) - 2 * g(z) + g(z - STEP)) / STEP**2

    return 2 * bend(c + way * STEP) - bend(c + 2 * way * STEP)


def laws(draw: Random, count: int) -> Iterator[tuple[str, tuple[Slab, ...]]]:
    yield from FIXED.items()
    for _ in range(count):
        yield "an interval with more kinks", with_steps(draw)


@certificate("second differences on both sides")
def jumps(context: Context) -> Observation:
    """g'' on the right of a place less g'' on its left, for (17) with three data, solved in fractions with K integrated
    over the law: at every step of ζ, between steps, at the data, and beyond them."""
    draw = context.random()
    up = down = False
    for i, (label, law) in enumerate(laws(draw, context.choose(9, 60))):
        total = sum((s.probability for s in law), Fraction(0))
        law = tuple(Slab(s.probability / total, s.w, s.low, s.high) for s in law)
        h, k = (Fraction(draw.randint(4, 8), 4) for _ in range(2))
        y = (Fraction(0), Fraction(1), Fraction(0)) if i == 0 else values(draw, 3)
        x = (-h, Fraction(0), k)
        weight = weight_of(law)
        s = weighted_spline(x, y, weight)
        f = trained_with_free_line(slab_kernel(law), x, y)
        places = {*draw.sample(weight.knots, min(5, len(weight.knots))), draw.choice(x), signed(draw, -3, 0)}
        for c in sorted(places):
            before, after = weight(c - STEP), weight(c + STEP)
            inside = bool(s.jumps[0] and hat(x, 1, c))
            up, down = up or (inside and after > before), down or (inside and after < before)
            yield seen(
                side(f, c, 1) - side(f, c, -1),
                f"{label}, data at {-h}, 0, {k}, place {c}",
                z_l=before,
                z_r=after,
                t=hat(x, 1, c),
                d=s.jumps[0],
                A=s.gram[0][0],
            )
    yield Premise("ζ goes up between the data in some case, and down in some", up and down)
    yield Step("the minimiser over functions with a square-integrable second derivative is unique, and has this jump")
    yield Step("C² functions through the data come near its cost: where ζ jumps, ζℓ is changed on a short stretch")
    yield Step("so the infimum over C² is that cost, and no function in C² has it")


STEPS_OF_ZETA = claim(
    "jin2021.theorem_6_space",
    "Theorem 6, equation (19)",
    "The second derivative where ζ jumps",
    """At a place where ζ goes from z_l to z_r the second derivative of the solution of (17) jumps by (z_r - z_l)ℓ, ℓ
    the continuous function g''/ζ; for three data ℓ = t·d/A. So where ζ has a step between the data the solution is
    not in C²(S), the class of (19), and the infimum over that class is not attained; functions with a
    square-integrable second derivative are the right ones. If ζ is continuous, C²(S) is right.""",
    latex=r"g''(c^+)-g''(c^-)=\big(\zeta(c^+)-\zeta(c^-)\big)\,t(c)\,\frac d{\int\zeta t^2}",
    hypotheses=("x_j in supp ζ", "width ∞", "three data"),
    formula="(z_r - z_l)*t*d/A",
    symbols={
        "z_l": "ζ on the left of the place",
        "z_r": "ζ on its right",
        "t": "the hat function of the middle datum at the place: 0 beyond the outer data",
        "d": "jump of the chords' slopes at the middle datum",
        "A": "∫ζ t²",
    },
    domain=("z_l >= 0", "z_r >= 0", "A > 0"),
    flaw=Flaw(errata.STEP_OF_THE_WEIGHT, "0"),
    controls={
        "(z_l - z_r)*t*d/A": "curvature where there are few kinks",
        "(z_r - z_l)*d/A": "ℓ constant between the outer data",
        "(z_r - z_l)*t*d": "not scaled to the data",
        "(1/z_r - 1/z_l)*t*d/A": "the weight 1/ζ for ζ",
        "Abs(z_r - z_l)*t*d/A": "a jump of one sign",
        "Max(0, z_r - z_l)*t*d/A": "only where ζ goes up",
    },
    checks=(jumps,),
    part_of="jin2021.theorem_6",
    rests_on=("jin2021.theorem_6",),
)
