"""Randomness by name: a stream added later moves no other."""

from __future__ import annotations

import math
import zlib
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.polynomial import Chebyshev, Polynomial

if TYPE_CHECKING:
    from collections.abc import Callable

    from jaxtyping import Array, Float, PRNGKeyArray, UInt32


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


def noise(key: PRNGKeyArray, size: int) -> Float[Array, " size"]:
    """Standard normal draws at a quarter of the cost of `jax.random.normal` on CPU.

    For noise that every step of a training needs anew. Counters go through an integer hash (the
    32-bit finaliser with multipliers 0x7FEB352D, 0x846CA68B), pairs of words through Box and
    Muller's transform with polynomials of relative error 3e-7. |z| is at most 5.9. Draws are a
    function of (key, position): those of a larger `size` are not an extension.
    """
    data = jax.random.key_data(key)
    first, second = mix(data[0] ^ jnp.uint32(0x9E3779B9)), data[-1]
    place = jax.lax.iota(jnp.uint32, (size + 1) // 2)
    far = mix(mix(place + first) ^ second)
    turn = mix(far + jnp.uint32(0x85EBCA6B) * (first | 1))
    radius = jnp.sqrt(-2.0 * _log((_real(far >> 8) + 0.5) * jnp.float32(2.0**-24)))
    # The angle within an eighth of the circle on both sides of the axis, then which axis and end.
    angle = _real(turn >> 9) * jnp.float32(2.0**-22) - jnp.float32(1.0 - 2.0**-23)
    along, across = _COSINE(angle * angle), angle * _SINE(angle * angle)
    swap = (turn & 1) == 1
    x, y = jnp.where(swap, across, along), jnp.where(swap, along, across)
    drawn = [radius * _signed(x, turn << 30), radius * _signed(y, turn << 29)]
    return jnp.concatenate(drawn)[:size]


def fractions(key: PRNGKeyArray, size: int) -> Float[Array, " size"]:
    """Uniform draws from (0, 1), of 2^23 values, by the same hash as `noise`: as cheap."""
    data = jax.random.key_data(key)
    first, second = mix(data[0] ^ jnp.uint32(0x9E3779B9)), data[-1]
    place = jax.lax.iota(jnp.uint32, size)
    words = mix(mix(place + first) ^ second)
    return (_real(words >> 9) + 0.5) * jnp.float32(2.0**-23)


def mix(value: UInt32[Array, ...]) -> UInt32[Array, ...]:
    """A bijection of 32-bit words in which every bit depends on every bit."""
    value = (value ^ (value >> 16)) * jnp.uint32(0x7FEB352D)
    value = (value ^ (value >> 15)) * jnp.uint32(0x846CA68B)
    return value ^ (value >> 16)


def _real(word: UInt32[Array, ...]) -> Float[Array, ...]:
    return word.astype(jnp.float32)


def _signed(value: Float[Array, ...], word: UInt32[Array, ...]) -> Float[Array, ...]:
    bits = jax.lax.bitcast_convert_type(value, jnp.uint32)
    return jax.lax.bitcast_convert_type(bits ^ (word & jnp.uint32(1 << 31)), jnp.float32)


def _polynomial(
    function: Callable[[Any], Any], domain: tuple[float, float], degree: int
) -> Callable[[Float[Array, ...]], Float[Array, ...]]:
    """Horner's scheme of the interpolation of a function at Chebyshev points of `domain`."""
    fit = Chebyshev.interpolate(function, degree, domain).convert(kind=Polynomial)
    last, *rest = (np.float32(c) for c in fit.coef[::-1])

    def value(x: Float[Array, ...]) -> Float[Array, ...]:
        found = jnp.full_like(x, last)
        for coefficient in rest:
            found = found * x + coefficient
        return found

    return value


_SINE = _polynomial(lambda q: np.sin(np.pi / 4 * np.sqrt(q)) / np.sqrt(q), (0.0, 1.0), 4)
_COSINE = _polynomial(lambda q: np.cos(np.pi / 4 * np.sqrt(q)), (0.0, 1.0), 4)
_LOG1P = _polynomial(lambda m: np.log1p(m) / m, (-1 / 3, 1 / 3), 9)
_TWO_THIRDS = 0x3F2AAAAB  # as float bits


def _log(value: Float[Array, ...]) -> Float[Array, ...]:
    """Natural logarithm of positive normal numbers: exponent, and mantissa in [2/3, 4/3)."""
    bits = jax.lax.bitcast_convert_type(value, jnp.int32) - _TWO_THIRDS
    rest = (bits & 0x7FFFFF) + _TWO_THIRDS
    mantissa = jax.lax.bitcast_convert_type(rest, jnp.float32) - 1.0
    exponent = (bits >> 23).astype(jnp.float32)
    return exponent * jnp.float32(math.log(2.0)) + mantissa * _LOG1P(mantissa)
