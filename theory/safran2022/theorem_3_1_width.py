"""After Theorem 3.1: how the width it asks for grows with the teacher's width."""

from __future__ import annotations

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Identity, Instance
from implicitbias.claims.statement import Claim, Control, Source


def derive_width(context: Context) -> Evidence:
    """(3) at the largest ρ that s evenly spaced switches leave."""
    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.formula import Assumption
    from implicitbias.exact.symbolic import from_sympy, symbol, to_sympy

    domain: dict[str, Assumption] = dict.fromkeys(("R", "s", "r", "delta"), "positive")
    rho = symbol("rho", "positive")
    printed = to_sympy("6144*R**4*log(24*r/delta)/rho", {**domain, "rho": "positive"})
    spaced = printed.subs(rho, to_sympy("2*R/(s + 1)", domain))
    d = Derivation()
    d.step("s evenly spaced switches leave s + 1 intervals", "ρ = 2R/(s + 1)")
    once = spaced.subs(symbol("s", "positive"), 0)
    d.identity("no switch, one interval", once * 2 * symbol("R", "positive"), printed * rho)
    identity = Identity("all settings", domain, {name: name for name in domain}, from_sympy(spaced))
    return Evidence(identities=(identity,), steps=d.steps)


def observe_width(context: Context) -> Evidence:
    """Teachers with evenly spaced switches: ρ by their exact signs, then the width of (3)."""
    from fractions import Fraction

    from implicitbias.exact.enclosure import enclose

    from .observed.targets import constant_intervals, network_for

    instances = []
    for r in (1, 2, 3, 5, 10, 30):
        for bound in (1, 2):
            switches = [Fraction(-bound) + Fraction(2 * bound * j, r + 1) for j in range(1, r + 1)]
            teacher = network_for(switches, 1)
            ends = constant_intervals(teacher.to_piecewise_linear(), Fraction(bound))
            rho = min(high - low for low, high in ends)
            width = enclose("6144*R**4*log(24*r/delta)/rho", R=bound, r=teacher.width, delta=Fraction(1, 10), rho=rho)
            given = {"R": bound, "s": len(ends) - 1, "r": teacher.width, "delta": Fraction(1, 10)}
            instances.append(Instance(f"{r} switches", given, width))
    return Evidence(instances=tuple(instances))


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="safran2022.theorem_3_1_width_growth",
        source=Source("safran2022", "after Theorem 3.1, of ρ = Ω(1/r)"),
        title="The width for evenly spaced switches",
        statement=(
            "Where s label switches are evenly spaced in [-R, R], ρ = 2R/(s + 1) and the width that (3) asks for is "
            "3072·R³·(s + 1)·log(24r/δ): with s <= r + 1 it grows as r·log r, a multiplicative constant up to "
            "logarithms."
        ),
        latex=r"k\ge 3072\,R^3(s+1)\log(24r/\delta)=\tilde O(r)",
        hypotheses=("evenly spaced switches, the case of the largest ρ", "s <= r + 1"),
        rests_on=("safran2022.assumption_2_2_rho_bound", "safran2022.introduction_sign_changes"),
        formula="3072*R**3*(s + 1)*log(24*r/delta)",
        symbols={
            "R": "the data lie in [-R, R]",
            "s": "number of label switches in [-R, R]",
            "r": "width of the teacher",
            "delta": "confidence parameter δ",
        },
        controls=(
            Control("3072*R**3*(s + 1)**2*log(24*r/delta)", "ρ of order 1/r²"),
            Control("3072*R**3*log(24*r/delta)", "ρ of order 1: only the logarithm grows"),
            Control("3072*R**3*s*log(24*r/delta)", "as many intervals as switches"),
            Control("6144*R**4*(s + 1)*log(24*r/delta)", "ρ = 1/(s + 1)"),
        ),
        checks=(
            Check(
                name="the width of (3)",
                kind=Kind.PROOF,
                observe=derive_width,
                about="(3) with the ρ of evenly spaced switches, for all values",
            ),
            Check(
                name="teachers with evenly spaced switches",
                kind=Kind.CERTIFICATE,
                observe=observe_width,
                about="ρ from the exact signs of explicit teachers",
            ),
        ),
    ),
)
