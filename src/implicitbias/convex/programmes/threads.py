"""One thread for dense linear algebra: systems of some hundred rows gain little from two, and lose much.

On a machine that has other work, threads that wait for each other made the steps of problem (10) eight times slower.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import Any


def one_thread() -> AbstractContextManager[Any]:
    """Within it, BLAS and LAPACK of numpy and scipy use one thread."""
    return _pools().limit(limits=1, user_api="blas")  # type: ignore[no-any-return]


@cache
def _pools() -> Any:
    import scipy.linalg  # noqa: F401  # its library is found only once it is loaded
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
