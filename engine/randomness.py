"""Randomness by name: a stream added later moves no other."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import jax

if TYPE_CHECKING:
    from jaxtyping import PRNGKeyArray


def stream(key: PRNGKeyArray, name: str) -> PRNGKeyArray:
    """The key of a named stream."""
    return jax.random.fold_in(key, zlib.crc32(name.encode()) & 0x7FFFFFFF)
