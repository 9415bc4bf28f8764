"""Hypermodel: all weights linear in a small normal index (arXiv:2006.07464), beside a fixed prior.

Choose it for joint beliefs as good as those of an ensemble with prior functions, at the memory of
`index_dim` + 1 networks. Cost of training: `num_index_samples` networks (16), for twice the steps
of the others; of evaluation: a network for each epistemic sample, whose first layer is shared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp

from augury.engine.catalog.agent_configs.bayesian import HypermodelConfig
from augury.engine.learning.bootstrap import row_normals, seed_word
from augury.engine.learning.contract import LearnerAgent
from augury.engine.learning.epistemic import Known, Learned, Learner, Training
from augury.engine.losses.classification import cross_entropy, decay_scale, sum_of_squares
from augury.engine.networks import hyper
from augury.engine.networks.scaling import prior_factor
from augury.engine.randomness import noise, stream

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray


class Params(NamedTuple):
    """The prior's numbers go along because each step needs them; their slope is zero."""

    network: hyper.Layers
    prior: hyper.Layers


class Samples(NamedTuple):
    """Networks by their indices."""

    params: Params
    z: Float[Array, "m k"]


def build(config: HypermodelConfig, input_dim: int, num_classes: int) -> Learner:
    """Loss: mean over indices of the cross entropy, plus decay of the hypernetwork.

    Numbers of an index are normal of variance 1 / index_dim.
    """
    dim = config.index_dim
    sizes = (input_dim, *config.hidden, num_classes)
    prior_sizes = (input_dim, *config.prior_hidden, num_classes)
    chunks = hyper.parts(dim, len(prior_sizes) - 1)
    tables = {"none": 0, "bernoulli": 1, "exponential": 2}[config.distribution]

    def init(key: PRNGKeyArray, known: Known) -> Learned:
        prior = hyper.init_prior(stream(key, "prior network"), prior_sizes, dim)
        network = hyper.init(stream(key, "network"), sizes, dim)
        return Learned(Params(network, prior), seed_word(stream(key, "bootstrap")))

    def draw(learned: Learned, key: PRNGKeyArray, count: int) -> Samples:
        return Samples(learned.params, indices(key, count))

    def indices(key: PRNGKeyArray, count: int) -> Float[Array, "m k"]:
        return noise(key, count * dim).reshape(count, dim) * dim**-0.5

    def apply(samples: Samples, x: Any, known: Known) -> Float[Array, "m classes data"]:
        (network, prior), z = samples
        layers = hyper.scaled(network) if config.scale else network
        whole = hyper.columns(layers, [hyper.with_constant(z)] * len(layers), x)
        beside = hyper.columns(prior, [z[:, chunk] for chunk in chunks], x)
        return whole + prior_factor(known, config.temp_scale) * beside

    def offset(fixed: Any, x: Any, rows: Any, known: Known) -> Any:
        return [row_normals(fixed + jnp.uint32(n), rows, dim) for n in range(tables)]

    def row_weights(offsets: Any, z: Any) -> Float[Array, "m data"] | None:
        along = [z @ normals.T for normals in offsets]  # standard normal, given a row's numbers
        if config.distribution == "bernoulli":
            return 1.0 + jnp.sign(along[0])
        return 0.5 * (along[0] ** 2 + along[1] ** 2) if along else None

    def loss(
        params: Params, offsets: Any, x: Any, y: Any, known: Known, key: Any, shard: Any
    ) -> Float[Array, ""]:
        z = indices(key, config.num_index_samples)
        still = Params(params.network, jax.lax.stop_gradient(params.prior))
        fit = jnp.mean(
            cross_entropy(apply(Samples(still, z), x, known), y, row_weights(offsets, z))
        )
        decay = known.hyper["weight_decay"]
        scale = decay_scale(decay, known.num_train, known.temperature, input_dim, config.adaptive)
        return fit + scale * sum_of_squares(params.network)

    rules = Training(
        loss,
        config.num_steps,
        config.batch_size,
        offset if tables else None,
        batch_strategy=config.batch_strategy,
        networks=config.num_index_samples,
    )
    return Learner(init, draw, apply, None, rules)


def make_agent(config: HypermodelConfig | None = None) -> LearnerAgent:
    """The two-line contract."""
    return LearnerAgent(config or HypermodelConfig(), build)
