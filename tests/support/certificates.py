"""Certificates of minimum-norm interpolation of all forms."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from implicitbias.certificate.kernel import digest
from implicitbias.convex.minimum_norm.few_kinks import with_few_kinks
from implicitbias.convex.minimum_norm.interpolants import min_norm_interpolant

DATA: list[tuple[list[Any], list[Any]]] = [
    ([0, 1, 2, 3, 4, 5], [0, 1, 0, 1, 0, 1]),
    ([0, 1, 2, 3, 4, 5], [5, 2, 1, 1, 2, 5]),
    (["-2.7", "-1.8", "2", "4.9"], ["-8.2", "-5.3", "5.9", "14.6"]),
    (["0.1", "1.3", "3.4"], ["2.8", "-2.6", "-2.9"]),
    ([0, 2], [5, 1]),
    ([0, 1, 3], [0, -1, -3]),
    ([0, 1, 2, 3], [0, 0, 1, 3]),
    ([0, 1, 2, 3, 4], [0, 1, 2, 1, 0]),
    ([7], [3]),
    ([0, 1, 2], [4, 4, 4]),
]


def certificates() -> list[dict[str, Any]]:
    """Of all data, each with several minimisers; made once, and copied."""
    return [json.loads(text) for text in _written()]


@cache
def _written() -> list[str]:
    found = [min_norm_interpolant(x, y) for x, y in DATA]
    documents = [f.certificate() for f in found]
    documents += [f.certificate(with_few_kinks(f)) for f in found]
    documents += [f.certificate(f.spline("1/3")) for f in found]
    for f, share in ((f, share) for f in found for share in ("1", "0", "2/7")):
        document = f.certificate()
        document["primal"] = {"left_share": share}
        documents.append(signed(document))
    return [json.dumps(document) for document in documents]


def signed(document: dict[str, Any]) -> dict[str, Any]:
    """The document with the digest that it should have."""
    document["digest"] = digest(document)
    return document


VALID = json.dumps(min_norm_interpolant([0, 1], [0, 1]).certificate())
"""The text of one of them."""
