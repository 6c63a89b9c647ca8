"""The cost that training on raw data minimises, for any law that is the same for (W, B) and (-W, -B)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise

from implicitbias.claims import Context, Observation, Premise, Value, certificate, claim, seen

from ..observed.data.draws import FOUR, UNEVEN, ZIGZAG, of_any_size, random_data, signed, symmetric_law
from ..observed.wide.exact_laws import SYMMETRIC_LAWS, Slab, slab_kernel, symmetrised
from ..observed.wide.interpolants import Trained, trained
from ..observed.wide.weighted_spline import weight_of


def moments(law: tuple[Slab, ...]) -> tuple[Fraction, Fraction, Fraction]:
    """E W², E WB, E B²."""
    ww = sum((s.probability * s.w**2 for s in law), Fraction(0))
    wb = sum((s.probability * s.w * (s.low + s.high) / 2 for s in law), Fraction(0))
    bb = sum((s.probability * (s.low**2 + s.low * s.high + s.high**2) / 3 for s in law), Fraction(0))
    return ww, wb, bb


def curvature_and_tails(
    f: Callable[[Fraction], Fraction], knots: list[Fraction], law: tuple[Slab, ...]
) -> dict[str, Value] | None:
    """∫f''²/ζ, p and q of a piecewise cubic with these knots, straight beyond them, from its values alone.

    None where f bends although ζ = 0.
    """
    weight = weight_of(law)
    energy, bent = Fraction(0), Fraction(0)
    for a, b in pairwise(knots):
        step, middle = (b - a) / 8, (a + b) / 2
        ends = [(f(c - step) - 2 * f(c) + f(c + step)) / step**2 for c in (middle - 2 * step, middle + 2 * step)]
        tilt = (ends[1] - ends[0]) / (4 * step)
        left, right = ends[0] - 2 * step * tilt, ends[1] + 2 * step * tilt
        bent += (b - a) * (left + right) / 2
        if weight(middle) == 0:
            if left or right:
                return None
            continue
        energy += (b - a) * (left**2 + left * right + right**2) / (3 * weight(middle))
    far = max(abs(knots[0]), abs(knots[-1])) + 1
    slopes = f(-far) - f(-far - 1), f(far + 1) - f(far)
    if slopes[1] - slopes[0] != bent:
        return None
    return {"E_0": energy, "p": (slopes[0] + slopes[1]) / 2, "q": (f(far) + f(-far) - far * bent) / 2}


@certificate("cost against curvature and tails")
def raw_cost(context: Context) -> Observation:
    """yᵀK⁻¹y of networks trained on raw data; curvature, slopes at ±∞ and q of the trained function, by exact second
    differences of its values."""
    draw = context.random()
    straight = True
    cases = [(points, SYMMETRIC_LAWS) for points in (ZIGZAG, FOUR, UNEVEN)]
    for i in range(context.choose(48, 80)):
        points, law = random_data(draw, 2 + i % 2), symmetric_law(draw)
        if i % 6 >= 4:  # kinks so near 0 that E WB is larger than E B², or so far out that it is larger than E W²
            by = (Fraction(24), Fraction(1, 24))[i % 2]
            points = replace(points, x=tuple(x * by for x in points.x))
            law = tuple(replace(part, low=part.low * by, high=part.high * by) for part in law)
        cases.append((points, {"W and B dependent, drawn": law}))
    for _ in range(12):  # B nearly determined by W: all kinks on a short stretch, between the data
        w, c, short = signed(draw, -3, 3), signed(draw, -2, 2), Fraction(1, draw.choice((2, 8, 40)))
        law = symmetrised((Slab(Fraction(1), w, abs(w) * c - abs(w) * short, abs(w) * c + abs(w) * short),))
        kink = -c if w > 0 else c
        outside = (kink - short - of_any_size(draw, -3, 1), kink + short + of_any_size(draw, -3, 1))
        cases.append((replace(random_data(draw, 2), x=outside), {"kinks on a short stretch": law}))
    for points, laws in cases:
        for name, law in laws.items():
            ends: Trained = trained(cache(slab_kernel(law)), points.x, points.y)
            knots = sorted({*points.x, *weight_of(law).knots})
            given = curvature_and_tails(ends, knots, law)
            straight = straight and given is not None
            if given is not None:
                ww, wb, bb = moments(law)
                yield seen(ends.cost, f"{points.label}, {name}", **given, A=ww, B=bb, C=wb)
    yield Premise("no curvature where ζ = 0, and the slopes at both ends differ by ∫f''", straight)


RAW_DATA_LIMIT = claim(
    "jin2021.raw_data_limit",
    "next to Theorem 1",
    "The cost minimised by training on raw data",
    """If (W, B) and (-W, -B) have the same law, training on the data as they are minimises ∫g''²/ζ + 4(p, q)G⁻¹(p, q)ᵀ
    over interpolants g(x) = px + q + ½∫g''(c)|x - c|dc, with G the matrix of E W², E WB, E B². Proof: [z]_+ = (|z| +
    z)/2 splits K into ¼E|Wx+B||Wx'+B| and ¼(x, 1)G(x', 1)ᵀ, which do not mix.""",
    latex=r"y^\top K^{-1}y=\int\frac{g''^2}{\zeta}+4(p,q)G^{-1}(p,q)^\top",
    hypotheses=("(W, B) and (-W, -B) have the same law", "second moments", "f(·, θ₀) ≡ 0"),
    formula="E_0 + 4*(B*p**2 - 2*C*p*q + A*q**2)/(A*B - C**2)",
    symbols={
        "E_0": "∫g''²/ζ over the whole line, g the trained function",
        "p": "(g'(∞) + g'(-∞))/2",
        "q": "g(0) - ½∫g''(c)|c|dc",
        "A": "E W²",
        "B": "E B²",
        "C": "E WB",
    },
    domain=("E_0 >= 0", "A*B > C**2"),
    controls={
        "E_0": "curvature alone, as in (4)",
        "E_0 + 4*(p**2/A + q**2/B)": "W and B taken as uncorrelated",
        "E_0 + (B*p**2 - 2*C*p*q + A*q**2)/(A*B - C**2)": "without the factor 4",
        "E_0 + 4*(A*p**2 + 2*C*p*q + B*q**2)": "G in place of its inverse",
        "E_0 + 4*(B*p**2 + 2*C*p*q + A*q**2)/(A*B - C**2)": "sign of the mixed term",
    },
    checks=(raw_cost,),
    part_of="jin2021.theorem_1_rate",
    own=True,
)
