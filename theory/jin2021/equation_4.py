"""Equation (4): the cost that the trained function minimises, and the initial function's part in it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from implicitbias.claims import Context, Flaw, Interval, Observation, certificate, claim, seen
from implicitbias.exact.vectors import dot, solve

from ..observed.data.draws import TRIPLE_SYMBOLS, fraction, of_any_size, signed, triples
from ..observed.data.three_points import JUMP
from ..observed.wide.finite_width import Unit, feature, random_units
from ..observed.wide.interpolants import adjusted, trained, trained_with_free_line
from . import errata

STEP = Fraction(1, 2**40)
"""One-sided slopes are taken over this step, which no other unit's kink is in."""
COPIES = 2**80
ROOM = Fraction(1, 2**30)
"""The visible unit's own weight changes by less, one of so many that share the change."""


@certificate("cost of the trained network")
def cost(context: Context) -> Observation:
    """∫α² dμ = λᵀKλ of the network trained on the adjusted data, in fractions, K = E[[Wx+B]_+ [Wx'+B]_+] integrated
    over (W, B)."""
    for t in triples(context.random(), context.choose(20, 80)):
        ends = trained_with_free_line(t.kernel, t.x, t.y)
        refit = trained(t.kernel, t.x, adjusted(t.x, t.y, ends.u, ends.v))
        yield seen(refit.cost, t.label, **t.symbols, z=t.z)


@certificate("second difference across the kink")
def kinks(context: Context) -> Observation:
    """The jump of the trained function's derivative where a unit v[wx + b]_+ of visible size has its kink: this unit
    and 2⁸⁰ copies of each of 8 units whose output weights start at 0, all output weights trained to the least change
    that fits the data. Exact; second differences over a step of 2⁻⁴⁰."""
    draw = context.random()
    sizes = [(v, w) for v in (0, 1, -1, Fraction(1, 2), 2, 3) for w in (1, -1, Fraction(1, 2), -2, 3)]
    sizes += [(signed(draw, -3, 3), signed(draw, -3, 3)) for _ in range(context.choose(90, 200))]
    for first, second in product((1, -1), repeat=2):  # large ones of both signs, and one far below the other
        sizes += [(first * of_any_size(draw, 5, 5), second * of_any_size(draw, low, low)) for low in (5, -9)]
        sizes += [(first * of_any_size(draw, -9, -9), second * of_any_size(draw, 5, 5))]
    cases = [(Fraction(v), Fraction(w), fraction(draw, -1, 1, 7)) for v, w in sizes]
    x, y = (Fraction(-2), Fraction(-1), Fraction(1), Fraction(2)), (1, 0, 2, -1)
    for v, w, kink in cases:
        seen_unit = (w, -w * kink)
        others = [u for u in random_units(draw, 8) if abs(u[0] * kink + u[1]) > STEP * abs(u[0])]
        units = [seen_unit, *others]
        copies = [1, *[COPIES] * len(others)]
        outputs = [[feature(unit, a) for unit in units] for a in x]
        initial = [v * row[0] for row in outputs]
        gram = [[sum(c * p * q for c, p, q in zip(copies, r, s, strict=True)) for s in outputs] for r in outputs]
        of_others = [[dot(r[1:], s[1:]) for s in outputs] for r in outputs]
        try:
            solve(of_others, y)
            change = solve(gram, [b - f for b, f in zip(y, initial, strict=True)])
        except (ArithmeticError, ValueError, StopIteration):
            continue  # the units from 0 cannot fit all data: the visible one would have to
        weights = [dot(change, [row[i] for row in outputs]) for i in range(len(units))]
        weights[0] += v
        total = [c * a for c, a in zip(copies, weights, strict=True)]

        def end(
            z: Fraction, units: Sequence[Unit] = tuple(units), total: Sequence[Fraction] = tuple(total)
        ) -> Fraction:
            return sum((a * feature(unit, z) for a, unit in zip(total, units, strict=True)), Fraction(0))

        jump = (end(kink + STEP) - 2 * end(kink) + end(kink - STEP)) / STEP
        yield seen(Interval.around(jump, ROOM), f"one unit with its kink at {kink}", v=v, w=w, kink=kink)


EQUATION_4 = claim(
    "jin2021.equation_4",
    "Theorem 1, equation (4)",
    "The cost of the trained function",
    """Trained from f = 0 on the adjusted data, the infinitely wide network ends at the interpolant of least ∫(g'')²/ζ;
    the cost ∫α²dμ of its change of weights is that least value. For three points where ζ is a constant z the minimum is
    3d²/(z(h+k)), with d the jump between the slopes of the two chords.""",
    latex=r"\min_{g(x_j)=y_j}\int_S\frac{(g'')^2}{\zeta}\,dx=\frac{3d^2}{\zeta_0(h+k)}",
    hypotheses=("f(·, θ₀) ≡ 0", "x_j in supp ζ", "the data adjusted by the (u, v) of Theorem 1"),
    formula=f"3*{JUMP}**2/(z*(h + k))",
    symbols={**TRIPLE_SYMBOLS, "z": "ζ on the data's range"},
    controls={
        f"3*{JUMP}**2*z/(h + k)": "curvature weighted by ζ instead of 1/ζ",
        f"3*{JUMP}**2/(h + k)": "no weight: the same cost for every initialisation",
        f"3*{JUMP}**2/(z**2*(h + k))": "the weight squared",
        f"{JUMP}**2/(z*(h + k))": "the parabola's constant curvature: not the minimum for natural ends",
        f"Abs({JUMP})/z": "the 1-norm of the second derivative, as in Savarese et al.",
    },
    checks=(cost,),
    part_of="jin2021.theorem_1_rate",
    rests_on=("jin2021.spline_optimality",),
)


START = claim(
    "jin2021.equation_4_start",
    "Theorem 1, equation (4)",
    "Kinks of the initial function",
    """If the network does not start from zero, the change h = g - f(·, θ₀) has the least ∫(h'')²/ζ among functions
    with two derivatives. The trained function keeps the kinks of the initial one: where a unit v[wx + b]_+ of visible
    size has its kink, the derivative still jumps by v|w|. (4), and (5) of the version of 2023, minimise over g in
    C²(S) instead.""",
    latex=r"g'(c^+)-g'(c^-)=v\,|w|",
    hypotheses=("width to infinity; one unit of visible size, the others start from output weight 0",),
    formula="v*Abs(w)",
    symbols={"v": "output weight of a unit of the initial network", "w": "its input weight"},
    flaw=Flaw(errata.KINKED_START, "0"),
    controls={
        "v*w": "the sign of the input weight kept",
        "2*v*Abs(w)": "the kink doubled by training",
        "v*Abs(w)/2": "training splits the kink between initial function and change",
        "-v*Abs(w)": "the change undoes the kink twice",
    },
    checks=(kinks,),
    part_of="jin2021.theorem_1_rate",
    rests_on=("jin2021.equation_4",),
)
