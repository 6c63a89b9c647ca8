"""Footnote 2: what constants cost without an output bias, and what penalised or missing hidden biases would change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from implicitbias.check import Check, Context, Kind, Sweep
from implicitbias.claim import Claim, Control, Source
from implicitbias.evidence import Evidence, Identity, Instance, Premise, Value
from implicitbias.exact.rational import Interval

from .cost_programme import Polyline, representation
from .unit_rescaling import bracketed_minimum

CLOSE = Fraction(1, 100)
"""The acceptance rule of the experiment: a trained optimum within one per cent of the formula."""


def search_constant_units(context: Context) -> Evidence:
    """The cheapest k units with w₁ = 0, biases at most B, that add up to m: exhaustive search over a rational grid."""
    draw = context.random()
    cases = [
        (1, 1, 1),
        (1, 2, 1),
        (-3, 1, 1),
        (0, 5, 2),
        (1, 1, 2),
        (2, 3, 2),
        (-5, 2, 2),
        (1, 1, 3),
        (-1, 10, 3),
        (7, 4, 3),
    ]
    instances = []
    for m, B, k in cases:
        step = Fraction(m, 6 * B) if m else Fraction(1, 6)
        costs = []
        for tried in product(*[[Fraction(B), Fraction(B, 2), Fraction(B, 5)]] * k):
            for free in product(*[[step * j for j in range(-1, 8)]] * (k - 1)):
                last = (m - sum((v * b for v, b in zip(free, tried, strict=False)), Fraction(0))) / tried[-1]
                costs.append(sum((v * v for v in free), last * last) / 2)
        given = {"m": m, "B": B, "k": k}
        instances.append(Instance(f"constant {m}, {k} units, biases at most {B}", given, min(costs)))
    for _ in range(30):
        m, B, k = draw.randint(-9, 9), draw.randint(1, 9), draw.randint(1, 12)
        biases = [Fraction(draw.randint(1, 10 * B), 10) for _ in range(k)]
        outputs = [Fraction(draw.randint(-20, 20), 7) for _ in range(k - 1)]
        outputs.append((m - sum((v * b for v, b in zip(outputs, biases, strict=False)), Fraction(0))) / biases[-1])
        cost = sum((v * v for v in outputs), Fraction(0)) / 2
        instances.append(Instance(f"{k} random units that add up to {m}", {"m": m, "B": B, "k": k}, cost, ">="))
    return Evidence(instances=tuple(instances))


def derive_constant_units(context: Context) -> Evidence:
    """Equal units at the largest bias; every other choice costs more by a sum of squares."""
    import sympy

    from implicitbias.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    m, B, k = symbol("m"), symbol("B", "positive"), symbol("k", "positive integer")
    v1, v2 = symbol("v1"), symbol("v2")
    d = Derivation()
    d.step("k units vᵢ[0·x+bᵢ]₊ with 0 < bᵢ <= B are the constant m", "Σ vᵢbᵢ = m, C = ½Σvᵢ²")
    d.step("growing a bias to B shrinks its vᵢ, so bᵢ = B and Σvᵢ = m/B")
    v3 = m / B - v1 - v2
    mean = m / (3 * B)
    squares = v1**2 + v2**2 + v3**2
    spread = (v1 - mean) ** 2 + (v2 - mean) ** 2 + (v3 - mean) ** 2
    d.identity("three units: C less that of equal vᵢ is half a sum of squares", squares - 3 * mean**2, spread)
    d.step("in general with mean μ = m/(kB), since Σ(vᵢ−μ) = 0", "½Σvᵢ² − ½kμ² = ½Σ(vᵢ−μ)² >= 0")
    cost = k * (m / (k * B)) ** 2 / 2
    identity = Identity(
        "k equal units",
        {"m": "real", "B": "positive", "k": "positive integer"},
        {"m": "m", "B": "B", "k": "k"},
        from_sympy(sympy.simplify(cost)),
    )
    return Evidence(identities=(identity,), steps=d.steps)


def constants_by_programme(context: Context) -> Evidence:
    """The constant m from units of norm 1 with kinks on a grid of span D, without output bias: exact optimum."""
    draw = context.random()
    grids: list[Sequence[int]] = [
        (0, 1),
        (0, 2),
        (-1, 1),
        (-5, 0, 5),
        (3, 4, 7),
        (-10, -9, 0, 1),
        (0, 100),
        (-3, -2, -1, 0, 5),
    ]
    grids += [sorted(draw.sample(range(-20, 21), draw.randint(2, 5))) for _ in range(8)]
    instances = []
    for i, grid in enumerate(grids):
        for m in (1, -1) if i < 4 else (0, draw.randint(1, 9), Fraction(-draw.randint(1, 9), 7)):
            least, units = representation(Polyline.of({}, offset=m), grid, output_bias=False)
            given = {"m": m, "D": grid[-1] - grid[0], "kinks": tuple(grid), "units": tuple(units)}
            instances.append(Instance(f"constant {m}, kinks allowed at {tuple(grid)}", given, least))
    return Evidence(instances=tuple(instances))


def derive_constants(context: Context) -> Evidence:
    """Zero curvature makes the units at each kink cancel; the mean of the kinks does the rest."""
    import sympy

    from implicitbias.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    x, m = symbol("x"), symbol("m")
    D, u = symbol("D", "positive"), symbol("u")
    d = Derivation()
    d.step("f″ = 0, so at each kink t the two units of norm 1 have weights u_t and −u_t, at cost 2|u_t|")
    d.identity("together they are affine", u * sympy.Max(x, 0) - u * sympy.Max(-x, 0), u * x)
    d.step("f′ = 0 and f = m", "Σu_t = 0, −Σu_t t = m")
    d.step(
        "lower bound: measure t from the middle of the kinks", "|m| = |Σu_t(t−mid)| <= ½D·Σ|u_t|, C = 2Σ|u_t| >= 4|m|/D"
    )
    weight = m / D
    f = weight * (sympy.Max(x + D, 0) - sympy.Max(-x - D, 0) - sympy.Max(x, 0) + sympy.Max(-x, 0))
    d.identity("attained by four units with kinks −D and 0", f, m)
    identity = Identity(
        "four units of weight |m|/D",
        {"m": "real", "D": "positive"},
        {"m": "m", "D": "D"},
        from_sympy(4 * sympy.Abs(weight)),
    )
    return Evidence(identities=(identity,), steps=d.steps)


KINKS: tuple[int | Fraction, ...] = (
    0,
    1,
    -1,
    Fraction(3, 4),
    Fraction(-4, 3),
    Fraction(5, 12),
    Fraction(1, 10),
    -7,
    20,
    Fraction(-12, 5),
)


def bracket_penalised_biases(context: Context) -> Evidence:
    """The least ½(v²+w²+β²) over all units with kink at t and slope jump κ, enclosed: β = −wt, |v| = |κ|/|w|."""
    draw = context.random()
    jumps: list[int | Fraction] = [1, -1, 2, Fraction(-3, 7), 0]
    jumps += [Fraction(draw.randint(-40, 40), draw.randint(1, 9)) for _ in range(5)]
    instances = []
    for i, t in enumerate(KINKS):
        for kappa in (jumps[i], jumps[(i + 3) % len(jumps)]):
            least: Fraction | Interval = Fraction(0)
            if kappa:

                def cost(square: Fraction, t: Fraction | int = t, kappa: Fraction | int = kappa) -> Fraction:
                    return (Fraction(kappa) ** 2 / square + square + square * Fraction(t) ** 2) / 2

                found = bracketed_minimum(cost)
                assert found is not None
                least = found.value
            instances.append(Instance(f"slope jump {kappa} at {t}", {"kappa": kappa, "t": t}, least))
    return Evidence(instances=tuple(instances))


def derive_penalised_biases(context: Context) -> Evidence:
    """Stationary input weight, and the rest of the cost as a square."""
    import sympy

    from implicitbias.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    kappa, t, square = symbol("kappa"), symbol("t"), symbol("square", "positive")
    cost = (kappa**2 / square + square + square * t**2) / 2
    d = Derivation()
    d.step("unit v[wx+β]₊ with kink t and slope jump κ: β = −wt, |v| = |κ|/|w|", f"C + ½β² = {cost}, square = w²")
    stationary = sympy.Abs(kappa) / sympy.sqrt(1 + t**2)
    least = sympy.simplify(cost.subs(square, stationary))
    d.step("stationary at w² = |κ|/√(1+t²)", f"C + ½β² = {least}")
    gap = (sympy.Abs(kappa) - square * sympy.sqrt(1 + t**2)) ** 2 / (2 * square)
    d.identity(
        "any other w costs more by a square over a positive number", cost - sympy.Abs(kappa) * sympy.sqrt(1 + t**2), gap
    )
    identity = Identity(
        "least cost of the unit", {"kappa": "real", "t": "real"}, {"kappa": "kappa", "t": "t"}, from_sympy(least)
    )
    return Evidence(identities=(identity,), steps=d.steps)


PENALTY = 1e-3


def penalised_runs(context: Context) -> list[Mapping[str, Any]]:
    """Data (t−1,0), (t,0), (t+1,κ), of which κ[x−t]₊ is the cheapest interpolant also when biases are penalised."""
    cases = [(0, 1, 1), (3, 4, -2), (-3, 4, 1)]
    seeds = context.choose(4, 20)
    return [
        {"numerator": p, "denominator": q, "kappa": kappa, "seed": (context.seed + 1000 * i) % 2**31, "case": case}
        for case, (p, q, kappa) in enumerate(cases)
        for i in range(seeds)
    ]


def penalised_run(parameters: Mapping[str, Any], device: str) -> Mapping[str, Any]:
    from .train_small import train

    t = parameters["numerator"] / parameters["denominator"]
    x, y = [t - 1, t, t + 1], [0.0, 0.0, float(parameters["kappa"])]
    run = train(x, y, units=40, penalty=PENALTY, seed=parameters["seed"], penalise_biases=True)
    return {**parameters, "value": run.objective / PENALTY, "cost": run.cost}


def train_with_penalised_biases(context: Context) -> Evidence:
    """The best objective over the seeds of each data set, in units of the penalty, with the rule's margin."""
    instances, agree = [], True
    for case in sorted({run["case"] for run in context.outputs}):
        runs = [run for run in context.outputs if run["case"] == case]
        t, kappa = Fraction(runs[0]["numerator"], runs[0]["denominator"]), runs[0]["kappa"]
        best = Fraction(min(run["value"] for run in runs))
        agree = agree and sum(run["value"] <= best * (1 + 5 * CLOSE) for run in runs) * 2 >= len(runs)
        observed = Interval(best * (1 - CLOSE), best * (1 + CLOSE))
        label = f"trained on (t−1,0), (t,0), (t+1,κ) with t={t}, κ={kappa}; {len(runs)} seeds"
        instances.append(Instance(label, {"kappa": kappa, "t": t}, observed))
    measured = {f"best objective over penalty, {i.label}": _middle(i.observed) for i in instances}
    trained = Premise("on each data set half of the runs end within 5% of the best: training converges", agree)
    return Evidence(instances=tuple(instances), premises=(trained,), measured=measured)


def _middle(observed: object) -> float:
    assert isinstance(observed, Interval)
    return float((observed.lower + observed.upper) / 2)


def networks_without_hidden_biases(context: Context) -> Evidence:
    """Random networks Σvᵢ[wᵢx]₊ + c, evaluated at three inputs on the same side of 0."""
    draw = context.random()
    instances = []
    for i in range(24):
        k = draw.randint(0, 5)
        units = [(draw.randint(-4, 4), draw.randint(-3, 3)) for _ in range(k)]
        c = draw.randint(-3, 3)
        side = 1 if i % 2 else -1
        inputs = [Fraction(side * n, draw.randint(1, 3)) for n in (0 if i % 3 else 1, 4, draw.randint(13, 30))]
        if i % 4 == 0:
            inputs = [inputs[1], inputs[2], inputs[0]]
        x1, x2, x3 = inputs
        y1, y2, y3 = (sum((v * max(w * x, Fraction(0)) for v, w in units), Fraction(c)) for x in inputs)
        given: dict[str, Value] = {"x1": x1, "y1": y1, "x2": x2, "y2": y2, "x3": x3, "units": tuple(units), "c": c}
        instances.append(Instance(f"{k} units without bias, output bias {c}", given, y3))
    return Evidence(
        instances=tuple(instances),
        premises=(Premise("the two given inputs differ", all(i.given["x1"] != i.given["x2"] for i in instances)),),
    )


def derive_without_hidden_biases(context: Context) -> Evidence:
    """On x >= 0 such a network is c + px, on x <= 0 it is c + qx: two values on a side decide it there."""
    import sympy

    from implicitbias.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    v, c, p = (symbol(name) for name in "vcp")
    x, size = symbol("x", "nonnegative"), symbol("size", "nonnegative")
    x1, x3, h = symbol("x1"), symbol("x3"), symbol("h", "positive")
    d = Derivation()
    d.identity("a unit with w >= 0 is linear on x >= 0", v * sympy.Max(size * x, 0), v * size * x)
    d.identity("and one with w <= 0 is zero there", v * sympy.Max(-size * x, 0), sympy.Integer(0))
    d.step("so h(x) = c + px on x >= 0, and by reflection c + qx on x <= 0")
    y1, y2 = c + p * x1, c + p * (x1 + h)
    d.step("two values on the same side give p and c", "p = (y2 − y1)/(x2 − x1)")
    identity = Identity(
        "the value at a third input on that side",
        {"c": "real", "p": "real", "x1": "real", "h": "positive", "x3": "real"},
        {
            "x1": "x1",
            "y1": from_sympy(y1),
            "x2": "x1 + h",
            "y2": from_sympy(y2),
            "x3": "x3",
        },
        from_sympy(c + p * x3),
    )
    return Evidence(identities=(identity,), steps=d.steps)


CLAIMS = (
    Claim(
        id="savarese2019.footnote_2_constant_units",
        source=Source("savarese2019", "footnote 2"),
        title="A constant from units without input weights",
        statement="Without an output bias, k units with w₁ = 0 and biases at most B make the constant m at a least "
        "cost of "
        "m²/(2kB²). It tends to 0 as the biases grow, and also, with bounded biases, as the number of units grows.",
        latex=r"\min\{\tfrac12\sum v_i^2:\ \sum v_ib_i=m,\ 0\le b_i\le B\}=\frac{m^2}{2kB^2}",
        hypotheses=("B > 0", "k >= 1 units, each with w₁ = 0"),
        formula="m**2/(2*k*B**2)",
        symbols={"m": "the constant", "B": "the largest bias allowed", "k": "the number of units"},
        controls=(
            Control("m**2/(2*B**2)", "more units do not help"),
            Control("m**2/(k*B**2)", "without the half"),
            Control("m**2/(2*k*B)", "linear in the bias"),
            Control("Abs(m)/(k*B)", "cost as in (5), by modulus"),
        ),
        checks=(
            Check(
                "exhaustive over a grid of weights",
                Kind.CERTIFICATE,
                search_constant_units,
                "all choices on a rational grid for k <= 3, and 30 random networks that must not be cheaper",
            ),
            Check("equal shares", Kind.PROOF, derive_constant_units, "the rest of the cost as a sum of squares"),
        ),
    ),
    Claim(
        id="savarese2019.footnote_2_constant",
        source=Source("savarese2019", "footnote 2"),
        title="A constant from units of norm one",
        statement="With unit rows as in (5), without an output bias, and with all kinks in an interval of length D, "
        "the constant "
        "m costs exactly 4|m|/D at least. So an output bias is worth nothing in the infimum: it tends to 0 as D "
        "grows. But "
        "for m ≠ 0 the infimum is not attained, since a network of cost 0 is the zero function.",
        latex=r"\tfrac{m}{D}\big([x+D]_+-[-x-D]_+-[x]_++[-x]_+\big)=m",
        hypotheses=("D > 0", "rows of norm 1, one input"),
        rests_on=("savarese2019.equation_5",),
        formula="4*Abs(m)/D",
        symbols={"m": "the constant", "D": "the distance of the outermost kinks"},
        controls=(
            Control("2*Abs(m)/D", "two units would do"),
            Control("Abs(m)/D", "one pair of units counted once"),
            Control("4*Abs(m)/D**2", "falls with the square of the distance"),
            Control("4*m/D", "negative constants are free"),
        ),
        checks=(
            Check(
                "exact linear programmes",
                Kind.CERTIFICATE,
                constants_by_programme,
                "primal and dual optimum in rationals on 16 grids of kinks, symmetric about 0 and not",
            ),
            Check(
                "cancelling units", Kind.PROOF, derive_constants, "lower bound by the span, four units that attain it"
            ),
        ),
    ),
    Claim(
        id="savarese2019.footnote_2_regularised_biases",
        source=Source("savarese2019", "footnote 2"),
        title="Penalised hidden biases charge kinks by their place",
        statement="If the hidden biases were penalised like weights, a slope jump κ at t would cost |κ|√(1+t²) "
        "instead of |κ|: "
        "kinks near the origin become cheaper and R(f) is no longer invariant under translation of the input.",
        latex=r"\min\tfrac12(v^2+w^2+\beta^2)=|\kappa|\sqrt{1+t^2}",
        hypotheses=("one input", "the unit v[wx+β]₊ has its kink at t = −β/w and |vw| = |κ|"),
        rests_on=("savarese2019.lemma_1",),
        formula="Abs(kappa)*sqrt(1 + t**2)",
        symbols={"kappa": "the jump of the slope at the kink", "t": "the place of the kink"},
        controls=(
            Control("Abs(kappa)", "biases do not matter"),
            Control("Abs(kappa)*(1 + Abs(t))", "weight and bias charged one by one"),
            Control("Abs(kappa)*(1 + t**2)", "the norm of the row not under a root"),
            Control("Abs(kappa)*Max(1, Abs(t))", "the larger of weight and bias"),
        ),
        checks=(
            Check(
                "bracketed over all scales", Kind.CERTIFICATE, bracket_penalised_biases, "20 units, minimum enclosed"
            ),
            Check(
                "stationary input weight", Kind.PROOF, derive_penalised_biases, "and the rest of the cost as a square"
            ),
            Check(
                "trained networks with penalised biases",
                Kind.EXPERIMENT,
                train_with_penalised_biases,
                "40 units trained on single-kink data, all parameters and biases penalised, λ = 0.001",
                acceptance="Before the run: the least (loss + λ(C+½‖b‖²))/λ over the seeds of a data set is within "
                "1% of "
                "the formula, in every data set; the nearest control is 20% off.",
                sweep=Sweep(penalised_runs, penalised_run),
            ),
        ),
    ),
    Claim(
        id="savarese2019.footnote_2_no_hidden_biases",
        source=Source("savarese2019", "footnote 2"),
        title="Without hidden biases a network is two rays",
        statement="Without hidden biases a network of one input is affine on x >= 0 and on x <= 0, whatever its "
        "width: two "
        "values on one side decide all values on that side, so it fits no three points there that are not collinear.",
        latex=r"h(x_3)=y_1+(y_2-y_1)\frac{x_3-x_1}{x_2-x_1}",
        hypotheses=("x1 ≠ x2, and x1, x2, x3 on the same side of 0 (0 itself included)", "an output bias is allowed"),
        formula="y1 + (y2 - y1)*(x3 - x1)/(x2 - x1)",
        symbols={
            "x1": "first input",
            "y1": "h at the first input",
            "x2": "second input",
            "y2": "h at the second input",
            "x3": "third input, on the same side of 0",
        },
        controls=(
            Control("y2*x3/x2", "homogeneous, the output bias forgotten"),
            Control("y2 + (y2 - y1)*(x3 - x1)/(x2 - x1)", "from the wrong end"),
            Control("(y1 + y2)/2", "free to bend between them"),
        ),
        checks=(
            Check(
                "random networks without biases",
                Kind.CERTIFICATE,
                networks_without_hidden_biases,
                "24 networks of 0 to 5 units at three rational inputs on one side",
            ),
            Check("two rays", Kind.PROOF, derive_without_hidden_biases, "linear on each half-line"),
        ),
    ),
)
