"""Bayes by backprop: its loss against NumPy, its slope, and what its options reach."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest
from scipy.special import log_softmax

from augury.engine.agents import bbb
from augury.engine.catalog.agent_configs.bayesian import BbbConfig
from augury.engine.learning.epistemic import Learned

DIM, N, T = 3, 12, 0.25  # of `small`


@pytest.fixture
def build(small: Any) -> Any:
    return lambda **changes: small(bbb.make_agent, BbbConfig(hidden=(5,), **changes))


def _forward(layers: Any, m: int, x: np.ndarray) -> np.ndarray:
    (w, b), (v, c) = [[np.asarray(leaf[m], float) for leaf in layer] for layer in layers]
    return np.maximum(x @ w.T + b, 0) @ v.T + c


def test_first_beliefs(build, key) -> None:
    made = build()
    learned = made.learner.init(key, made.known)
    for leaf in jax.tree.leaves(learned.params.raw):
        np.testing.assert_allclose(jax.nn.softplus(leaf), 0.01, rtol=1e-5)
    assert not np.asarray(learned.params.mean[0][1]).any()


@pytest.mark.parametrize("adaptive", [True, False])
@pytest.mark.parametrize("scaled", [True, False])
def test_loss(build, key, adaptive: bool, scaled: bool) -> None:
    made = build(adaptive=adaptive, sigma_1=0.7, output_scale=scaled)
    learned = made.learner.init(key, made.known)
    # The weights of a step are those that `draw` gives for its key.
    theta = made.learner.draw(learned, key, 8)
    outputs = [_forward(theta, m, made.x) / (T if scaled else 1) for m in range(8)]
    fit = np.mean([-log_softmax(o, axis=-1)[np.arange(N), made.y].mean() for o in outputs])
    mean = np.concatenate([np.ravel(leaf) for leaf in jax.tree.leaves(learned.params.mean)])
    s, sigma = 0.01, 0.7
    divergence = 0.5 * np.sum((s**2 + mean**2) / sigma**2 - 1) + mean.size * np.log(sigma / s)
    scale = (np.sqrt(T) * DIM if adaptive else 1.0) / 50
    np.testing.assert_allclose(made.loss(learned, key), fit + scale * divergence, 1e-4)


def test_the_mixture_counts_only_with_samples(build, key) -> None:
    for method, differs in (("analytical", False), ("sample_based", True)):
        values = set()
        for changes in ({"sigma_2": 0.2}, {"sigma_2": 0.6}):
            made = build(kl_method=method, mixture_scale=0.5, **changes)
            values.add(made.loss(made.learner.init(key, made.known), key))
        assert (len(values) == 2) == differs


def test_both_divergences_agree_on_average(build, key) -> None:
    values = []
    for method in ("analytical", "sample_based"):
        made = build(kl_method=method, mixture_scale=1.0, num_index_samples=4_000)
        values.append(made.loss(made.learner.init(key, made.known), key))
    np.testing.assert_allclose(*values, rtol=5e-3)


def test_samples_are_normal_around_the_means(build, key) -> None:
    made = build()
    learned = made.learner.init(key, made.known)
    raw = jax.tree.map(lambda leaf: leaf + 3.0, learned.params.raw)
    params = learned.params._replace(raw=raw)
    drawn = made.learner.draw(Learned(params), key, 2_000)
    for theta, mean, r in zip(*map(jax.tree.leaves, (drawn, params.mean, raw)), strict=True):
        deviation = float(jax.nn.softplus(r.ravel()[0]))
        z = np.asarray((theta - mean) / deviation)
        np.testing.assert_allclose(z.mean(0), 0.0, atol=5 / 2_000**0.5)
        np.testing.assert_allclose(z.std(0), 1.0, atol=0.1)
    # All rows of a call see the same weights.
    same = np.repeat(made.x[:1], 4, 0)
    logits = np.asarray(made.learner.apply(drawn, same, made.known))
    np.testing.assert_allclose(logits, np.repeat(logits[..., :1], 4, -1), rtol=1e-5, atol=1e-6)
