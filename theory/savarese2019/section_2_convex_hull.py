"""Section 2, equation (7): sublevel sets as scaled convex hulls of ReLUs."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from implicitbias.claims import (
    Context,
    Derivation,
    Identity,
    Observation,
    Premise,
    certificate,
    claim,
    proof,
    seen,
)

from ..observed.cheapest.cost_programme import Number, Polyline, representation


@certificate("exact linear programmes")
def scale_of_the_hull(context: Context) -> Observation:
    """The least B with f in B·conv{±ReLUs} + constants, exactly, for 156 functions, and the element."""
    draw = context.random()
    cases = [
        (0, 0, 0, 0),
        (1, 0, 0, 0),
        (0, 0, 1, 0),
        (0, 0, -1, 3),
        (1, -1, 0, 0),
        (1, 1, -1, 0),
        (-2, 1, 0, 5),
        (1, -2, 2, 0),
    ]
    cases += [(1, 1, 0, 0), (2, -1, -3, 1), (3, 3, -3, 0), (0, 4, -2, 0), (1, 0, -1, 0), (-1, -1, 1, -7)]
    cases += [(0, 0, 0, 7), (0, 0, 0, -4), (0, 1, 0, 40)]  # constants, which cost nothing, beside costs that are small
    cases += [(draw.randint(-6, 6), draw.randint(-6, 6), draw.randint(-6, 6), draw.randint(-9, 9)) for _ in range(16)]
    for signs in product((1, -1), repeat=4):  # every choice of signs, either jump small beside the other
        for sizes in ((2, 40, 9, 30), (40, 2, 30, 9)):
            u0, u1, r, c = (sign * draw.randint(1, size) for sign, size in zip(signs, sizes, strict=True))
            cases.append((u0, u1, r, c))
    cases += [(1 - i % 3, 1 - i // 3 % 3, i % 2, i - 9) for i in range(18)]  # small jumps and every constant near 0
    for i in range(-9, 10):  # every small number in each place
        cases += [(i, 1, 0, 3), (2, i, -1, 0), (-1, 2, i, 1)]
    for i in range(16):  # the slopes at both ends about as large as the jumps, which are of one sign or of either
        u0, u1 = draw.randint(-20, 20), draw.randint(-3, 3) * (1 + i % 7)
        ends = (abs(u0) + abs(u1)) * (1 - i % 2 * 2)
        cases.append((u0, u1, (ends - u0 - u1) // 2 + draw.randint(-2, 2), draw.randint(-40, 40)))
    same = True
    for u0, u1, r, c in cases:
        f = Polyline.of({0: u0, 1: u1}, left_slope=r, offset=c)
        least, units = representation(f, [0, 1])
        rest = [f(x) - sum((u * max(w * (x - b), Fraction(0)) for w, b, u in units), Fraction(0)) for x in _POINTS]
        same = same and len(set(rest)) == 1 and sum((abs(u) for *_, u in units), Fraction(0)) == least
        yield seen(least, f"{r}x {u0:+d}[x]₊ {u1:+d}[x−1]₊ {c:+d}", u0=u0, u1=u1, r=r, c=c, units=tuple(units))
    yield Premise("weights of modulus B in all, and f up to a constant, at 9 points each", same)


_POINTS = [Fraction(n, 2) for n in (-200, -3, -1, 0, 1, 2, 3, 5, 200)]


@certificate("all counts of atoms")
def uniform_weights(context: Context) -> Observation:
    """The distance of the slope t at +∞ from the slopes of means of n ReLUs ±[w(x−b)]₊: all counts of 1 to 10 atoms
    tried.
    """
    draw = context.random()
    shares = [Fraction(t) for t in (0, 1, -1)] + [Fraction(1, 2), Fraction(1, 3), Fraction(-2, 3), Fraction(5, 7)]
    shares += [Fraction(draw.randint(-30, 30), 31) for _ in range(5)]
    for t in shares:
        for n in (1, 2, 3, 7, 10):
            counts = ((plus, minus) for plus in range(n + 1) for minus in range(n + 1 - plus))
            nearest = min(abs(t - Fraction(plus - minus, n)) for plus, minus in counts)
            yield seen(nearest, f"slope {t} at +∞ from {n} equal weights", t=t, n=n)


@certificate("exact linear programmes before and after")
def rescaled_functions(context: Context) -> Observation:
    """R of 18 functions f and of x ↦ a·f(σx+τ)+c, each by its own exact linear programme."""
    draw = context.random()
    cases: list[tuple[int, Number, int]] = [
        (1, 1, 0),
        (-1, 1, 0),
        (1, -1, 0),
        (2, 1, 3),
        (1, 2, 0),
        (0, 1, 0),
        (-3, Fraction(1, 2), 1),
        (1, 1, -4),
        (5, -3, 2),
    ]
    cases += [
        (draw.randint(-5, 5), Fraction(draw.choice((-7, -2, 3, 5)), draw.randint(1, 4)), draw.randint(-3, 3))
        for _ in range(9)
    ]
    shapes: list[tuple[dict[Number, Number], int]] = [
        ({0: 1}, 0),
        ({-1: 1, 0: -2, 1: 1}, 0),
        ({}, 1),
        ({0: 1, 2: 1}, 3),
        ({0: 2, 1: -3}, -1),
    ]
    for i, (a, sigma, tau) in enumerate(cases):
        jumps, left = shapes[i % len(shapes)]
        f = Polyline.of(jumps, left_slope=left)
        kinks = list(jumps) or [0]
        before, _ = representation(f, kinks)

        def moved(x: Fraction, f: Polyline = f, a: int = a, sigma: Number = sigma, tau: int = tau) -> Fraction:
            return a * f(sigma * x + tau) + 11

        after, _ = representation(moved, [(Fraction(b) - tau) / sigma for b in kinks])
        yield seen(after, f"f with slope jumps {jumps} and left slope {left}", a=a, sigma=sigma, tau=tau, R=before)


@proof("unit by unit")
def the_scaling(d: Derivation) -> Observation:
    """Each unit of norm one becomes a unit of norm one with its weight multiplied by a|σ|; and conversely."""
    import sympy

    from implicitbias.exact.symbolic import from_sympy, symbol

    x, b, tau, a, u, size, z = d.symbols("x b tau a u", size="positive", z="nonnegative")
    for sign in (1, -1):
        sigma = sign * size
        kink = (b - tau) / sigma
        d.identity(f"σ of sign {sign:+d}: the argument of a unit", sigma * x + tau - b, size * (sign * (x - kink)))
    d.identity("positive homogeneity", a * u * sympy.Max(size * z, 0), a * u * size * sympy.Max(z, 0))
    d.step("so a representation of mass R gives one of mass |a||σ|R, with orientation w·sign(σ) and kink (b−τ)/σ")
    d.step("and undoing the change (a ≠ 0, σ ≠ 0) gives the other inequality; for a = 0 both sides are 0")
    identities = tuple(
        Identity(
            f"σ of sign {sign:+d}",
            {"a": "real", "size": "positive", "R": "nonnegative"},
            {"a": "a", "sigma": f"{sign}*size", "R": "R"},
            from_sympy(sympy.Abs(a) * size * symbol("R", "nonnegative")),
        )
        for sign in (1, -1)
    )
    yield from identities


EQUATION_7 = claim(
    "savarese2019.equation_7",
    "Section 2, equation (7)",
    "Scale of the hull of ReLUs",
    """R(f) <= B exactly when f is, up to a constant, B times a convex combination of ReLUs ±[w(x−b)]₊ with w = ±1. For
    f = rx + u₀[x]₊ + u₁[x−1]₊ + c the least such B is max(|u₀|+|u₁|, |u₀+u₁+2r|).""",
    part_of="savarese2019.equation_8",
    latex=r"\min\{B:\ f\in B\cdot\mathrm{conv}\{\pm[w(x-b)]_+\}+\mathbb R\}=\max(|u_0|+|u_1|,\,|u_0+u_1+2r|)",
    hypotheses=("one input",),
    formula="Max(Abs(u0) + Abs(u1), Abs(u0 + u1 + 2*r))",
    symbols={"u0": "slope jump at 0", "u1": "slope jump at 1", "r": "slope of f at −∞", "c": "constant added to f"},
    controls={
        "Max(Abs(u0) + Abs(u1), Abs(u0 + u1 + 2*r)) + Abs(c)": "constants penalised",
        "Max(Abs(u0) + Abs(u1), Abs(u0 + u1 + 2*r), c/3)": "large constants penalised, beside a small cost",
        "Abs(u0) + Abs(u1)": "affine functions free",
        "Abs(u0) + Abs(u1) + 2*Abs(r)": "forward units and an affine function on top",
        "Max(Abs(u0 + u1), Abs(u0 + u1 + 2*r))": "jumps of opposite sign cancel",
    },
    checks=(scale_of_the_hull,),
    rests_on=("savarese2019.equation_5",),
)


SECTION_2_SCALING = claim(
    "savarese2019.section_2_scaling",
    "Section 2, equations (7) and (8)",
    "R under scaling, reflection and translation",
    """For g(x) = a·f(σx+τ)+c: R(g) = |a||σ|R(f), for every shift τ and constant c. So R is absolutely homogeneous,
    zero on constants, and invariant under translations and reflections of the input.""",
    part_of="savarese2019.equation_8",
    latex=r"R\big(a\,f(\sigma\cdot+\tau)+c\big)=|a||\sigma|\,R(f)",
    hypotheses=("σ ≠ 0", "one input"),
    formula="Abs(a)*Abs(sigma)*R",
    symbols={"a": "factor of the function", "sigma": "factor of the input, not 0", "R": "R(f)"},
    controls={
        "Abs(a)*R": "the scale of the input does not matter",
        "Abs(a)*R/Abs(sigma)": "stretching by σ instead of compressing",
        "a**2*sigma**2*R": "R is a square, like the cost of the weights",
        "a*sigma*R": "without the moduli",
    },
    checks=(rescaled_functions, the_scaling),
    rests_on=("savarese2019.equation_7",),
)


SECTION_2_UNIFORM_WEIGHTS = claim(
    "savarese2019.section_2_uniform_weights",
    "Section 2, after (7)",
    "Finite convex combinations are not uniform measures",
    """A convex combination of n ReLUs ±[w(x−b)]₊ of norm 1 may have any slope t ∈ [−1, 1] at +∞; with equal weights 1/n
    the slope is a multiple of 1/n, and the nearest one misses t by the distance of nt to the integers, over n. So the
    hull in (7) takes finitely supported measures, not only uniform ones; the closures are the same.""",
    part_of="savarese2019.equation_8",
    latex=r"\min_{j\in\mathbb Z}|t-j/n|",
    hypotheses=("−1 <= t <= 1", "n >= 1 atoms, repetitions allowed"),
    formula="Min(n*t - floor(n*t), 1 + floor(n*t) - n*t)/n",
    symbols={"t": "slope at +∞ that is asked for", "n": "number of atoms, each of weight 1/n"},
    controls={
        "0": "every finite convex combination taken for a uniform mean",
        "1/(2*n)": "the largest distance, taken for the distance",
        "(n*t - floor(n*t))/n": "rounding down only",
        "Min(n*t - floor(n*t), 1 + floor(n*t) - n*t)": "the error of the counts, not of the slope",
    },
    checks=(uniform_weights,),
    rests_on=("savarese2019.equation_7",),
)
