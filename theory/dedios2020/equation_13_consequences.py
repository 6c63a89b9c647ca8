"""What the factor of the activity pattern in (13) does: a jump at walls, and networks that memorise."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from implicitbias.claims import (
    Context,
    Derivation,
    Interval,
    Observation,
    Step,
    Value,
    certificate,
    claim,
    proof,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.formula import Assumption
from implicitbias.exact.vectors import dot
from implicitbias.theorems.rules.extrema.extremum import Minimum

from ..observed.units.memorising import memorising_two
from ..observed.units.neurons import (
    Neuron,
    Point,
    lifted,
    mean_active_length,
    mean_square_output,
    random_data,
    random_fraction,
    random_neuron,
)
from ..observed.units.rescaling import least_potential


def _squared_limit(neuron: Neuron, data: Sequence[Point], step: Fraction) -> Interval:
    """lim of V_b² as b + t → b from the side of `step`: V_b² is a quadratic in t there, known from three values."""
    squares = []
    for k in (1, 2, 3):
        moved = Neuron((*neuron.theta[:-1], neuron.theta[-1] + k * step), neuron.c)
        found = least_potential(moved, data).value
        squares.append((max(found.lower, Fraction(0)) ** 2, found.upper**2))
    (l1, u1), (l2, u2), (l3, u3) = squares
    return Interval(3 * l1 - 3 * u2 + l3, 3 * u1 - 3 * l2 + u3)


@certificate("limits from both sides")
def jump(context: Context) -> Observation:
    """The limits of V_b² on both sides of a wall, extrapolated exactly from bracketed minima."""
    draw = context.random()
    one, two = Fraction(1), Fraction(2)
    cases: list[tuple[Neuron, list[Point]]] = [
        (Neuron((-one / 2, one), one), [(two,), (-two,)]),
        (Neuron((one, Fraction(0)), one), [(Fraction(0),), (one,)]),
        (Neuron((one, -one), two), [(Fraction(0),), (one,)]),
    ]
    # the hinge at w, with data beyond it and data that are not seen; steep and flat, c large and small
    sizes = [Fraction(*pair) for pair in ((5, 1), (9, 1), (1, 7), (3, 1), (2, 3), (4, 1), (-1, 40), (1, 2))]
    for k, c in enumerate(sizes):
        w = (Fraction(0), Fraction(1, 8), Fraction(9), Fraction(-2, 3))[k % 4]
        # with c large, inputs are small, and c exceeds all averages
        far = draw.randint(2, 40) if abs(c) < 1 else Fraction(draw.randint(2, 7), 6)
        beyond = [(w + far * Fraction(j + 1, 2),) for j in range(1 + k % 3)]
        unseen = [(w - Fraction(draw.randint(1, 9), 7),) for _ in range((0, 5, 1)[k % 3])]
        slope = draw.choice((Fraction(1, 6), Fraction(1), Fraction(7)))
        cases.append((Neuron((slope, -slope * w), c), [(w,), *beyond, *unseen]))
    for d in (1, 2):
        for _ in range(context.choose(3, 30)):
            data = random_data(draw, 4, d)
            a = tuple(random_fraction(draw) for _ in range(d))
            if any(a):
                cases.append((Neuron((*a, -dot(a, data[0])), random_fraction(draw) or one), data))
    for neuron, data in cases:
        heights = [abs(neuron.before(x)) for x in data if neuron.before(x)]
        step = min(heights, default=one) / 8
        up, down = _squared_limit(neuron, data, step), _squared_limit(neuron, data, -step)
        walls = sum(dot(neuron.theta, lifted(x)) == 0 for x in data)
        label = f"n={len(data)}, d={len(data[0])}, {walls} datum on the wall"
        yield seen(
            Interval(up.lower - down.upper, up.upper - down.lower),
            label,
            A=mean_square_output(neuron.theta, data),
            B=mean_active_length(neuron.theta, data),
            C=mean_active_length(neuron.theta, data, walls=True),
            c=neuron.c,
        )
    yield Step("three values on each side of the wall, each the bracketed minimum over λ of (12)")


JUMP = claim(
    "dedios2020.equation_13_wall",
    "next to (13) and Proposition 3.3",
    "The true weight jumps where a hinge meets a datum",
    """As b crosses a wall of the data from its inactive to its active side, V_b² jumps by 4c²A(C - B), B = E_D[(1 +
    |x|²)·1{aᵀx + b > 0}] and C the same with ≥. A convex function on all of parameter space is continuous: so the true
    weight 2√(AB) is not convex if some neuron is active at one datum and has another on its hinge. Proposition 3.3 is
    about the printed weight √A.""",
    latex=r"\lim_{t\downarrow0}V_b^2(a,b+t,c)-\lim_{t\uparrow0}V_b^2(a,b+t,c)=4c^2A\,(C-B)",
    hypotheses=("c ≠ 0",),
    domain=("B < C", "B >= 0", "sign(A) <= sign(B)", "sign(B) <= sign(A)"),
    formula="4*c**2*A*(C - B)",
    symbols={
        "A": "E_D[(aᵀx + b)_+²] on the wall",
        "B": "E_D[(1 + |x|²)·1{aᵀx + b > 0}]",
        "C": "E_D[(1 + |x|²)·1{aᵀx + b ≥ 0}]",
        "c": "output weight",
    },
    controls={
        "0": "continuous, as the printed weight √A is",
        "c**2*A*(C - B)": "the factor 2 of the weight omitted",
        "4*c**2*A*C": "the inactive side costs nothing",
    },
    checks=(jump,),
    part_of="dedios2020.equation_13",
    rests_on=("dedios2020.equation_13",),
    own=True,
)


def _least_cost(neurons: Sequence[Neuron], data: Sequence[Point]) -> Interval:
    """Σ V_b of the neurons, enclosed."""
    found = [least_potential(neuron, data).value for neuron in neurons]
    return Interval(sum((v.lower for v in found), Fraction(0)), sum((v.upper for v in found), Fraction(0)))


def _circle(m: int, radius: Fraction) -> tuple[list[Point], list[Point]]:
    """m points of a circle around 0, and for each a direction in which it lies farther out than all others."""
    slopes = [Fraction(k * (-1) ** k, 3) for k in range(m)]
    points: list[Point] = [(radius * (1 - t * t) / (1 + t * t), radius * 2 * t / (1 + t * t)) for t in slopes]
    return points, points


def _parabola(slopes: Sequence[Fraction]) -> tuple[list[Point], list[Point]]:
    """(t, t²), and for each a direction in which it lies farther out than all others."""
    return [(t, t * t) for t in slopes], [(2 * t, Fraction(-1)) for t in slopes]


def _memorising(data: Sequence[Point], directions: Sequence[Point], y: Sequence[Fraction]) -> list[Neuron]:
    """One neuron for each datum with a label that is not 0, along its direction, active there alone."""
    found = []
    for i, (x, a, value) in enumerate(zip(data, directions, y, strict=True)):
        height = dot(a, x)
        nearest = max((dot(a, other) for j, other in enumerate(data) if j != i), default=height - 2)
        found.append(Neuron((*a, -(height + nearest) / 2), 2 * value / (height - nearest)))
    return [neuron for neuron in found if neuron.c]


def _mean_weighted(data: Sequence[Point], values: Sequence[Fraction]) -> Value:
    """E_D[|x̃||f|]."""
    from implicitbias.exact.enclosure import enclose

    parts = [f"sqrt({dot(lifted(x), lifted(x))})*{abs(v)}" for x, v in zip(data, values, strict=True) if v] or ["0"]
    return enclose(f"({' + '.join(parts)})/{len(data)}")


def _root_mean_square(values: Sequence[Fraction]) -> Value:
    from implicitbias.exact.enclosure import enclose

    return enclose(f"sqrt({sum((v * v for v in values), Fraction(0)) / len(values)})")


@certificate("memorising and random networks")
def bound(context: Context) -> Observation:
    """Costs of random networks (at least the bound) and of networks that memorise (the bound), bracketed."""
    draw = context.random()
    places = [_circle(m, Fraction(1)) for m in (1, 2, 3, 6)]
    places += [_circle(6, Fraction(8)), *(_circle(40, Fraction(1, 10)) for _ in range(2))]
    places += [_parabola([random_fraction(draw, 1) + 5 * i for i in range(m)]) for m in (1, 2, 4)]
    sizes = [Fraction(*pair) for pair in ((1, 30), (2, 1), (90, 1), (1, 7), (5, 1), (90, 1), (15, 1))]
    sizes += [Fraction(1, 30), Fraction(3), Fraction(1)]
    for size, (data, directions) in zip(sizes, places, strict=True):
        signed = [size * random_fraction(draw) for _ in data]
        alone = [size * (i == 0) for i in range(len(data))]
        # many data only with one label, which makes G much larger than D
        for y in (signed, alone) if len(data) < 7 else (alone,):
            neurons = _memorising(data, directions, y)
            values = [sum((neuron(x) for neuron in neurons), Fraction(0)) for x in data]
            if values != y:
                raise ArithmeticError("the memorising network does not memorise")
            label = f"{len(neurons)} neurons memorise {len(data)} points in convex position"
            yield seen(_least_cost(neurons, data), label, D=_mean_weighted(data, y), G=_root_mean_square(y))
    for d, n, m in ((1, 2, 1), (1, 3, 2), (2, 4, 3), (3, 3, 4)):
        for _ in range(context.choose(2, 20)):
            data = random_data(draw, n, d)
            neurons = [random_neuron(draw, data) for _ in range(m)]
            values = [sum((neuron(x) for neuron in neurons), Fraction(0)) for x in data]
            label = f"{m} neurons at random, n={n}, d={d}"
            means = {"D": _mean_weighted(data, values), "G": _root_mean_square(values)}
            yield seen(_least_cost(neurons, data), label, relation=">=", **means)


@theorem("one label of n")
def one_label() -> Observation:
    """A neuron that sees one of n data, with the output ch there, minimised over its scales."""
    yield shows(
        Minimum(
            "label_noise_potential(l**2*h**2/n, (1 + X)/n, c/l)",
            {"l": "positive"},
            {"l": "sqrt(c*sqrt(1 + X)/h)"},
            ("(l*h - c*sqrt(1 + X)/l)**2/n",),
        ),
        for_all={**dict.fromkeys(("c", "h", "n"), "positive"), "X": "nonnegative"},
        D="sqrt(1 + X)*c*h/n",
        G="c*h/sqrt(n)",
    )


BOUND = claim(
    "dedios2020.equation_13_memorising",
    "next to (13)",
    "The true regulariser is bounded by a weighted mean of the outputs",
    """Every network Σ φ_j satisfies Σ_j V_b(θ_j) ≥ 2·E_D[|x̃||f(x)|], |x̃|² = 1 + |x|², by Cauchy and Schwarz on each
    neuron; networks with one neuron for each datum attain it.""",
    latex=r"\sum_jV_b(\theta_j)\ge2\,\mathbb E_{\mathcal D}\big[|\tilde x|\,|f(x)|\big]",
    hypotheses=("no hinge on a datum",),
    domain=("D >= 0", "G >= 0", "sign(D) <= sign(G)", "sign(G) <= sign(D)"),
    formula="2*D",
    symbols={"D": "E_D[|x̃||f(x)|]", "G": "√E_D[f(x)²]"},
    controls={
        "G": "the bound of the printed weight √A for outputs of one sign",
        "D": "a bound that is never attained",
        "2*Max(D, G)": "both bounds at once",
        "Max(2*D, G)": "the printed bound where it is larger",
    },
    checks=(one_label, bound),
    part_of="dedios2020.equation_13",
    rests_on=("dedios2020.equation_13",),
    own=True,
)


def _interpolants(draw_parts: tuple[Fraction, ...], x: Fraction, z: Fraction, y: Fraction, w: Fraction) -> list[Neuron]:
    """Neurons through (x, y), (z, w), x < z: some active at both, and two that mend the rest."""
    middle = (x + z) / 2
    both = [Neuron((slope, 1 - slope * middle), c) for slope, c in zip(draw_parts[::2], draw_parts[1::2], strict=True)]
    both = [neuron for neuron in both if neuron.before((x,)) > 0 and neuron.before((z,)) > 0]
    left = y - sum((neuron((x,)) for neuron in both), Fraction(0))
    right = w - sum((neuron((z,)) for neuron in both), Fraction(0))
    gap = z - middle
    mend = [Neuron((Fraction(-1), middle), left / gap), Neuron((Fraction(1), -middle), right / gap)]
    return [neuron for neuron in (*both, *mend) if neuron.c]


@certificate("interpolants compared")
def interpolants(context: Context) -> Observation:
    """Costs of interpolants of two data: the memorising one, single neurons, and random ones, bracketed."""
    draw = context.random()
    two, fifth = Fraction(2), Fraction(1, 5)
    cases = [(-two, two, Fraction(1), fifth), (Fraction(0), Fraction(1), Fraction(1), Fraction(1))]
    cases += [(Fraction(0), Fraction(1), Fraction(1), Fraction(0)), (-two, Fraction(1), Fraction(-1), Fraction(3))]
    for _ in range(context.choose(5, 40)):
        x, z = sorted((random_fraction(draw), random_fraction(draw)))
        if x < z:
            cases.append((x, z, random_fraction(draw), random_fraction(draw)))
    for x, z, y, w in cases:
        data: list[Point] = [(x,), (z,)]
        given: dict[str, Value] = {"x": x, "z": z, "y": y, "w": w}
        label = f"({x}, {y}), ({z}, {w})"
        yield seen(_least_cost(_interpolants((), x, z, y, w), data), f"{label}: one neuron each", **given)
        if y * w > 0:
            slope = (w - y) / (z - x)
            sign = Fraction(1) if y > 0 else Fraction(-1)
            single = [Neuron((sign * slope, sign * (y - slope * x)), sign)]
            yield seen(_least_cost(single, data), f"{label}: one neuron", relation=">=", **given)
        parts = tuple(random_fraction(draw, 1) for _ in range(6))
        several = _least_cost(_interpolants(parts, x, z, y, w), data)
        yield seen(several, f"{label}: several", relation=">=", **given)


@proof("one neuron for each datum")
def memorising_network(d: Derivation) -> None:
    """The cost of the memorising network, minimised over λ; for a neuron that sees both data, Cauchy and Schwarz."""
    x, g = d.symbols("x", g="positive")
    total = memorising_two(d, (x, x + g))
    domain: dict[str, Assumption] = {"x": "real", **dict.fromkeys(("g", "k", "h"), "positive")}
    for y in ("k", "-k"):
        for w in ("h", "-h"):
            d.concludes(total, f"labels {y}, {w}", over=domain, x="x", z="x + g", y=y, w=w)


TWO_DATA = claim(
    "dedios2020.equation_13_two_data",
    "next to (13)",
    "Two data: label noise memorises",
    """Over all networks through (x, y) and (z, w), x ≠ z real, the least Σ V_b is √(1+x²)|y| + √(1+z²)|w|, attained by
    one neuron for each datum. The printed weight √A prefers one neuron for both where the labels have one sign, at
    √((y²+w²)/2). For x = ±2, labels 1 and 1/5: 2.683 for two neurons, 3.225 for the affine one, which the printed
    weight prefers at 0.721.""",
    latex=r"\min_{f(x)=y,\,f(z)=w}\sum_jV_b(\theta_j)=\sqrt{1+x^2}\,|y|+\sqrt{1+z^2}\,|w|",
    hypotheses=("n = 2, d = 1, x ≠ z",),
    formula="sqrt(1 + x**2)*Abs(y) + sqrt(1 + z**2)*Abs(w)",
    symbols={"x": "first input", "z": "second input", "y": "first label", "w": "second label"},
    controls={
        "sqrt((y**2 + w**2)/2)": "the value of the printed weight for labels of one sign",
        "sqrt((y**2 + w**2)*(2 + x**2 + z**2))": "one neuron that sees both data",
        "Abs(y) + Abs(w)": "inputs have no effect",
    },
    checks=(memorising_network, interpolants),
    part_of="dedios2020.equation_13",
    rests_on=("dedios2020.equation_13",),
    own=True,
)
