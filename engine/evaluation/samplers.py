"""Scores of a sampler of the two-line contract, in whatever framework it was written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np

from augury.engine.errors import UsageError
from augury.engine.evaluation.scores import AnyTests, Scores, inputs_of, metric_rows, score_tests
from augury.engine.metrics.labelled import Labelled
from augury.engine.metrics.pool import Pool

if TYPE_CHECKING:
    from jaxtyping import PRNGKeyArray

    from augury.engine.types import EpistemicSampler, MetricRow


_NOT_REAL = "cSUMm"  # NumPy's kinds: complex numbers, texts, times
MOST_VALUES = 2**25  # logits held at once of a sampler that is called from Python


def score_sampler(
    sampler: EpistemicSampler, key: PRNGKeyArray, tests: AnyTests, num_epistemic: int
) -> list[MetricRow]:
    """Metric rows of `num_epistemic` samples, the same ones for all test batches.

    A sampler with a method `members(x) -> [K, rows, classes]` has K equally likely samples and is
    enumerated instead. What JAX can trace is compiled; any other sampler is called once for each
    sample, and its `members` once, with all test inputs as a NumPy array (in parts, where logits
    would not fit in memory).

    Raises:
        UsageError: no function, no sample, or no real numbers of the shape that logits have.
    """
    if not callable(sampler):
        raise UsageError(
            f"the agent returned {type(sampler).__name__}, not a function sampler(x, key)."
        )
    keys = jax.random.split(key, num_epistemic)
    classes = _classes(tests)
    probe = np.asarray(inputs_of(tests)[0])[:1, :3].reshape(-1, inputs_of(tests)[0].shape[-1])
    members = getattr(sampler, "members", None)
    finite = None if members is None else members(probe)
    if members is not None and finite is not None:
        _check_real(finite)
        _check(np.shape(finite)[1:], len(probe), classes)
        count = np.shape(finite)[0]
        if not count:
            raise UsageError("the agent's members(x) returned no sample: at least one is needed.")
        if _traced_shape(members, probe) is not None:
            return _traced(members, tests, count, False)
        return _held(lambda x: [np.asarray(members(x))], tests, count, False)
    traced = _traced_shape(sampler, probe, keys[0])
    if traced is not None:
        _check_real(traced)
        _check(traced.shape, len(probe), classes)
        every = lambda x: jax.vmap(sampler, (None, 0))(x, keys)  # noqa: E731
        return _traced(every, tests, num_epistemic, True)

    def one_by_one(x: np.ndarray) -> Iterator[np.ndarray]:
        for one in keys:
            values = np.asarray(sampler(x, one))  # type: ignore[arg-type]
            _check_real(values)
            _check(values.shape, len(x), classes)
            yield values[None]

    return _held(one_by_one, tests, num_epistemic, True)


def _classes(tests: AnyTests) -> int:
    if isinstance(tests, Labelled):
        return tests.truth.shape[-1]
    if isinstance(tests, Pool):
        return tests.truth.shape[-1] if tests.rows is None else tests.rows.counts.shape[-1]
    return tests.single.counts.shape[-1]


def _check(shape: Sequence[int], num_rows: int, classes: int) -> None:
    wanted = (num_rows, classes)
    if tuple(shape) != wanted:
        raise UsageError(
            f"the agent's sampler returned an array of shape {tuple(shape)} for {num_rows} rows; "
            f"logits have shape (rows, classes), here {wanted}."
        )


def _check_real(values: Any) -> None:
    """Refuse what a cast to floats would take for numbers, or for other ones. Raises `UsageError`.

    Objects and the floats of other libraries are left to that cast.
    """
    kind = values.dtype if hasattr(values, "dtype") else np.asarray(values).dtype
    if getattr(kind, "kind", "") in _NOT_REAL or "complex" in str(kind):
        raise UsageError(f"the agent's sampler returned {kind}; logits are real numbers.")


def _traced_shape(function: Any, *arguments: Any) -> jax.ShapeDtypeStruct | None:
    try:
        found = jax.eval_shape(function, *arguments)
        return found if isinstance(found, jax.ShapeDtypeStruct) else None  # lists: NumPy's way
    except Exception:  # frameworks refuse tracers in ways of their own; the loop shows real faults
        return None


def _traced(
    values: Callable[[Any], Any], tests: AnyTests, count: int, drawn: bool
) -> list[MetricRow]:
    def score(tests: AnyTests) -> Scores:
        return score_tests(lambda x: jnp.swapaxes(values(x), 1, 2), tests, count, drawn)

    return _rows(jax.jit(score)(tests), tests)


def _held(
    values: Callable[[np.ndarray], Any], tests: AnyTests, count: int, drawn: bool
) -> list[MetricRow]:
    """Logits are computed first, then scored as if they were the inputs."""
    classes = _classes(tests)
    held = []
    for x in inputs_of(tests):
        x = np.asarray(x)
        step = max(1, MOST_VALUES // (count * classes * x.shape[1]))
        parts = [_values(values, x[i : i + step]) for i in range(0, len(x), step)]
        held.append(np.concatenate(parts))

    def score(tests: AnyTests, held: list[Any]) -> Scores:
        def looked_up(rows: Any) -> Any:
            return jnp.moveaxis(rows.reshape(len(rows), count, classes), 0, -1)

        return score_tests(looked_up, tests, count, drawn, held)

    return _rows(jax.jit(score)(tests, held), tests)


def _rows(scores: Scores, tests: AnyTests) -> list[MetricRow]:
    return metric_rows(*jax.device_get(scores), labelled=isinstance(tests, Labelled))


def _values(values: Callable[[np.ndarray], Any], x: np.ndarray) -> np.ndarray:
    """[J, k, samples * classes] at inputs [J, k, dim]."""
    batches, k, dim = x.shape
    found = np.concatenate([np.asarray(v, np.float32) for v in values(x.reshape(-1, dim))])
    return np.moveaxis(found, 0, 1).reshape(batches, k, -1)
