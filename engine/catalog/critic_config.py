"""Hyperparameters of estimators: of a critic and its training, and of those that take samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class CriticConfig:
    """A critic and its training. Bounds with one objective share one training of it."""

    critic: Literal["joint", "separable", "bilinear", "inner"] = "joint"
    width: int = 256
    depth: int = 2  # hidden layers after the first
    embed: int = 32  # output width of a separable critic's two towers
    init: Literal["torch", "he", "glorot"] = "torch"  # torch: to 1/sqrt(fan in), as published
    num_steps: int = 20_000
    batch_size: int = 64
    learning_rate: float = 5e-4  # Adam

    def __post_init__(self) -> None:
        """Refuse what cannot be trained; a batch of one has no product-of-marginals pair."""
        for name, least in (("width", 1), ("depth", 0), ("embed", 1), ("num_steps", 1)):
            if getattr(self, name) < least:
                raise ValueError(f"{name} must be at least {least}, got {getattr(self, name)}.")
        if self.batch_size < 2:
            raise ValueError(f"batch_size must be at least 2, got {self.batch_size}.")
        if self.learning_rate <= 0:
            raise ValueError(f"learning_rate must be positive, got {self.learning_rate}.")


@dataclass(frozen=True, slots=True)
class InterpolatedConfig(CriticConfig):
    """A critic whose bound has a baseline mixed of two."""

    share: float = 0.5  # of the batch's own baseline: 0 is tuba, 1 a bound below ln K

    def __post_init__(self) -> None:
        """Refuse what is no share."""
        CriticConfig.__post_init__(self)
        if not 0 <= self.share <= 1:
            raise ValueError(f"share must be of 0 to 1, got {self.share}.")


@dataclass(frozen=True, slots=True)
class NeighbourConfig:
    """How far nearest-neighbour estimators look."""

    num_samples: int = 5_000  # pairs drawn once
    neighbours: tuple[int, ...] = (5, 10)  # their results are averaged

    def __post_init__(self) -> None:
        """Refuse neighbours that few samples do not have."""
        if not self.neighbours or min(self.neighbours) < 1:
            raise ValueError(f"neighbours must be at least 1, got {self.neighbours}.")
        if self.num_samples <= max(self.neighbours):
            raise ValueError("num_samples must be above every number of neighbours.")


@dataclass(frozen=True, slots=True)
class CorrelationConfig:
    """Canonical correlations have no choices but the number of pairs."""

    num_samples: int = 5_000  # pairs drawn once

    def __post_init__(self) -> None:
        """Refuse what has no correlation."""
        if self.num_samples < 3:
            raise ValueError(f"num_samples must be at least 3, got {self.num_samples}.")
