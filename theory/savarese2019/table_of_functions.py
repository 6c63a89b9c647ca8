"""Costs of common functions, enclosed in ball arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from implicitbias.claims import Context, Measured, Observation, Premise, Rule, Value, certificate, claim, seen

DIGITS = 9
INFINITE = "infinite"

SELU = "1.0507009873554805*(Max(x,0)+1.6732632423543772*Min(exp(x)-1,0))"
FORMULAS: dict[str, str] = {
    "line": "x",
    "ReLU": "Max(x,0)",
    "leaky ReLU": "Max(x,x/10)",
    "hard tanh": "Max(-1,Min(x,1))",
    "hat": "Max(0,1-Abs(x))",
    "softplus": "log(1+exp(x))",
    "ELU": "Max(x,0)+Min(exp(x)-1,0)",
    "SELU": SELU,
    "SiLU": "x/(1+exp(-x))",
    "GELU": "x*(1+erf(x/sqrt(2)))/2",
    "Mish": "x*tanh(log(1+exp(x)))",
    "tanh": "tanh(x)",
    "softsign": "x/(1+Abs(x))",
    "logistic sigmoid": "1/(1+exp(-x))",
    "error function": "erf(x)",
    "log cosh": "log(cosh(x))",
    "two-sided exponential": "exp(-Abs(x))",
    "log(1 + x²)": "log(1+x**2)",
    "bell curve": "exp(-x**2/2)",
    "Lorentz curve": "1/(1+x**2)",
    "square root of 1 + x²": "sqrt(1+x**2)",
    "square": "x**2",
    "exponential": "exp(x)",
    "sine": "sin(x)",
    "square root of |x|": "sqrt(Abs(x))",
}
COSTS: dict[str, str] = {
    "line": "2",
    "ReLU": "1",
    "leaky ReLU": "1.1",
    "hard tanh": "2",
    "hat": "4",
    "softplus": "1",
    "ELU": "1",
    "SELU": "2.465497694",
    "SiLU": "1.399357281",
    "GELU": "1.515616581",
    "Mish": "1.402048567",
    "tanh": "2",
    "softsign": "2",
    "logistic sigmoid": "0.5",
    "error function": "2.256758334",
    "log cosh": "2",
    "two-sided exponential": "4",
    "log(1 + x²)": "4",
    "bell curve": "2.426122639",
    "Lorentz curve": "2.598076211",
    "square root of 1 + x²": "2",
    "square": INFINITE,
    "exponential": INFINITE,
    "sine": INFINITE,
    "square root of |x|": INFINITE,
}


@certificate("enclosures of T and s")
def costs_in_balls(context: Context) -> Observation:
    """max(T, |s|) of each formula, the turning points of f' and its limits enclosed: nine digits, or infinite."""
    from implicitbias.exact.enclosure import enclose, lower, upper
    from implicitbias.functions.representation_cost import representation_cost

    instances = []
    for name, formula in FORMULAS.items():
        found = representation_cost(formula)
        yield Premise(f"{name}: decided", found.status != "undecided", found.reason)
        if found.total_variation is None or found.end_slope_sum is None:
            observed = INFINITE if found.status == "infinite" else "undecided"
        else:
            cost = enclose("Max(T, Abs(s))", T=found.total_variation, s=found.end_slope_sum)
            ends = {_decimal(lower(cost)), _decimal(upper(cost))}
            yield Premise(f"{name}: {DIGITS} digits", len(ends) == 1, " or ".join(sorted(ends)))
            observed = min(ends)
        instances.append(seen(observed, name, function=name, f=formula))
    yield from instances
    yield Measured("functions", len(instances))


def _decimal(number: Fraction) -> str:
    whole, rest = divmod(round(number * 10**DIGITS), 10**DIGITS)
    return f"{whole}.{rest:0{DIGITS}d}".rstrip("0").rstrip(".")


def _table(changes: Mapping[str, str]) -> Callable[[Mapping[str, Value]], Value]:
    table = {**COSTS, **changes}
    return lambda given: table[str(given["function"])]


RECTIFIERS = ("SiLU", "GELU", "Mish", "SELU")

TABLE = claim(
    "savarese2019.table_of_functions",
    "beside Theorem 3.1",
    "Costs of common functions",
    """x costs 2, ReLU, softplus and ELU 1, leaky ReLU (1/10) 1.1, SELU 2.465497694, SiLU 1.399357281, GELU 1.515616581,
    Mish 1.402048567, tanh, hard tanh, softsign and log cosh 2, the logistic sigmoid ½, erf 2.256758334, the hat,
    e^{-|x|} and log(1 + x²) 4, e^{-x²/2} 2.426122639, 1/(1 + x²) 2.598076211, √(1 + x²) 2; x², eˣ, sin x and √|x|
    cannot be approached at bounded cost.""",
    part_of="savarese2019.theorem_3_1",
    latex=r"\bar R(f)=\max\Big(\int|f^{\prime\prime}|,\ |f^\prime(-\infty)+f^\prime(+\infty)|\Big)",
    hypotheses=("the cost is that of (8), or of (6) with the weight 1/(1 + |x|): log(1 + x²) has no asymptotes",),
    formula=Rule("the table", "the costs listed in the statement", _table({})),
    controls={
        Rule("variation alone", "∫|f''| alone", _table({"line": "0", "leaky ReLU": "0.9"})): "end slopes free",
        Rule(
            "rectifiers as the ReLU", "SiLU, GELU, Mish, SELU cost 1", _table(dict.fromkeys(RECTIFIERS, "1"))
        ): "their end slopes are nearly those of a ReLU",
        Rule("bounded functions", "sin costs 4", _table({"sine": "4"})): "one period of the sine, the rest forgotten",
        Rule(
            "variation and end slopes", "T + |s|", _table({"ReLU": "2", "softplus": "2", "ELU": "2"})
        ): "a sum instead of the maximum",
    },
    checks=(costs_in_balls,),
    rests_on=("savarese2019.theorem_3_1",),
    formerly=(
        "savarese2019.bell_curve",
        "savarese2019.lorentz_curve",
        "savarese2019.gelu",
        "savarese2019.convex_functions",
        "savarese2019.sigmoids",
    ),
    own=True,
)
