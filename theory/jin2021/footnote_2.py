"""Footnote 2: units with W = 0 are constants. With u and v free they change nothing; on raw data they do."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Observation, certificate, claim, seen

from ..observed.data.draws import TRIPLE_SYMBOLS, fraction, of_any_size, values
from ..observed.data.three_points import CHORDS, NATURAL, PARABOLA
from ..observed.wide.exact_laws import Slab, binary, slab_kernel
from ..observed.wide.interpolants import trained, trained_with_free_line


def with_constants(share: Fraction, a_b: Fraction) -> tuple[Slab, ...]:
    """W = ±1 with probability 1 - share, W = 0 with probability share; B uniform on [-a_b, a_b]."""
    moving = [Slab((1 - share) * s.probability, s.w, s.low, s.high) for s in binary(a_b)]
    return (*moving, Slab(share, Fraction(0), -a_b, a_b))


SHARES = tuple(Fraction(i, 8) for i in (4, 2, 6, 0, 7, 1))


@certificate("(17) solved exactly")
def free_line(context: Context) -> Observation:
    """The solution of (17) for three points at a place, for laws with W = 0 of probability 0 to 7/8, in fractions."""
    draw = context.random()
    for i in range(context.choose(50, 120)):
        share = SHARES[i % len(SHARES)]
        h, k = (of_any_size(draw, -3, 3) for _ in range(2))
        if i == 0:
            h = k = Fraction(1)
        y = (Fraction(0), Fraction(1), Fraction(0)) if i == 0 else values(draw, 3)
        a_b = max(h, k) * (2 if i == 0 else Fraction(draw.randint(4, 8), 4))
        if i in (1, 2):  # the sharpest bends, and far from them
            y = tuple((-1) ** (i + j) * Fraction(10**6) for j in range(3))
            h, k, a_b = Fraction(7, 2), Fraction(9, 4), Fraction(20 + i)
        f = trained_with_free_line(slab_kernel(with_constants(share, a_b)), (-h, 0, k), y)
        for x in (k / 2, -h + (h + k) * fraction(draw, 0, 1, 64), draw.choice([-a_b, a_b])):
            yield seen(
                f(x),
                f"{share} of the units constant",
                P=share,
                h=h,
                k=k,
                x=x,
                **{f"y_{j + 1}": value for j, value in enumerate(y)},
            )


@certificate("exact error at infinite width")
def raw(context: Context) -> Observation:
    """The error midway between two points after training on them as they are, K(·, X) K⁻¹ y in fractions."""
    draw = context.random()
    for i in range(context.choose(120, 200)):
        share = SHARES[i % len(SHARES)]
        a_b = of_any_size(draw, -3, 3) if i else Fraction(1)
        r = Fraction(draw.randint(1, 16), 16) if i else Fraction(1)
        y = (Fraction(1), Fraction(1)) if i == 0 else values(draw, 2)
        f = trained(slab_kernel(with_constants(share, a_b)), (-r * a_b, r * a_b), y)
        yield seen(f(0) - (y[0] + y[1]) / 2, f"{share} of the units constant", P=share, r=r, y_1=y[0], y_2=y[1])


FOOTNOTE_2 = claim(
    "jin2021.footnote_2",
    "Footnote 2",
    "Constant units, with u and v free",
    """Units with W = 0 are constants. The solution of (17) does not depend on their share P < 1: for three points and
    constant ζ the natural cubic spline.""",
    latex=r"g_{(17)}\text{ does not depend on }P(W=0)",
    hypotheses=("W = ±1 or 0, B uniform", "width ∞"),
    formula=NATURAL,
    symbols={**TRIPLE_SYMBOLS, "x": "a place", "P": "probability of W = 0"},
    controls={
        f"(1 - P)*({NATURAL}) + P*(y_1 + y_2 + y_3)/3": "constant units pull towards the mean",
        f"(1 - P)*({NATURAL})": "the function scaled by the share of other units",
        PARABOLA: "constant curvature",
        CHORDS: "the linear spline",
    },
    checks=(free_line,),
    part_of="jin2021.theorem_6",
    rests_on=("jin2021.equation_17_close",),
)


RAW_DATA = claim(
    "jin2021.footnote_2_raw_data",
    "Footnote 2",
    "Constant units, with raw data",
    """In training on raw data, units with W = 0 are not absorbed by the output bias (which moves by O(1/n) only): their
    part of the kernel is as large as that of the other units. For two points at ±h, W = ±1 or 0, B uniform on ±a_b: the
    error midway is -3(1-P)r³(y_1+y_2)/(8(1+(1-P)r³)) with r = h/a_b, which depends on P.""",
    latex=r"f_\infty(0)-\tfrac{y_1+y_2}2=-\frac{3(1-P)r^3(y_1+y_2)}{8(1+(1-P)r^3)}",
    hypotheses=("W = ±1 or 0, B uniform on ±a_b, h <= a_b", "f(·, θ₀) ≡ 0", "width ∞"),
    formula="-3*(1 - P)*r**3*(y_1 + y_2)/(8*(1 + (1 - P)*r**3))",
    symbols={"P": "probability of W = 0", "r": "h/a_b, at most 1", "y_1": "value at -h", "y_2": "value at h"},
    controls={
        "-3*r**3*(y_1 + y_2)/(8*(1 + r**3))": "units with W = 0 left out, as if the bias absorbed them",
        "0": "the line itself",
        "-3*(1 - P)*r**3*(y_1 + y_2)/(8*(1 + r**3))": "the error shrinks with the share of moving units",
        "-3*P*r**3*(y_1 + y_2)/(8*(1 + P*r**3))": "P and 1 - P exchanged",
    },
    checks=(raw,),
    part_of="jin2021.theorem_6",
    rests_on=("jin2021.raw_data",),
)
