"""Algorithm 1 of arXiv:2202.13509 as it stands: M weights, the same ones for all test batches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from augury.engine.studies.anchors import log_joint
from augury.engine.studies.draws import Drawn

GROUPS = 10  # of the M weights, left out one at a time for their part of the standard error
CHUNK = 2_000_000  # logits in flight


class NaiveScores(NamedTuple):
    """What M shared weights say of J batches."""

    log_likelihoods: np.ndarray  # [J, groups], each the log of a mean over a group of weights
    ess: np.ndarray  # [J], of the M weights under a batch's likelihood

    def mean_and_error(self, truth: np.ndarray) -> tuple[float, float]:
        """KL over batches, and its standard error: batches, joined with a jackknife over weights.

        Batches share the weights, so what these get wrong does not average out over batches.
        """
        groups = self.log_likelihoods.shape[1]
        if groups == 1:
            kl = truth - self.log_likelihoods[:, 0]
            return float(kl.mean()), float(kl.std(ddof=1) / len(kl) ** 0.5)
        kl = truth - np.logaddexp.reduce(self.log_likelihoods, axis=1) + np.log(groups)
        without = [
            float(np.mean(truth - np.logaddexp.reduce(rest, axis=1) + np.log(groups - 1)))
            for rest in (np.delete(self.log_likelihoods, g, axis=1) for g in range(groups))
        ]
        by_weights = (groups - 1) / groups * np.sum((np.array(without) - np.mean(without)) ** 2)
        by_batches = kl.var(ddof=1) / len(kl)
        return float(kl.mean()), float(np.sqrt(by_weights + by_batches))


def score(batches: Sequence[Drawn], tau: int, number: int, rng: np.random.Generator) -> NaiveScores:
    """The first tau labels of each batch under weights N(0, I), `number` of them in all."""
    dim = batches[0].slopes.shape[1]
    sizes = np.diff(np.linspace(0, number, min(GROUPS, number) + 1).astype(int))
    found = np.empty((len(batches), len(sizes)))
    squares = np.empty_like(found)
    rows = [len(b.slopes) for b in batches]
    for g, size in enumerate(sizes):
        weights = rng.standard_normal((dim, size))
        per_chunk = max(1, CHUNK // (size * max(rows)))
        for start in range(0, len(batches), per_chunk):
            some = batches[start : start + per_chunk]
            logits = np.concatenate([b.slopes for b in some]) @ weights
            begin = 0
            for j, batch in enumerate(some, start):
                own = logits[begin : begin + len(batch.slopes)]
                begin += len(batch.slopes)
                logits_of_labels = batch.signs[:tau, None] * own[batch.place[:tau]]
                total = log_joint(logits_of_labels, np.ones(1))
                found[j, g] = np.logaddexp.reduce(total) - np.log(size)
                squares[j, g] = np.logaddexp.reduce(2.0 * total)
    together = np.logaddexp.reduce(found + np.log(sizes), axis=1)
    return NaiveScores(found, np.exp(2.0 * together - np.logaddexp.reduce(squares, axis=1)))
