"""Section 6: the spectral bias, from the oscillations of the kernel's eigenvectors."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

from implicitbias.claims import Context, Observation, Premise, certificate, claim, seen

from ..observed.data.draws import UNEVEN, ZIGZAG
from ..observed.wide.exact_laws import rational_kernels


@certificate("eigenvectors in balls")
def sign_changes(context: Context) -> Observation:
    """Sign changes of the eigenvectors of K(X, X), in the order of falling eigenvalues, for three laws, with entries in
    balls."""
    import flint

    data: list[tuple[str, tuple[Fraction, ...]]] = [(ZIGZAG.label, ZIGZAG.x), (UNEVEN.label, UNEVEN.x)]
    data += [
        (f"{m} even points", tuple(Fraction(4 * i, m - 1) - 2 for i in range(m))) for m in (3, 4, 6, 7, 10, 13, 14)
    ]
    certain = True
    before, flint.ctx.prec = flint.ctx.prec, 400
    try:
        for law, kernel in rational_kernels():
            for label, x in data:
                K = flint.acb_mat([[_ball(kernel(p, q)) for q in x] for p in x])
                values, vectors = K.eig(right=True)
                order = sorted(range(len(x)), key=lambda k: -float(values[k].real.mid()))
                for k, place in enumerate(order):
                    column = [vectors[i, place].real for i in range(len(x))]
                    signs = [1 if e > 0 else -1 if e < 0 else 0 for e in column]
                    # an entry of unknown sign between two opposite ones changes the count no more than either does
                    inner = zip(signs, signs[1:], signs[2:], strict=False)
                    certain = certain and signs[0] * signs[-1] != 0 and all(a * c < 0 for a, b, c in inner if b == 0)
                    changes = sum(a != b for a, b in pairwise([e for e in signs if e]))
                    yield seen(changes, f"{law}, {label}, mode {k}", k=k, M=len(x))
    finally:
        flint.ctx.prec = before
    yield Premise("no sign that affects a count is uncertain", certain)


def _ball(number: Fraction) -> Any:
    import flint

    return flint.acb(flint.arb(flint.fmpq(number.numerator, number.denominator)))


SPECTRAL_BIAS = claim(
    "jin2021.spectral_bias",
    "Section 6, early stopping",
    "Sign changes of the modes, in the order in which they are learnt",
    """Descent fits the mode with the k-th largest eigenvalue of K(X, X), k = 0, 1, …, M-1, at the rate of that
    eigenvalue; for the five points of Figure 1, seven uneven points and equidistant points (M ≤ 14) its eigenvector
    changes sign exactly k times. So early stopping filters out the oscillations. (This does not hold for all data: for
    ten uneven points the last modes are out of order.)""",
    latex=r"\#\{\text{sign changes of the eigenvector of the }k\text{-th largest eigenvalue of }K(X,X)\}=k",
    hypotheses=("the data and the laws named",),
    formula="k",
    symbols={"k": "number of the mode, largest eigenvalue first", "M": "number of data"},
    controls={
        "M - 1 - k": "the reversed order: high frequencies first",
        "k + 1": "one sign change more, as for a function that vanishes at both ends",
        "Min(k, 2)": "low order polynomials only",
    },
    checks=(sign_changes,),
    part_of="jin2021.equation_7",
    rests_on=("jin2021.equation_7",),
)
