"""Section 4, first page: what the label-noise weight sees, and what that does to its minimisers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from implicitbias.claims import (
    Claim,
    Context,
    Flaw,
    Interval,
    Observation,
    Premise,
    Rule,
    Step,
    Value,
    certificate,
    claim,
    rule,
    seen,
)

from ..observed.measures.chords import mixed, non_negative_multiples, root_chord, vector
from ..observed.units.fibres import kernel_vector
from ..observed.units.neurons import (
    Neuron,
    Point,
    lifted,
    mean_active_length,
    mean_square_output,
    random_data,
    random_fraction,
)
from . import errata


@certificate("chords of the weight")
def chords(context: Context) -> Observation:
    """Whether (14) holds with equality for w_b, exactly, for dead, unseen, proportional and random parameters."""
    draw = context.random()
    one, zero, half = Fraction(1), Fraction(0), Fraction(1, 2)
    unit: list[Point] = [(zero,), (one,)]
    cases: list[tuple[Point, Point, Fraction, list[Point]]] = [
        ((zero, -one), (-one, zero), half, unit),
        ((one, zero), (2 * one, -one), half, unit),
        ((one, zero), (2 * one, zero), half, unit),
        ((one, zero), (zero, one), half, unit),
        ((one, one), (one, 2 * one), half, unit),
        ((-one, one), (one, zero), half, unit),
        ((one, zero), (-one, -one), half, unit),
        ((-2 * one, one), (2 * one, -one), half, unit),
        ((-2 * one, one), (4 * one, -2 * one), Fraction(2, 3), unit),
    ]
    for d, n in ((1, 3), (2, 4), (3, 2)):
        for k in range(context.choose(9, 60)):
            data = random_data(draw, n, d)
            theta = tuple(random_fraction(draw) for _ in range(d + 1))
            other = tuple(random_fraction(draw) for _ in range(d + 1))
            if k % 3 == 0:
                other = tuple(Fraction(draw.randint(1, 9), 2) * value for value in theta)
            if k % 3 == 1 and d == 3:  # two data in dimension three: a move that they do not see
                other = _unseen(theta, data)
            cases.append((theta, other, Fraction(draw.randint(1, 5), 6), data))
    convex = True
    for theta, other, share, data in cases:
        p, q, m = (mean_square_output(at, data) for at in (theta, other, mixed(theta, other, share)))
        equal, below = root_chord(p, q, m, share)
        convex = convex and below
        label = f"θ = ({', '.join(map(str, theta))}), θ' = ({', '.join(map(str, other))}), n={len(data)}"
        yield seen(equal, label, theta=theta, other=other, l=share, data=tuple(data))
    yield Premise("no chord lies below w_b", convex)
    yield Step("w_b² is rational at all three parameters; the roots are compared by their squares")


def _unseen(theta: Point, data: Sequence[Point]) -> Point:
    return tuple(t + v for t, v in zip(theta, kernel_vector([lifted(x) for x in data]), strict=True))


def _heights(given: Mapping[str, Value], name: str) -> list[Fraction]:
    data = given["data"]
    if not isinstance(data, tuple):
        raise TypeError("the instance gives no data")
    theta = vector(given, name)
    points = [vector({"x": x}, "x") for x in data]
    return [sum((t * v for t, v in zip(theta, (*x, Fraction(1)), strict=True)), Fraction(0)) for x in points]


def by_outputs(given: Mapping[str, Value]) -> Value:
    """No datum between the two hinges, and proportional outputs."""
    p, q = _heights(given, "theta"), _heights(given, "other")
    outputs = [[max(z, Fraction(0)) for z in heights] for heights in (p, q)]
    return all(u * v >= 0 for u, v in zip(p, q, strict=True)) and non_negative_multiples(*outputs)


@rule("by parameters")
def by_parameters(given: Mapping[str, Value]) -> Value:
    """equality only for parameters that are non-negative multiples of each other"""
    return non_negative_multiples(vector(given, "theta"), vector(given, "other"))


@rule("outputs alone")
def _outputs_only(given: Mapping[str, Value]) -> Value:
    """equality iff the outputs are non-negative multiples"""
    outputs = [[max(z, Fraction(0)) for z in _heights(given, name)] for name in ("theta", "other")]
    return non_negative_multiples(*outputs)


OUTPUTS = claim(
    "dedios2020.section_4_label_noise",
    "Section 4, third paragraph, on the weight of Proposition 3.3",
    "The printed label-noise weight depends on outputs only",
    """Equality in (14) holds for w_b if and only if no datum has pre-activations of opposite signs and the outputs on
    the data are non-negative multiples of each other. So w_b is effectively strictly convex at the bulk, and nowhere
    else: it is 0 on all dead parameters, (0, -1) and (-1, 0) for x ∈ {0, 1}, and equal at (1, 0) and (2, -1); whatever
    the data, there are such pairs. Theorem 4.2 as stated does not apply to it.""",
    latex=r"""w_b(\lambda\theta+(1-\lambda)\theta')=\lambda w_b(\theta)+(1-\lambda)w_b(\theta')\iff (\theta\cdot\tilde
    x_i)(\theta'\cdot\tilde x_i)\ge0\ \forall i,\ \text{outputs non-negative multiples}""",
    hypotheses=("0 < λ < 1",),
    formula=Rule(
        "by outputs",
        "equality iff no datum has pre-activations of opposite signs and the outputs are non-negative multiples",
        by_outputs,
    ),
    flaw=Flaw(errata.WITHOUT_THE_BULK, by_parameters),
    controls={
        _outputs_only: "data between the hinges omitted: outputs 0 on both, and not in between",
        Rule(
            "same side",
            "equality iff no datum has pre-activations of opposite signs",
            lambda given: all(
                u * v >= 0 for u, v in zip(_heights(given, "theta"), _heights(given, "other"), strict=True)
            ),
        ): "linear on a closed cell, as the outputs are",
        Rule("never", "equality never", lambda given: False): "strictly convex in the ordinary sense",
    },
    checks=(chords,),
    part_of="dedios2020.proposition_3_3",
    rests_on=(
        "dedios2020.definition_3_1",
        "dedios2020.proposition_3_3_bulk",
        "dedios2020.appendix_a_equation_23",
        "dedios2020.definition_3_2",
    ),
)


def _continuum(context: Context, weight: str) -> Observation:
    """Costs of interpolants of (0, 0), (1, h): ramps with hinge t/(1+t), mixtures of them, and others."""
    from implicitbias.exact.enclosure import enclose

    draw = context.random()
    data: list[Point] = [(Fraction(0),), (Fraction(1),)]

    def cost(neurons: Sequence[Neuron]) -> Fraction | Interval:
        parts = []
        for neuron in neurons:
            square = mean_square_output(neuron.theta, data)
            if weight == "true":
                square *= 4 * mean_active_length(neuron.theta, data)
            parts.append(f"{abs(neuron.c)}*sqrt({square})")
        return enclose(" + ".join(parts) or "0")

    def ramp(t: Fraction, height: Fraction) -> Neuron:
        return Neuron((1 + t, -t), height)

    for h in _heights_of_all_sizes(context):
        for t in (Fraction(0), Fraction(1), Fraction(5), Fraction(10**6), abs(random_fraction(draw))):
            yield seen(cost([ramp(t, h)]), f"one ramp, h={h}, t={t}", h=h, t=t)
        times = [Fraction(k) for k in (0, 1, 3)]
        mixture = [ramp(t, h / 3) for t in times]
        yield seen(cost(mixture), f"three ramps, h={h}", h=h, t=sum(times) / 3)
        extra = random_fraction(draw) or Fraction(1)
        lost = [Neuron((Fraction(-1), Fraction(1)), extra), Neuron((Fraction(1), Fraction(1)), -extra)]
        lost.append(ramp(Fraction(0), h + 2 * extra))
        values = [sum((neuron(x) for neuron in lost), Fraction(0)) for x in data]
        if values != [0, h]:
            raise ArithmeticError("no interpolant")
        yield seen(cost(lost), f"others, h={h}", relation=">=", h=h, t=Fraction(0))


def _heights_of_all_sizes(context: Context) -> list[Fraction]:
    draw = context.random()
    sizes = [Fraction(draw.choice((1, -1)) * draw.randint(7, 13), 10 ** (k % 4)) for k in range(context.choose(8, 24))]
    return [Fraction(1), Fraction(-2), *sizes]


def _least(context: Context, weight: str) -> Observation:
    """The least cost of all interpolants of (0, 0), (1, h) under the weight, between exact bounds."""
    from implicitbias.convex.weighted.least import weighted_interpolant
    from implicitbias.convex.weighted.weights import WEIGHTS

    for h in _heights_of_all_sizes(context)[:6]:
        found = weighted_interpolant([(0,), (1,)], [0, h], WEIGHTS[weight])
        yield seen(Interval(found.lower, found.upper), f"least of all, h={h}", h=h, t=Fraction(0))


def _continuum_claim(place: str, weight: str, name: str, value: str, latex: str) -> Claim:
    return claim(
        f"dedios2020.section_4_{place}",
        "next to Theorem 4.2 and the weight of Section 3",
        f"A continuum of minimisers for the {name} label-noise weight",
        f"""For the data (0, 0), (1, h) every ramp x ↦ h[(1+t)x - t]_+, t ≥ 0, and every mixture of them has the cost
        {value} under the {name} weight, the least of all interpolants: the minimisers are unbounded and their supports
        need not be finite. They agree on the data.""",
        latex=latex,
        hypotheses=("d = 1, n = 2", "t ≥ 0")
        + (("a hinge on a datum, as at t = 0, does not make it active",) if weight == "true" else ()),
        formula="Abs(h)/sqrt(2)" if weight == "printed" else "sqrt(2)*Abs(h)",
        symbols={"h": "the label at 1", "t": "the ramp's slope is h(1+t)"},
        domain=("t >= 0",),
        controls={
            "Abs(h)*sqrt((1 + t)**2 + t**2)": "the total variation, which prefers t = 0",
            "Abs(h)*(1 + t)/sqrt(2)": "steeper ramps cost more",
            "Abs(h)": "a sum over the data instead of a mean",
        },
        checks=(
            certificate(
                "ramps, mixtures and others",
                about="costs of ramps with t up to 10^6, of mixtures, and of other interpolants, which cost no less",
            )(lambda context: _continuum(context, weight)),
            certificate("programmes over all cells", about="the least cost of all interpolants, between exact bounds")(
                lambda context: _least(context, weight)
            ),
        ),
        part_of="dedios2020.theorem_4_2",
        rests_on=("dedios2020.section_4_label_noise",) if weight == "printed" else ("dedios2020.equation_13",),
        own=True,
    )


CONTINUUM = _continuum_claim(
    "continuum", "printed", "printed", "|h|/√2", r"\sum_j|c_j|w_b(\theta_j)=|h|/\sqrt2\quad\forall t\ge0"
)
CONTINUUM_TRUE = _continuum_claim(
    "continuum_true", "true", "true", "√2|h|", r"\sum_jV_b(\theta_j)=\sqrt2\,|h|\quad\forall t\ge0"
)
