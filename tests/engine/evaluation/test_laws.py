"""Laws that joint scores keep, whatever the agent and the environment."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from augury.engine.evaluation.points import score_pool
from augury.engine.metrics.joint import joint_log_likelihood
from augury.engine.metrics.joint_rows import kl_row
from augury.engine.metrics.pool import Pool, draw_pool

POINTS = ((1, 0), (10, 0), (10, 1), (10, 2), (10, 3))
BATCHES = 200
FEW = settings(max_examples=10, deadline=None, derandomize=True, database=None)
seeds, scales = st.integers(0, 2**31 - 1), st.floats(0.1, 5.0)


@jax.jit
def _draw(seed: Any, scale: Any) -> Pool:
    truth = lambda x: jnp.stack([scale * x[:, 0], scale * jnp.sin(3 * x[:, 1])], -1)  # noqa: E731
    return draw_pool(jax.random.key(seed), POINTS, BATCHES, 2, truth)


@partial(jax.jit, static_argnums=2)
def _scores(weights: Any, pool: Pool, drawn: bool = False) -> Any:
    """Logistic regressions [m, 2, classes] as the samples."""
    values = jnp.einsum("bkd,mdc->mcbk", pool.x, weights)
    return score_pool(jax.nn.log_softmax(values, axis=1), pool, drawn)[0]


@jax.jit
def _two_ways(key: Any, scale: Any) -> tuple[Any, Any]:
    """KL of one agent at the same inputs, labels drawn and integrated out."""
    values = 2 * jax.random.normal(key, (5, 2, BATCHES, 10))
    log_p = jax.nn.log_softmax(values, axis=1)
    pools = (
        draw_pool(key, [(4, 2)], BATCHES, 2, lambda x: scale * x, exact) for exact in (False, True)
    )
    drawn, summed = (score_pool(log_p, pool, False)[0][4, 2].kl for pool in pools)
    return drawn, summed


def _rows(weights: Any, pool: Pool) -> dict[tuple[int, int], Any]:
    scores = jax.device_get(_scores(weights, pool))
    return {
        (tau, kappa): kl_row(found.kl, tau, kappa, found.controls)
        for (tau, kappa), found in scores.items()
    }


@FEW
@given(seeds, scales)
def test_a_deterministic_agent_errs_ten_times_as_much_on_ten_labels(seed, scale) -> None:
    """Log-likelihoods add up where nothing is learned from other labels, iid or at anchors."""
    pool = _draw(seed, scale)
    rows = _rows(jax.random.normal(jax.random.key(seed), (1, 2, 2)) * scale, pool)
    single = rows[1, 0]
    for point in POINTS[1:]:
        off = rows[point].value - 10 * single.value
        # One error of both: they share inputs, so this is more than that of the difference.
        assert abs(off) <= 4.5 * (rows[point].stderr + 10 * single.stderr) / 2**0.5 + 1e-4


@FEW
@given(seeds, scales)
def test_a_deterministic_agent_at_the_same_inputs(seed, scale) -> None:
    """With labels integrated out the law holds batch by batch: tau / kappa labels an anchor."""
    pool = _draw(seed, scale)
    weights = jax.random.normal(jax.random.key(seed), (1, 2, 2)) * scale
    scores = jax.device_get(_scores(weights, pool))
    log_q = jax.nn.log_softmax(jnp.einsum("bkd,dc->bkc", pool.x, weights[0]))
    each = np.asarray((jnp.exp(pool.truth) * (pool.truth - log_q)).sum(-1), float)
    for kappa in (1, 2):
        expected = 10 / kappa * each[:, :kappa].sum(1)
        np.testing.assert_allclose(scores[10, kappa].kl, expected, rtol=1e-4, atol=1e-4)


@FEW
@given(seeds, st.permutations(range(6)))
def test_the_order_of_a_batch_does_not_matter(seed, order) -> None:
    classes = 3
    values, label_key = jax.random.split(jax.random.key(seed))
    logits = 5 * jax.random.normal(values, (7, 3, 6, classes))
    counts = jax.nn.one_hot(jax.random.randint(label_key, (3, 6), 0, classes), classes)
    order = jnp.array(order)
    np.testing.assert_allclose(
        joint_log_likelihood(logits, counts),
        joint_log_likelihood(logits[:, :, order], counts[:, order]),
        rtol=1e-5, atol=1e-5,
    )  # fmt: skip


@FEW
@given(seeds)
def test_the_order_of_anchors_does_not_matter(seed) -> None:
    pool = _draw(seed, 2.0)
    swapped = [1, 0, *range(2, 10)]
    turned = pool._replace(x=pool.x[:, jnp.array(swapped)], truth=pool.truth[:, jnp.array(swapped)])
    weights = jax.random.normal(jax.random.key(seed), (5, 2, 2))
    a, b = (jax.device_get(_scores(weights, p))[10, 2].kl for p in (pool, turned))
    np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-4)


@FEW
@given(seeds, scales)
def test_labels_integrated_out_are_the_mean_of_labels_drawn(seed, scale) -> None:
    # The same inputs and agent, so that what differs is the noise of labels and places alone.
    a, b = (np.asarray(kl, float) for kl in _two_ways(jax.random.key(seed), scale))
    off = a - b
    assert abs(off.mean()) < 4.5 * off.std() / BATCHES**0.5
    assert b.std() <= a.std() * 1.05


@FEW
@given(seeds)
def test_drawing_members_tends_to_enumerating_them(seed) -> None:
    """M draws of K members: a mean with the jackknife's error around the enumerated KL."""
    pool = _draw(seed, 2.0)
    key = jax.random.key(seed)
    members = 2 * jax.random.normal(key, (8, 2, 2))
    which = jax.random.randint(key, (400,), 0, 8)
    drawn, exact = jax.device_get((_scores(members[which], pool, True), _scores(members, pool)))
    for point in POINTS:
        means = drawn[point].left_out.mean(0)
        error = np.sqrt((19 / 20) * ((means - means.mean()) ** 2).sum())
        off = drawn[point].kl.mean() - exact[point].kl.mean()
        # Twenty groups: Student's t of 19 degrees, beyond 5 once in 12,000.
        assert abs(off) < 5 * error + 1e-3
