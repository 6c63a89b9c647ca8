"""The exponential and the logistic loss of margins in ball arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any


def losses_and_forces(margins: Sequence[Fraction], loss: str) -> tuple[list[Any], list[Any]]:
    """l(q) and -l'(q) of every margin q, as balls at flint's current precision.

    loss  "exponential" or "logistic"
    """
    from implicitbias.exact.enclosure import to_arb

    balls = [to_arb(margin) for margin in margins]
    if loss == "exponential":
        losses = [(-q).exp() for q in balls]
        return losses, losses
    return [(1 + (-q).exp()).log() for q in balls], [1 / (1 + q.exp()) for q in balls]
