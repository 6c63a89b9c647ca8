"""Whether a point lies in a case of a proof: then the proof gives the value there, and no other formula may differ."""

from __future__ import annotations

from collections.abc import Sequence

from implicitbias.claims.evidence import Evidence, Identity
from implicitbias.exact.enclosure import NoValueError, evaluate
from implicitbias.exact.formula import parse
from implicitbias.exact.points import Point, allows
from implicitbias.judging.rivals.demands import holds_at, hypotheses_of
from implicitbias.judging.tried import Case, equalities_of


def covered(evidence: Sequence[Evidence], point: Point) -> bool:
    """Whether a case is seen to contain the point: its variables stand among the symbols themselves."""
    return any(_contains(case, point) for seen in evidence for case in equalities_of(seen))


def _contains(case: Case, point: Point) -> bool:
    given = {name: parse(text, case.variables) for name, text in case.given.items() if name in point}
    at = {g.tree.head: point[name] for name, g in given.items() if g.tree.is_name and g.tree.head in case.variables}
    if at.keys() != case.variables.keys() or not all(allows(case.variables[n], v) for n, v in at.items()):
        return False
    try:
        if any(evaluate(formula, at) != point[name] for name, formula in given.items()):
            return False
    except NoValueError:
        return False
    hypotheses = () if isinstance(case, Identity) else hypotheses_of(case)
    return all(holds_at(h, at) for h in hypotheses)
