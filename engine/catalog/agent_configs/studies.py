"""Agents of the coin and logistic studies."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CoinConfig:
    """A Beta(heads, tails) belief about a bias before any toss; coins are drawn by (1, 1)."""

    heads: float = 1.0
    tails: float = 1.0

    def __post_init__(self) -> None:
        """Refuse what is no distribution."""
        if self.heads <= 0 or self.tails <= 0:
            raise ValueError(
                f"heads and tails must be positive, got {self.heads} and {self.tails}."
            )


@dataclass(frozen=True, slots=True)
class IndependentCoinsConfig(CoinConfig):
    """Coins: each has a bias of its own, learned from its tosses by Bayes' rule."""


@dataclass(frozen=True, slots=True)
class SharedBiasConfig(CoinConfig):
    """Coins: one bias for all of them. Right at a single coin, wrong across coins."""


@dataclass(frozen=True, slots=True)
class MarginalConfig:
    """Logistic regression: every single label right, all labels tied to one number."""


@dataclass(frozen=True, slots=True)
class FloorConfig:
    """The least KL that any agent can have given the same data."""
