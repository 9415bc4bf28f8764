"""Predictives of class labels made of members."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from augury.engine.errors import UsageError
from augury.engine.statistics.predictive import (
    Mode,
    check_members,
    checked_rows,
    checked_weights,
    choose_members,
)

if TYPE_CHECKING:
    from jaxtyping import Float, Int


@dataclass(frozen=True, slots=True, eq=False)
class CategoricalMixture:
    """M members' class probabilities at n rows, weighted. Build with `categorical_mixture`."""

    members: Float[np.ndarray, "members rows classes"]
    weights: Float[np.ndarray, " members"]
    probs: Float[np.ndarray, "rows classes"]  # the mixture
    cumulative: Float[np.ndarray, "last rows*members"]  # P(label <= k), all but the last class

    @property
    def num_rows(self) -> int:
        """Rows n."""
        return self.members.shape[1]

    @property
    def num_members(self) -> int:
        """Members M."""
        return self.members.shape[0]

    def choose(
        self, mode: Mode, size: int, members: np.random.Generator
    ) -> Int[np.ndarray, "size rows"]:
        """Member indices drawn by weight: [size, 1] if bayesian, [size, rows] if independent."""
        return choose_members(self.weights, mode, size, self.num_rows, members)

    def draw(
        self, members: Int[np.ndarray, "size rows"], noise: np.random.Generator
    ) -> Int[np.ndarray, "size rows"]:
        """One label for each row from the member chosen for it, by inverting its CDF."""
        uniform = noise.random((len(members), self.num_rows))
        place = np.arange(self.num_rows) * self.num_members + members
        labels = np.zeros(uniform.shape, np.int16)
        for below in self.cumulative:
            labels += uniform >= np.take(below, place)
        return labels

    def validate(self, observed: Any) -> np.ndarray:
        """Integer labels in range, one for each row; `UsageError` otherwise."""
        labels = checked_rows(observed, self.num_rows)
        bad = (labels != np.floor(labels)) | (labels < 0) | (labels >= self.probs.shape[1])
        if bad.any():
            row = int(np.argmax(bad))
            raise UsageError(
                f"label {labels[row]:g} of row {row} is none of the classes 0 to "
                f"{self.probs.shape[1] - 1}."
            )
        return labels.astype(np.int64)


def categorical_mixture(probs: Any, weights: Any = None) -> CategoricalMixture:
    """A `CategoricalMixture` from probabilities [members, rows, classes].

    Raises `UsageError` as `normal_mixture` does, and for rows that do not sum to one.
    """
    probs = np.asarray(probs, np.float64)
    if probs.ndim != 3 or probs.shape[2] < 2:
        raise UsageError(
            "probabilities must have the shape [members, rows, classes] with two classes or more, "
            f"got {list(probs.shape)}."
        )
    check_members("probability", probs)
    bad = (probs < 0).any(-1) | (np.abs(probs.sum(-1) - 1.0) > 1e-3)
    if bad.any():
        member, row = np.argwhere(bad)[0]
        raise UsageError(
            f"probabilities of member {member} at row {row} are not positive numbers that sum to "
            f"one (their sum is {probs[member, row].sum():.6g})."
        )
    probs = probs / probs.sum(-1, keepdims=True)
    weight = checked_weights(weights, *probs.shape[:2])
    # A class at a time with a row's members side by side: drawing is a scan, not a random walk.
    cumulative = np.cumsum(probs, -1)[..., :-1].transpose(2, 1, 0).reshape(probs.shape[2] - 1, -1)
    return CategoricalMixture(probs, weight, np.einsum("m,mrk->rk", weight, probs), cumulative)
