"""Networks that a Markov chain visits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from augury.engine.catalog.agent_configs.sgd import check_training


@dataclass(frozen=True, slots=True)
class SgmcmcConfig:
    """Networks visited by Langevin dynamics: no approximation but the chain; 500 times an MLP.

    Momentum decay 0 is plain SGLD. A shorter chain (`num_steps`, `burn_in`) is another agent.
    """

    hidden: tuple[int, ...] = (50, 50)
    num_steps: int = 500_000  # SGD steps, burn-in included
    burn_in: int = 100_000  # the network after it is the first that is kept
    save_every: int = 1_000  # steps from one kept network to the next
    batch_size: int = 100
    learning_rate: float = 1e-4
    momentum_decay: float = 0.9
    prior_variance: float = 0.1  # decay: sqrt(temperature) input_dim / (num_train prior_variance)
    adaptive_prior_variance: bool = False  # twice that from 100 inputs on
    alg_temperature: float = 1.0  # 1 samples the posterior, 0 optimises
    preconditioner: Literal["none", "rmsprop"] = "none"

    def __post_init__(self) -> None:
        """Refuse what cannot be trained, or keeps nothing."""
        check_training(self)
        if self.save_every < 1 or not 1 <= self.burn_in <= self.num_steps:
            raise ValueError(
                "burn_in must be from 1 to num_steps and save_every at least 1, "
                f"got {self.burn_in}, {self.num_steps}, {self.save_every}."
            )
        if self.prior_variance <= 0 or self.alg_temperature < 0:
            raise ValueError("prior_variance must be positive, alg_temperature not negative.")
        if not 0 <= self.momentum_decay < 1:
            raise ValueError(
                f"momentum_decay must be at least 0 and below 1, got {self.momentum_decay}."
            )

    @property
    def num_kept(self) -> int:
        """Networks that are kept."""
        return (self.num_steps - self.burn_in) // self.save_every + 1
