"""MLP: one network trained by Adam on cross entropy with weight decay. Cheap; no joint beliefs."""

from __future__ import annotations

from augury.engine.catalog.agent_configs.networks import MlpConfig
from augury.engine.learning.contract import LearnerAgent
from augury.engine.learning.epistemic import Learner
from augury.engine.networks.ensemble import ensemble_learner


def build(config: MlpConfig, input_dim: int, num_classes: int) -> Learner:
    """An ensemble of one."""
    return ensemble_learner(config, input_dim, num_classes, 1)


def make_agent(config: MlpConfig | None = None) -> LearnerAgent:
    """The two-line contract."""
    return LearnerAgent(config or MlpConfig(), build)
