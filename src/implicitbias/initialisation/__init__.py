"""Laws of (W, B) at initialisation and the curvature penalty 1/zeta that training from them pays."""

from implicitbias.initialisation.build import INITIALISATIONS, initialisation
from implicitbias.initialisation.independent import Independent
from implicitbias.initialisation.initialisation import Initialisation
from implicitbias.initialisation.joint_density import joint_density
from implicitbias.initialisation.law import Law
from implicitbias.initialisation.laws import LAWS, law

__all__ = ["INITIALISATIONS", "LAWS", "Independent", "Initialisation", "Law", "initialisation", "joint_density", "law"]
