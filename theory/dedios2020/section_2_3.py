"""Section 2.3: gradient descent on the neurons is a Wasserstein gradient flow of a functional that is convex."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from implicitbias.claims import Context, Observation, Premise, Step, certificate, claim, seen
from implicitbias.exact.vectors import dot

from ..observed.data.draws import of_any_size
from ..observed.units.neurons import Neuron, Point, random_data, random_neuron

Network = tuple[Neuron, ...]
SIZES = ((1, 2, 1), (1, 3, 1), (1, 3, 2), (1, 4, 3), (2, 3, 4), (3, 4, 3), (1, 2, 6))
"""d, n, m: dimension, data, neurons."""


@dataclass(frozen=True)
class Problem:
    """Data, labels and λ, with V(θ) = |(a, b)|² + c² and ℓ = ½(x - y)²."""

    x: tuple[Point, ...]
    y: tuple[Fraction, ...]
    penalty: Fraction

    def value(self, measure: Sequence[tuple[Fraction, Neuron]]) -> Fraction:
        """(7) for Σ weight·δ_neuron."""
        outputs = [sum((weight * unit(x) for weight, unit in measure), Fraction(0)) for x in self.x]
        loss = sum(((f - y) ** 2 for f, y in zip(outputs, self.y, strict=True)), Fraction(0)) / (2 * len(self.x))
        mean = sum((weight * (dot(unit.theta, unit.theta) + unit.c**2) for weight, unit in measure), Fraction(0))
        return loss + self.penalty * mean

    def of_network(self, units: Network) -> Fraction:
        """(8), written with the neurons: the mean of their outputs, and λ/m times the sum of their V."""
        m = len(units)
        outputs = [sum((unit(x) for unit in units), Fraction(0)) / m for x in self.x]
        loss = sum(((f - y) ** 2 for f, y in zip(outputs, self.y, strict=True)), Fraction(0)) / (2 * len(self.x))
        return loss + self.penalty / m * sum(sum(p * p for p in parameters(unit)) for unit in units)


def parameters(unit: Neuron) -> tuple[Fraction, ...]:
    return (*unit.theta, unit.c)


def with_parameters(values: Sequence[Fraction]) -> Neuron:
    return Neuron(tuple(values[:-1]), values[-1])


def problems(context: Context) -> Iterator[tuple[Problem, Network, random.Random]]:
    """Random data and neurons of several sizes, no hinge on a datum; some networks hold a neuron twice."""
    draw = context.random()
    for d, n, m in SIZES:
        for k in range(context.choose(6, 16)):
            x = random_data(draw, n, d)
            penalty = draw.choice((Fraction(0), Fraction(1, 20), Fraction(3, 4), Fraction(22, 7), Fraction(62, 3)))
            # towards the origin descent is slow
            size = Fraction(1, (1, 40, 2, 3, 6, 10)[k % 6]) / (1 + penalty)
            y = tuple(size**2 * Fraction(draw.randint(-8, 8), draw.choice((1, 3))) for _ in x)
            units = tuple(sized(draw, x).scaled(size, size) for _ in range(m))
            yield Problem(tuple(x), y, penalty), (*units, units[0]) if k % 3 == 1 else units, draw
        fitted = tuple(sum((unit(point) for unit in units), Fraction(0)) / m for point in x)
        yield Problem(tuple(x), fitted, Fraction(0)), units, draw
    # f(x) = c [b]_+ at the datum 0 with b = c = ½ stands still for the label ¼ + 2λ; G is small beside it, for every λ
    half, origin = Fraction(1, 2), (Fraction(0),)
    unit = Neuron((Fraction(0), half), half)
    for k in range(context.choose(240, 600)):
        penalty = Fraction(draw.randint(0, 400), draw.choice((20, 67, 97)))
        off = (Fraction(0), of_any_size(draw, -8, 2), Fraction(draw.randint(40, 300), 97))[min(k % 9, 2)]
        yield Problem((origin,), (half**2 + 2 * penalty + off,), penalty), (unit,) * draw.randint(1, 7), draw


def sized(draw: random.Random, x: Sequence[Point]) -> Neuron:
    """A random neuron of one of four sizes."""
    unit = random_neuron(draw, x)
    return unit.scaled(draw.choice((Fraction(1), Fraction(1, 40))), draw.choice((Fraction(1), Fraction(1, 40))))


def reach(units: Network, x: Sequence[Point]) -> Fraction:
    """A length that no parameter can move by with a hinge crossing a datum."""
    heights = [abs(unit.before(point)) for unit in units for point in x]
    sizes = [1 + sum(map(abs, point)) for point in x]
    return min(heights) / (4 * max(sizes))


def slope(value: Callable[[Fraction], Fraction], h: Fraction) -> Fraction:
    """The derivative at 0 of a polynomial of degree 2 at most."""
    return (value(h) - value(-h)) / (2 * h)


def slope_of_quartic(value: Callable[[Fraction], Fraction], h: Fraction) -> Fraction:
    """The derivative at 0 of a polynomial of degree 4 at most."""
    return (4 * slope(value, h) - slope(value, 2 * h)) / 3


def gradient(value: Callable[[Neuron], Fraction], at: Neuron, h: Fraction) -> tuple[Fraction, ...]:
    def moved(k: int, by: Fraction) -> Neuron:
        return with_parameters([p + (by if j == k else 0) for j, p in enumerate(parameters(at))])

    return tuple(slope(lambda by, k=k: value(moved(k, by)), h) for k in range(len(parameters(at))))  # type: ignore[misc]


# The flow -------------------------------------------------------------------------------------------------------------


@certificate("speed of descent of networks")
def speed(context: Context) -> Observation:
    """How fast (8) falls when all neurons move by -m∇L at once: a derivative of (8) along the motion, exact.

    What is given, the mean of |∇F|² over the neurons, is of (7) alone: F(θ) is its derivative from μ towards δ_θ.
    """
    along = True
    for problem, units, _ in problems(context):
        m, h = len(units), reach(units, problem.x) / 2

        def first_variation(to: Neuron, problem: Problem = problem, units: Network = units) -> Fraction:
            share = Fraction(1, len(units))

            def mixed(s: Fraction) -> Fraction:
                return problem.value([*(((1 - s) * share, unit) for unit in units), (s, to)])

            return slope(mixed, Fraction(1))

        def with_unit(unit: Neuron, j: int, problem: Problem = problem, units: Network = units) -> Fraction:
            return problem.of_network((*units[:j], unit, *units[j + 1 :]))

        moves = [
            tuple(-m * p for p in gradient(lambda unit, j=j: with_unit(unit, j), units[j], h))  # type: ignore[misc]
            for j in range(m)
        ]
        largest = max((abs(p) for move in moves for p in move), default=Fraction(0))
        step = h / (1 + largest)

        def later(t: Fraction, problem: Problem = problem, units: Network = units, moves: object = moves) -> Fraction:
            ends = [
                with_parameters([p + t * q for p, q in zip(parameters(unit), move, strict=True)])
                for unit, move in zip(units, moves, strict=True)  # type: ignore[call-overload]
            ]
            return problem.of_network(tuple(ends))

        slopes = [gradient(first_variation, unit, h) for unit in units]
        along = along and moves == [tuple(-p for p in of_unit) for of_unit in slopes]
        square = sum((sum(p * p for p in of_unit) for of_unit in slopes), Fraction(0)) / m
        yield seen(
            slope_of_quartic(later, step),
            f"d={len(problem.x[0])}, n={len(problem.x)}",
            G=square,
            m=m,
            lam=problem.penalty,
        )
    yield Premise("every neuron moves by -∇F there, the velocity of the Wasserstein gradient flow", along)
    yield Step("along straight lines (8) is a polynomial of degree 4 while no hinge crosses a datum: four values do")


SPEED = claim(
    "dedios2020.section_2_3",
    "Section 2.3",
    "Descent on the neurons is a Wasserstein gradient flow",
    """When the m neurons follow θ_j' = -m ∂L/∂θ_j, the loss (8) falls at the rate of the Wasserstein gradient flow of
    (7): the mean over the neurons of |∇F|², F(θ) the derivative of (7) from μ towards δ_θ. The width enters only by the
    clock.""",
    latex=r"\frac{d}{dt}L(\theta_1,\dots,\theta_m)=-\int|\nabla F_\mu|^2\,d\mu\,,\qquad"
    r"\dot\theta_j=-m\,\partial_{\theta_j}L",
    hypotheses=("ℓ = ½(x-y)², V = |θ|² with c", "no hinge on a datum"),
    domain=("G >= 0", "m >= 1", "lam >= 0"),
    formula="-G",
    symbols={"G": "mean over the neurons of |∇F|²", "m": "number of neurons", "lam": "λ"},
    controls={
        "-G/m": "the clock of descent on (8) itself",
        "-m*G": "the sum over the neurons",
        "-2*G": "the derivative of a square without its half",
        "-G*(1 + lam)": "the penalty counted twice",
        "Max(-Max(G, lam - m), -Max(G, 3 - lam))": "another rate near where a large penalty stands still",
    },
    checks=(speed,),
)


# Convexity ------------------------------------------------------------------------------------------------------------


@certificate("networks of mixtures")
def mixtures(context: Context) -> Observation:
    """(8) of a network with copies of the neurons of two others, in the proportions of a mixture."""
    above = 0
    for problem, units, draw in problems(context):
        others = tuple(sized(draw, problem.x) for _ in range(draw.randint(1, 3)))
        if draw.random() < 0.5:
            units, others = others, units
        for wanted, total in ((0, 1), (1, 1), draw.choice(((1, 2), (1, 9))), draw.choice(((2, 3), (1, 4), (7, 8)))):
            # k copies of each of the m neurons of one network and l of the others': shares (1 - s) and s
            many, few = (total - wanted) * len(others), wanted * len(units)
            network = units * many + others * few
            outputs = [
                [sum((unit(x) for unit in of), Fraction(0)) / len(of) for x in problem.x] for of in (units, others)
            ]
            apart = sum(((f - g) ** 2 for f, g in zip(*outputs, strict=True)), Fraction(0)) / len(problem.x)
            yield seen(
                problem.of_network(network),
                f"{many} copies of {len(units)} neurons, {few} of {len(others)}",
                A=problem.of_network(units),
                B=problem.of_network(others),
                s=Fraction(wanted, total),
                D=apart,
            )
        end = tuple(replace(unit, c=-unit.c) for unit in units)
        middle = tuple(replace(unit, c=Fraction(0)) for unit in units)
        above += problem.of_network(middle) * 2 > problem.of_network(units) + problem.of_network(end)
        swapped = tuple(
            with_parameters([(p + q) / 2 for p, q in zip(parameters(unit), parameters(other), strict=True)])
            for unit, other in zip(units, (*units[1:], units[0]), strict=True)
        )
        above += problem.of_network(swapped) > problem.of_network(units)
    yield Premise(
        "as a function of the neurons' parameters the loss is above one of its chords", above > 0, f"{above} midpoints"
    )
    yield Step("½|·|² is convex, by exactly s(1 - s)/2 times the squared distance; the penalty is linear in μ")


CONVEX = claim(
    "dedios2020.section_2_3_convex",
    "Section 2.3",
    "A convex problem on measures",
    """Between two networks the loss (7) of the mixture (1-s)μ + sν lies below the chord by s(1-s)D/2, D the mean square
    distance of their outputs; so the problem that is not convex in the neurons is convex in their measure.""",
    latex=r"\mathcal L\big((1-s)\mu+s\nu\big)=(1-s)\mathcal L(\mu)+s\,\mathcal L(\nu)-\tfrac{s(1-s)}2D",
    hypotheses=("ℓ = ½(x-y)²",),
    domain=("0 <= s", "s <= 1", "A >= 0", "B >= 0", "D >= 0"),
    formula="(1-s)*A + s*B - s*(1-s)*D/2",
    symbols={
        "A": "the loss of one network",
        "B": "that of the other",
        "s": "its share",
        "D": "mean square distance of their outputs",
    },
    controls={
        "(1-s)*A + s*B": "linear in the measure",
        "(1-s)*A + s*B - s*(1-s)*D": "the square without its half",
        "(1-s)*A + s*B + s*(1-s)*D/2": "concave",
        "(1-s)**2*A + s**2*B": "quadratic in the shares",
    },
    checks=(mixtures,),
    part_of="dedios2020.section_2_3",
)
