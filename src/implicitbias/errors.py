"""Errors of the user, one class per kind. The command line prints the message and ends with exit code 2."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from implicitbias.legible import legible

EXTRAS = {
    "dask": "cluster",
    "distributed": "cluster",
    "matplotlib": "plot",
    "numba": "training",
    "onnx": "onnx",
    "safetensors": "safetensors",
    "sklearn": "sklearn",
    "textual_serve": "web",
    "torch": "torch",
    "triton": "gpu",
}
"""The extra of the package that brings each library that the package alone does not."""


class UserError(Exception):
    """The user's input is not valid. The message says what was given, what is allowed, what to do.

    Whatever was given, the message is legible: long numbers and words are shortened, control characters written out.
    """

    def __str__(self) -> str:
        return legible(super().__str__())


class DataError(UserError, ValueError):
    """Data that cannot be used: not finite, not in order, missing, contradictory.

    A ValueError too, which is what users of Python libraries catch for a bad argument.
    """


class MissingExtraError(UserError, ImportError):
    """A library is missing that only an extra of the package brings."""

    def __init__(self, says: str, extra: str) -> None:
        super().__init__(f"{says}: pip install 'implicitbias[{extra}]'")
        self._given = says, extra

    def __reduce__(self) -> tuple[type[MissingExtraError], tuple[str, str]]:
        return type(self), self._given  # workers send it to whoever asked


class UnsolvedError(DataError, ArithmeticError):
    """Floating point found no solution: the data nearly coincide, or are too unevenly scaled.

    An ArithmeticError too, so that whoever knows another way can try it.
    """

    def __init__(self, says: str) -> None:
        super().__init__(f"{says}: the data may nearly coincide, or be too unevenly scaled; bring them near 1")


class DegenerateLawError(DataError):
    """A law of weights and biases whose kinks have no density was asked for it."""


class FormulaError(UserError):
    """A formula outside the small language of `implicitbias.exact.formula`."""


class CatalogueError(UserError):
    """A claim that is not well formed. Names the file and the claim."""


class UnknownClaimError(UserError):
    """No claim has this id, or no claim matches this pattern."""


class CertificateError(UserError):
    """A certificate file that cannot be read as one. (A false certificate is not an error: it is refused.)"""


class LedgerError(UserError):
    """A ledger that cannot be opened, read or written."""


class ClusterError(UserError):
    """A cluster that cannot be used: out of reach, without workers, or with workers that compute from other sources."""


class CoqError(UserError):
    """Coq cannot be asked: it, or a library it needs, is not installed, or is of a version our library does not fit."""


def missing_extra(error: BaseException, what: str = "this") -> MissingExtraError | None:
    """What to install, if the error is that a library is missing that an extra brings.

    >>> print(missing_extra(ModuleNotFoundError(name="torch"), "training deep networks"))
    training deep networks needs torch: pip install 'implicitbias[torch]'
    """
    if isinstance(error, MissingExtraError):
        return error
    library = (error.name or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
    return MissingExtraError(f"{what} needs {library}", EXTRAS[library]) if library in EXTRAS else None


@contextmanager
def brought_by_extra(what: str) -> Iterator[None]:
    """Raises MissingExtraError, with what it is that needs the library, where an import inside finds none."""
    try:
        yield
    except ModuleNotFoundError as error:
        if missing := missing_extra(error, what):
            raise missing from None
        raise
