"""Bbb, Bayes by backprop: a normal distribution for each weight (arXiv:1505.05424).

Choose it for joint beliefs from one network's worth of memory (twice, for means and deviations),
where its prior fits: beliefs about different weights are independent. Cost of training:
`num_index_samples` networks (8). Of evaluation: as many as there are epistemic samples, all of
whose weights are held at once (2 GB for 1,000 of them at 3,072 inputs).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp

from augury.engine.catalog.agent_configs.bayesian import BbbConfig
from augury.engine.learning.contract import LearnerAgent
from augury.engine.learning.epistemic import Known, Learned, Learner, Training
from augury.engine.losses.classification import cross_entropy, decay_scale
from augury.engine.losses.variational import mixture_kl_samples, normal_kl, softplus_inverse
from augury.engine.networks import mlp, weights
from augury.engine.networks.groups import in_groups
from augury.engine.randomness import noise, stream

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray

FIRST_DEVIATION = 0.01  # of every weight, before training


class Posterior(NamedTuple):
    """Means, and deviations before a softplus; leaves [1, ...] as networks have them."""

    mean: mlp.Params
    raw: mlp.Params


def build(config: BbbConfig, input_dim: int, num_classes: int) -> Learner:
    """Loss: scale KL(q || prior) / num_train + mean over weight samples of the cross entropy.

    The scale is sqrt(temperature) input_dim if adaptive, else 1. All rows of a minibatch see the
    same weight samples.
    """
    sizes = (input_dim, *config.hidden, num_classes)

    def init(key: PRNGKeyArray, known: Known) -> Learned:
        mean = mlp.init(stream(key, "network"), sizes, 1)
        raw = jax.tree.map(lambda m: jnp.full_like(m, softplus_inverse(FIRST_DEVIATION)), mean)
        return Learned(Posterior(mean, raw))

    def drawn(params: Posterior, key: PRNGKeyArray, count: int) -> tuple[Any, Any, Any]:
        # Stored, or the compiler draws it again wherever it is read.
        flat = jax.lax.optimization_barrier(noise(key, count * weights.count(sizes)))
        z = weights.unflatten(flat.reshape(count, -1), sizes)
        deviation = jax.tree.map(jax.nn.softplus, params.raw)
        return jax.tree.map(weights.perturbed, params.mean, deviation, z), z, deviation

    def divergence(params: Posterior, theta: Any, z: Any, deviation: Any, known: Known) -> Any:
        told = known.hyper
        if config.kl_method == "analytical":
            return normal_kl(params.mean, deviation, told["sigma_1"])
        prior = told["sigma_1"], told["sigma_2"], told["mixture_scale"]
        return mixture_kl_samples(theta, z, deviation, *prior)

    def loss(
        params: Posterior, offsets: Any, x: Any, y: Any, known: Known, key: Any, shard: Any
    ) -> Float[Array, ""]:
        theta, z, deviation = drawn(params, key, config.num_index_samples)
        fit = jnp.mean(cross_entropy(apply(theta, x, known), y))
        one = jnp.float32(1.0)
        scale = decay_scale(one, known.num_train, known.temperature, input_dim, config.adaptive)
        return fit + scale * divergence(params, theta, z, deviation, known)

    def draw(learned: Learned, key: PRNGKeyArray, count: int) -> mlp.Params:
        return drawn(learned.params, key, count)[0]

    def apply(samples: mlp.Params, x: Any, known: Known) -> Float[Array, "m classes data"]:
        logits = in_groups(lambda some: mlp.columns(some, x), samples)
        return logits / known.temperature if config.output_scale else logits

    rules = Training(
        loss,
        config.num_steps,
        config.batch_size,
        batch_strategy=config.batch_strategy,
        networks=config.num_index_samples,
    )
    return Learner(init, draw, apply, None, rules)


def make_agent(config: BbbConfig | None = None) -> LearnerAgent:
    """The two-line contract."""
    return LearnerAgent(config or BbbConfig(), build)
