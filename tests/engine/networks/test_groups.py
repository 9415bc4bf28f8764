"""Samples a few at a time are the samples all at once."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from augury.engine.networks import mlp
from augury.engine.networks.groups import in_groups


@pytest.mark.parametrize(("count", "groups"), [(1_000, 10), (96, 10), (97, 10), (20, 20), (1, 1)])
def test_groups_change_nothing(key, count: int, groups: int) -> None:
    params = mlp.init(key, (3, 4, 2), count)
    x = jax.random.normal(key, (7, 3))
    seen = []

    def some(samples: mlp.Params) -> jax.Array:
        seen.append(samples[0][0].shape[0])
        return mlp.columns(samples, x)

    found = in_groups(some, params)
    expected = groups if jax.default_backend() == "cpu" else count
    assert set(seen) == {expected}
    np.testing.assert_allclose(found, mlp.columns(params, x), rtol=1e-5, atol=1e-6)
    assert found.shape == (count, 2, 7) and jnp.isfinite(found).all()
