"""Checks what is claimed about the implicit bias of shallow ReLU networks.

>>> import implicitbias as ib
>>> ib.min_norm_interpolant([0, 1, 2], [0, 1, 0]).cost
Fraction(2, 1)

The public names are those of `__init__.pyi`, imported when first used: `import implicitbias` alone loads none of the
libraries behind them.
"""

from importlib.metadata import version

import lazy_loader

__version__ = version("implicitbias")
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
