"""A network of images with dropout, in training and when predicting (arXiv:1506.02142).

Choose it as the cheapest agent of images with members: one training. Predicting costs one network
for each mask. A mask is one for all images, so that a member is one function (arXiv:2112.01477).
"""

from __future__ import annotations

from augury.engine.catalog.agent_configs.images import ImageDropoutConfig
from augury.engine.networks.fitted_images import ImageAgent


def make_agent(config: ImageDropoutConfig | None = None) -> ImageAgent:
    """The two-line contract; as the scenario trains it, given the same key."""
    chosen = config or ImageDropoutConfig()
    return ImageAgent(chosen, 1, chosen.num_samples)
