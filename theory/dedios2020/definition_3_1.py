"""Definition 3.1: neurons at the bulk of the data."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.check import Check, Context, Kind
from implicitbias.claim import Claim, Control, Source
from implicitbias.evidence import Evidence, Instance, Premise, Step, Value

from .observed.neurons import Point


def _cases(context: Context) -> list[tuple[Point, list[Point]]]:
    """Neurons with hinges off and on the data, few and many active, repeated, collinear and generic data."""
    from .observed.neurons import dot, random_data, random_fraction

    draw = context.random()
    one, zero = Fraction(1), Fraction(0)
    unit: list[Point] = [(zero,), (one,)]
    line: list[Point] = [(Fraction(k), Fraction(k)) for k in range(4)]
    square: list[Point] = [(one, one), (one, -one), (-one, one), (-one, -one)]
    cases: list[tuple[Point, list[Point]]] = [
        ((one, zero), unit),
        ((zero, one), unit),
        ((one, one), unit),
        ((-one, -one), unit),
        ((zero, zero), unit),
        ((zero, zero, one), line),
        ((one, zero, one), [*line, (one, zero)]),
        ((one, zero, zero), square),
        ((one, zero, 2 * one), square),
        ((one, one, zero), square),
        ((one, zero), [(one,), (one,), (one,)]),
    ]
    for d, n in ((1, 3), (2, 4), (2, 6), (3, 5)):
        for k in range(context.choose(6, 40)):
            data = random_data(draw, n, d)
            a = tuple(random_fraction(draw) for _ in range(d))
            bias = random_fraction(draw) if k % 2 else -dot(a, data[0])
            cases.append(((*a, bias), data))
    return cases


def observe_fibres(context: Context) -> Evidence:
    """The largest set of parameters beside θ that share their outputs, with two of its members."""
    from .observed.fibres import largest_fibre, outputs, rank_of
    from .observed.neurons import dot, lifted

    draw = context.random()
    instances, exhibited = [], True
    for theta, data in _cases(context):
        found = largest_fibre(theta, data, draw)
        if found.dimension:
            one, other = found.twins or (theta, theta)
            exhibited = exhibited and one != other and outputs(one, data) == outputs(other, data)
        heights = [(dot(theta, lifted(x)), lifted(x)) for x in data]
        strict = [x for z, x in heights if z > 0]
        given: dict[str, Value] = {
            "d": len(theta) - 1,
            "r": rank_of(strict),
            "R": rank_of([x for z, x in heights if z >= 0]),
            "s": len(strict),
        }
        label = f"θ = ({', '.join(map(str, theta))}), n={len(data)}"
        instances.append(Instance(label, given, found.dimension))
    return Evidence(
        instances=tuple(instances),
        premises=(Premise("two parameters with equal outputs are shown wherever there is a fibre", exhibited),),
        steps=(
            Step("active rows stay active close to θ: with rank d + 1 they give θ back from the outputs, linearly"),
            Step(
                "straight down, θ - t·e_{d+1}, every datum on a hinge is switched off: the strictly active rows remain"
            ),
        ),
    )


BULK = Claim(
    id="dedios2020.definition_3_1",
    source=Source("dedios2020", "Definition 3.1"),
    title="Neurons at the bulk are those that see d + 1 independent data",
    statement=(
        "Close to (a, b) in R^{d+1} the parameters with the same outputs on the data form sets of dimension up to "
        "d + 1 - r, r the rank of the x̃_i = (x_i, 1) with aᵀx_i + b > 0, strictly. So a neuron is at the bulk, the "
        "map "
        "to its outputs is locally injective, if and only if r = d + 1; data on its hinge do not help: for x ∈ {0, 1}, "
        "(a, b) = (1, 0) and its neighbours (1 + t, -t) have the same outputs (0, 1)."
    ),
    latex=r"\max\dim\{	ext{parameters beside }(a,b)	ext{ with equal outputs}\}=d+1-\operatorname{rank}"
    r"\{\tilde x_i:a^\top x_i+b>0\}",
    formula="d + 1 - r",
    symbols={
        "d": "dimension of the inputs",
        "r": "rank of the strictly active x̃_i",
        "R": "rank of the x̃_i with aᵀx_i + b ≥ 0",
        "s": "number of strictly active data",
    },
    controls=(
        Control("d + 1 - R", "data on the hinge counted as active, as closed cells would"),
        Control("Max(0, d + 1 - s)", "the number of active data instead of their rank"),
        Control("d - r", "the bias fixed"),
    ),
    checks=(
        Check(
            name="Jacobians around the neuron",
            kind=Kind.CERTIFICATE,
            observe=observe_fibres,
            about="kernels of the outputs' derivative by exact difference quotients, and two parameters with the same "
            "outputs where there are any",
        ),
    ),
)

CLAIMS: tuple[Claim, ...] = (BULK,)
