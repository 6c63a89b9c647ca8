"""Theorem 1, equation (4): which moment of W weighs the curvature, for any number of data and any law."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from implicitbias.claims import Context, Observation, Premise, Value, certificate, claim, seen, shows, theorem
from implicitbias.exact.formula import Assumption
from implicitbias.exact.vectors import relu
from implicitbias.theorems.rules.calculus.derivative import Derivative
from implicitbias.theorems.rules.sequences.lists import MeasureIntegral
from implicitbias.theorems.rules.sequences.represented import RepresentedEntry
from implicitbias.theorems.rules.values.composition import Composition

from ..observed.data.draws import of_any_size, symmetric_law, values
from ..observed.wide.exact_laws import SYMMETRIC_LAWS, Slab, binary, slab, slab_kernel, symmetrised
from ..observed.wide.interpolants import trained_with_free_line

LAWS = {
    **SYMMETRIC_LAWS,
    "one-sided parts": (slab("1/2", 1, -1, 3), slab("1/2", -1, -1, 3)),
    "no kinks from 1/4 to 1": symmetrised((slab("3/4", 1, "-1/4", 2), slab("1/4", 1, -2, -1))),
    "W = ±3, B uniform on ±5": binary(5, 3),
    "W = ±1/5, B uniform on ±1": binary(1, "1/5"),
    "four slopes": (slab("1/4", 3, -4, 5), slab("1/4", -2, -3, 7), slab("1/4", "1/2", -1, 1), slab("1/4", -1, -2, 5)),
}
STEP = Fraction(1, 2**24)


@theorem("any law, any number of data")
def any_number() -> Observation:
    """What the slope turns at x: for every w, the density of kinks there times what a unit (w, -wx) turns in the
    optimum of (17), which is spanned by the units' outputs at the data with multipliers that no line meets."""
    turns = Derivative("unit(1, w, -w*x, r)", "r", "x", side="jump")
    moved = RepresentedEntry(
        tests="unit(1, e, f, t)",
        given={"e": "real", "f": "real"},
        datum={"t": "real"},
        multiplier="lam",
        at_no_cost=("1", "t"),
        at={"e": "w", "f": "-w*x"},
        totals={"T": "lam*relu(t - x)"},
        by={"T": "Abs(w)"},
        less=("-Min(0, w)*x", "Min(0, w)"),
    )
    curvature_at_x = MeasureIntegral(
        term=Composition("ratio_integrand(w, p)*turns*moved", {"turns": turns, "moved": moved}),
        entries={"w": "real", "p": "nonnegative"},
        totals={
            "q": "ratio_integrand(w, p)",
            "M": "Abs(w)*ratio_integrand(w, p)",
            "Z": "zeta_integrand(w, p)",
            "V": "Abs(w)**3*ratio_integrand(w, p)",
        },
        by={"Z": "T"},
        split=("w",),
    )
    domains: dict[str, Assumption] = {"q": "positive", **dict.fromkeys(("x", "T"), "real")}
    domains |= dict.fromkeys(("M", "Z", "V"), "positive")  # W is not 0
    moments = ("M**2 <= q*Z", "Z**2 <= M*V")  # of a law
    given = {"m_1": "M/q", "m_2": "Z/q", "m_3": "V/q"}
    yield shows(curvature_at_x, for_all=domains, assuming=moments, q="q", T="T", **given)


def moments_at(law: Sequence[Slab], x: Fraction) -> list[Fraction]:
    """p_C(x) and E(|W|^k | C = x) p_C(x) for k = 1, 2, 3: a slab has kinks at x with density p|w|/(high - low)."""
    dense = [(s.probability * abs(s.w) / (s.high - s.low), abs(s.w)) for s in law if s.low < -s.w * x < s.high]
    return [sum((share * w**k for share, w in dense), Fraction(0)) for k in range(4)]


@certificate("second differences of the solution")
def curvature(context: Context) -> Observation:
    """g''(x) of (17) for one to nine data by exact second differences of the kernel solution; its multipliers; laws of
    several slopes; x among the data and beyond them."""
    draw = context.random()
    beyond = mixed = 0
    for i in range(context.choose(10, 30)):
        for name, law in {**LAWS, "drawn": symmetric_law(draw)}.items():
            inner = [Fraction(p, 4) for p in draw.sample(range(-7, 8), 1 + i % 5)]
            outer = (Fraction(-15, 8), Fraction(15, 8)) if i % 3 else (Fraction(-7, 8), Fraction(1))
            x = sorted({outer[0], *inner, outer[1]})
            size = of_any_size(draw, -3, 3) if i else Fraction(1)
            y = [size * b for b in values(draw, len(x))]
            try:
                f = trained_with_free_line(slab_kernel(law), x, y)
            except ArithmeticError:
                continue  # more data than this law tells apart
            z = Fraction(draw.randint(-30, 30), 16) + Fraction(1, 37)
            q, *moments = moments_at(law, z)
            if q == 0:
                continue
            observed = (f(z + STEP) - 2 * f(z) + f(z - STEP)) / STEP**2
            pull = sum((m * relu(t - z) for m, t in zip(f.multipliers, f.x, strict=True)), Fraction(0))
            given: dict[str, Value] = {f"m_{k}": m / q for k, m in enumerate(moments, 1)}
            yield seen(observed, f"{name}, {len(x)} data, x = {z}", q=q, T=pull, **given)
            beyond += not x[0] <= z <= x[-1]
            mixed += given["m_2"] != given["m_1"] ** 2  # type: ignore[operator]
    yield Premise("places beyond the data, and places with kinks of several slopes", min(beyond, mixed) >= 3)


CURVATURE = claim(
    "jin2021.theorem_1_curvature",
    "Theorem 1, equation (4), and (17)",
    "Curvature of the wide network by the moments of W",
    """For any number of data and any law of (W, B), with finite second moments and a density, the solution of (17), to
    which training the output weights leads, has g''(x) = E(|W|²|C = x) p_C(x) Σλ_j(x_j - x)_+ with Σλ_j = Σλ_jx_j = 0:
    the second moment, not another one, weighs a function that is linear between neighbouring data, and 0 beyond the
    outer ones (there every term of the sum is 0, or none is cut off). That is what the minimisers of ∫ζ⁻¹g''² in (4)
    are: g''/ζ is linear between data.""",
    latex=r"g''(x)=E(|W|^2\mid C=x)\,p_C(x)\,\sum_j\lambda_j(x_j-x)_+",
    hypotheses=("width ∞", "a solution of (17)"),
    formula="m_2*q*T",
    symbols={
        "q": "p_C(x), the density of the kinks at x",
        "m_1": "E(|W| | C = x)",
        "m_2": "E(|W|² | C = x)",
        "m_3": "E(|W|³ | C = x)",
        "T": "Σλ_j(x_j - x)_+, λ_j the multiplier of the datum x_j",
    },
    controls={
        "q*T": "the density of the kinks alone",
        "m_1*q*T": "the power 1: what a unit turns",
        "m_3*q*T": "the power 3, that of the density of weight and bias",
        "m_1**2*q*T": "the mean, squared",
        "m_2*T": "the density of the kinks forgotten",
        "2*m_2*q*T": "units of either sign counted on both sides",
    },
    checks=(any_number, curvature),
    part_of="jin2021.theorem_1_rate",
)
