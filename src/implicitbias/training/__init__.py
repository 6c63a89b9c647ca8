"""Training: full-batch gradient descent, its flow and its linearised limit, behind one function `train`.

>>> import numpy as np
>>> start = anti_symmetric(standard(w=[1.0, -1.0, 1.0], b=[0.5, 0.3, -0.2], v=[1.0, 1.0, -1.0]))
>>> trained = train(start, x=[-1.0, 0.0, 1.0], y=[0.5, -0.5, 0.5], steps=20_000, stop_loss=1e-20)
>>> trained.engine, trained.reason, bool(np.abs(trained(np.array([-1.0, 0.0, 1.0])) - [0.5, -0.5, 0.5]).max() < 1e-9)
('prefix_sum', 'loss', True)

Separate from it are stochastic training with noise on the labels (`label_noise`; what it regularises:
`effective_loss`) and full-batch training with weight decay and the path norm (`penalised`), both for many networks at
once and any input dimension, and the count of different neurons (`effective_neurons`).
"""

from implicitbias.training.engines.engine import Engine
from implicitbias.training.engines.table import ENGINES, train
from implicitbias.training.infinite_width import InfiniteWidth
from implicitbias.training.layered import LayeredNetwork
from implicitbias.training.losses import LOSSES
from implicitbias.training.parametrisation import anti_symmetric, ntk, standard
from implicitbias.training.tangent import tangent_kernel
from implicitbias.training.trajectory import REASONS, Trajectory
from implicitbias.training.two_layer import Groups, TwoLayer

__all__ = [
    "ENGINES",
    "LOSSES",
    "REASONS",
    "Engine",
    "Groups",
    "InfiniteWidth",
    "LayeredNetwork",
    "Trajectory",
    "TwoLayer",
    "anti_symmetric",
    "ntk",
    "standard",
    "tangent_kernel",
    "train",
]
