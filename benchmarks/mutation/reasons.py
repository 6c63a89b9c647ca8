"""Why a mutant may survive: it equals the formula on the claim's domain, or differs in what the claim does not say.

Equality on `DOMAINS` is proved by the script; `REASONS` explain survivors that differ from the formula and yet show no
gap in the evidence.
"""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.mutation.trial import Case
from implicitbias.exact.formula import Assumption


@dataclass(frozen=True)
class Domain:
    """The hypotheses on a claim's symbols, in words and in free variables (default: the cases of the claim's proof)."""

    says: str
    cases: tuple[Case, ...] = ()


def _bends_only_alike() -> tuple[Case, ...]:
    """T >= |c - d|, split by order and signs: slopes of equal sign, one zero, opposite signs (T >= p + |p + e|)."""
    cases: list[Case] = []
    for sign in ("", "-"):
        for one, other in (("c", "d"), ("d", "c")):
            cases += [
                ({"p": "positive", "e": "nonnegative", "q": "nonnegative", "theta": "real"}, given)
                for given in (
                    {"T": "e + q", one: f"{sign}p", other: f"{sign}(p + e)", "theta": "theta"},
                    {"T": "e + q", one: "0", other: f"{sign}e", "theta": "theta"},
                    {"T": "2*p + e + q", one: f"-{sign}p" if sign else "-p", other: f"{sign}(p + e)", "theta": "theta"},
                )
            ]
    return tuple(cases)


def _right_of_the_first_point() -> tuple[Case, ...]:
    variables: dict[str, Assumption] = {"h": "positive", "k": "positive", "u": "nonnegative"}
    labels: dict[str, Assumption] = {"y_1": "real", "y_2": "real", "y_3": "real"}
    return ((variables | labels, {name: name for name in ("h", "k", *labels)} | {"x": "u - h"}),)


def _three_data() -> tuple[Case, ...]:
    """h >= 1; s below, at, between and above 0 and 1."""
    return tuple(
        ({"u": "nonnegative", "p": "positive", "q": "positive"}, {"h": "1 + u", "s": s})
        for s in ("-p", "0", "p/(p + q)", "1", "1 + p")
    )


def _counts(symbol: str) -> tuple[Case, ...]:
    """0, or at least 1."""
    return (({}, {symbol: "0"}), ({"p": "nonnegative integer"}, {symbol: "1 + p"}))


def _two(assumption: Assumption) -> dict[str, Assumption]:
    return {"p": assumption, "q": assumption}


DOMAINS: dict[str, Domain] = {
    "dedios2020.cells_count": Domain(
        "d is 1, 2, 3 or 4", tuple(({"n": "positive integer"}, {"n": "n", "d": d}) for d in "1234")
    ),
    "dedios2020.equation_20_three_data": Domain("h >= 1", _three_data()),
    "savarese2019.theorem_3_3": Domain("l_0 and l_N minimise (27)"),
    "savarese2019.equation_27_end_slopes": Domain("T >= |c - d|", _bends_only_alike()),
    "savarese2019.figure_2_tails": Domain(
        "three points with tails straight or flat: tents, hats, ramps and shelves",
        (
            (_two("nonnegative"), {"T": "p + q", "a": "p", "b": "-q", "l_0": "p", "l_N": "-q"}),
            (_two("real"), {"T": "Abs(p - q)", "a": "p", "b": "q", "l_0": "0", "l_N": "0"}),
            (_two("nonnegative"), {"T": "q", "a": "p", "b": "p + q", "l_0": "0", "l_N": "p + q"}),
            (_two("nonnegative"), {"T": "q", "a": "-p", "b": "-p - q", "l_0": "0", "l_N": "-p - q"}),
        ),
    ),
    "safran2022.theorem_3_2_mistakes": Domain(
        "m and L are whole numbers",
        tuple(
            ({"p": "nonnegative integer", "L": "nonnegative integer"}, {"L": "L", "m": m})
            for m in ("L + 1 + p", "L - p")
        ),
    ),
    "safran2022.regions_runs": Domain("s is a whole number", _counts("s")),
    "stewart2022.equation_16": Domain(
        "-1 <= c <= 1",
        tuple(
            (
                {"a": "real", "b": "real", "d": "real", "p": "positive", "q": "nonnegative"},
                {"a": "a", "b": "b", "d": "d", "c": c},
            )
            for c in ("-p/(p + q)", "0", "p/(p + q)")
        ),
    ),
    "stewart2022.after_equation_25": Domain("x >= x_{j_q}"),
    "jin2021.abstract_natural_spline": Domain("x >= -h", _right_of_the_first_point()),
    "jin2021.corollary_3": Domain("k is an integer", (({"w": "real", "k": "positive integer"}, {"w": "w", "k": "k"}),)),
    "jin2021.corollary_3_units": Domain(
        "k is an integer",
        tuple(
            ({"p": "positive", "k": "positive integer", "P": "real"}, {"w": w, "k": "k", "P": "P"})
            for w in ("p", "-p", "0")
        ),
    ),
    "jin2021.corollary_3_operator": Domain(
        "k is an integer",
        (({"A": "real", "B": "real", "k": "positive integer"}, {"A": "A", "B": "B", "k": "k"}),),
    ),
}

SHARPER = (
    "not refuted by these data, so it may be true as well: the constant that is claimed is the proof's, not the least"
)
UNSHARP = "not refuted: no known point comes near the paper's bound, as safran2022.regions_at_kkt_points proves"
TRIVIAL = "a weaker bound where the bound is positive; for wider networks than 4r/3 both are below 0, trivially true"
FREQUENCY = "an experiment: the interval that 60 data sets give for the probability holds it too"

REASONS: dict[tuple[str, str], str] = {
    # by claim and mutant; * stands for all mutants of the claim without a reason of their own
    ("savarese2019.corollary_3_4", "N"): "true as well, and attained: that is savarese2019.corollary_3_4_sharp",
    ("jin2021.linearisation_ntk", "sqrt(n0 / (2 * n))"): (
        "an experiment: twelve networks per width distinguish the rate from other rates, but not a factor 0.7 from 1"
    ),
    ("dedios2020.theorem_4_2", "S - 1"): SHARPER,
    ("dedios2020.theorem_4_2", "2 + (S - 1)"): SHARPER,
    ("dedios2020.figure_1_frequency", "2 / 4"): FREQUENCY,
    ("dedios2020.figure_1_frequency", "3 / 5"): FREQUENCY,
    ("safran2022.theorem_4_2", "*"): UNSHARP,
    ("safran2022.theorem_4_2_segment", "5"): (
        "not refuted, so it may be true as well: the claim is that 6 are enough, and its statement says that more than "
        "2 were never found"
    ),
    ("safran2022.theorem_2_3", "*"): UNSHARP,
    ("safran2022.regions_at_kkt_points", "*"): (
        "equal for s = 0, where the bound is attained; for more switches the claim is what the proof gives, and no "
        "known point comes near"
    ),
    ("safran2022.theorem_3_2", "(1 - 3 * a / 4) / 5"): TRIVIAL,
    ("safran2022.theorem_3_2", "(1 - (3 + a) / 4) / 4"): TRIVIAL,
    ("safran2022.corollary_5_1", "*"): (
        "not refuted: the claim is that 5430 serves, not that it is the least; the argument needs at most a fifth of it"
    ),
}
