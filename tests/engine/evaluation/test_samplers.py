"""Samplers of the two-line contract: traced, enumerated, or in a loop, the scores agree."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.special import log_softmax, logsumexp

from augury.engine.evaluation.samplers import score_sampler
from augury.engine.evaluation.scores import Tests, score_tests
from augury.engine.metrics.pool import Pool, draw_pool
from augury.engine.metrics.test_sets import TestSet

WEIGHTS = np.random.default_rng(0).normal(size=(4, 3, 2)).astype(np.float32)


@partial(jax.jit, static_argnums=(1, 2, 3))
def _draw(key, points, batches: int, exact: bool) -> Pool:
    return draw_pool(key, points, batches, 3, lambda x: x[:, :2] * 3, exact)


def explicit(key, points, batches: int) -> dict[tuple[int, int], TestSet]:
    pool = _draw(key, points, batches, False)
    found = {}
    for (tau, kappa), counts in pool.counts.items():
        k = kappa or tau
        assert counts is not None
        known = jnp.where(counts > 0, counts * pool.truth[:, :k], 0.0).sum((1, 2))
        found[tau, kappa] = TestSet(pool.x[:, :k], counts, known)
    return found


@pytest.fixture(scope="module")
def tests() -> Tests:
    return Tests(explicit(jax.random.key(0), ((1, 0), (5, 0), (5, 2)), 40))


def _traced(x, key):
    return x @ jnp.asarray(WEIGHTS)[jax.random.randint(key, (), 0, 4)]


def _numpy(x, key):
    which = int(jax.random.randint(key, (), 0, 4))
    return np.asarray(x) @ WEIGHTS[which]  # np.asarray refuses a tracer


class _Enumerated:
    def __call__(self, x, key):
        raise AssertionError("enumerated instead")

    def members(self, x):
        return jnp.einsum("nd,mdc->mnc", x, WEIGHTS)


def test_a_loop_gives_what_tracing_gives(key, tests: Tests) -> None:
    a, b = (score_sampler(s, key, tests, 20) for s in (_traced, _numpy))
    for left, right in zip(a, b, strict=True):
        assert left.value == pytest.approx(right.value, rel=1e-4, abs=1e-6)
        assert (left.metric, left.tau, left.kappa) == (right.metric, right.tau, right.kappa)
        if left.metric != "ess":
            assert left.stderr == pytest.approx(right.stderr, rel=1e-3, abs=1e-9)


def test_single_rows_beside_the_batches(key, tests: Tests) -> None:
    rows = explicit(key, ((1, 0),), 33)[1, 0]
    beside = Tests(tests.joint, rows)
    for sampler in (_traced, _numpy, _Enumerated()):
        scored = {row.metric: row for row in score_sampler(sampler, key, beside, 8)}
        assert scored["ece10"].num_samples == 33


def test_enumeration_against_float64(key, tests: Tests) -> None:
    rows = score_sampler(_Enumerated(), key, tests, 7)
    for row in rows[:3]:
        batches = tests.joint[row.tau, row.kappa]
        values = np.einsum("jkd,mdc->mjkc", np.asarray(batches.x, float), WEIGHTS.astype(float))
        each = (np.asarray(batches.counts) * log_softmax(values, axis=-1)).sum((2, 3))
        agent = logsumexp(each, axis=0) - np.log(4)
        kl = np.asarray(batches.true_ll, float) - agent
        assert row.value == pytest.approx(kl.mean(), rel=1e-4, abs=1e-5)
        assert row.stderr == pytest.approx(kl.std(ddof=1) / np.sqrt(40), rel=1e-4)


def test_blocks_do_not_matter(key, tests: Tests, monkeypatch: pytest.MonkeyPatch) -> None:
    from augury.engine.evaluation import blocks

    def logits(x):
        return jnp.einsum("nd,mdc->mcn", x, WEIGHTS)

    whole = score_tests(logits, tests, 4, True)
    monkeypatch.setattr(blocks, "BLOCK_VALUES", 1)
    monkeypatch.setattr(blocks, "LEAST_ROWS", 56)  # 7 batches of 8 rows: 40 is no multiple
    for a, b in zip(
        *map(jax.tree.leaves, (whole, score_tests(logits, tests, 4, True))), strict=True
    ):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


def test_impossible_labels_have_a_reason(key, tests: Tests) -> None:
    def certain(x, key):
        return jnp.stack([jnp.zeros(x.shape[0]), jnp.full(x.shape[0], -jnp.inf)], -1)

    rows = score_sampler(certain, key, tests, 3)
    assert all(row.value is None and "not finite" in row.reason for row in rows[:3])
    assert rows[3].value is not None  # accuracy is still there


def _half_draws(x, key):
    return jnp.where(jax.random.bernoulli(key), jnp.nan, x @ jnp.asarray(WEIGHTS)[0])


def _half_rows(x, key):
    return jnp.where(x[:, :1] > 0, jnp.nan, _traced(x, key))


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("sampler", [_half_draws, _half_rows])
@pytest.mark.parametrize("traced", [True, False])
def test_what_is_no_number_gets_none(key, exact: bool, sampler, traced: bool) -> None:
    """Neither a draw that is NaN nor a row of it may pass for an improbable label."""
    pool = _draw(key, ((1, 0), (5, 0), (5, 2), (10, 2)), 40, exact)
    mine: Any = sampler if traced else lambda x, key: np.array(sampler(np.asarray(x), key))
    for row in score_sampler(mine, key, pool, 128 if exact else 24):  # by products, and one by one
        assert row.value is None and "not finite" in row.reason, row
