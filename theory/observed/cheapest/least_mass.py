"""Programme (20) of savarese2019 as a definition with its witness: the least mass with a given second derivative."""

from __future__ import annotations

from implicitbias.exact.formula import Assumption
from implicitbias.theorems.rules.sequences.programme import MeasureProgramme

REGIMES: dict[str, tuple[dict[str, Assumption], tuple[str, ...]]] = {
    "|s| <= T": ({"T": "positive", "s": "real"}, ("s <= T", "s >= -T")),
    "s >= T": ({"T": "nonnegative", "s": "real"}, ("s >= T",)),
    "s <= -T": ({"T": "nonnegative", "s": "real"}, ("s <= -T",)),
}
"""The regimes of programme (20): the domains of T and s, and what holds there. T = 0 is in the last two."""


def programme_20(regime: str, T: str = "T", s: str = "s") -> MeasureProgramme:
    """(20): the least mass of α(1,·) = u and α(-1,·) = k - u, which add up to f″ = k, with ∫u - ∫(k - u) = s; T = ∫|k|.

    Where |s| < T all thresholds share s in proportion to |f″|; else every threshold has one orientation alone, and
    what is still missing is put at one more place.
    """
    inside = regime == "|s| <= T"
    sign = "0" if inside else "1" if regime == "s >= T" else "-1"
    share = f"{s}/{T}" if inside else sign
    return MeasureProgramme(
        cost="path_cost(u, 1) + path_cost(k - u, -1)",
        free={"u": "real"},
        wanted={s: "u - (k - u)"},
        given={"k": "real"},
        known={T: "Abs(k)"},
        spare={"k": "0"},
        plan={"u": f"(k + {share}*Abs(k))/2"},
        by={s: {T: share}},
        added=() if inside else ({"u": f"({s} - {sign}*{T})/2"},),
        multipliers={s: sign},
        worth={T: "1" if inside else "0"},
    )
