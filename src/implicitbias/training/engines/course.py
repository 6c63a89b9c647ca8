"""The course of gradient descent in torch: what is recorded, and when a seed stops."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from implicitbias.training.record import assemble

if TYPE_CHECKING:
    from implicitbias.training.problem import Problem
    from implicitbias.training.trajectory import Function, Reason, Trajectory

RUNNING, LAST, LOSS, PLATEAU, DIVERGED = range(5)

WHY: dict[int, Reason] = {LAST: "steps", LOSS: "loss", PLATEAU: "plateau", DIVERGED: "diverged"}

LOOK = 32
"""Steps between the checks, on a GPU, whether all seeds have stopped: each check waits for the GPU."""


class Course:
    """Losses and stops of a batch, kept on the device where training runs.

    running  (S,) whether a seed still takes steps
    """

    def __init__(self, problem: Problem, device: str) -> None:
        self.problem = problem
        self.device = device
        seeds = problem.seeds
        self.recorded = set(problem.recorded.tolist())
        self.losses: list[torch.Tensor] = []
        self.running = torch.ones(seeds, dtype=torch.bool, device=device)
        self.best = torch.full((seeds,), torch.inf, dtype=torch.float64, device=device)
        self.best_at = torch.zeros(seeds, dtype=torch.int64, device=device)
        self.value = torch.full((seeds,), torch.nan, dtype=torch.float64, device=device)
        self.stop_at = torch.zeros(seeds, dtype=torch.int64, device=device)
        self.why = torch.zeros(seeds, dtype=torch.int64, device=device)

    def see(self, step: int, value: torch.Tensor) -> bool:
        """Take the losses (S,) before a step; True when every seed has stopped."""
        p, run = self.problem, self.running
        self.value = torch.where(run, value.to(torch.float64), self.value)
        if step in self.recorded:
            self.losses.append(self.value.clone())
        why = torch.full_like(self.why, LAST if step == p.last else RUNNING)
        better = self.value < self.best - p.improvement
        if p.patience is not None:
            why = torch.where(~better & (step - self.best_at >= p.patience), PLATEAU, why)
        self.best = torch.where(better, self.value, self.best)
        self.best_at = torch.where(better, step, self.best_at)
        why = torch.where(self.value <= p.least_loss, LOSS, why)
        why = torch.where(torch.isfinite(self.value), why, DIVERGED)
        self.why = torch.where(run, why, self.why)
        self.stop_at = torch.where(run, step, self.stop_at)
        self.running = self.why == RUNNING
        look = self.device == "cpu" or step % LOOK == 0 or step == p.last
        return look and not bool(self.running.any())

    def trajectory(
        self, engine: str, snapshots: dict[int, Function], final: Function, step: float, seconds: float
    ) -> Trajectory:
        """The record, once all have stopped."""
        losses = torch.stack([*self.losses, self.value]).cpu().numpy()
        reasons = tuple(WHY[int(code)] for code in self.why.cpu())
        return assemble(
            self.problem, engine, losses, self.stop_at.cpu().numpy(), reasons, snapshots, final, step, seconds
        )
