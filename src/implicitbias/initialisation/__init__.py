"""Laws of (W, B) at initialisation and the curvature penalty 1/zeta that training with them pays."""

from implicitbias.initialisation.build import initialisation
from implicitbias.initialisation.independent import Independent
from implicitbias.initialisation.initialisation import Initialisation
from implicitbias.initialisation.law import Law
from implicitbias.initialisation.laws import LAWS, law

__all__ = ["LAWS", "Independent", "Initialisation", "Law", "initialisation", "law"]
