"""Logistic regression: a linear classifier trained by Adam with weight decay.

Choose it to see how far a problem is from linear. It is the cheapest agent that learns, and has
no joint beliefs.
"""

from __future__ import annotations

from augury.engine.catalog.agent_configs.heads import LogisticRegressionConfig
from augury.engine.learning.contract import LearnerAgent
from augury.engine.learning.epistemic import Learner
from augury.engine.networks.ensemble import ensemble_learner


def build(config: LogisticRegressionConfig, input_dim: int, num_classes: int) -> Learner:
    """A network without hidden layers."""
    return ensemble_learner(config, input_dim, num_classes, 1)


def make_agent(config: LogisticRegressionConfig | None = None) -> LearnerAgent:
    """The two-line contract."""
    return LearnerAgent(config or LogisticRegressionConfig(), build)
