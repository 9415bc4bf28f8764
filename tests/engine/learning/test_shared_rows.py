"""Rows that all cells have in common are trained on as if each had a copy."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from augury.engine.catalog.agents import REAL_AGENTS
from augury.engine.catalog.entry import load, override
from augury.engine.learning.contract import LearnerAgent
from augury.engine.learning.epistemic import agent_key, make_known
from augury.engine.learning.fitting import fit_cells, make_fitter

pytestmark = pytest.mark.slow  # together they compile for minutes

ROWS, CLASSES = 40, 3


@pytest.mark.parametrize(
    ("name", "config", "members"),
    [("mlp", {}, 0), ("ensemble+", {"num_ensemble": 4, "distribution": "bernoulli"}, 2)],
)
def test_no_copy_is_needed(name: str, config: dict[str, Any], members: int) -> None:
    entry = REAL_AGENTS[name]
    agent = load(entry.target)(override(entry.config, {**config, "hidden": [5]}, name))
    assert isinstance(agent, LearnerAgent)
    learner = agent.learner(4, CLASSES)
    draw = np.random.default_rng(0)
    x = jnp.asarray(draw.normal(size=(ROWS, 4)), jnp.float32)
    labels = draw.integers(0, CLASSES, ROWS)
    y = jnp.asarray(labels, jnp.int32)
    cells = [
        (agent_key(seed, "here"), x, y, make_known(rows, None, agent.config))
        for seed, rows in ((0, 10), (1, ROWS))
    ]
    found = [
        fit_cells(make_fitter(learner, 3, members, shared), list(cells), 30)
        for shared in (False, True)
    ]
    (copied, losses), (common, same) = found
    np.testing.assert_allclose(losses, same, rtol=1e-5)
    for one, two in zip(jax.tree.leaves(copied), jax.tree.leaves(common), strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-4, atol=1e-6)
    # They are still there: nobody writes over what all have.
    assert not x.is_deleted()
    np.testing.assert_array_equal(np.asarray(y), labels)
