"""Classifiers that vote with training rows: no network, no randomness at evaluation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from augury.engine.catalog.entry import Extra

SKLEARN = Extra("sklearn", "scikit-learn")


@dataclass(frozen=True, slots=True)
class KnnConfig:
    """Shares of classes among the nearest training rows; no training, no joint beliefs."""

    num_neighbours: int = 3  # all rows, where there are fewer
    weighting: Literal["uniform", "distance"] = "uniform"  # distance: 1 / distance
    # As the reference: one all-zero input of each class is added to the training rows.
    zero_rows: bool = False

    def __post_init__(self) -> None:
        """Refuse an empty vote."""
        if self.num_neighbours < 1:
            raise ValueError(f"num_neighbours must be at least 1, got {self.num_neighbours}.")


@dataclass(frozen=True, slots=True)
class RandomForestConfig:
    """Shares of classes among randomised decision trees; needs scikit-learn; no joint beliefs."""

    num_trees: int = 100
    criterion: Literal["gini", "entropy"] = "gini"
    # As the reference: one all-zero input of each class is added to the training rows.
    zero_rows: bool = False

    def __post_init__(self) -> None:
        """Refuse an empty forest."""
        if self.num_trees < 1:
            raise ValueError(f"num_trees must be at least 1, got {self.num_trees}.")
