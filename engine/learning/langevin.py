"""Stochastic-gradient Langevin dynamics with momentum, as an optimiser that adds noise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import jax
import jax.numpy as jnp
import optax

from augury.engine.randomness import noise

if TYPE_CHECKING:
    from jaxtyping import Array, Float

Pytree = Any
Preconditioner: TypeAlias = Literal["none", "rmsprop"]
SQUARES_DECAY, MASS_FLOOR = 0.99, 1e-7  # of rmsprop, as published


class Moments(NamedTuple):
    """What the dynamics carry from step to step, shaped as the parameters."""

    momentum: Pytree
    squares: Pytree  # running mean of squared slopes; () without a preconditioner


def langevin(
    learning_rate: Float[Array, ""],
    temperature: Float[Array, ""],
    momentum_decay: Float[Array, ""],
    preconditioner: Preconditioner = "none",
) -> optax.GradientTransformationExtraArgs:
    """Dynamics whose stationary density is exp(-loss / temperature) as the rate goes to zero.

    With slope g, rate h and momentum decay b, of arXiv:1402.4102 in the form of the published
    testbed's agent (xi standard normal, M a diagonal mass):

        m <- b m + sqrt(h) g + sqrt(2 (1 - b) temperature M) xi
        parameters <- parameters - sqrt(h) m / M

    Decay 0 is plain SGLD (Welling, Teh 2011), temperature 0 is SGD with momentum. Without a
    preconditioner M is 1; "rmsprop" (arXiv:1512.07666) has 1e-7 + sqrt(v), v a running mean of g
    squared with decay .99 that starts at zero. `update` needs the step's `key`.
    """

    def init(params: Pytree) -> Moments:
        zeros = jax.tree.map(jnp.zeros_like, params)
        return Moments(zeros, () if preconditioner == "none" else zeros)

    def update(
        slope: Pytree, moments: Moments, params: Pytree = None, *, key: Any, **_: Any
    ) -> tuple[Pytree, Moments]:
        root = jnp.sqrt(learning_rate)
        spread = jnp.sqrt(2.0 * (1.0 - momentum_decay) * temperature)
        shaken = _noise_like(slope, key)
        squares, mass = moments.squares, jax.tree.map(lambda g: 1.0, slope)
        if preconditioner == "rmsprop":
            squares = jax.tree.map(
                lambda v, g: SQUARES_DECAY * v + (1.0 - SQUARES_DECAY) * g * g, squares, slope
            )
            mass = jax.tree.map(lambda v: MASS_FLOOR + jnp.sqrt(v), squares)
            shaken = jax.tree.map(lambda n, m: n * jnp.sqrt(m), shaken, mass)
        momentum = jax.tree.map(
            lambda m, g, n: momentum_decay * m + root * g + spread * n,
            moments.momentum,
            slope,
            shaken,
        )
        updates = jax.tree.map(lambda m, mass: -root * m / mass, momentum, mass)
        return updates, Moments(momentum, squares)

    return optax.GradientTransformationExtraArgs(init, update)  # type: ignore[arg-type]


def _noise_like(tree: Pytree, key: Any) -> Pytree:
    leaves, structure = jax.tree.flatten(tree)
    drawn, start, found = noise(key, sum(leaf.size for leaf in leaves)), 0, []
    for leaf in leaves:
        found.append(drawn[start : start + leaf.size].reshape(leaf.shape))
        start += leaf.size
    return jax.tree.unflatten(structure, found)
