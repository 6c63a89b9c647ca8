"""Observed against claimed: every instance of a check along one symbol, and how far apart the two are."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from implicitbias.claims.evidence import Instance, Value
from implicitbias.claims.statement import Candidate, Claim, Rule, candidate_text
from implicitbias.exact.formula import Expression, parse
from implicitbias.exact.rational import Interval, decimal_text
from implicitbias.judging.instances import predicted
from implicitbias.judging.judgement import Outcome
from implicitbias.judging.result import Result
from implicitbias.report.judged import AT_MOST
from implicitbias.report.plots import slope
from implicitbias.report.plots.grouping import Axis, axis_of, depends_on, groups_of, varying
from implicitbias.report.plots.plot import RESIDUALS, Plot, Point, Role, Series
from implicitbias.report.typeset import typeset
from implicitbias.report.words import count, titled

LONGEST = 44
"""Characters of a formula in a legend."""

TOGETHER = 0.03
"""Curves less far apart than this share of what they span look like one."""

ROUNDING = Fraction(1, 10**12)
"""A difference smaller than this share is what an enclosure leaves open: said, not drawn."""

LOOKED_AT = 40
"""Instances that tell which control is nearest."""

CLAIMED = "what the claim says"
"""The axis where a claim depends on several symbols at once."""

Bounds = tuple[Fraction, Fraction]

Beside = tuple[str, Sequence[float | None]]
"""A label, and what something else says of each instance of the evidence."""


@dataclass(frozen=True)
class Seen:
    """One instance of a plot: its place on the axis, what was observed and what the claim says, as exact bounds."""

    instance: Instance
    x: float
    observed: Bounds
    claimed: Bounds | None

    @property
    def off(self) -> Bounds | None:
        """Observed minus claimed."""
        if self.claimed is None:
            return None
        return self.observed[0] - self.claimed[1], self.observed[1] - self.claimed[0]


def against_claim(claim: Claim, result: Result, other: Beside | None = None) -> Iterator[Plot]:
    """The observations over the claim, its printed form and a control, or over `other` in the place of these; then the
    residuals, if observed and claimed look like one."""
    symbols = tuple(claim.symbols)
    asked = _asked(claim.formula, symbols)
    numeric = [i for i in result.evidence.instances if bounds(i.observed) is not None]
    axis = axis_of(numeric, asked, claim.symbols)
    seen = [_seen(i, x, asked) for i in numeric if (x := axis.at(i)) is not None]
    if len({one.x for one in seen}) < 2:
        return
    groups = groups_of(seen, asked, axis)
    if _is_scattered(asked, groups, axis):
        # Along one of several symbols the dots are a cloud: against what the claim says they lie on a diagonal.
        axis = Axis(CLAIMED, CLAIMED)
        seen = [replace(one, x=middle(one.claimed)) for one in seen if one.claimed]
        groups = [("", seen)]
    series = [*_observed(groups), *_claimed(claim, asked, groups, axis)]
    claimed = [p for one in series if one.role == "claim" for p in one.points]
    powers = [slope.power([(s.x, middle(s.claimed)) for s in group if s.claimed]) for _, group in groups]
    # Axes are logarithmic where the claim is a power of the symbol, or both coordinates span two decades or more.
    is_power = all(powers)
    observed = [point for one in series if one.role == "observed" for point in one.points]
    logarithmic = all(min(p) > 0 for p in observed) and (is_power or slope.is_wide([*observed, *claimed]))
    zeros = [p for p in observed if p[1] == 0] if axis.name == CLAIMED else []
    if zeros and len(zeros) < len(observed) / 2:
        logarithmic = slope.is_wide([p for p in observed if p not in zeros])
    if logarithmic and is_power:
        series += _fits(groups, powers)
    if other:
        series.append(_other(other, result, seen))
    for candidate, role, label in () if other else _neighbours(claim, result, seen):
        series += _neighbour(candidate, role, label, symbols, groups, axis)
    plot = Plot("observed and claimed", axis.label, titled(claim), tuple(series), logarithmic, logarithmic)
    note, residuals = _residuals(seen, plot, result)
    if zeros and logarithmic:
        note = "; ".join(filter(None, [note, f"{count(len(zeros), 'observed zero')} not drawn"]))
    yield replace(plot, note=note)
    if residuals:
        yield residuals


def bounds(value: Value) -> Bounds | None:
    """A number as exact bounds; None for anything else, and for what no float can show."""
    if isinstance(value, bool) or not isinstance(value, int | Fraction | Interval):
        return None
    found = (value.lower, value.upper) if isinstance(value, Interval) else (Fraction(value), Fraction(value))
    try:
        float(found[0]), float(found[1])
    except OverflowError:
        return None
    return found


def middle(found: Bounds) -> float:
    return float((found[0] + found[1]) / 2)


def _asked(candidate: Candidate, symbols: Sequence[str]) -> Rule | Expression:
    return candidate if isinstance(candidate, Rule) else parse(candidate, symbols)


def _says(candidate: Rule | Expression, given: Mapping[str, Value]) -> Bounds | None:
    try:
        return bounds(predicted(candidate, given))
    except Exception:  # a rule is anybody's code; what it does not say is not drawn
        return None


def _seen(instance: Instance, x: float, asked: Rule | Expression) -> Seen:
    observed = bounds(instance.observed)
    assert observed is not None
    return Seen(instance, x, observed, _says(asked, instance.given))


Groups = Sequence[tuple[str, Sequence[Seen]]]


def _is_scattered(asked: Rule | Expression, groups: Groups, axis: Axis) -> bool:
    """Whether the claim says a number of every instance, several numbers, and no curve over the axis."""
    if any(s.claimed is None for _, group in groups for s in group):
        return False
    if len({s.claimed for _, group in groups for s in group}) < 2:
        return False
    return any(
        varying(among, depends_on(asked, among) - {axis.name})
        for among in ([s.instance for s in group] for _, group in groups)
    )


def _observed(groups: Groups) -> Iterator[Series]:
    for name, group in groups:
        ends = tuple((float(s.observed[0]), float(s.observed[1])) for s in group)
        points = tuple((s.x, middle(s.observed)) for s in group)
        yield Series(_of("observed", name), "observed", points, spread=ends if any(a < b for a, b in ends) else ())
    if single := tuple((s.x, y) for _, group in groups for s in group for y in s.instance.runs.get("", ())):
        yield Series("single runs", "run", single)


def _claimed(claim: Claim, asked: Rule | Expression, groups: Groups, axis: Axis) -> Iterator[Series]:
    relations = {s.instance.relation for _, group in groups for s in group}
    bound = AT_MOST[relations.pop()] if len(relations) == 1 else ""
    label = f"the claim says {bound}{_short(claim.formula)}"
    yield from _lines(label, "claim", asked, groups, axis, lambda s: s.claimed)


def _neighbour(
    candidate: Candidate, role: Role, label: str, symbols: Sequence[str], groups: Groups, axis: Axis
) -> Iterator[Series]:
    asked = _asked(candidate, symbols)
    return _lines(f"{label} {_short(candidate)}", role, asked, groups, axis, lambda s: _says(asked, s.instance.given))


def _other(other: Beside, result: Result, seen: Sequence[Seen]) -> Series:
    label, values = other
    says = {id(i): value for i, value in zip(result.evidence.instances, values, strict=True)}
    return Series(label, "control", tuple((s.x, v) for s in seen if (v := says[id(s.instance)]) is not None))


def _lines(
    label: str,
    role: Role,
    asked: Rule | Expression,
    groups: Groups,
    axis: Axis,
    value: Callable[[Seen], Bounds | None],
) -> Iterator[Series]:
    """A candidate as lines, where a place on the axis settles what it says within a group; otherwise as points."""
    found: dict[tuple[Point, ...], Series] = {}
    for _, group in groups:
        instances = [s.instance for s in group]
        line = not varying(instances, depends_on(asked, instances) - {axis.name})
        line = line or (axis.name == CLAIMED and role == "claim")
        points = [(s.x, middle(says)) for s in group if (says := value(s)) is not None]
        points = sorted(dict(points).items()) if line else points
        if points:
            found.setdefault(tuple(points), Series(label, role, tuple(points), line and len(points) > 1))
    yield from found.values()


def _fits(groups: Groups, powers: Sequence[float | None]) -> Iterator[Series]:
    for (name, group), claimed in zip(groups, powers, strict=True):
        attained = [(s.x, middle(s.observed)) for s in group if s.instance.relation == "="]
        if claimed is not None and (fitted := slope.fitted(attained, claimed)):
            yield replace(fitted, label=_of(fitted.label, name))


def _neighbours(claim: Claim, result: Result, seen: Sequence[Seen]) -> Iterator[tuple[Candidate, Role, str]]:
    """The printed form, and of the controls that this check rejects the one that comes nearest to the claim."""
    if claim.printed is not None:
        yield claim.printed, "printed", "as printed"
    rejected = [c for c in claim.controls if (j := result.controls.get(c.name)) and j.outcome is Outcome.REJECTED]
    apart = {c.name: _apart(_asked(c.candidate, tuple(claim.symbols)), seen) for c in rejected}
    nearest = min((c for c in rejected if apart[c.name] > 0), key=lambda c: apart[c.name], default=None)
    if nearest:
        yield nearest.candidate, "control", "control:"


def _apart(asked: Rule | Expression, seen: Sequence[Seen]) -> float:
    """How far a candidate is from the claim, at most, of `LOOKED_AT` instances; 0 where it says no number."""
    some = seen[:: math.ceil(len(seen) / LOOKED_AT)]
    pairs = [(says, s.claimed) for s in some if s.claimed and (says := _says(asked, s.instance.given))]
    return max((abs(middle(says) - middle(claimed)) for says, claimed in pairs), default=0.0)


def _residuals(seen: Sequence[Seen], plot: Plot, result: Result) -> tuple[str, Plot | None]:
    """A note where there is nothing to see but that the two agree; a plot where a close look shows more."""
    pairs = [(s, off) for s in seen if (off := s.off) is not None]
    if len(pairs) < len(seen) or not pairs:
        return "", None
    worst = max(max(abs(low), abs(high)) for _, (low, high) in pairs)
    many = f"at all {len(pairs)} instances"
    if worst == 0:
        return f"observed and claimed are equal {many}", None
    size = max(abs(end) for s in seen for end in s.observed)
    if worst <= ROUNDING * size:
        return f"observed and claimed are within {decimal_text(worst, 2)} of each other {many}", None
    relative = plot.y_log
    span = max(s.observed[1] for s in seen) - min(s.observed[0] for s in seen)
    apart = max(abs(middle(off)) for _, off in pairs)
    if not relative and apart > TOGETHER * float(span):
        return "", None
    shares = [middle(s.claimed) if relative and s.claimed else 1.0 for s, _ in pairs]
    if not all(shares):
        return "", None
    points, spread, single = [], [], []
    for (s, (low, high)), share in zip(pairs, shares, strict=True):
        points.append((s.x, middle((low, high)) / share))
        spread.append((float(low) / share, float(high) / share))
        claimed = middle(s.claimed) if s.claimed else 0.0
        single += [(s.x, (y - claimed) / share) for y in s.instance.runs.get("", ())]
    title = "(observed − claimed) / claimed" if relative else "observed − claimed"
    zero = ((min(s.x for s in seen), 0.0), (max(s.x for s in seen), 0.0))
    series = [Series("observed", "observed", tuple(points), spread=tuple(spread))]
    series += [Series("single runs", "run", tuple(single))] if single else []
    series.append(Series("the claim", "claim", zero, line=True))
    return "", Plot(RESIDUALS, plot.x_label, title, tuple(series), plot.x_log)


def _short(candidate: Candidate) -> str:
    text = typeset(candidate_text(candidate))
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _of(label: str, group: str) -> str:
    return f"{label} ({group})" if group else label
