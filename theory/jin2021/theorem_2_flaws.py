"""Theorem 2 where the printed text needs a correction: the constraint of (5), the norm on the whole space, symmetry."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product

from implicitbias.claims import Context, Flaw, Observation, Premise, certificate, claim, seen
from implicitbias.exact.vectors import dot, relu, solve

from ..observed.data.draws import of_any_size, random_data, signed
from ..observed.training.exact_training import nearest_solution
from ..observed.wide.exact_laws import SYMMETRIC_LAWS, slab_kernel
from ..observed.wide.interpolants import adjusted, trained
from ..observed.wide.weighted_spline import weight_of, weighted_spline
from . import errata


@certificate("infinite width in fractions")
def trained_values(context: Context) -> Observation:
    """What infinitely many units learn from the adjusted data, at data points and between them: the kernel integrated
    over the law. s minimises the cost of (5) through the raw data, by the spline's own system; u and v are the mean of
    its end tangents."""
    draw = context.random()
    for name, law in SYMMETRIC_LAWS.items():
        for i in range(context.choose(8, 20)):
            points = random_data(draw, 3 + i % 3)
            if i % 4 == 3:  # far from the line ux + v, on either side of it, with a small slope
                up = (-1) ** (i // 4)
                points = replace(points, y=tuple(up * Fraction((-1) ** k * (9 + i)) for k in range(len(points.y))))
            s = weighted_spline(points.x, points.y, weight_of(law))
            u = Fraction(sum(s.end_slopes)) / 2
            v = Fraction(s.tangent_left(0) + s.tangent_right(0)) / 2
            learnt = trained(slab_kernel(law), points.x, adjusted(points.x, points.y, u, v))
            for at in (*points.x, *((a + b) / 2 for a, b in pairwise(points.x))):
                yield seen(learnt(at), f"{points.label}, {name}", s=Fraction(s(at)), u=u, v=v, x=at)


Vector = tuple[Fraction, ...]
ATOMS = 60
"""Equally likely units of a law: its infinite width is the mean over them."""


def _value(w: Vector, b: Fraction, at: Vector) -> Fraction:
    return relu(dot(w, at) + b)


@certificate("tails in fractions")
def growth(context: Context) -> Observation:
    """The degree in R of ∫(f-g*)² over cubes |x_i| <= R, in one, two and three inputs. g* is what infinitely many units
    of a law learn with a free affine part, that part taken off; f is n of these units trained to the values of g* at
    the data. Beyond all kinks the sum over cells of the cube is a polynomial in R; exact differences find its degree.
    """
    draw = context.random()
    for d in (1, 2, 3):
        for n in (12, 40):
            law = [
                (tuple(Fraction(draw.randint(-6, 6), 3) for _ in range(d)), Fraction(draw.randint(-20, 20), 7))
                for _ in range(ATOMS)
            ]
            x = [tuple(map(Fraction, at)) for at in draw.sample(list(product(range(-2, 3), repeat=d)), d + 3)]
            y = [Fraction(draw.randint(-4, 4), 2) for _ in x]
            features = [[_value(w, b, at) for w, b in law] for at in x]
            chosen = [draw.randrange(ATOMS) for _ in range(n)]
            try:
                limit = _without_line(features, x, y)
                outer = nearest_solution(
                    [[row[i] for i in chosen] for row in features], [dot(limit, r) for r in features]
                )
            except (ArithmeticError, ValueError, StopIteration):
                continue  # too few units see the data
            units = [(w, b, -a) for a, (w, b) in zip(limit, law, strict=True)]
            units += [(*law[i], a) for i, a in zip(chosen, outer, strict=True)]
            yield seen(_degree(units, d), f"{n} units, {len(x)} data, {d} inputs", d=d)


def _without_line(features: list[list[Fraction]], x: list[Vector], y: list[Fraction]) -> list[Fraction]:
    """Output weights of g* over the atoms: least mean square with a free affine part, which is left out."""
    count = len(features[0])
    columns = [[*at, Fraction(1)] for at in x]
    free = len(columns[0])
    rows = [[dot(p, q) / count for q in features] + line for p, line in zip(features, columns, strict=True)]
    rows += [[line[k] for line in columns] + [Fraction(0)] * free for k in range(free)]
    multipliers = solve(rows, [*y, *[Fraction(0)] * free])[: len(x)]
    return [dot(multipliers, [row[i] for row in features]) / count for i in range(count)]


def _degree(units: list[tuple[Vector, Fraction, Fraction]], d: int) -> int:
    """The degree in R of the integral of (Σ a[wx + b]_+)² over |x_i| <= R, by the midpoints of 5^d cells or fewer."""
    cells = (8, 6, 4)[d - 1]
    middles = [Fraction(2 * i + 1, cells) - 1 for i in range(cells)]
    nodes = list(product(middles, repeat=d))
    slopes = [[dot(w, node) for w, _, _ in units] for node in nodes]
    start = 1 + max(abs(b / along) for row in slopes for along, (_, b, _) in zip(row, units, strict=True) if along != 0)
    totals = []
    for step in range(d + 6):
        radius = start + step
        cell = (2 * radius / cells) ** d
        sums = (
            sum((a * relu(along * radius + b) for along, (_, b, a) in zip(row, units, strict=True)), Fraction(0))
            for row in slopes
        )
        totals.append(cell * sum((value * value for value in sums), Fraction(0)))
    degree = -1
    while any(totals):
        totals = [b - a for a, b in pairwise(totals)]
        degree += 1
    return degree


@certificate("least costs in fractions")
def jump_costs(context: Context) -> Observation:
    """The least Σ p_i γ_i² of output weights that make a slope jump of 1 at one kink where there are units of both
    signs of w. In one input (V, c) and (-V, -c) are the same kink; the affine part that units of negative w add costs
    nothing."""
    draw = context.random()
    lopsided = 0
    for i in range(context.choose(60, 120)):
        law = [
            (size * signed(draw, -2, 2), Fraction(draw.randint(1, 5)))
            for size in [of_any_size(draw, -4, 3)]
            for _ in range(draw.randint(1, 4))
        ]
        if i % 6 == 0:  # large weights of both signs
            size = of_any_size(draw, 4, 5)
            law = [(sign * size * draw.randint(4, 9), Fraction(draw.randint(2, 5))) for sign in (1, -1)]
        total = sum((mass for _, mass in law), Fraction(0))
        law = [(w, mass / total) for w, mass in law]
        # equally likely copies of the units: Σ p γ |w| = 1 with the least Σ p γ²
        counts = [(w, int(mass * total)) for w, mass in law]
        copies = [w for w, count in counts for _ in range(count)]
        share = Fraction(1, len(copies))
        gamma = nearest_solution([[share * abs(w) for w in copies]], [Fraction(1)])
        cost = sum(share * g * g for g in gamma)
        p, m = (sum((mass * w * w for w, mass in law if sign * w > 0), Fraction(0)) for sign in (1, -1))
        yield seen(cost, f"{len(law)} kinds of units at the kink", p=p, m=m)
        lopsided += p != m
    yield Premise("laws that are not symmetric are among them", lopsided >= 5, f"{lopsided}")


THEOREM_2_CONSTRAINT = claim(
    "jin2021.theorem_2_constraint",
    "Theorem 2, equation (5)",
    "The values of g* at the data",
    """The network is trained on y_j - ⟨u,x_j⟩ - v and reaches these values, so g* in (5) must be constrained to them:
    affine functions do not enter the cost, and f - g* would otherwise be -⟨u,x⟩ - v at the data. Corrected in JMLR
    2023, (8).""",
    latex=r"g(x_j)=y_j-\langle u,x_j\rangle-v",
    hypotheses=("computed for one input, where (5) is (4)", "(W, B) and (-W, -B) have the same law", "width ∞"),
    formula="s - u*x - v",
    symbols={"s": "the minimiser of (5) with g(x_j) = y_j, at x", "u": "u", "v": "v", "x": "x_j, or between them"},
    flaw=Flaw(errata.UNADJUSTED_CONSTRAINT, "s"),
    controls={
        "s + u*x + v": "the sign",
        "s - u*x": "the constant forgotten",
        "s - v": "the slope forgotten",
    },
    checks=(trained_values,),
    part_of="jin2021.theorem_2_rate",
)


THEOREM_2_NORM = claim(
    "jin2021.theorem_2_norm",
    "Theorem 2",
    "Growth of ∫(f-g*)² over balls",
    """Far out f(·, θ*) - g* is affine along every ray, with a slope that is not zero at finite width: the integral of
    its square over |x_i| <= R grows like R^{d+2} and its 2-norm over ℝ^d is infinite. The rate holds on every compact
    set. (Computed in one, two and three inputs, g* for laws of 60 units.) Corrected in JMLR 2023, whose Theorem 6 has
    compact sets.""",
    latex=r"\int_{|x|_\infty\le R}(f-g^*)^2\sim R^{d+2}",
    hypotheses=("a network in general position", "trained on the adjusted data"),
    formula="d + 2",
    symbols={"d": "number of inputs"},
    flaw=Flaw(errata.WHOLE_SPACE, "0"),
    controls={
        "d": "a difference that is constant far out",
        "d + 1": "a difference that grows like √R",
        "2*d": "agrees for two inputs only",
        "3*d": "agrees for one input only",
    },
    checks=(growth,),
    part_of="jin2021.theorem_2_rate",
)


THEOREM_2_SYMMETRY = claim(
    "jin2021.theorem_2_symmetry",
    "Theorem 2, equation (5)",
    "The cost of a kink, for laws that are not symmetric",
    """Units (V, c) and (-V, -c) have the same kink, and R{·} is even: in (5) a jump J at it costs, up to a constant,
    J²(1/ζ₊ + 1/ζ₋)/4, but training charges J²/(ζ₊ + ζ₋). They agree only where ζ₊ = ζ₋; for one-sided laws (5) has
    affine solutions only. Theorem 6 and Proposition 7 add up both signs, as is right. Corrected in JMLR 2023, whose
    Theorem 6 supposes a symmetric law.""",
    latex=r"\frac{J^2}{\zeta(V,c)+\zeta(-V,-c)}",
    hypotheses=("affine functions are not in the cost", "computed for one input"),
    formula="1/(p + m)",
    symbols={"p": "ζ₊ = p_C E[W²; W > 0 | C]", "m": "ζ₋ = p_C E[W²; W < 0 | C]"},
    flaw=Flaw(errata.SYMMETRIC_LAW, "(1/p + 1/m)/4"),
    controls={
        "1/Max(p, m)": "the better of the two signs",
        "1/p": "the positive sign only",
        "2/(p + m)": "the mean of the two",
    },
    checks=(jump_costs,),
    part_of="jin2021.theorem_2_rate",
)
