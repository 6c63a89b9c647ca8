"""Equation (9): entropy in the place of the potential."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from implicitbias.check import Check, Context, Kind
from implicitbias.claim import Claim, Control, Flaw, Rule, Source
from implicitbias.evidence import Evidence, Instance, Premise, Step, Value
from implicitbias.exact.rational import Interval

if TYPE_CHECKING:
    from .observed.entropic import Entropic

Parameters = tuple[Fraction, tuple[Fraction, ...]]
"""(c, θ)."""


@dataclass(frozen=True)
class Problem:
    """Data, a grid of parameters, τ and λ; potential c² + |θ|²."""

    label: str
    points: tuple[tuple[Fraction, ...], ...]
    y: tuple[Fraction, ...]
    grid: tuple[Parameters, ...]
    tau: Fraction
    lam: Fraction

    @property
    def features(self) -> list[list[Fraction]]:
        from .observed.contact_sets import relu

        return [[c * relu(t, x) for c, t in self.grid] for x in self.points]

    @property
    def potential(self) -> list[Fraction]:
        from .observed.contact_sets import dot

        return [c * c + dot(t, t) for c, t in self.grid]

    def solved(self) -> Entropic:
        from .observed.entropic import entropic_minimiser

        return entropic_minimiser(self.features, self.y, self.potential, self.tau, self.lam)


def problems(small: bool) -> list[Problem]:
    """One, two and three data on the line; cold and warm."""
    from .observed.contact_sets import lift

    values = [Fraction(v) for v in ((-2, -1, 0, 1, 2) if small else range(-4, 5))]
    grid = tuple((c, (a, b)) for c in values for a in values[1:-1] for b in values[1:-1])
    data: list[tuple[str, list[int], list[Fraction]]] = [
        ("x = 0, y = 0", [0], [Fraction(0)]),
        ("x = 0, y = 1", [0], [Fraction(1)]),
        ("x = 0, 1", [0, 1], [Fraction(-1, 2), Fraction(1, 2)]),
        ("x = -2, 0, 2", [-2, 0, 2], [Fraction(1), Fraction(1, 2), Fraction(1)]),
    ]
    found = []
    for label, x, y in data:
        for lam in (Fraction(1, 2), Fraction(1, 20)):
            points = tuple(lift((t,)) for t in x)
            found.append(Problem(f"{label}, λ = {lam}", points, tuple(y), grid, Fraction(1, 10), lam))
    return found


def observe_density(context: Context) -> Evidence:
    """Masses of minimisers relative to that of the idle parameter (0, 0), against what the residuals predict."""
    from implicitbias.exact.enclosure import evaluate
    from implicitbias.expression import parse

    instances, gaps = [], []
    quotient = parse("m/o", ("m", "o"))
    for problem in problems(context.choose(True, False)):
        solution = problem.solved()
        gaps.append(solution.gap)
        idle = next(k for k, (c, t) in enumerate(problem.grid) if not c and not any(t))
        chosen = [k for k in range(len(problem.grid)) if k % 7 == 0 or k == idle]
        for k in chosen:
            features = [row[k] for row in problem.features]
            pull = _combined(features, solution.residuals, len(problem.y))
            given: dict[str, Value] = {
                "P": pull,
                "W": problem.potential[k],
                "tau": problem.tau,
                "lam": problem.lam,
                "n": len(problem.y),
            }
            ratio = evaluate(quotient, {"m": solution.masses[k], "o": solution.masses[idle]})
            instances.append(Instance(f"{problem.label}, (c, θ) = {_shown(problem.grid[k])}", given, ratio))
    return Evidence(
        instances=tuple(instances),
        premises=(Premise("duality gaps below 1e-100", max(gaps) < 1e-100, f"{max(gaps):.0e}"),),
        steps=(
            Step("any dual point bounds the minimum from below, and the gap bounds KL(μ, μ*): masses to forty digits"),
            Step("stationarity on the simplex", "log μ + (P + τV)/λ = constant"),
        ),
    )


def _combined(features: list[Fraction], residuals: tuple[Interval, ...], n: int) -> Interval:
    """(1/n) Σ residual_i·φ_i."""
    ends = [sorted((f * r.lower, f * r.upper)) for f, r in zip(features, residuals, strict=True)]
    return Interval(sum((low for low, _ in ends), Fraction(0)) / n, sum((high for _, high in ends), Fraction(0)) / n)


def _shown(at: Parameters) -> str:
    return f"({at[0]}, {', '.join(map(str, at[1]))})"


DENSITY = Claim(
    id="dedios2020.equation_9",
    source=Source("dedios2020", "equation (9)"),
    title="Entropic minimisers have positive density everywhere",
    statement=(
        "With the loss ½(·)², a confining potential τV and Shannon's entropy, the minimiser's density at θ relative to "
        "that at an idle neuron of potential 0 is exp(-(P + τV)/λ), P = (1/n) Σ (f(x_i) - y_i) φ(θ, x_i): positive at "
        "every parameter. So entropic minimisers are not sparse, as the paper says."
    ),
    latex=(
        r"\frac{\mu(\theta)}{\mu(0)}=\exp\Big(-\frac{P(\theta)+\tau V(\theta)}{\lambda}\Big),\quad "
        r"P=\frac1n\sum_i(f(x_i)-y_i)\phi(\theta,x_i)"
    ),
    hypotheses=("ℓ = ½(x-y)²", "confined by τV, τ > 0", "a grid of parameters"),
    formula="exp(-(P + tau*W)/lam)",
    symbols={
        "P": "(1/n) Σ (f(x_i) - y_i) φ(θ, x_i)",
        "W": "V(θ)",
        "tau": "τ",
        "lam": "λ",
        "n": "number of data",
    },
    controls=(
        Control("Max(0, 1 - (P + tau*W)/lam)", "a density that vanishes where the exponent is large"),
        Control("exp(-P/lam)", "the potential forgotten"),
        Control("exp(-tau*W/lam)", "the data forgotten"),
        Control("exp(-(P + tau*W)/(2*lam))", "half the exponent"),
        Control("exp(-(n*P + tau*W)/lam)", "the sum of losses instead of their mean"),
    ),
    checks=(
        Check(
            name="masses enclosed by a duality gap",
            kind=Kind.CERTIFICATE,
            observe=observe_density,
            about="convex problems on grids of parameters, solved in ball arithmetic; masses against the closed form",
        ),
    ),
)


def observe_support(context: Context) -> Evidence:
    """How many parameters of the grid have positive mass, certified."""
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
    from implicitbias.expression import parse

    from .observed.contact_sets import dot, lift

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
        "Across the wall θ·x̃_i = 0 the slope of the entropic minimiser's log-density along x̃_i jumps by "
        "-(f(x_i) - y_i)c|x̃_i|²/(nλ): for the ReLU and finitely many data the density is Lipschitz, not smooth, "
        "wherever a datum is not met exactly. (Observed as a second difference over h, to which a potential c² + |θ|² "
        "adds -2hτ|x̃_i|²/λ.)"
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


def observe_existence(context: Context) -> Evidence:
    """The objective along uniform laws of c on [-s, s], s = 2, 4, 8, …, θ uniform on a unit box: f is 0."""
    from implicitbias.exact.enclosure import enclose

    instances = []
    for tau in (Fraction(0), Fraction(1, 100), Fraction(1)):
        for lam in (Fraction(1, 10), Fraction(1), Fraction(5)):
            values = [
                enclose("R + tau*s**2/3 - lam*log(2*s)", R=Fraction(1, 2), tau=tau, lam=lam, s=Fraction(2**k))
                for k in range(1, context.choose(40, 200))
            ]
            steps = [_upper(b) - _lower(a) for a, b in pairwise(values)]
            # falls for ever if every doubling lowers it by the same, rises in the end if confined
            for_ever = all(step < -lam * Fraction(69, 100) for step in steps)
            rises = steps[-1] > 0
            if for_ever == rises:
                raise ArithmeticError("neither falling by a fixed amount for ever nor rising in the end")
            given: dict[str, Value] = {"tau": tau, "lam": lam}
            instances.append(Instance(f"τ = {tau}, λ = {lam}", given, "no minimum" if for_ever else "bounded"))
    return Evidence(
        instances=tuple(instances),
        steps=(
            Step("c symmetric and independent of θ: f_μ = 0, so the loss is constant along the family"),
            Step("the entropy of the uniform law", "H = log(2s) → ∞"),
            Step("with V = c² + |θ|² it is bounded below on all laws (Gibbs)", "τ⟨V,μ⟩ - λH ≥ -λ((d+2)/2) log(πλ/τ)"),
            Step("without a potential the objective falls by λ log 2 at every doubling of s; E c² = s²/3 stops it"),
        ),
    )


def _lower(value: Fraction | Interval) -> Fraction:
    return value.lower if isinstance(value, Interval) else value


def _upper(value: Fraction | Interval) -> Fraction:
    return value.upper if isinstance(value, Interval) else value


def _confined(given: Mapping[str, Value]) -> Value:
    return "bounded" if given["tau"] else "no minimum"


EXISTENCE = Claim(
    id="dedios2020.equation_9_existence",
    source=Source("dedios2020", "equation (9)"),
    title="The entropic problem needs confinement",
    statement=(
        "As printed, with the loss and -λH alone on Θ = R^{d+2}, (9) has no minimiser: spreading c over [-s, s], "
        "independently of θ, leaves f = 0 and lets the entropy log(2s) grow without bound. A potential τV, as [MMN18] "
        "has it, stops this. (If H is the relative entropy, which is not negative, the sign of its term is wrong too.)"
    ),
    latex=(
        r"\inf_\mu R(\mu)-\lambda\mathcal H(\mu)=-\infty\ \text{on}\ \mathbb R^{d+2};\quad+\tau\langle V,\mu\rangle\ "
        r"\text{bounds it}"
    ),
    formula=Rule("confined", "bounded below exactly with a potential τ > 0", _confined),
    flaw=Flaw(
        printed=Rule("always", "a minimiser exists as (9) is printed", lambda given: "bounded"),
        word="missing hypothesis",
        wrong="(9) has no confining term, and its objective is not bounded below.",
        sure="certain",
        charitable="the sentence reports [MMN18], where a quadratic potential confines the parameters.",
    ),
    controls=(
        Control(Rule("never", "never bounded below", lambda given: "no minimum"), "the entropy always wins"),
        Control(
            Rule("small λ", "bounded below for λ < 1", lambda g: "bounded" if g["lam"] < 1 else "no minimum"),  # type: ignore[operator]
            "the loss holds a small entropy",
        ),
    ),
    checks=(
        Check(
            name="uniform laws that spread",
            kind=Kind.CERTIFICATE,
            observe=observe_existence,
            about="the objective enclosed along a family of laws with f = 0, with and without a potential",
        ),
    ),
)

CLAIMS: tuple[Claim, ...] = (EXISTENCE, DENSITY, SUPPORT, KINK)
