"""Weights of rows in each member's loss: the bootstrap without drawing rows, by position."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
from jax.scipy.special import ndtri

from augury.engine.randomness import mix

if TYPE_CHECKING:
    from jaxtyping import Array, Float, Int, PRNGKeyArray, UInt32

MOST = 12  # a Poisson count of mean 1 exceeds it once in 10^10


def seed_word(key: PRNGKeyArray) -> UInt32[Array, ""]:
    """What `row_weights` draws from."""
    data = jax.random.key_data(key)
    return mix(data[0]) ^ data[-1]


def row_weights(
    word: UInt32[Array, ""], rows: Int[Array, " data"], num_members: int, distribution: str
) -> Float[Array, "member data"]:
    """Weights of mean 1, a function of (word, member, row) alone: the same in every epoch.

    Bernoulli: 0 or 2. Exponential, Poisson: of mean 1. Uniform: in 0 to 2. By the inverse of the
    distribution function. Raises KeyError for other distributions.
    """
    uniform = _uniform(word, jnp.arange(num_members)[:, None], rows[None, :])
    ends = [math.exp(-1.0) * sum(1 / math.factorial(i) for i in range(k + 1)) for k in range(MOST)]
    weights = {
        "bernoulli": lambda u: 2.0 * (u < 0.5),
        "exponential": lambda u: -jnp.log(u),
        "poisson": lambda u: sum((jnp.where(u > end, 1.0, 0.0) for end in ends), jnp.zeros(())),
        "uniform": lambda u: 2.0 * u,
    }
    return weights[distribution](uniform)


def row_normals(
    word: UInt32[Array, ""], rows: Int[Array, " data"], size: int
) -> Float[Array, "data k"]:
    """Standard normal draws, a function of (word, row, place) alone."""
    return ndtri(_uniform(word, jnp.arange(size)[None, :], rows[:, None]))


def _uniform(word: UInt32[Array, ""], place: Int[Array, ...], rows: Int[Array, ...]) -> Any:
    """Midpoints of 2^23 cells: never 0 nor 1, and exact in single precision."""
    stream = mix(word ^ mix(rows.astype(jnp.uint32) + jnp.uint32(0x9E3779B9)))
    bits = mix(stream ^ mix(place.astype(jnp.uint32) + jnp.uint32(0x85EBCA6B)))
    return ((bits >> 9).astype(jnp.float32) + 0.5) * jnp.float32(2.0**-23)
