"""Equations (15) to (17): the same problem over densities, its limit over kinks, and with a line set free."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.check import Check, Context, Kind
from implicitbias.claim import Claim, Control, Source
from implicitbias.evidence import Evidence, Identity, Instance, Premise, Value

from .observed.draws import TRIPLE_SYMBOLS, fraction, random_data, triples
from .observed.exact_laws import Rectangle, area, clip, slab_kernel
from .observed.finite_width import least_change, random_units, weighted_least_change
from .observed.interpolants import trained, trained_with_free_line
from .observed.weighted_spline import weight_of, weighted_spline
from .training_data import LAWS


def observe_densities(context: Context) -> Evidence:
    """α_i of (15) beside ΔW_i of (14), each found by its own stationarity conditions."""
    draw = context.random()
    instances = []
    for n in context.choose((3, 5, 8, 12), (3, 4, 5, 8, 12, 16, 20)):
        units = random_units(draw, n)
        units[0] = (Fraction(1), Fraction(3))  # active everywhere: both problems can be solved
        units[1] = (Fraction(-1), Fraction(2))
        x = [Fraction(-1), Fraction(1, 2)]
        y = [fraction(draw, -2, 2), fraction(draw, 1, 3)]
        changes, alphas = least_change(units, x, y), weighted_least_change(units, x, y)
        instances += [
            Instance(f"unit {i + 1} of {n}", {"D": d, "n": n}, a)
            for i, (d, a) in enumerate(zip(changes[:4], alphas[:4], strict=True))
        ]
    return Evidence(instances=tuple(instances))


def observe_cells(context: Context) -> Evidence:
    """The probability that (W, C) falls into a rectangle, as the area of a polygon of (W, B)."""
    draw = context.random()
    instances = []
    law = Rectangle(Fraction(-2), Fraction(2), Fraction(-6), Fraction(6))
    cases = [(1, 2, 0, 1), (-2, -1, 0, 1), (1, 2, -2, -1), (0, 1, 0, 1), (-1, 0, -1, 1)]
    cases += [
        (*sorted(draw.sample(range(k, k + 9), 2)), *sorted(draw.sample(range(-8, 9), 2)))  # type: ignore[misc]
        for _ in range(context.choose(16, 60))
        for k in [draw.choice([-8, 0])]
    ]
    for i, (a, b, low, high) in enumerate(cases):
        scale = 1 if i < 5 else 4
        a, b, low, high = (Fraction(value, scale) for value in (a, b, low, high))
        strip = clip(clip(law.corners, 1, 0, -a), -1, 0, b)
        sign = 1 if a + b > 0 else -1
        cell = clip(clip(strip, -sign * low, -sign), sign * high, sign)  # low <= -b/w <= high
        given: dict[str, Value] = {
            "p": 1 / law.area,
            "w": (a + b) / 2,
            "A": (b - a) * (high - low),
            "c": (low + high) / 2,
        }
        label = f"W in [{a}, {b}], C in [{low}, {high}]"
        instances.append(Instance(label, given, area(cell) / law.area if cell else Fraction(0)))
    return Evidence(instances=tuple(instances))


def derive_density(context: Context) -> Evidence:
    """|∂(w, b)/∂(w, c)| of b = -cw, for both signs of w."""
    import sympy

    from implicitbias.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    d = Derivation()
    identities = []
    size, p = symbol("s", "positive"), symbol("p", "nonnegative")
    c = symbol("c")
    for sign, word in ((1, "positive"), (-1, "negative")):
        w = symbol("w")
        jacobian = sympy.Matrix([w, -c * w]).jacobian([w, c]).det().subs(w, sign * size)
        d.step(f"the Jacobian for {word} weights", f"∂(w, b)/∂(w, c) = {jacobian}")
        density = p * sympy.Abs(jacobian)
        identities.append(
            Identity(
                f"{word} weights: density of (W, C)",
                {"s": "positive", "p": "nonnegative", "c": "real"},
                {"p": "p", "w": f"{sign}*s", "A": "1", "c": "c"},
                from_sympy(density),
            )
        )
    return Evidence(identities=tuple(identities), steps=d.steps)


def observe_second_derivative(context: Context) -> Evidence:
    """g''(x) for two slopes, γ linear in the kink, by exact second differences of g."""
    draw = context.random()
    instances = []
    for i in range(context.choose(20, 80)):
        slopes = [Fraction(draw.randint(1, 6), 2) * s for s in ((1, -1), (1, 1), (-1, -1), (-1, 1))[i % 4]]
        chances = [Fraction(k, 4) for k in ((1, 3), (2, 2), (3, 1))[i % 3]]
        gammas = [(Fraction(1), Fraction(0))] * 2 if i < 2 else [(fraction(draw, -2, 2), fraction(draw, -1, 1))] * 2
        if i >= 4:
            gammas[1] = (fraction(draw, -2, 2), fraction(draw, -1, 1))
        low, high = Fraction(-draw.randint(4, 8), 2), Fraction(draw.randint(4, 8), 2)
        x = Fraction(draw.randint(-12, 12), 8)
        step = Fraction(1, 16)

        def g(z: Fraction) -> Fraction:
            total = Fraction(0)
            for w, chance, (level, tilt) in zip(slopes, chances, gammas, strict=True):  # noqa: B023
                a, b = (low, min(z, high)) if w > 0 else (max(z, low), high)  # noqa: B023
                for c, sign in ((b, 1), (a, -1)):
                    primitive = level * (z * c - c**2 / 2) + tilt * (z * c**2 / 2 - c**3 / 3)
                    total += sign * chance * w * primitive / (high - low)  # noqa: B023
            return total

        observed = (g(x + step) - 2 * g(x) + g(x - step)) / step**2
        given: dict[str, Value] = {
            "p_C": 1 / (high - low),
            "r": chances[0],
            "w_1": slopes[0],
            "w_2": slopes[1],
            "g_1": gammas[0][0] + gammas[0][1] * x,
            "g_2": gammas[1][0] + gammas[1][1] * x,
        }
        instances.append(Instance(f"kinks on [{low}, {high}], x = {x}", given, observed))
    return Evidence(instances=tuple(instances))


def observe_multipliers(context: Context) -> Evidence:
    """λ_2/λ_1 of (17) for three points: exact solution with free u and v."""
    instances = []
    for t in triples(context.random(), context.choose(16, 60)):
        multipliers = trained_with_free_line(t.kernel, t.x, t.y).multipliers
        if multipliers[0] != 0:
            instances.append(Instance(t.label, t.symbols, multipliers[1] / multipliers[0]))
    return Evidence(instances=tuple(instances))


def observe_closeness(context: Context) -> Evidence:
    """The solution of (16) minus that of (17), at a place; (u, v) from the spline's end tangents."""
    draw = context.random()
    instances, linear = [], True
    for i in range(context.choose(6, 20)):
        points = random_data(draw, 3 + i % 3)
        if i == 0:
            points = type(points)("three points", tuple(map(Fraction, (-1, 0, 1))), tuple(map(Fraction, (0, 1, 0))))
        for name, law in LAWS.items():
            kernel = slab_kernel(law)
            s = weighted_spline(points.x, points.y, weight_of(law))
            free, raw = trained_with_free_line(kernel, points.x, points.y), trained(kernel, points.x, points.y)
            line, one = (trained(kernel, points.x, values) for values in (points.x, [1] * len(points.x)))
            z = fraction(draw, -2, 2)
            u = sum(s.end_slopes) / 2
            v = (s.tangent_left(0) + s.tangent_right(0)) / 2
            linear = linear and (u, v) == (free.u, free.v)
            given: dict[str, Value] = {"u": u, "v": v, "e_u": line(z) - z, "e_v": one(z) - 1, "x": z}
            instances.append(Instance(f"{points.label}, {name}", given, raw(z) - free(z)))
    return Evidence(
        instances=tuple(instances), premises=(Premise("u and v of (17) are the means of the end tangents'", linear),)
    )


CLAIMS = (
    Claim(
        id="jin2021.equation_15",
        source=Source("jin2021", "Section 5.1, equation (15)"),
        title="The change of weights as a density",
        statement=(
            "With α_n = n ΔW the shortest change of the output weights (14) is the problem (15) over the empirical "
            "measure μ_n: minimise ∫α²dμ_n with ∫α[wx_j + b]_+dμ_n = y_j. The optimisers are n times each other."
        ),
        latex=r"\alpha_n(w_i,b_i)=n\,\Delta W_i",
        hypotheses=("f(·, θ₀) ≡ 0", "the constraints can be met"),
        formula="n*D",
        symbols={"D": "ΔW_i in the optimum of (14)", "n": "number of units"},
        controls=(
            Control("sqrt(n)*D", "the scale of the weights at the start"),
            Control("D", "no scale"),
            Control("n**2*D", "n twice, from measure and cost"),
            Control("D/n", "the scale inverted"),
        ),
        checks=(
            Check(
                "both problems solved apart",
                Kind.CERTIFICATE,
                observe_densities,
                "stationarity conditions of (14) in ΔW and of (15) in α, in fractions",
            ),
        ),
    ),
    Claim(
        id="jin2021.equation_16",
        source=Source("jin2021", "Section 5.2, equation (16)"),
        title="From weights and biases to weights and kinks",
        statement=(
            "In (W, C) with C = -B/W, where (16) is stated with γ(w, c) = α(w, -cw), the law has the density "
            "|w| p_{W,B}(w, -wc). A cell of area A around weights of mean w then has the probability p |w| A where "
            "p_{W,B} is constant."
        ),
        latex=r"p_{W,C}(w,c)=|w|\,p_{W,B}(w,-wc)",
        hypotheses=("(W, B) has a density", "P(W = 0) = 0"),
        formula="p*Abs(w)*A",
        symbols={
            "p": "density of (W, B) at (w, -wc)",
            "w": "the weight (its mean over the cell)",
            "c": "the kink (the middle of the cell)",
            "A": "area of the cell in (w, c)",
        },
        controls=(
            Control("p*A", "without the Jacobian"),
            Control("p*w*A", "without the modulus"),
            Control("p*A/Abs(w)", "the inverse Jacobian"),
            Control("p*w**2*A", "the square, as it enters ζ after E(W²|C)"),
            Control("p*Abs(c)*A", "the Jacobian in c"),
        ),
        checks=(
            Check("polygons of (W, B)", Kind.CERTIFICATE, observe_cells, "areas of exact polygons, both signs"),
            Check("the Jacobian", Kind.PROOF, derive_density, "determinant of (w, c) ↦ (w, -cw), both signs of w"),
        ),
    ),
    Claim(
        id="jin2021.second_derivative",
        source=Source("jin2021", "Section 5.2 (Appendix I)"),
        title="Curvature is the density of kinks",
        statement=(
            "g(x) = ∫γ(w, c)[w(x - c)]_+dν has g''(x) = p_C(x) E[γ(W, x)|W| | C = x]: a unit adds slope |w| at its kink, "
            "whichever side it is active on. Here for two values of W."
        ),
        latex=r"g''(x)=p_C(x)\int\gamma(w,x)\,|w|\,d\nu_{W|C=x}(w)",
        hypotheses=("x inside the range of kinks",),
        rests_on=("jin2021.equation_16",),
        formula="p_C*(r*g_1*Abs(w_1) + (1 - r)*g_2*Abs(w_2))",
        symbols={
            "p_C": "density of the kinks at x",
            "r": "probability of the first weight, given C = x",
            "w_1": "first weight",
            "w_2": "second weight",
            "g_1": "γ(w_1, x)",
            "g_2": "γ(w_2, x)",
        },
        controls=(
            Control("p_C*(r*g_1*w_1 + (1 - r)*g_2*w_2)", "w instead of |w|"),
            Control("r*g_1*Abs(w_1) + (1 - r)*g_2*Abs(w_2)", "the density of kinks left out"),
            Control("p_C*(r*g_1*w_1**2 + (1 - r)*g_2*w_2**2)", "the square, as in ζ"),
            Control("p_C*(g_1*Abs(w_1) + g_2*Abs(w_2))/2", "both weights equally likely"),
        ),
        checks=(
            Check(
                "second differences of g",
                Kind.CERTIFICATE,
                observe_second_derivative,
                "g integrated exactly; it is cubic near x, so that its second difference is g''",
            ),
        ),
    ),
    Claim(
        id="jin2021.equation_17",
        source=Source("jin2021", "Section 5.2, equations (17) and (18)"),
        title="With u and v free the multipliers see no line",
        statement=(
            "In (17) the line ux + v costs nothing. So the multipliers of the data satisfy Σλ_j = Σλ_jx_j = 0: for "
            "points at -h, 0, k they are to each other as the weights of a second divided difference."
        ),
        latex=r"\lambda_2/\lambda_1=-(h+k)/k",
        hypotheses=("three points not on a line",),
        formula="-(h + k)/k",
        symbols=TRIPLE_SYMBOLS,
        controls=(
            Control("-(h + k)/h", "distances exchanged"),
            Control("-2", "equal distances"),
            Control("-1", "only v free, two points"),
            Control("(y_2 - (y_1 + y_3)/2)/(y_1 - (y_2 + y_3)/2)", "in proportion to the values"),
        ),
        checks=(
            Check(
                "(17) solved exactly",
                Kind.CERTIFICATE,
                observe_multipliers,
                "the bordered system in fractions; kernels integrated over (W, B)",
            ),
        ),
    ),
    Claim(
        id="jin2021.equation_17_close",
        source=Source("jin2021", "Section 5.2, after (17)"),
        title="Small u and v: (17) is close to (16)",
        statement=(
            "The solution of (16) differs from that of (17) by u(k_x - x) + v(k_1 - 1), where k_x and k_1 are what the "
            "network learns from the data x_j and 1: linear in (u, v), whatever the data are otherwise."
        ),
        latex=r"g_{(16)}-g_{(17)}=u\,e_u+v\,e_v",
        hypotheses=("(W, B) and (-W, -B) have the same law", "width ∞"),
        rests_on=("jin2021.equation_17", "jin2021.adjustment_symmetric"),
        formula="u*e_u + v*e_v",
        symbols={
            "u": "mean of the end slopes of the spline of the data",
            "v": "mean of the intercepts of its end tangents",
            "e_u": "error at x of the network trained on x_j, against x",
            "e_v": "error at x of the network trained on 1, against 1",
        },
        controls=(
            Control("0", "no difference"),
            Control("u*e_v + v*e_u", "the two exchanged"),
            Control("-u*e_u - v*e_v", "the difference the other way round"),
            Control("v*e_v", "only the level matters"),
        ),
        checks=(
            Check(
                "both problems solved exactly",
                Kind.CERTIFICATE,
                observe_closeness,
                "(16) and (17) by kernels, u and v by the spline alone",
            ),
        ),
    ),
)
