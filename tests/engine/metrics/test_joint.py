"""Joint log-likelihoods against products of probabilities in float64."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from scipy.special import log_softmax, logsumexp

from augury.engine.metrics.joint import joint_log_likelihood, label_counts


def _joint(logits: Any, counts: Any) -> np.ndarray:
    return np.asarray(joint_log_likelihood(jnp.asarray(logits), jnp.asarray(counts)))


def test_as_a_mean_of_products() -> None:
    rng = np.random.default_rng(0)
    logits = rng.normal(size=(6, 4, 3, 5)).astype(np.float32)
    y = rng.integers(0, 5, (4, 3))
    probabilities = np.exp(log_softmax(logits.astype(float), axis=-1))
    seen = np.take_along_axis(probabilities, y[None, :, :, None], axis=-1)[..., 0]
    expected = np.log(seen.prod(-1).mean(0))
    np.testing.assert_allclose(_joint(logits, label_counts(jnp.asarray(y), 5)), expected, rtol=1e-5)


def test_repeats_count() -> None:
    logits = np.array([[[[0.0, 1.0]]], [[[2.0, 0.0]]]], np.float32)  # 2 samples, 1 batch, 1 input
    counts = np.array([[[3.0, 1.0]]], np.float32)
    log_p = log_softmax(logits.astype(float), axis=-1)[:, 0, 0]
    expected = logsumexp(log_p @ [3.0, 1.0]) - np.log(2)
    np.testing.assert_allclose(_joint(logits, counts), [expected], rtol=1e-6)


def test_nothing_underflows() -> None:
    logits = np.array([[[[500.0, -500.0]]]], np.float32)
    counts = np.array([[[0.0, 10.0]]], np.float32)
    np.testing.assert_allclose(_joint(logits, counts), [-10_000.0], rtol=1e-6)


def test_an_impossible_label_that_was_not_seen() -> None:
    logits = np.array([[[[0.0, -np.inf]]]], np.float32)
    seen = _joint(logits, np.array([[[2.0, 0.0]]], np.float32))
    np.testing.assert_allclose(seen, [0.0])
    impossible = _joint(logits, np.array([[[1.0, 1.0]]], np.float32))
    assert impossible[0] == -np.inf
