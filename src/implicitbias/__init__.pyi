# The public names, each with its home: the one table. It is read by type checkers and, when a name is first asked
# for, by `__init__.py`.
from .certificate.kernel import check_certificate as check_certificate
from .claims.catalogue import load as load
from .convex.margin.classifier import max_margin as max_margin
from .convex.minimum_norm.interpolants import min_norm_interpolant as min_norm_interpolant
from .convex.ramps.interpolant import ramp_interpolant as ramp_interpolant
from .estimators.adaptive_spline import AdaptiveSplineRegressor as AdaptiveSplineRegressor
from .estimators.adaptive_spline import SmoothingSplineRegressor as SmoothingSplineRegressor
from .estimators.max_margin import MaxMarginClassifier as MaxMarginClassifier
from .estimators.minimum_norm import MinimumNormRegressor as MinimumNormRegressor
from .estimators.variation import VariationRegressor as VariationRegressor
from .estimators.wide_network import WideNetworkRegressor as WideNetworkRegressor
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
from .training.engines.table import train as train

__version__: str
