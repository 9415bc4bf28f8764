"""A problem ready to be learned and scored: what the two-line contract calls `problem`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from augury.engine.evaluation.samplers import score_sampler
from augury.engine.types import Data, EpistemicSampler, MetricRow, Prior

if TYPE_CHECKING:
    from jaxtyping import Array, Float, Int, PRNGKeyArray

    from augury.engine.evaluation.scores import AnyTests


@dataclass(frozen=True, slots=True)
class Prepared:
    """Training rows (zeros beyond `prior.num_train`), what may be known, and the test sets.

    The test draws belong to the problem, so that all subjects meet the same ones.
    """

    x: Float[Array, "capacity dim"]
    y: Int[Array, " capacity"]
    prior: Prior
    tests: AnyTests
    num_epistemic: int = 1_000  # M, where a sampler cannot be enumerated
    shared: bool = False  # every problem of this shape has these very rows: nobody copies them

    @property
    def train(self) -> Data:
        """The training rows alone; labels have shape [n, 1]."""
        n = self.prior.num_train
        return Data(np.asarray(self.x[:n]), np.asarray(self.y[:n])[:, None])  # type: ignore[arg-type]

    def score(self, sampler: EpistemicSampler, key: PRNGKeyArray) -> Sequence[MetricRow]:
        """KL at every (tau, kappa), accuracy, NLL, ECE; `key` draws the epistemic samples."""
        return score_sampler(sampler, key, self.tests, self.num_epistemic)
