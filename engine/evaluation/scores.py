"""Scores of a learner, or of any sampler, on test sets: draws once, then blocks of batches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

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

BLOCK_VALUES = 10_000  # samples x rows in flight: bounds memory, keeps a layer in cache
LEAST_ROWS = 78  # in a block: fewer make poor matrix products


class Scores(NamedTuple):
    """What a test set yields."""

    joint: Float[Array, " batch"]  # log-likelihood of each batch, nats
    each: Float[Array, "batch k"]  # log-likelihood at each distinct input by itself
    probabilities: Float[Array, "batch k classes"]  # of the mixture


class Tests(NamedTuple):
    """Test sets by (tau, kappa), and rows for accuracy, NLL and ECE, one label each.

    Where `rows` is None they are the iid batches of the largest tau.
    """

    __test__ = False
    joint: Mapping[tuple[int, int], TestSet]
    rows: TestSet | None = None

    @property
    def single(self) -> TestSet:
        """The test set whose single labels are scored."""
        return self.joint[self.largest] if self.rows is None else self.rows

    @property
    def largest(self) -> tuple[int, int]:
        """(tau, 0) of the largest tau."""
        return max(point for point in self.joint if point[1] == 0)


Logits = Callable[[Any], Any]  # rows [n, dim] -> [samples, classes, n]


def score_tests(logits: Logits, tests: Tests, num_samples: int) -> tuple[Any, Scores]:
    """Scores of equally likely samples on every set, and on single labels; traceable.

    Sets with equally many batches go through the network together.
    """
    groups: dict[int, list[tuple[int, int]]] = {}
    for point, batches in tests.joint.items():
        groups.setdefault(batches.x.shape[0], []).append(point)
    scored = {}
    for points in groups.values():
        parts = score_sets(logits, [tests.joint[point] for point in points], num_samples)
        scored.update(zip(points, parts, strict=True))
    if tests.rows is None:
        return scored, scored[tests.largest]
    return scored, score_sets(logits, [tests.rows], num_samples)[0]


def score_sets(logits: Logits, sets: Sequence[TestSet], num_samples: int) -> list[Scores]:
    """Scores on sets of equally many batches; memory is bounded by blocks of batches."""
    total = sets[0].x.shape[0]
    widths = [part.x.shape[1] for part in sets]
    x = jnp.concatenate([part.x for part in sets], 1)
    counts = jnp.concatenate([part.counts for part in sets], 1)
    rows = max(BLOCK_VALUES // num_samples, LEAST_ROWS)
    size = max(1, min(rows // sum(widths), total))
    blocks = -(-total // size)

    def padded(leaf: Any) -> Any:
        extra = jnp.repeat(leaf[:1], blocks * size - total, 0)
        return jnp.concatenate([leaf, extra]).reshape(blocks, size, *leaf.shape[1:])

    def block(part: tuple[Any, Any]) -> list[Scores]:
        rows, seen = part
        values = logits(rows.reshape(-1, rows.shape[-1]))
        log_p = jax.nn.log_softmax(values, axis=1).reshape(*values.shape[:2], size, -1)
        each = jnp.sum(weighted(jnp.moveaxis(seen, -1, 0)[None], log_p), axis=1)
        mixture = jnp.moveaxis(jnp.mean(jnp.exp(log_p), axis=0), 0, -1)
        single, found, start = log_mean_exp(each), [], 0
        for width in widths:
            here = slice(start, start + width)
            joint = log_mean_exp(each[..., here].sum(-1))
            found.append(Scores(joint, single[:, here], mixture[:, here]))
            start += width
        return found

    scored = jax.lax.map(block, (padded(x), padded(counts)))
    return jax.tree.map(lambda leaf: leaf.reshape(-1, *leaf.shape[2:])[:total], scored)


def make_evaluator(learner: Learner, num_epistemic: int) -> Compiled:
    """(learned, key, known, tests) -> scores as one program for one cell."""

    def evaluate(learned: Learned, key: PRNGKeyArray, known: Known, tests: Tests) -> Any:
        samples = learner.draw(learned, key, num_epistemic)
        count = learner.num_members or num_epistemic
        return score_tests(lambda x: learner.apply(samples, x, known), tests, count)

    return Compiled(evaluate)


def score_learner(
    evaluator: Compiled, learned: Learned, key: PRNGKeyArray, known: Known, tests: Tests
) -> list[MetricRow]:
    """Metric rows of one fitted cell."""
    joint, single = jax.device_get(evaluator(learned, key, known, tests))
    return metric_rows(joint, single, tests)


def metric_rows(
    joint: Mapping[tuple[int, int], Scores], single: Scores, tests: Tests
) -> list[MetricRow]:
    """KL for each (tau, kappa), then accuracy, NLL and ECE of single labels."""
    rows = [
        kl_row(np.asarray(tests.joint[point].true_ll), np.asarray(scores.joint), *point)
        for point, scores in joint.items()
    ]
    probabilities = np.asarray(single.probabilities)
    flat = probabilities.reshape(-1, probabilities.shape[-1])
    y = np.asarray(tests.single.counts).reshape(flat.shape).argmax(-1)
    return [
        *rows,
        accuracy_row(flat, y),
        nll_row(np.asarray(single.each).reshape(-1)),
        ece_row(flat, y),
    ]
