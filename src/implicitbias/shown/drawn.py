"""Functions of one variable drawn with matplotlib (extra `plot`): the data, the graph, its kinks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from implicitbias.errors import brought_by_extra

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

PLACES = 513
"""Where a function is evaluated, its kinks apart."""
BEYOND = 0.1
"""The share of the range that is drawn beyond each end: there the end slopes show."""


@dataclass(frozen=True)
class Drawing:
    """A function of arrays, where it bends sharply, and the data if there are any."""

    function: Callable[[Array], Array]
    kinks: Iterable[Any] = ()
    x: Iterable[Any] = ()
    y: Iterable[Any] = ()


class Drawn:
    """A function of one variable that draws itself."""

    def _drawing(self) -> Drawing:
        raise NotImplementedError

    def plot(self, ax: Any = None) -> Any:
        """Draw the function, its kinks and its data with matplotlib (extra `plot`).

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default the axes of a new figure.

        Returns
        -------
        matplotlib Axes
            `ax`, or the new one.

        Raises
        ------
        MissingExtraError
            If matplotlib is not installed.
        """
        axes, found = axes_of(ax), self._drawing()
        x, kinks = doubles(found.x), doubles(found.kinks)
        reach = [*(x if len(x) else kinks), *([] if len(x) or len(kinks) else [0.0])]
        draw(axes, type(self).__name__, found.function, places_around(min(reach), max(reach), kinks), kinks)
        if len(x):
            draw_data(axes, x, doubles(found.y))
        axes.set_xlabel("x")
        axes.legend()
        return axes


def axes_of(ax: Any = None) -> Any:
    """These axes, or those of a new figure."""
    with brought_by_extra("plot"):
        from matplotlib import pyplot
    return pyplot.subplots()[1] if ax is None else ax


def doubles(numbers: Iterable[Any]) -> Array:
    import numpy as np

    return np.array([float(number) for number in numbers])


def places_around(low: float, high: float, kinks: Array) -> Array:
    """From a little below `low` to a little above `high`, with the kinks: each corner is a corner of the picture."""
    import numpy as np

    beyond = BEYOND * (high - low) or 1.0
    grid = np.linspace(low - beyond, high + beyond, PLACES)
    return np.union1d(grid, kinks[(grid[0] < kinks) & (kinks < grid[-1])])


def draw(ax: Any, name: str, function: Callable[[Array], Array], places: Array, kinks: Array) -> None:
    """The graph and its kinks."""
    ax.plot(places, function(places), label=name)
    if len(kinks):
        ax.plot(kinks, function(kinks), "D", markersize=8, fillstyle="none", color="black", label="kinks")
    ax.set_ylabel("y")


def draw_data(ax: Any, x: Array, y: Array) -> None:
    ax.plot(x, y, "o", markersize=4, color="tab:red", label="data")
