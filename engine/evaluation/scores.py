"""Scores of a learner, or of any sampler, on test sets: draws once, then blocks of batches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from augury.engine.compiled import Compiled
from augury.engine.learning.epistemic import Known, Learned, Learner
from augury.engine.metrics.calibration import ece_row
from augury.engine.metrics.joint import kl_row, log_mean_exp
from augury.engine.metrics.marginal import accuracy_row, nll_row
from augury.engine.metrics.test_sets import TestSet, weighted

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray

    from augury.engine.types import MetricRow

BLOCK_VALUES = 400_000  # samples x rows in flight: bounds memory, keeps a layer in cache


class Scores(NamedTuple):
    """What a test set yields."""

    joint: Float[Array, " batch"]  # log-likelihood of each batch, nats
    each: Float[Array, "batch k"]  # log-likelihood at each distinct input by itself
    probabilities: Float[Array, "batch k classes"]  # of the mixture


@dataclass(frozen=True, slots=True)
class Tests:
    """Test sets by (tau, kappa), and the one whose single labels give accuracy, NLL, ECE."""

    joint: Mapping[tuple[int, int], TestSet]
    marginal: TestSet


def score_set(
    logits: Callable[[Float[Array, "n dim"]], Float[Array, "m n classes"]],
    tests: TestSet,
    num_samples: int,
) -> Scores:
    """Scores of equally likely samples; traceable, and bounded in memory by blocks."""
    k, dim = tests.x.shape[1:]

    def block(part: TestSet) -> Scores:
        values = logits(part.x.reshape(-1, dim))
        values = values.reshape(values.shape[0], -1, k, values.shape[-1])
        log_p = jax.nn.log_softmax(values)
        each = jnp.sum(weighted(part.counts[None], log_p), axis=-1)
        return Scores(
            log_mean_exp(each.sum(-1)), log_mean_exp(each), jnp.mean(jnp.exp(log_p), axis=0)
        )

    size = max(1, min(BLOCK_VALUES // (num_samples * k), tests.x.shape[0]))
    blocks = -(-tests.x.shape[0] // size)
    extra = blocks * size - tests.x.shape[0]
    padded = jax.tree.map(
        lambda leaf: jnp.concatenate([leaf, jnp.repeat(leaf[:1], extra, 0)]).reshape(
            blocks, size, *leaf.shape[1:]
        ),
        tests,
    )
    scored = jax.lax.map(block, padded)
    return jax.tree.map(lambda leaf: leaf.reshape(-1, *leaf.shape[2:])[: tests.x.shape[0]], scored)


def make_evaluator(learner: Learner, num_epistemic: int) -> Compiled:
    """(learned, key, known, {name: TestSet}) -> {name: Scores} as one program for one cell."""

    def evaluate(
        learned: Learned, key: PRNGKeyArray, known: Known, tests: Mapping[str, TestSet]
    ) -> dict[str, Scores]:
        samples = learner.draw(learned, key, num_epistemic)
        count = learner.num_members or num_epistemic
        return {
            name: score_set(lambda x: learner.apply(samples, x, known), batches, count)
            for name, batches in tests.items()
        }

    return Compiled(evaluate)


def score_learner(
    evaluator: Compiled, learned: Learned, key: PRNGKeyArray, known: Known, tests: Tests
) -> list[MetricRow]:
    """Metric rows of one fitted cell."""
    named = {f"{tau},{kappa}": batches for (tau, kappa), batches in tests.joint.items()}
    shared = next((n for n, batches in named.items() if batches is tests.marginal), "")
    if not shared:
        named["marginal"] = tests.marginal
    scores = jax.device_get(evaluator(learned, key, known, named))
    joint = {point: scores[f"{point[0]},{point[1]}"] for point in tests.joint}
    return metric_rows(joint, scores[shared or "marginal"], tests)


def metric_rows(
    joint: Mapping[tuple[int, int], Scores], marginal: Scores, tests: Tests
) -> list[MetricRow]:
    """KL for each (tau, kappa), then accuracy, NLL and ECE of single labels."""
    rows = [
        kl_row(np.asarray(tests.joint[point].true_ll), np.asarray(scores.joint), *point)
        for point, scores in joint.items()
    ]
    probabilities = np.asarray(marginal.probabilities)
    flat = probabilities.reshape(-1, probabilities.shape[-1])
    y = np.asarray(tests.marginal.counts).reshape(flat.shape).argmax(-1)
    return [
        *rows,
        accuracy_row(flat, y),
        nll_row(np.asarray(marginal.each).reshape(-1)),
        ece_row(flat, y),
    ]
