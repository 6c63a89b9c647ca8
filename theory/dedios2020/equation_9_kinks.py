"""Equation (9): the kinks of the densities of entropic minimisers."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from implicitbias.claims import Context, Flaw, Observation, Premise, Step, certificate, claim, seen
from implicitbias.exact.formula import parse
from implicitbias.exact.vectors import dot

from ..observed.measures.contact_sets import lift
from ..observed.measures.entropic_problems import Problem
from . import errata


@certificate("second differences at a hinge")
def kink(context: Context) -> Observation:
    """The log-density on the hinge of a datum and at equal steps to both sides along x̃_i, enclosed."""
    from implicitbias.exact.enclosure import evaluate

    second = parse("(log(u) + log(d) - 2*log(m))/h", ("u", "d", "m", "h"))
    draw = context.random()
    gaps, strong = [], True
    for x, y, i, theta in (
        ([0], [Fraction(1)], 0, (Fraction(1), Fraction(0))),
        ([0, 1], [Fraction(-1, 2), Fraction(1, 2)], 1, (Fraction(1), Fraction(-1))),
        ([-2, 0, 2], [Fraction(1), Fraction(0), Fraction(1)], 2, (Fraction(-1, 2), Fraction(1))),
        ([-2, 0, 2], [Fraction(6), Fraction(1), Fraction(-9)], 2, (Fraction(-1, 2), Fraction(1))),
        ([3], [Fraction(-7)], 0, (Fraction(1), Fraction(-3))),
    ):
        points = tuple(lift((t,)) for t in x)
        normal = points[i]
        for h, sign in product((Fraction(1, 4), Fraction(1, 64), Fraction(draw.randint(1, 9), 40)), (1, -1)):
            for most in (Fraction(1), Fraction(3)):  # each of its own c, τ and λ
                c = sign * most * Fraction(draw.randint(1, 12), 12)
                tau, lam = Fraction(draw.randint(1, 30), 60), Fraction(draw.randint(6, 30), 60)
                three = [tuple(a + s * h * b for a, b in zip(theta, normal, strict=True)) for s in (0, 1, -1)]
                others = [
                    (Fraction(k), (Fraction(a), Fraction(b))) for k in (-1, 0, 1) for a in (-1, 1) for b in (0, 1)
                ]
                grid = (*((c, t) for t in three), *others)
                problem = Problem("", points, tuple(y), grid, tau, lam)
                solution = problem.solved()
                gaps.append(solution.gap)
                strong = strong and not solution.residuals[i].lower <= 0 <= solution.residuals[i].upper
                values = dict(zip(("m", "u", "d"), solution.masses, strict=False))
                observed = evaluate(second, {**values, "h": h})
                yield seen(
                    observed,
                    f"{len(y)} data, c = {c}, h = {h}, τ = {tau}",
                    r=solution.residuals[i],
                    c=c,
                    X=dot(normal, normal),
                    n=len(y),
                    h=h,
                    tau=problem.tau,
                    lam=problem.lam,
                )
    yield Premise("duality gaps below 1e-100", max(gaps) < 1e-100, f"{max(gaps):.0e}")
    yield Premise("the datum at the hinge is not met exactly", strong)
    yield Step("log-density at θ, θ + h x̃_i, θ - h x̃_i: the potential is smooth and contributes 2hτ|x̃_i|²/λ")


KINK = claim(
    "dedios2020.equation_9_kinks",
    "equation (9), smooth density",
    "The entropic density has kinks",
    """Across the wall θ·x̃_i = 0 the slope of the entropic minimiser's log-density along x̃_i jumps by -(f(x_i) -
    y_i)c|x̃_i|²/(nλ): for the ReLU and finitely many data the density is Lipschitz, not smooth, wherever a datum is not
    met exactly. (Observed as a second difference over h, to which a potential c² + |θ|² adds -2hτ|x̃_i|²/λ.)""",
    latex=r"""\Delta_h^2\log\mu/h=-\frac{1}{\lambda}\Big(\frac{(f(x_i)-y_i)\,c\,|\tilde x_i|^2}{n}+2h\tau|\tilde
    x_i|^2\Big)""",
    hypotheses=("ReLU", "V = c² + |θ|²", "only datum i on the hinge within the step"),
    domain=("X >= 1", "n >= 1", "h > 0", "tau > 0", "lam > 0"),
    formula="-(r*c*X/n + 2*h*tau*X)/lam",
    symbols={
        "r": "f(x_i) - y_i",
        "c": "output weight",
        "X": "|x̃_i|²",
        "n": "number of data",
        "h": "step along x̃_i",
        "tau": "τ",
        "lam": "λ",
    },
    flaw=Flaw(errata.SMOOTH_DENSITY, "-2*h*tau*X/lam"),
    controls={
        "-(r*c*X + 2*h*tau*X)/lam": "the mean over data omitted",
        "-(r*Abs(c)*X/n + 2*h*tau*X)/lam": "the sign of c omitted",
        "-(r*c*(X - 1)/n + 2*h*tau*X)/lam": "the bias omitted",
        "-(2*r*c*X/n + 2*h*tau*X)/lam": "the loss without its half",
    },
    checks=(kink,),
    part_of="dedios2020.equation_9",
    rests_on=("dedios2020.equation_9",),
)
