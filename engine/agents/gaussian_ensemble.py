"""Ensemble of networks with a mean and a scale (arXiv:1612.01474): members of a normal mixture.

Choose it where y is a number and its noise differs from place to place: all networks train at once,
each from its own weights and minibatches.
"""

from __future__ import annotations

from augury.engine.catalog.members import GaussianEnsembleConfig
from augury.engine.networks.fitted_gaussian import GaussianAgent


def make_agent(config: GaussianEnsembleConfig | None = None) -> GaussianAgent:
    """The two-line contract; as the scenario trains it, given the same key."""
    chosen = config or GaussianEnsembleConfig()
    return GaussianAgent(chosen, chosen.num_ensemble)
