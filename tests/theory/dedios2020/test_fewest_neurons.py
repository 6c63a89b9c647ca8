"""The exhaustive search for the fewest neurons against data whose answer can be seen."""

from fractions import Fraction

import pytest

from implicitbias.theory.observed.measures.contact_sets import lift
from implicitbias.theory.observed.measures.exact_cases import diamond
from implicitbias.theory.observed.measures.fewest_neurons import fewest_neurons

LINE = [lift((t,)) for t in (-1, 0, 1, 2)]


@pytest.mark.parametrize(
    ("labels", "neurons"),
    [
        ((0, 0, 0, 0), 0),
        ((1, 2, 3, 4), 1),
        ((0, 0, 1, 2), 1),
        ((-1, 0, 1, 2), 2),
        ((1, 0, 1, 2), 2),
        ((0, 1, 0, 0), 2),  # [1 - x]₊ - 2[-x]₊
        ((0, 1, 0, 1), 3),
    ],
)
def test_on_the_line_as_many_neurons_as_can_be_counted_by_eye(labels: tuple[int, ...], neurons: int) -> None:
    y = tuple(map(Fraction, labels))
    found = fewest_neurons(LINE, y)
    assert len(found.neurons) == neurons
    assert found.passes(LINE, y)


def test_the_exclusive_or_needs_three_and_every_choice_of_two_is_excluded() -> None:
    found = fewest_neurons(diamond().points, diamond().y)
    assert len(found.neurons) == 3
    assert found.excluded >= 16  # a positive and a negative neuron, each with both its data: 4 cells or more of each


def test_an_input_with_two_labels_is_refused() -> None:
    with pytest.raises(ArithmeticError, match="two labels"):
        fewest_neurons([lift((0,)), lift((0,))], (Fraction(1), Fraction(2)))
