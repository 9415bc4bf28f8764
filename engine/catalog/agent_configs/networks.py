"""Point estimates and finite ensembles of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from augury.engine.catalog.agent_configs.sgd import SgdConfig


@dataclass(frozen=True, slots=True)
class MlpConfig(SgdConfig):
    """One network: a point estimate, hence right marginals and wrong joints."""

    weight_decay: float = 1.0  # times the sum of squares of all parameters, over num_train


@dataclass(frozen=True, slots=True)
class EnsembleConfig(MlpConfig):
    """Independent networks on the same rows; cost grows linearly in num_ensemble."""

    num_ensemble: int = 100
    index_sampling: Literal["every", "replacement"] = "every"  # replacement: as the reference
    # Weights of mean 1 for each (row, member), fixed for a cell: online bootstrap.
    distribution: Literal["none", "bernoulli", "exponential", "poisson", "uniform"] = "none"


@dataclass(frozen=True, slots=True)
class EnsemblePlusConfig(EnsembleConfig):
    """An ensemble whose members each carry a fixed random prior network."""

    prior_scale: float = 3.0
    temp_scale: Literal["sqrt", "linear", "none"] = "sqrt"  # prior_scale / temperature^(1/2, 1, 0)
