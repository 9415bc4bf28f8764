"""Named streams, and draws that are quick to compile."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jax
import numpy as np
import pytest

from augury.engine.randomness import normal, stream, uniform

if TYPE_CHECKING:
    from jaxtyping import PRNGKeyArray


@pytest.mark.parametrize("shape", [(), (7,), (3, 5), (2, 3, 5)])
def test_flat_draws_are_the_draws_of_jax(key: PRNGKeyArray, shape: tuple[int, ...]) -> None:
    np.testing.assert_array_equal(normal(key, shape), jax.random.normal(key, shape))
    np.testing.assert_array_equal(
        uniform(key, shape, 0.5), jax.random.uniform(key, shape, minval=-0.5, maxval=0.5)
    )


def test_names_give_streams_of_their_own(key: PRNGKeyArray) -> None:
    data = [jax.random.key_data(stream(key, name)).tolist() for name in ("a", "b", "a")]
    assert data[0] == data[2] != data[1]
