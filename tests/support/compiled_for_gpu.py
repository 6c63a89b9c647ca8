"""The kernel of engine `fused` compiled to machine code of a GPU, on a machine that may have none."""

import re
import subprocess
import tempfile
from pathlib import Path

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from implicitbias.training.engines import fused_kernel, fused_launch

HOPPER = 90
MULTIPROCESSORS = 132
TYPES = {"count": "*i32", "recorded": "*i64", "marks": "*i64", "limits": "*i64"}
NUMBERS = ("n", "m", "k", "x_size", "y_size", "records", "share")
OF_THE_DTYPE = ("w", "b", "v", "c", "x", "partial", "slopes")


def compiled(n: int, m: int, d: int, k: int, seeds: int, dtype: str, loss: str) -> None:
    """Prints the registers of a thread, the shared memory of a program, and how many programs must fit together."""
    own = "*fp32" if dtype == "float32" else "*fp64"
    layout = fused_launch.plan(n, m, d, k, seeds, 4 if dtype == "float32" else 8, MULTIPROCESSORS)
    sizes = fused_launch.sizes(layout, d, k, loss)
    signature = {
        name: TYPES.get(name, own if name in OF_THE_DTYPE else "*fp64") for name in fused_kernel.descend.arg_names
    }
    signature |= dict.fromkeys(NUMBERS, "i32") | dict.fromkeys(sizes, "constexpr")
    made = triton.compile(
        ASTSource(fused_kernel.descend, signature=signature, constexprs=sizes),
        target=GPUTarget("cuda", HOPPER, 32),
        options=fused_launch.options(layout),
    )
    tool = Path(triton.__file__).parent / "backends/nvidia/bin/cuobjdump"
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(made.asm["cubin"])
        file.flush()
        told = subprocess.run([tool, "-res-usage", file.name], capture_output=True, text=True, check=True)
    registers = max(int(number) for number in re.findall(r"REG:(\d+)", told.stdout + told.stderr))
    print(registers, made.metadata.shared, layout.together)
