"""What becomes of altered theorems: nothing false may be accepted.

`attack` tries a theorem and the claim that it proves in every way of `implicitbias.theorems.attacks.alterations`, and
with every primitive changed. A rule that lets one pass is unsound, or the theorem does not say what it seems to say.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice, zip_longest
from typing import TypeVar

from implicitbias.errors import FormulaError
from implicitbias.exact.formula import parse
from implicitbias.judging.conclusions import judge_conclusion
from implicitbias.judging.judgement import Outcome
from implicitbias.theorems.attacks.alterations import Altered, States, perturbed, planted, with_holes
from implicitbias.theorems.dependence import otherwise, reached
from implicitbias.theorems.established import Conclusion, Established
from implicitbias.theorems.primitives import PRIMITIVES, Vocabulary
from implicitbias.theorems.setting import NotShownError, RefusedError
from implicitbias.theorems.theorem import Theorem, establish

Drawn = TypeVar("Drawn")


class Fate(StrEnum):
    """What became of an altered theorem; ACCEPTED and BROKEN must not be."""

    REFUSED = "refused"
    NOT_SHOWN = "not shown"
    UNCHANGED = "value unchanged"
    CHANGED = "another value, which the false formulas are not"
    IN_WORDS = "derived at best: no primitive is left in the definition"
    INDEPENDENT = "does not depend on it, and says so"
    ACCEPTED = "accepted"
    BROKEN = "an error that no rule foresees"

    @property
    def is_hole(self) -> bool:
        return self in (Fate.ACCEPTED, Fate.BROKEN)


@dataclass(frozen=True)
class Stated:
    """A theorem, the claim that it proves, and false formulas: those that the theorem rejects are planted.

    conclusions  what its rule has found, where that is known
    """

    theorem: Theorem
    claimed: str
    controls: Sequence[str] = ()
    conclusions: Sequence[Conclusion] = ()


@dataclass(frozen=True)
class Trial:
    how: str
    fate: Fate
    detail: str = ""


@dataclass(frozen=True)
class Attack:
    """An altered theorem, or (a name) a primitive of the theorem that is to be changed."""

    stated: Stated
    altered: Altered | str

    @property
    def how(self) -> str:
        return self.altered if isinstance(self.altered, str) else self.altered.how


def attacks(stated: Stated, most: int | None = None, seed: int = 0) -> list[Attack]:
    """Every way of attacking the theorem, or `most` of them drawn by the seed, of every sort in turn."""
    original = stated.conclusions or establish(stated.theorem).conclusions
    known = replace(stated, conclusions=original)
    generator = random.Random(seed)

    def in_order(sort: Iterable[Drawn]) -> list[Drawn]:
        drawn = list(sort)
        if most is not None:
            generator.shuffle(drawn)
        return drawn

    def with_formula(formula: str) -> Iterator[Altered]:
        if _outcome(original, formula) is Outcome.REJECTED:
            yield from in_order(planted(stated.theorem, stated.claimed, formula))

    sorts: list[Iterable[Altered | str]] = [
        in_order(reached(stated.theorem.definitions)),
        _by_turns([with_formula(formula) for formula in in_order(stated.controls)]),
        in_order(perturbed(stated.theorem)),
        in_order(with_holes(stated.theorem)),
    ]
    in_turn = (Attack(known, one) for row in zip_longest(*sorts) for one in row if one is not None)
    return list(islice(in_turn, most))


def _by_turns(sources: Iterable[Iterator[Drawn]]) -> Iterator[Drawn]:
    """One of each in turn; no source is asked before its turn comes."""
    waiting = deque(sources)
    while waiting:
        source = waiting.popleft()
        for one in islice(source, 1):
            yield one
            waiting.append(source)


def attack(stated: Stated, most: int | None = None, seed: int = 0) -> Iterator[Trial]:
    """What becomes of each altered theorem.

    >>> from implicitbias.theorems.rules.values.value import Value
    >>> product = Theorem("", Value("relu(x)*relu(y)"), {"x": "positive", "y": "positive"}, {"a": "x", "b": "y"})
    >>> for fate, number in counted(attack(Stated(product, "a*b", ["a + b"]))).items():
    ...     print(number, fate)
    1 refused
    2 value unchanged
    1 another value, which the false formulas are not
    1 derived at best: no primitive is left in the definition
    """
    for one in attacks(stated, most, seed):
        yield tried(one)


def tried(one: Attack) -> Trial:
    """What becomes of it."""
    if isinstance(one.altered, str):
        return _subject_changed(one.stated, one.altered)
    return _judged(one.stated, one.altered)


def holes(trials: Iterable[Trial]) -> list[Trial]:
    return [trial for trial in trials if trial.fate.is_hole]


def counted(trials: Iterable[Trial]) -> dict[Fate, int]:
    """How many trials met each fate that occurs."""
    counts = Counter(trial.fate for trial in trials)
    return {fate: counts[fate] for fate in Fate if counts[fate]}


def _judged(stated: Stated, altered: Altered) -> Trial:
    found = _established(altered.theorem, PRIMITIVES)
    if isinstance(found, Trial):
        return Trial(altered.how, found.fate, found.detail)
    accepted = next(
        (
            c
            for c in ([altered.planted] if altered.planted else stated.controls)
            if _outcome(found.conclusions, c) is Outcome.ACCEPTED
            and (altered.planted or _outcome(stated.conclusions, c) is Outcome.REJECTED)
        ),
        None,
    )
    if accepted is not None:
        if altered.theorem.in_words:
            return Trial(altered.how, Fate.IN_WORDS)
        return Trial(altered.how, Fate.ACCEPTED, f"{accepted} is accepted")
    outcome = _outcome(found.conclusions, stated.claimed)
    if altered.states is States.NOTHING and outcome is Outcome.ACCEPTED:
        return Trial(altered.how, Fate.ACCEPTED, "the claim is accepted, of no values")
    if altered.states is States.SAME and outcome is Outcome.REJECTED:
        return Trial(altered.how, Fate.ACCEPTED, f"another value is found: {found.conclusions[0].value}")
    return Trial(altered.how, Fate.UNCHANGED if outcome is Outcome.ACCEPTED else Fate.CHANGED)


def _subject_changed(stated: Stated, name: str) -> Trial:
    """Refused, or of another value, in one of the ways; or marked as independent of the primitive."""
    changes = list(otherwise(name))
    for how, vocabulary in changes:
        found = _established(stated.theorem, vocabulary)
        if isinstance(found, Trial):
            return Trial(how, found.fate, found.detail)
        if _outcome(found.conclusions, stated.claimed) is not Outcome.ACCEPTED:
            return Trial(how, Fate.CHANGED)
    how = f"{name} in {len(changes)} other ways"
    if name in (*stated.theorem.independent_of, *stated.theorem.indifferent_to):
        return Trial(how, Fate.INDEPENDENT)
    if stated.theorem.in_words:
        return Trial(how, Fate.IN_WORDS)
    return Trial(how, Fate.ACCEPTED, "the claim is accepted whatever it is, and the theorem does not say so")


def _established(theorem: Theorem, vocabulary: Vocabulary) -> Established | Trial:
    try:
        return establish(theorem, vocabulary)
    except NotShownError as error:
        return Trial("", Fate.NOT_SHOWN, str(error))
    except (RefusedError, FormulaError, ValueError) as error:
        return Trial("", Fate.REFUSED, str(error))
    except Exception as error:
        return Trial("", Fate.BROKEN, f"{type(error).__name__}: {error}")


def _outcome(conclusions: Sequence[Conclusion], formula: str) -> Outcome:
    """What the theorem alone says of the formula; UNDECIDED where it gives no symbol of it."""
    try:
        outcomes = {judge_conclusion(c, parse(formula, c.given)).outcome for c in conclusions}
    except (FormulaError, ValueError):
        return Outcome.UNDECIDED
    for outcome in (Outcome.REJECTED, Outcome.UNDECIDED):
        if outcome in outcomes:
            return outcome
    return Outcome.ACCEPTED
