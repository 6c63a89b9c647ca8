"""Footnote 4: is the minimum of (10) attained?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from implicitbias.claims import (
    Context,
    Derivation,
    Flaw,
    Observation,
    Premise,
    Rule,
    Value,
    certificate,
    claim,
    proof,
    seen,
)


@dataclass(frozen=True)
class Loss:
    """ℓ(z) for the label +1 with its infimum (None: −∞), and its properties as the literature states them."""

    name: str
    formula: str
    infimum: int | None
    lower_semicontinuous: bool = True
    convex: bool = True
    coercive: bool = True
    falls_for_ever: bool = False


LOSSES = (
    Loss("squared", "(z - 1)**2", 0),
    Loss("absolute", "Abs(z - 1)", 0),
    Loss("hinge", "Max(0, 1 - z)", 0, coercive=False),
    Loss("squared hinge", "Max(0, 1 - z)**2", 0, coercive=False),
    Loss("truncated squared", "Min((z - 1)**2, 1)", 0, convex=False, coercive=False),
    Loss("miss or hit", "Abs(sign(z - 1))", 0, convex=False, coercive=False),
    Loss("logistic", "log(1 + exp(-z))", 0, coercive=False, falls_for_ever=True),
    Loss("exponential", "exp(-z)", 0, coercive=False, falls_for_ever=True),
    Loss("sigmoid", "1/(1 + exp(z))", 0, convex=False, coercive=False, falls_for_ever=True),
    Loss("linear", "-z", None, coercive=False, falls_for_ever=True),
    Loss("absolute, spoilt at 1", "Abs(z - 1) + 1 - Abs(sign(z - 1))", 0, lower_semicontinuous=False, convex=False),
)


@certificate("losses of constants")
def constants(context: Context) -> Observation:
    """11 losses: an exact minimiser, or enclosures above the infimum that come as near as one likes. Whether any value
    attains the infimum of N losses with all labels +1, along which constants move at no cost.

    Constants cost nothing, so the infimum of (10) is N inf ℓ, and a minimiser must attain inf ℓ at every data point.
    """
    from implicitbias.exact.enclosure import Comparison, compare, enclose

    tried = [Fraction(n, 4) for n in range(-40, 41)] + [1 + Fraction(1, 2**j) for j in range(60)]
    tried += [Fraction(2**j) for j in range(10)]
    approached = True
    for loss in LOSSES:
        values = [enclose(loss.formula, z=z) for z in tried]
        if loss.infimum is None:
            attained = False
            approached = approached and compare(enclose(loss.formula, z=2**200), -(2**199)) is Comparison.LESS
        else:
            attained = any(compare(v, loss.infimum) is Comparison.EQUAL for v in values)
            above = loss.infimum + Fraction(1, 2**50)
            near = any(compare(v, above) is Comparison.LESS for v in values)
            approached = approached and near and all(compare(v, loss.infimum) is not Comparison.LESS for v in values)
        for count in (1, 3):
            yield seen(
                attained,
                f"{loss.name} loss {loss.formula}, {count} labels +1",
                loss=loss.name,
                formula=loss.formula,
                points=count,
                **{"lower semi-continuous": loss.lower_semicontinuous},
                convex=loss.convex,
                coercive=loss.coercive,
                **{"bounded below": loss.infimum is not None, "falls for ever": loss.falls_for_ever},
            )
    yield Premise("constants come as near as 2⁻⁵⁰ to each infimum (or below −2¹⁹⁹), never below it", approached)


@certificate("bracketed slope")
def search_both_labels(context: Context) -> Observation:
    """Ternary search with enclosures at eight λ. The slope of a minimiser for logistic loss on (0, −1), (1, +1),
    bracketed by convexity: f(x) = l(x−½), R = l.
    """
    from implicitbias.exact.enclosure import enclose
    from implicitbias.exact.rational import Interval

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
    """Both sides of λ = ½. Stationary slope where λ < ½; where λ >= ½ the objective grows from slope 0 on."""
    import sympy

    from implicitbias.exact.symbolic import from_sympy

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
        from_sympy(2 * sympy.log(sympy.simplify(below))),
        "λ below ½: λ = 1/(2+ratio)",
        over={"ratio": "positive"},
        lam="1/(2 + ratio)",
    )
    d.concludes("0", "λ at ½ or above: the constant", over={"more": "nonnegative"}, lam="1/2 + more")
    d.nonnegative("λ = ½ + more: the derivative at slope 0", sympy.Rational(1, 2) + more - sympy.Rational(1, 2))


def _lsc_and_held(given: Mapping[str, Value]) -> bool:
    return bool(given["lower semi-continuous"]) and not given["falls for ever"]


def _property(name: str) -> Any:
    def predict(given: Mapping[str, Value]) -> bool:
        return bool(given[name])

    return predict


FOOTNOTE_4 = claim(
    "savarese2019.footnote_4",
    "footnote 4 and the end of Corollary 3.4",
    "When the minimum of (10) is attained",
    """Lower semi-continuity of the loss is not enough for a minimiser of (10). Constants cost nothing, so with all
    labels equal the infimum is that of the loss over constants: the logistic loss with labels +1 falls to 0 as f = c →
    ∞ and is never 0. It is enough that in addition c ↦ Σℓ(c+zₙ,yₙ) does not fall for ever, in particular that it is
    coercive.""",
    part_of="savarese2019.equation_10",
    latex=r"""\min_\theta\textstyle\sum_n\ell(h_\theta(x_n),y_n)+\lambda C(\theta)\ \text{attained if}\
    c\mapsto\sum_n\ell(c+z_n,y_n)\ \text{is coercive}""",
    hypotheses=("all labels equal to +1 (with both labels present: savarese2019.footnote_4_both_labels)", "λ > 0"),
    formula=Rule(
        "semi-continuous and held",
        "attained exactly when ℓ is lower semi-continuous and does not fall for ever",
        _lsc_and_held,
    ),
    flaw=Flaw(
        printed=Rule(
            "semi-continuous", "attained for every lower semi-continuous loss", _property("lower semi-continuous")
        ),
        word="missing hypothesis",
        wrong="""Lower semi-continuity is called all that is needed for the minimum to be attained. The logistic and the
        exponential loss are continuous, and with all labels equal no minimiser exists.""",
        sure="certain",
        charitable="""True for losses that are coercive along constants, such as the squared loss of the experiments,
        and for the logistic loss as soon as both labels occur; without it, read minimum as infimum.""",
    ),
    controls={
        Rule(
            "coercive", "attained exactly for coercive losses", _property("coercive")
        ): "sufficient with semi-continuity, neither necessary nor enough alone",
        Rule("convex", "attained exactly for convex losses", _property("convex")): "convexity is about values",
        Rule(
            "bounded below", "attained exactly for losses bounded below", _property("bounded below")
        ): "there is an infimum, not a minimum",
    },
    checks=(constants,),
    rests_on=("savarese2019.section_2_scaling",),
)


BOTH_LABELS = claim(
    "savarese2019.footnote_4_both_labels",
    "beside footnote 4",
    "With both labels the logistic minimum is attained",
    """For the logistic loss on (0, −1), (1, +1) the minimum of (10) is attained: by a line between the points of slope
    2 log(1/λ − 1) if λ < ½, by the constant 0 otherwise. Proof: R(f) is at least the difference l of the two values;
    for given l the loss is least where the values are ±l/2; the rest is a convex function of l.""",
    part_of="savarese2019.equation_10",
    latex=r"f(1)-f(0)=\max\big(0,2\log(1/\lambda-1)\big)",
    hypotheses=("two points one apart with labels −1, +1", "λ > 0"),
    formula="2*log(Max(1, 1/lam - 1))",
    symbols={"lam": "λ, the penalty"},
    controls={
        "2*log(1 + 1/lam)": "the sign in the logarithm",
        "log(Max(1, 1/lam - 1))": "the margin of one point only",
        "Max(0, 1/lam - 2)": "to first order at λ = ½",
    },
    checks=(search_both_labels, both_labels),
    rests_on=("savarese2019.footnote_4",),
    own=True,
)
