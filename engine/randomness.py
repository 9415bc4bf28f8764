"""Randomness by name: a stream added later moves no other."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import jax
import numpy as np

if TYPE_CHECKING:
    from jaxtyping import PRNGKeyArray


def stream(key: PRNGKeyArray, name: str) -> PRNGKeyArray:
    """The key of a named stream."""
    return jax.random.fold_in(key, zlib.crc32(name.encode()) & 0x7FFFFFFF)


def generator(name: str, *seeds: int) -> np.random.Generator:
    """NumPy's generator of a named stream: for what is drawn on the host, alike on all devices."""
    return np.random.default_rng([zlib.crc32(name.encode()), *seeds])
