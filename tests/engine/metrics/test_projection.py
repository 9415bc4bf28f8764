"""The projection estimator: known cases, and the published numbers."""

from __future__ import annotations

import json
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from augury.engine.metrics.projection import projected_log_likelihood

pytestmark = pytest.mark.slow  # together they compile for minutes

DATA = Path(__file__).parents[2] / "golden" / "data"


def test_published_numbers() -> None:
    """Five projections of theirs against two hundred of ours: their keys cannot be replayed."""
    known = json.loads((DATA / "likelihood.json").read_text())["proj_M200_tau30"]
    with np.load(DATA / "likelihood_arrays.npz") as arrays:
        logits, y = arrays["proj_logits"], arrays["proj_y"].reshape(-1)
    log_p = jnp.swapaxes(jax.nn.log_softmax(jnp.asarray(logits)), 1, 2)
    counts = jax.nn.one_hot(y, 2)
    keys = jax.random.split(jax.random.key(0), 200)
    estimate = jax.jit(jax.vmap(lambda key: projected_log_likelihood(log_p, counts, key)))
    ours = np.asarray(estimate(keys))
    theirs = np.array(known["projection_ll_d7"])
    error = ours.std() * np.sqrt(1 / len(theirs) + 1 / len(ours))
    assert abs(ours.mean() - theirs.mean()) < 4 * error
    assert 0.4 < theirs.std(ddof=1) / ours.std() < 2.0
    # It takes samples of one cluster for one, and misses what they disagree on.
    assert ours.mean() < known["joint_ll_exact"]


def test_equal_samples_are_exact() -> None:
    log_p = jnp.log(jnp.tile(jnp.array([[[0.3, 0.6], [0.7, 0.4]]]), (50, 1, 1)))
    counts = jnp.array([[12.0, 3.0], [0.0, 9.0]])
    found = projected_log_likelihood(log_p, counts, jax.random.key(1))
    expected = 12 * np.log(0.3) + 3 * np.log(0.7) + 9 * np.log(0.4)
    assert float(found) == pytest.approx(expected, rel=1e-4)


def test_two_kinds_of_certain_samples_are_two_clusters() -> None:
    """Kinds that lie far apart differ in some sign, so both estimators agree."""
    kinds = jnp.array([[0.999, 0.001], [0.001, 0.999]])
    log_p = jnp.log(jnp.tile(kinds[:, :, None], (20, 1, 30)))
    counts = jnp.tile(jnp.array([[1.0, 0.0]]), (30, 1))
    found = projected_log_likelihood(log_p, counts, jax.random.key(2))
    assert float(found) == pytest.approx(30 * np.log(0.999) - np.log(2), abs=1e-3)
