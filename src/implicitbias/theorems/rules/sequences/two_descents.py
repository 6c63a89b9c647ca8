"""Two descents of a linear model on the same data, at the same rate: of all its parameters, and of a part of them.

    f(x) = f₀(x) + ⟨φ(x), ω − ω₀⟩,    ω ← ω − η Σⱼ loss'(f(xⱼ), yⱼ) φ(xⱼ),    loss'(f, y) = σ(f − y) with σ > 0

K = (⟨φ(xᵢ), φ(xⱼ)⟩) is the kernel of all parameters, K̃ that of the part, Q = K − K̃ that of the rest, r = y − f₀(X). Let
the eigenvalues of K lie in [l, L], those of K̃ in [l̃, L̃], let those of Q be at most q, and ησL < 2. Put

    C = max(1/l, ησ)|r|,    δ̃ = min(ησl̃, 2 − ησL),    D = ησqC/δ̃.

Theorem. Σⱼ cⱼφ(xⱼ) and Σⱼ c̃ⱼφ̃(xⱼ) are what the two descents have moved after t steps, for some c and c̃ with |c| ≤ C and
|c̃ − c| ≤ D, whatever t and the number of data. So at any x the two functions differ by at most |K̃(x, X)|D + |Q(x, X)|C,
the rest of the parameters has moved by at most √q C, and the part lies at most √L̃ D from where it is when it alone
is trained.

Proof. c ← c + ησ(r − Kc), from 0, moves ω as the descent does. Along an eigenvector of K with the eigenvalue λ, c is
(1 − ρᵗ)/λ times r after t steps, ρ = 1 − ησλ, |ρ| < 1. That is at most 1/λ if ρ ≥ 0, and else no more than after the
first step, (1 − ρ)/λ = ησ. So |c| ≤ C. The eigenvalues of I − ησK̃ lie between −(1 − δ̃) and 1 − δ̃, as Q ≥ 0 and those of
K̃ are at most L too. d = c̃ − c goes to d + ησ(Kc − K̃c̃) = (I − ησK̃)d + ησQc, and |d| ≤ D implies that this is at most
(1 − δ̃)D + ησqC = D. Both descents begin with c = c̃ = 0. Last, f̃(x) − f(x) = K̃(x, X)c̃ − K(x, X)c = K̃(x, X)d − Q(x, X)c,
the rest has moved by √(cᵀQc), and what the part moves by differs by √(dᵀK̃d). ∎

If l = l̃ + q, these are the least bounds for all such models: that of the rest always, the others if q > 0 and
ησ(l + L) ≤ 2, where L̃ = l̃ for the last. With one datum, K̃ = l̃ and Q = q, c is ησr after one step and tends to r/l;
c̃ − c tends to r/l̃ − r/l = qr/(l l̃), and then C = |r|/l and δ̃ = ησl̃; features at x can be multiples of those at the
datum, with K̃(x, x₁) of one sign and Q(x, x₁) of the other. Only there may a theorem say `=`.
"""

from __future__ import annotations

from dataclasses import dataclass

from implicitbias.exact.formula import Operation, written
from implicitbias.theorems.differentiate import derivative, tidied
from implicitbias.theorems.quantity import Bounded, Steps, bound, defined
from implicitbias.theorems.setting import RefusedError, Setting, minus, names_in, number, times


@dataclass(frozen=True, kw_only=True)
class _TwoDescents(Bounded):
    """
    loss           of one datum, in `output` and `label`
    rate           η, positive
    residual       |r|
    least, most    l and L, with 0 < l
    least_of_part  l̃, positive
    rest           q, at least 0
    """

    loss: str = defined()
    output: str = bound()
    label: str = bound()
    rate: str = defined()
    residual: str = defined()
    least: str = defined()
    most: str = defined()
    least_of_part: str = defined()
    rest: str = defined()

    def _lengths(self, setting: Setting, steps: Steps) -> tuple[Operation, Operation]:
        """C and D: what bounds the multipliers of the one descent, and their distance from those of the other."""
        step = times(_shown(setting, self.rate, "the rate", strict=True), self._curvature(setting, steps))
        most = _shown(setting, self.most, "the greatest eigenvalue", strict=True)
        left = minus(number(2), times(step, most))
        how = setting.at_least_zero(left, "what the greatest eigenvalue leaves of 2", strict=True)
        steps.add("the rate is below the critical one", f"{written(left)} > 0", how)
        least = times(step, self._eigenvalue(setting, self.least, most))
        least_of_part = self._eigenvalue(setting, self.least_of_part, most)
        residual, rest = (
            _shown(setting, text, what) for text, what in ((self.residual, "the residual"), (self.rest, "the rest"))
        )
        length = Operation("/", (times(step, residual), Operation("Min", (least, number(1)))))
        contraction = Operation("Min", (times(step, least_of_part), left))
        apart = Operation("/", (times(times(step, rest), length), contraction))
        steps.add("no multipliers are longer, after any step", written(length), "geometric sums")
        steps.add("nor those of the two descents farther apart, by induction", written(apart), "contraction")
        return length, apart

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        """What one datum attains."""
        value = self.upper_bound(setting, steps)
        least, of_part, rest = map(setting.read, (self.least, self.least_of_part, self.rest))
        setting.zero(minus(minus(least, of_part), rest), "the eigenvalue of one datum, less the two parts'")
        self._is_attained(setting, steps)
        return value

    def _is_attained(self, setting: Setting, steps: Steps) -> None:
        """The limit is what is farthest apart: where steps are not too long."""
        least, rest, most = map(setting.read, (self.least, self.rest, self.most))
        setting.at_least_zero(rest, "the rest", strict=True)
        step = times(setting.read(self.rate), self._curvature(setting, Steps()))
        left = minus(number(2), times(step, Operation("+", (least, most))))
        how = setting.at_least_zero(left, "what the least and the greatest eigenvalue leave of 2")
        steps.add("one datum attains the bound in the limit", f"{written(left)} >= 0", how)

    def _curvature(self, setting: Setting, steps: Steps) -> Operation:
        """σ, shown to be positive and the same everywhere."""
        there = setting.with_variables({self.output: "real", self.label: "real"})
        loss = there.read(self.loss)
        there.defined(loss, "the loss")
        slope = tidied(derivative(loss, self.output))
        curvature = tidied(derivative(slope, self.output))
        if names_in(curvature) & {self.output, self.label}:
            raise RefusedError(f"the loss {self.loss} is not quadratic in {self.output}")
        setting.at_least_zero(curvature, "how the loss curves", strict=True)
        straight = times(curvature, minus(Operation(self.output), Operation(self.label)))
        how = there.zero(minus(slope, straight), "the slope of the loss")
        steps.add("the loss has the slope of a residual", f"{written(slope)} = {written(straight)}", how)
        return curvature

    def _eigenvalue(self, setting: Setting, text: str, most: Operation) -> Operation:
        least = _shown(setting, text, "the least eigenvalue", strict=True)
        setting.at_least_zero(minus(most, least), "the greatest eigenvalue less the least")
        return least

    @property
    def _descents(self) -> str:
        return (
            f"in two descents at the rate {self.rate} on the sum of {self.loss} in {self.output} over any number of "
            f"data, of any linear model and of a part of its parameters, whose kernels have eigenvalues from "
            f"{self.least} and {self.least_of_part} to {self.most}, that of the rest at most {self.rest}, and the "
            f"residual at the start the length {self.residual}"
        )


@dataclass(frozen=True, kw_only=True)
class FunctionsApart(_TwoDescents):
    """How far the two functions are apart at one input, at most.

    across       |K̃(x, X)|
    across_rest  |Q(x, X)|
    """

    across: str = defined()
    across_rest: str = defined()

    def upper_bound(self, setting: Setting, steps: Steps) -> Operation:
        length, apart = self._lengths(setting, steps)
        across = _shown(setting, self.across, "the kernel of the part at the input")
        across_rest = _shown(setting, self.across_rest, "the kernel of the rest at the input")
        return Operation("+", (times(across_rest, length), times(across, apart)))

    @property
    def reads(self) -> str:
        return (
            f"greatest distance, over all steps, of the functions at an input, with the kernels of the part and of the "
            f"rest {self.across} and {self.across_rest} long there, {self._descents}"
        )


@dataclass(frozen=True, kw_only=True)
class RestMoved(_TwoDescents):
    """How far the rest of the parameters moves, at most."""

    def upper_bound(self, setting: Setting, steps: Steps) -> Operation:
        length, _ = self._lengths(setting, steps)
        return times(Operation("sqrt", (setting.read(self.rest),)), length)

    def _is_attained(self, setting: Setting, steps: Steps) -> None:
        steps.add("one datum attains the bound", "", "after one step, or in the limit")

    @property
    def reads(self) -> str:
        return f"greatest distance, over all steps, of the rest of the parameters from its start {self._descents}"


@dataclass(frozen=True, kw_only=True)
class PartsApart(_TwoDescents):
    """How far the part of the parameters is from where it is when it alone is trained, at most.

    most_of_part  L̃
    """

    most_of_part: str = defined()

    def upper_bound(self, setting: Setting, steps: Steps) -> Operation:
        _, apart = self._lengths(setting, steps)
        most = _shown(setting, self.most_of_part, "the greatest eigenvalue of the part", strict=True)
        setting.at_least_zero(minus(most, setting.read(self.least_of_part)), "what the eigenvalues of the part span")
        return times(Operation("sqrt", (most,)), apart)

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        value = super().establish(setting, steps)
        setting.zero(minus(setting.read(self.most_of_part), setting.read(self.least_of_part)), "the part of one datum")
        return value

    @property
    def reads(self) -> str:
        return (
            f"greatest distance, over all steps, of the part of the parameters, with eigenvalues up to "
            f"{self.most_of_part}, {self._descents}"
        )


def _shown(setting: Setting, text: str, what: str, *, strict: bool = False) -> Operation:
    """The formula, shown to have a value that is at least 0, or positive."""
    tree = setting.read(text)
    setting.defined(tree, what)
    setting.at_least_zero(tree, what, strict=strict)
    return tree
