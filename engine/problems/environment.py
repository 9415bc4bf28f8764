"""The testbed's generative network: labels are drawn from a random classifier that is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import jax
import jax.numpy as jnp

from augury.engine.networks import mlp
from augury.engine.randomness import normal, stream

if TYPE_CHECKING:
    from jaxtyping import Array, Float, Int, PRNGKeyArray

HIDDEN = (50, 50)
BLOCK_ROWS = 256


class Environment(NamedTuple):
    """P(y|x) = softmax(network(x) / temperature)."""

    network: mlp.Params  # one member
    temperature: Float[Array, ""]


def environment_key(seed: int, setting: str) -> PRNGKeyArray:
    """Randomness of one environment; settings are independent at equal seeds."""
    return stream(stream(jax.random.key(seed), "environment"), setting)


def draw_environment(
    key: PRNGKeyArray, input_dim: int, temperature: Float[Array, ""], num_classes: int = 2
) -> Environment:
    """Two hidden layers of 50; only the first layer has biases, normal of variance 1/D."""
    sizes = (input_dim, *HIDDEN, num_classes)
    return Environment(mlp.init(stream(key, "network"), sizes, 1, "normal"), temperature)


def logits(environment: Environment, x: Float[Array, "data dim"]) -> Float[Array, "data classes"]:
    """Logits of the truth; the greatest of each row is 0.

    It is taken off before the division: a fused multiply-add would keep the rounding error of the
    greatest quotient, 60,000 at a temperature of 1e-12.
    """
    outputs = mlp.apply(environment.network, x)[0]
    return (outputs - outputs.max(-1, keepdims=True)) / environment.temperature


def draw_labels(
    key: PRNGKeyArray, environment: Environment, x: Float[Array, "data dim"]
) -> Int[Array, " data"]:
    """One label for each row, independent given the inputs."""
    truth = logits(environment, x)
    noise = jax.random.gumbel(key, (truth.size,)).reshape(truth.shape)
    return jnp.argmax(truth + noise, axis=-1).astype(jnp.int32)


def draw_training(
    key: PRNGKeyArray,
    environment: Environment,
    num_rows: Int[Array, ""],
    capacity: int,
    input_dim: int,
) -> tuple[Float[Array, "capacity dim"], Int[Array, " capacity"]]:
    """`num_rows` (traced) rows x ~ N(0, I), y ~ P(y|x); rows up to `capacity` are zero.

    Row i depends on i alone, so fewer rows are the first of more.
    """
    key = stream(key, "training rows")
    size = min(BLOCK_ROWS, capacity)
    blocks = -(-capacity // size)

    def fill(i: Int[Array, ""], filled: tuple[Array, Array]) -> tuple[Array, Array]:
        x_key, y_key = jax.random.split(jax.random.fold_in(key, i))
        x = normal(x_key, (size, input_dim))
        y = draw_labels(y_key, environment, x)
        # Here and not at the end, where it would be another pass over the padding.
        kept = i * size + jnp.arange(size) < num_rows
        parts = jnp.where(kept[:, None], x, 0.0), jnp.where(kept, y, 0)
        return tuple(
            jax.lax.dynamic_update_slice_in_dim(whole, part, i * size, 0)
            for whole, part in zip(filled, parts, strict=True)
        )  # type: ignore[return-value]

    empty = jnp.zeros((blocks * size, input_dim)), jnp.zeros((blocks * size,), jnp.int32)
    x, y = jax.lax.fori_loop(0, (num_rows + size - 1) // size, fill, empty)
    return x[:capacity], y[:capacity]
