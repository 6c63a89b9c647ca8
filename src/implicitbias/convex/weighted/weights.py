"""What a unit c·[θ·x̃]_+ costs, |c|·w(θ): weights that are a norm and a linear form on every cell of the data.

On the closed cell C_S of a pattern S, w(θ) = √(θᵀQ_S θ) + l_S·θ with rational Q_S and l_S. Where closed cells meet the
smallest of their values counts: that of the pattern of points where θ is strictly active:

  PARAMETER_NORM  √(|a|² + b²)                                           Q = 1
  PRINTED         √A, A = (1/n) Σ [θ·x̃_i]_+²                             Q_S = X̃_Sᵀ X̃_S / n
  TRUE            2√(A B), B = (1/n) Σ |x̃_i|² over θ·x̃_i > 0             Q_S = 4 B_S X̃_Sᵀ X̃_S / n
  tilted(l)       √(|a|² + b²) + l·(a, b)                                Q = 1

The implicit regulariser of label noise, min over rescalings of A + c²B, is TRUE; de Dios & Bruna (2020, equation (13))
print PRINTED.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from implicitbias.convex.cells.labelled import Point
from implicitbias.convex.cells.lifted import Number
from implicitbias.exact.rational import exact
from implicitbias.exact.vectors import Matrix, dot, root_above

Form = tuple[Matrix, tuple[Fraction, ...]]


@dataclass(frozen=True)
class Weight:
    """w(θ) = √(θᵀQ_S θ) + l_S·θ on the closed cell of the pattern S.

    form            (points (x, 1), pattern) ↦ (Q_S, l_S)
    of_outputs      w depends on the outputs [θ·x̃_i]_+ and their pattern alone
    homogeneous     l = 0
    """

    name: str
    says: str
    form: Callable[[Sequence[Point], Sequence[bool]], Form]
    of_outputs: bool = False
    homogeneous: bool = True

    def above(self, points: Sequence[Point], theta: Sequence[Fraction]) -> Fraction:
        """w(θ), its root rounded up by a factor of about 1 + 2^-96. Points with θ·x̃ = 0 are not in the pattern."""
        Q, tilt = self.form(points, [dot(theta, point) > 0 for point in points])
        return root_above(quadratic(Q, theta)) + dot(tilt, theta)


def quadratic(Q: Matrix, theta: Sequence[Fraction]) -> Fraction:
    """θᵀQθ."""
    return sum((t * dot(row, theta) for t, row in zip(theta, Q, strict=True) if t), Fraction(0))


def _identity(size: int) -> Matrix:
    return tuple(tuple(Fraction(int(i == j)) for j in range(size)) for i in range(size))


def _gram(points: Sequence[Point], pattern: Sequence[bool]) -> Matrix:
    """X̃_Sᵀ X̃_S / n."""
    size, n = len(points[0]), len(points)
    active = [point for point, on in zip(points, pattern, strict=True) if on]
    return tuple(tuple(sum((x[i] * x[j] for x in active), Fraction(0)) / n for j in range(size)) for i in range(size))


def _norm(points: Sequence[Point], pattern: Sequence[bool]) -> Form:
    size = len(points[0])
    return _identity(size), (Fraction(0),) * size


def _printed(points: Sequence[Point], pattern: Sequence[bool]) -> Form:
    return _gram(points, pattern), (Fraction(0),) * len(points[0])


def _true(points: Sequence[Point], pattern: Sequence[bool]) -> Form:
    B = sum((dot(x, x) for x, on in zip(points, pattern, strict=True) if on), Fraction(0)) / len(points)
    return tuple(tuple(4 * B * value for value in row) for row in _gram(points, pattern)), (Fraction(0),) * len(
        points[0]
    )


PARAMETER_NORM = Weight("norm", "√(|a|² + b²)", _norm)
PRINTED = Weight("printed", "√A, A = (1/n) Σ [a·x_i + b]_+²", _printed, of_outputs=True)
TRUE = Weight("true", "2√(AB), B = (1/n) Σ (1 + |x_i|²) over a·x_i + b > 0", _true, of_outputs=True)
WEIGHTS = {weight.name: weight for weight in (PARAMETER_NORM, PRINTED, TRUE)}


def tilted(slope: Sequence[Number]) -> Weight:
    """w(a, b) = √(|a|² + b²) + slope·(a, b); at least 0 where |slope| <= 1.

    >>> weight = tilted([0, "-4/5"])
    >>> float(weight.above([(Fraction(1), Fraction(1))], (Fraction(3), Fraction(4))))
    1.8
    """
    given = tuple(map(exact, slope))
    shown = ", ".join(map(str, given))
    return Weight(
        f"tilted({shown})",
        f"√(|a|² + b²) + ({shown})·(a, b)",
        lambda points, pattern: (_identity(len(given)), given),
        homogeneous=not any(given),
    )
