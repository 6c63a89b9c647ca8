"""The notation in which claims are written: `claim`, the three kinds of check, rules, and what an observation yields.

An observation is a generator: it yields what it sees, one item at a time, and never looks at the formula. Mistakes
that would lose a check or a claim (a decorator without its name, `return` instead of `yield`, a check instead of a
tuple) raise TypeError: when the file is loaded, or when the check runs if they only show there.

>>> @certificate("squares of small numbers")
... def squares(context: Context) -> Observation:
...     \"\"\"The square by repeated addition.\"\"\"
...     for x in range(4):
...         yield seen(sum(x for _ in range(x)), x=x)
>>> square = claim(
...     "example.square", "Section 1", "The square", "The square of x is x².",
...     formula="x**2", symbols={"x": "a whole number"},
...     controls={"2*x": "right at 0 and 2", "x**3": "right at 0 and 1"}, checks=(squares,),
... )
>>> square.check("squares of small numbers").observe(Context()).instances[3].observed
9
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

from implicitbias.claims.check import Check, Context, JobOutput, Kind, Sweep
from implicitbias.claims.derivation import Derivation
from implicitbias.claims.evidence import RELATIONS, Curve, Evidence, Identity, Instance, Premise, Proven, Step, Value
from implicitbias.claims.statement import OWN_RESULT, Candidate, Claim, Control, Flaw, Rule, Source
from implicitbias.exact.formula import Assumption
from implicitbias.theorems.quantity import Quantity

TIME_LIMIT = 120.0


@dataclass(frozen=True)
class Measured:
    """A number, or a structure of numbers, that was measured in addition to what is judged."""

    name: str
    value: Value


@dataclass(frozen=True)
class Attached:
    """A certificate that the trusted checker accepts, as its document."""

    certificate: Mapping[str, Any]


@dataclass
class Made:
    """The claims and the checks that were written down while `recording` was on."""

    claims: list[Claim] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)


_made: ContextVar[Made | None] = ContextVar("made", default=None)


@contextmanager
def recording() -> Iterator[Made]:
    """Record what is made, so that the catalogue can tell what it did not find."""
    made = Made()
    token = _made.set(made)
    try:
        yield made
    finally:
        _made.reset(token)


Item = Instance | Identity | Proven | Premise | Step | Curve | Measured | Attached
Observation = Iterator[Item]
"""Items in any order."""

Point = Mapping[str, Any]
"""One point of a sweep: JSON values by name."""


def seen(observed: Value, label: str = "", /, *, relation: Value = "=", by_run: Any = (), **given: Value) -> Instance:
    """One concrete case: what was observed at the given values of the claim's symbols.

    The candidate must satisfy `observed <relation> candidate`: `<=` where it is claimed to be an upper bound, `>=`
    where it is claimed to be a lower bound.

    by_run  numbers, to be drawn: what each run gave of the quantity observed, or, by name, what a word was read from

    >>> seen("smaller", by_run={"ours": [1, 2], "theirs": [3, 4.00000001]}).runs
    {'ours': (1.0, 2.0), 'theirs': (3.0, 4.0)}
    """
    named = by_run if isinstance(by_run, Mapping) else {"": by_run}
    drawn = {name: _as_drawn(values) for name, values in named.items() if len(values)}
    for known in RELATIONS:
        if relation == known:
            return Instance(label, given, observed, known, drawn)
    raise ValueError(f"relation must be one of {', '.join(RELATIONS)}: got {relation!r}")


def _as_drawn(values: Sequence[float]) -> tuple[float, ...]:
    """Finite numbers, to more digits than a picture shows."""
    return tuple(float(f"{float(value):.6g}") for value in values if math.isfinite(value))


def certificate(
    name: str, *, about: str = "", time_limit: float = TIME_LIMIT
) -> Callable[[Callable[[Context], Observation]], Check]:
    """A check by exact or enclosed observation of concrete instances. `about`: the function's docstring by default."""

    _named("certificate", name)

    def check(observe: Callable[[Context], Observation]) -> Check:
        says = _about(about, observe)
        return _recorded(Check(name, Kind.CERTIFICATE, _collected(observe), says, time_limit=time_limit))

    return check


def experiment(
    name: str,
    points: Callable[[Context], Sequence[Point]] | None = None,
    job: Callable[[Point, str], JobOutput] | None = None,
    *,
    acceptance: str,
    about: str = "",
    shared: str = "",
    time_limit: float = TIME_LIMIT,
) -> Callable[[Callable[[Context], Observation]], Check]:
    """A check by training networks. `acceptance`: the rule, fixed before the seeds that judge were drawn.

    With `points` and `job` each point is one job, `job(point, device)`; the jobs run first and `context.outputs` holds
    what they returned. Checks that give the same name as `shared` share jobs with equal points.
    """

    _named("experiment", name)
    if (points is None) != (job is None):
        given, missing = ("points", "job") if job is None else ("job", "points")
        raise TypeError(f"the experiment {name!r} has {given} but no {missing}: a sweep needs both")

    def check(observe: Callable[[Context], Observation]) -> Check:
        sweep = Sweep(points, job, shared) if points is not None and job is not None else None
        says = _about(about, observe)
        return _recorded(Check(name, Kind.EXPERIMENT, _collected(observe), says, acceptance, sweep, time_limit))

    return check


def proof(
    name: str, *, about: str = "", time_limit: float = TIME_LIMIT
) -> Callable[[Callable[[Derivation], Observation | None]], Check]:
    """A check by derivation: the function is handed a `Derivation` and ends in `d.concludes(…)`."""

    _named("proof", name)

    def check(derive: Callable[[Derivation], Observation | None]) -> Check:
        @wraps(derive)
        def observe(context: Context) -> Evidence:
            derivation = Derivation()
            made = derive(derivation)
            items = [] if made is None else list(_yielded(made, derive))
            return gathered([*derivation.steps, *derivation.identities, *items])

        return _recorded(Check(name, Kind.PROOF, observe, _about(about, derive), time_limit=time_limit))

    return check


def theorem(
    name: str, *, about: str = "", time_limit: float = TIME_LIMIT
) -> Callable[[Callable[[], Observation]], Check]:
    """A check by theorems: the function takes nothing and yields `shows(…)`. A rule finds each value; none is typed."""

    _named("theorem", name)

    def check(state: Callable[[], Observation]) -> Check:
        @wraps(state)
        def observe(context: Context) -> Evidence:
            return gathered(_yielded(state(), state))

        return _recorded(Check(name, Kind.PROOF, observe, _about(about, state), time_limit=time_limit))

    return check


def shows(
    quantity: Quantity,
    label: str = "",
    /,
    *,
    for_all: Mapping[str, Assumption],
    assuming: Sequence[str] = (),
    split: Sequence[str] = (),
    words: Sequence[str] = (),
    indifferent_to: Sequence[str] = (),
    relation: str = "=",
    **given: str,
) -> Proven | Premise:
    """A theorem: the claim's formula at `given` is this quantity, for all values of the variables.

    quantity  a definition in primitives (`implicitbias.theorems.primitives`) with the witness of its value
    for_all   the variables with their domains
    assuming  hypotheses: `a < b`, `L >= 1`
    split     what is positive, zero or negative in turn: cases that the rule makes
    words     what of the definition or of the proof is not checked by a rule: the verdict is DERIVED then
    indifferent_to  primitives whose change does not change the value
    relation  `<=` where what the claim bounds is at most the quantity: a formula below it is then not rejected
    given     each symbol of the claim as a formula in the variables

    A step that no rule shows makes a premise that does not hold. Raises RefusedError for a witness that is wrong.
    """
    from implicitbias.theorems.setting import NotShownError
    from implicitbias.theorems.theorem import Theorem, establish

    stated = Theorem(
        label,
        quantity,
        dict(for_all),
        given,
        tuple(assuming),
        tuple(split),
        tuple(words),
        tuple(indifferent_to),
        relation,
    )
    try:
        found = establish(stated)
    except NotShownError as error:
        return Premise("a rule shows every step", holds=False, detail=f"{label}: {error}" if label else str(error))
    return Proven(stated.to_json(), quantity.reads, stated.digest, found.conclusions, found.steps, stated.in_words)


def rests(on: Claim, /, **at: str) -> Quantity:
    """What another claim is about, with formulas in the place of its symbols; its theorems are shown again with it.

    The verdict is no stronger than theirs: where they leave steps in words, or there are none, it is DERIVED. Raises
    TypeError for a claim without a formula.
    """
    from implicitbias.theorems.rules.values.rests import Rests
    from implicitbias.theorems.theorem import Theorem

    if not isinstance(on.formula, str):
        raise TypeError(f"{on.id} claims a rule: a theorem can rest on a formula only")
    proofs = (check.observe(Context()) for check in on.checks if check.kind is Kind.PROOF)
    shown = tuple(Theorem.from_json(proven.document) for evidence in proofs for proven in evidence.theorems)
    return Rests(on.id, on.formula, shown, at)


def rule(name: str, says: str = "") -> Callable[[Callable[[Mapping[str, Value]], Value]], Rule]:
    """A candidate that no formula can express, given as the function that predicts what will be observed."""
    _named("rule", name)

    def candidate(predict: Callable[[Mapping[str, Value]], Value]) -> Rule:
        return Rule(name, says or predict.__doc__ or "", predict)

    return candidate


def claim(
    id: str,
    place: str,
    title: str,
    statement: str,
    *,
    formula: Candidate,
    controls: Mapping[Candidate, str] | Mapping[str, str] | Mapping[Rule, str],
    checks: Sequence[Check],
    symbols: Mapping[str, str] | None = None,
    domain: tuple[str, ...] = (),
    latex: str = "",
    hypotheses: tuple[str, ...] = (),
    part_of: str = "",
    rests_on: tuple[str, ...] = (),
    see_also: tuple[str, ...] = (),
    formerly: tuple[str, ...] = (),
    flaw: Flaw | None = None,
    own: bool = False,
    conjecture: bool = False,
) -> Claim:
    """One checkable claim; see `Claim` for the fields.

    id        `paper.place`
    place     where in the paper: `Theorem 3.1`; for a result of our own what it goes with: `next to Theorem 3.1`
    controls  each plausible false neighbour of the statement with the reason why one might believe it
    own       a result of our own, which the paper does not print
    conjecture  nobody has proved it: its checks search for a counterexample, and it is never ESTABLISHED
    """
    if not isinstance(controls, Mapping):
        raise TypeError(f"the controls of {id} are a {type(controls).__name__}: give {{formula: why it tempts}}")
    if isinstance(checks, Check):
        raise TypeError(f"the checks of {id} are a single check: a tuple of one needs a comma")
    made = Claim(
        id=id,
        source=Source(OWN_RESULT if own else id.partition(".")[0], place),
        title=title,
        statement=statement,
        formula=formula,
        controls=tuple(Control(candidate, why) for candidate, why in controls.items()),
        checks=tuple(checks),
        latex=latex,
        hypotheses=hypotheses,
        part_of=part_of,
        rests_on=rests_on,
        see_also=see_also,
        formerly=formerly,
        symbols=symbols or {},
        domain=domain,
        flaw=flaw,
        conjecture=conjecture,
    )
    if record := _made.get():
        record.claims.append(made)
    return made


def gathered(items: Iterable[object]) -> Evidence:
    """The items, sorted by type. Raises TypeError for anything else, ValueError for a name that is measured twice."""
    found = tuple(items)
    for item in found:
        if not isinstance(item, Item):
            hint = ": use `yield from` for what another function yields" if isinstance(item, Iterable) else ""
            raise TypeError(f"an observation yields instances, premises, steps, …, not {type(item).__name__}{hint}")
    measured = [item for item in found if isinstance(item, Measured)]
    if repeated := [name for name, times in Counter(item.name for item in measured).items() if times > 1]:
        raise ValueError(f"{repeated[0]!r} is measured twice")
    return Evidence(
        instances=tuple(item for item in found if isinstance(item, Instance)),
        identities=tuple(item for item in found if isinstance(item, Identity)),
        theorems=tuple(item for item in found if isinstance(item, Proven)),
        premises=tuple(item for item in found if isinstance(item, Premise)),
        steps=tuple(item for item in found if isinstance(item, Step)),
        measured={item.name: item.value for item in measured},
        certificates=tuple(item.certificate for item in found if isinstance(item, Attached)),
        curves=tuple(item for item in found if isinstance(item, Curve)),
    )


def _collected(observe: Callable[[Context], Observation]) -> Callable[[Context], Evidence]:
    @wraps(observe)
    def collected(context: Context) -> Evidence:
        return gathered(_yielded(observe(context), observe))

    return collected


def _yielded(made: Any, function: Callable[..., Any]) -> Iterator[Item]:
    """What the function yields. Raises TypeError for what it returns, which would be lost."""
    if not isinstance(made, Iterator):
        raise TypeError(f"{function.__name__} returns {_called(made)}: an observation yields what it sees")
    generator: Any = made
    returned = yield from generator
    if returned is not None:
        raise TypeError(f"{function.__name__} ends with `return` of {_called(returned)}: yield it")


def _called(value: object) -> str:
    return "nothing" if value is None else f"a value of type {type(value).__name__}"


def _named(decorator: str, name: object) -> None:
    if not isinstance(name, str):
        raise TypeError(f'@{decorator} needs a name: @{decorator}("what it does")')


def _recorded(check: Check) -> Check:
    if record := _made.get():
        record.checks.append(check)
    return check


def _about(given: str, function: Callable[..., Any]) -> str:
    return given or function.__doc__ or ""
