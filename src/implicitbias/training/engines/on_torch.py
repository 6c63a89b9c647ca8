"""What the engines in torch share: tensors on a problem's device, and its loss."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from implicitbias.errors import DataError

if TYPE_CHECKING:
    from implicitbias.training.problem import Problem


def check_device(device: str) -> None:
    """Raises DataError if torch has no such device here."""
    try:
        kind = torch.device(device).type
    except RuntimeError:
        kind = ""
    if kind not in ("cpu", "cuda"):
        raise DataError(f"device must be 'cpu' or 'cuda': got {device!r}")
    if kind == "cuda" and not torch.cuda.is_available():
        raise DataError("device 'cuda' was asked for, but torch finds no CUDA GPU here: take device='cpu'")


def tensor(problem: Problem, array: object) -> torch.Tensor:
    """An array of numbers on the device and in the dtype of the problem; a copy."""
    return torch.tensor(np.asarray(array), dtype=getattr(torch, problem.dtype), device=problem.device)


def loss_of(loss: str, f: torch.Tensor, y: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """(S,): the weighted loss of outputs f (S, M, k) with labels y (1 or S, M, k), weights (M,) or (1 or S, M)."""
    if loss == "square":
        each = 0.5 * (f - y).square().sum(-1)
    elif loss == "logistic":
        each = torch.nn.functional.softplus(-y * f, threshold=100.0).sum(-1)
    elif loss == "exponential":
        each = torch.exp(-y * f).sum(-1)
    else:
        each = torch.logsumexp(f, -1) * y.sum(-1) - (y * f).sum(-1)
    return (weights * each).sum(-1)
