"""Descent of all parameters of a small linearised network beside that of its output weights, in exact fractions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from implicitbias.exact.rational import Interval, Number
from implicitbias.exact.vectors import dot, root_between, solve

from ..wide.interpolants import Matrix
from .exact_training import Small, gram, jacobian, largest_eigenvalue


@dataclass(frozen=True)
class Sizes:
    """What is known of the two kernels and of the start, one datum or more; norms and eigenvalues are enclosed.

    n         width
    residual  ‖Y - f(X, θ₀)‖
    across, across_rest    ‖Θ̃_n(x, X)‖ and n‖(Θ̂_n - Θ̃_n)(x, X)‖ at the place x
    least, least_of_part   λ_min of Θ̂_n, of Θ̃_n
    most, most_of_part     λ_max of Θ̂_n, of Θ̃_n
    rest      λ_max of n(Θ̂_n - Θ̃_n)
    """

    n: int
    residual: Number
    across: Number
    across_rest: Number
    least: Number
    least_of_part: Number
    most: Number
    most_of_part: Number
    rest: Number


@dataclass(frozen=True)
class Apart:
    """The greatest over all steps that were made, and the limit.

    functions  |f^lin(x, ω̃_t) - f^lin(x, ω_t)|
    rest       ‖·‖ of what the parameters other than the output weights have moved
    weights    ‖·‖ of the difference of the output weights
    """

    functions: Fraction
    rest: Number
    weights: Number


class TwoDescents:
    """A network linearised at its parameters, data, and a place x at which the functions are compared."""

    def __init__(self, network: Small, x: Sequence[Fraction], y: Sequence[Fraction], at: Fraction) -> None:
        groups = ("v", "wbc")
        self.part, self.others = (jacobian(network, x, group) for group in groups)
        self.at_part, self.at_others = (jacobian(network, [at], group)[0] for group in groups)
        self.residual = [b - network(a) for a, b in zip(x, y, strict=True)]
        self.n = len(network.w)

    @property
    def kernels(self) -> tuple[Matrix, Matrix, Matrix]:
        """nΘ̂_n, nΘ̃_n and their difference."""
        part, rest = gram(self.part), gram(self.others)
        whole = [[a + b for a, b in zip(p, q, strict=True)] for p, q in zip(part, rest, strict=True)]
        return whole, part, rest

    @property
    def same_way(self) -> bool:
        """Whether, for one datum, the rest and the part move the function at the place to opposite sides."""
        return len(self.part) == 1 and dot(self.part[0], self.at_part) >= 0 >= dot(self.others[0], self.at_others)

    def sizes(self) -> Sizes:
        whole, part, rest = self.kernels
        share = Fraction(1, self.n)
        return Sizes(
            n=self.n,
            residual=_norm(self.residual),
            across=_scaled(_norm([dot(row, self.at_part) for row in self.part]), share),
            across_rest=_norm([dot(row, self.at_others) for row in self.others]),
            least=_scaled(least_eigenvalue(whole), share),
            least_of_part=_scaled(least_eigenvalue(part), share),
            most=_scaled(_greatest(whole), share),
            most_of_part=_scaled(_greatest(part), share),
            rest=_greatest(rest),
        )

    def apart(self, eta: Fraction, steps: int) -> Apart:
        """Descent from 0 on ½Σ(r - Jδ)² in either set of parameters; the limit is Jᵀ(JJᵀ)⁻¹r."""
        whole, part, _ = self.kernels
        both = [[*p, *q] for p, q in zip(self.part, self.others, strict=True)]
        paths = [_path(both, self.residual, eta, steps, whole), _path(self.part, self.residual, eta, steps, part)]
        size = len(self.part[0])
        functions, rest, weights = [], [], []
        for all_moved, part_moved in zip(*paths, strict=True):
            own, others = all_moved[:size], all_moved[size:]
            difference = [a - b for a, b in zip(part_moved, own, strict=True)]
            functions.append(abs(dot(self.at_part, difference) - dot(self.at_others, others)))
            rest.append(dot(others, others))
            weights.append(dot(difference, difference))
        return Apart(max(functions), _root(max(rest)), _root(max(weights)))


def _path(
    rows: Matrix, residual: Sequence[Fraction], eta: Fraction, steps: int, kernel: Matrix
) -> list[list[Fraction]]:
    moved = [Fraction(0)] * len(rows[0])
    path = [moved]
    for _ in range(steps):
        left = [r - dot(row, moved) for r, row in zip(residual, rows, strict=True)]
        moved = [m + eta * sum(e * row[k] for e, row in zip(left, rows, strict=True)) for k, m in enumerate(moved)]
        path.append(moved)
    weights = solve(kernel, residual)
    return [
        *path,
        [sum((w * row[k] for w, row in zip(weights, rows, strict=True)), Fraction(0)) for k in range(len(moved))],
    ]


def least_eigenvalue(matrix: Matrix) -> Number:
    """Of a symmetric matrix without negative eigenvalues: what its trace exceeds the greatest of trace - matrix by."""
    if len(matrix) == 1:
        return matrix[0][0]
    trace = sum((matrix[i][i] for i in range(len(matrix))), Fraction(0))
    shifted = [[(trace if i == j else 0) - a for j, a in enumerate(row)] for i, row in enumerate(matrix)]
    low, high = largest_eigenvalue(shifted)
    return Interval(trace - high, trace - low)


def _greatest(matrix: Matrix) -> Number:
    return matrix[0][0] if len(matrix) == 1 else Interval(*largest_eigenvalue(matrix))


def _norm(vector: Sequence[Fraction]) -> Number:
    return abs(vector[0]) if len(vector) == 1 else _root(dot(vector, vector))


def _root(square: Fraction) -> Number:
    """The root, exactly where it is rational."""
    found = root_between(square)
    return found.lower if found.width == 0 else found


def _scaled(number: Number, by: Fraction) -> Number:
    return Interval(number.lower * by, number.upper * by) if isinstance(number, Interval) else number * by
