"""Networks of images fitted member by member in one program, and read at any images."""

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
from augury.engine.catalog.agent_configs.images import ImageConfig
from augury.engine.catalog.entry import static, traced
from augury.engine.compiled import Compiled
from augury.engine.learning.minibatches import minibatch
from augury.engine.networks import images
from augury.engine.randomness import fractions, stream

if TYPE_CHECKING:
    from jaxtyping import Array, Float, Int, PRNGKeyArray, UInt8

    from augury.engine.learning.checkpoints import Checkpoint
    from augury.engine.types import Data, Prior

Pytree = Any
CPU_ROWS, GPU_ROWS = 250, 1_000  # images read by one program; what patches take bounds it
MASKS = 10  # read side by side on a GPU
SETTLING = 32  # minibatches whose moments a network is normalised by after training
SHIFT = 4  # pixels


class Told(NamedTuple):
    """What every step is told."""

    x: UInt8[Array, "rows h w c"]
    y: Int[Array, " rows"]
    hyper: dict[str, Float[Array, ""]]


class Fitted(NamedTuple):
    """Trained networks; every leaf counts them first."""

    params: Pytree
    moments: Pytree  # mean and variance at each normalisation
    hyper: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Programs:
    """Compiled functions for one architecture, shape of images and length of training."""

    num_networks: int
    at_once: int
    num_steps: int
    num_rows: int  # images that `predict` takes
    init: Compiled  # (keys) -> parameters, networks first
    trainer: training.Trainer
    settle: Compiled  # (parameters, keys, told) -> moments
    predict: (
        Compiled  # (fitted, key, images [num_rows, h, w, c]) -> logits [members, rows, classes]
    )


@dataclass(frozen=True, slots=True)
class ImageAgent:
    """The two-line contract over networks of images; the scenario takes its parts.

    A member is a network, or a mask of the only one where there are masks.
    """

    config: Any
    num_networks: int
    num_masks: int = 0

    def programs(
        self, shape: tuple[int, int, int], classes: int, device: str, max_steps: int = 0
    ) -> Programs:
        """Built once in a process for each static config; rates are traced."""
        steps = min(self.config.num_steps, max_steps or self.config.num_steps)
        fields = tuple(sorted(static(self.config).items()))
        made = (type(self.config), fields, self.num_networks, self.num_masks)
        return _programs(made, shape, classes, steps, device == "cpu")

    def __call__(self, data: Data, prior: Prior, key: PRNGKeyArray) -> ImageSampler:
        """Train on `data`, whose x are bytes [n, h, w, c]."""
        x, y = np.asarray(data.x), np.ravel(np.asarray(data.y))
        built = self.programs(x.shape[1:], prior.num_classes, jax.default_backend())
        return ImageSampler(built, fit(built, self.config, x, y, key)[0], stream(key, "masks"))


@dataclass(frozen=True, slots=True)
class ImageSampler:
    """Trained members; a draw is one of them, the same for all images."""

    built: Programs
    fitted: Fitted
    key: PRNGKeyArray  # of the masks

    def __call__(self, x: Any, key: PRNGKeyArray) -> Float[Array, "data classes"]:
        """Logits of one member at images [n, h, w, c] of bytes."""
        members = self.members(x)
        return members[jax.random.randint(key, (), 0, len(members))]

    def members(self, x: Any) -> Float[Array, "members data classes"]:
        """Logits of every member."""
        return jnp.asarray(predict(self.built, self.fitted, np.asarray(x), self.key))


def fit(
    built: Programs,
    config: ImageConfig,
    x: UInt8[np.ndarray, "rows h w c"],
    y: Int[np.ndarray, " rows"],
    key: PRNGKeyArray,
    on_chunk: Callable[[int, np.ndarray], None] | None = None,
    checkpoint: Checkpoint | None = None,
) -> tuple[Fitted, np.ndarray]:
    """Train all networks; returns them and the mean loss of each step.

    A network's initial weights and minibatches depend on the key and its number alone.
    """
    number, once = built.num_networks, built.at_once
    hyper = {name: jnp.float32(value) for name, value in traced(config).items()}
    told = Told(jnp.asarray(x), jnp.asarray(y, jnp.int32), hyper)
    keys = jax.vmap(lambda n: jax.random.fold_in(stream(key, "network"), n))(jnp.arange(number))
    # Shards, cells (one), networks of a shard.
    groups = lambda leaf: leaf.reshape(number // once, 1, once, *leaf.shape[1:])  # noqa: E731
    arguments = (
        jax.tree.map(lambda leaf: leaf[None], told),
        groups(jnp.arange(number)),
    )
    params = jax.tree.map(groups, built.init(keys))
    trained = training.train(
        built.trainer, params, stream(key, "train")[None], arguments, built.num_steps,
        on_chunk and (lambda done, losses: on_chunk(done, losses / number)), checkpoint,
    )  # fmt: skip
    params = jax.tree.map(lambda leaf: leaf.reshape(number, *leaf.shape[3:]), trained.params)
    moments = built.settle(params, keys, told)
    return Fitted(params, moments, hyper), trained.losses[0] / number


def predict(
    built: Programs, fitted: Fitted, x: UInt8[np.ndarray, "n h w c"], key: PRNGKeyArray
) -> Float[np.ndarray, "members n classes"]:
    """Logits of every member at every image, so many images at a time; `key` draws the masks."""
    size = built.num_rows
    parts = []
    for start in range(0, len(x), size):
        part = x[start : start + size]
        padded = np.concatenate([part, np.zeros((size - len(part), *x.shape[1:]), np.uint8)])
        parts.append(np.asarray(built.predict(fitted, key, padded))[:, : len(part)])
    return np.concatenate(parts, 1)


@cache
def _programs(
    made: tuple[Any, Any, int, int],
    shape: tuple[int, int, int],
    classes: int,
    num_steps: int,
    on_cpu: bool,
) -> Programs:
    kind, fields, number, masks = made
    config = kind(**dict(fields))
    network = images.build(config.network, shape, classes, config.width)
    # One after another they stay in cache; a GPU wants many at a time.
    at_once, num_rows = (1, CPU_ROWS) if on_cpu else (number, GPU_ROWS)
    together, masks_together = (None, None) if on_cpu else (number, MASKS)

    def batch(key: PRNGKeyArray, step: Any, told: Any) -> Any:
        shared, own = told
        count = jnp.int32(shared.x.shape[0])

        def one(member: Any) -> Any:
            mine = jax.random.fold_in(key, member)
            rows = minibatch(mine, step, config.batch_size, count)
            x = jnp.take(shared.x, rows, axis=0, mode="clip")
            if config.augment:
                x = moved(x, jax.random.fold_in(mine, step))
            return x, jnp.take(shared.y, rows, mode="clip")

        return jax.vmap(one)(own)

    def loss(params: Pytree, rows: Any, key: PRNGKeyArray, told: Any) -> Any:
        (x, y), (shared, own) = rows, told

        def one(params: Pytree, x: Any, y: Any, member: Any) -> Any:
            drop = rows_dropped(jax.random.fold_in(key, member), shared.hyper)
            logits, _ = network.apply(params, scaled(x), drop if masks else images.keep_all, None)
            logp = jax.nn.log_softmax(logits)
            fits = -jnp.take_along_axis(logp, y[:, None], 1).mean()
            weights = [leaf for leaf in jax.tree.leaves(params) if leaf.ndim == 2]
            return fits + shared.hyper["weight_decay"] * sum(jnp.sum(w**2) for w in weights)

        return jax.vmap(one)(params, x, y, own).sum(), ()

    def optimiser(told: Any) -> optax.GradientTransformation:
        rate = told[0].hyper["learning_rate"]

        def cosine(step: Any) -> Any:
            return rate * 0.5 * (1.0 + jnp.cos(jnp.pi * jnp.minimum(step / num_steps, 1.0)))

        return optax.adam(cosine)

    def settle(params: Pytree, keys: PRNGKeyArray, told: Told) -> Pytree:
        """Moments of the trained network: the mean over minibatches of their own."""

        def one(pair: Any) -> Pytree:
            params, key = pair

            def of_batch(step: Any) -> Pytree:
                rows = minibatch(key, step, config.batch_size, jnp.int32(told.x.shape[0]))
                x = scaled(jnp.take(told.x, rows, axis=0, mode="clip"))
                drop = rows_dropped(jax.random.fold_in(key, step), told.hyper)
                _, seen = network.apply(params, x, drop if masks else images.keep_all, None)
                return [(mean, variance + mean**2) for mean, variance in seen]

            every = jax.lax.map(of_batch, jnp.arange(SETTLING))
            middle = jax.tree.map(lambda leaf: leaf.mean(0), every)
            return [(mean, square - mean**2) for mean, square in middle]

        return jax.lax.map(one, (params, keys), batch_size=together)

    def predicted(fitted: Fitted, key: PRNGKeyArray, x: Any) -> Any:
        x = scaled(x)
        if not masks:
            read = lambda pair: network.apply(pair[0], x, images.keep_all, pair[1])[0]  # noqa: E731
            pairs = fitted.params, fitted.moments
            return jax.lax.map(read, pairs, batch_size=together)
        params, moments = jax.tree.map(lambda leaf: leaf[0], (fitted.params, fitted.moments))

        def thinned(mask: Any) -> Any:
            drop = units_dropped(jax.random.fold_in(key, mask), fitted.hyper)
            return network.apply(params, x, drop, moments)[0]

        return jax.lax.map(thinned, jnp.arange(masks), batch_size=masks_together)

    step = training.Step(batch, loss, optimiser)
    trainer = training.make_trainer(step, 1, number // at_once)
    return Programs(
        number, at_once, num_steps, num_rows,
        Compiled(jax.vmap(network.init)), trainer, Compiled(settle), Compiled(predicted),
    )  # fmt: skip


def scaled(x: UInt8[Array, "*n h w c"]) -> Float[Array, "*n h w c"]:
    """Bytes as numbers in [0, 1]."""
    return x.astype(jnp.float32) / 255.0


def rows_dropped(key: PRNGKeyArray, hyper: dict[str, Any]) -> images.Drop:
    """A mask of each row's own, as in training."""
    return lambda x, place: _masked(x, x.shape, jax.random.fold_in(key, place), hyper)


def units_dropped(key: PRNGKeyArray, hyper: dict[str, Any]) -> images.Drop:
    """One mask for all rows: one network, of which a replicate is drawn."""
    return lambda x, place: _masked(x, (1, *x.shape[1:]), jax.random.fold_in(key, place), hyper)


def _masked(x: Any, shape: tuple[int, ...], key: PRNGKeyArray, hyper: dict[str, Any]) -> Any:
    rate = hyper["rate"]
    kept = fractions(key, int(np.prod(shape))).reshape(shape) >= rate
    return jnp.where(kept, x / (1.0 - rate), 0.0)


def moved(x: UInt8[Array, "n h w c"], key: PRNGKeyArray) -> UInt8[Array, "n h w c"]:
    """Each image mirrored or not, and cut at random out of itself with a black border."""
    n, h, w, c = x.shape
    drawn = fractions(key, 3 * n).reshape(3, n)
    padded = jnp.pad(x, ((0, 0), (SHIFT, SHIFT), (SHIFT, SHIFT), (0, 0)))
    top, left = (drawn[:2] * (2 * SHIFT + 1)).astype(jnp.int32)
    cut = jax.vmap(lambda one, i, j: jax.lax.dynamic_slice(one, (i, j, 0), (h, w, c)))
    found = cut(padded, top, left)
    return jnp.where((drawn[2] < 0.5)[:, None, None, None], found[:, :, ::-1], found)
