"""The trusted check of least total variation: true certificates pass, altered ones do not, whatever is altered."""

from __future__ import annotations

import copy
from fractions import Fraction
from typing import Any

import pytest

from implicitbias.certificate.budget import RefusedError, limited_to
from implicitbias.certificate.kernel import check_certificate, digest
from implicitbias.certificate.parts.cells import count_cells
from implicitbias.convex.cells.counts import count_by_deletion
from implicitbias.convex.cells.lifted import lifted
from implicitbias.convex.variation.least import tv_interpolant

B1 = [("-4/3", "5/4"), ("-4/3", "-5/4"), (4, 1), (4, -1)]
VALID = tv_interpolant(B1, [0, 0, 1, -1]).certificate()


def reason(document: dict[str, Any]) -> str:
    """Why the document is refused, its digest made right; "" if it is valid."""
    document["digest"] = digest(document)
    return check_certificate(document).reason


def scaled(texts: list[str], factor: Fraction) -> list[str]:
    return [str(Fraction(text) * factor) for text in texts]


def test_true_certificates_pass_and_say_what_they_prove() -> None:
    outcome = check_certificate(VALID)
    assert outcome.valid, outcome.reason
    assert "4 data points in dimension 2" in outcome.statement
    assert "lies between 1.2499999999999" in outcome.statement
    assert " and 1.25000000000000" in outcome.statement


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([[0], [1]], ["-1/2", "1/2"]),
        ([[i, j] for i in range(3) for j in range(3)], [0, 1, 0, 2, -1, 1, 0, 0, 3]),
        ([[i, 2 * i] for i in range(4)], [1, 0, 2, 1]),
        ([[1, 2, 3, 4]], [5]),
        ([[1, 2], [3, 4]], [0, 0]),
        ([["0.1", "0.2", "0.3"], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]], [1, -1, 1, -1, 1]),
    ],
)
def test_degenerate_data_have_certificates_too(x: list[list[Any]], y: list[Any]) -> None:
    assert reason(tv_interpolant(x, y).certificate()) == ""


def test_every_cell_is_needed() -> None:
    for k in range(len(VALID["dual"]["cells"])):
        document = copy.deepcopy(VALID)
        del document["dual"]["cells"][k]
        assert reason(document) == "dual.cells has 13 different cells, and there are 14"
        document["dual"]["cells"].append(copy.deepcopy(VALID["dual"]["cells"][k - 1]))
        assert "13 different cells" in reason(document)


def test_a_dual_that_is_too_large_is_refused() -> None:
    document = copy.deepcopy(VALID)
    document["dual"]["p"] = scaled(document["dual"]["p"], Fraction(1001, 1000))
    assert "does not show |g| <= 1" in reason(document)
    for cell in document["dual"]["cells"]:
        for side in ("above", "below"):
            cell[side] = [[i, *scaled([m], Fraction(1001, 1000))] for i, m in cell[side]]
    assert "does not show |g| <= 1" in reason(document)


def test_multipliers_are_needed_and_must_not_be_negative() -> None:
    needed = 0
    for k, cell in enumerate(VALID["dual"]["cells"]):
        for side in ("above", "below"):
            if cell[side]:
                needed += 1
                document = copy.deepcopy(VALID)
                document["dual"]["cells"][k][side] = []
                assert "does not show" in reason(document)
                document["dual"]["cells"][k][side] = [[cell[side][0][0], "-1"]]
                assert "negative multiplier" in reason(document)
    assert needed > 4


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        (("claim", "lower"), "5/4", "claim.lower is above"),
        (("claim", "upper"), "5/4", "claim.upper is below"),
        (("claim", "relative_gap"), "0", "relative_gap"),
        (("claim", "relative_gap"), "1", "relative_gap"),
        (("data", "y"), ["0", "0", "1", "1"], "miss the data point 3"),
        (("data", "y"), ["0", "0", "1"], "4 points and data.y 3"),
        (("data", "x"), [], "at least one"),
        (("data", "x"), [["1"], ["1", "2"], ["0", "0"], ["1", "1"]], "as many coordinates"),
        (("primal", "units"), [], "miss the data point 2"),
        (("primal", "units"), [["1", "0", "0", "0"]], "a or b not 0"),
        (("primal", "units"), "none", "must be a list"),
        (("dual", "p"), ["0"], "dual.p has 1 numbers"),
        (("dual", "cells"), {}, "must be a list"),
        (("dual", "cells", 0, "inside"), ["0", "0", "0"], "in no cell"),
        (("dual", "cells", 0, "inside"), ["1"], "must have 3 numbers"),
        (("dual", "cells", 0, "above"), [[4, "1"]], "i from 0 to 3"),
        (("dual", "cells", 0, "above"), [[True, "1"]], "pairs"),
        (("dual", "cells", 0, "above"), [["0", "1"]], "pairs"),
        (("dual", "cells", 0, "above"), 7, "pairs"),
    ],
)
def test_what_is_wrong_is_refused_with_the_reason(path: tuple[Any, ...], value: Any, expected: str) -> None:
    document = copy.deepcopy(VALID)
    place: Any = document
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    assert expected in reason(document)


def test_cells_are_counted_as_elsewhere() -> None:
    for points in (
        B1,
        [[i, j] for i in range(3) for j in range(3)],
        [[5]],
        [[1, 2], [1, 2]],
        [[i, i] for i in range(5)],
    ):
        rows = lifted(points)
        assert count_cells(rows) == count_by_deletion(rows)


def test_too_many_hyperplanes_are_undecided() -> None:
    rows = [(i, i * i, i**3, i**4, 1) for i in range(60)]
    with pytest.raises(RefusedError, match="undecided"), limited_to(1000):
        count_cells(rows)
