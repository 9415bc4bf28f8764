"""Correlated Gaussian pairs: mutual information in closed form, a fresh batch at every step."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import numpy as np

from augury.engine.catalog.problems.mi import GaussianProblem
from augury.engine.problems.pairs import Pairs, Source
from augury.engine.randomness import generator, normal, stream

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray

LN2 = math.log(2.0)


def noise_scale(bits: Float[Array, ""], num_sources: int) -> Float[Array, ""]:
    """sqrt(1 - rho^2) of each source, such that all together share `bits` bits.

    From I = -(num_sources / 2) ln(1 - rho^2) nats. Kept in place of rho, which rounds to 1.
    """
    return jnp.exp(-bits * LN2 / num_sources)


def correlation(bits: Float[Array, ""], num_sources: int) -> Float[Array, ""]:
    """Correlation of each source, such that all together share `bits` bits."""
    return jnp.sqrt(-jnp.expm1(-2.0 * bits * LN2 / num_sources))


def sample(
    key: PRNGKeyArray, bits: Float[Array, ""], num_pairs: int, num_sources: int
) -> tuple[Float[Array, "pairs sources"], Float[Array, "pairs sources"]]:
    """`num_pairs` draws of (x, y): x, e ~ N(0, I) and y = rho x + sqrt(1 - rho^2) e."""
    x, e = normal(key, (2, num_pairs, num_sources))
    return x, correlation(bits, num_sources) * x + noise_scale(bits, num_sources) * e


def log_ratio(
    x: Float[Array, "pairs sources"], y: Float[Array, "pairs sources"], bits: Float[Array, ""]
) -> Float[Array, "pairs pairs"]:
    """Log of p(x_i, y_j) / (p(x_i) p(y_j)) at row i, column j: the critic that training aims at."""
    num_sources = x.shape[1]
    rho, scale = correlation(bits, num_sources), noise_scale(bits, num_sources)
    misfit = jnp.sum(((y[None] - rho * x[:, None]) / scale) ** 2 - y[None] ** 2, axis=-1)
    return bits * LN2 - 0.5 * misfit


def source(problem: GaussianProblem) -> Source:
    """Pairs in as many dimensions as asked for; the information is that of the sources.

    tile: coordinate k of x is that of source k modulo their number. pad: the rest is independent
    noise of the same law. rotate: padded, then turned by a random rotation, one for x and one for
    y, so that every coordinate holds a part of every source.
    """
    size = problem.num_sources
    dim = problem.dim or size
    turns = [_rotation(dim, side) for side in (0, 1)] if problem.spread == "rotate" else None

    def widen(values: Float[Array, "pairs sources"], key: PRNGKeyArray, side: int) -> Array:
        if not problem.dim:
            return values
        if problem.spread == "tile":
            return jnp.tile(values, (1, -(-dim // size)))[:, :dim]
        noise = normal(jax.random.fold_in(key, side), (len(values), dim - size))
        padded = jnp.concatenate([values, noise], axis=1)
        return padded if turns is None else padded @ jnp.asarray(turns[side])

    def draw(key: PRNGKeyArray, bits: Float[Array, ""], num_pairs: int, items: object) -> Pairs:
        x, y = sample(key, bits, num_pairs, size)
        if problem.shuffled:
            y = sample(stream(key, "shuffled"), bits, num_pairs, size)[1]
        seen = y**3 if problem.cubic else y
        noise = stream(key, "noise")
        return Pairs(widen(x, noise, 0), widen(seen, noise, 1), (x, y))

    def ratio(x: Array, y: Array, bits: Float[Array, ""]) -> Float[Array, "pairs pairs"]:
        return jnp.zeros((len(x), len(y))) if problem.shuffled else log_ratio(x, y, bits)

    return Source(dim, dim, draw, ratio)


def _rotation(dim: int, side: int) -> Float[np.ndarray, "dim dim"]:
    """One of the rotations of space, all alike likely; the same in every run."""
    drawn = generator("gaussian/rotation", dim, side).normal(size=(dim, dim))
    found, upper = np.linalg.qr(drawn)
    return (found * np.sign(np.diag(upper))).astype(np.float32)
