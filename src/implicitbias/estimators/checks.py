"""Which of scikit-learn's checks of estimators cannot hold for one input, and why."""

from __future__ import annotations

from collections.abc import Mapping

_ONE_DIMENSIONAL = "the check makes X one-dimensional, as estimators of one input ask for, and then reads X[:, 0]"

ONE_INPUT: Mapping[str, str] = {
    **dict.fromkeys(
        (
            "check_dict_unchanged",
            "check_dont_overwrite_parameters",
            "check_dtype_object",
            "check_f_contiguous_array_estimator",
            "check_fit2d_1feature",
            "check_fit2d_1sample",
            "check_fit2d_predict1d",
            "check_methods_sample_order_invariance",
            "check_methods_subset_invariance",
            "check_n_features_in",
            "check_n_features_in_after_fitting",
            "check_regressors_no_decision_function",
        ),
        _ONE_DIMENSIONAL,
    ),
    "check_estimator_sparse_array": "the check makes X one-dimensional, and sparse formats have no such arrays",
    "check_fit1d": "a one-dimensional X is one input for each datum, which is what these estimators take",
}
"""For `check_estimator(…, expected_failed_checks=ONE_INPUT)`, of every estimator of one input."""

SMOOTHING: Mapping[str, str] = {
    **ONE_INPUT,
    "check_regressors_train": "the labels depend on ten inputs, and one does not explain half of their variance",
}
"""Of an estimator of one input that does not meet its data."""

WIDE: Mapping[str, str] = {
    "check_n_features_in": "its data are around (100, …, 100), where units whose biases have size 1 hardly bend",
}
"""Of the wide network with the default laws."""

MAXIMUM_MARGIN: Mapping[str, str] = {
    **ONE_INPUT,
    **dict.fromkeys(
        ("check_classifier_data_not_an_array", "check_estimators_dtypes", "check_positive_only_tag_during_fit"),
        "one x has two labels, once the other inputs are taken away: nothing classifies both",
    ),
    "check_classifiers_train": "with one input X and its transpose have the same shape, and neither is refused",
}
"""Of the classifier of largest margin."""
