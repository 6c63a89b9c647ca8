"""Proposition 7, what follows from it for moments and scales, and the kinks of laws on polygons as evidence."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from implicitbias.claims import (
    Context,
    Derivation,
    Interval,
    Observation,
    Premise,
    Value,
    certificate,
    claim,
    proof,
    seen,
    shows,
    theorem,
)
from implicitbias.theorems.rules.sequences.lists import Mean

from ..observed.data.draws import of_any_size, signed
from ..observed.wide.exact_laws import area, clip, triangles

Point = tuple[Fraction, Fraction]
WIDTH = Fraction(1, 2**100)

POLYGONS: tuple[tuple[str, tuple[tuple[int | str, int | str], ...]], ...] = (
    ("square [0, 1] × [-1, 0]", ((0, -1), (1, -1), (1, 0), (0, 0))),
    ("rectangle [-1, 1] × [-2, 2]", ((-1, -2), (1, -2), (1, 2), (-1, 2))),
    ("rectangle [-1, 2] × [-3, 3]", ((-1, -3), (2, -3), (2, 3), (-1, 3))),
    ("triangle (0, 0), (2, 1), (1, -3)", ((0, 0), (1, -3), (2, 1))),
    ("slanted parallelogram", ((-2, -1), (1, -2), (2, 1), (-1, 2))),
    ("one-sided quadrangle", (("1/2", -1), (2, -2), ("5/2", "1/2"), (1, 3))),
    ("quadrangle of negative weights", ((-3, -1), (-1, -2), ("-1/2", 2), (-2, 1))),
)


def corners(polygon: Sequence[tuple[int | str, int | str]]) -> list[Point]:
    return [(Fraction(w), Fraction(b)) for w, b in polygon]


def kink_mass(polygon: list[Point], low: Fraction, high: Fraction) -> Fraction:
    """E[W²; low < C <= high] for (W, B) uniform on a convex polygon: ∫w² over the two wedges, in fractions."""
    total = Fraction(0)
    for sign in (1, -1):
        wedge = clip(clip(clip(polygon, sign, 0), sign * high, sign), -sign * low, -sign)
        for t in triangles(wedge):
            (a, b), (c, d), (e, f) = t
            size = abs((c - a) * (f - b) - (e - a) * (d - b)) / 2
            total += size / 6 * (a * a + c * c + e * e + a * c + a * e + c * e)
    return total / area(polygon)


def kink_density(polygon: list[Point], x: Fraction) -> Interval:
    """ζ(x), x at no corner, between the means over two bins so narrow that ζ is monotone across both."""
    sides = kink_mass(polygon, x - WIDTH, x) / WIDTH, kink_mass(polygon, x, x + WIDTH) / WIDTH
    return Interval(min(sides), max(sides))


def chord(polygon: list[Point], slope: Fraction) -> tuple[Fraction, Fraction]:
    """The weights w for which (w, slope·w) lies in the polygon (corners in anticlockwise order)."""
    low, high = Fraction(-(10**6)), Fraction(10**6)
    for (a, b), (c, d) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        # (c-a)(slope w - b) - (d-b)(w - a) >= 0
        factor, constant = (c - a) * slope - (d - b), (d - b) * a - (c - a) * b
        if factor > 0:
            low = max(low, -constant / factor)
        elif factor < 0:
            high = min(high, -constant / factor)
        elif constant < 0:
            return Fraction(0), Fraction(0)
    return (low, high) if low < high else (Fraction(0), Fraction(0))


def along_the_ray(polygon: list[Point], x: Fraction) -> dict[str, Value]:
    """∫|w|³p(w,-wx), ∫w²p(w,-wx), ∫w³p(w,-wx), ∫|w|³p(w,+wx), all dw, for p uniform on the polygon."""

    def moment(power: int, absolute: bool, ends: tuple[Fraction, Fraction]) -> Fraction:
        def primitive(w: Fraction) -> Fraction:
            value = w ** (power + 1) / (power + 1)
            return -value if absolute and power % 2 and w < 0 else value

        return (primitive(ends[1]) - primitive(ends[0])) / area(polygon)

    minus, plus = chord(polygon, -x), chord(polygon, x)
    return {
        "I3": moment(3, True, minus),
        "I2": moment(2, False, minus),
        "S3": moment(3, False, minus),
        "I3_plus": moment(3, True, plus),
    }


@certificate("laws on polygons")
def polygons(context: Context) -> Observation:
    """ζ of laws that are uniform on polygons: bins of kinks against integrals along the ray b = -wx."""
    draw = context.random()
    signed = mirrored = 0
    for name, polygon in POLYGONS:
        points = corners(polygon)
        places = [Fraction(x) for x in ("2/7", "-2/7", "6/5")]
        places += [Fraction(draw.randint(-300, 300), 101) for _ in range(context.choose(4, 20))]
        for x in places:
            ray = along_the_ray(points, x)
            yield seen(kink_density(points, x), f"(W, B) uniform on the {name}, x = {x}", x=x, **ray)
            signed += ray["I3"] != ray["S3"]
            mirrored += ray["I3"] != ray["I3_plus"]
    telling = signed, mirrored
    yield Premise("negative weights and asymmetric laws are among them", min(telling) >= 5, f"{telling}")


@proof("mixed derivative")
def the_jacobian(d: Derivation) -> None:
    """The mixed derivative of E[W²; W <= w, C <= c] for a density that is any quadratic polynomial, both signs of w."""
    import sympy

    from implicitbias.exact.symbolic import symbol

    names = ("a0", "a1", "a2", "a3", "a4", "a5")
    a0, a1, a2, a3, a4, a5 = (symbol(name) for name in names)
    c, t, b, w = d.symbols("c t b", w="positive")

    def p(u: Any, v: Any) -> Any:
        return a0 + a1 * u + a2 * v + a3 * u * u + a4 * u * v + a5 * v * v

    d.step("near a point the density is, up to second order, any quadratic", f"p = {p(t, b)}")
    for sign in (1, -1):
        # C <= c: b >= -tc for t > 0, b <= -tc for t < 0; a fixed other end does not matter
        inner = sign * (
            sympy.integrate(t**2 * p(t, b), b).subs(b, 0) - sympy.integrate(t**2 * p(t, b), b).subs(b, -t * c)
        )
        mixed = sympy.diff(sympy.expand(inner), c).subs(t, sign * w)
        d.step(
            f"{'positive' if sign > 0 else 'negative'} weights: d/dc of ∫ t² p db over the kinks up to c",
            f"{sympy.factor(mixed)}",
        )
        variables: dict[str, Any] = {**dict.fromkeys(names, "real"), "w": "positive", "c": "real"}
        label = f"integrands at {'w' if sign > 0 else '-w'}"
        d.concludes(
            sympy.expand(mixed),
            label,
            over=variables,
            I3=w**3 * p(sign * w, -sign * w * c),
            I2=w**2 * p(sign * w, -sign * w * c),
            S3=sign * w**3 * p(sign * w, -sign * w * c),
            I3_plus=w**3 * p(sign * w, sign * w * c),
            x="c",
        )


@certificate("finite laws")
def atoms(context: Context) -> Observation:
    """Laws with finitely many values: ∫ζ(x)(ax+b)² dx is then a sum over the kinks."""
    draw = context.random()
    for case in range(context.choose(24, 120)):
        law = [
            (
                Fraction(draw.choice([-3, -2, -1, 1, 2, 5]), draw.randint(1, 3)),
                Fraction(draw.randint(-6, 6), draw.randint(1, 3)),
            )
            for _ in range(1 if case < 4 else draw.randint(2, 5))
        ]
        share = Fraction(1, len(law))
        a, b = ((0, 1), (1, 0), (1, 1), (2, -1))[case] if case < 4 else (draw.randint(-4, 4), draw.randint(-4, 4))
        by_kink: dict[Fraction, Fraction] = {}
        for w, bias in law:
            by_kink[-bias / w] = by_kink.get(-bias / w, Fraction(0)) + share * w * w
        observed = sum(mass * (a * kink + b) ** 2 for kink, mass in by_kink.items())
        yield seen(
            Fraction(observed),
            f"{len(law)} equally likely pairs",
            a=a,
            b=b,
            P=sum(share * w * w for w, _ in law),
            R=sum(share * w * bias for w, bias in law),
            Q=sum(share * bias * bias for _, bias in law),
        )


@theorem("unit by unit")
def moments() -> Observation:
    """W²(aC + b)² = (bW - aB)² for each unit, of either sign of W; the mean over any law is linear."""
    yield shows(
        Mean(
            term="w**2*(a*kink(w, B) + b)**2",
            entries={"w": "real", "B": "real"},
            where=("w**2 > 0",),
            totals={"P": "w**2", "R": "w*B", "Q": "B**2"},
            by={"P": "b**2", "R": "-2*a*b", "Q": "a**2"},
            split=("w",),
        ),
        for_all={"a": "real", "b": "real", "P": "positive", "R": "real", "Q": "nonnegative"},
        assuming=("R**2 <= P*Q",),
        a="a",
        b="b",
        P="P",
        R="R",
        Q="Q",
    )


@certificate("polygons, moved")
def rescaled_polygons(context: Context) -> Observation:
    """ζ of (aW, bB - m aW) from bins of kinks of its own polygon; ζ of (W, B) at the corresponding place is given."""
    draw = context.random()
    moved_cases = 0
    for name, polygon in POLYGONS:
        cases: list[tuple[Fraction | int, ...]] = [(2, 1, 0), (1, 2, 0), (2, 2, 0), (1, 1, 1)]
        for _ in range(context.choose(12, 30)):
            cases.append((of_any_size(draw, -3, 3), of_any_size(draw, -3, 3), signed(draw, -3, 3)))
            cases.append(tuple(Fraction(draw.randint(1, 4), draw.randint(1, 4)) for _ in range(3)))
        for a, b, m in cases:
            wide, high = of_any_size(draw, -2, 3), of_any_size(draw, -2, 2)
            points = [(wide * w, high * bias) for w, bias in corners(polygon)]
            x = m + Fraction(b) / a * high / wide * Fraction(2 * draw.randint(-200, 200) + 1, 202)
            moved = [(a * w, b * bias - m * a * w) for w, bias in points]
            z = kink_density(points, (x - m) * Fraction(a) / b)
            if z.lower > 0:
                label = f"{name}, a={a}, b={b}, m={m}, x={x}"
                yield seen(widened(kink_density(moved, x)), label, a=a, b=b, m=m, x=x, z=z)
                moved_cases += 1
    yield Premise("at least 20 cases with kinks there", moved_cases >= 20, f"{moved_cases}")


def widened(z: Interval) -> Interval:
    """The interval widened by the given value's own enclosure, of relative width 2^-90."""
    room = abs(z.upper) * Fraction(1, 2**85)
    return Interval(z.lower - room, z.upper + room)


PROPOSITION_7 = claim(
    "jin2021.proposition_7",
    "Proposition 7",
    "ζ as an integral over the joint density",
    """If (W, B) has the density p then ζ(x) = E(W²|C=x) p_C(x) = ∫|w|³ p(w, -wx) dw for C = -B/W: two powers of w from
    W², one from the change of variables, with its modulus. I3 is that integral.""",
    latex=r"\zeta(x)=\int|w|^3\,p_{W,B}(w,-wx)\,dw",
    hypotheses=("(W, B) has a joint density", "P(W = 0) = 0"),
    formula="I3",
    symbols={
        "I3": "∫|w|³ p(w, -wx) dw",
        "I2": "∫w² p(w, -wx) dw",
        "S3": "∫w³ p(w, -wx) dw",
        "I3_plus": "∫|w|³ p(w, +wx) dw",
    },
    domain=("sign(I2) <= sign(I3)", "sign(I3) <= sign(I2)", "Abs(S3) <= I3"),
    controls={
        "I2": "the Jacobian forgotten",
        "S3": "without the modulus: negative weights count negatively",
        "I3_plus": "kinks at +b/w",
        "2*I3": "both signs of w counted twice",
    },
    checks=(the_jacobian, polygons),
)

MOMENTS = claim(
    "jin2021.proposition_7_moments",
    "next to Proposition 7",
    "Moments of ζ",
    """For the kink C = -B/W of a unit E[W²(aC+b)²] = b²E W² - 2ab E[WB] + a²E B² for all a, b. This is ∫ζ(x)(ax+b)² dx
    with ζ(x) dx the mean of W² over the units with their kink in dx.""",
    latex=r"\int\zeta(x)(ax+b)^2dx=\mathbb E[W^2(aC+b)^2]=b^2\,\mathbb EW^2-2ab\,\mathbb E[WB]+a^2\,\mathbb EB^2",
    hypotheses=("E W², E B² finite", "P(W = 0) = 0"),
    formula="b**2*P - 2*a*b*R + a**2*Q",
    symbols={"a": "a", "b": "b", "P": "E W²", "R": "E[WB]", "Q": "E B²"},
    controls={
        "b**2*P + 2*a*b*R + a**2*Q": "the sign of C",
        "a**2*P - 2*a*b*R + b**2*Q": "weights and biases swapped",
        "b**2*P + a**2*Q": "as if uncorrelated",
        "(b**2 + a**2)*P": "C of variance 1",
    },
    checks=(moments, atoms),
    part_of="jin2021.proposition_7",
    own=True,
)

SCALING = claim(
    "jin2021.proposition_7_scaling",
    "next to Proposition 7",
    "ζ under scalings and shifts",
    """For a, b > 0, (aW, bB - m·aW) has its kinks at (b/a)C + m, and its ζ at x is (a³/b) ζ((x-m)a/b). So a common
    factor a gives a²ζ, a factor b on the biases ζ(x/b)/b, and a shift of the kinks by m shifts ζ.""",
    latex=r"\zeta_{(aW,\,bB-maW)}(x)=\frac{a^3}{b}\,\zeta\!\Big(\frac{(x-m)a}{b}\Big)",
    hypotheses=("a, b > 0",),
    formula="a**3*z/b",
    symbols={"a": "factor of W", "b": "factor of B", "m": "shift of the kinks", "z": "ζ((x-m)a/b) of (W, B)"},
    controls={
        "a**2*z": "W² alone: the kinks do not spread",
        "a**2*b*z/a": "the density of the kinks scaled the wrong way",
        "a**2*z/b": "factor a of the density forgotten",
        "(a**3*z/b)*(1 + m)": "a shift that changes the height",
    },
    checks=(rescaled_polygons,),
    part_of="jin2021.proposition_7",
    rests_on=("jin2021.proposition_7",),
    own=True,
)
