"""The most kinks the rules for KKT points allow in a run of data with one label, over all orders of kinks and supports.

A word lists the places of a run from left to right; each may have a support (S), units facing right (R), units
facing left (L), and one wrong-sign unit (C for cut), where the sign of v differs from the label. The rules:
  pair     two right-sign places of one family either have a support strictly between them or are both supports
  hull     between consecutive cuts N is convex, so with three or more supports there is no right-sign place strictly
           between the outer two
  first    in the first of several runs every unit facing left has a support strictly to its left, and no such unit has
           the wrong sign; the last run is the mirror image; both hold if there is only one run
  full     in an only run, R left of all supports and L right of all of them exclude each other
More than three supports between consecutive cuts never help, since those strictly inside can be removed. So there are
finitely many words, and all are enumerated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

S, R, L, C = 1, 2, 4, 8


@dataclass(frozen=True)
class Run:
    """What may occur in a run.

    letters   the allowed letters among R, L and C
    left      whether L needs a support strictly to its left
    right     whether R needs a support strictly to its right
    only      whether the rule "full" applies
    supports  the largest number in each stretch between cuts
    """

    letters: int
    left: bool = False
    right: bool = False
    only: bool = False
    supports: int = 3
    one_end: bool = False
    """A control: a support at one of the two places of a pair is enough."""


def words(run: Run, exactly: int | None = None) -> Iterator[tuple[int, ...]]:
    """All words of a run, with exactly `exactly` supports if given."""

    def extended(word: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if ends_well(word, run) and (exactly is None or sum(p & S for p in word) == exactly):
            yield word
        for place in range(1, 16):
            if not place & ~(S | run.letters) and follows(word, place, run, exactly):
                yield from extended((*word, place))

    yield from extended(())


def kinks(word: tuple[int, ...]) -> int:
    """Number of kinks: R, L and C at one place are counted separately, since they may be distinct kinks."""
    return sum((p & R > 0) + (p & L > 0) + (p & C > 0) for p in word)


def most_kinks(run: Run, exactly: int | None = None) -> int:
    return max(map(kinks, words(run, exactly)))


def in_a_run(where: str) -> int:
    """The most kinks of a run: both families of the right sign, one family with the other as a cut, or both wrong.

    where  "only", "first", "middle" or "last"
    """
    left, right = where in ("only", "first"), where in ("only", "last")
    found = [most_kinks(Run(R | L, left, right, only=where == "only"))]
    if not right:
        found.append(most_kinks(Run(L | C, left, right)))  # R is wrong, at one place
    if not left:
        found.append(most_kinks(Run(R | C, left, right)))
    if where == "middle":
        found.append(2)  # both families wrong, one place each
    return max(found)


def follows(word: tuple[int, ...], place: int, run: Run, exactly: int | None) -> bool:
    new = (*word, place)
    if place & C and any(p & C for p in word):
        return False
    if exactly is not None and sum(p & S for p in new) > exactly:
        return False
    if run.left and place & L and not any(p & S for p in word):
        return False
    for letter in (R, L):
        if place & letter and not _pair(word, place, letter, run):
            return False
    return all(_hull(stretch, run) for stretch in _stretches(new))


def _pair(word: tuple[int, ...], place: int, letter: int, run: Run) -> bool:
    before = [k for k, p in enumerate(word) if p & letter]
    if not before:
        return True
    last = before[-1]
    inside = any(p & S for p in word[last + 1 :])
    ends = (word[last] & S > 0, place & S > 0)
    return inside or all(ends) or (run.one_end and any(ends))


def _stretches(word: tuple[int, ...]) -> list[tuple[int, ...]]:
    cut = next((k for k, p in enumerate(word) if p & C), None)
    return [word] if cut is None else [word[: cut + 1], word[cut:]]


def _hull(stretch: tuple[int, ...], run: Run) -> bool:
    supports = [k for k, p in enumerate(stretch) if p & S]
    if len(supports) > run.supports:
        return False
    if len(supports) < 3:
        return True
    return not any(p & (R | L) for p in stretch[supports[0] + 1 : supports[-1]])


def ends_well(word: tuple[int, ...], run: Run) -> bool:
    supports = [k for k, p in enumerate(word) if p & S]
    rights, lefts = ([k for k, p in enumerate(word) if p & letter] for letter in (R, L))
    if run.right and rights and not (supports and supports[-1] > rights[-1]):
        return False
    if run.only and rights and lefts and supports:
        return not (rights[0] < supports[0] and lefts[-1] > supports[-1])
    return True
