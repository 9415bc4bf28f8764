"""Ensemble+: an ensemble with randomised prior functions (arXiv:1806.03335). Good joint beliefs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from augury.engine.catalog.agent_configs.networks import EnsemblePlusConfig
from augury.engine.learning.contract import LearnerAgent
from augury.engine.learning.epistemic import Known, Learner
from augury.engine.networks.ensemble import ensemble_learner
from augury.engine.networks.scaling import prior_factor

if TYPE_CHECKING:
    from jaxtyping import Array, Float


def build(config: EnsemblePlusConfig, input_dim: int, num_classes: int) -> Learner:
    """Members f_k + s p_k with s = prior_scale / temperature^(1/2), ^1 or ^0."""

    def scale(known: Known) -> Float[Array, ""]:
        return prior_factor(known, config.temp_scale)

    return ensemble_learner(config, input_dim, num_classes, config.num_ensemble, scale)


def make_agent(config: EnsemblePlusConfig | None = None) -> LearnerAgent:
    """The two-line contract."""
    return LearnerAgent(config or EnsemblePlusConfig(), build)
