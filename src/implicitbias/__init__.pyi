# The public names, each with its home: the one table. It is read by type checkers and, when a name is first asked
# for, by `__init__.py`.
from .certificate.kernel import check_certificate as check_certificate
from .claims.catalogue import load as load
from .convex.margin.classifier import max_margin as max_margin
from .convex.minimum_norm.interpolants import min_norm_interpolant as min_norm_interpolant
from .convex.ramps.interpolant import ramp_interpolant as ramp_interpolant
from .functions.network import Network as Network
from .functions.piecewise_linear import PiecewiseLinear as PiecewiseLinear
from .functions.regions import linear_regions as linear_regions
from .functions.representation_cost import representation_cost as representation_cost
from .laws.isotropic.build import isotropic_law as isotropic_law
from .laws.joint.build import initialisation as initialisation
from .networks.inspection import inspect as inspect
from .running.runner import run as run
from .splines.adaptive import AdaptiveSpline as AdaptiveSpline
from .splines.several_inputs.limit import several_inputs_limit as several_inputs_limit
from .splines.smoothing import SmoothingSpline as SmoothingSpline
from .splines.wide_network import WideNetworkRegressor as WideNetworkRegressor
from .training.engines.table import train as train

__version__: str
