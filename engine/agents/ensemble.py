"""Ensemble: independent networks on the same rows (arXiv:1612.01474). Cost: one each."""

from __future__ import annotations

from augury.engine.catalog.agent_configs.networks import EnsembleConfig
from augury.engine.learning.contract import LearnerAgent
from augury.engine.learning.epistemic import Learner
from augury.engine.networks.ensemble import ensemble_learner


def build(config: EnsembleConfig, input_dim: int, num_classes: int) -> Learner:
    """`num_ensemble` equally likely networks."""
    return ensemble_learner(config, input_dim, num_classes, config.num_ensemble)


def make_agent(config: EnsembleConfig | None = None) -> LearnerAgent:
    """The two-line contract."""
    return LearnerAgent(config or EnsembleConfig(), build)
