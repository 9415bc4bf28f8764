"""Predictives of class labels made of members."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import logsumexp

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

FLOOR = 1e-12  # of a probability under the logarithm
_FEW_NUMBERS = 1 << 11  # of a member: up to here replicates are quicker many at a time
_MANY_CLASSES = 64  # from here on halving an interval is quicker than one pass for each class


@dataclass(frozen=True, slots=True, eq=False)
class CategoricalMixture:
    """M members' class probabilities at n rows, weighted. Build with `categorical_mixture`.

    A label of a member that was itself drawn for this row alone has the mixture's law. So in
    independent mode the mixture is drawn from, as one more member with the index M.
    """

    members: Float[np.ndarray, "members rows classes"]
    weights: Float[np.ndarray, " members"]
    probs: Float[np.ndarray, "rows classes"]  # the mixture
    # P(label <= k), all but the last class; the mixture's is the last one.
    cumulative: Float[np.ndarray, "members_and_mixture last rows"]

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
    ) -> Int[np.ndarray, "size 1"]:
        """A member's index for each replicate, drawn by weight; M, the mixture, if independent."""
        if mode == "independent":
            return np.full((size, 1), self.num_members)
        return choose_members(self.weights, mode, size, self.num_rows, members)

    def draw(
        self, members: Int[np.ndarray, "size 1"], noise: np.random.Generator
    ) -> Int[np.ndarray, "size rows"]:
        """One label for each row from its replicate's member, by inverting its CDF."""
        uniform = noise.random((len(members), self.num_rows))
        last = self.cumulative.shape[1]
        labels = np.zeros(uniform.shape, np.min_scalar_type(last))
        if last * self.num_rows <= _FEW_NUMBERS:
            _together(self.cumulative, members[:, 0], uniform, labels)
            return labels
        invert = _halved if last >= _MANY_CLASSES else _counted
        for found, chosen, at in zip(labels, members[:, 0], uniform, strict=True):
            invert(self.cumulative[chosen], at, found)
        return labels

    def log_density(self, labels: Int[np.ndarray, "*size rows"]) -> Float[np.ndarray, "*size rows"]:
        """The mixture's log probability of every label, in nats; no less than log `FLOOR`."""
        return picked(np.log(np.maximum(self.probs, FLOOR)), labels)

    def joint_log_density(
        self, labels: Int[np.ndarray, "*size rows"]
    ) -> Float[np.ndarray, "*size"]:
        """Log probability of all labels together when one member made them, in nats."""
        parts = [
            np.log(weight) + picked(np.log(np.maximum(probs, FLOOR)), labels).sum(-1)
            for probs, weight in zip(self.members, self.weights, strict=True)
            if weight > 0
        ]
        return np.asarray(logsumexp(parts, axis=0))

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
    weight = checked_weights(weights, *probs.shape[:2])
    check_members("probability", probs)
    with np.errstate(over="ignore"):
        sums = probs.sum(-1)
    bad = (probs < 0).any(-1) | (np.abs(sums - 1.0) > 1e-3)
    if bad.any():
        member, row = np.argwhere(bad)[0]
        logits = " Of logits take the softmax first." if (probs[member, row] < 0).any() else ""
        raise UsageError(
            f"probabilities of member {member} at row {row} are not positive numbers that sum to "
            f"one (their sum is {sums[member, row]:.6g}).{logits}"
        )
    probs = probs / sums[..., None]
    mixture = np.einsum("m,mrk->rk", weight, probs)
    # A class at a time with its rows side by side: drawing is a scan, not a random walk.
    cumulative = np.empty((len(probs) + 1, probs.shape[2] - 1, probs.shape[1]))
    for table, each in zip(cumulative, (*probs, mixture), strict=True):
        np.cumsum(each[:, :-1].T, axis=0, out=table)
    return CategoricalMixture(probs, weight, mixture, cumulative)


def _counted(
    cumulative: Float[np.ndarray, "last rows"],
    uniform: Float[np.ndarray, " rows"],
    labels: Int[np.ndarray, " rows"],
) -> None:
    """Put the number of classes that end at or below each uniform number into `labels`."""
    for below in cumulative:
        labels += uniform >= below


def _together(
    cumulative: Float[np.ndarray, "members_and_mixture last rows"],
    members: Int[np.ndarray, " size"],
    uniform: Float[np.ndarray, "size rows"],
    labels: Int[np.ndarray, "size rows"],
) -> None:
    """As `_counted`, for many replicates at a time."""
    step = 32 * _FEW_NUMBERS // cumulative[0].size
    for start in range(0, len(members), step):
        part = slice(start, start + step)
        np.sum(uniform[part, None] >= cumulative[members[part]], 1, out=labels[part])


def _halved(
    cumulative: Float[np.ndarray, "last rows"],
    uniform: Float[np.ndarray, " rows"],
    labels: Int[np.ndarray, " rows"],
) -> None:
    """As `_counted`, by halving the range of classes until one is left."""
    last, rows = cumulative.shape
    flat, row = cumulative.ravel(), np.arange(rows)
    low, high = np.zeros(rows, np.int64), np.full(rows, last)
    for _ in range(last.bit_length()):
        middle = (low + high) // 2
        # Where the range is down to one class it stays there, whatever is read.
        above = uniform >= flat.take(np.minimum(middle, last - 1) * rows + row)
        above &= middle < high
        low = np.where(above, middle + 1, low)
        high = np.where(above, high, middle)
    labels[:] = low


def picked(values: Any, labels: Int[np.ndarray, "*size rows"]) -> Float[np.ndarray, "*size rows"]:
    """The entry of `values` [rows, classes] that each label names."""
    rows, classes = values.shape
    return values.ravel().take(np.arange(rows) * classes + labels)
