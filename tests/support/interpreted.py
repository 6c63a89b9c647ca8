"""The kernel of engine `fused` in Triton's interpreter, on the cpu, its programs one after the other or mixed.

Triton decides when it is imported, and when a kernel is, whether it will interpret it. What a GPU would run is
therefore compiled and run in processes of its own.
"""

import inspect
import os
import random
import threading
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest

for library in ("torch", "triton"):
    if find_spec(library) is None:
        pytest.skip(f"{library} is not installed", allow_module_level=True)

before = os.environ.get("TRITON_INTERPRET")
os.environ["TRITON_INTERPRET"] = "1"
try:
    import triton
    from triton.runtime import interpreter

    from implicitbias.training.engines import fused_kernel, fused_launch
finally:
    if before is None:
        del os.environ["TRITON_INTERPRET"]
    else:
        os.environ["TRITON_INTERPRET"] = before

assert isinstance(fused_kernel.descend, interpreter.InterpretedFunction), "triton was imported before, to compile"
__all__ = ["Mixed", "fused_kernel", "fused_launch", "quick", "triton"]

patched: set[str] = set()


def called(self: Any, *given: Any, **named: Any) -> Any:
    """A call of one kernel by another. Triton prepares its language at each; here once for each of its own modules.

    For ours the launch has done so, and undoes it at its end.
    """
    if self.fn.__module__.startswith("triton") and self.fn.__module__ not in patched:
        interpreter._patch_lang(self.fn)
        patched.add(self.fn.__module__)
    return self.rewrite()(*given, **named)


def quick(patch: pytest.MonkeyPatch) -> None:
    """Have the kernel interpreted, ten times faster than by itself."""
    patch.setenv("TRITON_INTERPRET", "1")
    patch.setattr(interpreter.InterpretedFunction, "__call__", called)


class Mixed:
    """Runs the programs of a launch side by side, one at a time, changing at random wherever memory is read or written.

    A GPU may order them in any way that the kernel's own waiting allows; so does this, from a seed.
    """

    def __init__(self, seed: int, often: float = 0.2) -> None:
        self.random, self.often = random.Random(seed), often
        self.turns: dict[int, threading.Semaphore] = {}
        self.failed: list[BaseException] = []
        self.switches = 0
        self.here = threading.local()

    def install(self, patch: pytest.MonkeyPatch) -> None:
        """In place of the interpreter's own loop over programs."""
        mixed, builder = self, interpreter.interpreter_builder

        def launched(executor: Any, *given: Any, **named: Any) -> None:
            mixed.launch(executor, named)

        patch.setattr(interpreter.GridExecutor, "__call__", launched)
        for name in ("create_masked_load", "create_masked_store", "create_load", "create_store", "create_atomic_rmw"):
            patch.setattr(builder, name, self.changing(getattr(builder, name)), raising=False)

    def changing(self, operation: Callable[..., Any]) -> Callable[..., Any]:
        def then_perhaps_another(*given: Any) -> Any:
            done = operation(*given)
            self.change()
            return done

        return then_perhaps_another

    def launch(self, executor: Any, named: dict[str, Any]) -> None:
        names = inspect.getfullargspec(executor.fn).args
        scope = interpreter._patch_lang(executor.fn)
        try:
            given = {
                name: value if name in executor.constexprs else interpreter._implicit_cvt(value)
                for name, value in named.items()
                if name in names
            }
            (programs,) = executor.grid
            interpreter.interpreter_builder.set_grid_dim(programs, 1, 1)
            self.turns = {index: threading.Semaphore(0) for index in range(programs)}
            threads = [
                threading.Thread(target=self.program, args=(index, executor.fn, given)) for index in range(programs)
            ]
            for thread in threads:
                thread.start()
            self.turns[0].release()
            for thread in threads:
                thread.join()
        finally:
            scope.restore()
        if self.failed:
            raise self.failed[0]

    def program(self, index: int, function: Callable[..., Any], given: dict[str, Any]) -> None:
        self.here.index = index
        self.turns[index].acquire()
        interpreter.interpreter_builder.set_grid_idx(index, 0, 0)
        try:
            function(**given)
        except BaseException as error:
            self.failed.append(error)
        del self.turns[index]
        if self.turns:
            self.turns[self.random.choice(list(self.turns))].release()

    def change(self) -> None:
        """Perhaps let another program go on."""
        index = getattr(self.here, "index", None)
        if index is None or self.random.random() > self.often:
            return
        other = self.random.choice(list(self.turns))
        if other != index:
            self.switches += 1
            self.turns[other].release()
            self.turns[index].acquire()
            interpreter.interpreter_builder.set_grid_idx(index, 0, 0)
