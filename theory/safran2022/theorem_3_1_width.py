"""After Theorem 3.1: how the width it asks for grows with the teacher's width."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Derivation, Observation, certificate, claim, proof, seen


@proof("the width of (3)")
def derive_width(d: Derivation) -> None:
    """(3) at the largest ρ that s evenly spaced switches leave."""
    from implicitbias.exact.formula import Assumption
    from implicitbias.exact.symbolic import from_sympy, symbol, to_sympy

    domain: dict[str, Assumption] = dict.fromkeys(("R", "s", "r", "delta"), "positive")
    (rho,) = d.symbols(rho="positive")
    printed = to_sympy("6144*R**4*log(24*r/delta)/rho", {**domain, "rho": "positive"})
    spaced = printed.subs(rho, to_sympy("2*R/(s + 1)", domain))
    d.step("s evenly spaced switches leave s + 1 intervals", "ρ = 2R/(s + 1)")
    once = spaced.subs(symbol("s", "positive"), 0)
    d.identity("no switch, one interval", once * 2 * symbol("R", "positive"), printed * rho)
    d.concludes(from_sympy(spaced), "all settings", over=domain, R="R", s="s", r="r", delta="delta")


@certificate("teachers with evenly spaced switches")
def observe_width(context: Context) -> Observation:
    """Teachers with evenly spaced switches: ρ by their exact signs, then the width of (3)."""
    from implicitbias.exact.enclosure import enclose

    from ..observed.data.targets import constant_intervals, network_for

    for r in (1, 2, 3, 5, 10, 30):
        for bound in (1, 2):
            switches = [Fraction(-bound) + Fraction(2 * bound * j, r + 1) for j in range(1, r + 1)]
            teacher = network_for(switches, 1)
            ends = constant_intervals(teacher.to_piecewise_linear(), Fraction(bound))
            rho = min(high - low for low, high in ends)
            width = enclose("6144*R**4*log(24*r/delta)/rho", R=bound, r=teacher.width, delta=Fraction(1, 10), rho=rho)
            yield seen(width, f"{r} switches", R=bound, s=len(ends) - 1, r=teacher.width, delta=Fraction(1, 10))


GROWTH = claim(
    "safran2022.theorem_3_1_width_growth",
    "after Theorem 3.1, of ρ = Ω(1/r)",
    "The width for evenly spaced switches",
    """Where s label switches are evenly spaced in [-R, R], ρ = 2R/(s + 1) and the width that (3) asks for is 3072·R³·(s
    + 1)·log(24r/δ): with s <= r + 1 it grows as r·log r, a multiplicative constant up to logarithms.""",
    latex=r"k\ge 3072\,R^3(s+1)\log(24r/\delta)=\tilde O(r)",
    hypotheses=("evenly spaced switches, the case of the largest ρ", "s <= r + 1"),
    formula="3072*R**3*(s + 1)*log(24*r/delta)",
    symbols={
        "R": "the data lie in [-R, R]",
        "s": "number of label switches in [-R, R]",
        "r": "width of the teacher",
        "delta": "confidence parameter δ",
    },
    controls={
        "3072*R**3*(s + 1)**2*log(24*r/delta)": "ρ of order 1/r²",
        "3072*R**3*log(24*r/delta)": "ρ of order 1: only the logarithm grows",
        "3072*R**3*s*log(24*r/delta)": "as many intervals as switches",
        "6144*R**4*(s + 1)*log(24*r/delta)": "ρ = 1/(s + 1)",
    },
    checks=(derive_width, observe_width),
    rests_on=("safran2022.assumption_2_2_rho_bound", "safran2022.introduction_sign_changes"),
    part_of="safran2022.theorem_3_1",
)
