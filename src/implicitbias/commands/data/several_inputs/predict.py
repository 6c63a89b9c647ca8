"""`implicitbias predict TABLE.csv` with several inputs: what a wide network learns from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from implicitbias.commands.data.answers import ROWS, Answer, both_ends, columns, titled
from implicitbias.errors import DataError

if TYPE_CHECKING:
    from implicitbias.splines.several_inputs.limit import SeveralInputsLimit


def of_several_inputs(
    source: str, weight: str | None, bias: str | None, adjust: str, time: float, at: list[str] | None
) -> Answer:
    """The limit at the places, each written as its coordinates with commas between them; by default at the data."""
    import numpy as np

    from implicitbias.data.table import read_table
    from implicitbias.laws.isotropic.build import isotropic_law
    from implicitbias.splines.several_inputs.limit import several_inputs_limit

    law = isotropic_law(weight, bias)
    table = read_table(source, labelled=True)
    X, y = np.array(table.x, dtype=np.float64), np.array(table.y, dtype=np.float64)
    found = several_inputs_limit(X, y, law, adjust=adjust, time=time)
    places = X if not at else np.array([_place(text, X.shape[1]) for text in at])
    values = found(places)
    document = {
        "schema": 1,
        "source": table.source,
        "points": len(table),
        "inputs": list(table.x_names),
        "label": table.y_name,
        "initialisation": law.text,
        "adjust": adjust,
        "time": None if time == np.inf else time,
        "at": places.tolist(),
        "prediction": values.tolist(),
        "u": found.u.tolist(),
        "v": found.v,
        "multipliers": found.multipliers.tolist(),
        "norm_squared": found.norm_squared,
        "at_data": found.values.tolist(),
    }
    return Answer(document, _words(document, found))


def _place(text: str, d: int) -> list[float]:
    from implicitbias.exact.rational import exact

    words = text.replace(",", " ").split()
    if len(words) != d:
        raise DataError(
            f"--at takes places with {d} coordinates, commas between them, such as --at "
            f"{','.join('0' * d)}: got {text!r}"
        )
    return [float(exact(word)) for word in words]


def _words(document: dict[str, Any], found: SeveralInputsLimit) -> list[str]:
    inputs, end = document["inputs"], document["time"]
    title = (
        f"{document['points']} points of {document['source']}, inputs {', '.join(inputs)}; {document['initialisation']}"
    )
    blocks = {
        "limit": [
            "what the infinitely wide network learns from "
            + {
                "none": "the data as they are",
                "exact": "the data less the affine function of Theorem 6, which is added again",
                "ols": "the data less their regression plane, which is added again",
            }[document["adjust"]]
            + ",",
            "at the end of training" if end is None else f"stopped at T = {end:g}",
        ],
        "norm²": [f"{found.norm_squared:.12g}"],
    }
    if document["adjust"] != "none":
        blocks["affine"] = [f"u = ({', '.join(map(_digits, found.u))}), v = {_digits(found.v)}"]
    count = len(document["at"])
    rows = [[*(f"{e:.6g}" for e in document["at"][k]), f"{document['prediction'][k]:.10g}"] for k in both_ends(count)]
    more = [] if count <= ROWS else [f"({count - ROWS} more in the middle: see --json)"]
    return [*titled(title, blocks), "", *columns([[*inputs, "limit"], *rows]), *more]


def _digits(number: float) -> str:
    """A zero that rounding missed is written as zero."""
    return f"{round(float(number), 12) + 0.0:.9g}"
