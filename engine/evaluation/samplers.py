"""Scores of a sampler of the two-line contract, in whatever framework it was written."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
from scipy.special import log_softmax

from augury.engine.errors import UsageError
from augury.engine.evaluation.scores import Scores, Tests, metric_rows, score_tests

if TYPE_CHECKING:
    from jaxtyping import PRNGKeyArray

    from augury.engine.types import EpistemicSampler, MetricRow


ROWS = (0, 0)  # stands for the single rows among the (tau, kappa)


def score_sampler(
    sampler: EpistemicSampler, key: PRNGKeyArray, tests: Tests, num_epistemic: int
) -> list[MetricRow]:
    """Metric rows of `num_epistemic` samples, the same ones for all test batches.

    A sampler with a method `members(x) -> [K, rows, classes]` has K equally likely samples and is
    enumerated instead. One that JAX can trace is vectorised over its samples. Any other is called
    once for each sample with all test inputs as a NumPy array.
    """
    keys = jax.random.split(key, num_epistemic)
    probe = tests.single.x.reshape(-1, tests.single.x.shape[-1])[:3]
    members = getattr(sampler, "members", None)
    finite = None if members is None else members(probe)
    if members is not None and finite is not None:
        _check(finite.shape[1:], len(probe), tests)
        return _traced(members, tests, finite.shape[0])
    traced = _traced_shape(sampler, probe, keys[0])
    if traced is not None:
        _check(traced, len(probe), tests)
        return _traced(lambda x: jax.vmap(sampler, (None, 0))(x, keys), tests, num_epistemic)
    return metric_rows(*_looped(sampler, keys, tests), tests)


def _check(shape: tuple[int, ...], num_rows: int, tests: Tests) -> None:
    wanted = (num_rows, tests.single.counts.shape[-1])
    if tuple(shape) != wanted:
        raise UsageError(
            f"the agent's sampler returned an array of shape {tuple(shape)} for {num_rows} rows; "
            f"logits have shape (rows, classes), here {wanted}."
        )


def _traced_shape(sampler: EpistemicSampler, x: Any, key: PRNGKeyArray) -> tuple[int, ...] | None:
    try:
        return jax.eval_shape(sampler, x, key).shape
    except Exception:  # frameworks refuse tracers in ways of their own; the loop shows real faults
        return None


def _traced(logits: Callable[[Any], Any], tests: Tests, count: int) -> list[MetricRow]:
    def score(tests: Tests) -> Any:
        return score_tests(lambda x: jnp.swapaxes(logits(x), 1, 2), tests, count)

    joint, single = jax.device_get(jax.jit(score)(tests))
    return metric_rows(joint, single, tests)


def _looped(
    sampler: EpistemicSampler, keys: PRNGKeyArray, tests: Tests
) -> tuple[dict[tuple[int, int], Scores], Scores]:
    sets = dict(tests.joint) if tests.rows is None else {**tests.joint, ROWS: tests.rows}
    dim = tests.single.x.shape[-1]
    inputs = [np.asarray(batches.x).reshape(-1, dim) for batches in sets.values()]
    ends = np.cumsum([len(x) for x in inputs])[:-1]
    everything = np.concatenate(inputs)
    sums: dict[Any, list[np.ndarray]] = {}
    for key in keys:
        values = np.asarray(sampler(everything, key), np.float64)  # type: ignore[arg-type]
        _check(values.shape, len(everything), tests)
        for (name, batches), part in zip(sets.items(), np.split(values, ends), strict=True):
            log_p = log_softmax(part, axis=-1).reshape(batches.counts.shape)
            counts = np.asarray(batches.counts)
            seen = np.where(counts > 0, counts, 1.0) * np.where(counts > 0, log_p, 0.0)
            new = [seen.sum((-2, -1)), seen.sum(-1), log_p]
            old = sums.get(name)
            sums[name] = new if old is None else list(map(np.logaddexp, old, new))
    shift = np.log(len(keys))
    scored = {
        name: Scores(joint - shift, each - shift, np.exp(log_p - shift))  # type: ignore[arg-type]
        for name, (joint, each, log_p) in sums.items()
    }
    single = scored[tests.largest] if tests.rows is None else scored.pop(ROWS)
    return scored, single
