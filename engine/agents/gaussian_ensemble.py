"""Ensemble of networks with a mean and a scale (arXiv:1612.01474): members of a normal mixture.

Each network has its own initial weights (He et al. 2015, arXiv:1502.01852; zero biases) and its
own minibatches. Loss: negative log-likelihood.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax

from augury.engine import training
from augury.engine.catalog.entry import traced
from augury.engine.catalog.members import GaussianEnsembleConfig
from augury.engine.compiled import Compiled
from augury.engine.learning.minibatches import minibatch
from augury.engine.metrics.at_least import at_least
from augury.engine.networks import mlp
from augury.engine.randomness import stream
from augury.engine.types import Data, Prior

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray

    from augury.engine.learning.checkpoints import Checkpoint

LEAST_SCALE = 1e-3  # in units of the training targets' deviation


class Told(NamedTuple):
    """What every step of one ensemble's training is told."""

    x: Float[Array, "rows dim"]
    y: Float[Array, " rows"]
    hyper: dict[str, Float[Array, ""]]


@dataclass(frozen=True, slots=True)
class Programs:
    """Compiled functions for one architecture, number of members and length of training."""

    num_steps: int
    init: Compiled  # (key) -> parameters
    trainer: training.Trainer
    predict: Compiled  # (parameters, x [rows, dim]) -> mean, scale [members, rows]


@cache
def programs(
    num_ensemble: int,
    hidden: tuple[int, ...],
    batch_size: int,
    num_steps: int,
    input_dim: int,
    width: int,
) -> Programs:
    """The programs of a static config, built once in a process; rates are traced."""
    sizes = (input_dim, *hidden, 2)

    def init(key: PRNGKeyArray) -> mlp.Params:
        draw = jax.nn.initializers.he_normal(in_axis=-2, out_axis=-1, batch_axis=0)
        layers = []
        for number, (fan_in, fan_out) in enumerate(zip(sizes[:-1], sizes[1:], strict=True)):
            shape = (num_ensemble, fan_in, fan_out)
            weight = draw(jax.random.fold_in(key, number), shape, jnp.float32)
            layers.append((weight, jnp.zeros((num_ensemble, fan_out), jnp.float32)))
        return tuple(layers)

    def batch(key: PRNGKeyArray, step: Any, told: Told) -> Any:
        keys = jax.random.split(key, num_ensemble)
        count = jnp.int32(told.x.shape[0])
        rows = jax.vmap(lambda k: minibatch(k, step, batch_size, count))(keys)
        return told.x[rows], told.y[rows]

    def loss(params: mlp.Params, rows: Any, key: PRNGKeyArray, told: Told) -> Any:
        x, y = rows
        return jnp.mean(negative_log_likelihood(*moments(params, x), y)), ()

    def optimiser(told: Told) -> optax.GradientTransformation:
        rate = told.hyper["learning_rate"]

        def cosine(step: Any) -> Any:
            return rate * 0.5 * (1.0 + jnp.cos(jnp.pi * jnp.minimum(step / num_steps, 1.0)))

        return optax.adamw(cosine, weight_decay=told.hyper["weight_decay"])  # type: ignore[arg-type]

    trainer = training.make_trainer(training.Step(batch, loss, optimiser), width)
    return Programs(num_steps, Compiled(init), trainer, Compiled(moments))


def moments(params: mlp.Params, x: Float[Array, "*member rows dim"]) -> tuple[Any, Any]:
    """Mean and scale of every member at the same rows, or at rows of its own: [members, rows]."""
    (weight, bias), *rest = params
    hidden = x @ weight + bias[:, None, :]
    for weight, bias in rest:
        hidden = at_least(hidden, 0.0) @ weight + bias[:, None, :]
    return hidden[..., 0], jax.nn.softplus(hidden[..., 1]) + LEAST_SCALE


def negative_log_likelihood(mean: Any, scale: Any, y: Any) -> Any:
    """-log N(y; mean, scale^2) in nats, elementwise."""
    return 0.5 * ((y - mean) / scale) ** 2 + jnp.log(scale) + 0.5 * jnp.log(2.0 * jnp.pi)


def fit(
    built: Programs,
    cells: list[tuple[PRNGKeyArray, np.ndarray, np.ndarray, GaussianEnsembleConfig]],
    on_chunk: Callable[[int, np.ndarray], None] | None = None,
    checkpoint: Checkpoint | None = None,
) -> tuple[list[mlp.Params], np.ndarray]:
    """Train at most as many ensembles as the programs are wide; missing ones repeat the last.

    Args:
        built: of `programs`.
        cells: (key, x [rows, dim], y [rows], config) of each ensemble; equal numbers of rows.
        on_chunk: as `training.train` takes it.
        checkpoint: likewise.

    Returns:
        The parameters of each ensemble and its mean losses [cells, steps].
    """
    padded = [*cells, *[cells[-1]] * (built.trainer.width - len(cells))]
    stack = lambda parts: jax.tree.map(lambda *leaves: jnp.stack(leaves), *parts)  # noqa: E731
    told = stack([
        Told(
            jnp.asarray(x, jnp.float32),
            jnp.asarray(y, jnp.float32),
            {name: jnp.float32(value) for name, value in traced(config).items()},
        )
        for _, x, y, config in padded
    ])  # fmt: skip
    params = stack([built.init(stream(key, "init")) for key, *_ in padded])
    keys = jnp.stack([stream(key, "train") for key, *_ in padded])
    trained = training.train(
        built.trainer, params, keys, told, built.num_steps, on_chunk, checkpoint
    )
    one = lambda i: jax.tree.map(lambda leaf: leaf[i], trained.params)  # noqa: E731
    return [one(i) for i in range(len(cells))], trained.losses[: len(cells)]


@dataclass(frozen=True, slots=True)
class GaussianSampler:
    """Trained members; a draw is one of them, the same at all rows."""

    params: mlp.Params

    def __call__(
        self, x: Float[Array, "data dim"], key: PRNGKeyArray
    ) -> Float[Array, "data moments"]:
        """Mean and standard deviation of y at every row, from one member."""
        members = self.members(x)
        return members[jax.random.randint(key, (), 0, len(members))]

    def members(self, x: Float[Array, "data dim"]) -> Float[Array, "members data moments"]:
        """Mean and standard deviation of y at every row, from every member."""
        return jnp.stack(moments(self.params, jnp.asarray(x, jnp.float32)), -1)


def make_agent(
    config: GaussianEnsembleConfig | None = None,
) -> Callable[[Data, Prior, PRNGKeyArray], GaussianSampler]:
    """The two-line contract; as the scenario trains it, given the same key."""
    chosen = config or GaussianEnsembleConfig()

    def agent(data: Data, prior: Prior, key: PRNGKeyArray) -> GaussianSampler:
        built = of(chosen, chosen.num_steps, prior.input_dim, 1)
        params, _ = fit(built, [(key, np.asarray(data.x), np.ravel(data.y), chosen)])
        return GaussianSampler(params[0])

    return agent


def of(config: GaussianEnsembleConfig, num_steps: int, input_dim: int, width: int) -> Programs:
    """The programs of a config that trains `num_steps` steps."""
    return programs(
        config.num_ensemble, config.hidden, config.batch_size, num_steps, input_dim, width
    )
