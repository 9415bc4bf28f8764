"""Ensemble of networks of images (arXiv:1612.01474): each from its own weights and minibatches.

Choose it where the input is an image: it costs as many trainings as it has members.
"""

from __future__ import annotations

from augury.engine.catalog.agent_configs.images import ImageEnsembleConfig
from augury.engine.networks.fitted_images import ImageAgent


def make_agent(config: ImageEnsembleConfig | None = None) -> ImageAgent:
    """The two-line contract; as the scenario trains it, given the same key."""
    chosen = config or ImageEnsembleConfig()
    return ImageAgent(chosen, chosen.num_ensemble)
