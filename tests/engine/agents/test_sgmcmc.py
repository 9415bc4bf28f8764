"""The networks that a chain keeps, and the loss it walks on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.special import log_softmax

from augury.engine.agents.sgmcmc import build
from augury.engine.catalog.agent_configs.chains import SgmcmcConfig
from augury.engine.learning.epistemic import make_known
from augury.engine.learning.fitting import fit_cells, make_fitter

if TYPE_CHECKING:
    from jaxtyping import PRNGKeyArray

CONFIG = SgmcmcConfig(hidden=(4,), num_steps=12, burn_in=4, save_every=3, batch_size=5)


def test_kept_networks_of_cells_side_by_side(key: PRNGKeyArray) -> None:
    """Three a cell, in the chain's order; a cap keeps as many; cells do not share their noise."""
    rng = np.random.default_rng(0)
    x, y = jnp.asarray(rng.normal(size=(9, 2)), jnp.float32), jnp.asarray(rng.integers(0, 3, 9))
    learner = build(CONFIG, 2, 3)
    known = make_known(9, 0.1, CONFIG)
    fitter = make_fitter(learner, 2)
    cells = [(jax.random.fold_in(key, i), x, y, known) for i in range(2)]
    fits, losses = fit_cells(fitter, cells, 12)
    assert losses.shape == (2, 12) and learner.num_members == 3
    for learned in fits:
        assert [leaf.shape for leaf in jax.tree.leaves(learned.params)] == [
            (3, 4, 2), (3, 4), (3, 3, 4), (3, 3),
        ]  # fmt: skip
    first, second = (np.asarray(f.params[0][0]) for f in fits)
    assert not np.allclose(first, second) and len({m.tobytes() for m in first}) == 3
    capped = fit_cells(fitter, cells, 4)[0][0]
    assert jax.tree.leaves(capped.params)[0].shape == (3, 4, 2)
    np.testing.assert_array_equal(capped.params[0][0][2], first[0])  # both after step 4
    logits = learner.apply(learner.draw(fits[0], key, 7), x, known)
    assert logits.shape == (3, 3, 9)


@pytest.mark.parametrize(("dim", "adaptive", "factor"), [(2, True, 1.0), (100, True, 0.5),
                                                         (100, False, 1.0)])  # fmt: skip
def test_loss(key: PRNGKeyArray, dim: int, adaptive: bool, factor: float) -> None:
    config = replace(CONFIG, prior_variance=0.3, adaptive_prior_variance=adaptive)
    learner = build(config, dim, 3)
    known = make_known(40, 0.25, config)
    params = learner.init(key, known).params
    x = np.random.default_rng(0).normal(size=(6, dim)).astype(np.float32)
    y = np.array([0, 1, 2, 0, 1, 2])
    rules = learner.training
    assert rules is not None
    value = rules.loss(params, (), x, jnp.asarray(y), known, key, 0)
    logits = np.asarray(learner.apply(params, x, known), float)[0]
    fit = -log_softmax(logits, axis=0)[y, np.arange(6)].mean()
    squares = sum(float((leaf**2).sum()) for leaf in jax.tree.leaves(params))
    expected = fit + factor * 0.5 * dim / (0.3 * 40) * squares
    assert float(value) == pytest.approx(expected, rel=1e-5)
