"""The separation bound is a bound: no radical that is not zero is smaller."""

from fractions import Fraction

from hypothesis import assume, given
from hypothesis import strategies as st

from implicitbias.exact.enclosure import evaluate
from implicitbias.exact.formula import Expression, Operation, parse
from implicitbias.exact.rational import Interval
from implicitbias.exact.separation import separation_bits


def radicals() -> st.SearchStrategy[Operation]:
    numbers = st.fractions(-9, 9, max_denominator=7).map(lambda q: Operation("", number=q))

    def larger(smaller: st.SearchStrategy[Operation]) -> st.SearchStrategy[Operation]:
        pairs = st.tuples(smaller, smaller)
        root = smaller.map(lambda x: Operation("sqrt", (Operation("Abs", (x,)),)))
        return st.one_of(
            root, *(pairs.map(lambda p, head=head: Operation(head, p)) for head in ("+", "-", "*", "Max", "Min"))
        )

    return st.recursive(numbers, larger, max_leaves=5)


@given(radicals())
def test_a_radical_is_zero_or_at_least_as_large_as_the_bound_says(tree: Operation) -> None:
    bits = separation_bits(tree, {})
    assume(bits is not None and bits < 4000)
    assert bits is not None
    value = evaluate(Expression("", frozenset(), tree), {}, bits=8000)
    least = Fraction(1, 1 << bits)
    if isinstance(value, Interval):
        assert value.lower >= least or value.upper <= -least or abs(value.upper) < least > abs(value.lower)
    else:
        assert value == 0 or abs(value) >= least


def test_the_bound_covers_what_nearly_cancels() -> None:
    bits = separation_bits(parse("sqrt(2) - 14142135623730950488/10**19").tree, {})
    assert bits is not None
    assert bits >= 64


def test_there_is_no_bound_for_other_functions_or_for_intervals() -> None:
    assert separation_bits(parse("exp(1) - 2").tree, {}) is None
    assert separation_bits(parse("x - 2").tree, {"x": Interval(Fraction(1), Fraction(3))}) is None
    assert separation_bits(parse("2**x").tree, {"x": Fraction(1, 2)}) is None
