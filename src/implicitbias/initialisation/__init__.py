"""Laws of (W, B) at initialisation and the curvature penalty 1/zeta that training from them pays.

`implicitbias.initialisation` is this package once it is loaded, and the function before; so the package can be called.
"""

import sys
import types
from typing import Any

from implicitbias.initialisation.build import INITIALISATIONS, initialisation
from implicitbias.initialisation.independent import Independent
from implicitbias.initialisation.joint_density import joint_density
from implicitbias.initialisation.joint_law import Initialisation
from implicitbias.initialisation.law import Law
from implicitbias.initialisation.laws import LAWS, law

__all__ = ["INITIALISATIONS", "LAWS", "Independent", "Initialisation", "Law", "initialisation", "joint_density", "law"]


class _Package(types.ModuleType):
    def __call__(self, *laws: Any, **options: Any) -> Initialisation:
        return initialisation(*laws, **options)


sys.modules[__name__].__class__ = _Package
