"""Estimators for scikit-learn's pipelines and searches. They need the extra `sklearn`; the mathematics is elsewhere."""

from implicitbias.errors import MissingExtraError

try:
    import sklearn  # noqa: F401
except ImportError:
    raise MissingExtraError("estimators need scikit-learn", "sklearn") from None
