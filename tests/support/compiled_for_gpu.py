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
OF_THE_DTYPE = ("w", "b", "v", "c", "x", "partial", "slopes")
ALIGNED = [["tt.divisibility", 16]]


def compiled(n: int, m: int, d: int, k: int, seeds: int, dtype: str, loss: str) -> None:
    """Prints the registers of a thread, the shared memory of a program, and how many programs must fit together.

    As a launch does it: numbers that are 1 are constants, and what is divisible by 16 is known to be.
    """
    own = "*fp32" if dtype == "float32" else "*fp64"
    layout = fused_launch.plan(n, m, d, k, seeds, 4 if dtype == "float32" else 8, MULTIPROCESSORS)
    numbers = {"n": n, "m": m, "k": k, "x_size": 0, "y_size": m * k, "records": 1, "share": layout.share}
    constants = fused_launch.sizes(layout, m, d, k, loss) | {name: 1 for name, value in numbers.items() if value == 1}
    signature, known = {}, {}
    for i, name in enumerate(fused_kernel.descend.arg_names):
        if name in constants:
            signature[name] = "constexpr"
        elif name in numbers:
            signature[name] = "i32"
        else:
            signature[name] = TYPES.get(name, own if name in OF_THE_DTYPE else "*fp64")
        if name not in constants and numbers.get(name, 0) % 16 == 0:
            known[(i,)] = ALIGNED
    made = triton.compile(
        ASTSource(fused_kernel.descend, signature=signature, constexprs=constants, attrs=known),
        target=GPUTarget("cuda", HOPPER, 32),
        options=fused_launch.options(layout),
    )
    waits = made.asm["ptx"].count(".acquire."), made.asm["ptx"].count(".release.")
    assert waits == ((2, 2) if layout.parts > 1 else (0, 0)), waits
    assert "tf32" not in made.asm["ptx"], "products of matrices must not be rounded to fewer digits"
    tool = Path(triton.__file__).parent / "backends/nvidia/bin/cuobjdump"
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(made.asm["cubin"])
        file.flush()
        told = subprocess.run([tool, "-res-usage", file.name], capture_output=True, text=True, check=True)
    registers = max(int(number) for number in re.findall(r"REG:(\d+)", told.stdout + told.stderr))
    print(registers, made.metadata.shared, layout.together)
