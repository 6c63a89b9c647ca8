"""Training that goes on by itself, a frame at a time, in a worker process; paused, stepped and ended from here."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from implicitbias.errors import UserError
from implicitbias.running.executor import WorkerPool

from .playground import PACES, Frame, Scene, Setup, advance, begin

FRAME = 1 / 12
"""Seconds between two frames: steady, whatever the width."""

LIMIT = 120.0
"""Seconds for one frame; the first compiles the engine."""


class Trainer:
    """One network. `tell` hears the scene and every frame, `fail` what went wrong; both in a thread."""

    def __init__(
        self,
        setup: Setup,
        tell: Callable[[Scene, Frame], object],
        fail: Callable[[str], object],
        *,
        paused: bool = False,
        device: str = "cpu",
    ) -> None:
        self.setup, self.device = setup, device
        self._tell = tell
        self._fail = fail
        self._pool = WorkerPool(1)
        self._going = threading.Event()
        self._steps = 0
        self._ended = False
        self.pace = len(PACES) // 2
        if not paused:
            self._going.set()
        threading.Thread(target=self._work, name="training", daemon=True).start()

    @property
    def is_paused(self) -> bool:
        return not self._going.is_set()

    def pause(self) -> None:
        self._going.clear()

    def resume(self) -> None:
        self._going.set()

    def one_frame(self) -> None:
        """While paused: go on by one frame."""
        self._steps = 1
        self._going.set()

    def stop(self) -> None:
        self._ended = True
        self._going.set()
        threading.Thread(target=self._pool.stop, name="stop training", daemon=True).start()

    def _work(self) -> None:
        try:
            state, frame = self._pool.submit_within(LIMIT, begin, self.setup, self.device).result()
            self._tell(state.scene, frame)
            while not frame.over:
                self._going.wait()
                if self._ended:
                    return
                began = time.monotonic()
                state, frame = self._pool.submit_within(LIMIT, advance, state, PACES[self.pace], FRAME * 0.7).result()
                self._tell(state.scene, frame)
                if self._steps:
                    self._steps = 0
                    self._going.clear()
                time.sleep(max(0.0, FRAME - (time.monotonic() - began)))
        except UserError as error:
            self._fail(str(error))
        except Exception as error:
            if not self._ended:
                self._fail(f"training ended: {type(error).__name__}: {error}")
        finally:
            self._pool.stop()
