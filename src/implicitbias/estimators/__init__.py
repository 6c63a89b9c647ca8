"""Estimators for scikit-learn's pipelines and searches. They need the extra `sklearn`; the mathematics is elsewhere."""

from implicitbias.errors import brought_by_extra

with brought_by_extra("an estimator"):
    import sklearn  # noqa: F401
