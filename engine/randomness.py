"""Randomness by name: a stream added later moves no other."""

from __future__ import annotations

import math
import zlib
from typing import TYPE_CHECKING

import jax
import numpy as np

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray


def stream(key: PRNGKeyArray, name: str) -> PRNGKeyArray:
    """The key of a named stream."""
    return jax.random.fold_in(key, zlib.crc32(name.encode()) & 0x7FFFFFFF)


def generator(name: str, *seeds: int) -> np.random.Generator:
    """NumPy's generator of a named stream: for what is drawn on the host, alike on all devices."""
    return np.random.default_rng([zlib.crc32(name.encode()), *seeds])


# A draw with several axes takes the CPU's compiler 2.4 s, the same draw with one axis .2 s, so the
# two below draw flat. The numbers are those of `jax.random`: they depend on the position only.
def normal(key: PRNGKeyArray, shape: tuple[int, ...]) -> Float[Array, ...]:
    """Standard normal draws: equal to `jax.random.normal`, and quick to compile."""
    return jax.random.normal(key, (math.prod(shape),)).reshape(shape)


def uniform(key: PRNGKeyArray, shape: tuple[int, ...], limit: float) -> Float[Array, ...]:
    """Draws from +-`limit`: equal to `jax.random.uniform`, and quick to compile."""
    return jax.random.uniform(key, (math.prod(shape),), minval=-limit, maxval=limit).reshape(shape)
