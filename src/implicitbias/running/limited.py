"""The interface of executors with time limits that hold and an immediate end."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class LostError(RuntimeError):
    """The executor has gone, and nothing that was submitted will ever be answered."""


class LimitedExecutor(Executor):
    """An executor whose jobs have time limits. `workers`: the number of jobs that run at a time."""

    workers: int

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        return self.submit_within(None, fn, *args, **kwargs)

    @abstractmethod
    def submit_within(self, limit: float | None, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Submit a job that may take `limit` seconds from its start; past that its future raises OutOfTimeError."""

    @abstractmethod
    def stop(self) -> None:
        """End everything at once: waiting jobs are cancelled, running ones ended."""
