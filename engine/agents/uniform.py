"""Uniform: equal logits everywhere. Use it as the floor; its KL needs no training."""

from __future__ import annotations

import jax.numpy as jnp

from augury.engine.catalog.agent_configs.untrained import UniformConfig
from augury.engine.learning.contract import LearnerAgent
from augury.engine.learning.epistemic import Learned, Learner


def build(config: UniformConfig, input_dim: int, num_classes: int) -> Learner:
    """One member whose logits are zero."""
    return Learner(
        init=lambda key, known: Learned(jnp.zeros((1,))),
        draw=lambda learned, key, count: learned.params,
        apply=lambda samples, x, known: jnp.zeros((1, num_classes, x.shape[0])),
        num_members=1,
    )


def make_agent(config: UniformConfig | None = None) -> LearnerAgent:
    """The two-line contract."""
    return LearnerAgent(config or UniformConfig(), build)
