"""Section 2, equations (7) to (9): sublevel sets as convex hulls of ReLUs, and their closure as measures."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from implicitbias.check import Check, Context, Kind
from implicitbias.claim import Claim, Control, Flaw, Source
from implicitbias.evidence import Evidence, Identity, Instance, Premise, Value

from .cost_programme import Number, Polyline, representation


def scale_of_the_hull(context: Context) -> Evidence:
    """The least B with f in B·conv{±ReLUs} + constants, exactly, and that scaled hull's element written out."""
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
    cases += [(draw.randint(-6, 6), draw.randint(-6, 6), draw.randint(-6, 6), draw.randint(-9, 9)) for _ in range(16)]
    instances, same = [], True
    for u0, u1, r, c in cases:
        f = Polyline.of({0: u0, 1: u1}, left_slope=r, offset=c)
        least, units = representation(f, [0, 1])
        rest = [f(x) - sum((u * max(w * (x - b), Fraction(0)) for w, b, u in units), Fraction(0)) for x in _POINTS]
        same = same and len(set(rest)) == 1 and sum((abs(u) for *_, u in units), Fraction(0)) == least
        given: dict[str, Value] = {"u0": u0, "u1": u1, "r": r, "c": c, "units": tuple(units)}
        instances.append(Instance(f"{r}x {u0:+d}[x]₊ {u1:+d}[x−1]₊ {c:+d}", given, least))
    return Evidence(
        instances=tuple(instances),
        premises=(Premise("weights of modulus B in all, and f up to a constant, at 9 points each", same),),
    )


_POINTS = [Fraction(n, 2) for n in (-200, -3, -1, 0, 1, 2, 3, 5, 200)]


def spread_measures(context: Context) -> Evidence:
    """The least mass of a measure whose function has f's values and end slopes: exact optimum.

    f belongs to the measure of density p on forward and q on backward units with kinks in [0, 1]. The values of f on
    a grid and its end slopes are conditions on any measure; the prices of the optimum are piecewise linear in the kink
    with corners on the grid, so they bound every measure, and |p|+|q| is the mass of the one that f came from.
    """
    from implicitbias.convex.linear_programme import optimum

    draw = context.random()
    cases: list[tuple[Number, Number]] = [
        (0, 0),
        (1, 0),
        (0, 1),
        (1, 1),
        (1, -1),
        (-2, 1),
        (-3, -2),
        (0, -4),
        (Fraction(1, 3), 5),
    ]
    cases += [(draw.randint(-9, 9), Fraction(draw.randint(-9, 9), draw.randint(1, 4))) for _ in range(7)]
    grid = [Fraction(n, 4) for n in range(-2, 7)]
    atoms = [(w, b) for b in grid for w in (1, -1)]
    instances, met = [], True
    for density_p, density_q in cases:
        p, q = Fraction(density_p), Fraction(density_q)

        def f(x: Fraction, p: Fraction = p, q: Fraction = q) -> Fraction:
            inside = min(max(x, Fraction(0)), Fraction(1))
            forward = inside**2 / 2 + max(x - 1, Fraction(0))
            backward = (1 - inside) ** 2 / 2 + max(-x, Fraction(0))
            return p * forward + q * backward

        rows: list[list[Fraction | int]] = []
        for x in grid:
            features = [max(w * (x - b), Fraction(0)) for w, b in atoms]
            rows.append([*features, *(-z for z in features), 1])
        for orientation in (1, -1):
            ends = [w if w == orientation else 0 for w, _ in atoms]
            rows.append([*ends, *(-e for e in ends), 0])
        n = len(atoms)
        found = optimum([1] * 2 * n + [0], rows, [*map(f, grid), p, -q], free=[False] * 2 * n + [True])
        met = met and found.value == abs(p) + abs(q)
        instances.append(Instance(f"density {p} forward, {q} backward on [0, 1]", {"p": p, "q": q}, found.value))
    return Evidence(
        instances=tuple(instances),
        premises=(Premise("the lower bound meets the mass of the measure that f came from", met),),
    )


def derive_the_mass(context: Context) -> Evidence:
    """The end slopes of h_α are the masses of its forward and of its backward units, whatever the measure."""
    import sympy

    from implicitbias.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    p, q, b = symbol("p"), symbol("q"), symbol("b")
    d = Derivation()
    d.step("a unit w(x−b) is active far to the right if w = 1, far to the left if w = −1")
    right, left = sympy.integrate(p, (b, 0, 1)), sympy.integrate(-q, (b, 0, 1))
    d.identity("slope at +∞: the forward density integrated", right, p)
    d.identity("slope at −∞: minus the backward density integrated", left, -q)
    d.step("any measure with h_α = f has the same end slopes", "α(1,·) has mass f′(+∞), α(−1,·) has mass −f′(−∞)")
    d.step("and a total variation of at least the moduli of the two", "‖α‖₁ >= |f′(+∞)| + |f′(−∞)|")
    mass = (sympy.Abs(p) + sympy.Abs(q)) * sympy.integrate(sympy.Integer(1), (b, 0, 1))
    d.identity("which the density itself attains", mass, sympy.Abs(right) + sympy.Abs(left))
    identity = Identity("least mass", {"p": "real", "q": "real"}, {"p": "p", "q": "q"}, from_sympy(mass))
    return Evidence(identities=(identity,), steps=d.steps)


def approximate_by_units(context: Context) -> Evidence:
    """sup|f − f_n| exactly: both are known on each half cell, where f − f_n is m/2 times a square."""
    instances, cost = [], True
    for m in (1, -1, 0, 4, Fraction(-7, 3), 100):
        for n in (1, 2, 3, 5, 8, 21):
            kinks = [Fraction(2 * i + 1, 2 * n) for i in range(n)]
            weight = Fraction(m) / n
            cost = cost and sum(abs(weight) for _ in kinks) == abs(m)
            corners = [Fraction(j, 2 * n) for j in range(2 * n + 1)]
            gaps = []
            for left, right in pairwise(corners):
                slope = weight * sum(1 for b in kinks if b <= left)
                at_left = weight * sum((max(left - b, Fraction(0)) for b in kinks), Fraction(0))
                turning = min(max(slope / Fraction(m), left), right) if m else left
                for x in (left, turning, right):
                    gaps.append(abs(Fraction(m) * x * x / 2 - at_left - slope * (x - left)))
            instances.append(Instance(f"mass {m} on [0, 1], {n} units", {"m": m, "n": n}, max(gaps)))
    return Evidence(instances=tuple(instances), premises=(Premise("the n units cost |m| in all", cost),))


def derive_the_approximation(context: Context) -> Evidence:
    """The difference on one cell, and that it vanishes at both ends of it."""
    import sympy

    from implicitbias.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    m, u, h = symbol("m"), symbol("u", "nonnegative"), symbol("h", "positive")
    n = symbol("n", "positive integer")
    d = Derivation()
    d.step(
        "f″ = m on a cell of length h = 1/n; f_n has one unit of weight mh in its middle; u is the distance from its "
        "left end"
    )
    d.identity("after the cell both are the same line", m * h**2 / 2 + m * h * u, m * h * (h + u - h / 2))
    d.step("first half of the cell", "f − f_n = mu²/2, growing in modulus")
    d.identity("second half: by symmetry", m * u**2 / 2 - m * h * (u - h / 2), m * (h - u) ** 2 / 2)
    largest = (m * u**2 / 2).subs(u, h / 2).subs(h, 1 / n)
    d.step("largest in the middle", f"|{largest}|")
    identity = Identity(
        "largest difference",
        {"m": "real", "n": "positive integer"},
        {"m": "m", "n": "n"},
        from_sympy(sympy.Abs(largest)),
    )
    return Evidence(identities=(identity,), steps=d.steps)


def uniform_weights(context: Context) -> Evidence:
    """How near a mean of n ReLUs ±[w(x−b)]₊, each with weight 1/n, comes to the slope t at +∞: all counts tried."""
    draw = context.random()
    shares = [Fraction(t) for t in (0, 1, -1)] + [Fraction(1, 2), Fraction(1, 3), Fraction(-2, 3), Fraction(5, 7)]
    shares += [Fraction(draw.randint(-30, 30), 31) for _ in range(5)]
    instances = []
    for t in shares:
        for n in (1, 2, 3, 7, 10):
            counts = ((plus, minus) for plus in range(n + 1) for minus in range(n + 1 - plus))
            nearest = min(abs(t - Fraction(plus - minus, n)) for plus, minus in counts)
            instances.append(Instance(f"slope {t} at +∞ from {n} equal weights", {"t": t, "n": n}, nearest))
    return Evidence(instances=tuple(instances))


def rescaled_functions(context: Context) -> Evidence:
    """R of f and of x ↦ a·f(σx+τ)+c, each by its own exact linear programme."""
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
    instances = []
    for i, (a, sigma, tau) in enumerate(cases):
        jumps, left = shapes[i % len(shapes)]
        f = Polyline.of(jumps, left_slope=left)
        kinks = list(jumps) or [0]
        before, _ = representation(f, kinks)

        def moved(x: Fraction, f: Polyline = f, a: int = a, sigma: Number = sigma, tau: int = tau) -> Fraction:
            return a * f(sigma * x + tau) + 11

        after, _ = representation(moved, [(Fraction(b) - tau) / sigma for b in kinks])
        given: dict[str, Value] = {"a": a, "sigma": sigma, "tau": tau, "R": before}
        instances.append(Instance(f"f with slope jumps {jumps} and left slope {left}", given, after))
    return Evidence(instances=tuple(instances))


def derive_the_scaling(context: Context) -> Evidence:
    """Each unit of norm one goes over into a unit of norm one, its weight times a|σ|; and back."""
    import sympy

    from implicitbias.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    x, b, tau, a, u = (symbol(name) for name in ("x", "b", "tau", "a", "u"))
    size, z = symbol("size", "positive"), symbol("z", "nonnegative")
    d = Derivation()
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
    return Evidence(identities=identities, steps=d.steps)


CLAIMS = (
    Claim(
        id="savarese2019.equation_7",
        source=Source("savarese2019", "Section 2, equation (7)"),
        title="How far the hull of ReLUs must be scaled",
        statement="R(f) <= B exactly when f is, up to a constant, B times a convex combination of ReLUs ±[w(x−b)]₊ "
        "with w = ±1. For "
        "f = rx + u₀[x]₊ + u₁[x−1]₊ + c the least such B is max(|u₀|+|u₁|, |u₀+u₁+2r|).",
        latex=r"\{R\le B\}=B\cdot\mathrm{conv}\{\pm[w(x-b)]_+\}+\mathbb R",
        hypotheses=("one input",),
        rests_on=("savarese2019.equation_5",),
        formula="Max(Abs(u0) + Abs(u1), Abs(u0 + u1 + 2*r))",
        symbols={
            "u0": "slope jump at 0",
            "u1": "slope jump at 1",
            "r": "slope of f at −∞",
            "c": "constant added to f",
        },
        controls=(
            Control("Max(Abs(u0) + Abs(u1), Abs(u0 + u1 + 2*r)) + Abs(c)", "constants penalised"),
            Control("Abs(u0) + Abs(u1)", "affine functions free"),
            Control("Abs(u0) + Abs(u1) + 2*Abs(r)", "forward units and an affine function on top"),
            Control("Max(Abs(u0 + u1), Abs(u0 + u1 + 2*r))", "jumps of opposite sign cancel"),
        ),
        checks=(
            Check(
                "exact linear programmes",
                Kind.CERTIFICATE,
                scale_of_the_hull,
                "the least B of 30 functions with primal and dual in rationals: inside for B, outside for anything "
                "less",
            ),
        ),
    ),
    Claim(
        id="savarese2019.section_2_scaling",
        source=Source("savarese2019", "Section 2, equations (7) and (8)"),
        title="R under scaling, reflection and translation",
        statement="For g(x) = a·f(σx+τ)+c: R(g) = |a||σ|R(f), whatever the shift τ and the constant c. R is a "
        "seminorm: "
        "absolutely homogeneous, blind to constants, invariant under translations and reflections of the input.",
        latex=r"R\big(a\,f(\sigma\cdot+\tau)+c\big)=|a||\sigma|\,R(f)",
        hypotheses=("σ ≠ 0", "one input"),
        rests_on=("savarese2019.equation_7",),
        formula="Abs(a)*Abs(sigma)*R",
        symbols={"a": "factor of the function", "sigma": "factor of the input, not 0", "R": "R(f)"},
        controls=(
            Control("Abs(a)*R", "the scale of the input does not matter"),
            Control("Abs(a)*R/Abs(sigma)", "stretching by σ instead of compressing"),
            Control("a**2*sigma**2*R", "R is a square, as the cost of the weights is"),
            Control("a*sigma*R", "without the moduli"),
        ),
        checks=(
            Check(
                "exact linear programmes before and after",
                Kind.CERTIFICATE,
                rescaled_functions,
                "18 functions and their images, each by its own programme",
            ),
            Check("unit by unit", Kind.PROOF, derive_the_scaling, "units of norm one go to units of norm one"),
        ),
    ),
    Claim(
        id="savarese2019.equation_8",
        source=Source("savarese2019", "Section 2, equations (8) and (9)"),
        title="The least mass of a measure over units",
        statement="For the infinitely wide network whose units have density p (forward) and q (backward) over kinks "
        "in [0, 1] no "
        "measure with the same function has less mass than |p|+|q|: (8) is attained there, though unless p+q = 0 "
        "by no finite network.",
        latex=r"\bar R(f)=\inf\{\|\alpha\|_1: h_{\alpha,c}=f\}",
        hypotheses=("one input",),
        rests_on=("savarese2019.equation_7",),
        formula="Abs(p) + Abs(q)",
        symbols={
            "p": "density of the units with w = 1 over the kinks in [0, 1]",
            "q": "density of the units with w = −1 over the kinks in [0, 1]",
        },
        controls=(
            Control("Abs(p + q)", "forward and backward units of a kink merge"),
            Control("Max(Abs(p), Abs(q))", "the larger mass decides"),
            Control("p + q", "signed mass"),
            Control("Abs(p - q)", "the sum of the end slopes alone"),
        ),
        checks=(
            Check(
                "programme over all measures",
                Kind.CERTIFICATE,
                spread_measures,
                "lower bound for every measure from the values and end slopes of 16 functions",
            ),
            Check("end slopes are masses", Kind.PROOF, derive_the_mass, "lower bound by the end slopes, attained"),
        ),
    ),
    Claim(
        id="savarese2019.section_2_closure",
        source=Source("savarese2019", "Section 2, after (7)"),
        title="Measures are limits of finite networks of the same cost",
        statement="A measure of constant density m over forward units with kinks in [0, 1] is approached by n units "
        "of weight m/n "
        "with kinks in the middle of n cells: at the same cost |m|, uniformly on the whole line, with largest error "
        "|m|/(8n²).",
        latex=r"\sup_x|f-f_n|=\frac{|m|}{8n^2},\qquad \|\alpha_n\|_1=|m|",
        hypotheses=("one input", "kinks at (2i+1)/(2n), i = 0, …, n−1"),
        rests_on=("savarese2019.equation_8",),
        formula="Abs(m)/(8*n**2)",
        symbols={"m": "the mass of the measure, constant density on [0, 1]", "n": "the number of units"},
        controls=(
            Control("Abs(m)/(8*n)", "first order only"),
            Control("Abs(m)/(4*n**2)", "twice the error"),
            Control("Abs(m)/(2*n**2)", "kinks at the ends of the cells"),
            Control("m/(8*n**2)", "without the modulus"),
        ),
        checks=(
            Check(
                "largest error on every half cell",
                Kind.CERTIFICATE,
                approximate_by_units,
                "36 pairs (m, n): exact maximum of a quadratic on each half cell",
            ),
            Check("one cell", Kind.PROOF, derive_the_approximation, "the difference on a cell, zero at both ends"),
        ),
    ),
    Claim(
        id="savarese2019.section_2_uniform_weights",
        source=Source("savarese2019", "Section 2, after (7)"),
        title="Finite convex combinations are not uniform measures",
        statement="A convex combination of n ReLUs ±[w(x−b)]₊ of norm 1 may have any slope t ∈ [−1, 1] at +∞; with "
        "equal weights "
        "1/n the slope is a multiple of 1/n, and the nearest one misses t by the distance of nt to the integers, "
        "over n. So the "
        "hull in (7) takes finitely supported measures, not only uniform ones; the closures are the same.",
        latex=r"\min_{j\in\mathbb Z}|t-j/n|",
        hypotheses=("−1 <= t <= 1", "n >= 1 atoms, repetitions allowed"),
        rests_on=("savarese2019.equation_7",),
        formula="Min(n*t - floor(n*t), 1 + floor(n*t) - n*t)/n",
        symbols={"t": "slope at +∞ that is asked for", "n": "number of atoms, each of weight 1/n"},
        flaw=Flaw(
            printed="0",
            word="imprecise wording",
            wrong="Finite convex combinations are explained as expectations over uniform discrete measures; those "
            "with weights "
            "that are no multiples of 1/n are not.",
            sure="certain",
            charitable="Finitely supported measures are meant; and every one is a limit of uniform measures, so that "
            "nothing "
            "changes in the closure.",
        ),
        controls=(
            Control("1/(2*n)", "the largest distance, taken for the distance"),
            Control("(n*t - floor(n*t))/n", "rounding down only"),
            Control("Min(n*t - floor(n*t), 1 + floor(n*t) - n*t)", "the error of the counts, not of the slope"),
        ),
        checks=(
            Check(
                "all counts of atoms", Kind.CERTIFICATE, uniform_weights, "12 slopes with 1 to 10 atoms, exhaustively"
            ),
        ),
    ),
)
