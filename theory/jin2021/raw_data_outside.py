"""Next to Theorem 1: on raw data the units with kinks beyond the data move, too."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Observation, Premise, certificate, claim, seen

from ..observed.data.draws import of_any_size, signed, values
from ..observed.wide.exact_laws import binary, slab_kernel
from ..observed.wide.interpolants import trained, trained_with_free_line

PARTS = 2**20


@certificate("second differences beyond the data")
def curvature(context: Context) -> Observation:
    """g'' between an outer datum and the last kink, for the infinitely wide network trained on two data as they are:
    K integrated over the law, K(·, X)K⁻¹y in fractions; second differences are exact where no datum is near."""
    draw = context.random()
    straight = True
    for i in range(context.choose(150, 400)):
        a = of_any_size(draw, -5, 5) if i else Fraction(1)
        h = a * Fraction(draw.randint(1, 31), 32)
        c = h + (a - h) * Fraction(draw.randint(1, 30), 31)
        y = (Fraction(1), Fraction(1)) if i == 0 else (signed(draw), signed(draw)) if i % 2 else values(draw, 2)
        step = (a - h) / PARTS
        raw, free = (way(slab_kernel(binary(a)), (-h, h), y) for way in (trained, trained_with_free_line))
        left, there, right = (raw(z) for z in (c - step, c, c + step))
        yield seen(
            (right - 2 * there + left) / step**2, f"data at ±{h}, kinks up to ±{a}", a=a, h=h, c=c, y_1=y[0], y_2=y[1]
        )
        straight = straight and free(c + step) - 2 * free(c) + free(c - step) == 0
    yield Premise("with u and v free the function is straight at all these places", straight)


OUTSIDE = claim(
    "jin2021.raw_data_outside",
    "next to Theorem 1",
    "Curvature beyond the data, after training on raw data",
    """Trained on adjusted data, the function is straight beyond the outer data, where no unit moves. On raw data the
    units with kinks there move as much as the others. For two data at ±h, W = ±1 and B uniform on ±a: at a place c
    between h and a the curvature is (3/4)(c(y_1+y_2)/(a³+h³) - (y_2-y_1)/(h(3a-h))) in the limit of width; with u and v
    free it is 0.""",
    latex=r"g''(c)=\frac34\Big(\frac{c\,(y_1+y_2)}{a^3+h^3}-\frac{y_2-y_1}{h(3a-h)}\Big),\quad h<c<a",
    hypotheses=("f(·, θ₀) ≡ 0", "W = ±1, B uniform on ±a", "width ∞"),
    formula="3/4*(c*(y_1 + y_2)/(a**3 + h**3) - (y_2 - y_1)/(h*(3*a - h)))",
    symbols={
        "a": "the kinks are uniform on ±a",
        "h": "the data are at ±h",
        "c": "a place between h and a",
        "y_1": "value at -h",
        "y_2": "value at h",
    },
    domain=("h > 0", "h < c", "c < a"),
    controls={
        "0": "no unit with its kink beyond the data moves",
        "3/4*(c*(y_1 + y_2)/(a**3 + h**3) + (y_2 - y_1)/(h*(3*a - h)))": "the other side",
        "3/4*c*(y_1 + y_2)/(a**3 + h**3)": "only the even part of the labels moves them",
        "3/4*(h*(y_1 + y_2)/(a**3 + h**3) - (y_2 - y_1)/(h*(3*a - h)))": "the same at every place beyond",
        "3/2*(c*(y_1 + y_2)/(a**3 + h**3) - (y_2 - y_1)/(h*(3*a - h)))": "units of both directions",
    },
    checks=(curvature,),
    part_of="jin2021.theorem_1_rate",
    rests_on=("jin2021.raw_data",),
    own=True,
)
