"""Scores of a learner, or of any sampler, on test sets: draws once, then blocks of batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np

from augury.engine.compiled import Compiled
from augury.engine.evaluation.blocks import Logits, over_blocks
from augury.engine.evaluation.labelled import score_labelled
from augury.engine.evaluation.points import PointScores, SingleScores, score_pool, scored_labels
from augury.engine.learning.epistemic import Known, Learned, Learner
from augury.engine.metrics.calibration import ece_row
from augury.engine.metrics.joint_rows import ess_rows, kl_row, limited
from augury.engine.metrics.labelled import Labelled
from augury.engine.metrics.marginal import accuracy_row, brier_row, nll_row
from augury.engine.metrics.mixtures import LOWEST, log_mean_exp
from augury.engine.metrics.pool import Point, Pool
from augury.engine.metrics.test_sets import TestSet

if TYPE_CHECKING:
    from jaxtyping import PRNGKeyArray

    from augury.engine.types import MetricRow


class Tests(NamedTuple):
    """Test sets by (tau, kappa), and rows for accuracy, NLL and ECE, one label each.

    Where `rows` is None they are the iid batches of the largest tau.
    """

    __test__ = False
    joint: Mapping[Point, TestSet]
    rows: TestSet | None = None

    @property
    def single(self) -> TestSet:
        """The test set whose single labels are scored."""
        return self.joint[self.largest] if self.rows is None else self.rows

    @property
    def largest(self) -> Point:
        """(tau, 0) of the largest tau."""
        return max(point for point in self.joint if point[1] == 0)


AnyTests: TypeAlias = Tests | Pool | Labelled
Scores = tuple[dict[Point, PointScores], SingleScores, Any]  # and M, 0 if none was drawn


def inputs_of(tests: AnyTests) -> list[Any]:
    """Every array of inputs [J, k, dim] that `score_tests` asks logits of, in its order."""
    if isinstance(tests, Labelled):
        return [tests.x[:, None]]
    if isinstance(tests, Pool):
        found = [tests.x]
    else:
        found = [jnp.concatenate([s.x for s in group.values()], 1) for group in _groups(tests)]
    return found if tests.rows is None else [*found, tests.rows.x]


def score_tests(
    logits: Logits,
    tests: AnyTests,
    num_samples: int,
    drawn: bool,
    inputs: Sequence[Any] | None = None,
) -> Scores:
    """Scores of equally likely samples at every (tau, kappa), and of single labels; traceable.

    Args:
        logits: rows [n, dim] -> [samples, classes, n].
        tests: what is scored.
        num_samples: samples that `logits` answers for.
        drawn: they are draws of infinitely many; else they are all there are.
        inputs: what `logits` takes in place of `inputs_of(tests)`, batch for batch.
    """
    inputs = inputs_of(tests) if inputs is None else inputs
    count = jnp.int32(num_samples if drawn else 0)
    if isinstance(tests, Labelled):
        return *score_labelled(logits, tests, num_samples, drawn, inputs[0]), count
    if isinstance(tests, Pool):
        projection = tests.projection
        nothing = jnp.zeros((tests.x.shape[0], 0))
        parts = tests._replace(x=nothing, rows=None, projection=None)

        def of_pool(log_p: Any, pool: Pool) -> Any:
            return score_pool(log_p, pool, drawn, projection)

        joint, single = over_blocks(logits, inputs[0], parts, num_samples, of_pool)
        if tests.rows is None:
            return joint, single, count
    else:
        found: dict[Point, tuple[PointScores, SingleScores]] = {}
        for group, x in zip(_groups(tests), inputs, strict=False):
            found |= _score_sets(logits, x, group, num_samples, drawn)
        joint = {point: found[point][0] for point in tests.joint}
        if tests.rows is None:
            return joint, found[tests.largest][1], count
    rows = {(1, 0): tests.rows}
    return joint, _score_sets(logits, inputs[-1], rows, num_samples, False)[1, 0][1], count


def _groups(tests: Tests) -> list[dict[Point, TestSet]]:
    """Sets with equally many batches go through the network together."""
    groups: dict[int, dict[Point, TestSet]] = {}
    for point in sorted(tests.joint):  # as JAX sorts the keys of trees
        batches = tests.joint[point]
        groups.setdefault(batches.x.shape[0], {})[point] = batches
    return list(groups.values())


def _score_sets(
    logits: Logits, x: Any, sets: Mapping[Point, TestSet], num_samples: int, drawn: bool
) -> dict[Point, tuple[PointScores, SingleScores]]:
    """Scores of explicit sets, `x` being their inputs side by side."""

    def score(log_p: Any, parts: Mapping[Point, tuple[Any, Any]]) -> Any:
        scored, start = {}, 0
        for point, (counts, true_ll) in parts.items():
            here = log_p[..., start : start + counts.shape[1]]
            start += counts.shape[1]
            each = jnp.einsum("mybk,bky->mb", here, counts)
            log_q = jnp.moveaxis(log_mean_exp(here), 0, -1)
            scored[point] = scored_labels(each, true_ll, drawn), SingleScores(log_q, counts)
        return scored

    parts = {point: (batches.counts, batches.true_ll) for point, batches in sets.items()}
    return over_blocks(logits, x, parts, num_samples, score)


def make_evaluator(learner: Learner, num_epistemic: int) -> Compiled:
    """(learned, key, known, tests) -> scores as one program for one cell."""
    drawn = learner.num_members is None

    def evaluate(learned: Learned, key: PRNGKeyArray, known: Known, tests: AnyTests) -> Any:
        samples = learner.draw(learned, key, num_epistemic)
        count = learner.num_members or num_epistemic
        return score_tests(lambda x: learner.apply(samples, x, known), tests, count, drawn)

    return Compiled(evaluate)


def score_learner(
    evaluator: Compiled, learned: Learned, key: PRNGKeyArray, known: Known, tests: AnyTests
) -> list[MetricRow]:
    """Metric rows of one fitted cell."""
    scores = jax.device_get(evaluator(learned, key, known, tests))
    return metric_rows(*scores, labelled=isinstance(tests, Labelled))


def metric_rows(
    joint: Mapping[Point, PointScores], single: SingleScores, num_drawn: Any, labelled: bool = False
) -> list[MetricRow]:
    """KL for each (tau, kappa), then accuracy, NLL and ECE of single labels.

    Then of given labels their Brier score, and for drawn samples effective sample size and bias at
    each (tau, kappa).
    """
    drawn, kl, extra = int(num_drawn), [], []
    likelihood, probabilities, truth = _of_labels(single)
    # What control variates are counted from is the mean over test rows, if labels are given.
    known = -likelihood if labelled and np.isfinite(likelihood).all() else None
    for (tau, kappa), found in joint.items():
        each, controls, left_out, ess, inverse, degree = (
            leaf if leaf is None else np.asarray(leaf, np.float64) for leaf in found
        )
        assert each is not None
        degree = 1.0 if degree is None else 2.0
        row = kl_row(each, tau, kappa, controls, left_out, drawn, degree, known)
        if ess is not None and inverse is not None:
            row = limited(row, ess)
            extra += ess_rows(ess, inverse, tau, kappa, drawn)
        kl.append(row)
    return [
        *kl,
        accuracy_row(probabilities, truth),
        nll_row(likelihood),
        ece_row(probabilities, truth),
        *([brier_row(probabilities, truth)] if labelled else []),
        *extra,
    ]


def _of_labels(single: SingleScores) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Log-likelihood [rows] of single labels, and [rows, classes] of the mixture and the truth."""
    log_q = np.asarray(single.log_p, np.float64).reshape(-1, single.log_p.shape[-1])
    truth = np.asarray(single.truth, np.float64).reshape(log_q.shape)
    # A label that never comes adds nothing, even if the agent calls it impossible.
    told = np.where(truth > 0, np.where(log_q < LOWEST / 2, -np.inf, log_q), 0.0)
    return (truth * told).sum(-1), np.exp(log_q), truth
