"""Subjects of posterior predictive checks: predictives made of members."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from augury.engine.catalog.agent_configs.sgd import check_training
from augury.engine.catalog.entry import Entry


@dataclass(frozen=True, slots=True)
class PosteriorConfig:
    """Members drawn from the exact posterior of an analytic problem: the truth in closed form."""

    prior_mean: float = 0.0
    prior_variance: float = 1.0  # other than 1: a model that is wrong about its problem

    def __post_init__(self) -> None:
        """Refuse a prior that is no distribution."""
        if self.prior_variance <= 0:
            raise ValueError(f"prior_variance must be positive, got {self.prior_variance}.")


@dataclass(frozen=True, slots=True)
class GaussianEnsembleConfig:
    """Independent networks with a mean and a scale at the output, trained by likelihood."""

    num_ensemble: int = 50
    hidden: tuple[int, ...] = (50, 50)
    num_steps: int = 2_000
    batch_size: int = 64
    learning_rate: float = 5e-3  # Adam, cosine decay to zero
    weight_decay: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what cannot be trained, and one member, for which both modes are the same."""
        check_training(self)
        if self.num_ensemble < 2:
            raise ValueError(f"num_ensemble must be at least 2, got {self.num_ensemble}.")


MEMBERS: dict[str, Entry[Any]] = {
    "posterior": Entry("augury.engine.agents.posterior:make_agent", PosteriorConfig()),
    "ensemble": Entry(
        "augury.engine.agents.gaussian_ensemble:make_agent",
        GaussianEnsembleConfig(),
        paper="arXiv:2112.01477",
    ),
}
