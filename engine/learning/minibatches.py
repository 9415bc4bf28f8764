"""Rows of a minibatch as a pure function of the step: nothing to store, nothing to resume."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp

from augury.engine.randomness import mix

if TYPE_CHECKING:
    from jaxtyping import Array, Int, PRNGKeyArray, UInt32

ROUNDS = 20


def minibatch(
    key: PRNGKeyArray, step: Int[Array, ""], batch_size: int, num_rows: Int[Array, ""]
) -> Int[Array, " batch"]:
    """Row numbers of one minibatch: a fresh permutation for each epoch, batches run across epochs.

    With `num_rows` below `batch_size` every row comes floor(batch / n) or one more times.
    `step` and `num_rows` may be traced. The whole stream is addressed by position: epoch
    `p // n`, place `p % n` of that epoch's permutation; at most 2^31 positions.
    """
    rows = jnp.asarray(num_rows, jnp.uint32)
    position = jnp.asarray(step, jnp.uint32) * jnp.uint32(batch_size)
    first_epoch, first_place = position // rows, position % rows
    ahead = first_place + jnp.arange(batch_size, dtype=jnp.uint32)
    wrapped = ahead // rows
    data = jax.random.key_data(key)
    word = mix(data[0]) ^ data[-1]  # a draw would cost more than all the rest of this function
    return permuted(word, first_epoch + wrapped, ahead - wrapped * rows, rows).astype(jnp.int32)


def permuted(
    word: UInt32[Array, ""],
    epoch: UInt32[Array, " n"],
    place: UInt32[Array, " n"],
    rows: UInt32[Array, ""],
) -> UInt32[Array, " n"]:
    """Where `place` goes in the permutation of `rows` items that `word` and `epoch` select.

    Swap-or-not shuffle (Hoang, Morris, Rogaway 2012, arXiv:1208.1176): each round pairs i with
    K - i mod n and a coin of the pair decides whether they change places. After r rounds an item
    that has not moved yet has probability 2^-r, and one that has moved is uniform.
    """
    stream = mix(word ^ mix(epoch + jnp.uint32(0x9E3779B9)))
    scale = rows.astype(jnp.float32) * jnp.float32(2.0**-24)
    for number in range(ROUNDS):
        bits = mix(stream + jnp.uint32((number * 0x85EBCA6B + 1) & 0xFFFFFFFF))
        pivot = jnp.minimum(((bits >> 8).astype(jnp.float32) * scale).astype(jnp.uint32), rows - 1)
        partner = pivot + rows - place
        partner = jnp.where(partner >= rows, partner - rows, partner)
        coin = mix(jnp.maximum(place, partner) ^ bits) >> 31
        place = jnp.where(coin == 1, partner, place)
    return place
