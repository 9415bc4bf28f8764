"""k nearest neighbours: a class's share among the training rows nearest to an input.

Choose it as the baseline that needs no training. Cost: every test row meets every training row at
evaluation, so it is cheap for thousands of rows and slow for hundreds of thousands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from augury.engine.catalog.agent_configs.rows import KnnConfig
from augury.engine.learning.shares import ShareSampler, training_rows

if TYPE_CHECKING:
    from jaxtyping import PRNGKeyArray

    from augury.engine.types import Agent, Data, Prior

BLOCK_DISTANCES = 4_000_000  # held at once


def make_agent(config: KnnConfig | None = None) -> Agent:
    """The two-line contract, on the host."""
    chosen = config or KnnConfig()

    def agent(data: Data, prior: Prior, key: PRNGKeyArray) -> ShareSampler:
        x, y = training_rows(data, prior, chosen.zero_rows)
        # The reference takes k at most the rows before any are added.
        count = min(chosen.num_neighbours, len(data.x))
        size = max(1, BLOCK_DISTANCES // len(x))
        lengths = squared_lengths(x)

        def shares(at: np.ndarray) -> np.ndarray:
            parts = [at[i : i + size] for i in range(0, len(at), size)]
            rows = Rows(x, lengths, y)
            return np.concatenate([_shares(part, rows, count, prior, chosen) for part in parts])

        return ShareSampler(shares)

    return agent


class Rows(NamedTuple):
    """Training rows, and what is found once for all inputs."""

    x: np.ndarray  # [rows, dim]
    lengths: np.ndarray  # [rows], squared
    y: np.ndarray  # [rows]


def squared_lengths(x: np.ndarray) -> np.ndarray:
    """Of each row [rows]; some rows at a time, for their squares need as much room as they do."""
    size = max(1, BLOCK_DISTANCES // x.shape[1])
    return np.concatenate([(x[i : i + size] ** 2).sum(1) for i in range(0, len(x), size)])


def _shares(at: np.ndarray, rows: Rows, count: int, prior: Prior, config: KnnConfig) -> np.ndarray:
    """[data, classes]; a row at distance zero outvotes all others under distance weighting."""
    at = np.asarray(at, np.float64)
    near = nearest(at, rows, count)
    weights = np.ones(near.shape)
    if config.weighting == "distance":
        distance = np.sqrt(((at[:, None] - rows.x[near]) ** 2).sum(-1))
        same = distance == 0
        met = same.any(1, keepdims=True)
        weights = np.where(met, same, 1.0 / np.where(same, 1.0, distance))
    found = np.zeros((len(at), prior.num_classes))
    np.add.at(found, (np.arange(len(at))[:, None], rows.y[near]), weights)
    return found / found.sum(1, keepdims=True)


def nearest(at: np.ndarray, rows: Rows, count: int) -> np.ndarray:
    """Numbers [data, count] of the nearest rows, in no order."""
    # |a - x|^2 without |a|^2, which moves no rank: one product instead of a large difference.
    ranks = rows.lengths - 2.0 * at @ rows.x.T
    if count == len(rows.x):
        return np.broadcast_to(np.arange(count), (len(at), count))
    return np.argpartition(ranks, count - 1, axis=1)[:, :count]
