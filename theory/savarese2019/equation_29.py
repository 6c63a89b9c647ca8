"""Equation (29): the second derivative of a finite network is a sum of atoms, one a unit. Where, and how heavy?"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Identity, Instance
from implicitbias.claims.statement import Claim, Control, Flaw, Source

from .observed.slope_jumps import end_lines, jump, relu
from .section_4 import CHARITABLE, ONE_SLIP

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SIMPLE_UNITS = (
    (1, 1, 1),
    (1, -1, 1),
    (2, 1, -3),
    (-1, 2, 1),
    (-3, -2, 5),
    (5, Fraction(1, 2), 0),
    (7, -3, Fraction(-1, 4)),
)


def units(context: Context) -> Iterator[tuple[Fraction, Fraction, Fraction]]:
    """Output weight v, input weight w, bias b, none zero where the kink would be lost, biases of both signs."""
    for unit in SIMPLE_UNITS:
        yield Fraction(unit[0]), Fraction(unit[1]), Fraction(unit[2])
    generator = context.random()
    for _ in range(context.choose(60, 600)):
        v, w = (Fraction(generator.choice([-1, 1]) * generator.randint(1, 40), generator.randint(1, 9)) for _ in "vw")
        yield v, w, Fraction(generator.randint(-30, 60), generator.randint(1, 9))


def observe_kinks(context: Context) -> Evidence:
    """The kink of x ↦ v[wx + b]₊ is where its two end lines meet; both are read off its values."""
    instances = []
    for v, w, b in units(context):
        (left, at_0), (right, also_at_0) = end_lines(lambda x, v=v, w=w, b=b: v * relu(w * x + b))  # type: ignore[misc]
        kink = (at_0 - also_at_0) / (right - left)
        instances.append(Instance(f"{v}·[{w}·x + {b}]₊", {"v": v, "w": w, "b": b}, kink))
    return Evidence(instances=tuple(instances), measured={"units": len(instances)})


def observe_weak_location(context: Context) -> Evidence:
    """∫ f φ″ for a test function φ that vanishes to second order at ±M is the action of f″ on φ, by parts twice."""
    return _weak(lambda mass, first: first / mass, "the mean of f″: its first moment over its mass")


def observe_weak_weight(context: Context) -> Evidence:
    """The mass of f″, from the same integrals."""
    return _weak(lambda mass, first: mass, "the mass of f″")


def observe_slope_changes(context: Context) -> Evidence:
    """f' far to the right less f' far to the left, read off values; and the jump of a sum of units at each kink."""
    instances = []
    for v, w, b in units(context):
        (left, _), (right, _) = end_lines(lambda x, v=v, w=w, b=b: v * relu(w * x + b))  # type: ignore[misc]
        instances.append(Instance(f"{v}·[{w}·x + {b}]₊", {"v": v, "w": w, "b": b}, right - left))
    network = [(Fraction(2 - n), Fraction((-1) ** n * (n + 1)), Fraction((n + 1) * (3 * n - 4))) for n in range(6)]
    for v, w, b in network:
        seen = jump(lambda x: sum((v * relu(w * x + b) for v, w, b in network), Fraction(0)), -b / w, Fraction(1, 9))
        instances.append(Instance("a unit among five others with other kinks", {"v": v, "w": w, "b": b}, seen))
    return Evidence(instances=tuple(instances), measured={"units": len(instances)})


def _weak(combine: Callable[[Any, Any], Any], what: str) -> Evidence:
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    v, b, x = symbol("v"), symbol("b"), symbol("x")
    M, m = symbol("M", "positive"), symbol("m", "positive")
    d = Derivation()
    d.step("A test function that vanishes with its derivative at ±M, where −M < kink < M.", "∫ f φ″ = ⟨f″, φ⟩")
    identities = []
    cutoff = (M**2 - x**2) ** 2
    for name, w in (("w > 0", m), ("w < 0", -m)):
        kink = sympy.solve(w * x + b, x)[0]
        on = (x, kink, M) if name == "w > 0" else (x, -M, kink)

        def action(phi: Any, on: Any = on, w: Any = w) -> Any:
            return sympy.integrate(sympy.expand(v * (w * x + b) * sympy.diff(phi, x, 2)), on)

        plain, moved = sympy.factor(action(cutoff)), sympy.factor(action(x * cutoff))
        location = sympy.cancel(moved / plain)
        mass = sympy.cancel(plain / cutoff.subs(x, location))
        for power in (2, 3):
            d.identity(
                f"{name}: the same mass at the same place gives the integral against x^{power} φ as well.",
                action(x**power * cutoff),
                mass * location**power * cutoff.subs(x, location),
            )
        derived = combine(mass, mass * location)
        given = {"v": "v", "w": "m" if name == "w > 0" else "-m", "b": "b"}
        identities.append(
            Identity(
                f"{what}, {name}", {"v": "real", "b": "real", "m": "positive"}, given, from_sympy(sympy.cancel(derived))
            )
        )
    return Evidence(identities=tuple(identities), steps=d.steps)


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="savarese2019.equation_29",
        source=Source("savarese2019", "Section 4, equation (29)"),
        title="Where a unit bends the function",
        statement=(
            "The second derivative of the network (1) with one input, h(x) = Σ vᵢ[wᵢx + bᵢ]₊ + c, is a sum of atoms, "
            "one a unit: the unit's atom lies at −bᵢ/wᵢ, the zero of its argument."
        ),
        latex=r"u \approx \sum_i w^{(2)}_i |w^{(1)}_i|\, \delta_{-b^{(1)}_i / w^{(1)}_i}",
        hypotheses=("w ≠ 0",),
        formula="-b/w",
        symbols={
            "b": "the unit's bias b⁽¹⁾ᵢ",
            "w": "the unit's input weight w⁽¹⁾ᵢ",
            "v": "the unit's output weight w⁽²⁾ᵢ",
        },
        flaw=Flaw(printed="b/w", word="convention slip", wrong=ONE_SLIP, sure="certain", charitable=CHARITABLE),
        controls=(
            Control("-b", "the input weight forgotten: right for w = 1 alone"),
            Control("-b/Abs(w)", "the place would not depend on the way that the unit looks"),
            Control("-v*b/w", "the output weight would move the kink"),
        ),
        checks=(
            Check("moments of the second derivative", Kind.PROOF, observe_weak_location, "f″ tested against φ and xφ"),
            Check("where the end lines meet", Kind.CERTIFICATE, observe_kinks, "kinks read off exact values"),
        ),
    ),
    Claim(
        id="savarese2019.equation_29_weights",
        source=Source("savarese2019", "Section 4, equation (29)"),
        title="By how much a unit bends the function",
        statement=(
            "In (29) the atom of the unit v[wx + b]₊ has the mass v|w|: the slope rises by v|w| at the kink, whichever "
            "way the unit looks and whatever its bias."
        ),
        latex=r"h'(+\infty) - h'(-\infty) = v\,|w|",
        hypotheses=("w ≠ 0",),
        formula="v*Abs(w)",
        symbols={
            "v": "the unit's output weight w⁽²⁾ᵢ",
            "w": "the unit's input weight w⁽¹⁾ᵢ",
            "b": "the unit's bias b⁽¹⁾ᵢ",
        },
        controls=(
            Control("v*w", "the sign of the input weight kept: wrong for units that look to the left"),
            Control("Abs(v*w)", "the sign of the output weight lost: the unit's cost, not its bend"),
            Control("v", "right for |w| = 1 alone, as in (9)"),
            Control("v*Abs(w)*sign(b)", "the bias would decide the sign"),
        ),
        checks=(
            Check("mass of the second derivative", Kind.PROOF, observe_weak_weight, "f″ tested against φ"),
            Check(
                "slopes at both ends", Kind.CERTIFICATE, observe_slope_changes, "exact slopes of units and of a network"
            ),
        ),
    ),
)
