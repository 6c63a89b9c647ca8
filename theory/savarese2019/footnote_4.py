"""Footnote 4 and the end of Corollary 3.4: when the regularised problem has a minimum."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from implicitbias.claims import Context, Derivation, Flaw, Observation, Step, Value, certificate, claim, proof, seen
from implicitbias.exact.rational import Interval

from ..observed.cheapest.attainment import cases
from ..observed.functions.loss_shape import Shape, shape
from . import errata


@dataclass(frozen=True)
class Loss:
    """ℓ(z) for the label +1; `shift`: a step by which it falls from every z, where roots do not find its minimum."""

    name: str
    formula: str
    shift: str = ""


LOSSES = (
    Loss("squared", "(z - 1)**2"),
    Loss("absolute", "Abs(z - 1)"),
    Loss("hinge", "Max(0, 1 - z)"),
    Loss("squared hinge", "Max(0, 1 - z)**2"),
    Loss("truncated squared", "Min((z - 1)**2, 1)"),
    Loss("two wells", "(z**2 - 1)**2"),
    Loss("Cauchy's redescending", "(z - 1)**2/(1 + (z - 1)**2)"),
    Loss("miss or hit", "Abs(sign(z - 1))"),
    Loss("logistic", "log(1 + exp(-z))"),
    Loss("exponential", "exp(-z)"),
    Loss("sigmoid", "1/(1 + exp(z))"),
    Loss("linear", "-z"),
    Loss("absolute, spoilt at 1", "Abs(z - 1) + 1 - Abs(sign(z - 1))"),
    Loss("squared, lowered beside 5", "(z - 1)**2 + 1 - Abs(sign(z - 5))"),
    Loss("exponential, spoilt at 1", "exp(-z) + 1 - Abs(sign(z - 1))"),
    Loss("sigmoid, spoilt at 1", "1/(1 + exp(z)) + 1 - Abs(sign(z - 1))"),
    Loss("linear, spoilt at 1", "-z + 1 - Abs(sign(z - 1))"),
    Loss("roof", "-Abs(z - 1)"),
    Loss("a well without a bottom", "z**2 - 1/(Abs(z) + 1 - Abs(sign(z)))"),
    Loss("an exponential with waves", "exp(-z)*(1/10 + 2*sin(z/2 + pi/4)**2)", "2*pi"),
)


def drawn(draw: random.Random, count: int) -> Iterator[Loss]:
    """Sums of two or three terms: bowls, wedges, ramps, plateaus, and jumps up and down at a point."""
    terms = (
        "{c}*(z - {p})**2",
        "{c}*Abs(z - {p})",
        "{c}*Max(0, {p} - z)",
        "{c}*Max(0, z - {p})",
        "{c}*Min((z - {p})**2, 1)",
        "-{c}*Abs(sign(z - {p}))",
        "{c}*Abs(sign(z - {p}))",
        "{c}*(sign(z - {p}) - z)",
    )
    for i in range(count):
        parts = [
            term.format(c=draw.randint(1, 4), p=draw.randint(-3, 3)) for term in draw.sample(terms, draw.choice([2, 3]))
        ]
        yield Loss(f"drawn {i}", " + ".join(parts).replace("+ -", "- "))


@certificate("losses of constants")
def constants(context: Context) -> Observation:
    """Whether the minimum of (10) is attained with all labels +1, for losses by hand and drawn at random.

    Constants cost nothing and no cost is negative: the infimum of (10) is that of N ℓ over constants, and a minimiser
    must attain inf ℓ at every data point: it is attained if and only if ℓ attains its infimum.
    """
    for loss in (*LOSSES, *drawn(context.random(), context.choose(16, 300))):
        found = shape(loss.formula, loss.shift)
        yield seen(int(found.attained), f"{loss.name} loss, labels +1", relation=">=", **_flags(found, loss.formula))


def _flags(found: Shape, formula: str) -> dict[str, Value]:
    return {
        "m": int(found.bounded),
        "v": int(found.convex),
        "l": int(found.lower_semicontinuous),
        "c": int(found.coercive),
        "formula": formula,
    }


@certificate("bracketed slope")
def search_both_labels(context: Context) -> Observation:
    """The slope of a minimiser for the logistic loss on (0, −1), (1, +1) at eight λ, bracketed by convexity: f(x) =
    l(x−½), R = l.
    """
    from implicitbias.exact.enclosure import enclose

    for lam in (
        Fraction(1, 1000),
        Fraction(1, 100),
        Fraction(1, 10),
        Fraction(1, 3),
        Fraction(2, 5),
        Fraction(1, 2),
        Fraction(3, 4),
        2,
    ):

        def objective(slope: Fraction, lam: Fraction | int = lam) -> Fraction:
            value = enclose(f"2*log(1 + exp(-{slope}/2)) + {Fraction(lam)}*{slope}", bits=400)
            return value.lower if isinstance(value, Interval) else value

        left, right = Fraction(0), Fraction(64)
        for _ in range(90):
            third = (right - left) / 3
            low, high = left + third, right - third
            low, high = (Fraction(round(z * 2**80), 2**80) for z in (low, high))
            left, right = (left, high) if objective(low) <= objective(high) else (low, right)
        margin = Fraction(1, 10**9)
        yield seen(Interval(max(left - margin, Fraction(0)), right + margin), lam=lam)


@proof("stationary slope")
def both_labels(d: Derivation) -> None:
    """The stationary slope if λ < ½; if λ >= ½ the objective increases from slope 0 on."""
    import sympy

    lam, more, slope, half, ratio = d.symbols(
        lam="positive", more="nonnegative", slope="positive", half="positive", ratio="positive"
    )
    d.step(
        "R(f) >= |f(1)−f(0)|, and the loss is least for given difference l where f = l(x−½), by convexity and symmetry"
    )
    objective = 2 * sympy.log(1 + sympy.exp(-slope / 2)) + lam * slope
    d.step("objective", f"{objective}")
    derivative = sympy.diff(objective, slope)
    d.identity("its derivative", derivative, lam - 1 / (1 + sympy.exp(slope / 2)))
    (stationary,) = sympy.solve(sympy.Eq(lam, 1 / (1 + half)), half)
    d.step("increasing in l, zero where exp(l/2) = 1/λ − 1, which is above 1 exactly for λ < ½")
    below = sympy.expand(stationary.subs(lam, 1 / (2 + ratio)))
    d.concludes(
        2 * sympy.log(sympy.simplify(below)),
        "λ below ½: λ = 1/(2+ratio)",
        over={"ratio": "positive"},
        lam="1/(2 + ratio)",
    )
    d.concludes("0", "λ at ½ or above: the constant", over={"more": "nonnegative"}, lam="1/2 + more")
    d.nonnegative("λ = ½ + more: the derivative at slope 0", sympy.Rational(1, 2) + more - sympy.Rational(1, 2))


@certificate("networks for different labels")
def attainment(context: Context) -> Observation:
    """Whether the minimum of (28) is attained, sought among networks where labels differ (a minimiser with its dual
    vector), and among constants where all labels are +1.
    """
    for case in cases():
        flags = _flags(shape(case.constants), case.constants)
        yield seen(int(case.attained), f"{case.loss}, {case.labels}", relation=">=", **flags)
        yield Step(f"{case.loss}, {case.labels}: {case.why}")
    for loss in LOSSES:
        found = shape(loss.formula, loss.shift)
        if not found.attained:
            yield seen(0, f"{loss.name} loss, labels +1", relation=">=", **_flags(found, loss.formula))
    yield Step(
        "R(z), the least cost of a network with the values z at the data, is continuous in z and attained; so "
        "(28) is the minimum of Σ ℓ(z_n, y_n) + λ R(z) over z, lower semi-continuous in z"
    )
    yield Step(
        "a network of cost C has |h(x_n) - h(x_m)| <= C |x_n - x_m|: where the objective is bounded, z is a constant "
        "plus something bounded, and by coercivity the constant is bounded too; so the minimum is over a compact set"
    )


FOOTNOTE_4 = claim(
    "savarese2019.footnote_4",
    "footnote 4 and the end of Corollary 3.4",
    "When the regularised problem has a minimum",
    """(10), and so (28), has a global minimum for lower semi-continuous losses such that Σ_n ℓ(c + z_n, y_n) → ∞ as |c|
    → ∞, for bounded z. This suffices and is not necessary: a minimum may exist without either. Lower semi-continuity
    alone does not suffice: constants cost nothing, so the output bias can run away. With all labels equal the infimum
    is that of the loss over constants, and the logistic loss with labels +1 falls to 0 as f = c → ∞ and is never 0.""",
    part_of="savarese2019.equation_10",
    latex=r"""\min_\theta\textstyle\sum_n\ell(h_\theta(x_n),y_n)+\lambda C(\theta)\ \text{attained if}\ \ell\ \text{is
    lower semi-continuous and}\ c\mapsto\sum_n\ell(c+z_n,y_n)\ \text{is coercive}""",
    hypotheses=("λ > 0", "real losses: convex ones are continuous", "1 promises a minimum, 0 promises nothing"),
    domain=("m >= l*c", "l >= v", *(f"{flag} {end}" for flag in "mvlc" for end in (">= 0", "<= 1"))),
    formula="l*c",
    symbols={
        "m": "1 if the loss is bounded below, else 0",
        "v": "1 if the loss is convex, else 0",
        "l": "1 if the loss is lower semi-continuous, else 0",
        "c": "1 if Σ_n ℓ(c + ·, y_n) → ∞ as c → ±∞, else 0",
    },
    flaw=Flaw(errata.ATTAINED, "l"),
    controls={
        "m": "a loss that is bounded below suffices",
        "v": "a convex loss suffices",
        "m*v": "a convex loss bounded below suffices",
        "c": "coercive losses have a minimum, whether they jump or not",
        "l*m": "lower semi-continuous and bounded below",
    },
    checks=(attainment, constants),
    rests_on=("savarese2019.section_2_scaling",),
    formerly=("savarese2019.corollary_3_4_attainment",),
)


BOTH_LABELS = claim(
    "savarese2019.footnote_4_both_labels",
    "beside footnote 4",
    "The logistic minimum with both labels",
    """For the logistic loss on (0, −1), (1, +1) the minimum of (10) is attained: by a line between the points of slope
    2 log(1/λ − 1) if λ < ½, by the constant 0 otherwise. Proof: R(f) is at least the difference l of the two values;
    for given l the loss is least where the values are ±l/2; the rest is a convex function of l.""",
    part_of="savarese2019.equation_10",
    latex=r"f(1)-f(0)=2\log\max(1,\,1/\lambda-1)",
    hypotheses=("two points one apart with labels −1, +1", "λ > 0"),
    formula="2*log(Max(1, 1/lam - 1))",
    symbols={"lam": "λ, the penalty"},
    controls={
        "2*log(1 + 1/lam)": "the sign in the logarithm lost",
        "log(Max(1, 1/lam - 1))": "the margin of one point only",
        "Max(0, 1/lam - 2)": "to first order at λ = ½",
    },
    checks=(search_both_labels, both_labels),
    rests_on=("savarese2019.footnote_4",),
    own=True,
)
