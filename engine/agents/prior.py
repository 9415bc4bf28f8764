"""Prior: fresh draws of the generative network. What an agent can know before data."""

from __future__ import annotations

from augury.engine.catalog.agent_configs.untrained import PriorConfig
from augury.engine.learning.contract import LearnerAgent
from augury.engine.learning.epistemic import Learned, Learner
from augury.engine.networks import mlp

HIDDEN = (50, 50)  # of the testbed's environments


def build(config: PriorConfig, input_dim: int, num_classes: int) -> Learner:
    """Infinitely many samples: each is an environment of its own, at the known temperature."""
    sizes = (input_dim, *HIDDEN, num_classes)
    return Learner(
        init=lambda key, known: Learned(()),
        draw=lambda learned, key, count: mlp.init(key, sizes, count, "normal"),
        apply=lambda samples, x, known: mlp.columns(samples, x) / known.temperature,
    )


def make_agent(config: PriorConfig | None = None) -> LearnerAgent:
    """The two-line contract."""
    return LearnerAgent(config or PriorConfig(), build)
