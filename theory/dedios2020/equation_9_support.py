"""Equation (9): the support of entropic minimisers, and the kinks of their densities."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Instance, Premise, Step, Value
from implicitbias.claims.statement import Claim, Control, Flaw, Source


def observe_support(context: Context) -> Evidence:
    """How many parameters of the grid have positive mass, certified."""
    from .observed.entropic_problems import problems

    instances, gaps, sharpest, told = [], [], Fraction(1), True
    small = context.choose(True, False)
    for problem in problems(small):
        solution = problem.solved()
        gaps.append(solution.gap)
        positive = sum(m.lower > 0 for m in solution.masses)
        sharpest = min(sharpest, min(m.lower for m in solution.masses))
        told = told and all(m.lower > 10**6 * m.width for m in solution.masses)
        given: dict[str, Value] = {"N": len(problem.grid), "n": len(problem.y), "S": 2 * len(problem.y)}
        instances.append(Instance(problem.label, given, positive))
    return Evidence(
        instances=tuple(instances),
        premises=(
            Premise("duality gaps below 1e-100", max(gaps) < 1e-100, f"{max(gaps):.0e}"),
            Premise("every mass is a million times the width of its enclosure", told),
        ),
        measured={"smallest mass": float(sharpest)},
    )


SUPPORT = Claim(
    id="dedios2020.equation_9_support",
    source=Source("dedios2020", "equation (9), not sparse due to the entropic regularisation"),
    title="The support of an entropic minimiser",
    statement=(
        "On a grid of N parameters the confined entropic minimiser has mass on all N of them, however small λ: cold "
        "problems concentrate it but empty no place, while the total variation leaves at most n."
    ),
    latex=r"\#\operatorname{supp}\mu^*=N",
    rests_on=("dedios2020.equation_9",),
    formula="N",
    symbols={"N": "number of grid points", "n": "number of data", "S": "number of cells"},
    controls=(
        Control("n", "as sparse as the total variation"),
        Control("Min(N, 2*(S - 1))", "as sparse as Theorem 4.2 has it"),
        Control("N - 1", "one place left empty"),
        Control("N/2", "half of the grid"),
    ),
    checks=(
        Check(
            name="positive masses",
            kind=Kind.CERTIFICATE,
            observe=observe_support,
            about="lower bounds of all masses from the duality gap",
        ),
    ),
)


def observe_kink(context: Context) -> Evidence:
    """The log-density at a parameter on the hinge of a datum and at equal steps to both sides along x̃_i."""
    from implicitbias.exact.enclosure import evaluate
    from implicitbias.exact.formula import parse

    from .observed.contact_sets import dot, lift
    from .observed.entropic_problems import Problem

    second = parse("(log(u) + log(d) - 2*log(m))/h", ("u", "d", "m", "h"))
    instances, gaps, strong = [], [], True
    for x, y, i, theta in (
        ([0], [Fraction(1)], 0, (Fraction(1), Fraction(0))),
        ([0, 1], [Fraction(-1, 2), Fraction(1, 2)], 1, (Fraction(1), Fraction(-1))),
        ([-2, 0, 2], [Fraction(1), Fraction(0), Fraction(1)], 2, (Fraction(-1, 2), Fraction(1))),
    ):
        points = tuple(lift((t,)) for t in x)
        normal = points[i]
        for h in (Fraction(1, 4), Fraction(1, 64)):
            for c in (Fraction(2), Fraction(-1)):
                three = [tuple(a + s * h * b for a, b in zip(theta, normal, strict=True)) for s in (0, 1, -1)]
                others = [
                    (Fraction(k), (Fraction(a), Fraction(b))) for k in (-1, 0, 1) for a in (-1, 1) for b in (0, 1)
                ]
                grid = (*((c, t) for t in three), *others)
                problem = Problem("", points, tuple(y), grid, Fraction(1, 10), Fraction(1, 5))
                solution = problem.solved()
                gaps.append(solution.gap)
                strong = strong and not solution.residuals[i].lower <= 0 <= solution.residuals[i].upper
                given: dict[str, Value] = {
                    "r": solution.residuals[i],
                    "c": c,
                    "X": dot(normal, normal),
                    "n": len(y),
                    "h": h,
                    "tau": problem.tau,
                    "lam": problem.lam,
                }
                values = dict(zip(("m", "u", "d"), solution.masses, strict=False))
                observed = evaluate(second, {**values, "h": h})
                instances.append(Instance(f"{len(y)} data, c = {c}, h = {h}", given, observed))
    return Evidence(
        instances=tuple(instances),
        premises=(
            Premise("duality gaps below 1e-100", max(gaps) < 1e-100, f"{max(gaps):.0e}"),
            Premise("the datum at the hinge is not met exactly", strong),
        ),
        steps=(Step("log-density at θ, θ + h x̃_i, θ - h x̃_i: the potential is smooth and contributes 2hτ|x̃_i|²/λ"),),
    )


KINK = Claim(
    id="dedios2020.equation_9_kinks",
    source=Source("dedios2020", "equation (9), smooth density"),
    title="The entropic density has kinks",
    statement=(
        "Across the wall θ·x̃_i = 0 the slope of the entropic minimiser's log-density along x̃_i jumps by -(f(x_i) - "
        "y_i)c|x̃_i|²/(nλ): for the ReLU and finitely many data the density is Lipschitz, not smooth, wherever a datum "
        "is not met exactly. (Observed as a second difference over h, to which a potential c² + |θ|² adds "
        "-2hτ|x̃_i|²/λ.)"
    ),
    latex=(
        r"\Delta_h^2\log\mu/h=-\frac{1}{\lambda}\Big(\frac{(f(x_i)-y_i)\,c\,|\tilde x_i|^2}{n}+2h\tau|\tilde "
        r"x_i|^2\Big)"
    ),
    hypotheses=("ReLU", "V = c² + |θ|²", "only datum i on the hinge within the step"),
    rests_on=("dedios2020.equation_9",),
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
    flaw=Flaw(
        printed="-2*h*tau*X/lam",
        word="imprecise wording",
        wrong="a smooth density has a second difference that vanishes with h; this one keeps the jump of its slope.",
        sure="certain",
        charitable="for smooth activations, as in [MMN18], the density is smooth; that it is positive is the point.",
    ),
    controls=(
        Control("-(r*c*X + 2*h*tau*X)/lam", "the mean over data forgotten"),
        Control("-(r*Abs(c)*X/n + 2*h*tau*X)/lam", "the sign of c forgotten"),
        Control("-(r*c*(X - 1)/n + 2*h*tau*X)/lam", "the bias forgotten"),
        Control("-(2*r*c*X/n + 2*h*tau*X)/lam", "the loss without its half"),
    ),
    checks=(
        Check(
            name="second differences at a hinge",
            kind=Kind.CERTIFICATE,
            observe=observe_kink,
            about="enclosed masses at three parameters across a wall, for two steps and both signs of c",
        ),
    ),
)


CLAIMS: tuple[Claim, ...] = (SUPPORT, KINK)
