"""What a user can get wrong, a class each. The command line prints the message and ends with exit code 2."""

from __future__ import annotations


class UserError(Exception):
    """Something a user gave is not as it must be. The message says what was given, what is allowed, what to do."""


class DataError(UserError):
    """Data that no method here can take: not finite, not in order, missing, contradictory."""


class DegenerateLawError(DataError):
    """A law of weights and biases whose kinks have no density, asked for one."""


class FormulaError(UserError):
    """A formula outside the small language of `implicitbias.exact.formula`."""


class CatalogueError(UserError):
    """A claim that is not well formed. Names the file and the claim."""


class UnknownClaimError(UserError):
    """No claim has this id, or no claim matches this pattern."""


class CertificateError(UserError):
    """A certificate file that cannot be read as one (a false certificate is no error: it is refused with a reason)."""


class LedgerError(UserError):
    """A ledger that cannot be opened, read or written."""
